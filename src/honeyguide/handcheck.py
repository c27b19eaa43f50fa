"""What a labelled sample says: how many pages are on topic, how far people agree, and how the judge compares.

The judge that drives a crawl must not be the only one to say how good it was (GD 10.2).
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from honeyguide.errors import ConfigError
from honeyguide.statistics import Share, agreement, cohen_kappa, share


class Opinion(StrEnum):
    """What a person says of a page."""

    YES = "yes"
    NO = "no"
    UNSURE = "unsure"


Opinions = Mapping[str, Mapping[str, Opinion | None]]
"""What each annotator says of each URL; None where the label is still empty."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many pages got which label, and the share of yes among yes and no."""

    who: str
    labelled: int
    yes: int
    no: int
    unsure: int
    precision: Share | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two of those who judged the same pages agree; kappa is None where it is not defined."""

    first: str
    second: str
    pages: int
    raw: float
    kappa: float | None


@dataclass(frozen=True, slots=True)
class JudgeCheck:
    """The judge beside the people: its harvest over all pages, its share of yes and its errors on the labelled ones."""

    pages: int
    harvest: float
    labelled_pages: int
    share: float
    agreement: Agreement
    precision: Share | None
    recall: Share | None


@dataclass(frozen=True, slots=True)
class Report:
    """What a labelled sample says; `people` is what most of those say who are sure."""

    drawn: int
    people: Count
    annotators: tuple[Count, ...]
    agreements: tuple[Agreement, ...]
    judge: JudgeCheck | None
    strangers: int
    """Labelled pages that the crawl does not hold any more."""


def report(opinions: Opinions, judged: Mapping[str, bool]) -> Report:
    """What the people say, how far they agree, and how the judge compares."""
    drawn = {url for theirs in opinions.values() for url in theirs}
    given = {
        who: {url: said for url, said in theirs.items() if said is not None}
        for who, theirs in opinions.items()
    }
    given = {who: theirs for who, theirs in given.items() if theirs}
    if not given:
        raise ConfigError(f"Nothing is labelled yet: the label is empty for all of the {len(drawn)} pages.")
    people = {url: _most(given.values(), url) for theirs in given.values() for url in theirs}
    known = {url: said for url, said in people.items() if url in judged}
    if not known:
        raise ConfigError(
            "None of the labelled pages is in the crawl; the sample was drawn from another one."
        )
    return Report(
        drawn=len(drawn),
        people=_count("people", people),
        annotators=tuple(_count(who, theirs) for who, theirs in given.items()),
        agreements=tuple(agreements(given)),
        judge=_judge_check(known, judged),
        strangers=len(people) - len(known),
    )


def _most(annotators: Iterable[Mapping[str, Opinion]], url: str) -> Opinion:
    votes = Counter(theirs[url] for theirs in annotators if url in theirs)
    yes, no = votes[Opinion.YES], votes[Opinion.NO]
    return Opinion.YES if yes > no else Opinion.NO if no > yes else Opinion.UNSURE


def _count(who: str, labels: Mapping[str, Opinion]) -> Count:
    said = Counter(labels.values())
    yes, no = said[Opinion.YES], said[Opinion.NO]
    return Count(who, len(labels), yes, no, said[Opinion.UNSURE], share(yes, yes + no))


def agreements(annotators: Mapping[str, Mapping[str, Opinion]]) -> Iterator[Agreement]:
    """How far every two annotators agree who have pages in common."""
    for first, second in combinations(annotators, 2):
        shared = [url for url in annotators[first] if url in annotators[second]]
        if shared:
            yield _agreement(
                first,
                second,
                [annotators[first][url] for url in shared],
                [annotators[second][url] for url in shared],
            )


def _agreement(first: str, second: str, a: Sequence[Opinion], b: Sequence[Opinion]) -> Agreement:
    kappa = cohen_kappa(a, b)
    return Agreement(first, second, len(a), agreement(a, b), None if math.isnan(kappa) else kappa)


def _judge_check(people: Mapping[str, Opinion], judged: Mapping[str, bool]) -> JudgeCheck | None:
    """The judge beside the people, on the pages they are sure of; None where there are none."""
    sure = {url: said for url, said in people.items() if said is not Opinion.UNSURE}
    if not sure:
        return None
    judge = [Opinion.YES if judged[url] else Opinion.NO for url in sure]
    said = list(sure.values())
    pairs = Counter(zip(judge, said, strict=True))
    right = pairs[Opinion.YES, Opinion.YES]
    called, wanted = judge.count(Opinion.YES), said.count(Opinion.YES)
    # Without pages that the judge refused, nothing can show what it misses.
    recall = share(right, wanted) if called < len(sure) else None
    return JudgeCheck(
        pages=len(judged),
        harvest=sum(judged.values()) / len(judged),
        labelled_pages=len(sure),
        share=called / len(sure),
        agreement=_agreement("judge", "people", judge, said),
        precision=share(right, called),
        recall=recall,
    )
