"""Which columns?  Schemes that choose landmarks, all with one signature.

``scheme(K, n_landmarks, rng, **options) -> Landmarks``
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from nystheory import _checks
from nystheory.kernels import KernelMatrix, as_kernel


@dataclass(frozen=True, eq=False, repr=False)
class Landmarks:
    """The chosen columns, how they were chosen, and what that cost.

    Attributes
    ----------
    indices : ndarray (l,)
        The columns, in the order in which they were drawn.
    probabilities : ndarray (n,) or None
        The distribution they were drawn from, where there is one.
    weights : ndarray (l,) or None
        Weights of the columns, where the scheme has them.
    entries_asked : int
        Entries of K that the scheme asked for.
    seconds : float
        Wall-clock time; no part of equality or ``repr``, which must reproduce.
    scheme : str
        Name of the scheme.

    Examples
    --------
    >>> Landmarks(np.array([3, 1]), None, None, 0, 0.1, "by hand")
    Landmarks(by hand, l=2, indices=[3, 1], entries_asked=0)
    """

    indices: np.ndarray
    probabilities: np.ndarray | None
    weights: np.ndarray | None
    entries_asked: int
    seconds: float
    scheme: str

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Landmarks):
            return NotImplemented
        return (
            self.scheme == other.scheme
            and self.entries_asked == other.entries_asked
            and np.array_equal(self.indices, other.indices)
            and _same(self.probabilities, other.probabilities)
            and _same(self.weights, other.weights)
        )

    def __hash__(self) -> int:
        return hash((self.scheme, self.indices.tobytes()))

    def __len__(self) -> int:
        return len(self.indices)

    def __repr__(self) -> str:
        first = ", ".join(str(i) for i in self.indices[:8])
        rest = ", ..." if len(self.indices) > 8 else ""
        return (
            f"Landmarks({self.scheme}, l={len(self.indices)}, "
            f"indices=[{first}{rest}], entries_asked={self.entries_asked})"
        )


def uniform(
    K: KernelMatrix | np.ndarray,
    n_landmarks: int,
    rng: np.random.Generator,
    *,
    replace: bool = False,
) -> Landmarks:
    """Columns drawn uniformly at random, without replacement unless asked.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l of columns, at most n without replacement.
    rng : numpy.random.Generator
    replace : bool
        Draw independently, so that a column may come twice.

    Returns
    -------
    Landmarks
        Asks for no entry of K.

    Raises
    ------
    ValueError
        If ``n_landmarks`` is below 1, or above n without replacement.
    TypeError
        If `rng` is not a generator.

    Notes
    -----
    Costs O(n), and the checks of `as_kernel` when K is an array.  Without
    replacement it is the scheme of Theorem 5.2 of [1]_.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010.

    Examples
    --------
    >>> uniform(np.eye(10), 3, np.random.default_rng(0))
    Landmarks(uniform, l=3, indices=[5, 9, 6], entries_asked=0)
    """
    start = perf_counter()
    n = as_kernel(K).n
    if replace:
        l = _checks.integer(n_landmarks, "n_landmarks")  # noqa: E741
    else:
        why = "the number of points; pass replace=True to draw more"
        l = _checks.integer(n_landmarks, "n_landmarks", high=n, why=why)  # noqa: E741
    indices = _checks.generator(rng).choice(n, size=l, replace=bool(replace))
    probabilities = np.full(n, 1 / n)
    scheme = "uniform with replacement" if replace else "uniform"
    seconds = perf_counter() - start
    return Landmarks(indices, probabilities, None, 0, seconds, scheme)


def as_indices(landmarks: Landmarks | Sequence[int], n: int) -> np.ndarray:
    """The indices of landmarks, checked; a plain sequence of integers will do.

    Parameters
    ----------
    landmarks : Landmarks or sequence of int
        Repetitions are allowed.
    n : int
        Number of points.

    Returns
    -------
    ndarray (l,)
        A copy, of integer type.

    Raises
    ------
    ValueError
        If there is no landmark, or the sequence is not one-dimensional.
    TypeError
        If they are not integers.
    IndexError
        If one is not in 0..n-1.

    Examples
    --------
    >>> as_indices([4, 0, 4], 5)
    array([4, 0, 4])
    """
    if isinstance(landmarks, Landmarks):
        landmarks = landmarks.indices
    return _checks.indices(landmarks, n, "landmarks")


def _same(a, b):
    return (a is None and b is None) or (
        a is not None and b is not None and np.array_equal(a, b)
    )
