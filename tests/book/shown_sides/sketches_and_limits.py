"""Sketches and limits: what shows words that could be exchanged."""

import itertools

import numpy as np
from sides_shown import sides
from words_shown import bound

from nystheory import lowrank, theorems
from nystheory.chapters.sketches_and_limits import promises_kept, staircase
from nystheory.engine import Instance
from nystheory.engine.promises.promises import kept

CHAPTER = "sketches_and_limits"
RNG = np.random.default_rng(0)


def with_prob(first, second):
    """With which the promises of the figure hold, those that have a probability."""
    case = Instance(np.diag([1000.0, *np.ones(99)]), range(60), 60)
    fails = [
        kept(theorems[id], claim, case, promises_kept.DELTA).fails
        for id, claim in promises_kept.PROMISED.values()
    ]
    told = [round(1 - x, 9) for x in fails if x is not None]
    assert fails[2:] == [None, None]
    return told == [float(first), float(second)]


# ---- Sketches


def sketched(K, Omega):
    Y = K @ Omega
    return Y @ np.linalg.pinv(Omega.T @ Y) @ Y.T


def bounds_are(what):
    """Whether single sketches break the bound that their mean keeps."""
    K = np.diag([100.0] * 2 + [1.0] * 10)
    k, l = 2, 4  # noqa: E741
    most = bound("modern:gaussian-sketch", "nuclear", k=k, l=l, tail_trace=10.0)
    errors = []
    for _ in range(300):
        near = sketched(K, RNG.standard_normal((12, l)))
        values, V = np.linalg.eigh(near)
        cut = V[:, -k:] * values[-k:] @ V[:, -k:].T
        errors.append(np.trace(K - cut))
    claims = theorems["modern:gaussian-sketch"].claims
    named = "nuclear", "spectral", "without truncation"
    of_means = all(claims[x].line.startswith("mean(") for x in named)
    return {
        "are means": of_means and max(errors) > most > np.mean(errors),
        "hold for each draw": max(errors) <= most,
    }[what]


def spread(word):
    """How the spread of one test of the trace goes with an eigenvalue."""
    values = np.array([10.0, 1.0, 0.1])
    change = [
        np.sqrt(2 * (np.where(np.arange(3) == j, 1.1, 1) * values) ** 2 @ np.ones(3))
        for j in range(3)
    ]
    return np.argmax(change) == {"large": 0, "small": 2}[word]


def processes(word):
    """Of the covariances, less one another, over pairs of pairs of vectors."""
    told = []
    for _ in range(50):
        u, v, p, q = RNG.standard_normal((4, 2))
        nu, nv, np_, nq = map(np.linalg.norm, (u, v, p, q))
        first = (u @ p) * (v @ q) + nu * nv * np_ * nq
        second = nv * nq * (u @ p) + nu * np_ * (v @ q)
        told.append(first - second)
    return {"first": min(told) > -1e-9, "second": max(told) < 1e-9}[word]


def covariances(one, other):
    return one != other and processes(one)


def suprema(word, draws=4000):
    """The mean suprema of the two processes, of vectors in a disc and in an ellipse."""
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    disc = np.array([np.cos(angles), np.sin(angles)])
    u = np.hstack([disc, 0.5 * disc, np.zeros((2, 1))])
    v = np.diag([2.0, 0.5]) @ u
    lengths = np.outer(np.linalg.norm(v, axis=0), np.linalg.norm(u, axis=0))
    told = np.zeros((draws, 2))
    for row in told:
        Omega, gamma = RNG.standard_normal((2, 2)), RNG.standard_normal()
        g, h = RNG.standard_normal((2, 2))
        row[0] = (v.T @ Omega @ u + gamma * lengths).max()
        row[1] = (
            np.outer(np.linalg.norm(v, axis=0), g @ u)
            + np.outer(h @ v, np.linalg.norm(u, axis=0))
        ).max()
    gap = told[:, 1] - told[:, 0]
    error = gap.std() / np.sqrt(draws)
    return {"second": gap.mean() > 5 * error, "first": gap.mean() < -5 * error}[word]


def tests_that_saw(word):
    """The mean of the trace, if vectors of signs test what they took part in."""
    K = np.array([[2.0, 1.0], [1.0, 1.0]])
    told = []
    for signs in itertools.product((-1, 1), repeat=2):
        w = np.array(signs, float)[:, None]
        near = sketched(K, w)
        told.append(np.trace(near) + (w.T @ (K - near) @ w).item())
    return np.isclose(np.mean(told), np.trace(K)) == (word == "unbiased")


# ---- What no columns can do


def curved(word):
    """The eigenvalue that is left of a block, and its square, over its landmarks."""
    p, m, c = np.arange(0, 20, 0.5), 20, 0.01
    h = (m + c) / (c + p)
    bulge = np.concatenate([np.diff(h, 2), np.diff(h**2, 2)])
    return {"convex": bulge.min() > 0, "concave": bulge.max() < 0}[word]


def limit(whole, share):
    """How the factor of the theorem goes with the similarity."""
    a = np.array([0.5, 0.9, 0.99, 0.999])
    q = (20 - 4) / (4 + 2 * (1 - a) / a)
    signs = {"rises": 1, "falls": -1}
    return all(
        (signs[word] * np.diff(x)).min() > 0
        for word, x in ((whole, q), (share, (1 - a) / a))
    )


def avoided(formula):
    """The factor that ten of twenty points alike leave, in the spectral norm."""
    a, n, l = 1 - 1e-9, 20, 5  # noqa: E741
    K = a * np.ones((n, n)) + (1 - a) * np.eye(n)
    E = K - lowrank.nystrom(K, range(l)).spectral_reconstruction()
    factor = np.linalg.norm(E, 2) / (1 - a)
    size = {"$n/l$": n / l, r"$\sqrt{n/l}$": np.sqrt(n / l), "$l + 1$": l + 1}[formula]
    return np.isclose(factor, size, rtol=1e-3)


def allows(id):
    """Whether a theorem bounds the mean error by this factor times the best tail."""
    claims = theorems[f"modern:{id}"].claims.values()
    factor = "(l + 1) / (l + 1 - k) * tail_trace"
    means = [x for x in claims if x.law == "determinantal" and "mean(" in x.line]
    return bool(means) and any(x.line.endswith(factor) for x in claims)


# ---- Another core

K = np.array([[1.0, 1.0], [1.0, 2.0]])
C = K[:, :1]


def cores(sampled, whole):
    """Which core changes with an entry that was not sampled."""
    told = {}
    for name in ("$W^+$", "$U^*$"):
        made = []
        for entry in (2.0, 3.0):
            A = np.array([[1.0, 1.0], [1.0, entry]])
            plus = np.linalg.pinv(A[:, :1])
            own = {"$W^+$": 1 / A[0, 0], "$U^*$": (plus @ A @ plus.T).item()}
            made.append(own[name])
        told[name] = made[0] != made[1]
    return sampled != whole and not told[sampled] and told[whole]


def of_core(size, order):
    """The other core beside the usual one: its error, and whether it is below."""
    plus = np.linalg.pinv(C)
    other, usual = C @ (plus @ K @ plus.T) @ C.T, C @ C.T / C[0, 0]
    smaller = np.linalg.norm(K - other) < np.linalg.norm(K - usual)
    below = np.linalg.eigvalsh(K - other).min() > 0
    return (smaller, below) == (size == "smaller", order == "below")


def spectral_error(word):
    error = {U: np.linalg.norm(K - U * C @ C.T, 2) for U in (1.5, 1.25)}
    more = error[1.5] - error[1.25]
    return {"smaller": more < 0, "larger": more > 0}[word]


# ---- Stairs

VALUES = staircase.stairs()
FACTORS = staircase.dpp_factor(VALUES, [8, 9, 10, 11])


def where_a_step(word):
    """Spectra with a step there, by the factor of five columns over its worst."""
    worst = staircase.dpp_factor(np.array([1e6] * 5 + [1.0] * 3), [5])[0] / 6
    other = staircase.dpp_factor(np.array([1e6] * 4 + [1.0] * 4), [5])[0] / 6
    return {"just after": worst > 0.9, "just before": other > 0.9}[word]


def after_the_step(word):
    change = FACTORS[3] - FACTORS[2]
    return {"fall after it": change < 0, "rise after it": change > 0}[word]


def before_the_step(word):
    at = {"fewer": FACTORS[1], "more": FACTORS[3]}[word]
    beside = {"fewer": FACTORS[0], "more": FACTORS[2]}[word]
    return at < FACTORS[2] / 5 and beside < at * 1.5


def bounds_others(word):
    """A norm of semidefinite errors, beside their other norms."""
    told = []
    for _ in range(5):
        X = RNG.standard_normal((4, 4))
        E = X @ X.T
        told.append({"trace": np.trace(E), "spectral norm": np.linalg.norm(E, 2)}[word])
        told[-1] -= max(np.linalg.norm(E, 2), np.linalg.norm(E), np.trace(E))
    return min(told) > -1e-9


def diagonal(word):
    """An entry of the inverse, and the distance of a row from the others."""
    Omega = RNG.standard_normal((3, 7))
    entry = np.linalg.inv(Omega @ Omega.T)[0, 0]
    Q = np.linalg.qr(Omega[1:].T)[0]
    squared = ((Omega[0] - Q @ (Q.T @ Omega[0])) ** 2).sum()
    size = {"the squared distance": squared}
    size |= {"one over the squared distance": 1 / squared}
    return np.isclose(entry, size[word])


def freedom(formula, k=3, l=9):  # noqa: E741
    """The dimension that is left beside the span of the others."""
    Omega = RNG.standard_normal((k, l))
    rest = np.eye(l) - np.linalg.pinv(Omega[1:]) @ Omega[1:]
    size = {"l - k + 1": l - k + 1, "l - k": l - k, "l - k - 1": l - k - 1}[formula]
    return np.isclose(np.trace(rest), size)


def may_miss(word):
    """What leaves a single point out, in the mean of uniform columns or of sketches."""
    alone = np.diag([9.0, 1e-3, 1e-3, 1e-3])
    missed = {
        "uniform columns": np.mean([np.trace(alone) - alone[i, i] for i in range(4)]),
        "test vectors": np.mean(
            [
                np.trace(alone - sketched(alone, RNG.standard_normal((4, 1))))
                for _ in range(200)
            ]
        ),
    }
    return missed[word] == max(missed.values())


def squares(relation):
    """Of positive parts on both sides of a number."""
    z, a = np.meshgrid(np.linspace(0, 3, 31), np.linspace(0, 5, 51))
    parts = np.maximum(z + a, 0) ** 2 + np.maximum(z - a, 0) ** 2
    off = parts - 2 * z**2
    return {r"\ge": off.min() > -1e-9, r"\le": off.max() < 1e-9}[relation]


def look(word):
    """The mean squared length of an error times signs, by all signs."""
    E = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 1.0]])
    told = np.mean(
        [np.sum((E @ np.array(s)) ** 2) for s in itertools.product((-1, 1), repeat=3)]
    )
    size = {"Frobenius": np.sum(E**2), "spectral": np.linalg.norm(E, 2) ** 2}[word]
    return np.isclose(told, size)


sides(
    CHAPTER,
    {
        "promises hold with probability [0.9|0.7] and [0.7|0.9], the others on "
        "average": (
            with_prob
        ),
        "The bounds for sketches [are means|hold for each draw].": bounds_are,
        "and its spread comes from the [large|small] eigenvalues": spread,
        "the covariance of the [first|second] exceeds that of the [second|first] by": (
            covariances
        ),
        "the supremum of the [second|first] is stochastically the larger one": suprema,
        "finds nothing there, and the control is [biased|unbiased]": tests_that_saw,
        "$h$ and $h^2$ are [convex|concave] for": curved,
        "(1 - similarity) / similarity)` [rises|falls] with $a$, because $(1-a)/a$ "
        "[falls|rises] to 0": limit,
        "a factor of nearly [$n/l$|$\\sqrt{n/l}$|$l + 1$] over the best rank $k$": (
            avoided
        ),
        "drawn by volume have no more on average "
        "({ref}`modern:[k-dpp-expectation|dpp-expectation]`)": allows,
        "[$W^+$|$U^*$] needs only the sampled columns, [$U^*$|$W^+$] all of $K$": cores,
        "has the [smaller|larger] Frobenius error and is [not below|below] $K$.": (
            of_core
        ),
        "there $U = 1.5$ has a [smaller|larger] error than": spectral_error,
        "They have a step [just after|just before] $l$.": where_a_step,
        "when $l$ reaches a step, and [fall after it|rise after it]": after_the_step,
        "With one column [fewer|more] than there are eigenvalues before a step": (
            before_the_step
        ),
        "is positive semidefinite, so its [trace|spectral norm] bounds its other": (
            bounds_others
        ),
        "diagonal entry is [one over the squared distance|the squared distance] of "
        "the": (
            diagonal
        ),
        "with $[l - k + 1|l - k|l - k - 1]$ degrees of freedom": freedom,
        "That is so for [uniform columns|test vectors], which may miss": may_miss,
        "(z - a)_+^2 [\\ge|\\le] 2 z^2$ for all": squares,
        "on average, the squared [Frobenius|spectral] norm of that error": look,
    },
)
