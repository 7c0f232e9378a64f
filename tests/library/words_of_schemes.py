"""What docstrings of adaptive schemes say in words, and whether it is true."""

import numpy as np
from words_of_docstrings import says

from nystheory import sampling


class Listening(np.random.Generator):
    """A generator that keeps how many columns were drawn at a time, and from what."""

    def __init__(self, seed=0):
        super().__init__(np.random.PCG64(seed))
        self.sizes, self.laws = [], []

    def choice(self, a, size=None, **given):
        self.sizes.append(size)
        self.laws.append(given.get("p"))
        return super().choice(a, size=size, **given)


def some(n=7):
    X = np.random.default_rng(5).standard_normal((n, 3))
    return X @ X.T + np.diag(np.linspace(0.1, 1, n))


Y = np.linspace(1.0, 3.0, 7)
BATCHED = {
    "adaptive_full": sampling.adaptive_full,
    "adaptive_partial": sampling.adaptive_partial,
    "criterion_driven": lambda *given, **more: sampling.criterion_driven(
        *given, y=Y, **more
    ),
}


for name, scheme in BATCHED.items():
    says(f"sampling.{name}", "The last batch may be [smaller]", "larger")(
        lambda word, scheme=scheme: last_batch(scheme, word)
    )
    says(f"sampling.{name}", "first batch; [uniform] by default", "the diagonal")(
        lambda word, scheme=scheme: np.allclose(
            first_law(scheme),
            shares(np.ones(7) if word == "uniform" else some().diagonal(), []),
        )
    )
    says(f"sampling.{name}", "With the probabilities of the [last] batch", "first")(
        lambda word, scheme=scheme: ends_with(scheme, {"last": -1, "first": 0}[word])
    )


def last_batch(scheme, word):
    """Of five columns by two the last batch is one."""
    rng = Listening()
    scheme(some(), 5, rng, batch=2)
    *others, last = rng.sizes
    return others == [2, 2] and (last < 2 if word == "smaller" else last > 2)


def first_law(scheme):
    rng = Listening()
    scheme(some(), 5, rng, batch=2)
    return rng.laws[0]


def ends_with(scheme, which):
    rng = Listening()
    return np.array_equal(
        scheme(some(), 5, rng, batch=2).probabilities, rng.laws[which]
    )


def shares(sizes, chosen):
    sizes = np.array(sizes, dtype=float)
    sizes[chosen] = 0
    return sizes / sizes.sum()


R = [1, 4, 5, 6]
POWERS = {"^2": 2, "^1": 1, "squared": 2, "plain": 1}


@says(
    "sampling.update_probability_full",
    "``p_j`` proportional to ``|K_j - U U^T K_j|[^2]`` with U an [orthonormal] "
    "basis",
    "^1", "plain",
)
@says(
    "sampling.adaptive_full",
    "the [squared] residuals are divided by [their sum]",
    "plain", "their Euclidean norm",
)
def residuals_of_columns(power, other):
    K = some()
    U = np.linalg.qr(K[:, R])[0] if other != "plain" else K[:, R]
    lengths = np.linalg.norm(K - U @ U.T @ K, axis=0) ** POWERS[power]
    p = shares(lengths, R)
    p = p / np.linalg.norm(p) if other == "their Euclidean norm" else p
    return np.allclose(sampling.update_probability_full(K, R), p)


@says("sampling.update_probability_full", "[zero] on R; None where", "free")
@says("sampling.update_probability_partial", "[zero] on R", "free")
@says("sampling.update_probability_criterion", "[zero] on I", "free")
def nothing_on_the_chosen(word):
    told = (
        sampling.update_probability_full(some(), R)[R],
        sampling.update_probability_partial(some(), R)[R],
        sampling.update_probability_criterion(some(), R, Y)[R],
    )
    return all((p == 0).all() == (word == "zero") for p in told)


@says("sampling.update_probability_full", "None where [all] residuals vanish", "some")
def nothing_left(word):
    K = np.diag([3.0, 2.0, 1.0, 0.0])
    told = [sampling.update_probability_full(K, S) is None for S in ([0, 1], [0, 1, 2])]
    return told == [word == "some", True]


def _core(K, R, k):
    C, W = K[:, R], K[np.ix_(R, R)]
    s, V = np.linalg.eigh(W)
    V, s = V[:, len(R) - k :], s[len(R) - k :]
    return C, C - C @ V @ np.diag(1 / s) @ V.T @ W


@says(
    "sampling.update_probability_partial",
    "proportional to the [squared] length of [row] j of",
    "plain", "column",
)
@says(
    "sampling.adaptive_partial",
    "[squared] errors are divided by [their sum]",
    "plain", "their Euclidean norm",
)
def errors_of_rows(power, other):
    K = some()
    E = _core(K, R, 2)[1]
    p = shares(np.linalg.norm(E, axis=1) ** POWERS[power], R)
    if other == "column":
        return np.allclose(np.linalg.norm(E, axis=0).sum(), 0)
    p = p if other in ("row", "their sum") else p / np.linalg.norm(p)
    return np.allclose(sampling.update_probability_partial(K, R), p)


@says(
    "sampling.adaptive_partial",
    "the batch is [uniform] on the columns that are [left]",
    "by the diagonal", "drawn",
)
@says(
    "sampling.update_probability_partial",
    "[uniform] on the [other] columns where all",
    "by the diagonal", "same",
)
@says(
    "sampling.update_probability_criterion",
    "[uniform] on the [other] columns where",
    "by the diagonal", "same",
)
def nothing_seen(law, where):
    K = np.diag([4.0, 3.0, 2.0, 1.0])
    p = {"uniform": np.ones(4)}.get(law, K.diagonal())
    p = shares(p, [0] if where in ("left", "other") else [1, 2, 3])
    told = (
        sampling.update_probability_partial(K, [0], 1),
        sampling.update_probability_criterion(K, [0], [1.0, 5, 2, 3], 1),
    )
    return all(np.allclose(each, p) for each in told)


@says(
    "sampling.update_probability_criterion",
    "``([y_i] [y_j] (C - C D_k^+ D)_ij)[^2]``",
    "1", "1", "^1",
)
def errors_and_targets(row, column, power):
    E = _core(some(), R, 2)[1]
    E *= np.outer(Y if row == "y_i" else Y**0, Y[R] if column == "y_j" else Y[R] ** 0)
    sizes = (abs(E) ** POWERS[power]).sum(axis=1)
    told = sampling.update_probability_criterion(some(), R, Y)
    return np.allclose(told, shares(sizes, R))


@says(
    "sampling.criterion_driven",
    "two classes: they count as one [over] the size of the class",
    "times",
)
def classes(word):
    y = np.array([1.0, 1, 1, 1, 1, -1, -1])
    sizes = np.array([5.0, 5, 5, 5, 5, 2, 2])
    weights = {"over": 1 / sizes, "times": sizes}[word]
    one, other = (
        sampling.update_probability_criterion(some(), R, each)
        for each in (y, weights + 1e-12 * Y)
    )
    return np.allclose(one, other)


@says(
    "sampling.criterion_driven",
    "where all errors vanish (the printed form is then undefined: for k [at "
    "least] the rank of the core",
    "below",
)
def vanishing(word):
    X = np.random.default_rng(2).standard_normal((7, 2))
    K = X @ X.T
    told = [sampling.update_probability_criterion(K, R, Y, k) for k in (1, 2, 3)]
    flat = [np.allclose(p[p > 0], 1 / 3) for p in told]
    return flat == [word == "below", word == "at least", word == "at least"]
