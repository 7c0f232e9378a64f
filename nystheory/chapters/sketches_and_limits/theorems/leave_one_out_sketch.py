"""The error of a sketch, estimated from the sketch.

Epperly and Tropp 2024.
"""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import product

import numpy as np

from nystheory.chapters.sketches_and_limits.theorems.sketches import (
    Sketched,
    sketch_residuals,
)
from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem, Where
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.matrices import diagonal
from nystheory.engine.worlds.sketched import of_seen, seen


def _without(i, j):
    """The test vectors but one, or all where j is ()."""
    return np.delete(i.omega, j, axis=1)


def _missed(i, j=()):
    """K less its approximation from the other test vectors, through the points."""
    Q, _ = seen(i, _without(i, j))
    rest = i.points - Q @ (Q.T @ i.points)
    return rest.T @ rest


@lru_cache(maxsize=1)
def _of_sketch(i):
    """Rounding in H, with one test vector left out or none, in units of their size."""
    worst = max(of_seen(i, _without(i, j)) for j in [(), *range(i.l)])
    return worst * np.sum(i.omega**2)


_estimated = partial(Sketched.quantity, when=SAMPLE, unit=2, condition=_of_sketch)


@Sketched.quantity(
    r"\operatorname{rank} H", "number of independent test vectors", SAMPLE, unit=None
)
def rank_H(i):
    # The points tell more than H, whose eigenvalues are squares.
    omega = i.omega
    return seen(i, omega)[0].shape[1] if np.isfinite(of_seen(i, omega)) else None


@_estimated(
    r"\sum_j \|Y H^{-1} e_j\|^2 / (H^{-1})_{jj}^2",
    "sum of the squared columns of a sketch, each after the other test vectors",
)
def sketch_sum(i):
    omega = i.omega
    Y = i.K @ omega
    return np.sum(sketch_residuals(Y, omega.T @ Y) ** 2)


def _left(i, j):
    return np.sum((_missed(i, j) @ i.omega[:, j]) ** 2)


def _error(i, j=()):
    return np.linalg.norm(_missed(i, j)) ** 2


@_estimated(
    r"\sum_j \|(K - \tilde K_{-j})\, \omega_j\|^2",
    "the same from l approximations, each with a test vector left out",
)
def left_sum(i):
    return sum(_left(i, j) for j in range(i.l))


@_estimated(
    r"\frac1l \sum_j \|K - \tilde K_{-j}\|_F^2",
    "mean squared error with a test vector left out",
)
def left_out_error(i):
    return np.mean([_error(i, j) for j in range(i.l)])


@_estimated(r"\|(K - \tilde K_{-l})\, \omega_l\|^2", "the last term of the sum")
def last_term(i):
    return _left(i, i.l - 1)


@_estimated(r"\|K - \tilde K_{-l}\|_F^2", "squared error without the last test vector")
def fewer_error(i):
    return _error(i, i.l - 1)


@_estimated(r"\|K - \tilde K\|_F^2", "squared error with all test vectors")
def sketch_error(i):
    return _error(i)


def _small(rng):
    """Samples of signs are listed; those of rank 2 are for Gaussian directions."""
    for m, ratio in product((2, 1), (1.0, 0.9, 0.8)):
        X = np.diag([1, np.sqrt(ratio)])
        yield Instance.from_points(X, range(m), m, "plane")
    for n, m in ((1, 1), (3, 1), (3, 2)):
        X = rng.integers(-2, 3, (1, n))
        yield Instance.from_points(X, range(m), m, "integers")
        yield Instance.from_points(rng.standard_normal((n, n)), range(m), m)
    # As many test vectors as the rank, and more.
    for m in (3, 4):
        yield Instance.from_points(np.eye(2), [0] * m, 2)


def _diagonal(*values, landmarks=(0, 1), **given) -> Sketched:
    """A diagonal K with as many test vectors as landmarks, two unless told."""
    return Sketched.exactly(landmarks, 2, matrix=diagonal(values), **given)


_TWO, _FOUR = _diagonal(4, 3), _diagonal(4, 3, 2, 1)
_ONE = Sketched.exactly([0], 1, matrix=diagonal([4, 3]))
_GIVEN = _diagonal(2, 1, omega=[[1, 1], [1, -2]])
_TOO_MANY = _diagonal(2, 1, landmarks=[0, 1, 1], omega=[[1, 0, 1], [0, 1, 2]])

LEAVE_ONE_OUT_SKETCH = Theorem(
    id="modern:leave-one-out-sketch",
    kind="expectation",
    status="holds",
    title="Leave one test vector out",
    number="Epperly and Tropp 2024",
    setting=(
        r"Let $\Omega$ have $l$ independent columns $\omega_j$ with $\mathbb E\, "
        r"\omega_j \omega_j^\top = I$, standard Gaussian vectors for example, and put "
        r"$Y = K \Omega$ and $H = \Omega^\top Y$. Let $\tilde K_{-j} = K \Omega_{-j} "
        r"(\Omega_{-j}^\top K \Omega_{-j})^+ \Omega_{-j}^\top K$ be the approximation "
        r"from the other $l - 1$ vectors, $\tilde K$ the one from all. Where $H$ is "
        r"singular, $(K - \tilde K_{-j})\, \omega_j$ stands for $Y H^{-1} e_j / "
        r"(H^{-1})_{jj}$."
    ),
    hypotheses={
        "semidefinite": Hypothesis(
            "below(0, K)", says="$K$ be positive semidefinite", necessary="not known"
        )
    },
    where={
        "estimate": Where(r"\hat F", "1 / l * sketch_sum"),
        "product": Where("q", "(trace_K**2 - norm_K_F**2) / 2"),
    },
    claims={
        "left out": Claim(
            "sketch_sum == left_sum", says="Every term is what the others leave:"
        ),
        "one term": Claim(
            "mean(last_term) == fewer_error",
            law="last_signs",
            says="Its mean, given the others, is their squared error,",
        ),
        "unbiased": Claim(
            "mean(estimate - left_out_error) == 0",
            law="signs",
            says=r"so that $\hat F$ is unbiased,",
        ),
        "unlike laws": Claim(
            "mean(estimate - left_out_error) == 0",
            law="signs_and_axes",
            says="even if the test vectors have different laws,",
        ),
        "same law": Claim(
            "mean(estimate - fewer_error) == 0",
            law="signs",
            says="If all test vectors have the same law,",
        ),
        "closed form": Claim(
            "mean(estimate) == sqrt(product) * trace_K / 2",
            when="rank_K == 2 and l == 2",
            law="plane",
            says="For Gaussian vectors",
        ),
        "one direction": Claim(
            "mean(sketch_error) == sqrt(product) * trace_K / 2",
            when="rank_K == 2 and l == 1",
            law="plane",
            says="and this is also the mean squared error with one Gaussian vector",
        ),
        "invertible": Claim(
            "(rank_H == l) == (l <= rank_K)",
            says="With Gaussian columns $H$ is invertible, with probability one, "
            "exactly in this case:",
        ),
    },
    world=Sketched,
    cases=_small,
    suite=False,
    controls={
        "one term twice": Control("left out", _GIVEN, {"sketch_sum": "2 * sketch_sum"}),
        "the error of all": Control("one term", _GIVEN, {"fewer": "sketch"}),
        "all test vectors": Control("same law", _TWO, {"fewer": "sketch"}),
        "another second moment": Control("unbiased", _TWO, law="scaled_signs"),
        "not independent": Control("unbiased", _TWO, law="repeated_signs"),
        "no axis twice": Control("unbiased", _FOUR, law="distinct_axes"),
        "l terms in place of their mean": Control(
            "unlike laws", _FOUR, {"estimate": "sketch_sum"}
        ),
        "unlike laws, not the same": Control("same law", _FOUR, law="signs_and_axes"),
        "signs are not Gaussian": Control("closed form", _TWO, law="signs"),
        "one vector of signs": Control("one direction", _ONE, law="signs"),
        "three vectors, rank two": Control(
            "invertible", _TOO_MANY, {"l <= rank_K": "l <= rank_K + 1"}
        ),
    },
)
