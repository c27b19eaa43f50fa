"""The WebKB experiment of Almpanidis, Kotropoulos and Pitas (AP 5): their table beside ours, and their claims."""

from collections.abc import Iterator

from honeyguide.bench.report.results import Contender

from .claims import Claim
from .evidence import Evidence, contender, mean, metric
from .verdicts import Finding, above, no_better

COLUMNS = ("precision_10", "precision_50", "precision_100", "f1_10", "f1_50", "f1_100")
TITLES = ("P at R=.1", ".5", "1", "F1 at .1", ".5", "1")
CATEGORY = "student"
"""The only category of which AP print figures."""

BREADTH_FIRST, BACKLINK = contender("breadth-first", "cosine"), contender("backlink", "cosine")
PAGERANK, HCLA = contender("pagerank", "cosine"), contender("hcla", "cosine")
SS1, SS2 = contender("ss1"), contender("ss2")
PLSI_PHITS = contender("plsi-phits", "cosine")
PUBLISHED: dict[Contender, tuple[float, ...]] = {
    BREADTH_FIRST: (0.58, 0.32, 0.15, 0.17, 0.39, 0.26),
    BACKLINK: (0.52, 0.24, 0.13, 0.17, 0.32, 0.23),
    SS1: (0.63, 0.29, 0.17, 0.17, 0.37, 0.30),
    SS2: (0.62, 0.34, 0.18, 0.18, 0.41, 0.31),
    PAGERANK: (0.54, 0.32, 0.15, 0.16, 0.39, 0.26),
    HCLA: (0.56, 0.37, 0.21, 0.18, 0.43, 0.35),
}
CRAWLED = (*PUBLISHED, PLSI_PHITS)


def table(seen: Evidence) -> Iterator[str]:
    """Published, ours and the difference for AP's category; then ours over all categories."""
    yield f"| {CATEGORY} | | {' | '.join(TITLES)} |"
    yield "|---|---|" + "---|" * len(TITLES)
    for who in CRAWLED:
        ours = [_of_category(seen, who, column) for column in COLUMNS]
        if published := PUBLISHED.get(who):
            yield _row(who.strategy, "published", published, ".2f")
            yield _row("", "ours", ours, ".2f")
            yield _row("", "difference", [a - b for a, b in zip(ours, published, strict=True)], "+.2f")
        else:
            yield _row(who.strategy, "ours", ours, ".2f")
    yield ""
    yield f"| every category | tasks | mean precision (95 %) | {' | '.join(TITLES)} |"
    yield "|---|---|---|" + "---|" * len(TITLES)
    for who in CRAWLED:
        low, high = seen.interval(who, metric("mean_precision"))
        figures = [seen.mean(who, metric(column)) for column in COLUMNS]
        summed = f"{seen.mean(who, metric('mean_precision')):.3f} ({low:.3f}-{high:.3f})"
        yield _row(who.strategy, f"{len(seen.logs(who))} | {summed}", figures, ".2f")


def claims() -> list[Claim]:
    """What AP's table 3 says, checked over all categories and universities."""
    rivals = [who for who in PUBLISHED if who != HCLA]
    return [
        Claim(
            "HCLA best at high recall on WebKB (precision at recall 1)",
            "AP table 3",
            lambda seen: _with_category(seen, above(seen, [HCLA], rivals, metric("precision_100"))),
        ),
        Claim(
            "HCLA best at high recall on WebKB (precision at recall .5)",
            "AP table 3",
            lambda seen: above(seen, [HCLA], rivals, metric("precision_50")),
        ),
        Claim(
            "PageRank and backlinks no better than breadth-first (mean precision)",
            "AP table 3",
            lambda seen: no_better(seen, [PAGERANK, BACKLINK], BREADTH_FIRST, metric("mean_precision")),
        ),
        Claim(
            "HCLA above PLSI + PHITS at high recall (AP: on Cora; here on WebKB, precision at recall 1)",
            "AP table 5",
            lambda seen: above(seen, [HCLA], [PLSI_PHITS], metric("precision_100")),
        ),
    ]


def _with_category(seen: Evidence, finding: Finding) -> Finding:
    """The same for AP's category alone, which four webs are too few to decide."""
    ours = ", ".join(f"{who.strategy} {_of_category(seen, who, 'precision_100'):.3f}" for who in PUBLISHED)
    return finding._replace(figures=(*finding.figures, f"{CATEGORY} alone: {ours}"))


def _of_category(seen: Evidence, who: Contender, column: str) -> float:
    values = seen.values(who, metric(column))
    return mean(value for (topic, _), value in values.items() if topic == CATEGORY)


def _row(name: str, what: str, figures: list[float] | tuple[float, ...], form: str) -> str:
    return f"| {name} | {what} | " + " | ".join(format(value, form) for value in figures) + " |"
