"""Error bounds: what shows words that could be exchanged."""

from itertools import combinations, combinations_with_replacement
from math import e
from unittest.mock import patch

import numpy as np
from figures_of_texts import figures
from matplotlib.figure import Figure
from scipy.optimize import minimize_scalar
from sides_shown import sides
from words_shown import found

from nystheory import certificates, ensemble, lowrank, theorems
from nystheory.chapters.error_bounds import figures as drawn_here
from nystheory.chapters.error_bounds import findings, promised
from nystheory.engine import value

CHAPTER = "error_bounds"
RNG = np.random.default_rng(0)
NEAR = 1e-9

# ---- Figures

ROWS = figures()["fig-columns-asked"].panels[0]["words"][2:7][::-1]  # from the top
CROSSED, SAMPLES = promised.crossed(3)
SEEN = [each.spectral_reconstruction() for each in ensemble.experts(CROSSED, SAMPLES)]
BLOCKS = {"upper": np.s_[:3, :3], "lower": np.s_[3:, 3:]}
WHERE = found(f"{CHAPTER}:where")


def rows_are(best, observed):
    places = {"first": 0, "second": 1}
    told = ROWS[places[best]], ROWS[places[observed]]
    return told == ("best of that rank", "observed")


def blocks_are(first, second):
    """Which block each expert has, and no other."""
    told = []
    for M, word in zip(SEEN, (first, second), strict=True):
        told.append(np.allclose(M[BLOCKS[word]], 1) and np.isclose(M.sum(), 9))
    return all(told)


def share(data):
    """Whether most of the squared distance lies there."""
    return {
        word: WHERE.measured("share", who, data).mean() > 50
        for word, who in (("within", "kept"), ("outside", "missed"))
    }


# ---- Two clusters


def clusters(sizes, lengths=(1, 1)):
    """Points of two orthogonal clusters."""
    return np.repeat(np.diag(lengths).astype(float), sizes, axis=1)


def excess_of(X, S, norm):
    """The excess of rank 1, over the distance of the covariances."""
    K, Z = X.T @ X, np.sqrt(X.shape[1] / len(S)) * X[:, S]
    away = X @ X.T - Z @ Z.T
    name = {"spectral": 2, "trace": "nuc"}[norm]
    excess = lowrank.nystrom(K, S, 1).error(K, norm) - np.delete(
        np.linalg.svd(K, compute_uv=False), 0
    ).max()
    return excess / np.linalg.norm(away, name)


SHARP = [
    excess_of(clusters((9, 1), (1, 1 + 1e-7)), [0, 9], norm)
    for norm in ("spectral", "trace")
]
K_TWO = clusters((5, 3)).T @ clusters((5, 3))
BEST = lowrank.best_rank_k(K_TWO, 1).spectral_reconstruction()
ERRING = lowrank.nystrom(K_TWO, [0, 5, 6], 1).spectral_reconstruction()
SIZES = {"larger": np.s_[:5, :5], "smaller": np.s_[5:, 5:]}
OVER = np.linalg.norm(K_TWO - ERRING, 2) - np.linalg.norm(K_TWO - BEST, 2)
NORMS_OVER = [
    N * each.diagonal().max() / np.linalg.norm(each, 2)
    for N, each in ((10, clusters((5, 5)).T @ clusters((5, 5))), (10, np.eye(10)))
]


def keeps(word):
    """Which cluster a sample with more points of the smaller one keeps."""
    kept = {"more": "smaller", "fewer": "larger"}[word]
    return np.allclose(ERRING[SIZES[kept]], 1)


# ---- Steps of proofs


def projectors():
    """Of a leading space and of others of its rank, with their matrix."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((5, 8))
        N = X @ X.T
        P = np.linalg.eigh(N)[1][:, -2:]
        R = np.linalg.qr(rng.standard_normal((5, 2)))[0]
        yield N, P @ P.T, R @ R.T


CATCHES = [np.trace(P @ N) - np.trace(R @ N) for N, P, R in projectors()]
APART = [np.linalg.norm(P - R, 2) for _, P, R in projectors()]
ANGLES = [np.trace(P @ (N @ R @ N)) for N, P, R in projectors()]
LINE = np.linspace(-2, 2, 41)
ALONG = [np.linalg.norm(np.eye(2) + t * np.diag([1.0, -2])) ** 2 for t in LINE]


def smaller_lemma():
    """Tail, distance and head, and by how much the lemma is below the squares."""
    tail, away, head = RNG.uniform(0, 2, (3, 400))
    lemma = tail + np.sqrt(2) * away
    squares = np.sqrt(tail**2 + 2 * np.sqrt(2) * head * away)
    return tail + away / np.sqrt(2) - head, lemma - squares


SIDE, LEMMA = smaller_lemma()
POWERS = {"$K^2$": 2, "$K^3$": 3}


def units(left, right):
    """With which power of a scale both sides of the form with the square grow."""
    K = np.diag([1.0, 2])
    told = []
    for t in (1.0, 10.0):
        made = lowrank.nystrom(t * K, [0]).spectral_reconstruction()
        away = np.diag([t, 2 * t]) - 2 * np.diag([t, 0])
        excess = np.linalg.norm(t * K - made) ** 2 - t**2
        told.append((excess, np.linalg.norm(away) ** 2 * 2 * (2 * t)))
    slopes = np.log10(np.divide(*told[::-1]))
    return np.allclose(slopes, [POWERS[left], POWERS[right]])


T = {"small": 0.01, "large": 1.0}
FAILS = {word: 3 * t**2 > 8 * (5 * t**2) * (2 * 2 * t) for word, t in T.items()}
DELTAS = np.exp(-np.linspace(0.1, 6, 60))
DIRECT = np.sqrt(2 * np.log(1 / DELTAS)) <= np.log(1 / DELTAS)
ALPHA = [value("alpha_sharp", n=100, l=count) / count for count in (99, 2)]
ENSEMBLES = theorems["talwalkar2010:thm-5.3"]
MANY = {"n": 10**6, "l": 1000, "K_max": 1.0, "d_max": np.sqrt(2), "tail_2": 0.0}
MANY |= {"spread": 5e5, "experts": 16, "mu_max": 1 / 16}


def second_branch():
    """The constant of the deviation, from two values of the bound."""
    delta = 0.05
    deviation = np.subtract(*(ENSEMBLES.bound(**MANY, delta=x) for x in (delta, 1.0)))
    change = 10**6 / 1000 * np.sqrt(2)
    return 2 * (deviation / np.sqrt(2) / change) ** 2 / np.log(1 / delta)


GAINED = (1 + 16 * 1000 / 10**6) ** 2
BRANCHES = {r"\frac lp": 1000 / 16, r"\frac pl": 16 / 1000, "p l": 16 * 1000}
MEANS = [
    np.sqrt((n - m) / (m * (n - 1)))
    for n, m in ((1000, 50), (1000, 200), (10**6, 50), (10**6, 200))
]
MEANS = min(MEANS[0] / MEANS[1], MEANS[2] / MEANS[3]) - 2  # for four experts
F_BEST = minimize_scalar(lambda f: 4 / (f * (1 - f) ** 2), bounds=(0.01, 0.99)).x
MISSED = 1000 * np.prod(1 - 1000 / (10**6 - np.arange(1000)))  # of 1000 clusters
EIGENVALUES = np.linalg.eigvalsh(
    np.eye(6) - lowrank.nystrom(np.eye(6), [0, 1]).spectral_reconstruction()
)[2:]
OF_IDENTITY = {
    "they are all equal": np.ptp(EIGENVALUES) < NEAR
    and np.isclose(np.sqrt(4) * np.linalg.norm(EIGENVALUES), EIGENVALUES.sum()),
    "there is one alone": (EIGENVALUES > NEAR).sum() == 1,
}


def left_out(word):
    """The mean of the estimate over all samples, beside a mean square."""
    X = RNG.standard_normal((4, 6))
    K, told = X.T @ X, {"fewer": 2, "more": 4}
    mean = np.mean([
        certificates.leave_one_out_frobenius(K, S).value
        for S in combinations(range(6), 3)
    ])
    squares = [
        lowrank.nystrom(K, S).error(K) ** 2 for S in combinations(range(6), told[word])
    ]
    return np.isclose(mean, np.mean(squares))

POINTS = RNG.standard_normal((4, 7))
MISSING = POINTS.T @ POINTS
MISSING = MISSING - lowrank.nystrom(MISSING, [0, 2]).spectral_reconstruction()

OF_ONE = np.mean([np.linalg.norm(7 * np.outer(x, x)) ** 2 for x in POINTS.T])
DIAGONAL = ((POINTS**2).sum(axis=0) ** 2).sum()
Z = np.sqrt(9 / 2) * clusters((5, 4))[:, [0, 5]]
SPREAD = (np.eye(6).diagonal() ** 2).sum() - np.linalg.norm(np.eye(6)) ** 2 / 6
THIRTY = clusters((20, 10)).T @ clusters((20, 10))
ERROR = lowrank.nystrom(THIRTY, range(20, 30), 2).error(THIRTY, "spectral")
OVER_PRINTED = (ERROR / (2 * 30 / np.sqrt(10))) ** 2
BOTH = np.mean([min(S) < 3 <= max(S) for S in combinations(range(7), 2)])

# ---- What is said of a few columns

VOICES = found(f"{CHAPTER}:voices")
MIDDLE = {
    (voice, data): np.median(VOICES.measured("said", voice, data), axis=0)
    for voice in ("proved", "observed")
    for data in findings.SHOWN
}
SAID = {x: np.array([VOICES.measured("said", x, d) for d in findings.SHOWN])[:, :, 0]
        for x in drawn_here.VOICES}


def greys():
    """Where a row of the first frame is grey."""
    with patch.object(drawn_here, "COUNTS", drawn_here.COUNTS[:1]):
        (frame,) = drawn_here.plot_bound_and_truth(VOICES, [*findings.SHOWN]).frames
    (span,) = frame.figure.axes[0].patches
    return span.get_x(), span.get_x() + span.get_width()


def in_the_grey(word):
    """What is said there, beside the largest error of what lies between 0 and K."""
    K = RNG.standard_normal((4, 4))
    K, root = K @ K.T, K
    between = [root @ np.diag(x) @ root.T for x in RNG.random((20, 4))]
    errors = [np.linalg.norm(K - A) for A in (0 * K, *between)]
    surely = 100 * max(errors) / np.linalg.norm(K)
    low, high = greys()
    return {"less": low >= surely - NEAR, "more": high <= surely + NEAR}[word]


def large_marks(word):
    axes = Figure().subplots()
    drawn_here._draw_said(axes, SAID)
    large = [x.get_xdata() for x in axes.lines if x.get_markersize() == 9]
    expected = {"medians": np.median, "means": np.mean}[word]
    return np.allclose(large, [expected(x, axis=1) for x in SAID.values()])


def stands(word, voice, *data):
    """On which side of 100 the first medians lie."""
    told = [MIDDLE[voice, x][0] > 100 for x in data or findings.SHOWN]
    return all(told) if word == "right" else not any(told)


# ---- How many points the examples take


def largest_excess(points, norm):
    """The largest excess of rank 1 over the distance, of small sets of points."""
    plane = [(0, 0), (1, 0), (2, 0), (0, 1), (0, 1 + 1e-7), (1, 1)]
    sizes = range(1, points)
    samples = [list(S) for size in sizes for S in combinations(range(points), size)]
    return max(
        excess_of(np.transpose(some).astype(float), S, norm)
        for some in combinations_with_replacement(plane, points)
        for S in samples
        if len({*some}) > 1
    )


FEW = {"two": 2, "three": 3}
SHARP_WITH = {word: largest_excess(count, "spectral") for word, count in FEW.items()}
CLUSTER = 4  # so t = 3
OF_LONE = clusters((CLUSTER, 1), (1, 1 + 1e-7))
OF_LONE = OF_LONE.T @ OF_LONE
LONE = lowrank.nystrom(OF_LONE, [0, CLUSTER], 1)
LEFT_BY_LONE = [LONE.error(OF_LONE, x) for x in ("spectral", "frobenius", "trace")]
OF_T = {"t + 1": CLUSTER, "t": CLUSTER - 1}
TAIL = lowrank.best_rank_k(OF_LONE, 1).error(OF_LONE)
# ---- The identity, and bounds that say nothing

KEPT = range(2)
ANY = [S for count in range(1, 6) for S in combinations(range(6), count)]


def off_identity(S):
    return np.eye(6) - lowrank.nystrom(np.eye(6), S).spectral_reconstruction()


def error_of_identity(formula):
    """For any columns of it, but not all."""
    errors = [np.linalg.norm(off_identity(S), 2) for S in ANY]
    least = {"1": 1, r"1 - \frac ln": 1 - np.array([len(S) for S in ANY]) / 6}
    return np.allclose(errors, least[formula])


def has_ones(word):
    """Where the diagonal of the error of the identity has ones, and nowhere else."""
    kept = np.isin(range(6), KEPT)
    where = {"no column": ~kept, "a column": kept}[word]
    return (np.isclose(off_identity(KEPT).diagonal(), 1) == where).all()


def allowed(formula):
    """The bound of the identity, beside its tail, in units of a formula."""
    theorem = theorems["talwalkar2010:thm-5.2-spectral"]
    told = []
    for n, l in ((10**6, 100), (10**6, 10**4), (10**8, 100)):  # noqa: E741
        at = {"n": n, "l": l, "spread": n - 1.0, "K_max": 1.0, "d_max": np.sqrt(2)}
        order = {r"n / \sqrt l": n / np.sqrt(l), r"\sqrt{n / l}": np.sqrt(n / l)}
        told.append((theorem.bound(**at, tail_2=1.0, delta=1.0) - 1) / order[formula])
    return np.allclose(told, told[0], rtol=0.01)


def has_that_error(word):
    """Which matrix misses a matrix by its norm, as a bound of that size allows."""
    matrix = {"zero": np.zeros((7, 7)), "identity": np.eye(7)}[word]
    K = POINTS.T @ POINTS
    return np.isclose(np.linalg.norm(K - matrix, 2), np.linalg.norm(K, 2))


def hidden(K):
    return len(K) * K.diagonal().max() / np.linalg.norm(K, 2)


HIDDEN = [hidden(each) for each in (np.eye(7), POINTS.T @ POINTS, np.ones((7, 7)))]


def matters(word):
    """What a hundredfold size changes of the bound, in units of the largest norm."""
    theorem = theorems["talwalkar2010:thm-5.2-spectral"]
    at = {"l": 100, "K_max": 1.0, "d_max": np.sqrt(2), "tail_2": 0.0, "delta": 0.05}
    small, large = (theorem.bound(n=n, spread=n / 2, **at) / n for n in (10**4, 10**6))
    return (abs(large / small - 1) < 0.02) == (word == "hardly")


sides(
    CHAPTER,
    {
        "The [first|second] row is the best possible, the [second|first] is observed": (
            rows_are
        ),
        "in the spectral norm no constant below $[2|1]$ will do, in the trace norm and "
        "for $k = l$ none below $[1|2]$": lambda spectral, trace: np.allclose(
            SHARP, [float(spectral), float(trace)], rtol=1e-5
        ),
        "No projector of rank $k$ catches [more] of the trace of $N$ than $P$": (
            min(CATCHES)
        ),
        "of two projectors has spectral norm at [most|least] one": {
            "most": max(APART) <= 1 + NEAR,
            "least": min(APART) >= 1,
        },
        "so $\\langle A, B \\rangle \\ge 0$: their angle is [not obtuse|obtuse]": {
            "not obtuse": min(ANGLES) >= 0,
            "obtuse": max(ANGLES) < 0,
        },
        "for a sample of nearly [all|no] points leaves little to chance": {
            "all": ALPHA[0] < 1 / 50,
            "no": ALPHA[1] < 1 / 2,
        },
        "an unbiased estimate of the squared Frobenius error with one column "
        "[fewer|more], from": left_out,
        "Schwarz, with equality if [they are all equal|there is one alone], as": (
            OF_IDENTITY
        ),
        "have different units, [$K^2$|$K^3$] on the left and [$K^3$|$K^2$] on": units,
        "the first column is a counterexample for [small|large] $t$ only": FAILS,
        "The square of a norm is [convex], so": np.diff(ALONG, 2).min(),
        r"exactly when $\|K - K_k\|_F + \psi / \sqrt 2 [<|>] \|K_k\|_F$": {
            "<": ((SIDE < 0) == (LEMMA < 0)).all(),
            ">": ((SIDE > 0) == (LEMMA < 0)).all(),
        },
        "If the tail and the distance are both [small|large] beside": {
            "small": (LEMMA[SIDE < -1] < 0).all(),
            "large": (LEMMA[SIDE > 1] < 0).all(),
        },
        "A good approximation keeps the [larger|smaller] cluster": (
            lambda word: np.allclose(BEST[SIZES[word]], 1)
        ),
        "The sample keeps the one of which it has [more|fewer] points": keeps,
        "the excess is the [difference|sum] of the sizes": {
            "difference": np.isclose(OVER, 5 - 3),
            "sum": np.isclose(OVER, 5 + 3),
        },
        "and they miss $[\\frac le|\\frac l2]$ of them on average": {
            r"\frac le": np.isclose(MISSED, 1000 / e, rtol=0.01),
            r"\frac l2": np.isclose(MISSED, 500, rtol=0.01),
        },
        r"for $\delta [\le|\ge] e^{-2}$ only": {
            r"\le": (DIRECT == (DELTAS <= e**-2)).all(),
            r"\ge": (DIRECT == (DELTAS >= e**-2)).all(),
        },
        "The first expert has the [upper|lower] block only and the second the "
        "[lower|upper] one": blocks_are,
        r"for equal weights it equals $[\frac lp|\frac pl|p l] (1 +": (
            lambda formula: np.isclose(second_branch(), BRANCHES[formula] * GAINED)
        ),
        r"mean is smaller, too, by $\sqrt p$ at [least|most]": {
            "least": MEANS >= 0,
            "most": MEANS <= 0,
        },
        "the squared distance lies *[within|outside]* the space that": share("patches"),
        r"which is $[2|n]$ for the two clusters of the algorithm and $[n|2]$ for": (
            lambda two, identity: np.allclose(
                NORMS_OVER, [{"2": 2, "n": 10}[x] for x in (two, identity)]
            )
        ),
        r"which is smallest for $f = [\frac13|\frac23]$": (
            lambda f: np.isclose(
                F_BEST, {r"\frac13": 1 / 3, r"\frac23": 2 / 3}[f], atol=1e-4
            )
        ),
        "because the error has no [negative|positive] eigenvalue": {
            "negative": np.linalg.eigvalsh(MISSING).min() > -NEAR,
            "positive": np.linalg.eigvalsh(MISSING).max() < NEAR,
        },
        r"\|x x^\top\|_F^2 = [n|n^2] \sum_i K_{ii}^2$": (
            lambda size: np.isclose(OF_ONE, {"n": 7, "n^2": 49}[size] * DIAGONAL)
        ),
        r"Then $N$ is $m + [\frac12|1]$ times the identity": (
            lambda more: np.allclose(
                Z @ Z.T, (4 + {r"\frac12": 1 / 2, "1": 1}[more]) * np.eye(2)
            )
        ),
        r"with probability $\frac{2 a (n - a)}{[n (n - 1)|n^2]}": (
            lambda under: np.isclose(
                BOTH, 2 * 3 * 4 / {"n (n - 1)": 7 * 6, "n^2": 49}[under]
            )
        ),
        r"is at most $\frac n[4|2] f (1 - f)^2": (
            lambda under: np.isclose(OVER_PRINTED, 30 / int(under) / 3 * (2 / 3) ** 2)
        ),
        r"so $V = [n - 1|n]$ and": (
            lambda size: np.isclose(SPREAD, {"n - 1": 5, "n": 6}[size])
        ),
        "none below $1$; [three|two] points are enough to show it": (
            lambda count: np.isclose(SHARP_WITH[count], 2)
        ),
        "the error is $[t + 1|t]$ in every norm": (
            lambda size: np.allclose(LEFT_BY_LONE, OF_T[size])
        ),
        "The excess is $[t|t + 1]$": (
            lambda size: np.isclose(LEFT_BY_LONE[0] - TAIL, OF_T[size])
        ),
        r"The error itself is $[1|1 - \frac ln]$ for every $l < n$": error_of_identity,
        "has ones on the diagonal where [no column|a column] was kept": has_ones,
        r"allows it to be of the order $[n / \sqrt l|\sqrt{n / l}]$": allowed,
        "before quoting it; the [zero|identity] matrix has that error": has_that_error,
        r"hides $n K_{\max} / \|K\|_2$, which may be as [large|small] as $n$": {
            "large": np.isclose(max(HIDDEN), 7),
            "small": np.isclose(min(HIDDEN), 7),
        },
        "and that the size of the matrix [hardly|greatly] matters": matters,
        "What stands in the grey says [less|more] than that the": in_the_grey,
        "Large marks are [medians|means] over": large_marks,
        "The proved bound stands [right|left] of 100 in each row": (
            lambda word: stands(word, "proved")
        ),
        "and that of the documents just [left|right] of 100": (
            lambda word: stands(word, "observed", "documents")
        ),
    },
)
