"""What docstrings of scores, pivots and weights say in words, and whether it is."""

import itertools
import math
from functools import cache

import numpy as np
from words_of_docstrings import everywhere, holds, says
from words_of_schemes import POWERS, Listening, shares, some

from nystheory import kernels, lowrank, sampling
from nystheory.sampling import _estimated_leverage as estimated

# ---- Scores


@says(
    "sampling.leverage_scores",
    "[Squared] row lengths of the k [leading]",
    "Plain", "last",
)
def rows_of_eigenvectors(power, which):
    K = some()
    U = np.linalg.eigh(K)[1]
    U = U[:, -2:] if which == "leading" else U[:, :2]
    lengths = np.linalg.norm(U, axis=1)
    lengths = lengths**2 if power == "Squared" else lengths
    return np.allclose(sampling.leverage_scores(K, 2), lengths)


@says(
    "sampling.leverage_scores",
    "of sum [k] (of sum [rank K], where that is [less])",
    "n", "k", "more",
)
def sum_of_scores(one, other, less):
    X = np.random.default_rng(0).standard_normal((7, 2))
    full, low = (sampling.leverage_scores(K, 3).sum() for K in (some(), X @ X.T))
    sizes = {"k": 3, "rank K": 2, "n": 7}
    less = (sizes["rank K"] < 3) == (less == "less")
    return np.isclose(full, sizes[one]) and np.isclose(low, sizes[other]) and less


@says(
    "sampling.leverage_scores",
    "Unique where eigenvalue k is [above] eigenvalue k + 1",
    "equal to",
)
def unique(word):
    """Else a rotation of equal eigenvectors has other scores."""
    turn = np.array([[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]])
    s = np.diag([2.0, 1 if word == "above" else 2, 0.5])
    return not np.allclose(turn @ s @ turn.T, s)


@says(
    "sampling.ridge_leverage",
    "the effective dimension is [l/2] (half the rank of K, where that is [less])",
    "l", "more",
)
def usual_ridge(size, less):
    X = np.random.default_rng(0).standard_normal((7, 2))
    told = []
    for K, most in ((some(), 4), (X @ X.T, 2)):
        p = sampling.ridge_leverage(K, 4, np.random.default_rng(0)).probabilities
        target = (min if less == "less" else max)(most, 4) / (2 if size == "l/2" else 1)
        told.append(any(
            np.allclose(p * target, np.diag(K @ np.linalg.inv(K + a * np.eye(7))),
                        rtol=1e-3)
            for a in _ridges(K, target)
        ))
    return all(told)


def _ridges(K, target):
    s = np.linalg.eigvalsh(K).clip(0)
    low, high = 1e-12, 1e6
    if (s > 1e-9).sum() <= target:
        return []
    for _ in range(200):
        mid = math.sqrt(low * high)
        low, high = (mid, high) if (s / (s + mid)).sum() > target else (low, mid)
    return [low]


@says("sampling.ridge_leverage_scores", "the [sum] is the effective dimension")
def dimension(word):
    K = some()
    d = (s := np.linalg.eigvalsh(K)) @ (1 / (s + 0.5))
    told = sampling.ridge_leverage_scores(K, 0.5)
    return np.isclose({"sum": np.sum, "largest": np.max}[word](told), d)


@says("sampling.dpp", "which are the ridge leverage scores, divided by their [sum]")
def inclusion(word):
    K = some()
    p = sampling.dpp(K, None, np.random.default_rng(0), alpha=0.5).probabilities
    scores = sampling.ridge_leverage_scores(K, 0.5)
    return np.allclose(p, scores / {"sum": np.sum, "largest": np.max}[word](scores))


@says(
    "sampling.dpp",
    "for which the effective dimension is the [mean] number",
    "largest",
)
def mean_number(word):
    K, rng = some(), np.random.default_rng(0)
    p = sampling.dpp(K, 2, rng).probabilities
    sizes = [len(sampling.dpp(K, 2, rng)) for _ in range(400)]
    a = _ridges(K, 2)[0]
    assert np.allclose(2 * p, sampling.ridge_leverage_scores(K, a), rtol=1e-3)
    return abs({"mean": np.mean, "largest": np.max}[word](sizes) - 2) < 0.3


@says("sampling.bless", "which is [lambda n] in", "lambda")
@says("sampling.bless", "``alpha_0 / q^h``, starting from [n] max K_ii", "1")
def first_ridge(word):
    """The source has the ridge beside K / n: its score of a point is the same."""
    K, a = some(), 0.4
    by = {"lambda n": 7, "lambda": 1, "n": 7, "1": 1}[word]
    one = np.diag(K @ np.linalg.inv(K + a * np.eye(7)))
    other = np.diag(K / 7 @ np.linalg.inv(K / 7 + a / by * np.eye(7)))
    top = estimated._ridges(7 * K.diagonal().max(), 1e-3, 2.0)[0] * 2
    return np.allclose(one, other) and np.isclose(top, by * K.diagonal().max())


@says("sampling.bless", "``[q1] min(n, n max K_ii / alpha_h)`` points drawn", "q2")
def looked_at(word):
    """With one level, and q2 = 1, the columns kept are n / looked of their scores."""
    K = np.eye(8)
    rng = Listening()
    sampling.bless(K, None, rng, alpha=8.0, oversampling=(3.0, 1.0))
    return len(rng.laws[-1]) == {"q1": 3, "q2": 1}[word]


@says("sampling.bless", "[At most] so many columns; as many")
def most_of_bless(word):
    K, rng = np.eye(9), np.random.default_rng(0)
    sizes = [len(sampling.bless(K, 6, rng, alpha=a)) for a in (0.1, 1.0)]
    free = [len(sampling.bless(K, None, rng, alpha=a)) for a in (0.1, 1.0)]
    return all(holds(word.lower(), sizes, [6, 6])) if word == "never" else (
        holds(word.lower(), max(sizes), 6) and holds(word.lower(), 6, min(free))
    )


@says(
    "sampling.recursive_rls",
    "halved at random until [no more than] l are left",
    "fewer than",
)
def halves(word):
    """Four of 32 points are left, and not halved again."""
    seen = []

    def listen(run, level, diagonal, chosen, weights, own=estimated._estimated_scores):
        seen.append(len(level))
        return own(run, level, diagonal, chosen, weights)

    with _patched(estimated, "_estimated_scores", listen):
        sampling.recursive_rls(np.eye(32), 4, np.random.default_rng(0))
    return seen == ([8, 16, 32] if word == "no more than" else [4, 8, 16, 32])


class _patched:
    def __init__(self, module, name, value):
        self.given = module, name, value

    def __enter__(self):
        module, name, value = self.given
        self.own = getattr(module, name)
        setattr(module, name, value)

    def __exit__(self, *_):
        setattr(*self.given[:2], self.own)


@says(
    "sampling.recursive_rls",
    "The last sample has [exactly] l columns, [without] replacement",
    "about", "with",
)
def last_sample(number, law):
    K, rng = np.eye(12), np.random.default_rng(0)
    drawn = [sampling.recursive_rls(K, 8, rng).indices for _ in range(20)]
    same = {len(x) for x in drawn} == {8}
    once = all(len({*x}) == len(x) for x in drawn)
    return same == (number == "exactly") and once == (law == "without")


@says(
    "sampling.recursive_rls",
    "sum of the sampled spectrum beyond k = [l / (4 log l)], [over k]",
    "l / 4", "over l",
)
def ridge_of_a_level(count, over):
    K = np.diag(np.arange(16.0, 0, -1))
    order, size = np.arange(16), 12
    run = estimated.Run("recursive_rls", K, size, np.random.default_rng(0))
    scores = estimated._estimated_scores(run, order, np.diag(K), order, np.ones(16))
    k = int(size / (4 * math.log(size)) if "log" in count else size / 4)
    a = np.diag(K)[k:].sum() / (k if over == "over k" else size)
    return np.allclose(scores, np.diag(K) / (np.diag(K) + a))


# ---- One at a time


@says(
    "sampling.sgma",
    "the one that lowers the trace of the error [most]: the sum of [squares] of "
    "its residual column [over] its residual diagonal",
    "least", "sizes", "times",
)
def best_column(end, power, by):
    def claim(K, near, E):
        traces = [np.trace(K) - _explained(K, [j]) for j in range(len(K))]
        chosen = sampling.sgma(K, 1, np.random.default_rng(0), candidates=8).indices[0]
        best = {"most": np.argmin, "least": np.argmax}[end](traces)
        sums = (abs(K) ** {"squares": 2, "sizes": 1}[power]).sum(axis=0)
        gained = sums / np.diag(K) if by == "over" else sums * np.diag(K)
        right = np.allclose(np.trace(K) - np.array(traces), gained)
        return chosen == best and right

    return everywhere(claim)


def _explained(K, S):
    return np.trace(lowrank.nystrom(K, S).spectral_reconstruction())


@says(
    "sampling.sgma",
    "The best of 59 is, with probability [0.95], among the best [twentieth] of "
    "all",
    "0.99", "tenth",
)
def of_fifty_nine(chance, part):
    share = {"twentieth": 1 / 20, "tenth": 1 / 10}[part]
    enough = [1 - (1 - share) ** c >= float(chance) for c in (58, 59)]
    return enough == [False, True]


@says("sampling.farthest_point", "The first landmark is the first point of [largest]")
@says("sampling.farthest_point", "ties go to the [smaller] index")
@says("sampling.incomplete_cholesky", "Ties go to the [smaller] index")
def first_of_ties(word):
    word = {"largest": "smaller", "smallest": "larger"}.get(word, word)
    K = np.diag([1.0, 2, 2, 2, 1])
    told = [scheme(K, 3).indices.tolist() for scheme in
            (sampling.farthest_point, sampling.incomplete_cholesky)]
    return told == [[1, 2, 3] if word == "smaller" else [3, 2, 1]] * 2


@says(
    "sampling.farthest_point",
    "for kernels that [fall] with the distance of the points it has the same "
    "order",
    "rise",
)
def order_of_distances(word):
    X = np.random.default_rng(0).standard_normal((9, 2))
    K = kernels.rbf(X, 0.5).dense()
    K = K if word == "fall" else 2 - K
    far = np.linalg.norm(X[:, None] - X, axis=2)[np.triu_indices(9, 1)]
    own = (2 * K[0, 0] - 2 * K)[np.triu_indices(9, 1)]
    return np.array_equal(np.argsort(far), np.argsort(own))


@says("sampling.log_elementary", "The [largest] degree d")
@says("sampling.log_elementary", "[minus] infinity for i [>] j", "plus", "<")
def elementary(sign, side=">"):
    v = np.array([1.0, 2, 3])
    told = sampling.log_elementary(v, 2)
    if sign in ("largest", "smallest"):
        return told.shape[1] - 1 == {"largest": 2, "smallest": 0}[sign]
    all_places = itertools.product(range(4), range(3))
    places = [(j, i) for j, i in all_places if (i > j if side == ">" else i < j)]
    end = -np.inf if sign == "minus" else np.inf
    by_hand = sum(math.prod(c) for c in itertools.combinations(v, 2))
    assert np.isclose(told[3, 2], math.log(by_hand))
    return all(told[place] == end for place in places)


# ---- Weights


@says("sampling.uniform", "the landmarks carry the weights [n / l]", "l / n")
def uniform_weights(word):
    drawn = sampling.uniform(np.eye(6), 4, np.random.default_rng(0), replace=True)
    return np.allclose(drawn.weights, {"n / l": 6 / 4, "l / n": 4 / 6}[word])


@says("sampling.Landmarks", "Where columns are drawn [with] replacement")
def who_has_weights(word):
    K = np.eye(6) * [1, 2, 3, 1, 2, 3]
    drawn = sampling.diagonal(K, 4, np.random.default_rng(0), replace=word == "with")
    return drawn.weights is not None


@says(
    "sampling.Landmarks",
    "1 / ([l] p_i), so that weighted sums over landmarks have the sums over all "
    "points as their [means]",
    "n", "largest",
)
def weights_of_landmarks(size, word):
    K = np.diag([1.0, 2, 3])
    f = np.array([1.0, -1, 5])
    p = np.diag(K) / 6
    by = {"l": 2, "n": 3}[size]
    drawn = sampling.diagonal(K, 2, np.random.default_rng(0), replace=True)
    same = np.allclose(drawn.weights, 1 / (by * p[drawn.indices]))
    told = [(p[i] * p[j], f[[i, j]] @ (1 / (2 * p[[i, j]]))) for i in range(3)
            for j in range(3)]
    value = sum(a * b for a, b in told) if word == "means" else max(b for _, b in told)
    return same and np.isclose(value, f.sum())


@cache
def _pairs():
    K, rng = np.diag([6.0, 3, 1]), np.random.default_rng(0)
    drawn = [{*sampling.diagonal(K, 2, rng).indices} for _ in range(6000)]
    return np.mean([x == {0, 1} for x in drawn])


@says(
    "sampling.diagonal",
    "[Without] replacement the columns are drawn [one by one], each from what is "
    "left",
    "With", "as a set",
)
def sequentially(law, how):
    """The pair of the largest two: one after another, or in proportion to products."""
    one = 0.6 * 0.3 / 0.4 + 0.3 * 0.6 / 0.7
    p = {"one by one": one, "as a set": 0.18 / (0.18 + 0.06 + 0.03)}[how]
    p = p if law == "Without" else 2 * 0.18
    return abs(_pairs() - p) < 4 * math.sqrt(p * (1 - p) / 6000)


@says(
    "sampling.diagonal",
    "On a kernel of [constant] diagonal it is uniform sampling",
    "varying",
)
def of_constant_diagonal(word):
    K = kernels.rbf(np.arange(6.0)[:, None], 0.3)
    K = K if word == "constant" else np.diag(np.arange(1.0, 7))
    p = sampling.diagonal(K, 3, np.random.default_rng(0)).probabilities
    return p is None or np.allclose(p, 1 / 6)


@says("sampling.column_norm", "Proportional to the [squared] length")
def squared_lengths(word):
    K = some()
    rng = np.random.default_rng(0)
    p = sampling.column_norm(K, 3, rng, squared=True).probabilities
    return np.allclose(p, shares(np.linalg.norm(K, axis=0) ** POWERS[word], []))
