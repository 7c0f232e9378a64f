"""Part III: Gaussian processes with an approximate kernel, and what they lose.

Burt, Rasmussen and van der Wilk 2019, for the variational bound of Titsias 2009.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg
import sympy as sp

from nystheory.theorems.base import Claim, Control, Hypothesis, Law, Theorem
from nystheory.theorems.concentration.violations import SEMIDEFINITE
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import EPS, Instance
from nystheory.theorems.quantities import measure, n, quantity, rank_W
from nystheory.theorems.since_2010._first_form import (
    condition_of_error,
    error_eigenvalues,
    factor_eigen,
    norm_E,
    residual,
    trace_E,
)
from nystheory.theorems.subsets import small_instances

# --- What a Gaussian process adds to K --------------------------------------------


def variance(i: Instance) -> float:
    """The noise that an instance carries; 1 where it carries none.

    Only K / sigma^2 matters, so the search over K is a search over the noise too.
    """
    return float(i.extra.get("noise", 1.0))


def _length(i: Instance) -> float:
    if "y" not in i.extra:
        raise ValueError(
            "norm_y: expected the length of the vector of observations, got none"
        )
    return float(np.linalg.norm(i.extra["y"]))


noise = quantity(
    "noise", r"\sigma^2", "variance of the noise, in the units of K", chosen=True
)(variance)
norm_y = quantity(
    "norm_y", r"\|y\|", "length of the vector of observations", chosen=True
)(_length)


def _spectra(i: Instance) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues of K and of the approximation, none of them negative."""
    return np.maximum(i.eigen_K[0], 0), factor_eigen(i)[0]


def _logarithms(i: Instance, _) -> float:
    """``log det(K + sigma^2 I) - log det(K~ + sigma^2 I)``."""
    true, found = _spectra(i)
    s = variance(i)
    return float(np.log1p(true / s).sum() - np.log1p(found / s).sum())


def _off_the_middle(i: Instance, _) -> float:
    """How far that is from the middle of the interval that holds it."""
    values = measure(_REST.names, i, {})
    return abs(_logarithms(i, _) - _REST(**values) / 2)


def _factorised(i: Instance):
    """Cholesky factors of both matrices plus noise; the jitter is the noise."""
    identity = variance(i) * np.eye(i.n)
    approximate = i.K - residual(i) + identity
    return np.linalg.cholesky(i.K + identity), np.linalg.cholesky(approximate)


def _log_density(root, y) -> float:
    """Of N(0, root root^T) at y."""
    z = scipy.linalg.solve_triangular(root, y, lower=True)
    size = len(y) * np.log(2 * np.pi) + 2 * np.log(np.diag(root)).sum()
    return -0.5 * float(z @ z + size)


def evidence_gap(i: Instance, _=None) -> float | None:
    """``log p(y)`` less the variational bound of Titsias.

    None where the noise is below the rounding of K.
    """
    if i.norm_K > 1e12 * variance(i):
        return None
    exact, approximate = _factorised(i)
    y = i.extra["y"]
    trace = float(np.trace(residual(i)))
    bound = _log_density(approximate, y) - trace / (2 * variance(i))
    return _log_density(exact, y) - bound


def divergence(i: Instance, _=None) -> float | None:
    """Kullback-Leibler divergence of the approximate posterior from the exact one.

    By the formula for two Gaussians, with the values at all points as variables.
    None where K is singular and they have no density.
    """
    if i.eigen_K[0][-1] <= 1e-9 * i.norm_K:
        return None
    s, y = variance(i), i.extra["y"]
    approximate = i.K - residual(i)
    exact = np.linalg.solve(i.K + s * np.eye(i.n), np.c_[y, i.K])
    found = np.linalg.solve(approximate + s * np.eye(i.n), np.c_[y, approximate])
    shift = i.K @ exact[:, 0] - approximate @ found[:, 0]
    wide = i.K - approximate @ found[:, 1:]
    # The exact posterior has the covariance s K (K + s)^-1.
    precision = np.linalg.inv(i.K) + np.eye(i.n) / s
    logs = -np.linalg.slogdet(precision)[1] - np.linalg.slogdet(wide)[1]
    inner = np.trace(precision @ wide) - i.n + shift @ precision @ shift
    return 0.5 * float(inner + logs)


# --- Scales -----------------------------------------------------------------------


def _condition(i: Instance) -> float:
    return condition_of_error(i) * (1 + i.norm_K / variance(i))


def _scale_of_gap(i: Instance) -> float:
    """The size of the numbers that are subtracted, in units of probability."""
    return i.n + (float(np.sum(i.extra["y"] ** 2)) + np.trace(i.K)) / variance(i)


def _scale_of_trace(i: Instance) -> float:
    return i.n + float(np.trace(i.K)) / variance(i)


def _condition_of_divergence(i: Instance) -> float:
    """K is inverted there."""
    smallest = max(float(i.eigen_K[0][-1]), EPS * i.norm_K)
    return _condition(i) * i.norm_K / smallest if smallest > 0 else np.inf


# --- Observations -----------------------------------------------------------------


def _with_observations(i: Instance, rng) -> Instance:
    """Observations where they hurt, or anywhere, of any length."""
    length = 10.0 ** rng.uniform(-1, 2) * np.sqrt(variance(i) + i.norm_K)
    direction = rng.standard_normal(i.n)
    if rng.random() < 0.6:
        direction = np.linalg.eigh(residual(i))[1][:, -1]
    return i.but(y=length * direction / np.linalg.norm(direction))


def _of_covariance(i: Instance):
    """n vectors whose second moment is ``K + sigma^2 I``.

    The gap is quadratic in y, so its mean is that over Gaussian vectors, exactly.
    """
    root = np.linalg.cholesky(i.K + variance(i) * np.eye(i.n)) * np.sqrt(i.n)
    return [(1 / i.n, i.but(y=column)) for column in root.T]


def _draw(i: Instance, rng) -> Instance:
    root = np.linalg.cholesky(i.K + variance(i) * np.eye(i.n))
    return i.but(y=root @ rng.standard_normal(i.n))


_PRIOR = Law(_draw, _of_covariance)


def _cases(rng):
    for i in small_instances(rng, 5):
        ratio = 10.0 ** rng.uniform(-2, 1)
        case = i.but(noise=ratio * (i.norm_K or 1.0))
        yield _with_observations(case, rng)
    # Errors far above and far below the noise.
    for missed in (1e-3, 1.0, 1e2, 1e4):
        X = np.diag(np.sqrt([1.0, missed, missed]))
        for length in (0.1, 100.0):
            y = np.array([0.0, length, 0])
            yield Instance.from_points(X, [0], 1, "diagonal", noise=1.0, y=y)


def _is_small(i: Instance) -> bool:
    return i.n <= 6 and not i.name.startswith("search")


def _has_densities(i: Instance) -> bool:
    """Whether the posteriors have densities that float64 can tell apart."""
    return _is_small(i) and i.eigen_K[0][-1] > 1e-4 * i.norm_K


def _misses_something(i: Instance) -> bool:
    """Whether the mean gap stands above the rounding of the densities."""
    return float(error_eigenvalues(i)[0]) > 1e-6 * variance(i)


def _has_rest(i: Instance) -> bool:
    return i.rank_W < i.n


# --- Formulas ---------------------------------------------------------------------


def _over(above, below) -> sp.Expr:
    return sp.Mul(above, sp.Pow(below, -1, evaluate=False), evaluate=False)


def _logarithm(size) -> Formula:
    """``size log(1 + tr E / (size sigma^2))``."""
    mean = _over(trace_E, sp.Mul(size, noise, evaluate=False))
    return Formula(
        sp.Mul(size, sp.log(sp.Add(1, mean, evaluate=False)), evaluate=False)
    )


_REST = _logarithm(sp.Add(n, sp.Mul(-1, rank_W), evaluate=False))
_SHARE = _over(trace_E, noise)
_HALF = _over(trace_E, sp.Mul(2, noise, evaluate=False))


def _data(size) -> sp.Expr:
    return _over(sp.Pow(norm_y, 2), sp.Add(noise, size, evaluate=False))


def _divergence_bound(size) -> Formula:
    inside = sp.Add(1, _data(size), evaluate=False)
    return Formula(sp.Mul(_over(size, 2 * noise), inside, evaluate=False))


_SHARPER = Formula(
    sp.Add(
        _HALF,
        sp.Mul(_over(norm_E, 2 * noise), _data(norm_E), evaluate=False),
        evaluate=False,
    )
)


def _value(formula):
    """The number that a formula gives on an instance."""
    return lambda i, _: formula(**measure(formula.names, i, {}))


def _without_trace(i: Instance, _) -> float | None:
    """The same with the log density of the approximation alone."""
    gap = evidence_gap(i)
    trace = float(np.trace(residual(i)))
    return None if gap is None else gap - trace / (2 * variance(i))


def _volume(says: str, formula, **changes) -> Claim:
    return Claim(
        says,
        **{
            "observe": _logarithms,
            "formula": formula,
            "relation": "<=",
            "scale": lambda i: 1 + float(np.log1p(_spectra(i)[0] / variance(i)).sum()),
            "condition": _condition,
            **changes,
        },
    )


def _mean_gap(says: str, relation: str, factor) -> Claim:
    return Claim(
        says,
        observe=evidence_gap,
        formula=Formula(sp.Mul(factor, _SHARE, evaluate=False)),
        relation=relation,
        scale=_scale_of_trace,
        condition=_condition,
        applies=lambda i: _is_small(i) and _misses_something(i),
        law=_PRIOR,
    )


def _gap(says: str, formula, **changes) -> Claim:
    fields = {
        "observe": evidence_gap,
        "formula": formula,
        "relation": "<=",
        "scale": _scale_of_gap,
        "condition": _condition,
    }
    return Claim(says, **(fields | changes))


def _not_negative(says: str, observe) -> Claim:
    return _gap(says, None, observe=observe, expected=lambda i, _: 0.0, relation=">=")


def _derive():
    e, s, y = sp.symbols("e s y", positive=True)
    logs = sp.log(1 + e / s)
    density = -(y**2 / (s + e) + logs) / 2
    bound = -(y**2 / s) / 2 - e / (2 * s)
    return (
        Step(
            density - bound,
            r"$\log p(y)$ less the bound, one point that was missed, $K = E = e$, "
            r"$\sigma^2 = s$; the term $\log s$ is in both",
        ),
        Step(
            e / (2 * s) + y**2 * e / (2 * s * (s + e)) - logs / 2,
            r"$1/s - 1/(s + e) = e / s(s + e)$",
        ),
        Step(
            e / (2 * s) * (1 + y**2 / (s + e)) - logs / 2,
            r"the bound, less the logarithm that the proof drops",
        ),
    )


_MISSED = Instance(
    np.diag([1.0, 1000]),
    [0],
    1,
    X=np.diag(np.sqrt([1.0, 1000])),
    extra={"noise": 1.0, "y": np.array([0.0, 1000])},
)


def _missed_twice(size: float) -> Instance:
    X = np.diag(np.sqrt([1.0, size, size]))
    return Instance.from_points(X, [0], 1, noise=1.0, y=np.zeros(3))


_POSITIVE_NOISE = Hypothesis(
    r"$\sigma^2 > 0$", ("noise",), lambda noise: noise > 0, domain=True
)

LOG_DETERMINANT = Theorem(
    id="modern:log-determinant",
    part="III",
    kind="inequality",
    status="holds",
    title="Log determinant and evidence of a Gaussian process",
    number="Burt, Rasmussen and van der Wilk 2019",
    statement=(
        r"Let $K$ be positive semidefinite, $\tilde K = C W^+ C^\top$, $E = K - "
        r"\tilde K$ and $\sigma^2 > 0$. *Determinant*: $0 \le \log\det(K + \sigma^2 I) "
        r"- \log\det(\tilde K + \sigma^2 I) \le n \log\bigl(1 + "
        r"\frac{\operatorname{tr} E}{n \sigma^2}\bigr) \le "
        r"\frac{\operatorname{tr} E}{\sigma^2}$; $n$ may be replaced by $n - "
        r"\operatorname{rank} W$ where that is not $0$, and the middle bound is then "
        r"attained. *Evidence*: let $\mathcal L(y) = \log \mathcal N(y; 0, \tilde K + "
        r"\sigma^2 I) - \frac{\operatorname{tr} E}{2 \sigma^2}$ be the variational "
        r"lower bound for $\log p(y) = \log \mathcal N(y; 0, K + \sigma^2 I)$; their "
        r"difference is the Kullback-Leibler divergence of the approximate from the "
        r"exact posterior. If $y$ has the second moment $K + \sigma^2 I$, then "
        r"$\frac{\operatorname{tr} E}{2 \sigma^2} \le \mathbb E [\log p(y) - "
        r"\mathcal L(y)] \le \frac{\operatorname{tr} E}{\sigma^2}$. For every $y$, "
        r"$\log p(y) - \mathcal L(y) \le \frac{\operatorname{tr} E}{2 \sigma^2} + "
        r"\frac{\|E\|_2 \|y\|^2}{2 \sigma^2 (\sigma^2 + \|E\|_2)} \le "
        r"\frac{\operatorname{tr} E}{2 \sigma^2} \bigl(1 + \frac{\|y\|^2}{\sigma^2 + "
        r"\operatorname{tr} E}\bigr)$."
    ),
    hypotheses=(_POSITIVE_NOISE,),
    claims=(
        _volume(
            r"$\log\det$ falls by at most "
            r"$n \log(1 + \operatorname{tr} E / n \sigma^2)$",
            _logarithm(n),
        ),
        _volume(
            r"by at least 0, and at most the same with $n - \operatorname{rank} W$ for "
            r"$n$: the middle of the two is never farther than half of that",
            Formula(sp.Mul(sp.Rational(1, 2), _REST.expr, evaluate=False)),
            observe=_off_the_middle,
            applies=_has_rest,
        ),
        _mean_gap(
            r"$\mathbb E[\log p - \mathcal L] \ge \operatorname{tr} E / 2 \sigma^2$",
            ">=",
            sp.Rational(1, 2),
        ),
        _mean_gap(
            r"$\mathbb E[\log p - \mathcal L] \le \operatorname{tr} E / \sigma^2$",
            "<=",
            sp.Integer(1),
        ),
        _gap(r"$\log p(y) - \mathcal L(y)$ for every $y$", _divergence_bound(trace_E)),
        _gap(r"the same with $\|E\|_2$ in the second term", _SHARPER),
        Claim(
            r"$\log p(y) - \mathcal L(y)$ is the divergence of the posteriors",
            observe=evidence_gap,
            expected=divergence,
            scale=_scale_of_gap,
            condition=_condition_of_divergence,
            applies=_has_densities,
        ),
        _volume(
            r"$n \log(1 + \operatorname{tr} E / n \sigma^2) \le \operatorname{tr} E / "
            r"\sigma^2$",
            Formula(_SHARE),
            observe=_value(_logarithm(n)),
            scale=_scale_of_trace,
            condition=None,
        ),
        _volume(
            r"the middle bound, with $n - \operatorname{rank} W$ for $n$, is attained",
            _REST,
            relation="=",
            applies=lambda i: i.name == "diagonal",
        ),
        _not_negative(r"$\log p(y) - \mathcal L(y) \ge 0$ for every $y$", evidence_gap),
        _gap(
            r"the bound from $\|E\|_2$ is below the one from $\operatorname{tr} E$",
            _divergence_bound(trace_E),
            observe=_value(_SHARPER),
            condition=None,
        ),
    ),
    complete=_with_observations,
    instances=_cases,
    derivation=_derive,
    controls=(
        Control(
            _volume(
                r"$\log\det$ falls by at most "
                r"$\log(1 + \operatorname{tr} E / \sigma^2)$",
                _logarithm(sp.Integer(1)),
            ),
            _missed_twice(0.01),
        ),
        Control(
            _mean_gap(
                r"the mean gap is at most $0.9 \operatorname{tr} E / \sigma^2$",
                "<=",
                sp.Rational(9, 10),
            ),
            _MISSED,
        ),
        Control(
            _mean_gap(
                r"the mean gap is at least $0.51 \operatorname{tr} E / \sigma^2$",
                ">=",
                sp.Rational(51, 100),
            ),
            _missed_twice(0.01),
        ),
        Control(
            _gap(
                r"$\|E\|_2$ may stand for $\operatorname{tr} E$",
                _divergence_bound(norm_E),
            ),
            _missed_twice(1000.0),
        ),
        Control(
            _not_negative(
                r"$\log \mathcal N(y; 0, \tilde K + \sigma^2 I)$ is below $\log p(y)$",
                _without_trace,
            ),
            _missed_twice(1.0),
        ),
        # The second moment of y matters: these are as long as the data never are.
        Control(
            Claim(
                r"the bound for the mean holds for every $y$",
                observe=evidence_gap,
                formula=Formula(_SHARE),
                relation="<=",
                scale=_scale_of_gap,
            ),
            _MISSED,
            drops=r"$\mathbb E\, y y^\top = K + \sigma^2 I$",
        ),
        Control(
            Claim(
                r"$\log\det(\tilde K + \sigma^2 I) \le \log\det(K + \sigma^2 I)$",
                observe=lambda i, _: np.linalg.slogdet(i.C @ i.C.T + np.eye(2))[1],
                expected=lambda i, _: np.linalg.slogdet(i.K + np.eye(2))[1],
                relation="<=",
            ),
            Instance(np.diag([1.0, -0.5]), [0], 1),
            drops=SEMIDEFINITE,
        ),
    ),
)
