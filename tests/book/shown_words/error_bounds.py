"""Error bounds: what shows its words that compare."""

from itertools import combinations

import numpy as np
from words_shown import bound, explained, found, left_by, shown, typed

from nystheory import certificates, ensemble, lowrank
from nystheory.chapters.error_bounds import promised

CHAPTER = "error_bounds"
SPECTRAL, FROBENIUS = (
    f"talwalkar2010:thm-5.2-{norm}" for norm in ("spectral", "frobenius")
)
TWICE, ROOT = "talwalkar2010:eq-5.3", "talwalkar2010:sqrt2-lemma"
SQUARES, REPLACED = "talwalkar2010:eq-5.15", "talwalkar2010:cor-5.6"
ENSEMBLE = "talwalkar2010:thm-5.3"

# ---- From the distance to the error

# Of the difference of the covariances, one positive eigenvalue and one negative.
MISTAKES = (3.0, -1.0)
PAID = bound(TWICE, "spectral norm", tail_2=0, distance_2=max(MISTAKES))
GAINED = bound(TWICE, "spectral norm", tail_2=0, distance_2=1) - bound(
    ROOT, "spectral norm", tail_2=0, distance_F=1
)


def by_frobenius(values):
    """How far the second of two numbers is above the first."""
    values = np.abs(values)
    return np.sqrt(2) * np.linalg.norm(values) - 2 * values.max()


ONE_OUTWEIGHS = ([1.0], [1.0, -0.9], [3.0, -1.0, 1.0])
MANY_ALIKE = ([1.0, -1.0, 1.0], [1.0, 0.9, -0.95, 0.9], [1.0] * 9)
SMALLER = max(
    *map(by_frobenius, ONE_OUTWEIGHS), *(-by_frobenius(x) for x in MANY_ALIKE)
)


def two_and_a_lone_one(length):
    """A matrix of two equal points and one across, seen through one of each."""
    K = np.diag([1.0, 1.0, length**2])
    K[0, 1] = K[1, 0] = 1.0
    return K, lowrank.nystrom(K, [0, 2], 1)


def excess(length, norm):
    """Of the error over the best one, in units of the distance."""
    K, made = two_and_a_lone_one(length)
    best = lowrank.best_rank_k(K, 1).error(K, norm)
    distance = np.linalg.norm([2 - 1.5, length**2 * (1 - 1.5)])
    return (made.error(K, norm) - best) / distance


def below_root_two(length):
    return min(excess(length, norm) - 1.41 for norm in ("spectral", "frobenius"))


LONGER, SHORTER = 1.0001, 0.9999
BROKEN_IF_LONGER = min(below_root_two(LONGER), -below_root_two(SHORTER))


def keeps_the_lone(length):
    kept = two_and_a_lone_one(length)[1].spectral_reconstruction().diagonal()
    return kept[2] - kept[0]


KEEPS_LONGER = min(keeps_the_lone(LONGER), -keeps_the_lone(SHORTER))
# Three points and two: the error of the larger cluster alone, and of the other one.
CLUSTERS = np.kron(np.diag([1, 0]), np.ones((3, 3)))[:5, :5]
CLUSTERS[3:, 3:] = 1
LARGER, OTHER = (lowrank.nystrom(CLUSTERS, [s], 1).error(CLUSTERS) for s in (0, 3))


def seen_from_the_sample():
    """How much of a squared norm is seen from a sample's direction, less all of it."""
    X = np.random.default_rng(0).standard_normal((3, 6))
    M, u = X @ X.T, np.linalg.svd(X[:, :2])[0][:, 0]
    missed = X - np.outer(u, u @ X)
    loss = np.linalg.norm(M) ** 2 - (u @ M @ u) ** 2
    assert np.linalg.norm(missed.T @ missed) ** 2 <= loss
    return -loss


def change_of_unit():
    """The squared form fails for a small unit and holds for a large one."""
    def side(t):
        return 3 * t**2 - np.sqrt(64) * (5 * t**2) * (2 * 2 * t)

    return min(side(0.01), -side(1.0))


def lemma_less_squares(tail, head, psi):
    """The difference of the two bounds."""
    squares = bound(SQUARES, "one expert", head_F=head, distance_F=psi)
    lemma = bound(ROOT, "Frobenius norm", tail_F=tail, distance_F=psi)
    return lemma - np.sqrt(tail**2 + squares)


def the_smaller_bound():
    """The lemma less the squares where the page says so, the reverse elsewhere."""
    tail, head, psi = np.random.default_rng(0).uniform(0.1, 2, (3, 200))
    says = tail + psi / np.sqrt(2) < head
    assert 20 < says.sum() < 180
    apart = list(map(lemma_less_squares, tail, head, psi))
    return (apart * np.where(says, 1, -1)).max()


def lead_of_the_lemma():
    """For a small tail and distance; with either of them large the squares win."""
    few, many = (0.01, 0.1, 0.3), (2, 10)
    assert min(lemma_less_squares(t, 1, p) for t in many for p in few) > 0
    assert min(lemma_less_squares(t, 1, p) for t in few for p in many) > 0
    return min(-lemma_less_squares(t, 1, p) for t in few for p in few)


# ---- What is promised

WIDE = {"n": 10**8, "K_max": 1.0, "d_max": np.sqrt(2), "spread": 5e7, "delta": 0.05}
WIDE |= {"tail_F": 0.0, "k": 1}


def halving(claim, times):
    """What is left of an excess with so many times the columns, and how many halve."""
    ends = [bound(FROBENIUS, claim, **WIDE, l=count) for count in (1000, 1000 * times)]
    left = ends[1] / ends[0]
    return left, 2 ** (-np.log(times) / np.log(left))


def rise(n):
    """The largest change of the bound from number to number of landmarks."""
    known = {"K_max": 1.0, "d_max": np.sqrt(2), "delta": 0.05, "tail_2": 0.0}
    counts = range(1, n) if n < 100 else np.geomspace(1, n - 1, 50).astype(int)
    return max(
        np.diff(
            [
                bound(SPECTRAL, "proved", n=n, l=count, spread=n / 2, **known)
                for count in sorted(set(map(int, counts)))
            ]
        )
    )


BEYOND_NORM = min(
    bound(SPECTRAL, "proved", n=100, l=count, K_max=1, d_max=np.sqrt(2), spread=99,
          tail_2=1, delta=0.05)
    - np.linalg.norm(np.eye(100), 2)
    for count in range(1, 100)
)


def worst(columns, delta=0.05, n=10**6):
    return promised.worst_case(n, columns, delta)


def slope(whose):
    ends = [worst(columns)[whose] for columns in (100, 10_000)]
    return -np.log(ends[1] / ends[0]) / np.log(100)


def better_rate(power):
    """What is unavoidable, less the proved bound had it fallen with this power."""
    n, few, many = 10**8, 100, 10**6
    return worst(many, n=n)["unavoidable"] - worst(few, n=n)["proved"] * (
        few / many
    ) ** power


LIKELY, RARE = worst(1000, 0.1), worst(1000, 1e-12)
BOTH_GROW = max(LIKELY[who] - RARE[who] for who in ("proved", "unavoidable"))


def times(case):
    return case["proved"] / case["unavoidable"]


def direct_less_printed():
    """Doubling is above the printed bracket beyond exp(-2), and below it before."""
    def side(delta):
        L = np.log(1 / delta)
        return 2 + np.sqrt(2 * L) - (2 + L)

    beyond, before = (np.exp(-2) * (1 + x) for x in (0.01, -0.01))
    return min(side(0.5), side(beyond), -side(before), -side(1e-6))


MANY = {"n": 10**6, "l": 1000, "K_max": 1.0, "d_max": np.sqrt(2), "spread": 5e5}


def deviation(experts):
    """What the bound of a mixture adds to its mean."""
    of = {"tail_2": 0.0, "experts": experts, "mu_max": 1 / experts}
    likely, mean = (
        bound(ENSEMBLE, "fixed weights", **MANY, **of, delta=x) for x in (0.05, 1.0)
    )
    return likely - mean


def mean_of_one(columns):
    return bound(SPECTRAL, "proved", **MANY | {"l": columns}, tail_2=0.0, delta=1.0)


ONE_LARGE_LESS = max(
    mean_of_one(1000 * p) - mean_of_one(1000) / np.sqrt(p) for p in (4, 16, 64)
)


def of_the_truth(each=3):
    """What the mean of two experts who have seen one cluster each says of K."""
    K, samples = promised.crossed(each)
    mean = ensemble.Ensemble(ensemble.experts(K, samples, rank=2), [0.5, 0.5])
    share = mean.spectral_reconstruction()[K > 0] / K[K > 0]
    assert np.ptp(share) < 1e-12
    return share.mean()


def height_of_the_second():
    first, second = promised.crossed(3)[1]
    return max(first) - min(second)


# ---- What the columns say


def columns_fewer(n=6, drawn=3):
    """Of how many fewer columns the estimate has the mean square error."""
    X = np.random.default_rng(0).standard_normal((n, n))
    K = X @ X.T
    estimates = [
        certificates.leave_one_out_frobenius(K, S).value
        for S in combinations(range(n), drawn)
    ]
    squares = {
        count: np.mean([
            lowrank.nystrom(K, S).error(K) ** 2 for S in combinations(range(n), count)
        ])
        for count in range(1, n)
    }
    (alike,) = (
        count for count, x in squares.items() if np.isclose(x, np.mean(estimates))
    )
    return alike - drawn


def loose(values):
    return np.sum(values) / np.linalg.norm(values)


VOICES, LOST = found("error_bounds:voices"), found("error_bounds:lost")


def looser_on_documents():
    """And in an example: many alike against one that stands out."""
    on = {
        data: VOICES.measured("said", "certificate", data)
        / VOICES.measured("said", "observed", data)
        for data in VOICES.draws
    }
    others = max(x.mean() for data, x in on.items() if data != "documents")
    return min(
        on["documents"].mean() - others, loose(np.ones(9)) - loose([1] + 8 * [0.01])
    )


def falls_in_the_slider():
    said = [
        np.median(VOICES.measured("said", who, data), axis=0)
        for who in ("proved", "observed")
        for data in ("digits", "documents")
    ]
    return max(x[-1] - x[0] for x in said)


def lost(over, under, data):
    return (
        LOST.measured("excess", over, data) / LOST.measured("excess", under, data)
    ).mean()


def by_lemma(data):
    return lost("lemma", "observed", data)


def by_concentration(data):
    return lost("proved", "lemma", data)


OTHERS = [data for data in LOST.draws if data != "patches"]
LEMMA_LOSES = max(1 - by_lemma(data) for data in LOST.draws)
STEPS_LOSE = max(LEMMA_LOSES, *(1 - by_concentration(x) for x in LOST.draws))
MOST_ON_PATCHES = max(map(by_concentration, OTHERS)) - by_concentration("patches")
LEMMA_MORE = max(by_concentration(data) - by_lemma(data) for data in OTHERS)

PRINTED, PROVED = halving("printed", 16), halving("proved", 4)

shown(
    CHAPTER,
    {
        "the proved bound [falls] to {{ kept": falls_in_the_slider(),
        "The bound [falls] with $l$, so we can halve": max(map(rise, (9, 40, 10**6))),
        "The constant $2$ of {ref}`talwalkar2010:eq-5.3` [pays] for both": (
            PAID - np.abs(MISTAKES).sum()
        ),
        "two equal points and a lone one that is slightly [longer]": BROKEN_IF_LONGER,
        "Which of $2 \\|E\\|_2$ and $\\sqrt 2 \\|E\\|_F$ is [smaller] depends on $E$: "
        "if one eigenvalue outweighs the others together, the second": SMALLER,
        "whoever knows $\\|E\\|_2$ only through $\\|E\\|_F$, as one does when its mean "
        "is computed by {ref}`talwalkar2010:eq-5.7`, [gains] the factor": GAINED,
        "With [seven tenths] of the deviation the bound fails": left_by(
            SPECTRAL, "seven tenths of the deviation"
        ),
        "measures how much each step of the proof [loses]": STEPS_LOSE,
        "with one column [fewer]": columns_fewer(),
        "the trace is much [larger] than the other norms": looser_on_documents(),
        "*A bound that is [larger] than the norm.*": BEYOND_NORM,
        "what the squared norm of $K$ [loses] when it is seen": seen_from_the_sample(),
        "A change of the unit then decides which side is [larger]": change_of_unit(),
        "If the tail and the distance are both small beside $\\|K_k\\|_F$ the lemma "
        "[wins]": lead_of_the_lemma(),
        "it is the [smaller] bound exactly when": the_smaller_bound(),
        "To [halve] the printed excess takes [sixteen times] as many columns, to "
        "[halve] this one [four times]": (*PRINTED, *PROVED),
        "A good approximation keeps the [larger] cluster": OTHER - LARGER,
        "the one whose points are slightly [longer]": KEEPS_LONGER,
        "no bound that knows only this has a [better] rate than $l^{-1/2}$ or a much "
        "[better] constant": (
            better_rate(0.75),
            RARE["unavoidable"] - 0.7 * RARE["proved"],
        ),
        "with [six tenths] of the root the bound fails": left_by(
            REPLACED, "six tenths of the root"
        ),
        "for [larger] $\\delta$ the $\\sqrt 2$ lemma is needed": direct_less_printed(),
        "their mean is [half] of the truth": of_the_truth(),
        "shows what averaging [gains]": deviation(1) - deviation(16),
        "so the deviation [falls] like $1 / \\sqrt p$": deviation(16) - deviation(1),
        "the second [shrinks] with $\\sqrt p$": deviation(64) - deviation(16),
        "that expert's mean is [smaller], too": ONE_LARGE_LESS,
        "Here the lemma [loses] a factor between": LEMMA_LOSES,
        "Here concentration [loses] most on the patches": MOST_ON_PATCHES,
        "the lemma [loses] more than concentration, except on the patches": LEMMA_MORE,
        "at most [a tenth] of the norm": typed(CHAPTER, r"share=(0\.\d+)"),
        "as the power minus [one quarter]": slope("printed"),
        "falls as the power minus one [half]": slope("proved"),
        "Right, both grow as the failure probability gets [smaller] and come [closer] "
        "to each other": (BOTH_GROW, times(RARE) - times(LIKELY)),
        "has the upper block only and the second the [lower] one": (
            height_of_the_second()
        ),
        "Their mean has both blocks at [half] the brightness": of_the_truth(),
    },
)

explained(
    CHAPTER,
    {
        "The $\\sqrt 2$ lemma takes another approach, and [loses] nothing": (
            "denied: of the two displayed formulas the right one is the printed one"
        ),
        "one might fear that it [pays] for each": "a fear, denied in the next sentence",
        "The number of points of the [smaller] cluster in the sample": (
            "names the cluster"
        ),
    },
)
