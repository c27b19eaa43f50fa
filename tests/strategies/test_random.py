from honeyguide.model import Candidate, Link, Page, Visit
from honeyguide.strategies.random import Random


def chances(seed: int, number: int = 2000) -> list[float]:
    links = tuple(Link(f"https://a.example/{place}") for place in range(number))
    visit = Visit(Candidate(Link("https://a.example/"), 0.0), page=Page("https://a.example/", links=links))
    return [candidate.score for candidate in Random(seed=seed).expand(visit)]


def test_chances_are_spread_evenly() -> None:
    scores = chances(1)
    assert all(0 <= score < 1 for score in scores)
    tenths = [sum(int(score * 10) == tenth for score in scores) for tenth in range(10)]
    assert all(150 < number < 250 for number in tenths)


def test_a_url_has_one_chance_per_seed_wherever_it_is_found() -> None:
    assert chances(1, 50) == chances(1, 100)[:50]
    assert chances(1, 50) != chances(2, 50)
    assert chances(-1, 5) != chances(1, 5)


def test_the_chance_is_the_same_on_every_machine() -> None:
    # xxh3_64 of https://a.example/0 with seed 0, its first 53 bits as a fraction
    assert chances(0, 1) == [(0x7A3484BDDA347907 >> 11) / 2**53]
