"""Pages seen before, exactly or nearly."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.store.duplicates import Duplicates

SKETCHES = st.integers(min_value=-(2**63), max_value=2**63 - 1).filter(bool)


def test_the_same_fingerprint_is_the_same_page() -> None:
    pages = Duplicates()
    pages.add(7, fingerprint=123, sketch=0)
    assert pages.find(123, 0) == (7, True)
    assert pages.find(124, 0) is None


def test_pages_without_text_are_never_duplicates() -> None:
    pages = Duplicates()
    pages.add(1, fingerprint=0, sketch=0)
    assert pages.find(0, 0) is None


@settings(max_examples=60, deadline=None, derandomize=True)
@given(SKETCHES, st.sets(st.integers(0, 63), max_size=6))
def test_sketches_up_to_three_bits_apart_are_found_and_no_others(sketch: int, flips: set[int]) -> None:
    pages = Duplicates()
    pages.add(3, fingerprint=1, sketch=sketch)
    other = (sketch & (2**64 - 1)) ^ sum(1 << bit for bit in flips)
    if other == 0:
        return
    found = pages.find(2, other - 2**64 if other >> 63 else other)
    assert found == ((3, False) if len(flips) <= 3 else None)


def test_the_nearest_page_wins_and_the_first_among_equals() -> None:
    pages = Duplicates()
    pages.add(1, 11, 0b0111)
    pages.add(2, 12, 0b0001)
    pages.add(3, 13, 0b0010)
    assert pages.find(14, 0b0011) == (1, False)
    assert pages.find(14, 0b10001) == (2, False)


def test_a_distance_the_blocks_cannot_guarantee_is_refused() -> None:
    with pytest.raises(ValueError, match="0 to 3"):
        Duplicates(distance=4)
