import pytest

from honeyguide.parse.html import read_html
from honeyguide.parse.maintext import best_text, is_tame, resiliparse_text, text_of

PROSE = "Bees, of all insects, are the ones that make honey in their hives. "


def test_a_long_main_text_stands_whatever_its_share() -> None:
    assert best_text("m" * 2000, "v" * 90_000, share=0.01) == "m" * 2000


def test_a_short_main_text_stands_if_it_is_most_of_what_is_said() -> None:
    assert best_text("main", "main and more", share=0.6) == "main"
    assert best_text("main", "main and more", share=0.2) == "main and more"
    assert best_text("", "all there is", share=0.0) == "all there is"


def test_a_flat_page_of_the_nineties_keeps_all_it_says() -> None:
    lines = "".join(f"<h3>Topic {n}</h3>About topic {n} there is this to say.<br>" for n in range(20))
    text = read_html(
        f"<body>{lines}<blockquote><p>{PROSE}</blockquote><i>Last changed in 1996</i>", "http://a.test/"
    ).text
    assert all(f"topic {n} " in text for n in range(20))


def test_a_piece_of_html_has_its_text_without_tags_and_entities() -> None:
    assert text_of("plain ") == "plain"
    assert text_of("<p>Bees &amp; <b>wax</b></p><script>x()</script>") == "Bees & wax"
    assert text_of("<table><tr><td>one</td><td>two</td></tr></table>").split() == ["one", "two"]


@pytest.mark.parametrize(
    "markup",
    ["<div>" * 500, "<b><i>" * 500, "<p>x</p>" * 10_001, "x" * 1_000_001, "<p " + "a=1 " * 3_000 + ">"],
)
def test_markup_that_would_stall_the_other_extractor_is_not_given_to_it(markup: str) -> None:
    assert not is_tame(markup)
    assert resiliparse_text(markup) == ""


def test_ordinary_markup_is_tame() -> None:
    assert is_tame(
        f"<ul>{'<li><p>item<br>' * 900}</ul><img src='data:{'x' * 100_000}'>"
        + f"<div><b>{PROSE}</b></div>" * 600
    )
