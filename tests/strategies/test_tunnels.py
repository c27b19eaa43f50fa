"""Ways off the topic: tried when a crawl is dry, where nothing is known yet or where it paid."""

from pathlib import Path

import numpy as np
import pytest

from honeyguide.bench import protocol_w
from honeyguide.bench.corpus import Corpus
from honeyguide.bench.replay import replay
from honeyguide.bench.synthetic.corpus import SyntheticWeb, write_corpus
from honeyguide.bench.synthetic.plan import Kind
from honeyguide.naming import fitted_strategy, make_judge
from honeyguide.strategies.signs import signs_of_words
from honeyguide.strategies.tunnels import Tunnels, Way
from honeyguide.text.soft_bayes import SoftBayes


def crawled(relevances: list[float], *, tried: bool = False) -> Tunnels:
    tunnels = Tunnels()
    for number, relevance in enumerate(relevances):
        tunnels.arrive(number, relevance, is_tried=tried)
    return tunnels


def way(pages: list[int], words: list[list[int]] | None = None, inherited: float = 0.0) -> Way:
    said = np.zeros((len(pages), 8), np.int32)
    for row, numbers in enumerate(words or []):
        said[row, : len(numbers)] = numbers
    return Way(np.array(pages, np.int32), said, np.full(len(pages), inherited))


def test_a_crawl_is_dry_when_its_last_pages_are_far_below_its_best() -> None:
    assert not crawled([1.0] * 60).is_dry
    assert not crawled([1.0] * 60 + [0.0] * 40).is_dry
    assert crawled([1.0] * 60 + [0.0] * 100).is_dry


def test_a_crawl_that_never_found_anything_is_not_dry() -> None:
    assert not crawled([0.0] * 200).is_dry


def test_pages_of_an_unknown_kind_come_before_those_that_led_nowhere_and_after_those_that_paid() -> None:
    tunnels = crawled([0.5] * 12)
    for page, keywords in enumerate(([1, 2], [1, 2], [5, 6], [5, 6], [1, 2], [3, 4])):
        tunnels.name(page, np.array(keywords, np.int32))
    for page in (0, 1, 2):
        tunnels.follow(page, 6, 0.0)
    tunnels.correct(2, 0.9)
    nowhere, unknown, paid = tunnels.odds(way([4, 5, 3]), SoftBayes()).tolist()
    assert nowhere < unknown < paid


def test_new_words_of_a_link_and_a_relevant_way_speak_for_it() -> None:
    tunnels, words = crawled([0.5] * 12), SoftBayes()
    tunnels.name(0, np.array([1], np.int32))
    words.learn(np.zeros(1, np.int64), np.array([7]), np.array([0.0]))
    known, new, silent = tunnels.odds(way([0, 0, 0], [[7], [8], []]), words).tolist()
    assert known < silent < new
    assert tunnels.odds(way([0], inherited=0.5), words)[0] == silent + 0.5


def test_words_that_pages_off_topic_are_about_are_new_on_no_link() -> None:
    tunnels = crawled([0.5] * 12)
    tunnels.name(0, np.array([1], np.int32))
    tunnels.name(1, np.array([70], np.int32))
    of_shops, of_caves = signs_of_words(np.array([70, 80], np.int32)).tolist()
    shops, caves = tunnels.odds(way([0, 0], [[of_shops], [of_caves]]), SoftBayes()).tolist()
    assert caves == shops + 1


def test_pages_of_which_the_keywords_were_never_tried_come_first() -> None:
    tunnels = crawled([0.5] * 12)
    for page, keywords in enumerate(([1, 2], [1, 2], [1, 3], [3, 4])):
        tunnels.name(page, np.array(keywords, np.int32))
    tunnels.follow(0, 6, 0.0)
    known, half, new = tunnels.odds(way([1, 2, 3]), SoftBayes()).tolist()
    assert known + 0.4 < half < new - 0.4


def test_a_page_that_turns_out_to_be_worth_more_speaks_for_its_kind() -> None:
    tunnels = crawled([0.5] * 12)
    tunnels.name(0, np.array([1, 2], np.int32))
    tunnels.follow(0, 3, 0.0)
    before = tunnels.odds(way([0]), SoftBayes())[0]
    tunnels.correct(3, 0.8)
    assert tunnels.odds(way([0]), SoftBayes())[0] == before
    tunnels.correct(0, 0.8)
    assert tunnels.odds(way([0]), SoftBayes())[0] > before


def test_a_page_off_topic_counts_once_however_many_of_its_links_were_followed() -> None:
    once, often = crawled([0.5] * 12), crawled([0.5] * 12)
    for tunnels, times in ((once, 1), (often, 9)):
        tunnels.name(0, np.array([1, 2], np.int32))
        for _ in range(times):
            tunnels.follow(0, 3, 0.0)
    assert once.odds(way([0]), SoftBayes())[0] == often.odds(way([0]), SoftBayes())[0]


def test_a_way_to_a_page_of_a_kind_that_paid_is_promising_before_anything_was_found_behind_it() -> None:
    tunnels = crawled([0.5] * 12)
    kinds = {0: [1, 2], 1: [1, 2], 2: [5, 6], 3: [5, 6], 4: [1, 2], 5: [7, 8]}
    for page, keywords in kinds.items():
        tunnels.name(page, np.array(keywords, np.int32))
    for paid in (2, 3):
        tunnels.follow(paid, 6, 0.0)
        tunnels.correct(paid, 0.9)
    tunnels.follow(0, 5, 0.0)
    before = tunnels.odds(way([4]), SoftBayes())[0]
    tunnels.follow(1, 2, 0.9)
    assert tunnels.odds(way([4]), SoftBayes())[0] <= before, "a relevant page counts as what it is worth"
    tunnels.follow(1, 2, 0.0)
    hoped = tunnels.odds(way([4]), SoftBayes())[0]
    assert hoped > before
    tunnels.correct(1, 0.2)
    assert tunnels.odds(way([4]), SoftBayes())[0] == hoped, "what was taken on account is not counted twice"
    tunnels.correct(1, 0.6)
    assert tunnels.odds(way([4]), SoftBayes())[0] > hoped


def test_links_of_a_kind_that_paid_need_not_wait_for_their_share() -> None:
    tunnels = crawled([1.0] * 60 + [0.0] * 100)
    for number in range(160, 360):
        tunnels.arrive(number, 0.1, is_tried=number % 2 == 0)
    assert round(tunnels.share * 10) == 5
    assert tunnels.wanted(np.array([0.0] * 20), 10, 0) == 5
    assert tunnels.wanted(np.array([0.0] * 20), 10, 2) == 3
    assert tunnels.wanted(np.array([0.0] * 20 + [4.0] * 20), 10, 2) == 8
    assert tunnels.wanted(np.array([0.0] * 20 + [4.0]), 10, 2) == 3


def test_the_share_of_the_budget_follows_what_both_kinds_of_links_yield() -> None:
    found = [1.0] * 60 + [0.0] * 100

    def share(tried: float, others: float) -> float:
        tunnels = crawled(found)
        for number in range(160, 560):
            tunnels.arrive(number, (tried, others)[number % 2], is_tried=number % 2 == 0)
        return tunnels.share

    assert share(0.0, 0.1) < 0.05 < 0.15 < share(0.05, 0.1) < 0.5 < share(0.2, 0.1)
    assert share(0.0, 0.0) == pytest.approx(0.9), (
        "where nothing yields anything, ways that were not gone yet are what is left"
    )


def test_hope_fades_with_every_way_that_led_nowhere_and_is_there_again_when_one_leads_on() -> None:
    tunnels = crawled([1.0] * 60 + [0.0] * 100)
    for number in range(160, 560):
        tunnels.arrive(number, 0.03 if number % 2 else 0.0, is_tried=number % 2 == 0)
    faded = tunnels.share  # of 1.00 at the best 3 %, by 1 + 200 / 12, against what others yield
    assert faded == pytest.approx(0.003**2 / (0.003**2 + 0.03**2), rel=0.1)
    tunnels.correct(500, 0.5)
    assert tunnels.share > 10 * faded
    for number in range(560, 760):
        tunnels.arrive(number, 0.03 if number % 2 else 0.0, is_tried=number % 2 == 0)
    assert tunnels.share < 2 * faded
    again = Tunnels()
    again.restore(tunnels.state())
    assert again.share == tunnels.share


def test_what_was_saved_goes_on_alike() -> None:
    tunnels = crawled([1.0] * 60 + [0.0] * 100)
    tunnels.name(0, np.array([1, 2], np.int32))
    tunnels.name(1, np.array([70], np.int32))
    tunnels.follow(0, 3, 0.0)
    tunnels.correct(0, 0.3)
    again = Tunnels()
    again.restore(tunnels.state())
    assert again.is_dry
    assert again.share == tunnels.share
    ways = way([0, 0], [signs_of_words(np.array([70, 80], np.int32)).tolist(), [5]])
    assert again.odds(ways, SoftBayes()).tolist() == tunnels.odds(ways, SoftBayes()).tolist()


def test_guide_finds_far_more_behind_tunnels_of_two_hops_than_best_first(tmp_path: Path) -> None:
    web = SyntheticWeb(pages=1600, hosts=30, topics=6, tunnels=60, tunnel_lengths=(2,), hidden=5, seed=3)
    write_corpus(tmp_path / "web", web)
    corpus = Corpus.open(tmp_path / "web")
    hidden = {
        web.url(page)
        for page in range(web.pages)
        if web.plan.spot(page).kind is Kind.HIDDEN and web.topic_of(page) == 0
    }
    (task,) = protocol_w.tasks(corpus, settings=("near",), topics=[web.label_of(0)], pages=700)
    found = {
        use: len(
            hidden.intersection(
                replay(
                    corpus,
                    task,
                    lambda use=use: fitted_strategy({"use": use}, task.topic),
                    lambda: make_judge({"use": "blend"}, task.topic),
                ).fetched
            )
        )
        for use in ("guide", "best-first")
    }
    assert found["guide"] >= 0.5 * len(hidden)
    assert found["best-first"] <= 0.2 * len(hidden)
