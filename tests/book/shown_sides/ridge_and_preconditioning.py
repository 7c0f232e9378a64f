"""Ridge regression and preconditioning: what shows words that could be exchanged."""

from itertools import combinations, product

import numpy as np
from sides_shown import sides
from words_shown import found

from nystheory import guarantees, kernels, learners, lowrank, theorems
from nystheory.engine import value

CHAPTER = "ridge_and_preconditioning"
RNG = np.random.default_rng(0)
X, Y = RNG.standard_normal((40, 2)), RNG.standard_normal(40)
K = kernels.rbf(X, 0.5).dense()

# ---- The risk


def parts(values, alpha=1.0):
    """The bias of a signal along each eigenvector, and the variance, for noise one."""
    values = np.array(values, float)
    return {
        "bias": ((alpha / (values + alpha)) ** 2).sum(),
        "variance": ((values / (values + alpha)) ** 2).sum(),
    }


def has_more(word):
    """Of an approximation above the matrix, beside the matrix."""
    return parts([3.0, 2.0])[word] > parts([3.0, 1.0])[word]


def goes(values, word):
    steps = np.diff(values)
    return {"increases": steps.min() > 0, "decreases": steps.max() < 0}[word]


def variance_goes(word):
    """Where eigenvalues become smaller."""
    told = [parts([x, x / 2])["variance"] for x in (3.0, 2.0, 0.5, 0.1)]
    return {"falls": goes(told, "decreases"), "rises": goes(told, "increases")}[word]


# ---- How many columns


def score(word):
    """Which of the scores makes the number, times how many points there are."""
    told = value("largest_score", guarantees.know(K).but(alpha=1.0))
    scores = np.diag(K @ np.linalg.inv(K + np.eye(40)))
    return np.isclose(told, 40 * {"largest": max, "smallest": min}[word](scores))


def of_every_score(word):
    """The required number where each score is this one, beside that of the theorem."""
    line = theorems["modern:bach"].claims["mean risk"].when
    assert "largest_score" in line and "d_eff" not in line
    scores = np.diag(K @ np.linalg.inv(K + np.eye(40)))
    d_eff = 40 * {"largest": max, "smallest": min}[word](scores)
    return np.isclose(d_eff, value("largest_score", guarantees.know(K).but(alpha=1.0)))


def without_replacement(word):
    """The mean of a convex function of a sum of two, by both ways to draw."""
    x = np.array([0.0, 1.0, 3.0])
    once = np.mean([np.exp(x[list(S)].sum()) for S in combinations(range(3), 2)])
    again = np.mean([np.exp(x[list(S)].sum()) for S in product(range(3), repeat=2)])
    return {"smaller": once < again, "larger": once > again}[word]


def requires(word):
    """Columns by the theorem, with another number in place of the largest entry."""
    line = theorems["modern:bach"].claims["mean risk"].when.partition(">=")[2]
    names = {"largest_score": 2.0, "accuracy": 1.0, "n": 50, "alpha": 0.1}
    asked = [eval(line, {"log": np.log, "K_max": x, **names}) for x in (0.5, 1.0, 2.0)]
    return {"larger": asked[2] > asked[1], "smaller": asked[0] > asked[1]}[word]


def groups(word):
    """Whether the points of a group far away have one column of the kernel."""
    data = found(f"{CHAPTER}:risks").experiment.shown
    (name,) = (x for x in data if "group" in x)
    far = data[name].draw(200, np.random.default_rng(0)).X[-80:].reshape(16, 5, -1)
    apart = len(np.unique(far[:, 0], axis=0)) == 16
    return apart and np.allclose(far, far[:, :1]) == (word == "equal")


# ---- A preconditioner


def products(preconditioned):
    """Whether a method multiplies with all of the matrix."""
    counted = kernels.rbf(X, 0.5)
    near = lowrank.nystrom(counted, range(5))
    if not preconditioned:
        return counted.entries_asked >= counted.n**2
    P = learners.Preconditioner(near, 0.1)
    learners.conjugate_gradients(counted, Y, 0.1, P)
    return counted.entries_asked >= counted.n**2


def when(preconditioned):
    """Whether one has to be able to afford a product."""
    return lambda word: products(preconditioned) == (word == "can")


def costs(more, less):
    """What a crude approximation costs beside a better one, in the last quiz."""
    steps, errors = [], []
    exact = np.linalg.solve(K + 0.01 * np.eye(40), Y)
    for columns in (2, 30):
        P = learners.Preconditioner(lowrank.nystrom(K, range(columns)), 0.01)
        run = learners.conjugate_gradients(K, Y, 0.01, P, tol=1e-10)
        steps.append(run.iterations)
        errors.append(np.linalg.norm(run.x - exact))
    costly = {"time": steps[0] > steps[1], "accuracy": max(errors) > 1e-5}
    return costly[more] and not costly[less]


def fraction_at(word):
    """Where the fraction of the proof is the largest, for several dimensions."""
    told = []
    for d in (1.0, 3.0, 10.0):
        q = np.ceil(1.5 * d)
        c = 2 * np.e**2 * (2 * q + 1) / (q + 2)

        def fraction(t, c=c, d=d, q=q):
            return (4 * t + c * (d / q - t)) / (1 - t)

        others = [fraction(t) for t in np.linspace(0, d / q, 200)[1:]]
        told.append(fraction(0) > max(others))
    return all(told) if word == "largest" else not any(told)


def steps_of(word):
    """Conjugate gradients with all of the matrix as preconditioner."""
    small = np.array([[3.0, 1.0], [1.0, 2.0]])
    P = learners.Preconditioner(lowrank.nystrom(small, [0, 1]), 0.5)
    run = learners.conjugate_gradients(small, np.array([1.0, 2.0]), 0.5, P, tol=1e-12)
    return run.iterations == {"one": 1, "two": 2}[word]


def no_part(word):
    """What the prediction keeps of a direction, by its eigenvalue over the ridge."""
    kept = {"below": 1e-4 / (1e-4 + 1), "above": 1e4 / (1e4 + 1)}[word]
    return kept < 0.01


def ruins(word):
    """The condition number, without the two largest or the two smallest ones."""
    values = np.array([1e6, 1e5, 1.0, 0.5, 0.1]) + 0.1
    rest = {"large": values[2:], "small": values[:3]}[word]
    return rest.max() / rest.min() < 100 < values.max() / values.min()


def above(word):
    """A mean of approximations with weights of this sum, less the matrix."""
    total = {"more": 1.2, "less": 0.8}[word]
    made = [lowrank.nystrom(K, S).spectral_reconstruction() for S in ([0, 1], [0, 2])]
    return np.linalg.eigvalsh(total * (made[0] + made[1]) / 2 - K).max() > 1e-9


def of_ridges(relation):
    """The matrix with a share of the ridge, less that share of the whole."""
    told = [
        np.linalg.eigvalsh(K + e * np.eye(40) - e * (K + np.eye(40))).min()
        for e in (0.3, 0.9, 1.5)
    ]
    signs = [x > -1e-9 for x in told]
    below = [True, True, False]
    return signs == {r"\le": below, r"\ge": [not x for x in below]}[relation]


def changes(word):
    """The risk with landmarks in three of four clusters, the signal on the last."""
    clusters = np.kron(np.eye(4), np.ones((3, 3)))
    signal = np.repeat([0.0, 0, 0, 1], 3)

    def risk(A):
        return np.sum((np.linalg.solve(A + np.eye(12), signal)) ** 2)

    told = {
        name: risk(lowrank.nystrom(clusters, S).spectral_reconstruction())
        for name, S in (("without", [0, 3, 6]), ("with", [0, 9]))
    }
    whole = risk(clusters)
    others = {"without": "with", "with": "without"}[word]
    return told[word] > 1.1 * whole and np.isclose(told[others], whole)


def attained(first, second):
    """The ratio of risks, for the landmark and the signal at these points."""
    places, e, alpha = {"first": 0, "second": 1}, 0.7, 0.5
    whole = np.diag([1.0, e])
    made = lowrank.nystrom(whole, [places[first]]).spectral_reconstruction()
    signal = np.eye(2)[places[second]]
    before, after = (
        np.linalg.solve(A + alpha * np.eye(2), signal) for A in (whole, made)
    )
    return np.isclose((after @ after) / (before @ before), (1 + e / alpha) ** 2)



# ---- The effective dimension and its bounds


def reached_by(words):
    """Whether the sum of scores is n times the largest one."""
    scores = {"all are the same": np.full(5, 0.3), "all but one are zero": np.eye(5)[0]}
    return np.isclose(scores[words].sum(), 5 * scores[words].max())


def equal_on_circle():
    """Whether points evenly on a circle have the same scores."""
    angles = 2 * np.pi * np.arange(9) / 9
    ring = kernels.rbf(np.column_stack([np.cos(angles), np.sin(angles)]), 0.5).dense()
    return np.ptp(np.diag(ring @ np.linalg.inv(ring + np.eye(9)))) < 1e-9


def share_of_value(most, at_zero):
    """What an eigenvalue adds to the dimension, for several of them and ridges."""
    values, ridges = np.meshgrid([0.0, 0.1, 1.0, 9.0], [0.3, 1.0, 4.0])
    told = values / (values + ridges)
    with np.errstate(divide="ignore"):
        top = {
            r"\lambda / \alpha": values / ridges,
            r"\alpha / \lambda": ridges / values,
        }[most]
    return (told <= top + 1e-12).all() and (told[:, 0] == int(at_zero)).all()


def sum_of_scores(word):
    scores = np.diag(K @ np.linalg.inv(K + np.eye(40)))
    over = scores.sum() - 40 * scores.max()
    return {"most": over <= 0, "least": over >= 0}[word]


sides(
    CHAPTER,
    {
        "and for a wave with sixteen groups of [equal|unlike] points far away": groups,
        "and $N_\\infty(\\alpha)$ is $n$ times the [largest|smallest] of them": score,
        "an approximation above $K$ has more [variance|bias], and": has_more,
        "$x \\mapsto x^2 / (x + \\alpha)^2$ [increases|decreases]": (
            lambda word: goes([parts([x])["variance"] for x in range(6)], word)
        ),
        "So the variance only [falls|rises].": variance_goes,
        "They need as many as if every point had the [largest|smallest] one": (
            of_every_score
        ),
        "sampling without replacement has the [smaller|larger] mean": (
            without_replacement
        ),
        "A [larger|smaller] number in place of $K_{\\max}$ only requires more": (
            requires
        ),
        "its quality costs [time|accuracy], not [accuracy|time]": costs,
        "Replace $K$ when you [cannot|can] afford a product with $K$.": when(False),
        "Precondition when you [can|cannot] afford a product with $K$:": when(True),
        "so this is negative and the fraction is [largest|smallest] at $t = 0$": (
            fraction_at
        ),
        "so it is $(\\lambda_n + \\alpha) I$, and [one|two] step is enough": steps_of,
        "An eigenvalue far [below|above] the ridge plays no part": no_part,
        "and a few [large|small] eigenvalues ruin the condition number": ruins,
        "or sum to [more|less] than one, may be above $K$": above,
        "\\varepsilon (K + \\alpha I)$ for $\\varepsilon [\\le|\\ge] 1$": of_ridges,
        "Only a sample [without|with] a point of that cluster changes the risk": (
            changes
        ),
        "the [first|second] point the landmark and the signal on the [second|first], "
        "that": attained,
        "with equality if [all are the same|all but one are zero], as for points": (
            lambda words: equal_on_circle() and reached_by(words)
        ),
        "at most $[\\lambda / \\alpha|\\alpha / \\lambda]$, and $[0|1]$ for $\\lambda "
        "= 0$": share_of_value,
        "The sum of $n$ scores is at [most|least] $n$ times the largest": sum_of_scores,
    },
)
