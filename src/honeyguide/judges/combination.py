"""Several judges as one (GD 9.4): their margins on one scale, mixed, and made a probability."""

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from honeyguide.errors import ConfigError
from honeyguide.judges.calibration import Calibration, Cut, calibrated, platt, restored, threshold_for
from honeyguide.judges.held_back import Floats, HoldsBack, Mask, Sample, learns, without
from honeyguide.judges.reasons import sigmoid
from honeyguide.judges.saved import must_be
from honeyguide.judges.topical import TopicJudge
from honeyguide.model import Page, Reason, Topic, Verdict
from honeyguide.text.documents import Documents

NAME = "combination@1"

NAMED = 3
"""Of a member's own reasons, how many are told."""


class Combination:
    """Judges by a convex mix of other judges, each named as on the command line, such as "svm:c=1".

    Each member's margins become probabilities, so that all are on one scale on which none can shout the
    others down; they are mixed by `weights` (equal, if there are none), and the mix becomes a probability
    itself by `calibration`. All of this is learned from held-back texts, about which members are asked before
    they may learn from them; what was grown from examples before, such as a vocabulary, is not grown again.
    A page is relevant where it is as probable as not to be on topic, if `base_rate` is the share of pages
    that are; or, if a `precision` is given, above the lowest threshold that keeps it on held-back texts:
    `cut` says whether any does.

    `make` gives a judge that knows no topic for each member; it must survive being sent to other processes.
    """

    def __init__(
        self,
        *,
        make: Callable[[str], TopicJudge],
        members: tuple[str, ...] = ("svm", "string-matching"),
        weights: tuple[float, ...] = (),
        calibration: Literal["platt", "isotonic", "none"] = "platt",
        precision: float = 0.0,
        base_rate: float = 0.1,
    ) -> None:
        members = tuple(name.strip() for several in members for name in several.split("+") if name.strip())
        if not members:
            raise ConfigError("A combination needs at least one judge in its members.")
        if weights and len(weights) != len(members):
            raise ConfigError(
                f"A combination of {len(members)} judges needs as many weights, not {len(weights)}."
            )
        shares = weights or (1.0,) * len(members)
        if not (all(0 <= share < math.inf for share in shares) and sum(shares) > 0):
            raise ConfigError("A combination's weights must be 0 or more, and not all of them 0.")
        if calibration not in ("platt", "isotonic", "none"):
            raise ConfigError(
                f"A combination's calibration must be platt, isotonic or none, not {calibration!r}."
            )
        if not 0 <= precision <= 1:
            raise ConfigError(f"A combination's precision must lie between 0 and 1, not at {precision}.")
        if not 0 < base_rate < 1:
            raise ConfigError(f"A combination's base_rate must lie between 0 and 1, not at {base_rate}.")
        self.members = members
        self.shares = tuple(share / sum(shares) for share in shares)
        self.calibration = calibration
        self.precision = precision
        self.base_rate = base_rate
        self._make = make
        self._judges = [make(member) for member in members]

    @property
    def needs(self) -> tuple[str, ...]:
        """What any member needs, and examples and background to calibrate with."""
        wanted = [need for judge in self._judges for need in judge.needs]
        return tuple(dict.fromkeys((*wanted, "examples", "background")))

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        """Fit all members, and find out how to read them together."""
        documents = documents or Documents.of(topic)
        sample = Sample.of(topic, judge="combination")
        for member, judge in zip(self.members, self._judges, strict=True):
            _fit(judge, member, topic, documents)
        margins = np.array(
            [
                self._margins(member, judge, topic, sample, documents)
                for member, judge in zip(self.members, self._judges, strict=True)
            ]
        )
        # What one of the members could make nothing of tells nothing of the mix.
        weights = sample.presumed(self.base_rate) * np.isfinite(margins).all(axis=0)
        scales = [_Scale.of(row, sample.on_topic, weights) for row in margins]
        mixed = np.full(len(sample.texts), np.nan)
        for at in np.flatnonzero(weights).tolist():
            mixed[at] = math.fsum(self._parts(scales, margins[:, at].tolist()))
        calibration = calibrated(self.calibration, mixed, sample.on_topic, weights)
        threshold, cut = calibration.margin_at(0.5), None
        if self.precision > 0:
            cut = threshold_for(self.precision, mixed, sample.on_topic, weights)
            threshold = cut.threshold
        self._take(scales, calibration, threshold, cut)
        return self

    def assess(self, page: Page) -> Verdict:
        """The relevance of a page."""
        verdicts = [judge.assess(page) for judge in self._judges]
        parts = self._parts(self._scales, [verdict.margin for verdict in verdicts])
        mixed = math.fsum(parts)
        base, score = self._calibration.probability(self._middle), self._calibration.probability(mixed)
        rise = mixed - self._middle
        # A calibration never falls, so every part keeps its sign.
        slope = (score - base) / rise if abs(rise) > 1e-12 else 0.0
        reasons = [
            Reason(_told(member, verdict), (part - share * scale.middle) * slope)
            for member, verdict, part, share, scale in zip(
                self.members, verdicts, parts, self.shares, self._scales, strict=True
            )
        ]
        reasons.append(Reason("before any judge", score - math.fsum(reason.amount for reason in reasons)))
        margin = mixed - self._threshold
        return Verdict(score, margin > 0, margin, "", tuple(reasons), NAME)

    @property
    def cut(self) -> Cut | None:
        """Where the stated precision has put the threshold; nothing if none was stated."""
        return self._cut

    def terms(self) -> list[Reason]:
        """What the members look for, each one's weightiest first, in proportion to its share."""
        found = []
        for member, judge, share in zip(self.members, self._judges, self.shares, strict=True):
            terms = judge.terms()
            most = max((abs(term.amount) for term in terms), default=0.0) or 1.0
            found += [Reason(f"{_name(member)}: {what}", share * amount / most) for what, amount in terms]
        return sorted(found, key=lambda reason: -reason.amount)

    def state(self) -> Mapping[str, Any]:
        """All that it and its members know of the topic."""
        return {
            "judge": NAME,
            "members": self.members,
            "inner": {str(number): judge.state() for number, judge in enumerate(self._judges)},
            "scales": self._scales,
            "calibration": self._calibration.state(),
            "threshold": self._threshold,
            "cut": self._cut,
        }

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        """Take up what `state` gave, without a topic."""
        must_be(NAME, state)
        if tuple(state["members"]) != self.members:
            raise ConfigError(
                f"The judge saved with this crawl combines {', '.join(state['members'])}, "
                f"not {', '.join(self.members)}; start a new crawl to combine others."
            )
        documents = documents or Documents()
        for number, judge in enumerate(self._judges):
            judge.restore(state["inner"][str(number)], documents)
        self._take(
            [_Scale(*scale) for scale in state["scales"]],
            restored(state["calibration"]),
            state["threshold"],
            Cut(*state["cut"]) if state["cut"] else None,
        )
        return self

    def _take(
        self, scales: list["_Scale"], calibration: Calibration, threshold: float, cut: Cut | None
    ) -> None:
        self._scales = scales
        self._middle = math.fsum(
            share * scale.middle for share, scale in zip(self.shares, scales, strict=True)
        )
        self._calibration = calibration
        self._threshold = threshold
        self._cut = cut

    def _parts(self, scales: list["_Scale"], margins: list[float]) -> list[float]:
        """What each member's margin adds to the mix."""
        return [
            share * scale.probability(margin)
            for share, scale, margin in zip(self.shares, scales, margins, strict=True)
        ]

    def _margins(
        self, member: str, judge: TopicJudge, topic: Topic, sample: Sample, documents: Documents
    ) -> Floats:
        """The margins of all texts, each by a member that has not learned from it."""
        if isinstance(judge, HoldsBack):
            return judge.held_back()

        def by(judge: TopicJudge, asked: Mask) -> Floats:
            pages = [Page(url=text.url, title=text.title, text=text.text) for text in sample.chosen(asked)]
            return np.array([judge.assess(page).margin for page in pages])

        if not learns(judge):
            margins = np.full(len(sample.texts), np.nan)
            margins[sample.used] = by(judge, sample.used)
            return margins
        other = self._make(member)

        def margins_of(learned: Mask, asked: Mask) -> Floats:
            if (sample.used & ~learned).any():
                _fit(other, member, without(topic, sample.chosen(sample.used & ~learned)), documents)
                return by(other, asked)
            return by(judge, asked)

        return sample.margins(margins_of)


class _Scale(NamedTuple):
    """How to read a member: the probability of its margins, and its mean over texts off the topic."""

    slope: float
    offset: float
    middle: float

    @classmethod
    def of(cls, margins: Floats, on_topic: Mask, weights: Floats) -> "_Scale":
        curve = platt(margins, on_topic, weights)
        others = margins[(weights > 0) & ~on_topic].tolist()
        return cls(curve.slope, curve.offset, float(np.mean(list(map(curve.probability, others)))))

    def probability(self, margin: float) -> float:
        return sigmoid(self.slope * margin + self.offset)


def _fit(judge: TopicJudge, member: str, topic: Topic, documents: Documents) -> None:
    try:
        judge.fit(topic, documents)
    except ConfigError as error:
        raise ConfigError(f"The combination cannot use {member}: {error}") from error


def _name(member: str) -> str:
    return member.partition(":")[0]


def _told(member: str, verdict: Verdict) -> str:
    """A member's name, and the weightiest of its own reasons."""
    words = ", ".join(reason.what for reason in verdict.reasons[:NAMED])
    return f"{_name(member)}: {words}" if words else _name(member)
