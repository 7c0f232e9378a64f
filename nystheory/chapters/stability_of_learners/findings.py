"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory import guarantees, lowrank, sampling
from nystheory.chapters.stability_of_learners import experiments, points, predictors
from nystheory.chapters.stability_of_learners.experiments import SHARES
from nystheory.engine.findings import (
    MEAN,
    Choice,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)
from nystheory.learners import KernelRidge

# ---- fields: the figures draw them, the findings speak of them ----

SPECTRAL = "spectral norm"
ERROR = Field("error", "relative error of $K$", "%", SPECTRAL)
CHANGE = Field("change", "change of the prediction", by="")
POWER = Field("power", "power of the error", by="in")
LINE = Field("correlation", "correlation with the error", by="of")
RIDGE = Field("ridge", "ridge over $n$", by="of")
LAPLACIAN = Field("laplacian", "relative error of $L$", "%", SPECTRAL)
SPREAD = Field("spread", "relative change of predictions", by="")
EXPLAINED = Field("explained", "share of the variance explained", by="with")
MISSED = Field("missed", "share of the variance missed", by="with")
FAILS = Field("fails", "share of splits worse than the mean label", by="with")
BOUND = Field("bound", "bound on the change", by="from")

PERCENT = Field("columns", "columns", "% of the points")


def _of(make, size, gamma) -> Data:
    return Data(partial(points.labelled, make, gamma=gamma), size)


# ---- ridge regression, and its bounds ----

OBSERVED = {
    "mean": "mean change of the test",
    "test": "largest change of the test",
    "farthest": "largest change of all",
}
OF_RIDGE = {
    "bound": "bound as printed",
    "small ridge": "bound for a small ridge",
    "residual": "bound from the residual",
}
OF_VECTORS = {"printed": "bound as printed", "sharper": "sharper bound"}
LEARNER = Competitor("learner", "learner", "the learner")


def _competing(bounds) -> dict[str, Competitor]:
    """What is observed, and bounds on it; a name in a line has one word."""
    return {
        name.split()[0]: Competitor(label, name, f"the {label}")
        for name, label in (OBSERVED | bounds).items()
    }


def changes(moves: experiments.Moves, name: str) -> np.ndarray:
    """What is observed, or a bound on it.

    Parameters
    ----------
    moves : Moves
    name : str
        Of `OBSERVED`, or of one of its bounds.
    """
    observed = {"mean": moves.mean, "test": moves.largest, "farthest": moves.farthest}
    return observed[name] if name in observed else moves.bounds[name]


def split_and_move(drawn, rng):
    """Ridge regression on a split, with a ridge by leaving one out."""
    data, gamma = drawn
    found = experiments.split(data, gamma, rng)
    return experiments.ridge_moves(found, rng), None


def moved(trial):
    """How far, and how it grows with the error of the matrix."""
    moves = trial.known
    if trial.run == "learner":
        return {"ridge": moves.chosen["lambda_0"]}
    values = changes(moves, trial.run)
    line, power = experiments.shape(moves.relative, values)
    return {"change": values, "power": power, "correlation": line}


RIDGE_MOVES = Experiment(
    id="stability_of_learners:ridge-moves",
    question="How far do predictions of ridge regression move, and what is the bound?",
    competitors=_competing(OF_RIDGE) | {"learner": LEARNER},
    fields=[CHANGE, POWER, LINE, RIDGE],
    prepare=split_and_move,
    measure=moved,
    along=PERCENT,
    settings=tuple(100 * share for share in SHARES),
    shown={
        "patients": _of(points.patients, 442, 0.1),
        "robot arm": _of(points.arm, 600, 0.1),
        "half of the patients": _of(points.patients, 220, 0.1),
        "300 positions of the arm": _of(points.arm, 300, 0.1),
    },
    beyond={
        "patients with twice the width": _of(points.patients, 442, 0.025),
        "robot arm with half the width": _of(points.arm, 400, 0.4),
        "odd digits": _of(points.odd, 400, 0.05),
        "Swiss roll": _of(points.roll, 300, 0.02),
    },
    findings={
        "hundred": Finding(
            "change(bound) > 100 * change(farthest)",
            but={"100": "1000"},
            says="The bound as printed is more than 100 times the largest change at "
            "any point",
        ),
        "residual": Finding(
            "change(residual) < 50 * change(farthest)",
            on=(
                "patients",
                "robot arm",
                "half of the patients",
                "300 positions of the arm",
                "patients with twice the width",
            ),
            but={"50": "5"},
            says="The bound from the residual is less than 50 times the largest change "
            "at any point",
        ),
        "small ridge": Finding(
            "change(bound) > 10 * change(small)",
            but={"10": "100"},
            says="The bound as printed is more than 10 times the bound for a small "
            "ridge",
        ),
        "test": Finding(
            "change(farthest) > change(test)",
            but={">": "> 5 *"},
            says="The largest change at any point exceeds the largest of the test",
        ),
        "line": Finding(
            "correlation(mean) > 0.85",
            MEAN,
            but={"0.85": "0.999"},
            says="The correlation of the mean change of the test with the error is "
            "above 0.85",
        ),
        "faster": Finding(
            "power(mean) > 1",
            MEAN,
            but={"1": "2"},
            says="The mean change of the test grows like the error to a power above 1",
        ),
        "ridge": Finding(
            "ridge(learner) < 0.05",
            but={"0.05": "0.005"},
            says="The ridge that is chosen is below $0.05\\, n$",
        ),
    },
)


# ---- support vectors ----


def split_and_machine(drawn, rng):
    """A support vector machine, or regression where there is a tube."""
    (data, gamma), C_0, tube = drawn
    found = experiments.split(data, gamma, rng)
    return experiments.vector_moves(found, C_0, rng, tube), None


def machine_moved(trial):
    """How far, and with which power of the error."""
    values = changes(trial.known, trial.run)
    _, power = experiments.shape(trial.known.relative, values)
    return {"change": values, "power": power}


def _machine(make, size, gamma, C_0=10.0, tube=None) -> Data:
    return Data(lambda n, rng: (points.labelled(make, n, rng, gamma), C_0, tube), size)


VECTOR_MOVES = Experiment(
    id="stability_of_learners:vector-moves",
    question="How far do support vectors move a prediction, and what is the bound?",
    competitors=_competing(OF_VECTORS),
    fields=[CHANGE, POWER],
    prepare=split_and_machine,
    measure=machine_moved,
    along=PERCENT,
    settings=tuple(100 * share for share in SHARES),
    shown={
        "cell samples": _machine(points.cells, 569, 0.02),
        "regression on patients": _machine(points.patients, 442, 0.1, tube=0.1),
    },
    beyond={
        "half of the cell samples": _machine(points.cells, 280, 0.02),
        "cell samples with a larger weight": _machine(
            points.cells, 400, 0.02, C_0=100.0
        ),
        "regression on the robot arm": _machine(points.arm, 400, 0.1, tube=0.1),
        "patients with a wide tube": _machine(points.patients, 442, 0.1, tube=0.3),
    },
    findings={
        "sharper": Finding(
            "change(printed) > 10 * change(sharper)",
            but={"10": "100"},
            says="The bound as printed is more than 10 times the sharper bound",
        ),
        "root": Finding(
            "power(farthest) > 0.5",
            but={"0.5": "2"},
            says="The largest change at any point grows like the error to a power "
            "above 0.5",
        ),
    },
)


# ---- labels on a graph ----


GRAPH_COLUMNS = (5, 10, 20, 40, 80, 160)


def _graph(make, size, gamma) -> Data:
    return Data(lambda n, rng: (make(n, rng), gamma), size)


def spread(drawn, rng):
    """Labels on the graph of a kernel, and on those of its approximations."""
    data, gamma = drawn
    return experiments.graph_moves(data, gamma, 100.0, GRAPH_COLUMNS, rng), None


def spread_moved(trial):
    """The change, or the bound on it, as a share of the norm of all predictions."""
    return {"spread": getattr(trial.known, trial.run) / trial.known.size}


OF_GRAPHS = {
    "bound": Competitor("bound", "bound", "the bound"),
    "moved": Competitor("observed", "moved", "what is observed"),
}
DIGIT_PAIRS = ("4 and 9", "3 and 8")
ALL_CELLS = ("cell samples", "cell samples without the farthest", "last cell samples")

GRAPH_MOVES = Experiment(
    id="stability_of_learners:graph-moves",
    question="How far do labels on a graph move, and what is the bound?",
    competitors=OF_GRAPHS,
    fields=[SPREAD],
    prepare=spread,
    measure=spread_moved,
    along=Field("columns", "columns"),
    settings=GRAPH_COLUMNS,
    shown={
        "4 and 9": _graph(partial(points.two, 4, 9), 300, 0.05),
        "cell samples": _graph(points.first_cells, 300, 0.02),
        "cell samples without the farthest": _graph(
            partial(points.first_cells, without=1), 299, 0.02
        ),
        "cell samples without the farthest two": _graph(
            partial(points.first_cells, without=2), 298, 0.02
        ),
    },
    beyond={
        "3 and 8": _graph(partial(points.two, 3, 8), 300, 0.05),
        "4 and 9, 200 points": _graph(partial(points.two, 4, 9), 200, 0.05),
        "4 and 9, half the width": _graph(partial(points.two, 4, 9), 300, 0.2),
        "last cell samples": _graph(points.other_cells, 260, 0.02),
        "cell samples with half the width": _graph(points.first_cells, 300, 0.08),
    },
    findings={
        "digits": Finding(
            "spread(bound) < 50 * spread(moved)",
            on=DIGIT_PAIRS,
            but={"50": "5"},
            says="The bound is less than 50 times what is observed",
        ),
        "cells": Finding(
            "spread(bound) > 500 * spread(moved)",
            on=ALL_CELLS,
            but_on="cell samples without the farthest two",
            says="The bound is more than 500 times what is observed",
        ),
        "rest": Finding(
            "spread(bound) > 20 * spread(moved)",
            on=("cell samples without the farthest two",),
            but_on="4 and 9",
            says="The bound is more than 20 times what is observed",
        ),
    },
)


# ---- which kernel predicts ----

PREDICTORS = {
    "all": Competitor("all points", "exact"),
    "features": Competitor("features", "regressors"),
    "rows": Competitor("true rows", "nystrom"),
    "borrowed_features": Competitor(
        "features and the ridge of all points", "regressors", chosen_for="all"
    ),
    "borrowed": Competitor(
        "true rows and the ridge of all points", "nystrom", chosen_for="all"
    ),
}


def in_fifths(drawn, rng):
    """What is learned from with its points to choose by, and the points of the test."""
    (data, gamma), share = drawn
    return predictors.in_fifths(data.X, data.y, gamma, rng, share)


def _learned(make, size, gamma, share=0.2) -> Data:
    """With the share of the columns that are drawn."""
    return Data(lambda n, rng: (points.labelled(make, n, rng, gamma), share), size)


def _on_points_aside(method, ridge, known):
    return -predictors.share_explained(method, ridge, known, known.aside)


def explained(trial):
    """On the points of the test."""
    share = predictors.share_explained(
        trial.run, trial.chosen, trial.known, trial.judged
    )
    return {"explained": share, "missed": 1 - share, "fails": float(share < 0)}


WHICH_KERNEL = Experiment(
    id="stability_of_learners:which-kernel",
    question="Trained with a fifth of the columns, which kernel should predict?",
    competitors=PREDICTORS,
    fields=[EXPLAINED, MISSED, FAILS],
    prepare=in_fifths,
    choose=Choice(
        Field("ridge", "ridge", by="of"),
        "the least error on points that are set aside",
        predictors.ridges,
        _on_points_aside,
    ),
    measure=explained,
    draws=20,
    shown={
        "robot arm": _learned(points.arm, 600, 0.1),
        "patients": _learned(points.patients, 442, 0.1),
    },
    beyond={
        "300 positions of the arm": _learned(points.arm, 300, 0.1),
        "patients with twice the width": _learned(points.patients, 442, 0.025),
        "odd digits": _learned(points.odd, 500, 0.05),
        "waves": _learned(points.waves, 600, 60.0),
        "more waves and columns": _learned(points.waves, 1500, 60.0, 0.4),
    },
    findings={
        "even": Finding(
            "explained(rows) >= explained(features)",
            MEAN,
            on=("robot arm", "patients"),
            but={">=": ">= 1.2 *"},
            expected="open",
            says="True rows explain at least as much of the variance as features do",
        ),
        "near": Finding(
            "explained(features) <= explained(rows) + 0.05",
            MEAN,
            on=(
                "robot arm",
                "patients",
                "patients with twice the width",
                "odd digits",
                "waves",
            ),
            but_on="more waves and columns",
            says="Features explain at most 0.05 of the variance more than true rows do",
        ),
        "arm": Finding(
            "fails(borrowed) > 0.25",
            MEAN,
            on=("robot arm",),
            but={"borrowed": "rows"},
            says="With the ridge of all points, true rows predict worse than the mean "
            "label in more than 0.25 of the splits",
        ),
        "patients": Finding(
            "fails(borrowed) < 0.25",
            MEAN,
            on=("patients", "patients with twice the width"),
            but_on="robot arm",
            says="With the ridge of all points, true rows predict worse than the mean "
            "label in less than 0.25 of the splits",
        ),
        "waves": Finding(
            "missed(rows) >= 1.5 * missed(features)",
            MEAN,
            on=("more waves and columns",),
            but_on="waves",
            says="True rows miss at least 1.5 times the share of the variance that "
            "features miss",
        ),
    },
)


# ---- certificates in place of promises ----


def strong_ridge(drawn, rng):
    """A strong ridge, and a hundred pivots."""
    data, gamma = drawn
    found = experiments.split(data, gamma, rng)
    pivots = sampling.rp_cholesky(found.K, 100, rng)
    return (found, lowrank.from_factor(pivots)), None


def by_certificate(trial):
    """The bound on the change of every prediction."""
    found, near = trial.known
    learner = KernelRidge(0.1 * found.K.n, predict_with="kernel")
    whole = near if trial.run == "trace" else near.spectral_reconstruction()
    return {"bound": guarantees.stability(learner, found.K, whole, found.y).bound}


AFTERWARDS = Experiment(
    id="stability_of_learners:afterwards",
    question="What do certificates of a hundred pivots say of a strong ridge?",
    competitors={
        "trace": Competitor("the trace of the error", "trace"),
        "norm": Competitor("its spectral norm", "norm"),
    },
    fields=[BOUND],
    prepare=strong_ridge,
    measure=by_certificate,
    shown={"patients": _of(points.patients, 442, 0.1)},
    beyond={
        "half of the patients": _of(points.patients, 220, 0.1),
        "robot arm": _of(points.arm, 400, 0.1),
        "cell samples": _of(points.cells, 400, 0.02),
    },
    findings={
        "norm": Finding(
            "bound(norm) < 0.2 * bound(trace)",
            but={"0.2": "0.02"},
            says="The bound from the spectral norm of the error is less than 0.2 times "
            "the bound from its trace",
        )
    },
)
