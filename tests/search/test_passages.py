"""Snippets show why a page was found, and nothing that a page could do harm with."""

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import MadeUpCrawl

from honeyguide.search.analysis import Analysers
from honeyguide.search.index import Index
from honeyguide.search.passages import WIDTH, Span, passage, shown
from honeyguide.search.results import Request

ENGLISH = Analysers().of("en")


def marked(spans: tuple[Span, ...]) -> list[str]:
    return [span.text for span in spans if span.marked]


def test_words_are_marked_by_their_stems() -> None:
    spans = passage("A mosquito and more Mosquitoes, but no mosque.", {"mosquito"}, ENGLISH)
    assert marked(spans) == ["mosquito", "Mosquitoes"]
    assert "".join(span.text for span in spans) == "A mosquito and more Mosquitoes, but no mosque."


def test_the_stretch_with_the_most_different_words_is_shown() -> None:
    text = "dengue dengue dengue. " + "filler " * 200 + "dengue fever carried here. " + "filler " * 200
    spans = passage(text, {"dengu", "fever"}, ENGLISH)
    assert marked(spans) == ["dengue", "fever"]
    assert spans[0] == Span("… ")
    assert spans[-1] == Span(" …")
    assert len("".join(span.text for span in spans)) <= WIDTH + 10


def test_a_text_without_the_words_is_shown_from_its_beginning() -> None:
    assert passage("Nothing of it.", {"dengu"}, ENGLISH) == (Span("Nothing of it."),)
    assert passage("Nothing of it.", (), ENGLISH) == (Span("Nothing of it."),)
    assert passage("", {"dengu"}, ENGLISH) == ()


def test_what_would_steer_a_terminal_is_left_out() -> None:
    spans = passage(
        "\x1b[31m dengue\x07\n\n\u202efever\x00 \x9b2J <script>alert(1)</script>", {"dengu"}, ENGLISH
    )
    text = "".join(span.text for span in spans)
    assert text.isprintable()
    assert "<script>" in text  # plain text stays as it is: whoever shows it escapes it
    assert marked(spans) == ["dengue"]
    assert shown(" a \t b ") == " a b "
    assert shown("") == shown("\n").strip() == ""


@given(st.text(max_size=600), st.sets(st.sampled_from(["dengu", "a", "中", "é", "s"])))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_text_has_a_printable_snippet_whose_marks_are_wanted_words(text: str, terms: set[str]) -> None:
    text = text.encode("utf-8", "replace").decode()
    spans = passage(text, terms, ENGLISH)
    assert all(span.text.isprintable() for span in spans)
    for word in marked(spans):
        assert set(ENGLISH.analyze(word)) & terms or not word.strip()


def test_a_huge_page_is_indexed_and_shown_in_no_time(tmp_path: Path) -> None:
    crawl = MadeUpCrawl().add(
        "https://a.example/", "filler mosquitoes " * 60_000 + "dengue " + "x" * 2_000_000
    )
    crawl.add("https://b.example/", "a" * 1_000_000 + "\u0301" * 100_000, title="e\u0301" * 1000)
    index = Index.open(tmp_path)
    index.update(crawl)
    started = time.process_time()
    hit = index.search("mosquito").hits[0]
    assert time.process_time() - started < 2.0
    assert "mosquitoes" in marked(hit.snippet)


@pytest.mark.parametrize(
    "odd", ["\ud800", "\x00", "\uffff", "\U0010ffff", "\u202e", "İ", "ŉ", "🦟" * 50, "ß" * 40]
)
def test_odd_characters_harm_neither_the_index_nor_the_search(tmp_path: Path, odd: str) -> None:
    crawl = MadeUpCrawl().add(
        "https://a.example/",
        f"{odd} dengue {odd}",
        title=f"<b>{odd}</b>\x1b]0;title\x07",
        language=odd,
        label=odd,
        headings=(odd, "heading"),
        relevance=1.0,
    )
    crawl.add("https://b.example/", "x", to=(("https://a.example/", f"{odd} anchor"),))
    index = Index.open(tmp_path)
    index.update(crawl)
    (hit,) = index.search(Request("dengue anchor", facets=True)).hits
    assert hit.title.isprintable()
    assert hit.passage.isprintable()
    assert "<b>" in hit.title
