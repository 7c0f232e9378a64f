"""Random pivots and volumes: what shows its words that compare."""

import warnings

import numpy as np
from figures_of_texts import figures
from words_shown import left_by, ran, shown, typed

from nystheory import kernels, lowrank, sampling, theorems
from nystheory.chapters.pivots_and_volumes.theorems import pivots
from nystheory.engine.findings.experiments import uneven_clusters
from nystheory.engine.report import pictures
from nystheory.engine.trial.compare import applies, reader
from nystheory.engine.worlds import suite

CHAPTER = "pivots_and_volumes"
RPCHOLESKY, GEOMETRY = "modern:rpcholesky", "modern:geometry"
RNG = np.random.default_rng(0)

# ---- The first figure and its schemes


def height_of_those_who_look():
    """The panels of schemes that account for what they drew, less the others."""
    titles = [panel["title"].split(":")[0] for panel in figures()["fig-pivots"].panels]
    X = np.zeros((1, 2))
    drawn = pictures.draw_picks(X, [pictures.Pick(x, X, 0.5) for x in titles])
    places = (axes.get_position().y0 for axes in drawn.axes)
    heights = dict(zip(titles, places, strict=True))
    look = [heights.pop(x) for x in ("Adapt-Full", "$k$-DPP", "RPCholesky")]
    return max(look) - min(heights.values())


def longest_first(count=10):
    """The length of the first of the farthest points, less that of any other."""
    ahead = []
    for _ in range(count):
        lengths = np.linalg.norm(X := RNG.standard_normal((20, 3)), axis=1)
        first = sampling.farthest_point(kernels.linear(X), 3).indices[0]
        ahead.append(lengths[first] - np.delete(lengths, first).max())
    return min(ahead)


def weight_after(count, sizes=(280, 80, 30, 10), draws=20):
    """The share of the largest cluster in what pivots leave of the trace, in the mean.

    And no pivot comes twice, for it has a residual of zero.
    """
    K = kernels.rbf(uneven_clusters(sizes), gamma=0.5)
    shares = []
    for seed in range(draws):
        drawn = sampling.rp_cholesky(K, count, np.random.default_rng(seed))
        assert len(set(drawn.indices)) == count
        left = 1 - (drawn.factor**2).sum(axis=1)
        shares.append(left[: sizes[0]].sum() / left.sum())
    return np.mean(shares)


# ---- How many pivots are enough


def enough_less_larger(values, k, accuracy="1"):
    """From how many pivots on the theorem speaks, less the larger of its numbers."""
    theorem = theorems[RPCHOLESKY]

    def speaks(count):
        case = theorem.world(np.diag(values), [0] * count, k, accuracy=float(accuracy))
        return applies(theorem.claims["accuracy"], reader(theorem, case))

    both = pivots.pivots_needed(values, k, float(accuracy))[1:]
    enough = next(count for count in range(k, 100) if speaks(count))
    assert enough == np.ceil(min(both))
    return enough - np.ceil(max(both))


ALIKE, GIANTS = np.ones(12), np.r_[1e6, 1e6, np.ones(10)]
ENOUGH = max(enough_less_larger(ALIKE, 1), enough_less_larger(GIANTS, 2))
(FACTOR,) = typed(CHAPTER, r"falling, giants = (0\.\d+) \*\* np\.arange")
FALLING = FACTOR ** np.arange(100)


def smaller_of_two():
    """Of the calculator and the second branch, less the other; the first is larger."""
    cases = ((FALLING, 5, 1.0), (GIANTS, 2, 0.5), (ALIKE, 1, 1.0))
    apart = []
    for calculator, first, second in (pivots.pivots_needed(*x) for x in cases):
        assert min(calculator, second) <= first
        apart.append(min(calculator, second) - max(calculator, second))
    return max(apart)


# ---- What can go wrong


def uniform_gains(copies=4):
    """What a pivot by the diagonal leaves beside a long point, less a uniform one."""
    K = np.zeros((copies + 1, copies + 1))
    K[:copies, :copies], K[copies, copies] = 1, 2
    left = [lowrank.nystrom(K, [i]).error(K, "trace") for i in range(copies + 1)]
    return np.average(left, weights=np.diag(K)) - np.mean(left)


def landmarks_less_wanted(wanted=5):
    """Of a matrix of rank two, and the package warns."""
    X = RNG.standard_normal((20, 2))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        drawn = sampling.rp_cholesky(X @ X.T, wanted, np.random.default_rng(0))
    assert [each.category for each in told] == [sampling.FewerLandmarks]
    return len(drawn.indices) - wanted


# ---- What pivots leave, and the matrices of a verdict


def left_by_pivots(n=6):
    """The residuals after each pivot."""
    X = RNG.standard_normal((n, n))
    K, order = X.T @ X, RNG.permutation(n)
    made = (lowrank.nystrom(K, order[:t]) for t in range(1, n))
    return np.array([K, *(K - each.spectral_reconstruction() for each in made)])


LEFT = left_by_pivots()


def largest_change_of_diagonals():
    """Of what is not yet zero, which stays so."""
    diagonals = np.diagonal(LEFT, axis1=1, axis2=2)
    is_zero = diagonals[:-1] < 1e-9
    changes = np.diff(diagonals, axis=0)
    assert abs(changes[is_zero]).max() < 1e-9
    return changes[~is_zero].max()


def rows_left():
    """The largest change, by a pivot, of how many rows are not zero."""
    return np.diff((abs(LEFT).max(axis=2) > 1e-9).sum(axis=1)).max()


def largest_of_the_verdict():
    """Its size, less that of the identity on the page."""
    rng = np.random.default_rng(0)
    tried = [*theorems[RPCHOLESKY].cases(rng), *suite.stress_suite(rng)]
    return max(case.n for case in tried) - ran(CHAPTER, "size, rank, count")["size"]


# ---- Constants


def constant_less_that_of(control, at=1):
    """The constant that a control has for one landmark, less that of the claim."""
    ((old, new),) = theorems[GEOMETRY].controls[control].change.items()
    old, new = (eval(x.rstrip(" *"), {"l": at}) for x in (old, new))
    return new - old


shown(
    CHAPTER,
    {
        "The schemes of the [lower] panels draw at random, and take into account": (
            height_of_those_who_look()
        ),
        "*Farthest point* begins with the [longest] point": longest_first(),
        "a large cluster soon [loses] its weight": weight_after(4) - 280 / 400,
        "$N_1$ or $N_2$ of them, whichever is [smaller]": ENOUGH,
        "For a hundred eigenvalues that [fall] by the factor": (
            max(FALLING[1:] / FALLING[:-1]) - 1
        ),
        "So use the [smaller] of the calculator and the second branch": (
            smaller_of_two()
        ),
        "makes uniform sampling [better]": uniform_gains(),
        "The package stops there, with [fewer] landmarks": landmarks_less_wanted(),
        "On the identity of size {{ size }} the error after {{ count }} pivots is "
        "{{ size - count }}, and that is {{ of_bound:.2f }} of the bound for $k = "
        "{{ rank }}$ with the least $\\varepsilon$ that the theorem allows; the "
        "matrices of the verdict are [smaller]": largest_of_the_verdict(),
        "because the diagonal only [falls]": largest_change_of_diagonals(),
        "or see that the matrix [shrinks] on the way": rows_left(),
        "a control in which they leave [a hundredth] of $l/n$ less": (
            left_by("modern:frobenius-pivoting", "a hundredth more of several") - 1
        ),
        "A tolerance of [two fifths]": typed(CHAPTER, r'__tol": \[(0\.\d+)'),
        "both controls with [smaller] constants were refuted": max(
            map(constant_less_that_of, ("1.9 in place of 2", "l + 0.9"))
        ),
    },
)
