"""Targets, ridges and weights, checked; a factor and what is computed with it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy.linalg

from nystheory import _checks, _semidefinite
from nystheory.kernels import row_blocks

MEASURES = ("criterion", "likelihood", "leave-one-out")
EPS = float(np.finfo(np.float64).eps)
# Roundings of a number beside those of long sums.
FEW = 16


def sums(n: int) -> float:
    """The relative rounding of a sum of n products.

    >>> sums(0) == 16 * 2.0**-52
    True
    """
    return (n + FEW) * EPS


@dataclass(frozen=True, eq=False)
class Problem:
    """What is asked about a kernel matrix of n points.

    Points of weight 0 are left out; the others are `kept`, with the roots of their
    weights: the problem is that of ``root K root`` and ``root y``.

    Attributes
    ----------
    measure : str
    n : int
        Number of points that are kept.
    y : ndarray (n,)
        Times the roots of the weights.
    ridge : ndarray (r,)
    single : bool
        Whether one ridge was given, and not a sequence.
    kept : ndarray (n,) or None
        Indices; None where all points are kept.
    root : ndarray (n,) or None
    """

    measure: str
    n: int
    y: np.ndarray
    ridge: np.ndarray
    single: bool
    kept: np.ndarray | None = None
    root: np.ndarray | None = None

    def rows(self, F: np.ndarray) -> np.ndarray:
        """The rows of a factor that count, in float64, times the roots."""
        F = F if self.kept is None else F[self.kept]
        F = F.astype(np.float64, copy=False)
        return F if self.root is None else F * self.root[:, None]

    def matrix(self, K) -> np.ndarray:
        """All of K in float64, between the points that count, times the roots."""
        A = K.dense().astype(np.float64)  # ours, whoever else has the other
        if self.kept is not None:
            A = A[np.ix_(self.kept, self.kept)]
        return A if self.root is None else A * self.root * self.root[:, None]

    def of_diagonal(self, values: np.ndarray) -> np.ndarray:
        """Numbers on the diagonal of K, of the points that count, times the weights."""
        values = values if self.kept is None else values[self.kept]
        return values if self.root is None else values * self.root**2

    def times(self, K, B: np.ndarray) -> np.ndarray:
        """The weighted K times B, (n, q): one product with K."""
        if self.root is None:
            return np.asarray(K @ B, dtype=np.float64)
        whole = np.zeros((K.n, B.shape[1]))
        kept = slice(None) if self.kept is None else self.kept
        whole[kept] = B * self.root[:, None]
        return np.asarray(K @ whole, dtype=np.float64)[kept] * self.root[:, None]

    @property
    def constant(self) -> float:
        """What the likelihood has beside the quadratic form and the determinant."""
        logs = 0.0 if self.root is None else 2 * float(np.log(self.root).sum())
        return (self.n * math.log(2 * math.pi) - logs) / 2

    def shaped(self, values: np.ndarray) -> float | np.ndarray:
        """One number for one ridge, else (r,)."""
        return float(values[0]) if self.single else values


def problem(n: int, y, ridge, measure, sample_weight) -> Problem:
    """The arguments, checked.

    >>> problem(2, [1.0], 1.0, "criterion", None)
    Traceback (most recent call last):
    ValueError: y: expected 2 numbers, one for each point, got shape (1,)
    """
    _checks.choice(measure, "measure", MEASURES)
    y = _vector(y, n, "y")
    single = is_single(ridge)
    ridge = _ridges(ridge, single)
    if sample_weight is None:
        return Problem(measure, n, y, ridge, single)
    weight = _vector(sample_weight, n, "sample_weight", power=1)
    if weight.min() < 0:
        raise ValueError(
            f"sample_weight: expected numbers of at least 0, got {weight.min():.6g} at "
            f"index {weight.argmin()}"
        )
    kept = np.flatnonzero(weight)
    if len(kept) == 0:
        raise ValueError("sample_weight: expected one above 0, got zeros alone")
    root = np.sqrt(weight[kept])
    y = _vector(y[kept] * root, len(kept), "y")
    kept = None if len(kept) == n else kept
    return Problem(measure, len(y), y, ridge, single, kept, root)


def _vector(value, n, name, power=2):
    """n finite numbers, (n,), whose squares neither overflow nor vanish."""
    vector = _checks.as_array(_checks.without_words(value, name), name)
    if vector.shape != (n,):
        got = f"shape {vector.shape}" if vector.ndim else _checks.shown(value)
        raise ValueError(f"{name}: expected {n} numbers, one for each point, got {got}")
    vector = _checks.real_array(vector, name, 1).astype(np.float64)
    size = float(np.abs(vector).max())
    _semidefinite.scaled(size, name, "numbers", power)
    return vector


def is_single(ridge) -> bool:
    """Whether one ridge is given, and not a sequence of them.

    >>> is_single(1.0), is_single(np.array(1.0)), is_single([[1], [2, 3]])
    (True, True, False)
    """
    if isinstance(ridge, np.ndarray):
        return ridge.ndim == 0
    return isinstance(ridge, str) or not hasattr(ridge, "__len__")


def _ridges(value, single):
    """Ridges above 0, (r,)."""
    if single:
        return np.array([_checks.positive(value, "ridge")])
    ridges = _checks.as_array(value, "ridge")
    if ridges.ndim != 1 or len(ridges) == 0:
        raise ValueError(
            "ridge: expected a number above 0 or a sequence of them, got "
            f"{_checks.shown(value)}"
        )
    return np.array([_checks.positive(each, "ridge") for each in ridges.tolist()])


def finite(values: np.ndarray) -> np.ndarray:
    """The numbers, if float64 has them."""
    if not np.isfinite(values).all():
        raise ValueError(
            "y: expected numbers whose squares, divided by the ridge, float64 has; "
            "divide y by a number"
        )
    return values


@dataclass(frozen=True, eq=False)
class Spectrum:
    """``U diag(values) U'`` with orthonormal U, (n, k), and what a ridge makes of it.

    Attributes
    ----------
    values : ndarray (k,)
        Above or equal to 0.
    U : ndarray (n, k)
    """

    values: np.ndarray
    U: np.ndarray

    @classmethod
    def of_factor(cls, F: np.ndarray) -> Spectrum:
        """That of F F', F of shape (n, k): 6 n k^2 operations."""
        n, k = F.shape
        if min(n, k) == 0:
            return cls(np.empty(0), np.empty((n, 0)))
        copied = np.array(F, order="F")
        Q, R = scipy.linalg.qr(
            copied, mode="economic", overwrite_a=True, check_finite=False
        )
        turn, S, _ = scipy.linalg.svd(R, full_matrices=False, check_finite=False)
        return cls(S**2, Q @ turn)

    @classmethod
    def of_matrix(cls, A: np.ndarray) -> Spectrum:
        """That of a semidefinite matrix, which is overwritten."""
        values, vectors = scipy.linalg.eigh(A, overwrite_a=True, check_finite=False)
        return cls(values.clip(0), vectors)

    def energies(self, Y: np.ndarray, ridge: np.ndarray, share=1.0) -> np.ndarray:
        """``y' (share K~ + ridge I)^-1 y`` of each column, or of one and each ridge."""
        C, rest = self.U.T @ Y, np.zeros(Y.shape[1])
        if len(self.values) < len(Y):
            left = Y - self.U @ C
            rest = np.einsum("ij,ij->j", left, left)
        return (C**2 / (np.outer(self.values, share) + ridge)).sum(0) + rest / ridge

    def logdet(self, ridge: np.ndarray, share=1.0) -> np.ndarray:
        """``log det(share K~ + ridge I)``, (r,)."""
        n, k = self.U.shape
        inside = np.log(np.outer(self.values, share) + ridge).sum(axis=0)
        return inside + (n - k) * np.log(ridge)

    def inverse_diagonal(self, ridge: np.ndarray, share=1.0) -> np.ndarray:
        """The diagonals of ``(share K~ + ridge I)^-1``, (n, r): 2 n k r operations."""
        n, k = self.U.shape
        inside = np.outer(self.values, share)
        found = np.empty((n, len(ridge)))
        for rows in row_blocks(n, max(k, 1)):
            squares = self.U[rows] ** 2
            rest = (1 - squares.sum(axis=1)).clip(0) if k < n else np.zeros(1)
            found[rows] = squares @ (1 / (inside + ridge))
            found[rows] += np.divide.outer(rest, ridge)
        return found

    def solved(self, Y: np.ndarray, ridge: np.ndarray, share=1.0) -> np.ndarray:
        """``(share K~ + ridge I)^-1 Y`` for columns Y, each with its own ridge."""
        C, inside = self.U.T @ Y, np.outer(self.values, share)
        if len(self.values) == len(Y):  # no difference of large numbers
            return self.U @ (C / (inside + ridge))
        return (Y - self.U @ (C * (inside / (inside + ridge)))) / ridge


@dataclass(frozen=True, eq=False)
class Squares:
    """What a ridge makes of F F' by way of F'F, which is twice as fast as `Spectrum`.

    With ``T = F V`` and the eigenvectors V of F'F the inverse of ``T T' + ridge I`` is
    ``(I - T (T'T + ridge I)^-1 T') / ridge``; diag(values) stands for T'T, from which
    rounding keeps it e away.  For e below a ridge this multiplies each quadratic form
    of the inverse by at most ``1 + e / (ridge - e)`` or its inverse, since the norm of
    ``(T'T + ridge I)^-1 T'x`` is at most the root of that of x.

    Attributes
    ----------
    values : ndarray (k,)
        Above or equal to 0.
    T : ndarray (n, k)
    """

    values: np.ndarray
    T: np.ndarray

    @classmethod
    def of_factor(cls, F: np.ndarray) -> Squares:
        """That of F F', F of shape (n, k): 3 n k^2 operations."""
        values, V = scipy.linalg.eigh(F.T @ F, overwrite_a=True, check_finite=False)
        return cls(values.clip(0), F @ V)

    def energies(self, Y: np.ndarray, ridge: np.ndarray, share=1.0) -> np.ndarray:
        """``y' (share K~ + ridge I)^-1 y`` of each column, or of one and each ridge.

        With a the solution it is ``ridge |a|^2 + share |T'a|^2``: no difference.
        """
        W = self.T.T @ Y / (np.outer(self.values, share) + ridge)
        left = Y - self.T @ (W * share)
        return (left**2).sum(axis=0) / ridge + (W**2).sum(axis=0) * share

    def logdet(self, ridge: np.ndarray, share=1.0) -> np.ndarray:
        """``log det(share K~ + ridge I)``, (r,)."""
        n, k = self.T.shape
        inside = np.log(np.outer(self.values, share) + ridge).sum(axis=0)
        return inside + (n - k) * np.log(ridge)

    def inverse_diagonal(self, ridge: np.ndarray, share=1.0) -> np.ndarray:
        """The diagonals of ``(share K~ + ridge I)^-1``, (n, r): 2 n k r operations."""
        n, k = self.T.shape
        found, inside = np.empty((n, len(ridge))), np.outer(self.values, share) + ridge
        for rows in row_blocks(n, k):
            found[rows] = 1 - self.T[rows] ** 2 @ (share / inside)
        return found.clip(0) / ridge

    def solved(self, Y: np.ndarray, ridge: np.ndarray, share=1.0) -> np.ndarray:
        """``(share K~ + ridge I)^-1 Y`` for columns Y, each with its own ridge."""
        inside = np.outer(self.values, share) + ridge
        return (Y - self.T @ (self.T.T @ Y * (share / inside))) / ridge
