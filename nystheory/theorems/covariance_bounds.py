"""The error of Nyström in terms of the sampled covariance: (5.3) and sqrt 2.

The proofs of the sharper constants are those of the book.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Printed, Theorem
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import deviation, tail_2, tail_F
from nystheory.theorems.rational import is_zero, rational
from nystheory.theorems.routes import RANK_IN_RANGE, full_rank, nystrom
from nystheory.theorems.sampled_covariance import (
    covariance_error,
    deviation_trace,
    flipped,
    psi,
    selection_matrix,
)
from nystheory.theorems.spectral import spectrum, tail_trace

# --- The selection matrix ---------------------------------------------------------


def printed_selection(i: Instance) -> np.ndarray:
    """``S[m, m] = 1`` if column m is sampled and S has such an entry, (n, l)."""
    S = np.zeros((i.n, i.l))
    on_diagonal = i.landmarks[i.landmarks < i.l]
    S[on_diagonal, on_diagonal] = 1.0
    return S


def _selects(selection, says: str) -> Claim:
    return Claim(
        says,
        observe=lambda i, _: i.K @ selection(i),
        expected=lambda i, _: i.C,
        exact=lambda i: is_zero(rational(i.K) * rational(selection(i)) - rational(i.C)),
    )


def _core_exactly(i: Instance) -> bool:
    S = rational(selection_matrix(i))
    return is_zero(S.transpose() * rational(i.K) * S - rational(i.W))


def _centred(i: Instance) -> np.ndarray:
    S = selection_matrix(i)
    return np.eye(i.n) - (i.n / i.l) * (S @ S.T)


SELECTION = Theorem(
    id="talwalkar2010:selection-matrix",
    part="III",
    kind="definition",
    status="misprint",
    title="The selection matrix",
    number="section 5.1",
    statement=(
        r"The selection matrix of the landmarks $s_1, \dots, s_l$ is the $S \in "
        r"\mathbb R^{n \times l}$ with $S_{s_j j} = 1$ for $j = 1, \dots, l$ and zeros "
        r"elsewhere. Then $C = K S$, $W = S^\top K S$ and, for $K = X^\top X$ and $Z = "
        r"\sqrt{n/l}\, X S$, $X X^\top - Z Z^\top = X \bigl(I_n - \frac nl S S^\top"
        r"\bigr) X^\top$. Repeated landmarks are allowed; $S^\top S = I_l$ exactly "
        r"when there are none."
    ),
    claims=(
        _selects(selection_matrix, "$K S$ are the sampled columns"),
        Claim(
            r"$S^\top K S$ is the core",
            observe=lambda i, _: selection_matrix(i).T @ i.K @ selection_matrix(i),
            expected=lambda i, _: i.W,
            exact=_core_exactly,
        ),
        Claim(
            r"$X X^\top - Z Z^\top = X (I - \frac nl S S^\top) X^\top$",
            observe=lambda i, _: covariance_error(i),
            expected=lambda i, _: i.points @ _centred(i) @ i.points.T,
            scale=lambda i: i.norm_K * i.n / i.l,
        ),
        Claim(
            r"$S^\top S = I_l$ exactly when no landmark repeats",
            observe=lambda i, _: bool(
                np.array_equal(selection_matrix(i).T @ selection_matrix(i), np.eye(i.l))
            ),
            expected=lambda i, _: len(set(i.landmarks.tolist())) == i.l,
        ),
    ),
    controls=(
        Control(
            Claim(
                r"$S^\top S = I_l$ always",
                observe=lambda i, _: selection_matrix(i).T @ selection_matrix(i),
                expected=lambda i, _: np.eye(i.l),
            ),
            Instance(np.eye(2), [0, 0], 1),
        ),
        Control(
            Claim(
                r"$S S^\top = I_n$, so that $Z Z^\top$ is a multiple of $X X^\top$",
                observe=lambda i, _: selection_matrix(i) @ selection_matrix(i).T,
                expected=lambda i, _: np.eye(i.n),
            ),
            Instance(np.eye(2), [0], 1),
        ),
    ),
    printed=(
        Printed(
            r"$S \in \mathbb R^{n \times l}$ with $S_{ii} = 1$ if the $i$th column of "
            r"$K$ is among those sampled, and $S_{ij} = 0$ otherwise",
            "misprint",
            "Right where the sampled columns come first, as section 2.1.2 arranges "
            "them, and then only. An $n$ by $l$ matrix has no entry $(i, i)$ with "
            "$i > l$: for the third of three columns and $l = 1$ the printed matrix "
            "is zero, and $K S$ is not that column.",
            _selects(printed_selection, "$K S$ are the sampled columns, as printed"),
            Instance(np.diag([1.0, 2.0, 3.0]), [2], 1),
        ),
    ),
)


# --- (5.3), in every unitarily invariant norm -------------------------------------


def _plus(tail, constant, distance) -> Formula:
    if constant == 1:
        return Formula(sp.Add(tail, distance, evaluate=False))
    product = sp.Mul(constant, distance, evaluate=False)
    return Formula(sp.Add(tail, product, evaluate=False))


def _error_2(i: Instance, _) -> float:
    return float(np.linalg.norm(i.K - nystrom(i), 2))


def _error_F(i: Instance, _) -> float:
    return float(np.linalg.norm(i.K - nystrom(i)))


def _error_trace(i: Instance, _) -> float:
    return float(np.trace(i.K) - np.trace(nystrom(i)))


def _bounded(observe, formula, says) -> Claim:
    # At a tie of W the choice of its eigenvectors moves the error.
    return Claim(says, observe, formula, relation="<=", condition=lambda i: i.condition)


def spectral_claim(constant, says: str) -> Claim:
    """``|K - K~|_2 <= |K - K_k|_2 + constant |XX' - ZZ'|_2``."""
    return _bounded(_error_2, _plus(tail_2, constant, deviation), says)


def frobenius_claim(constant, says: str) -> Claim:
    """``|K - K~|_F <= |K - K_k|_F + constant |XX' - ZZ'|_F``."""
    return _bounded(_error_F, _plus(tail_F, constant, psi), says)


def mixed_claim(constant, says: str) -> Claim:
    """``|K - K~|_2 <= |K - K_k|_2 + constant |XX' - ZZ'|_F``."""
    return _bounded(_error_2, _plus(tail_2, constant, psi), says)


def trace_claim(constant, says: str) -> Claim:
    """``|K - K~|_* <= |K - K_k|_* + constant |XX' - ZZ'|_*``."""
    return _bounded(_error_trace, _plus(tail_trace, constant, deviation_trace), says)


def _ky_fan(values, size: int) -> np.ndarray:
    """Sums of the j largest moduli for j = 1, ..., size."""
    moduli = np.zeros(size)
    moduli[: len(values)] = np.sort(np.abs(values))[::-1]
    return np.cumsum(moduli)


def _ky_fan_sides(constant, with_tail):
    """Both sides of the bound in the Ky Fan norm in which it is closest to failing."""

    @lru_cache(maxsize=1)
    def sides(i):
        E = np.linalg.eigvalsh(covariance_error(i))
        size = max(i.n, len(E))
        error = _ky_fan(np.linalg.eigvalsh(i.K - nystrom(i)), size)
        bound = constant * _ky_fan(E, size)
        if with_tail:
            bound = bound + _ky_fan(spectrum(i)[i.k :], size)
        worst = np.argmax(error / np.maximum(bound, np.finfo(float).tiny))
        return float(error[worst]), float(bound[worst])

    return sides


def ky_fan_claim(constant, says: str, with_tail: bool = True) -> Claim:
    """The bound in every Ky Fan norm; without the tail of K for ``k = l``."""
    sides = _ky_fan_sides(constant, with_tail)
    case = (lambda i: i) if with_tail else lru_cache(maxsize=1)(full_rank)
    return Claim(
        says,
        observe=lambda i, _: sides(case(i))[0],
        expected=lambda i, _: sides(case(i))[1],
        relation="<=",
        # A sum of up to n eigenvalues is rounded.
        scale=lambda i: float(np.trace(i.K)),
        condition=lambda i: case(i).condition,
    )


def _derive_flip():
    """Orthogonal clusters of t + 1 points and of one, length 1, a landmark in each."""
    t = sp.Symbol("t", positive=True)
    half = sp.Rational(1, 2)
    return (
        Step(
            sp.Add(t, 1, -1, evaluate=False),
            r"$\|K - \tilde K\| - \|K - K_1\|$ in either norm if the lone point is "
            "taken for the leading direction",
        ),
        Step(
            sp.Mul(2, (t + 1) - half * (t + 2), evaluate=False),
            r"$2\, \|X X^\top - Z Z^\top\|_2$, as $Z Z^\top = \frac{t+2}{2} I_2$",
        ),
        Step(
            sp.Mul(
                sp.sqrt(2),
                sp.sqrt(((t + 1) - half * (t + 2)) ** 2 + (1 - half * (t + 2)) ** 2),
                evaluate=False,
            ),
            r"$\sqrt 2\, \|X X^\top - Z Z^\top\|_F$",
        ),
    )


def _nearly_tied(rng):
    """The instance on which the constants are all but attained."""
    yield flipped(20, 1e-5)
    # k = l = 1: the sample does not see the other direction.
    yield Instance.from_points(np.eye(2), [0], 1, "two orthogonal points")


GENERAL = Theorem(
    id="talwalkar2010:eq-5.3",
    part="III",
    kind="inequality",
    status="holds",
    title="Error by the sampled covariance",
    number="inequality (5.3)",
    statement=(
        r"Let $K = X^\top X$, let $X_S$ be any $l$ of the columns of $X$, repetitions "
        r"allowed, $Z = \sqrt{n/l}\, X_S$ and $1 \le k \le l$. In every unitarily "
        r"invariant norm $\|K - \tilde K\| \le \|K - K_k\| + 2\, \|X X^\top - Z "
        r"Z^\top\|$. In the spectral norm no constant below $2$ will do; in the trace "
        r"norm the constant $1$ is enough and sharp. If $k = l$, then $\|K - \tilde "
        r"K\| \le \|X X^\top - Z Z^\top\|$ in every such norm, also with a sharp "
        r"constant."
    ),
    # The inequality also holds for k > l, where it is weaker than that for k = l.
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        spectral_claim(sp.Integer(2), "spectral norm"),
        frobenius_claim(sp.Integer(2), "Frobenius norm"),
        trace_claim(sp.Integer(1), "trace norm, with the constant $1$"),
        ky_fan_claim(2, "every Ky Fan norm, hence every unitarily invariant norm"),
        ky_fan_claim(1, "every Ky Fan norm for $k = l$: no tail, constant $1$", False),
    ),
    instances=_nearly_tied,
    derivation=_derive_flip,
    controls=(
        Control(spectral_claim(sp.Float("1.8", 2), "$1.8$ in place of $2$"), flipped()),
        Control(
            trace_claim(sp.Float("0.9", 2), "$0.9$ in place of $1$ in the trace norm"),
            flipped(),
        ),
        Control(
            ky_fan_claim(0.9, "$0.9$ in place of $1$ for $k = l$", False),
            Instance.from_points(np.eye(2), [0], 1),
        ),
        Control(
            spectral_claim(sp.Integer(1), "$1$ in place of $2$ when $k < l$"), flipped()
        ),
    ),
)

SQRT2 = Theorem(
    id="talwalkar2010:sqrt2-lemma",
    part="III",
    kind="inequality",
    status="new",
    title=r"The $\sqrt 2$ lemma",
    number="new, in place of (5.3) and (5.8)",
    statement=(
        r"Let $K = X^\top X$, let $X_S$ be any $l$ of the columns of $X$, repetitions "
        r"allowed, $Z = \sqrt{n/l}\, X_S$ and $1 \le k \le l$. Then $\|K - \tilde "
        r"K\|_\xi \le \|K - K_k\|_\xi + \sqrt 2\, \|X X^\top - Z Z^\top\|_F$ for the "
        r"spectral norm, $\xi = 2$, and for the Frobenius norm, $\xi = F$. In neither "
        r"will a constant below $\sqrt 2$ do."
    ),
    # As in (5.3), k > l is allowed and gives nothing.
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        mixed_claim(sp.sqrt(2), "spectral norm"),
        frobenius_claim(sp.sqrt(2), "Frobenius norm"),
    ),
    instances=_nearly_tied,
    derivation=_derive_flip,
    controls=(
        Control(
            mixed_claim(sp.Float("1.4", 2), "$1.4$ is enough in the spectral norm"),
            flipped(),
        ),
        Control(
            frobenius_claim(sp.Float("1.4", 2), "$1.4$ is enough in the other"),
            flipped(),
        ),
        Control(
            mixed_claim(
                sp.Integer(1), "the constant $1$ of the case $k = l$ is enough"
            ),
            flipped(),
        ),
    ),
)
