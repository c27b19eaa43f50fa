import bz2
import gzip
import json
import runpy
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from honeyguide.text.background_pages import background_pages

SCRIPT = Path(__file__).parents[2] / "scripts" / "build_background_pages.py"
PROSE = "The river rises in the hills and flows through three valleys to the sea. " * 8


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


def dump(path: Path, **articles: str) -> Path:
    pages = "".join(
        f"<page><title>{title}</title><ns>{1 if title.startswith('Talk') else 0}</ns>"
        f"{'<redirect/>' if text.startswith('#') else ''}"
        f"<revision><text>{text}</text></revision></page>"
        for title, text in articles.items()
    )
    path.write_bytes(bz2.compress(f"<mediawiki>{pages}</mediawiki>".encode()))
    return path


def test_the_shipped_texts_are_many_short_and_plain() -> None:
    texts = background_pages()
    assert 150 <= len(texts) <= 250
    assert all(80 <= len(text.text.split()) <= 250 and text.title for text in texts)
    marked = [text.title for text in texts if any(sign in text.text for sign in ("[[", "{{", "<ref", "'''"))]
    assert not marked
    assert len({text.title for text in texts}) > 80


def test_the_shipped_texts_say_where_they_are_from() -> None:
    path = files("honeyguide.text").joinpath("background-pages-en.jsonl.gz")
    header = json.loads(gzip.decompress(path.read_bytes()).decode().splitlines()[0])
    assert "Wikipedia" in header["source"]
    assert "Attribution-ShareAlike" in header["licence"]


def test_markup_goes_and_what_it_marks_up_stays(script: dict[str, Any]) -> None:
    wikitext = (
        "{{Infobox|name={{nested}}|x}}'''Ada''' is a [[town]] in [[Ohio|the ''state'' of Ohio]]."
        "<ref name=a>Some book</ref><ref name=b/> [[File:x.jpg|thumb|A [[view]] of it]]<!-- no -->"
        "{| class=wikitable\n|-\n| cell\n|}See [http://example.org its site] &amp; more&nbsp;here<br/>."
    )
    plain = " ".join(script["plain"](wikitext).split())
    assert plain == "Ada is a town in the state of Ohio. See its site & more here."


def test_a_passage_is_the_prose_of_one_section(script: dict[str, Any]) -> None:
    text = f"{PROSE}\n== History ==\n* a list\n{PROSE}\n\n{PROSE * 4}\n== See also ==\n{PROSE}\n== Short ==\nFew words."
    first, second = script["passages"](text)
    assert first == PROSE.strip()
    assert len(second.split()) == 250
    assert "list" not in second


def test_redirects_and_talk_are_left_out_and_the_same_dump_gives_the_same_file(
    script: dict[str, Any], tmp_path: Path
) -> None:
    path = dump(
        tmp_path / "dump.bz2", River=f"{PROSE}\n== Course ==\n{PROSE} End.", Stream="#REDIRECT", Talk=PROSE
    )
    built = script["build"](path)
    lines = list(map(json.loads, gzip.decompress(built).decode().splitlines()))
    assert [line["title"] for line in lines[1:]] == ["River", "River"]
    assert lines[2]["text"].endswith("End.")
    assert script["build"](path) == built
