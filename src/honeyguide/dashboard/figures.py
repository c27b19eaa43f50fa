"""A crawl in figures, as the overview shows them and as the API says them."""

from pydantic import BaseModel, Field


class Count(BaseModel):
    """How often something happened."""

    kind: str
    count: int
    words: str = Field(default="", description="What the kind means, where that can be said.")


class HostFigures(BaseModel):
    """What became of the requests to one host."""

    name: str
    pages: int
    relevant: int
    failures: int
    waiting: int = Field(description="Links of it that wait; 0 while the queue is not counted yet.")
    parked: str = Field(description="Why it is not asked any more; empty if it is.")


class CurvePoints(BaseModel):
    """The share of pages on topic, over the pages fetched: since the start, and among the last `window`."""

    pages: list[int]
    overall: list[float]
    recent: list[float]


class QueueFigures(BaseModel):
    """The queue by score: counts of equally wide ranges of scores from `low` to `high`."""

    counted: float = Field(description="When it was counted.")
    waiting: int
    first: int = Field(description="Links that come before all others, such as seeds; not in the bars.")
    refused: int
    low: float
    high: float
    bars: list[int]
    refusals: list[Count]


class BudgetPart(BaseModel):
    """One limit of a crawl, and how much of it is used."""

    part: str
    limit: float
    used: float
    left: float


class RequestFigures(BaseModel):
    """What somebody asked of the crawl, and its answer."""

    number: int
    at: float
    kind: str
    arguments: dict[str, object]
    by: str
    answered: float | None
    answer: str
    refused: bool
    figures: dict[str, object]


class LessonFigures(BaseModel):
    """What the crawl learned from labels or a new topic, and what that changed."""

    revision: int
    at: float
    labels_on: int
    labels_off: int
    harvest_before: float | None
    harvest_after: float | None
    moved: int


class Overview(BaseModel):
    """Everything that the overview shows."""

    at: float
    name: str
    health: str
    sentence: str
    running: bool
    paused: bool
    pausing: str = Field(
        description="A request to pause, resume or stop that the crawl has not answered yet."
    )
    read: int = Field(description="Visits behind these figures.")
    total: int = Field(
        description="Visits there are; while fewer are read, some figures are of the hosts' sums."
    )
    settled: bool = Field(description="Whether all that is written was read and the queue was counted since.")
    visits: int
    pages: int
    relevant: int
    harvest: float
    recent_harvest: float
    window: int = Field(description="How many pages count as the last ones.")
    duplicates: int
    failures: int
    host_count: int
    bytes: int
    seconds: float
    speed: float = Field(description="Pages per second: of the last minute while it runs, else over all.")
    seconds_left: float | None = Field(description="Until the budget of pages is spent at this speed.")
    budget: list[BudgetPart]
    curve: CurvePoints
    queue: QueueFigures | None
    hosts: list[HostFigures]
    errors: list[Count]
    requests: list[RequestFigures]
    lessons: list[LessonFigures]
