"""Part III: an approximation of rank k, cut in the right place.

Tropp, Yurtsever, Udell and Cevher 2017; Pourkamali-Anaraki and Becker 2017.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from nystheory import lowrank
from nystheory.theorems.base import Claim, Control, Theorem
from nystheory.theorems.concentration.violations import SEMIDEFINITE
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance, eigen
from nystheory.theorems.quantities import tail_2
from nystheory.theorems.routes import RANK_IN_RANGE, textbook_nystrom
from nystheory.theorems.since_2010._first_form import (
    condition_of_error,
    norm_E,
    trace_E,
)
from nystheory.theorems.spectral import tail_trace


def cut_approximation(i: Instance) -> np.ndarray:
    """``[K~]_k``, the best rank-k part of the full approximation, (n, n)."""
    result = lowrank.nystrom(i.K, i.landmarks, i.k, truncate="approximation")
    return result.spectral_reconstruction()


def cut_core(i: Instance) -> np.ndarray:
    """``C W_k^+ C.T``, (n, n)."""
    result = lowrank.nystrom(i.K, i.landmarks, i.k, truncate="core")
    return result.spectral_reconstruction()


def _norm(matrix, order) -> float:
    return float(np.linalg.norm(matrix, order))


def _error_of(cut, order):
    return lambda i, _: _norm(i.K - cut(i), order)


def _above(i: Instance, _) -> float:
    """The largest eigenvalue of ``C W_k^+ C.T - K~``."""
    full = lowrank.nystrom(i.K, i.landmarks).spectral_reconstruction()
    return float(np.linalg.eigvalsh(cut_core(i) - full)[-1])


def _at_most(says: str, order, formula=None, **changes) -> Claim:
    return Claim(
        says,
        **{
            "observe": _error_of(cut_approximation, order),
            "formula": formula,
            "relation": "<=",
            # The cut core inverts only the larger eigenvalues of W, and where they tie
            # either choice of W_k is below K~: no gap enters.
            "condition": condition_of_error,
            **changes,
        },
    )


def _never_worse(says: str, order, cuts=(cut_approximation, cut_core), **changes):
    first, second = cuts
    return _at_most(
        says,
        order,
        observe=_error_of(first, order),
        expected=_error_of(second, order),
        scale=lambda i: np.sqrt(i.n) * i.norm_K,
        **changes,
    )


def _worse(says: str, *orders, name: str) -> Claim:
    """That one place to cut is clearly the worse one, on the instance of that name."""
    cuts = (cut_core, cut_approximation)

    def clearly(i: Instance, _) -> bool:
        worse, better = cuts if name == "far" else cuts[::-1]
        return all(
            _norm(i.K - worse(i), order) > 1.01 * _norm(i.K - better(i), order)
            for order in orders
        )

    return Claim(says, observe=clearly, applies=lambda i: i.name == name)


# For an indefinite K the two differ without an order, and the package refuses it.


def _largest_part(matrix, rank):
    values, vectors = eigen(matrix)
    order = np.argsort(-np.abs(values))[:rank]
    return (vectors[:, order] * values[order]) @ vectors[:, order].T


def _textbook_core(i: Instance) -> np.ndarray:
    return textbook_nystrom(i.K, i.landmarks, i.k)


def _textbook_cut(i: Instance) -> np.ndarray:
    return _largest_part(textbook_nystrom(i.K, i.landmarks, i.l), i.k)


def _sum(first, second) -> Formula:
    return Formula(sp.Add(first, second, evaluate=False))


def _derive():
    a, b, c, d = sp.symbols("a b c d", positive=True)
    # W = diag(a, b), columns (1, 0, c) a and (0, 1, d) b: K~ is the sum of two terms.
    first, second = sp.Matrix([1, 0, c]), sp.Matrix([0, 1, d])
    full = a * first * first.T + b * second * second.T
    length = (first.T * first)[0]
    return (
        Step(
            (first.T * full * first)[0] / length,
            r"a lower bound for the trace of $[\tilde K]_1$, for $W = "
            r"\operatorname{diag}(a, b)$, $a > b$: what $\tilde K$ has in the "
            r"direction of the core of rank 1",
        ),
        Step(
            a * length + b * c**2 * d**2 / length,
            r"the trace of $C W_1^+ C^\top$, and what the term that was cut adds, "
            "since it is not orthogonal",
        ),
    )


_SPECTRAL_WORSE = Instance(
    np.array([[5.0, 0, -2, -6], [0, 4, -2, 2], [-2, -2, 6, 4], [-6, 2, 4, 10]]),
    [0, 1],
    1,
    name="spectral",
)
_FROBENIUS_WORSE = Instance(
    np.array([[6.0, 2, -5, -4], [2, 3, -5, 2], [-5, -5, 10, 0], [-4, 2, 0, 16]]),
    [0, 1],
    1,
    name="Frobenius",
)
_FAR = Instance(np.array([[2.0, 0, 0], [0, 1, 3], [0, 3, 10]]), [0, 1], 1, name="far")
_INDEFINITE = Instance(np.array([[2.0, 3, 4], [3, 4, -3], [4, -3, 0]]), [0, 1], 1)

FIXED_RANK = Theorem(
    id="modern:fixed-rank",
    part="III",
    kind="inequality",
    status="holds",
    title="Cut the approximation, not the core",
    number="Tropp et al. 2017; Pourkamali-Anaraki and Becker 2017",
    statement=(
        r"Let $K$ be positive semidefinite, $\tilde K = C W^+ C^\top$, $E = K - \tilde "
        r"K$ and $1 \le k \le l$. Then $C W_k^+ C^\top \preceq \tilde K$, and in the "
        r"nuclear norm the best rank-$k$ part of $\tilde K$ is never worse than the "
        r"approximation with a core of rank $k$: $\|K - [\tilde K]_k\|_* \le "
        r"\|K - C W_k^+ C^\top\|_*$. Moreover $\|K - [\tilde K]_k\|_* \le \sum_{j>k} "
        r"\lambda_j + \operatorname{tr} E$ and $\|K - [\tilde K]_k\|_2 \le "
        r"\lambda_{k+1} + \|E\|_2$. In the spectral and in the Frobenius norm either "
        "of the two approximations may be the worse one."
    ),
    hypotheses=(RANK_IN_RANGE,),
    # For k > l nothing is cut, and all three are the full approximation.
    not_known_necessary=(RANK_IN_RANGE.says,),
    claims=(
        _at_most(
            r"$\|K - [\tilde K]_k\|_* \le \sum_{j>k} \lambda_j + \operatorname{tr} E$",
            "nuc",
            _sum(tail_trace, trace_E),
            scale=lambda i: np.sqrt(i.n) * i.norm_K,
        ),
        _never_worse(r"$\|K - [\tilde K]_k\|_* \le \|K - C W_k^+ C^\top\|_*$", "nuc"),
        _at_most(
            r"$\|K - [\tilde K]_k\|_2 \le \lambda_{k+1} + \|E\|_2$",
            2,
            _sum(tail_2, norm_E),
        ),
        _at_most(
            r"$C W_k^+ C^\top \preceq \tilde K$",
            2,
            observe=_above,
            expected=lambda i, _: 0.0,
        ),
        _worse(
            "the cut core may be the worse one, in both norms", 2, "fro", name="far"
        ),
        _worse("the cut approximation may be, spectral norm", 2, name="spectral"),
        _worse("the cut approximation may be, Frobenius norm", "fro", name="Frobenius"),
    ),
    instances=lambda rng: (_SPECTRAL_WORSE, _FROBENIUS_WORSE, _FAR),
    derivation=_derive,
    controls=(
        Control(
            _never_worse("never worse in the spectral norm", 2),
            _SPECTRAL_WORSE,
        ),
        Control(
            _never_worse("never worse in the Frobenius norm", "fro"),
            _FROBENIUS_WORSE,
        ),
        Control(
            _never_worse(
                "nor is a core of rank $k$, in the Frobenius norm",
                "fro",
                (cut_core, cut_approximation),
            ),
            _FAR,
        ),
        Control(
            _at_most(
                r"the error in the nuclear norm is that of the best rank $k$",
                "nuc",
                Formula(tail_trace),
            ),
            Instance(np.diag([1.0, 2]), [0], 1),
        ),
        # K has to be semidefinite: then both cuts are below K, here neither is.
        Control(
            _never_worse(
                "never worse in the nuclear norm for an indefinite $K$",
                "nuc",
                (_textbook_cut, _textbook_core),
                condition=None,
            ),
            _INDEFINITE,
            drops=SEMIDEFINITE,
        ),
    ),
)
