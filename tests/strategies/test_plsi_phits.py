"""PLSI + PHITS as an order of links."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from small_crawl import SITE, in_order, see, visit

from honeyguide.errors import ConfigError
from honeyguide.model import Candidate, Example, Link, Page, Topic, Visit
from honeyguide.strategies.plsi_phits import PlsiPhits
from honeyguide.testing import awkward_pages, check_strategy, example_visits

BIRDS = "The owl hunts at night on silent wings, and the hawk by day; both feed their chicks in a nest."
SHIPS = "The ship left the harbour under full sail, and its captain steered by the stars to the next port."
TOPIC = Topic(
    "birds",
    keywords=("owl", "hawk"),
    examples=(Example(BIRDS, "Owls"), Example(f"Wings and nest. {BIRDS}", "Hawks")),
    background=(Example(SHIPS, "Ships"), Example(f"A harbour. {SHIPS}", "Ports"), Example(SHIPS * 2)),
)


def made(**parameters: Any) -> PlsiPhits:
    return PlsiPhits(**({"every": 1, "factors": 3} | parameters)).fit(TOPIC, None)


@pytest.mark.parametrize(
    "parameters",
    [
        {"every": 50},
        {},
        {"pages": 2, "every": 2},
        {"alpha": 0.0},
        {"alpha": 1.0, "share": 0.0},
        {"share": 1.0, "beta": 1.0},
    ],
)
def test_it_keeps_the_promises_of_a_strategy(parameters: dict[str, Any]) -> None:
    check_strategy(lambda: made(**parameters), example_visits())


def test_links_of_pages_that_share_the_topics_factors_go_first() -> None:
    crawl = (visit("a", ["x1", "x2"], text=BIRDS), visit("b", ["y1", "y2"], text=SHIPS))
    for every in (1, 50):
        scores = see(made(every=every), *crawl)
        assert set(in_order(scores)[:2]) == {"x1", "x2"}
        assert scores["x1"] > 2 * scores["y1"]


def test_a_page_that_both_kinds_link_to_lies_between() -> None:
    crawl = (
        visit("a", ["x", "both"], text=BIRDS),
        visit("b", ["y", "both"], text=SHIPS),
        visit("c", ["x"], text=BIRDS),
        visit("d", ["y"], text=SHIPS),
    )
    scores = see(made(), *crawl)
    assert scores["x"] > scores["both"] > scores["y"]


def test_words_of_a_link_tell_targets_of_one_page_apart() -> None:
    scores = see(made(), visit("a", ["hawk", "port", "unheard"], text=f"{BIRDS} {SHIPS}"))
    assert in_order(scores) == ["hawk", "unheard", "port"]
    without = see(made(share=0.0), visit("a", ["hawk", "port"], text=f"{BIRDS} {SHIPS}"))
    assert without["hawk"] == pytest.approx(without["port"])


def test_the_score_worked_by_hand() -> None:
    strategy = made(every=50)
    (found,) = strategy.expand(visit("a", ["owl-hawk"], text=BIRDS))
    model = strategy._learned
    page = strategy._documents.read(Page("", "a", BIRDS)).stems()
    worth = made(every=50)._learned.see(page, np.zeros(0, np.int64))
    book = strategy._documents.book
    owl, hawk = model.worth_of(model.columns(book.stem_numbers(book.numbers("owl hawk")))).tolist()
    assert found.parts == pytest.approx({"links": worth / 2, "words": (owl + hawk + worth) / 3 / 2})


def test_parts_add_up_at_the_moment_of_taking() -> None:
    strategy = made(every=2)
    waiting: dict[str, Candidate] = {}
    for one in example_visits():
        for found in strategy.expand(one):
            before = waiting.get(found.url)
            waiting[found.url] = strategy.combine(before, found) if before else found
        for url, score in strategy.changes():
            waiting[url] = waiting[url]._replace(score=score)
        for candidate in waiting.values():
            parts = strategy.explain(candidate)
            assert parts is not None
            assert sum(parts.values()) == candidate.score
    assert strategy.explain(Candidate(Link("https://seed.example/"), 1.0)) is None


def test_a_link_found_again_has_the_later_score_and_a_seed_stays_first() -> None:
    strategy = made()
    waiting = Candidate(Link(SITE + "x", "first"), 0.9, 1, None, {"links": 0.9})
    found = Candidate(Link(SITE + "x", "second"), 0.2, 5, None, {"links": 0.2})
    assert strategy.combine(waiting, found) == waiting._replace(score=0.2, parts={"links": 0.2})
    seed = Candidate(Link(SITE + "x"), 1e9)
    assert strategy.combine(seed, found) == seed


def test_the_model_stays_small_and_keeps_what_is_worth_most() -> None:
    strategy = made(pages=6, every=1)
    for number in range(30):
        text = BIRDS if number % 5 == 0 else SHIPS
        list(strategy.expand(visit(f"page{number}", [f"leaf{number}", "hub"], text=text)))
        list(strategy.changes())
    state = strategy._learned.state()
    assert len(state["numbers"]) == 6 + 6
    kept = (state["numbers"][6:] - 7).tolist()
    assert kept[3:] == [27, 28, 29]
    assert all(number % 5 == 0 for number in kept[:3])


def test_a_page_of_many_links_does_not_outgrow_the_model() -> None:
    strategy = made(every=1)
    targets = [f"leaf{number}" for number in range(3000)]
    assert len(see(strategy, visit("a", targets, text=BIRDS))) == 3000
    assert len(strategy._learned.state()["links"]) == 200


def test_a_menu_link_is_not_heard_for_ever() -> None:
    strategy = made(every=1000)
    for number in range(300):
        list(strategy.expand(visit(f"page{number}", ["owl-hawk"], text=SHIPS)))
    assert len(strategy.state()["words"]) == 100


def test_words_of_what_was_visited_are_forgotten() -> None:
    strategy = made(every=1)
    list(strategy.expand(visit("a", ["owl", "hawk"], text=BIRDS)))
    list(strategy.expand(visit("owl", [], text=BIRDS)))
    strategy.refused(SITE + "hawk")
    assert list(strategy.changes()) == []
    assert len(strategy.state()["words"]) == 0


def test_whatever_a_page_holds_is_read() -> None:
    strategy = made(every=3)
    for number, page in enumerate(awkward_pages()):
        texts = (page.text[:300_000], page.title[:1000], "")
        links = tuple(
            Link(f"{SITE}{number}-{place}", page.url, text, text) for place, text in enumerate(texts)
        )
        one = Visit(Candidate(Link(page.url), 0.0), page=replace(page, links=links), status=200)
        scores = [candidate.score for candidate in strategy.expand(one)]
        assert len(scores) == 3
        assert np.isfinite([*scores, *(score for _, score in strategy.changes())]).all()


def test_words_are_given_to_the_link_that_says_them() -> None:
    strategy = made()
    links = [
        Link(f"{SITE}{number}", "", "é" * number, "owl" if number % 3 else "登 hawk") for number in range(200)
    ]
    whose, words = strategy._words_of(links)
    owl, hawk = (
        strategy._learned.state()["words"].index("owl"),
        strategy._learned.state()["words"].index("hawk"),
    )
    assert whose.tolist() == list(range(200))
    assert words.tolist() == [owl if number % 3 else hawk for number in range(200)]


def test_a_topic_of_a_name_alone_is_set_against_the_texts_that_come_with_the_package() -> None:
    strategy = PlsiPhits(every=1).fit(Topic("volcano"), None)
    scores = see(strategy, visit("a", ["volcano", "goalkeeper"], text="Of volcanoes and of other things."))
    assert scores["volcano"] > scores["goalkeeper"]


def test_without_examples_the_nearest_texts_of_the_corpus_stand_for_them() -> None:
    # What the pages about birds say beside the query's words is known from the corpus alone.
    corpus = tuple(Example(text) for text in (SHIPS, BIRDS, f"Stars. {SHIPS}", f"Chicks. {BIRDS}"))
    strategy = PlsiPhits(every=1, factors=3).fit(Topic("owl", corpus=corpus), None)
    told = visit("a", ["x"], text="Chicks feed in a nest."), visit("b", ["y"], text="The captain of a port.")
    scores = see(strategy, *told)
    assert strategy._learned.state()["about"][0] == 3
    assert scores["x"] > 2 * scores["y"]


def test_another_seed_is_another_beginning() -> None:
    def learned(seed: int) -> Any:
        return made(seed=seed)._learned.state()["terms"]

    assert np.array_equal(learned(0), learned(0))
    assert not np.array_equal(learned(0), learned(1))


def test_a_topic_without_words_is_refused() -> None:
    with pytest.raises(ConfigError, match="no words to look for"):
        PlsiPhits().fit(Topic("the"), None)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: PlsiPhits(factors=1),
        lambda: PlsiPhits(alpha=1.1),
        lambda: PlsiPhits(share=-0.1),
        lambda: PlsiPhits(beta=0.0),
        lambda: PlsiPhits(eta=1.5),
        lambda: PlsiPhits(terms=0),
        lambda: PlsiPhits(pages=0),
        lambda: PlsiPhits(every=0),
        lambda: PlsiPhits(steps=0),
        lambda: PlsiPhits(seed=-1),
    ],
)
def test_settings_that_mean_nothing_are_refused(wrong: Callable[[], PlsiPhits]) -> None:
    with pytest.raises(ConfigError, match=r"must|cannot"):
        wrong()


def test_it_cannot_go_without_a_topic() -> None:
    with pytest.raises(ConfigError, match="fit it first"):
        PlsiPhits().expand(visit("a", "bc"))
