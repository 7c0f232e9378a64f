"""Part III: the trace from a few products, an approximation taking the larger part.

Persson, Cortinovis and Kressner 2022; Epperly, Tropp and Webber 2024.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np

from nystheory.theorems.adaptive_sampling.pivoting import trace_of_K
from nystheory.theorems.base import Claim, Control, Law, Rate, Theorem
from nystheory.theorems.concentration.violations import SEMIDEFINITE
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.subsets import fractions_of

# All sign matrices are listed up to this many entries.
SIGNS = 9


def left_by(K: np.ndarray, vectors) -> np.ndarray:
    """``K - K~`` for the sketch with these vectors, one after another, (n, n).

    Floats or exact fractions; a vector that sees nothing new is skipped.

    Examples
    --------
    >>> left_by(np.diag([2.0, 1.0]), np.array([[1.0], [0.0]])).tolist()
    [[0.0, 0.0], [0.0, 1.0]]
    """
    smallest = 0 if K.dtype == object else 1e-12 * np.abs(K).max(initial=0.0)
    for v in vectors.T:
        seen = K @ v
        size = v @ seen
        if size > smallest * (v @ v):
            K = K - np.outer(seen, seen) / size
    return K


def exchangeable_trace(K: np.ndarray, omega: np.ndarray):
    """Each column of omega tests what the approximation by the others leaves.

    The mean over the columns of ``tr K~_(j) + w_j' (K - K~_(j)) w_j``.

    Examples
    --------
    >>> float(exchangeable_trace(np.eye(2), np.ones((2, 1))))
    2.0
    """
    parts = []
    for j in range(omega.shape[1]):
        rest = left_by(K, np.delete(omega, j, axis=1))
        w = omega[:, j]
        parts.append(np.trace(K) - np.trace(rest) + w @ rest @ w)
    return sum(parts) / len(parts)


def exchangeable_by_inverse(K: np.ndarray, omega: np.ndarray) -> float:
    """The same from one inverse, for a sketch whose core has one.

    ``tr K~ + mean of (1 - norm(Y H^-1 e_j)^2) / (H^-1)_jj`` with ``Y = K omega`` and
    ``H = omega' Y``: all l approximations at the price of one.

    Examples
    --------
    >>> exchangeable_by_inverse(np.eye(2), np.ones((2, 1)))
    2.0
    """
    Y = K @ omega
    inverse = np.linalg.inv(omega.T @ Y)
    weights = Y @ inverse
    excess = (1 - (weights**2).sum(axis=0)) / np.diag(inverse)
    return float((weights * Y).sum() + excess.mean())


def half_and_half(K: np.ndarray, omega: np.ndarray):
    """Half of the columns approximate, the others test what is left (Nyström++).

    Examples
    --------
    >>> float(half_and_half(np.eye(2), np.array([[1.0, 1.0], [0.0, 1.0]])))
    2.0
    """
    half = omega.shape[1] // 2
    rest, tests = left_by(K, omega[:, :half]), omega[:, half:]
    tested = np.trace(tests.T @ rest @ tests) / tests.shape[1]
    return np.trace(K) - np.trace(rest) + tested


def _never_left_out(K: np.ndarray, omega: np.ndarray):
    """The columns test what they leave themselves, which is nothing."""
    rest = left_by(K, omega)
    tested = np.trace(omega.T @ rest @ omega) / omega.shape[1]
    return np.trace(K) - np.trace(rest) + tested


# --- Every matrix of signs --------------------------------------------------------


def _sign_matrices(n: int, columns: int):
    for signs in product((-1, 1), repeat=n * columns):
        yield np.array(signs).reshape(n, columns)


def _outcomes(i: Instance):
    if i.n * i.l > SIGNS:
        return None
    count = 2 ** (i.n * i.l)
    return [(1 / count, i.but(omega=signs)) for signs in _sign_matrices(i.n, i.l)]


def _scaled(i: Instance):
    """The second moment is diagonal, with entries 9/4 and 1/4 in turn."""
    size = np.where(np.arange(i.n) % 2, 0.5, 1.5)[:, None]
    return [(p, o.but(omega=size * o.extra["omega"])) for p, o in _outcomes(i)]


def _twice(i: Instance):
    """All vectors equal to one vector of signs."""
    one = i.but(landmarks=[0])
    return [
        (p, o.but(omega=np.repeat(o.extra["omega"], i.l, axis=1)))
        for p, o in _outcomes(one)
    ]


def _unlike(i: Instance):
    """First any vector of signs, then independently any coordinate times sqrt(n)."""
    axes = np.sqrt(i.n) * np.eye(i.n)
    signs = product((-1, 1), repeat=i.n)
    pairs = [np.column_stack(pair) for pair in product(signs, axes)]
    return [(1 / len(pairs), i.but(omega=pair)) for pair in pairs]


def _is_pair(i: Instance) -> bool:
    return i.l == 2 and _is_small(i)


def _draw(i: Instance, rng) -> Instance:
    return i.but(omega=rng.choice([-1.0, 1.0], (i.n, i.l)))


def _estimate(estimator):
    return lambda i, _: float(estimator(i.K, i.extra["omega"].astype(float)))


def _mean_exactly(estimator):
    def exact(i: Instance) -> bool:
        K, one = fractions_of(i.K), Fraction(1)
        total = sum(estimator(K, signs * one) for signs in _sign_matrices(i.n, i.l))
        return total == 2 ** (i.n * i.l) * np.trace(K)

    return exact


def _is_small(i: Instance) -> bool:
    return i.n * i.l <= SIGNS and "omega" not in i.extra


def _has_halves(i: Instance) -> bool:
    return _is_small(i) and i.l >= 2


def _unbiased(says, estimator, applies=_is_small, outcomes=_outcomes) -> Claim:
    return Claim(
        says,
        observe=_estimate(estimator),
        formula=Formula(trace_of_K),
        scale=lambda i: float(np.trace(i.K)),
        applies=applies,
        law=Law(_draw, outcomes),
    )


def _mean_of_signs(estimator):
    return lambda i, _: float(
        np.mean([estimator(i.K, s.astype(float)) for s in _sign_matrices(i.n, i.l)])
    )


# --- The decay --------------------------------------------------------------------

_SLOW = 1 / np.arange(1.0, 401.0)
_BATCH = 8


def _hutchinson(K, omega) -> float:
    return float((omega * (K @ omega)).sum() / omega.shape[1])


def _root_mean_square(estimator):
    """Error for the eigenvalues 1, 1/2, ..., 1/400 and Gaussian vectors."""

    def observe(columns, rng):
        K = np.diag(_SLOW)
        draws = rng.standard_normal((_BATCH, 400, columns))
        errors = [estimator(K, omega) - _SLOW.sum() for omega in draws]
        return float(np.sqrt(np.mean(np.square(errors))))

    return observe


def _decay(says, estimator, exponent, rival) -> Claim:
    return Claim(
        says,
        observe=_root_mean_square(estimator),
        rate=Rate((4, 8, 16, 32), exponent, rival, repeats=20),
    )


# --- Instances --------------------------------------------------------------------


def _cases(rng):
    for size, columns in ((1, 1), (2, 1), (3, 1), (2, 2), (3, 2), (3, 3), (4, 2)):
        for name, X in (
            ("general", rng.standard_normal((size, size))),
            ("integers", rng.integers(-2, 3, (size, size)).astype(float)),
            ("rank 1", np.ones((1, size))),
            ("unequal", np.diag(10.0 ** -np.arange(size))),
        ):
            yield Instance.from_points(X, range(min(columns, size)), 1, name)
    for size, columns in ((6, 2), (10, 4), (30, 12)):
        X = rng.standard_normal((size, size))
        case = Instance.from_points(X, range(columns), 1, "Gaussian")
        yield case.but(omega=rng.standard_normal((size, columns)))


def _condition_of_core(i: Instance) -> float:
    return float(np.linalg.cond(i.extra["omega"].T @ i.K @ i.extra["omega"]) ** 2)


_IDENTITY = Instance(np.eye(2), [0], 1)

TRACE_ESTIMATORS = Theorem(
    id="modern:nystrom-plus-plus",
    part="III",
    kind="expectation",
    status="to-confirm",
    title="Estimates of a trace",
    number="Persson et al. 2022; Epperly, Tropp and Webber 2024",
    statement=(
        r"Let $K$ be positive semidefinite, $\omega_1, \dots, \omega_l$ independent "
        r"vectors with $\mathbb E\, \omega_j \omega_j^\top = I$, and let $\tilde K_J$ "
        r"be the Nyström approximation from the sketch by the vectors in $J$. "
        r"*Confirmed*: with $J$ the first half and $m$ vectors in the other half $J'$, "
        r"$\operatorname{tr} \tilde K_J + \frac1m \sum_{j \in J'} \omega_j^\top (K - "
        r"\tilde K_J)\, \omega_j$ has the mean $\operatorname{tr} K$, and so has the "
        r"exchangeable estimate $\hat T = \frac1l \sum_j \bigl(\operatorname{tr} "
        r"\tilde K_{(j)} + \omega_j^\top (K - \tilde K_{(j)})\, \omega_j\bigr)$, where "
        r"$(j)$ is all but $j$. With $Y = K \Omega$ and an invertible $H = \Omega^\top "
        r"Y$, $\hat T = \operatorname{tr} \tilde K + \frac1l \sum_j \frac{1 - \|Y "
        r"H^{-1} e_j\|^2}{(H^{-1})_{jj}}$. *Open* here: the number $O(1/\varepsilon)$ "
        r"of products for a relative error $\varepsilon$, of which only a slope is "
        r"shown."
    ),
    claims=(
        _unbiased(
            r"confirmed: $\hat T$ over all matrices of signs", exchangeable_trace
        ),
        _unbiased(
            "confirmed: half and half, over all matrices of signs",
            half_and_half,
            _has_halves,
        ),
        Claim(
            r"confirmed: the mean of $\hat T$ in exact arithmetic",
            observe=_mean_of_signs(exchangeable_trace),
            formula=Formula(trace_of_K),
            scale=lambda i: float(np.trace(i.K)),
            applies=lambda i: i.n * i.l <= 4 and "omega" not in i.extra,
            exact=_mean_exactly(exchangeable_trace),
        ),
        Claim(
            r"confirmed: $\hat T$ from one inverse",
            observe=_estimate(exchangeable_trace),
            expected=_estimate(exchangeable_by_inverse),
            condition=_condition_of_core,
            applies=lambda i: "omega" in i.extra,
        ),
        _decay(
            r"a slope: the error of $\hat T$ for $\lambda_j = 1/j$ falls like $1/l$",
            exchangeable_by_inverse,
            -1.0,
            -0.5,
        ),
        _unbiased(
            r"confirmed: $\hat T$ for vectors of unlike laws, signs and a coordinate",
            exchangeable_trace,
            _is_pair,
            _unlike,
        ),
        _unbiased(
            "confirmed: half and half, for the same vectors",
            half_and_half,
            _is_pair,
            _unlike,
        ),
    ),
    instances=_cases,
    own_suite=True,
    # The mean over one vector, given the others, uses only that they are independent.
    not_known_necessary=(SEMIDEFINITE,),
    controls=(
        Control(
            _unbiased("no vector need be left out", _never_left_out),
            _IDENTITY,
        ),
        Control(
            _decay(
                "without an approximation the error falls as fast",
                _hutchinson,
                -1.0,
                -0.5,
            ),
            _IDENTITY,
        ),
        Control(
            _unbiased(
                "the mean is right if the tests see the approximation of all",
                lambda K, omega: (
                    (
                        np.trace(K)
                        - np.trace(left_by(K, omega))
                        + exchangeable_trace(K, omega)
                    )
                    / 2
                ),
            ),
            _IDENTITY,
        ),
        Control(
            replace(
                _unbiased(
                    r"$\hat T$ for signs times $\frac32$ and $\frac12$",
                    exchangeable_trace,
                ),
                law=Law(_draw, _scaled),
            ),
            _IDENTITY,
            drops=r"$\mathbb E\, \omega_j \omega_j^\top = I$",
        ),
        Control(
            replace(
                _unbiased(
                    r"$\hat T$ for the same vector twice, which leaves nothing of it",
                    exchangeable_trace,
                ),
                law=Law(_draw, _twice),
            ),
            _IDENTITY.but(landmarks=[0, 1]),
            drops="independent vectors",
        ),
    ),
)
