"""Part II: randomly pivoted Cholesky, one pivot at a time.

Chen, Epperly, Tropp and Webber 2025.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from nystheory.theorems.adaptive_sampling.pivots import (
    MOST,
    calculator,
    first_excess,
    mean_residual,
    second_excess,
)
from nystheory.theorems.base import Claim, Control, Hypothesis, Theorem
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import k, quantity
from nystheory.theorems.routes import RANK_IN_RANGE, full_rank, nystrom
from nystheory.theorems.spectral import spectrum, tail_trace

# --- What the theorems share ------------------------------------------------------


def _excesses(i: Instance) -> tuple[float, float, float]:
    """The tail, and what each branch of the theorem allows beyond it."""
    values = spectrum(i)
    tail = float(values[i.k :].sum())
    first = first_excess(float(values.sum()), tail, i.k, i.l)
    return tail, first, second_excess(tail, i.k, i.l)


def _first_bound(i: Instance, _) -> float:
    tail, first, _ = _excesses(i)
    return tail + first


def _second_bound(i: Instance, _) -> float:
    tail, _, second = _excesses(i)
    return tail + second


def _half_bound(i: Instance, _) -> float:
    """What the theorem allows for twice as many pivots."""
    tail, first, second = _excesses(i.but(landmarks=np.tile(i.landmarks, 2)))
    return tail + min(first, second)


def _logarithm_alone(i: Instance, _) -> float:
    """``k + k log(2^k tail / x) = l``, solved for the excess x."""
    return _excesses(i)[0] * (1 + 2.0**i.k * np.exp(1 - i.l / i.k))


trace_of_K = quantity("trace_of_K", r"\operatorname{tr}K", "trace of the matrix")(
    lambda i: float(np.trace(i.K))
)
trace_after_pivots = quantity(
    "trace_after_pivots",
    r"\textstyle\sum_j\varphi^{l}(\lambda)_j",
    "bound on the mean trace error after l pivots, from the eigenvalues",
)(lambda i: calculator(spectrum(i), i.l))
pivoting_excess = quantity(
    "pivoting_excess",
    r"\varepsilon\textstyle\sum_{j>k}\lambda_j",
    "excess over the tail, for the smallest epsilon that l pivots allow",
)(lambda i: min(_excesses(i)[1:]))

NOT_ZERO = Hypothesis(r"$K \ne 0$", ("trace_of_K",), lambda trace_of_K: trace_of_K > 0)


def few(i: Instance) -> bool:
    """Whether every set of pivots can be listed."""
    return i.n <= MOST


def of_trace(i: Instance) -> float:
    """Scale of claims about traces and about matrices of that size."""
    return float(np.trace(i.K))


def _plus(first, second) -> Formula:
    return Formula(sp.Add(first, second, evaluate=False))


# --- Randomly pivoted Cholesky ----------------------------------------------------


def _one_step(i: Instance, _) -> np.ndarray:
    """The mean of what is left after one pivot, pivot by pivot."""
    mean = np.zeros_like(i.K)
    diagonal = np.diag(i.K)
    for p in np.flatnonzero(diagonal):
        column = i.K[:, p] / np.sqrt(diagonal[p])
        mean += diagonal[p] / diagonal.sum() * (i.K - np.outer(column, column))
    return mean


def _one_step_uniform(i: Instance, _) -> np.ndarray:
    return mean_residual(i.K, 1, power=0)


def _less_its_square(i: Instance, _) -> np.ndarray:
    return i.K - i.K @ i.K / np.trace(i.K)


def _one_step_exactly(i: Instance) -> bool:
    """The same entry by entry in integers: everything times trace and diagonal."""
    K = [[int(x) for x in row] for row in i.K]
    size = range(i.n)
    trace = sum(K[p][p] for p in size)
    return all(
        # sum_p K_pp (K_rs - K_rp K_ps / K_pp) = tr(K) K_rs - (K K)_rs
        sum(_left_times_pivot(K, p, r, s) for p in size)
        == trace * K[r][s] - sum(K[r][p] * K[p][s] for p in size)
        for r in size
        for s in size
    )


def _left_times_pivot(K, p, r, s) -> int:
    """``K_pp`` times what the pivot p leaves of ``K_rs``; nothing for ``K_pp = 0``."""
    return K[p][p] * K[r][s] - K[r][p] * K[p][s] if K[p][p] else 0


def _mean_trace(i: Instance, _) -> float:
    if few(i):
        return float(np.trace(mean_residual(i.K, i.l)))
    # All points are alike: every sequence of pivots leaves the same trace.
    return float(np.trace(i.K - nystrom(full_rank(i))))


def _listed(i: Instance) -> bool:
    return few(i) or (_alike(i) and len(set(i.landmarks.tolist())) == i.l)


def _alike(i: Instance) -> bool:
    """Whether K has one number on the diagonal and one beside it."""
    return bool(np.array_equal(i.K, _all_alike(i.n, i.K[0, 0], i.K[0, -1])))


def _all_alike(n, diagonal, beside) -> np.ndarray:
    return np.full((n, n), beside) + (diagonal - beside) * np.eye(n)


def _mean_trace_at_rank(i: Instance, _) -> float:
    return float(np.trace(mean_residual(i.K, i.k)))


def _derive_one_step():
    """For a general 3 x 3 matrix, entry by entry."""
    a, b, c = sp.symbols("a b c", positive=True)
    x, y, z = sp.symbols("x y z", real=True)
    K = sp.Matrix([[a, x, y], [x, b, z], [y, z, c]])
    trace = K.trace()
    left = [K - K[:, p] * K[p, :] / K[p, p] for p in range(3)]
    mean = sum((K[p, p] / trace * left[p] for p in range(3)), sp.zeros(3))
    return (
        Step(mean, r"the mean over the three pivots of a $3 \times 3$ matrix"),
        Step(
            K - sum((K[:, p] * K[p, :] for p in range(3)), sp.zeros(3)) / trace,
            "the probability of a pivot cancels its division by the diagonal entry",
        ),
        Step(K - K * K / trace, r"$\sum_p K e_p e_p^\top K = K^2$"),
    )


def _large_and_flat(large, count, ones) -> np.ndarray:
    return np.diag(np.r_[np.full(count, large), np.ones(ones)])


def spectra(rng):
    """Large spectra for the calculator, and small ones that nearly attain a bound."""
    size = 100
    for decay in (0.9, 0.72):
        for share in (1, 4):
            yield of_spectrum(decay ** np.arange(size), 5 * share, 5, "geometric")
    for power in (0.5, 1.0, 2.0):
        yield of_spectrum(np.arange(1, size + 1.0) ** -power, 40, 10, "polynomial")
    for count in (5, 20):
        K = _all_alike(size, 1.0, 0.999)
        yield Instance(K, np.arange(count), 1, name="all points alike")
    for large in (2.0, 1e3, 1e6):
        yield of_spectrum(np.r_[np.full(3, large), np.ones(4)], 4, 3, "three large")
        yield of_spectrum(np.r_[large, np.ones(6)], 1, 1, "one large")
        rank = int(rng.integers(1, 4))
        yield of_spectrum(large ** rng.uniform(-1, 1, 7), rank + 2, rank, "wild")


def of_spectrum(values, count, rank, name):
    """A diagonal matrix, since the bounds see only the spectrum."""
    values = np.sort(values)[::-1]
    K = np.diag(values)
    return Instance(K, np.arange(count), rank, X=np.diag(np.sqrt(values)), name=name)


RPCHOLESKY = Theorem(
    id="modern:rpcholesky",
    part="II",
    kind="expectation",
    status="holds",
    title="Randomly pivoted Cholesky",
    number="Chen, Epperly, Tropp and Webber 2025",
    statement=(
        r"Let $K \ne 0$ be positive semidefinite with eigenvalues $\lambda_1 \ge "
        r"\lambda_2 \ge \dots$, and let $E_l$ be what is left of $K$ after $l$ pivots, "
        "each drawn in proportion to the diagonal of what is left before it. One pivot "
        r"leaves $\mathbb E\, E_1 = K - K^2 / \operatorname{tr} K$ in the mean. Hence, "
        r"with $\varphi(\lambda)_i = \lambda_i - \lambda_i^2 / \sum_j \lambda_j$, "
        r"$$\mathbb E \operatorname{tr} E_l \le \sum_i \varphi^l(\lambda)_i ,$$ "
        r"the map $\varphi$ applied $l$ times. For $1 \le k \le l$, $\varepsilon > 0$ "
        r"and $\eta = \sum_{j>k} \lambda_j / \operatorname{tr} K$, $\mathbb E "
        r"\operatorname{tr} E_l \le (1 + \varepsilon) \sum_{j>k} \lambda_j$ once "
        r"$$l \ge \frac k\varepsilon + \min\Bigl\{ k \log "
        r"\frac{1}{\varepsilon\eta},\; k + k \log_+ \frac{2^k}{\varepsilon} "
        r"\Bigr\} ,$$ where $\log_+ = \max(\log, 0)$. For every $l$ of the first "
        r"branch the bound by $\varphi$ gives as much; and $k$ pivots leave at most "
        r"$2^k \sum_{j>k} \lambda_j$ in the mean."
    ),
    hypotheses=(RANK_IN_RANGE, NOT_ZERO),
    claims=(
        Claim(
            r"$l$ pivots leave at most $(1 + \varepsilon)$ times the tail, for the "
            r"smallest $\varepsilon$ that the theorem allows",
            observe=_mean_trace,
            formula=_plus(tail_trace, pivoting_excess),
            relation="<=",
            applies=_listed,
            scale=of_trace,
        ),
        Claim(
            r"one pivot leaves $K - K^2 / \operatorname{tr} K$ in the mean",
            observe=_one_step,
            expected=_less_its_square,
            scale=of_trace,
            applies=lambda i: i.n <= 40,
            exact=_one_step_exactly,
        ),
        Claim(
            r"$l$ pivots leave at most what $\varphi$ leaves of the eigenvalues",
            observe=_mean_trace,
            formula=Formula(trace_after_pivots),
            relation="<=",
            applies=_listed,
            scale=of_trace,
        ),
        Claim(
            r"the bound by $\varphi$ is never above the first branch",
            observe=lambda i, _: calculator(spectrum(i), i.l),
            expected=_first_bound,
            relation="<=",
            scale=of_trace,
        ),
        Claim(
            r"$k$ pivots leave at most $2^k$ times the tail",
            observe=_mean_trace_at_rank,
            formula=Formula(sp.Mul(2**k, tail_trace, evaluate=False)),
            relation="<=",
            applies=few,
            scale=of_trace,
            # Rounding in the tail is multiplied by 2^k.
            condition=lambda i: 2.0**i.k,
        ),
    ),
    instances=spectra,
    derivation=_derive_one_step,
    controls=(
        Control(
            Claim(
                "half as many pivots are enough",
                observe=_mean_trace,
                expected=_half_bound,
                relation="<=",
                applies=_listed,
            ),
            Instance(_large_and_flat(100.0, 3, 1), [0, 1], 3),
        ),
        Control(
            Claim(
                r"the logarithm alone is enough, without $k/\varepsilon$",
                observe=_mean_trace,
                expected=_logarithm_alone,
                relation="<=",
                applies=_listed,
            ),
            Instance(_all_alike(40, 1.0, 0.999), np.arange(5), 1),
        ),
        Control(
            Claim(
                "uniform pivots leave the same in the mean",
                observe=_one_step_uniform,
                expected=_less_its_square,
                applies=few,
            ),
            Instance(np.diag([2.0, 1]), [0], 1),
        ),
        Control(
            Claim(
                r"two pivots leave exactly what $\varphi$ leaves",
                observe=_mean_trace,
                formula=Formula(trace_after_pivots),
                applies=_listed,
            ),
            Instance(np.eye(2), [0, 1], 1),
        ),
        Control(
            Claim(
                r"the bound by $\varphi$ can be lowered by a thousandth",
                observe=_mean_trace,
                formula=Formula(sp.Float("0.999", 3) * trace_after_pivots),
                relation="<=",
                applies=_listed,
            ),
            Instance(np.diag([2.0, 1]), [0], 1),
        ),
        Control(
            Claim(
                r"the bound by $\varphi$ is never above the second branch either",
                observe=lambda i, _: calculator(spectrum(i), i.l),
                expected=_second_bound,
                relation="<=",
            ),
            Instance(_large_and_flat(1e12, 2, 50), np.arange(11), 2),
        ),
        Control(
            Claim(
                r"$k$ pivots leave at most $1.9^k$ times the tail",
                observe=_mean_trace_at_rank,
                formula=Formula(sp.Float("1.9", 2) ** k * tail_trace),
                relation="<=",
                applies=few,
            ),
            Instance(_large_and_flat(1e3, 1, 4), [0], 1),
        ),
    ),
)
