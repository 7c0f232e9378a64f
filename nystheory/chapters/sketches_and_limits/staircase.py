"""Volume-weighted samples where the eigenvalues fall in steps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory import sampling
from nystheory.chapters import theorems


def stairs(
    counts: Sequence[int] = (10, 20, 170), values: Sequence[float] = (1.0, 1e-3, 1e-6)
) -> np.ndarray:
    """Eigenvalues in steps, largest first.

    Examples
    --------
    >>> stairs((1, 2), (3.0, 1.0)).tolist()
    [3.0, 1.0, 1.0]
    """
    return np.repeat(np.asarray(values, dtype=float), counts)


def dpp_factor(values: np.ndarray, counts: Sequence[int]) -> np.ndarray:
    """Mean trace error of a k-DPP over the error of the best rank l, exactly.

    Parameters
    ----------
    values : ndarray (n,)
        Eigenvalues above 0, largest first.
    counts : sequence of int
        Numbers l of columns, below n.

    Examples
    --------
    >>> dpp_factor(np.ones(4), [1, 2]).round(9).tolist()
    [1.0, 1.0]
    """
    counts = np.asarray(counts)
    logs = sampling.log_elementary(values, int(counts.max()) + 1)[-1]
    means = (counts + 1) * np.exp(logs[counts + 1] - logs[counts])
    return means / np.array([values[count:].sum() for count in counts])


def guarantee(values: np.ndarray, counts: Sequence[int]) -> np.ndarray:
    """The bound of the theorem on that factor, with the best k for every l.

    Parameters
    ----------
    values : ndarray (n,)
    counts : sequence of int

    Examples
    --------
    >>> guarantee(np.ones(4), [1, 2]).round(9).tolist()
    [1.333333333, 2.0]
    """
    theorem = theorems["modern:k-dpp-beyond-worst-case"]
    tails = [values[k:].sum() / values[k] for k in range(len(values))]

    def best(count):
        return min(
            theorem.right_side(
                "any spectrum", k=k, l=count, tail_rank=tails[k], tail_l=1
            )
            for k in range(count + 1)
            if count < k + tails[k] * (1 - 1e-12)
        )

    return np.array([best(int(count)) for count in counts])
