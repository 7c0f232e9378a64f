"""Two kinds of features: what shows words that could be exchanged."""

import itertools

import numpy as np
from scipy.integrate import quad
from scipy.stats import norm
from sides_shown import sides

from nystheory import features, kernels, lowrank, style
from nystheory.chapters.two_kinds_of_features import experiments, figures

CHAPTER = "two_kinds_of_features"
RNG = np.random.default_rng(0)
X = RNG.standard_normal((6, 2))


def lengths(kind):
    made = features.RandomFourierFeatures(gamma=0.5, kind=kind, random_state=0)
    return np.linalg.norm(made.fit(X).transform(X), axis=1)


def not_of_length_one(word):
    kind = {"With phases": "phases", "In pairs": "pairs"}[word]
    return not np.allclose(lengths(kind), 1)


def same_machine(word, ridge=0.7, m=9):
    """Features that are not divided by the root of m, and those that are."""
    Z, y = RNG.standard_normal((20, 2 * m)), RNG.standard_normal(20)

    def predicted(Z, ridge):
        return Z @ np.linalg.solve(Z.T @ Z + ridge * np.eye(2 * m), Z.T @ y)

    own = {"divide": ridge / m, "multiply": ridge * m}[word]
    return np.allclose(predicted(Z, ridge), predicted(Z / np.sqrt(m), own))


def band():
    """The half width of the band of the figure, over the standard deviation."""
    made = experiments.estimates(20, 5, np.random.default_rng(0))
    _, (left, right) = style.panels(2)
    figures.draw_estimates(left, right, made)
    (drawn,) = left.collections
    edges = drawn.get_paths()[0].vertices
    z, spread = made.distances, made.deviations["pairs"]
    at = len(z) // 2
    ys = edges[np.isclose(edges[:, 0], z[at]), 1]
    return np.ptp(ys) / 2 / spread[at]


BAND = band()


def deviations(word):
    counts = {"one standard deviation": 1, "two standard deviations": 2}
    return np.isclose(BAND, counts[word])


def exact_where(word):
    """Where the inner products of many waves are exactly the kernel."""
    K = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
    made = features.RandomFourierFeatures(gamma=0.5, n_components=400, random_state=0)
    Z = made.fit(X).transform(X)
    off = np.abs(Z @ Z.T - K)
    places = {"the diagonal": np.eye(6, dtype=bool), "the columns": np.arange(6) < 2}
    return (off[np.broadcast_to(places[word], (6, 6))] < 1e-9).all()


# ---- Which functions


def weight_of_rare(word, n=60):
    """What the features give the rare wave, less what the kernel gives it."""
    told = [n / (2 * m) - 1 / 2 for m in range(1, n // 2 + 1)]
    return {"much": min(told) > 0, "little": max(told) < 0}[word]


def chance_to_miss(formula, n=7, m=3):
    """One wave of a lattice, by all draws; j and n - j are one wave."""
    draws = itertools.product(range(n), repeat=m)
    missed = np.mean([not {2, n - 2} & set(each) for each in draws])
    size = {r"(1 - \frac2n)^m": (1 - 2 / n) ** m, r"(1 - \frac1n)^m": (1 - 1 / n) ** m}
    return np.isclose(missed, size[formula])


def held_by_few(fall):
    """What a few columns hold, where eigenvalues fall in one way."""
    gamma = {"fast": 0.01, "slowly": 50.0}[fall]
    K = kernels.rbf(np.linspace(0, 10, 100)[:, None], gamma).dense()
    made = lowrank.nystrom(K, range(5, 100, 10))
    values = np.linalg.eigvalsh(K)[::-1]
    share = values[10] / values[0]
    decays = {"fast": share < 1e-3, "slowly": share > 0.1}
    return decays[fall] and made.diagonal().sum() > 0.9 * 100


# ---- Weights that count the density twice


def limit(z, sigma=1.0):
    """Of the weighted inner products, by an integral over frequencies."""
    density = norm(scale=1 / sigma).pdf

    def term(u):
        return density(u) * np.exp(-(sigma**2) * u**2 / 2) * np.cos(u * z)

    return quad(term, -20, 20)[0]


def law(word):
    """The product of the two densities, beside the one that was drawn from."""
    u = np.linspace(-8, 8, 4001)
    product = np.exp(-(u**2))
    spread = np.sqrt(np.average(u**2, weights=product))
    return {"narrower": spread < 1, "wider": spread > 1}[word]


def has_width(formula):
    size = {r"$\sqrt 2\, \sigma$": 2**0.5, r"$\sigma / \sqrt 2$": 0.5**0.5}[formula]
    told = [limit(z) / limit(0) for z in (0.5, 1.0, 2.0)]
    return np.allclose(told, [np.exp(-(z**2) / (2 * size**2)) for z in (0.5, 1.0, 2.0)])


def completion(word):
    """The approximation beside another semidefinite matrix with these columns."""
    Y = RNG.standard_normal((5, 5))
    M = Y.T @ Y
    more = np.linalg.eigvalsh(M - lowrank.nystrom(M, [0, 1]).spectral_reconstruction())
    return {"below": more.min() > -1e-9, "above": more.max() < 1e-9}[word]


def waves_of(frequencies):
    """Features that so many frequencies give in pairs."""
    made = features.RandomFourierFeatures(gamma=0.5, n_components=8, random_state=0)
    Z = made.fit(X).transform(X)
    return Z.shape[1] == {"D = 2m": 2, "D = m": 1}[frequencies] * 4


def keeps(formula):
    """By all draws of two frequencies, each with the chance one half."""
    size = {r"$2^{-m}$": lambda m: 2.0**-m, r"$2^{-2m}$": lambda m: 4.0**-m}[formula]
    missed = [
        np.mean([sum(each) == 0 for each in itertools.product((0, 1), repeat=m)])
        for m in (1, 2, 5)
    ]
    return np.allclose(missed, [size(m) for m in (1, 2, 5)])


def drawn(word):
    """Whether the frequencies depend on the points."""
    made = features.RandomFourierFeatures(gamma=0.5, random_state=0)
    own = made.fit(X).frequencies_.copy()
    same = np.allclose(own, made.fit(10 * X + 3).frequencies_)
    return same == (word == "before")


def turns(word):
    """At how many angles of a turn a combination vanishes at most."""
    t, most = np.linspace(0, 2 * np.pi, 2000, endpoint=False), 0
    for a, b, c in RNG.standard_normal((200, 3)):
        values = a + b * np.cos(t) + c * np.sin(t)
        most = max(most, int((np.sign(values) != np.sign(np.roll(values, 1))).sum()))
    return most == {"two": 2, "three": 3, "one": 1}[word]


def misses(word):
    """What two columns leave of the points of the page."""
    points = np.array([[0.0], [1.0], [2.0], [4.0]])
    K = np.exp(-((points - points.T) ** 2) / 2)
    rest = 1 - lowrank.nystrom(K, [0, 2]).diagonal()
    return rest[{"last": -1, "first": 0}[word]] > 0.9


def band_near_zero(word):
    made = experiments.estimates(20, 5, np.random.default_rng(0))
    near, far = made.deviations["pairs"][[0, -1]]
    return {"narrow": near < far / 10, "wide": near > far}[word]


# ---- Kernels without waves


def has_none(none, entries):
    """Which features the package has for a polynomial kernel: none of waves."""
    made = lowrank.nystrom(kernels.pairwise(X, "polynomial"), [0, 1])
    has = {"columns": np.isfinite(made.spectral_reconstruction()).all()}
    try:
        features.RandomFourierFeatures("polynomial").fit(X)
    except ValueError:
        has["waves"] = False
    else:
        has["waves"] = True
    return has[entries] and not has[none]


def moved(name):
    """Whether values of a kernel change when all points are moved."""
    metric = {"polynomial": "polynomial", "Gaussian": "rbf"}[name]
    told = [kernels.pairwise(points, metric).dense() for points in (X, X + 1)]
    return not np.allclose(*told)


def with_itself(word):
    """The inner products of points with themselves, with phases."""
    return np.allclose(lengths("phases"), 1) == (word == "exact")


sides(
    CHAPTER,
    {
        "Left, the kernel, [one standard deviation|two standard deviations] around "
        "it": (
            deviations
        ),
        "are nearly right everywhere, and exact on [the diagonal|the columns] only": (
            exact_where
        ),
        "[With phases|In pairs] the features of a point do not have length 1": (
            not_of_length_one
        ),
        "The same ridge then gives another machine: [divide|multiply] the paper's "
        "ridge by $m$.": same_machine,
        "if it is drawn so early, it gets far too [much|little] weight": weight_of_rare,
        "miss one wave with the chance $[(1 - \\frac2n)^m|(1 - \\frac1n)^m]$": (
            chance_to_miss
        ),
        "the rare one is missed with the chance [$2^{-m}$|$2^{-2m}$]": keeps,
        "if they fall [fast|slowly], a few columns hold most of it": held_by_few,
        "the density of a [narrower|wider] normal law": law,
        "a Gaussian kernel of the width [$\\sqrt 2\\, \\sigma$|$\\sigma / \\sqrt 2$]": (
            has_width
        ),
        "and by (b) it is [below|above] $M$": completion,
        "sines and cosines for $[D = 2m|D = m]$ waves": waves_of,
        "Waves are drawn [before|after] the data are seen": drawn,
        "vanishes at [two|three|one] angles of a turn at most": turns,
        "and miss the [last|first] point, which is far from both": misses,
        "with a band that is [narrow|wide] near distance 0": band_near_zero,
        "there are no [waves|columns] for it, whereas [columns|waves] need only "
        "entries": has_none,
        "A [polynomial|Gaussian] kernel, or one between graphs, has no": moved,
        "the inner product of a point with itself is [an estimate|exact], too": (
            with_itself
        ),
    },
)
