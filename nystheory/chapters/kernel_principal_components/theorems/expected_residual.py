"""The residual of a sample beside the one that is expected.

Talwalkar 2010, Theorem 5.6 and Corollaries 5.3 and 5.4.  The law of the points is
uniform on n of them, so that every sample can be listed.
"""

from __future__ import annotations

import numpy as np

from nystheory.chapters.kernel_principal_components.theorems.residuals import (
    Components,
    of_both,
    other_matrix,
    other_points,
)
from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem, Where
from nystheory.engine.language.claims import PRINTED_FORM
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.matrices import diagonal
from nystheory.engine.worlds.quantities import quantity


class Sampled(Components):
    """Two kernel matrices of the same points, of which some are drawn."""

    @classmethod
    def drawn(cls, instance, rng):
        """A chance of failure; other points: near, far, fewer directions, or none."""
        X = instance.points
        moved = rng.integers(-2, 3, X.shape) * 2.0 ** rng.integers(-6, 2)
        scale = 2.0 ** np.round(np.log2(instance.norm_K or 1.0) / 2)
        keep = rng.integers(0, 2, (len(X), 1))
        other = (X + scale * moved, keep * X, 2 * X)[rng.integers(3)]
        delta = rng.choice([0.01, 0.17, 0.5, 0.99])
        return instance.but(delta=delta, other_points=other)

    @classmethod
    def on_axes(cls, sizes, lengths=None, draws=2, rank=1, name="axes", **given):
        """Groups of equal points on axes of their own, and so many draws."""
        lengths = lengths or [1] * len(sizes)
        rows = [
            [x if g == h else 0 for h, size in enumerate(sizes) for _ in range(size)]
            for g, x in enumerate(lengths)
        ]
        given = {"other_points": rows} | given
        return cls.exactly([0] * draws, rank, rows, groups=sizes, name=name, **given)


def compressed(points: np.ndarray, landmarks) -> np.ndarray:
    """The sampled points once each, times the root of how often they are drawn.

    Squared lengths along every direction add up to those of the sample, so that
    covariance, spectrum and residual are the same, from fewer columns.
    """
    drawn, times = np.unique(landmarks, return_counts=True)
    return points[:, drawn] * np.sqrt(times)


def tail_of_points(X: np.ndarray, k: int) -> float:
    """Sum of the squared singular values after the k-th."""
    return float((np.linalg.svd(X, compute_uv=False)[k:] ** 2).sum())


@quantity("R_k(W)", "residual of the kernel matrix of the sample", SAMPLE)
def sample_residual(i):
    return tail_of_points(compressed(i.points, i.landmarks), i.k) / i.l


def other_core(i) -> np.ndarray:
    """The other kernel matrix of the sample, W'."""
    return other_matrix(i)[np.ix_(i.landmarks, i.landmarks)]


@Sampled.quantity(
    "R_k(W')",
    "residual of the other kernel matrix of the sample",
    SAMPLE,
    condition=of_both,
)
def other_sample_residual(i):
    return tail_of_points(compressed(other_points(i), i.landmarks), i.k) / i.l


@Sampled.quantity(
    r"\|W'-W\|_2",
    "spectral norm of the change of the kernel matrix of the sample",
    SAMPLE,
    condition=lambda i: i.l * of_both(i),
)
def sample_change_2(i):
    return np.linalg.norm(other_core(i) - i.W, 2)


# --- Instances ------------------------------------------------------------------------

ALLOWED = ("1/100", "17/100", "1/2", "99/100")


def few_axes(rng):
    """Points of integers, and groups of equal points on axes, up to 16 draws."""
    for _ in range(6):
        X = rng.integers(-2, 3, (3, 4)).astype(float)
        yield Instance.from_points(X, [0, 1, 2], 1, "integers")
    for delta in ALLOWED:
        yield Sampled.on_axes((9, 1), draws=2, delta=delta)
    for sizes in ((4, 1), (3, 2), (1, 1), (2, 2, 1), (1,) * 5):
        for drawn in (1, 2, 3) if len(sizes) > 2 else (1, 2, 3, 16):
            for rank in {1, min(2, drawn)}:
                for delta in ALLOWED:
                    lengths = [int(x) for x in rng.integers(1, 3, len(sizes))]
                    yield Sampled.on_axes(sizes, lengths, drawn, rank, delta=delta)


# R = 28/30, and a sample of two spans what it has: its residual is 0.
_MANY = Sampled.on_axes((1,) * 30, draws=2, rank=2, delta="99/100")
# One in ten lies on the second axis: of two draws it is one with chance 0.18.
_RARE = Sampled.on_axes((9, 1), draws=2, rank=1, delta="17/100")
_AGAIN = Sampled.on_axes((1,) * 8, draws=40, rank=1, delta="99/100")
_ONE_AXIS = Sampled.on_axes((1, 1), draws=1, rank=1, delta="1/2")

_BELOW = "K_max * sqrt(log(1 / delta) / (2 * l))"
_ABOVE = "K_max * sqrt(k / l) + K_max * sqrt(log({} / delta) / (2 * l))"
_LENGTHS = Where(
    "U",
    "2 * sqrt(k) / l * sqrt(sum(diag(W) ** 2)) + 3 * K_max * sqrt(log(3 / delta) "
    "/ (2 * l))",
)
_SETTING = (
    r"Let $x_1, \dots, x_l$ be drawn uniformly and independently from $n$ points with "
    r"kernel matrix $K$, let $W$ be the kernel matrix of the sample, "
    r"$K_{\max} = \max_i K_{ii}$, $R_k$ the residual and $0 < \delta \le 1$."
)

EXPECTED = Theorem(
    id="talwalkar2010:thm-5.6",
    kind="probability",
    status="holds",
    title="The expected residual",
    number="Theorem 5.6",
    setting=_SETTING,
    where={
        "upper": _LENGTHS,
        "lower": Where("V", "K_max * sqrt(log(3 / delta) / (2 * l))"),
    },
    claims={
        "as printed": Claim(
            "chance(residual - sample_residual > upper "
            "or sample_residual - residual > lower) <= delta",
            law="replaced_counts",
        ),
        "from below": Claim(
            f"chance(sample_residual - residual > {_BELOW}) <= delta",
            law="replaced_counts",
            says="One side at a time",
        ),
        "from above": Claim(
            f"chance(residual - sample_residual > {_ABOVE.format(1)}) <= delta",
            law="replaced_counts",
        ),
    },
    world=Sampled,
    cases=few_axes,
    controls={
        "a quarter, from above": Control(
            "as printed", _MANY, {"> upper": "> 0.25 * upper"}
        ),
        "two fifths, from below": Control(
            "as printed", _RARE, {"> lower": "> 0.4 * lower"}
        ),
        "one point again and again": Control("as printed", _AGAIN, law="one_repeated"),
        "half of it": Control("from below", _RARE, {"> K": "> 0.5 * K"}),
        "half of the mean": Control(
            "from above", _MANY, {"sqrt(k / l)": "0.5 * sqrt(k / l)"}
        ),
    },
)

_CHANGE = "(1 - k / l) * sample_change_2"


def _moved(sizes, other, **known) -> Sampled:
    return Sampled.on_axes(sizes, other_points=diagonal(other), **known)


# Two points of length 1/100 that K' puts at length 1: nearly all of it is change.
_SMALL = _moved((1, 1), [1, 1], lengths=["1/100"] * 2, draws=2, delta="2/5")

APPROXIMATE = Theorem(
    id="talwalkar2010:cor-5.3",
    kind="probability",
    status="holds",
    title="The expected residual, from another kernel",
    number="Corollary 5.3",
    setting=_SETTING
    + r" Let $K'$ be another kernel matrix of the $n$ points, and $W'$ that of the "
    "sample.",
    hypotheses={"rank": Hypothesis("k <= l")},
    where={"upper": _LENGTHS},
    claims={
        "as printed": Claim(
            "chance(abs(residual - other_sample_residual) "
            f"> upper + {_CHANGE}) <= delta",
            law="replaced_counts",
        ),
        "sharper": Claim(
            "chance(abs(residual - other_sample_residual) "
            f"> {_ABOVE.format(2)} + {_CHANGE}) <= delta",
            law="replaced_counts",
            says="Smaller for points of one length:",
        ),
    },
    world=Sampled,
    cases=few_axes,
    loose={"as printed": PRINTED_FORM},
    controls={
        "a quarter of the first part": Control(
            "as printed", _MANY, {"> upper": "> 0.25 * upper"}
        ),
        "half of the change": Control(
            "as printed", _SMALL, {"(1 - k / l) *": "0.5 * (1 - k / l) *"}
        ),
        "more directions than draws": Control(
            "as printed",
            Sampled.on_axes(
                (1, 1),
                draws=1,
                rank=2,
                delta="1/2",
                other_points=diagonal([10, 10]),
            ),
            drops="rank",
        ),
        "half of the mean": Control(
            "sharper", _MANY, {"sqrt(k / l)": "0.5 * sqrt(k / l)"}
        ),
        "half of the change, sharper": Control(
            "sharper", _SMALL, {"(1 - k / l) *": "0.5 * (1 - k / l) *"}
        ),
    },
)


class Normalised(Sampled):
    """Two kernel matrices of the same points, the first of them normalised."""

    @classmethod
    def drawn(cls, instance, rng):
        """The same with points of length one, if all have a direction."""
        lengths = np.linalg.norm(instance.points, axis=0)
        if not lengths.all():
            return None
        return super().drawn(instance.but(X=instance.points / lengths), rng)


def _of_length_one(_):
    """Points of length one, in fractions: on axes, and between them."""
    tilted = [[1, 0, "3/5", "5/13"], [0, 1, "4/5", "12/13"]]
    for drawn in (1, 2, 3, 4):
        for delta in ALLOWED:
            for sizes in ((4, 1), (1, 1), (1, 1, 1), (1,) * 5):
                yield Normalised.on_axes(sizes, draws=drawn, rank=1, delta=delta)
            for other in ([[1, 1, 1, 1]], [[0, 0, 0, 0]]):
                given = {"delta": delta, "other_points": other}
                yield Normalised.exactly([0] * drawn, 1, tilted, **given)


_NORMALISED = (
    "(2 * sqrt(k / l) + 3 * sqrt(log(3 / delta) / (2 * l))) + (1 - k / l) * "
    "sample_change_2"
)

NORMALISED = Theorem(
    id="talwalkar2010:cor-5.4",
    kind="probability",
    status="holds",
    title="The same for normalised kernels",
    number="Corollary 5.4",
    setting=_SETTING
    + r" Let $K'$ be another kernel matrix of the $n$ points, and $W'$ that of the "
    "sample.",
    hypotheses={
        "normalised": Hypothesis(
            "min(diag(K)) == 1 and max(diag(K)) == 1",
            says="$K_{ii} = 1$ for every point",
        ),
        "rank": Hypothesis("k <= l"),
    },
    claims={
        "as printed": Claim(
            f"chance(abs(residual - other_sample_residual) > {_NORMALISED}) <= delta",
            law="replaced_counts",
        ),
    },
    world=Normalised,
    cases=_of_length_one,
    loose={"as printed": PRINTED_FORM},
    controls={
        "longer points": Control(
            "as printed",
            Normalised.on_axes((1,) * 30, [10] * 30, draws=2, rank=2, delta="99/100"),
            drops="normalised",
        ),
        "more directions than draws": Control(
            "as printed",
            Normalised.on_axes(
                (1, 1),
                draws=1,
                rank=2,
                delta="1/2",
                other_points=diagonal([10, 10]),
            ),
            drops="rank",
        ),
        "a quarter of the first part": Control(
            "as printed", _MANY, {"> (": "> 0.25 * ("}
        ),
        "one point again and again": Control("as printed", _AGAIN, law="one_repeated"),
    },
)
