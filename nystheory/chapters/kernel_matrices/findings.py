"""What the chapter concludes from an experiment, tried on other draws and data."""

from __future__ import annotations

from functools import partial

import numpy as np
import scipy.linalg

from nystheory import datasets, kernels, lowrank
from nystheory.engine.findings import Competitor, Data, Experiment, Field, Finding
from nystheory.engine.findings.experiments import one_thread

COLUMNS = Field("columns", "columns")
TIMES = Field("times", "error over that of the best matrix of the rank", by="with")
RANK, COUNTS = 50, (100, 200, 400)


def _some(size, rng, make, kernel=kernels.rbf):
    """A kernel matrix of random points of a data set, and its eigenvalues."""
    X = make(rng).X
    K = kernels.DenseKernel(kernel(X[rng.permutation(X.shape[0])[:size]]).dense())
    return K, scipy.linalg.eigvalsh(K.dense())[::-1]


@one_thread
def of_columns(trial) -> dict:
    """The error in the Frobenius norm from uniform columns, over the least."""
    K, values = trial.known
    order, least = trial.rng.permutation(K.n), np.linalg.norm(values[RANK:])
    near = (lowrank.nystrom(K, order[:count], rank=RANK) for count in COUNTS)
    return {"times": [float(each.error(K) / least) for each in near]}


BEST = Experiment(
    id="kernel_matrices:best",
    question="How near do uniform columns come to the best matrix of rank 50?",
    competitors={"columns": Competitor("uniform columns")},
    fields=[TIMES],
    measure=of_columns,
    along=COLUMNS,
    settings=COUNTS,
    shown={"digits": Data(partial(_some, make=lambda rng: datasets.digits()), 1000)},
    beyond={
        "patches": Data(partial(_some, make=lambda rng: datasets.patches(2000)), 1000),
        "cells": Data(partial(_some, make=lambda rng: datasets.breast_cancer()), 560),
        "patients": Data(partial(_some, make=lambda rng: datasets.diabetes()), 440),
        "documents": Data(
            partial(
                _some,
                make=lambda rng: datasets.documents(1000, 5000, rng),
                kernel=kernels.linear,
            ),
            1000,
        ),
    },
    findings={
        "twice": Finding(
            "times(columns) <= 2",
            on=("digits", "cells", "patients", "documents"),
            when="columns >= 200",
            but={"2": "1.01"},
            says="With 200 columns or more the error is at most 2 times the least",
        ),
        "more": Finding(
            "times(columns) <= 2",
            when="columns >= 400",
            but={"2": "1.01"},
            says="With 400 columns the error is at most 2 times the least",
        ),
    },
)
