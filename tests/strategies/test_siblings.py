import json

import pytest

from honeyguide.model import Link
from honeyguide.strategies.siblings import Means, Siblings, packed, unpacked

PAGE = "https://site.example/list"


def link(name: str, path: str = "ul[1]/li[1]", source: str = PAGE) -> Link:
    return Link(f"https://site.example/{name}", source, name, path=path)


def test_a_mean_is_drawn_towards_another_figure_while_it_is_little() -> None:
    means = Means(strength=3.0)
    assert means.mean("menu", 0.5) == 0.5
    means.note("menu", 1.0)
    means.note("menu", 0.0)
    assert means.mean("menu", 0.5) == pytest.approx((1 + 3 * 0.5) / 5)


def test_the_names_noted_first_are_forgotten_first() -> None:
    means = Means(most=2)
    for name in ("a", "b", "c"):
        means.note(name, 1.0)
    assert [means.mean(name, 0.0) for name in "abc"] == [0.0, 0.25, 0.25]


def test_a_block_falls_back_to_its_page_and_that_to_the_crawl() -> None:
    siblings = Siblings(strength=3.0)
    assert siblings.expect([link("x")], 0.4) == [0.4]
    siblings.learn(link("good", "ul[1]/li[1]"), 1.0)
    siblings.learn(link("bad", "ul[2]/li[1]"), 0.0)
    crawl = 0.5
    page = (1 + 0 + 3 * crawl) / 5
    expected = siblings.expect(
        [link("x", "ul[1]/li[9]"), link("y", "ul[2]/li[4]"), link("z", "p[1]"), link("far", source="other")],
        0.4,
    )
    assert expected == pytest.approx([(1 + 3 * page) / 4, (0 + 3 * page) / 4, page, crawl])


def test_links_to_where_another_was_redirected_count_for_their_neighbours() -> None:
    siblings = Siblings()
    siblings.learn(Link("https://site.example/old"), 1.0, "https://site.example/new")
    siblings.learn(Link("https://site.example/else"), 0.0)
    siblings.meet([link("new")])
    assert siblings.expect([link("x")], 0.0)[0] > 0.5


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("div#main/ul[2]/li[1]", "div#main/ul[2]/li[7]", True),
        ("table[1]/tr[1]/td[1]", "table[1]/tr[5]/td[3]", True),
        ("li[1]", "li[2]", True),
        ("div#main/p[1]", "div#main/p[2]", False),
        ("div#list", "div#main", False),
        ("div#main/olli[1]", "div#main/olli[2]", False),
    ],
)
def test_items_of_a_list_and_cells_of_a_table_are_one_block(one: str, other: str, together: bool) -> None:
    siblings = Siblings()
    siblings.learn(link("seen", one), 1.0)
    siblings.learn(link("else", source="elsewhere"), 0.0)
    near, page = siblings.expect([link("x", other), link("x", "address[1]")], 0.0)
    assert (near > page) is together


def test_where_a_link_of_a_new_page_leads_may_be_known() -> None:
    siblings = Siblings()
    siblings.learn(Link("https://site.example/known"), 1.0)
    siblings.learn(Link("https://site.example/other"), 0.0)
    links = [link("known", "ul[1]/li[1]"), link("new", "ul[1]/li[2]"), link("new", "p[1]")]
    siblings.meet(links)
    _, near, far = siblings.expect(links, 0.0)
    assert near > far > 0.5


def test_siblings_are_taken_up_as_they_were() -> None:
    first, second = Siblings(), Siblings()
    for number in range(5):
        first.learn(link(f"é\ud800{number}", f"ul[{number % 2}]/li[{number}]"), number / 4)
    state = first.state()
    assert json.dumps({key: value for key, value in state.items() if key in ("total", "count")})
    second.restore(state)
    asked = [link("x", "ul[0]/li[9]"), link("y", "ul[1]/li[9]"), link("z", "p[1]")]
    assert second.expect(asked, 0.0) == first.expect(asked, 0.0)
    second.meet([link("é\ud8003", "p[1]")])
    assert second.expect(asked[2:], 0.0) != first.expect(asked[2:], 0.0)


def test_only_so_many_visits_and_blocks_are_remembered() -> None:
    siblings = Siblings(most=10)
    for number in range(100):
        siblings.learn(link(str(number), f"p[{number}]"), 1.0)
    assert len(siblings.state()["outcomes"]) == 10
    assert len(siblings.state()["blocks"]["counts"]) == 10


def test_names_survive_packing() -> None:
    assert unpacked(packed(["a b", "", "ü"]), 3) == ["a b", "", "ü"]
    assert unpacked(packed([]), 0) == []
