"""What was published about the order of strategies, and how each claim is checked on topics of a recorded web.

Sources: GT is Greenwood, MPhil thesis, Manchester 2009; BT Batsakis, MSc thesis, Technical University of Crete; GD
García Dorado, MSc thesis, Lund 2008; AP Almpanidis, Kotropoulos and Pitas, Information Systems 32 (2007).
"""

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

from honeyguide.bench.report.results import Contender
from honeyguide.statistics import paired

from .evidence import EFFICIENCY, Evidence, area_within, contender, found_within, mean
from .overlap import different_pages
from .verdicts import (
    FAILS,
    Finding,
    above,
    all_of,
    comes_to,
    difference,
    in_cases,
    in_order,
    is_above,
    is_no_better,
    no_better,
    versus,
)

BREADTH_FIRST = contender("breadth-first")
BOTH, PAGE = contender("best-first", "cosine"), contender("best-first:by=page", "cosine")
ANCHOR = contender("best-first:by=anchor")
"""Best-first as BT has it; by the anchor alone no judge is asked."""

OURS = contender("best-first")
LINK_SCORE = contender("link-score")
FEATURES = ("content", "context", "page")
PARTS = {
    subset: contender(f"link-score:features={'+'.join(subset)}")
    for size in (1, 2)
    for subset in combinations(FEATURES, size)
}
COMBINATIONS: dict[tuple[str, ...], Contender] = {**PARTS, FEATURES: LINK_SCORE}

EHRIG, SSRM = contender("semantic:variant=ehrig"), contender("semantic:variant=ssrm")
SYNONYMS = contender("semantic")
HMM, HYBRID, HYBRID_ANCHOR = contender("hmm:variant=plain"), contender("hmm:variant=hybrid"), contender("hmm")

SVM = contender("svm-best-first")
SVM_SM, SVM_SM_ANCHOR = contender("svm-string-matching"), contender("svm-string-matching-anchor")
LEARNING_ANCHOR, HISTORY_PATH = contender("learning-anchor"), contender("history-path")
CONTEXT_GRAPH = contender("context-graph")
SM = contender("string-matching")
SM_ANCHOR, SM_HISTORY_PATH = contender("string-matching-anchor"), contender("string-matching-history-path")
GD_BEST = (
    SVM, CONTEXT_GRAPH, HISTORY_PATH, LEARNING_ANCHOR, SM, SM_HISTORY_PATH, SM_ANCHOR, SVM_SM, SVM_SM_ANCHOR,
)  # fmt: skip
"""The strategies of GD's table of overlaps."""

GD_ORDER = (
    (SVM_SM,), (SVM_SM_ANCHOR, LEARNING_ANCHOR), (SVM,), (CONTEXT_GRAPH,), (HISTORY_PATH,), (BREADTH_FIRST,),
)  # fmt: skip
GD_PUBLISHED = {
    SVM_SM: 53.9,
    LEARNING_ANCHOR: 51.1,
    SVM_SM_ANCHOR: 50.9,
    SM: 47.2,
    SM_ANCHOR: 47.0,
    SM_HISTORY_PATH: 41.5,
    SVM: 39.7,
    CONTEXT_GRAPH: 33.3,
    HISTORY_PATH: 31.0,
    BREADTH_FIRST: 12.6,
}
"""The share of relevant pages, in per cent, after 40,000 fetches, by hand (GD 10)."""

CRAWLED = tuple(
    dict.fromkeys(
        (
            *(BREADTH_FIRST, OURS, BOTH, ANCHOR, PAGE, LINK_SCORE, *PARTS.values()),
            *(EHRIG, SSRM, SYNONYMS, HMM, HYBRID, HYBRID_ANCHOR, *GD_BEST),
        )
    )
)
"""All that the claims are checked with."""

BY_HAND = "no vocabulary here was made by hand: all are grown from the topic's five examples"
LARGER, SMALLER = 400, 100
"""The pages of GT's crawls."""

SPANS = {SMALLER: f"the first {SMALLER} pages", 0: "the whole crawl"}
BETTER, CLEARLY_WORSE = 25 / 30, 0.5
ALL_BEST, WITH_PAGE = 0.6, 14 / 15


class Claim(NamedTuple):
    """A published claim, where it stands, and how it is checked."""

    text: str
    source: str
    check: Callable[[Evidence], Finding]


def claims() -> list[Claim]:
    """All but those about the WebKB experiment."""
    return [
        Claim(
            "focused better than breadth-first in 25 of 30 crawls of 400 pages, some with 2 to 6 times the "
            "relevant pages, never clearly worse",
            "GT 5.5",
            focused_is_better,
        ),
        Claim(
            "the product of all three link features is best in 60 % of cases", "GT 5.2.3", all_three_are_best
        ),
        Claim("the page is among the features of nearly every best combination", "GT 5.2.3", page_is_there),
        Claim(
            "page + anchor > anchor only > page only > breadth-first",
            "BT 4.4",
            lambda seen: in_order(seen, [[BOTH], [ANCHOR], [PAGE], [BREADTH_FIRST]]),
        ),
        Claim(
            "WordNet path similarity does not help (beside best-first by anchors)",
            "BT 4.5",
            lambda seen: no_better(seen, [EHRIG, SSRM], ANCHOR),
        ),
        Claim(
            "synonyms help marginally (beside best-first by page and anchor)",
            "BT 4.5",
            lambda seen: above(seen, [SYNONYMS], [BOTH]),
        ),
        Claim(
            "hybrid HMM + anchor > hybrid HMM > HMM",
            "BT 4.6",
            lambda seen: in_order(seen, [[HYBRID_ANCHOR], [HYBRID], [HMM]]),
        ),
        Claim(
            "SVM+SM > SVM+SM anchor ~ learning anchor > SVM best-first > context graph > history path > "
            "breadth-first",
            "GD 10.4",
            lambda seen: in_order(seen, GD_ORDER),
        ),
        Claim(
            "string matching alone, its anchor variant and its history path are all above SVM best-first",
            "GD 10.3",
            lambda seen: above(seen, [SM, SM_ANCHOR, SM_HISTORY_PATH], [SVM]),
        ),
        Claim("another topic: SVM+SM 11 % above SVM best-first", "GD 11", mixed_is_above),
        Claim("SVM+SM above SVM only with a good vocabulary", "GD 11", vocabulary_decides),
        Claim(
            "another topic: plain SVM best-first above the other SVM strategies",
            "GD 11",
            lambda seen: above(seen, [SVM], [LEARNING_ANCHOR, CONTEXT_GRAPH, HISTORY_PATH]),
        ),
        Claim(
            "different strategies fetch different pages: overlap about 10 %",
            "GD 9.5",
            lambda seen: different_pages(seen, GD_BEST),
        ),
    ]


def focused_is_better(seen: Evidence) -> Finding:
    """GT's own strategy decides; our usual one is told beside it."""
    verdict, found = _beside_breadth_first(seen, LINK_SCORE)
    return Finding(verdict, found, (_beside_breadth_first(seen, OURS)[1],))


def _beside_breadth_first(seen: Evidence, who: Contender) -> tuple[str, str]:
    found = found_within(LARGER)
    pairs = [(found(a), found(b)) for a, b in zip(seen.logs(who), seen.logs(BREADTH_FIRST), strict=True)]
    better = sum(ours > blind for ours, blind in pairs)
    worse = sum(ours < blind for ours, blind in pairs)
    clearly = sum(ours <= CLEARLY_WORSE * blind for ours, blind in pairs if blind)
    twice = sum(ours >= 2 * blind for ours, blind in pairs if ours)
    return FAILS if clearly else comes_to(better, len(pairs), BETTER), (
        f"{who.strategy} finds more than breadth-first in {in_cases(better, len(pairs))} crawls of {LARGER} "
        f"pages, fewer in {worse}; twice as many or more in {twice}, half as many or fewer in {clearly}"
    )


def all_three_are_best(seen: Evidence) -> Finding:
    """By the area under the curve of the first 100 pages, as in GT; that of the whole crawl is told beside it."""
    verdicts, figures = [], []
    for pages, what in SPANS.items():
        best = best_combinations(seen, pages)
        times = sum(FEATURES in tied for tied in best)
        often = Counter(subset for tied in best for subset in tied).most_common(3)
        said = ", ".join(f"{'+'.join(subset)} {number}" for subset, number in often)
        alone = sum(all(len(subset) == 1 for subset in tied) for tied in best)
        verdicts.append(comes_to(times, len(best), ALL_BEST))
        figures.append(
            f"{what}: all three are best, or as good as the best, in {in_cases(times, len(best))} crawls; "
            f"most often best: {said}; one feature alone in {alone}"
        )
    means = ", ".join(f"{'+'.join(subset)} {seen.mean(who):.3f}" for subset, who in COMBINATIONS.items())
    return Finding(verdicts[0], figures[0], (*figures[1:], f"mean efficiency: {means}"))


def page_is_there(seen: Evidence) -> Finding:
    """A crawl counts if one of the best combinations has the page in it."""
    verdicts, figures = [], []
    for pages, what in SPANS.items():
        best = best_combinations(seen, pages)
        times = sum(any("page" in subset for subset in tied) for tied in best)
        verdicts.append(comes_to(times, len(best), WITH_PAGE))
        figures.append(f"{what}: in {in_cases(times, len(best))} crawls (published: 14 of 15)")
    without = ("content", "context")
    gain = versus(LINK_SCORE, COMBINATIONS[without], seen.compare(LINK_SCORE, COMBINATIONS[without]))
    return Finding(verdicts[0], figures[0], (*figures[1:], f"what the page adds to the other two: {gain}"))


def best_combinations(seen: Evidence, pages: int) -> list[list[tuple[str, ...]]]:
    """For every crawl that found anything, the combinations of features that no other beats."""
    figure = area_within(pages) if pages else EFFICIENCY
    values = {subset: [figure(log) for log in seen.logs(who)] for subset, who in COMBINATIONS.items()}
    best = []
    for case in zip(*values.values(), strict=True):
        most = max(case)
        if most > 0:
            best.append([subset for subset, value in zip(values, case, strict=True) if value == most])
    return best


def mixed_is_above(seen: Evidence) -> Finding:
    """The gain as a share of what the SVM alone comes to."""
    pair = seen.compare(SVM_SM, SVM)
    gain = pair.difference / seen.mean(SVM) if seen.mean(SVM) else 0.0
    found = f"{versus(SVM_SM, SVM, pair)}, which is {gain:+.0%} (published: +11 %)"
    return Finding(is_above(pair), found)


def vocabulary_decides(seen: Evidence) -> Finding:
    """A vocabulary is the better the more string matching alone comes to: the better half against the other."""
    alone, mixed, svm = (seen.values(who, EFFICIENCY) for who in (SM, SVM_SM, SVM))
    ranked = sorted(alone, key=lambda task: -alone[task])
    halves = {"better": ranked[: len(ranked) // 2], "poorer": ranked[len(ranked) // 2 :]}
    pairs = {
        name: paired([mixed[task] for task in tasks], [svm[task] for task in tasks])
        for name, tasks in halves.items()
    }
    found = "; ".join(
        f"topics with the {name} vocabularies (string matching alone {mean(alone[task] for task in halves[name]):.3f}) "
        f"{difference(pair)}, {len(halves[name])} topics"
        for name, pair in pairs.items()
    )
    verdict = all_of((is_above(pairs["better"]), is_no_better(pairs["poorer"])))
    return Finding(verdict, f"SVM+SM - SVM: {found}", (BY_HAND,))
