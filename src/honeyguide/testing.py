"""Checks that every judge and every strategy must pass; run them on your own.

    from honeyguide.testing import check_judge, check_strategy, example_pages, example_visits

    check_judge(lambda: MyJudge().fit(topic), example_pages())
    check_strategy(lambda: MyStrategy().fit(topic, None), example_visits())

A check raises AssertionError with a sentence that says what was promised and what was seen.
"""

import builtins
import inspect
import io
import json
import math
import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from honeyguide.errors import ErrorKind
from honeyguide.model import Candidate, Link, Page, Verdict, Visit
from honeyguide.roles import Judge, Strategy

TOLERANCE = 1e-6


class Saved(Protocol):
    """A judge that can be written down and taken up again."""

    def assess(self, page: Page) -> Verdict: ...

    def state(self) -> Mapping[str, Any]: ...

    def restore(self, state: Mapping[str, Any]) -> "Saved": ...


def check_judge(
    make: Callable[[], Judge],
    pages: Iterable[Page],
    *,
    languages: Sequence[str] = ("en",),
    unfitted: Callable[[], Saved] | None = None,
) -> None:
    """Check a judge: `make` gives one fitted to a topic in these languages, `pages` are what it may meet.

    Scores lie in [0, 1], are the same when asked again and by another judge fitted alike; relevant pages
    have a positive margin and score no less than any other; reasons add up to the score; nothing a page
    holds, however much of it, makes the judge fail; a page known to be in another language scores 0.
    If `unfitted` gives judges that know no topic yet, one of them says the same as the first, sent through
    pickle as to another process, once it is restored from the first one's state as JSON and arrays.
    """
    pages = list(pages)
    judge, twin = make(), make()
    if unfitted is not None:
        assert hasattr(judge, "state"), "a judge that is saved with a crawl has a state"
        twin = unfitted().restore(_through_json(judge.state()))
        judge = pickle.loads(pickle.dumps(judge))
    verdicts = []
    for page in [*pages, *awkward_pages()]:
        verdict = judge.assess(page)
        _check_verdict(verdict, page)
        _must(judge.assess(page) == verdict, f"asked twice about {_name(page)} the judge says two things")
        _must(twin.assess(page) == verdict, f"two judges fitted alike differ over {_name(page)}")
        verdicts.append(verdict)
    worst = min((verdict.score for verdict in verdicts if verdict.relevant), default=1.0)
    best = max((verdict.score for verdict in verdicts if not verdict.relevant), default=0.0)
    _must(best <= worst, f"a page that is not relevant scores {best}, one that is scores {worst}")
    foreign = "ru" if "ru" not in languages else "ja"
    for page in pages:
        verdict = judge.assess(replace(page, language=foreign))
        _must(
            verdict.score == 0 and not verdict.relevant and verdict.label == "language",
            f"a page in another language is not judged, yet {_name(page)} got {verdict}",
        )
        _must(bool(verdict.reasons), "a page in another language is told so in the reasons")


def _check_verdict(verdict: Verdict, page: Page) -> None:
    _must(0 <= verdict.score <= 1, f"a score lies in [0, 1], but {_name(page)} got {verdict.score}")
    _must(math.isfinite(verdict.margin), f"a margin is a number, but {_name(page)} got {verdict.margin}")
    _must(
        verdict.relevant == (verdict.margin > 0),
        f"relevant means a margin above 0, but {_name(page)} got {verdict.relevant} with {verdict.margin}",
    )
    total = math.fsum(reason.amount for reason in verdict.reasons)
    _must(
        abs(total - verdict.score) <= TOLERANCE,
        f"reasons add up to the score, but for {_name(page)} they make {total}, not {verdict.score}",
    )
    _must(bool(verdict.judge), "a verdict says which version of which judge gave it")


def check_strategy(
    make: Callable[[], Strategy],
    visits: Sequence[Visit],
    *,
    explain: Callable[[Mapping[str, float]], float] | None = None,
) -> None:
    """Check a strategy: `make` gives one fitted to a topic, `visits` are a crawl it sees.

    The same visits give the same candidates and changes in the same order; a failure leads nowhere; a
    candidate is a link of the page, one step deeper; `explain` makes its score of its parts (the default is
    their sum), which it has or the strategy explains; memo and parts are JSON; only what was found before is
    scored differently, also after pages were judged anew; a strategy restored from the state of another
    explains, revises and goes on as that one does; the constructor takes keyword arguments with defaults and
    reads no data.
    """
    _check_constructor(type(make()))
    strategy = make()
    whole = _seen_by(strategy, visits)
    found: set[str] = set()
    for visit, (candidates, changes) in zip(visits, whole, strict=True):
        _check_candidates(visit, candidates, explain or _sum)
        found.update(candidate.url for candidate in candidates)
        _check_changes(changes, found)
    _must(
        _seen_by(make(), visits) == whole,
        "the same visits give the same candidates, but a second strategy made alike differs",
    )
    for middle in {len(visits) // 3, len(visits) // 2}:
        first, second = make(), make()
        _seen_by(first, visits[:middle])
        second.restore(_through_json(first.state()))
        waiting = _waiting(whole[:middle])
        _must(
            [second.explain(one) for one in waiting] == [first.explain(one) for one in waiting]
            and _same(second.revise(waiting), first.revise(waiting)),
            f"restored after {middle} visits, the strategy explains or revises differently",
        )
        rest = _seen_by(second, visits[middle:])
        _must(rest == whole[middle:], f"restored after {middle} visits, the strategy goes on differently")
    _check_frontier_side(strategy, [candidate for candidates, _ in whole for candidate in candidates])
    _check_rejudging(make, visits, found)


def _check_changes(changes: Iterable[tuple[str, float]], found: set[str]) -> None:
    for url, score in changes:
        _must(url in found, f"{url} is scored differently though it was never found")
        _must(math.isfinite(score), f"{url} is changed to {score}, which has no order")


def _check_rejudging(make: Callable[[], Strategy], visits: Sequence[Visit], found: set[str]) -> None:
    """Pages that are judged anew, also one that was never visited, change scores alike in strategies made alike."""
    verdicts = [
        (visit.url, Verdict(1 - visit.verdict.score, not visit.verdict.relevant, judge="example@1 r1"))
        for visit in visits
        if visit.verdict is not None
    ]
    verdicts.append(("https://never.example/visited", Verdict(0.5, True, judge="example@1 r1")))
    told = []
    for strategy in (make(), make()):
        _seen_by(strategy, visits)
        strategy.rejudged(iter(verdicts))
        told.append(list(strategy.changes()))
        _check_changes(told[-1], found)
        _through_json(strategy.state())
        _seen_by(strategy, visits[:1])
    _must(told[0] == told[1], "two strategies made alike differ over pages that were judged anew")


def _seen_by(
    strategy: Strategy, visits: Sequence[Visit]
) -> list[tuple[list[Candidate], list[tuple[str, float]]]]:
    """What a strategy makes of every visit: where it leads, with parts, and what it scores differently then."""
    return [([*_explained(strategy, visit)], list(strategy.changes())) for visit in visits]


def _explained(strategy: Strategy, visit: Visit) -> Iterator[Candidate]:
    for candidate in list(strategy.expand(visit)):
        yield candidate if candidate.parts else candidate._replace(parts=strategy.explain(candidate))


def _waiting(seen: Iterable[tuple[list[Candidate], list[tuple[str, float]]]]) -> list[Candidate]:
    """What was found, with the scores that it has by now."""
    found: dict[str, Candidate] = {}
    for candidates, changes in seen:
        for candidate in candidates:
            if candidate.url not in found or candidate.score > found[candidate.url].score:
                found[candidate.url] = candidate
        for url, score in changes:
            found[url] = found[url]._replace(score=score)
    return list(found.values())


def _same(one: Sequence[float] | None, other: Sequence[float] | None) -> bool:
    return one is other if one is None or other is None else list(one) == list(other)


def _check_constructor(made: type[Strategy]) -> None:
    for parameter in inspect.signature(made).parameters.values():
        _must(
            parameter.kind is parameter.KEYWORD_ONLY and parameter.default is not parameter.empty,
            f"the constructor takes keyword arguments with defaults, but {parameter.name} is not one",
        )
    with _no_reading(f"the constructor of {made.__name__} reads data"):
        made()


def _check_candidates(
    visit: Visit, candidates: list[Candidate], explain: Callable[[Mapping[str, float]], float]
) -> None:
    if visit.page is None or visit.error is not None:
        _must(not candidates, f"a failed visit leads nowhere, but {visit.url} led to {len(candidates)}")
        return
    links = set(visit.page.links)
    for candidate in candidates:
        _must(candidate.link in links, f"{candidate.url} is no link of {visit.url}")
        _must(
            candidate.depth == visit.candidate.depth + 1,
            f"{candidate.url} is one step deeper than {visit.url}, not at {candidate.depth}",
        )
        _must(math.isfinite(candidate.score), f"{candidate.url} scores {candidate.score}, which has no order")
        _must(_is_json(candidate.memo), f"the memo of {candidate.url} is not JSON")
        _must(_is_json(candidate.parts), f"the parts of {candidate.url} are not JSON")
        _must(bool(candidate.parts), f"{candidate.url} has a score without parts to explain it")
        told = explain(candidate.parts or {})
        _must(
            abs(told - candidate.score) <= TOLERANCE,
            f"the parts of {candidate.url} explain a score of {told}, not {candidate.score}",
        )


def _check_frontier_side(strategy: Strategy, candidates: list[Candidate]) -> None:
    """What the frontier asks of a strategy: combining, revising, refilling."""
    fresh = strategy.revise(candidates)
    if fresh is not None:
        _must(len(fresh) == len(candidates), "revise gives one score for every candidate")
        _must(all(map(math.isfinite, fresh)), "revise gives scores that have an order")
    for candidate in candidates[:10]:
        told = strategy.explain(candidate)
        _must(told is None or _is_json(dict(told)), f"{candidate.url} is explained by parts that are no JSON")
        better = candidate._replace(score=candidate.score + 1)
        for one, other in ((candidate, better), (better, candidate)):
            _must(strategy.combine(one, other).url == candidate.url, "combine keeps the URL")
    _must(all(isinstance(candidate, Candidate) for candidate in strategy.refill()), "refill gives candidates")


def example_pages() -> tuple[Page, ...]:
    """Pages about dengue fever and about other things, for a judge of that topic."""
    return tuple(visit.page for visit in example_visits() if visit.page)


def example_visits() -> tuple[Visit, ...]:
    """A small crawl about dengue fever: pages on and off the topic, odd links, failures."""
    texts = {
        "https://health.example/dengue": (
            "Dengue fever",
            "Dengue is a disease that mosquitoes carry. Fever, headache and pain in the joints are its signs. "
            "The mosquito Aedes aegypti bites by day; where it breeds, dengue follows.",
            0.6,
        ),
        "https://health.example/malaria": (
            "Malaria",
            "Malaria is carried by another mosquito and brings a fever that comes and goes.",
            0.2,
        ),
        "https://garden.example/roses": (
            "Pruning roses",
            "Cut old wood in late winter and give the plant air and light.",
            0.0,
        ),
        "https://news.example/": ("News", "", 0.0),
    }
    anchors = (
        "Dengue fever",
        "dengue",
        "fever charts",
        "Home",
        "",
        "  ",
        "登革热",
        "More about mosquitoes",
        "x" * 500,
    )
    visits = []
    for number, (url, (title, text, score)) in enumerate(texts.items()):
        links = tuple(
            Link(f"https://site{(number + place) % 5}.example/{place}", url, anchor)
            for place, anchor in enumerate(anchors)
        )
        page = Page(url=url, title=title, text=text, language="en", links=(*links, links[0]))
        verdict = Verdict(score, score > 0.1, score - 0.1, judge="example@1")
        visits.append(Visit(Candidate(Link(url), 0.5, number), page=page, verdict=verdict, status=200))
        failed = Candidate(Link(f"{url}/lost"), 0.1, number + 1)
        visits.append(Visit(failed, error=ErrorKind.TIMEOUT, detail="took too long"))
    visits.append(Visit(Candidate(Link("https://end.example/"), 0.0, 9), page=Page("https://end.example/")))
    return tuple(visits)


def awkward_pages() -> tuple[Page, ...]:
    """Pages that a crawl meets sooner or later: empty, endless, and in every kind of writing."""
    every_kind = "".join(
        map(chr, [*range(0x20, 0x3000, 7), *range(0xD800, 0xE000, 64), *range(0x1F300, 0x1F700)])
    )
    texts = {
        "empty": "",
        "blank": " \n\t\u00a0\u200b",
        "control": "\x00\x01dengue\x7f\ufffe\uffff",
        "endless": "dengue fever and words that go on " * 60_000,
        "oneword": "a" * 2_000_000,
        "unspaced": "登革热是一种由蚊子传播的疾病" * 20_000,
        "numbers": " ".join(map(str, range(50_000))),
        "different": " ".join(f"word{number}x" for number in range(100_000)),
        "marks": "e" + "\u0301\u0323" * 50_000,
        "kinds": every_kind * 20,
        "surrogates": "dengue \ud800\udfff fever",
        "right-to-left": "\u202eحمى الضنك\u202c dengue",
    }
    pages = [Page(url=f"https://awkward.example/{name}", text=text) for name, text in texts.items()]
    return (*pages, *(replace(page, title=page.text, text="") for page in pages))


def _must(holds: bool, promise: str) -> None:
    if not holds:
        raise AssertionError(promise)


def _name(page: Page) -> str:
    return page.url or "a page without address"


def _sum(parts: Mapping[str, float]) -> float:
    return math.fsum(parts.values())


def _is_json(value: Any) -> bool:
    try:
        return bool(json.loads(json.dumps(value, allow_nan=False)) == value)
    except (TypeError, ValueError):
        return False


def _through_json(state: Any) -> Any:
    """A state as it comes back from the store: arrays as arrays, all else through JSON."""
    if isinstance(state, np.ndarray):
        return state.copy()
    if isinstance(state, Mapping) and any(
        isinstance(value, np.ndarray | Mapping) for value in state.values()
    ):
        return {json.loads(json.dumps(key)): _through_json(value) for key, value in state.items()}
    return json.loads(json.dumps(state, allow_nan=False))


@contextmanager
def _no_reading(complaint: str) -> Iterator[None]:
    """Any file opened inside is a broken promise."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError(complaint)

    doors = ((builtins, "open"), (io, "open"), (os, "open"))
    opened = [getattr(module, name) for module, name in doors]
    try:
        for module, name in doors:
            setattr(module, name, refuse)
        yield
    finally:
        for (module, name), function in zip(doors, opened, strict=True):
            setattr(module, name, function)
