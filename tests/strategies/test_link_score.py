from collections.abc import Sequence
from math import log
from typing import Any

import pytest

from honeyguide.config import parse_use
from honeyguide.errors import ConfigError, ErrorKind
from honeyguide.model import Candidate, Example, Level, Link, Page, Place, Term, Topic, Verdict, Visit
from honeyguide.naming import fitted_strategy
from honeyguide.strategies.link_score import LinkScore
from honeyguide.testing import check_strategy, example_visits

BRANCH = (
    Level("Companies", (Example("Microarray facility. A microarray facility sells a DNA chip."),)),
    Level("Bioinformatics", (Example("Sequence database. A protein database holds sequences."),)),
    Level("Biology", ()),
    Level("Science", (Example("Laboratory work. Science needs a laboratory and work."),)),
)
TOPIC = Topic("companies", branch=BRANCH)
NONE = len(BRANCH) + 1
URL = "https://site.example/page"
ALL = "content+context+page+proximity+place"


def link(name: str, anchor: str = "", context: str = "", **more: Any) -> Link:
    return Link(f"https://site.example/{name}", URL, anchor, context, **more)


def visit(
    links: Sequence[Link],
    label: str = "Companies",
    *,
    through: Candidate | None = None,
    score: float = 0.9,
    judge: str = "lexical-levels@1",
    text: str = "",
) -> Visit:
    candidate = through or Candidate(Link(URL), 0.0)
    page = Page(candidate.url, text=text, language="en", links=tuple(links))
    return Visit(
        candidate, page=page, verdict=Verdict(score, score > 0.5, 0.0, label, judge=judge), status=200
    )


def made(**parameters: Any) -> LinkScore:
    return LinkScore(least_cvalue=0.0, **parameters).fit(TOPIC, None)


def levels(strategy: LinkScore, *links: Link, label: str = "Companies") -> list[float]:
    """What a strategy with one feature and the linear rule gives each link."""
    return [-candidate.score for candidate in strategy.expand(visit(links, label))]


def test_content_is_the_level_whose_terms_are_most_like_the_anchor() -> None:
    anchors = ("DNA microarray facility", "Protein databases", "laboratory", "Contact us", "", "登革热")
    found = levels(
        made(features="content", rule="linear", weights=(1.0,)), *(link("x", anchor) for anchor in anchors)
    )
    assert found == [1, 2, 4, NONE, NONE, NONE]


def test_around_a_link_without_words_of_its_own_no_word_is_cut_in_two() -> None:
    strategy = made(features="context", rule="linear", weights=(1.0,), w=2)
    assert levels(strategy, link("x", "", "one laboratory two")) == [4]
    assert levels(strategy, link("x", "a passage that is not there", "one laboratory two")) == [4]


def test_context_is_the_level_of_the_words_on_each_side_but_not_of_the_anchor() -> None:
    strategy = made(features="context", rule="linear", weights=(1.0,), w=2)
    found = levels(
        strategy,
        link("left", "here", "see our microarray facility here for more of it"),
        link("right", "here", "look here, laboratory (in Leeds)"),
        link("far", "here", "the protein database of all is here and not there"),
        link("own", "microarray facility", "visit the microarray facility or do not"),
        link("no anchor", "", "to the database"),
        link("twice", "database", "database of things that is a database facility"),
        link("nothing"),
    )
    assert found == [1, 4, NONE, NONE, 2, 1, NONE]


def test_a_word_said_twice_around_a_link_counts_on_the_side_where_the_link_stands() -> None:
    strategy = made(features="context", rule="linear", weights=(1.0,), w=1)
    context = "laboratory here one two three four facility here one two three four here"
    assert levels(strategy, link("x", "here", context)) == [1]


@pytest.mark.parametrize(
    ("label", "level"),
    [("Companies", 1), ("Biology", 3), ("none", NONE), ("duplicate", NONE), ("language", NONE)],
)
def test_page_is_the_level_that_the_lexical_levels_judge_says(label: str, level: int) -> None:
    strategy = made(features="page", rule="linear", weights=(1.0,))
    assert levels(strategy, link("x"), label=label) == [level]


@pytest.mark.parametrize(
    ("text", "level"), [("A microarray facility.", 1), ("The laboratory.", 4), ("Roses.", NONE), ("", NONE)]
)
def test_where_another_judge_judges_the_page_is_compared_here(text: str, level: int) -> None:
    strategy = made(features="page", rule="linear", weights=(1.0,))
    seen = visit([link("x")], "", judge="svm@1", text=text)
    assert [-candidate.score for candidate in strategy.expand(seen)] == [level]


def test_a_page_refused_before_it_was_judged_belongs_nowhere() -> None:
    strategy = made(features="page", rule="linear", weights=(1.0,))
    seen = visit([link("x")], "language", judge="screened@1", text="A microarray facility.")
    assert [-candidate.score for candidate in strategy.expand(seen)] == [NONE]


def test_ties_go_to_the_lower_level() -> None:
    branch = (Level("near", (Example("gene food"),)), Level("far", (Example("gene food"),)))
    strategy = LinkScore(features="content", rule="linear", weights=(1.0,), least_cvalue=0.0)
    strategy.fit(Topic("t", branch=branch), None)
    assert levels(strategy, link("x", "gene food")) == [1]


def test_with_background_what_is_most_like_it_belongs_nowhere() -> None:
    topic = Topic(
        "t", branch=BRANCH, off_topic=(Example("A rose garden. The garden has a laboratory of roses."),)
    )
    anchors = [link("x", "rose garden"), link("y", "microarray facility")]
    parameters = {"features": "content", "rule": "linear", "weights": (1.0,), "least_cvalue": 0.0}
    beside = LinkScore(background=True, **parameters).fit(topic, None)  # type: ignore[arg-type]
    assert levels(beside, *anchors) == [NONE, 1]
    assert beside.needs == ("examples", "background")


def test_the_product_of_the_levels_orders_links() -> None:  # GT eq. 3.8
    context = "a database here"
    links = [
        link("x", "here", context),
        link("y", "laboratory", context),
        link("z", "DNA", "facility DNA chip"),
    ]
    found = list(made().expand(visit(links, "Bioinformatics")))
    products = [NONE * 2 * 2, 4 * 2 * 2, 1 * 1 * 2]
    assert [candidate.score for candidate in found] == pytest.approx([-log(product) for product in products])
    assert found[0].parts == pytest.approx({"content": -log(NONE), "context": -log(2), "page": -log(2)})
    assert all(candidate.memo is None for candidate in found)


def test_the_linear_rule_weighs_the_levels() -> None:  # GT eq. 3.9, table 5.5
    one = link("x", "laboratory", "a database laboratory")
    (found,) = made(rule="linear").expand(visit([one]))
    assert found.parts == pytest.approx({"content": -0.062 * 4, "context": -0.627 * 2, "page": -0.311 * 1})
    (found,) = made(rule="linear", features="page+content", weights=(0.25, 0.75)).expand(visit([one]))
    assert found.parts == pytest.approx({"content": -0.75 * 4, "page": -0.25 * 1})


def test_with_c_values_a_weighty_term_decides() -> None:  # GT eq. 3.5, 3.6
    branch = (
        Level("near", (Example("gene food"),)),
        Level("far", (Example("Gene food, gene food. Gene food; gene food."),)),
    )
    for feature, one in (("content", link("x", "gene food")), ("context", link("x", "", "gene food"))):
        plain = LinkScore(features=feature, rule="linear", weights=(1.0,), least_cvalue=0.0)
        heavy = LinkScore(features=feature, rule="linear", weights=(1.0,), least_cvalue=0.0, cvalue=True)
        assert levels(plain.fit(Topic("t", branch=branch), None), one) == [1]
        assert levels(heavy.fit(Topic("t", branch=branch), None), one) == [2]


def test_a_topic_without_examples_is_known_by_its_words() -> None:
    terms = (Term("aedes aegypti"), Term("malaria", -1.0), Term("rose AND garden"))
    strategy = LinkScore(features="content", rule="linear", weights=(1.0,))
    strategy.fit(Topic("dengue fever", keywords=("mosquito",), vocabulary=terms), None)
    anchors = ("Dengue", "mosquitoes", "Aedes", "malaria", "rose")
    assert levels(strategy, *(link("x", anchor) for anchor in anchors)) == [1, 1, 1, 2, 2]


def test_links_near_those_that_led_to_the_target_come_first() -> None:
    strategy = made(features="proximity")
    paths = {"good": "ul[1]/li[1]", "near": "ul[1]/li[2]", "bad": "ul[2]/li[1]", "beside": "ul[2]/li[2]"}
    waiting = {
        candidate.link.url.rpartition("/")[2]: candidate
        for candidate in strategy.expand(visit([link(name, path=path) for name, path in paths.items()]))
    }
    assert len({candidate.score for candidate in waiting.values()}) == 1
    list(strategy.expand(visit([], "Companies", through=waiting["good"])))
    list(strategy.expand(visit([], "none", through=waiting["bad"])))
    near, beside = strategy.revise([waiting["near"], waiting["beside"]]) or ()
    assert near > beside
    assert sum((strategy.explain(waiting["near"]) or {}).values()) == pytest.approx(near)


def test_places_that_led_to_the_target_come_first() -> None:
    strategy = made(features="place", rule="linear")
    places = {"good": Place.BODY, "text": Place.BODY, "bad": Place.NAVIGATION, "menu": Place.NAVIGATION}
    waiting = list(strategy.expand(visit([link(name, place=place) for name, place in places.items()])))
    list(strategy.expand(visit([], "Companies", through=waiting[0])))
    list(strategy.expand(visit([], "none", through=waiting[2])))
    text, menu = strategy.revise([waiting[1], waiting[3]]) or ()
    assert text > menu


def test_what_a_visit_was_worth_to_another_judge_is_its_relevance() -> None:
    strategy = made(features="place", rule="linear", weights=(1.0,))
    one, other = strategy.expand(visit([link("x"), link("y")]))
    list(strategy.expand(visit([], "", through=one, score=0.25, judge="svm@1")))
    # The seed was worth 1, the link 1 + 4 * .75 = 4, and so the crawl 2.5; one note against three of that.
    assert strategy.revise([other]) == pytest.approx([-(4 + 3 * 2.5) / 4])


def crawl(strategy: LinkScore, visits: int = 60) -> None:
    """A crawl in which anchors lie and the words around links tell the truth."""
    number = 0
    links = [
        link(
            f"{at}",
            "laboratory" if at % 2 else "facility",
            "a laboratory facility here" if at % 3 else "chip DNA",
        )
        for at in range(visits)
    ]
    waiting = list(strategy.expand(visit(links)))
    for number, candidate in enumerate(waiting):
        list(strategy.expand(visit([], "none" if number % 3 else "Companies", through=candidate)))


@pytest.mark.parametrize("learn", ["queue", "crawl"])
@pytest.mark.parametrize("rule", ["product", "linear"])
def test_weights_are_learned_from_what_links_led_to(learn: str, rule: str) -> None:
    strategy = made(features="content+place", learn=learn, rule=rule)
    crawl(strategy)
    assert strategy.state()["learned"]["learned_at"] > 0
    assert sum(strategy.state()["learned"]["weights"]) == pytest.approx(1)
    again = made(features="content+place", learn=learn, rule=rule)
    crawl(again)
    assert again.state()["learned"]["weights"] == strategy.state()["learned"]["weights"]


def test_a_feature_that_tells_the_truth_gains_weight_over_one_that_lies() -> None:
    strategy = made(features="content+context", rule="linear", weights=(0.9, 0.1), learn="queue", w=3)
    links = [
        link(
            f"{at}", "laboratory" if at % 3 == 0 else "facility", "a chip" if at % 3 == 0 else "the database"
        )
        for at in range(60)
    ]
    for number, candidate in enumerate(list(strategy.expand(visit(links)))):
        list(strategy.expand(visit([], "none" if number % 3 else "Companies", through=candidate)))
    content, context = strategy.state()["learned"]["weights"]
    assert content < context


def test_an_earlier_crawl_is_learned_from() -> None:
    class Log(list[Visit]):
        def backlinks(self, url: str) -> list[str]:
            return []

    links = [link(f"{at}", "laboratory" if at % 2 else "facility", place=Place.LIST) for at in range(30)]
    visits = [visit(links)]
    visits += [visit([], "none", through=Candidate(one, 0.0, 1)) for one in links]
    strategy = LinkScore(least_cvalue=0.0, features=ALL, learn="crawl").fit(TOPIC, Log(visits))
    learned = strategy.state()["learned"]
    assert (strategy.state()["visits"], learned["followed"], learned["learned_at"]) == (31, 30, 25)
    assert len(learned["visited"]) == 30


def test_a_failure_leads_nowhere_and_teaches_nothing() -> None:
    strategy = made(features=ALL, learn="crawl")
    assert list(strategy.expand(Visit(Candidate(Link(URL), 0.0), error=ErrorKind.TIMEOUT))) == []
    assert strategy.state()["visits"] == 0


def test_scores_that_never_change_are_not_revised() -> None:
    strategy = made()
    found = list(strategy.expand(visit([link("x", "facility")])))
    assert strategy.revise(found) is None
    assert strategy.explain(found[0]) is None
    assert strategy.state() == {}


@pytest.mark.parametrize(
    "parameters",
    [
        {"features": "content+colour"},
        {"features": "page+page"},
        {"features": ""},
        {"rule": "sum"},
        {"learn": "later"},
        {"weights": (1.0,)},
        {"weights": (1.0, 0.0, 1.0)},
        {"w": 0},
        {"w": 13},
        {"terms_per_level": 0},
        {"least_cvalue": -1.0},
        {"every": 0},
        {"seed": -1},
    ],
)
def test_a_parameter_that_means_nothing_is_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="Link-score"):
        LinkScore(**parameters)


def test_before_it_knows_a_topic_it_says_so() -> None:
    with pytest.raises(ConfigError, match="fit it first"):
        list(LinkScore().expand(visit([link("x")])))


@pytest.mark.parametrize(
    "use",
    [
        "link-score:features=content",
        "link-score:features=page,rule=linear",
        "link-score:cvalue=true,w=8,background=true",
        "link-score:features=proximity+place",
        f"link-score:features={ALL},learn=queue,every=1",
        f"link-score:features={ALL},learn=crawl,every=1,rule=linear",
    ],
)
def test_every_variant_keeps_the_promises_of_strategies(use: str) -> None:
    visits = example_visits()
    topic = Topic("dengue fever", examples=(Example("Dengue fever. The mosquito carries dengue fever."),))
    check_strategy(lambda: fitted_strategy(parse_use(use), topic), visits)
    long = LinkScore(features=ALL, learn="crawl", every=5)
    first = long.fit(topic, None)
    candidates = [candidate for one in visits for candidate in first.expand(one)]
    followed = [*visits, *(visit([], through=candidate) for candidate in candidates)]
    check_strategy(
        lambda: LinkScore(features=ALL, learn="crawl", every=5).fit(topic, None), [*followed, *visits]
    )
