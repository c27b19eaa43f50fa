import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from honeyguide.text.svd_updating import Factors


def table(rows: int, columns: int, seed: int, filled: float = 0.5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.random((rows, columns)) * (rng.random((rows, columns)) < filled)


def grown(whole: np.ndarray, rows: int, columns: int, number: int) -> Factors:
    """The decomposition of a table of which a corner was known first, then more rows, then more columns."""
    factors = Factors.of(csr_array(whole[:rows, :columns].T), number)
    factors = factors.with_rows(csr_array(whole[rows:, :columns]), number)
    return factors.with_columns(csr_array(whole[:, columns:].T), number)


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 8), st.integers(0, 8), st.integers(0, 99))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_at_full_rank_the_updated_decomposition_is_that_of_the_whole_table(
    rows: int, columns: int, more_rows: int, more_columns: int, seed: int
) -> None:
    whole = table(rows + more_rows, columns + more_columns, seed)
    factors = grown(whole, rows, columns, 50)
    known = np.linalg.svd(whole, compute_uv=False)
    expected = known[known > 1e-9 * known.max(initial=0.0)]
    assert factors.sizes == pytest.approx(expected)
    assert factors.rows * factors.sizes @ factors.columns.T == pytest.approx(whole, abs=1e-9)
    assert factors.rows.T @ factors.rows == pytest.approx(np.eye(len(factors.sizes)), abs=1e-9)
    assert factors.columns.T @ factors.columns == pytest.approx(np.eye(len(factors.sizes)), abs=1e-9)


def test_a_table_of_low_rank_is_followed_though_only_a_few_dimensions_are_kept() -> None:
    whole = table(40, 3, 1, 1.0) @ table(3, 60, 2, 1.0)
    factors = grown(whole, 25, 30, 5)
    assert factors.rows * factors.sizes @ factors.columns.T == pytest.approx(whole, abs=1e-9)


def test_what_lies_outside_the_dimensions_is_seen() -> None:
    factors = Factors.of(csr_array(np.array([[1.0, 0.0], [0.0, 0.5]])), 2)
    factors = factors.with_rows(csr_array(np.zeros((1, 2))), 2)
    factors = factors.with_columns(csr_array(np.array([[0.0, 0.0, 3.0]])), 2)
    assert factors.sizes == pytest.approx([3.0, 1.0])
    assert np.abs(factors.rows) == pytest.approx(np.array([[0, 1], [0, 0], [1, 0]]), abs=1e-12)


def test_many_columns_at_once_leave_the_leading_dimensions_as_they_are() -> None:
    rng = np.random.default_rng(3)
    strong = table(80, 4, 4, 1.0) @ table(4, 300, 5, 1.0)
    whole = strong + 0.01 * rng.standard_normal(strong.shape)
    factors = Factors.of(csr_array(whole[:, :30].T), 8).with_columns(csr_array(whole[:, 30:].T), 8)
    expected = np.linalg.svd(whole)
    assert factors.sizes[:4] == pytest.approx(expected[1][:4], rel=1e-3)
    shared = np.linalg.svd(factors.rows[:, :4].T @ expected[0][:, :4], compute_uv=False)
    assert shared == pytest.approx(np.ones(4), abs=1e-3)
    assert factors.rows.T @ factors.rows == pytest.approx(np.eye(8), abs=1e-9)


def test_the_same_columns_give_the_same_dimensions() -> None:
    whole = table(60, 400, 6)
    one, other = (
        Factors.of(csr_array(whole[:, :50].T), 10).with_columns(csr_array(whole[:, 50:].T), 10)
        for _ in range(2)
    )
    assert all(map(np.array_equal, one, other))
