"""The squared Frobenius error by the sampled covariance: (5.8) and (5.15).

The sharp constant 2 sqrt 2 and its proof are those of the book.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Printed, Theorem
from nystheory.theorems.concentration.covariance import (
    K_max,
    covariance_error,
    psi,
)
from nystheory.theorems.derivation import Step
from nystheory.theorems.ensembles import mixtures
from nystheory.theorems.error_bounds.error_formulas import plus, root, times
from nystheory.theorems.error_bounds.sampled_errors import head_F
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import deviation, measure, n, quantity, tail_F
from nystheory.theorems.quantities import k as k_
from nystheory.theorems.routes import RANK_IN_RANGE, nystrom

SHARP = 2 * sp.sqrt(2)


@quantity(
    "mean_deviation_F",
    r"\textstyle\sum_r\mu_r\|XX^\top-Z_rZ_r^\top\|_F",
    "weighted mean of that distance over the experts; equal weights if not given",
    of_sample=True,
)
def mean_deviation_F(i: Instance) -> float:
    X = i.points
    samples = (X[:, part] for part in mixtures.parts(i))
    scaled = (i.n / X_r.shape[1] * (X_r @ X_r.T) for X_r in samples)
    distances = [float(np.linalg.norm(X @ X.T - each)) for each in scaled]
    return float(mixtures.weights(i) @ distances)


# --- Formulas and claims ----------------------------------------------------------


def printed_excess(distance) -> sp.Expr:
    """``sqrt(64 k) distance n K_max``."""
    return times(root(times(64, k_)), distance, n, K_max)


def sharp_excess(distance, constant=SHARP) -> sp.Expr:
    """``2 sqrt(2) |K_k|_F distance``."""
    return times(constant, head_F, distance)


def _error(i: Instance, _) -> float:
    return float(np.linalg.norm(i.K - nystrom(i)))


def _mixed_error(i: Instance, _) -> float:
    mixed = mixtures.mix(mixtures.weights(i), mixtures.experts(i))
    return float(np.linalg.norm(i.K - mixed))


def _one_sample(excess, says: str) -> Claim:
    return Claim(
        says,
        _error,
        Formula(root(plus(tail_F**2, excess))),
        relation="<=",
        condition=lambda i: i.condition,
    )


def _mixture(excess, says: str) -> Claim:
    # By projections: nothing is inverted, and at a tie any choice will do.
    formula = Formula(root(plus(tail_F**2, excess)))
    return Claim(says, _mixed_error, formula, relation="<=")


def _off_the_simplex() -> Control:
    """Two experts of rank 1 on two orthogonal points, weights 3 and -2."""
    weights = np.array([3.0, -2.0])

    def error(i, _):
        mixed = mixtures.mix(weights, mixtures.experts(i))
        return float(np.linalg.norm(i.K - mixed))

    def bound(i, _):
        samples = [i.but(landmarks=part) for part in mixtures.parts(i)]
        distance = weights @ [np.linalg.norm(covariance_error(s)) for s in samples]
        head, tail = i.eigen_K[0]
        return float(np.sqrt(tail**2 + 2 * np.sqrt(2) * head * distance))

    says = r"mixtures, $2 \sqrt 2\, \|K_k\|_F$, weights $3$ and $-2$"
    claim = Claim(says, error, expected=bound, relation="<=")
    case = Instance.from_points(np.eye(2), [0, 1], 1)
    return Control(claim, case, drops=r"$\mu$ in the simplex")


def excess_claim(excess, says: str) -> Claim:
    """The difference of the squares, which shows how tight the bound is."""

    def difference(i, _):
        tail = np.linalg.norm(i.eigen_K[0][i.k :])
        return float(_error(i, _) ** 2 - tail**2)

    return Claim(
        says,
        difference,
        Formula(excess),
        relation="<=",
        scale=lambda i: float(np.linalg.norm(i.K) ** 2),
        condition=lambda i: i.condition,
    )


def _times_smaller() -> Claim:
    smaller = Formula(times(2, root(times(2, k_)), sharp_excess(mean_deviation_F)))
    return Claim(
        r"$2 \sqrt{2k}$ times this excess is at most the printed one",
        observe=lambda i, _: smaller(**measure(smaller.names, i, {})),
        formula=Formula(printed_excess(mean_deviation_F)),
        relation="<=",
        # The norm of XX' and that of ZZ' are at most n K_max.
        scale=lambda i: float(i.n * np.diag(i.K).max()) ** 2,
    )


# --- Extremal cases ---------------------------------------------------------------


def nearly_equal(size: int = 50, gap: float = 1e-4) -> Instance:
    """Orthogonal clusters of ``size + 1`` and ``size`` points, a landmark in each.

    The points of the smaller one are longer by the gap, so that the sample takes it
    for the leading direction: the error of rank one is ``size + 1`` and the least
    one nearly ``size``.

    Examples
    --------
    >>> nearly_equal(2, 0.0).K.diagonal().tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0]
    """
    X = np.repeat(np.diag([1.0, 1.0 + gap]), (size + 1, size), axis=1)
    return Instance.from_points(X, [0, size + 1], 1, "two nearly equal clusters")


def _extremal(rng):
    yield nearly_equal()
    yield nearly_equal(1, 1e-3)


def _derive_scale():
    t = sp.Symbol("t", positive=True)
    return (
        Step(
            sp.Mul(
                (2 * t) ** 2 - t**2,
                sp.Pow(8 * (t**2 + (2 * t) ** 2) * 2 * (2 * t), -1, evaluate=False),
                evaluate=False,
            ),
            r"$K = t \operatorname{diag}(1, 2)$, first column, $k = 1$: the excess of "
            r"the squared error over $\sqrt{64 k}\, \psi^2 n K_{\max}$",
        ),
        Step(3 / (160 * t), r"above 1 for $t < \frac3{160}$: it depends on the unit"),
    )


def _derive_sharp():
    m = sp.Symbol("m", positive=True)
    half = sp.Rational(1, 2)
    distance = sp.sqrt(((m + 1) - (m + half)) ** 2 + (m - (m + half)) ** 2)
    return (
        Step(
            ((m + 1) ** 2 - m**2) / (SHARP * (m + 1) * distance),
            r"clusters of $m + 1$ and $m$ points of length 1, a landmark in each, the "
            "smaller taken for the leading one: excess over bound",
        ),
        Step(1 - 1 / (2 * (m + 1)), r"tends to 1: $2 \sqrt 2$ is sharp"),
    )


# --- (5.8) ------------------------------------------------------------------------

SQUARED = Theorem(
    id="talwalkar2010:eq-5.8",
    part="III",
    kind="inequality",
    status="misprint",
    title="The squared Frobenius error",
    number="inequality (5.8)",
    statement=(
        r"Let $K = X^\top X$ be of size $n$, let $X_S$ be any $l$ of the columns of "
        r"$X$, $Z = \sqrt{n/l}\, X_S$, $\psi = \|X X^\top - Z Z^\top\|_F$ and $1 \le k "
        r"\le l$. Then $\|K - \tilde K\|_F^2 \le \|K - K_k\|_F^2 + \sqrt{64 k}\, \psi "
        r"\, n K_{\max}$ with $K_{\max} = \max_i K_{ii}$."
    ),
    # Not necessary: the proof of the sharper (5.15) does not use k <= l.
    hypotheses=(RANK_IN_RANGE,),
    not_known_necessary=(RANK_IN_RANGE.says,),
    claims=(
        _one_sample(
            printed_excess(psi),
            "the error itself, the root of both sides; the distance is not squared",
        ),
    ),
    instances=_extremal,
    derivation=_derive_scale,
    controls=(
        Control(
            _one_sample(
                times(root(times(64, k_)), psi, K_max),
                r"without the factor $n$",
            ),
            nearly_equal(),
        ),
        Control(
            excess_claim(
                times(sp.Rational(1, 8), printed_excess(psi)),
                r"an eighth of it, $\sqrt k$ in place of $\sqrt{64 k}$",
            ),
            nearly_equal(),
        ),
    ),
    printed=(
        Printed(
            r"$\|K - \tilde K\|_F^2 \le \|K - K_k\|_F^2 + \sqrt{64 k}\, \|X X^\top - Z "
            r"Z^\top\|_F^2\, n K_{ii}^{\max}$",
            "misprint",
            "The last term has the unit of $K$ to the third power, the others of its "
            "square, so a change of the unit refutes it: $K = \\frac1{100} "
            r"\operatorname{diag}(1, 2)$, the first column and $k = 1$ have the excess "
            r"$3 \cdot 10^{-4}$ and the printed term $1.6 \cdot 10^{-4}$. The sentence "
            "after (5.8) repeats the square, and (5.14) and (5.15) drop it; without it "
            "the inequality holds.",
            excess_claim(
                times(root(times(64, k_)), psi**2, n, K_max), "with the square"
            ),
            Instance.from_points(np.diag(np.sqrt([0.01, 0.02])), [0], 1),
        ),
    ),
)

# --- (5.15) -----------------------------------------------------------------------

MIXED = Theorem(
    id="talwalkar2010:eq-5.15",
    part="III",
    kind="inequality",
    status="holds",
    title="The squared Frobenius error of a mixture",
    number="inequality (5.15)",
    statement=(
        r"Let $K = X^\top X$ be of size $n$, let $\tilde K_r$ be the Nyström "
        r"approximation of rank at most $k$ from $l_r \ge 1$ columns $X_r$, "
        r"$\psi_r = \|X X^\top - \frac n{l_r} X_r X_r^\top\|_F$, and $\tilde K^{ens} = "
        r"\sum_r \mu_r \tilde K_r$ with $\mu$ in the simplex. Then $\|K - \tilde "
        r"K^{ens}\|_F^2 \le \|K - K_k\|_F^2 + 2 \sqrt 2\, \|K_k\|_F \sum_r \mu_r "
        r"\psi_r$, and the constant is sharp for a single expert. The printed "
        r"excess $\sqrt{64 k}\, n K_{\max} \sum_r \mu_r \psi_r$ is at least $2 "
        r"\sqrt{2k}$ times this one."
    ),
    # Experts of fewer than k columns are among the cases: nothing is asked of k.
    claims=(
        _mixture(
            sharp_excess(mean_deviation_F),
            r"mixtures, $2 \sqrt 2\, \|K_k\|_F$: the root of both sides",
        ),
        excess_claim(sharp_excess(psi), "one expert, the excess of the square"),
        _times_smaller(),
    ),
    instances=_extremal,
    complete=mixtures.with_weights,
    derivation=_derive_sharp,
    controls=(
        Control(
            excess_claim(sharp_excess(psi, sp.Float("2.7", 2)), r"$2.7 < 2 \sqrt 2$"),
            nearly_equal(),
        ),
        Control(
            excess_claim(
                sharp_excess(deviation), "the spectral distance in place of $\\psi$"
            ),
            nearly_equal(),
        ),
        _off_the_simplex(),
    ),
)
