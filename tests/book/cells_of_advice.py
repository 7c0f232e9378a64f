"""What the cells of the tables of advice and of grades say: words with a contrary."""

# ruff: noqa: E741

from functools import cache

import numpy as np
from cells_of_tables import (
    BECAUSE,
    TAKE,
    WHICH,
    X,
    both,
    linked,
    saved,
    variances,
    worded,
)
from test_guides import grades_of_a_box
from words_shown import bound
from work_of_boxes import asked

from nystheory import (
    certificates,
    exact,
    features,
    kernels,
    learners,
    lowrank,
    sampling,
)
from nystheory.chapters import theorems
from nystheory.engine.trial.results import STRENGTH

SKETCH = "modern:gaussian-sketch"
USE, READING = "what_to_use", "how_to_read_this_book"
HAPPENED, NOT_SHOWN, KNOWN = "what happened", "what it does not show", "what is known"

# ---- Grades

CASE = exact.Case.of([0], 1, points=[[1, 0], [0, 2]])


@cache
def by(line, law=None):
    """How a line is proved, whether it holds, and whether balls overlap closely."""
    proof = exact.prove(line, CASE, law=law)
    return proof.by, proof.holds, bool(proof.near)


MEAN_IS_EXACT = ("enumerated", True, False)

# ---- Advice


def some_matrices():
    for seed in range(8):
        X = np.random.default_rng(seed).standard_normal((5, 9))
        yield X.T @ X


def traces_saved(l=4, k=2):
    """By truncating the approximation and not the core."""
    return [
        lowrank.nystrom(K, range(l), k).error(K, "trace")
        - lowrank.nystrom(K, range(l), k, truncate="approximation").error(K, "trace")
        for K in some_matrices()
    ]


@cache
def logarithms(rank=None):
    """log det(I + K) of an approximation less that of K."""
    found = []
    for K in some_matrices():
        near = lowrank.nystrom(K, range(4), rank).spectral_reconstruction()
        I = np.eye(len(K))  # noqa: E741
        found.append(np.subtract(*(np.linalg.slogdet(I + A)[1] for A in (near, K))))
    return np.array(found)


def moved():
    """Eigenvalues of K less those of an approximation, and the error's traces."""
    for K in some_matrices():
        near = lowrank.nystrom(K, range(4)).spectral_reconstruction()
        yield np.linalg.eigvalsh(K) - np.linalg.eigvalsh(near), np.trace(K - near)


def unseen():
    """The guess by leaving one out and the trace, with a group that nobody saw."""
    X = np.r_[np.random.default_rng(0).standard_normal((60, 2)), np.full((80, 2), 99.0)]
    K, S = kernels.rbf(X, 0.1), list(range(0, 60, 2))
    near = lowrank.nystrom(K, S)
    sure = certificates.trace_certificate(K, near).value
    return certificates.leave_one_out_trace(K, S).value, sure


@cache
def steps():
    """Of conjugate gradients, without and with a preconditioner, and the errors."""
    X = np.random.default_rng(0).standard_normal((120, 2))
    K, y, alpha = kernels.rbf(X, 0.5), X[:, 0], 0.01
    P = learners.Preconditioner(lowrank.nystrom(K, range(40)), alpha)
    runs = [
        learners.conjugate_gradients(K, y, alpha, each, tol=1e-10) for each in (None, P)
    ]
    true = np.linalg.solve(K.dense() + alpha * np.eye(120), y)
    return [x.iterations for x in runs], [abs(x.x - true).max() for x in runs]


def risk_grown(share):
    """By the theorem, for an error that is a share of the ridge."""
    core = "modern:ridge-risk-core"
    return bound(core, gap_2=share, alpha=1.0, risk=1.0) - 1


def reads(scheme, n=60, l=6):
    """The entries that a scheme asks for, as a share of all."""
    rng = np.random.default_rng(0)
    return asked(sampling.SCHEMES[scheme], n, l, rng) / n**2


def has_certificate(name):
    """Whether the features bring a certificate of their approximation."""
    made = getattr(features, f"{name}Features")(random_state=0).fit(X.T)
    return hasattr(made, "approximation_") or "certificate" in " ".join(dir(made))


def drawn_before(name):
    """Features of a point, fitted on two sets of other points."""
    point = np.ones((1, 3))
    some = np.random.default_rng(0).standard_normal((2, 30, 3))
    made = [getattr(features, name)(gamma=0.5, random_state=0) for _ in some]
    return [x.fit(each).transform(point) for x, each in zip(made, some, strict=True)]


def is_sparse(name):
    made = getattr(features, name)(random_state=0).fit_transform(X.T)
    return not isinstance(made, np.ndarray)


ADVICE = {
    (USE, "an approximation from few entries", "use"): worded(
        (
            "[random|adaptive] pivots, until",
            lambda: reads("rp_cholesky") < 0.2,
            lambda: reads("adaptive_full") < 0.2,
        ),
    ),
    (USE, "an approximation from few entries", KNOWN): both(
        worded(
            (
                "[mean|each draw] by",
                lambda: "mean(" in theorems["modern:rpcholesky"].claims["map"].line,
                lambda: not theorems["modern:rpcholesky"].claims["map"].law,
            ),
        ),
        linked(
            first=r"mean\(trace_E\) <= trace_after_pivots",
            second=r"certificate: trace_E == trace_K - factor_F",
        ),
    ),
    (USE, "to decide whether to compute more uniform columns", KNOWN): both(
        worded(
            (
                "[blind|open] to what was never sampled",
                lambda: unseen()[0] < unseen()[1] / 10,
                lambda: np.isclose(*unseen()),
            ),
        ),
        linked(first=r"mean\(T\) == trace_with_fewer"),
    ),
    (USE, "to decide whether to compute more uniform columns", "use"): worded(
        (
            "the [certificate|guess] says what was reached",
            lambda: unseen()[1] > 79,
            lambda: unseen()[0] > 79,
        ),
    ),
    (USE, "rank exactly $k < l$", "use"): worded(
        (
            r"truncate $[\tilde K|W]$, not",
            lambda: min(traces_saved()) > 0,
            lambda: max(traces_saved()) < 0,
        ),
        (
            r"not $[W|\tilde K]$",
            lambda: min(traces_saved()) > 0,
            lambda: max(traces_saved()) < 0,
        ),
    ),
    (USE, "rank exactly $k < l$", KNOWN): both(
        worded(
            (
                "never [worse|better] in",
                lambda: min(traces_saved()) >= 0,
                lambda: max(traces_saved()) <= 0,
            ),
        ),
        linked(first=r"never worse: norm_trace\(.*\) <= norm_trace\("),
    ),
    (USE, r"$\log\det$, square roots, effective dimension", "use"): worded(
        (
            "[without|with] truncation",
            lambda: all(logarithms() >= logarithms(2)),
            lambda: all(logarithms() < logarithms(2)),
        ),
    ),
    (USE, r"$\log\det$, square roots, effective dimension", KNOWN): both(
        worded(
            (
                "a [lower|upper] bound",
                lambda: max(logarithms()) < 0,
                lambda: min(logarithms()) > 0,
            ),
        ),
        linked(
            first=r"order, root: below\(root_B, root_K\)",
            second=r"determinant: volume <= .*order: volume >= 0",
        ),
    ),
    (USE, "ridge regression, to predict", KNOWN): worded(
        (
            "[no|a] theorem; {ref}`ridge_and_preconditioning` measures it",
            lambda: "ridge_and_preconditioning" not in theorems,
            lambda: "ridge_and_preconditioning" in theorems,
        ),
    ),
    (USE, "ridge regression, with a guarantee", "use"): worded(
        (
            "a [tenth|half] of the ridge",
            lambda: 0.18 < risk_grown(1 / 10) < 0.22,
            lambda: 0.18 < risk_grown(1 / 2) < 0.22,
        ),
    ),
    (USE, "ridge regression, with a guarantee", KNOWN): both(
        worded(
            (
                "about a [fifth|tenth] at most",
                lambda: abs(risk_grown(1 / 10) * 5 - 1) < 1 / 6,
                lambda: abs(risk_grown(1 / 10) * 10 - 1) < 1 / 6,
            ),
        ),
        linked(first=r"bound: risk_below <= \(1 \+ gap_2 / alpha\)\*\*2 \* risk"),
    ),
    (USE, r"to solve $(K + \alpha I)\, x = y$", "use"): worded(
        (
            "conjugate gradients, [with|without] the approximation",
            lambda: steps()[0][1] < steps()[0][0] / 2,
            lambda: steps()[0][1] >= steps()[0][0],
        ),
        (
            "as a [preconditioner|substitute]",
            lambda: max(steps()[1]) < 1e-6,
            lambda: max(steps()[1]) > 1e-3,
        ),
    ),
    (USE, r"to solve $(K + \alpha I)\, x = y$", KNOWN): linked(
        first=r"mean: mean\(kappa\)"
    ),
    (USE, "features for any learner", "use"): worded(
        (
            "`features.[NystromFeatures|RandomFourierFeatures]`",
            lambda: hasattr(features, "NystromFeatures") and has_certificate("Nystrom"),
            lambda: has_certificate("RandomFourier"),
        ),
    ),
    (
        USE,
        "features before any point is seen, or many cheap ones",
        "use",
    ): worded(
        (
            "`features.[RandomFourierFeatures|NystromFeatures]`, with",
            lambda: np.allclose(*drawn_before("RandomFourierFeatures")),
            lambda: np.allclose(*drawn_before("NystromFeatures")),
        ),
        (
            "[orthogonal|independent] directions",
            lambda: saved(0) > 0.5,
            lambda: saved(0) < 0,
        ),
    ),
    (
        USE,
        "the same for a Laplacian kernel, if the learner takes sparse rows",
        "use",
    ): worded(
        (
            "`features.[RandomBinningFeatures|RandomFourierFeatures]`",
            lambda: is_sparse("RandomBinningFeatures"),
            lambda: is_sparse("RandomFourierFeatures"),
        ),
    ),
    (
        USE,
        "the same for a Laplacian kernel, if the learner takes sparse rows",
        KNOWN,
    ): both(
        worded(
            (
                "[less|more] variance than waves",
                lambda: all(variances()[1]["binning"] < variances()[1]["pairs"]),
                lambda: any(variances()[1]["binning"] > variances()[1]["pairs"]),
            ),
        ),
        linked(first=r"below pairs: .* / \(2 \* P\)"),
    ),
    (USE, "principal components", KNOWN): worded(
        (
            "[no|some] eigenvalue moves by more than the trace certificate",
            lambda: all(shift.max() <= trace for shift, trace in moved()),
            lambda: any(shift.max() > trace for shift, trace in moved()),
        ),
    ),
    (USE, "products with $K$ are cheap", "use"): worded(
        (
            "a [Gaussian|uniform] sketch",
            lambda: theorems[SKETCH].claims["nuclear"].law == "gaussian",
            lambda: theorems[SKETCH].claims["nuclear"].law == "uniform",
        ),
    ),
    (USE, "products with $K$ are cheap", KNOWN): linked(
        first=r"mean\(cut_sketch_trace\) <= \(1 \+ k / \(l - k - 1\)\) \* tail_trace"
    ),
    (READING, "symbolic", HAPPENED): worded(
        (
            "*for every [n|l]* if its letters",
            lambda: "symbolic for every n" in STRENGTH,
            lambda: "symbolic for every l" in STRENGTH,
        ),
        (
            "else the size is [named|left out]",
            lambda: "symbolic for 2 x 2" in STRENGTH,
            lambda: "symbolic" in STRENGTH,
        ),
    ),
    (READING, "symbolic", NOT_SHOWN): worded(
        (
            "[other|these] claims of the theorem",
            lambda: grades_of_a_box(["symbolic"], ["exact"]).count("in part") == 1,
            lambda: grades_of_a_box(["symbolic"], ["exact"]) == "symbolic",
        ),
    ),
    (READING, "exact", HAPPENED): worded(
        (
            "computed as [fractions|balls] on",
            lambda: by("trace_E <= trace_K") == ("exact", True, False),
            lambda: by("sqrt(trace_K) <= trace_K")[0] == "exact",
        ),
    ),
    (READING, "enclosed", HAPPENED): worded(
        (
            "enclosed in [balls|fractions], and the balls decide",
            lambda: by("sqrt(trace_K) <= trace_K") == ("enclosed", True, False),
            lambda: by("trace_E <= trace_K")[0] == "enclosed",
        ),
    ),
    (READING, "enumerated", HAPPENED): worded(
        (
            "[every|some] possible sample",
            lambda: by("mean(trace_E) == 5 / 2", "uniform") == MEAN_IS_EXACT,
            lambda: by("mean(trace_E) == 4", "uniform") == MEAN_IS_EXACT,
        ),
        (
            "with its [exact|estimated] probability",
            lambda: by("mean(trace_E) == 5 / 2", "uniform") == MEAN_IS_EXACT,
            lambda: by("mean(trace_E) == 5 / 2", "uniform")[2],
        ),
        (
            "so a chance or a mean is [exact|rounded]",
            lambda: by("mean(trace_E) == 5 / 2", "uniform")[1] is True,
            lambda: by("mean(trace_E) == 5 / 2", "uniform")[2],
        ),
    ),
    (READING, "to 30 digits", HAPPENED): worded(
        (
            "the balls of two sides of an equation [overlap|are apart]",
            lambda: by("sqrt(2) * sqrt(2) == 2")[2],
            lambda: by("sqrt(2) == 2")[2],
        ),
        (
            "are [narrower|wider] than that",
            lambda: by("sqrt(2) * sqrt(2) == 2 + 10 ** (-25)")[1] is False,
            lambda: by("sqrt(2) * sqrt(2) == 2 + 10 ** (-25)")[2],
        ),
        (
            "balls can [refute|prove] an equation",
            lambda: by("sqrt(2) == 2")[1] is False,
            lambda: by("sqrt(2) * sqrt(2) == 2")[1] is True,
        ),
        (
            "they never [prove|refute] one",
            lambda: by("sqrt(2) * sqrt(2) == 2")[1] is not True,
            lambda: by("sqrt(2) == 2")[1] is not False,
        ),
    ),
}
# Cells of whole tables that have a test of their own, and cells that explain.
ELSEWHERE = {"notation": "test_glossary.py"}
EXPLAINED = {
    (WHICH, "the same in ten coordinates or fewer", TAKE): "its finding",
    (WHICH, "the same in ten coordinates or fewer", BECAUSE): "a link to a finding",
    (USE, "ridge regression, to predict", "use"): "advice, beside its figure",
    (USE, "features for any learner", KNOWN): "a name of what is known",
    (USE, "features before any point is seen, or many cheap ones", KNOWN): "links",
    (USE, "principal components", "use"): "a name of the package",
    **{
        (READING, grade, NOT_SHOWN): "what a grade leaves open"
        for grade in (
            *("exact", "enclosed", "enumerated", "to 30 digits", "worst-case search"),
            *("stress suite", "own instances", "binomial, mean or slope interval"),
        )
    },
    **{
        (READING, grade, HAPPENED): "the words of the engine for its evidence"
        for grade in (
            *("worst-case search", "stress suite", "own instances"),
            "binomial, mean or slope interval",
        )
    },
}
