from honeyguide.parse.contexts import MAIN, OUTSIDE, MarkedText, closing, instead, opening, without_signs


def test_a_mark_stands_for_the_words_of_its_link() -> None:
    marked = MarkedText(f"one two {instead('0')} four", {"0": "three"}, window=1)
    assert marked.context("0", "three") == "two three four"
    assert marked.visible == "one two three four"


def test_a_link_between_two_marks_keeps_its_words() -> None:
    marked = MarkedText(f"one {opening('0')}two three{closing('0')} four five", {}, window=1)
    assert marked.context("0", "two three") == "one two three four"
    assert marked.visible == "one two three four five"


def test_links_within_links_each_have_their_context() -> None:
    text = f"a {opening('0')}b {instead('1')} d{closing('0')} e"
    marked = MarkedText(text, {"1": "c"}, window=1)
    assert marked.context("0", "") == "a b c d e"
    assert marked.context("1", "") == "b c d"


def test_a_link_that_was_not_rendered_has_but_its_label() -> None:
    assert MarkedText("one two", {}, window=5).context("0", "label") == "label"


def test_the_main_text_leaves_out_what_stands_outside_of_it() -> None:
    text = (
        f"head {opening(MAIN)}one {opening(OUTSIDE)}menu {opening(OUTSIDE)}inner{closing(OUTSIDE)} "
        f"more{closing(OUTSIDE)}two{closing(MAIN)} foot"
    )
    marked = MarkedText(text, {}, window=5)
    assert marked.main == "one two"
    assert marked.visible == "head one two foot"


def test_the_share_of_the_main_content_counts_no_links() -> None:
    text = f"{'a' * 30}{opening(MAIN)}{'b' * 10}{instead('0')}{closing(MAIN)}"
    assert MarkedText(text, {"0": "c" * 1000}, window=5).share == 0.25


def test_an_end_without_a_start_is_ignored() -> None:
    marked = MarkedText(f"one{closing(OUTSIDE)} two{closing('3')} three{closing(MAIN)} four", {}, window=5)
    assert marked.visible == "one two three four"


def test_markup_loses_the_signs_that_marks_are_made_of() -> None:
    assert without_signs(f"a{instead('0')}b") == "a0b"
    plain = "no signs"
    assert without_signs(plain) is plain
