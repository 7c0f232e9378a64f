"""One case on which a statement is tried: a matrix, some of its columns, a rank."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy.linalg
from scipy.spatial.distance import pdist

from nystheory import _checks, _semidefinite, lowrank, sampling
from nystheory.engine.worlds.matrices import (
    as_float,
    diagonal,
    eigen,
    in_fractions,
    thin_svd,
    truncated_inverse,
)
from nystheory.engine.worlds.ranks import Ranked
from nystheory.engine.worlds.worlds import Given, World

# What does not depend on the sample, however it is computed.
_OF_K = (
    *("points", "eigen_K", "_singular_X", "norm_K", "spectrum", "rank_K"),
    *("diagonal", "largest_distance", "spread", "leading_scores", "_memo"),
)
# What depends on K and the sample, and not on the rank.
_OF_S = ("_singular_X_S", "rank_W")
# Rows of eigenvectors that are squared at a time.
ROWS = 256
# What every instance of columns has.
_CORE = ("K", "X", "landmarks", "rank", "name", "groups")


def _landmarks(S, n) -> np.ndarray:
    """Indices of columns, none of them negative; there may be none."""
    found = np.atleast_1d(np.asarray(S))
    return _checks.indices(found, n, "landmarks") if found.size else found.astype(int)


class Instance(Ranked, World):
    """The columns of one matrix: a kernel matrix, some landmarks and a rank.

    Other worlds that speak of one add their own parts to it.

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
    groups : tuple of int
        Sizes of groups of equal points, in the order of the columns: a law then
        lists how many of each group are drawn in place of every sample.
    **given : number or array
        What the world speaks of besides, by name.

    Attributes
    ----------
    plain : mapping or None
        The same instance in exact numbers, as `exactly` was given it.

    Examples
    --------
    >>> case = Instance(np.diag([2.0, 1.0]), [0], 1)
    >>> case.C.ravel().tolist(), case.W.tolist(), case.rank_K
    ([2.0, 0.0], [[2.0]], 2)
    """

    y = Given("y", "observations", axes=("n",), drawn=True)
    # Of each column, where they are drawn independently.
    probabilities = Given(meaning="probabilities of the columns", axes=("n",))
    # A bound on K(x, x) of all points, or how far it is above those that are given.
    bound_of_points = Given()
    room = Given(default=lambda i: 0.0)

    def __init__(self, K, landmarks, rank, X=None, name="", groups=(), **given):
        self.K = np.asarray(K, dtype=float)
        self.landmarks = _landmarks(landmarks, len(self.K))
        self.rank = _checks.integer(rank, "rank", low=0)
        self.X, self.groups = X, tuple(groups)
        super().__init__(name, **given)

    @classmethod
    def from_points(cls, X, landmarks, rank, name="", **given):
        """Instance of ``K = X.T @ X``, points as the columns of X."""
        X = np.asarray(X, dtype=float)
        return cls(X.T @ X, landmarks, rank, X=X, name=name, **given)

    @classmethod
    def one_sampled(cls, matrix, **given):
        """K in exact numbers, of which the first column is sampled."""
        return cls.exactly([0], 1, matrix=matrix, **given)

    @classmethod
    def orthogonal(cls, *squares, **given):
        """Orthogonal points by their squared lengths; the first is sampled."""
        return cls.one_sampled(diagonal(squares), **given)

    @classmethod
    def of(cls, instance):
        """The same matrix and sample in this world; what it brings besides goes along.

        >>> class Ridge(Instance):
        ...     signal = Given("z", "signal")
        >>> Ridge.of(Instance(np.eye(2), [0], 1)).but(signal=[3, 4]).signal
        [3, 4]
        """
        if isinstance(instance, cls) or not isinstance(instance, Instance):
            return instance
        other = cls(**{name: getattr(instance, name) for name in _CORE})
        other.plain = instance.plain
        kept = (*_OF_K, *_OF_S, *instance.given)
        other.__dict__ |= {n: x for n, x in instance.__dict__.items() if n in kept}
        return other

    @property
    def bare(self) -> Instance:
        """The matrix, the sample and the rank alone."""
        fields = {name: getattr(self, name) for name in _CORE}
        other = Instance(**fields)
        other.__dict__ |= {n: self.__dict__[n] for n in _OF_K if n in self.__dict__}
        return other

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
        floats = {name: as_float(value) for name, value in given.items()}
        other = cls(K, landmarks, rank, X, name, groups, **floats)
        other.plain = plain
        return other

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
            plain = {known[0]: known[1], "landmarks": self.landmarks}
            plain |= {"rank": self.rank, "given": self.given}
        told = {name: in_fractions(value) for name, value in plain["given"].items()}
        out = {"landmarks": [int(j) for j in plain["landmarks"]]}
        out |= {"rank": int(plain["rank"]), "given": told} | self._scopes()
        if self.groups:
            out["groups"] = list(self.groups)
        if (samples := self.samples_of(self)) > 1:
            out["samples"] = samples
        for name in ("points", "matrix"):
            if plain.get(name) is not None:
                out[name] = in_fractions(plain[name])
        return out

    def anew(self, **changes):
        """As `but`, and everything is measured afresh."""
        fields = {name: getattr(self, name) for name in _CORE}
        return type(self)(**{**fields, **self.given, **changes})

    def but(self, **changes):
        """A copy with some of its parts exchanged.

        >>> Instance(np.eye(2), [0], 1).but(landmarks=[1]).C.ravel().tolist()
        [0.0, 1.0]
        """
        if "X" in changes and "K" not in changes:
            changes["K"] = changes["X"].T @ changes["X"]
        elif "K" in changes:
            changes.setdefault("X", None)
        if "K" in changes:
            changes.setdefault("groups", ())
        other = self.anew(**changes)
        if "K" not in changes:
            for name in _OF_K if "landmarks" in changes else (*_OF_K, *_OF_S):
                if name in self.__dict__:
                    other.__dict__[name] = self.__dict__[name]
            sampled = set(changes) <= {"landmarks", "rank", *self.sampled}
            if sampled and (other.l, other.k) == (self.l, self.k):
                other.__dict__["_known"] = self._known
        return other

    def without_last(self):
        """With one landmark less, and one test vector less if there are any."""
        if self.l < 2:
            return None
        shorter = self.but(landmarks=self.landmarks[:-1])
        shorter = shorter.but(rank=min(self.k, shorter.l))
        for name in self.given:
            if (axes := self.parts[name].axes) and self.parts[name].drawn:
                rows = [slice(-1) if axis == "l" else slice(None) for axis in axes]
                shorter = shorter.but(**{name: getattr(self, name)[tuple(rows)]})
        return shorter

    def __repr__(self):
        label = f"{self.name}: " if self.name else ""
        return f"Instance({label}n={self.n}, l={self.l}, k={self.k})"

    @property
    def is_whole(self) -> bool:
        """Whether its matrix, or its points, are of integers."""
        return not ((self.K if self.X is None else self.X) % 1).any()

    @property
    def n(self) -> int:
        """Size of K."""
        return len(self.K)

    @property
    def l(self) -> int:  # noqa: E743 - the field's letter
        """Number of landmarks, of each sample where a world has several."""
        return len(self.landmarks) // self.samples_of(self)

    @classmethod
    def samples_of(cls, instance) -> int:
        """How many samples of one size the landmarks are."""
        return 1

    @property
    def k(self) -> int:
        """The rank asked for."""
        return self.rank

    @property
    def shape(self) -> tuple[int, int, int]:
        """Cases of one shape are compared with each other by a search."""
        return self.n, self.l, self.k

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

    @property
    def log_elementary(self) -> tuple[float, float]:
        """Of the elementary symmetric polynomials of degrees l and l + 1."""
        positive = self.spectrum[self.spectrum > 0]
        logs = sampling.log_elementary(positive, self.l + 1)[-1]
        return logs[-2], logs[-1]

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
    def leading_scores(self) -> np.ndarray:
        """The largest leverage score of each rank from 1 to n, (n,)."""
        vectors, largest = self.eigen_K[1], np.zeros(self.n)
        for start in range(0, self.n, ROWS):
            found = np.cumsum(vectors[start : start + ROWS] ** 2, axis=1)
            largest = np.maximum(largest, found.max(axis=0))
        return largest

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
