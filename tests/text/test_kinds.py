"""Kinds of things: names of the same kind have it in common, whatever they are called."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from honeyguide.text.kinds import ABOVE, SENSES, above, meanings
from honeyguide.text.wordnet import WordNet


def kinds(name: str) -> set[str]:
    """The names of what something is, in any of the meanings that count."""
    names = WordNet.load().names
    return {word for kind in above(np.array(meanings(name))).flat if kind for word in names(int(kind) - 1)}


def test_things_of_a_kind_have_it_in_common() -> None:
    assert "bird" in kinds("robin") & kinds("Toucans")
    assert "scientist" in kinds("Albert Einstein") & kinds("Marie Curie")
    assert "bird" not in kinds("Albert Einstein")


def test_a_meaning_comes_first_and_then_what_it_is_ever_more_widely() -> None:
    names = [WordNet.load().names(int(kind) - 1)[0] for kind in above(np.array(meanings("dugong")))[0]]
    assert names[:3] == ["dugong", "sea cow", "aquatic mammal"]
    assert len(names) == ABOVE


@pytest.mark.parametrize(
    ("name", "like"),
    [
        ("Robin (bird)", "robin"),
        ("Robin | Birds of the world", "robin"),
        ("Robin - Wikipedia", "robin"),
        ("robins", "robin"),
        ("Battle of Nowhere Bridge", "battle"),
        ("Paris, Texas", "paris"),
        ("keel-billed toucan", "toucan"),
        ("Aage Bohr", "bohr"),
    ],
)
def test_what_is_not_known_whole_is_known_by_its_beginning_or_its_end(name: str, like: str) -> None:
    assert meanings(name) == meanings(like)


def test_a_whole_name_that_is_known_is_not_taken_apart() -> None:
    assert meanings("Battle of Hastings") != meanings("battle")


@pytest.mark.parametrize("name", ["", " ", "(", "xyzzyq", "12 34", "- | -"])
def test_what_names_nothing_is_of_no_kind(name: str) -> None:
    assert meanings(name) == (0, 0)
    assert not above(np.array(meanings(name))).any()


@given(some.text())
def test_every_text_has_its_meanings(name: str) -> None:
    found = np.array(meanings(name))
    assert found.shape == (SENSES,)
    rows = above(found)
    assert rows.shape == (SENSES, ABOVE)
    assert (rows[:, 0] == found).all()
    assert all(len(set(row[row > 0].tolist())) == np.count_nonzero(row) for row in rows)
