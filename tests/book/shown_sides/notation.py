"""Notation: what shows words that could be exchanged."""

import ast

import numpy as np
from sides_shown import sides

from nystheory import datasets, lowrank
from nystheory.engine import Instance
from nystheory.engine.language import latex

RNG = np.random.default_rng(0)
X = RNG.standard_normal((3, 6))
CASE = Instance(X.T @ X, [1, 4], 2)


def counted(formulas, code):
    """How the column at a place of a line is shown."""
    line = ast.parse(f"column(A, {code})", mode="eval").body
    return latex.latex(line, {"A": "A"}) == f"A_{{:,{formulas}}}"


def points_are(here, in_data):
    """The shape of points, and that of a data set."""
    data = datasets.swiss_roll(7, RNG)
    told = {"rows": data.X.shape == (7, 3), "columns": data.X.shape == (3, 7)}
    own = {"columns": CASE.K.shape[0] == X.shape[1], "rows": CASE.K.shape[0] == len(X)}
    return own[here] and told[in_data]


def own_of_core(word):
    C, W = CASE.C, CASE.W
    return {"rows": np.allclose(C[[1, 4]], W), "columns": C.shape == W.shape}[word]


def first(word):
    values = lowrank.best_rank_k(CASE.K, 3).eigenvalues
    steps = np.diff(values)
    return {"largest": steps.max() <= 0, "smallest": steps.min() >= 0}[word]


def order(formula):
    """Of two matrices of which one is below the other."""
    B, A = CASE.K, lowrank.nystrom(CASE.K, [1, 4]).spectral_reconstruction()
    told = {"B - A": B - A, "A - B": A - B}[formula]
    return np.linalg.eigvalsh(told).min() > -1e-9


sides(
    "notation",
    {
        "are counted from [1|0] in formulas and from [0|1] in code": counted,
        "points as [columns|rows], $N \\times n$; in data sets the points are "
        "[rows|columns] |": points_are,
        "the core: [rows|columns] of $C$ at the landmarks": own_of_core,
        "$j$-th singular value, eigenvalue, [largest|smallest] first": first,
        "$[B - A|A - B]$ is positive semidefinite": order,
    },
)
