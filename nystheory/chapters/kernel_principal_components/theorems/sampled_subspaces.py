"""How far the components of a sample are from those of the law.

Talwalkar 2010, Theorem 5.8 and Corollary 5.5, after Zwald and Blanchard 2005.  The
law of the points is uniform on n of them, so that every sample can be listed.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from nystheory.chapters.kernel_principal_components.theorems.expected_residual import (
    Sampled,
    compressed,
)
from nystheory.chapters.kernel_principal_components.theorems.subspaces import (
    directions,
    of_directions,
)
from nystheory.engine import (
    Claim,
    Control,
    Hypothesis,
    Printed,
    Theorem,
    Where,
)
from nystheory.engine.language.claims import EXCHANGES, PRINTED_FORM
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.quantities import quantity


def _drawn(i, points=None):
    return compressed(i.points if points is None else points, i.landmarks)


def _other_drawn(i):
    return _drawn(i, i.other_points)


def _of_sample(drawn):
    """Rounding beside the gap of the sample."""
    return lambda i: of_directions(drawn(i), i.k, i.l * i.norm_K)


@quantity(
    r"\hat P_k",
    "projector on the k leading left singular vectors of the sampled points",
    SAMPLE,
    unit=0,
    condition=_of_sample(_drawn),
)
def sample_components(i):
    return directions(_drawn(i), i.k)


@Sampled.quantity(
    r"\hat P_k'",
    "the same for other features of the sampled points",
    SAMPLE,
    unit=0,
    condition=_of_sample(_other_drawn),
)
def other_sample_components(i):
    return directions(_other_drawn(i), i.k)


def _of_size(i):
    """Rounding in squares of features, which may be larger than K, of l points."""
    size = max(np.abs(i.points).max(), np.abs(i.other_points).max()) ** 2
    return i.l * max(1.0, size / i.norm_K) if i.norm_K > 1e-200 * size else np.inf


@Sampled.quantity(
    r"\|X_S'X_S'^\top-X_S X_S^\top\|_F",
    "Frobenius norm of the change of the covariance of the sample, times its size",
    SAMPLE,
    condition=_of_size,
)
def sample_covariance_change(i):
    X, Y = _drawn(i), _other_drawn(i)
    return np.linalg.norm(Y @ Y.T - X @ X.T)


@Sampled.quantity(
    r"\|W'-W\|_F",
    "Frobenius norm of the change of the kernel matrix of the sample",
    SAMPLE,
    condition=_of_size,
)
def sample_change_F(i):
    """Of the points once each: a column that is drawn m times counts m times."""
    X, Y = _drawn(i), _other_drawn(i)
    return np.linalg.norm(Y.T @ Y - X.T @ X)


@quantity(
    r"\Delta_k(W)",
    "half of the gap of the eigenvalues of the kernel matrix of the sample",
    SAMPLE,
    condition=lambda i: i.l,
)
def sample_half_gap(i):
    s = scipy.linalg.svdvals(_drawn(i)) ** 2
    values = np.append(s, np.zeros(i.k + 1))
    return (values[i.k - 1] - values[i.k]) / 2


# --- Instances ------------------------------------------------------------------------


def _few_directions(rng):
    """Two or three groups on axes of unlike weight, and up to 100 draws of two."""
    for sizes in ((4, 1), (3, 1), (3, 1, 1)):
        counts = (1, 2, 3) if len(sizes) > 2 else (1, 2, 3, 100)
        for drawn in counts:
            for delta in ("1/20", "1/2", "99/100"):
                lengths = [int(x) for x in rng.integers(1, 3, len(sizes))]
                given = {"delta": delta, "draws": drawn}
                turned = [[1] * sum(sizes)] + [[0] * sum(sizes)] * (len(sizes) - 1)
                yield Sampled.on_axes(sizes, **given)
                yield Sampled.on_axes(sizes, lengths, other_points=turned, **given)
    yield Sampled.on_axes((3, 1), draws=9, delta=1)


# One in twenty lies on the second axis: a single draw is one with chance 0.05.
_RARE = Sampled.on_axes((19, 1), draws=1, delta="49/1000")
_AGAIN = Sampled.on_axes((4, 1), draws=2000, delta="19/100")
# One point, turned by a right angle in the other features.
_TURNED = Sampled.exactly(
    [0] * 100,
    1,
    points=[[1], [0]],
    other_points=[[0], ["7/10"]],
    delta="99/100",
    name="turned",
)
_ZERO_MEAN = Sampled.exactly(
    [0] * 3000,
    1,
    points=[[1, -1] * 4, [0, 0, *["7/20", "-7/20"] * 3]],
    other_points=[[1, -1] * 4, [0] * 8],
    delta="1/20",
    # Points that differ by their sign: no quantity of the claim changes with it.
    groups=(2, 6),
    name="four pairs of opposite points",
)

_SETTING = (
    "Let $l$ points be drawn uniformly and independently from $n$ points with "
    r"features $X$ and kernel matrix $K = X^\top X$. Let $P_k$ be the projector onto "
    r"the $k$ leading left singular vectors of $X$, $\Delta_k = \frac12 (\sigma_k - "
    r"\sigma_{k+1})$ for the singular values of $K$, $K_{\max} = \max_i K_{ii}$ and "
    r"$0 < \delta \le 1$. "
)
_GAP = {"gap": Hypothesis("half_gap > 0", domain=True)}
_MEAN_GAP = Where(r"\bar\Delta_k", "half_gap / n")
_PRINTED = Where("B_k", "2 * K_max / mean_gap * (1 + sqrt(log(1 / delta) / 2))")
_EVERY = "K_max / (mean_gap * sqrt(l)) * (1 + sqrt(log(1 / delta)))"

CONVERGENCE = Theorem(
    id="talwalkar2010:thm-5.8",
    kind="probability",
    status="holds",
    title="Convergence of the leading subspace",
    number="Theorem 5.8",
    setting=_SETTING
    + r"Let $\hat P_k$ be the projector onto the $k$ leading left singular vectors of "
    "the sampled points, any choice at a tie.",
    hypotheses=_GAP,
    where={"mean_gap": _MEAN_GAP, "B_k": _PRINTED},
    claims={
        "every size": Claim(
            f"chance(norm_F(components - sample_components) > {_EVERY}) <= delta",
            law="replaced_counts",
        ),
        "as printed": Claim(
            "chance(norm_F(components - sample_components) > B_k / sqrt(l)) <= delta",
            when="l >= B_k ** 2",
            law="replaced_counts",
            says="The printed form requires enough points:",
        ),
        "sharper": Claim(
            f"{_EVERY} <= B_k / sqrt(l)", says="It follows from the first, since"
        ),
    },
    world=Sampled,
    cases=_few_directions,
    loose={"every size": EXCHANGES, "as printed": PRINTED_FORM},
    controls={
        "a fifth": Control("every size", _RARE, {"> K_max": "> 0.2 * K_max"}),
        "the same point again and again": Control(
            "every size", _AGAIN, law="one_repeated"
        ),
        "the same point, as printed": Control("as printed", _AGAIN, law="one_repeated"),
        "less than half": Control("sharper", _RARE, {"<=": "<= 0.4 *"}),
    },
)

BOTH = Theorem(
    id="talwalkar2010:cor-5.5",
    kind="probability",
    status="corrected",
    title="The leading subspace, from other features",
    number="Corollary 5.5",
    setting=_SETTING
    + r"Let $X'$ be other features of the points in the same space, and let "
    r"$\hat P_k'$ be the projector onto the $k$ leading left singular vectors of "
    "$X_S'$ for the sample $S$, any choice at a tie.",
    hypotheses=_GAP,
    where={"mean_gap": _MEAN_GAP},
    claims={
        "covariances": Claim(
            "chance(norm_F(components - other_sample_components) > "
            f"{_EVERY} + sample_covariance_change / (l * mean_gap)) <= delta",
            law="replaced_counts",
        ),
    },
    world=Sampled,
    cases=_few_directions,
    loose={"covariances": EXCHANGES},
    controls={
        "a fifth of the first part": Control(
            "covariances", _RARE, {"> K_max": "> 0.2 * K_max"}
        ),
        "half of the change": Control(
            "covariances", _TURNED, {"+ sample": "+ 0.5 * sample"}
        ),
    },
    printed={
        "any feature maps": Printed(
            "chance(norm_F(components - other_sample_components) > "
            "2 * K_max / (half_gap / n) * (1 + sqrt(log(1 / delta) / 2)) / sqrt(l) "
            "+ sample_change_F / sample_half_gap) <= delta",
            "missing hypothesis",
            "As in the thesis's Theorem 5.7, on which it rests, no feature map is "
            "named, and the second part needs features that are square roots, or the "
            "change of the covariance in place of that of the kernel matrix. The law "
            "has mean zero, $K'$ is the Nyström approximation from one of its points, "
            "with features that are projected on it, and $l = 3000$ exceeds $B_1^2$.",
            _ZERO_MEAN,
            says=r"with probability at least $1 - \delta$ … $\|P_{S_k} - "
            r"P_{\hat S'_k}\|_F \le \frac{B_k}{\sqrt l} + \frac{\|W' - W\|_F}{\Delta_k}"
            r"$ (in the book's letters: the thesis's $n$ and $K$ are $l$ and $W$)",
            law="replaced_counts",
        ),
    },
)
