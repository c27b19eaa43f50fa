"""What a bench shows, as plain values: what report.json holds and every figure is drawn from."""

from dataclasses import dataclass, field

from honeyguide.bench.report.results import Contender


@dataclass(frozen=True, slots=True)
class Line:
    """A contender's line of summary.csv, its figures by column."""

    contender: int
    category: str
    figures: dict[str, float]


@dataclass(frozen=True, slots=True)
class Curve:
    """A mean over tasks with its 95 % bootstrap band."""

    contender: int
    x: list[float]
    mean: list[float]
    low: list[float]
    high: list[float]


@dataclass(frozen=True, slots=True)
class Spread:
    """How figures lie, those of the tasks or a judge's scores: a box plot's numbers."""

    contender: int
    low: float
    first: float
    median: float
    third: float
    high: float
    mean: float
    outliers: list[float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One contender against another on the tasks that both crawled."""

    one: int
    other: int
    tasks: int
    difference: float
    low: float
    high: float
    wins: int
    losses: int
    ties: int
    p: float

    def turned(self) -> "Comparison":
        """The same seen from the other side."""
        return Comparison(
            self.other,
            self.one,
            self.tasks,
            -self.difference,
            -self.high,
            -self.low,
            self.losses,
            self.wins,
            self.ties,
            self.p,
        )


@dataclass(frozen=True, slots=True)
class Scores:
    """How a judge's scores of the fetched pages are distributed: an area of 1."""

    contender: int
    x: list[float]
    density: list[float]


@dataclass(frozen=True, slots=True)
class Run:
    """One contender's crawl of one task."""

    contender: int
    fetched: int
    hits: list[int]
    value: float


@dataclass(frozen=True, slots=True)
class TaskFinding:
    """All crawls of one task."""

    topic: str
    group: str
    targets: int
    budget: int
    runs: list[Run]


@dataclass(frozen=True, slots=True)
class Setting:
    """What one setting shows; contenders are numbered as in the whole report."""

    name: str
    headline: str
    summary: list[Line]
    paired: list[Comparison]
    recall: list[Curve]
    harvest: list[Curve]
    precision: dict[str, list[Curve]]
    spreads: list[Spread]
    overlap: list[list[float]]
    overlap_of: list[int]
    scores: list[Scores]
    score_spreads: list[Spread]
    score_range: tuple[float, float]
    tasks: list[TaskFinding]


@dataclass(frozen=True, slots=True)
class Findings:
    """A bench as a report shows it: contenders from the best to the worst, references last."""

    facts: dict[str, tuple[str, ...]]
    contenders: list[Contender]
    labels: list[str]
    settings: list[Setting] = field(default_factory=list)

    def is_reference(self, contender: int) -> bool:
        """Whether a contender cheats."""
        return self.contenders[contender].is_reference

    def leader(self, setting: Setting) -> int | None:
        """The best contender of a setting that does not cheat."""
        fair = [one for one in setting.spreads if not self.is_reference(one.contender)]
        return max(fair, key=lambda one: (one.mean, -one.contender)).contender if fair else None
