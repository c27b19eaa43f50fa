"""What the index holds of a page."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace

from honeyguide.model import Visit
from honeyguide.text.languages import primary
from honeyguide.urls import host_of, url_hash

LONGEST_TITLE = 500
LONGEST_HEADING = 200
MOST_HEADINGS = 50
LONGEST_TEXT = 1_000_000
"""Characters of a page's text that are indexed."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One page as it is indexed; `key` is the hash of its address."""

    url: str
    title: str = ""
    text: str = ""
    headings: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    language: str = ""
    fetched: int = 0
    relevance: float = 0.0
    relevant: bool = False
    label: str = ""
    visit: int = 0

    @property
    def key(self) -> int:
        return url_hash(self.url)

    @property
    def host(self) -> str:
        return host_of(self.url)

    @classmethod
    def of(cls, visit: Visit, anchors: Iterable[str] = ()) -> "Entry | None":
        """The entry of a visit; None if its page is not to be found: it was not kept, or says what another says."""
        page, verdict = visit.page, visit.verdict
        if page is None or page.noindex or visit.duplicate_of:
            return None
        return cls(
            url=visit.url,
            title=_sound(page.title[:LONGEST_TITLE]),
            text=_sound(page.text[:LONGEST_TEXT]),
            headings=tuple(_sound(heading[:LONGEST_HEADING]) for heading in page.headings[:MOST_HEADINGS]),
            anchors=tuple(anchors),
            language=_sound(primary(page.language))[:20],
            fetched=int(visit.at),
            relevance=verdict.score if verdict else 0.0,
            relevant=visit.relevant,
            label=_sound(verdict.label[:100]) if verdict else "",
            visit=visit.number,
        )

    def with_anchors(self, anchors: tuple[str, ...]) -> "Entry":
        """The same page, which others now call something else."""
        return replace(self, anchors=anchors)

    def record(self) -> tuple[bytes, bytes]:
        """The entry as bytes, its text apart."""
        plain = {name: getattr(self, name) for name in _KEPT}
        return json.dumps(plain, ensure_ascii=False).encode(), self.text.encode()

    @classmethod
    def read(cls, record: bytes, text: bytes) -> "Entry":
        """The entry that `record` made into bytes."""
        plain = json.loads(record)
        plain["headings"], plain["anchors"] = tuple(plain["headings"]), tuple(plain["anchors"])
        return cls(text=text.decode(), **plain)


_KEPT = tuple(part.name for part in fields(Entry) if part.name != "text")


def _sound(text: str) -> str:
    """Text that can be written as UTF-8: half of a surrogate pair, which hostile pages hold, cannot."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
