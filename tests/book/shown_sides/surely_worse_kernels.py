"""Kernels that are certainly worse: what shows words that could be exchanged."""

import numpy as np
from sides_shown import sides
from words_shown import found

from nystheory import kernels, lowrank, selection

CHAPTER = "surely_worse_kernels"
RNG = np.random.default_rng(0)
X = np.linspace(0, 10, 60)[:, None]
Y = np.sin(X[:, 0]) + 0.1 * RNG.standard_normal(60)
ALPHA = 0.005 * 60
inv = np.linalg.inv


def criterion(K, alpha=ALPHA, y=Y):
    return alpha / len(y) * y @ inv(K + alpha * np.eye(len(y))) @ y


def width(gamma, step=5):
    """A kernel, and what every so many columns make of it."""
    K = kernels.rbf(X, gamma)
    return K.dense(), lowrank.nystrom(K, range(0, 60, step))


NARROW, WIDE = width(20.0), width(0.05)


def ends(K, made):
    """Below and above, without a product, with the trace and its share of the ridge."""
    near = made.spectral_reconstruction()
    t = np.trace(K - near)
    return criterion(near + t * np.eye(60)), criterion(near), t


def of_sign(number, up="above", down="below"):
    return {up: number > 0, down: number < 0}


# ---- Two ends


def ends_are(lower, upper):
    """On which side of the criterion neither end is."""
    told = []
    for K, made in (NARROW, WIDE, width(1.0)):
        low, high, _ = ends(K, made)
        told.append((low - criterion(K), high - criterion(K)))
    low, high = np.transpose(told)
    signs = {"above": 1, "below": -1}
    return (signs[lower] * low).max() < 1e-9 and (signs[upper] * high).max() < 1e-9


def worse_where(word):
    """The choice of the exact criterion by the ends of three kernels."""
    enclosed = [(0.20, 0.40), (0.30, 0.50), (0.45, 0.60)]
    least = min(high for _, high in enclosed)
    out = [j for j, (low, _) in enumerate(enclosed) if of_sign(low - least)[word]]
    # Whatever the criteria are: those that are never the best.
    corners = np.array(np.meshgrid(*enclosed)).reshape(3, -1)
    best = set(corners.argmin(axis=0))
    return out == [j for j in range(3) if j not in best]


def weak(size, which):
    """Where the lower end says little, and how large the trace is there."""
    told = {}
    for name, each in (("narrow", NARROW), ("wide", WIDE)):
        low, high, t = ends(*each)
        told[name] = (low / high < 0.1, t > 10 * ALPHA)
    is_weak, is_large = told[which]
    return is_weak and is_large == (size == "large")


def ends_meet(columns):
    """As they do where all of a matrix is known."""
    narrow = {str(gamma): kernels.rbf(X, gamma) for gamma in (20.0, 30.0)}
    given = {"rng": np.random.default_rng(0), "measure": "criterion", "products": 0}
    found = selection.select(narrow, Y, ALPHA, n_landmarks=columns, **given)
    return np.allclose(found.lower, found.upper, rtol=1e-6)


def reads_all(word):
    """With how many of sixty columns."""
    whole = [ends_meet(columns) for columns in (10, 29, 30, 40)]
    twice = [2 * columns >= 60 for columns in (10, 29, 30, 40)]
    return whole == {r"2 l \ge n": twice, "2 l < n": [not x for x in twice]}[word]


# ---- A search


def goes(ridge, scale):
    """The criterion with more and more ridge, and for larger and larger multiples."""
    K = width(1.0)[0]
    told = [
        np.diff([criterion(K, alpha) for alpha in (0.01, 0.1, 1, 10)]),
        np.diff([criterion(c * K) for c in (1, 2, 5, 20)]),
    ]
    holds = {"falls": lambda x: x.min() >= 0, "rises": lambda x: x.max() <= 0}
    return holds[ridge](told[0]) and holds[scale](told[1])


def log_det(K):
    return np.linalg.slogdet(K + ALPHA * np.eye(60))[1]


def determinant(word, much, look):
    """Of the approximation, less that of the matrix, and what that does."""
    off = {}
    for name, (K, made) in (("narrow", NARROW), ("wide", WIDE)):
        off[name] = log_det(made.spectral_reconstruction()) - log_det(K)
    sign = {"too small": -1, "too large": 1, "much too small": -1, "much too large": 1}
    # The likelihood counts half of it, and the smallest value is sought.
    change = off["narrow"] / 2
    return (
        all(sign[word] * x > 0 for x in off.values())
        and sign[much] * off["narrow"] > 10 * abs(off["wide"])
        and {"better": change < 0, "worse": change > 0}[look]
    )


def likelihood(K, more=0.0):
    """Its logarithm, with more noise in the quadratic form alone."""
    q = Y @ inv(K + (ALPHA + more) * np.eye(60)) @ Y
    return -(q + log_det(K) + 60 * np.log(2 * np.pi)) / 2


def bounds_of(first, second):
    """Two bounds of the likelihood that the page attributes, each by its formula."""
    told = []
    for K, made in (NARROW, WIDE, width(1.0)):
        near = made.spectral_reconstruction()
        t = np.trace(K - near)
        with_trace = likelihood(near) - t / (2 * ALPHA)
        in_ridge = likelihood(near, more=t)
        told.append((with_trace - likelihood(K), in_ridge - likelihood(K)))
    one, two = np.transpose(told)
    return of_sign(one.max() if first == "below" else one.min())[first] and (
        of_sign(two.min() if second == "above" else two.max())[second]
    )


# ---- Ends of the likelihood

M = np.array([0.5, 2.0, 0.1, 1.0])


def product_beside_sum(word):
    """The product of the 1 + m_j, less one more than their sum."""
    return {"at least": 1, "at most": -1}[word] * (np.prod(1 + M) - 1 - M.sum()) > 0


def logarithm(word):
    """The sum of logarithms beside that of equal numbers."""
    more = len(M) * np.log(1 + M.mean()) - np.log(1 + M).sum()
    return of_sign(more, "concave", "convex")[word]


def with_more(word):
    steps = np.diff([m * np.log(1 + M.sum() / m) for m in range(1, 10)])
    return {"falls": steps.min() > 0, "rises": steps.max() < 0}[word]


def much_worse(word):
    """Which of the kernels the approximation can make look worse than they are."""
    K, made = {"narrower": width(1000.0), "wider": WIDE}[word]
    return ends(K, made)[1] > 2 * criterion(K)


def factor(word):
    """What the factor s does, beside other factors."""
    K, made = NARROW
    z = inv(made.spectral_reconstruction() + ALPHA * np.eye(60)) @ Y
    A = K + ALPHA * np.eye(60)
    told = [2 * s * z @ Y - s**2 * z @ A @ z for s in np.linspace(-1, 2, 301)]
    best = z @ Y / (z @ A @ z)
    own = 2 * best * z @ Y - best**2 * z @ A @ z
    return {"maximises": own > max(told), "minimises": own < min(told)}[word]


def sought(word):
    """Which value of both measures the kernel has that made the observations."""
    own, other = (width(gamma)[0] for gamma in (0.5, 200.0))
    told = [
        [selection.criterion(K, Y, ALPHA, measure=measure) for K in (own, other)]
        for measure in ("likelihood", "leave-one-out")
    ]
    picks = {"smallest": min, "largest": max}[word]
    return all(picks(pair) == pair[0] for pair in told)


def of_sums(word):
    """The criterion of a sum of kernels, beside those of its parts."""
    one, other = width(0.5)[0], width(20.0)[0]
    told = {"sum": criterion(one + other), "first": criterion(one)}
    told["second"] = criterion(other)
    return told[word] == min(told.values())


def more_columns(word):
    """The trace of the difference of the two inverses, with more and more columns."""
    told = []
    for step in (20, 10, 5):
        near = width(1.0, step)[1].spectral_reconstruction() + ALPHA * np.eye(60)
        t = 60 * (1 + ALPHA) - np.trace(near)
        told.append(np.trace(inv(near) - inv(near + t * np.eye(60))))
    steps = np.diff(told)
    return {"shrink": steps.max() < 0, "enlarge": steps.min() > 0}[word]


def with_others(word):
    """The difference of the diagonal, with landmarks only and with all others."""
    K = width(1.0)[0] + ALPHA * np.eye(60)
    for i in (3, 17):
        rest = np.delete(np.arange(60), i)
        some = rest[::6]
        few, many = (
            K[i, i] - K[i, S] @ inv(K[np.ix_(S, S)]) @ K[S, i] for S in (some, rest)
        )
        if not {"fall": few >= many - 1e-12, "rise": few <= many}[word]:
            return False
    return True


# ---- The figure of two ends, on fewer points

GAMMAS = 1000.0, 20.0, 2.0, 0.5, 0.1, 0.02, 0.002, 0.0002  # from narrow to wide
ENDS = np.array([ends(*width(gamma, 6))[:2] for gamma in GAMMAS])
CRITERIA = np.array([criterion(width(gamma)[0]) for gamma in GAMMAS])
LOWER, UPPER = ENDS.T


def certainly_worse(word, which, end):
    """The kernels that cannot be the best, by one comparison of their lower ends."""
    least = {"smallest": min, "largest": max}[which]
    threshold = least({"upper": UPPER, "lower": LOWER}[end])
    told = {"above": LOWER > threshold, "below": LOWER < threshold}[word]
    # A kernel is certainly worse where another is no worse even at its upper end.
    worse = np.array([any(x > y for y in UPPER) for x in LOWER])
    return worse.any() and (told == worse).all()


def curves(minimum, near_zero, narrow, meets):
    """Which curve has a minimum inside, and where the other is far away or near."""
    own = {"upper": UPPER, "lower": LOWER}
    at = {"narrow": 0, "wide": -1}
    inside = 0 < own[minimum].argmin() < len(GAMMAS) - 1
    apart = {x: UPPER[at[x]] - LOWER[at[x]] for x in at}
    return (
        inside
        and own[near_zero][at[narrow]] < 0.1 * UPPER[at[narrow]]
        and apart[meets] < 0.1 * UPPER[at[meets]]
    )


def crossed_out(word):
    """Where the kernels are that are certainly worse, from narrow to wide."""
    out = np.flatnonzero(LOWER > UPPER.min())
    return {"last": out.min() > CRITERIA.argmin(), "first": out.max() == 0}[word]


def of_approximations(word):
    return np.allclose({"upper": UPPER, "lower": LOWER}[word], [
        criterion(width(gamma, 6)[1].spectral_reconstruction()) for gamma in GAMMAS
    ])


def gives(below, lower, above, upper):
    """The ends by a matrix below and by one above."""
    K, made = width(1.0)
    near = made.spectral_reconstruction()
    lifted = near + np.trace(K - near) * np.eye(60)
    told = {}
    for name, A in (("below", near), ("above", lifted)):
        told[name] = "upper" if criterion(A) > criterion(K) else "lower"
    return (told[below], told[above]) == (lower, upper)


def of_residual(word):
    """The power with which the distance of the ends goes with the residual."""
    r, G = RNG.standard_normal(60), width(1.0)[0]
    power = np.log2((2 * r) @ G @ (2 * r) / (r @ G @ r))
    return np.isclose(power, {"quadratic": 2, "linear": 1}[word])


def determinants(word):
    off = log_det(NARROW[0]) - log_det(NARROW[1].spectral_reconstruction())
    return of_sign(-off)[{"below": "below", "above": "above"}[word]]


def attain(ridge, scale):
    """Where the criterion has its minimum, over ridges and over scales."""
    K = width(1.0)[0]
    sizes = np.array([0.01, 0.1, 1.0, 10.0])
    places = {"smallest": 0, "largest": 3}
    told = [criterion(K, x) for x in sizes], [criterion(x * K) for x in sizes]
    return [int(np.argmin(x)) for x in told] == [places[ridge], places[scale]]


def along(upper, lower):
    """The end that a matrix attains, by the direction that is added to the other."""
    near = NARROW[1].spectral_reconstruction()
    t = 2.0
    lifted = near + (ALPHA + t) * np.eye(60)
    z, v = inv(near + ALPHA * np.eye(60)) @ Y, inv(lifted) @ Y
    free = RNG.standard_normal(60)
    free -= z * (z @ free) / (z @ z)
    values = {"upper": criterion(near), "lower": criterion(near + t * np.eye(60))}
    told = [
        criterion(near + t * np.outer(u, u) / (u @ u)) for u in (free, v)
    ]
    return np.allclose(told, [values[upper], values[lower]])


def half_of_trace(word):
    """The end that needs the whole trace, where one direction is missed."""
    K, y = np.diag([1.0, 2.0]), np.array([0.0, 1.0])
    near = np.diag([1.0, 0.0])
    told = {
        "lower": criterion(near + (K - near).trace() * np.eye(2), 1.0, y),
        "upper": criterion(near, 1.0, y),
    }
    return np.isclose(told[word], criterion(K, 1.0, y))


def too(word):
    """By how many steps the picked width is too wide, by the likelihood."""
    told = found(f"{CHAPTER}:tell")
    means = [told.measured("wider", "likelihood", x).mean() for x in told.draws]
    return {"narrow": max(means) < 0, "wide": min(means) > 0}[word]


def with_ridge(way, kernel):
    """The criterion, with a larger ridge, and with a smaller or a larger kernel."""
    K = WIDE[0]
    by_ridge = criterion(K, 2 * ALPHA) - criterion(K)
    scale = {"shrinks": 1 / 2, "grows": 2}[kernel]
    signs = {"fall": 1, "rise": -1}
    return signs[way] * by_ridge >= 0 and (
        signs[way] * (criterion(scale * K) - criterion(K)) >= 0
    )


def ridges_taken(words):
    """How many ridges the package searches by this measure."""
    search = selection.KernelSelector(["rbf"], [0.1, 1.0], measure="criterion")
    try:
        search.fit(X[:20], Y[:20])
    except ValueError as refused:
        return words == "one ridge only" and "expected one" in str(refused)
    return words == "several ridges"


sides(
    CHAPTER,
    {
        "the *lower end* is never [above|below] it, the *upper end* never "
        "[below|above].": ends_are,
        "Drop each kernel whose lower end is [above|below] the smallest upper end": (
            worse_where
        ),
        "is weak where the trace is [large|small] compared with the ridge, as it is "
        "for [narrow|wide] kernels": weak,
        "If $[2 l \\ge n|2 l < n]$, the package reads all of $K$ instead": reads_all,
        "It never [falls|rises] when the ridge grows, and never [rises|falls] when a "
        "kernel is multiplied": goes,
        "the determinant of an approximation is [too small|too large], and for narrow "
        "kernels it can be [much too small|much too large], which makes them look "
        "[better|worse] than": determinant,
        "bounds the likelihood from [below|above], with $\\frac t\\alpha$ for the "
        "determinant, and fits the inducing points by this bound. "
        "{cite:t}`titsias2014` bounds it from [above|below], with": bounds_of,
        "The product of the $1 + m_j$ is [at least|at most] $1 + s$": (
            product_beside_sum
        ),
        "The logarithm is [concave|convex], so the sum is at most": logarithm,
        "This bound never [falls|rises] when $m$ rises": with_more,
        "only [narrower|wider] ones can look much worse than they are": much_worse,
        "and the factor $s$ [maximises|minimises] $2 a^\\top y": factor,
        "for both we seek the [smallest|largest] value": sought,
        "So a search always chooses the [sum|first|second], or finds it": of_sums,
        "more columns do, because they [shrink|enlarge] $G$": more_columns,
        "for a point that is no landmark the difference cannot [fall|rise]": (
            with_others
        ),
        "because their lower end is [above|below] the [smallest|largest] [upper|lower] "
        "end; with": certainly_worse,
        "and the [upper|lower] curve has one nearby. The [lower|upper] curve is near "
        "zero for [narrow|wide] widths and meets the upper one for [wide|narrow] "
        "ones": (
            curves
        ),
        "With {{ few }} columns the [last|first] {{ out": crossed_out,
        "The [upper|lower] end is the criterion of the approximations": (
            of_approximations
        ),
        "So a matrix [below|above] $K$ gives an [upper|lower] end of the criterion, "
        "and a matrix [above|below] $K$ gives a [lower|upper] one": gives,
        "and it is [quadratic|linear] in the residual": of_residual,
        "is never [below|above] $\\log\\det \\tilde A$": determinants,
        "so the [smallest|largest] ridge and the [largest|smallest] scale": attain,
        "orthogonal to $z$ for the [upper|lower] end, and along $R_t y$ for the "
        "[lower|upper] one": along,
        "then the [lower|upper] end is attained with the whole trace": half_of_trace,
        "By the likelihood the picked width is too [narrow|wide], in": too,
        "$C$ does not [fall|rise] when the ridge grows or the kernel [shrinks|grows]": (
            with_ridge
        ),
        "`KernelSelector` takes [one ridge only|several ridges] for this measure": (
            ridges_taken
        ),
    },
)
