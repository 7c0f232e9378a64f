"""How to read this book: what shows words that could be exchanged."""

from inspect import getsource

import numpy as np
from sides_shown import sides

from nystheory import lowrank, theorems, verify
from nystheory.chapters.how_to_read_this_book import experiments as planted
from nystheory.engine import Instance
from nystheory.engine.language.numbers import Number
from nystheory.engine.trial import over_samples, verification
from nystheory.engine.trial.compare import compare, reader, relate

CHAPTER = "how_to_read_this_book"
FALSE = planted.CONSTANT_TOO_SMALL
CLAIM = FALSE.claims[FALSE.main]
CASE = compare(CLAIM, reader(FALSE, planted.FLIPPED))
SIDES = {"left": CASE.observed, "right": CASE.bound}

# ---- Two clusters

K = planted.FLIPPED.K
SAMPLE = K[np.ix_([0, 20], [0, 20])]
WEIGHTS = {
    "matrix": (np.linalg.norm(K[:20, :20], 2), K[20, 20]),
    "sample": (SAMPLE[0, 0], SAMPLE[1, 1]),
}
MADE = lowrank.nystrom(K, [0, 20], 1).spectral_reconstruction()
BEST = lowrank.best_rank_k(K, 1).spectral_reconstruction()


def heavier(in_matrix, in_sample):
    """Of the cluster in the matrix, and of the lone point in the sample."""
    is_so = {"heavier": np.greater, "lighter": np.less}
    cluster, sampled = WEIGHTS["matrix"], WEIGHTS["sample"]
    return is_so[in_matrix](*cluster) and is_so[in_sample](*sampled[::-1])


def places(in_matrix, in_sample):
    """Which comes first, of three equal points and a lone one."""
    X = np.array([[1, 1, 1, 0], [0, 0, 0, np.sqrt(1.01)]])
    told = []
    for M in (X, X[:, [0, 3]]):
        values = np.linalg.eigvalsh(M @ M.T)[::-1]
        lone = np.flatnonzero(np.isclose(values, 1.01))[0]
        told.append(("first", "second")[lone])
    return told == [in_matrix, in_sample]


def refuted_below(m, longer):
    X = np.repeat(np.diag([1.0, longer]), (m, 1), axis=1)
    case = compare(CLAIM, reader(FALSE, Instance.from_points(X, [0, m], 1)))
    return (case.observed - longer**2) / ((case.bound - longer**2) / 1.8)


LENGTHS = np.linspace(1.0001, 1.06, 600)
REFUTES = {
    constant: sum(refuted_below(20, longer) > constant for longer in LENGTHS)
    for constant in (1.8, 1.99)
}
EPSILON = 0.01
LARGEST = refuted_below(20, np.sqrt(1 + EPSILON))
FORMULAS = {
    "-": 2 * (1 - EPSILON / 19) / (1 + EPSILON),
    "+": 2 * (1 + EPSILON / 19) / (1 + EPSILON),
}
NINE = np.repeat(np.diag([1.0, 1 + 1e-7]), (9, 1), axis=1)
EXACT = compare(CLAIM, reader(FALSE, Instance.from_points(NINE, [0, 9], 1)))
EXCESS, AWAY = EXACT.observed - 1, (EXACT.bound - 1) / 1.8
SIZES = {"m - 1": 8, "(m - 1)/2": 4}

# ---- Verdicts

VERDICT = verify(FALSE, np.random.default_rng(0)).worst
RATIOS = np.array([x for x in VERDICT.ratios if np.isfinite(x)])

PRINTED = [x for theorem in theorems.values() for x in theorem.printed.values()]
GAPS = [x for x in PRINTED if x.weight == "gap in the proof"]
ARE_OPEN = ["conclusion is open" in each.why for each in GAPS]


OF_MATRICES = getsource(verification._of_tally)
OF_CHANCE = getsource(over_samples)


def at_one(word):
    same = Number.exact(0.6)
    return np.isclose(relate("<=", same, same).ratio, 1) == (word == "attained")


def hides(word):
    """Whether a comparison is decided, with much rounding and with none."""
    low, high = Number.exact(1.0), Number.exact(1.01)
    rounded = Number(1.0, 0.1, 1.0)
    told = relate("<=", rounded, high).decided, relate("<=", low, high).decided
    return told == {"hides": (False, True), "shows": (True, False)}[word]


def outcomes(all_matrices, chance):
    """The words that the check has for a claim about all matrices, and about chance."""
    told = [f'"{word}"' for word in (all_matrices, chance, "consistent")]
    places = [(x in OF_MATRICES, x in OF_CHANCE) for x in told]
    return places == [(True, False), (False, True), (False, True)]


sides(
    CHAPTER,
    {
        "Right of the line at one the [left|right] side is larger": (
            lambda word: CASE.ratio > 1 and SIDES[word] == max(SIDES.values())
        ),
        "In the matrix the first cluster is far [heavier|lighter] than the lone point; "
        "in the sample the lone point is the [heavier|lighter]": heavier,
        "With $k = 1$ the approximation keeps the [wrong|right] cluster": {
            "wrong": not np.allclose(MADE, BEST),
            "right": np.allclose(MADE, BEST),
        },
        "the claim is still false, and [harder|easier] to refute": {
            "harder": 0 < REFUTES[1.99] < REFUTES[1.8],
            "easier": REFUTES[1.99] > REFUTES[1.8],
        },
        "point has the eigenvalue 1.01 and comes [second|first]. In the sample the "
        "eigenvalues are 1 and 1.01, and the lone point comes [first|second]": places,
        "the excess is $[m - 1|(m - 1)/2]$ and the deviation $[(m - 1)/2|m - 1]$": (
            lambda excess, away: np.allclose(
                [EXCESS, AWAY], [SIZES[excess], SIZES[away]], atol=1e-4
            )
        ),
        r"is refuted is $2\,(1 [-|+] \epsilon/(m-1))/(1 + \epsilon)$": (
            lambda sign: np.isclose(LARGEST, FORMULAS[sign])
        ),
        "is the [largest|smallest] ratio of what was observed to what was promised": {
            "largest": np.isclose(VERDICT.tightness, RATIOS.max()),
            "smallest": np.isclose(VERDICT.tightness, RATIOS.min()),
        },
        "a gap in a proof whose statement [holds or is open|holds], a": {
            "holds or is open": any(ARE_OPEN) and not all(ARE_OPEN),
            "holds": not any(ARE_OPEN),
        },
        "So {term}`[verified|certified]` is said of statements about all matrices, "
        "{term}`[certified|verified]` and {term}`consistent` of statements about": (
            outcomes
        ),
        "to what was promised; at 1 the bound is [attained|violated].": at_one,
        "A case is *undecided* where rounding [hides|shows] the answer": hides,
    },
)
