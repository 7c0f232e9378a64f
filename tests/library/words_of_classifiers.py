"""What docstrings of classifiers and graphs say in words, and whether it is true."""

import math

import numpy as np
from words_of_docstrings import holds, says
from words_of_learners import RIDGE, X, quietly
from words_of_machines import LABELS, SIGNS, K, N

from nystheory import learners

S = [0, 3, 7, 11, 16, 20]
LOSSES = {
    "hinge": lambda m: np.maximum(0, 1 - m),
    "logistic": lambda m: np.logaddexp(0, -m),
    "square": lambda m: (1 - m) ** 2 / 2,
}
WRONG = {
    "hinge": lambda m: np.maximum(0, 1 + m),
    "logistic": lambda m: np.logaddexp(0, m),
    "square": lambda m: (1 - m) ** 2,
}


def classifier(loss="hinge", tol=1e-10, ridge=RIDGE, solver="auto", **more):
    given = {"loss": loss, "tol": tol, "ridge": ridge, "solver": solver, "gamma": 0.5}
    model = learners.SubspaceClassifier(landmarks=S, random_state=0, **given, **more)
    return quietly(model.fit, X, LABELS)


def value(model, w, loss, losses=LOSSES, ridge=RIDGE):
    F = model.approximation_.factor
    return ridge / 2 * w @ w + losses[loss](SIGNS * (F @ w)).sum()


@says(
    "learners.SubspaceClassifier",
    "Of a margin m: ``max(0, 1 [-] m)``; ``log(1 + exp([-]m))``; ``(1 - m)^2 [/ "
    "2]``",
    "+", "+", "/ 1",
)
def losses(hinge, logistic, square):
    told = (hinge == "-", logistic == "-", square == "/ 2")
    for loss, right in zip(LOSSES, told, strict=True):
        model = classifier(loss)
        own = value(model, model.coef_, loss, LOSSES if right else WRONG)
        if not np.isclose(own, model.objective_):
            return False
    return True


@says("learners.SubspaceClassifier", "Above 0: [1 / C] of `KernelSVC`", "C")
def ridge_and_C(words):
    ridge = 0.25
    C = {"1 / C": 4.0, "C": 0.25}[words]
    few = classifier(ridge=ridge)
    machine = learners.KernelSVC(C=C, gamma=0.5, method="nystrom", landmarks=S)
    other = quietly(machine.fit, X, LABELS)
    return np.allclose(few.decision_function(X), other.decision_function(X), atol=1e-4)


@says("learners.SubspaceClassifier", "``[2] n lambda`` in the notation of", "1")
@says(
    "learners.SubspaceClassifier",
    "``[n lambda]`` for its square loss, which is [twice] ours",
    "2 n lambda", "half",
)
def lambda_of_the_paper(words, times=None):
    """There the mean of losses has lambda |f|^2 beside it: minimised by a grid."""
    if times is None:
        model, scale, loss, n_lambda = classifier(), 1.0, "hinge", RIDGE / float(words)
    else:
        model, loss = classifier("square"), "square"
        scale = 2.0 if times == "twice" else 0.5
        n_lambda = {"n lambda": RIDGE, "2 n lambda": RIDGE / 2}[words]
    F, w = model.approximation_.factor, model.coef_
    rng, told = np.random.default_rng(0), []

    def theirs(v):
        return scale * LOSSES[loss](SIGNS * (F @ v)).sum() + n_lambda * v @ v

    for size in (1e-1, 1e-2, 1e-3):
        for _ in range(200):
            told.append(theirs(w) <= theirs(w + size * rng.standard_normal(len(w))))
        told.append(theirs(w) <= min(theirs((1 + size) * w), theirs((1 - size) * w)))
    return all(told)


@says(
    "learners.SubspaceClassifier",
    "The duality gap is [at most] this share of the value at f = [0]",
    "at least", "1",
)
def gap(word, at):
    told = []
    for loss in LOSSES:
        for tol in (1e-1, 1e-3, 1e-6):
            model = classifier(loss, tol)
            w = np.zeros_like(model.coef_)
            w = w if at == "0" else 0 * w + 1e-9
            size = value(model, w, loss) * (1 if at == "0" else 1e-12)
            told.append(holds(word, model.duality_gap_ / (tol * size), 1.0))
    return all(told)


@says(
    "learners.SubspaceClassifier",
    "By no [more] is `objective_` above the minimum",
    "less",
)
def above_the_minimum(word):
    told = []
    for loss in LOSSES:
        rough, best = classifier(loss, 0.3), classifier(loss, 1e-12)
        off = rough.objective_ - best.objective_
        told.append(off <= rough.duality_gap_ if word == "more" else
                    off >= rough.duality_gap_)
    return all(told)


@says(
    "learners.SubspaceClassifier",
    "``[sqrt(2 gap / ridge)]`` from the minimiser [at most]",
    "gap / ridge / 20", "at least",
)
def from_the_minimiser(words, word):
    told = []
    for ridge in (1e-2, 1.0):
        best = classifier(ridge=ridge, tol=1e-12)
        for tol in (0.5, 0.1, 1e-3):
            rough = classifier(ridge=ridge, tol=tol, solver="coordinates")
            gap = rough.duality_gap_
            end = math.sqrt(2 * gap / ridge) if "sqrt" in words else gap / ridge / 20
            told.append((np.linalg.norm(rough.coef_ - best.coef_), end))
    return holds(word, *np.array(told).T)


@says(
    "learners.SubspaceClassifier",
    "*The gap* is ``|ridge w - v|^[2] / ([2] ridge)`` plus a sum of terms of [at "
    "least] zero",
    "1", "4", "at most",
)
def formula_of_the_gap(power, half, word):
    model = classifier()
    F, rng = model.approximation_.factor, np.random.default_rng(0)
    for a in rng.uniform(0, 1, (9, N)):
        w = rng.standard_normal(F.shape[1])
        m, v = SIGNS * (F @ w), F.T @ (a * SIGNS)
        each = np.maximum(0, 1 - m) - a * (1 - m)
        apart = np.linalg.norm(RIDGE * w - v) ** int(power) / (float(half) * RIDGE)
        whole = value(model, w, "hinge") - (a.sum() - v @ v / (2 * RIDGE))
        if not (np.isclose(whole, apart + each.sum()) and holds(word, each, 0)):
            return False
    return True


@says(
    "learners.SubspaceClassifier.clipped",
    "no hinge or square loss [grows] by it, and a logistic loss by [1 / n] [at "
    "most]",
    "falls", "0", "at least",
)
def clipped(word, end, most):
    m = np.linspace(-9, 9, 181)
    told = []
    for loss in LOSSES:
        M = math.log(N) if loss == "logistic" else 1.0
        model = classifier(loss, ridge=1e-4)
        scores = model.decision_function(X)
        assert np.allclose(model.clipped(X), scores.clip(-M, M))
        more = LOSSES[loss](m.clip(-M, M)) - LOSSES[loss](m)
        if loss == "logistic":
            told.append(holds(most, more.max(), {"1 / n": 1 / N, "0": 0.0}[end]))
        else:
            told.append(more.max() <= 0 if word == "grows" else more.min() >= 0)
    return all(told)


@says(
    "learners.SubspaceClassifier.clipped",
    "From -M to M, with M = [1], and [log n] for the logistic loss",
    "2", "n",
)
def to_what(hinge, logistic):
    ends = {"hinge": float(hinge), "square": float(hinge),
            "logistic": {"log n": math.log(N), "n": N}[logistic]}
    return all(
        np.isclose(abs(classifier(loss, ridge=1e-6).clipped(X)).max(), end)
        for loss, end in ends.items()
    )


@says(
    "learners.SubspaceClassifier",
    "Of [three] and more classes each is learned against the [rest]",
    "four", "first",
)
def against_the_rest(count, word):
    y = np.digitize(X[:, 0], [-0.4, 0.4])
    given = {"landmarks": X[S], "gamma": 0.5, "tol": 1e-9, "random_state": 0}
    model = quietly(learners.SubspaceClassifier(**given).fit, X, y)
    some = np.ones(N, dtype=bool) if word == "rest" else y != 2
    one = quietly(learners.SubspaceClassifier(**given).fit, X[some], (y == 1)[some])
    scores = model.decision_function(X)[:, 1], one.decision_function(X)
    count = {"three": 3, "four": 4}[count]
    return np.allclose(*scores, atol=1e-4) and model.coef_.shape[1] == count


@says(
    "learners.SubspaceClassifier",
    "each step takes one dual coefficient to where the dual is [largest]",
)
def dual_of_one(word):
    """Of a_i alone: a quadratic with the maximum (1 - m) / |f|^2 from where it is."""
    model = classifier()
    F = model.approximation_.factor
    a = np.full(N, 0.3)
    v = F.T @ (a * SIGNS)
    step = RIDGE * (1 - SIGNS[0] * F[0] @ v / RIDGE) / (F[0] @ F[0])
    b = a.copy()
    b[0] = np.clip(a[0] + step, 0, 1)

    def dual(a):
        v = F.T @ (a * SIGNS)
        return a.sum() - v @ v / (2 * RIDGE)

    others = [dual(np.r_[t, a[1:]]) for t in np.linspace(0, 1, 21)]
    return dual(b) >= max(others) if word == "largest" else dual(b) <= min(others)


# ---- Graphs


def laplacian():
    W = K - np.eye(N)
    return np.diag(W.sum(axis=1)) - W


V = [0, 4, 5, 9, 13]
LABELS_OF_V = np.array([1.0, -2, 0.5, 3, 1])


def graph(C0=3.0, labels=LABELS_OF_V):
    model = learners.LaplacianRegression(C0=C0, gamma=0.5, method="exact")
    return model.fit(X, labels, labelled=V)


@says(
    "learners.LaplacianRegression",
    "Minimises ``h'Lh [+] C0 [/ n] |h_S - y_S|^2`` over the hyperplane ``sum(h) ="
    " [0]``",
    "-", "* n", "1",
)
def minimised(sign, by, total):
    h, y = graph().values_, LABELS_OF_V - LABELS_OF_V.mean()
    weight = {"/ n": 3 / 5, "* n": 15.0}[by] * (1 if sign == "+" else -1)
    rng = np.random.default_rng(0)

    def objective(g):
        return g @ laplacian() @ g + weight * ((g[V] - y) ** 2).sum()

    moves = [size * (g - g.mean()) for size in (1.0, 1e-2, 1e-4)
             for g in rng.standard_normal((60, N))]
    least = all(objective(h) <= objective(h + g) + 1e-12 for g in moves)
    return least and np.isclose(h.sum(), float(total))


@says(
    "learners.LaplacianRegression",
    "y_S their labels [minus] the mean of these",
    "plus",
)
@says(
    "learners.LaplacianRegression",
    "[The mean] of the labels, which predictions are added",
    "Twice the mean",
)
def centred(word):
    model, mean = graph(), LABELS_OF_V.mean()
    shifted = graph(labels=LABELS_OF_V + 7.0)
    told = {
        "minus": np.allclose(shifted.values_, model.values_),
        "plus": not np.allclose(shifted.values_, model.values_),
        "The mean": np.isclose(model.mean_, mean),
        "Twice the mean": np.isclose(model.mean_, 2 * mean),
    }
    return told[word]


@says(
    "learners.LaplacianRegression",
    "sum of ``w_ij (h_i - h_j)^2`` over the edges, each counted [once]",
    "twice",
)
def edges(word):
    h, W = graph().values_, K - np.eye(N)
    both = (W * (h[:, None] - h) ** 2).sum()
    return np.isclose(h @ laplacian() @ h, both / 2 if word == "once" else both)


@says("learners.LaplacianRegression", "With ``A = [n / C0] L + I_S``", "C0 / n")
def solution(words):
    by = {"n / C0": 5 / 3, "C0 / n": 3 / 5}[words]
    A, b = by * laplacian(), np.zeros(N)
    A[V, V] += 1
    b[V] = LABELS_OF_V - LABELS_OF_V.mean()
    one, other = np.linalg.solve(A, np.column_stack([b, np.ones(N)])).T
    return np.allclose(graph().values_, one - one.sum() / other.sum() * other)


@says(
    "learners.LaplacianRegression",
    "Constant labels give h = [0] and predict [themselves]",
    "1", "0",
)
def constant(value, predicted):
    model = graph(labels=np.full(5, 3.0))
    there = {"themselves": 3.0, "0": 0.0}[predicted]
    return np.allclose(model.values_, float(value)) and np.allclose(
        model.predict(X[:3]), there
    )


@says(
    "learners.LaplacianRegression.predict",
    "``mean_ [+] sum_i w_i h_i [/] sum_i w_i``",
    "-", "*",
)
@says(
    "learners.LaplacianRegression.predict",
    "It is the value that [minimises] the sum of ``w_i (h - h_i)^[2]``",
    "maximises", "1",
)
def means_of_values(word, other):
    model, A = graph(), X[:3] + 0.4
    w = np.exp(-0.5 * ((A[:, None] - X) ** 2).sum(axis=2))
    h, told = model.values_, model.predict(A)
    if word in "+-":
        total = w.sum(axis=1)
        own = w @ h / total if other == "/" else w @ h * total
        return np.allclose(told, model.mean_ + (own if word == "+" else -own))
    power = int(other)

    def size(at):
        return (w * abs(at[:, None] - h) ** power).sum(axis=1)

    at = told - model.mean_
    moves = [size(at) <= size(at + t) for t in (1e-3, -1e-3, 0.1, -0.1)]
    return np.all(moves) if word == "minimises" else not np.any(moves)
