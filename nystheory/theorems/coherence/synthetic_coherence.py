"""Part III: what the synthetic matrices with a chosen coherence have in fact.

Talwalkar 2010, section 5.2.3, as `nystheory.datasets.spectrum` builds them.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import sympy as sp

from nystheory import coherence as spread
from nystheory import datasets
from nystheory.theorems.base import Claim, Control, Law, Theorem
from nystheory.theorems.concentration.violations import surely
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import delta, failure_probability, k, n, quantity


def synthetic(size: int, rank: int, target: float, rng, delta=0.05) -> Instance:
    """A drawn matrix of section 5.2.3 with eigenvalues 0.8^j, and its first vectors.

    Examples
    --------
    >>> case = synthetic(20, 3, 4.0, np.random.default_rng(0))
    >>> round(float(np.sqrt(20) * np.abs(case.extra["basis"][:, 0]).max()), 9)
    4.0
    """
    values = 0.8 ** np.arange(size)
    X = datasets.spectrum(values, rng, coherence=target).X
    U = X[:, :rank] / np.sqrt(values[:rank])
    extra = {"basis": U, "target": target, "delta": delta}
    name = f"target {target:.3g}"
    return Instance.from_points(X.T, range(rank), rank, name).but(extra=extra)


target = quantity(
    "target_coherence",
    "t",
    "coherence that the first eigenvector is given",
    chosen=True,
)(lambda i: float(i.extra["target"]))


def _first_vectors(i: Instance) -> np.ndarray:
    """Eigenvectors by a route of their own, from the matrix."""
    return np.linalg.eigh(i.K)[1][:, ::-1][:, : i.k]


def _others(i: Instance, _=None) -> float:
    return spread.coherence(i.extra["basis"][:, 1:])


def _free(i: Instance, _=None) -> float:
    return spread.basis_free_coherence(_first_vectors(i))


def _gap(i: Instance) -> float:
    """Rounding in an eigenvector is amplified by one over the gap."""
    return 10 / 0.8**i.k


def _spike(i: Instance, _=None) -> float:
    """n times the squared length of the row that holds the spike."""
    U = i.extra["basis"]
    return float(i.n * (U[np.abs(U[:, 0]).argmax()] ** 2).sum())


def _again(i: Instance, rng) -> Instance:
    return synthetic(i.n, i.k, i.extra["target"], rng, i.extra["delta"])


_level = sp.Symbol("x")


def _drawn(level: float):
    """Draws cost time, so only one instance is drawn again and again."""
    return lambda i: i.n <= 20 and i.extra["target"] == level


def _others_at_most(says: str, twice: int = 2, applies=None) -> Claim:
    rest = sp.Add(k, -1, evaluate=False)
    logarithm = sp.log(sp.Mul(n, rest, 1 / delta, evaluate=False))
    factor = sp.Mul(twice, n, 1 / sp.Add(n, -2, evaluate=False), evaluate=False)
    inside = sp.Mul(factor, logarithm, evaluate=False)
    return Claim(
        says,
        observe=_others,
        formula=Formula(sp.sqrt(_level), where={_level: inside}),
        relation="<=",
        law=Law(_again, delta=failure_probability),
        applies=applies,
    )


def may_be_reached(size: int, target: float) -> float:
    """Bound for the probability that the other vectors stay below the target.

    Examples
    --------
    >>> round(may_be_reached(60, 1.5), 4)
    0.0102
    """
    level = target * (1 + 1 / math.sqrt(size))
    return min(1.0, 3 * math.erf(level / math.sqrt(2)) ** size)


def _as_if_independent(i: Instance) -> float:
    """That n (k - 1) independent normal numbers stay below the target."""
    return math.erf(i.extra["target"] / math.sqrt(2)) ** (i.n * (i.k - 1))


def _others_above(says: str, chance, applies=None) -> Claim:
    return Claim(
        says,
        observe=_others,
        expected=lambda i, _: i.extra["target"],
        relation=">=",
        law=Law(_again, delta=chance),
        applies=applies,
    )


_MEAN = Law(_again, support=lambda i: (i.extra["target"] ** 2 * (1 - 1e-9), i.n + 1e-9))
_AVERAGE_LEVERAGE = sp.Mul(
    sp.Add(n, -(target**2), evaluate=False),
    sp.Add(k, -1, evaluate=False),
    1 / sp.Add(n, -1, evaluate=False),
    evaluate=False,
)


def _cases(rng):
    for size, rank in ((20, 5), (60, 12)):
        for level in (1.5, 3.0, np.sqrt(size)):
            yield synthetic(size, rank, level, rng)
    yield synthetic(20, 5, 1.0, rng)
    yield synthetic(30, 2, 1.2, rng)


_ONE = np.random.default_rng(523)


def _completed_by_axes(size: int) -> Instance:
    """The flat vector and one more, QR of it and a coordinate axis."""
    U = np.linalg.qr(np.column_stack([np.ones(size), np.eye(size)[0]]))[0]
    extra = {"basis": U, "target": 1.0, "delta": 0.5}
    return Instance.from_points(U.T, [0, 1], 2, "completed by an axis", **extra)


SYNTHETIC = Theorem(
    id="talwalkar2010:sec-5.2.3",
    part="III",
    kind="claim",
    status="holds",
    title="Synthetic matrices with a chosen coherence",
    number="section 5.2.3",
    statement=(
        r"Let $u_1$ be a unit vector with $\sqrt n \max_i |u_{1i}| = t$, $1 \le t \le "
        r"\sqrt n$, and let QR complete it by random directions to orthonormal $U_k = "
        r"[u_1, \dots, u_k]$, $2 \le k < n$. Then $\mu(U_k) = \max(t, \mu_-)$ with "
        r"$\mu_-$ the coherence of $u_2, \dots, u_k$. With probability at least $1 - "
        r"\delta$, $\mu_- \le \bigl(\frac{2n}{n-2} \ln \frac{n "
        r"(k-1)}{\delta}\bigr)^{1/2}$. The target is reached, $\mu_- \le t$, with "
        r"probability at most $3\, (2 \Phi(t + t/\sqrt n) - 1)^n$, $\Phi$ the standard "
        r"normal distribution function. Further $\max(t^2, k) \le M(U_k) \le t^2 + "
        r"M(u_2, \dots, u_k)$, and the row of the spike has in the mean $\mathbb E\, n "
        r"\|U_{i,:}\|^2 = t^2 + (n - t^2) \frac{k-1}{n-1}$."
    ),
    claims=(
        Claim(
            r"$\mu(U_k)$ is the larger of the target and $\mu_-$",
            observe=lambda i, _: spread.coherence(_first_vectors(i)),
            expected=lambda i, _: max(i.extra["target"], _others(i)),
            scale=lambda i: float(np.sqrt(i.n)),
            condition=_gap,
        ),
        _others_at_most("the random level of the other vectors", applies=_drawn(1.5)),
        Claim(
            "the mean of the row that holds the spike",
            observe=_spike,
            formula=Formula(sp.Add(target**2, _AVERAGE_LEVERAGE, evaluate=False)),
            law=_MEAN,
            applies=_drawn(3.0),
        ),
        Claim(
            r"$M(U_k) \le t^2 + M(u_2, \dots, u_k)$",
            observe=_free,
            expected=lambda i, _: (
                i.extra["target"] ** 2
                + spread.basis_free_coherence(i.extra["basis"][:, 1:])
            ),
            relation="<=",
            scale=lambda i: float(i.n),
            condition=_gap,
        ),
        Claim(
            r"$M(U_k) \ge \max(t^2, k)$",
            observe=_free,
            formula=Formula(sp.Max(target**2, k)),
            relation=">=",
            scale=lambda i: float(i.n),
            condition=_gap,
        ),
        _others_above(
            r"$\mu_- \le t$ has probability at most $3\, (2 \Phi(t + t / \sqrt n) - "
            "1)^n$",
            lambda i: may_be_reached(i.n, i.extra["target"]),
            # Elsewhere the bound is 1, or the draws take too long.
            applies=lambda i: i.n <= 30 and i.extra["target"] in (1.2, 1.5),
        ),
    ),
    instances=_cases,
    own_suite=True,
    # For k = n > 2 the others are random directions too, and the mean is n.
    not_known_necessary=("$k < n$",),
    controls=(
        Control(
            Claim(
                r"every target is reached: $\mu(U_k) = t$",
                observe=lambda i, _: spread.coherence(_first_vectors(i)),
                expected=lambda i, _: i.extra["target"],
            ),
            synthetic(30, 6, 1.5, _ONE),
        ),
        Control(
            _others_at_most("the random level without the factor 2", 1),
            synthetic(40, 12, 4.0, _ONE, delta=0.5),
        ),
        Control(
            _others_above(
                r"$\mu_- \le t$ is as rare as for $n (k - 1)$ independent normal "
                "variables",
                _as_if_independent,
            ),
            synthetic(20, 5, 3.0, _ONE),
        ),
        Control(
            Claim(
                r"the row of the spike has $k t^2$, as $M \le r \mu^2$ allows",
                observe=_spike,
                formula=Formula(k * target**2),
                relation=">=",
                law=_MEAN,
            ),
            synthetic(20, 4, 2.5, _ONE),
        ),
        Control(
            replace(
                _others_at_most("coordinate axes as the other directions"),
                law=surely(failure_probability),
            ),
            _completed_by_axes(60),
            drops="random directions",
        ),
    ),
)
