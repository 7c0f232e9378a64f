"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory import datasets, kernels
from nystheory.chapters.kernel_principal_components import experiments
from nystheory.engine.findings import (
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)

COLUMNS = Field("columns", "columns")


def _gaussian(size, rng, make):
    """The Gaussian kernel of random points of a data set, all entries of it."""
    X = make().X
    X = X[rng.permutation(len(X))[:size]]
    return kernels.DenseKernel(kernels.rbf(X).dense())


DIGITS = partial(_gaussian, make=datasets.digits)
CELLS = partial(_gaussian, make=datasets.breast_cancer)
PATIENTS = partial(_gaussian, make=datasets.diabetes)
PATCHES = partial(_gaussian, make=partial(datasets.patches, 2000))

# ---- the picture ----

MOVED = Field("moved", "points moved", "%", by="with")
FEW = (8, 20, 60)


def _chosen(size, rng, kept=(0, 1, 4)):
    """Random images of some digits."""
    data = datasets.digits()
    some = np.flatnonzero(np.isin(data.y, kept))
    X = data.X[rng.permutation(some)[:size]]
    return kernels.DenseKernel(kernels.rbf(X).dense())


def moved(trial):
    """By how much of their size points move in the plane, for numbers of columns."""
    order = trial.rng.permutation(trial.known.n)
    return {"moved": experiments.moved(trial.known, order, FEW)}


PICTURE = Experiment(
    id="kernel_principal_components:picture",
    question="How many columns give the picture of the two leading components?",
    competitors={"columns": Competitor("uniform columns", None)},
    fields=[MOVED],
    measure=moved,
    along=COLUMNS,
    settings=FEW,
    shown={"digits 0, 1, 4": Data(_chosen, 500)},
    beyond={
        "digits 3, 5, 8": Data(partial(_chosen, kept=(3, 5, 8)), 500),
        "cells": Data(CELLS, 500),
        "patients": Data(PATIENTS, 400),
    },
    findings={
        "near": Finding(
            "moved(columns) <= 20",
            when="columns >= 60",
            but={"20": "2"},
            says="With 60 columns the points have moved by at most 20 percent",
        ),
        "few": Finding(
            "moved(columns) >= 10",
            MEAN,
            when="columns <= 8",
            but={">=": "<="},
            says="With 8 columns the points have moved by at least 10 percent",
        ),
    },
)

# ---- residuals ----

CHANGE = Field("change", "bound on the difference of the residuals", "%", by="with")
LEAST = Field("least", "least residual", "%", by="with")
SOME = (40, 160, 320)
LEADING = 10


def left(trial):
    """The residual of K and the bound on its change, in percent of the trace."""
    K, seed = trial.known, int(trial.rng.integers(2**31))
    found = experiments.residuals(K, LEADING, SOME, seed)
    share = 100 * K.n / np.trace(K.dense())
    return {
        "change": (share * found.change).tolist(),
        "least": [share * found.best] * len(SOME),
    }


RESIDUALS = Experiment(
    id="kernel_principal_components:residuals",
    question="Does the bound by the norm of the error tell the residual?",
    competitors={"columns": Competitor("uniform columns", None)},
    fields=[CHANGE, LEAST],
    measure=left,
    along=COLUMNS,
    settings=SOME,
    shown={"digits": Data(DIGITS, 400)},
    beyond={
        "cells": Data(CELLS, 400),
        "patients": Data(PATIENTS, 400),
        "patches": Data(PATCHES, 400),
    },
    findings={
        "loose": Finding(
            "change(columns) >= least(columns)",
            when="columns <= 160",
            but={">=": ">= 10 *"},
            says="With 160 columns or fewer the bound on the difference is at least "
            "the residual itself",
        ),
    },
)

# ---- samples of the points ----

POINTS = Field("points", "points drawn")
LACKS = Field("lacks", "residual of all points less that of the sample", by="with")
MOST = Field("most", "bound on the difference of the residuals", by="with")
APART = Field("apart", "distance of the leading subspaces", by="with")
ALLOWED = Field("allowed", "bound on that distance", by="with")
DRAWN = (25, 100, 400)
OF = 3


def sampled(trial):
    """One sample of each size, with its bounds."""
    seed = int(trial.rng.integers(2**31))
    found = experiments.samples(trial.known, OF, DRAWN, 1, seed)
    return {
        "lacks": found.residual[:, 0].tolist(),
        "most": found.residual_bound.tolist(),
        "apart": found.distance[:, 0].tolist(),
        "allowed": found.distance_bound.tolist(),
    }


SAMPLES = Experiment(
    id="kernel_principal_components:samples",
    question="What does a sample tell of the components of all points?",
    competitors={"sample": Competitor("a sample", None)},
    fields=[LACKS, MOST, APART, ALLOWED],
    measure=sampled,
    along=POINTS,
    settings=DRAWN,
    shown={"digits": Data(DIGITS, 400)},
    beyond={
        "cells": Data(CELLS, 400),
        "patients": Data(PATIENTS, 400),
        "patches": Data(PATCHES, 400),
    },
    findings={
        "believes": Finding(
            "lacks(sample) >= 0",
            MEAN,
            on=("digits", "cells", "patients"),
            when="points <= 25",
            but={">=": "<="},
            says="The residual of a sample of 25 points is smaller than that of all",
        ),
        "loose": Finding(
            "most(sample) >= 2 * lacks(sample)",
            but={"2": "20"},
            says="The bound is at least 2 times the difference of the residuals",
        ),
        "idle": Finding(
            "allowed(sample) >= 2.45",
            but={"2.45": "24"},
            says="The bound on the distance is at least 2.45, and no two subspaces of "
            "three dimensions are farther apart",
        ),
    },
)

# ---- how far components turn ----

COMPONENTS = Field("components", "components $k$")
TURNED = Field("turned", "distance of the leading subspaces", "%", by="with")
BOUND = Field("bound", "bound by the change of the covariance", "%", by="with")
RESIDUAL = Field("residual", "bound by the residual", "%", by="with")
WITH = 100
UP_TO = (1, 2, 3)


def turned(trial):
    """Distances and bounds in percent of the largest distance that is possible."""
    K, centred = trial.known
    order = trial.rng.permutation(K.n)[:WITH]
    found = experiments.turns(K, order, UP_TO[-1], centred=centred)
    share = 100 / np.sqrt(2 * np.array(UP_TO))
    # An infinite bound says no more than one of a thousand times the largest.
    residual = np.minimum(found.by_residual, 1000)
    return {
        "turned": (share * getattr(found, trial.run)).tolist(),
        "bound": (share * found.by_covariance).tolist(),
        "residual": (share * residual).tolist(),
    }


def _with_mean(size, rng, make):
    return make(size, rng), False


def _centred(size, rng, make):
    return make(size, rng), True


TURNS = Experiment(
    id="kernel_principal_components:turns",
    question="How far do the leading components turn, and what do bounds say?",
    competitors={
        "natural": Competitor("Nyström features", "natural"),
        "roots": Competitor("square roots", "roots"),
    },
    fields=[TURNED, BOUND, RESIDUAL],
    measure=turned,
    along=COMPONENTS,
    settings=UP_TO,
    shown={
        "digits": Data(partial(_with_mean, make=DIGITS), 500),
        "centred digits": Data(partial(_centred, make=DIGITS), 500),
        "centred cells": Data(partial(_centred, make=CELLS), 500),
    },
    beyond={
        "cells": Data(partial(_with_mean, make=CELLS), 500),
        "patients": Data(partial(_with_mean, make=PATIENTS), 400),
        "centred patients": Data(partial(_centred, make=PATIENTS), 400),
    },
    findings={
        "roots": Finding(
            "turned(roots) <= turned(natural)",
            but={"<=": "<= 0.1 *"},
            says="The leading subspaces are at least as near for square roots as for "
            "Nyström features",
        ),
        "first": Finding(
            "bound(natural) <= 100",
            on=("digits", "cells", "patients", "centred cells"),
            when="components <= 1",
            but_on="centred digits",
            says="For the first component the bound is at most 100 percent of the "
            "largest possible distance",
        ),
        "second": Finding(
            "bound(natural) >= 100",
            on=("digits", "centred digits", "centred cells", "centred patients"),
            when="components >= 2",
            but_on="cells",
            says="For two components or three the bound is at least 100 percent of the "
            "largest possible distance",
        ),
        "third": Finding(
            "bound(natural) >= 100",
            when="components >= 3",
            but={">=": "<="},
            says="For three components the bound is at least 100 percent of the "
            "largest possible distance",
        ),
        "none": Finding(
            "bound(natural) >= 100",
            on=("centred digits",),
            but_on="centred cells",
            says="The bound is at least 100 percent of the largest possible distance "
            "for one component, for two and for three",
        ),
        "residual": Finding(
            "residual(natural) <= bound(natural)",
            on=("cells", "patients", "centred cells", "centred patients"),
            when="components <= 1",
            but={"<=": "<= 0.1 *"},
            says="For the first component the bound by the residual is at most that by "
            "the covariance",
        ),
    },
)
