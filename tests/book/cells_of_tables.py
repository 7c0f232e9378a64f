r"""What the cells of typed tables say, by page, row and column.

A cell is held by a function of its text. `worded` has phrases with a word in brackets
and, after a stroke, one that would be wrong there, each with what it says; `counted`
compares formulas with what is counted, `matrix` and `power` with a value, and `linked`
asks a result to which the cell leads for a line.
"""

# ruff: noqa: E741

import re
from functools import cache

import numpy as np
from counted_work import array, work
from matrices_in_latex import value
from scipy.optimize import brentq
from test_costs_in_words import faults, waves
from work_of_boxes import binning

from nystheory import (
    features,
    kernels,
    lowrank,
)
from nystheory.chapters import theorems
from nystheory.chapters.which_random_features import variance_maps

BRACKETS = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")
FORMULA = re.compile(r"\$[^$]+\$")
RESULT = re.compile(r"\{ref\}`([\w:.-]+)`")

# ---- What holds a cell


def both(*several):
    """All that holds a cell."""

    def holds(text):
        return all(each(text) for each in several)

    holds.rows = [row for x in several for row in getattr(x, "rows", ())]
    holds.computes = any(getattr(x, "computes", False) for x in several)
    return holds


def computed(holds):
    """What computes the formulas of a cell, each of them."""
    holds.computes = True
    return holds


def worded(*rows):
    """Phrases with a word and its contrary, and functions that say which is so."""

    def holds(text):
        for phrase, says, would_say in rows:
            plain = re.escape(BRACKETS.sub(r"\1", phrase))
            if not re.search(rf"(?<!\w){plain}(?!\w)", text):
                return False
            if not says() or would_say():
                return False
        return True

    holds.rows = rows
    return holds


def counted(count, **sizes):
    """All formulas of the cell are what is counted, each in its turn."""

    def holds(text):
        marked = FORMULA.sub(lambda found: f"[{found[0]}]", text)
        return FORMULA.search(text) and not faults(marked, count, sizes)

    return computed(holds)


def matrix(made):
    """A product of matrices, on a small instance."""
    return computed(lambda text: np.allclose(value(text.strip("$"), **GIVEN), made()))


def power(made, of, at=(1e-3, 1e-2), **given):
    """A power of one letter, by its growth; the other letters are given."""

    def holds(text):
        line = text.strip("$").replace("\\epsilon", "e").replace("{", "(")
        line = re.sub(r"(?<=\d)p", "*p", line.replace("}", ")").replace("^", "**"))
        said = [eval(line, {**given, of: x}) for x in at]
        found = [made(x) for x in at]
        return abs(np.log(said[1] / said[0]) / np.log(found[1] / found[0]) - 1) < 0.05

    return computed(holds)


def linked(**patterns):
    """Of the results in their order, a pattern that is in a line of each."""

    def holds(text):
        ids = RESULT.findall(text)
        lines = [
            " ; ".join(f"{name}: {c.line}" for name, c in theorems[id].claims.items())
            for id in ids
            if id in theorems
        ]
        wanted = patterns.values()
        return len(lines) == len(wanted) and all(
            re.search(each, line) for each, line in zip(wanted, lines, strict=True)
        )

    return holds


# ---- Small instances

X = np.random.default_rng(0).standard_normal((4, 7))
K, S, k = X.T @ X, [0, 2, 5], 2
C, W = K[:, S], K[np.ix_(S, S)]
GIVEN = {"C": C, "W": W, "K": K, "k": k, "n": 7, "l": 3}
METHODS = {"Nyström": lowrank.nystrom, "Column-sampling": lowrank.column_sampling}


def read_by(method):
    """Entries that a projection reads, and a reconstruction."""

    def counts(n, l):
        some = kernels.rbf(np.random.default_rng(0).standard_normal((n, 3)), 0.5)
        made = method(some, range(l))
        before = some.entries_asked
        made.matrix_projection(some)
        return some.entries_asked - before, before

    return counts


def entries(which):
    """Those of both methods, which are the same."""

    def count(n, l):
        one, other = (read_by(each)(n, l)[which] for each in METHODS.values())
        assert one == other
        return one

    return counted(count, n=40, l=5)


def level(cost):
    """The level at which a projection costs so much."""
    return lambda e: brentq(lambda a: cost(a) - e, 1e-12, 10)


def projected(claim, a):
    """What a projection costs by a claim, for functions of length one."""
    line = theorems["dellavecchia2024:projection-step"].claims[claim].line
    given = dict.fromkeys(("slope", "w", "w_star"), 1.0)
    given |= {"norm_2": abs, "norm_missed": (3 * a) ** 0.5}
    return eval(line.partition("<=")[2], given)


LEVELS = {
    "hinge": level(lambda a: projected("hinge", a)),
    "square": level(lambda a: projected("square at most", a)),
}
# The exponent of the eigenvalues, and so of the effective dimension.
P = 0.5


def columns(loss):
    """As many as the effective dimension, for eigenvalues that fall like a power."""

    def count(e):
        values = np.arange(1, 10**6) ** (-1 / P)
        return (values / (values + LEVELS[loss](e))).sum()

    return count


def blocks(n, d, D):
    """What right angles cost, numbers that are kept, and entries of a point."""
    X = np.random.default_rng(0).standard_normal((n, d))
    made = features.RandomFourierFeatures(
        n_components=D, draws="orthogonal", random_state=0
    )
    entries = made.fit_transform(X).shape[1]
    frequencies = made.frequencies_
    turns = len(frequencies) // d
    assert np.allclose(np.linalg.norm(frequencies[:d] @ frequencies[:d].T) ** 2,
                       (np.linalg.norm(frequencies[:d], axis=1) ** 4).sum())
    return turns * work(np.linalg.qr, array(d, d)), frequencies.size, entries


def grids(n, d, P):
    """Operations, numbers that are kept, and entries of a point."""
    X = np.random.default_rng(0).standard_normal((n, d))
    made = features.RandomBinningFeatures(n_grids=P, random_state=0)
    rows = made.fit_transform(X)
    kept = made.pitches_.size + made.shifts_.size
    assert rows.shape[1] > P
    return binning(n, P, d)[0], kept, rows.nnz / n


def one_of(counts, which, **sizes):
    return counted(lambda **each: counts(**each)[which], **sizes)


WAVES, GRIDS = {"n": 20, "d": 3, "D": 12}, {"n": 20, "d": 3, "P": 10}


@cache
def variances():
    """Those of a Gaussian kernel in eight dimensions, and of a Laplacian one."""
    z = np.linspace(0.5, 4, 8)
    gaussian = variance_maps.gaussian(z, 8, 64, 20, np.random.default_rng(0))
    return gaussian.of, variance_maps.laplacian(z, 64).of


def saved(at):
    """The share of the variance of pairs that right angles save."""
    of = variances()[0]
    return 1 - of["orthogonal pairs"][at] / of["pairs"][at]


OF_LAW = np.array([0.5, 1.0, 1.5, 3.0])


def kappa(z):
    """A kernel with four frequencies."""
    return np.cos(OF_LAW * z).mean()


def pairs_less_phases(z):
    """The variances of two features, in pairs or with phases, one less the other."""
    shifts = 2 * np.pi * np.arange(64)[:, None] / 64
    with_phases = 2 * np.cos(OF_LAW * z + shifts) * np.cos(shifts)
    return np.cos(OF_LAW * z).var() - with_phases.var() / 2


def factor_where_they_cross():
    """The quotient of both sides where pairs and phases have one variance."""
    z = brentq(pairs_less_phases, 1.7, 2.1)
    return kappa(2 * z) / kappa(z) ** 2


PROJECTION, WHICH = "projection_or_reconstruction", "which_random_features"
AS_COUNTED, TAKE, BECAUSE = "operations", "take", "because"
KEPT, POINT = "numbers that are kept", "entries of a point"
SPACES, LEVEL = "random_subspaces", r"level $\alpha$"
AT_ROOT = r"columns for $\epsilon = n^{-1/2}$"
CELLS = {
    **{
        (PROJECTION, "matrix projection", name): matrix(
            lambda method=method: method(K, S, k).matrix_projection(K)
        )
        for name, method in METHODS.items()
    },
    **{
        (PROJECTION, "spectral reconstruction", name): matrix(
            lambda method=method: method(K, S, k).spectral_reconstruction()
        )
        for name, method in METHODS.items()
    },
    (PROJECTION, "matrix projection", "entries of $K$"): entries(0),
    (PROJECTION, "spectral reconstruction", "entries of $K$"): entries(1),
    **{(SPACES, loss, LEVEL): power(LEVELS[loss], "e") for loss in LEVELS},
    **{(SPACES, loss, "columns"): power(columns(loss), "e", p=P) for loss in LEVELS},
    **{
        (SPACES, loss, AT_ROOT): power(
            lambda n, loss=loss: columns(loss)(n**-0.5), "n", (1e3, 1e5), p=P
        )
        for loss in LEVELS
    },
    **{
        (WHICH, kind, column): counted(
            lambda kind=kind, at=at, **sizes: np.array(waves(kind, **sizes))[at],
            **WAVES,
        )
        for kind in ("pairs", "phases")
        for column, at in ((AS_COUNTED, [0, 1]), (KEPT, [2]), (POINT, [3]))
    },
    (WHICH, "orthogonal pairs", AS_COUNTED): both(
        one_of(blocks, 0, **WAVES),
        worded(
            (
                "as [pairs|phases], and",
                lambda: blocks(**WAVES)[1] == waves("pairs", **WAVES)[2],
                lambda: blocks(**WAVES)[1] == waves("phases", **WAVES)[2],
            ),
            (
                "[once|for each point]",
                lambda: blocks(20, 3, 12)[0] == blocks(40, 3, 12)[0],
                lambda: 2 * blocks(20, 3, 12)[0] == blocks(40, 3, 12)[0],
            ),
        ),
    ),
    (WHICH, "orthogonal pairs", KEPT): one_of(blocks, 1, **WAVES),
    (WHICH, "orthogonal pairs", POINT): one_of(blocks, 2, **WAVES),
    (WHICH, "binning", AS_COUNTED): one_of(grids, 0, **GRIDS),
    (WHICH, "binning", KEPT): one_of(grids, 1, **GRIDS),
    (WHICH, "binning", POINT): one_of(grids, 2, **GRIDS),
    (WHICH, "a Gaussian kernel", TAKE): worded(
        (
            "[orthogonal|independent] pairs",
            lambda: saved(0) > 0.5,
            lambda: saved(0) < 0,
        ),
        (
            "orthogonal [pairs|phases]",
            lambda: all(variances()[0]["pairs"] <= variances()[0]["phases"]),
            lambda: any(variances()[0]["pairs"] > variances()[0]["phases"]),
        ),
    ),
    (WHICH, "a Gaussian kernel", BECAUSE): both(
        linked(first="near: v_orthogonal <= v_independent - "),
        worded(
            (
                "[near|far] points gain",
                lambda: saved(0) > 0.5 > saved(-1),
                lambda: saved(-1) > 0.5,
            ),
        ),
    ),
    (WHICH, "the Laplacian kernel, if the learner takes sparse rows", TAKE): worded(
        (
            "[binning|pairs]",
            lambda: all(variances()[1]["binning"] < variances()[1]["pairs"]),
            lambda: any(variances()[1]["binning"] > variances()[1]["pairs"]),
        ),
    ),
    (WHICH, "the Laplacian kernel, if the learner takes sparse rows", BECAUSE): both(
        linked(first=r"below pairs: .* / \(2 \* P\)"),
        worded(
            (
                "[less|more] than half",
                lambda: all(variances()[1]["binning"] < variances()[1]["pairs"] / 2),
                lambda: any(variances()[1]["binning"] > variances()[1]["pairs"] / 2),
            ),
            (
                "than [half|a third] of the variance",
                lambda: all(variances()[1]["binning"] < variances()[1]["pairs"] / 2),
                lambda: all(variances()[1]["binning"] < variances()[1]["pairs"] / 3),
            ),
        ),
    ),
    (WHICH, "any other kernel of differences", TAKE): worded(
        (
            r"pairs if $\kappa(2\Delta) [<|>] 2 \kappa(\Delta)^2$",
            lambda: pairs_less_phases(0.2) < 0 and kappa(0.4) < 2 * kappa(0.2) ** 2,
            lambda: pairs_less_phases(0.2) < 0 and kappa(0.4) > 2 * kappa(0.2) ** 2,
        ),
        (
            r"< [2|3] \kappa(\Delta)^2$",
            lambda: np.isclose(factor_where_they_cross(), 2),
            lambda: np.isclose(factor_where_they_cross(), 3),
        ),
        (
            "otherwise [phases|pairs]",
            lambda: pairs_less_phases(2.1) > 0 and kappa(4.2) > 2 * kappa(2.1) ** 2,
            lambda: pairs_less_phases(2.1) < 0,
        ),
    ),
    (WHICH, "any other kernel of differences", BECAUSE): linked(
        first=r"\(v_pairs < v_phases\) == \(kernel_twice < 2 \* kernel \*\* 2\)"
    ),
}
