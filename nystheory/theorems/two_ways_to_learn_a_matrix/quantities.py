"""Values and vectors that the two methods read off the sampled columns.

At a tie of eigenvalues the vectors are a choice, and their signs always are: here the
first entry that is not zero is positive, of a vector on all points that of the vector
of the sample which it belongs to.
"""

from __future__ import annotations

import numpy as np

from nystheory import lowrank
from nystheory.engine.instances import SAMPLE, truncated_inverse
from nystheory.engine.quantities import quantity

# Entries of a unit vector: below the first a zero, above the second certainly none.
ZERO, CLEAR = 1e-9, 1e-5


def _signed(vectors, by):
    """Vectors with the signs that make the first nonzero entries of `by` positive.

    None where rounding hides which entry that is.
    """
    firsts = [next((x for x in column if abs(x) > ZERO), 1.0) for column in by.T]
    if any(abs(x) < CLEAR for x in firsts):
        return None
    return vectors * np.sign(firsts)


def _padded(vectors, count):
    """Columns of zeros in the place of those that are missing."""
    return np.pad(vectors, ((0, 0), (0, count - vectors.shape[1])))


def _inverted(values):
    """One over each value that is not zero."""
    return np.divide(1.0, values, out=np.zeros_like(values), where=values > 0)


def _of_core(i):
    return i.condition


# --- The core ------------------------------------------------------------------------


def _core_rank(i):
    return min(i.k, i.rank_W)


def _of_single_vectors(i):
    """One over the smallest relative gap between the leading eigenvalues of W."""
    if not i.rank_is_clear:
        return np.inf
    values = np.append(i.eigen_W[0], 0.0)[: _core_rank(i) + 1]
    gap = -np.diff(values).max(initial=-i.norm_K)
    return i.norm_K / gap if gap > 0 else np.inf


@quantity(r"\Sigma_{W,k}", "leading eigenvalues of the core, zeros included", SAMPLE)
def core_values(i):
    values = i.eigen_W[0][: i.k].clip(0)
    if i.rank_is_clear:
        values[i.rank_W :] = 0.0
    return np.diag(values)


@quantity(r"\sigma_k(W)", "last eigenvalue of the core that is kept", SAMPLE)
def core_last(i):
    return core_values(i)[-1, -1]


@quantity(r"\sigma_{k+1}(W)", "first eigenvalue of the core that is left out", SAMPLE)
def core_next(i):
    return i.eigen_W[0][i.k] if i.k < i.rank_W else 0.0


@quantity(
    "U_{W,k}",
    "their eigenvectors, zero beyond the rank of the core",
    SAMPLE,
    unit=0.0,
    condition=_of_single_vectors,
)
def core_vectors(i):
    vectors = _padded(i.eigen_W[1][:, : _core_rank(i)], i.k)
    return _signed(vectors, vectors)


def _of_inverse(i):
    return i.condition * i.norm_K * np.linalg.norm(core_inverse(i), 2)


@quantity(
    "W_k^+",
    "pseudo-inverse of the best approximation of the core",
    SAMPLE,
    unit=-1.0,
    condition=_of_inverse,
)
def core_inverse(i):
    return truncated_inverse(i.W, i.k)


def _of_choice(i):
    """As for the core; at a tie, which is no rounding, every choice is right."""
    values = np.append(i.eigen_W[0], 0.0)
    tied = values[i.k - 1] - values[i.k] < 1e-12 * i.norm_K and i.k < i.rank_W
    return np.trace(i.K) / values[i.k - 1] if tied else i.condition


def _is_choice(i, U):
    """Whether the columns are orthonormal eigenvectors to the leading eigenvalues."""
    if np.shape(U) != (i.l, i.k):
        return False
    off = np.abs(U.T @ U - np.eye(i.k)).max()
    return off + np.abs(i.W @ U - U @ core_values(i)).max() / i.norm_K < 1e-12


def _choice_of_eigenvectors(name, latex, computed):
    """The choice that an instance brings along, else one that is computed."""

    def fast(i):
        given = i.extra.get(name)
        return given if given is not None and _is_choice(i, given) else computed(i)

    meaning = "a choice of leading orthonormal eigenvectors of the core"
    enter = quantity(latex, meaning, SAMPLE, unit=0.0, condition=_of_choice, name=name)
    enter(fast)


def _reflected(i):
    """From the eigenvectors of a reflected core, reflected back."""
    v = np.arange(1.0, i.l + 1)
    H = np.eye(i.l) - 2 * np.outer(v, v) / (v @ v)
    return H @ np.linalg.eigh(H @ i.W @ H)[1][:, ::-1][:, : i.k]


_choice_of_eigenvectors("one_choice", "U", lambda i: i.eigen_W[1][:, : i.k])
_choice_of_eigenvectors("other_choice", "V", _reflected)


# --- The Nyström method --------------------------------------------------------------


@quantity(
    "P",
    "projector on the leading left singular vectors of the sampled points",
    SAMPLE,
    unit=0.0,
    condition=_of_core,
)
def projector(i):
    U = i.svd_X_S[0][:, : i.k]
    return U @ U.T


@quantity(
    r"\operatorname{rank} \tilde K", "rank of the approximation", SAMPLE, unit=None
)
def rank_approximation(i):
    if not i.rank_is_clear:
        return None
    factor = lowrank.nystrom(i.K, i.landmarks, i.k).factor
    s = np.linalg.svd(factor, compute_uv=False)
    return int((s > 1e-10 * s.max(initial=0.0)).sum())


@quantity("K_{21}", "sampled columns at the points that were not sampled", SAMPLE)
def K_21(i):
    return i.C[i.others]


@quantity(r"\tilde\Sigma", "Nyström singular values, zeros included", SAMPLE)
def nystrom_values(i):
    values = lowrank.nystrom(i.K, i.landmarks, i.k).eigenvalues
    return np.diag(np.pad(values, (0, i.k - len(values))))


@quantity(
    r"\tilde U",
    "Nyström singular vectors, zero beyond the rank of the core",
    SAMPLE,
    unit=0.0,
    condition=_of_core,
)
def nystrom_vectors(i):
    U = _padded(lowrank.nystrom(i.K, i.landmarks, i.k).eigenvectors, i.k)
    return _signed(U, np.sqrt(i.n / i.l) * U[i.landmarks])


def _of_gram(i):
    """As the vectors, times their squared lengths."""
    U = nystrom_vectors(i)
    return np.inf if U is None else i.condition * max(1.0, np.linalg.norm(U, 2) ** 2)


@quantity(
    r"\tilde U^\top \tilde U",
    "inner products of the Nyström vectors",
    SAMPLE,
    unit=0.0,
    condition=_of_gram,
)
def nystrom_gram(i):
    U = nystrom_vectors(i)
    return None if U is None else U.T @ U


# --- Column-sampling -----------------------------------------------------------------


def _svd_C(i):
    """Right singular vectors and values of C, by the decomposition of its transpose."""
    V, s, _ = np.linalg.svd(i.C.T, full_matrices=False)
    return V, s


def _smallest_of_columns(i, difference):
    """The size of C over its smallest singular value, or over their smallest gap."""
    if rank_C(i) is None:
        return np.inf
    s = np.append(_svd_C(i)[1], 0.0)[: rank_C(i) + 1]
    least = -np.diff(s).max(initial=-1.0) if difference else s[:-1].min(initial=1.0)
    return i.norm_K / least if least > 0 else np.inf


def _of_columns(i):
    return _smallest_of_columns(i, difference=False)


def _of_right_vectors(i):
    return _smallest_of_columns(i, difference=True)


@quantity(r"\operatorname{rank} C", "rank of the sampled columns", SAMPLE, unit=None)
def rank_C(i):
    s = _svd_C(i)[1]
    relative = s / (s[0] or 1.0)
    if not i.rank_is_clear or ((relative > 1e-13) & (relative < 1e-9)).any():
        return None
    return int((relative > 1e-9).sum())


@quantity(r"\Sigma_C", "singular values of the sampled columns", SAMPLE)
def Sigma_C(i):
    """From the eigenvalues of ``(0, C; C.T, 0)``: no decomposition of C, no square."""
    if rank_C(i) is None:
        return None
    joined = np.block([[np.zeros((i.n, i.n)), i.C], [i.C.T, np.zeros((i.l, i.l))]])
    return np.diag(np.linalg.eigvalsh(joined)[::-1][: rank_C(i)])


@quantity(
    "V_C",
    "right singular vectors of the sampled columns",
    SAMPLE,
    unit=0.0,
    condition=_of_right_vectors,
)
def V_C(i):
    if rank_C(i) is None:
        return None
    V = _svd_C(i)[0][:, : rank_C(i)]
    return _signed(V, V)


@quantity(r"\tilde\Sigma_{col}", "Column-sampling singular values", SAMPLE)
def column_values(i):
    return np.diag(lowrank.column_sampling(i.K, i.landmarks, i.l).eigenvalues)


@quantity(
    r"\tilde U_{col}",
    "Column-sampling singular vectors",
    SAMPLE,
    unit=0.0,
    condition=_of_columns,
)
def column_vectors(i):
    found = lowrank.column_sampling(i.K, i.landmarks, i.l)
    U = found.eigenvectors
    right = i.C.T @ U * _inverted(np.sqrt(i.l / i.n) * found.eigenvalues)
    return _signed(U, right)
