"""Part III: functions of a matrix from an approximation of the matrix.

Persson and Kressner 2023; Persson, Meyer and Musco 2025.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.linalg
import sympy as sp

from nystheory import lowrank
from nystheory.theorems.base import Claim, Control, Hypothesis, Theorem
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import EPS, Instance
from nystheory.theorems.quantities import quantity
from nystheory.theorems.routes import RANK_IN_RANGE, one
from nystheory.theorems.since_2010._first_form import (
    POSITIVE_RIDGE,
    condition_of_error,
    shift,
)
from nystheory.theorems.since_2010.below import (
    competitor,
    competitor_gap,
    has_competitor,
    with_competitor,
)
from nystheory.theorems.spectral import spectrum, tail_trace

# --- The functions ----------------------------------------------------------------


@dataclass(frozen=True)
class MatrixFunction:
    """A function of eigenvalues, with the ridge as its second argument."""

    name: str
    latex: str
    of: Callable[[np.ndarray, float], np.ndarray]


LOG = MatrixFunction(
    "log", r"\log(1 + t / \alpha)", lambda t, alpha: np.log1p(t / alpha)
)
ROOT = MatrixFunction("root", r"\sqrt t", lambda t, alpha: np.sqrt(t))
SHRUNK = MatrixFunction("shrunk", r"t / (t + \alpha)", lambda t, a: t / (t + a))
# Concave but not operator monotone, and not concave at all.
CUT = MatrixFunction("cut", r"\min(t, \alpha)", np.minimum)
LOWERED = MatrixFunction("lowered", r"t - \alpha", lambda t, alpha: t - alpha)
SQUARE = MatrixFunction("square", r"t^2", lambda t, alpha: t**2)


def function_of(i: Instance) -> MatrixFunction:
    """The function that an instance carries, ``b t + sum_j c_j t / (t + s_j)``.

    Every operator monotone f with f(0) = 0 is such a sum or a limit of such sums
    (Löwner).
    """
    exponents, nodes = i.extra["function"]
    largest = float(spectrum(i)[0])
    b, *weights = 10.0 ** (2 * exponents)
    places = largest * 10.0 ** (3 * nodes[1:])

    def of(t, _):
        parts = (c * t / (t + s) for c, s in zip(weights, places, strict=True))
        return b * t / largest + sum(parts)

    return MatrixFunction("mixture", r"b t + \textstyle\sum_j c_j t / (t + s_j)", of)


def _tail(i: Instance, f: MatrixFunction) -> float:
    """``sum_{j>k} f(lambda_j)``: the error of the best rank k for f(K)."""
    return float(f.of(spectrum(i)[i.k :], shift(i)).sum())


tail_log = quantity(
    "tail_log",
    r"\textstyle\sum_{j>k}\log(1+\lambda_j/\alpha)",
    "what the best rank k misses of log det(I + K / alpha)",
)(lambda i: _tail(i, LOG))
tail_root = quantity(
    "tail_root",
    r"\textstyle\sum_{j>k}\sqrt{\lambda_j}",
    "what the best rank k misses of the trace of the square root",
)(lambda i: _tail(i, ROOT))
tail_shrunk = quantity(
    "tail_shrunk",
    r"\textstyle\sum_{j>k}\frac{\lambda_j}{\lambda_j+\alpha}",
    "what the best rank k misses of the effective dimension",
)(lambda i: _tail(i, SHRUNK))

# --- Approximations below K, of rank k --------------------------------------------


def _leading(i: Instance) -> np.ndarray:
    """Orthonormal directions with ``[K~]_k = (U.T X).T (U.T X)``."""
    S = i.svd_X_S[0]
    U, s, _ = scipy.linalg.svd(S.T @ i.points, full_matrices=False)
    return S @ U[:, : i.k]


def cut_gap(i: Instance) -> float:
    """Trace of ``K - [K~]_k`` from the points, so that nothing cancels."""
    U = _leading(i)
    return float(np.linalg.norm(i.points - U @ (U.T @ i.points)) ** 2)


def _cut(i: Instance) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues and eigenvectors of ``[K~]_k`` by the package."""
    result = lowrank.nystrom(i.K, i.landmarks, i.k, truncate="approximation")
    return np.maximum(result.eigenvalues, 0), result.eigenvectors


def _with_competitor(i: Instance, rng) -> Instance:
    """A B below K, and an operator monotone function."""
    return with_competitor(i.but(function=rng.uniform(-1, 1, (2, 4))), rng, i.k)


missed_trace = quantity(
    "missed_trace",
    r"\|K-B\|_*",
    "nuclear error of the approximation B below K, of rank k; [K~]_k if not given",
    of_sample=True,
)(cut_gap)

# --- What is compared -------------------------------------------------------------


def _image(values, vectors, f, alpha) -> np.ndarray:
    return (vectors * f.of(values, alpha)) @ vectors.T


def _error(i: Instance, f: MatrixFunction, pairs) -> float:
    """``norm(f(K) - f(B))`` in the nuclear norm, B by its eigenpairs."""
    _, s, Vt = scipy.linalg.svd(i.points, full_matrices=False)
    exact = _image(s**2, Vt.T, f, shift(i))
    difference = exact - _image(*pairs(i), f, shift(i))
    return float(np.abs(np.linalg.eigvalsh(difference)).sum())


def _measured(f: MatrixFunction, pairs):
    return lambda i, _: _error(i, f, pairs)


def _allowed(i: Instance, f: MatrixFunction, gap: float) -> float:
    """The sharper bound: the excess times the slope of the chord up to lambda_k."""
    values = spectrum(i)
    k_th, tail = values[i.k - 1], values[i.k :].sum()
    slope = f.of(k_th, shift(i)) / k_th
    return _tail(i, f) + (gap - float(tail)) * float(slope)


def _relative(i: Instance, f: MatrixFunction) -> float:
    """``1 + eps`` times the tail of f, for the B that an instance brings along."""
    return competitor_gap(i) / float(spectrum(i)[i.k :].sum()) * _tail(i, f)


def _has_tail(i: Instance) -> bool:
    """Whether the best rank k misses more than rounding."""
    values = spectrum(i)
    return i.k < i.n and float(values[i.k :].sum()) > 1e-8 * float(values[0])


def _scale(f: MatrixFunction):
    def scale(i: Instance) -> float:
        return np.sqrt(i.n) * float(f.of(spectrum(i)[0], shift(i)))

    return scale


def _condition_of(f: MatrixFunction):
    def condition(i: Instance) -> float:
        """Rounding of K seen through the slope of f at what B leaves out of K."""
        values = spectrum(i)
        smallest = max(float(values[i.k :].sum()), EPS * float(values[0]))
        slope = float(f.of(smallest, shift(i))) / smallest
        size = float(f.of(values[0], shift(i)))
        return condition_of_error(i) * (1 + slope * float(values[0]) / size)

    return condition


def _formula(tail) -> Formula:
    """``(norm(K - B) / tail_k) times the tail of f``."""
    share = sp.Mul(missed_trace, sp.Pow(tail_trace, -1), evaluate=False)
    return Formula(sp.Mul(share, tail, evaluate=False))


def _cut_claim(f: MatrixFunction, tail) -> Claim:
    return Claim(
        rf"$f(t) = {f.latex}$, $B = [\tilde K]_k$",
        observe=_measured(f, _cut),
        formula=_formula(tail),
        relation="<=",
        scale=_scale(f),
        condition=_condition_of(f),
        applies=_has_tail,
    )


def _any_claim(f: MatrixFunction, says: str, **changes) -> Claim:
    """For the competitor that an instance brings along."""
    return Claim(
        says,
        **{
            "observe": _measured(f, competitor),
            "expected": lambda i, _: _relative(i, f),
            "relation": "<=",
            "scale": _scale(f),
            "applies": _has_tail,
            **changes,
        },
    )


def _sharper(f: MatrixFunction) -> Claim:
    return _any_claim(
        f,
        rf"$f(t) = {f.latex}$, the excess times $f(\lambda_k) / \lambda_k$ only",
        expected=lambda i, _: _allowed(i, f, competitor_gap(i)),
    )


def _of_any_function(says: str, left, right) -> Claim:
    """For the function and the competitor that an instance brings along."""
    return Claim(
        says,
        observe=lambda i, _: left(i, function_of(i)),
        expected=lambda i, _: right(i, function_of(i)),
        relation="<=",
        scale=lambda i: _scale(function_of(i))(i),
        applies=lambda i: "function" in i.extra and _has_tail(i),
    )


def _error_of_any(i: Instance, f: MatrixFunction) -> float:
    return _error(i, f, competitor)


def _allowed_of_any(i: Instance, f: MatrixFunction) -> float:
    return _allowed(i, f, competitor_gap(i))


def _most_above(functions, pairs):
    """The largest eigenvalue of ``f(B) - f(K)`` in units of ``f(lambda_1)``."""

    def measured(i: Instance, _) -> float:
        X = scipy.linalg.svd(i.points, full_matrices=False)
        found = []
        for f in functions:
            exact = _image(X[1] ** 2, X[2].T, f, shift(i))
            above = _image(*pairs(i), f, shift(i)) - exact
            size = float(f.of(X[1][0] ** 2, shift(i)))
            found.append(np.linalg.eigvalsh(above)[-1] / size)
        return float(max(found))

    return measured


def _ordered(says: str, functions, pairs, **changes) -> Claim:
    fields = {"relation": "<=", "scale": one, "applies": has_competitor} | changes
    return Claim(
        says, _most_above(functions, pairs), expected=lambda i, _: 0.0, **fields
    )


# --- Examples ---------------------------------------------------------------------


def _ridged(rng):
    """Ridges from far below K to far above it, with a competitor for each."""
    for ratio in (1e-3, 0.1, 10.0):
        X = 0.6 ** np.arange(8)[:, None] * rng.standard_normal((8, 12))
        case = Instance.from_points(X, rng.choice(12, 4, replace=False), 2, "decaying")
        yield _with_competitor(case.but(alpha=ratio * case.norm_K), rng)
        # Equality: the eigenvalues that matter are all the same.
        flat = Instance(np.eye(4), [0, 1], 2, X=np.eye(4), name="identity")
        flat = flat.but(function=np.zeros((2, 4)))
        yield flat.but(alpha=ratio, G=3.0 * np.eye(4)[:, :2])


def _given(i: Instance) -> tuple[np.ndarray, np.ndarray]:
    values, vectors = np.linalg.eigh(i.extra["B"])
    return np.maximum(values, 0), vectors


def _given_gap(i: Instance) -> float:
    return float(np.abs(np.linalg.eigvalsh(i.K - i.extra["B"])).sum())


def _of_given(f: MatrixFunction, says: str) -> Claim:
    return Claim(
        says,
        observe=_measured(f, _given),
        expected=lambda i, _: (
            _given_gap(i) / float(spectrum(i)[i.k :].sum()) * _tail(i, f)
        ),
        relation="<=",
        scale=_scale(f),
    )


def _derive():
    # f concave with f(0) = 0, and b <= t: the chord from b to t is less steep than
    # the one from 0 to t. For log(1 + t / alpha) and k = 1, n = 2.
    t, u, b, fb, ft, fu = sp.symbols("t u b f_b f_t f_u", positive=True)
    error = ft - fb + fu
    excess = sp.Symbol("e", positive=True)
    slack = (t - b) * fu / u - (ft - fb)
    return (
        Step(
            error + slack,
            r"$\operatorname{tr} f(K) - \operatorname{tr} f(B)$ for eigenvalues $t \ge "
            r"u$ of $K$ and $b$ of $B$, plus a number that chord slopes make $\ge 0$",
        ),
        Step(
            (1 + excess) * fu,
            r"$1 + \varepsilon$ times $f(u)$, for $(t - b) + u = (1 + \varepsilon) u$",
            {b: t - excess * u},
        ),
    )


_B = np.array([[4.0, -6], [-6, 9]]) / 10
_NOT_MONOTONE = Instance(
    np.array([[0.5, -0.5], [-0.5, 1]]), [0], 1, extra={"B": _B, "alpha": 1.0}
)
_SQUARED = Instance(
    np.diag([2.0, 1]), [0], 1, extra={"B": np.diag([1.8, 0]), "alpha": 1.0}
)
_NOT_BELOW = Instance(
    np.diag([100.0, 100, 0]),
    [0],
    1,
    X=np.diag([10.0, 10, 0]),
    extra={"B": np.diag([0.0, 0, 10]), "alpha": 1.0},
)
_OF_RANK_TWO = Instance(
    np.diag([1.0, 1, 0.01]),
    [0],
    1,
    X=np.diag([1.0, 1, 0.1]),
    extra={"B": np.diag([1.0, 1, 0]), "alpha": 1.0},
)
_ONE_OF_TWO = Instance(
    np.eye(2), [0], 1, X=np.eye(2), extra={"B": np.diag([1.0, 0]), "alpha": 1.0}
)
# Otherwise the best rank k has no error to compare with.
_HAS_TAIL = Hypothesis(
    r"$k < \operatorname{rank} K$",
    ("k", "rank_K"),
    lambda k, rank_K: k < rank_K,
    domain=True,
)

OPERATOR_MONOTONE = Theorem(
    id="modern:operator-monotone",
    part="III",
    kind="inequality",
    status="holds",
    title="Functions of a matrix for free",
    number="Persson and Kressner 2023; Persson, Meyer and Musco 2025",
    statement=(
        r"Let $f : [0, \infty) \to [0, \infty)$ be operator monotone with $f(0) = 0$, "
        r"for example $\log(1 + t / \alpha)$, $\sqrt t$ or $t / (t + \alpha)$ with "
        r"$\alpha > 0$. Let $K$ be positive semidefinite with eigenvalues $\lambda_1 "
        r"\ge \lambda_2 \ge \dots$, $k < \operatorname{rank} K$, and let $0 \preceq B "
        r"\preceq K$ have rank at most $k$, for example $B = [\tilde K]_k$. If "
        r"$\|K - B\|_* \le (1 + \varepsilon) \sum_{j>k} \lambda_j$, then "
        r"$\|f(K) - f(B)\|_* \le (1 + \varepsilon) \sum_{j>k} f(\lambda_j)$. In "
        r"detail $\|f(K) - f(B)\|_* \le \sum_{j>k} f(\lambda_j) + "
        r"\frac{f(\lambda_k)}{\lambda_k} \bigl(\|K - B\|_* - \sum_{j>k} "
        r"\lambda_j\bigr)$, which is never more."
    ),
    hypotheses=(RANK_IN_RANGE, _HAS_TAIL, POSITIVE_RIDGE),
    # For k > l the approximation has rank l, less than k; k = 0 asks for B = 0.  And
    # what f has at 0 cancels on the left, while on the right it adds to the bound.
    not_known_necessary=(RANK_IN_RANGE.says, "$f(0) = 0$"),
    claims=(
        _cut_claim(LOG, tail_log),
        _cut_claim(ROOT, tail_root),
        _cut_claim(SHRUNK, tail_shrunk),
        _any_claim(LOG, r"any $B \preceq K$, $f(t) = \log(1 + t / \alpha)$"),
        _sharper(SHRUNK),
        _sharper(ROOT),
        _of_any_function(
            r"any $B \preceq K$, any $f(t) = b t + \sum_j c_j t / (t + s_j)$",
            _error_of_any,
            _relative,
        ),
        _of_any_function(
            r"the same, the excess times $f(\lambda_k) / \lambda_k$ only",
            _error_of_any,
            _allowed_of_any,
        ),
        _of_any_function(
            "the bound in detail is never more", _allowed_of_any, _relative
        ),
        _ordered(
            r"$f(B) \preceq f(K)$ for the three examples",
            (LOG, ROOT, SHRUNK),
            competitor,
            # The root of a small eigenvalue sees the root of rounding.
            condition=lambda i: _condition_of(ROOT)(i),
        ),
    ),
    complete=_with_competitor,
    instances=_ridged,
    derivation=_derive,
    controls=(
        Control(
            _of_given(SQUARE, r"$f(t) = t^2$, which is not operator monotone"),
            _SQUARED,
            drops="an operator monotone $f$",
        ),
        # Concave and monotone is not enough: f(B) is not below f(K) here.
        Control(
            _of_given(CUT, r"$f(t) = \min(t, \alpha)$, concave and increasing only"),
            _NOT_MONOTONE,
            drops="an operator monotone $f$",
        ),
        Control(
            _ordered(
                r"$f(B) \preceq f(K)$ for $f(t) = \min(t, \alpha)$",
                (CUT,),
                _given,
                applies=None,
            ),
            _NOT_MONOTONE,
        ),
        # f hardly tells 100 from 10, so a B in the wrong place costs three directions.
        Control(
            _of_given(SHRUNK, r"$f(t) = t / (t + \alpha)$ for a $B$ not below $K$"),
            _NOT_BELOW,
            drops=r"$B \preceq K$",
        ),
        Control(
            _of_given(ROOT, r"$f(t) = \sqrt t$ for a $B$ of rank 2 and $k = 1$"),
            _OF_RANK_TWO,
            drops=r"$\operatorname{rank} B \le k$",
        ),
        Control(
            _of_given(LOWERED, r"$f(t) = t - \alpha$, below 0 at first"),
            _ONE_OF_TWO,
            drops=r"$f \ge 0$",
        ),
        Control(
            _any_claim(
                LOG,
                r"the factor $1 + \varepsilon / 2$ is enough",
                expected=lambda i, _: (
                    (1 + competitor_gap(i) / float(spectrum(i)[i.k :].sum()))
                    / 2
                    * _tail(i, LOG)
                ),
            ),
            Instance(
                np.eye(2),
                [0],
                1,
                X=np.eye(2),
                extra={"G": np.array([[0.1], [0]]), "alpha": 100.0},
            ),
        ),
    ),
)
