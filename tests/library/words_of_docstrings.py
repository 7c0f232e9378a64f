"""What docstrings say in words, phrase by phrase, and whether it is true.

A word in brackets compares, or names a norm or a law, and the check beside the phrase
is given it: it computes on small random matrices, from NumPy where the package is not
what is spoken of.  With another word of `OTHERS` in the brackets the check has to fail,
or with those that stand beside the phrase, one for each pair of brackets.
"""

import itertools
import math
import re
from functools import cache

import numpy as np

from nystheory import certificates, coherence, lowrank

SAID, CONTRARY = {}, {}

PAIRS = [
    *(("at most", "at least"), ("<=", ">="), ("lower", "upper"), ("larger", "smaller")),
    *(("largest", "smallest"), ("rises", "falls"), ("without", "with"), ("No", "Each")),
    *(("never above", "never below"), ("never worse", "never better")),
    *(("above", "below"), ("exceeds", "falls below"), ("closer", "farther")),
    *(("sum", "largest"), ("squared", "plain"), ("no", "each"), ("before", "after")),
    *(("least", "most"), ("between", "beyond"), ("never exceeds", "never falls below")),
]
OTHERS = dict(itertools.chain(PAIRS, ((b, a) for a, b in PAIRS if a != "sum")))
# What is true of another norm, too, and is not said.
TRUE_TOO = {("lowrank.best_rank_k", "trace")}
NORMS = {
    "spectral": lambda E: np.linalg.norm(E, 2),
    "Frobenius": np.linalg.norm,
    "trace": lambda E: np.linalg.norm(E, "nuc"),
}
BRACKETS = re.compile(r"\[([^\]]+)\]")
ROUNDING = 1e-9


def says(name, phrase, *contrary):
    """A check of a phrase of a docstring, which gets the words in brackets."""

    def enter(function):
        SAID[name, phrase], CONTRARY[name, phrase] = function, contrary
        return function

    return enter


def holds(word, a, b):
    """Whether two numbers, or all entries of two arrays, stand as a word says."""
    low = word in ("at most", "<=", "lower", "never above", "smaller", "No", "below")
    low |= word in ("smallest", "never worse", "exceeds", "never exceeds")
    a, b = np.asarray(a), np.asarray(b)
    return bool(np.all(a <= b + ROUNDING if low else a >= b - ROUNDING))


# ---- Small matrices


@cache
def cases(n=8, size=4):
    """Matrices with a few landmarks, their approximations and errors."""
    rng, made = np.random.default_rng(0), []
    for seed in range(24):
        X = rng.standard_normal((n, n)) * 2.0 ** -np.arange(n)
        K = np.diag(np.arange(n, 0.0, -1)) if seed == 0 else X @ X.T + 1e-3 * np.eye(n)
        near = lowrank.nystrom(K, sorted(rng.choice(n, size, replace=False)))
        made.append((K, near, K - near.spectral_reconstruction()))
    return made


def everywhere(claim):
    """Whether a claim of a matrix, its approximation and its error holds in each."""
    return all(claim(K, near, E) for K, near, E in cases())


def tightest(number, norm):
    """Whether a number is at most a norm of the error, which it may be."""
    ratios = [number(K, near) / NORMS[norm](E) for K, near, E in cases()]
    return max(ratios) <= 1 + ROUNDING and max(ratios) > 1 - 1e-6


def eigenvalues(A):
    return np.linalg.eigvalsh(A)[::-1]


def dimension(A, alpha):
    s = eigenvalues(A)
    return (s / (s + alpha)).sum()


def scores(A, k):
    return (np.linalg.eigh(A)[1][:, -k:] ** 2).sum(axis=1)


def ridge_scores(A, alpha):
    return np.diag(A @ np.linalg.inv(A + alpha * np.eye(len(A))))


ALPHAS = (0.01, 0.3, 5.0)

# ---- Certificates


@says(
    "certificates.trace_certificate",
    "``|K - K~|_2 [<=] |K - K~|_F [<=] tr(K - K~)``",
)
def chain(first, second):
    norms = NORMS["spectral"], NORMS["Frobenius"], NORMS["trace"]

    def claim(K, near, E):
        sizes = [norm(E) for norm in norms]
        told = certificates.trace_certificate(K, near).value
        by_order = holds(first, *sizes[:2]) and holds(second, *sizes[1:])
        return by_order and np.isclose(told, sizes[2])

    return everywhere(claim)


@says("certificates.trace_certificate", "which [no] other norm of it [exceeds]")
def greatest(count, word):
    word = word if count == "no" else OTHERS[word]
    norms = NORMS["spectral"], NORMS["Frobenius"]
    return everywhere(
        lambda K, near, E: all(holds(word, f(E), E.trace()) for f in norms)
    )


@says("certificates.entry_certificate", "[largest] diagonal entry of the error")
def of_entry(word):
    end = {"largest": np.max, "smallest": np.min}[word]
    return everywhere(
        lambda K, near, E: np.isclose(
            certificates.entry_certificate(K, near).value, end(np.diag(E))
        )
    )


@says("certificates.entry_certificate", "which [no] entry of it [exceeds]")
def no_entry(count, word):
    word = word if count == "no" else OTHERS[word]
    return everywhere(lambda K, near, E: holds(word, abs(E), np.diag(E).max()))


@says("certificates.entry_certificate", "also [at most] the [spectral] norm")
def entry_below(word, norm):
    def number(K, near):
        return certificates.entry_certificate(K, near).value

    return tightest(number, norm) and everywhere(
        lambda K, near, E: holds(word, number(K, near), NORMS[norm](E))
    )


def left_out(K, size, measure):
    """The mean over all samples of so many landmarks."""
    some = itertools.combinations(range(len(K)), size)
    return np.mean([
        measure(K - lowrank.nystrom(K, S).spectral_reconstruction()) for S in some
    ])


def drawn(law, n, size):
    rows = (itertools.product if law == "with" else itertools.combinations)(
        range(n), **({"repeat": size} if law == "with" else {"r": size})
    )
    return [list(row) for row in rows]


def estimates(function, law, measure, power=1):
    """Whether the mean over all samples is that of the samples of one less."""
    K = cases()[3][0][:6, :6]
    try:
        told = [function(K, S).value for S in drawn(law, 6, 3)]
    except ValueError:
        return False
    return np.isclose(np.mean(told), left_out(K, 2, lambda E: measure(E) ** power))


@says("certificates.leave_one_out_trace", "Drawn uniformly [without] replacement")
def law_of_trace(law):
    return estimates(certificates.leave_one_out_trace, law, NORMS["trace"])


@says("certificates.leave_one_out_trace", "Unbiased for the mean [trace] error")
def mean_of_trace(norm):
    return estimates(certificates.leave_one_out_trace, "without", NORMS[norm])


@says("certificates.leave_one_out_frobenius", "Drawn uniformly [without] replacement")
def law_of_squares(law):
    given = certificates.leave_one_out_frobenius, law, NORMS["Frobenius"]
    return estimates(*given, 2)


@says("certificates.leave_one_out_frobenius", "The squared [Frobenius] error of one")
def mean_of_squares(norm):
    given = certificates.leave_one_out_frobenius, "without", NORMS[norm]
    return estimates(*given, 2)


# ---- Numbers of a matrix


@says("coherence.approximate_effective_dimension", "[rises] with every eigenvalue")
def rising(word):
    s = np.linspace(0, 5, 50)
    up = np.diff(s / (s + 0.3)).min() > 0
    return up if word == "rises" else not up


@says("coherence.approximate_effective_dimension", "and by [at most] 1/alpha for each")
def slope(word):
    s = np.linspace(0, 5, 50)
    return holds(word, np.diff(s / (s + 0.3)) / np.diff(s), 1 / 0.3)


@says(
    "coherence.approximate_effective_dimension",
    "``d(K~) [<=] d(K) [<=] d(K~) + tr(K - K~) / alpha``",
)
def dimension_between(first, second):
    return all(
        everywhere(
            lambda K, near, E, a=a: holds(
                first, dimension(K - E, a), dimension(K, a)
            )
            and holds(second, dimension(K, a), dimension(K - E, a) + E.trace() / a)
        )
        for a in ALPHAS
    )


@says("coherence.approximate_effective_dimension", "and [never above] the sum of")
def dimension_and_diagonal(word):
    d = np.diag
    return all(
        everywhere(
            lambda K, near, E, a=a: holds(
                word, dimension(K, a), (d(K) / (d(K) + a)).sum()
            )
        )
        for a in ALPHAS
    )


@says("coherence.approximate_effective_dimension", "[No] eigenvalue of K~ is [above]")
@says("coherence.approximate_leverage_scores", "[no] eigenvalue of K~ is [above] that")
def eigenvalues_below(count, word):
    assert count.lower() in ("no", "each")
    turned = (count.lower() == "no") == (word == "above")
    return everywhere(
        lambda K, near, E: holds(
            "at most" if turned else "at least", eigenvalues(K - E), eigenvalues(K)
        )
    )


@says("coherence.approximate_stable_rank", "[No] eigenvalue of K is [below] that of K~")
def eigenvalues_above(count, word):
    return eigenvalues_below(count, OTHERS[word])


@says("coherence.approximate_leverage_scores", "``K_ii [>=] lambda_k(K) l_i``")
def diagonal_and_score(word):
    return everywhere(
        lambda K, near, E: holds(word, np.diag(K), eigenvalues(K)[1] * scores(K, 2))
    )


@says("coherence.approximate_leverage_scores", "a score is [at most] ``K_ii")
def score_and_diagonal(word):
    return everywhere(
        lambda K, near, E: holds(word, scores(K, 2), np.diag(K) / eigenvalues(K - E)[1])
    )


def _angle(K, E, k=1):
    both = [np.linalg.eigh(A)[1][:, -k:] for A in (K, K - E)]
    return math.acos(min(1.0, np.linalg.svd(both[0].T @ both[1])[1].min()))


def _with_a_gap(claim, k=1):
    tried = []
    for K, _, E in cases():
        gap = eigenvalues(K - E)[k - 1] - eigenvalues(K - E)[k]
        if E.trace() < gap:
            tried.append(claim(K, E, _angle(K, E, k), E.trace() / gap))
    assert len(tried) > 5
    return all(tried)


@says("coherence.approximate_leverage_scores", "``sin 2 theta [<=] t / gap``")
def twice_the_angle(word):
    return _with_a_gap(lambda K, E, theta, t: holds(word, math.sin(2 * theta), t))


@says("coherence.approximate_leverage_scores", "and ``theta [<=] 45°``")
def half_a_right_angle(word):
    return _with_a_gap(lambda K, E, theta, t: holds(word, theta, math.pi / 4))


@says("coherence.approximate_leverage_scores", "that angle differs by [at most] theta")
def angles_of_axes(word):
    def claim(K, E, theta, t):
        own = [np.arccos(np.sqrt(scores(A, 1)).clip(0, 1)) for A in (K, K - E)]
        return holds(word, abs(own[0] - own[1]), theta)

    return _with_a_gap(claim)


@says("coherence.approximate_of_matrix", "n times the [largest] leverage score")
@says("coherence.of_matrix", "n times the [largest] leverage score of rank r")
def coherence_of(word):
    end = {"largest": np.max, "smallest": np.min}[word]
    return everywhere(
        lambda K, near, E: np.isclose(
            coherence.of_matrix(K, 2), len(K) * end(scores(K, 2))
        )
    )


@says(
    "coherence.approximate_of_matrix",
    "between the [largest] lower and the [largest] upper end",
)
def ends_of_coherence(one, other):
    ends = {"largest": np.max, "smallest": np.min}

    def claim(K, near, E):
        told = coherence.approximate_leverage_scores(K, near, 1)
        found = coherence.approximate_of_matrix(K, near, 1)
        n = len(K)
        return np.allclose(
            [max(found.low, 1), found.high],
            [max(n * ends[one](told.low), 1), n * ends[other](told.high)],
        )

    return everywhere(claim)


@says("coherence.approximate_ridge_scores", "``(K + alpha)^-1 [<=] (K~ + alpha)^-1``")
def inverses(word):
    def claim(K, near, E):
        one, other = (np.linalg.inv(A + 0.3 * np.eye(len(A))) for A in (K, K - E))
        sign = 1 if word == "<=" else -1
        return np.linalg.eigvalsh(sign * (other - one)).min() > -ROUNDING

    return everywhere(claim)


@says("coherence.approximate_ridge_scores", "makes the scores of K~ a [lower] bound")
def lower_scores(word):
    return everywhere(
        lambda K, near, E: holds(word, ridge_scores(K - E, 0.3), ridge_scores(K, 0.3))
    )


@says(
    "coherence.approximate_ridge_scores",
    "differ by [at most] ``t / (alpha (alpha + t))`` in the [spectral] norm",
)
def inverses_differ(word, norm):
    def claim(K, E, a):
        one, other = (np.linalg.inv(A + a * np.eye(len(A))) for A in (K, K - E))
        return NORMS[norm](other - one), E.trace() / (a * (a + E.trace()))

    # An error of rank one beside a zero: there the two are equal in each norm.
    more = [(np.eye(3), np.eye(3))]
    some = [*((K, E) for K, _, E in cases()), *more]
    return all(holds(word, *claim(K, E, a)) for K, E in some for a in ALPHAS)


@says("coherence.approximate_ridge_scores", "is [at most] ``t / (alpha + t)`` [larger]")
def scores_differ(most, word):
    sign = 1 if word == "larger" else -1

    def claim(K, E, a):
        more = ridge_scores(K, a) - ridge_scores(K - E, a)
        end = E.trace() / (a + E.trace())
        return (sign * more).min() > -ROUNDING and holds(most, more, end)

    return all(claim(K, E, a) for K, _, E in cases() for a in ALPHAS)


@says("coherence.approximate_stable_rank", "together they are [larger] by ``t")
def larger_by_the_trace(word):
    sign = 1 if word == "larger" else -1
    return everywhere(
        lambda K, near, E: np.isclose(
            sign * (eigenvalues(K) - eigenvalues(K - E)).sum(), E.trace()
        )
    )


@says("coherence.approximate_ridge_scores", "of which it is [never above]")
def scores_and_diagonal(word):
    d = np.diag
    return everywhere(
        lambda K, near, E: holds(word, ridge_scores(K, 0.3), d(K) / (d(K) + 0.3))
    )


def _quotient(word, divisor):
    """Of the sum of the eigenvalues after s by the first of them, to an end."""

    def claim(K, near, E, s=1):
        own, true = eigenvalues(K - E)[s:], eigenvalues(K)[s:]
        end = (own.sum() + E.trace()) / divisor(own[0], E.trace())
        return holds({"smallest": "at most"}.get(word, "at least"), end,
                     true.sum() / true[0])

    return everywhere(claim)


@says("coherence.approximate_stable_rank", "s + 1 the quotient is [smallest]")
def all_to_one(word):
    return _quotient(word, lambda first, t: first + t)


@says("coherence.approximate_stable_rank", "the ones after it is [largest]")
def all_to_the_rest(word):
    return _quotient(word, lambda first, t: first)


@says("coherence.approximate_stable_rank", "it is [never above] n - s")
def stable_rank_above(word):
    return everywhere(
        lambda K, near, E: holds(word, coherence.stable_rank(K, 2), len(K) - 2)
    )
