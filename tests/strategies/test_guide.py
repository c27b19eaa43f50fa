"""The strategy as a whole; its parts have tests of their own."""

import math
from dataclasses import replace

import pytest
from small_crawl import SITE

from honeyguide.errors import ConfigError, ErrorKind
from honeyguide.frontier.memory import MemoryFrontier
from honeyguide.model import Candidate, Example, Link, Origin, Page, Topic, Verdict, Visit
from honeyguide.strategies import guide as module
from honeyguide.strategies.guide import BLOCKS, Guide
from honeyguide.strategies.patience import PAGES
from honeyguide.strategies.promises import BARREN, TRIED
from honeyguide.testing import check_strategy, example_visits

TOPIC = Topic(
    "dengue fever",
    keywords=("mosquito",),
    examples=(Example("Dengue is a fever that mosquitoes carry.", "Dengue"),),
    background=(
        Example("Railway stations and timetables of trains.", "Trains"),
        Example("Recipes for bread, butter and cake.", "Bread"),
    ),
)


def guide(topic: Topic = TOPIC) -> Guide:
    return Guide().fit(topic, None)


def page(url: str, links: list[Link], relevance: float, *, by: Candidate | None = None) -> Visit:
    candidate = by or Candidate(Link(url), 1e9)
    verdict = Verdict(relevance, relevance > 0.5, relevance - 0.5)
    return Visit(candidate, page=Page(url, text="words", links=tuple(links)), verdict=verdict, status=200)


@pytest.mark.parametrize("topic", [TOPIC, Topic("dengue fever")], ids=["examples", "words"])
def test_it_keeps_the_promises_of_a_strategy(topic: Topic) -> None:
    check_strategy(lambda: guide(topic), example_visits())


def test_of_two_links_on_one_page_the_one_that_speaks_of_the_topic_comes_first() -> None:
    links = [Link(SITE + "1", SITE, "Trains"), Link(SITE + "2", SITE, "Dengue fever and mosquitoes")]
    strategy = guide()
    trains, dengue = strategy.expand(page(SITE, links, 0.5))
    assert dengue.score > trains.score
    of_trains, of_dengue = map(strategy.explain, (trains, dengue))
    assert of_trains
    assert of_dengue
    assert of_dengue["words of its links"] > of_trains["words of its links"]
    assert of_dengue["pages that link to it"] == of_trains["pages that link to it"]


WRITTEN = "how its links and address are written"


def test_examples_teach_how_good_pages_are_addressed() -> None:
    def at(name: str) -> Example:
        return Example("Somebody who studies fevers.", "Home page", f"https://{name}.example/~{name}/")

    def told(examples: tuple[Example, ...]) -> list[float]:
        strategy = guide(replace(TOPIC, examples=examples))
        links = [Link(SITE + "~curie/", SITE, "here"), Link(SITE + "news/one.html", SITE, "here")]
        return [(strategy.explain(found) or {})[WRITTEN] for found in strategy.expand(page(SITE, links, 0.5))]

    home, news = told((at("newton"), at("kelvin")))
    assert home > news
    home, news = told((Example("Somebody who studies fevers.", "Home page"),))
    assert home == pytest.approx(news)


def test_links_written_like_those_that_paid_rise_though_their_words_are_others() -> None:
    strategy = guide()
    links = [
        *(Link(f"{SITE}{n}", SITE, name) for n, name in enumerate(("Ada Mill", "Eve Stone", "Tom Reed"))),
        *(Link(f"{SITE}{n}", SITE, name) for n, name in enumerate(("old stations", "fresh loaves"), 3)),
        Link(SITE + "person", SITE, "Max Rivers"),
        Link(SITE + "thing", SITE, "steel bridges"),
    ]
    found = {one.url: one for one in strategy.expand(page(SITE, links, 0.5))}
    for number in range(5):
        url = f"{SITE}{number}"
        list(strategy.expand(page(url, [], 0.9 if number < 3 else 0.0, by=found[url])))
    person, thing = (strategy.explain(found[SITE + name]) or {} for name in ("person", "thing"))
    assert person[WRITTEN] > thing[WRITTEN]


KIND = "what kind of thing its links and address name"


def kind_of_links(strategy: Guide, names: tuple[str, ...]) -> list[float]:
    """What the kinds of things that links name count, all on a page that says nothing."""
    links = [Link(f"{SITE}named/{name}", SITE, name) for name in names]
    return [
        (strategy.explain(found) or {})[KIND] for found in strategy.expand(page(SITE + "names", links, 0.5))
    ]


@pytest.mark.parametrize(
    "topic",
    [
        replace(TOPIC, examples=(Example("It sings.", "Robin"), Example("It flies.", "Keel-billed toucan"))),
        Topic("birds", background=TOPIC.background),
    ],
    ids=["examples", "words"],
)
def test_links_that_name_things_of_the_kind_asked_for_come_first(topic: Topic) -> None:
    bird, vehicle, unknown = kind_of_links(guide(topic), ("Whooper swans", "Locomotive", "qwrtz"))
    assert bird > unknown > vehicle


def test_addresses_that_are_written_as_names_name_things_as_links_do() -> None:
    strategy = guide(replace(TOPIC, examples=(Example("It sings.", "Robin"),)))
    links = [
        Link(f"{SITE}{last}", SITE, "more") for last in ("Keel-billed_toucan.html", "toucan.html", "Tractor")
    ]
    bird, page_of_birds, vehicle = (
        (strategy.explain(found) or {})[KIND] for found in strategy.expand(page(SITE, links, 0.5))
    )
    assert bird > page_of_birds > vehicle


def test_what_kinds_of_things_pay_is_learned_and_learned_anew() -> None:
    strategy = guide()
    links = [Link(f"{SITE}{name}", SITE, name) for name in ("robin", "eagle", "swan", "tractor", "lorry")]
    found = {one.url: one for one in strategy.expand(page(SITE, links, 0.5))}
    for number, (url, by) in enumerate(found.items()):
        list(strategy.expand(page(url, [], 0.9 if number < 3 else 0.0, by=by)))
    bird, vehicle = kind_of_links(strategy, ("Dodo", "Ambulance"))
    assert bird > vehicle
    strategy.rejudged(
        (url, Verdict(float(number >= 3), number >= 3, 0.0)) for number, url in enumerate(found)
    )
    bird, vehicle = kind_of_links(strategy, ("Dodo", "Ambulance"))
    assert bird < vehicle


def test_a_seed_that_is_judged_anew_changes_nothing_that_was_learned_from_links() -> None:
    def good(later: float) -> list[float]:
        """How good all links were that each learner has met."""
        strategy = guide()
        list(strategy.expand(page(SITE, [Link(SITE + "robin", SITE, "robin")], 0.9)))
        strategy.rejudged([(SITE, Verdict(later, later > 0.5, 0.0))])
        return [strategy.state()[learner]["good"] for learner in ("bayes", "signs", "kinds")]

    assert good(0.9) == good(0.0)


def test_a_page_that_links_to_good_pages_known_before_speaks_for_its_other_links() -> None:
    def beside(worth: float) -> float:
        strategy = guide()
        list(strategy.expand(page(SITE + "known", [], worth)))
        links = [Link(SITE + name, SITE, "here", path="html/ul/li/a") for name in ("known", "new")]
        (found,) = strategy.expand(page(SITE, links, 0.5))
        return (strategy.explain(found) or {})["what the links beside it led to"]

    assert beside(0.9) > beside(0.1)


@pytest.mark.parametrize("relevance", [0.1, 0.5])
def test_all_pages_that_link_to_a_url_count_not_only_the_best(relevance: float) -> None:
    def after(second: float) -> float:
        strategy = guide()
        list(strategy.expand(page(SITE + "a", [Link(SITE + "x", SITE + "a", "here")], 0.9)))
        (found,) = strategy.expand(page(SITE + "b", [Link(SITE + "x", SITE + "b", "here")], second))
        return found.score

    assert after(relevance + 0.2) > after(relevance)


def test_words_of_links_are_read_on_a_few_pages_and_on_better_ones_while_all_pages_count() -> None:
    def parts(words: str, relevance: float) -> dict[str, float]:
        strategy = guide()
        for number in range(module.READ + 1):
            source, is_last = f"{SITE}{number}", number == module.READ
            link = Link(SITE + "x", source, words if is_last else "trains")
            (found,) = strategy.expand(page(source, [link], relevance if is_last else 0.5))
        return dict(strategy.explain(found) or {})

    unread, same = parts("dengue fever", 0.4), parts("trains", 0.4)
    assert unread["words of its links"] == pytest.approx(same["words of its links"])
    assert unread["pages that link to it"] > parts("dengue fever", 0.1)["pages that link to it"]
    read, other = parts("dengue fever", 0.6), parts("trains", 0.6)
    assert read["words of its links"] > other["words of its links"]


def test_a_url_linked_twice_on_a_page_is_one_candidate_and_counts_once() -> None:
    link = Link(SITE + "x", SITE, "dengue")
    strategy = guide()
    (found,) = strategy.expand(page(SITE, [link, link._replace(anchor="more")], 0.5))
    (alone,) = guide().expand(page(SITE, [link], 0.5))
    assert found == alone


def test_what_was_visited_or_refused_is_offered_no_more() -> None:
    strategy = guide()
    links = [Link(SITE + name, SITE, name) for name in ("a", "b", "c")]
    found = {one.url: one for one in strategy.expand(page(SITE, links, 0.5))}
    strategy.refused(SITE + "b")
    again = strategy.expand(page(SITE + "a", links, 0.5, by=found[SITE + "a"]))
    assert [one.url for one in again] == [SITE + "c"]
    assert {url for url, _ in strategy.changes()} <= {SITE + "c"}


def test_links_like_those_that_paid_rise_and_links_like_those_that_did_not_fall() -> None:
    strategy = guide()
    paid = [Link(f"{SITE}good{number}", SITE, "Notes of a field trip", path="ul") for number in range(30)]
    lost = [Link(f"{SITE}bad{number}", SITE, "Prices and tickets", path="div") for number in range(30)]
    found = {one.url: one for one in strategy.expand(page(SITE, paid + lost, 0.4))}
    before = found[paid[29].url].score - found[lost[29].url].score
    scores: dict[str, float] = {}
    for number in range(29):
        for links, relevance in ((paid, 0.9), (lost, 0.0)):
            url = links[number].url
            list(strategy.expand(page(url, [], relevance, by=found[url])))
            scores.update(strategy.changes())
    assert scores[paid[29].url] - scores[lost[29].url] > before + 1


def test_of_many_urls_those_far_from_the_front_stay_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where everything moves, what comes to the front or leaves it is told, and nothing else is."""
    where = ["sea", "river", "lake", "forest", "island", "desert", "canyon", "glacier", "volcano", "valley"]
    paid = [Link(f"{SITE}good{n}", SITE, f"Notes of a field trip to the {where[n % 10]}") for n in range(20)]
    lost = [Link(f"{SITE}bad{n}", SITE, "Prices and tickets") for n in range(20)]

    def scores(top: int, front: int) -> tuple[dict[str, float], dict[str, float]]:
        """What is told when all are scored anew, and when those in front are."""
        monkeypatch.setattr(module, "TOP", top)
        monkeypatch.setattr(module, "FRONT", front)
        strategy = Guide(every=1).fit(TOPIC, None)
        found = {one.url: one for one in strategy.expand(page(SITE, paid + lost, 0.4))}
        for links, relevance in ((paid, 0.9), (lost, 0.0)):
            for link in links[:10]:
                list(strategy.expand(page(link.url, [], relevance, by=found[link.url])))
        whole = dict(strategy.changes())
        list(strategy.expand(page(paid[10].url, [], 1.0, by=found[paid[10].url])))
        return whole, dict(strategy.changes())

    every, _ = scores(40, 40)
    assert len(every) == 20
    some, later = scores(10, 10)
    assert some == {url: score for url, score in every.items() if "good" in url}
    _, first = scores(10, 1)
    best = max(later.values())
    assert 0 < len(first) < len(later)
    assert first == {url: score for url, score in later.items() if max(score, some.get(url, 0.0)) >= best}


def test_the_front_of_the_queue_is_right_however_few_are_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    where = ["sea", "river", "lake", "forest", "island", "desert", "canyon", "glacier", "volcano", "valley"]
    links = [Link(f"{SITE}{n}", SITE, f"Notes from the {where[n % 10]}", path=f"p{n % 7}") for n in range(90)]
    order: list[str] = []

    def fronts(most: int) -> tuple[int, list[list[float]]]:
        """How many are moved, so many at a time, and the three best scores in the queue after every page."""
        monkeypatch.setattr(module, "FRONT", most)
        strategy = Guide(every=1).fit(TOPIC, None)
        found = {one.url: one for one in strategy.expand(page(SITE, links, 0.4))}
        standing = {url: one.score for url, one in found.items()}
        moved, best = 0, []
        for visit in range(60):
            if len(order) == visit:
                order.append(max(standing, key=standing.__getitem__))
            url = order[visit]
            relevance = (int(url.removeprefix(SITE)) * visit) % 11 / 11
            del standing[url]
            list(strategy.expand(page(url, [], relevance, by=found[url])))
            changes = dict(strategy.changes())
            standing |= changes
            moved += len(changes)
            best.append(sorted(standing.values())[-3:])
        return moved, best

    every, right = fronts(len(links))
    few, found = fronts(3)
    assert few < every / 2
    for now, wanted in zip(found, right, strict=True):
        assert now == pytest.approx(wanted, abs=2 * module.MOVED)


def test_the_first_urls_of_a_host_far_behind_are_moved_because_better_hosts_may_have_to_be_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A polite crawl takes the best URL of a host that is due, however many better ones wait elsewhere."""
    monkeypatch.setattr(module, "TOP", 10)
    monkeypatch.setattr(module, "FRONT", 10)
    strategy = Guide(every=2).fit(TOPIC, None)
    good = [Link(f"https://good.example/{n}", SITE, f"Dengue fever, part {n}") for n in range(40)]
    poor = [Link(f"https://poor.example/{n}", SITE, "Tickets", path="ol") for n in range(20)]
    poor += [Link(f"https://poor.example/shop{n}", SITE, "Shop", path="ul") for n in range(20)]
    found = {one.url: one for one in strategy.expand(page(SITE, good + poor, 0.4))}
    for link, relevance in ((good[0], 1.0), (poor[0], 0.4), (poor[20], 0.0)):
        list(strategy.expand(page(link.url, [], relevance, by=found[link.url])))
    told = dict(strategy.changes())
    behind = [url for url in told if "poor" in url]
    assert len(told) - len(behind) >= 10
    assert len(behind) == 2
    standing = {url: one.score for url, one in found.items()} | told
    waiting = [link.url for link in poor if link not in (poor[0], poor[20])]
    assert set(behind) <= set(sorted(waiting, key=lambda url: -standing[url])[:4])


def test_a_page_off_topic_that_led_to_the_topic_makes_others_like_it_worth_going_to() -> None:
    """Portals are off topic, but behind the ones that were tried lay the topic; behind shops nothing did."""
    strategy = guide()
    portals = [Link(f"{SITE}portal{number}", SITE, "Index of departments", path="ul") for number in range(20)]
    shops = [Link(f"{SITE}shop{number}", SITE, "Sales and offers", path="ol") for number in range(20)]
    found = {one.url: one for one in strategy.expand(page(SITE, portals + shops, 0.4))}
    scores: dict[str, float] = {}
    for number in range(19):
        for kind, relevance in ((portals, 0.9), (shops, 0.0)):
            url = kind[number].url
            inside = [Link(f"{url}/{inner}", url, "next", path="p") for inner in range(3)]
            behind = list(strategy.expand(page(url, inside, 0.0, by=found[url])))
            for candidate in behind:
                list(strategy.expand(page(candidate.url, [], relevance, by=candidate)))
                scores.update(strategy.changes())
    assert scores[portals[19].url] > scores[shops[19].url]


def test_links_of_pages_that_are_judged_anew_rise_and_fall_with_them() -> None:
    strategy = guide()
    found = {}
    for name, relevance in (("good", 0.9), ("bad", 0.1)):
        links = [Link(f"{SITE}{name}/{number}", SITE + name, "read more") for number in range(3)]
        found |= {one.url: one.score for one in strategy.expand(page(SITE + name, links, relevance))}
    found |= dict(strategy.changes())
    assert found[SITE + "good/0"] > found[SITE + "bad/0"]
    verdicts = [(SITE + "good", Verdict(0.0, False, -1.0)), (SITE + "bad", Verdict(1.0, True, 1.0))]
    strategy.rejudged([*verdicts, (SITE + "never seen", Verdict(1.0, True, 1.0))])
    now = dict(strategy.changes())
    assert len(now) == 6
    assert now[SITE + "good/0"] < now[SITE + "bad/0"]


def test_hosts_that_gave_many_pages_wait_when_the_crawl_is_to_be_diverse() -> None:
    def scores(diverse: float) -> dict[str, float]:
        strategy = Guide(diverse=diverse).fit(TOPIC, None)
        links = [Link(f"https://large.example/{number}", SITE, "dengue") for number in range(9)]
        links.append(Link("https://small.example/9", SITE, "dengue"))
        found = {one.url: one for one in strategy.expand(page(SITE, links, 0.9))}
        for number in range(8):
            url = f"https://large.example/{number}"
            list(strategy.expand(page(url, [], 0.9, by=found[url])))
        return {one.url: one.score for one in found.values()} | dict(strategy.changes())

    usual, diverse = scores(0.0), scores(1.0)
    large, small = "https://large.example/8", "https://small.example/9"
    assert usual[large] >= usual[small]
    assert diverse[large] < diverse[small]
    assert usual[large] - diverse[large] == pytest.approx(math.log2(9), abs=0.02)


def test_a_site_whose_menu_names_the_topic_does_not_keep_the_crawl() -> None:
    """A shop names the topic on every link and in every address and has no end; elsewhere only "more" leads on."""
    shop = "https://shop.example/dengue-fever/mosquito-"
    strategy, waiting, visited = guide(), dict[str, Candidate](), list[str]()

    def links_of(url: str) -> list[Link]:
        if url.startswith(shop):
            first = 1 + int(url.removeprefix(shop)) * 3
            return [Link(f"{shop}{n}", url, f"Dengue fever {n}", path="nav") for n in range(first, first + 3)]
        own = int(url.removeprefix(SITE))
        return [Link(f"{SITE}{own + 1}", url, "more"), Link(f"{shop}0", url, "Dengue fever")]

    by = Candidate(Link(SITE + "0"), 1e9)
    for _ in range(200):
        visited.append(by.url)
        relevance = 0.0 if by.url.startswith(shop) else 0.9
        waiting |= {one.url: one for one in strategy.expand(page(by.url, links_of(by.url), relevance, by=by))}
        waiting |= {url: waiting[url]._replace(score=score) for url, score in strategy.changes()}
        by = waiting.pop(max(waiting, key=lambda url: waiting[url].score))
    assert sum(url.startswith(shop) for url in visited) < 50
    assert not any(url.startswith(shop) for url in visited[-100:])


def test_a_host_that_gave_nothing_for_long_waits_and_why_says_so() -> None:
    strategy = guide()
    links = [Link(f"https://barren.example/{number}", SITE, "dengue") for number in range(PAGES + 1)]
    found = {one.url: one for one in strategy.expand(page(SITE, links, 0.9))}
    *gone, last = found.values()
    for one in gone:
        before = strategy.explain(last)
        list(strategy.expand(page(one.url, [], 0.0, by=one)))
    parts = strategy.explain(last)
    assert before
    assert parts
    assert BARREN not in before
    assert parts[BARREN] == -module.WAIT


def test_a_host_whose_good_pages_were_mistakes_waits_sooner() -> None:
    strategy = guide()
    links = [Link(f"https://shop.example/{number}", SITE, "dengue") for number in range(3 * PAGES)]
    found = {one.url: one for one in strategy.expand(page(SITE, links, 0.9))}
    *gone, last = found.values()
    for number, one in enumerate(gone):
        relevance = 0.9 if number < PAGES else 0.0
        list(strategy.expand(page(one.url, [], relevance, by=one)))
    assert BARREN not in (strategy.explain(last) or {})
    strategy.rejudged((one.url, Verdict(0.0, False, -1.0)) for one in gone[:PAGES])
    assert (strategy.explain(last) or {})[BARREN] == -module.WAIT


def test_ways_off_the_topic_are_tried_on_hosts_that_gave_nothing_too_but_later_than_on_others() -> None:
    barren, other = "https://barren.example/", "https://other.example/"
    strategy = guide()
    urls = (
        [f"{SITE}{n}" for n in range(60)]
        + [f"{barren}{n}" for n in range(95)]
        + [f"{other}{n}" for n in range(5)]
    )
    found = {
        one.url: one for one in strategy.expand(page(SITE, [Link(url, SITE, "more") for url in urls], 0.9))
    }
    behind = []
    for url in urls:
        links = [] if url.startswith(SITE) else [Link(f"{url}/behind", url, "more")]
        relevance = 0.9 if url.startswith(SITE) else 0.0
        behind += list(strategy.expand(page(url, links, relevance, by=found[url])))
    list(strategy.changes())
    parts = {one.url: strategy.explain(one) or {} for one in behind}
    tried = [url for url in parts if TRIED in parts[url]]
    assert sum(url.startswith(other) for url in tried) == 5
    assert sum(url.startswith(barren) for url in tried) > 0
    assert all(BARREN not in parts[url] for url in tried)
    assert all(BARREN in parts[url] for url in parts if url.startswith(barren) and url not in tried)


def test_where_a_redirect_led_is_no_link_that_waits_whenever_it_is_found() -> None:
    strategy = guide()
    moved = page(
        SITE + "new", [Link(SITE + "other", SITE, "more")], 0.9, by=Candidate(Link(SITE + "old"), 1.0)
    )
    list(strategy.expand(moved))
    found = list(
        strategy.expand(page(SITE, [Link(SITE + "new", SITE, "Dengue"), Link(SITE + "old", SITE, "x")], 0.5))
    )
    assert found == []
    assert strategy.waiting() == [SITE + "other"]


def test_seeds_keep_their_place_whatever_links_to_them_say() -> None:
    told = replace(TOPIC, seeds=(SITE + "seed",))
    strategy = guide(told)
    links = [Link(SITE + "seed", SITE, "trains"), Link(SITE + "later", SITE, "more")]
    (later,) = strategy.expand(page(SITE, links, 0.5))
    assert later.url == SITE + "later", "its turn comes, and nothing moves it"
    seed = Candidate(Link(SITE + "later", origin=Origin.SEED), 1e9)
    for waiting, found in ((seed, later), (later, seed)):
        assert strategy.combine(waiting, found) is seed
    assert SITE + "later" not in dict(strategy.changes())
    assert SITE + "later" not in strategy.waiting()


def test_links_of_hosts_that_are_not_asked_take_nobodys_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TOP", 5)
    monkeypatch.setattr(module, "FRONT", 5)
    strategy = guide()
    strategy.every = 5
    names = [f"https://blocked.example/{n}" for n in range(9)] + [
        f"https://open.example/{n}" for n in range(5)
    ]
    links = [Link(url, SITE, "dengue fever" if "blocked" in url else "more") for url in names]
    list(strategy.expand(page(SITE, links, 0.9)))
    list(strategy.changes())

    def moved(name: str) -> set[str]:
        lesson = page(name, [Link(url, name, "more") for url in names if "open" in url], 0.9)
        list(strategy.expand(lesson))
        strategy._prospects.queued[:] = -9.0  # what the queue goes by is old
        return {host for url, _ in strategy.changes() if (host := url.split("/")[2])}

    strategy._all_at = 100
    strategy.parked("blocked.example", True)
    assert moved(SITE + "one") == {"open.example"}
    strategy.parked("blocked.example", False)
    assert "blocked.example" in moved(SITE + "two"), "and all is scored anew when they are asked again"


def test_ways_that_nobody_may_go_are_not_waited_for() -> None:
    strategy = guide()
    strategy.every = 3
    list(strategy.expand(page(SITE + "on", [], 0.9)))
    for number in range(20):
        list(strategy.expand(page(f"{SITE}good{number}", [], 0.9)))
    chosen = []
    for number in range(150):
        host = f"https://host{number}.example/"
        links = [Link(f"{host}{n}", host, f"word{number}") for n in range(3)]
        list(strategy.expand(page(host, links, 0.0)))
        chosen.append(sum(score > 10 for _, score in strategy.changes()))
    first = next(number for number, count in enumerate(chosen) if count)
    assert sum(chosen[: first + 10]) >= strategy.every
    assert not any(chosen[first + 10 : first + 3 * strategy.every]), (
        "as many as there may be are on their way"
    )
    assert sum(chosen) >= 2 * strategy.every, "none of these ways was gone, and others are tried"


def test_a_host_that_answers_that_there_is_no_page_loses_patience() -> None:
    strategy = guide()
    host = "https://gone.example/"
    list(
        strategy.expand(page(SITE, [Link(f"{host}{n}", SITE, "dengue fever") for n in range(PAGES + 1)], 0.9))
    )
    for number in range(PAGES):
        lost = Candidate(Link(f"{host}{number}"), 1.0)
        list(strategy.expand(Visit(lost, error=ErrorKind.STATUS, status=404)))
    last = Candidate(Link(f"{host}{PAGES}"), 1.0)
    assert (strategy.explain(last) or {})[BARREN] < 0
    list(strategy.expand(page(host, [], 0.9)))
    assert BARREN not in (strategy.explain(last) or {})


@pytest.mark.parametrize(
    ("kind", "status"), [(ErrorKind.STATUS, 404), (ErrorKind.TYPE, 200), (ErrorKind.KNOWN, 0)]
)
async def test_a_host_whose_links_lead_nowhere_does_not_keep_the_crawl(kind: ErrorKind, status: int) -> None:
    strategy = guide()
    frontier = MemoryFrontier(combine=strategy.combine, refused=strategy.refused, parked=strategy.parked)
    promising = [
        Link(f"https://gone.example/{n}", SITE, "dengue fever", "all about dengue fever", path="ul/li")
        for n in range(300)
    ]
    others = [Link(f"https://plain.example/{n}", SITE, "see also", path="p") for n in range(5)]
    frontier.push([Candidate(Link(SITE, origin=Origin.SEED), 1e9)])
    order = []
    while (candidate := await frontier.pop()) is not None and candidate.link not in others:
        order.append(candidate.url)
        visit = Visit(candidate, error=kind, status=status)
        if candidate.url == SITE:
            visit = page(SITE, [*promising, *others], 0.8, by=candidate)
        frontier.done(visit)
        frontier.push(strategy.expand(visit))
        frontier.reorder(strategy.changes())
    assert 1 < len(order) < 100


def test_a_page_of_very_many_blocks_is_remembered_by_its_first_ones() -> None:
    strategy = guide()
    links = [Link(f"{SITE}{n}", SITE, f"link {n}", path=f"div[{n}]/h3") for n in range(2 * BLOCKS)]
    found = list(strategy.expand(page(SITE, links, 0.8)))
    assert len(found) == len(links)
    assert len(strategy.state()["yields"]["page_of"]) == BLOCKS


def test_a_page_judged_anew_twice_at_once_is_what_it_was_found_to_be_last() -> None:
    def scores(*verdicts: float) -> list[float]:
        strategy = guide()
        list(strategy.expand(page(SITE, [Link(SITE + "a", SITE, "more")], 0.9)))
        strategy.rejudged((SITE, Verdict(score, score > 0.5, 0.0)) for score in verdicts)
        return [score for _, score in strategy.changes()]

    assert scores(0.7, 0.1) == pytest.approx(scores(0.1))


def test_when_the_topic_turns_out_to_be_harder_a_crawl_is_dry_by_the_new_measure() -> None:
    strategy = guide()
    urls = [f"{SITE}{number}" for number in range(60)]
    for url in urls:
        list(strategy.expand(page(url, [], 0.9)))
    strategy.rejudged((url, Verdict(0.05, False, 0.0)) for url in urls)
    for number in range(60):
        list(strategy.expand(page(f"{SITE}later{number}", [], 0.05)))
    assert not strategy._tunnels.is_dry


def test_no_link_starves_however_it_was_found() -> None:
    """Every URL that is offered has a finite score, also those whose links say nothing at all."""
    links = [Link(SITE + "1", SITE), Link(SITE + "2", SITE, "", "", path=""), Link(SITE + "3", SITE, "\n")]
    found = list(guide().expand(page(SITE, links, 0.0)))
    assert len(found) == 3
    assert all(math.isfinite(one.score) for one in found)


def test_an_explanation_is_of_the_moment_and_adds_up_to_the_score() -> None:
    strategy = guide()
    found = list(strategy.expand(page(SITE, [Link(SITE + "1", SITE, "a"), Link(SITE + "2", SITE, "b")], 0.9)))
    list(strategy.expand(page(found[0].url, [], 0.0, by=found[0])))
    changed = dict(strategy.changes())
    parts = strategy.explain(found[1])
    assert parts is not None
    assert math.isclose(math.fsum(parts.values()), changed[found[1].url], abs_tol=1e-6)
    assert strategy.explain(Candidate(Link(SITE + "never"), 0.0)) is None


def test_wrong_settings_are_told_in_a_sentence() -> None:
    for settings in ({"every": 0}, {"gamma": 1.5}, {"delta": -0.1}, {"penalty": 0.0}, {"diverse": -1.0}):
        with pytest.raises(ConfigError, match=r"^Guide's .*\.$"):
            Guide(**settings)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="fit it first"):
        list(Guide().expand(page(SITE, [Link(SITE + "1", SITE)], 0.5)))
