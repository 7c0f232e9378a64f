"""What one exchanged landmark does to the sampled covariance: (5.4) to (5.6)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Theorem
from nystheory.theorems.concentration.covariance import (
    K_max,
    R,
    covariance_error,
    d_max,
    formula,
    g_2,
    g_2_equal,
    g_F,
    g_F_equal,
)
from nystheory.theorems.derivation import Step
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import l, measure, n


def pair(length: float, angle: float = 0.0, other: float = 1.0) -> Instance:
    """Two copies each of two points in the plane, and a sample with one of each.

    The sample has exactly the covariance of all four, so that an exchange shows in
    full.

    Parameters
    ----------
    length, other : float
        Of the points.
    angle : float
        Between them, in radians.

    Examples
    --------
    >>> case = pair(0.5)
    >>> case.points.tolist(), case.landmarks.tolist()
    ([[1.0, 1.0, 0.5, 0.5], [0.0, 0.0, 0.0, 0.0]], [0, 2])
    """
    a = np.array([other, 0.0])
    b = length * np.array([np.cos(angle), np.sin(angle)])
    X = np.column_stack([a, a, b, b])
    return Instance.from_points(X, [0, 2], 1, "two points, twice each")


def on_one_ray(distance: float) -> Instance:
    """Lengths 1 and ``1 - distance``."""
    return pair(1.0 - distance)


def of_equal_length(distance: float) -> Instance:
    """Two unit vectors."""
    return pair(1.0, 2 * np.arcsin(distance / 2))


def _differences(i: Instance):
    """``|aa' - bb'|`` for all pairs of points, spectral and squared Frobenius, (n, n).

    From the entries of K: the difference has trace ``p - r`` and squared norm
    ``p^2 + r^2 - 2 s^2`` with ``p = a.a``, ``r = b.b``, ``s = a.b``.
    """
    p = np.diag(i.K)[:, None]
    r, s = p.T, i.K
    root = np.sqrt(np.maximum((p + r) ** 2 - 4 * s**2, 0.0))
    return (np.abs(p - r) + root) / 2, p**2 + r**2 - 2 * s**2


def worst_pair(i: Instance, norm: int | str) -> tuple[int, int]:
    """The two points whose ``aa'`` and ``bb'`` differ most in a norm, 2 or "fro"."""
    table = _differences(i)[0 if norm == 2 else 1]
    a, b = np.unravel_index(np.argmax(table), table.shape)
    return int(a), int(b)


def _difference(i: Instance, norm) -> float:
    """The largest ``|aa' - bb'|``, from the points."""
    a, b = (i.points[:, j] for j in worst_pair(i, norm))
    return float(np.linalg.norm(np.outer(a, a) - np.outer(b, b), norm))


def _exchanges(i: Instance, norm, rng, count: int = 1):
    """The same landmarks but for one: the worst pair exchanged, and a random one."""
    a, b = worst_pair(i, norm)
    pairs = [(a, b), (b, a)]
    exchanges = [
        (np.flatnonzero(i.landmarks == out), new)
        for out, new in pairs
        if out in i.landmarks
    ]
    exchanges += [([rng.integers(i.l)], rng.integers(i.n)) for _ in range(count)]
    for places, new in exchanges:
        landmarks = i.landmarks.copy()
        landmarks[places[0]] = new
        yield i.but(landmarks=landmarks)


def _change(norm):
    """The largest change of ``|XX' - ZZ'|`` by an exchange."""

    def observe(i, rng):
        before = np.linalg.norm(covariance_error(i), norm)
        after = [
            np.linalg.norm(covariance_error(other), norm)
            for other in _exchanges(i, norm, rng)
        ]
        return float(np.max(np.abs(np.array(after) - before)))

    return observe


@lru_cache(maxsize=1)
def _equal_lengths(i: Instance) -> Instance:
    """The points scaled to length 1, those at the origin left out."""
    lengths = np.linalg.norm(i.points, axis=0)
    some = lengths > 1e-150
    if not some.any():
        return Instance.from_points(np.ones((1, 1)), [0], 1)
    return Instance.from_points(i.points[:, some] / lengths[some], [0], 1)


def _largest(norm, value, says: str) -> Claim:
    return Claim(
        says,
        observe=lambda i, _: _difference(i, norm),
        formula=formula(value),
        relation="<=",
    )


def _largest_of_equal(norm, value, says: str) -> Claim:
    bound = formula(value)
    names = bound.names
    return Claim(
        says,
        observe=lambda i, _: _difference(_equal_lengths(i), norm),
        expected=lambda i, _: bound(**measure(names, _equal_lengths(i), {})),
        relation="<=",
        scale=lambda i: 1.0,
    )


def _change_of_two(i: Instance, _) -> float:
    """By an exchange of the second half of the landmarks for the points 2 and 3."""
    changed = i.but(landmarks=[0, 1, 2, 3])
    before, after = (np.linalg.norm(covariance_error(case), 2) for case in (i, changed))
    return float(abs(after - before))


# Four copies each of two points; the sample has two of each.
_FOUR_TIMES = Instance.from_points(np.repeat(np.eye(2), 4, axis=1), [0, 1, 4, 5], 1)


def _changes(norm, value, says: str, observe=None) -> Claim:
    share = sp.Mul(n, sp.Pow(l, -1), evaluate=False)
    return Claim(
        says,
        observe=observe or _change(norm),
        formula=formula(sp.Mul(share, value, evaluate=False)),
        relation="<=",
        scale=lambda i: i.norm_K * i.n / i.l,
    )


def _compared(value, other, says: str) -> Claim:
    """One formula is at most another."""
    smaller = formula(value)
    names = smaller.names
    return Claim(
        says,
        observe=lambda i, _: smaller(**measure(names, i, {})),
        formula=formula(other),
        relation="<=",
    )


def _times(*factors):
    return sp.Mul(*factors, evaluate=False)


# --- Attained, for every R and d --------------------------------------------------

# The norm, the largest difference, and whether all points have the same length.
_FOUR = (
    (2, formula(g_2), False),
    ("fro", formula(g_F), False),
    (2, formula(g_2_equal), True),
    ("fro", formula(g_F_equal), True),
)


def attaining(K_max: float, d_max: float, norm: int | str, equal: bool) -> Instance:
    """Points twice each, of which an exchange of the second for the first shows most.

    Parameters
    ----------
    K_max, d_max : float
        Of the instance; ``d_max <= 2 sqrt(K_max)``.
    norm : {2, "fro"}
    equal : bool
        Whether all points have length ``sqrt(K_max)``.

    Examples
    --------
    >>> attaining(1.0, 0.5, 2, equal=False).points[:, ::2].tolist()
    [[1.0, 0.5], [0.0, 0.0]]
    """
    R = np.sqrt(K_max)
    if equal or (norm == "fro" and 3 * d_max > 2 * R):
        distance = min(d_max, np.sqrt(2) * R)
        b = _on_circle(R, distance)
    else:
        distance = min(d_max, R)
        b = np.array([R - distance, 0.0])
    points = [np.array([R, 0.0]), b]
    if distance < d_max:
        # Farther than the worst pair: a third point makes up for that.
        points.append(_on_circle(R, d_max))
    X = np.repeat(np.column_stack(points), 2, axis=1)
    return Instance.from_points(X, range(0, X.shape[1], 2), 1, "the worst exchange")


def _on_circle(R: float, distance: float) -> np.ndarray:
    """A point of length R at this distance from ``(R, 0)``."""
    angle = 2 * np.arcsin(min(1.0, distance / (2 * R))) if R > 0 else 0.0
    return R * np.array([np.cos(angle), np.sin(angle)])


def _measured(i: Instance) -> tuple[float, float]:
    """``K_max`` and ``d_max``, free of the rounding that takes d beyond 2 R."""
    known = measure(("K_max", "d_max"), i, {})
    return known["K_max"], min(known["d_max"], 2 * np.sqrt(known["K_max"]))


def _attained(i: Instance, _) -> np.ndarray:
    """For each of the four: the change over n / l, ``K_max`` and ``d_max^2``."""
    rows = []
    for norm, _value, equal in _FOUR:
        case = attaining(*_measured(i), norm, equal)
        after = case.but(landmarks=[0, 1, *case.landmarks[2:]])
        change = np.linalg.norm(covariance_error(after), norm)
        change -= np.linalg.norm(covariance_error(case), norm)
        R2, d = _measured(case)
        rows.append([change * case.l / case.n, R2, d**2])
    return np.array(rows)


def _largest_four(i: Instance, _) -> np.ndarray:
    R2, d = _measured(i)
    values = (value(K_max=R2, d_max=d) for _, value, _ in _FOUR)
    return np.array([[value, R2, d**2] for value in values])


_PRINTED = _times(2, d_max, R)
_ROOT_2 = _times(sp.sqrt(2), d_max, R)
_ONE_RAY = _times(d_max, sp.Add(_times(2, R), -d_max, evaluate=False))


def _extremal(_):
    for distance in (1e-3, 0.1, 0.3, 0.5857, 0.6666, 0.6667, 0.8, 1.0):
        yield on_one_ray(distance)
    for distance in (1e-3, 0.3, 0.6667, 1.0, 1.2, np.sqrt(2), 1.7, 2.0):
        yield of_equal_length(distance)


def _derive_extremal():
    """The two candidates: one ray, and equal lengths."""
    r, d = sp.symbols("R d", positive=True)
    inner = r**2 - d**2 / 2
    return (
        Step(
            sp.Matrix([r**2 - (r - d) ** 2, 2 * r**4 - 2 * inner**2]),
            r"$\|a\|^2 - \|b\|^2$ on one ray; $\|a\|^4 + \|b\|^4 - 2 (a^\top b)^2$ for "
            r"$\|a\| = \|b\| = R$, where $a^\top b = R^2 - d^2/2$",
        ),
        Step(
            sp.Matrix([d * (2 * r - d), d**2 * (4 * r**2 - d**2) / 2]),
            "as the bound has them, the second squared",
        ),
    )


BOUNDED_DIFFERENCE = Theorem(
    id="talwalkar2010:eq-5.6",
    part="III",
    kind="inequality",
    status="holds",
    title="One landmark exchanged",
    number="inequalities (5.4) to (5.6)",
    statement=(
        r"Let $K = X^\top X$, $R^2 = K_{\max}$, $d = d_{\max}$ and $\bar d = \min\{d, "
        r"\sqrt 2 R\}$. If two samples of $l$ columns, repetitions allowed, differ in "
        r"one of them, then $\|X X^\top - Z Z^\top\|$ differs by at most $\frac nl g$, "
        r"with $g_2 = R^2 - (R - d)_+^2$ in the spectral norm and $g_F = \max\bigl\{"
        r"d (2R - d),\; \bar d \sqrt{(4 R^2 - \bar d^2) / 2}\bigr\}$ in the Frobenius "
        r"norm. If all $K_{ii}$ are equal, then $\frac12 \bar d \sqrt{4 R^2 - \bar "
        r"d^2}$ and $\bar d \sqrt{(4 R^2 - \bar d^2) / 2}$ will do. None of the four "
        r"can be replaced by a smaller function of $R$ and $d$: for all $0 \le d \le 2 "
        r"R$ it is attained. They are at most $2 d R$, so that the change is at most "
        r"$\frac{2n}{l}\, d_{\max} K_{\max}^{1/2}$, as printed, and $g_F \le \sqrt 2\, "
        r"g_2$."
    ),
    claims=(
        _changes("fro", g_F, r"$\|X X^\top - Z Z^\top\|_F$ changes by $\frac nl g_F$"),
        _changes(2, g_2, r"$\|X X^\top - Z Z^\top\|_2$ changes by $\frac nl g_2$"),
        _largest(2, g_2, r"$\|a a^\top - b b^\top\|_2 \le g_2$ for all points"),
        _largest("fro", g_F, r"$\|a a^\top - b b^\top\|_F \le g_F$ for all points"),
        _largest_of_equal(2, g_2_equal, "equal lengths, spectral norm"),
        _largest_of_equal("fro", g_F_equal, "equal lengths, Frobenius norm"),
        _compared(g_F, _PRINTED, r"$g_F \le 2 d_{\max} K_{\max}^{1/2}$, as printed"),
        _compared(g_F, _times(sp.sqrt(2), g_2), r"$g_F \le \sqrt 2\, g_2$"),
        Claim(
            "all four are attained, by points with this $K_{\\max}$ and $d_{\\max}$",
            observe=_attained,
            expected=_largest_four,
            scale=lambda i: float(np.diag(i.K).max()),
        ),
        _compared(
            sp.Max(g_2, g_2_equal, g_F_equal, evaluate=False),
            _PRINTED,
            r"the other three $\le 2 d_{\max} K_{\max}^{1/2}$",
        ),
    ),
    instances=_extremal,
    derivation=_derive_extremal,
    controls=(
        Control(
            _largest(2, _ROOT_2, r"$\sqrt 2\, d R$ is enough, two points on one ray"),
            on_one_ray(0.3),
        ),
        Control(
            _changes(2, _ROOT_2, r"the same for the change of the covariance"),
            on_one_ray(0.3),
        ),
        Control(
            _largest(2, g_2_equal, "the value for equal lengths holds for all"),
            on_one_ray(0.3),
            drops="equal $K_{ii}$",
        ),
        Control(
            _largest("fro", _ONE_RAY, "two points on one ray are always the worst"),
            of_equal_length(np.sqrt(2)),
        ),
        Control(
            _largest("fro", g_2, "$g_2$ is enough in the Frobenius norm"),
            of_equal_length(1.0),
        ),
        Control(
            _largest(2, _times(sp.Float("0.99", 2), K_max), "lengths do not add up"),
            of_equal_length(np.sqrt(2)),
        ),
        Control(
            _changes(2, g_2, "two landmarks exchanged", observe=_change_of_two),
            _FOUR_TIMES,
            drops="samples that differ in one column only",
        ),
    ),
)
