"""Concentration: what shows its words that compare."""

from itertools import combinations, product

import numpy as np
from words_shown import bound, explained, found, shown, typed

from nystheory.chapters.concentration import counting, covariances
from nystheory.chapters.concentration.theorems.mcdiarmid import hypergeometric_tails
from nystheory.engine.worlds.concentration import value

CHAPTER = "concentration"

# ---- The largest difference of two points

NEAR, FAR = 0.3, 1.2  # on either side of two thirds of the length


def one_ray(d):
    return d * (2 - d)


def full_length(d):
    return value("g_F_equal", K_max=1, d_max=d)


def larger_candidate():
    """How far g_F is above the smaller one of its candidates."""
    both = [(one_ray(d), full_length(d), value("g_F", K_max=1, d_max=d))
            for d in (NEAR, FAR)]
    assert np.allclose([max(a, b) for a, b, _ in both], [g for *_, g in both])
    return min(g - min(a, b) for a, b, g in both)


RIGHT_ANGLE = {"K_max": 1, "d_max": np.sqrt(2)}


def sharp_less_printed(norm):
    return value(norm, **RIGHT_ANGLE) - value("2 * d_max * R", **RIGHT_ANGLE)


def exchanged(n=6, drawn=3):
    """What the trace of the covariance loses, and gains, when one is exchanged."""
    X = covariances.cloud(n)
    before, after = (n / drawn * X[:, S] @ X[:, S].T for S in ([0, 1, 2], [0, 1, 5]))
    parts = [n / drawn * np.outer(x, x) for x in (X[:, 2], X[:, 5])]
    rest = before - parts[0]
    assert np.allclose(after, rest + parts[1])
    return np.trace(rest - before), np.trace(after - rest)


# ---- With and without replacement

LENGTHS = "digits, linear"
K = covariances.digit_kernels(100)[LENGTHS]
SPREAD = (K.diagonal() ** 2).sum() - (K**2).sum() / len(K)


def root_mean_square(line, drawn):
    return value(line, n=len(K), l=drawn, spread=SPREAD)


def gain_of_squares():
    """From two draws on; a single one has nothing to put back."""
    return min(
        root_mean_square("e_l_replaced", drawn) - root_mean_square("e_l", drawn)
        for drawn in range(2, len(K))
    )


def mean_distance(X, samples, norm):
    differences = (X @ X.T - X.shape[1] / len(S) * X[:, S] @ X[:, S].T
                   for S in map(list, samples))
    return np.mean([np.linalg.norm(each, norm) for each in differences])


def more_with_replacement(n=5, drawn=3):
    """By how much the mean distance is larger with replacement, in three norms."""
    X = covariances.cloud(n)
    return min(
        mean_distance(X, product(range(n), repeat=drawn), norm)
        - mean_distance(X, combinations(range(n), drawn), norm)
        for norm in (2, "fro", "nuc")
    )


MORE_WITH = more_with_replacement()
PROMISES = found("concentration:promises")


def above_replaced():
    return min(
        (PROMISES.measured("root", "mean_printed", data)
         - PROMISES.measured("root", "mean_replaced", data)).min()
        for data in PROMISES.experiment.shown
    )


def longest_beyond_most():
    """How far the longest digit exceeds nine tenths of them."""
    return K.diagonal().max() - np.quantile(K.diagonal(), 0.9)


def tail_of_three(tails):
    return tails(3, 1, 2)[1]


# ---- The constant

N = 40
CONSTANTS = counting.constants(N)
L = np.arange(1, N)
SHARP, BRANCHES = CONSTANTS["sharp"], (CONSTANTS["drawn"], CONSTANTS["left"])
WITH_REPLACEMENT = np.diff(CONSTANTS["with replacement"]).min()
BEYOND_THE_MIDDLE = np.diff(SHARP[N // 2 - 1 :]).max()
assert np.isclose(SHARP[-1], 1)
# One drawn is as with replacement, and in the middle the branches are equal.
GAIN = (L - SHARP)[1:].min()
BY_THE_LEFT = (CONSTANTS["drawn"] - SHARP)[N // 2 :].min()
LOWER = (SHARP - np.maximum(*BRANCHES))[2 * L != N].max()
assert np.allclose(SHARP, np.minimum(*BRANCHES))


def needed_share(half):
    """Of the constant, for counts of a population of twice as many, half of it ones."""
    needed = counting.needed_constant(2 * half, half, ones=half)
    return needed / value("alpha_sharp", n=2 * half, l=half)


SHARES = [needed_share(half) for half in (10, 100, 400)]
TO_ONE = np.diff(SHARES).min()
# Smaller multiples that do for few elements do not for more.
BROKEN = max(small - large for small, large in zip(SHARES, SHARES[1:], strict=False))


def share_of_ones_with_most_variance(n=40, drawn=16):
    variance = [counting.mean_and_variance(hypergeometric_tails(n, ones, drawn))[1]
                for ones in range(n + 1)]
    assert np.isclose(float(max(variance)), drawn * (n - drawn) / 4 / (n - 1))
    return np.argmax(variance) / n


# ---- The mean distance along the columns


def fall(first, last):
    """By how much e_l changes, in logarithms, for four hundred points."""
    ends = [value("e_l", n=400, l=drawn, spread=1.0) for drawn in (first, last)]
    return np.diff(np.log(ends))[0]


def share_of_equal_length(count=4000):
    """Trace zero and rank two: the norms differ by the root of two."""
    pairs = covariances.random_pairs(count, np.random.default_rng(51))
    return np.isclose(pairs["Frobenius"], np.sqrt(2) * pairs["spectral"]).mean()


FEW, OF_CLUSTER = typed(CHAPTER, r"few, size, taken = (\d+), (\d+), ")
SIZE, DRAWN = typed(CHAPTER, r"gram, n, l, u, delta = points.T @ points, (\d+), (\d+)")

shown(
    CHAPTER,
    {
        "the [larger] of the two is $g_F$": larger_candidate(),
        "It [loses] $\\frac nl a a^\\top$ and [gains] $\\frac nl b b^\\top$": (
            exchanged()
        ),
        "Not only squares [gain]": gain_of_squares(),
        "in no norm is the mean distance [larger] without replacement": MORE_WITH,
        "Without replacement there is more to [gain], because the marbles that stay": (
            min(GAIN, BY_THE_LEFT)
        ),
        "a constant $\\alpha_\\sharp$, the [smaller] of two sums": LOWER,
        "The constant has the shape of an arch, {ref}`fig-counts-and-constants`, and "
        "that is the [gain]": GAIN,
        "With replacement it would be $l$, which [grows] until the end": (
            WITH_REPLACEMENT
        ),
        "without, it is about $\\frac{l u}{n}$, [falls] again beyond the middle": (
            BEYOND_THE_MIDDLE
        ),
        "would have at most $e^{-9/2}$, about [one percent]": bound(
            "talwalkar2010:thm-5.1", n=4, l=3, epsilon=1.5, c=1
        ),
        "for a thousand of two thousand elements, [half] of them ones": (
            1 / typed(CHAPTER, r"needed_constant\((2) \* half, half, ones=half\)")[0]
        ),
        "When $l$ and $u$ *both* [grow] the share tends to one": TO_ONE,
        "When $l$ and $u$ both [grow], no [smaller] multiple of $\\alpha_\\sharp$": (
            TO_ONE,
            BROKEN,
        ),
        "draw [half] of the eight": DRAWN / SIZE,
        "the exact tails of two [larger] cases": min(FEW, 2 * OF_CLUSTER) - SIZE,
        "why not putting back [helps] in every norm": MORE_WITH,
        "the sharp value in the spectral norm is [smaller] by the factor": (
            sharp_less_printed("g_2")
        ),
        "it is [larger] than $\\tilde e_l = \\sqrt{n V / l}$": above_replaced(),
        "under which few digits are as long as the [longest]": longest_beyond_most(),
        "The [gain] of {ref}`talwalkar2010:eq-5.7`": gain_of_squares(),
        "All ways to draw [three times] from four numbers": (
            typed(CHAPTER, r"mean_given_the_set\(values, (\d)\)")
        ),
        "a tail that is *[larger]* without replacement": (
            tail_of_three(hypergeometric_tails) - tail_of_three(counting.binomial_tails)
        ),
        "*The printed constant* $\\alpha(l, u)$ is a fraction [larger] than "
        "$\\alpha_\\sharp$: [four thirds] of it": (
            (CONSTANTS["printed"] - SHARP).min(),
            value("alpha_printed", n=2, l=1) / value("alpha_sharp", n=2, l=1),
        ),
        "With [half] of the elements ones the count has variance about": (
            share_of_ones_with_most_variance()
        ),
        "if that [grows] without limit the count is nearly normal": TO_ONE,
        "So then no [smaller] multiple of $\\alpha_\\sharp$ holds": BROKEN,
        "$e_l$ [falls] like $\\sqrt{u / l}$": fall(10, 20),
        "and [faster] after that": fall(10, 20) - fall(160, 320),
        "[half] of them of equal length": share_of_equal_length(),
        "made of the [lower] parts of two curves": LOWER,
    },
)

explained(
    CHAPTER,
    {
        "let it [exceed] its mean by $\\epsilon$ or more on the samples of a set": (
            "defines the set"
        ),
        "has a value that is [smaller] by at most $d(S, A)$": (
            "each exchange changes it by at most one"
        ),
        "how likely the number of red marbles is to [exceed] its mean by ε": (
            "names the event"
        ),
        "is to [exceed] its mean by ε, exactly (dots)": "names the event",
        "The distance that 99 of 100 samples do not [exceed]": "names the quantile",
    },
)
