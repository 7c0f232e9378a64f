"""How many columns the rates of learning prescribe, at which ridge, assuming what."""

from __future__ import annotations

import math

import numpy as np

from nystheory import _checks
from nystheory.guarantees._assumptions import assumptions, told_of_labels
from nystheory.guarantees._decay import decay
from nystheory.guarantees._dimension import DELTA, Dimension
from nystheory.guarantees._eigenvalues import Eigenvalues
from nystheory.guarantees._known import checked_delta
from nystheory.guarantees._prescriptions import Prescription, Prescriptions
from nystheory.learners._learner import targets, two_classes

# Of each loss its rates, and where they stand in the source.
RATES = {
    "hinge": {"slow": "Theorem 7", "fast": "(42) and (43)"},
    "logistic": {"slow": "Theorem 7", "fast": "section 6.2"},
    "square": {"fast": "Corollary 13"},
}
# Points from which a quarter of the eigenvalues makes a fit.
SMALLEST = 20


def _exponents(loss: str, rate: str, p: float) -> tuple[float, float, float, float]:
    """Of 1/n in the excess risk, the ridge and alpha; and of n in the columns.

    Up to constants and logarithms, for eigenvalues that fall like ``j^(-1/p)``.

    >>> _exponents("hinge", "slow", 0.5), _exponents("square", "fast", 1.0)
    ((0.5, 0.5, 1.0, 0.5), (0.5, 0.5, 0.5, 0.5))
    """
    if rate == "slow":
        return 0.5, 0.5, 1.0, p
    share = 1 / (1 + p)
    steps = 2 if loss == "hinge" else 1
    return share, share, steps * share, steps * p * share


def landmarks_for_learning(
    K,
    y,
    loss: str = "hinge",
    *,
    ranks: tuple[int, int] | None = None,
    rng: np.random.Generator | None = None,
    delta: float = DELTA,
) -> Prescriptions:
    """How many columns the rates of learning prescribe, and at which ridge.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n), or Instance, or Estimated
        Positive semidefinite, n at least 20; or what `know` has measured of it, or
        `estimate` knows.
    y : array_like (n,)
        Labels of two classes, or numbers for the square loss.  They are counted, and
        that is all: the rates read the spectrum, and what else they say of labels is
        assumed.
    loss : {"hinge", "logistic", "square"}
    ranks, rng
        Of `decay`: the eigenvalues that are fitted, and what draws halves for the range
        of the exponent.
    delta : float
        In the logarithm, between 0 and 1.

    Returns
    -------
    Prescriptions
        A table of rates, with what each assumes.  They are rates, and no guarantee: for
        a draw of columns `Prescription.projection` looks whether it is near enough.

    Raises
    ------
    ValueError, TypeError
        If K is not a positive semidefinite matrix, has fewer than 20 points, y does not
        have n numbers or labels of two classes, the loss is not one of these, or
        `delta` is not between 0 and 1.

    Notes
    -----
    In [1]_ the objective is the mean of the losses and ``lambda |w|^2``, and alpha is a
    level of the covariance, the mean of ``x x'``: of a sum of losses and
    ``ridge / 2 |w|^2`` the ridge is ``2 n lambda``, and ``n lambda`` for half a square;
    in units of K the level is ``n alpha``.

    Up to constants, for eigenvalues like ``j^(-1/p)``: for the hinge and the logistic
    loss ``lambda = n^-1/2``, ``alpha = 1/n`` and ``n^p log n`` columns for an excess
    risk ``n^-1/2`` (Theorem 7).  Faster, ``n^(-1 / (1 + p))``, with lambda of that
    order; for the hinge loss ``alpha = lambda^2`` and ``n^(2p / (1 + p))`` columns; for
    the square loss, and the logistic one that is clipped, ``alpha = lambda`` and
    ``n^(p / (1 + p)) log n``.  Exponential decay stands for p = 0, with log n squared
    columns.

    In terms of K itself the rates require ``d log(n / delta)`` columns up to a
    constant, with d the effective dimension at that level: that number stands beside
    the exponents.  Costs n^3 operations, with `rng` nearly six times as many, or those
    of `effective_dimension` and `decay` of an estimate.

    References
    ----------
    .. [1] A. Della Vecchia, E. De Vito, J. Mourtada and L. Rosasco, "The Nyström method
       for convex loss functions", Journal of Machine Learning Research 25, 2024.

    Examples
    --------
    >>> K = 400 * np.diag(1.0 / np.arange(1, 401.0) ** 4)
    >>> found = landmarks_for_learning(K, np.arange(400.0), "square")
    >>> row = found.of("fast")
    >>> round(row.growth[0], 3), round(row.risk, 3), row.columns
    (0.2, 0.8, (28, 28))
    """
    _checks.choice(loss, "loss", RATES)
    delta = checked_delta(delta)
    found = Eigenvalues(K)
    if found.n < SMALLEST:
        raise ValueError(
            f"K: expected at least {SMALLEST} points for a fit of its decay, got "
            f"{found.n}"
        )
    labels = _labels(y, found.n, loss)
    fitted, why = None, ""
    try:
        fitted = decay(found, ranks=ranks, rng=rng)
    except ValueError as error:
        if not str(error).startswith("K: expected at least"):
            raise
        why = "too few eigenvalues are known well; ranks= takes others"
    rows = tuple(_row(found, loss, rate, fitted, why, y, delta) for rate in RATES[loss])
    scale = found.trace / found.n
    return Prescriptions(loss, found.n, delta, scale, fitted, labels, rows)


def _labels(y, n, loss) -> str:
    """What is read of y."""
    if loss == "square":
        found = targets(y, n, several=False)
        return told_of_labels(None, found)
    return told_of_labels(*two_classes(y, n))


def _exponent(fitted) -> tuple[tuple | None, str]:
    """p, and the ends of its range: 0 for exponential decay; or why there is none."""
    if fitted is None or fitted.fit is None:
        return None, "neither decay fits the eigenvalues of K"
    if fitted.best == "exponential":
        return (0.0, 0.0, 0.0), ""
    fit = fitted.polynomial
    if not fit.value < 1:
        return None, f"the exponent p = {fit.value:.3g} is not below 1"
    ends = [x for x in (fit.low, fit.high, *fit.within) if not math.isnan(x)]
    return (fit.value, min(ends), min(max(ends), 1.0)), ""


def _row(found, loss, rate, fitted, why, y, delta) -> Prescription:
    told = loss, rate, RATES[loss][rate]
    exponent, unknown = _exponent(fitted)
    unknown = why or unknown
    given = assumptions(loss, rate, fitted, unknown, y)
    if exponent is None and rate == "fast":
        return Prescription(*told, *[None] * 7, given, unknown)
    # Without decay an effective dimension is at most tr K / alpha: as for p = 1.
    three = (1.0, 1.0, 1.0) if exponent is None else exponent
    risk, of_lambda, of_alpha, _ = _exponents(loss, rate, three[0])
    n, scale = found.n, found.trace / found.n
    lambda_, alpha = scale * n**-of_lambda, scale * n ** (1 - of_alpha)
    dimension = Dimension(*found.dimension(alpha), alpha, n, 0.0, found.source)
    more = math.log(n / delta)
    ends = dimension.low, dimension.high
    columns = tuple(min(n, math.ceil(d * more * (1 - 1e-9))) for d in ends)
    growth = tuple(_exponents(loss, rate, each)[3] for each in three)
    ridge = n * lambda_ * (1 if loss == "square" else 2)
    return Prescription(
        *told, risk, lambda_, ridge, alpha, growth, dimension, columns, given
    )
