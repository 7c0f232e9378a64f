"""How much each expert counts: mixture weights from errors and inner products."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import scipy.linalg
import scipy.optimize

from nystheory import _checks, _semidefinite
from nystheory.ensemble._validation import Validation

WEIGHTS = ("uniform", "exponential", "ridge", "nonnegative", "optimal")

# Grids for the hold-out columns, in units that grow with K as the parameters do:
# eta in 1 / mean(errors - smallest error), lambda in trace(G) / p.  Experts differ by
# their errors alone, whose squares are a small part of G: hence the small ridges.
ETAS = 2.0 ** np.arange(-4, 7)
RIDGES = 10.0 ** np.arange(-12, 0.5, 0.5)


def uniform_weights(n_experts: int) -> np.ndarray:
    """Equal weights 1/p: section 4.3 of [1]_.

    Parameters
    ----------
    n_experts : int
        The number p of experts.

    Returns
    -------
    ndarray (p,)

    Raises
    ------
    ValueError, TypeError
        If `n_experts` is not an integer of at least 1.

    Notes
    -----
    Costs p operations; no column is looked at.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 4.3.

    Examples
    --------
    >>> uniform_weights(4).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    p = _checks.integer(n_experts, "n_experts")
    return np.full(p, 1 / p)


def exponential_weights(errors: Sequence[float], eta: float) -> np.ndarray:
    """Weights ``exp(-eta error_r) / Z``, which sum to one: section 4.3 of [1]_.

    Parameters
    ----------
    errors : array_like (p,)
        Errors of the experts.
    eta : float
        At least 0; in units of one over the errors.

    Returns
    -------
    ndarray (p,)

    Raises
    ------
    ValueError, TypeError
        If there is no error, one is not finite, or eta is negative or not finite.

    Notes
    -----
    The smallest error is subtracted before the exponential: it cancels against Z, and
    without it all weights vanish as soon as ``eta error`` is above 745.  Costs O(p)
    operations.  The weights are the only minimiser of ``<mu, errors> - H(mu) / eta``
    over the simplex, with H the entropy:
    ``theorems["talwalkar2010:exponential-weights"]``.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 4.3.

    Examples
    --------
    >>> exponential_weights([1000.0, 1001.0], eta=1.0).round(3).tolist()
    [0.731, 0.269]
    """
    errors = _checks.real_array(errors, "errors", 1).astype(np.float64)
    if errors.size == 0:
        raise ValueError("errors: expected one for each expert, got none")
    eta = _checks.not_below_zero(eta, "eta")
    with np.errstate(over="ignore"):  # exp(-inf) is the right weight
        unscaled = np.exp(-eta * (errors - errors.min()))
    return unscaled / unscaled.sum()


def ridge_weights(G: np.ndarray, g: Sequence[float], ridge: float) -> np.ndarray:
    """The minimiser ``(G + ridge I)^-1 g`` of the regression (4.2) of [1]_.

    Parameters
    ----------
    G : array_like (p, p)
        Symmetric and positive semidefinite, as from `normal_equations`.
    g : array_like (p,)
    ridge : float
        At least 0, in the units of G; 0 is linear regression, with the shortest of
        all minimisers where G is singular.

    Returns
    -------
    ndarray (p,)
        They may be negative, and need not sum to one.

    Raises
    ------
    ValueError, TypeError
        If the shapes do not fit, G is not positive semidefinite, a number is not
        finite, or the ridge is negative.

    Notes
    -----
    Costs O(p^3) operations, by the eigenvalues of G; without a ridge those below
    ``p eps`` times the largest count as zero.  That it is the minimiser is
    ``theorems["talwalkar2010:eq-4.2"]``.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, equation (4.2).

    Examples
    --------
    >>> ridge_weights([[2.0, 0.0], [0.0, 1.0]], [2.0, 1.0], ridge=1.0).tolist()
    [0.6666666666666666, 0.5]
    """
    G, g = _regression(G, g)
    ridge = _checks.not_below_zero(ridge, "ridge")
    values, vectors = _eigen(G, ridge)
    return vectors @ ((vectors.T @ g) / (values + ridge))


def nonnegative_weights(G: np.ndarray, g: Sequence[float], ridge: float) -> np.ndarray:
    """The minimiser of (4.2) of [1]_ over weights that are not negative.

    They keep the mixture positive semidefinite: ``theorems["talwalkar2010:eq-4.2"]``.

    Parameters
    ----------
    G : array_like (p, p)
        Symmetric and positive semidefinite, as from `normal_equations`.
    g : array_like (p,)
    ridge : float
        At least 0, in the units of G.

    Returns
    -------
    ndarray (p,)

    Raises
    ------
    ValueError, TypeError
        If the shapes do not fit, G is not positive semidefinite, a number is not
        finite, or the ridge is negative.

    Notes
    -----
    `scipy.optimize.nnls` on a square root R of ``G + ridge I = R^T R``, in which the
    objective is ``|R mu - R^-T g|^2`` up to a constant; costs O(p^3) or a few times
    that.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 4.3.

    Examples
    --------
    >>> nonnegative_weights([[1.0, 0.0], [0.0, 1.0]], [2.0, -1.0], ridge=0.0).tolist()
    [2.0, 0.0]
    """
    G, g = _regression(G, g)
    ridge = _checks.not_below_zero(ridge, "ridge")
    values, vectors = _eigen(G, ridge)
    if len(values) == 0:
        return np.zeros(len(g))
    root = np.sqrt(values + ridge)
    # In units of the largest entry: nnls stops at an absolute tolerance.
    unit = root.max()
    matrix = (root / unit)[:, None] * vectors.T
    target = (vectors.T @ g) / (root * unit)
    weights, _ = scipy.optimize.nnls(matrix, target)
    return weights


def choose_weights(
    method: str, seen: Validation, held_out: Validation | None = None
) -> tuple[np.ndarray, float | None]:
    """Weights of one method, its parameter chosen on hold-out columns: [1]_.

    Parameters
    ----------
    method : {"uniform", "exponential", "ridge", "nonnegative", "optimal"}
        ``"optimal"`` is linear regression on `seen`, which then is of all columns.
    seen : Validation
        The columns that weights are fitted to.
    held_out : Validation, optional
        The columns on which eta or the ridge is chosen; needed by ``"exponential"``,
        ``"ridge"`` and ``"nonnegative"``.

    Returns
    -------
    weights : ndarray (p,)
    parameter : float or None
        The chosen eta or ridge, where there is one.

    Raises
    ------
    ValueError, TypeError
        If the method is unknown, its hold-out columns are missing, or either is not
        what `validate` makes.

    Notes
    -----
    The error in the exponential weights is that on the columns `seen`, in the
    Frobenius norm ([1]_ leaves the norm open).  The candidates are the book's own:
    ``2^-4 .. 2^6`` over the mean of the errors above the smallest one for eta, and
    ``10^-12, 10^-11.5 .. 1`` times ``trace(G) / p`` for the ridge, so that K and c K
    get the same weights.  The smallest Frobenius error on the hold-out columns wins,
    the first one where several tie.  Costs O(p^3) operations for each candidate of
    the ridge, O(p^2) for each eta; no entry of K is read.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 4.3.

    Examples
    --------
    >>> seen = Validation(np.array([[1.0, 0.0, 1.0], [0.0, 4.0, 4.0], [1.0, 4.0, 5.0]]))
    >>> choose_weights("optimal", seen)[0].tolist()
    [1.0, 1.0]
    """
    _checks.choice(method, "method", WEIGHTS)
    _validation(seen, "seen")
    if method == "uniform":
        return uniform_weights(seen.n_experts), None
    G, g, unit = _in_units(*seen.normal_equations)
    if method == "optimal":
        return ridge_weights(G, g, 0.0), None
    if held_out is not None:
        _validation(held_out, "held_out")
    if held_out is None or held_out.n_experts != seen.n_experts:
        got = "none" if held_out is None else f"those of {held_out.n_experts} experts"
        raise ValueError(
            f"held_out: expected hold-out columns of {seen.n_experts} experts for "
            f"{method!r} weights, got {got}"
        )
    if method == "exponential":
        excess = float(np.mean(seen.errors - seen.errors.min()))
        if excess == 0:  # all alike: every eta gives equal weights
            return uniform_weights(seen.n_experts), 0.0
        grid = ETAS / excess
        candidates = [exponential_weights(seen.errors, eta) for eta in grid]
    else:
        solve = ridge_weights if method == "ridge" else nonnegative_weights
        # All experts zero: the grid is zero too, and so are the weights.
        grid = RIDGES * float(np.trace(G)) / seen.n_experts
        candidates = [solve(G, g, ridge) for ridge in grid]
    best = int(np.argmin([held_out.error(weights) for weights in candidates]))
    # Exponents are of errors, ridges in the units of G.
    return candidates[best], float(grid[best]) * (
        1 if method == "exponential" else unit
    )


def _validation(value, name):
    """Raise unless it is what `validate` makes."""
    if not isinstance(value, Validation):
        raise TypeError(
            f"{name}: expected a Validation, as ensemble.validate makes it, got "
            f"{_checks.shown(value)}"
        )


def _in_units(G, g):
    """G and g over a power of two near the trace of G, and that: squares of errors.

    >>> _in_units(np.array([[2.0**600]]), np.array([2.0**600]))[0].tolist()
    [[1.0]]
    """
    size = float(np.trace(G))
    unit = 2.0 ** math.floor(math.log2(size)) if 0 < size < np.inf else 1.0
    return G / unit, g / unit, unit


def _regression(G, g):
    """G and g of (4.2), checked."""
    G = _semidefinite.symmetric(G, "G").astype(np.float64)
    g = _checks.real_array(g, "g", 1).astype(np.float64)
    if len(g) != len(G):
        raise ValueError(
            f"g: expected shape {(len(G),)}, one row of G for each entry, got {g.shape}"
        )
    return G, g


def _eigen(G, ridge):
    """The eigenvalues of G and their vectors; without a ridge the positive ones.

    A ridge counts in every direction, also in one in which G is zero.
    """
    values, vectors = scipy.linalg.eigh(G)
    top = float(np.abs(values).max())
    rounding = len(G) * np.finfo(np.float64).eps * top
    if values[0] < -1e4 * rounding:
        raise ValueError(
            "G: expected a positive semidefinite matrix, got one with eigenvalue "
            f"{values[0]:.3g} (the largest is {values[-1]:.3g})"
        )
    if ridge > 0:
        return np.maximum(values, 0.0), vectors
    keep = values > rounding
    return values[keep], vectors[:, keep]
