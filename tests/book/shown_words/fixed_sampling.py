"""Fixed sampling: what shows its words that compare."""

from itertools import combinations

import numpy as np
from words_shown import explained, found, more, never, ran, shown, typed

from nystheory import certificates, lowrank, sampling
from nystheory.chapters.fixed_sampling import (
    fixed_schemes,
    leverage_scores,
    measured,
    tables,
)

CHAPTER = "fixed_sampling"
SCHEMES, CROWDS = (found(f"{CHAPTER}:{name}") for name in ("schemes", "crowds"))

# ---- A span, and samples that contain others


def projector(vectors):
    return vectors @ np.linalg.pinv(vectors)


def span_of(factors, copies=1):
    """How much longer vectors are, and how often listed, with the same span."""
    X = np.random.default_rng(0).standard_normal((5, 3))
    other = np.repeat(X * factors, copies, axis=1)
    assert np.allclose(projector(X), projector(other))
    lengths = np.linalg.norm(other[:, ::copies], axis=0) - np.linalg.norm(X, axis=0)
    return lengths, other.shape[1] / X.shape[1]


NESTED = (([0], [0, 3]), ([1, 4], [1, 2, 4]), ([0, 1], [0, 1, 2, 3, 4]))


def larger_projector():
    """The least by which the trace grows, where the order holds as well."""
    X = np.random.default_rng(0).standard_normal((6, 8))
    gaps = [projector(X[:, more]) - projector(X[:, S]) for S, more in NESTED]
    assert min(np.linalg.eigvalsh(gap).min() for gap in gaps) > -1e-9
    return min(map(np.trace, gaps))


def larger_error():
    """The most by which a sum of leading eigenvalues of the error grows."""

    def norms(K, S):
        error = K - lowrank.nystrom(K, S).spectral_reconstruction()
        return np.cumsum(np.linalg.eigvalsh(error)[::-1])

    X = np.random.default_rng(0).standard_normal((8, 8))
    K = X.T @ X
    return max((norms(K, more) - norms(K, S)).max() for S, more in NESTED)


# ---- Leverage


def counted(eigenvalue, ridge=1.0):
    """How much of a direction the effective dimension counts."""
    return sampling.ridge_leverage_scores(np.diag([eigenvalue, ridge]), ridge)[0]


BY_HAND = ran(CHAPTER, "four = np.array", "J, w, alpha =")
(RIDGE,) = typed(CHAPTER, r'"rank": 2\}, "ridge_leverage": \{"alpha": (\d\.\d)')
REPRESENT = len(BY_HAND["J"]) / len(BY_HAND["four"])


def columns_fewer(n=6, drawn=3):
    """Of how many fewer columns the mean error is the mean estimate."""
    X = np.random.default_rng(0).standard_normal((n, n))
    K = X @ X.T
    estimates = [
        certificates.leave_one_out_trace(K, S).value
        for S in combinations(range(n), drawn)
    ]
    errors = {
        count: np.mean([
            lowrank.nystrom(K, S).error(K, "trace")
            for S in combinations(range(n), count)
        ])
        for count in range(1, n)
    }
    (alike,) = (
        count for count, x in errors.items() if np.isclose(x, np.mean(estimates))
    )
    return alike - drawn


FEWER_LANDMARKS = columns_fewer()
SIZES = 200, 400


def share_of_entries(scores):
    """How the share changes with the points, for as many columns."""
    asked = [
        scores(measured.photographs_rbf(n, np.random.default_rng(0)), 40).entries
        / n**2
        for n in SIZES
    ]
    return asked[1] - asked[0]




def certain_over_first():
    """Of the likely column, which is drawn less often; the unlikely one more."""
    page = ran(CHAPTER, "law = drawing.one_by_one")
    first, drawn = page["p"], page["chances"]
    likely, unlikely = np.argmax(first), np.argmin(first)
    assert drawn[likely] < 1 and drawn[unlikely] > 2 * first[unlikely]
    return 1 / first[likely]


# ---- Data


def pixels(patches):
    """The rank of a linear kernel is their number."""
    return np.linalg.matrix_rank(patches(300, np.random.default_rng(0)).dense())


def uneven(K):
    """How far the law of column norms is from the uniform one."""
    p = sampling.column_norm(K, 1, np.random.default_rng(0)).probabilities
    return abs(p - 1 / len(p)).sum()


def nearer_on_digits():
    each = {name: uneven(K) for name, K in fixed_schemes.matrices().items()}
    return max(
        each[f"digits, {kernel}"] - each[f"patches, {kernel}"]
        for kernel in ("linear", "RBF")
    )


def leads(first, second, data):
    return [x.estimate for x in tables.ahead(SCHEMES, first, second, data)]


def held_on(data):
    """It held there; among the digits it is open."""
    outcomes = {x: CROWDS["recursive"].on(x).outcome for x in CROWDS.draws}
    assert outcomes[data] == "held" and outcomes["zeros among digits"] == "open"
    return data


def size_of_groups(data):
    of = CROWDS.experiment.data[data]
    groups = of.draw(of.size, np.random.default_rng(0)).crowd.group
    return np.bincount(groups)[1:].min()


def of_the_same_points(data):
    """The mean entry of a kernel matrix."""
    draw = CROWDS.experiment.data[data].draw
    return draw(300, np.random.default_rng(0)).K.dense().mean()


shown(
    CHAPTER,
    {
        "matrices on which leverage [wins]": more(
            f"{CHAPTER}:crowds/leverage", "leverage"
        ),
        "when its vectors are made [longer] or [shorter], or are listed [twice]": (
            span_of(3.0)[0].min(),
            span_of(0.3)[0].max(),
            span_of(1.0, copies=2)[1],
        ),
        "is much [larger] than $\\alpha$ count fully, those with a much [smaller] one "
        "hardly at all": (counted(1000) - 0.99, counted(0.001) - 0.01),
        "for the four columns from above and with a [larger] ridge": (
            BY_HAND["alpha"] - RIDGE
        ),
        "from [half] of the columns": REPRESENT,
        "unbiased estimate of the trace error with one landmark [fewer]": (
            FEWER_LANDMARKS
        ),
        "the error with one landmark *[fewer]*": FEWER_LANDMARKS,
        "if no rank is cut, more columns never make the error [larger]": (
            never(larger_error())
        ),
        "the span of the points in $S'$ is the [larger] one": larger_projector(),
        "the error of $S'$ is not [larger]": never(larger_error()),
        "three others as well: [smaller] patches": (
            pixels(measured.small_photographs) - pixels(measured.photographs)
        ),
        "On the large patches with a Gaussian kernel it is [ahead] of column norms": (
            min(leads("uniform", "norm", "patches, RBF")[-2:])
        ),
        "On our digits the probabilities of column-norm sampling are [nearer] to "
        "uniform than on the patches": nearer_on_digits(),
        "With [larger] groups and with a [narrower] kernel 40 and 80 columns": (
            size_of_groups(held_on("larger groups")) - size_of_groups("crowd"),
            of_the_same_points(held_on("narrower kernel"))
            - of_the_same_points("crowd"),
        ),
        "the share of entries [falls] as $n$ [grows]": (
            max(
                share_of_entries(leverage_scores.bless_scores),
                share_of_entries(leverage_scores.recursive_scores),
            ),
            SIZES[1] - SIZES[0],
        ),
        "uniform sampling is [ahead] of diagonal sampling (left)": (
            leads("uniform", "diagonal", "patches, linear")[-1]
        ),
        "The likely column is drawn less often than [twice] $p_i$, which would be "
        "certainty, and the unlikely one more often": certain_over_first(),
        "Four lines of the [gain] in points": min(
            leads("without", "uniform", data)[-1] for data in SCHEMES.experiment.shown
        ),
    },
)

explained(
    CHAPTER,
    {"*Weights that are forgotten, or used [twice].*": "names a mistake"},
)
