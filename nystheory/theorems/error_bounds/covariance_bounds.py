"""The error of Nyström in terms of the sampled covariance: (5.3) and sqrt 2.

The proofs of the sharper constants are those of the book.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Theorem
from nystheory.theorems.concentration.covariance import (
    covariance_error,
    deviation_trace,
    flipped,
    psi,
)
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import deviation, tail_2, tail_F
from nystheory.theorems.routes import RANK_IN_RANGE, full_rank, nystrom
from nystheory.theorems.spectral import spectrum, tail_trace

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


@lru_cache(maxsize=1)
def _spectra_at_the_origin(i: Instance) -> tuple[np.ndarray, np.ndarray]:
    """Singular values of the error and of ``XX' - ZZ'``, all l landmarks being zero."""
    X = np.hstack([np.zeros((len(i.points), i.l)), i.points])
    case = Instance.from_points(X, range(i.l), i.l)
    both = np.zeros((2, max(case.n, len(X))))
    for row, symmetric in zip(
        both, (case.K - nystrom(case), covariance_error(case)), strict=True
    ):
        row[: len(symmetric)] = np.abs(np.linalg.eigvalsh(symmetric))
    sorted_both = np.sort(both, axis=1)
    return sorted_both[0], sorted_both[1]


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
        r"K\| \le \|X X^\top - Z Z^\top\|$ in every such norm, with equality if the "
        r"sampled points are at the origin."
    ),
    # The inequality also holds for k > l, where it is weaker than that for k = l.
    hypotheses=(RANK_IN_RANGE,),
    not_known_necessary=(RANK_IN_RANGE.says,),
    claims=(
        spectral_claim(sp.Integer(2), "spectral norm"),
        frobenius_claim(sp.Integer(2), "Frobenius norm"),
        trace_claim(sp.Integer(1), "trace norm, with the constant $1$"),
        ky_fan_claim(2, "every Ky Fan norm, hence every unitarily invariant norm"),
        ky_fan_claim(1, "every Ky Fan norm for $k = l$: no tail, constant $1$", False),
        Claim(
            "$k = l$, sampled points at the origin: equal singular values",
            observe=lambda i, _: _spectra_at_the_origin(i)[0],
            expected=lambda i, _: _spectra_at_the_origin(i)[1],
        ),
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
            spectral_claim(sp.Integer(1), "$1$ in place of $2$ when $k < l$"),
            flipped(),
            drops="$k = l$",
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
    not_known_necessary=(RANK_IN_RANGE.says,),
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
