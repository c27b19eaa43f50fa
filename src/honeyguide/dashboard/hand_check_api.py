"""The hand check in the API: drawing a sample, and what people say of it."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from honeyguide.dashboard.crawls import Crawl, CrawlAtHand
from honeyguide.dashboard.hand_check import MOST, Sample, default_size, draw, read_sample, report_on, said_of
from honeyguide.dashboard.label_outcome import Pair
from honeyguide.statistics import Share

api = APIRouter()


class DrawSample(BaseModel):
    """How to draw a sample; another seed gives another one."""

    size: Annotated[int, Field(ge=1, le=MOST)] = Field(default_factory=default_size)
    only_relevant: bool = False
    seed: Annotated[int, Field(ge=0, le=2**31)] = 0


class ShareSaid(BaseModel):
    """A share, and between what and what it lies at 95 %."""

    model_config = ConfigDict(from_attributes=True)

    value: float
    low: float
    high: float


class HandCheck(BaseModel):
    """The hand check as it stands: what people say of the sample, and how the judge compares.

    `precision` is the share of yes among what the judge called on topic, `recall` what it called of all yes.
    """

    drawn: int
    population: int
    only_relevant: bool
    at: float
    labelled: dict[str, int]
    on_topic: ShareSaid | None
    precision: ShareSaid | None
    recall: ShareSaid | None
    judge_agreement: Pair | None
    agreements: list[Pair]


@api.get("/crawls/{crawl}/hand-check", summary="What the hand check says", response_model=HandCheck | None)
def hand_check(crawl: Crawl) -> HandCheck | None:
    """The sample that was drawn last, and what people say of it; null if there is none."""
    sample = read_sample(crawl.folder)
    return _hand_check(crawl, sample) if sample else None


@api.post("/crawls/{crawl}/hand-check", summary="Draw a sample for the hand check", status_code=201)
def draw_sample(crawl: Crawl, how: DrawSample) -> HandCheck:
    """Draw pages at random for people to label, in the place of the sample before; labels are kept."""
    sample = draw(
        crawl.folder, crawl.columns(), size=how.size, only_relevant=how.only_relevant, seed=how.seed
    )
    return _hand_check(crawl, sample)


def _hand_check(crawl: CrawlAtHand, sample: Sample) -> HandCheck:
    with crawl.open() as collection:
        said, _ = said_of(collection, sample)
        found = report_on(collection, sample)
    judge = found.judge if found else None
    return HandCheck(
        drawn=len(sample.visits),
        population=sample.population,
        only_relevant=sample.only_relevant,
        at=sample.at,
        labelled={who: len(theirs) for who, theirs in said.items()},
        on_topic=_share(found.people.precision) if found else None,
        precision=_share(judge.precision) if judge else None,
        recall=_share(judge.recall) if judge else None,
        judge_agreement=Pair.model_validate(judge.agreement) if judge else None,
        agreements=[Pair.model_validate(pair) for pair in found.agreements] if found else [],
    )


def _share(share: Share | None) -> ShareSaid | None:
    return ShareSaid.model_validate(share) if share else None
