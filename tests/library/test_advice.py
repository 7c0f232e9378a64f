"""What a message advises is done, and helps; what is the other way about does not.

Advice on the argument itself is followed in the table of bad input (`advice.py`).  Here
are messages that speak of other arguments, or of a direction: each case is a call with
these arguments, its message, and what its words are to change.  Every such sentence in
the package is read by a case.
"""

import ast
import re
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from sklearn.multiclass import OneVsRestClassifier

import nystheory
from nystheory import certificates, coherence, features, kernels, learners, lowrank
from nystheory import manifold, sampling, selection

PACKAGE = Path(nystheory.__file__).parent
X = np.random.default_rng(0).standard_normal((40, 2))
Y = np.sin(X[:, 0])
SIGNS = np.where(Y > 0, 1, -1)
K = kernels.rbf(X, 0.5)
# One large gap after the first eigenvalue, and none that the trace leaves after it.
GAP = np.diag([100.0, 2.0, *np.ones(8)])


@dataclass(frozen=True)
class Case:
    """A call, and for each phrase of its message what it is to change."""

    call: object
    given: dict
    moves: dict
    turned: dict  # phrases that would be false


def said(case, **more):
    """What is said: an error, a warning, or the advice of an answer."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            answer = case.call(**case.given | more)
        except (ValueError, TypeError) as error:
            return str(error)
    return "; ".join(str(each.message) for each in heard) or getattr(answer, "advice", "")


def enclosed(name):
    def call(points, K=K, **given):
        near = lowrank.nystrom(K, range(points))
        return getattr(coherence, f"approximate_{name}")(K, near, **given)

    return call


COLUMNS = {"more columns": {"points": 40}}, {"fewer columns": {"points": 1}}
RIDGES = {"a larger ridge": {"alpha": 1e6}}, {"a smaller ridge": {"alpha": 1e-4}}
SCORES = Case(
    enclosed("ridge_scores"),
    {"points": 2, "alpha": 0.01},
    COLUMNS[0] | RIDGES[0],
    COLUMNS[1] | RIDGES[1],
)
OF_GAP = (
    {"points": 2, "rank": 2, "K": GAP},
    {"more columns": {"points": 10}, "a rank with a gap below it": {"rank": 1}},
    {"fewer columns": {"points": 1}, "a rank without a gap": {"rank": 3}},
)


def system(landmarks, ridge, max_iterations):
    P = learners.Preconditioner(lowrank.nystrom(K, range(landmarks)), ridge)
    given = {"tol": 1e-8, "max_iterations": max_iterations}
    return learners.conjugate_gradients(K, Y, ridge, P, **given)


SYSTEM = Case(
    system,
    {"landmarks": 2, "ridge": 1e-3, "max_iterations": 2},
    {
        "raise the ridge": {"ridge": 1e6},
        "take more landmarks": {"landmarks": 40},
        "allow more iterations": {"max_iterations": 200},
    },
    {
        "lower the ridge": {"ridge": 1e-5},
        "take fewer landmarks": {"landmarks": 1},
        "allow fewer iterations": {"max_iterations": 1},
    },
)


def subspace(**given):
    model = learners.SubspaceClassifier(
        gamma=0.5, n_landmarks=20, random_state=0, solver="coordinates", **given
    )
    return model.fit(X, SIGNS)


def newton(**given):
    return learners.newton(X, Y > 0, **given)


def far(kind, offset, gamma, **more):
    return kind(gamma=gamma, random_state=0, **more).fit(X).transform(X + offset)


FAR = {"offset": 1e14, "gamma": 1.0}
NEARER = (
    {"subtract its mean": {"offset": 0}, "a smaller gamma": {"gamma": 1e-30}},
    {"add its mean": {"offset": 2e14}, "a larger gamma": {"gamma": 1e2}},
)


def far_binning(**given):
    return far(features.RandomBinningFeatures, **given)


def far_waves(**given):
    return far(features.RandomFourierFeatures, **given)


def matern(**given):
    return features.RandomFourierFeatures(**given).fit(X)


TWO = np.vstack([X, X + 100])


def parts(**given):
    return manifold.Isomap(2, **given).fit(TWO)


def left_out(landmarks):
    return certificates.leave_one_out_trace(K, landmarks)


DRAWN = sampling.rp_cholesky(K, 5, np.random.default_rng(0))


def fitted(fit_inverse):
    made = features.NystromFeatures(gamma=0.5, n_landmarks=4, fit_inverse=fit_inverse)
    return made.fit(X).inverse_transform(made.transform(X))


def refitted(refit):
    return selection.KernelSelector(["rbf"], [0.5], refit=refit).fit(X, Y).predict(X)


def classes(wrap, y=np.arange(40) % 3):
    model = learners.KernelLogistic(gamma=0.5)
    return (wrap(model) if wrap else model).fit(X, y)


def words(y):
    return selection.KernelSelector(["rbf"], [0.5]).fit(X, y)


CASES = {
    "ridge scores": SCORES,
    "the dimension": Case(
        enclosed("effective_dimension"), SCORES.given, SCORES.moves, SCORES.turned
    ),
    "the stable rank": Case(
        enclosed("stable_rank"), {"points": 2, "beyond": 3}, *COLUMNS
    ),
    "leverage scores": Case(enclosed("leverage_scores"), *OF_GAP),
    "coherence": Case(enclosed("of_matrix"), *OF_GAP),
    "a system": SYSTEM,
    "a subspace": Case(
        subspace,
        {"max_iter": 1, "tol": 1e-9, "ridge": 1e-2},
        {
            "raise max_iter": {"max_iter": 10**5},
            "tol": {"tol": 1.0},
            "the ridge": {"ridge": 1e9},
        },
        {"lower max_iter": {"max_iter": 1}},
    ),
    "newton": Case(
        newton,
        {"max_iter": 1, "tol": 1e-8, "ridge": 1e-3},
        {"raise max_iter": {"max_iter": 100}, "the ridge": {"ridge": 1e12}},
        {"lower max_iter": {"max_iter": 0}},
    ),
    "bins": Case(far_binning, FAR, *NEARER),
    "too many bins": Case(far_binning, FAR | {"offset": 1e30}, *NEARER),
    "waves": Case(far_waves, FAR, *NEARER),
    "waves of Matern": Case(
        far_waves,
        FAR | {"kernel": "matern", "nu": 0.2},
        NEARER[0] | {"a larger nu": {"nu": 100.0, "offset": 1e8}},
        NEARER[1],
    ),
    "a rough kernel": Case(
        matern,
        {"kernel": "matern", "nu": 1000.0},
        {"above it take kernel='rbf'": {"kernel": "rbf"}},
        {},
    ),
    "components": Case(
        parts,
        {"disconnected": "error"},
        {
            "take more neighbours": {"n_neighbors": 60},
            "disconnected='connect'": {"disconnected": "connect"},
        },
        {"take fewer neighbours": {"n_neighbors": 3}},
    ),
    "another law": Case(
        left_out,
        {"landmarks": DRAWN},
        {"pass landmarks.indices": {"landmarks": DRAWN.indices}},
        {},
    ),
    "an inverse": Case(
        fitted,
        {"fit_inverse": False},
        {"expected True": {"fit_inverse": True}},
        {"expected False": {"fit_inverse": False}},
    ),
    "a refit": Case(
        refitted,
        {"refit": False},
        {"expected True": {"refit": True}},
        {"expected False": {"refit": False}},
    ),
    "classes": Case(
        classes,
        {"wrap": None},
        {"sklearn.multiclass.OneVsRestClassifier": {"wrap": OneVsRestClassifier}},
        {},
    ),
    "words": Case(
        words,
        {"y": np.where(SIGNS > 0, "a", "b")},
        {"pass -1 and 1": {"y": SIGNS}},
        {},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_advice_is_followed_and_helps(name):
    case = CASES[name]
    first = said(case)
    assert first, "nothing is said"
    told = {phrase for phrase in case.moves if phrase in first}
    assert told == set(case.moves), first
    # Two cases of one message may differ in what is said of a number.
    expected = re.sub(r"got .*?(?=;|$)|\d", "", first)[:50]
    for phrase, more in case.moves.items():
        after = said(case, **more)
        assert expected not in re.sub(r"got .*?(?=;|$)|\d", "", after), (phrase, after)


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name].turned])
def test_the_other_way_about_does_not_help_and_is_not_said(name):
    case, first = CASES[name], said(CASES[name])
    for phrase, more in case.turned.items():
        assert phrase not in first
        assert said(case, **more), phrase


# --- Every sentence that advises something is read ------------------------------------

ADVISES = re.compile(
    r"would help|such as|[;:,] (?:[a-z ]+ )??(?:pass|take|raise|use|make|set|allow|"
    r"subtract|wrap|drop|fill|divide|multiply|leave|approximate)\b"
)


def is_told(node):
    """Whether a call makes an error, a warning, or the words of an answer."""
    name = ast.unparse(node.func)
    return name.endswith(("Error", "Warning", "warn")) or name in ("Failed",)


@cache
def advice():
    """Sentences of errors and warnings that advise something, their numbers left out."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        if {"chapters", "engine", "exact"} & {*path.relative_to(PACKAGE).parts}:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and is_told(node):
                for each in node.args:
                    text = words_of(each)
                    if ADVISES.search(text):
                        found[text] = f"{path.name}:{node.lineno}"
    return found


def words_of(node):
    """The text of a string, with a hole for each number."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value if isinstance(part, ast.Constant) else "\0"
            for part in node.values
        )
    if isinstance(node, ast.BinOp):
        return words_of(node.left) + words_of(node.right)
    return ""


def pattern(text):
    return re.compile(".*?".join(re.escape(part) for part in text.split("\0")), re.S)
