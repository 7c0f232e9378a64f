"""Solutions, from the first chapters and on learners: what shows their words."""

import math
import re

import numpy as np
from shown_solutions import nystrom, random_kernel
from test_second_routes import EXERCISES
from words_shown import found, never, shown, sides, typed

from nystheory import datasets
from nystheory.chapters import theorems
from nystheory.learners import SubspaceClassifier

# ---- how_to_read_this_book


def clusters(m, squared=1.0):
    """Error of rank one with one point of each cluster, best one and deviation."""
    K = np.ones((m + 1, m + 1))
    K[m], K[:, m] = 0, 0
    K[m, m] = squared
    kept = [m] if squared > 1 else [0]
    error = np.linalg.norm(K - nystrom(K, kept), 2)
    return error, min(m, squared), (m - 1) / 2 * max(1, squared)


def refuted(m, squared):
    """The largest constant of the deviation that the clusters refute."""
    error, best, deviation = clusters(m, squared)
    return (error - best) / deviation


ERROR, BEST, DEVIATION = clusters(20, 1.000001)
IF_LONGER = min(
    min(refuted(m, 1.0001) - 1.9, 1.9 - refuted(m, 0.9999)) for m in (2, 20, 200)
)

shown(
    "ex-uneven-clusters",
    {
        "The claim fails when $\\|K - \\tilde K\\|_2$ [exceeds] the bound": (
            ERROR - BEST - 1.8 * DEVIATION
        ),
        "each refutes every constant below 2, if the lone point is [longer] by little "
        "enough": IF_LONGER,
    },
)

# ---- kernel_matrices


def eigenvalues_for_most(n, gamma=0.1):
    X = datasets.digits(1000).X[:n]
    lengths = (X**2).sum(axis=1)
    K = np.exp(-gamma * (lengths[:, None] + lengths - 2 * X @ X.T))
    held = np.cumsum(np.linalg.eigvalsh(K)[::-1]) / n
    return 1 + np.argmax(held >= 0.9)


shown(
    "ex-constants-of-memory",
    {
        "[Half] of the memory for an entry buys only a factor": (
            np.dtype("float32").itemsize / np.dtype("float64").itemsize
        )
    },
)
shown(
    "ex-bandwidth",
    {
        "For a fixed $\\gamma$ the count [grows]": (
            eigenvalues_for_most(1000) - eigenvalues_for_most(500)
        )
    },
)

# ---- kernel_principal_components


def residual_of_the_approximation(k=2):
    """What is beyond k components of an approximation, less that of the matrix."""
    K = random_kernel()
    of_both = [np.linalg.eigvalsh(M)[:-k].sum() for M in (nystrom(K, [0, 1, 2]), K)]
    return of_both[0] - of_both[1]


def factor_of_tilt(tilt):
    """How far the component turns, over the Frobenius change of the kernel matrix."""
    flat = np.array([[1.0, 1, -1, -1], np.zeros(4)])
    tilted = flat + np.outer([0, 1], [0, tilt, 0, -tilt])
    leading = np.linalg.eigh(tilted @ tilted.T)[1][:, -1]
    return abs(leading[1]) / np.linalg.norm(tilted.T @ tilted - flat.T @ flat)


TILT = 1 / typed("kernel_principal_components", r'tilt, small = "1/(\d+)"')[0]

shown(
    "ex-enough-columns",
    {
        "the excess over it is an excess over something [smaller]": (
            residual_of_the_approximation()
        )
    },
)
shown(
    "ex-feature-map",
    {
        "The [smaller] the tilt, the [larger] the factor": (
            TILT - 2 * TILT,
            factor_of_tilt(TILT) - factor_of_tilt(2 * TILT),
        )
    },
)

# ---- machines_on_few_columns

GAP = theorems.get("modern:duality-gap")
# A point of length one and the ridge one: the weights of its coefficient are this.
SAME = GAP.world.of_one_point(1, w="1/4", a="1/4")

shown(
    "ex-half-of-the-gap",
    {
        "[half] of what it is for other weights with the same gap": (
            sides(GAP.id, "its own", SAME)[1] / sides(GAP.id, "weights", SAME)[1]
        )
    },
)

# ---- manifolds


def traces_apart():
    """How far the moduli sum beyond the trace, over those of negative eigenvalues."""
    values = np.linalg.eigvalsh(random_kernel() - 3 * np.eye(6))
    assert values[0] < 0 < values[-1]
    return (np.abs(values).sum() - values.sum()) / -values[values < 0].sum()


EDGES = typed("manifolds", r"edge_weights = \[(\d\.\d), (\d+\.\d), (0\.\d+)\]")
A = np.diag(EDGES, 1) + np.diag(EDGES, -1)
DEGREES = A.sum(axis=1)
LAST = np.eye(4)[3]


def paid(by_roots):
    """What the last unit vector pays in the sum of the box, or in the printed one."""
    y = LAST / np.sqrt(DEGREES) if by_roots else LAST
    shares = 1 if by_roots else np.sqrt(np.outer(DEGREES, DEGREES))
    return (A / shares * (y[:, None] - y) ** 2).sum()


PRINTED, OF_BOX = paid(by_roots=False), paid(by_roots=True)
assert np.isclose(PRINTED, 2 * A[2, 3] / math.sqrt(DEGREES[2] * DEGREES[3]))
assert np.isclose(OF_BOX, 2)

shown(
    "ex-sum-of-moduli",
    {
        "The traces differ by [twice] the sum of the moduli of the negative "
        "eigenvalues": traces_apart()
    },
)
shown(
    "ex-break-printed-objective",
    {
        "A vector that is nearly zero elsewhere [pays] about $2 A_{34} / "
        "\\sqrt{\\Delta_{33} \\Delta_{44}}$ for it": PRINTED,
        "In the sum of the box it [pays] $2 A_{34} / \\Delta_{44} = 2$": OF_BOX,
    },
)

# ---- newton_with_few_columns


def parabola(p, feature=10.0, alpha=0.01):
    """The second order of the logistic loss at zero, of one point with the label 1."""
    return -feature * p / 2 + (feature**2 / 4 + alpha) * p**2 / 2


def step(feature=10.0, alpha=0.01):
    return feature / 2 / (feature**2 / 4 + alpha)


LOWEST = max(parabola(step()) - parabola(step() + t) for t in (-0.1, -1e-3, 1e-3, 0.1))

shown(
    "ex-short-step",
    {"it goes to the [lowest] point of a parabola, and the loss": LOWEST},
)

# ---- projection_or_reconstruction


def blocks(c):
    K = np.zeros((4, 4))
    K[:2, :2], K[2:, 2:] = [[3, 3], [3, c]], [[2, 4], [4, 8]]
    return K


def followed(K, S=(0, 2)):
    """The landmark that Nyström follows with rank one, and that of the columns."""
    C = K[:, S]
    nystrom_vector = np.linalg.eigh(C[list(S)])[1][:, -1]
    of_columns = np.linalg.svd(C)[2][0]
    return np.abs(nystrom_vector).argmax(), np.abs(of_columns).argmax()


def projected(K, landmark):
    """The error of the projection on one column."""
    u = K[:, [landmark]] / np.linalg.norm(K[:, landmark])
    return np.linalg.norm(K - u @ u.T @ K)


def from_the_limit(c):
    K = blocks(c)
    return abs(projected(K, 0) / projected(K, 2) - 1 / math.sqrt(2))


BY_CORE, BY_COLUMNS = followed(blocks(12))
DIAGONAL = blocks(12)[[0, 2], [0, 2]]
LENGTHS = np.linalg.norm(blocks(12)[:, [0, 2]], axis=0)
SIZES = typed("projection_or_reconstruction", r"for c in \((\d+), (\d+), (\d+)\):")
APPROACH = np.diff([from_the_limit(c) for c in SIZES]).max()
assert APPROACH < 0 and from_the_limit(1e5) < 1e-3


def over_optimal(b):
    """The error of one column of two points over the optimal one, squared."""
    K = np.array([[1.0, b], [b, b**2 + 1]])
    a = K[:, [0]] / np.linalg.norm(K[:, 0])
    least = K - a @ a.T @ K @ a @ a.T
    return np.linalg.norm(K - nystrom(K, [0])) ** 2 / np.linalg.norm(least) ** 2


shown(
    "ex-truncated-projection",
    {
        "Nyström follows the [larger] diagonal entry of $W$, Column-sampling the "
        "[longer] column": (
            DIAGONAL[BY_CORE] - DIAGONAL[1 - BY_CORE],
            LENGTHS[BY_COLUMNS] - LENGTHS[1 - BY_COLUMNS],
        ),
        "As $c$ [grows] the ratio tends to $1 / \\sqrt 2 = 0.71$": np.diff(SIZES).min(),
    },
)
shown(
    "ex-far-from-optimal",
    {
        "which [grows] without bound, as $t^2 / 2$": np.diff(
            [over_optimal(b) for b in (0.5, 1, 10, 100)]
        ).min()
    },
)

# ---- random_subspaces


def of_both_terms():
    """How the classifier weighs the squares and the ridge: from two ridges."""
    X, y = np.array([[1.0], [2.0], [-1.0]]), np.array([1, -1, 1])
    terms, values = [], []
    for ridge in (0.5, 5.0):
        model = SubspaceClassifier(ridge, kernel="linear", loss="square", landmarks=[0])
        f = model.fit(X, y).decision_function(X)
        terms.append([((y - f) ** 2).sum(), ridge * f[0] ** 2])
        values.append(model.objective_)
    return tuple(np.linalg.solve(terms, values))


OVER, UNDER = typed("random_subspaces", r'y=\[1\], B=\[\[0\]\], w=\["(\d)/(\d)"\]')

shown(
    "ex-which-ridge",
    {
        "the classifier has [half] of the squares and [half] of the ridge": (
            of_both_terms()
        )
    },
)
shown(
    "ex-square-anywhere",
    {"the squared error [grows] by $1 - (\\frac12)^2": 1 - (1 - OVER / UNDER) ** 2},
)

# ---- ridge_and_preconditioning

MISSED, RIDGE = typed(
    "ridge_and_preconditioning", r"\[0, (\d)\]\], alpha=(\d), noise=0, signal"
)

shown(
    "ex-no-square",
    {"So an error of [three times] the ridge breaks it by a factor": MISSED / RIDGE},
)

# ---- sketches_and_limits

DRAWN = typed("sketches_and_limits", r"for m in \((\d+), (\d+), (\d+), (\d+)\):")
(DOUBLED,) = set(np.divide(DRAWN[1:], DRAWN[:-1]))

shown(
    "ex-vectors-enough",
    {"sketches with [doubled] numbers of vectors show what is enough": DOUBLED},
)

# ---- solving_with_few_columns

(WEIGHT,) = typed("solving_with_few_columns", r"at_new=\[\[(\d)\], \[0\]\], beyond=0")
POINTS = np.array([[0.5, 10], [0, 1]])
NEW = POINTS @ [WEIGHT, 0]

shown(
    "ex-no-order",
    {
        "The new point is [twice] the landmark, and a long point leans out of its "
        "span": NEW[0] / POINTS[0, 0]
    },
)

# ---- surely_worse_kernels


def ends(trace=3.0, alpha=1.0):
    """Both ends of the criterion where y lies along the one direction missed."""
    y, K = np.array([0.0, 1.0]), np.diag([1.0, trace])
    near = np.diag([1.0, 0])
    lower, exact, upper = (
        y @ np.linalg.solve(M + alpha * np.eye(2), y)
        for M in (near + trace * np.eye(2), K, near)
    )
    assert np.isclose(lower, exact)
    return lower - upper


shown(
    "ex-half-of-the-trace",
    {"then the [lower] end is attained with the whole trace": ends()},
)

# ---- two_kinds_of_features


def deviation(power):
    """Of the law with this density, without its constant."""
    u = np.linspace(-8, 8, 4001)
    density = np.exp(-power * u**2)
    return math.sqrt((density * u**2).sum() / density.sum())


shown(
    "ex-weighted-kernel",
    {"the density of a [narrower] normal law": deviation(1) - deviation(1 / 2)},
)

# ---- two_ways_to_learn_a_matrix

SPECTRA = found("two_ways_to_learn_a_matrix:columns")
AT_FIFTY = "RBF digits from 50 columns"
LAST_GROUP = np.subtract(
    *(SPECTRA.measured("values", who, AT_FIFTY) for who in ("nystrom", "columns"))
)[:, -1].mean()

shown("ex-fewer-columns", {"It is [ahead] in": LAST_GROUP})

# ---- what_to_use


def enlarged():
    """Of a further landmark: by how much rank and distances change."""
    X = np.random.default_rng(0).standard_normal((4, 6))
    spans = [np.linalg.qr(X[:, :count])[0] for count in (2, 3)]
    far = [np.linalg.norm(X - Q @ Q.T @ X, axis=0) for Q in spans]
    return spans[1].shape[1] - spans[0].shape[1], (far[1] - far[0])[3:].max()


RANK, DISTANCE = enlarged()

shown(
    "ex-more-columns",
    {"distances to a [larger] space are not [larger]": (RANK, never(DISTANCE))},
)

# ---- which_random_features


def pairs_beyond_phases(p):
    """D times the variance of pairs less that of phases, where t is large enough."""
    least = math.log(2) / (2 - 2**p)
    assert exact_difference(p, 0.99 * least) < 0
    return min(exact_difference(p, t) for t in (1.01 * least, 3 * least))


def exact_difference(p, t):
    """Of cosines of the frequencies: by the values of the kernel at z and 2 z."""
    at_z, at_two = math.exp(-t), math.exp(-(2**p) * t)
    pairs = 1 + at_two - 2 * at_z**2
    phases = 1 + at_two / 2 - at_z**2
    return pairs - phases


shown(
    "ex-stretched-exponentials",
    {
        "phases are [better] if $(2 - 2^p)\\, t > \\log 2": min(
            map(pairs_beyond_phases, (0.3, 0.5, 0.9))
        )
    },
)

# ---- two_kinds_of_features


def hits_of_mean():
    """How often the solution draws the rare frequency, over the mean of all draws."""
    drawn = re.search(r"of_hits\((\d), (\d), (\d)", EXERCISES["ex-often-enough"][1])
    n, m, rare = map(int, drawn.groups())
    return rare / (m / n)


shown(
    "ex-often-enough",
    {
        "[three times] where it should come once": hits_of_mean(),
    },
)
