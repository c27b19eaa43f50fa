from honeyguide.parse.plain import read_plain

URL = "http://bees.test/notes.txt"


def test_the_first_line_is_the_title() -> None:
    page = read_plain("\n\n  Notes on bees  \n\nThey make honey.\n", URL)
    assert page.title == "Notes on bees"
    assert page.text == "Notes on bees  \n\nThey make honey."


def test_bare_addresses_are_links_with_the_words_around_them() -> None:
    page = read_plain(
        "Much about bees is told at http://hives.test/making-honey.html and not here.", URL, window=3
    )
    (link,) = page.links
    assert link.url == "http://hives.test/making-honey.html"
    assert link.anchor == "making honey"
    assert link.context == "is told at making honey and not here."


def test_the_punctuation_of_a_sentence_is_not_part_of_an_address() -> None:
    text = (
        "See http://a.test/x, (http://b.test/y), <http://c.test/z>, http://d.test/w(1)! or 'http://e.test/v'."
    )
    assert [link.url for link in read_plain(text, URL).links] == [
        "http://a.test/x",
        "http://b.test/y",
        "http://c.test/z",
        "http://d.test/w(1)",
        "http://e.test/v",
    ]


def test_the_text_keeps_its_addresses() -> None:
    assert "http://a.test/x" in read_plain("title\nsee http://a.test/x now", URL).text


def test_links_and_text_are_capped() -> None:
    page = read_plain("".join(f"http://a.test/{n} " for n in range(500)), URL, max_links=7, max_text=1000)
    assert len(page.links) == 7
    assert len(page.text) <= 1000


def test_zero_bytes_are_dropped() -> None:
    assert read_plain("be\0es", URL).text == "bees"
