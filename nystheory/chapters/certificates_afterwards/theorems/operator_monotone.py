"""Functions of a matrix from an approximation of the matrix.

Persson and Kressner 2023; Persson, Meyer and Musco 2025.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory.engine import Claim, Control, Hypothesis, Theorem, Where
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.between import (
    Between,
    with_ridge,
    with_weights,
)
from nystheory.engine.worlds.matrices import EPS, diagonal
from nystheory.engine.worlds.measured import ROUNDING
from nystheory.engine.worlds.quantities import quantity
from nystheory.engine.worlds.worlds import Given


class MatrixFunction(Between):
    """A matrix below K, and a function ``f(0) + b t + sum_j c_j t / (t + s_j)``."""

    offset = Given("f(0)", "value of the function at 0")
    slopes = Given("b, c_j", "weights of the terms of the function", axes=("terms",))
    places = Given("s_j", "places of the terms of the function", axes=("places",))

    @classmethod
    def drawn(cls, instance, rng):
        """A ridge, an operator monotone function and half of the time a B below K."""
        size = 2.0 ** np.round(np.log2(instance.norm_K or 1))
        slopes = 2.0 ** rng.integers(-6, 7, 4) * rng.integers(0, 2, 4)
        places = size * 2.0 ** rng.integers(-9, 10, 3)
        given = with_ridge(instance, rng)
        given = given.but(offset=0.0, slopes=slopes, places=places)
        return with_weights(given, rng, instance.k)

    @classmethod
    def on(cls, K, below, **changes):
        """K and a B, cut to rank 1, with f(t) = t and the ridge 1 unless told."""
        given = {"offset": 0, "slopes": [1, 0, 0, 0], "places": [1, 1, 1]}
        given |= {"alpha": 1, "between": below}
        return cls.one_sampled(K, **(given | changes))


# --- The functions at K, at B, and over what the best rank k leaves out ---------------


def _has_gift(i):
    return i.brings("between") or i.brings("weights")


def _of_source(i):
    return 1.0 if _has_gift(i) else i.full.condition


@MatrixFunction.quantity(
    "B", "a matrix below K, else the cut one", SAMPLE, condition=_of_source
)
def B(i):
    source = "between" if _has_gift(i) else "cut_approximation"
    return i.measured(MatrixFunction.quantities[source]).value


@MatrixFunction.quantity(
    r"\|K - B\|_*", "nuclear error of B", SAMPLE, condition=_of_source
)
def missed_trace(i):
    return np.abs(np.linalg.eigvalsh(i.K - B(i))).sum()


@quantity(r"\lambda_k", "k-th eigenvalue of the matrix")
def lambda_k(i):
    return i.spectrum[i.k - 1]


def _function(symbol, term, condition, unit=0):
    """Enter a function: at K and at B, for ``?``, and summed over what K_k leaves."""
    of_K, of_B = (symbol.replace("?", matrix) for matrix in "KB")
    tail = rf"\sum_{{j>k}} {term}", "what the best rank k misses of its trace"
    instead = rf"with ${term}$ in place of its eigenvalues $\lambda_j$"

    def grown(i):
        return condition(i) * _of_source(i)

    before = partial(MatrixFunction.quantity, unit=unit, condition=condition)
    after = partial(before, when=SAMPLE, condition=grown)

    def enter(f):
        name = f.__name__
        before(of_K, f"$K$ {instead}", name=f"{name}_K")(lambda i: _image(i, f, i.K))
        after(of_B, f"$B$ {instead}", name=f"{name}_B")(lambda i: _image(i, f, B(i)))
        before(*tail, name=f"tail_{name}")(lambda i: f(i, i.spectrum[i.k :]).sum())
        return f

    return enter


def _image(i, f, A):
    values, vectors = np.linalg.eigh(A)
    return (vectors * f(i, np.maximum(values, 0))) @ vectors.T


def _of_ridge(i):
    """The slope at 0 of a function that sees K only beside the ridge."""
    return i.norm_K / i.alpha


def _of_root(i):
    """The root of rounding, where an eigenvalue is zero."""
    return 1 / np.sqrt(ROUNDING * i.n * EPS)


def _of_slope(i):
    """The slope at 0, in units of K."""
    b, *weights = np.abs(i.slopes)
    return (b + np.sum(weights / np.abs(i.places))) * i.norm_K


@_function(r"\log(I + ? / \alpha)", r"\log(1 + \lambda_j / \alpha)", _of_ridge)
def log(i, t):
    return np.log1p(t / i.alpha)


@_function("?^{1/2}", r"\sqrt{\lambda_j}", _of_root, unit=0.5)
def root(i, t):
    return np.sqrt(t)


@_function(
    r"?\, (? + \alpha I)^{-1}", r"\frac{\lambda_j}{\lambda_j + \alpha}", _of_ridge
)
def shrunk(i, t):
    return t / (t + i.alpha)


@_function(r"\min(?, \alpha I)", r"\min(\lambda_j, \alpha)", lambda i: 1.0, unit=1)
def least(i, t):
    """Concave and increasing, but not operator monotone."""
    return np.minimum(t, i.alpha)


@_function("f(?)", r"f(\lambda_j)", _of_slope)
def f(i, t):
    """``f(0) + b t + sum_j c_j t / (t + s_j)``.

    With weights that are not negative, f(0) = 0 and limits these are all operator
    monotone functions (Löwner).
    """
    b, *weights = i.slopes
    terms = zip(weights, i.places, strict=True)
    return i.offset + b * t + sum(c * t / (t + s) for c, s in terms)


@MatrixFunction.quantity(
    r"\frac{f(\lambda_k)}{\lambda_k}",
    "slope of the chord of f up to the k-th eigenvalue",
    unit=-1,
    condition=lambda i: _of_slope(i) * i.norm_K / lambda_k(i),
)
def slope_f(i):
    return f(i, lambda_k(i)) / lambda_k(i)


# --- The theorem ----------------------------------------------------------------------


def _of_rank_two(rng):
    """Eigenvalues that decay, and equal ones, for which the bounds are attained."""
    for _ in range(6):
        X = rng.integers(-4, 5, (4, 5)) * 2.0 ** -np.arange(4)[:, None]
        yield MatrixFunction.from_points(X, range(3), 2, "decaying")
        yield MatrixFunction.from_points(np.eye(4), range(2), 2, "identity")


_NOTHING = MatrixFunction.on(diagonal([1, 1]), diagonal([0, 0]), slopes=[0, 1, 0, 0])
_SQUARED = MatrixFunction.on(diagonal([2, 1]), diagonal(["9/5", 0]))
_CONVEX = MatrixFunction.on(
    diagonal([2, 1]), diagonal(["9/5", 0]), slopes=[1, -1, 0, 0]
)
_LOWERED = MatrixFunction.on(diagonal([1, 1]), diagonal([1, 0]), offset=-1)
_NOT_MONOTONE = MatrixFunction.on(
    [["1/2", "-1/2"], ["-1/2", 1]], [["2/5", "-3/5"], ["-3/5", "9/10"]]
)
_NOT_BELOW = MatrixFunction.on(diagonal([100, 100, 0]), diagonal([0, 0, 10]))
_RANK_TWO = MatrixFunction.on(diagonal([1, 1, "1/100"]), diagonal([1, 1, 0]))
_FAINT = MatrixFunction.on(diagonal([1, 1]), diagonal(["1/101", 0]), alpha=100)

_EXCESS = "(missed_trace - tail_trace)"
_ANY = "norm_trace(f_K - f_B) <= excess * tail_f"
_SQUARES = "norm_trace(K @ K - B @ B) <= excess * tail_F**2"
_LEAST = "norm_trace(least_K - least_B) <= excess * tail_least"

OPERATOR_MONOTONE = Theorem(
    id="modern:operator-monotone",
    kind="inequality",
    status="holds",
    title="Functions of a matrix for free",
    number="Persson and Kressner 2023; Persson, Meyer and Musco 2025",
    setting=(
        r"Let $f : [0, \infty) \to \mathbb R$. Let $K$ be positive semidefinite with "
        r"eigenvalues $\lambda_1 \ge \lambda_2 \ge \dots$, and let $B \succeq 0$ have "
        r"rank at most $k$, for example $B = [\tilde K]_k$."
    ),
    hypotheses={
        # For k > l the approximation has rank l, less than k; k = 0 asks for B = 0.
        "rank": Hypothesis("1 <= k <= l", necessary="not known"),
        "tail": Hypothesis("k < rank_K", domain=True),
        "below": Hypothesis("below(B, K)"),
        "monotone": Hypothesis(
            "min(slopes) >= 0 and min(places) > 0", says="$f$ be operator monotone"
        ),
        # A positive f(0) does no harm: it cancels on the left and adds to the bound.
        "zero": Hypothesis("offset == 0"),
    },
    where={"excess": Where(r"(1 + \varepsilon)", "missed_trace / tail_trace")},
    claims={
        "any function": _ANY,
        "in detail": Claim(
            f"norm_trace(f_K - f_B) <= tail_f + slope_f * {_EXCESS}", says="In detail"
        ),
        "never more": Claim(
            f"tail_f + slope_f * {_EXCESS} <= excess * tail_f",
            says="which is never more:",
        ),
        "logarithm": Claim(
            "norm_trace(log_K - log_B) <= excess * tail_log", says="For example"
        ),
        "root": "norm_trace(root_K - root_B) <= excess * tail_root",
        "effective dimension": (
            "norm_trace(shrunk_K - shrunk_B) <= excess * tail_shrunk"
        ),
        "root, in detail": Claim(
            f"norm_trace(root_K - root_B) <= tail_root + {_EXCESS} / sqrt(lambda_k)",
            says="and in detail",
        ),
        "effective dimension, in detail": (
            "norm_trace(shrunk_K - shrunk_B) "
            f"<= tail_shrunk + {_EXCESS} / (lambda_k + alpha)"
        ),
        "order, logarithm": Claim("below(log_B, log_K)", says="All three functions "
            "keep the order:"),
        "order, root": "below(root_B, root_K)",
        "order, effective dimension": "below(shrunk_B, shrunk_K)",
    },
    world=MatrixFunction,
    cases=_of_rank_two,
    controls={
        "a square": Control("any function", _SQUARED, {_ANY: _SQUARES}),
        "t^2 / (t + 1)": Control("any function", _CONVEX, drops="monotone"),
        "concave and increasing only": Control(
            "any function", _NOT_MONOTONE, {_ANY: _LEAST}
        ),
        "t - 1, below 0 at first": Control("any function", _LOWERED, drops="zero"),
        "0.9 of the slope": Control("in detail", _NOTHING, {"slope": "0.9 * slope"}),
        "0.9 of the bound": Control("never more", _NOTHING, {"<= ": "<= 0.9 * "}),
        "half of epsilon": Control("logarithm", _FAINT, {"excess": "(1 + excess) / 2"}),
        "rank two": Control("root", _RANK_TWO, lacks=r"$\operatorname{rank} B \le k$"),
        "not below": Control("effective dimension", _NOT_BELOW, drops="below"),
        "0.9 of the excess, root": Control(
            "root, in detail", _NOTHING, {"+ ": "+ 0.9 * "}
        ),
        "0.9 of the excess, effective dimension": Control(
            "effective dimension, in detail", _NOTHING, {"+ (": "+ 0.9 * ("}
        ),
        "concave and increasing only, order": Control(
            "order, logarithm", _NOT_MONOTONE, {"log_B, log_K": "least_B, least_K"}
        ),
        "not below, order of roots": Control("order, root", _NOT_BELOW, drops="below"),
        "not below, order": Control(
            "order, effective dimension", _NOT_BELOW, drops="below"
        ),
    },
)
