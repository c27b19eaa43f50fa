from honeyguide.model import Candidate, Link, Page, Visit
from honeyguide.strategies.breadth_first import BreadthFirst


def test_nearer_links_go_first_and_equals_keep_their_order() -> None:
    links = tuple(Link(f"https://a.example/{number}") for number in range(3))
    near = Visit(Candidate(Link("https://a.example/"), 0.0, 0), page=Page("https://a.example/", links=links))
    far = Visit(
        Candidate(Link("https://a.example/0"), -1.0, 1), page=Page("https://a.example/0", links=links)
    )
    strategy = BreadthFirst()
    assert [(c.link, c.score, c.depth) for c in strategy.expand(near)] == [(link, -1.0, 1) for link in links]
    assert [(c.link, c.score, c.depth) for c in strategy.expand(far)] == [(link, -2.0, 2) for link in links]


def test_a_link_found_again_farther_out_keeps_its_place() -> None:
    near, far = Candidate(Link("https://a.example/"), -1.0, 1), Candidate(Link("https://a.example/"), -3.0, 3)
    assert BreadthFirst().combine(near, far) is near
