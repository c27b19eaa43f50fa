import math

import pytest

from honeyguide.errors import ConfigError, ErrorKind
from honeyguide.model import Candidate, Link, Page, Topic, Verdict, Visit
from honeyguide.strategies.best_first import BestFirst, By
from honeyguide.text.background import Background

TOPIC = Topic("dengue fever")


def visit(*anchors: str, relevance: float | None = 0.3, depth: int = 2) -> Visit:
    links = tuple(Link(f"https://a.example/{number}", anchor=anchor) for number, anchor in enumerate(anchors))
    verdict = None if relevance is None else Verdict(relevance, relevance > 0.1)
    page = Page("https://a.example/", links=links)
    return Visit(Candidate(Link("https://a.example/"), 0.0, depth), page=page, verdict=verdict)


def scores(by: By, seen: Visit) -> list[float]:
    return [candidate.score for candidate in BestFirst(by=by).fit(TOPIC, None).expand(seen)]


def test_a_link_is_worth_the_mean_of_its_page_and_its_anchor() -> None:
    # BT eq. 7 with cos(q, "dengue") = d / sqrt(d^2 + f^2), where d and f are the idf of dengue and fever
    idf = Background.load().idf
    cosine = idf("dengu") / math.hypot(idf("dengu"), idf("fever"))
    assert scores("both", visit("Dengue", "Dengue fever", "Home", "")) == pytest.approx(
        [(0.3 + cosine) / 2, (0.3 + 1) / 2, 0.15, 0.15]
    )
    assert scores("anchor", visit("Dengue", "Dengue fever", "Home", "")) == pytest.approx([cosine, 1, 0, 0])
    assert scores("page", visit("Dengue", "Dengue fever", "Home", "")) == [0.3, 0.3, 0.3, 0.3]


def test_words_of_an_anchor_that_are_not_the_topics_make_it_less() -> None:
    plain, wordy = scores("anchor", visit("dengue fever", "dengue fever and several unrelated matters"))
    assert 0 < wordy < plain


@pytest.mark.parametrize("by", ["page", "anchor", "both"])
def test_parts_tell_where_a_score_comes_from(by: By) -> None:
    (candidate,) = BestFirst(by=by).fit(TOPIC, None).expand(visit("dengue fever"))
    share = 0.5 if by == "both" else 1.0
    whole = {"page": pytest.approx(0.3 * share), "anchor": pytest.approx(share)}
    assert candidate.parts == {key: value for key, value in whole.items() if by in (key, "both")}
    assert candidate.depth == 3


def test_a_page_nobody_judged_counts_as_0() -> None:
    assert scores("both", visit("dengue fever", relevance=None)) == pytest.approx([0.5])


def test_a_failure_leads_nowhere() -> None:
    strategy = BestFirst().fit(TOPIC, None)
    failed = Candidate(Link("https://a.example/"), 0.0)
    assert list(strategy.expand(Visit(failed, error=ErrorKind.TIMEOUT))) == []
    assert list(strategy.expand(Visit(failed, page=visit("dengue").page, error=ErrorKind.PARSE))) == []


def test_by_page_alone_needs_no_words() -> None:
    seen = visit("x")
    assert [
        candidate.score for candidate in BestFirst(by="page").fit(Topic("of the"), None).expand(seen)
    ] == [0.3]
    with pytest.raises(ConfigError, match="no words to look for"):
        BestFirst(by="anchor").fit(Topic("of the"), None)


def test_an_unknown_way_is_refused() -> None:
    with pytest.raises(ConfigError, match="page, anchor or both"):
        BestFirst(by="luck")  # type: ignore[arg-type]


def test_a_strategy_must_know_its_topic() -> None:
    with pytest.raises(ConfigError, match="fit it first"):
        BestFirst().expand(visit("dengue"))
