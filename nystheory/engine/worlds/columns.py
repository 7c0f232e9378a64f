"""Values and vectors that the two methods read off the sampled columns.

At a tie of eigenvalues the vectors are a choice, and their signs always are: here the
first entry that is not zero is positive, of a vector on all points that of the vector
of the sample which it belongs to.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import scipy.linalg

from nystheory import lowrank
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.matrices import (
    GREY_HIGH,
    GREY_LOW,
    eigen,
    truncated_inverse,
)
from nystheory.engine.worlds.quantities import quantity

count = partial(quantity, when=SAMPLE, unit=None)
with_unit = partial(quantity, when=SAMPLE)
without_unit = partial(quantity, when=SAMPLE, unit=0.0)
# For what comes from the whole core.
by_core = partial(with_unit, condition=lambda i: i.full.condition)

# Entries of a unit vector: below the first a zero, above the second certainly none.
ZERO, CLEAR = 1e-9, 1e-5


def signed(vectors: np.ndarray, by: np.ndarray) -> np.ndarray | None:
    """Vectors with the signs that make the first nonzero entries of `by` positive.

    None where rounding hides which entry that is.

    Examples
    --------
    >>> signed(np.array([[-1.0], [2.0]]), np.array([[-1.0], [2.0]])).ravel().tolist()
    [1.0, -2.0]
    """
    firsts = [next((x for x in column if abs(x) > ZERO), 1.0) for column in by.T]
    clear = all(abs(x) > CLEAR for x in firsts)
    return vectors * np.sign(firsts) if clear else None


def padded(vectors: np.ndarray, size: int) -> np.ndarray:
    """Columns of zeros in the place of those that are missing.

    >>> padded(np.ones((1, 1)), 2)
    array([[1., 0.]])
    """
    return np.pad(vectors, ((0, 0), (0, size - vectors.shape[1])))


def _over_gap(values, r, scale):
    """How far rounding turns the vectors to the r leading of some values."""
    gap = -np.diff(np.append(values, 0.0)[: r + 1]).max(initial=-scale)
    return scale / gap if gap > 0 else np.inf


def relative(matrix):
    """Singular values over the largest one."""
    s = scipy.linalg.svdvals(matrix)
    return s / (s[0] or 1.0)


def of_range(i):
    """Rounding in the range of C; infinite where its dimension is not clear."""
    shares = relative(i.C)
    if ((shares > GREY_LOW) & (shares < GREY_HIGH)).any():
        return np.inf
    return 1 / shares[shares >= GREY_HIGH].min(initial=1.0)


def _of_core(i):
    return i.condition


# --- The range of the columns ---------------------------------------------------------


@without_unit("P_C", "projector on the range of C", condition=of_range)
def P_C(i):
    return i.svd_C[0] @ i.svd_C[0].T


# --- The core ------------------------------------------------------------------------


@with_unit(r"\Sigma_{W,k}", "leading eigenvalues of the core, zeros included")
def core_values(i):
    values = i.eigen_W[0][: i.k].clip(0)
    if i.rank_is_clear:
        values[i.rank_W :] = 0.0
    return np.diag(values)


@with_unit(r"\sigma_k(W)", "last eigenvalue of the core that is kept")
def core_last(i):
    return core_values(i)[-1, -1]


@with_unit(r"\sigma_{k+1}(W)", "first eigenvalue of the core that is left out")
def core_next(i):
    return i.eigen_W[0][i.k] if i.k < i.rank_W else 0.0


def _of_core_vectors(i):
    r = min(i.k, i.rank_W)
    return _over_gap(i.eigen_W[0], r, i.norm_K) if i.rank_is_clear else np.inf


@without_unit(
    "U_{W,k}", "their eigenvectors, zero beyond its rank", condition=_of_core_vectors
)
def core_vectors(i):
    vectors = padded(i.eigen_W[1][:, : min(i.k, i.rank_W)], i.k)
    return signed(vectors, vectors)


def _smallest_kept(i) -> float:
    kept = np.diag(core_values(i))
    return kept[kept > 0].min(initial=i.norm_K)


def _of_roots(i):
    """The root of an inverse turns rounding by the power 3/2 of its size."""
    return (i.norm_K / _smallest_kept(i)) ** 1.5 if i.norm_K else 1.0


@with_unit(
    r"(\Sigma_{W,k}^+)^{1/2}",
    "roots of the inverse leading eigenvalues of the core, zeros included",
    unit=-0.5,
    condition=_of_roots,
)
def core_roots(i):
    if not i.rank_is_clear:
        return None
    kept = np.diag(core_values(i))
    roots = np.zeros(len(kept))
    roots[kept > 0] = 1 / np.sqrt(kept[kept > 0])
    return np.diag(roots)


# --- The Nyström method --------------------------------------------------------------


@count(r"\operatorname{rank} \tilde K", "rank of the approximation")
def rank_approximation(i):
    if not i.rank_is_clear:
        return None
    factor = lowrank.nystrom(i.K, i.landmarks, i.k).factor
    s = np.linalg.svd(factor, compute_uv=False)
    return int((s > 1e-10 * s.max(initial=0.0)).sum())


@with_unit(r"\tilde\Sigma", "Nyström singular values, zeros included")
def nystrom_values(i):
    values = lowrank.nystrom(i.K, i.landmarks, i.k).eigenvalues
    return np.diag(np.pad(values, (0, i.k - len(values))))


@without_unit(
    r"\tilde U", "Nyström singular vectors, zero beyond the rank", condition=_of_core
)
def nystrom_vectors(i):
    U = padded(lowrank.nystrom(i.K, i.landmarks, i.k).eigenvectors, i.k)
    return signed(U, np.sqrt(i.n / i.l) * U[i.landmarks])


def _of_gram(i):
    """As the vectors, times their squared lengths."""
    gram = nystrom_gram(i)
    return np.inf if gram is None else i.condition * max(1.0, np.linalg.norm(gram, 2))


@without_unit(
    r"\tilde U^\top \tilde U", "inner products of these vectors", condition=_of_gram
)
def nystrom_gram(i):
    U = nystrom_vectors(i)
    return None if U is None else U.T @ U


# --- Column-sampling -----------------------------------------------------------------


def _svd_C(i):
    """Right singular vectors and values of C; none where its rank is not clear."""
    V, s, _ = np.linalg.svd(i.C.T, full_matrices=False)
    relative = s / (s[0] or 1.0)
    if not i.rank_is_clear or ((relative > 1e-13) & (relative < 1e-9)).any():
        return None, None
    kept = relative > 1e-9
    return V[:, kept], s[kept]


def _of_columns(i):
    _, s = _svd_C(i)
    return np.inf if s is None else i.norm_K / min(s, default=i.norm_K or 1.0)


def _of_right_vectors(i):
    _, s = _svd_C(i)
    return np.inf if s is None else _over_gap(s, len(s), i.norm_K)


@with_unit(r"\Sigma_C", "singular values of the sampled columns")
def Sigma_C(i):
    _, s = _svd_C(i)
    return None if s is None else np.diag(s)


@without_unit("V_C", "their right singular vectors", condition=_of_right_vectors)
def V_C(i):
    V, _ = _svd_C(i)
    return None if V is None else signed(V, V)


@with_unit(r"\tilde\Sigma_{col}", "Column-sampling singular values")
def column_values(i):
    return np.diag(lowrank.column_sampling(i.K, i.landmarks, i.l).eigenvalues)


@without_unit(
    r"\tilde U_{col}", "Column-sampling singular vectors", condition=_of_columns
)
def column_vectors(i):
    found = lowrank.column_sampling(i.K, i.landmarks, i.l)
    U = found.eigenvectors
    right = i.C.T @ U / (np.sqrt(i.l / i.n) * found.eigenvalues)
    return signed(U, right)


def _leading_of_columns(i):
    """The k leading singular values of C that are not zero, and right vectors."""
    V, s = _svd_C(i)
    return (None, None) if s is None else (V[:, : i.k], s[: i.k])


def _of_leading_columns(i):
    _, s = _svd_C(i)
    return np.inf if s is None else _over_gap(s, min(i.k, len(s)), i.norm_K)


@without_unit(
    "V_{C,k}",
    "the leading ones of them, zero beyond the rank",
    condition=_of_leading_columns,
)
def leading_V_C(i):
    V, _ = _leading_of_columns(i)
    V = None if V is None else signed(V, V)
    return None if V is None else padded(V, i.k)


def _of_column_roots(i):
    """The root of an inverse turns rounding by the power 3/2 of its size."""
    _, s = _leading_of_columns(i)
    if s is None:
        return np.inf
    return (i.norm_K / s.min()) ** 1.5 if s.size else 1.0


@with_unit(
    r"(\Sigma_{C,k}^{1/2})^+",
    "inverse roots of the leading singular values of C, zeros included",
    unit=-0.5,
    condition=_of_column_roots,
)
def column_roots(i):
    _, s = _leading_of_columns(i)
    if s is None:
        return None
    return np.diag(np.pad(1 / np.sqrt(s), (0, i.k - len(s))))


@with_unit(
    r"\tilde K_{col}",
    "Column-sampling spectral reconstruction",
    condition=lambda i: i.condition_of_columns,
)
def K_col(i):
    """By the formula where K is not semidefinite, which the package refuses."""
    if eigen(i.K)[0][-1] < -ZERO * i.norm_K:
        root = truncated_inverse(i.C.T @ i.C, i.k, 0.5)
        return np.sqrt(i.n / i.l) * i.C @ root @ i.C.T
    return lowrank.column_sampling(i.K, i.landmarks, i.k).spectral_reconstruction()
