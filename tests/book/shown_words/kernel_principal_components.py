"""Kernel principal components: what shows its words that compare."""

import numpy as np
from words_shown import bound, explained, found, shown, typed

from nystheory.chapters.kernel_principal_components import experiments
from nystheory.engine.findings.experiments import digits_kernel
from nystheory.engine.worlds.instances import Instance

CHAPTER = "kernel_principal_components"

# Three points in the plane, and how long they are along each direction.
X = np.array([[3.0, 1.0, 2.0], [1.0, 1.0, 0.0]])
LEADING = np.linalg.svd(X)[0][:, 0]
TURNS = np.arange(1, 360) * np.pi / 360
ACROSS = LEADING[::-1] * [-1, 1]
TURNED = np.outer(LEADING, np.cos(TURNS)) + np.outer(ACROSS, np.sin(TURNS))


def along(directions):
    return np.linalg.norm(X.T @ directions, axis=0)


def share_of_the_gap():
    """What the theorem has of it, where the eigenvalues are 9 and 1."""
    case = Instance.from_points(np.diag([3.0, 1.0]), [0], 1)
    return case.measured(case.quantities["half_gap"]).value / (9 - 1)


def beyond_most():
    """How far the bound on digits exceeds sqrt(2k) from the second component on."""
    each = found(f"{CHAPTER}:turns")
    percent = each.measured("bound", "natural", "digits")  # of sqrt(2k)
    second = [k for k, x in enumerate(each.experiment.settings) if x >= 2]
    return percent[:, second].min() - 100


def farthest(of=3, space=6):
    """Less the largest possible distance, of any two subspaces."""
    rng = np.random.default_rng(0)
    bases = [np.linalg.qr(rng.standard_normal((space, of)))[0] for _ in range(40)]
    apart = [
        np.linalg.norm(a @ a.T - b @ b.T)
        for a, b in zip(bases, bases[1:], strict=False)
    ]
    orthogonal = np.diag([1] * of + [-1] * of)
    assert np.isclose(np.linalg.norm(orthogonal), np.sqrt(2 * of))
    return np.sqrt(2 * of) - max(apart)


# ---- Residuals, and sets of points

COUNTS = (10, 20, 40)
LEFT = experiments.residuals(digits_kernel(200), 5, COUNTS)
LOST = -LEFT.own[0]
LEAST_LOST = max(LEFT.best - LEFT.true)
TOO_SMALL = max(LEFT.own - LEFT.true)
RESIDUALS = found(f"{CHAPTER}:residuals").experiment
SAMPLES = found(f"{CHAPTER}:samples")


def largest_set():
    sizes = [data.size for data in RESIDUALS.data.values()]
    (shown_size,) = typed(CHAPTER, r"digits_kernel\((\d+)\)")
    return max(sizes) - shown_size


def of_small_samples():
    """Their residual less that of all points."""
    return -SAMPLES.measured("lacks", "sample", "digits")[:, 0].mean()


# ---- The constant of the theorem

TURN = "talwalkar2010:thm-5.7"


def promised_turn(change, half_gap):
    return bound(
        TURN, "covariances", covariance_change_F=change, half_gap=half_gap
    )


def ninety_nine_percent():
    """Of the bound, less the distance, where two eigenvalues are nearly equal."""
    A, B = np.diag([1.0, 0.0]), np.diag([0.5, 0.5 + 1e-6])
    (_, U), (_, V) = map(np.linalg.eigh, (A, B))
    apart = np.linalg.norm(np.outer(U[:, 1], U[:, 1]) - np.outer(V[:, 1], V[:, 1]))
    return 0.99 * promised_turn(np.linalg.norm(A - B), 1 / 2) - apart


shown(
    CHAPTER,
    {
        "the directions along which the points are [longest]": (
            along(LEADING) - along(TURNED).max()
        ),
        "{term}`eigengap` $\\sigma_k - \\sigma_{k+1}$; the theorem has [half] of it": (
            share_of_the_gap()
        ),
        "where it [exceeds] $\\sqrt{2k}$, which no two subspaces of dimension $k$ "
        "[exceed]": (beyond_most(), farthest()),
        "columns appears to [lose]": LOST,
        "It [loses] {{ found.true": LEAST_LOST,
        "The [lower] curve is not a success: the parts of the points that the "
        "landmarks do not span are missing": TOO_SMALL,
        "For [smaller] sets of points, too": largest_set(),
        "points have a [smaller] residual than the law": of_small_samples(),
        "It is too small, and the [fewer] the columns, the [smaller]": (
            COUNTS[0] - COUNTS[-1],
            -min(np.diff(LEFT.own)),
        ),
        "In the Frobenius norm their constant is [larger] by a factor of": (
            np.sqrt(2) - promised_turn(1, 1)
        ),
        "the constant of {ref}`talwalkar2010:thm-5.7` cannot be [smaller]": (
            ninety_nine_percent()
        ),
    },
)

explained(
    CHAPTER,
    {
        "For projected points more points do not [help]": (
            "denied: the distance is the same for every sample"
        ),
    },
)
