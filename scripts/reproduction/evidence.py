"""The crawls that claims are checked with, by who made them, and how two contenders compare on them."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from honeyguide.bench.report.results import Contender
from honeyguide.naming import suited_judge
from honeyguide.statistics import Interval, Paired, bootstrap_interval, paired

Log = Mapping[str, Any]
Figure = Callable[[Log], float]
Task = tuple[str, str]
"""A topic, and the web it was looked for in where there are several."""


def contender(strategy: str, judge: str = "") -> Contender:
    """A strategy or a preset with a judge, or with the one that suits it best."""
    return Contender(strategy, judge or suited_judge(strategy))


def metric(name: str) -> Figure:
    """A figure that the bench worked out."""
    return lambda log: float(log["metrics"][name])


def found_within(pages: int) -> Figure:
    """How many targets the first so many fetches found."""
    return lambda log: sum(hit <= pages for hit in log["hits"])


def area_within(pages: int) -> Figure:
    """The area under the found-by-fetch curve of the first so many fetches."""
    return lambda log: sum(pages + 1 - hit for hit in log["hits"] if hit <= pages)


EFFICIENCY = metric("efficiency")


class Evidence:
    """Crawls of the same tasks by several contenders; a task's figure is the mean over its settings."""

    def __init__(self, logs: Iterable[Log]) -> None:
        self._of: dict[Contender, list[Log]] = {}
        for log in logs:
            self._of.setdefault(Contender(log["strategy"], log["judge"]), []).append(log)

    def logs(self, who: Contender) -> list[Log]:
        """All crawls of a contender, in the same order for each."""
        return sorted(self._of[who], key=lambda log: (log["setting"], log["topic"], log["group"]))

    def values(self, who: Contender, figure: Figure, setting: str = "") -> dict[Task, float]:
        """A figure of every task, in one setting or over all of them."""
        values: dict[Task, list[float]] = {}
        for log in self.logs(who):
            if setting in ("", log["setting"]):
                values.setdefault((log["topic"], log["group"]), []).append(figure(log))
        return {task: mean(known) for task, known in values.items()}

    def mean(self, who: Contender, figure: Figure = EFFICIENCY, setting: str = "") -> float:
        """A figure's mean over the tasks."""
        return mean(self.values(who, figure, setting).values())

    def interval(self, who: Contender, figure: Figure = EFFICIENCY) -> Interval:
        """The 95 % interval of that mean, over tasks."""
        return bootstrap_interval(list(self.values(who, figure).values()))

    def compare(self, one: Contender, other: Contender, figure: Figure = EFFICIENCY) -> Paired:
        """Two contenders task by task."""
        ours, theirs = self.values(one, figure), self.values(other, figure)
        return paired([ours[task] for task in ours], [theirs[task] for task in ours])


def mean(values: Iterable[float]) -> float:
    """The mean; of nothing, nan."""
    known = list(values)
    return math.fsum(known) / len(known) if known else math.nan
