"""Machines on few columns: what shows its words that compare."""

import warnings

import numpy as np
from words_shown import bound, change, explained, found, more, ran, shown

from nystheory import guarantees, kernels, learners, theorems
from nystheory.chapters.machines_on_few_columns import (
    experiments,
    figures,
    findings,
    large,
    machines,
    spectra,
)
from nystheory.chapters.machines_on_few_columns.theorems import pegasos
from nystheory.learners import SubspaceClassifier

CHAPTER = "machines_on_few_columns"
TABLE, SCORES, GAPS = (found(f"{CHAPTER}:{x}") for x in ("table", "scores", "gaps"))
PEGASOS = "dellavecchia2024:pegasos"
LONGEST = {"features": np.ones((1, 1))}  # of length R = 1

# ---- Steps


def of_steps(count, ridge=1.0, claim="uniform"):
    return bound(PEGASOS, claim, **LONGEST, ridge=ridge, T=count)


def below_the_value_at_zero():
    """The bound less one, at twice the number of steps; at half of it is above."""
    counts = {x: np.log(1 / x) / (2 * x) for x in (1e-4, 1e-6, 1e-9)}
    assert min(of_steps(T / 2, ridge) for ridge, T in counts.items()) > 1
    return max(of_steps(2 * T, ridge) - 1 for ridge, T in counts.items())


def at_least_like():
    """The largest change of the bound, and of the bound over its rate."""
    counts = (10, 100, 1000, 10_000)
    rates = [of_steps(T) * T / np.log(T) for T in counts]
    assert np.diff(rates).max() < 0
    return max(
        change(PEGASOS, "uniform", **LONGEST, ridge=1.0, T=pair)
        for pair in zip(counts, counts[1:], strict=False)
    )


def least_certain_score():
    """Of those that are counted, less how far scores may move."""
    marks = ("F.round(2)", "lam, w, total", "machine.fit(X, y)", "def primal", "sure =")
    hand = ran(CHAPTER, *marks)
    scores = np.sort(np.abs(hand["F"] @ hand["w_mean"]))
    return scores[-hand["sure"]] - hand["reach"]


def shortened(draws=400):
    """By steps with long subgradients, in the least case; others may lengthen."""
    rng, by_long, by_others = np.random.default_rng(0), [], []
    world = theorems[PEGASOS].world
    for _ in range(draws):
        case = world(
            features=rng.standard_normal((2, 3)),
            labels=rng.choice([-1.0, 1.0], 3),
            ridge=1.0,
            picked=rng.integers(0, 3, 6),
            reference=np.zeros(2),
        )
        w = pegasos.run(case).iterates
        R = np.linalg.norm(case.features, axis=0).max()
        for t in range(2, len(w)):
            slope = t * (w[t - 1] - w[t])
            lost = np.linalg.norm(w[t - 1]) - np.linalg.norm(w[t])
            is_long = np.linalg.norm(slope) > R * np.sqrt(t / (t - 1))
            (by_long if is_long else by_others).append(lost)
    return min(min(by_long), -min(by_others))


def smallest_fall(solver):
    """Of the power by which the gap falls, on the data of the figure."""
    return min(
        GAPS.measured("power", solver, data).mean() for data in GAPS.experiment.shown
    )


GAP = max(np.diff(GAPS.measured("gap", "pegasos", data)).max() for data in GAPS.draws)
SLOWER = smallest_fall("coordinates") - max(
    GAPS.measured("power", "pegasos", x).mean() for x in GAPS.experiment.shown
)

# ---- The square loss, and a tiny ridge


def objective_at_zero():
    """Of the square loss, for each label, with a ridge that allows nothing else."""
    machine = SubspaceClassifier(1e12, loss="square", gamma=1.0, landmarks=[0, 1])
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array([1, -1, 1])
    return machine.fit(X, y).objective_ / len(y)


LINE = kernels.rbf(np.linspace(0, 1, 100)[:, None], 0.5).dense()
NEAR = np.linspace(0, 99, 30).astype(int)


def left_of_the_ridge(ridge):
    """What the preconditioner has of it, less all."""
    W = LINE[np.ix_(NEAR, NEAR)]
    square = len(LINE) / len(W) * W @ W
    given = ridge * W
    kept = np.linalg.norm(square + given - square) / np.linalg.norm(given)
    return kept - 1


def ridge_without_warning():
    """The smallest, less the largest with one that asks for another ridge."""
    warned, silent, y = [], [], np.sin(9 * np.linspace(0, 1, 100))
    for ridge in (1e-17, 1e-14, 1e-8, 1e-5):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            learners.falkon(LINE, NEAR, y, ridge)
        assert all("; raise the ridge" in str(x.message) for x in told)
        (warned if told else silent).append(ridge)
    return min(silent) - max(warned)


# ---- Spectra

SPECTRA = spectra.spectra(guarantees.landmarks_for_learning)
SLOW, STEEP = ("digits", "cell samples"), ("waves", "moons")


def fallen(data, index=100):
    """To which share of the first eigenvalue, in logarithms."""
    values = SPECTRA[data].values
    return np.log(values[index] / values[0])


FALL = max(map(fallen, SLOW))
STEEPER = min(map(fallen, SLOW)) - max(map(fallen, STEEP))


def fewer_than_prescribed():
    """The share of columns that is enough on digits, less what is prescribed."""
    assert "digits" in {each.data for each in TABLE["few"].claimed}
    _, count, columns = TABLE.experiment.shown["digits"].draw(
        1797, np.random.default_rng(0)
    )
    return columns / count - SPECTRA["digits"].hinge / spectra.N


# ---- Uniform columns or leverage scores


def spread_and_count(data):
    """Of the heavy group in each coordinate, and how many points are learned from."""
    source = SCORES.experiment.data[data]
    some, count, is_rare = source.draw(source.size, np.random.default_rng(0))
    return some.X[~is_rare(some)][:, 1:].std(), count


LIGHTER = np.subtract(*map(spread_and_count, ("lighter groups", "tight groups")))


def work_of_scores(d):
    """Of columns by scores, over that of the columns alone; less that of these."""
    entry = 2 * d + experiments.EXPONENTIAL
    counts = experiments.columns_for_the_work(100, d), 100
    work, of_columns = (x * (entry + x) for x in counts)
    return work / of_columns - 1


def gained(field):
    """In percentage points by leverage scores on the tight groups, at the end."""
    each = figures.means(SCORES, field, "tight groups")
    return (each["uniform"] - each["leverage"])[-1]


ALL_LABELS, LIGHT = gained(findings.ERROR), gained(findings.RARE)


def height_of_panel(title):
    """Above the middle of the panels."""
    panels = figures.plot_columns(SCORES).axes
    bottoms = {each.get_title(): each.get_position().y0 for each in panels}
    return bottoms[title] - np.mean(list(bottoms.values()))


# ---- Tables, and many points


def columns_of(data):
    return TABLE.experiment.data[data].draw(100, np.random.default_rng(0))[-1]


def helped_on_photographs():
    each = figures.means(TABLE, findings.ERROR, "photographs")
    return (each["leverage"] - each["solved"])[0]


class Counting:
    """A machine that notes how many points it sees."""

    seen = []

    def fit(self, X, y):
        self.learned = len(X)

    def predict(self, X):
        self.seen.append(len(X) / self.learned)
        return np.ones(len(X))


large.chosen(lambda asked: Counting(), 40, 5)

shown(
    CHAPTER,
    {
        "the bound [falls] below $F(0) = 1$ after about": below_the_value_at_zero(),
        "scores are [larger] than {{ reach:.3f }} in modulus": least_certain_score(),
        "we measure how the gap [falls] with the passes": GAP,
        "the package has [half] of the square": objective_at_zero(),
        "$M$ [loses] what is below the rounding error of $W D W$": (
            left_of_the_ridge(1e-20)
        ),
        "a [larger] ridge is the first remedy": ridge_without_warning(),
        "after $T$ uniform steps [falls] at least like": at_least_like(),
        "The eigenvalues of the digits and the cell samples [fall] slowly": FALL,
        "That far [fewer] are enough on the digits": fewer_than_prescribed(),
        "leverage scores [pay] in the projection error where the data have rare": (
            -more("random_subspaces:scores/pays", "exact")
        ),
        "*tight groups*, each with a small spread, and *lighter groups*, with a "
        "[larger] spread and [fewer] points to learn from": tuple(LIGHTER),
        "to estimate the scores costs [twice] as much again as the columns "
        "themselves": np.mean(
            [work_of_scores(d) for d in (2, 8, 64)]
        ),
        "Among all labels the [gain] is [smaller], because the groups are light": (
            ALL_LABELS,
            ALL_LABELS - LIGHT,
        ),
        "Random pivots [gain] there, too": -more(f"{CHAPTER}:scores/pivots", "pivots"),
        "In the limit of a large $T$ the bound of {ref}`dellavecchia2024:pegasos` is "
        "[a quarter] of the one that was published for steps without "
        "projections": (
            of_steps(1e300) / of_steps(1e300, claim="published")
        ),
        "a subgradient [longer] than $R \\sqrt{t / (t - 1)}$ shortens": shortened(),
        "*solved* stands for another solver, which stops at a gap of [one percent] of "
        "the value at zero": machines.MACHINES["solved"].run.tol,
        "on the digits with far [fewer] columns": (
            columns_of("digits with 60 columns") - columns_of("digits")
        ),
        "On the photographs it [helps], by": helped_on_photographs(),
        "by learning from {{ large.FEWER:, }} points and judging on [half] as many "
        "others": Counting.seen[-1],
        "points on the time [grows] like": min(
            np.diff([each.worked for each in large.stored().whole])
        ),
        "Pegasos falls a little [faster] than one over the passes, dual coordinates "
        "much [faster]": (smallest_fall("pegasos") - 1, SLOWER),
        "Those of the digits and the cell samples fall slowly, like a power; those of "
        "the waves and the moons fall much [faster]": STEEPER,
        "in the [lower] right panel, those of the light groups": (
            height_of_panel("tight groups")
        ),
    },
)

explained(
    CHAPTER,
    {
        "we ask which columns and which loss are [better]": "a question",
        "*It is much [faster], except on the small USPS.": (
            "a sentence of the paper, of which the next ones tell what came here"
        ),
        "*The hinge loss is slightly [ahead] on MNIST.": (
            "a sentence of the paper, of which the next one tells what came here"
        ),
    },
)
