"""Part III: when uniformly drawn rows of orthonormal columns are nearly orthonormal.

Talwalkar 2010, section 5.2.2, Theorem 5.4, with the constants that Tropp's matrix
Chernoff inequality gives; exact failure probabilities for this and what follows.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Theorem
from nystheory.theorems.coherence.clusters import Clusters, far_from_isometry
from nystheory.theorems.coherence.definition import M, basis, hadamard, mu, of_basis, r
from nystheory.theorems.concentration.violations import UNIFORM
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.laws import without_replacement
from nystheory.theorems.quantities import delta, failure_probability, l, measure
from nystheory.theorems.routes import one

# --- Exact failure probabilities --------------------------------------------------

# All samples of every size are tried up to this n.
MOST = 14


def is_clusters(i) -> bool:
    """Whether only counts matter, so that the probability has a formula."""
    return isinstance(i, Clusters)


def samples(i: Instance) -> np.ndarray:
    """Every sample without replacement, (C(n, l), l)."""
    return np.array(list(combinations(range(i.n), i.l)))


def countable(i) -> bool:
    """Whether the failure probability is known exactly, at most 3432 samples."""
    if is_clusters(i):
        return True
    return i.n <= MOST


def no_matrix(i) -> float:
    """Condition of claims about numbers: rounding that does not grow with n."""
    return 1 / i.n


def _far(i, _=None) -> float:
    """Exact probability that the rows of a sample are no near-isometry."""
    if is_clusters(i):
        return far_from_isometry(i)
    V_S = basis(i)[samples(i)]
    values = np.linalg.eigvalsh(i.n / i.l * V_S.transpose(0, 2, 1) @ V_S)
    # Equality fails; the small numbers below are rounding at exact halves.
    return float((np.abs(values - 1).max(axis=1) >= 0.5 - 1e-12).mean())


def measured(i, *names) -> dict:
    """Quantities by name, as a formula takes them."""
    return measure(names, i, {})


# --- Theorem 5.4 ------------------------------------------------------------------

_lower, _upper = sp.symbols("a b")
EXPONENTS = {
    _lower: sp.Rational(1, 2) * (1 - sp.log(2)),
    _upper: sp.Rational(1, 2) * (3 * sp.log(sp.Rational(3, 2)) - 1),
}


def _exceed(lower: float, upper: float) -> bool:
    return bool(EXPONENTS[_lower] > lower and EXPONENTS[_upper] > upper)


# 1 / b = 9.2423...
COLUMNS = sp.Float("9.25")


def tail_bound(exponent) -> sp.Expr:
    """``r exp(-exponent l / M)``, as one would write it."""
    return sp.Mul(r, sp.exp(-exponent * l / M), evaluate=False)


_ISOMETRY = Formula(
    sp.Add(tail_bound(_lower), tail_bound(_upper), evaluate=False), where=EXPONENTS
)
_needed = sp.Rational(37, 4) * M * sp.log(2 * r / delta)
_AT_NEEDED = Formula(_ISOMETRY.flat.subs(l, _needed))
_NEEDED = Formula(
    sp.Mul(COLUMNS, M, sp.log(sp.Mul(2, r, 1 / delta, evaluate=False)), evaluate=False)
)
_larger = sp.Max(sp.log(r), sp.log(3 / delta))
_PRINTED_COLUMNS = Formula(sp.Mul(sp.Float("18.5"), r, mu**2, _larger, evaluate=False))


def _near_isometry(i: Instance, _) -> bool:
    V_S = basis(i)[i.landmarks]
    return bool(np.linalg.norm(i.n / i.l * V_S.T @ V_S - np.eye(V_S.shape[1]), 2) < 0.5)


def _needed_columns(i, factor=1.0) -> float:
    return factor * _NEEDED(**measured(i, *_NEEDED.names))


def isometry_case(case: Clusters, factor: float = 1.0) -> Clusters:
    """The clusters with `factor` times the columns that Theorem 5.4 asks for."""
    columns = math.ceil(_needed_columns(case, factor))
    return Clusters(case.sizes, min(columns, case.n), case.origin, case.delta)


def _isometry_cases(rng):
    for r_, size, delta_ in ((50, 4000, 0.5), (50, 4000, 0.01), (8, 500, 0.1)):
        yield isometry_case(Clusters.equal(r_, size, 1, delta=delta_))
        yield isometry_case(Clusters.equal(r_, size, 1, delta=delta_), 0.6)
    yield isometry_case(Clusters((100, 130, 200, 1000), 1, 5000, 0.2))
    yield Clusters((40,), 700, 2000, 0.5)
    for V in (np.ones((14, 1)), hadamard(8, 2), rng.standard_normal((12, 2))):
        for size in (4, 7, len(V) - 1):
            U = np.linalg.qr(V)[0]
            yield of_basis(U, range(size), f"{U.shape[1]} columns").but(delta=0.5)
    mixed = np.linalg.qr(rng.standard_normal((512, 4)))[0]
    for U, name in ((mixed, "random columns"), (hadamard(512, 8)[:, 1::2], "Hadamard")):
        case = of_basis(U, [0], name).but(delta=0.1)
        yield case.but(landmarks=range(min(512, math.ceil(_needed_columns(case)))))


# Ninety equal points and thirty at the origin, which are the landmarks.
ONE_AND_ORIGIN = Instance.from_points(
    [[1.0] * 90 + [0.0] * 30], range(90, 120), 1, "only the origin is drawn"
)


def _derive_exponents():
    """The exponents per l/M of the two tails, and the slopes in the free parameter."""
    s, u, t = sp.symbols("s u t", positive=True)
    lower = -(sp.exp(-s) - 1 + s * (1 - t))
    upper = -(sp.exp(u) - 1 - u * (1 + t))
    best = {s: -sp.log(1 - t), u: sp.log(1 + t)}
    slopes = [sp.diff(lower, s), sp.diff(upper, u)]
    at_best = [sp.simplify(line.subs(best)) for line in (lower, upper, *slopes)]
    half = {t: sp.Rational(1, 2)}
    return (
        Step(
            sp.Matrix([lower, upper, *slopes]),
            "Laplace transform: exponents of the lower and the upper tail at "
            "deviation $t$ with free parameters $s$ and $u$, and their slopes",
        ),
        Step(
            sp.Matrix(at_best),
            r"at $s = -\ln(1 - t)$ and $u = \ln(1 + t)$ the slopes vanish",
            best,
        ),
        Step(
            sp.Matrix([*EXPONENTS.values(), 0, 0]),
            r"at $t = \frac12$: $a = 0.1534\ldots$ and $b = 0.1081\ldots$",
            half,
        ),
    )


NEAR_ISOMETRY = Theorem(
    id="talwalkar2010:thm-5.4",
    part="III",
    kind="probability",
    status="holds",
    title="Uniformly drawn rows of orthonormal columns",
    number="Theorem 5.4, from Candès and Romberg 2007, with constants",
    statement=(
        r"Let $V \in \mathbb R^{n \times r}$ have orthonormal columns, $M = n \max_i "
        r"\|V_{i,:}\|^2$, and let $S$ be $l$ different rows drawn uniformly. Then "
        r"$\Pr\{\|\frac nl V_S^\top V_S - I\|_2 \ge \frac12\} \le r\, e^{-a l / M} + "
        r"r\, e^{-b l / M}$ with $a = \frac12 (1 - \ln 2) > 0.1534$ and $b = \frac12 "
        r"(3 \ln \frac32 - 1) > 0.1081$. So $l \ge 9.25\, M \ln(2r/\delta)$ rows make "
        r"$\|\frac nl V_S^\top V_S - I\|_2 < \frac12$ with probability at least $1 - "
        r"\delta$, and so does the printed condition $l \ge r \mu^2 \max(C_1 \ln r, "
        r"C_2 \ln(3/\delta))$ with $C_1 = C_2 = 18.5$."
    ),
    claims=(
        Claim(
            r"exact probability of $\|\frac nl V_S^\top V_S - I\| \ge \frac12$",
            observe=_far,
            formula=_ISOMETRY,
            relation="<=",
            scale=one,
            condition=no_matrix,
            applies=countable,
        ),
        Claim(
            r"with $9.25\, M \ln(2r/\delta)$ rows it fails with probability $\delta$ "
            "at most",
            observe=_near_isometry,
            law=without_replacement(failure_probability),
            applies=lambda i: (
                not is_clusters(i) and not countable(i) and i.l >= _needed_columns(i)
            ),
        ),
        Claim(
            r"the probability bound at $l = 9.25\, M \ln(2r/\delta)$ is at most "
            r"$\delta$",
            observe=lambda i, _: _AT_NEEDED(**measured(i, *_AT_NEEDED.names)),
            formula=Formula(delta),
            relation="<=",
            scale=one,
            condition=no_matrix,
        ),
        Claim(
            r"the printed condition with $C_1 = C_2 = 18.5$ asks for at least as many",
            observe=lambda i, _: _needed_columns(i),
            formula=_PRINTED_COLUMNS,
            relation="<=",
            applies=lambda i: not is_clusters(i),
        ),
        Claim(
            "$a > 0.1534$ and $b > 0.1081$",
            observe=lambda i, _: _exceed(0.1534, 0.1081),
        ),
    ),
    derivation=_derive_exponents,
    # The inequality of Chernoff is proved for rows drawn with replacement.
    not_known_necessary=("different rows",),
    instances=_isometry_cases,
    own_suite=True,
    controls=(
        Control(
            Claim(
                r"the constant $6$ in place of $9.25$ is enough",
                observe=_far,
                formula=Formula(delta),
                relation="<=",
                scale=one,
                condition=no_matrix,
            ),
            isometry_case(Clusters.equal(200, 200_000, 1, delta=1e-4), 6 / 9.25),
        ),
        Control(
            Claim(
                r"coherence does not matter: $r$ in place of $M$",
                observe=_far,
                formula=Formula(_ISOMETRY.flat.subs(M, r)),
                relation="<=",
                scale=one,
                condition=no_matrix,
            ),
            Clusters((1, 1, 1), 100, 200),
        ),
        Control(
            Claim(
                "rows at the origin only, which has no part in the columns",
                observe=lambda i, r: float(not _near_isometry(i, r)),
                formula=_ISOMETRY,
                relation="<=",
                scale=one,
            ),
            ONE_AND_ORIGIN,
            drops=UNIFORM,
        ),
        Control(
            Claim(
                "one column of length $0.1$, all entries equal",
                observe=lambda i, _: float(abs(i.norm_K - 1) >= 0.5),
                expected=lambda i, _: _ISOMETRY(
                    l=i.l, r=1, basis_free_coherence=i.norm_K
                ),
                relation="<=",
                scale=one,
            ),
            Instance.from_points(np.full((1, 8), 0.1 / np.sqrt(8)), range(4), 1),
            drops="orthonormal columns",
        ),
    ),
)
