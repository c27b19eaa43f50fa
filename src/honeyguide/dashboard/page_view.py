"""One page of a crawl as it is shown: what was said of it and why, its text, and what people say of it."""

import json
import sqlite3

from pydantic import BaseModel, Field

from honeyguide.dashboard.crawls import NotFound
from honeyguide.dashboard.highlighting import highlighted
from honeyguide.dashboard.legible import legible, legible_text
from honeyguide.dashboard.why import Scored, WayStep, scored, way_to
from honeyguide.store.collection import Collection
from honeyguide.store.labels import has_labels

MOST_TEXT = 100_000
MOST_REASONS = 40
MOST_VISITS = 20

ROW = """
SELECT v.*, u.id AS url_number, u.url AS address_url, u.depth, u.score AS url_score, u.parts AS url_parts,
    u.first_score, u.first_parts, h.name AS host
FROM visits v JOIN urls u ON u.id = v.url JOIN hosts h ON h.id = u.host WHERE v.id = ?
"""
LABELS = """
SELECT l.id, l.relevant, l.annotator, l.at FROM labels l
WHERE l.url = ? AND l.id IN (SELECT MAX(id) FROM labels WHERE url = ? GROUP BY annotator) ORDER BY l.id
"""


class ReasonSaid(BaseModel):
    """One part of a verdict and what it added to the relevance."""

    what: str
    amount: float


class VerdictSaid(BaseModel):
    """What the judge said of the page."""

    relevance: float
    relevant: bool
    margin: float | None
    label: str
    judge: str
    reasons: list[ReasonSaid]


class Piece(BaseModel):
    """Some of the page's text, and the number of the reason that names it, if one does."""

    text: str
    reason: int | None


class LabelSaid(BaseModel):
    """What somebody says of the page; `relevant` is null when they are unsure."""

    number: int
    relevant: bool | None
    annotator: str
    at: float


class OtherVisit(BaseModel):
    """Another visit of the same URL."""

    visit: int
    at: float
    result: str


class PageView(BaseModel):
    """A page at one of its visits."""

    visit: int
    url: str
    final: str
    host: str
    title: str
    at: float
    status: int
    error: str
    detail: str
    language: str
    type: str
    charset: str
    length: int
    words: int
    depth: int
    elapsed: float
    address: str
    truncated: str
    duplicate_of: str
    unchanged: bool
    noindex: bool
    kept: bool = Field(description="Whether there is a snapshot.")
    verdict: VerdictSaid | None
    queued: Scored = Field(description="The score of the link when it was queued.")
    taken: Scored = Field(description="The score of the link when the crawl went there.")
    way: list[WayStep]
    labels: list[LabelSaid]
    visits: list[OtherVisit]
    text: list[Piece]
    text_cut: bool = Field(description="Whether the text is longer than what is shown.")


def read_page(collection: Collection, visit: int) -> PageView:
    """Everything about a page as it was at a visit."""
    connection = collection.connection
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    row = cursor.execute(ROW, (visit,)).fetchone()
    if row is None:
        raise NotFound("There is no such visit in this crawl.")
    verdict = _verdict(row)
    text = _text(collection, row)
    reasons = [reason.what for reason in verdict.reasons] if verdict else []
    first = row["first_score"] is not None
    return PageView(
        visit=visit,
        url=row["address_url"],
        final=row["final"],
        host=row["host"],
        title=legible(row["title"], 300),
        at=row["at"],
        status=row["status"],
        error=row["error"] or "",
        detail=legible(row["detail"], 500),
        language=legible(row["language"], 20),
        type=legible(row["content_type"], 80),
        charset=legible(row["charset"], 40),
        length=row["length"],
        words=row["words"],
        depth=row["depth"],
        elapsed=row["elapsed"],
        address=legible(row["address"], 60),
        truncated=legible(row["truncated"], 60),
        duplicate_of=row["duplicate_of"],
        unchanged=bool(row["unchanged"]),
        noindex=bool(row["noindex"]),
        kept=bool(row["warc"]),
        verdict=verdict,
        queued=scored(
            row["first_score"] if first else row["url_score"],
            row["first_parts"] if first else row["url_parts"],
        ),
        taken=scored(row["queue_score"], row["queue_parts"]),
        way=way_to(connection, row["url_number"]),
        labels=_labels(connection, row["url_number"]),
        visits=_visits(connection, row["url_number"]),
        text=[
            Piece(text=piece.text, reason=piece.reason) for piece in highlighted(text[:MOST_TEXT], reasons)
        ],
        text_cut=len(text) > MOST_TEXT,
    )


def _verdict(row: sqlite3.Row) -> VerdictSaid | None:
    if row["relevance"] is None:
        return None
    reasons = json.loads(row["reasons"]) if row["reasons"] else []
    return VerdictSaid(
        relevance=row["relevance"],
        relevant=bool(row["relevant"]),
        margin=row["margin"],
        label=legible(row["label"], 60),
        judge=legible(row["judge"], 60),
        reasons=[
            ReasonSaid(what=legible(str(what), 300), amount=amount) for what, amount in reasons[:MOST_REASONS]
        ],
    )


def _text(collection: Collection, row: sqlite3.Row) -> str:
    """The page's own text; empty if it was not kept, failed, or cannot be read any more."""
    if row["error"] or row["unchanged"] or not row["warc"]:
        return ""
    try:
        text = collection.text_of(row)
    except OSError:
        return ""
    return legible_text(text, MOST_TEXT + 1)


def _labels(connection: sqlite3.Connection, url: int) -> list[LabelSaid]:
    if not has_labels(connection):
        return []
    return [
        LabelSaid(
            number=number,
            relevant=None if relevant is None else bool(relevant),
            annotator=legible(annotator, 100),
            at=at,
        )
        for number, relevant, annotator, at in connection.execute(LABELS, (url, url))
    ]


def _visits(connection: sqlite3.Connection, url: int) -> list[OtherVisit]:
    rows = connection.execute(
        "SELECT id, at, error, status, unchanged FROM visits WHERE url = ? ORDER BY id DESC LIMIT ?",
        (url, MOST_VISITS),
    )
    return [
        OtherVisit(visit=number, at=at, result=error or ("unchanged" if unchanged else f"status {status}"))
        for number, at, error, status, unchanged in rows
    ]
