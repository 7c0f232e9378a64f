"""One case on which a statement is tried: a matrix, some of its columns, a rank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import scipy.linalg
from scipy.spatial.distance import pdist

from nystheory import _checks, _semidefinite, lowrank
from nystheory.engine.worlds.laws import LAWS
from nystheory.engine.worlds.matrices import (
    as_float,
    eigen,
    in_fractions,
    thin_svd,
    truncated_inverse,
)
from nystheory.engine.worlds.measured import Measured
from nystheory.engine.worlds.ranks import Ranked

# Samples of matrices up to this size are kept, with what was measured on them.
SHARED = 20

# What does not depend on the sample, however it is computed.
_OF_K = (
    *("points", "eigen_K", "_singular_X", "norm_K", "spectrum", "rank_K"),
    *("diagonal", "largest_distance", "spread", "_memo"),
)
# What depends on K and the sample, and not on the rank.
_OF_S = ("_singular_X_S", "rank_W")
# What a law draws besides columns: test vectors, observations.
DRAWN = {"omega", "y"}


def _landmarks(S, n) -> np.ndarray:
    """Indices of columns, none of them negative; there may be none."""
    found = np.atleast_1d(np.asarray(S))
    return _checks.indices(found, n, "landmarks") if found.size else found.astype(int)


@dataclass(frozen=True, eq=False)
class Instance(Ranked, Measured):
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
        What a statement needs besides: a ridge, a competitor, weights.
    plain : mapping, optional
        The same instance in exact numbers, as `exactly` was given it.
    groups : tuple of int
        Sizes of groups of equal points, in the order of the columns: a law then
        lists how many of each group are drawn in place of every sample.

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
    plain: Mapping | None = None
    groups: tuple[int, ...] = ()

    def __post_init__(self):
        object.__setattr__(self, "K", np.asarray(self.K, dtype=float))
        object.__setattr__(self, "landmarks", _landmarks(self.landmarks, len(self.K)))
        _checks.integer(self.rank, "rank", low=0)

    @classmethod
    def from_points(cls, X, landmarks, rank, name="", **extra):
        """Instance of ``K = X.T @ X``, points as the columns of X."""
        X = np.asarray(X, dtype=float)
        return cls(X.T @ X, landmarks, rank, X=X, name=name, extra=extra)

    @classmethod
    def exactly(
        cls, landmarks, rank, points=None, matrix=None, name="", groups=(), **given
    ):
        """An instance of fractions, for refutations that are proofs.

        Parameters
        ----------
        landmarks : sequence of int
        rank : int
        points, matrix : rows of int, Fraction, float or str
            X with ``K = X'X``, or K itself; ``"1.005"`` means what it says.
        groups : tuple of int
            Sizes of groups of equal points.
        **given : number or rows of numbers

        Examples
        --------
        >>> case = Instance.exactly([0], 1, points=[["1/3", 1]])
        >>> case.n, case.plain["points"]
        (2, [['1/3', 1]])
        """
        if (points is None) == (matrix is None):
            raise ValueError("expected either points or matrix, got both or neither")
        plain = {"landmarks": list(landmarks), "rank": rank, "given": given}
        plain["points" if matrix is None else "matrix"] = (
            points if matrix is None else matrix
        )
        X = None if points is None else as_float(points)
        K = (
            X.T @ X
            if matrix is None
            else _semidefinite.symmetric(as_float(matrix), "matrix")
        )
        extra = {name: as_float(value) for name, value in given.items()}
        return cls(K, landmarks, rank, X, name, extra, plain, tuple(groups))

    def in_fractions(self) -> dict:
        """The instance in exact numbers; floats stand for themselves.

        Returns
        -------
        dict
            ``points`` or ``matrix``, ``landmarks``, ``rank``, ``given``: what
            `exact.Case.of` takes.

        Examples
        --------
        >>> Instance(np.eye(2), [0], 1).in_fractions()["matrix"]
        [['1', '0'], ['0', '1']]
        """
        plain = self.plain
        if plain is None:
            known = ("matrix", self.K) if self.X is None else ("points", self.X)
            plain = {
                known[0]: known[1],
                "landmarks": self.landmarks,
                "rank": self.rank,
                "given": self.extra,
            }
        told = {name: in_fractions(value) for name, value in plain["given"].items()}
        out = {"landmarks": [int(j) for j in plain["landmarks"]]}
        out |= {"rank": int(plain["rank"]), "given": told}
        if self.groups:
            out["groups"] = list(self.groups)
        for name in ("points", "matrix"):
            if plain.get(name) is not None:
                out[name] = in_fractions(plain[name])
        return out

    def but(self, **changes):
        """A copy with some fields exchanged; ``extra`` entries may be named directly.

        >>> Instance(np.eye(2), [0], 1).but(landmarks=[1]).C.ravel().tolist()
        [0.0, 1.0]
        """
        names = self.__dataclass_fields__
        named = {k: v for k, v in changes.items() if k not in names}
        known = set(changes) <= {"landmarks", "rank"} | DRAWN
        extra = changes.pop("extra", {**self.extra, **named})
        fields = {k: v for k, v in changes.items() if k in names}
        if "X" in fields and "K" not in fields:
            fields["K"] = fields["X"].T @ fields["X"]
        elif "K" in fields:
            fields.setdefault("X", None)
        if {"K", "X"} & set(fields):
            fields.setdefault("groups", ())
        other = replace(self, **fields, extra=extra, plain=None)
        if "K" not in fields:
            for name in _OF_K if "landmarks" in fields else (*_OF_K, *_OF_S):
                if name in self.__dict__:
                    other.__dict__[name] = self.__dict__[name]
            if known and (other.l, other.k) == (self.l, self.k):
                other.__dict__["_known"] = self._known
        return other

    def outcomes(self, law: str):
        """Every sample with its probability, or None where there are too many.

        Small ones are listed once, so that all claims share what is measured on them.
        """
        if self.n > SHARED:
            return LAWS[law].outcomes(self)
        if law not in self._listed:
            found = LAWS[law].outcomes(self)
            self._listed[law] = None if found is None else list(found)
        return self._listed[law]

    def draw(self, law: str, rng):
        """The instance with a random sample."""
        draw = LAWS[law].draw
        return draw(self, rng) if draw else super().draw(law, rng)

    def without_last(self):
        """With one landmark less, and one test vector less if there are any."""
        if self.l < 2:
            return None
        shorter = self.but(landmarks=self.landmarks[:-1])
        if "omega" in self.extra:
            shorter = shorter.but(omega=self.extra["omega"][:, :-1])
        return shorter.but(rank=min(self.k, shorter.l))

    def __repr__(self):
        label = f"{self.name}: " if self.name else ""
        return f"Instance({label}n={self.n}, l={self.l}, k={self.k})"

    @property
    def n(self) -> int:
        """Size of K."""
        return len(self.K)

    @property
    def l(self) -> int:  # noqa: E743 - the field's letter
        """Number of landmarks, of each expert if there are several."""
        p = self.extra.get("experts", 1)
        return len(self.landmarks) // (int(p) if np.ndim(p) == 0 else 1)

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
    def spectrum(self) -> np.ndarray:
        """Singular values of K, largest first; squares of those of the points."""
        if self.X is not None:
            found = self._singular_X**2
            return np.pad(found, (0, max(0, self.n - len(found))))[: self.n]
        return np.sort(np.abs(self.eigen_K[0]))[::-1]

    @cached_property
    def approximation(self) -> np.ndarray:
        """The Nyström approximation of rank k, by the package; 0 without landmarks.

        By hand where K is not semidefinite, which the package refuses.
        """
        if self.l == 0:
            return np.zeros((self.n, self.n))
        if self.eigen_K[0][-1] < -1e-6 * self.norm_K:
            return self.C @ truncated_inverse(self.W, self.k) @ self.C.T
        return lowrank.nystrom(self.K, self.landmarks, self.k).spectral_reconstruction()

    @cached_property
    def full(self) -> Instance:
        """The same with rank l: the whole core is used."""
        return self if self.k == self.l else self.but(rank=self.l)

    @cached_property
    def error(self) -> np.ndarray:
        """K less the approximation."""
        return self.K - self.approximation

    @cached_property
    def error_spectrum(self) -> np.ndarray:
        """Eigenvalues of the error, smallest first."""
        return scipy.linalg.eigvalsh(self.error)

    @cached_property
    def distance(self) -> np.ndarray:
        """Eigenvalues of ``X X' - Z Z'`` with ``Z = sqrt(n / l) X_S``."""
        X, Z = self.points, np.sqrt(self.n / self.l) * self.points[:, self.landmarks]
        return scipy.linalg.eigvalsh(X @ X.T - Z @ Z.T)

    @cached_property
    def diagonal(self) -> np.ndarray:
        """The diagonal of K, (n,)."""
        return np.diag(self.K)

    @cached_property
    def largest_distance(self) -> float:
        """Largest kernel distance of two points.

        From the points where they are given: equal ones are then at distance 0.
        """
        if self.n == 1:
            return 0.0
        if self.X is not None:
            return float(pdist(self.X.T).max())
        squares = self.diagonal[:, None] + self.diagonal - 2 * self.K
        return float(np.sqrt(squares.max(initial=0.0)))

    @cached_property
    def spread(self) -> float:
        """``sum K_ii^2 - |K|_F^2 / n``, as a sum of squares without a sign."""
        squares = self.diagonal**2
        pairs = squares[:, None] + squares - 2 * self.K**2
        return float(np.maximum(pairs, 0).sum() / (2 * self.n))

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
