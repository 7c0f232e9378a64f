"""How fast the excess risk falls with the number of points, by simulation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.svm import LinearSVC

from nystheory.chapters.fast_and_slow_rates.theorems.rates import ROWS, Q
from nystheory.engine.language.lines import Reader, parse
from nystheory.learners import FeatureRidge, KernelRidge

# Sixty-four times as many points at the end as at the beginning.
SIZES = (50, 100, 200, 400, 800, 1600, 3200)
# Those for which an n x n system is solved as well.
DENSE_SIZES = SIZES[:-1]
# A support vector machine on many columns takes longest.
MACHINE_SIZES = SIZES[:-2]
# Noises over which the excess risk of each draw is a mean: the points stay.
NOISES = 20
# Eigenvalues of W below this share of the largest are rounding.
CUT = 1e-12
# The rate that needs no assumption on the noise.
RIVAL = -0.5


# ---- what is prescribed ----


def exponent(line: str, **values: float) -> float:
    """An exponent of the chapter's list of rates at numbers.

    Parameters
    ----------
    line : str
        A field of a row of `theorems.rates.ROWS`.
    **values : float
        The names of the list: capacity, which is p; source, which is r; theta.

    Examples
    --------
    >>> exponent(ROWS["hinge, well specified"].columns, capacity=0.5).__round__(6)
    0.666667
    >>> exponent(ROWS["hinge"].rate, capacity=0.5, source=1, theta=0).__round__(6)
    0.5
    """
    reader = Reader({}, None, values, {"q": Q})
    return float(reader.value(parse(line)).value)


@dataclass(frozen=True)
class Rule:
    """A ridge and a number of columns, for n points.

    Attributes
    ----------
    ridge : str
        The row of `theorems.rates.ROWS` whose ridge is taken, with the factor 1.
    columns : str
        The row whose number of columns is taken, times log n, or for exponential decay
        its square; empty for all columns.
    share : float
        The part of the exponent of this number that is kept: from the smallest n on,
        where all is as prescribed, the number grows by that power of n.
    """

    ridge: str
    columns: str = ""
    share: float = 1.0

    def rate(self, **values: float) -> float:
        """The exponent that is promised with this ridge."""
        return exponent(ROWS[self.ridge].rate, **values)

    def ridge_for(self, n: int, **values: float) -> float:
        """The ridge beside a mean of losses.

        Examples
        --------
        >>> Rule("subspace").ridge_for(100, capacity=0.5).__round__(6)
        0.1
        """
        return n ** -exponent(ROWS[self.ridge].ridge, **values)

    def columns_for(self, n: int, **values: float) -> int:
        """The number of columns, at most n.

        Examples
        --------
        >>> square = "square, well specified"
        >>> [Rule(square, square).columns_for(n, capacity=0.5) for n in (50, 3200)]
        [15, 119]
        >>> [Rule(square, square, 0.0).columns_for(n, capacity=0.5) for n in (50, 3200)]
        [15, 15]
        """
        if not self.columns:
            return n
        power = exponent(ROWS[self.columns].columns, **values)
        logs = 1 if values["capacity"] else 2
        first = n if self.share == 1 else SIZES[0]
        start = first**power * np.log(first) ** logs
        return min(n, int(np.ceil(start * (n / first) ** (self.share * power))))


# ---- what is learned ----


def in_span(problem, x: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Orthonormal functions of the span of landmarks z, at points x.

    Parameters
    ----------
    problem : OnCircle, GaussianVectors or OnArcs
        Its kernel is used, and no more.
    x : ndarray (n,) or (n, d)
    z : ndarray (m,) or (m, d)

    Returns
    -------
    F : ndarray (n, k)
        ``F = K(x, z) T``.
    T : ndarray (m, k)
        Coefficients of the functions: ``T^T K(z, z) T`` is the identity.

    Examples
    --------
    >>> from nystheory.chapters.fast_and_slow_rates.problems import Geometric, OnCircle
    >>> F, T = in_span(OnCircle(Geometric(0.5)), np.zeros(3), np.zeros(2))
    >>> F.shape, (F @ F.T).round(6)[0].tolist()
    ((3, 1), [3.0, 3.0, 3.0])
    """
    values, vectors = np.linalg.eigh(problem.similar(z, z))
    kept = values > CUT * values[-1]
    T = vectors[:, kept] / np.sqrt(values[kept])
    return problem.similar(x, z) @ T, T


def ridge_regression(problem, x, Y, count: int, ridge: float) -> np.ndarray:
    """Coefficients with which ``mean square + ridge |f|^2`` is least in a span.

    The span is that of the first points: in random order, they are uniform columns.

    Parameters
    ----------
    problem : OnCircle or GaussianVectors
    x : ndarray (n,) or (n, d)
    Y : ndarray (n, q)
        Targets, a problem a column.
    count : int
        The number m of columns.
    ridge : float

    Returns
    -------
    ndarray (m, q)

    Notes
    -----
    Costs ``n m^2 + 10 m^3`` operations, and ``n^3 / 3`` where all columns are taken.
    """
    n = len(x)
    if count == n:
        model = KernelRidge(n * ridge, method="exact", kernel="precomputed")
        return model.fit(problem.similar(x, x), Y).dual_coef_
    F, T = in_span(problem, x, x[:count])
    return T @ FeatureRidge(ridge=n * ridge).fit(F, Y).coef_


def vector_machine(problem, x, y, count: int, ridge: float) -> np.ndarray:
    """Coefficients with which ``mean hinge + ridge |f|^2`` is least in a span.

    Parameters
    ----------
    problem : OnArcs
    x : ndarray (n,)
    y : ndarray (n,)
        Labels, -1 or 1.
    count : int
    ridge : float

    Returns
    -------
    ndarray (m,)

    Notes
    -----
    By scikit-learn's coordinate ascent in the dual, to some 1e-5 of the objective; the
    excess risks that are measured are a hundred times as large.
    """
    F, T = in_span(problem, x, x[:count])
    model = LinearSVC(
        C=1 / (2 * len(x) * ridge),
        loss="hinge",
        fit_intercept=False,
        tol=1e-3,
        max_iter=100_000,
        random_state=0,
    )
    return T @ model.fit(F, y).coef_[0]


# ---- slopes ----


def slope(sizes: Sequence[int], values: Sequence[float]) -> float:
    """The slope of logarithms by least squares: ``values ~ sizes ** slope``.

    Examples
    --------
    >>> slope([1, 2, 4], [8.0, 4.0, 2.0]).__round__(6)
    -1.0
    """
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def regressed(problem, x, noise, rule: Rule, sizes: Sequence[int]) -> dict:
    """Excess risks of ridge regression on the first n points, and their slope.

    Parameters
    ----------
    problem : OnCircle or GaussianVectors
    x : ndarray (N,) or (N, d)
    noise : ndarray (N, q)
        Of deviation 1; the excess risk is a mean over its columns.
    rule : Rule
    sizes : sequence of int
        At most N.

    Returns
    -------
    dict
        ``excess`` and ``columns``, of each n; ``slope``, and what is ``promised``.

    Examples
    --------
    >>> from nystheory.chapters.fast_and_slow_rates.problems import OnCircle, Powers
    >>> problem, rng = OnCircle(Powers(1)), np.random.default_rng(0)
    >>> rule = Rule("square, well specified", "square, well specified")
    >>> x, noise = problem.points(80, rng), rng.standard_normal((80, 5))
    >>> found = regressed(problem, x, noise, rule, (20, 40, 80))
    >>> found["columns"], found["slope"] < 0
    ([9, 13, 19], True)
    """
    Y = problem.target(x)[:, None] + problem.noise * noise
    excess, columns = [], []
    for n in sizes:
        m = rule.columns_for(n, capacity=problem.p)
        ridge = rule.ridge_for(n, capacity=problem.p)
        a = ridge_regression(problem, x[:n], Y[:n], m, ridge)
        excess.append(float(problem.excess(x[:m], a).mean()))
        columns.append(m)
    return {
        "excess": excess,
        "columns": columns,
        "slope": slope(sizes, excess),
        "promised": -rule.rate(capacity=problem.p),
    }


def classified(problem, x, y, rule: Rule, sizes: Sequence[int]) -> dict:
    """Excess risks of support vector machines on the first n points.

    Parameters
    ----------
    problem : OnArcs
    x, y : ndarray (N,)
    rule : Rule
    sizes : sequence of int
        At most N.

    Returns
    -------
    dict
        ``excess`` of the hinge loss, ``errors``, that of the 0-1 loss in percent, and
        ``columns``, of each n; ``slope``, of the hinge loss, and what is ``promised``.

    Examples
    --------
    >>> from nystheory.chapters.fast_and_slow_rates.problems import OnArcs, Powers
    >>> problem = OnArcs(Powers(2))
    >>> x, y = problem.drawn(200, np.random.default_rng(0))
    >>> found = classified(problem, x, y, Rule("hinge", "hinge"), (50, 100, 200))
    >>> found["columns"], round(found["promised"], 6)
    ([19, 30, 45], -0.8)
    """
    known = {"capacity": problem.p, "source": 1, "theta": problem.gamma}
    excess, errors, columns = [], [], []
    for n in sizes:
        m, ridge = rule.columns_for(n, **known), rule.ridge_for(n, **known)
        a = vector_machine(problem, x[:n], y[:n], m, ridge)
        hinge, wrong = problem.excesses(x[:m], a)
        excess.append(hinge)
        errors.append(100 * wrong)
        columns.append(m)
    return {
        "excess": excess,
        "errors": errors,
        "columns": columns,
        "slope": slope(sizes, excess),
        "promised": -rule.rate(**known),
    }


def verdict(low: float, high: float, promised: float, rival: float = RIVAL) -> str:
    """What an interval for a slope says of a promised rate, and of a rival.

    A rate is an upper bound of the risk: a slope below it keeps the promise.  A slope
    above it breaks none, since the bound has a constant; it has not set in.

    Parameters
    ----------
    low, high : float
        Of the slope.
    promised, rival : float
        Slopes.

    Examples
    --------
    >>> verdict(-0.7, -0.6, -2 / 3), verdict(-0.7, -0.4, -2 / 3)
    ('seen', 'undecided')
    >>> verdict(-1.2, -0.9, -2 / 3), verdict(-0.4, -0.3, -2 / 3)
    ('faster than promised', 'slower')
    """
    if low <= promised <= high:
        return "undecided" if low <= rival <= high else "seen"
    return "faster than promised" if high < promised else "slower"
