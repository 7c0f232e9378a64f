"""Which random features: what shows words that could be exchanged."""

from unittest.mock import Mock

import numpy as np
from scipy import stats
from scipy.integrate import quad
from scipy.special import hyp1f1
from sides_shown import sides
from words_shown import bound

from nystheory import features, lowrank
from nystheory.chapters.which_random_features import costs, figures

CHAPTER = "which_random_features"
RNG = np.random.default_rng(0)
X = RNG.standard_normal((5, 3))

# ---- Laws of frequencies


def transformed(law, z):
    """The mean of the cosine over a law on the line."""
    return quad(law.pdf, 0, 60, weight="cos", wvar=z, limit=500)[0] * 2


def of_laplacian(word):
    law = {"Cauchy": stats.cauchy, "Laplace": stats.laplace, "normal": stats.norm}[word]
    return all(
        np.isclose(transformed(law, z), np.exp(-z), atol=1e-3) for z in (0.5, 1.0, 2.0)
    )


def of_gaussian(word):
    law = {"standard normal": stats.norm, "Cauchy": stats.cauchy}[word]
    distances = 0.5, 1.0, 2.0
    told = [transformed(law, z) - np.exp(-(z**2) / 2) for z in distances]
    return np.allclose(told, 0, atol=1e-3)


def of_matern(word):
    """The kernel (1 + r) e^-r with r = sqrt(3) z."""
    law = {"Student's": stats.t(3), "the normal": stats.norm}[word]
    told = [
        np.isclose(
            transformed(law, z),
            (1 + np.sqrt(3) * z) * np.exp(-np.sqrt(3) * z),
            atol=1e-3,
        )
        for z in (0.5, 1.0, 2.0)
    ]
    return all(told)


def variance_of(gamma, count=40000):
    made = features.RandomFourierFeatures(
        gamma=gamma, n_components=count, random_state=0
    )
    return made.fit(X).frequencies_.var()


VARIANCES = {gamma: variance_of(gamma) for gamma in (0.5, 1.0, 3.0)}


def variances(formula, number):
    """Of the frequencies that the package draws, and where they are one."""
    size = {r"$2 \gamma$": 2, r"$\gamma$": 1}[formula]
    gamma = {r"\frac12": 0.5, "1": 1.0}[number]
    told = [np.isclose(VARIANCES[x], size * x, rtol=0.03) for x in VARIANCES]
    return all(told) and np.isclose(VARIANCES[gamma], 1, rtol=0.03)


def frequencies(kind):
    """How many the package draws for so many features."""

    def holds(word):
        made = features.RandomFourierFeatures(n_components=8, kind=kind, random_state=0)
        return len(made.fit(X).frequencies_) == {"D/2": 4, "D": 8, "2D": 16}[word]

    return holds


# ---- Pairs or phases


def both(kernel, twice, D=2):
    """The variances of pairs and of phases."""
    return (1 + twice - 2 * kernel**2) / D, (1 + twice / 2 - kernel**2) / D


def never(word):
    """Pairs beside phases, for the Gaussian kernel."""
    z = np.linspace(0, 6, 100)
    k = np.exp(-(z**2) / 2)
    pairs, phases = both(k, k**4)
    more = pairs - phases
    return {"above": more.max() < 1e-12, "below": more.min() > -1e-12}[word]


def of_two(pairs, phases):
    """For frequencies that turn by nothing or by a half, by all draws."""
    D, turns = 2, np.arange(4) * np.pi / 4
    own = np.mean([np.cos(w) ** 2 for w in (0, np.pi)])  # one frequency, two features
    other = np.mean(
        [(2 * np.cos(b) * np.cos(b + w)) ** 2 for w in (0, np.pi) for b in turns]
    )
    size = {r"$\frac2D$": 2 / D, r"$\frac{3}{2D}$": 3 / (2 * D)}
    return np.allclose([own, other / D], [size[pairs], size[phases]])


def choose(relation):
    """Pairs, by two values of the kernel."""
    told = []
    for kernel, twice in ((0.5, 0.1), (0.5, 0.9), (0.0, 1.0), (0.9, 0.7)):
        pairs, phases = both(kernel, twice)
        side = twice - 2 * kernel**2
        told.append((pairs < phases) == (side < 0 if relation == "<" else side > 0))
    return all(told)


def gain_with_phases(word, relation):
    """Where a squared distance has a smaller variance with phases."""
    told = {}
    for name, z in (("near", 0.5), ("far", 3.0)):
        k = np.exp(-(z**2) / 2)
        gains = k**4 > (2 * k - 1) ** 2
        above = k > np.sqrt(2) - 1
        told[name] = gains, gains == (above if relation == ">" else not above)
    return told[word][0] and all(each[1] for each in told.values())


# ---- Right angles


def ratio(z, d):
    """The variance of as many orthogonal frequencies as dimensions, over the other."""
    own = (1 - np.exp(-(z**2))) ** 2 / 2
    product = hyp1f1(d, d / 2, -(z**2) / 2)
    return 1 + (d - 1) * (product - np.exp(-(z**2))) / own


def gains(word):
    return ratio({"small": 0.5, "large": 5.0}[word], 16) < 0.3


def tails(word, d=5):
    """Of the sum of two independent ones the fourth moment is 12."""
    own = bound("modern:orthogonal-features", "fourth moment", d=d)
    return {"lighter": own < 12, "heavier": own > 12}[word]


# ---- Grids


def pitches(formula):
    """The mean of the chance of a common bin, over pitches."""
    shape = {r"$\Gamma(2, 1)$": 2, r"$\Gamma(1, 1)$": 1}[formula]
    law = stats.gamma(shape)
    return all(
        np.isclose(quad(lambda x, z=z: (1 - z / x) * law.pdf(x), z, 60)[0], np.exp(-z))
        for z in (0.3, 1.0, 2.0)
    )


def density(formula):
    """Of the pitches of the Laplacian kernel, from its second derivative."""
    x, step = np.linspace(0.5, 5, 10), 1e-3
    k = lambda t: np.exp(-t)  # noqa: E731
    curvature = (k(x + step) - 2 * k(x) + k(x - step)) / step**2
    told = {r"\delta\, \kappa''(\delta)": x * curvature, r"\kappa''(\delta)": curvature}
    return np.allclose(told[formula], stats.gamma(2).pdf(x), rtol=1e-4)


# ---- Budgets


def spends(word, n=10**5, d=10):
    """Which features lead to less work with ridge regression, twice as many waves."""
    told = {}
    l = 200  # noqa: E741
    told["Columns"] = costs.operations_of_columns(l, n, d)
    told["Columns"] += costs.operations_of_ridge(l, n)
    told["Waves"] = costs.operations_of_waves(2 * l, n, d)
    told["Waves"] += costs.operations_of_ridge(2 * l, n)
    return told[word] == min(told.values())


def only_features(word, n=10**5, d=10):
    """Which cost less for the features alone, four times as many waves."""
    l = 2 * d + 4 * costs.WAVE  # noqa: E741
    told = {
        "Columns": costs.operations_of_columns(l, n, d),
        "Waves": costs.operations_of_waves(4 * l, n, d),
    }
    return told[word] == min(told.values())


def four_at(formula):
    """The number of columns from which four times as many waves cost no more."""
    told = []
    for d, c in ((10, 20), (3, 7)):
        l = {"l = 2 d + 3 c": 2 * d + 3 * c, "l = 3 d + 2 c": 3 * d + 2 * c}[formula]  # noqa: E741
        told.append(np.isclose(l * (2 * d + c + l), 4 * l * (d + c)))
    return all(told)


# ---- Promises


def lies(word, which):
    """An approximation from columns beside the matrix, and what it does to the risk."""
    Y = RNG.standard_normal((6, 6))
    K = Y @ Y.T
    near = lowrank.nystrom(K, [0, 1, 2]).spectral_reconstruction()
    more = np.linalg.eigvalsh(K - near)
    inside = {"below": more.min() > -1e-9, "above": more.max() < 1e-9}[word]

    def parts(A):
        smooth = A @ np.linalg.inv(A + np.eye(6))
        return {
            "bias": np.linalg.norm(np.eye(6) - smooth),
            "variance": np.linalg.norm(smooth),
        }

    own, other = parts(K), parts(near)
    grow = [name for name in own if other[name] > own[name]]
    return inside and grow == [which]


def edges(word):
    """Two points, and whether an edge of their grid falls between them."""
    told = []
    for u in RNG.random(200):
        x, y = 0.3 - u, 0.9 - u
        between = any(x < k <= y for k in range(-2, 3))
        told.append((np.floor(x) == np.floor(y)) == (not between))
    return all(told) if word == "no" else not all(told)


def chance_of_a_bin(word):
    z, step = np.linspace(0, 3, 61), 1.0
    bulge = np.diff(np.maximum(0, 1 - z / step), 2)
    return {"convex": bulge.min() > -1e-9, "concave": bulge.max() < 1e-9}[word]


def of_gaussian_grids(word):
    g = np.exp(-(np.linspace(0.01, 1, 100) ** 2) / 2)
    told = g**4 - 2 * g + 1
    return {"negative": told.max() < 0, "positive": told.min() > 0}[word]


def exactly_for(word):
    k = np.linspace(0.001, 0.999, 999)
    told, inside = (1 - k) ** 2 * (k**2 + 2 * k - 1), k > np.sqrt(2) - 1
    sign = {"positive": told > 0, "negative": told < 0}[word]
    return (sign == inside).all()


def exceeds_by(word):
    k, a = np.meshgrid(np.arange(1, 9), np.arange(0.5, 9, 0.5))
    told = [*(k * (k + 1) * (2 * k + 1)).ravel()]
    told += [*(2 * a**2 + 2 * a + k * (k + 1) * (2 * a - 1)).ravel()]
    return {"positive": min(told) > 0, "negative": max(told) < 0}[word]


def of_four(first, second):
    x = np.linspace(3, 9, 50)
    signs = {"increases": 1, "decreases": -1}
    own, other = np.diff(1 - x + x**2 / 6), np.diff(np.exp(-x))
    return (signs[first] * own).min() > 0 and (signs[second] * other).min() > 0


def worse_in(word):
    """The dimensions in which orthogonal frequencies are worse somewhere."""
    z = np.linspace(0.5, 8, 151)
    told = {d: max(ratio(x, d) for x in z) > 1 + 1e-9 for d in (1, 2, 3, 4, 5)}
    own = {d: d > 2 if word == "above" else d < 2 for d in told}
    return told == own


def exponents(word):
    """Those whose kernels have distances at which phases are better."""
    told = {p: (2 - 2**p) * 100 > np.log(2) for p in (0.5, 0.9, 1.1, 1.5)}
    return told == {p: (p < 1) == (word == "below") for p in told}

# ---- The figure of three grids

PLACES = RNG.random((12, 2)) * 2


def shaded(word):
    """Whether the one patch of a grid holds what is drawn as a triangle."""
    axes, pitch = Mock(), np.array([0.7, 1.1])
    figures.draw_grid(axes, PLACES, pitch, pitch * RNG.random(2))
    (patch,) = (each.args[0] for each in axes.add_patch.call_args_list)
    (triangle,) = (x.args[:2] for x in axes.plot.call_args_list if x.args[2] == "^")
    inside = all(
        low <= x <= low + side
        for x, low, side in zip(triangle, patch.get_xy(), pitch, strict=True)
    )
    size = np.allclose([patch.get_width(), patch.get_height()], pitch)
    return size and inside == (word == "bin of the triangle is")


GRIDS = features.RandomBinningFeatures(gamma=1.0, n_grids=3000, random_state=0)
IN_COMMON = GRIDS.fit_transform(PLACES).toarray()
IN_COMMON = IN_COMMON @ IN_COMMON.T
LAPLACIAN = np.exp(-np.abs(PLACES[:, None] - PLACES).sum(axis=-1))


def share_of_grids(word):
    told = {"a bin": IN_COMMON, "no bin": 1 - IN_COMMON}[word]
    return np.abs(told - LAPLACIAN).max() < 0.05


def of_points(which, size):
    """The kernel of the nearest pair, or of the farthest, beside the mean."""
    apart = np.abs(PLACES[:, None] - PLACES).sum(axis=-1) + 9 * np.eye(12)
    pair = {"near": apart.argmin(), "far": (apart - 9 * np.eye(12)).argmax()}[which]
    more = LAPLACIAN.flat[pair] - LAPLACIAN[np.triu_indices(12, 1)].mean()
    return more > 0 if size == "larger" else more < 0


# ---- Waves and grids


def with_variance(word):
    """Of the law whose waves have the Laplacian kernel as their mean."""
    assert of_laplacian("Cauchy")
    return np.isfinite(stats.cauchy.var()) == (word == "finite")


def oscillates(words):
    """The mean of the wave, beside the kernel of standard normal frequencies."""
    wave = {r"\cos \omega^\top": "cos", r"\sin \omega^\top": "sin"}[words]
    told = quad(lambda t: stats.norm.pdf(t) * getattr(np, wave)(t * 0.8), -12, 12)[0]
    return np.isclose(told, np.exp(-(0.8**2) / 2))


def entries_of_grids(formula):
    """The entries of a point in twenty grids of three dimensions."""
    made = features.RandomBinningFeatures(gamma=0.5, n_grids=20, random_state=0)
    Z = made.fit_transform(X)
    count = {"$P$": 20, "$P d$": 20 * 3}[formula]
    return ((Z != 0).sum(axis=1) == count).all()


def at_zero(words):
    """The slope of the Laplacian kernel beside zero."""
    slope = (np.exp(-1e-6) - 1) / 1e-6
    return np.isclose(slope, 0, atol=0.01) == (words == "no kink")


def blocks_of(size):
    """Whether frequencies at right angles are so in blocks of d, or of all D."""
    made = features.RandomFourierFeatures(
        n_components=16, draws="orthogonal", random_state=0
    ).fit(X)
    products = made.frequencies_ @ made.frequencies_.T
    count = {"$d$": X.shape[1], "$D$": 16}[size]
    block = products[:count, :count]
    return np.allclose(block, np.diag(block.diagonal()))


sides(
    CHAPTER,
    {
        "frequencies are [standard normal|Cauchy] vectors, for the Laplacian": (
            of_gaussian
        ),
        "they have independent [Cauchy|Laplace|normal] coordinates": of_laplacian,
        "and Matérn kernels have frequencies of [Student's|the normal] law": of_matern,
        "so that frequencies have the variance [$2 \\gamma$|$\\gamma$] in each "
        "coordinate; standard normal frequencies belong to $\\gamma = [\\frac12|1]$": (
            variances
        ),
        "*Pairs.* With $m = [D/2|D]$ the features": frequencies("pairs"),
        "*Phases.* With $m = [D|D/2]$ and independent": frequencies("phases"),
        "pairs are never [above|below] phases, orthogonal": never,
        "pairs have the variance [$\\frac2D$|$\\frac{3}{2D}$], and phases have "
        "[$\\frac{3}{2D}$|$\\frac2D$].": of_two,
        "| pairs if $\\kappa(2\\Delta) [<|>] 2 \\kappa(\\Delta)^2$ at your": choose,
        "Only distances of [near|far] points, those with $\\kappa(\\Delta) [>|<] "
        "\\sqrt 2 - 1$, have a smaller variance": gain_with_phases,
        "has [lighter|heavier] tails than that of two independent ones": tails,
        "At [small|large] ones. There a cosine is nearly a parabola": gains,
        "At [large|small] ones, where independent frequencies differ most": (
            lambda word: not gains(word)
        ),
        "from the law [$\\Gamma(2, 1)$|$\\Gamma(1, 1)$], over": pitches,
        "has the density $[\\delta\\, \\kappa''(\\delta)|\\kappa''(\\delta)]$, and "
        "so": (
            density
        ),
        "* *[Columns|Waves]*, if the learner takes $F^\\top F$": spends,
        "* *[Waves|Columns]*, if the features are what costs": only_features,
        "which is four at $[l = 2 d + 3 c|l = 3 d + 2 c]$ columns": four_at,
        "An approximation from columns lies [below|above] $K$, so that only the "
        "[bias|variance] can grow": lies,
        "share a bin exactly if [no|an] edge falls between them": edges,
        "$\\max(0, 1 - z / \\delta)$ is [convex|concave] in": chance_of_a_bin,
        "For $0 < z \\le 1$ it is [negative|positive], since": of_gaussian_grids,
        "(k^2 + 2k - 1)$, which is [positive|negative] exactly for": exactly_for,
        "if $a < k$; both are [positive|negative] because": exceeds_by,
        "= 1 - x + \\frac{x^2}6$ [increases|decreases] for $x \\ge 3$, while $e^{-x}$ "
        "[decreases|increases];": of_four,
        "In each dimension [above|below] two there are distances": worse_in,
        "So the answer is all exponents [below|above] {{ critical": exponents,
        "that is $m = [D/2|D|2D]$ frequencies where each gives a pair": (
            frequencies("pairs")
        ),
        r"the mean of $[\cos \omega^\top|\sin \omega^\top] (x - y)$ over": oscillates,
        "its frequencies have [infinite|finite] variance, so": with_variance,
        "and the Laplacian kernel has [a kink|no kink] at zero": at_zero,
        "a point has [$P$|$P d$] entries that are not zero": entries_of_grids,
        "independently; or in blocks of [$d$|$D$] at right angles": blocks_of,
        "The [bin of the triangle is|bins without the triangle are] shaded": shaded,
        "of all grids in which two points have [a bin|no bin] in common": (
            share_of_grids
        ),
        "so [near|far] points have a [larger|smaller] one.": of_points,
    },
)
