"""Part II: mixture weights by ridge regression on sampled columns.

Talwalkar 2010, section 4.3, equation (4.2).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import sympy as sp
from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from nystheory import ensemble
from nystheory.theorems import rational
from nystheory.theorems.base import Claim, Control, Hypothesis, Printed, Theorem
from nystheory.theorems.derivation import Step
from nystheory.theorems.ensembles import mixtures
from nystheory.theorems.ensembles.mixtures import columns, experts, mix, weights
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import QUANTITIES, quantity
from nystheory.theorems.routes import one

# Singular values of the regression relative to the largest: zeros of the data below.
ZERO = 1e-12


def _lambda(i: Instance) -> float:
    return abs(mixtures.number(i, "ridge", 1.0))


ridge = quantity("ridge", r"\lambda", "ridge of the weights, units of K squared")(
    _lambda
)
norm_V = quantity("norm_V", r"\|K_V\|_F", "Frobenius norm of the validation columns")(
    lambda i: float(np.linalg.norm(i.K[:, columns(i)]))
)


@quantity(
    "explained",
    r"g^\top(G+\lambda I)^{-1}g",
    "what the best weights take from the objective",
    of_sample=True,
)
def explained(i: Instance) -> float:
    """From the singular values of the regression: G is not formed."""
    A, b = _regression(i)
    U, s, _ = np.linalg.svd(A, full_matrices=False)
    keep = s > ZERO * s[0]
    filtered = s[keep] ** 2 / (s[keep] ** 2 + _lambda(i))
    return float(((U.T @ b)[keep] ** 2 * filtered).sum())


@lru_cache(maxsize=256)
def _regression(i: Instance):
    """The experts on the columns V as columns of A, and K on them as b."""
    V = columns(i)
    made = experts(i)
    return made[:, :, V].reshape(len(made), -1).T, i.K[:, V].ravel()


def _objective(i: Instance, mu) -> float:
    """``lambda |mu|^2 + |sum mu_r K~_r[:, V] - K[:, V]|_F^2``."""
    V = columns(i)
    rest = mix(mu, experts(i)[:, :, V]) - i.K[:, V]
    return float(_lambda(i) * mu @ mu + (rest**2).sum())


def _chosen(i: Instance) -> np.ndarray:
    A, b = _regression(i)
    return ensemble.ridge_weights(A.T @ A, A.T @ b, _lambda(i))


@lru_cache(maxsize=256)
def _on_all_columns(i: Instance) -> Instance:
    """The same without a ridge, fitted to every column."""
    return i.but(V=np.ones(i.n), ridge=np.zeros(1))


def _squared_errors(i: Instance, mu) -> float:
    return float(((i.K - mix(mu, experts(i))) ** 2).sum())


def _rivals(i: Instance, _) -> float:
    """The smaller squared error of the best expert and of equal weights."""
    p = len(experts(i))
    candidates = (*np.eye(p), np.full(p, 1 / p))
    return min(_squared_errors(i, mu) for mu in candidates)


def _condition(i: Instance) -> float:
    """Largest over smallest eigenvalue that counts of ``G + lambda I``."""
    s = np.linalg.svd(_regression(i)[0], compute_uv=False)
    if s[0] == 0:
        return 1.0
    kept = s[s > ZERO * s[0]] ** 2
    return float((kept[0] + _lambda(i)) / (kept[-1] + _lambda(i)))


def _squared(i: Instance) -> float:
    return i.norm_K**2 * i.n


def _all_exact(i: Instance, _) -> float:
    """The sum of the weights where every expert is K itself."""
    size, p = float(np.sum(i.K[:, columns(i)] ** 2)), len(experts(i))
    chosen = ensemble.ridge_weights(np.full((p, p), size), np.full(p, size), _lambda(i))
    return float(chosen.sum())


def _package_equations(i: Instance, _) -> np.ndarray:
    G, g = ensemble.normal_equations(
        mixtures.package_experts(i), mixtures.DenseKernel(i.K), columns(i)
    )
    return np.column_stack([G, g])


def _inner_products(i: Instance, _) -> np.ndarray:
    A, b = _regression(i)
    return np.column_stack([A.T @ A, A.T @ b])


def _lowest(i: Instance, mu) -> float:
    """Minus the smallest eigenvalue of the mixture."""
    return -float(np.linalg.eigvalsh(mix(mu, experts(i)))[0])


@lru_cache(maxsize=256)
def _nonnegative(i: Instance) -> np.ndarray:
    A, b = _regression(i)
    return ensemble.nonnegative_weights(A.T @ A, A.T @ b, _lambda(i))


def _complete(i: Instance, rng) -> Instance:
    """Some validation columns, a competitor of any sign, a ridge or none."""
    size = float(np.sum(i.K**2)) or 1.0
    lam = 0.0 if rng.random() < 0.3 else size * 10.0 ** rng.uniform(-6, 1)
    return i.but(
        V=rng.standard_normal(i.n),
        mu=rng.standard_normal(len(mixtures.parts(i))),
        ridge=np.array([lam]),
    )


# --- all minimisers ---------------------------------------------------------------


def _given(i: Instance) -> np.ndarray:
    """A competitor of any sign; equal weights if the instance brings none."""
    return np.asarray(i.extra.get("mu", weights(i)), dtype=float)


def _given_objective(i: Instance, _) -> float:
    return _objective(i, _given(i))


def _size_of_given(i: Instance) -> float:
    return (_squared(i) + _lambda(i)) * (1 + float(_given(i) @ _given(i)))


def _with_distance(i: Instance, _) -> float:
    away = _given(i) - _chosen(i)
    return _objective(i, _chosen(i)) + _lambda(i) * float(away @ away)


@lru_cache(maxsize=256)
def _without_ridge(i: Instance) -> Instance:
    return i.but(ridge=np.zeros(1))


def _least_squares(i: Instance, _) -> float:
    """The squared distance of K_V from the span of the experts, by projection."""
    A, b = _regression(i)
    U, s, _ = np.linalg.svd(A, full_matrices=False)
    span = U[:, s > ZERO * s[0]]
    rest = b - span @ (span.T @ b)
    return float(rest @ rest)


def _at_a_solution(i: Instance, rng) -> float:
    """The objective at one solution of the equations plus any part that G deletes."""
    A, b = _regression(i)
    _, s, Vt = np.linalg.svd(A, full_matrices=False)
    deleted = Vt[s <= ZERO * s[0]]
    free = deleted.T @ rng.standard_normal(len(deleted))
    return _objective(_without_ridge(i), _chosen(_without_ridge(i)) + free)


def _with_residual(i: Instance, _) -> float:
    A, b = _regression(i)
    residual = A.T @ (A @ _given(i) - b)
    size = float(np.linalg.norm(A, 2)) ** 2
    lost = float(residual @ residual) / size if size > 0 else 0.0
    return _least_squares(i, _) + lost


def _exact(fractions) -> DomainMatrix:
    entries = [[QQ(x.numerator, x.denominator) for x in row] for row in fractions]
    return DomainMatrix(entries, fractions.shape, QQ)


def _columns(matrix: DomainMatrix) -> list[DomainMatrix]:
    rows, columns = matrix.shape
    return [matrix.extract(range(rows), [j]) for j in range(columns)]


def _square(column: DomainMatrix):
    return (column.transpose() * column).to_dense().to_list()[0][0]


def _solutions_exactly(i: Instance) -> bool:
    """In fractions: weights are minimisers exactly when ``G mu = g``.

    One solution, the same plus what G deletes, and those plus or minus one expert.
    """
    made = mixtures.exact_experts(i)
    A = _exact(np.array([each.ravel() for each in made]).T)
    b = _exact(mixtures.fractions_of(i.K).reshape(-1, 1))
    G, g = A.transpose() * A, A.transpose() * b
    inverse, unit = rational.pseudo_inverse(G), rational.rational(np.eye(len(made)))
    solution, deleted = inverse * g, unit - inverse * G
    least = _square(A * solution - b)
    zero = 0 * solution
    for free in (zero, *_columns(deleted)):
        for step in (zero, *_columns(unit), *_columns(-unit)):
            mu = solution + free + step
            loss = _square(A * mu - b) - least
            if loss < 0 or (loss == 0) != rational.is_zero(G * mu - g):
                return False
    return True


def _derive_square():
    m, g, b = sp.symbols("mu g b", real=True)
    G, lam = sp.symbols("G lambda", positive=True)
    return (
        Step(
            lam * m**2 + G * m**2 - 2 * g * m + b,
            "the objective for one expert, $b = \\|K_V\\|_F^2$",
        ),
        Step(
            (G + lam) * (m - g / (G + lam)) ** 2 + b - g**2 / (G + lam),
            r"complete the square: the minimum is at $\mu = g / (G + \lambda)$",
        ),
    )


_ONE = Instance([[1.0]], [0], 1, extra={"ridge": np.ones(1)})

RIDGE_WEIGHTS = Theorem(
    id="talwalkar2010:eq-4.2",
    part="II",
    kind="identity",
    status="holds",
    title="Ridge weights",
    number="equation (4.2)",
    statement=(
        r"Let $V$ be a set of columns, $K_V$ and $\tilde K_r^V$ those columns of $K$ "
        r"and of the experts, $G_{rs} = \langle \tilde K_r^V, \tilde K_s^V \rangle_F$ "
        r"and $g_r = \langle \tilde K_r^V, K_V \rangle_F$. For $\lambda > 0$ the only "
        r"minimiser of $\lambda \|\mu\|_2^2 + \bigl\|\sum_r \mu_r \tilde K_r^V - K_V "
        r"\bigr\|_F^2$ is $\mu = (G + \lambda I)^{-1} g$, and the minimum is "
        r"$\|K_V\|_F^2 - g^\top (G + \lambda I)^{-1} g$. For $\lambda = 0$ the "
        r"minimisers are the solutions of $G \mu = g$; if moreover $V$ is the set of "
        r"all columns, the mixture is at least as close to $K$ in the Frobenius norm "
        r"as the best expert and as the mixture with equal weights. If all $p$ experts "
        r"are equal to $K$ and $\lambda > 0$, the mixture is $\frac{p \|K_V\|_F^2}{p "
        r"\|K_V\|_F^2 + \lambda} K$. Weights that are not negative make the mixture "
        r"positive semidefinite."
    ),
    hypotheses=(Hypothesis(r"$\lambda \ge 0$", ("ridge",), lambda ridge: ridge >= 0),),
    claims=(
        Claim(
            "no weights do better than the closed form",
            observe=lambda i, _: _objective(
                i, np.asarray(i.extra.get("mu", weights(i)))
            ),
            formula=Formula(norm_V**2 - explained),
            relation=">=",
            scale=lambda i: (
                _squared(i) * (1 + float(np.sum(i.extra.get("mu", np.ones(1)) ** 2)))
            ),
        ),
        Claim(
            "the weights of the package attain the minimum",
            observe=lambda i, _: _objective(i, _chosen(i)),
            formula=Formula(norm_V**2 - explained),
            scale=_squared,
            condition=_condition,
        ),
        Claim(
            r"for $\lambda = 0$ and all columns the squared error is at most that of "
            "the best expert and of equal weights",
            observe=lambda i, _: _squared_errors(i, _chosen(_on_all_columns(i))),
            expected=_rivals,
            relation="<=",
            scale=_squared,
            condition=lambda i: _condition(_on_all_columns(i)),
        ),
        Claim(
            "experts that are all exact: the sum of their weights",
            observe=_all_exact,
            formula=Formula(
                QUANTITIES["p"].symbol
                * norm_V**2
                / (QUANTITIES["p"].symbol * norm_V**2 + ridge)
            ),
            applies=lambda i: bool(np.sum(i.K[:, columns(i)] ** 2) > 0),
            scale=one,
        ),
        Claim(
            "weights that are not negative keep the mixture semidefinite",
            observe=lambda i, _: max(
                _lowest(i, _nonnegative(i)), _lowest(i, weights(i))
            ),
            expected=lambda i, _: 0.0,
            relation="<=",
            # A sum is rounded to eps of its terms, and weights may be large.
            scale=lambda i: i.norm_K * i.n * (1 + float(_nonnegative(i).sum())),
        ),
        Claim(
            "$G$ and $g$ of the package are the inner products",
            observe=_package_equations,
            expected=_inner_products,
            scale=_squared,
            condition=mixtures.condition,
        ),
        Claim(
            r"the minimiser is the only one for $\lambda > 0$: other weights lose "
            r"$\lambda \|\mu - \mu^*\|_2^2$ at least",
            observe=_given_objective,
            expected=_with_distance,
            relation=">=",
            applies=lambda i: _lambda(i) > 0,
            scale=_size_of_given,
            condition=_condition,
        ),
        Claim(
            r"for $\lambda = 0$ every solution of $G \mu = g$ is a minimiser",
            observe=_at_a_solution,
            expected=_least_squares,
            scale=_squared,
            condition=lambda i: _condition(_without_ridge(i)),
            exact=_solutions_exactly,
        ),
        Claim(
            r"for $\lambda = 0$ other weights lose $\|G \mu - g\|_2^2 / \|G\|_2$ at "
            "least, so that all minimisers are solutions",
            observe=lambda i, r: _given_objective(_without_ridge(i), r),
            expected=_with_residual,
            relation=">=",
            scale=_size_of_given,
        ),
    ),
    complete=_complete,
    derivation=_derive_square,
    controls=(
        Control(
            Claim(
                r"an exact expert stays exact with a ridge: $\sum_r \mu_r = 1$",
                observe=_all_exact,
                expected=lambda i, _: 1.0,
            ),
            _ONE,
        ),
        Control(
            Claim(
                "weights fitted to some columns are best on all of them",
                observe=lambda i, _: _squared_errors(i, _chosen(i)),
                expected=_rivals,
                relation="<=",
            ),
            Instance(
                np.eye(2),
                [0, 1],
                1,
                extra={"V": np.array([1.0, -1]), "ridge": np.zeros(1)},
            ),
        ),
        Control(
            Claim(
                "a semidefinite mixture has no negative weight",
                observe=lambda i, _: bool(_lowest(i, i.extra["mu"]) <= 0),
                expected=lambda i, _: bool((i.extra["mu"] >= 0).all()),
            ),
            Instance(
                np.eye(2), [0, 1, 0, 0], 2, extra={"mu": np.array([2.0, -1.0, 0.0])}
            ),
        ),
        Control(
            Claim(
                r"for $\lambda = 0$ there is one minimiser only, too",
                observe=lambda i, _: bool(
                    _given_objective(i, _) > _objective(i, _chosen(i)) + 1e-9
                ),
            ),
            Instance(
                [[1.0]],
                [0, 0],
                1,
                extra={"mu": np.array([1.0, 0.0]), "ridge": np.zeros(1)},
            ),
        ),
    ),
    printed=(
        Printed(
            "$K_V$ is formed by the columns of the samples $S$ and $V$",
            "misprint",
            "A few lines earlier $K_V$ has the columns in $V$ alone, and so have the "
            r"matrices $\tilde K_r^V$ that it is compared with. With the columns of "
            "both samples the difference in the objective is one of matrices of "
            "different shapes as soon as a landmark is not in $V$: for $n = 2$, "
            r"$S = \{1\}$ and $V = \{2\}$ it would be two columns less one.",
            Claim(
                "the columns in $S$ and $V$ are those of the experts on $V$",
                observe=lambda i, _: i.K[:, np.union1d(i.landmarks, columns(i))],
                expected=lambda i, _: mix(weights(i), experts(i))[:, columns(i)],
            ),
            Instance(np.eye(2), [0], 1, extra={"V": np.array([-1.0, 1])}),
        ),
    ),
)
