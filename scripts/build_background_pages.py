"""Builds the texts that stand for "something else" when a topic comes without texts that are off topic.

    python scripts/build_background_pages.py DUMP

DUMP is a part of a dump of the English Wikipedia in bz2. Of every article long enough, its introduction and
a passage from the middle are taken, each up to 250 words, with all markup gone. The result is the same on every run:
one line of JSON for each text after one that says where they are from, gzipped without a time stamp.
"""

import bz2
import gzip
import html
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

OUTPUT = Path(__file__).parent.parent / "src" / "honeyguide" / "text" / "background-pages-en.jsonl.gz"
HEADER = {
    "source": "Passages of articles of the English Wikipedia, https://en.wikipedia.org/, by its contributors",
    "licence": "Creative Commons Attribution-ShareAlike 3.0, https://creativecommons.org/licenses/by-sa/3.0/",
    "changes": "Cut to passages and stripped of markup by scripts/build_background_pages.py",
}
SHORTEST, LONGEST = 80, 250

_NESTED = (
    re.compile(r"\{\{[^{}]*\}\}"),
    re.compile(r"\{\|(?:(?!\{\||\|\}).)*\|\}", re.DOTALL),
    re.compile(r"\[\[(?:File|Image|Category):(?:[^\[\]]|\[\[[^\[\]]*\]\])*\]\]", re.IGNORECASE),
)
_GONE = re.compile(
    r"<!--.*?-->|<ref[^>/]*/>|<(ref|math|gallery|timeline|code|pre|source|score|imagemap|table|div)\b.*?</\1>|__[A-Z]+__",
    re.DOTALL | re.IGNORECASE,
)
_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)*([^\[\]|]*)\]\]")
_OUTSIDE = re.compile(r"\[(?:https?:)?//\S+\s*([^\]]*)\]")
_TAG = re.compile(r"</?[a-zA-Z][^>]*>")
_QUOTES = re.compile(r"'{2,}")
_HEADING = re.compile(r"^(=+)\s*(.*?)\s*\1\s*$", re.MULTILINE)
_EMPTY = re.compile(r"\(\s*[;,:\s]*\)|\s+(?=[,.;:)])")
_NO_PROSE = ("*", "#", ":", ";", "|", "!", "{", "}", "=", "<")
_LISTS = ("references", "notes", "see also", "external links", "further reading", "bibliography", "sources")


def articles(path: Path) -> Iterator[tuple[str, str]]:
    """The title and wikitext of every article that is more than a redirect."""
    with bz2.open(path) as stream:
        title = text = ""
        skipped = False
        for _, element in ElementTree.iterparse(stream):
            tag = element.tag.rpartition("}")[2]
            if tag == "title":
                title = element.text or ""
            elif tag == "redirect" or (tag == "ns" and element.text != "0"):
                skipped = True
            elif tag == "text":
                text = element.text or ""
            elif tag == "page":
                if not skipped and "disambiguation" not in title and not title.startswith("List of"):
                    yield title, text
                skipped = False
                element.clear()


def plain(wikitext: str) -> str:
    """The prose of an article, its headings left as they are written."""
    text = _GONE.sub("", html.unescape(wikitext))
    for pattern in _NESTED:
        while (shorter := pattern.sub("", text)) != text:
            text = shorter
    text = _LINK.sub(r"\1", text)
    text = _OUTSIDE.sub(r"\1", text)
    return _EMPTY.sub("", _QUOTES.sub("", _TAG.sub("", text.replace("&nbsp;", " ").replace("\xa0", " "))))


def passages(text: str) -> list[str]:
    """Paragraphs of one section each, together not longer than a passage; too short ones left out."""
    headings = list(_HEADING.finditer(text))
    starts = [0, *(heading.end() for heading in headings)]
    ends = [*(heading.start() for heading in headings), len(text)]
    names = ["", *(heading[2].lower() for heading in headings)]
    found = []
    for name, start, end in zip(names, starts, ends, strict=True):
        words: list[str] = []
        for line in text[start:end].splitlines():
            if line.strip() and not line.lstrip().startswith(_NO_PROSE) and name not in _LISTS:
                words += line.split()
        if len(words) >= SHORTEST:
            found.append(" ".join(words[:LONGEST]))
    return found


def texts(path: Path) -> Iterator[dict[str, str]]:
    """The introduction of every article, and a passage from its middle."""
    for title, wikitext in articles(path):
        found = passages(plain(wikitext))
        for text in dict.fromkeys((*found[:1], *found[len(found) // 2 :][:1])):
            yield {"title": title, "text": text}


def build(path: Path) -> bytes:
    """The data file."""
    lines = [json.dumps(line, ensure_ascii=False) for line in (HEADER, *texts(path))]
    return gzip.compress("".join(f"{line}\n" for line in lines).encode(), compresslevel=9, mtime=0)


if __name__ == "__main__":
    OUTPUT.write_bytes(build(Path(sys.argv[1])))
    print(f"{OUTPUT.name}: {OUTPUT.stat().st_size} bytes")
