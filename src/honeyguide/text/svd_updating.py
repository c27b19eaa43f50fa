"""The singular value decomposition of a table that grows (Zha and Simon 1999; AP 2.1.2, eq. 7-10).

With C ~ U S V' the best approximation of rank k, D new columns, and Q R = (I - U U') D the part of them that
lies outside U, (C D) is (U Q) F diag(V, I)' with the small core F = (S U'D; 0 R), whose own decomposition
turns U and V to those of (C D). AP's printed update leaves Q and R out, with which nothing that the table did
not hold before would be seen. New rows are new columns of the table's transpose.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.lsi import dimensions

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = NDArray[np.float64]

TINY = 1e-9
"""A direction with less of the table than this share of the largest is rounding error."""

SPARE = 10
"""Directions more than wanted with which the leading part of many columns is looked for."""

ROUNDS = 2
"""Times the search is repeated from what it found."""


class Factors(NamedTuple):
    """U, S and V of a table: its rows, sizes and columns in a few dimensions, the largest first."""

    rows: Floats
    sizes: Floats
    columns: Floats

    @classmethod
    def of(cls, columns: "csr_array", number: int) -> "Factors":
        """The first dimensions of a table that is given with a row for each of its columns."""
        from threadpoolctl import threadpool_limits

        rows = dimensions(columns, number)
        with threadpool_limits(1):
            folded = columns @ rows
        sizes = np.sqrt(np.square(folded).sum(axis=0))
        kept = sizes > TINY * sizes.max(initial=0.0)
        # Products are rounded differently for another layout in memory, such as a restored copy has.
        rows, folded = np.ascontiguousarray(rows[:, kept]), np.ascontiguousarray(folded[:, kept])
        return cls(rows, sizes[kept], folded / sizes[kept])

    def with_columns(self, new: "csr_array", number: int) -> "Factors":
        """The table with more columns, in so many dimensions; `new` has a row for each of them.

        Of more than twice as many columns as dimensions only the leading part outside U is kept, a little more
        than the number of dimensions (Vecharynski and Saad 2014), so that the cost grows with the table and
        not with the square of what is new.
        """
        from threadpoolctl import threadpool_limits

        # Threads gain nothing on tables of this size, and their sums would depend on how many there are.
        with threadpool_limits(1):
            inside = np.asarray(new @ self.rows)
            directions, outside = _outside(new, inside, self.rows, number)
            known, found = len(self.sizes), directions.shape[1]
            core = np.zeros((known + found, known + len(inside)))
            core[:known, :known] = np.diag(self.sizes)
            core[:known, known:] = inside.T
            core[known:, known:] = outside.T
            left, sizes, right = np.linalg.svd(core, full_matrices=False)
            kept = np.flatnonzero(sizes > TINY * sizes.max(initial=0.0))[:number]
            left, right = left[:, kept], right[kept].T
            return Factors(
                self.rows @ left[:known] + directions @ left[known:],
                sizes[kept],
                np.concatenate((self.columns @ right[:known], right[known:])),
            )

    def with_rows(self, new: "csr_array", number: int) -> "Factors":
        """The table with more rows."""
        return self._transposed.with_columns(new, number)._transposed

    @property
    def _transposed(self) -> "Factors":
        return Factors(self.columns, self.sizes, self.rows)


def _outside(new: "csr_array", inside: Floats, basis: Floats, number: int) -> tuple[Floats, Floats]:
    """Directions orthogonal to a basis, and the new columns in them: a row for each."""
    many = new.shape[0] > 2 * number
    if many:
        found = np.random.default_rng(0).standard_normal((new.shape[0], number + SPARE))
        for _ in range(ROUNDS):
            seen, _ = np.linalg.qr(new.T @ found - basis @ (inside.T @ found))
            found, _ = np.linalg.qr(new @ seen - inside @ (basis.T @ seen))
        rest = new.T @ found - basis @ (inside.T @ found)
    else:
        rest = new.T.toarray() - basis @ inside.T
    rest -= basis @ (basis.T @ rest)
    directions, triangle = np.linalg.qr(rest)
    left, sizes, right = np.linalg.svd(triangle)
    # What is left of columns that lie inside is noise, and noise is orthogonal to nothing.
    kept = np.flatnonzero(sizes > TINY)
    outside = (sizes[kept, None] * right[kept]).T
    return directions @ left[:, kept], found @ outside if many else outside
