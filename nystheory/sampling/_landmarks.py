"""What a scheme returns, and the cost it records while running."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter

import numpy as np

from nystheory import _checks
from nystheory._progress import counter
from nystheory.kernels import KernelMatrix, as_kernel
from nystheory.kernels._base import FEW, digits, entry_rounding
from nystheory.sampling import _picture


def _calls_inside() -> int:
    """How many calls lie between here and the code that called the package.

    Those of scikit-learn are inside: it wraps `fit_transform`, and runs pipelines.
    """
    frame, depth, inside = sys._getframe(1), 0, ("nystheory.", "sklearn.")
    while frame and frame.f_globals.get("__name__", "").startswith(inside):
        frame, depth = frame.f_back, depth + 1
    return depth


class FewerLandmarks(UserWarning):
    """Fewer distinct columns were available than landmarks requested.

    Examples
    --------
    >>> issubclass(FewerLandmarks, UserWarning)
    True
    """


@dataclass(frozen=True, eq=False, repr=False)
class Landmarks:
    """The chosen columns, how they were chosen, and what that cost.

    Attributes
    ----------
    indices : ndarray (l,) or None
        The columns, in the order in which they were drawn; None where the landmarks
        are points of their own.
    probabilities : ndarray (n,) or None
        The distribution they were drawn from, where there is one (of the last batch,
        for adaptive schemes).
    weights : ndarray (l,) or None
        Where columns are drawn with replacement: 1 / (l p_i), so that weighted sums
        over landmarks have the sums over all points as their means.
    entries_asked : int
        Entries of K that the scheme read: fewer where it found what an earlier
        draw had computed.  No part of equality.
    seconds : float
        Wall-clock time; no part of equality or ``repr``, which must reproduce.
    scheme : str
        Name of the scheme.
    factor : ndarray (n, l) or None
        F with ``F F^T = C W^+ C^T``, where the scheme computes it on the way.
    points : ndarray (l, d) or None
        Landmarks that are not rows of X (centroids), in place of `indices`.
    kernel : KernelMatrix or None
        The K that a factor is of.

    Examples
    --------
    >>> Landmarks(np.array([3, 1]), None, None, 0, 0.1, "by hand")
    Landmarks(by hand, l=2, indices=[3, 1], entries_asked=0)
    """

    indices: np.ndarray | None
    probabilities: np.ndarray | None
    weights: np.ndarray | None
    entries_asked: int
    seconds: float
    scheme: str
    factor: np.ndarray | None = None
    points: np.ndarray | None = None
    kernel: KernelMatrix | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Landmarks):
            return NotImplemented
        arrays = ("indices", "probabilities", "weights", "factor", "points")
        return self.scheme == other.scheme and all(
            _same(getattr(self, a), getattr(other, a)) for a in arrays
        )

    def __hash__(self) -> int:
        chosen = self.points if self.indices is None else self.indices
        return hash((self.scheme, chosen.tobytes()))

    def __len__(self) -> int:
        return (self.points if self.indices is None else self.indices).shape[0]

    def __repr__(self) -> str:
        account = f"entries_asked={self.entries_asked}"
        if self.indices is None:
            kind = f"points of their own, d={self.points.shape[1]}"
            return f"Landmarks({self.scheme}, l={len(self)}, {kind}, {account})"
        first = ", ".join(str(i) for i in self.indices[:8])
        rest = ", ..." if len(self) > 8 else ""
        return (
            f"Landmarks({self.scheme}, l={len(self)}, "
            f"indices=[{first}{rest}], {account})"
        )

    def _repr_html_(self) -> str:
        from nystheory.style import table

        carried = [
            name
            for name in ("probabilities", "weights", "factor", "points")
            if getattr(self, name) is not None
        ]
        first = "" if self.indices is None else ", ".join(map(str, self.indices[:6]))
        first += ", ..." if len(self) > 6 and first else ""
        row = (
            *(self.scheme, len(self), first, self.entries_asked),
            *(f"{self.seconds:.3g}", ", ".join(carried) or "nothing"),
        )
        header = ("scheme", "$l$", "columns", "entries asked", "seconds", "carries")
        return table([row], header)

    def plot(self, K: KernelMatrix | np.ndarray):
        """A picture of which points were chosen, among all of them.

        Parameters
        ----------
        K : KernelMatrix or array_like (n, n)
            What they were chosen from.

        Returns
        -------
        matplotlib Figure
            In the plane of the points where they are two-dimensional; of the two
            leading principal components of the points where there are more; else of
            the two leading singular vectors of the sampled columns.

        Raises
        ------
        ValueError, TypeError
            If K has another size than what was sampled from, as far as one can see.

        Notes
        -----
        Of points, O(n d^2) operations; of a matrix, those of a singular value
        decomposition of the l sampled columns.

        Examples
        --------
        >>> from nystheory import kernels, sampling
        >>> K = kernels.rbf([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
        >>> chosen = sampling.user(K, 2, None, indices=[0, 2])
        >>> len(chosen.plot(K).axes)
        1
        """
        return _picture.draw(self, as_kernel(K))


class Run:
    """A scheme at work: checked arguments, a clock and a count.

    Parameters
    ----------
    scheme : str
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
    rng : numpy.random.Generator, optional
        Left out by deterministic schemes.
    replace : bool
        Whether more landmarks than points make sense.
    """

    def __init__(self, scheme, K, n_landmarks, rng=None, *, replace=False):
        self._start = perf_counter()
        self.scheme = scheme
        self.K = as_kernel(K)
        self.n = self.K.n
        self._asked = self.K.entries_asked
        self.l = self._count(n_landmarks, replace)  # noqa: E741
        self.rng = None if rng is None else _checks.generator(rng)
        self._bar = None

    def found(self, count: int) -> None:
        """Tell how many landmarks there are so far: a bar shows it after a second."""
        if self._bar is None:
            self._bar = counter(self.scheme, self.l)
        self._bar.update(count - self._bar.n)

    def _count(self, n_landmarks, replace):
        if _checks.truth(replace, "replace"):
            return _checks.integer(n_landmarks, "n_landmarks")
        why = "the number of points"
        return _checks.integer(n_landmarks, "n_landmarks", high=self.n, why=why)

    def diagonal(self) -> np.ndarray:
        """The diagonal of K in float64, (n,): finite, not negative, not all zero."""
        return sizes_of_points(self.K.diagonal().astype(np.float64))

    def dense(self) -> np.ndarray:
        """All of K in float64, (n, n), with its diagonal checked."""
        dense = self.K.dense().astype(np.float64, copy=False)
        sizes_of_points(dense.diagonal())
        return dense

    @cached_property
    def rounding(self) -> np.ndarray:
        """The e_i, (n,): ``K[i, j]`` is off by ``sqrt(e_i K_ii e_j K_jj)``."""
        return np.broadcast_to(entry_rounding(self.K), (self.n,))

    @property
    def few(self) -> float:
        """A few roundings of an entry, in units of itself."""
        return FEW * digits(self.K)

    def exhausted(self, diagonal: np.ndarray) -> float:
        """What counts as zero on the diagonal of any residual.

        One unit of the largest entry, in the type of K: in no norm can it be told from
        what rounding the entries leaves, and `lowrank` counts such pivots as zero, too.
        """
        return digits(self.K) * float(diagonal.max())

    def fewer(self, found: int, why: str) -> None:
        """Warn that there are fewer landmarks than asked for."""
        told = f"{self.scheme}: returned only {found} of {self.l} requested landmarks: "
        warnings.warn(told + why, FewerLandmarks, stacklevel=_calls_inside() + 1)

    def in_its_type(self) -> str:
        """Up to which rounding something was found, and the remedy where there is one.

        Where entries of float32 tell no more, those of float64 may.
        """
        if digits(self.K) == digits(None):
            return "up to the rounding of float64"
        what = "K" if self.K.points is None else "points"
        return f"up to the rounding of {self.K.dtype}; pass {what} of float64 for more"

    def landmarks(self, indices, scheme=None, **parts) -> Landmarks:
        """The result, with its account."""
        if self._bar is not None:
            self._bar.close()
        carried = {"probabilities": None, "weights": None} | parts
        if carried.get("factor") is not None:
            carried["kernel"] = self.K
        return Landmarks(
            indices=indices,
            entries_asked=self.K.entries_asked - self._asked,
            seconds=perf_counter() - self._start,
            scheme=scheme or self.scheme,
            **carried,
        )


def sizes_of_points(diagonal: np.ndarray) -> np.ndarray:
    """A diagonal of K, if it is finite, not negative, and not zero everywhere.

    Examples
    --------
    >>> sizes_of_points(np.zeros(2))
    Traceback (most recent call last):
    ValueError: K: expected a matrix with a positive diagonal, got 2 zeros: every \
column of K is zero, and there is nothing to sample
    """
    bad = ~np.isfinite(diagonal)
    if bad.any():
        i = int(bad.argmax())
        got = f"{diagonal[i]} at index {i}"
        raise ValueError(f"K: expected a finite diagonal, got {got}")
    if diagonal.min() < 0:
        i = int(diagonal.argmin())
        raise ValueError(
            "K: expected a positive semidefinite matrix, "
            f"got {diagonal[i]:.6g} on its diagonal at index {i}"
        )
    if not diagonal.any():
        raise ValueError(
            "K: expected a matrix with a positive diagonal, "
            f"got {len(diagonal)} zeros: "
            "every column of K is zero, and there is nothing to sample"
        )
    return diagonal


def first_largest(values: np.ndarray) -> int:
    """The first index whose value is the largest up to rounding.

    Ties go to the smaller index even where rounding, which differs between a stored
    matrix and one that is computed on demand, has split them.

    Examples
    --------
    >>> first_largest(np.array([0.5, 1 - 1e-14, 1.0]))
    1
    """
    return int((values >= (1 - 1e-9) * values.max()).argmax())


def as_indices(landmarks: Landmarks | Sequence[int], n: int) -> np.ndarray:
    """The indices of landmarks, checked; a plain sequence of integers will do.

    Parameters
    ----------
    landmarks : Landmarks or sequence of int, length l
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
        If there is no landmark, the sequence is not one-dimensional, or the
        landmarks are points that are not among those of K.
    TypeError
        If they are not integers.
    IndexError
        If one is not in 0..n-1.

    Notes
    -----
    Costs O(l) operations; the book's own convention for landmarks.

    Examples
    --------
    >>> as_indices([4, 0, 4], 5)
    array([4, 0, 4])
    """
    n = _checks.integer(n, "n")
    if isinstance(landmarks, Landmarks):
        if landmarks.indices is None:
            raise ValueError(
                f"landmarks: expected columns of K, got {len(landmarks)} points that "
                f"are not among its points ({landmarks.scheme}); lowrank.nystrom "
                "takes them"
            )
        landmarks = landmarks.indices
    return _checks.indices(landmarks, n, "landmarks")


def _same(a, b):
    return (a is None and b is None) or (
        a is not None and b is not None and np.array_equal(a, b)
    )
