"""What stands in and around links."""

import pytest

from honeyguide.model import Link
from honeyguide.strategies.surroundings import place_in_context, surroundings
from honeyguide.text.documents import Documents
from honeyguide.text.snippets import SnippetReader


def away(*links: Link) -> list[list[int]]:
    found = surroundings(links, SnippetReader(Documents()))
    return [found.away[found.rows == row].tolist() for row in range(len(links))]


def test_stems_are_counted_from_the_link_on_both_sides() -> None:
    link = Link("x", "", "dengue", "mosquito river dengue fever boat")
    assert away(link) == [[2, 1, 0, 1, 2]]


def test_places_are_right_where_letters_take_several_bytes() -> None:
    assert away(Link("x", "", "forêt", "été château forêt rivière")) == [[2, 1, 0, 1]]


def test_an_anchor_that_its_context_lacks_stands_before_it() -> None:
    assert away(Link("x", "", "dengue", "mosquito river")) == [[0, 1, 2]]


def test_a_link_without_words_stands_in_the_middle_of_its_context() -> None:
    assert away(Link("x", "", "", "mosquito river fever boat")) == [[2, 1, 1, 2]]


def test_of_links_together_none_counts_for_another() -> None:
    alone = Link("x", "", "dengue", "river dengue")
    assert away(alone, Link("y"), alone) == [[1, 0], [], [1, 0]]


@pytest.mark.parametrize(
    ("context", "place"),
    [
        ("fever dengue and fever again and fever", 17),
        ("fever and all that", 0),
        ("the fever", 4),
        ("nothing", -1),
        ("few", -1),
    ],
)
def test_the_words_of_a_link_are_those_nearest_to_the_middle(context: str, place: int) -> None:
    assert place_in_context(Link("x", "", "fever", context)) == place


def test_an_endless_anchor_is_read_in_part() -> None:
    (found,) = away(Link("x", "", "word " * 50_000, "dengue"))
    assert 0 < len(found) <= 200
