"""What is not here: what shows its words that compare."""

import numpy as np
from words_shown import shown

from nystheory import kernels, sampling

X = np.random.default_rng(0).standard_normal((30, 3))
K = kernels.rbf(X).dense()


def default_rank(first):
    """That draws a second batch as by default, over the columns of the first."""
    batches = {
        rank: sampling.criterion_driven(
            K, 2 * first, np.random.default_rng(1), y=X[:, 0], batch=first, rank=rank
        ).probabilities
        for rank in (None, *range(1, first))
    }
    by_default = batches.pop(None)
    (rank,) = (k for k, p in batches.items() if np.allclose(p, by_default))
    return rank / first


(SHARE,) = {default_rank(first) for first in (4, 6, 8)}

shown(
    "what_is_not_here",
    {"its rank is [half] of the number of columns so far": SHARE},
)
