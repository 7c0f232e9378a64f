"""Machines on few columns: what shows words that could be exchanged."""

import warnings
from unittest.mock import Mock

import numpy as np
from sides_shown import sides, text_of
from words_shown import bound, draws, measured

from nystheory import kernels, learners, lowrank
from nystheory.chapters.machines_on_few_columns import certain
from nystheory.learners._pegasos import Steps

CHAPTER = "machines_on_few_columns"
RNG = np.random.default_rng(0)
X = RNG.standard_normal((40, 2))
Y = np.where(X[:, 0] + 0.5 * RNG.standard_normal(40) > 0, 1, -1)


def machine(ridge, landmarks=range(40), **given):
    made = learners.SubspaceClassifier(ridge, gamma=0.5, landmarks=landmarks, **given)
    with warnings.catch_warnings(action="ignore"):
        return made.fit(X, Y)


def scores(made):
    return made.decision_function(X)


# ---- Units of the ridge


def of_svc(formula, C=0.3):
    """The ridge with which both machines are one."""
    size = {r"$\frac1C$": 1 / C, "$C$": C}[formula]
    exact = learners.KernelSVC(C, gamma=0.5).fit(X, Y)
    return np.allclose(scores(exact), scores(machine(size, tol=1e-9)), atol=1e-3)


def sums(loss, ridge_of):
    """Whether the sum of the package is n times that of the paper, for any weights."""
    w, n, lam = RNG.standard_normal(3), 7, 0.4
    m = RNG.standard_normal(n)
    each = {"hinge": np.maximum(1 - m, 0), "square": (1 - m) ** 2}[loss]
    half = {"hinge": 1, "square": 1 / 2}[loss]
    own = half * each.sum() + ridge_of(n, lam) / 2 * w @ w
    return np.isclose(own, half * n * (each.mean() + lam * w @ w))


RIDGES = {
    r"2 n \lambda": lambda n, lam: 2 * n * lam,
    r"n \lambda": lambda n, lam: n * lam,
}


def ridge_of_sum(formula):
    """Of n times the objective of Pegasos, the ridge of the package."""
    size = {r"$n \lambda'$": 7, r"$\lambda'$": 1}[formula]
    w, m, lam = RNG.standard_normal(3), RNG.standard_normal(7), 0.4
    F = lam / 2 * w @ w + np.maximum(1 - m, 0).mean()
    return np.isclose(7 * F, np.maximum(1 - m, 0).sum() + size * lam / 2 * w @ w)


# ---- Pegasos


def steps_become(word):
    """Their lengths 1 / (lambda t), in the steps of the theorem."""
    steps = np.diff([1 / (0.1 * t) for t in range(1, 10)])
    holds = {"shorter and shorter": steps.max() < 0}
    return (holds | {"longer and longer": steps.min() > 0})[word]


def weight(formula):
    """Of the iterate after each step, in the mean that the package returns."""
    S, ridge, points = RNG.standard_normal((3, 1, 2)), 0.7, 5
    sums = Steps(S[-1], S.sum(axis=0), 3, points)
    t = np.arange(1, 4)
    iterates = [S[k - 1] * points / (ridge * k) for k in t]
    weights = {"$t$": t, r"$\frac1t$": 1 / t, "$1$": np.ones(3)}[formula]
    mean = np.average(iterates, axis=0, weights=weights)
    return np.allclose(mean, sums.average(ridge))


def after_one_pass(word, n=1000):
    """The bound, beside the value at zero, for two ridges of the package."""
    told = {}
    for name, ridge in (("above", 100.0), ("below", 0.01)):
        given = {"features": np.ones((1, 1)), "ridge": ridge / n, "T": n}
        told[name] = bound("dellavecchia2024:pegasos", "uniform", **given)
    others = [told[name] for name in told if name != word]
    return told[word] < 0.1 and min(others) > 1


def left_by(solver, ridge):
    made = machine(ridge, solver=solver, max_iter=20, tol=1e-12, random_state=0)
    return made.duality_gap_ / 40


def for_which_ridges(word):
    """Where Pegasos is far behind after twenty passes."""
    ridge = {"small": 1e-3, "large": 40.0}[word]
    walked, solved = left_by("pegasos", ridge), left_by("coordinates", ridge)
    return walked > 0.1 and solved < walked / 2


def visited(relation):
    """The largest share of steps in which a point was added, with random visits."""
    shares = np.bincount(RNG.integers(0, 40, 400), minlength=40) / 400
    return {">": shares.max() > 1 / 40, "<": shares.max() < 1 / 40}[relation]


# ---- The gap


def dual_is(word):
    """The dual at some coefficients, less the objective at some weights."""
    told = []
    F = lowrank.nystrom(kernels.rbf(X, 0.5), range(5)).factor
    for _ in range(20):
        a, w, lam = RNG.random(40) / 40, RNG.standard_normal(F.shape[1]), 0.1
        w_a = F.T @ (a * Y) / lam
        primal = lam / 2 * w @ w + np.maximum(1 - Y * (F @ w), 0).mean()
        told.append(a.sum() - lam / 2 * w_a @ w_a - primal)
    return {"below": max(told) < 0, "above": min(told) > 0}[word]


FEW, WHOLE = machine(0.1, range(2), tol=1e-9), machine(0.1, tol=1e-9)


def gap_of(word):
    """How far the objective is above the least one, with these columns and with all."""
    above = {"these": 0.0, "all": FEW.objective_ - WHOLE.objective_}[word]
    return abs(FEW.duality_gap_ - above) < 1e-3 * FEW.objective_


def may_go(first, second):
    """Where two scores may be that are off by 0.2 at most."""
    low, high = 0.15 - 0.2, -0.5 + 0.2
    signs = {"below": -1, "above": 1}
    return signs[first] * low > 0 and signs[second] * high > 0


# ---- Systems


def sizes(all_points, landmarks):
    """Of what each preconditioner is applied to, or what its solver returns."""
    K, words = kernels.rbf(X, 0.5), {"all $n$": 40, "$l$": 5}
    near = lowrank.nystrom(K, range(5))
    P = learners.Preconditioner(near, 0.1)
    own = learners.conjugate_gradients(K, Y.astype(float), 0.1, P).x
    other = learners.falkon(K, range(5), Y.astype(float), 0.1).x
    return (len(own), len(other)) == (words[all_points], words[landmarks])


def factor(word):
    """Of a step, in the objective, for a condition number of three."""
    told = ((np.sqrt(3) + 1) / (np.sqrt(3) - 1)) ** 2
    return np.isclose(told, {"fourteen": 14, "four": 4}[word], rtol=0.02)


def fits_one_class(word):
    size = {"large": 10.0, "small": 0.1}[word]
    return np.maximum(1 - size * np.ones(5), 0).max() == 0


def objective(w):
    F = lowrank.nystrom(kernels.rbf(X, 0.5), range(5)).factor
    return 0.05 * w @ w + np.maximum(1 - Y * (F @ w), 0).mean()


def curved(word):
    bulge = []
    for _ in range(20):
        v, w = RNG.standard_normal((2, 5))
        bulge.append((objective(v) + objective(w)) / 2 - objective((v + w) / 2))
    return {"convex": min(bulge) > 0, "concave": max(bulge) < 0}[word]


def dual_along(word):
    """The second differences of the dual on a line of coefficients."""
    F = lowrank.nystrom(kernels.rbf(X, 0.5), range(5)).factor
    a, b = RNG.random((2, 40))

    def dual(c):
        w = F.T @ (c * Y) / 0.1
        return c.sum() - 0.05 * w @ w

    bends = np.diff([dual(a + t * b) for t in np.linspace(0, 1, 9)], 2)
    bent = abs(bends[0]) > 1e-9
    return np.allclose(bends, bends[0]) and bent == (word == "quadratic")


def walk(count=400, lam=0.1):
    """The weights of Pegasos, and the share of the steps that added each point."""
    F = lowrank.nystrom(kernels.rbf(X, 0.5), range(5)).factor
    w, iterates, added = np.zeros(5), [], np.zeros(40)
    order = np.concatenate([RNG.permutation(40) for _ in range(count // 40)])
    for t, i in enumerate(order, 1):
        iterates.append(w)
        low = Y[i] * (F[i] @ w) < 1
        w = (1 - 1 / t) * w + low * Y[i] * F[i] / (lam * t)
        added[i] += low
    iterates.append(w)
    return np.array(iterates), F.T @ (added / count * Y) / lam


ITERATES, OF_DUAL = walk()


def leads(word):
    """Where the step is that leads to the weights of the dual coefficients."""
    return np.allclose(ITERATES[{"last": -1, "first": 1}[word]], OF_DUAL)


def remembers(word):
    sizes = np.linalg.norm(ITERATES, axis=1)
    return {"long": sizes[1] > 1.5 * sizes[-1], "short": sizes[1] < sizes[-1]}[word]


def narrower(word):
    """The points whose labels may change, after a hundred passes and after ten."""
    early, late = (certain.after(count).certain for count in (10, 100))
    return {"narrow": late > early, "wide": late < early}[word]

# ---- The figure of certain labels

def labels(in_grey, elsewhere):
    """Where labels after three passes are all those of the finished machine."""
    early, filled = certain.after(3, n=100), Mock()
    certain.draw(filled, early, "")
    shade, (low, high) = filled.contourf.call_args.args[2:4]
    grey = (low < shade) & (shade < high)
    given = {"gamma": certain.GAMMA, "n_landmarks": certain.COLUMNS, "random_state": 0}
    finished = learners.SubspaceClassifier(certain.RIDGE, **given)
    finished.fit(early.points.X, early.points.y)
    plane = np.stack(np.meshgrid(certain.ACROSS, certain.UP), axis=-1)
    scores = finished.decision_function(plane.reshape(-1, 2)).reshape(grey.shape)
    same = (early.scores > 0) == (scores > 0)
    told = {"may still change": False}
    told |= {"is certain to be that of the finished machine": True}
    return (same[grey].all(), same[~grey].all()) == (told[in_grey], told[elsewhere])


def panel_of(passes, place):
    """Whether the cell draws it there, and names both in the order of their passes."""
    page = text_of(CHAPTER)
    names = "early, late = (certain.after(count) for count in passes)" in page
    return names and f"certain.draw({place}, {passes}," in page


SCORES = f"{CHAPTER}:scores"
AT = np.array(draws(SCORES)[0].settings)


def wrong(field, name, data):
    return measured(SCORES, field, name, data).mean(axis=0)


def spend(where_rare, on_digits):
    """Scores and pivots against more uniform columns: what errs less, and where."""
    names = {"scores or pivots": ("leverage", "pivots")}
    names |= {"more uniform columns": ("more",), "more uniform ones": ("more",)}
    many, few = AT >= 64, AT <= 32

    def least(words, field, data, where):
        own = [wrong(field, x, data)[where] for x in names[words]]
        rest = {"leverage", "pivots", "more"} - {*names[words]}
        rest = [wrong(field, x, data)[where] for x in rest]
        return np.mean(own) < np.mean(rest)

    return least(where_rare, "rare", "tight groups", many) and least(
        on_digits, "error", "digits", few
    )


HARM = wrong("error", "leverage", "tight groups") - wrong(
    "error", "uniform", "tight groups"
)
GAIN = wrong("error", "uniform", "tight groups") - wrong(
    "error", "pivots", "tight groups"
)
EXCESS = FEW.objective_ - WHOLE.objective_


def of_quality(words):
    """Whether the gap tells what these columns cost."""
    told = FEW.duality_gap_ > 0.5 * EXCESS
    return EXCESS > 0 and told == words.startswith("how good")


sides(
    CHAPTER,
    {
        "and takes [shorter and shorter|longer and longer] steps.": steps_become,
        "It minimises $n F$, so its ridge is [$n \\lambda'$|$\\lambda'$].": (
            ridge_of_sum
        ),
        "The minimum of $F$ is unknown, but it has a bound from [below|above].": (
            dual_is
        ),
        "The first score may still fall [below|above] zero.": (
            lambda word: may_go(
                word, "below"
            )
        ),
        "The second stays [below|above] zero.": lambda word: may_go("below", word),
        "The certificate is for the problem with [these|all] columns": gap_of,
        "The gap is that of the problem with [these|all] columns, which is": gap_of,
        "So `ridge` $= n \\lambda' = [2 n \\lambda|n \\lambda]$, which is "
        "[$\\frac1C$|$C$] of `KernelSVC`": (
            lambda ridge, svc: (
                sums("hinge", RIDGES[ridge]) and of_svc(svc)
            )
        ),
        "the package has half of the square, and `ridge` $= [n \\lambda|2 n "
        "\\lambda]$": (
            lambda ridge: sums("square", RIDGES[ridge])
        ),
        "little after one pass unless $n \\lambda'$ is well [above|below] one": (
            after_one_pass
        ),
        'For [small|large] ridges use `solver="coordinates"`': for_which_ridges,
        "are for a system with [all $n$|$l$] coefficients. That of FALKON is for "
        "[$l$|all $n$] coefficients": sizes,
        "and then $a_i [>|<] \\frac1n$: the dual is no bound": visited,
        "since each function that is [large|small] enough fits it": fits_one_class,
        "The package gives the iterate after step $t$ the weight "
        "[$t$|$\\frac1t$|$1$],": (
            weight
        ),
        "by a factor of about [fourteen|four], whatever $n$ is": factor,
        "$F$ is [convex|concave], so $F(\\bar w)": curved,
        "$D$ is [quadratic|linear]: $D(a) =": dual_along,
        "and $w_a$ is where the [last|first] step leads": leads,
        "but it remembers the [long|short] first iterates": remembers,
        "On the right the band is [narrow|wide], some": narrower,
        "So use [scores or pivots|more uniform columns] where something is rare, its "
        "labels matter and there are columns enough; on data like the digits, while "
        "columns are few, spend the work on [more uniform ones|scores or pivots].": (
            spend
        ),
        "columns scores do [harm|good], and the light groups take": {
            "harm": HARM[0] > 0,
            "good": HARM[0] < 0,
        },
        "Random pivots [gain|lose] there, too": {
            "gain": GAIN[AT >= 64].min() > 0,
            "lose": GAIN[AT >= 64].max() < 0,
        },
        "It says [nothing about how good the columns are, which|how good the "
        "columns are, too, which] is the subject of": of_quality,
        "In the grey areas the label [may still change|is certain to be that of the "
        "finished machine]; elsewhere it [is certain to be that of the finished "
        "machine|may still change].": labels,
        "{{ [early|late].certain:.0f }} percent of the points are certain on the left,"
        " of {{ [late|early].certain:.0f }} percent on the right": (
            lambda left, right: panel_of(left, "left") and panel_of(right, "right")
        ),
    },
)
