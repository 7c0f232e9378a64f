"""What the statements on coherence speak of: a basis, its rows, what a sample sees."""

from __future__ import annotations

import math
from functools import lru_cache, partial
from itertools import product

import numpy as np
import scipy.linalg

from nystheory import coherence as spread
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.clusters import Clusters
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.matrices import GREY_HIGH, diagonal
from nystheory.engine.worlds.quantities import quantity
from nystheory.engine.worlds.worlds import Given


class Orthonormal(Instance):
    """The columns of one matrix, and orthonormal columns U of as many rows.

    They are what Gram and Schmidt make of a basis; without one they are the right
    singular vectors of the points.
    """

    # Independent columns.
    basis = Given(axes=("n", "r"))
    # For controls: U as it is, orthonormal or not; right singular vectors beside U.
    columns = Given(axes=("n", "r"))
    right = Given(axes=("n", "r"))

    @classmethod
    def drawn(cls, instance, rng):
        """A basis of the k leading eigenvectors of K, half of the time turned."""
        vectors = instance.eigen_K[1][:, : instance.k]
        if rng.random() < 0.5:
            vectors = vectors @ rng.standard_normal((vectors.shape[1],) * 2)
        return instance.but(basis=vectors)

    @classmethod
    def of_basis(cls, basis, landmarks=(0,), name="", **given):
        """The instance of the projector on the space of independent columns."""
        B = np.asarray(basis, dtype=float)
        rank = min(B.shape[1], len(landmarks))
        points = np.linalg.qr(B)[0].T
        return cls.from_points(points, landmarks, rank, name, basis=B, **given)

    @classmethod
    def of_fractions(cls, basis, landmarks=(0,), rank=None, **given):
        """The identity, with rational columns of one's choice."""
        one = diagonal([1] * len(basis))
        given = {"basis": basis, **given}
        return cls.exactly(landmarks, rank or len(landmarks), points=one, **given)


# --- Orthonormal columns, and how the rows share their mass ---------------------------


def _orthonormal(B):
    """What Gram and Schmidt make of independent columns."""
    Q, R = np.linalg.qr(np.asarray(B, dtype=float))
    return Q * np.where(np.diag(R) < 0, -1.0, 1.0)


@lru_cache(maxsize=64)
def _given_basis(i):
    return _orthonormal(i.basis), np.linalg.cond(i.basis)


def _thin(i):
    """Thin singular value decomposition of the points, V with a sign: U, s, V."""
    if isinstance(i, Clusters):
        return np.eye(i.rank_K), np.sqrt(i.values[i.values > 0]), i.vectors
    if i.X is None:  # the points are those of the spectrum
        values, vectors = i.eigen_K
        left, s, Vt = np.eye(i.n), np.sqrt(np.maximum(values, 0)), vectors.T
    else:
        left, s, Vt = np.linalg.svd(i.points, full_matrices=False)
    left, s, V = left[:, : i.rank_K], s[: i.rank_K], Vt[: i.rank_K].T
    signs = np.where(V.T @ (1.0 / np.arange(1, i.n + 1)) < 0, -1.0, 1.0)
    return left * signs, s, V * signs


def columns(i) -> np.ndarray:
    """The columns U of an instance, (n, r)."""
    if i.brings("columns"):
        return i.columns
    return _given_basis(i)[0] if i.brings("basis") else _thin(i)[2]


def _is_given(i) -> bool:
    """Whether U is not that of the points."""
    return i.brings("columns") or i.brings("basis")


def _another(i):
    """Another orthonormal basis of the same space, from sums of the columns."""
    U = columns(i)
    B = i.basis if i.brings("basis") else U
    return _orthonormal(B @ np.tri(U.shape[1]))


def _largest_entry(U):
    return math.sqrt(len(U)) * np.abs(U).max()


def _largest_row(U):
    return len(U) * (U**2).sum(axis=1).max()


def _of_basis(i):
    """How much rounding turns the columns."""
    if i.brings("basis"):
        return _given_basis(i)[1]
    s = _thin(i)[1]
    return s.max() / s.min() if len(s) else 1.0


def _of_vectors(i):
    """How much rounding turns single singular vectors."""
    if _is_given(i):
        return _of_basis(i)
    s = np.sort(np.append(_thin(i)[1], 0.0) ** 2)[::-1]
    gap = -np.diff(s).max(initial=-s[0])
    return s[0] / gap if gap > 0 else np.inf


count = partial(Orthonormal.quantity, unit=None)
of_space = partial(Orthonormal.quantity, unit=0, condition=_of_basis)
of_vectors = partial(Orthonormal.quantity, unit=0, condition=_of_vectors)

of_vectors("U", "orthonormal columns", name="U")(columns)


@count("r", "number of orthonormal columns; the rank of K for those of K")
def r(i):
    if _is_given(i):
        return columns(i).shape[1]
    return i.rank_K if i.rank_is_clear else None


@of_vectors(r"\mu", "coherence of the orthonormal columns")
def coherence(i):
    of = _largest_entry if i.brings("columns") else spread.of_vectors
    return of(columns(i))


@of_space("M", "n times the largest squared row length of the orthonormal columns")
def basis_free_coherence(i):
    if i.brings("columns"):
        return _largest_row(i.columns)
    if i.brings("basis") or isinstance(i, Clusters) or i.X is not None:
        return spread.basis_free(columns(i))
    return i.n * i.leading_scores[i.rank_K - 1]  # of eigenvectors, as they are


@of_vectors(r"\mu(V)", "coherence of another orthonormal basis V of the same space")
def other_coherence(i):
    return spread.of_vectors(_another(i))


@of_space(
    "M(V)",
    "n times the largest squared row length of another basis V of the same space",
)
def other_free(i):
    return spread.basis_free(_another(i))


@of_space(
    r"\mu_1",
    "largest entry of the product of left and right vectors, times n over root r",
)
def mu_1(i):
    U = columns(i)
    other = i.right if i.brings("right") else U
    return np.abs(U @ other.T).max() * i.n / math.sqrt(U.shape[1])


@lru_cache
def _sign_triples(n) -> float:
    """By how many rows have which of the four pairs of signs, below a first of ones."""
    total = 0
    for a, b, c in product(range(n // 2 + 1), repeat=3):
        d = n - a - b - c
        if a + b == c + d and a + c == b + d and a + d == b + c:
            orders = math.prod(map(math.factorial, (a, b, c, d)))
            total += math.factorial(n) // orders
    return float(total)


@count("s_2", "number of sign vectors of length n orthogonal to that of ones")
def sign_pairs(i):
    return sum(math.comb(i.n, plus) for plus in range(i.n + 1) if 2 * plus == i.n)


@count(
    "s_3",
    "number of pairs of sign vectors of length n orthogonal to each other and to ones",
)
def sign_triples(i):
    return _sign_triples(i.n)


# --- Sampled rows ---------------------------------------------------------------------

quantity("X_S", "sampled points as columns", SAMPLE, unit=0.5, name="X_S")(
    lambda i: i.points[:, i.landmarks]
)
of_vectors("U_X", "left singular vectors of X", name="U_X")(lambda i: _thin(i)[0])
quantity(r"\Sigma_X", "singular values of X", unit=0.5, name="Sigma_X")(
    lambda i: np.diag(_thin(i)[1])
)


@of_vectors("V_S", "sampled rows of V", SAMPLE)
def V_S(i):
    return columns(i)[i.landmarks]


def _gram_spectrum(i):
    """Eigenvalues of ``V_S' V_S``; for clusters the shares that are sampled."""
    if isinstance(i, Clusters):
        return np.sort((np.array(i.counts) / i.sizes)[i.lengths > 0])
    return np.linalg.eigvalsh(V_S(i).T @ V_S(i))


def _above(values, zero):
    return int((values > zero).sum())


def _rank(latex, meaning):
    """Enter a rank that float64 tells where a missing one is obvious."""

    def enter(counted):
        @count(latex, meaning, SAMPLE, name=counted.__name__)
        def measured(i):
            return counted(i) if i.rank_is_obvious else None

    return enter


# Of squares of singular values, what counts as zero.
_ZERO = GREY_HIGH**1.5


@_rank(r"\operatorname{rank} W", "rank of the core, by its eigenvalues")
def rank_core(i):
    return _above(i.eigen_W[0] / (i.norm_K or 1.0), _ZERO)


@_rank(r"\operatorname{rank} X_S", "rank of the sampled points")
def rank_X_S(i):
    return i.rank_W


@_rank(r"\operatorname{rank} V_S", "rank of the sampled rows")
def rank_V_S(i):
    return _above(scipy.linalg.svdvals(V_S(i)), GREY_HIGH)


@_rank(r"\operatorname{rank} A", "rank of their Gram matrix")
def rank_A(i):
    return _above(_gram_spectrum(i), _ZERO)


@Orthonormal.quantity(r"\sigma", "spectral norm of A", SAMPLE, unit=0)
def sigma_A(i):
    return _gram_spectrum(i)[-1]


def from_identity(i, factor) -> float:
    """``||factor * A - I||``, where 1/2 and 1 are what they are up to 12 digits."""
    found = np.abs(factor * _gram_spectrum(i) - 1).max()
    near = [x for x in (0.5, 1.0) if abs(found - x) < 1e-12 * max(1.0, factor)]
    return near[0] if near else found


@count(
    r"\|\tfrac nl V_S^\top V_S-I\|_2",
    "how far the sampled rows, scaled, are from orthonormal",
    SAMPLE,
)
def isometry_defect(i):
    return from_identity(i, i.n / i.l)


@count("m", "number of points other than 0")
def points_off_zero(i):
    return int((i.diagonal > 0).sum())


# Truth: whether the points other than 0 are all equal, exactly.
@quantity(r"\text{the points other than } 0 \text{ are equal}", "whether they are")
def equal_or_zero(i):
    some = i.K[np.diag(i.K) > 0][:, np.diag(i.K) > 0]
    return bool((some == some[:1, :1]).all())


# --- Columns of signs ----------------------------------------------------------------


@Orthonormal.quantity(
    r"\text{the columns form a group under products of signs}", "whether they do"
)
def closed(i):
    B = np.sign(columns(i)).T
    found = {tuple(column) for column in B}
    return all(tuple(a * b) in found for a in B for b in B)


@Orthonormal.quantity(
    r"\text{any two rows of } U \text{ are equal or orthogonal}", "property"
)
def equal_or_orthogonal(i):
    U = columns(i)
    products = U @ U.T * i.n / U.shape[1]
    return bool((np.abs(products * (1 - products)) < 1e-9).all())


# --- A first column, and the others ---------------------------------------------------


@of_vectors("t", "coherence of the first column")
def target_coherence(i):
    return _largest_entry(columns(i)[:, 0])


@of_vectors(r"\mu_-", "coherence of the other columns", SAMPLE)
def rest_coherence(i):
    return _largest_entry(columns(i)[:, 1:])


@of_vectors(
    "M_-", "n times the largest squared row length of the other columns", SAMPLE
)
def rest_free(i):
    return _largest_row(columns(i)[:, 1:])


@of_vectors(
    r"n\,\|U_{i,:}\|^2",
    "n times the squared length of the row in which the first column is largest",
    SAMPLE,
)
def spike_row(i):
    U = columns(i)
    return i.n * (U[np.abs(U[:, 0]).argmax()] ** 2).sum()
