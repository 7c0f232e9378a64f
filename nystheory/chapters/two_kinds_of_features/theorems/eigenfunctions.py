"""The operators that examples induce, and their eigenfunctions.

Yang, Li, Mahdavi, Jin and Zhou 2012, equations (1) and (2).  A function of the space of
the kernel is a vector here, an example the vector that evaluates at it, so that the
operators are matrices: means of examples times their transposes.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import scipy.linalg

from nystheory.engine import Claim, Control, Instance, Theorem
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.columns import signed


class Eigenfunctions(Instance):
    """The columns of one matrix, as functions."""


# --- Eigenvalues that are not zero, and their vectors ---------------------------------


def _sampled_points(i):
    return i.points[:, i.landmarks]


def _leading(i, points, rank):
    """Left vectors, squared values and right vectors of points, signs fixed."""
    if not i.rank_is_clear:
        return None
    U, s, Vt = scipy.linalg.svd(points, full_matrices=False)
    U, s, V = U[:, :rank], s[:rank], Vt[:rank].T
    # A sign of the right vector, for each of which the left one follows.
    pair = signed(np.vstack([U, V]), V)
    return None if pair is None else (pair[: len(U)], s**2, pair[len(U) :])


def of_all(i):
    return _leading(i, i.points, i.rank_K)


def of_sample(i):
    return _leading(i, _sampled_points(i), i.rank_W)


def _turned(i, found):
    """How rounding turns single vectors: by the smallest distance of two values."""
    if found is None:
        return np.inf
    gaps = -np.diff(np.append(found[1], 0.0))
    if not gaps.size:  # no vectors, none is turned
        return 1.0
    return i.norm_K / gaps.min() if gaps.all() else np.inf


def _in_the_sample(i):
    return _turned(i, of_sample(i))


def _of_all(i):
    return _turned(i, of_all(i))


def _part(found, place):
    return None if found is None else found[place]


def _diagonal(found):
    return None if found is None else np.diag(found[1])


function = partial(Eigenfunctions.quantity, unit=0)


@function(r"\Phi", "eigenfunctions of all examples, as columns", condition=_of_all)
def Phi(i):
    return _part(of_all(i), 0)


@function(
    r"\hat\Phi",
    "eigenfunctions of the landmarks, as columns",
    SAMPLE,
    condition=_in_the_sample,
)
def Phi_S(i):
    return _part(of_sample(i), 0)


@function("V", "their eigenvectors", condition=_of_all)
def V_K(i):
    return _part(of_all(i), 2)


@function(r"\hat V", "their eigenvectors", SAMPLE, condition=_in_the_sample)
def V_W(i):
    return _part(of_sample(i), 2)


def _clear(i):
    return 1.0 if i.rank_is_clear else np.inf


@Eigenfunctions.quantity(
    r"\Lambda", "eigenvalues of the matrix that are not zero", condition=_clear
)
def Lambda(i):
    return _diagonal(of_all(i))


@Eigenfunctions.quantity(
    r"\hat\Lambda",
    "eigenvalues of the core that are not zero",
    SAMPLE,
    condition=_clear,
)
def Lambda_S(i):
    return _diagonal(of_sample(i))


@Eigenfunctions.quantity("X_S", "landmarks as columns", SAMPLE, unit=0.5)
def points_S(i):
    return _sampled_points(i)


# --- The operators --------------------------------------------------------------------


@Eigenfunctions.quantity("L_n", "mean of the examples times their transposes")
def L_n(i):
    return np.mean([np.outer(x, x) for x in i.points.T], axis=0)


@Eigenfunctions.quantity("L_l", "mean of the landmarks times their transposes", SAMPLE)
def L_l(i):
    return np.mean([np.outer(x, x) for x in _sampled_points(i).T], axis=0)


def _cases(rng):
    """Points that are all different, so that no two eigenvalues are alike."""
    for _ in range(12):
        X = rng.integers(-3, 4, (3, 4))
        yield Eigenfunctions.from_points(X, [0, 2], 2, "integers")


# K = diag(4, 1) in the plane, and the second point.
_TWO = Eigenfunctions.exactly([1], 1, points=[[2, 0], [0, 1]])
# Both points, and the first one twice.
_THREE = Eigenfunctions.exactly([0, 0, 1], 2, points=[[2, 0], [0, 1]])
_SUM = "norm_K_F**2 / n**2 - 2 * norm_F(C)**2 / (n * l) + norm_F(W)**2 / l**2"

EIGENFUNCTIONS = Theorem(
    id="yang2012:eq-2",
    kind="identity",
    status="holds",
    title="Eigenfunctions from eigenvectors",
    number="equations (1) and (2)",
    setting=(
        r"Let $K = X^\top X$ with the examples $x_i$ as the columns of $X$, let $X_S$ "
        r"be $l$ landmarks, repetitions allowed, and let $L_n$ and $L_l$ be the means "
        r"of $x_i x_i^\top$ over the examples and over the landmarks. Let $\Lambda$ be "
        r"the diagonal matrix of the eigenvalues of $K$ above zero, with orthonormal "
        r"eigenvectors $V$, and $\hat\Lambda$, $\hat V$ those of $W = X_S^\top X_S$."
    ),
    claims={
        "functions": Claim(
            "Phi == X @ V_K @ inv(sqrt(Lambda))",
            says="The eigenfunctions, as columns, are",
        ),
        "of the landmarks": "Phi_S == points_S @ V_W @ inv(sqrt(Lambda_S))",
        "orthonormal": Claim(
            "Phi.T @ Phi == identity(rank_K)",
            says="The eigenfunctions are orthonormal:",
        ),
        "orthonormal, landmarks": "Phi_S.T @ Phi_S == identity(rank_W)",
        "operator": Claim(
            "L_n == Phi @ Lambda @ Phi.T / n",
            says="The eigenvalues of the operators are those of the matrices divided "
            "by their sizes, and otherwise zero:",
        ),
        "operator, landmarks": "L_l == Phi_S @ Lambda_S @ Phi_S.T / l",
        "distance": Claim(
            f"norm_F(L_n - L_l)**2 == {_SUM}",
            says="Their distance is computed from entries of $K$:",
        ),
    },
    world=Eigenfunctions,
    cases=_cases,
    controls={
        "without the root": Control("functions", _TWO, {"sqrt(Lambda)": "Lambda"}),
        "without the root, landmarks": Control(
            "of the landmarks", _THREE, {"sqrt(Lambda_S)": "Lambda_S"}
        ),
        "one percent longer": Control(
            "orthonormal", _TWO, {"== identity": "== 1.01 * identity"}
        ),
        "one percent longer, landmarks": Control(
            "orthonormal, landmarks", _TWO, {"== identity": "== 1.01 * identity"}
        ),
        "over the number of landmarks": Control("operator", _TWO, {"/ n": "/ l"}),
        "over the number of examples": Control(
            "operator, landmarks", _TWO, {"/ l": "/ n"}
        ),
        "without the columns": Control("distance", _TWO, {"- 2 *": "- 1 *"}),
    },
)
