r"""Formulas of the glossary and of the notation are those of the package.

Each formula that says more than a symbol, each number and each *largest* stands in a
fact: words of the page, and what they say, computed on a small instance.  Who changes
the words is told which fact they were.
"""

import re

import numpy as np
import pytest
from test_guides import ROOT, SAID, UNREAD, page

from nystheory import coherence, datasets, features, lowrank, sampling
from nystheory.chapters import theorems
from nystheory.engine import Instance
from nystheory.engine.findings import parts
from nystheory.engine.language import lines
from nystheory.engine.trial.compare import reader
from nystheory.learners import _margins

RNG = np.random.default_rng(0)
X = RNG.standard_normal((4, 7))
CASE = Instance.from_points(X, [0, 2, 5], 2)
K, C, W, S = CASE.K, CASE.C, CASE.W, CASE.landmarks
REST = np.setdiff1d(range(7), S)
PLUS = np.linalg.pinv
L, N_POINTS, RANK = 3, 7, 2
NEAR = lowrank.nystrom(K, S)
CUT = lowrank.nystrom(K, S, rank=RANK)
VALUES, VECTORS = (x[..., ::-1] for x in np.linalg.eigh(K))
SCORES = (VECTORS[:, :RANK] ** 2).sum(1)


def matrix(approximation):
    """The approximation, whole."""
    return approximation.spectral_reconstruction()


def frobenius(some):
    return np.linalg.norm(some)


def spd(some):
    return np.linalg.eigvalsh(some).min() > -1e-9


def keeps_the_order(function):
    """Of pairs A below B, whether f(A) is below f(B), in a hundred draws."""
    rng = np.random.default_rng(1)
    for _ in range(100):
        A, B = (x @ x.T for x in rng.standard_normal((2, 2, 2)))
        images = []
        for each in (A, A + B):
            values, vectors = np.linalg.eigh(each)
            images.append(vectors * function(values.clip(0)) @ vectors.T)
        if not spd(images[1] - images[0]):
            return False
    return True


def frequencies(gamma):
    """Those that random Fourier features draw for a Gaussian kernel."""
    drawn = {"n_components": 20000, "gamma": gamma, "random_state": 0}
    made = features.RandomFourierFeatures(**drawn).fit(np.zeros((1, 1)))
    return made.frequencies_


def near(one, other, allowed=1e-9):
    return np.allclose(one, other, atol=allowed)


def best(some, k=RANK):
    """The best approximation of rank k of a symmetric matrix."""
    values, vectors = np.linalg.eigh(some)
    return vectors[:, -k:] * values[-k:] @ vectors[:, -k:].T


# Labels and values on both sides of the margin.
PAIRS = [(y, f) for y in (-1, 1) for f in (-2.0, -0.5, 0.0, 0.5, 2.0)]


def projector():
    """On the leading left singular vectors of the sampled points."""
    U = np.linalg.svd(X[:, S])[0][:, :RANK]
    return U @ U.T


def factor(approximation):
    return approximation.factor


def matrix_of(some):
    """An approximation or a matrix, as a matrix."""
    return matrix(some) if isinstance(some, lowrank.LowRank) else some


READER = reader(theorems["talwalkar2010:eq-2.2"], CASE)


def value(line):
    """The value of a line on the instance."""
    found = READER.value(lines.parse(line))
    return getattr(found, "value", found)


def schur():
    K21, K22 = K[np.ix_(REST, S)], K[np.ix_(REST, REST)]
    return K22 - K21 @ PLUS(W) @ K21.T


GLOSSARY = {
    "$M$ is $n$ times the largest of their leverage scores, from $k$ (even) to $n$": (
        lambda: near(coherence.basis_free(VECTORS[:, :RANK]), N_POINTS * SCORES.max())
    ),
    "$\\mu$ is $\\sqrt n$ times the largest of their entries, from $1$ to $\\sqrt n$": (
        lambda: near(
            coherence.of_vectors(VECTORS[:, :RANK]),
            np.sqrt(N_POINTS) * abs(VECTORS[:, :RANK]).max(),
        )
    ),
    "$d(\\alpha) = \\operatorname{tr} K (K + \\alpha I)^{-1}$": lambda: near(
        coherence.effective_dimension(K, 0.3),
        np.trace(K @ np.linalg.inv(K + 0.3 * np.eye(7))),
    ),
    "no more than this is the value above the minimum": "test_subspace_classifier.py",
    "$\\sigma_k - \\sigma_{k+1}$, the distance of two eigenvalues that follow each "
    "other": lambda: VALUES[1] - VALUES[2] > 0,
    "tried on ten or more draws": lambda: parts.FEWEST_DRAWS == 10,
    "$\\max(0, 1 - y f)$ of the label $y = \\pm 1$": lambda: near(
        [_margins.losses("hinge", np.array([y * f]))[0] for y, f in PAIRS],
        [max(0, 1 - y * f) for y, f in PAIRS],
    ),
    "the column with the largest diagonal entry of what is left": lambda: (
        sampling.incomplete_cholesky(K, 2).indices[0] == np.diag(K).argmax()
    ),
    "the eigenvectors for the largest positive eigenvalues of minus half their "
    "squares, centred, each times the root of its eigenvalue": "test_manifold.py",
    "similarities $\\kappa(x_i, x_j)$ of $n$ points": lambda: near(K, X.T @ X),
    "the squared length of its row of $U_k$, from $0$ to $1$": lambda: near(
        sampling.leverage_scores(K, RANK), SCORES
    ),
    "$C W_k^+ C^\\top = X^\\top P X$": lambda: (
        near(C @ PLUS(best(W)) @ C.T, X.T @ projector() @ X)
    ),
    "The matrix $U U^\\top K$ made of approximate eigenvectors $U$: it needs all of "
    "$K$, and is not symmetric": lambda: near(
        CUT.matrix_projection(K), CUT.eigenvectors @ CUT.eigenvectors.T @ K
    ),
    "The approximation $C W^+ C^\\top$": lambda: near(matrix(NEAR), C @ PLUS(W) @ C.T),
    "it keeps the order of positive semidefinite matrices, as $\\sqrt t$, "
    "$\\log(1 + t)$ and $t / (t + \\alpha)$ do and $t^2$ does not": lambda: (
        all(map(keeps_the_order, (np.sqrt, np.log1p, lambda t: t / (t + 0.3))))
        and not keeps_the_order(np.square)
    ),
    "so that one may come twice": "test_sampling_fixed.py",
    "as a product $f f^\\top$, which leaves its row and column zero": lambda: near(
        (K - np.outer(K[:, 0], K[:, 0]) / K[0, 0])[0], 0
    ),
    "$\\|K - K_k\\|_F / \\|K - \\tilde K\\|_F$: the smallest error that rank $k$ "
    "allows over the one made; at most $1$ if $\\tilde K$ has rank $k$ or less": (
        lambda: frobenius(K - best(K))
        == pytest.approx(CUT.relative_accuracy(K) * frobenius(K - matrix(CUT)))
        and CUT.relative_accuracy(K) <= 1
    ),
    "An entry of the diagonal of $K (K + \\alpha I)^{-1}$; they sum to the effective "
    "dimension": lambda: near(
        sampling.ridge_leverage_scores(K, 0.3),
        np.diag(K @ np.linalg.inv(K + 0.3 * np.eye(7))),
    ),
    "$K_{22} - K_{21} W^+ K_{21}^\\top$: what the landmarks do not explain": lambda: (
        near(K[np.ix_(REST, REST)] - matrix(NEAR)[np.ix_(REST, REST)], schur())
    ),
    "The product $Y = K \\Omega$ with a few test vectors": lambda: near(
        K @ np.eye(7)[:, S], C
    ),
    "$\\kappa(x, y) = \\mathbb E \\cos u^\\top (x - y)$; for the Gaussian kernel of "
    "width $\\sigma$ it is normal with the variance $\\sigma^{-2}$": lambda: (
        near(frequencies(1 / (2 * 3**2)).var(), 3**-2, 0.01)
        and near(np.cos(frequencies(0.5)).mean(), np.exp(-0.5), 0.02)
    ),
    "The matrix $U \\Sigma U^\\top$ made of approximate eigenvalues": lambda: near(
        matrix(CUT), CUT.eigenvectors * CUT.eigenvalues @ CUT.eigenvectors.T
    ),
    "$\\|K^{(n)} - Z^\\top Z\\|_F$": "test_manifold.py",
    "The largest observed value over its bound: $1$ means that the bound is attained. "
    "For a chance, the smallest factor by which the bound can be multiplied": (
        "test_verify.py"
    ),
}
# Rows of the notation's table: the symbol with its formula, its meaning, its name.
NOTATION = {
    "| $X$ | points as columns, $N \\times n$; in data sets the points are rows | "
    "`Dataset.X.T` |": lambda: (
        datasets.digits().X.T.shape == (64, 1797)
    ),
    "rank that is asked for, $k \\le l \\le n$ unless said | `K.n`, `n_landmarks`, "
    "`rank` |": lambda: RANK <= L <= N_POINTS and CASE.rank == RANK,
    "| $K = X^\\top X$ | kernel matrix, $n \\times n$, symmetric and positive "
    "semidefinite | `kernels` |": lambda: near(K, X.T @ X) and near(K, K.T) and spd(K),
    "indices of the $l$ sampled columns | `Landmarks.indices` |": lambda: (
        sampling.uniform(K, L, RNG).indices.shape == (L,)
    ),
    "| $C = K_{:,S}$ | the sampled columns, $n \\times l$ | `Instance.C` |": lambda: (
        near(CASE.C, K[:, S]) and CASE.C.shape == (N_POINTS, L)
    ),
    "| $W = K_{S,S}$ | the core: rows of $C$ at the landmarks, $l \\times l$ | "
    "`Instance.W` |": lambda: near(CASE.W, C[S]) and CASE.W.shape == (L, L),
    "| $K_{21}$, $K_{22}$ | the other rows of $C$, and the block that was never looked "
    "at | |": lambda: near(value("K_21"), C[REST]) and near(
        value("K_22"), K[np.ix_(REST, REST)]
    ),
    "| $X_S$, $X'$ | the sampled points, $N \\times l$ | |": lambda: (
        near(value("X_S"), X[:, S])
    ),
    "| $Z = \\sqrt{n/l}\\, X_S$ | the sampled points, scaled | |": lambda: near(
        value("Z"), np.sqrt(N_POINTS / L) * X[:, S]
    ),
    "| $\\tilde K$ | an approximation of $K$ from $C$ and $W$ | "
    "`LowRank.spectral_reconstruction()` |": lambda: near(
        NEAR.spectral_reconstruction(), C @ PLUS(W) @ C.T
    ),
    "| $E = K - \\tilde K$ | its error | `LowRank.error(K)` |": lambda: near(
        NEAR.error(K), frobenius(K - matrix(NEAR)), 1e-6
    ),
    "| $F$ | a factor of the approximation, $\\tilde K = F F^\\top$ | "
    "`LowRank.factor` |": lambda: near(matrix(NEAR), factor(NEAR) @ factor(NEAR).T),
    "weight of expert $r$ in an ensemble; without index also coherence "
    "({ref}`talwalkar2010:def-5.1`) | `Ensemble.weights` |": "test_ensemble_weights.py",
    "| $\\alpha$ | ridge, a positive number on the diagonal | `alpha` |": (
        "test_learners.py"
    ),
    "| $\\delta$ | probability with which a bound may fail | `delta` |": (
        "test_promises.py"
    ),
    "| $T_k$ | the best approximation of $T$ of rank at most $k$ | "
    "`lowrank.best_rank_k` |": lambda: (
        near(matrix_of(lowrank.best_rank_k(K, RANK)), best(K))
    ),
    "| $T^+$ | pseudo-inverse | |": lambda: near(W @ PLUS(W) @ W, W),
    "| $U_T \\Sigma_T V_T^\\top$ | thin singular value decomposition of $T$; a further "
    "index $k$ keeps the leading $k$ | |": "the words of the theorems",
    "| $\\sigma_j(T)$, $\\lambda_j(T)$ | $j$-th singular value, eigenvalue, largest "
    "first | |": lambda: near(value("eigenvalues(K)"), VALUES),
    "| $P$ | projector on the $k$ leading left singular vectors of $X_S$ | |": lambda: (
        near(C @ PLUS(best(W)) @ C.T, X.T @ projector() @ X)
    ),
    "| $P_A = A A^+$ | projector on the range of $A$ | |": lambda: near(
        (C @ PLUS(C)) @ C, C
    ),
    "| $A \\preceq B$ | $B - A$ is positive semidefinite | |": lambda: (
        value("below(W, W + W)") is True and value("below(W + W, W)") is False
    ),
    "spectral, Frobenius and trace norm | `error(K, norm)` |": lambda: near(
        [NEAR.error(K, norm) for norm in ("spectral", "frobenius", "trace")],
        [np.linalg.norm(K - matrix(NEAR), x) for x in (2, "fro", "nuc")],
        1e-6,
    ),
    "from 1 in formulas and from 0 in code": "test_lines.py",
}
FACTS = {"glossary": GLOSSARY, "notation": NOTATION}
PAIRS_OF_FACTS = [(name, words) for name, facts in FACTS.items() for words in facts]


@pytest.mark.parametrize(("name", "words"), PAIRS_OF_FACTS, ids=lambda x: x[:40])
def test_a_formula_is_that_of_the_package(name, words):
    assert page(name).count(words) == 1, "enter the new words with what they say"
    told = FACTS[name][words]
    if isinstance(told, str):
        assert not told.endswith(".py") or [*ROOT.glob(f"tests/*/{told}")], told
    else:
        assert told()


# A formula, and what makes one say more than a symbol.
FORMULA = re.compile(r"\$[^$]+\$")
TELLS = re.compile(r"[=+/(<]|-[^}]|\\(?:frac|sqrt|le|preceq|pm)\b|\^(?!\\top)")


def alone(name, text):
    """Formulas and numbers of a page that stand in no fact."""
    held = [
        range(found.start(), found.end())
        for words in FACTS[name]
        for found in re.finditer(re.escape(words), text)
    ]
    read = UNREAD.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    told = [x for x in FORMULA.finditer(text) if TELLS.search(x[0])]
    told += SAID.finditer(FORMULA.sub(lambda found: " " * len(found[0]), read))
    return [x[0] for x in told if not any(x.start() in each for each in held)]


@pytest.mark.parametrize("name", FACTS)
def test_a_formula_or_a_number_stands_in_a_fact(name):
    """Enter it in FACTS with what it says."""
    assert alone(name, page(name)) == []


def test_another_formula_is_seen():
    text = page("glossary").replace("1 - y f", "1 + y f")
    assert "$\\max(0, 1 + y f)$" in alone("glossary", text)
