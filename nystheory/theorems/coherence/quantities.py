"""What the statements on coherence speak of: a basis, its rows, what a sample sees.

An instance may bring along a ``basis``, independent columns: the orthonormal columns U
are then what Gram and Schmidt make of them.  Without one they are the right singular
vectors of the points.  ``columns`` are taken as they are, orthonormal or not.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from functools import lru_cache

import numpy as np
import scipy.linalg

from nystheory import coherence as spread
from nystheory.engine.instances import BEFORE, EPS, GREY_HIGH, SAMPLE
from nystheory.engine.quantities import chosen, quantity
from nystheory.theorems.coherence.clusters import Clusters, missed

chosen("scaling", "c", "a positive factor")
chosen(
    "kept_share",
    r"\varepsilon",
    "share of its mean that the smallest eigenvalue of the sampled rows must keep",
)


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


def _of_basis(i):
    """How much rounding turns the columns."""
    if "basis" in i.extra:
        return _given_basis(i)[1]
    s = _thin(i)[1]
    return s[0] / s[-1] if len(s) else 1.0


def _of_vectors(i):
    """How much rounding turns single singular vectors."""
    if "basis" in i.extra or "columns" in i.extra:
        return _of_basis(i)
    s = np.append(_thin(i)[1], 0.0) ** 2
    gap = -np.diff(s).max(initial=-s[0])
    return s[0] / gap if gap > 0 else np.inf


quantity("U", "orthonormal columns", unit=0, condition=_of_vectors, name="U")(columns)


@quantity("r", "number of orthonormal columns; the rank of K for those of K", unit=None)
def r(i):
    if "columns" in i.extra or "basis" in i.extra:
        return columns(i).shape[1]
    return i.rank_K if i.rank_is_clear else None


@quantity(r"\mu", "coherence of the orthonormal columns", unit=0, condition=_of_vectors)
def coherence(i):
    if "columns" in i.extra:
        return math.sqrt(i.n) * np.abs(columns(i)).max()
    return spread.coherence(columns(i))


@quantity(
    "M",
    "n times the largest squared row length of the orthonormal columns",
    unit=0,
    condition=_of_basis,
)
def basis_free_coherence(i):
    if "columns" in i.extra:
        return i.n * (columns(i) ** 2).sum(axis=1).max()
    return spread.basis_free_coherence(columns(i))


@quantity(
    r"\mu(V)",
    "coherence of another orthonormal basis V of the same space",
    unit=0,
    condition=_of_vectors,
)
def other_coherence(i):
    return spread.coherence(_another(i))


@quantity(
    "M(V)",
    "n times the largest squared row length of another basis V of the same space",
    unit=0,
    condition=_of_basis,
)
def other_free(i):
    return spread.basis_free_coherence(_another(i))


@quantity(
    r"\mu_1",
    "(n / sqrt r) times the largest entry of the product of left and right vectors",
    unit=0,
    condition=_of_basis,
)
def mu_1(i):
    U = columns(i)
    other = i.extra.get("right", U)
    return np.abs(U @ other.T).max() * i.n / math.sqrt(U.shape[1])


@lru_cache
def _sign_triples(n) -> int:
    """By how many rows have which of the four pairs of signs, below a first of ones."""
    total = 0
    for a in range(n + 1):
        for b in range(n + 1 - a):
            for c in range(n + 1 - a - b):
                d = n - a - b - c
                if a + b == c + d and a + c == b + d and a + d == b + c:
                    some = math.factorial(a) * math.factorial(b) * math.factorial(c)
                    total += math.factorial(n) // (some * math.factorial(d))
    return total


@quantity(
    "s_2", "number of sign vectors of length n orthogonal to that of ones", unit=None
)
def sign_pairs(i):
    return sum(math.comb(i.n, plus) for plus in range(i.n + 1) if 2 * plus == i.n)


@quantity(
    "s_3",
    "number of pairs of sign vectors of length n orthogonal to each other and to ones",
    unit=None,
)
def sign_triples(i):
    return float(_sign_triples(i.n))


# --- Sampled rows ---------------------------------------------------------------------

quantity("X_S", "sampled points as columns", SAMPLE, unit=0.5, name="X_S")(
    lambda i: i.points[:, i.landmarks]
)
quantity(
    "U_X", "left singular vectors of X", unit=0, condition=_of_vectors, name="U_X"
)(lambda i: _thin(i)[0])
quantity(r"\Sigma_X", "singular values of X", unit=0.5, name="Sigma_X")(
    lambda i: np.diag(_thin(i)[1])
)
quantity("V_S", "sampled rows of V", SAMPLE, unit=0, condition=_of_vectors, name="V_S")(
    lambda i: columns(i)[i.landmarks]
)


def _rank(latex, meaning, name):
    """A rank that float64 tells where a missing one is obvious."""

    def enter(count):
        def measured(i):
            return count(i) if i.rank_is_obvious else None

        quantity(latex, meaning, SAMPLE, unit=None, name=name)(measured)

    return enter


def _clearly(values) -> int:
    """How many squares of singular values are above what counts as zero."""
    return int((np.asarray(values) > GREY_HIGH**1.5).sum())


_rank(r"\operatorname{rank} W", "rank of the core, by its eigenvalues", "rank_core")(
    lambda i: _clearly(i.eigen_W[0] / (i.norm_K or 1.0))
)
_rank(r"\operatorname{rank} X_S", "rank of the sampled points", "rank_X_S")(
    lambda i: i.rank_W
)
_rank(r"\operatorname{rank} V_S", "rank of the sampled rows", "rank_V_S")(
    lambda i: int((scipy.linalg.svdvals(columns(i)[i.landmarks]) > GREY_HIGH).sum())
)
_rank(r"\operatorname{rank} A", "rank of their Gram matrix", "rank_A")(
    lambda i: _clearly(_gram_spectrum(i))
)


def _gram_spectrum(i):
    """Eigenvalues of ``V_S' V_S``."""
    rows = columns(i)[i.landmarks]
    return np.linalg.eigvalsh(rows.T @ rows)


quantity(r"\sigma", "spectral norm of A", SAMPLE, unit=0, name="sigma_A")(
    lambda i: _gram_spectrum(i)[-1]
)


def _from_identity(i, factor) -> float:
    """``||factor * A - I||``, where 1/2 and 1 are what they are up to 12 digits."""
    found = np.abs(factor * _gram_spectrum(i) - 1).max()
    near = [x for x in (0.5, 1.0) if abs(found - x) < 1e-12 * max(1.0, factor)]
    return near[0] if near else found


@quantity(
    r"\|cA-I\|_2", "spectral distance of c A from the identity", SAMPLE, unit=None
)
def from_identity(i):
    return _from_identity(i, i.extra["scaling"]) if i.rank_is_obvious else None


@quantity(
    r"\|\tfrac nl V_S^\top V_S-I\|_2",
    "how far the sampled rows, scaled, are from orthonormal",
    SAMPLE,
    unit=None,
)
def isometry_defect(i):
    return _from_identity(i, i.n / i.l)


@quantity("m", "number of points other than 0", unit=None)
def points_off_zero(i):
    return int((np.diag(i.K) > 0).sum())


# Truth: whether the points other than 0 are all equal, exactly.
@quantity(r"\text{the points other than } 0 \text{ are equal}", "whether they are")
def equal_or_zero(i):
    some = i.K[np.diag(i.K) > 0][:, np.diag(i.K) > 0]
    return bool((some == some[:1, :1]).all())


# --- The leading directions, and what a sample sees of them ---------------------------


def head(i) -> np.ndarray:
    """Leverage scores of rank k, the squared row lengths of U_1, (n,)."""
    return (i.eigen_K[1][:, : i.k] ** 2).sum(axis=1)


def _of_head(i):
    """How much rounding turns the space of the k leading eigenvectors."""
    if i.k >= i.n:
        return 1.0
    gap = i.eigen_K[0][i.k - 1] - i.eigen_K[0][i.k]
    return i.norm_K / gap if gap > 0 else np.inf


@quantity(
    r"\mu_k",
    "(n/k) times the largest leverage score of rank k",
    unit=0,
    condition=_of_head,
)
def leading_coherence(i):
    return i.n / i.k * head(i).max()


@quantity(
    r"\beta",
    "least ratio of the probabilities to leverage scores of rank k over k",
    unit=0,
    condition=_of_head,
)
def score_share(i):
    scores = head(i) / i.k
    some = scores > 1e-15
    return (np.ravel(i.extra["probabilities"])[some] / scores[some]).min()


def _seen(i):
    """``U_1' S`` and ``Lambda_2^{1/2} U_2' S``, split at the rank k."""
    values, vectors = i.eigen_K
    rows = vectors[i.landmarks].T
    # The root of rounding would be no rounding any more.
    zero = 10 * i.n * EPS * i.norm_K
    tail = np.sqrt(np.where(values[i.k :] > zero, values[i.k :], 0.0))
    return rows[: i.k], tail[:, None] * rows[i.k :]


@lru_cache(maxsize=64)
def _mixed(i) -> np.ndarray:
    """Squared singular values of ``G = Lambda_2^{1/2} (U_2' S) (U_1' S)^+``, (n,)."""
    leading, tail = _seen(i)
    G = tail @ np.linalg.pinv(leading)
    found = scipy.linalg.svdvals(G) ** 2 if G.size else np.zeros(0)
    return np.append(found, np.zeros(i.n))[: i.n]


def _of_seen(i):
    """Rounding in the eigenvectors shows through the pseudo-inverse, squared."""
    least = head_seen(i)
    return 1 / least**2 if least > 0 else 1.0


@quantity(
    r"\sigma_{\min}(U_1^\top S)",
    "smallest singular value of the sampled rows of the k leading eigenvectors",
    SAMPLE,
    unit=0,
)
def head_seen(i):
    return scipy.linalg.svdvals(_seen(i)[0])[-1] if i.k <= i.l else 0.0


@quantity(
    r"\|G\|_2",
    "spectral norm of the tail that the sample mixes into the head",
    SAMPLE,
    unit=0.5,
    condition=_of_seen,
)
def G_2(i):
    return math.sqrt(_mixed(i)[0])


@quantity(r"\|G\|_F", "Frobenius norm of G", SAMPLE, unit=0.5, condition=_of_seen)
def G_F(i):
    return math.sqrt(_mixed(i).sum())


@quantity(
    r"\|G^\top G\|_F",
    "Frobenius norm of the Gram matrix of G",
    SAMPLE,
    condition=_of_seen,
)
def G_gram_F(i):
    return np.linalg.norm(_mixed(i))


def _ky_fan(latex, meaning, when, name, condition=None):
    """A vector of sums: of the largest, of the two largest values, and so on."""

    def enter(values):
        args = {"condition": condition, "name": name}
        quantity(latex, meaning, when, **args)(lambda i: np.cumsum(values(i)))

    return enter


_ky_fan(r"\|E\|_{(j)}", "all Ky Fan norms of E", SAMPLE, "ky_fan_E")(
    lambda i: i.full.error_spectrum[::-1]
)
_ky_fan(r"\|\Lambda_2\|_{(j)}", "those of the tail", BEFORE, "ky_fan_tail")(
    lambda i: np.append(i.spectrum[i.k :], np.zeros(i.k))[: i.n]
)
_ky_fan(
    r"\|G^\top G\|_{(j)}", "those of the Gram matrix of G", SAMPLE, "ky_fan_G", _of_seen
)(_mixed)


# --- Columns of signs, and groups of equal rows ---------------------------------------

# So many points, or groups, are counted one after another.
MOST = 5000


@quantity("n", "number of rows, that of K unless it is given", unit=None)
def size(i):
    return i.extra.get("size", i.n)


@quantity(
    "r", "number of groups of equal rows, that of columns unless given", unit=None
)
def group_count(i):
    return i.extra.get("group_count", columns(i).shape[1])


def _clusters(i, count) -> Clusters:
    some = int(group_count(i))
    return Clusters.equal(some, max(int(size(i) // some), 1), count)


@quantity(
    r"\Pr\{\text{a group is missed}\}",
    "chance that l different columns miss one of r groups of n/r",
    unit=None,
)
def group_missed(i):
    if group_count(i) > MOST:
        return None
    case = _clusters(i, i.l)
    return missed(case) if case.n > i.l else 0.0


@quantity(
    r"l_{\min}",
    "fewest columns that miss a group with probability delta at most",
    unit=None,
)
def fewest_columns(i):
    delta = i.extra["delta"]
    if size(i) > MOST:
        return None
    counts = range(1, _clusters(i, 1).n)
    return 1 + bisect_left(
        counts, True, key=lambda count: missed(_clusters(i, count)) <= delta
    )


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


@quantity("t", "coherence of the first column", unit=0, condition=_of_vectors)
def target_coherence(i):
    return math.sqrt(i.n) * np.abs(columns(i)[:, 0]).max()


@quantity(
    r"\mu_-",
    "coherence of the other columns",
    SAMPLE,
    unit=0,
    condition=_of_vectors,
)
def rest_coherence(i):
    return math.sqrt(i.n) * np.abs(columns(i)[:, 1:]).max()


@quantity(
    "M_-",
    "n times the largest squared row length of the other columns",
    SAMPLE,
    unit=0,
    condition=_of_vectors,
)
def rest_free(i):
    return i.n * (columns(i)[:, 1:] ** 2).sum(axis=1).max()


@quantity(
    r"n\,\|U_{i,:}\|^2",
    "n times the squared length of the row in which the first column is largest",
    SAMPLE,
    unit=0,
    condition=_of_vectors,
)
def spike_row(i):
    U = columns(i)
    return i.n * (U[np.abs(U[:, 0]).argmax()] ** 2).sum()
