import pytest

from honeyguide.parse import html
from honeyguide.parse.annotating import read_spans
from honeyguide.parse.html import read_html
from honeyguide.parse.layout import Layout, Reading
from honeyguide.parse.spans import SIGN, SpannedText

URL = "http://bees.test/hives/page.html"
PROSE = "<p>" + "Bees, of all insects, are the ones that make honey in their hives. " * 8
PAGE = (
    "<title>t</title><div class=menu><a href=/>Home</a> <a href='#top'>&nbsp;</a><a href=''>x</a></div>"
    f"<main><h1>Hives</h1>{PROSE}<a href=wax>wax</a>, and <a href=comb><img alt='a comb'></a> more"
    "<a href=mailto:x@bees.test></a> <iframe src=film title=Film></iframe> after <a rel=nofollow href=q>q</a>"
    "<table><tr><td>one<td><a href=cell>two</a></table></main><div id=footer>Imprint</div>"
)


def test_anchors_and_contexts_are_cut_out_of_a_text() -> None:
    text = SpannedText("one two three four", [(4, 7)], main=(0, 18), outside=[], window=1)
    assert text.anchors == ["two"]
    assert text.context("0", "two") == "one two three"


def test_the_sign_of_a_link_without_words_stays_inside() -> None:
    text = SpannedText(f"one {SIGN} two", [(4, 5)], main=(0, 9), outside=[], window=1)
    assert text.anchors == [""]
    assert text.context("0", "label") == "one label two"
    assert SIGN not in text.main


def test_the_main_text_leaves_out_spans_outside_of_it_however_they_are_nested() -> None:
    text = SpannedText("head one menu inner two", [], main=(5, 23), outside=[(14, 19), (9, 20)], window=5)
    assert text.main == "one two"
    assert text.visible == "head one two"


def test_the_share_of_the_main_content_counts_neither_links_nor_what_is_outside() -> None:
    said = "a" * 30 + "b" * 10 + "c" * 100 + "d" * 50
    text = SpannedText(said, [(40, 140)], main=(30, 140), outside=[(140, 190)], window=5)
    assert text.share == 0.25


def test_the_quick_way_and_the_thorough_way_read_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ways: list[bool] = []

    def quick(layout: Layout, *, window: int, allowance: int) -> Reading | None:
        reading = read_spans(layout, window=window, allowance=allowance)
        ways.append(reading is not None)
        return reading

    monkeypatch.setattr(html, "read_spans", quick)
    one = read_html(PAGE, URL)
    monkeypatch.setattr(html, "read_spans", lambda *_, **__: None)
    other = read_html(PAGE, URL)
    assert ways == [True]
    assert one.links == other.links
    assert len(one.links) == 6
    assert one.text.split() == other.text.split()


def test_what_spans_cannot_tell_of_is_read_the_thorough_way() -> None:
    page = read_html("<pre>one <a href=x>two</a> three</pre><p><a href=y></a>", URL)
    assert [(link.url[-1], link.context) for link in page.links] == [
        ("x", "one two three"),
        ("y", "one two three hives"),
    ]
    assert SIGN not in page.text
