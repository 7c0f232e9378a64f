"""A number for a kernel matrix and its targets: how good a kernel is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.linalg
from scipy.linalg.lapack import dpotri

from nystheory.kernels import KernelMatrix, as_kernel
from nystheory.lowrank import Factored
from nystheory.selection._problem import Problem, Spectrum, finite, problem

# Up to so many ridges a factorisation for each is cheaper than all eigenvalues.
FACTORED = 8


def criterion(
    K: KernelMatrix | Factored | np.ndarray,
    y: np.ndarray,
    ridge: float | Sequence[float],
    *,
    measure: str = "criterion",
    sample_weight: np.ndarray | None = None,
) -> float | np.ndarray:
    """How well a kernel matrix suits the targets; smaller is better.

    Parameters
    ----------
    K : KernelMatrix, Factored or array_like (n, n)
        A kernel matrix, or an approximation of one by its factor (LowRank, Ensemble),
        which then takes its place.
    y : array_like (n,)
        Targets.
    ridge : float or sequence of float, length r
        Above 0, in units of K.
    measure : {"criterion", "likelihood", "leave-one-out"}
        With ``a = (K + ridge I)^-1 y`` and ``h_i`` the diagonal of
        ``(K + ridge I)^-1``:

        - ``"criterion"``: ``(ridge / n) y'a``, the least regularised risk, [1]_;
        - ``"likelihood"``: ``y'a / 2 + log det(K + ridge I) / 2 + (n / 2) log(2 pi)``,
          minus the log marginal likelihood of a Gaussian process whose noise has the
          variance `ridge`, equation (2.30) of [2]_;
        - ``"leave-one-out"``: the mean of ``(a_i / h_i)^2``, the squared error at each
          point of ridge regression on the others, equation (5.12) of [2]_.
    sample_weight : array_like (n,), optional
        Weights w of the points, at least 0: K becomes ``root K root`` and y becomes
        ``root y``, with root the square roots of w.  A point of weight 0 is left out,
        and n counts the others.  The noise of the likelihood has variance ``ridge /
        w_i``; the mean over points of the squared errors is one of ``w_i`` times them,
        each without point i at all.

    Returns
    -------
    float or ndarray (r,)
        One number for one ridge, else one for each.

    Raises
    ------
    ValueError, TypeError
        If a ridge is not above 0, y or a weight is not finite or not one for each
        point, no weight is above 0, the measure is unknown, an array K is not a kernel
        matrix, or a mixture has negative weights.

    Notes
    -----
    A kernel matrix is read whole, n^2 entries, and takes 2 n^2 words: up to 8 ridges
    cost ``n^3 / 3`` operations each (n^3 for ``"leave-one-out"``), more of them about
    9 n^3 together, one eigendecomposition.  A factor of k columns costs ``6 n k^2`` and
    n k words, and then n k for each ridge; K is not read.  Sums are in
    float64.  Eigenvalues of K below 0 are taken for rounding.  Rounding moves a number
    by about ``n eps trace(K) / ridge`` of itself, and leaving one out by up to the root
    of ``trace(K) / ridge`` times as much: of tiny ridges it may be far off.

    References
    ----------
    .. [1] L. Ding, Y. Liu, S. Liao, Y. Li, P. Yang, Y. Pan, C. Huang, L. Shao and
       X. Gao, "Approximate Kernel Selection with Strong Approximate Consistency",
       AAAI Conference on Artificial Intelligence 33, 2019, equation (1).
    .. [2] C. E. Rasmussen and C. K. I. Williams, "Gaussian Processes for Machine
       Learning", MIT Press, 2006, sections 2.3 and 5.4.

    Examples
    --------
    >>> K, y = np.diag([3.0, 1.0]), [4.0, 2.0]
    >>> criterion(K, y, 1.0)
    3.0
    >>> criterion(K, y, [1.0, 3.0]).round(3).tolist()
    [3.0, 5.5]
    >>> criterion(K, y, 1.0, measure="leave-one-out")
    10.0
    >>> from nystheory.lowrank import nystrom
    >>> round(criterion(nystrom(K, [0]), y, 1.0), 12)
    4.0
    """
    sampled = isinstance(K, Factored)
    K = K if sampled else as_kernel(K)
    asked = problem(K.n, y, ridge, measure, sample_weight)
    with np.errstate(over="ignore"):
        if sampled:
            found = by_spectrum(asked, Spectrum.of_factor(asked.rows(K.factor)))
        else:
            found = _exact(asked, asked.matrix(K))
    return asked.shaped(finite(found))


def of_forms(asked: Problem, q: np.ndarray, logdet: np.ndarray) -> np.ndarray:
    """The measure from ``y'(K + ridge I)^-1 y`` and the log determinant."""
    if asked.measure == "criterion":
        return asked.ridge / asked.n * q
    return q / 2 + logdet / 2 + asked.constant


def by_spectrum(asked, spectrum):
    """All ridges from one decomposition."""
    y, ridge = asked.y[:, None], asked.ridge
    if asked.measure == "leave-one-out":
        ridges = np.repeat(y, len(ridge), axis=1)
        a = spectrum.solved(ridges, ridge)
        return np.mean((a / spectrum.inverse_diagonal(ridge)) ** 2, axis=0)
    q = spectrum.energies(y, ridge)
    return of_forms(asked, q, spectrum.logdet(ridge))


def _exact(asked, A):
    """Few ridges by Cholesky's factors, where they exist; else by eigenvalues."""
    if len(asked.ridge) > FACTORED:
        return by_spectrum(asked, Spectrum.of_matrix(A))
    try:
        roots = (_root(A, ridge) for ridge in asked.ridge)
        found = [_by_cholesky(asked, L) for L in roots]
    except np.linalg.LinAlgError:
        return by_spectrum(asked, Spectrum.of_matrix(A))
    if asked.measure == "leave-one-out":
        return np.array(found)
    return of_forms(asked, *np.array(found).T)


def _root(A, ridge):
    """L with ``L L' = A + ridge I``."""
    shifted = np.array(A, order="F")
    shifted[np.diag_indices_from(shifted)] += ridge
    keep = {"overwrite_a": True, "check_finite": False}
    return scipy.linalg.cholesky(shifted, lower=True, **keep)


def _by_cholesky(asked, L):
    """The mean of squared errors, or the quadratic form and the determinant."""
    if asked.measure == "leave-one-out":
        a = scipy.linalg.cho_solve((L, True), asked.y, check_finite=False)
        inverse, _ = dpotri(L, lower=1, overwrite_c=1)
        return np.mean((a / inverse.diagonal()) ** 2)
    half = scipy.linalg.solve_triangular(L, asked.y, lower=True, check_finite=False)
    return half @ half, 2 * np.log(L.diagonal()).sum()
