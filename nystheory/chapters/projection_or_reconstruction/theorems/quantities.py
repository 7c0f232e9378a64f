"""What the two projections and the two reconstructions are made of.

A basis is a choice, so vectors appear through what does not depend on it: a projector
``U U'`` in the place of U, and ``U R U'`` in the place of a core R.
"""

from __future__ import annotations

from functools import partial
from operator import attrgetter

import numpy as np
import scipy.linalg

from nystheory import lowrank
from nystheory.engine.worlds.columns import (
    count,
    with_unit,
    without_unit,
)
from nystheory.engine.worlds.matrices import GREY_HIGH, truncated_inverse
from nystheory.engine.worlds.quantities import quantity

of_core = partial(with_unit, condition=attrgetter("condition"))
of_core_squared = partial(with_unit, condition=lambda i: i.condition**2)
of_columns = partial(with_unit, condition=attrgetter("condition_of_columns"))


def leading(i):
    """``U_{X',k}``, the k leading left singular vectors of the sampled points."""
    return i.svd_X_S[0][:, : i.k]


# --- Matrix projection ---------------------------------------------------------------


def _of_gram(i):
    """An inverse of ``C'C`` errs by the square of its condition."""
    s = scipy.linalg.svdvals(i.C)
    kept = s[: i.k][s[: i.k] > GREY_HIGH * s[0]]
    if not kept.size:
        return 1.0
    return i.condition_of_columns * (i.norm_K / kept[-1]) ** 2


@with_unit(
    r"\bigl((C^\top C)_k\bigr)^+",
    "inverse of the Gram matrix of C, cut to rank k",
    unit=-2.0,
    condition=_of_gram,
)
def gram_inverse(i):
    return truncated_inverse(i.C.T @ i.C, i.k)


@of_columns(r"U_{C,k} U_{C,k}^\top K", "Column-sampling matrix projection")
def column_projection(i):
    return lowrank.column_sampling(i.K, i.landmarks, i.k).matrix_projection(i.K)


@of_core_squared(r"\tilde U_{nys} \tilde U_{nys}^\top K", "Nyström matrix projection")
def nystrom_projection(i):
    return lowrank.nystrom(i.K, i.landmarks, i.k).matrix_projection(i.K)


@with_unit(r"\bar C", "columns that were not sampled")
def other_columns(i):
    return i.K[:, i.others]


@count(r"\text{the landmarks come first}", "order of the columns")
def landmarks_first(i):
    return bool(np.array_equal(i.landmarks, np.arange(i.l)))


@of_core_squared(r"Q Q^\top", "projector on the span of the Nyström vectors", unit=0.0)
def QQ(i):
    U = lowrank.orthonormal_nystrom(i.K, i.landmarks, i.k).eigenvectors
    return U @ U.T


# --- Spectral reconstruction ---------------------------------------------------------


@with_unit("K_{22}", "rows and columns that were not sampled")
def K_22(i):
    return i.K[np.ix_(i.others, i.others)]


@of_core("K / W", "Schur complement of the core")
def schur(i):
    """Inner products of the parts of the points that no landmark explains."""
    U = i.svd_X_S[0]
    rest = i.points[:, i.others] - U @ (U.T @ i.points[:, i.others])
    return rest.T @ rest


@with_unit(
    r"\bigl((C^\top C)_k^{1/2}\bigr)^+",
    "inverse of the root of the Gram matrix of C, cut to rank k",
    unit=-1.0,
    condition=_of_gram,
)
def root_inverse(i):
    return truncated_inverse(i.C.T @ i.C, i.k, 0.5)


@without_unit(
    r"\frac{\|K - K_k\|_F}{\|K - \tilde K\|_F}",
    "relative accuracy, by the package",
    condition=lambda i: 1e6,
)
def relative_accuracy(i):
    """Where both errors are at least 1e-6 of the norm: the ratio then keeps 1e-10."""
    if np.linalg.norm(i.error) <= 1e-6 * i.norm_K:
        return None
    return lowrank.nystrom(i.K, i.landmarks, i.k).relative_accuracy(i.K)


# --- The common form -----------------------------------------------------------------


def _Z_col(i):
    """The core of Column-sampling in the basis of all left vectors of the sample."""
    _, s, V = i.svd_X_S
    half = s[:, None] * V.T
    return np.sqrt(i.n / i.l) * half @ root_inverse(i) @ half.T


def _of_both(i):
    return i.condition_of_columns * i.condition * np.sqrt(i.n)


@without_unit(
    r"U_{X'} Z_{col} U_{X'}^\top", "core of Column-sampling", condition=_of_both
)
def column_core(i):
    U = i.svd_X_S[0]
    return U @ _Z_col(i) @ U.T


@count(r"\operatorname{size} Z_{col}", "rows of the core of Column-sampling")
def size_column_core(i):
    return len(_Z_col(i)) if i.rank_is_clear else None


@count(r"\operatorname{rank} Z_{col}", "rank of the core of Column-sampling")
def rank_column_core(i):
    """Singular values above the rounding in the product that makes the core."""
    if not _of_both(i) < 1e10:
        return None
    s = i.svd_X_S[1]
    sizes = np.sqrt(i.n / i.l) * np.sum(s**2)
    rounding = 1e-12 * sizes * np.linalg.norm(root_inverse(i))
    return int((scipy.linalg.svdvals(_Z_col(i)) > rounding).sum()) if s.size else 0


def _basis(i):
    """``A = X' U_{X',k}``."""
    return i.points.T @ leading(i)


def _of_basis(i):
    """Forming and inverting ``A'A`` squares the condition of A."""
    A = _basis(i)
    s = scipy.linalg.svdvals(A) if A.size else np.ones(1)
    return (s[0] / s[-1]) ** 2 * i.condition if s[-1] > 0 else np.inf


# --- The optimal core ----------------------------------------------------------------


@quantity("N", "number of coordinates of the points", unit=None)
def coordinates(i):
    return len(i.points)


@with_unit(r"A Z^* A^\top", "optimal reconstruction", condition=_of_basis)
def optimum(i):
    found = lowrank.optimal_reconstruction(i.K, i.landmarks, i.k)
    return found.spectral_reconstruction()


def _of_best_core(i):
    return _of_basis(i) * max(1.0, np.linalg.norm(best_core(i)))


@without_unit(
    r"U Z^* U^\top",
    "optimal core between the leading directions",
    condition=_of_best_core,
)
def best_core(i):
    back = leading(i) @ np.linalg.pinv(_basis(i))
    return back @ optimum(i) @ back.T


def _moment(i, power):
    """``U (Y' S^p Y) U'`` with the singular values S of the points, ``Y = U_X' U``."""
    U = leading(i)
    U_X, s, _ = scipy.linalg.svd(i.points, full_matrices=False)
    Y = U_X.T @ U
    return U @ (Y.T * s**power) @ Y @ U.T


for _name, _power in (("second", 2), ("fourth", 4)):
    of_core(
        rf"\bigl(U Y^\top \Sigma_X^{_power} Y U^\top\bigr)",
        f"{_name} moment of the points in the leading directions",
        unit=_power / 2,
        name=f"{_name}_moment",
    )(lambda i, power=_power: _moment(i, power))


@of_core(r"\sigma_k(A)", "smallest singular value of A", unit=0.5)
def least_of_basis(i):
    return scipy.linalg.svdvals(_basis(i))[-1]


@count(
    r"\text{the span of } U \text{ is invariant under } X X^\top",
    r"whether $X X^\top$ maps the leading directions of the sample into their span",
)
def invariant(i):
    """What leaves the span enters ``Z* - I`` squared, so it is squared here."""
    if not i.condition < 30:
        return None
    X, U = i.points, leading(i)
    moved = X @ (X.T @ U)
    leaves = np.linalg.norm(moved - U @ (U.T @ moved)) ** 2 / i.norm_K**2
    if leaves <= 1e-13:
        return True
    return False if leaves >= 1e-5 else None
