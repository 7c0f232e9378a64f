"""What the statements on coherence speak of: a basis, its rows, what a sample sees.

An instance may bring along a ``basis``, independent columns: the orthonormal columns U
are then what Gram and Schmidt make of them.  Without one they are the right singular
vectors of the points.  ``columns`` are taken as they are, orthonormal or not.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from functools import lru_cache, partial
from itertools import product

import numpy as np
import scipy.linalg

from nystheory import coherence as spread
from nystheory.chapters.coherence.theorems.clusters import missed
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.clusters import Clusters
from nystheory.engine.worlds.known import Known
from nystheory.engine.worlds.matrices import GREY_HIGH
from nystheory.engine.worlds.quantities import chosen, quantity

chosen("scaling", "c", "a positive factor")


# --- Orthonormal columns, and how the rows share their mass ---------------------------


def _orthonormal(B):
    """What Gram and Schmidt make of independent columns."""
    Q, R = np.linalg.qr(np.asarray(B, dtype=float))
    return Q * np.where(np.diag(R) < 0, -1.0, 1.0)


@lru_cache(maxsize=64)
def _given_basis(i):
    return _orthonormal(i.extra["basis"]), np.linalg.cond(i.extra["basis"])


def _thin(i):
    """Thin singular value decomposition of the points, V with a sign: U, s, V."""
    if isinstance(i, Clusters):
        return np.eye(i.rank_K), np.sqrt(i.values[i.values > 0]), i.vectors
    if isinstance(i, Known) and i.X is None:  # the points are those of the spectrum
        left, s, Vt = np.eye(i.n, i.rank_K), np.sqrt(i.spectrum), i.eigen_K[1].T
    else:
        left, s, Vt = np.linalg.svd(i.points, full_matrices=False)
    left, s, V = left[:, : i.rank_K], s[: i.rank_K], Vt[: i.rank_K].T
    signs = np.where(V.T @ (1.0 / np.arange(1, i.n + 1)) < 0, -1.0, 1.0)
    return left * signs, s, V * signs


def columns(i) -> np.ndarray:
    """The columns U of an instance, (n, r)."""
    if "columns" in i.extra:
        return i.extra["columns"]
    return _given_basis(i)[0] if "basis" in i.extra else _thin(i)[2]


def _another(i):
    """Another orthonormal basis of the same space, from sums of the columns."""
    U = columns(i)
    return _orthonormal(i.extra.get("basis", U) @ np.tri(U.shape[1]))


def _largest_entry(U):
    return math.sqrt(len(U)) * np.abs(U).max()


def _largest_row(U):
    return len(U) * (U**2).sum(axis=1).max()


def _of_basis(i):
    """How much rounding turns the columns."""
    if "basis" in i.extra:
        return _given_basis(i)[1]
    s = _thin(i)[1]
    return s.max() / s.min() if len(s) else 1.0


def _of_vectors(i):
    """How much rounding turns single singular vectors."""
    if "basis" in i.extra or "columns" in i.extra:
        return _of_basis(i)
    s = np.sort(np.append(_thin(i)[1], 0.0) ** 2)[::-1]
    gap = -np.diff(s).max(initial=-s[0])
    return s[0] / gap if gap > 0 else np.inf


count = partial(quantity, unit=None)
of_space = partial(quantity, unit=0, condition=_of_basis)
of_vectors = partial(quantity, unit=0, condition=_of_vectors)

of_vectors("U", "orthonormal columns", name="U")(columns)


@count("r", "number of orthonormal columns; the rank of K for those of K")
def r(i):
    if "columns" in i.extra or "basis" in i.extra:
        return columns(i).shape[1]
    return i.rank_K if i.rank_is_clear else None


@of_vectors(r"\mu", "coherence of the orthonormal columns")
def coherence(i):
    of = _largest_entry if "columns" in i.extra else spread.of_vectors
    return of(columns(i))


@of_space("M", "n times the largest squared row length of the orthonormal columns")
def basis_free_coherence(i):
    if isinstance(i, Known) and i.X is None and not {"columns", "basis"} & {*i.extra}:
        return i.n * i.leading_scores[i.rank_K - 1]  # of eigenvectors, as they are
    of = _largest_row if "columns" in i.extra else spread.basis_free
    return of(columns(i))


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
    other = i.extra.get("right", U)
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


@quantity(r"\sigma", "spectral norm of A", SAMPLE, unit=0)
def sigma_A(i):
    return _gram_spectrum(i)[-1]


def _from_identity(i, factor) -> float:
    """``||factor * A - I||``, where 1/2 and 1 are what they are up to 12 digits."""
    found = np.abs(factor * _gram_spectrum(i) - 1).max()
    near = [x for x in (0.5, 1.0) if abs(found - x) < 1e-12 * max(1.0, factor)]
    return near[0] if near else found


@count(r"\|cA-I\|_2", "spectral distance of c A from the identity", SAMPLE)
def from_identity(i):
    return _from_identity(i, i.extra["scaling"]) if i.rank_is_obvious else None


@count(
    r"\|\tfrac nl V_S^\top V_S-I\|_2",
    "how far the sampled rows, scaled, are from orthonormal",
    SAMPLE,
)
def isometry_defect(i):
    return _from_identity(i, i.n / i.l)


@count("m", "number of points other than 0")
def points_off_zero(i):
    return int((i.diagonal > 0).sum())


# Truth: whether the points other than 0 are all equal, exactly.
@quantity(r"\text{the points other than } 0 \text{ are equal}", "whether they are")
def equal_or_zero(i):
    some = i.K[np.diag(i.K) > 0][:, np.diag(i.K) > 0]
    return bool((some == some[:1, :1]).all())


# --- Columns of signs, and groups of equal rows ---------------------------------------

# So many points, or groups, are counted one after another.
MOST = 5000


@count("n", "number of rows, that of K unless it is given")
def size(i):
    return i.extra.get("size", i.n)


@count("r", "number of groups of equal rows, that of columns unless given")
def group_count(i):
    return i.extra.get("group_count", columns(i).shape[1])


def _clusters(i, count) -> Clusters:
    some = int(group_count(i))
    return Clusters.of_ones([max(int(size(i) // some), 1)] * some, count)


@count(
    r"\Pr\{\text{a group is missed}\}",
    "chance that $l$ different columns miss one of $r$ groups of $n/r$",
)
def group_missed(i):
    if group_count(i) > MOST:
        return None
    case = _clusters(i, i.l)
    return missed(case) if case.n > i.l else 0.0


@count(r"l_{\min}", "fewest columns that miss a group with probability delta at most")
def fewest_columns(i):
    if size(i) > MOST:
        return None
    delta, some = i.extra["delta"], range(1, _clusters(i, 0).n)
    return 1 + bisect_left(some, True, key=lambda c: missed(_clusters(i, c)) <= delta)


@quantity(r"\text{the columns form a group under products of signs}", "whether they do")
def closed(i):
    B = np.sign(columns(i)).T
    found = {tuple(column) for column in B}
    return all(tuple(a * b) in found for a in B for b in B)


@quantity(r"\text{any two rows of } U \text{ are equal or orthogonal}", "property")
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
