"""Landmarks of large volume, and what a perturbed matrix can do to them.

Bucci, Nakatsukasa and Park 2025; Goreinov, Tyrtyshnikov and Zamarashkin 1997.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem, Where
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds.columns import by_core
from nystheory.engine.worlds.matrices import diagonal
from nystheory.engine.worlds.quantities import quantity
from nystheory.engine.worlds.volumes import local_maximum_volume
from nystheory.engine.worlds.worlds import Given


class Perturbed(Instance):
    """The columns of one matrix, and what is added to it."""

    # The matrix itself, or how the points move that it comes from.
    perturbation = Given(axes=("n", "n"))
    moved = Given(axes=("N", "n"))

    @classmethod
    def drawn(cls, instance, rng):
        """Landmarks that no exchange improves, from those of the instance if it can."""
        S = local_maximum_volume(instance.K, np.unique(instance.landmarks))
        if S is None:
            return None
        i = instance.but(landmarks=S, rank=len(S))
        size = 2.0 ** np.round(np.log2(i.norm_K) / 2 - rng.integers(0, 11))
        if rng.random() < 0.5:
            return i.shifted(size)
        return i.but(moved=size * rng.integers(-2, 3, (len(i.points) + i.n, i.n)))

    def shifted(self, size):
        """A multiple of the identity is added: the points move into new directions."""
        still = np.zeros((len(self.points), self.n))
        return self.but(moved=np.vstack([still, size * np.eye(self.n)]))


@by_core(
    r"\sigma_{\min}(Q_S)",
    "smallest singular value of the sampled rows of an orthonormal basis of C",
    unit=0,
)
def seen_part(i):
    Q = scipy.linalg.qr(i.C, mode="economic")[0]
    return scipy.linalg.svdvals(Q[i.landmarks])[-1]


@quantity(
    r"x_i = \textstyle\sum_{j \in S} x_j \text{ for } i \notin S",
    "whether every other point is the sum of the landmarks",
    SAMPLE,
)
def are_sums(i):
    if not np.isfinite(i.full.condition):
        return None
    weights = np.linalg.lstsq(i.W, i.C.T, rcond=None)[0]
    gap = np.abs(weights[:, i.others] - 1).max(initial=0.0)
    return bool(gap < 1e-9) if not 1e-9 < gap < 1e-6 else None


@Perturbed.quantity("D", "what is added to K, which stays semidefinite", CHOSEN)
def perturbation(i):
    """As it is given, or by points that move, also into new directions."""
    if i.brings("perturbation"):
        return i.perturbation
    if not i.brings("moved"):
        raise ValueError("perturbation: expected a symmetric matrix by name, got none")
    mixed = i.points.T @ i.moved[: len(i.points)]
    return mixed + mixed.T + i.moved.T @ i.moved


def _moved(i):
    """The same landmarks of ``K + D``."""
    return i.but(K=i.K + i.measured(Perturbed.quantities["perturbation"]).value).full


@Perturbed.quantity(
    "E(K + D)",
    "error of the matrix with what is added, with the same landmarks",
    SAMPLE,
    condition=lambda i: _moved(i).condition,
)
def moved_error(i):
    return _moved(i).error


# --- Instances ------------------------------------------------------------------------


def _cases(_):
    """All weights are 1 where every other point is the sum of the landmarks."""
    for n, count in ((3, 1), (4, 1), (5, 2), (6, 2), (7, 3), (7, 4), (8, 5), (20, 5)):
        X = np.hstack([np.eye(count), np.ones((count, n - count))])
        case = Perturbed.from_points(X, range(count), count, "sums")
        for power in range(8):
            yield case.shifted(2.0**-power)
    for n in (4, 8):
        # W is nearly singular for every choice of landmarks.
        yield Perturbed(scipy.linalg.hilbert(n), [0, 1], 2, name="Hilbert")


_THREE_ALIKE = Perturbed.exactly(
    [0], 1, points=[[1, 1, 1]], perturbation=diagonal(["1/1000"] * 3)
)
_SHORT = Perturbed.exactly([0], 1, points=[["1/10", 1]])
_BELOW_ZERO = Perturbed.exactly(
    [0],
    1,
    matrix=diagonal([1, 1]),
    perturbation=[["-1.01", "1/2"], ["1/2", 0]],
)
_GROWTH = "1 + l * (n - l)"
_SMALLER = {_GROWTH: "l * (n - l)"}

STABILITY = Theorem(
    id="modern:stability",
    kind="inequality",
    status="holds",
    title="Landmarks of large volume are stable",
    number="Bucci, Nakatsukasa and Park 2025",
    setting=(
        r"Let $K$ be positive semidefinite, with points $x_i$. Let $S$ be $l \le "
        r"\operatorname{rank} K$ landmarks, $Q$ an orthonormal basis of the range of "
        r"$C$ with rows $Q_S$ at the landmarks, and $E(\cdot)$ the error of the "
        "approximation of a matrix from these landmarks, $E = E(K)$."
    ),
    hypotheses={
        "largest volume": Hypothesis(
            "locally_largest",
            says=r"$\det W > 0$, and let no exchange of one landmark for another point "
            r"increase $\det W$",
        )
    },
    where={"interpolation": Where("B", "C @ inv(W)")},
    claims={
        "weights": Claim(
            "max(abs(interpolation)) <= 1",
            says="Then no entry of $B$ exceeds $1$ in modulus,",
        ),
        "singular value": f"seen_part >= 1 / sqrt({_GROWTH})",
        "simpler": "seen_part >= 1 / sqrt(n * l)",
        "perturbed": Claim(
            f"below(moved_error, E + ({_GROWTH}) * norm_2(perturbation) * identity(n))",
            when="perturbation == perturbation.T and below(0 * K, K + perturbation)",
        ),
        "sums": Claim(
            f"seen_part == 1 / sqrt({_GROWTH})",
            when="are_sums and W == identity(l)",
            says="The lower bound on the singular value is attained",
        ),
        "shifted sums": Claim(
            "norm_2(moved_error) == norm_2(perturbation) "
            "* (1 + l * (n - l) / (1 + norm_2(perturbation)))",
            when="l < n and are_sums and W == identity(l) "
            "and perturbation == norm_2(perturbation) * identity(n)",
            says="The growth of the error is approached by a small $D$",
        ),
    },
    world=Perturbed,
    cases=_cases,
    controls={
        "a matrix that is not semidefinite": Control(
            "weights",
            Perturbed.exactly([0], 1, matrix=[[1, 2], [2, 0]]),
            lacks="a positive semidefinite $K$",
        ),
        "a short landmark": Control("singular value", _SHORT, drops="largest volume"),
        "weights of a short landmark": Control(
            "weights", _SHORT, drops="largest volume"
        ),
        "without the landmark itself": Control(
            "singular value", _THREE_ALIKE, _SMALLER
        ),
        "0.9 n l": Control("simpler", _THREE_ALIKE, {"n * l": "0.9 * n * l"}),
        "a smaller growth": Control("perturbed", _THREE_ALIKE, _SMALLER),
        "a sum that is not semidefinite": Control(
            "perturbed",
            _BELOW_ZERO,
            lacks="below(0 * K, K + perturbation)",
        ),
        "sums, without the landmark": Control("sums", _THREE_ALIKE, _SMALLER),
        "the limit, for a shift": Control(
            "shifted sums", _THREE_ALIKE, {" / (1 + norm_2(perturbation))": ""}
        ),
    },
)
