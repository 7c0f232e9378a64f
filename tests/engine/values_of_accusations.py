r"""What the values in the `why` of an accusation are, on its counterexample.

A phrase has each value in brackets, ``$\lambda = [1]$``, and beside it stand as many
lines of the theorem, or functions of the accusation, that give it. A function `alone`
looks for the only value for which the printed line holds.
"""

# ruff: noqa: E741

from math import comb, sqrt

import numpy as np
from test_words_of_accusations import (
    ACCUSED,
    PRINTED,
    clusters_missed,
    measured,
    reader,
    written,
)

from nystheory.engine import Claim
from nystheory.engine.language import lines
from nystheory.engine.trial.compare import compare


def given(name):
    """What an instance brings along."""
    return lambda key: np.asarray(getattr(ACCUSED[key][1].instance, name), float)


def held_with(key, **changed):
    """Whether the printed line holds where the instance has another value."""
    theorem, printed = ACCUSED[key]
    other = printed.instance.but(**changed)
    return not compare(Claim(printed.line), reader(theorem, other)).violated


def alone(name, values=(0.25, 0.5, 1.0, 2.0, 3.0, 8.0)):
    """The only one of some values with which the printed line holds."""

    def found(key):
        (only,) = (x for x in values if held_with(key, **{name: x}))
        return only

    return found


def norm_that_divides(name):
    """The exponent of the norm that makes numbers probabilities."""

    def found(key):
        some = value(key, name)
        (only,) = (q for q in (1, 2, 3) if np.isclose(some.sum(), norm(some, q)))
        return only

    return found


def norm(some, q):
    return (some**q).sum() ** (1 / q)


def probabilities(name):
    """As they are printed, those that are not zero."""

    def found(key):
        some = value(key, name)
        return some[some > 0] / norm(some, 2)

    return found


def total(name):
    return lambda key: probabilities(name)(key).sum()


def value(key, line):
    """The value of a line on the counterexample."""
    theorem, printed = ACCUSED[key]
    read = reader(theorem, printed.instance).value(lines.parse(line))
    return np.asarray(getattr(read, "value", read), float)


def sampled(key):
    """The landmarks, counted from 1."""
    return np.asarray(ACCUSED[key][1].instance.landmarks) + 1


def of_clusters(rule):
    """A number of an instance of two clusters."""
    return lambda key: rule(ACCUSED[key][1].instance)


def both_seen_apart(i):
    """The probability that each of two experts sees one cluster alone."""
    return 2 / comb(i.a + i.b, i.l)


def off_diagonal(name):
    """The weight of the first edge of a graph."""
    return lambda key: -value(key, name)[0, 1]


def heaviest(name):
    return lambda key: (-value(key, name)).max()


def printed_bound(key):
    """The right side of the printed line."""
    theorem, printed = ACCUSED[key]
    return compare(Claim(printed.line), reader(theorem, printed.instance)).bound


def derived_over_printed(key):
    """Of the two deviations, the first by the thesis's Theorem 5.1 and its (5.3)."""
    n, l, reach = (measured(*key, x) for x in ("n", "l", "d_max * K_max ** (1/2)"))
    q = (n - l) / ((n - 1 / 2) * (1 - 1 / (2 * max(l, n - l))))
    nats = np.log(1 / measured(*key, "delta"))
    one = 2 * n / l * reach
    derived = 2 * one * sqrt(l * q * nats / 2)
    return derived / (2 * n / sqrt(l) * sqrt(q * nats) * reach)


def first_that_is_too_far(key):
    """So many points of one kind: 0.51 times twice their surplus is the distance."""
    i = ACCUSED[key][1].instance
    n, l = 2 * i.l, i.l
    q = (n - l) / ((n - 1 / 2) * (1 - 1 / (2 * l)))
    allowed = n / sqrt(l) * (1 + sqrt(q * i.nats) * (1 - 0.7))
    counts = np.arange(l // 2, l // 2 + 20_000)
    return counts[2 * (1 - 0.7**2) * (counts - l / 2) > allowed][0]


def nystrom_vector(key):
    i = ACCUSED[key][1].instance
    vector = i.C[:, 0] / np.linalg.norm(i.C[:, 0])
    return vector * sqrt(i.n)


def best_core(K):
    """Of all multiples of what one column spans, the one that is nearest to K."""
    A = K[:, 0] / sqrt(K[0, 0])
    return A @ K @ A / (A @ A) ** 2


def row_of(gram):
    """The numbers whose products a matrix of rank one has, the first one positive."""

    def found(key):
        products = value(key, gram)
        return products[0] / sqrt(products[0, 0])

    return found


def printed_gram(key):
    """The left side of the printed line."""
    return value(key, ACCUSED[key][1].line.partition(" == ")[0])


SPECTRAL = "talwalkar2010:thm-5.2-spectral"
FROBENIUS = "talwalkar2010:thm-5.2-frobenius"
EXPERTS, RESIDUALS = "talwalkar2010:thm-5.3", "diag(rest.T @ rest)"
SIZES_OF_CLUSTERS = (given("a"), given("b"))
VALUES = {
    ("talwalkar2010:def-2.1", "rank equal to k"): {
        r"the $[1] \times [1]$ zero": ("n", "n"),
        r"the infimum $[0]$ is": ("norm_K",),
        "a matrix of rank $[0]$": ("rank_K",),
    },
    ("talwalkar2010:eq-2.2", "rank equal to k"): {
        "$W = [0]$ and the approximation of rank $[1]$": ("W", "k"),
    },
    ("talwalkar2010:rem-2.2.1", "never orthonormal"): {
        r"the vector is $[(1, 1)]^\top/[\sqrt 2]$": (nystrom_vector, "sqrt(n)"),
    },
    ("talwalkar2010:thm-2.1", "size of R"): {
        "it is $[1]$, not $l = [2]$": ("rank_C", "l"),
    },
    ("talwalkar2010:eq-2.13", "no transpose"): {
        "for $n = [2]l$": ("n / l",),
        "with $W = I_[2]$": ("l",),
        "$K_{22} = [2] I_[2]$ it gives $[0]$": (
            lambda key: value(key, "K_22")[0, 0],
            "n - l",
            "K_21 @ pinv(W) @ K_21",
        ),
    },
    ("talwalkar2010:eq-2.13", "name of the block"): {
        "$K = I_[2]$ and one": ("n",),
        "block is $[0]$ and the Schur complement is $[1]$": (
            "K_21 @ pinv(W) @ K_21.T",
            "schur",
        ),
    },
    ("talwalkar2010:eq-2.6", "inverted twice"): {
        r"$C \cdot [4] \cdot C \cdot K = [32]$ where the projection is $[2]$": (
            "pinv(gram_inverse)",
            "C @ pinv(gram_inverse) @ C.T @ K",
            "column_projection",
        ),
    },
    ("talwalkar2010:obs-2.1", "all of K"): {
        "$K = I_[2]$": ("n",),
        r"$P_C \bar C = [0]$": ("C @ pinv(C) @ other_columns",),
    },
    ("talwalkar2010:thm-2.2-optimum", "neither is optimal"): {
        "$K = I_[2]$ and one landmark $Z^* = [1]$": (
            "n",
            lambda key: best_core(value(key, "K")),
        ),
        "where $Z^* = [26/25]$": (
            lambda key: best_core(written(ACCUSED[key][1].why)[0]),
        ),
    },
    ("talwalkar2010:thm-2.2-optimum", "size of the identity"): {
        "$N = [2]$ and $r = [1]$": ("coordinates", "rank_K"),
    },
    ("talwalkar2010:alg-4.3", "the norm"): {
        "their sum, the [1]-norm": (norm_that_divides(RESIDUALS),),
        "subscript should be [1].": (norm_that_divides(RESIDUALS),),
        r"$K = I_[3]$ and $R = \{[1]\}$": ("n", sampled),
        "residuals are $[(0, 1, 1)]$": (RESIDUALS,),
        r"probabilities sum to $[\sqrt 2]$": (total(RESIDUALS),),
    },
    ("talwalkar2010:alg-4.3", "every round"): {
        "of size [2] and": ("n",),
        "quotient is $[0]/[0]$": (f"sum({RESIDUALS})",) * 2,
    },
    ("talwalkar2010:alg-4.4", "the norm"): {
        "it should be [1].": (norm_that_divides("row_errors"),),
        r"probabilities are $[1/\sqrt 2]$ each": (probabilities("row_errors"),),
        r"and sum to $[\sqrt 2]$": (total("row_errors"),),
    },
    ("talwalkar2010:alg-4.4", "every round"): {
        r"$R = \{[1, 2]\}$": (sampled,),
        "quotient is $[0]/[0]$": ("sum(row_errors)",) * 2,
    },
    ("talwalkar2010:alg-4.4", "all columns"): {r"$R = \{[1, 2]\}$": (sampled,)},
    ("talwalkar2010:eq-4.1", "rank at least k"): {
        "$p = k = l = [1]$": ("l",),
        "$W = [0]$": ("W",),
    },
    ("talwalkar2010:eq-4.2", "columns of S and V"): {
        r"$S = \{[1]\}$ and $V = \{[2]\}$": (
            sampled,
            lambda key: np.flatnonzero(given("V")(key) > 0) + 1,
        ),
    },
    ("talwalkar2010:ensemble-woodbury", "any weights"): {
        r"$\alpha = [1]$, $\tilde K_1 = \tilde K_2 = [1]$ and $\mu = [(-1, 2)]$": (
            "alpha",
            lambda key: given("factors")(key) ** 2,
            given("weights"),
        ),
        "it has $T_1 = [0]$ and $T_2 = [2]$": tuple(
            lambda key, r=r: value(key, "alpha") + given("weights")(key)[:r].sum()
            for r in (1, 2)
        ),
    },
    (SPECTRAL, "loses root two"): {
        r"larger by $[\sqrt 2]$ than": (derived_over_printed,),
        "$K = I_[2]$ for": ("n",),
    },
    (FROBENIUS, "loses root two"): {"$K = I_[2]$ is": ("n",)},
    (SPECTRAL, "route fails"): {
        r"$n = 2 l = [2 \cdot 10^6]$": (lambda key: 2 * given("l")(key),),
        r"\frac1\delta = [800]$": (given("nats"),),
        "At [513 726] or more": (first_that_is_too_far,),
        "< [800]$": (given("nats"),),
    },
    ("talwalkar2010:eq-5.8", "the distance squared"): {
        r"\frac1{[100]}": (lambda key: 1 / value(key, "K")[0, 0],),
        r"the excess $[3 \cdot 10^{-4}]$": ("error_F**2 - tail_F**2",),
        r"term $[1.6 \cdot 10^{-4}]$": (PRINTED,),
    },
    (EXPERTS, "equal weights"): {
        "clusters of [65] equal": (given("a"),),
        "$p = [2]$": (given("p"),),
        r"bound is $[260 / \sqrt{65}] =": ("2 * n / sqrt(l) * K_max",),
        r"probability $[2 / \binom{130}{65}]$": (of_clusters(both_seen_apart),),
        r"K^{ens} = [\frac12] K$": (given("mu_max"),),
    },
    (EXPERTS, "one expert"): {
        "Clusters of [20] and [10] equal": SIZES_OF_CLUSTERS,
        r"probability $[1 / \binom{30}{10}]$": (
            of_clusters(lambda i: both_seen_apart(i) / 2),
        ),
        "the error is [20], and": (given("a"),),
        r"bound is $[60 / \sqrt{10}] =": ("2 * n / sqrt(l) * K_max",),
    },
    (EXPERTS, "a larger chance"): {
        "Clusters of [825] and [875] equal points, [100] experts": (
            *SIZES_OF_CLUSTERS,
            given("p"),
        ),
        r"probability $[1.58 \cdot 10^{-5}]$": (
            of_clusters(lambda i: clusters_missed(i.a, i.b, i.l)),
        ),
        "errs by [825] or [875];": SIZES_OF_CLUSTERS,
    },
    (EXPERTS, "fewer columns"): {
        "clusters of [5000] and [5001] points, [50] experts": (
            given("b"),
            given("a"),
            given("p"),
        ),
        "an error of at least [5000], with": (given("b"),),
    },
    (EXPERTS, "one expert, Frobenius"): {
        "Clusters of [3800] and [200] equal points, [20] experts": (
            *SIZES_OF_CLUSTERS,
            given("p"),
        ),
        "the error is [3800], and": (given("a"),),
        r"$([128/200])^{1/4} \cdot [4000]": ("64 * k / l", "n"),
    },
    (EXPERTS, "equal weights, Frobenius"): {
        "$p = [2]$": (given("p"),),
        r"error is $[\frac12 \sqrt 2]\, l =": (
            lambda key: given("mu_max")(key) * sqrt(given("p")(key)),
        ),
    },
    ("talwalkar2010:thm-5.5", "any k"): {
        r"rank $[2]$ with $\mu = [1]$": ("rank_K", "coherence"),
        r"$\delta = [\frac12]$": ("delta",),
    },
    ("talwalkar2010:eq-3.9", "size of the identity"): {
        r"$\lambda = [1]$": ("alpha",),
    },
    ("talwalkar2010:eq-3.17", "max"): {
        r"$K = \lambda = y = [1]$ the value is $[-\frac12]$ at the solution "
        r"$[\frac12]$, and $[180]$ at $[10]$": (
            "K", "J_a", "a", "J_v", given("other_dual"),
        ),
    },
    ("talwalkar2010:eq-3.12", "concave"): {
        "the feature [1] and the label [1], the ridge [1] and the weights [0] and "
        "[1] show": ("features", "labels", "alpha", "w", "other_w"),
    },
    ("talwalkar2010:eq-3.14", "lambda"): {
        r"right only for $\lambda = [1]$": (alone("alpha"),),
        "the feature [1], the label [1] and the weight [1] shows it": (
            "features", "labels", "w",
        ),
        r"with $\lambda = [2]$": ("alpha",),
    },
    ("talwalkar2010:prop-5.3", "max"): {
        "labelled $[1]$ and $[-1]$, $C_0 = [2]$, with all weights [1] and with all "
        "weights [10]:": (
            lambda key: given("y")(key)[0],
            lambda key: given("y")(key)[1],
            "label_weight",
            off_diagonal("laplacian"),
            off_diagonal("other_laplacian"),
        ),
        r"\lambda_2 = [3]$": ("l / label_weight * lambda_2",),
        r"the change is $[\frac{27}{124} \sqrt 2]$, larger than the printed "
        r"$[\frac{27}{841} \sqrt 2]$": ("graph_change", printed_bound),
    },
    ("talwalkar2010:prop-5.3", "no condition"): {
        "with weights [1], two": (heaviest("laplacian"),),
        "labelled $[1]$ and $[-1]$ and $C_0 = [200]$": (
            lambda key: given("y")(key)[0],
            lambda key: given("y")(key)[1],
            "label_weight",
        ),
        "one edge become [3].": (heaviest("other_laplacian"),),
        r"\lambda_2 = [\frac1{50}]$": ("l / label_weight * lambda_2",),
    },
    ("talwalkar2010:lem-5.1", "last step"): {
        "the one is [0] and the other [1].": (
            "abs(sqrt(norm_2(other)) - sqrt(norm_K))",
            "norm_2(root_change)",
        ),
    },
    ("talwalkar2010:prop-5.2-proof", "bordered"): {
        r"$x = [\frac9{10}] x_2$": (lambda key: given("x")(key)[1],),
    },
    ("talwalkar2010:eq-3.1", "least sum"): {
        "at distance [1]: the sum is [0] at the solution, and [-2] with": (
            lambda key: value(key, "squares")[0, 1],
            "sum(squares_Y - squares)",
            "sum(squares_Z - squares)",
        ),
    },
    ("talwalkar2010:eq-3.3", "another sum"): {
        r"gives $[(\sqrt 2, 1, -1, -\sqrt 2) / \sqrt 6]$": (row_of("bottom"),),
        r"$[(5, 3, -3, -5) / \sqrt{68}]$": (row_of("competing"),),
    },
    ("talwalkar2010:eq-3.5", "another power"): {
        r"inner products $[\sqrt 2]\, K$": (
            lambda key: printed_gram(key)[0, 0] / value(key, "K")[0, 0],
        ),
    },
    ("yang2012:prop-1", "one example"): {
        "single example $[0]$": (given("examples"),),
        "is $[1]$, not": ("norm_on_examples",),
    },
    ("yang2012:prop-1", "examples on a line"): {
        "from $[-4]$ to $[4]$": (
            lambda key: given("examples")(key).min(),
            lambda key: given("examples")(key).max(),
        ),
        r"$u = \sigma = [1]$": ("sigma",),
    },
    ("yang2012:psi", "eigenvalues of K"): {
        r"it is $[\sqrt 2]$ for every": ("printed_squared",),
    },
    ("dellavecchia2024:prop-34", "the constant without its exponent"): {
        r"\sigma_1 = [\frac{1}{100}]$ with $p = [\frac15]$": (
            "gamma * max(t)",
            "capacity",
        ),
        r"\alpha = [10^{-5}]$": ("alpha",),
        "nearly $[1]$, and": ("d",),
    },
    ("dellavecchia2024:low-noise", "even classes"): {
        r"excludes $\eta = [\frac12]$": (given("eta"),),
        "$f = [1]$ and $f_* = [-1]$": (given("f"), given("tie")),
        "their losses is $[4]$": ("second",),
    },
    ("ding2019:volume-sampling-nystrom", "volume step"): {
        "points of length [1] have": ("K_max",),
        "inner products $[9/10]$": (given("a"),),
    },
    ("ding2019:volume-sampling-nystrom", "two rounds"): {"$s = [2]$": ("l / 2",)},
    ("ding2019:adaptive", "second round"): {
        "points of length [1] with inner products $[9/10]$": (
            "K_max",
            lambda key: value(key, "K")[0, 1],
        ),
        "$s = [8]$": ("l / 2",),
        "modulus [1], it": (lambda key: abs(given("y")(key)),),
    },
    ("ding2019:thm-1", "any first columns"): {
        "Two blocks of [8] points": (given("m"),),
        "has $1 + i^2 / [1600]$": (lambda key: 1 / (value(key, "K")[0, 0] - 1),),
        r"labels are [1], $\mu = [1/10]$": (given("y"), given("mu")),
        "$s = [3]$": ("l / 2",),
        "above [2/5].": ("abs(C_K - C_T)",),
    },
}
