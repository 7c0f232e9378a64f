r"""What solutions say in words, beside what makes it true, and what only explains.

`SAID` has, for a phrase of a solution, whether it is true, computed without the
package; `EXPLAINED` the sentences that give a reason or speak of all cases, which a
referee reads.
"""

import math
from fractions import Fraction
from itertools import combinations

import answers_of_columns
import answers_of_features
import answers_of_learners
import numpy as np
from second_routes import ANSWERS

# Their import enters the answers.
ROUTES = (answers_of_columns, answers_of_features, answers_of_learners)


def by_route(label, **numbers):
    return ANSWERS[label][1](**numbers)


def alike(vector):
    return bool(np.ptp(np.asarray(vector, float)) < 1e-9)


ROUND = by_route("ex-first-round", a=3, b=2, c=1)
OF_SCHEMES = by_route("ex-entries-of-schemes", l=50, n=1000)
MIXTURES = by_route("ex-ensemble-entries", n=1000, p=10, l=30, k=25, s=20)
TWO_ERRORS = by_route("ex-two-errors", a=3, b=5)
UNIT = by_route("ex-change-of-unit", c=4)
TIE = by_route("ex-tie")
EXACT = by_route("ex-which-entries-are-exact", a=2, b=1, b2=1, c=1)
RANKS = by_route("ex-two-centrings", a=0, b=1, c=3)
PROMISED = by_route("ex-read-the-bound", k=10, l=21, more=111)
COUNTED = by_route("ex-count-entries-projection", n=10_000)
K = np.array([[2, 1], [1, 1]])
ONES = np.linalg.eigh(np.ones((4, 4)))
CLUSTERS = np.array([[1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 1.01]])


def ray(d):
    """On one ray: the difference over what the claim allows."""
    return d * (2 - d) / (d / 2 * math.sqrt(4 - d * d))


def beyond(t):
    """The means of max(count - t, 0), without and with replacement, 2 of 3."""
    (out, one), p = (Fraction(1, 3), Fraction(2, 3)), Fraction(1, 3)
    law = [(1 - p) ** 2, 2 * p * (1 - p), p**2]
    without = out * max(0, -t) + one * max(0, 1 - t)
    return without, sum(q * max(0, j - t) for j, q in enumerate(law))


SAID = {
    "ex-first-round": [
        ("a single column, with rank 1, and that is exact", True),
        ("draws uniformly from the two others", alike(ROUND["by_columns"][1:])),
    ],
    "ex-entries-of-schemes": [
        (
            "So Adapt-Full and SGMA could as well",
            OF_SCHEMES["better_all_of_K"] == {"Adapt-Full", "SGMA"},
        )
    ],
    "ex-ensemble-entries": [
        ("optimal weights look at all $10^6$", MIXTURES["asked"]["optimal"] == 10**6)
    ],
    "ex-two-errors": [("at most the mean, $4$", TWO_ERRORS["most"] == 4)],
    "ex-shorter": [
        ("As $d$ falls the factor grows towards 2", ray(0.3) < ray(0.01) < 2)
    ],
    "ex-quarter": [
        (
            "for every $t$ between 0 and 2 the inequality is strict",
            all(np.less(*beyond(Fraction(t, 10))) for t in range(1, 20)),
        )
    ],
    "ex-which-laws-agree": [
        ("the only leading eigenvector is constant", alike(ONES.eigenvectors[:, -1])),
        ("belong to the eigenvalue zero", np.allclose(ONES.eigenvalues[:-1], 0)),
        (
            "the first column is drawn with certainty",
            abs(np.linalg.eigh(np.diag([2, 1, 1])).eigenvectors[0, -1]) == 1,
        ),
    ],
    "ex-wrong-cluster": [
        ("with the eigenvalue 3", math.isclose(np.linalg.eigvalsh(CLUSTERS)[-1], 3)),
        ("1.01 and comes second", sorted([3, 1.01])[-2] == 1.01),
        ("the lone point comes first", max(1, 1.01) == CLUSTERS[3, 3]),
        ("loses the block, an error of norm 3", np.linalg.norm(CLUSTERS[:3], 2) > 2.9),
    ],
    "ex-two-centrings": [("the rank is one", RANKS["rank_double"] == 1)],
    "ex-one-pivot": [
        (r"The first with probability $\frac34$, which leaves $1$", 3 / (3 + 1) == 0.75)
    ],
    "ex-which-entries-are-exact": [
        (
            "reconstruction is exact in the sampled column *and* row, and symmetric",
            (EXACT["reconstructed"] == K).tolist() == [[True, True], [True, False]],
        ),
        (
            "The projection is exact in the sampled column, and not symmetric",
            (EXACT["projected_on_c"] == K).tolist() == [[True, False], [True, False]],
        ),
    ],
    "ex-count-entries-projection": [
        ("The reconstruction reads none", COUNTED["for_all"][0] == 0),
        ("one row costs as many", COUNTED["for_one_row"] == COUNTED["for_all"]),
    ],
    "ex-identity": [
        ("become equivalent as $l/n$ grows", 1 < math.sqrt(1 / 0.99) < math.sqrt(2))
    ],
    "ex-read-the-bound": [
        (
            "Twice the tail, and 1.1 times the tail",
            [*PROMISED.values()] == [2, Fraction("1.1")],
        )
    ],
    "ex-three-intervals": [
        ("each of the first two may be the best", 0.20 < 0.60 and 0.40 < 0.50)
    ],
    "ex-change-of-unit": [
        (
            "It is the same with Column-sampling",
            np.allclose(UNIT["by_nystrom"], UNIT["by_columns"]),
        ),
        ("the vectors stay", math.isclose(UNIT["by_nystrom"][2], 1)),
        ("Nothing depends on the unit", np.allclose(UNIT["by_columns"], [4, 4, 1])),
    ],
    "ex-tie": [
        ("the best matrix of rank 1", TIE["truncated_last"] == TIE["best_choice"])
    ],
    "ex-bandwidth": [
        ("the matrix of ones has rank 1", np.linalg.matrix_rank(np.ones((9, 9))) == 1),
        (
            "all eigenvalues are 1, and 90 % of the trace takes 90 % of them",
            alike(np.linalg.eigvalsh(np.eye(10))),
        ),
    ],
    "ex-largest-entry": [
        (
            "some diagonal entry is missed by at least $1 - k/n$",
            all(1 - k / 5 <= 1 - min(d) for k, d in [(2, [1, 1, 0, 0, 0])]),
        )
    ],
    "ex-which-pairs": [
        (
            "The two copies span no area",
            [(p * s - q * r) ** 2 for (p, q), (r, s) in combinations([(1, 0)] * 2, 2)]
            == [0],
        )
    ],
    "ex-fill-by-hand": [
        (
            "the first row is known with the first column",
            9 - by_route("ex-fill-by-hand", a=4, b=2, c=6)["guessed"] == 5,
        )
    ],
}
EXPLAINED = {
    "ex-angle": (
        "The gain of a mean is the angle between the errors.",
        "Experts that all miss the same things,",
    ),
    "ex-bandwidth": ("So one may hope that the share",),
    "ex-between-the-powers": ("if logarithms of errors scatter normally and alike",),
    "ex-constants-of-memory": ("Clever storage does not help against a square.",),
    "ex-count-entries-projection": ("as shares of all its entries",),
    "ex-five-times": ("these are all choices that there are",),
    "ex-half-of-all": ("so that the next draw is less likely to repeat it",),
    "ex-largest-entry": ("*Best* means nothing without a norm.",),
    "ex-negative-weights": ("The package refuses,",),
    "ex-one-is-enough": ("Two points are equal, of length $1$, and a lone one",),
    "ex-one-nat": (
        r"On average over the model the whole loses at most",
        "for given data it may be more",
    ),
    "ex-orthonormal": ("Orthonormal vectors are no sign of a good approximation.",),
    "ex-own-schemes": (
        "so a short column means few neighbours",
        "On these patches that does no harm",
        "nearly all of $K$ is missing",
    ),
    "ex-power-function": ("With as many landmarks other draws show the gain, too",),
    "ex-seven": ("The power has to make up for the factor that the bound loses",),
    "ex-sgma-gain": ("The mean of the gains is attained in another way",),
    "ex-share-of-entries": (
        "the certificate reads the diagonal again",
        "`nystrom` does not look at the factor that the pivots left.",
    ),
    "ex-thirty-columns": ("The repaired theorem is tried on the same case",),
    "ex-which-factor": ("that are large beside the sum of the others",),
}
