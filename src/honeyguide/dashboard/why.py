"""Why a crawl went to a page: the links that led there from a seed, and what the link's score was made of."""

import json
import sqlite3
from collections.abc import Iterable

from pydantic import BaseModel, Field

from honeyguide.dashboard.legible import legible

MOST_STEPS = 1000
SHOWN_STEPS = 12
"""Of a longer way, the first and the last steps are shown."""

IN_WORDS = {
    "anchor": "the words of the link",
    "anchor text": "the words of the link",
    "backlinks": "how many pages link to it",
    "confidence": "how sure its level is",
    "context": "the words around the link",
    "depth": "how few steps it is from a seed",
    "hub": "how well the page lists others",
    "inherited": "what the pages before it were worth",
    "nearness": "how near it is to pages on topic",
    "next step": "how likely the next page is on topic",
    "page": "the page that the link is on",
    "parent": "the page that the link is on",
    "two steps": "how likely a page two steps on is on topic",
    "url": "the words of the address",
    "visited as number": "the order of visits",
}
"""What parts of a score mean; others go by their own name."""

STEP = """
SELECT u.id, u.url, u.anchor, u.context, u.place, u.origin, u.score, u.first_score, u.source, v.id, v.title,
    v.relevance, v.relevant, v.queue_score
FROM urls u LEFT JOIN visits v
    ON v.id = (SELECT MAX(w.id) FROM visits w WHERE w.url = u.id AND w.unchanged = 0)
WHERE u.id = ?
"""


class Part(BaseModel):
    """One part of a score."""

    name: str
    meaning: str = Field(description="The same in words.")
    amount: float


class Scored(BaseModel):
    """A score and the parts it was made of; only the order of scores means something."""

    score: float
    parts: list[Part]


class WayStep(BaseModel):
    """One page on the way from a seed, and the link that led to it."""

    visit: int | None
    url: str
    title: str
    anchor: str
    context: str
    place: str
    origin: str
    score: float = Field(description="The score the link was taken with.")
    relevance: float | None
    relevant: bool


def way_to(connection: sqlite3.Connection, url: int) -> list[WayStep]:
    """The pages that led to a URL, from the seed on."""
    steps: list[WayStep] = []
    seen: set[int] = set()
    current: int | None = url
    while current is not None and current not in seen and len(steps) < MOST_STEPS:
        seen.add(current)
        row = connection.execute(STEP, (current,)).fetchone()
        if row is None:
            break
        _, address, anchor, context, place, origin, score, first_score, source, *rest = row
        visit, title, relevance, relevant, taken = rest
        queued = score if first_score is None else first_score
        steps.append(
            WayStep(
                visit=visit,
                url=address,
                title=legible(title or "", 200),
                anchor=legible(anchor, 200),
                context=legible(context, 400),
                place=place,
                origin=origin,
                score=queued if taken is None else taken,
                relevance=relevance,
                relevant=bool(relevant),
            )
        )
        current = source
    return steps[::-1]


def scored(score: float, parts: str | None) -> Scored:
    """A score with its parts as they are stored."""
    try:
        found = json.loads(parts) if parts else {}
    except ValueError:
        found = {}
    return Scored(score=score, parts=list(_parts(found.items() if isinstance(found, dict) else ())))


def _parts(found: Iterable[tuple[str, object]]) -> Iterable[Part]:
    for name, amount in found:
        if isinstance(amount, int | float):
            said = legible(name, 120)
            yield Part(name=said, meaning=IN_WORDS.get(said, said), amount=amount)


class Mark(BaseModel):
    """A step in the picture; `left_out` steps stand between it and the one before."""

    step: WayStep
    number: int
    y: int
    left_out: int


def picture_of(way: list[WayStep], *, height: int = 92) -> list[Mark]:
    """Where the steps stand in the picture, from top to bottom."""
    numbers = list(range(len(way)))
    if len(way) > SHOWN_STEPS:
        numbers = [*numbers[: SHOWN_STEPS // 3], *numbers[-(SHOWN_STEPS - SHOWN_STEPS // 3) :]]
    marks: list[Mark] = []
    before = -1
    for place, number in enumerate(numbers):
        marks.append(
            Mark(step=way[number], number=number, y=26 + place * height, left_out=number - before - 1)
        )
        before = number
    return marks
