"""What docstrings of the choice of a kernel say in words, and whether it is true."""

import numpy as np
from scipy.stats import multivariate_normal
from words_of_docstrings import cases, eigenvalues, everywhere, holds, says
from words_of_learners import X, quietly

from nystheory import kernels, lowrank, selection

Y = np.sin(np.arange(8.0)) + 0.1 * np.arange(8)
RIDGE = 0.4
ONE, NEAR, E = cases()[4]
A = ONE + RIDGE * np.eye(8)


def alone(K, y, ridge=RIDGE):
    """The errors of ridge regression at each point, without it."""
    told = []
    for i in range(len(y)):
        rest = np.delete(np.arange(len(y)), i)
        a = np.linalg.solve(K[np.ix_(rest, rest)] + ridge * np.eye(len(rest)), y[rest])
        told.append(y[i] - K[i, rest] @ a)
    return np.array(told)


# ---- The measures


@says(
    "selection.criterion",
    "``([ridge / n]) y'a``, the [least] regularised risk",
    "1 / n", "largest",
)
def regularised_risk(by, word):
    a = np.linalg.solve(A, Y)
    factor = {"ridge / n": RIDGE / 8, "1 / n": 1 / 8}[by]

    def risk(b):
        return ((Y - ONE @ b) ** 2).mean() + RIDGE / 8 * b @ ONE @ b

    rng = np.random.default_rng(0)
    others = [risk(a + t * rng.standard_normal(8)) for t in [1, 1e-2] * 40]
    least = risk(a) <= min(others) if word == "least" else risk(a) >= max(others)
    value = selection.criterion(ONE, Y, RIDGE, measure="criterion")
    return least and np.isclose(value, factor * Y @ a) and np.isclose(value, risk(a))


@says(
    "selection.criterion",
    "[minus] the log marginal likelihood of a Gaussian process whose noise has "
    "the [variance] `ridge`",
    "plus", "deviation",
)
def likelihood(sign, word):
    noise = RIDGE if word == "variance" else RIDGE**2
    log = multivariate_normal(np.zeros(8), ONE + noise * np.eye(8)).logpdf(Y)
    value = selection.criterion(ONE, Y, RIDGE, measure="likelihood")
    return np.isclose(value, -log if sign == "minus" else log)


@says(
    "selection.criterion",
    "the mean of ``(a_i [/] h_i)^2``, the [squared] error at each point of ridge "
    "regression on the [others]",
    "*", "plain", "whole",
)
def leaving_out(by, power, which):
    inverse = np.linalg.inv(A)
    a, h = inverse @ Y, np.diag(inverse)
    ratio = a / h if by == "/" else a * h
    errors = alone(ONE, Y) if which == "others" else Y - ONE @ a
    mean = np.mean(abs(errors) ** {"squared": 2, "plain": 1}[power])
    value = selection.criterion(ONE, Y, RIDGE, measure="leave-one-out")
    return np.isclose(value, mean) and np.isclose(value, np.mean(ratio**2))


@says("selection.criterion", "the [least] regularised", "largest")
@says(
    "selection.criterion",
    "suits the targets; [smaller] is [better]",
    "larger", "worse",
)
@says(
    "selection.select",
    "as for `criterion`; [smaller] is [better]",
    "larger", "worse",
)
@says(
    "selection.Outcome",
    "one of `MEASURES`; [smaller] is [better]",
    "larger", "worse",
)
def suits(word, grade=None):
    """Of a kernel that is made of the targets, and of one that knows no point's."""
    good = np.outer(Y, Y) / 2 + 1e-3 * np.eye(8)
    bad = np.eye(8) * np.trace(good) / 8
    told = [
        selection.criterion(K, Y, RIDGE, measure=m)
        for m in selection.MEASURES
        for K in (good, bad)
    ]
    one, other = np.array(told).reshape(-1, 2).T
    if grade is None:
        return bool((one < other).all() if word == "least" else (one > other).all())
    better = one if grade == "better" else other
    worse = other if grade == "better" else one
    return bool((better < worse).all() if word == "smaller" else (better > worse).all())


@says(
    "selection.criterion",
    "K becomes ``[root K root]`` and y becomes ``root y``, with root the [square "
    "roots] of w",
    "K root", "squares",
)
@says(
    "selection.criterion",
    "A point of weight 0 is left out, and n counts the [others]",
    "all",
)
@says(
    "selection.criterion",
    "The noise of the likelihood has variance ``ridge [/] w_i``",
    "*",
)
def weighted(word, roots="square roots"):
    w = np.array([1.0, 2, 0.5, 1, 3, 1, 0.7, 2])
    if word in ("others", "all"):
        w = np.r_[w[:7], 0]
        value = selection.criterion(ONE, Y, RIDGE, sample_weight=w)
        few = selection.criterion(ONE[:7, :7], Y[:7], RIDGE, sample_weight=w[:7])
        return np.isclose(value, few if word == "others" else few * 7 / 8)
    if word in "/*":
        noise = RIDGE / w if word == "/" else RIDGE * w
        log = multivariate_normal(np.zeros(8), ONE + np.diag(noise)).logpdf(Y)
        given = {"measure": "likelihood", "sample_weight": w}
        return np.isclose(selection.criterion(ONE, Y, RIDGE, **given), -log)
    root = np.sqrt(w) if roots == "square roots" else w**2
    K = root[:, None] * ONE * (root if word == "root K root" else 1)
    a = np.linalg.solve(K + RIDGE * np.eye(8), root * Y)
    value = selection.criterion(ONE, Y, RIDGE, measure="criterion", sample_weight=w)
    return np.isclose(value, RIDGE / 8 * root * Y @ a)


# ---- Ends


def form(K, r, shift=0.0):
    return r @ np.linalg.solve(K + (RIDGE + shift) * np.eye(8), r)


@says(
    "selection.enclosure",
    "``r'A^-1 r`` is [at least] ``r'(A~ + t I)^-1 r`` and [at most] ``r'A~^-1 r``",
)
def ends_of_a_form(low, high):
    def claim(K, near, E):
        return holds(low, form(K, Y), form(K - E, Y, E.trace())) and holds(
            high, form(K, Y), form(K - E, Y)
        )

    return everywhere(claim)


@says("selection.enclosure", "q = [2]a'y [-] a'A a + r'A^-1 r exactly", "1", "+")
def exactly(two, sign):
    rng = np.random.default_rng(0)
    for a in rng.standard_normal((5, 8)):
        own = a @ A @ a
        r = Y - A @ a
        q = float(two) * a @ Y + (-own if sign == "-" else own) + form(ONE, r)
        if not np.isclose(q, form(ONE, Y)):
            return False
    return True


def logdet(K):
    return np.linalg.slogdet(K + RIDGE * np.eye(8))[1]


@says(
    "selection.enclosure",
    "The log determinant is [above] that of ``A~`` by ``log(1 + t / |A~|_2)`` [at"
    " least], and by ``sum_i log(1 + d_i / ridge)`` [at most]",
)
def ends_of_the_determinant(side, low, high):
    sign = 1 if side == "above" else -1

    def claim(K, near, E):
        more = sign * (logdet(K) - logdet(K - E))
        top = eigenvalues(K - E)[0] + RIDGE
        ends = np.log1p(E.trace() / top), np.log1p(np.diag(E) / RIDGE).sum()
        return holds(low, more, ends[0]) and holds(high, more, ends[1])

    return everywhere(claim)


@says(
    "selection.enclosure",
    "d the diagonal of the error, which is [no more] than ``m log(1 + t / (m "
    "ridge))`` for the m points that are [no] landmarks",
    "no less", "all",
)
def concave(word, which):
    def claim(K, near, E):
        d = np.diag(E)
        own, m = np.log1p(d / RIDGE).sum(), 4
        assert np.allclose(d[near.landmarks], 0, atol=1e-9)
        end = m * np.log1p(d.sum() / (m * RIDGE))
        right = own <= end + 1e-9 if word == "no more" else own >= end - 1e-9
        some = {"no": (d > 1e-9).sum() <= 4, "all": (d[near.landmarks] > 1e-9).all()}
        return right and some[which]

    return everywhere(claim)


@says("selection.enclosure", "Each brings the ends [closer]")
@says("selection.enclosure", "without a product a is [0]", "1")
def closer(word):
    if word in "01":
        ends = selection.enclosure(NEAR, Y, RIDGE)
        a = float(word) * np.ones(8)
        r = Y - A @ a
        own = (2 * a @ Y - a @ A @ a + form(ONE - E, r)) * RIDGE / 8
        return np.isclose(ends.upper, own, rtol=1e-3)
    gaps = [
        ends.upper - ends.lower
        for ends in (selection.enclosure(NEAR, Y, RIDGE, products=p) for p in range(4))
    ]
    steps = np.diff(gaps)
    return bool((steps < 0).all() if word == "closer" else (steps > 0).all())


@says(
    "selection.Enclosure",
    "``lower / 2 + upper / 2``, off by [half] of `upper` - `lower` [at most]",
    "a tenth", "at least",
)
def middle(part, word):
    share = {"half": 0.5, "a tenth": 0.1}[part]
    told = []
    for seed in range(30):
        y = np.random.default_rng(seed).standard_normal(8)
        y = np.linalg.eigh(ONE)[1][:, seed % 8] + 0.01 * y
        for ridge in (1e-2, 1.0, 50.0):
            ends = selection.enclosure(NEAR, y, ridge)
            off = abs(ends.estimate - selection.criterion(ONE, y, ridge))
            told.append(off / (share * (ends.upper - ends.lower)))
    return holds(word, told, 1 + 1e-6)


# ---- The search


T = np.sin(X[:, 0] * 2) + X[:, 1]
GAMMAS, RIDGES = (1e-3, 0.3, 30.0, 0.35), [0.05, 0.2]


def outcome(seed=0, **given):
    K = [kernels.rbf(X, gamma) for gamma in GAMMAS]
    options = {"n_landmarks": 6, "products": 0, "rng": np.random.default_rng(seed)}
    return quietly(selection.select, K, T, RIDGES, **options | given)


FOUND = [
    outcome(seed, measure=m)
    for seed in range(4)
    for m in ("leave-one-out", "likelihood")
]
# In these a kernel is certainly worse at each ridge.
WORSE = [found for found in FOUND if found.measure == "likelihood"]


@says(
    "selection.select",
    "a pair whose lower end is [above] the [smallest] upper end of all is "
    "*certainly [worse]*",
    "below", "largest", "better",
)
@says(
    "selection.Outcome",
    '``"certainly [worse]"``, where `lower` is [above] the [smallest] `upper` of '
    "all",
    "better", "below", "largest",
)
def certainly(*words):
    if "smallest" in words or "largest" in words:
        side = "above" if "above" in words else "below"
        end = min if "smallest" in words else max
        grade = "certainly worse" if "worse" in words else "certainly better"
    told = []
    for found in FOUND:
        if (by := found.measure) == "leave-one-out":
            exact = [
                selection.criterion(kernels.rbf(X, gamma), T, RIDGES, measure=by)
                for gamma in GAMMAS
            ]
            assert ((found.lower <= exact) & (exact <= found.upper)).all()
        last = end(found.upper.ravel())
        own = found.lower > last if side == "above" else found.lower < last
        told.append(np.array_equal(own, found.status == grade))
    return all(told)


@says("selection.select", "the pair of the [smallest] estimate is chosen", "largest")
@says(
    "selection.Outcome",
    "that of the [smallest] estimate among those that may be the best",
    "largest",
)
@says("selection.Outcome.ranks", "The place of each pair: [1] for the chosen one", "2")
def winner(word):
    if word in "12":
        return all(f.ranks()[f.best] == int(word) for f in FOUND)
    end = {"smallest": np.min, "largest": np.max}[word]
    some = [(f, f.status != "certainly worse") for f in FOUND]
    return all(f.estimate[f.best] == end(f.estimate[left]) for f, left in some)


@says(
    "selection.Outcome.ranks",
    "within both groups the [smaller] estimate is before the [larger], and equal "
    "ones share a place",
    "larger", "smaller",
)
@says("selection.Outcome.ranks", "Those that [may] be the best come first", "cannot")
def places(word, other=None):
    told = []
    for f in FOUND:
        worse, ranks = f.status == "certainly worse", f.ranks()
        if other is None:
            ahead = ranks[~worse].max() < ranks[worse].min()
            told.append(ahead == (word == "may"))
        for group in (worse, ~worse):
            order = np.argsort(ranks[group])
            steps = np.diff(f.estimate[group][order])
            up = other is None or (word, other) == ("smaller", "larger")
            told.append((steps >= 0).all() if up else (steps <= 0).all())
    return all(told)


@says(
    "selection.Outcome.table",
    "A row for each kernel, at its ridge of the [smallest] estimate",
    "largest",
)
@says(
    "selection.Outcome.table",
    "The [best] first, those that are certainly [worse] last",
    "worst", "better",
)
def rows(word, last="worse"):
    told = []
    for f in WORSE:
        table = f.table().rows
        if word in ("smallest", "largest"):
            end = {"smallest": np.min, "largest": np.max}[word]
            for name, _, value, *_ in table:
                told.append(value == end(f.estimate[f.kernels.index(name)]))
        else:
            status = [row[7] for row in table]
            first = status[0] == "chosen"
            k = status.index("certainly worse")
            told.append(first == (word == "best"))
            told.append(all(x == f"certainly {last}" for x in status[k:]))
    return all(told)


@says(
    "selection.Outcome.summary",
    "for the kernels that are certainly [worse]",
    "better",
)
def lines(word):
    return all(f"Certainly {word}: " in f.summary() for f in WORSE)


@says(
    "selection.KernelSelector",
    "minus its estimate, so that [more] is [better]",
    "less", "worse",
)
@says(
    "selection.KernelSelector",
    "[minus] its estimate, so that more is better",
    "plus",
)
def score(word, grade="better"):
    model = selection.KernelSelector(random_state=0, fit_intercept=False)
    model = quietly(model.fit, X, T)
    own = model.outcome_.estimate[model.outcome_.best]
    ends = model.cv_results_["mean_test_score"]
    sign = -1 if word in ("minus", "more", "less") else 1
    top = (ends <= model.best_score_).all() if grade == "better" else (
        ends >= model.best_score_).all()
    return bool(np.isclose(model.best_score_, sign * own) and top) and word != "less"


# ---- What stands for K


@says(
    "selection.approximate",
    '``"criterion_driven"`` read [at most] 2 n l entries',
    "at least",
)
def entries_read(word):
    told = []
    for method in ("uniform", "adaptive_partial", "criterion_driven"):
        K = kernels.as_kernel(kernels.rbf(X, 0.4).dense())
        before = K.entries_asked
        selection.approximate(K, method, 5, np.random.default_rng(0), y=T)
        told.append(K.entries_asked - before)
    most = 2 * len(X) * 5
    return holds(word, told, most if word == "at most" else most + 1)


@says(
    "selection.approximate",
    "with W_k the best rank-k approximation of the [core]",
    "whole",
)
def of_the_core(word):
    K = kernels.rbf(X, 0.4).dense()
    made = selection.approximate(K, "uniform", 5, np.random.default_rng(0), rank=2)
    S = made.landmarks
    how = {"core": "core", "whole": "approximation"}[word]
    own = lowrank.nystrom(K, S, 2, truncate=how)
    return np.allclose(made.spectral_reconstruction(), own.spectral_reconstruction())
