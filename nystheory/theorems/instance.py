"""One case on which a statement is tried: a matrix, some of its columns, a rank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import scipy.linalg

EPS = np.finfo(float).eps

# Singular values of X' below GREY_LOW (relative) are zeros of the data, those above
# GREY_HIGH are safe.  Between them float64 cannot tell the rank of W = X'^T X',
# whose eigenvalues are the squares: 1e-5 squared is 1e-10, well above eps.
GREY_LOW, GREY_HIGH = 1e-13, 1e-5


@dataclass(frozen=True, eq=False)
class Instance:
    """A kernel matrix, a list of landmarks and a rank, with what follows from them.

    Parameters
    ----------
    K : ndarray (n, n)
        The matrix, symmetric; positive semidefinite unless the statement at hand
        says what happens without that.
    landmarks : ndarray (l,)
        Indices of the sampled columns, repetitions allowed.
    rank : int
        The rank k that is asked for, ``1 <= k <= l``.
    X : ndarray (N, n), optional
        Points as columns, ``K = X.T @ X``.  Computed from the eigenvalues of K when
        it is not given.
    name : str
        Where the instance comes from, for tables.
    extra : mapping of str to ndarray
        What a statement needs besides: a competitor, a second basis.

    Examples
    --------
    >>> case = Instance(np.diag([2.0, 1.0]), [0], 1)
    >>> case.C.ravel().tolist(), case.W.tolist(), case.rank_K
    ([2.0, 0.0], [[2.0]], 2)
    """

    K: np.ndarray
    landmarks: np.ndarray
    rank: int
    X: np.ndarray | None = None
    name: str = ""
    extra: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __post_init__(self):
        object.__setattr__(self, "K", np.asarray(self.K, dtype=float))
        indices = np.atleast_1d(np.asarray(self.landmarks, dtype=int))
        object.__setattr__(self, "landmarks", indices)

    @classmethod
    def from_points(cls, X, landmarks, rank, name="", **extra):
        """Instance of ``K = X.T @ X``, points as the columns of X."""
        X = np.asarray(X, dtype=float)
        return cls(X.T @ X, landmarks, rank, X=X, name=name, extra=extra)

    def but(self, **changes):
        """A copy with some fields exchanged; ``extra`` entries may be named directly.

        >>> Instance(np.eye(2), [0], 1).but(landmarks=[1]).C.ravel().tolist()
        [0.0, 1.0]
        """
        names = self.__dataclass_fields__
        named = {k: v for k, v in changes.items() if k not in names}
        extra = changes.pop("extra", {**self.extra, **named})
        fields = {k: v for k, v in changes.items() if k in names}
        if "X" in fields and "K" not in fields:
            fields["K"] = fields["X"].T @ fields["X"]
        elif "K" in fields:
            fields.setdefault("X", None)
        return replace(self, **fields, extra=extra)

    def __repr__(self):
        label = f"{self.name}: " if self.name else ""
        return f"Instance({label}n={self.n}, l={self.l}, k={self.k})"

    @property
    def n(self) -> int:
        """Size of K."""
        return len(self.K)

    @property
    def l(self) -> int:  # noqa: E743 - the field's letter
        """Number of landmarks."""
        return len(self.landmarks)

    @property
    def k(self) -> int:
        """The rank asked for."""
        return self.rank

    @cached_property
    def C(self) -> np.ndarray:
        """The sampled columns, (n, l)."""
        return self.K[:, self.landmarks]

    @cached_property
    def W(self) -> np.ndarray:
        """The core, rows and columns of the landmarks, (l, l)."""
        return self.C[self.landmarks]

    @cached_property
    def others(self) -> np.ndarray:
        """Indices that are not landmarks, (n - l,) when no landmark repeats."""
        return np.setdiff1d(np.arange(self.n), self.landmarks)

    @cached_property
    def norm_K(self) -> float:
        """Spectral norm of K."""
        return float(np.abs(self.eigen_K[0]).max())

    @cached_property
    def eigen_K(self) -> tuple[np.ndarray, np.ndarray]:
        """Eigenvalues, largest first, and eigenvectors of K."""
        return eigen(self.K)

    @cached_property
    def eigen_W(self) -> tuple[np.ndarray, np.ndarray]:
        """Eigenvalues, largest first, and eigenvectors of W."""
        return eigen(self.W)

    @cached_property
    def svd_C(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Thin singular value decomposition of C, cut at its numerical rank."""
        return thin_svd(self.C)

    @cached_property
    def svd_X_S(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Thin singular value decomposition of the sampled points X'."""
        return thin_svd(self.points[:, self.landmarks])

    @cached_property
    def points(self) -> np.ndarray:
        """X with K = X'X: the one given, else the square root from the spectrum."""
        if self.X is not None:
            return self.X
        values, vectors = self.eigen_K
        return np.sqrt(np.maximum(values, 0))[:, None] * vectors.T

    @cached_property
    def _singular_X(self) -> np.ndarray:
        return scipy.linalg.svdvals(self.points)

    @cached_property
    def _singular_X_S(self) -> np.ndarray:
        return scipy.linalg.svdvals(self.points[:, self.landmarks])

    @cached_property
    def rank_K(self) -> int:
        """Rank of K, counted on the points (see `rank_is_clear`)."""
        return int((self._singular_X > GREY_HIGH * self._scale_X).sum())

    @cached_property
    def rank_W(self) -> int:
        """Rank of W, counted on the sampled points."""
        return int((self._singular_X_S > GREY_HIGH * self._scale_X).sum())

    @property
    def _scale_X(self) -> float:
        return float(self._singular_X[0])

    @cached_property
    def rank_is_clear(self) -> bool:
        """Whether float64 can tell the ranks of K and of W: no singular value is grey.

        Without given points the singular values are roots of eigenvalues, so that a
        true zero shows up as the root of rounding; then only a full rank is clear.
        """
        return self._nothing_between(GREY_HIGH)

    @cached_property
    def rank_is_obvious(self) -> bool:
        """Whether a missing rank shows: eigenvalues of K are 0 or above 1e-6 norm(K).

        By Eckart and Young an approximation of lower rank then errs by as much.
        """
        return self._nothing_between(1e-3)

    def _nothing_between(self, high) -> bool:
        if self._scale_X == 0:
            return True
        low = GREY_LOW if self.X is not None else 0.0
        relative = np.r_[self._singular_X, self._singular_X_S] / self._scale_X
        return not bool(((relative > low) & (relative < high)).any())

    @cached_property
    def condition(self) -> float:
        """How much rounding in W is amplified in ``C W_k^+ C.T`` (infinite if unclear).

        First-order perturbation: an error e in W moves the product by at most
        ``e * trace(K) / s_r`` through the inverse, and by ``s_1 / (s_r - s_{r+1})``
        more when truncation to rank k cuts through the spectrum s of W.
        """
        s = self._singular_X_S**2
        if s[0] == 0:
            return 1.0
        if not self.rank_is_clear:
            return np.inf
        r = min(self.k, self.rank_W)
        if r == 0:
            return np.inf
        amplified = max(np.trace(self.K), s[0]) / s[r - 1]
        if r < self.rank_W:
            gap = (s[r - 1] - s[r]) / s[0]
            amplified = amplified / gap if gap > 0 else np.inf
        return float(amplified)

    @cached_property
    def condition_of_columns(self) -> float:
        """Amplification of rounding by ``((C.T C)_k)^+``; infinite if rank is grey."""
        if not self.rank_is_clear:
            return np.inf
        s = scipy.linalg.svdvals(self.C)
        relative = s / (s[0] or 1.0)
        if np.any((relative > GREY_LOW) & (relative < GREY_HIGH)):
            return np.inf
        r = min(self.k, int((relative >= GREY_HIGH).sum()))
        if r == 0:
            return 1.0
        after = s[r] if r < len(s) else 0.0
        gap = (s[r - 1] - after) / s[0]
        return float((s[0] / s[r - 1]) ** 2 / gap) if gap > 0 else np.inf


def eigen(matrix):
    """Eigenvalues, largest first, and eigenvectors of a symmetric matrix."""
    values, vectors = scipy.linalg.eigh(matrix)
    return values[::-1], vectors[:, ::-1]


def thin_svd(matrix):
    """Singular value decomposition cut at the numerical rank: U, s, V."""
    U, s, Vt = scipy.linalg.svd(matrix, full_matrices=False)
    keep = s > max(matrix.shape) * EPS * s[0] if len(s) else s
    return U[:, keep], s[keep], Vt[keep].T


def truncated_inverse(matrix, rank, power=1.0):
    """``(M_k^power)^+`` of a symmetric M from its eigenvalues of largest modulus.

    The textbook route, by `eigh`, kept apart from the one of `nystheory.lowrank`
    so that the two can check each other.  Eigenvalues below a tenth of
    ``GREY_HIGH ** 2`` count as zero: on an instance whose rank is clear there are
    none between that and rounding.
    """
    values, vectors = eigen(matrix)
    order = np.argsort(-np.abs(values), kind="stable")[:rank]
    values, vectors = values[order], vectors[:, order]
    keep = np.abs(values) > 0.1 * GREY_HIGH**2 * np.abs(values).max(initial=0.0)
    values, vectors = values[keep], vectors[:, keep]
    return (vectors * values**-power) @ vectors.T
