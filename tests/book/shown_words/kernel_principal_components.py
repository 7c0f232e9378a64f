"""Kernel principal components: what shows its words that compare."""

import numpy as np
from words_shown import found, shown

CHAPTER = "kernel_principal_components"

# Three points in the plane, and how long they are along each direction.
X = np.array([[3.0, 1.0, 2.0], [1.0, 1.0, 0.0]])
LEADING = np.linalg.svd(X)[0][:, 0]
TURNS = np.arange(1, 360) * np.pi / 360
ACROSS = LEADING[::-1] * [-1, 1]
TURNED = np.outer(LEADING, np.cos(TURNS)) + np.outer(ACROSS, np.sin(TURNS))


def along(directions):
    return np.linalg.norm(X.T @ directions, axis=0)


def half_gap(values, k):
    return (values[k - 1] - values[k]) / 2


def beyond_most():
    """How far the bound on digits exceeds sqrt(2k) from the second component on."""
    each = found(f"{CHAPTER}:turns")
    percent = each.measured("bound", "natural", "digits")  # of sqrt(2k)
    second = [k for k, x in enumerate(each.experiment.settings) if x >= 2]
    return percent[:, second].min() - 100


shown(
    CHAPTER,
    {
        "the directions along which the points are [longest]": (
            along(LEADING) - along(TURNED).max()
        ),
        "{term}`eigengap` $\\sigma_k - \\sigma_{k+1}$; the theorem has [half] of it": (
            half_gap([5.0, 3.0, 2.0], 1) / (5.0 - 3.0)
        ),
        "where it [exceeds] $\\sqrt{2k}$": beyond_most(),
    },
)
