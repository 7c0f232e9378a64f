"""Square roots of two kernel matrices, and the weights of two machines: Lemma 5.1.

The root of a Gram matrix is computed from the points, without squaring them.
"""

from __future__ import annotations

import numpy as np

from nystheory.chapters.stability_of_learners.theorems.dual_optima import (
    TwoMachines,
    machine,
    pair,
    some_points,
)
from nystheory.chapters.stability_of_learners.theorems.support_vectors import NewPoint
from nystheory.engine import Claim, Control, Hypothesis, Printed, Theorem
from nystheory.engine.language.numbers import EPS
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds.matrices import diagonal
from nystheory.engine.worlds.measured import ROUNDING
from nystheory.engine.worlds.two_kernels import TwoKernels, with_other
from nystheory.engine.worlds.worlds import Given


class TwoRoots(TwoKernels):
    """Two kernel matrices of the same points, with the points of both."""

    @classmethod
    def drawn(cls, instance, rng):
        """Points of K' for each K, all at the origin where there are none."""
        return _with_points(with_other(instance, rng))

    @classmethod
    def of_points(cls, points, other):
        """Points of K and of K', in exact numbers."""
        return cls.exactly([0], 1, points=points, other_points=other)


class TwoWeights(NewPoint, TwoMachines):
    """Two support vector machines, and a point x in the feature space of either."""

    other_x = Given(axes=("N", "one"))

    @classmethod
    def drawn(cls, instance, rng):
        """With a point x, of both kernels."""
        i = super().drawn(instance, rng)
        if i is None:
            return None
        i = _with_points(i)
        ends = [rng.integers(-1, 2, (i.n, 1)) * rng.integers(2) for _ in range(2)]
        return i.but(x=i.points @ ends[0], other_x=i.other_points @ ends[1])


def _with_points(i):
    return i if i.brings("other_points") else i.but(other_points=0 * i.points)


def root(X) -> np.ndarray:
    """The root of ``X.T @ X`` from the singular values of X.

    Examples
    --------
    >>> root(np.array([[3.0, 4.0]])).round(9).tolist()
    [[1.8, 2.4], [2.4, 3.2]]
    """
    _, s, Vt = np.linalg.svd(X, full_matrices=False)
    return (Vt.T * s) @ Vt


def _of_root(i):
    """The root of a Gram matrix moves no more than the points; else as a root does."""
    if not i.brings("other_points"):
        return np.inf
    lost = 1.0 if i.X is not None else 1 / np.sqrt(ROUNDING * i.n * EPS)
    grown = np.linalg.norm(i.other_points) / np.sqrt(i.norm_K or 1.0)
    return lost * (1 + grown)


@TwoRoots.quantity(
    "K'^{1/2}-K^{1/2}",
    "difference of the roots of the kernel matrices",
    CHOSEN,
    unit=0.5,
    condition=_of_root,
)
def root_change(i):
    return root(i.other_points) - root(i.points)


# --- With a point x -------------------------------------------------------------------


def _roots_with_x(i):
    first = np.hstack([i.points, i.x])
    return root(first), root(np.hstack([i.other_points, i.other_x]))


def _size_of_x(i):
    both = np.linalg.norm(i.x) + np.linalg.norm(i.other_x)
    return both / np.sqrt(i.norm_K or 1.0)


def _of_roots_with_x(i):
    return _of_root(i) * (1 + _size_of_x(i))


@TwoWeights.quantity(
    "K_{n+1}^{1/2}",
    "root of the kernel matrix of the points and of x",
    CHOSEN,
    unit=0.5,
    condition=_of_roots_with_x,
)
def root_with_x(i):
    return _roots_with_x(i)[0]


@TwoWeights.quantity(
    "K_{n+1}'^{1/2}",
    "root of the other kernel matrix of the points and of x",
    CHOSEN,
    unit=0.5,
    condition=_of_roots_with_x,
)
def other_root_with_x(i):
    return _roots_with_x(i)[1]


@TwoWeights.quantity(
    "K_{n+1}'^{1/2}-K_{n+1}^{1/2}",
    "difference of the roots of the kernel matrices of the points and of x",
    CHOSEN,
    unit=0.5,
    condition=_of_roots_with_x,
)
def root_change_with_x(i):
    first, second = _roots_with_x(i)
    return second - first


def _of_weights(i):
    found = pair(i, machine)
    if found is None:
        return np.inf
    size = np.sqrt(i.norm_K) * _of_root(i) * (1 + _size_of_x(i))
    longest = 1 + np.abs(found.there).max() + np.abs(found.here).max()
    return size**2 * longest * found.error


@TwoWeights.quantity(
    r"\|w'-w\|^2",
    "squared distance of the weight vectors of two support vector machines",
    SAMPLE,
    unit=0,
    condition=_of_weights,
)
def weight_change_squared(i):
    found = pair(i, machine)
    if found is None:
        return None
    first, second = _roots_with_x(i)
    there = found.there[found.sure][0]
    change = second[:, :-1] @ there - first[:, :-1] @ found.here
    return float(change @ change)


TwoWeights.composed(
    "both_bound",
    r"\kappa",
    "max(K_max, max(diag(other)))",
    "largest diagonal entry of K and K'",
    CHOSEN,
)

# --- Instances ------------------------------------------------------------------------


def _multiples(_):
    """Multiples of the identity and of a projector, at which it is an equality."""
    for n in (1, 2, 3, 4):
        for power in range(-7, 8):
            X = 2.0**power * np.eye(n)
            yield TwoRoots.from_points(X, [0], 1, "multiple", other_points=0 * X)
            yield TwoRoots.from_points(0 * X, [0], 1, "zero", other_points=X)


# --- Lemma 5.1 ------------------------------------------------------------------------

_FIRST, _SECOND = diagonal([1, 0]), diagonal([0, 1])
_AXES = TwoRoots.of_points(_FIRST, _SECOND)
_TWO = TwoRoots.of_points(diagonal([1, 1]), diagonal([0, 0]))
_NO_STEP = Printed(
    "norm_2(root_change) <= abs(sqrt(norm_2(other)) - sqrt(norm_K))",
    "gap in the proof",
    "The statement holds. The last inference of the printed proof bounds the "
    "difference of the largest eigenvalues of the roots, and takes this for the norm "
    r"of the difference: for $\operatorname{diag}(1, 0)$ and $\operatorname{diag}(0, "
    "1)$ the one is 0 and the other 1. One more line after its own $M'^{1/2} \\preceq "
    r"(M + \lambda I)^{1/2}$ repairs it: this is at most $M^{1/2} + \lambda^{1/2} I$, "
    "and the same holds with both matrices exchanged.",
    _AXES,
    says=r"This shows that $\lambda_{\max}(M')^{1/2} - \lambda_{\max}(M)^{1/2} \le "
    r"\lambda^{1/2}$ and by symmetry $\lambda_{\max}(M)^{1/2} - "
    r"\lambda_{\max}(M')^{1/2} \le \lambda^{1/2}$, thus $\|M'^{1/2} - M^{1/2}\|_2 \le "
    r"\|M' - M\|_2^{1/2}$ (the text at hand lacks the roots of $\lambda_{\max}(M')$)",
)

SQUARE_ROOTS = Theorem(
    id="talwalkar2010:lem-5.1",
    kind="inequality",
    status="holds",
    title="Square roots of two matrices",
    number="Lemma 5.1",
    setting="Let $K$ and $K'$ be positive semidefinite.",
    claims={
        "roots": "norm_2(root_change) <= sqrt(change_2)",
    },
    world=TwoRoots,
    cases=_multiples,
    controls={
        "Frobenius": Control("roots", _TWO, {"norm_2(": "norm_F("}),
        "nine tenths": Control("roots", _TWO, {"<= sqrt": "<= 0.9 * sqrt"}),
    },
    printed={"last step": _NO_STEP},
)

# --- (5.43) ---------------------------------------------------------------------------


def _one(y, C_0, other, x, other_x) -> TwoWeights:
    """One point, and a point x, in both kernels."""
    given = {"other_points": [[other]], "x": [[x]], "other_x": [[other_x]]}
    return TwoWeights.exactly([0], 1, points=[[1]], y=[[y]], C_0=C_0, **given)


# The same point with K and K', and an x that is on the other side with K'.
_TURNED, _LABEL_3 = _one(1, 1, 1, 1, -1), _one(3, "1/100", 0, 0, 0)
_PRINTED = "2 * C_0 ** 2 * sqrt(both_bound)"

WEIGHT_CHANGE = Theorem(
    id="talwalkar2010:eq-5.43",
    kind="inequality",
    status="holds",
    title="Weights of two support vector machines",
    number="equation (5.43)",
    setting=(
        "Let $K$ and $K'$ be kernels, which on $x_1, \\dots, x_n$ have the matrices of "
        "these names and on $x_1, \\dots, x_n, x$ the matrices $K_{n+1}$ and "
        r"$K_{n+1}'$. Let $\alpha$ minimise $\frac12 \sum_{ij} \alpha_i \alpha_j y_i "
        r"y_j K_{ij} - \sum_i \alpha_i$ over $0 \le \alpha_i \le C_0 / n$, and let "
        r"$w = \sum_i \alpha_i y_i K_{n+1}^{1/2} e_i$; $w'$ is the same with $K'$. Let "
        r"$\kappa$ be the largest $K_{ii}$ and $K'_{ii}$."
    ),
    hypotheses={
        "labels": Hypothesis("abs(y) == 1", says=r"$y_i \in \{-1, 1\}$"),
    },
    claims={
        "printed": (
            f"weight_change_squared <= {_PRINTED} * norm_2(root_change_with_x)"
        ),
        "sharper": Claim(
            f"weight_change_squared <= {_PRINTED} * norm_2(root_change_with_x) "
            "/ sqrt(n)",
        ),
    },
    world=TwoWeights,
    cases=some_points,
    controls={
        "1.4": Control("printed", _TURNED, {"2 * C_0": "1.4 * C_0"}),
        "sharper, 1.4": Control("sharper", _TURNED, {"2 * C_0": "1.4 * C_0"}),
        "label 3": Control("printed", _LABEL_3, drops="labels"),
    },
)
