"""Part III: landmarks of large volume, and what rounding can do to them.

Bucci, Nakatsukasa and Park 2025; Goreinov, Tyrtyshnikov and Zamarashkin 1997.
"""

from __future__ import annotations

import warnings
from itertools import combinations

import numpy as np
import scipy.linalg
import sympy as sp

from nystheory import sampling
from nystheory.theorems import rational
from nystheory.theorems.adaptive_sampling.geometry import local_maximum_volume
from nystheory.theorems.base import Claim, Control, Hypothesis, Theorem
from nystheory.theorems.concentration.violations import SEMIDEFINITE
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import EPS, Instance, thin_svd
from nystheory.theorems.quantities import l, n
from nystheory.theorems.routes import one


def at_largest_volume(i: Instance) -> Instance | None:
    """The instance with landmarks that no exchange improves, from its own if it can."""
    S = local_maximum_volume(i.K, np.unique(i.landmarks))
    if S is None or len(S) < i.l:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sampling.FewerLandmarks)
            start = sampling.incomplete_cholesky(i.K, i.l).indices
        S = local_maximum_volume(i.K, start)
    return None if S is None or len(S) < i.l else i.but(landmarks=S, rank=i.l)


def seen_part(i: Instance, _) -> float:
    """Smallest singular value of the sampled rows of an orthonormal basis of C."""
    Q = scipy.linalg.qr(i.C, mode="economic")[0]
    return float(scipy.linalg.svdvals(Q[i.landmarks])[-1])


def _at_best(measured):
    def observe(i: Instance, rng):
        best = at_largest_volume(i)
        return None if best is None else measured(best, rng)

    return observe


def _condition(i: Instance) -> float:
    best = at_largest_volume(i)
    return np.inf if best is None else best.condition


def _largest_weight(i: Instance, _) -> float:
    """The largest entry of ``C W^-1`` in modulus; 1 at the landmarks themselves."""
    return float(np.abs(np.linalg.solve(i.W, i.C.T)).max())


def _weights_exactly(i: Instance) -> bool:
    """Entries of ``C W^-1`` for the largest determinant of all, in fractions."""
    sets = [list(S) for S in combinations(range(i.n), i.l)]
    cores = [rational.rational(i.K[np.ix_(S, S)]) for S in sets]
    best = max(range(len(sets)), key=lambda s: cores[s].det())
    if cores[best].det() == 0:
        return True
    B = rational.rational(i.K[:, sets[best]]) * cores[best].inv()
    return all(abs(x) <= 1 for row in B.to_list() for x in row)


def _shift(i: Instance) -> float:
    """What is added to the diagonal, from far below norm(K) to all of it."""
    return float(np.abs(i.extra["shift"]).sum()) * (i.norm_K or 1.0)


def _with_shift(i: Instance, rng) -> Instance:
    """What is added to K: a multiple of the identity, and points that move."""
    # The first rows move the points, the others are coordinates that K lacks.
    moved = rng.standard_normal((len(i.points) + i.n, i.n))
    size = 10.0 ** rng.uniform(-6, 0) * np.sqrt(i.norm_K)
    return i.but(shift=10.0 ** rng.uniform(-6, 0, 1), moved=size * moved)


def _moved_points(i: Instance) -> np.ndarray:
    """Points of ``K + D``, any semidefinite matrix."""
    return np.vstack([i.points, np.zeros((i.n, i.n))]) + i.extra["moved"]


def _difference(i: Instance) -> np.ndarray:
    """D itself, with its digits where it is small."""
    still = np.vstack([i.points, np.zeros((i.n, i.n))])
    mixed = still.T @ i.extra["moved"]
    return mixed + mixed.T + i.extra["moved"].T @ i.extra["moved"]


def _error_of_points(X, landmarks) -> np.ndarray:
    """``K - C W^+ C.T`` for ``K = X.T X``, (n, n)."""
    U = thin_svd(X[:, landmarks])[0]
    left = X - U @ (U.T @ X)
    return left.T @ left


def _growth_of_error(i: Instance, _) -> float:
    """The largest eigenvalue of ``E(K + D) - E(K)``."""
    after = _error_of_points(_moved_points(i), i.landmarks)
    before = _error_of_points(i.points, i.landmarks)
    return float(np.linalg.eigvalsh(after - before)[-1])


def _largest_error(K, landmarks) -> float:
    C = K[:, landmarks]
    error = K - C @ np.linalg.solve(C[landmarks], C.T)
    return float(np.linalg.eigvalsh((error + error.T) / 2)[-1])


def _error_of_shifted(i: Instance, _) -> float:
    return _largest_error(i.K + _shift(i) * np.eye(i.n), i.landmarks)


def _error_and_growth(growth):
    def bound(i: Instance, _):
        best = at_largest_volume(i)
        if best is None:
            return None
        return _largest_error(i.K, best.landmarks) + growth(i) * _shift(i)

    return bound


def _growth(i: Instance) -> int:
    return 1 + i.l * (i.n - i.l)


def _in_another_basis(i: Instance, rng) -> float:
    """The smallest singular value again, for a basis that is turned."""
    Q = scipy.linalg.qr(i.C, mode="economic")[0]
    turned = Q @ np.linalg.qr(rng.standard_normal((i.l, i.l)))[0]
    return float(scipy.linalg.svdvals(turned[i.landmarks])[-1])


def _are_sums(i: Instance) -> bool:
    return i.name == "sums"


def _error_of_shifted_sums(i: Instance, _) -> float:
    """``nu (1 + l (n-l) / (1 + nu))``, near ``1 + l (n-l)`` times a small nu."""
    nu = _shift(i)
    return nu * (1 + (_growth(i) - 1) / (1 + nu))


# --- The theorem ------------------------------------------------------------------

_PRODUCT = sp.Mul(l, sp.Add(n, -l, evaluate=False), evaluate=False)
_ROOT = sp.sqrt(sp.Add(1, _PRODUCT, evaluate=False), evaluate=False)
_SMALLEST = Formula(sp.Pow(_ROOT, -1, evaluate=False))


def _examples(rng):
    for size, count in ((3, 1), (6, 2), (7, 4), (20, 5)):
        # Every other point is the sum of the landmarks: all weights are 1.
        X = np.hstack([np.eye(count), np.ones((count, size - count))])
        for shift in (1e-2, 1e-4, 1e-6):
            case = Instance.from_points(X, range(count), count, "sums", shift=[shift])
            moved = np.vstack([0 * X, np.sqrt(_shift(case)) * np.eye(size)])
            yield case.but(moved=moved)
    for size in (4, 8):
        # Hilbert matrices: W is nearly singular for every choice of landmarks.
        yield Instance(scipy.linalg.hilbert(size), [0, 1], 2, name="Hilbert").but(
            shift=np.array([16 * EPS])
        )


def _seen(says, observe, formula=_SMALLEST, **changes) -> Claim:
    fields = {"relation": ">=", "scale": one, "condition": _condition}
    return Claim(says, observe=observe, formula=formula, **(fields | changes))


def _shifted(says, growth) -> Claim:
    return Claim(
        says,
        observe=_at_best(_error_of_shifted),
        expected=_error_and_growth(growth),
        relation="<=",
        condition=_condition,
        applies=lambda i: "shift" in i.extra,
    )


def _derive():
    m, c = sp.symbols("m c", positive=True)
    others = m * c**2 / (1 + m * c**2)
    return (
        Step(
            sp.sqrt(1 - others),
            r"one landmark, $m$ other points with the weight $c$ each: what they leave "
            "of a unit vector",
        ),
        Step(1 / sp.sqrt(1 + m * c**2), r"at least $1 / \sqrt{1 + m}$ for $|c| \le 1$"),
    )


_THREE_ALIKE = Instance.from_points(np.ones((1, 3)), [0], 1, shift=[1e-3])

STABILITY = Theorem(
    id="modern:stability",
    part="III",
    kind="inequality",
    status="holds",
    title="Landmarks of large volume are stable",
    number="Bucci, Nakatsukasa and Park 2025",
    statement=(
        r"Let $K$ be positive semidefinite and let $S$ be $l \le \operatorname{rank} "
        r"K$ landmarks with $\det W > 0$ such that no exchange of one landmark for "
        r"another point increases $\det W$. Then no entry of $C W^{-1}$ exceeds $1$ in "
        r"modulus, and for every orthonormal basis $Q$ of the range of $C$, with rows "
        r"$Q_S$ at the landmarks, $\sigma_{\min}(Q_S) \ge \frac{1}{\sqrt{1 + l (n - "
        r"l)}} \ge \frac{1}{\sqrt{nl}}$. If $D$ is symmetric and $K + D$ positive "
        r"semidefinite, the errors with these landmarks obey $E(K + D) \preceq E(K) + "
        r"(1 + l(n-l))\, \|D\|_2\, I$. For $l < n$ neither $1 + l(n-l)$ can be "
        "replaced by a smaller number."
    ),
    hypotheses=(
        Hypothesis(
            r"$l \le \operatorname{rank} K$",
            ("l", "rank_K"),
            lambda l, rank_K: l <= rank_K,  # noqa: E741
            # There are no landmarks with det W > 0 otherwise.
            domain=True,
        ),
    ),
    claims=(
        _seen(r"$\sigma_{\min}(Q_S)$", _at_best(seen_part)),
        Claim(
            r"no entry of $C W^{-1}$ exceeds $1$ in modulus",
            observe=_at_best(_largest_weight),
            expected=lambda i, _: 1.0,
            relation="<=",
            scale=one,
            condition=_condition,
            exact=_weights_exactly,
        ),
        _shifted(r"$D = \nu I$: the largest error of the shifted matrix", _growth),
        _seen(
            r"$\sigma_{\min}(Q_S) \ge 1 / \sqrt{nl}$, for another basis",
            _at_best(_in_another_basis),
            Formula(sp.Pow(sp.sqrt(sp.Mul(n, l, evaluate=False)), -1, evaluate=False)),
        ),
        Claim(
            r"any $D$: the largest eigenvalue of $E(K + D) - E(K)$",
            observe=_at_best(_growth_of_error),
            expected=lambda i, _: _growth(i) * np.linalg.norm(_difference(i), 2),
            relation="<=",
            condition=_condition,
            applies=lambda i: "moved" in i.extra,
        ),
        _seen(
            r"$\sigma_{\min}(Q_S)$ where every other point is the sum of the landmarks",
            _at_best(seen_part),
            relation="=",
            applies=_are_sums,
        ),
        Claim(
            r"there the error of $K + \nu I$ is $\nu (1 + \frac{l (n-l)}{1 + \nu})$",
            observe=_at_best(_error_of_shifted),
            expected=_error_of_shifted_sums,
            condition=_condition,
            applies=_are_sums,
        ),
    ),
    complete=_with_shift,
    instances=_examples,
    derivation=_derive,
    controls=(
        Control(
            _seen(r"$\sigma_{\min}(Q_S)$ for any landmarks", seen_part, condition=None),
            Instance.from_points([[0.1, 1.0]], [0], 1),
            drops=r"landmarks that no exchange improves",
        ),
        Control(
            _seen(
                r"$\sigma_{\min}(Q_S) \ge 1 / \sqrt{l (n-l)}$",
                _at_best(seen_part),
                Formula(1 / sp.sqrt(l * (n - l))),
            ),
            _THREE_ALIKE,
        ),
        Control(
            _shifted(r"the error grows by $l (n-l)\, \nu$", lambda i: _growth(i) - 1),
            _THREE_ALIKE,
        ),
        Control(
            Claim(
                r"no entry of $C W^{-1}$ exceeds $1$ in modulus",
                observe=_largest_weight,
                expected=lambda i, _: 1.0,
                relation="<=",
                scale=one,
            ),
            Instance(np.array([[1.0, 2], [2, 0]]), [0], 1),
            drops=SEMIDEFINITE,
        ),
        Control(
            Claim(
                r"the largest error of $K + D$, whose first entry is $-0.01$",
                observe=lambda i, _: _largest_error(i.K + i.extra["D"], i.landmarks),
                expected=lambda i, _: (
                    _largest_error(i.K, i.landmarks)
                    + _growth(i) * np.linalg.norm(i.extra["D"], 2)
                ),
                relation="<=",
            ),
            Instance(np.eye(2), [0], 1).but(D=np.array([[-1.01, 0.5], [0.5, 0]])),
            drops=r"$K + D \succeq 0$",
        ),
    ),
)
