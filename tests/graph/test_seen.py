import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.graph.seen import Seen

HASHES = st.one_of(
    st.integers(-(2**63), 2**63 - 1), st.integers(-3, 3), st.sampled_from([-(2**63), 2**63 - 1])
)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(batches=st.lists(st.lists(HASHES, max_size=20, unique=True), max_size=20), strangers=st.lists(HASHES))
def test_every_hash_is_found_in_the_row_it_was_given(batches: list[list[int]], strangers: list[int]) -> None:
    seen = Seen(buffer=8)
    rows: dict[int, int] = {}
    for batch in batches:
        new = [key for key in batch if key not in rows]
        seen.add(new, len(rows) + 1)
        rows.update(zip(new, range(len(rows) + 1, len(rows) + 1 + len(new)), strict=True))
    asked = [*rows, *strangers]
    assert seen.find(asked) == [rows.get(key, 0) for key in asked]
    assert [seen.find_one(key) for key in asked] == [rows.get(key, 0) for key in asked]
    assert len(seen) == len(rows)


def test_a_million_hashes_take_twelve_bytes_each_in_few_runs() -> None:
    random = np.random.default_rng(0)
    hashes = np.unique(random.integers(-(2**63), 2**63 - 1, 1_000_000))
    random.shuffle(hashes)
    seen = Seen()
    for start in range(0, len(hashes), 30_000):
        seen.add(hashes[start : start + 30_000].tolist(), start + 1)
    assert seen.nbytes <= 12 * len(seen)
    assert seen.runs <= 6
    some = random.integers(0, len(hashes), 1000)
    assert seen.find(hashes[some].tolist()) == (some + 1).tolist()


def test_nothing_is_found_where_nothing_is() -> None:
    seen = Seen()
    assert seen.find([1, 2]) == [0, 0]
    assert seen.find_one(1) == 0
    assert seen.find([]) == []
