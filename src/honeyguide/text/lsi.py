"""Latent semantic indexing (AP 2.1.2): texts in the few dimensions that say most about a corpus.

With A the terms of a corpus by its texts and A_k = U S V' its best approximation of rank k, a text d that was
not in the corpus is folded in as U' d, which is what S V' holds for those that were.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def dimensions(texts: "csr_array", number: int) -> NDArray[np.float64]:
    """U: the first dimensions of a table with a row for every text and a column for every term.

    There are never more than the table has texts or terms. The same table gives the same dimensions.
    """
    from scipy.sparse.linalg import svds
    from threadpoolctl import threadpool_limits

    smallest = min(texts.shape)
    # Threads gain nothing on tables of this size, and lose a great deal where other processes are at work.
    with threadpool_limits(1):
        if number >= smallest - 1:
            _, sizes, terms = np.linalg.svd(texts.toarray(), full_matrices=False)
        else:
            _, sizes, terms = svds(texts, k=number, v0=np.full(smallest, smallest**-0.5))
    return np.ascontiguousarray(terms[np.argsort(-sizes, kind="stable")[:number]].T)
