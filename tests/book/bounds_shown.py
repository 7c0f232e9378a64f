r"""Bounds in words, "at most", "at least", and what shows each of them.

A phrase has the bound in brackets, as in `words_shown`, and beside it what stands
before the bound less the bound itself: one number, or as many as instances were tried.
Of "at most" and "no more than" none may be above zero, and one has to be below it, so
that the bound that is turned does not fit.  `side` reads a line, of a theorem or of a
finding, and has the sign only: -1 for what stands on its smaller side.

`CONDITIONS` has the bounds that are not found but asked for, and `EXPLAINED` those that
a referee reads, each with why.
"""

import ast

import bounds_on_instances as on
import numpy as np
from words_shown import found

from nystheory import kernels, lowrank
from nystheory.chapters import theorems
from nystheory.datasets import digits

BOUNDS = ("at most", "at least", "no more than", "no less than")


def side(line, what):
    """-1 if this side of the comparison is the smaller one, 1 if it is the larger.

    What stands in a chance must not happen, so there it is the other way round.
    """

    def signs(tree, sign):
        if isinstance(tree, ast.Call) and ast.unparse(tree.func) == "chance":
            sign = -sign
        if isinstance(tree, ast.Compare):
            left, right = tree.left, tree.comparators[0]
            below = isinstance(tree.ops[0], ast.Lt | ast.LtE)
            for part, of_part in ((left, -sign), (right, sign)):
                if what in (ast.unparse(part), ast.unparse(part).partition("(")[0]):
                    yield of_part if below else -of_part
        for part in ast.iter_child_nodes(tree):
            yield from signs(part, sign)

    (sign,) = set(signs(ast.parse(line, mode="eval"), 1))
    return sign


def of(id, claim, what):
    """The side of a claim of a theorem."""
    return side(theorems.get(id).claims[claim].line, what)


def of_finding(finding, what):
    """The side of a finding."""
    id, _, name = finding.rpartition("/")
    return side(found(id).experiment.findings[name].line, what)


RISK = of("modern:ridge-risk-core", "bound", "risk_below")
GAP = of("modern:duality-gap", "weak", "D_a")
LARGEST_SCORE = (
    np.diag(np.linalg.solve(on.K + on.RIDGE, on.K)) - np.diag(on.K) / on.ALPHA
)

SHOWN = {
    "a_few_columns": {
        "it costs [at most] $n$ more entries": [
            on.diagonal_beside(columns) for columns in ((), (0,), (2, 5, 7))
        ],
    },
    "adaptive_sampling": {
        "Adapt-Full in its turn is [at least] as accurate as uniform": of_finding(
            "adaptive_sampling:schemes/full after", "after(adaptive_full)"
        ),
        "Adapt-Full is [at least] as accurate as Adapt-Part": of_finding(
            "adaptive_sampling:schemes/pass after", "after(adaptive_full)"
        ),
    },
    "certificates_afterwards": {
        "however large, costs [at most] $1/\\alpha$": [
            -1 / (value + on.ALPHA) for value in (1, 10, 1e6)
        ],
    },
    "choosing_the_kernel": {
        "rank $k$ is in the mean [at least] as near as Adapt-Full": -of_finding(
            "choosing_the_kernel:figure/optimal", "apart(optimal)"
        ),
        "the mean difference is [at most] $M^2": of(
            "ding2019:uniform-columns", "bound", "mean(C_U - C_K)"
        ),
    },
    "coherence": {
        "The rank $k$ of the approximation has to be [at least] $r$": on.exact_ranks(),
        "The error is then [at most] the tail plus what": [
            of("modern:structural", "spectral", "norm_E"),
            of("modern:structural", "trace", "trace_E"),
        ],
        "the spike has in the mean [at most] $t^2 + r - 1$": [
            on.mean_row(t, r, n) - (t**2 + r - 1)
            for t, r, n in ((1, 5, 50), (3, 4, 20), (20, 25, 1000))
        ],
        "The bound for leverage scores is [at most] two": (on.by_scores() - 2),
    },
    "concentration": {
        "Its mean is [at most] $e_l$": of(
            "talwalkar2010:eq-5.7", "mean", "mean(distance_F)"
        ),
        "one exchange changes it by [at most] $c = \\frac nl g_F$": of(
            "talwalkar2010:eq-5.6", "exchange", "abs(other_distance_F - distance_F)"
        ),
        "with probability [at least] $1 - \\delta$": -of(
            "talwalkar2010:thm-5.1", "deviation", "chance"
        ),
        "One exchange changes the number by [at most] one": [
            change - 1 for change in on.first_ones()
        ],
        "a value that is smaller by [at most] $d(S, A)$": list(on.below_the_set()),
        "it adds [at least] $\\sqrt{\\log \\frac1\\delta}\\, e_l$ to the mean": [
            n / m * np.sqrt(min(on.sharp(n, m)) / 2) - np.sqrt(n * (n - m) / (2 * m))
            for n, m in on.SIZES
        ],
        "each branch of $\\alpha_\\sharp$ is [at least] $\\frac{l u}{n}$": [
            branch - m * (n - m) / n for n, m in on.SIZES for branch in on.sharp(n, m)
        ],
    },
    "eigengap_and_rate": {
        "over $n$, is [at most] of the order $e_2^2$": of(
            "yang2012:combined", "squared", "error_2"
        ),
        "with probability [at least] $1 - n^{-3}$": -of(
            "yang2012:thm-5", "as printed", "chance"
        ),
        "costs the objective [at most] order $1/l$": of(
            "yang2012:objective-gap", "hinge", "hinge_gap"
        ),
    },
    "ensembles": {
        "Nyström approximation $\\tilde K_r$ of rank [at most] $k$": on.ranks(
            lambda gram, k: lowrank.nystrom(gram, range(7), k)
        ),
        "its error is [at most] that of equal weights on all": of_finding(
            "ensembles:experts/one_cut", "frobenius(one_cut)"
        ),
        "It is [at least] 0.8 of it with every number": of_finding(
            "ensembles:experts/scale", "frobenius(uniform) - frobenius(scaled)"
        ),
    },
    "error_bounds": {
        "the error is [at most] the distance itself": of(
            "talwalkar2010:eq-5.3", "nothing cut", "error_ky_fan"
        ),
        "The error is [at most] the best possible one and $\\sqrt 2$ times": of(
            "talwalkar2010:sqrt2-lemma", "spectral norm", "error_2"
        ),
        "the squared error is [at most] what the squared norm of $K$ loses": [
            each.error(on.K) ** 2
            - np.linalg.norm(on.K) ** 2
            + np.linalg.norm(each.spectral_reconstruction()) ** 2
            for each in on.CUT
        ],
        "its excess is [at least]": [
            np.sqrt(2 * (2 + deviation)) - 2 for deviation in (0, 0.1, 5)
        ],
        "is [at most] $2 + \\log \\frac1\\delta$ for $\\delta \\le e^{-2}$ only": [
            np.sqrt(2 * x) - x for x in (2, 3, 10)
        ],
        "smaller, too, by $\\sqrt p$ [at least]": [
            on.lead_of_one(p) for p in (2, 5, 10)
        ],
    },
    "fixed_sampling": {
        "in percent; it is [at most] 100": of(
            "talwalkar2010:eq-2.24", "ratio", "relative_accuracy"
        ),
        "uniform sampling is [at least] as accurate without replacement": of_finding(
            "fixed_sampling:schemes/gain", "accuracy(without)"
        ),
        "samples without replacement are [at least] as accurate": of_finding(
            "fixed_sampling:schemes/gain_after", "after(without)"
        ),
        "columns by its scores are [at least] as accurate as uniform": of_finding(
            "fixed_sampling:crowds/recursive", "accuracy(recursive)"
        ),
    },
    "glossary": {
        "[no more than] this is the value above the minimum": GAP,
        "[at most] $1$ if $\\tilde K$ has rank $k$ or less": of(
            "talwalkar2010:eq-2.24", "ratio", "relative_accuracy"
        ),
    },
    "how_to_read_this_book": {
        "Each claim brings along [at least] one {term}`control`": on.controls(),
    },
    "kernel_matrices": {
        "pictures of 64 pixels have [at most] 64 eigenvalues": np.linalg.matrix_rank(
            kernels.linear(digits().X[:300]).dense()
        )
        - 64,
        "hypothesis of the sentence on $T$, and '[at most]' mends it": on.ranks(
            lowrank.best_rank_k
        ),
    },
    "kernel_principal_components": {
        "$\\sin 2\\theta = 1 / (2 \\sqrt2)$ [at most]": list(on.turned_component()),
        "of dimension $k$ have a distance of [at most] $\\sqrt{2k}$": (
            list(on.distances())
        ),
    },
    "machines_on_few_columns": {
        "the number of all steps: this is [at most] $\\frac1n$": [
            passes.mean() / on.N - 1 / on.N for passes in on.RNG.integers(0, 2, (6, 4))
        ],
        "the mean of the iterates is [at most] $\\frac{R^2 (3 + \\ln T)}": of(
            "dellavecchia2024:pegasos", "uniform", "mean(F_average - F_reference)"
        ),
        "the condition number is [at most] 3": of("modern:falkon", "enough", "kappa"),
        "falls [at least] like $\\frac{\\ln T}{T}$": -of(
            "dellavecchia2024:pegasos", "uniform", "mean(F_average - F_reference)"
        ),
        "There are [no more than] $n$ distinct columns": [
            len(set(on.RNG.integers(0, on.N, size))) - on.N for size in (3, 20, 400)
        ],
        "$\\ell_{\\max}$ is [at most] $K_{\\max} / \\alpha$": LARGEST_SCORE.max(),
    },
    "newton_with_few_columns": {
        "what is left to gain is [at most] $\\|\\nabla": of(
            "talwalkar2010:eq-3.12", "excess", "loss - loss_least"
        ),
        "its eigenvalues are [at most] $\\frac14 \\lambda_j(K)^2$": (
            np.linalg.eigvalsh(on.NEWTON) - on.VALUES**2 / 4
        ),
        "finds one of [at least] half of that length": on.HALVED,
        "each step [at least] halves the error": list(on.beyond_half()),
    },
    "notation": {
        "of $T$ of rank [at most] $k$": on.ranks(lowrank.best_rank_k),
    },
    "pivots_and_volumes": {
        "pivots leave [at most] $1 + \\varepsilon$ times": of(
            "modern:rpcholesky", "accuracy", "mean(trace_E)"
        ),
    },
    "projection_or_reconstruction": {
        "is exact with probability [at most] $l/n$": on.lonely(9, 4),
    },
    "random_subspaces": {
        "below 1 and [at most] $\\frac{K_{ii}}{n \\alpha}$": LARGEST_SCORE,
        "its second derivative is [at most] $\\frac14$": on.SIGMOID * (1 - on.SIGMOID)
        - 0.25,
        "above the minimum by [no more than] this gap": GAP,
        "leverage scores [at most] $(2r - 1) \\log": [
            on.by_leverage(r, delta) for r in (2, 5, 50) for delta in on.DELTAS
        ],
    },
    "ridge_and_preconditioning": {
        "inflates the risk by a factor of [at most] $1.1^2 = 1.21$": RISK,
        "the risk grows by a factor of [at most] $1.1^2$": RISK,
        "report a risk [at most] a fifth above that with all of $K$": of_finding(
            "ridge_and_preconditioning:risks/uniform", "risk(uniform)"
        ),
        "$\\alpha / \\varepsilon$ it is [at most] $(1 + \\varepsilon)^2$": RISK,
        "the logarithm is [at least] $\\log n$": list(on.logarithms()),
    },
    "sketches_and_limits": {
        "some $l$ columns have [at most] $\\frac{l+1}{l+1-k}$ times": of(
            "modern:k-dpp-expectation", "bound", "(l + 1) * symmetric_ratio"
        ),
    },
    "solving_with_few_columns": {
        "a condition number of [at most] $1 + \\|K\\|_2 / \\alpha$": np.linalg.cond(
            on.K + on.RIDGE
        )
        - (1 + on.VALUES.max() / on.ALPHA),
        "differ by [at most] as many standard deviations as the root": of(
            "modern:gp-inducing", "mean", "(mean_all - mean_near) ** 2"
        ),
        "the variances differ by a factor of [at most] $\\theta$": [
            of("modern:gp-inducing", "variance, ratio", "variance_near / variance_all"),
            of("modern:gp-inducing", "variance, below", "variance_all / variance_near"),
        ],
        "so far it moves [at most] at as many new points": on.moves_at_points(),
        "points are wrong by [at most] the residual": [
            on.predictions() for _ in range(9)
        ],
    },
    "stability_of_learners": {
        "splits in which true rows explain [at least] as much": of_finding(
            "stability_of_learners:which-kernel/even", "explained(rows)"
        ),
    },
    "surely_worse_kernels": {
        "so it is [at most] its trace times the identity": np.linalg.eigvalsh(on.E)
        - on.T,
        "and exceeds it by [at most] $\\frac t\\alpha$": on.log_det(on.K + on.RIDGE)
        - on.log_det(on.K - on.E + on.RIDGE)
        - on.T / on.ALPHA,
        "never too small, and [at most] $1 + \\frac t\\alpha$ times too large": of(
            "modern:criterion-enclosure", "ratio", "alpha / (alpha + t) * upper"
        ),
    },
    "two_kinds_of_features": {
        "draw has an error of [at least] two thirds": of(
            "modern:rare-frequency",
            "error",
            "norm_2((K - K_hat) @ inv(K + alpha * identity(n)))",
        ),
    },
    "what_to_use": {"by about a fifth [at most]": RISK},
    "which_random_features": {
        "a smaller variance with phases, by an eighth [at most]": -of(
            "modern:pairs-or-phases",
            "an eighth",
            "5 - 4 * g + 3 * g ** 4 - 4 * g ** 2",
        ),
        "operations, [no less than] the $n l (2 d + c)$": [
            2 * (d + c) - (2 * d + c) for d in (2, 50) for c in (0, 10)
        ],
        "of these they miss [no more than] the columns": of_finding(
            "which_random_features:budgets/fourfold", "missed(fourfold)"
        ),
        "columns of the first tenth miss [at least] what uniform": of_finding(
            "which_random_features:in-order/first", "missed(first)"
        ),
    },
}

ASKED = "what is asked for or assumed"
CONDITIONS = {
    "concentration": (
        "moves $\\phi$ by [no more than] a small $c$",
        "let [at most] one sample in three break the promise",
        "Let $\\phi$ change by [at most] one at an exchange",
    ),
    "eigengap_and_rate": ("loss whose slope is [at most] $C$",),
    "error_bounds": (
        "if [at least] two others come close to the largest",
        "the Frobenius error is [at most] a tenth of the norm",
    ),
    "fast_and_slow_rates": (
        "the excess risk is [at most] of order $n^{-\\rho}$",
        "fall [at least] like $j^{-1/p}$",
        "is [at most] a constant times its excess risk",
    ),
    "fixed_sampling": ("and [at most] two hundred columns for each",),
    "how_to_read_this_book": ("must fail on [at least] one data set",),
    "random_subspaces": ("a *Lipschitz* loss changes by [at most] $G$ times",),
    "ridge_and_preconditioning": ("or [at least] $\\beta$ times that",),
    "solving_with_few_columns": (
        "$\\operatorname{tr} E$ is [at most] $2 \\alpha",
        "a mean trace of [at most] $2 \\alpha$ gives",
    ),
    "stability_of_learners": (
        "labels of [at most] $M$",
        "labels of [at most] 1",
        "promises a change of [at most] 1",
        "Labels are [at most] 1",
    ),
    "two_ways_to_learn_a_matrix": (
        "best approximation of rank [at most] $k$ of the core",
        "$W$ has rank [at least] $k$",
        "Read 'rank [at most] $k$'",
    ),
}
EXPLAINED = {
    "how_to_read_this_book": {
        "differ by one percent [at most]": "what the world draws",
    },
    "ledger_of_theorems": {
        "that claims [no more than] the theorem": "defines a mutant",
    },
    "machines_on_few_columns": {
        "{{ ours:.1f }} [at most]": "the cell takes the largest",
    },
    "map_of_theorems": {"A line tells [no more than] that": "what the map says"},
    "random_subspaces": {
        "the excess risk is [at most] of the order of": "a theorem of the paper",
        "if $n$ is [at least] of the order of": "a lemma of the paper",
    },
    "which_random_features": {
        "percent [at most]": "the expression takes the largest",
        "where there are [at most] ten coordinates": "the data stand beside it",
    },
}
