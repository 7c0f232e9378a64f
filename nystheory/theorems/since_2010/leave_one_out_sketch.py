"""Part III: the error of a sketch, estimated from the sketch.

Epperly and Tropp 2024.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Law, Theorem
from nystheory.theorems.concentration.violations import SEMIDEFINITE
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import l, quantity
from nystheory.theorems.rational import rank, rational
from nystheory.theorems.since_2010.sketches import (
    RESOLVED,
    circle,
    coordinates,
    each_from,
    gaussian,
    on_the_sphere,
    signs,
    sketch_residuals,
    sketched,
)
from nystheory.theorems.subsets import fractions_of

# --- The estimate ----------------------------------------------------------------


def _test_matrix(i: Instance) -> np.ndarray:
    if "Omega" not in i.extra:
        raise ValueError(
            "sketch_sum: expected it by name, or an instance with test vectors Omega"
        )
    return i.extra["Omega"]


def _sum_of_squares(i: Instance) -> float:
    Omega = _test_matrix(i)
    Y = i.K @ Omega
    return float((sketch_residuals(Y, Omega.T @ Y) ** 2).sum())


sketch_sum = quantity(
    "sketch_sum",
    r"\textstyle\sum_j \|Y H^{-1} e_j\|^2 / (H^{-1})_{jj}^2",
    "sum of the squared columns of a sketch, each after the other test vectors",
    of_sample=True,
)(_sum_of_squares)
_ESTIMATE = Formula(sp.Mul(sp.Pow(l, -1), sketch_sum, evaluate=False))


def _estimate(i: Instance, _) -> float:
    return _sum_of_squares(i) / i.l


def _squared_error(i: Instance, Omega) -> float:
    return float(np.linalg.norm(i.K - sketched(i, Omega)) ** 2)


def _without_each(i: Instance, _) -> float:
    """The same estimate from l approximations, each with a test vector left out."""
    Omega = _test_matrix(i)
    left = (
        (i.K - sketched(i, np.delete(Omega, j, axis=1))) @ Omega[:, j]
        for j in range(i.l)
    )
    return sum(float(column @ column) for column in left) / i.l


def _over_the_last(i: Instance, _) -> float:
    """The mean of the last term over ``sqrt(n) e_1, ..., sqrt(n) e_n`` in its place.

    These vectors have the second moment I, and the term is quadratic in its vector:
    its mean over a Gaussian vector, given the others, is the same.
    """
    Omega = _test_matrix(i).copy()
    total = 0.0
    for vector in coordinates(i):
        Omega[:, -1] = vector
        Y = i.K @ Omega
        total += float((sketch_residuals(Y, Omega.T @ Y)[:, -1] ** 2).sum())
    return total / i.n


def _without_the_last(i: Instance, _) -> float:
    return _squared_error(i, _test_matrix(i)[:, :-1])


def _mean_left_out(i: Instance, _) -> float:
    """The estimate less the mean squared error with a test vector left out."""
    Omega = _test_matrix(i)
    errors = [_squared_error(i, np.delete(Omega, j, axis=1)) for j in range(i.l)]
    return _estimate(i, _) - sum(errors) / i.l


# --- Means ------------------------------------------------------------------------


def _mean_error(vectors):
    """The mean squared error with l - 1 of these vectors."""

    def mean(i: Instance, _) -> float:
        listed = vectors(i)
        errors = [
            _squared_error(i, np.array(c).reshape(i.l - 1, i.n).T)
            for c in product(listed, repeat=i.l - 1)
        ]
        return float(np.mean(errors))

    return mean


def _from(vectors, applies, says: str) -> Claim:
    return Claim(
        says,
        observe=_estimate,
        expected=_mean_error(vectors),
        scale=lambda i: i.n * i.norm_K**2,
        condition=lambda i: 100.0,
        applies=applies,
        law=Law(gaussian, each_from(vectors)),
    )


def _mean_of_unlike(i: Instance, _) -> float:
    """The mean error if either of two vectors is left out: a coordinate, or signs."""
    left = [_squared_error(i, w[:, None]) for w in (*coordinates(i), *signs(i))]
    return float(np.mean(left[: i.n]) + np.mean(left[i.n :])) / 2


def _is_invertible(i: Instance, rng) -> bool | None:
    """Whether H is, for Gaussian test vectors; None where rounding hides it.

    The singular values of ``X Omega`` tell more than those of H, their squares.
    """
    seen = i.points @ rng.standard_normal((i.n, i.l))
    s = np.linalg.svd(seen, compute_uv=False)
    if i.l > len(s) or s[-1] <= 1e-13 * i.n * s[0]:
        return False
    return True if s[-1] > 1e-7 * s[0] else None


# A fixed matrix of integers in no special position.
_GENERIC = np.random.default_rng(2024).integers(-(10**6), 10**6, (12, 12))


def _is_invertible_exactly(i: Instance) -> bool:
    """``det H`` is a polynomial in Omega: zero with probability one, or never.

    Never but for probability zero, if it is not zero for one Omega.
    """
    K, Omega = rational(i.K), rational(_GENERIC[: i.n, : i.l])
    H = Omega.transpose() * K * Omega
    return bool(H.det() != 0) == (i.l <= rank(K))


def _few_signs(i: Instance) -> bool:
    return i.n <= 3 and i.l <= 2 or i.n == 2


def _is_plane(i: Instance) -> bool:
    """Rank 2 with eigenvalues that the rule for the circle resolves to rounding."""
    values = i.eigen_K[0]
    return i.l == 2 and i.rank_K == 2 and values[1] > RESOLVED * values[0]


def _is_flat(i: Instance) -> bool:
    """Where an interval that holds for sure is narrow next to the error."""
    return i.name == "flat spectrum"


def _closed_form(i: Instance, _) -> float:
    """``sqrt(a b) (a + b) / 2`` for eigenvalues a, b."""
    a, b = i.eigen_K[0][:2]
    return float(np.sqrt(a * b) * (a + b) / 2)


# --- In fractions -----------------------------------------------------------------


def _left_exactly(K, vectors) -> np.ndarray:
    """K less its approximation from these vectors, one after another."""
    for w in vectors:
        y = K @ w
        if (w @ y) != 0:
            K = K - np.outer(y, y) / (w @ y)
    return K


def _exactly(i: Instance) -> bool:
    """The mean of the estimate over all sign matrices is the mean error."""
    K = fractions_of(i.K)
    # A vector and its negative look at K alike, so one of them stands for both.
    half = [s for s in signs(i) if s[0] > 0]
    listed = [fractions_of(s[:, None])[:, 0] for s in half]
    estimate = Fraction(0)
    for columns in product(listed, repeat=i.l):
        for j, w in enumerate(columns):
            left = _left_exactly(K, columns[:j] + columns[j + 1 :]) @ w
            estimate += Fraction(1, i.l) * (left @ left)
    errors = [
        (_left_exactly(K, fewer) ** 2).sum()
        for fewer in product(listed, repeat=i.l - 1)
    ]
    return estimate * len(errors) == sum(errors) * len(listed) ** i.l


# --- Examples ---------------------------------------------------------------------


def _cases(rng):
    for n in (1, 2, 3):
        for l_ in range(1, min(n, 2) + 1):
            X = rng.standard_normal((n, n))
            yield gaussian(Instance.from_points(X, range(l_), l_, "general"), rng)
            X = rng.integers(-2, 3, (2, n)).astype(float)
            yield gaussian(Instance.from_points(X, range(l_), l_, "integers"), rng)
    for ratio in (1.0, 0.6, 0.35):
        yield gaussian(Instance(np.diag([1.0, ratio]), [0, 1], 2, name="plane"), rng)
        basis = np.linalg.qr(rng.standard_normal((5, 2)))[0]
        X = np.sqrt([1.0, ratio])[:, None] * basis.T
        yield gaussian(Instance.from_points(X, [0, 1], 2, "plane in five"), rng)
    for n_vectors in (2, 3, 4):
        # As many test vectors as the rank, one more, two more.
        X = rng.standard_normal((2, 6))
        case = Instance.from_points(X, range(n_vectors), 2, "rank 2")
        yield gaussian(case, rng)
    for name, values in (
        ("slow", 1 / np.arange(1.0, 21)),
        ("fast", 0.5 ** np.arange(20.0)),
        ("flat", 1 - 0.05 * np.arange(8.0)),
    ):
        basis = np.linalg.qr(rng.standard_normal((len(values), len(values))))[0]
        X = np.sqrt(values)[:, None] * basis
        yield gaussian(Instance.from_points(X, range(3), 3, f"{name} spectrum"), rng)


def _support(i: Instance) -> tuple[float, float]:
    """Of the estimate less the error: the columns have length sqrt n, and E <= K."""
    squares = float(np.linalg.norm(i.K) ** 2)
    return -squares * (1 + 1e-9), i.n * i.norm_K**2 * (1 + 1e-9)


def _distinct_coordinates(i: Instance):
    """Coordinates without replacement: not independent."""
    columns = coordinates(i)
    pairs = [(a, b) for a in range(i.n) for b in range(i.n) if a != b]
    return [
        (1 / len(pairs), i.but(Omega=np.column_stack([columns[a], columns[b]])))
        for a, b in pairs
    ]


def _sign_and_coordinate(i: Instance):
    """Two independent vectors of different laws."""
    pairs = list(product(signs(i), coordinates(i)))
    return [(1 / len(pairs), i.but(Omega=np.column_stack(pair))) for pair in pairs]


def _halves(i: Instance) -> list:
    """Signs times 1/2 and 3/2 in turn: independent entries, second moment not I."""
    return [s * np.where(np.arange(i.n) % 2, 0.5, 1.5) for s in signs(i)]


def _derive():
    a, b, t, u = sp.symbols("a b t u", positive=True)
    c, s = 1 / sp.sqrt(1 + t**2), t / sp.sqrt(1 + t**2)
    K, w = sp.diag(a, b), sp.Matrix([c, s])
    E = K - K * w * w.T * K / (w.T * K * w)[0]
    # The mean over directions: dt / (1 + t^2), t the tangent, over half a circle.
    square = sp.simplify(sp.trace(E * E) / (1 + t**2))
    # t = u sqrt(a / b) makes the denominator (1 + u^2)^2.
    root = sp.sqrt(a / b)
    moved = sp.simplify(square.subs(t, u * root) * root)
    primitive = sp.integrate(sp.apart(moved, u), u)
    ends = sp.limit(primitive, u, sp.oo) - sp.limit(primitive, u, 0)
    return (
        Step(
            2 / sp.pi * ends,
            r"the mean of $\|K - \tilde K_1\|_F^2$ over directions, $K = "
            r"\operatorname{diag}(a, b)$, by the tangent of the angle",
        ),
        Step(sp.sqrt(a * b) * (a + b) / 2, "in closed form"),
    )


_TWO = Instance(np.diag([2.0, 1]), [0, 1], 2)
_THREE = Instance(np.diag([3.0, 2, 1]), [0, 1], 2)

LEAVE_ONE_OUT_SKETCH = Theorem(
    id="modern:leave-one-out-sketch",
    part="III",
    kind="expectation",
    status="holds",
    title="Leave one test vector out",
    number="Epperly and Tropp 2024",
    statement=(
        r"Let $K$ be positive semidefinite and let $\Omega$ have $l$ independent "
        r"columns $\omega_j$ with $\mathbb E\, \omega_j \omega_j^\top = I$, standard "
        r"Gaussian vectors for example. Put $Y = K \Omega$, $H = \Omega^\top Y$ and "
        r"$\hat F = \frac1l \sum_j \frac{\|Y H^{-1} e_j\|^2}{(H^{-1})_{jj}^2}$; where "
        r"$H$ is singular, replace $Y H^{-1} e_j / (H^{-1})_{jj}$ by what the other "
        r"test vectors leave of $K \omega_j$, namely $(K - \tilde K_{-j})\, \omega_j$. "
        r"Then $\mathbb E\, \hat F = \frac1l \sum_j \mathbb E\, \|K - \tilde "
        r"K_{-j}\|_F^2$, where $\tilde K_{-j} = K \Omega_{-j} (\Omega_{-j}^\top K "
        r"\Omega_{-j})^+ \Omega_{-j}^\top K$ is the approximation from the other "
        r"$l - 1$ vectors. If the columns have the same law this is $\mathbb E\, \|K - "
        r"\tilde K_{l-1}\|_F^2$. Gaussian columns make $H$ invertible with probability "
        r"one exactly when $l \le \operatorname{rank} K$."
    ),
    claims=(
        Claim(
            r"$\hat F$ is what $l$ approximations with a vector left out give",
            observe=_without_each,
            formula=_ESTIMATE,
            scale=lambda i: i.n * i.norm_K**2,
            condition=lambda i: 1e4,
        ),
        Claim(
            "the mean of one term, given the other test vectors, is their error",
            observe=_over_the_last,
            expected=_without_the_last,
            scale=lambda i: i.n * i.norm_K**2,
            condition=lambda i: 1e4,
        ),
        _from(signs, _few_signs, "random signs, every sign matrix"),
        _from(circle, _is_plane, "Gaussian vectors, rank 2, by directions"),
        Claim(
            r"Gaussian vectors, rank 2, $l = 2$: $\frac12 \sqrt{ab}\,(a+b)$",
            observe=_estimate,
            expected=_closed_form,
            scale=lambda i: i.n * i.norm_K**2,
            condition=lambda i: 100.0,
            applies=_is_plane,
            law=Law(gaussian, each_from(circle)),
        ),
        Claim(
            "Gaussian directions, $n = 8$, $l = 3$, drawn",
            observe=_mean_left_out,
            expected=lambda i, _: 0.0,
            applies=_is_flat,
            law=Law(on_the_sphere, support=_support),
        ),
        Claim(
            "the mean over random signs, in exact arithmetic",
            observe=_without_each,
            formula=_ESTIMATE,
            scale=lambda i: i.n * i.norm_K**2,
            condition=lambda i: 1e4,
            applies=_few_signs,
            exact=_exactly,
        ),
        Claim(
            "vectors of unlike laws: signs and a coordinate, either left out",
            observe=_estimate,
            expected=_mean_of_unlike,
            scale=lambda i: i.n * i.norm_K**2,
            condition=lambda i: 100.0,
            applies=lambda i: i.n <= 3 and i.l == 2,
            law=Law(gaussian, _sign_and_coordinate),
        ),
        Claim(
            r"Gaussian vectors: $H$ is invertible exactly when $l \le "
            r"\operatorname{rank} K$",
            observe=_is_invertible,
            expected=lambda i, _: i.l <= i.rank_K,
            exact=_is_invertible_exactly,
        ),
    ),
    instances=_cases,
    own_suite=True,
    # The mean over one vector, given the others, uses only that they are independent.
    not_known_necessary=(SEMIDEFINITE,),
    derivation=_derive,
    controls=(
        Control(
            Claim(
                r"the mean error with $l$ test vectors instead of $l - 1$",
                observe=_estimate,
                expected=lambda i, _: 0.0,
                scale=lambda i: i.norm_K**2,
                law=Law(gaussian, each_from(circle)),
            ),
            _TWO,
        ),
        Control(
            _from(_halves, None, "test vectors with another second moment"),
            _TWO,
            drops=r"$\mathbb E\, \omega_j \omega_j^\top = I$",
        ),
        Control(
            Claim(
                "test vectors that are not independent: coordinates, none twice",
                observe=_estimate,
                expected=_mean_error(coordinates),
                scale=lambda i: i.norm_K**2,
                law=Law(gaussian, _distinct_coordinates),
            ),
            _THREE,
            drops="independent test vectors",
        ),
        Control(
            Claim(
                "the first vector of signs, the second a coordinate axis",
                observe=_estimate,
                expected=_mean_error(signs),
                scale=lambda i: i.norm_K**2,
                law=Law(gaussian, _sign_and_coordinate),
            ),
            _TWO,
            drops="test vectors of the same law",
        ),
        Control(
            Claim(
                r"three vectors give an invertible $H$, for a $K$ of rank 2",
                observe=_is_invertible,
            ),
            _TWO.but(landmarks=[0, 1, 1]),
        ),
    ),
)
