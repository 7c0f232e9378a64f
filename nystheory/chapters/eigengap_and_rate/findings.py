"""What the chapter concludes from experiments, tried on other draws and data."""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory import datasets, kernels
from nystheory.chapters.eigengap_and_rate import experiments, protocol
from nystheory.chapters.eigengap_and_rate.experiments import COUNTS, GAMMA, MOST
from nystheory.engine.findings import (
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)

# Landmarks, or frequencies.
SAMPLES = Field("samples", "samples")
ACCURACY = Field("accuracy", "accuracy on the test", "%")
ERROR = Field("error", "error on the test", "%")
OVERALL = Field("overall", "mean error over all numbers of samples", "%")
GAMMAS = Field("gamma", "gamma", by="of")
RIDGES = Field("ridge", "ridge per point", by="of")
FIRST = Field("first", "cosine with the first eigenvector", by="of")
SECOND = Field("second", "cosine with the second eigenvector", by="of")
LEAST = Field(
    "least", "least entry of the first eigenvector times the root of n", by="of"
)
VALUE = Field("value", "first eigenvalue over n", by="of")
GAP = Field("gap", "first eigenvalue over the second", by="of")
DROP = Field("drop", "fiftieth eigenvalue", "% of the first", by="of")
SLOPE = Field("slope", "slope", by="of")

NYSTROM = Competitor("Nyström features", protocol.landmarks)
WAVES = Competitor(
    "random Fourier features, m frequencies",
    protocol.waves,
    "random Fourier features of as many frequencies",
)
EQUAL = Competitor(
    "random Fourier features, m features",
    protocol.half_as_many,
    "as many random Fourier features",
)
FAST = Competitor("standard normal frequencies", protocol.fast_waves)
MAPS = {"nystrom": NYSTROM, "waves": WAVES, "equal": EQUAL}


# ---- figure 1: two balls ----


def balls(size, rng, redundant=100, gamma=GAMMA):
    """The points, with the width of their kernel."""
    drawn = datasets.two_balls(size, rng, redundant)
    return drawn.X, drawn.y, gamma


def split_balls(drawn, rng):
    """Four fifths to learn from; the width of the kernel is given."""
    X, y, gamma = drawn
    return protocol.split(X, y, rng, [gamma])


def learned(trial, counts) -> dict:
    """The errors of a feature map, and what was chosen, with each number of samples."""
    seeds = trial.rng.integers(2**32, size=len(counts))
    found = [
        protocol.cross_validated(trial.run, count, trial.known, trial.judged, seed)
        for count, seed in zip(counts, seeds, strict=True)
    ]
    return {name: [each[name] for each in found] for name in found[0]}


def accuracies(trial):
    """With the paper's numbers of samples."""
    found = learned(trial, COUNTS)
    return {"accuracy": 100 - np.array(found["error"]), "ridge": found["ridge"]}


FEWER, MORE = "50 redundant features", "200 redundant features"
BALLS = {
    "3000 points": Data(balls, 3000),
    FEWER: Data(partial(balls, redundant=50), 3000),
    MORE: Data(partial(balls, redundant=200), 3000),
    "half the width": Data(partial(balls, gamma=4 * GAMMA), 3000),
    "twice the width": Data(partial(balls, gamma=GAMMA / 4), 3000),
}
NOT_MORE = ("two balls", *(name for name in BALLS if name != MORE))

FIGURE_1 = Experiment(
    id="eigengap_and_rate:two-balls",
    question="How often are labels of two balls right, from m samples?",
    competitors=MAPS | {"fast": FAST},
    fields=[ACCURACY, RIDGES],
    prepare=split_balls,
    measure=accuracies,
    along=SAMPLES,
    settings=COUNTS,
    draws=20,
    shown={"two balls": Data(balls, 10_000)},
    beyond=BALLS,
    findings={
        "better": Finding(
            "accuracy(nystrom) >= accuracy(waves)",
            MEAN,
            on=NOT_MORE,
            but={">=": "<="},
            says="Nyström features have at least the accuracy of random Fourier "
            "features of as many frequencies as landmarks",
        ),
        "equal": Finding(
            "accuracy(nystrom) >= accuracy(equal)",
            MEAN,
            but={">=": "<="},
            says="Nyström features have at least the accuracy of as many random "
            "Fourier features",
        ),
        "perfect": Finding(
            "accuracy(nystrom) >= 97",
            on=NOT_MORE,
            when="samples >= 100",
            but={"nystrom": "fast"},
            says="With 100 landmarks, Nyström features are right at no less than 97 % "
            "of the points of the test",
        ),
        "no guess": Finding(
            "accuracy(waves) >= 80",
            when="samples >= 100",
            but={"waves": "fast"},
            says="With 100 frequencies, random Fourier features are right at no less "
            "than 80 % of these points",
        ),
        "fast": Finding(
            "accuracy(fast) <= 60",
            MEAN,
            on=("two balls", *(x for x in BALLS if x != FEWER)),
            but={"fast": "waves"},
            says="With standard normal frequencies, random Fourier features are right "
            "at no more than 60 % of these points",
        ),
    },
)


def with_leading(drawn, rng):
    """The points, and the leading eigenvectors of their kernel matrix."""
    X, _, gamma = drawn
    return (X, gamma, experiments.of_kernel(kernels.rbf(X, gamma), rng)), None


def directions(trial):
    """How far the eigenvectors of an approximation are from those of K."""
    X, gamma, best = trial.known
    found = best
    if trial.run is not None:
        transformer = trial.run(X, MOST, gamma, trial.rng)
        found = experiments.of_features(transformer.transform(X))
    first, second = found.close_to(best)
    value, other = found.values
    return {
        "first": first,
        "second": second,
        "least": found.least,
        "value": value,
        "gap": value / other,
    }


DIRECTIONS = Experiment(
    id="eigengap_and_rate:directions",
    question="How near are eigenvectors, from 100 samples?",
    competitors={
        "kernel": Competitor("kernel matrix", None, "the kernel matrix"),
        "nystrom": NYSTROM,
        "waves": WAVES,
        "fast": FAST,
    },
    fields=[FIRST, SECOND, LEAST, VALUE, GAP],
    prepare=with_leading,
    measure=directions,
    shown={"two balls": Data(balls, 10_000)},
    beyond=BALLS,
    findings={
        "second": Finding(
            "second(nystrom) >= second(waves)",
            but={">=": "<="},
            says="The second eigenvector is at least as close to that of the kernel "
            "matrix with Nyström features as with random Fourier features of as many "
            "frequencies",
        ),
        "near": Finding(
            "second(nystrom) >= 0.95",
            on=NOT_MORE,
            but={"nystrom": "waves"},
            says="The second eigenvector of Nyström features has a cosine of at least "
            "0.95 with that of the kernel matrix",
        ),
        "gap": Finding("gap(kernel) >= 20", but={"20": "200"}),
        "even": Finding(
            "least(waves) > 0",
            but={"waves": "fast"},
            says="All entries of the first eigenvector of random Fourier features have "
            "one sign",
        ),
        "uneven": Finding(
            "least(fast) < 0",
            but={"fast": "waves"},
            says="With standard normal frequencies the first eigenvector has entries "
            "of both signs",
        ),
    },
)


# ---- figures 2 and 3: data at hand ----


def _some(make, size, rng):
    drawn = make(rng)
    order = rng.permutation(len(drawn.X))[:size]
    return drawn.X[order], drawn.y[order]


def patients(rng):
    """The diabetes patients; what is predicted is a number."""
    found = datasets.diabetes()
    return datasets.Dataset(found.name, found.X, found.y.astype(float), "", "")


def _data(make, size) -> Data:
    return Data(partial(_some, make), size)


def _plain(make):
    return lambda rng: make()


def arm(size):
    """So many positions of the robot arm."""
    return Data(lambda n, rng: _arm(n, rng), size)


def _arm(n, rng):
    drawn = datasets.robot_arm(n, rng)
    return drawn.X, drawn.y


digits, cells = _plain(datasets.digits), _plain(datasets.breast_cancer)


def pictures(rng):
    """Patches of two photographs; what is predicted is the photograph."""
    return datasets.patches(4000)


def split_points(drawn, rng):
    """Four fifths to learn from, each width among those that are tried."""
    X, y = drawn
    return protocol.split(X, y, rng)


FEW = (10, 20, 50, 100, 200)
MOST_ON_DATA = 500


def errors(trial):
    """With up to 200 samples, and in their mean."""
    found = learned(trial, FEW)
    return found | {"overall": np.mean(found["error"])}


def errors_with_500(trial):
    """With 500 samples."""
    return learned(trial, [MOST_ON_DATA])


ON_DATA = Experiment(
    id="eigengap_and_rate:on-data",
    question="Which features predict better, from m samples?",
    competitors=MAPS,
    fields=[ERROR, OVERALL, GAMMAS, RIDGES],
    prepare=split_points,
    measure=errors,
    along=SAMPLES,
    settings=FEW,
    shown={
        "digits": _data(digits, 1797),
        "patients": _data(patients, 442),
        "robot arm": arm(50_000),
    },
    beyond={
        "cell samples": _data(cells, 569),
        "pictures": _data(pictures, 2000),
        "5000 positions": arm(5000),
    },
    findings={
        "equal": Finding(
            "overall(nystrom) <= overall(equal)",
            MEAN,
            on=("digits", "robot arm", "5000 positions"),
            but={"<=": ">="},
            says="The mean error over all numbers of samples is no larger with Nyström "
            "features than with the same number of random Fourier features",
        ),
        "arm": Finding(
            "overall(waves) <= overall(nystrom)",
            MEAN,
            on=("robot arm", "5000 positions"),
            but={"<=": ">="},
            says="The mean error is no larger with random Fourier features of as many "
            "frequencies than with Nyström features",
        ),
    },
)

WITH_500 = Experiment(
    id="eigengap_and_rate:with-500",
    question="Which features predict better, from 500 samples?",
    competitors=MAPS,
    fields=[ERROR, GAMMAS, RIDGES],
    prepare=split_points,
    measure=errors_with_500,
    shown={"robot arm": arm(50_000)},
    beyond={"digits": _data(digits, 1797)},
    findings={
        "equal": Finding(
            "error(nystrom) <= error(equal)",
            MEAN,
            on=("robot arm",),
            but={"<=": ">="},
        ),
        "waves": Finding(
            "error(waves) <= error(nystrom)",
            MEAN,
            on=("robot arm",),
            but={"<=": ">="},
        ),
    },
)


# ---- rates ----


def with_slopes(drawn, rng, width=0.25):
    """How errors fall, by name; the same landmarks for each."""
    X, y = drawn
    gamma = width / X.var(axis=0).sum()
    matrix = experiments.Whole.of(X, y.astype(float), gamma)
    return experiments.slopes(matrix, rng), None


def falling(trial):
    """The slope of one error."""
    return {"slope": trial.known[trial.run]}


def ball_points(rng):
    """Two balls as points with labels."""
    return datasets.two_balls(1200, rng)


RATES = Experiment(
    id="eigengap_and_rate:rates",
    question="With which power of the number of landmarks do errors fall?",
    competitors={
        "component": Competitor("first component", "component", "the first component"),
        "matrix": Competitor("matrix", "matrix", "the matrix"),
        "objective": Competitor("objective", "objective", "the objective"),
    },
    fields=[SLOPE],
    prepare=with_slopes,
    measure=falling,
    draws=20,
    shown={
        "digits": _data(digits, 1200),
        "patients": _data(patients, 442),
        "robot arm": arm(1200),
        "two balls": _data(ball_points, 1200),
    },
    beyond={
        "half of the digits": _data(digits, 900),
        "cell samples": _data(cells, 569),
        "pictures": _data(pictures, 1200),
        "2000 positions": arm(2000),
    },
    findings={
        "slower": Finding(
            "slope(component) >= -1",
            MEAN,
            but={"component": "matrix"},
            says="The error of the first component falls no faster than $l^{-1}$",
        ),
        "root": Finding(
            "slope(component) <= -0.5",
            MEAN,
            on=("digits", "robot arm", "two balls", "2000 positions"),
            but={"0.5": "1"},
            says="The error of the first component falls at least as fast as "
            "$l^{-0.5}$",
        ),
        "matrix": Finding(
            "slope(matrix) <= -0.5",
            MEAN,
            but={"0.5": "3"},
            says="The error of the matrix falls at least as fast as $l^{-0.5}$",
        ),
        "objective": Finding(
            "slope(objective) <= -1",
            MEAN,
            on=(
                "digits",
                "patients",
                "robot arm",
                "two balls",
                "half of the digits",
                "2000 positions",
            ),
            but={"1": "3"},
            says="The excess of the objective falls at least as fast as $l^{-1}$",
        ),
    },
)


# ---- figure 3: eigenvalues ----


def decay(trial):
    """The gap after the first, and how far they have dropped at the fiftieth."""
    X, _ = trial.known
    values = experiments.eigenvalues(X, trial.run / X.var(axis=0).sum())
    return {"gap": values[0] / values[1], "drop": 100 * values[49] / values[0]}


DECAY = Experiment(
    id="eigengap_and_rate:decay",
    question="How fast do eigenvalues drop?",
    competitors={
        "wide": Competitor("kernel of the slopes", 0.25, "the kernel of the slopes"),
        "narrow": Competitor("kernel of half the width", 1.0, "one of half its width"),
    },
    fields=[GAP, DROP],
    measure=decay,
    shown=RATES.shown,
    beyond=RATES.beyond,
    findings={
        "gap": Finding(
            "gap(wide) >= 2",
            but={"2": "20"},
            says="The first eigenvalue is at least 2 times the second",
        ),
        "narrow gap": Finding(
            "gap(narrow) >= 2",
            on=tuple(x for x in RATES.data if x != "pictures"),
            but={"2": "20"},
            says="With a kernel of half the width, too, it is at least 2 times the "
            "second",
        ),
        "drop": Finding(
            "drop(wide) <= 2",
            but={"2": "0.2"},
            says="The fiftieth eigenvalue is at most 2 % of the first",
        ),
        "narrow drop": Finding(
            "drop(narrow) <= 5",
            but={"5": "0.5"},
            says="With a kernel of half the width it is at most 5 % of the first",
        ),
    },
)
