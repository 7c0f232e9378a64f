"""Part II: inverses of low-rank matrices and of mixtures of them.

Talwalkar 2010, sections 3.2 and 4.3.1, equations (3.9) and (4.3).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import sympy as sp

from nystheory import ensemble
from nystheory.theorems import rational
from nystheory.theorems.base import Claim, Control, Printed, Theorem
from nystheory.theorems.derivation import Step, letters
from nystheory.theorems.ensembles import mixtures
from nystheory.theorems.ensembles.mixtures import experts, mix, weights
from nystheory.theorems.instance import GREY_HIGH, Instance, eigen, truncated_inverse
from nystheory.theorems.routes import RANK_IN_RANGE, projected

# --- (4.3): one product -----------------------------------------------------------

# Size up to which matrices are inverted in fractions.
SMALL = 8


@lru_cache(maxsize=256)
def shift(i: Instance) -> float:
    """The number alpha: the norm of K (1 for K = 0) times a factor of the instance."""
    size = i.norm_K if i.norm_K > 0 else 1.0
    return float(size * np.exp(np.clip(mixtures.number(i, "shift", 0.0), -7, 3)))


def _with_shift(i: Instance, rng) -> Instance:
    return mixtures.with_weights(i, rng).but(shift=rng.uniform(-5, 2, 1))


def _inverse(i: Instance, _=None) -> np.ndarray:
    """``(alpha I + K~)^-1`` as it stands, n^3 operations."""
    return np.linalg.inv(shift(i) * np.eye(i.n) + projected(i))


def woodbury(A_inverse, B, core, D) -> np.ndarray:
    """The inverse of ``A + B core D``; the core may be singular.

    >>> woodbury(np.eye(2), np.eye(2), np.diag([1.0, 0]), np.eye(2)).tolist()
    [[0.5, 0.0], [0.0, 1.0]]
    """
    left = core @ D @ A_inverse
    inner = np.eye(len(core)) + left @ B
    return A_inverse - A_inverse @ B @ np.linalg.solve(inner, left)


def _singular_core(i: Instance, _) -> np.ndarray:
    """(3.9): the core ``W_k^+`` need not be invertible."""
    left = truncated_inverse(i.W, i.k) @ i.C.T
    inner = shift(i) * np.eye(i.l) + left @ i.C
    return (np.eye(i.n) - i.C @ np.linalg.solve(inner, left)) / shift(i)


def _invertible_core(i: Instance, _) -> np.ndarray:
    """(4.3) with the factors ``C U_{W,k}`` and the core ``Sigma_{W,k}^-1``."""
    values, vectors = eigen(i.W)
    keep = values[: i.k] > 0.1 * GREY_HIGH**2 * i.norm_K
    values, vectors = values[: i.k][keep], vectors[:, : i.k][:, keep]
    B, alpha = i.C @ vectors, shift(i)
    inner = np.diag(values) + B.T @ B / alpha
    return np.eye(i.n) / alpha - B @ np.linalg.solve(inner, B.T) / alpha**2


def _determinant(i: Instance, _) -> float:
    left = truncated_inverse(i.W, i.k) @ i.C.T / shift(i)
    return float(np.linalg.slogdet(np.eye(i.l) + left @ i.C)[1])


def _package_inverse(i: Instance, _) -> np.ndarray:
    made = mixtures.lowrank.nystrom(mixtures.DenseKernel(i.K), i.landmarks, i.k)
    return ensemble.Ensemble([made], [1.0]).solve(np.eye(i.n), shift(i))


def _amplified(i: Instance) -> float:
    """Rounding in the approximation, then in the inverse of what it is added to."""
    return i.condition * (1 + i.norm_K / shift(i)) ** 2


def _size_of_inverse(i: Instance) -> float:
    return 1 / shift(i)


def _is_integer(i: Instance) -> bool:
    return np.array_equal(i.K, np.round(i.K)) and np.abs(i.K).max() < 1e6


def _general_exactly(i: Instance) -> bool:
    """Any invertible A, a singular core, two different factors, in fractions."""
    A = rational.rational(i.K + np.eye(i.n))
    B, D = rational.rational(i.C), rational.rational(1 - i.C.T)
    core = rational.rational(np.triu(np.ones((i.l, i.l)), 1) + np.diag(i.W[0] > 0))
    unit = rational.rational(np.eye(i.l))
    left = core * D * A.inv()
    inner, whole = unit + left * B, A + B * core * D
    if whole.det() != A.det() * inner.det():
        return False
    if whole.det() == 0:
        return True
    inverse = A.inv() - A.inv() * B * inner.inv() * left
    return whole * inverse == rational.rational(np.eye(i.n))


def _derive_woodbury():
    A, Ai, B, M, D, N = letters("A A^{-1} B M D N")
    unit = sp.Integer(1)
    last = B * M * D * Ai
    return (
        Step(
            (A + B * M * D) * (Ai - Ai * B * N * M * D * Ai),
            r"the claim is that this is $I$, with $N = (I + M D A^{-1} B)^{-1}$",
        ),
        Step(
            unit + last - B * N * M * D * Ai - last * B * N * M * D * Ai,
            "$A A^{-1} = I$",
            {A * Ai: unit},
        ),
        Step(
            unit + last - B * N * M * D * Ai - B * (1 - N) * M * D * Ai,
            r"$M D A^{-1} B N = I - N$, since $(I + M D A^{-1} B) N = I$",
            {M * D * Ai * B * N: 1 - N},
        ),
        Step(unit, "what is left cancels"),
    )


_TWO = Instance(np.eye(2), [0, 1], 1)


def _with_pseudo_inverse(i: Instance, _) -> np.ndarray:
    """(4.3) with the pseudo-inverse of the core ``W_k^+``, that is, ``W_k``."""
    alpha = shift(i)
    W_k = truncated_inverse(truncated_inverse(i.W, i.k), i.l)
    inner = W_k + i.C.T @ i.C / alpha
    return np.eye(i.n) / alpha - i.C @ np.linalg.solve(inner, i.C.T) / alpha**2


WOODBURY = Theorem(
    id="talwalkar2010:eq-4.3",
    part="II",
    kind="identity",
    status="holds",
    title="Woodbury with a singular core",
    number="equations (4.3) and (3.9)",
    statement=(
        r"Let $A$ be invertible. Then $\det(A + B M D) = \det A \, \det(I + M D A^{-1} "
        r"B)$, and if $A + B M D$ is invertible, then $(A + B M D)^{-1} = A^{-1} - "
        r"A^{-1} B (I + M D A^{-1} B)^{-1} M D A^{-1}$; the core $M$ need not be "
        r"invertible. For $\tilde K = C W_k^+ C^\top$ and $\alpha > 0$ this gives "
        r"$(\alpha I + \tilde K)^{-1} = \alpha^{-1} \bigl(I - C (\alpha I + W_k^+ "
        r"C^\top C)^{-1} W_k^+ C^\top\bigr)$. If $1 \le k \le \operatorname{rank} W$ "
        r"and $W_k = U_{W,k} \Sigma_{W,k} U_{W,k}^\top$, then $B = C U_{W,k}$ leaves "
        r"the invertible core $\Sigma_{W,k}^{-1}$, and $(\alpha I + \tilde K)^{-1} = "
        r"\alpha^{-1} I - \alpha^{-2} B (\Sigma_{W,k} + \alpha^{-1} B^\top B)^{-1} "
        r"B^\top$."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            r"the inverse with the core $W_k^+$, which may be singular",
            observe=_singular_core,
            expected=_inverse,
            scale=_size_of_inverse,
            condition=_amplified,
        ),
        Claim(
            r"the inverse with the core $\Sigma_{W,k}^{-1}$",
            observe=_invertible_core,
            expected=_inverse,
            scale=_size_of_inverse,
            condition=_amplified,
        ),
        Claim(
            "the determinant, in logarithms",
            observe=_determinant,
            expected=lambda i, _: float(
                np.linalg.slogdet(np.eye(i.n) + projected(i) / shift(i))[1]
            ),
            scale=lambda i: float(i.n),
            condition=_amplified,
        ),
        Claim(
            "the solver of the package",
            observe=_package_inverse,
            expected=_inverse,
            scale=_size_of_inverse,
            condition=_amplified,
        ),
        Claim(
            "determinant and inverse in fractions for other $A$, $B$ and $D$ and a "
            "core $M$ that may be singular",
            observe=lambda i, _: _general_exactly(i),
            applies=lambda i: _is_integer(i) and i.n <= SMALL,
            exact=_general_exactly,
        ),
    ),
    complete=_with_shift,
    derivation=_derive_woodbury,
    controls=(
        Control(
            Claim(
                "a pseudo-inverse in the place of the inverse of a singular core",
                observe=_with_pseudo_inverse,
                expected=_inverse,
            ),
            _TWO,
        ),
    ),
)


# --- section 4.3.1: mixtures ------------------------------------------------------


def _any_factors(i: Instance) -> list[np.ndarray]:
    """Factors of at most k columns that belong to no Nyström approximation."""
    size = np.sqrt(i.norm_K) if i.norm_K > 0 else 1.0
    return [i.K[:, part[: i.k]] / size for part in mixtures.parts(i)]


def _products(made) -> np.ndarray:
    return np.array([F @ F.T for F in made])


def _sums(i: Instance, mu, matrices) -> list[np.ndarray]:
    """``T_0, ..., T_p``."""
    T = [shift(i) * np.eye(i.n)]
    for weight, matrix in zip(mu, matrices, strict=True):
        T.append(T[-1] + weight * matrix)
    return T


def _of_experts(i: Instance, mu) -> list[np.ndarray]:
    return _sums(i, mu, experts(i))


def _recursion(i: Instance, made) -> list[np.ndarray]:
    """``T_0^-1, ..., T_p^-1``, each by Woodbury from the one before."""
    inverses = [np.eye(i.n) / shift(i)]
    for weight, F in zip(weights(i), made, strict=True):
        core = weight * np.eye(F.shape[1])
        inverses.append(woodbury(inverses[-1], F, core, F.T))
    return inverses


def _mixture_inverse(i: Instance, _) -> np.ndarray:
    return np.linalg.inv(shift(i) * np.eye(i.n) + mix(weights(i), experts(i)))


def _stack(i: Instance, made) -> np.ndarray:
    """``(I - G (alpha I + G^T G)^-1 G^T) / alpha`` as it stands."""
    roots = np.sqrt(weights(i))
    G = np.column_stack([root * F for root, F in zip(roots, made, strict=True)])
    inner = shift(i) * np.eye(G.shape[1]) + G.T @ G
    return (np.eye(i.n) - G @ np.linalg.solve(inner, G.T)) / shift(i)


def _both_ways(i: Instance, _) -> np.ndarray:
    """The ends of the recursion and of the stack for factors of any kind."""
    made = _any_factors(i)
    return np.array([_recursion(i, made)[-1], _stack(i, made)])


def _inverse_twice(i: Instance, _) -> np.ndarray:
    mixture = mix(weights(i), _products(_any_factors(i)))
    return np.array(2 * [np.linalg.inv(shift(i) * np.eye(i.n) + mixture)])


def _stacked(i: Instance, _) -> np.ndarray:
    mixture = ensemble.Ensemble(mixtures.package_experts(i), weights(i))
    return mixture.solve(np.eye(i.n), shift(i))


def _of_any(i: Instance) -> list[np.ndarray]:
    """``T_0, ..., T_p`` for factors of any kind."""
    return _sums(i, weights(i), _products(_any_factors(i)))


def _smallest(i: Instance, _) -> float:
    T = _of_experts(i, weights(i)) + _of_any(i)
    return min(float(np.linalg.eigvalsh(each)[0]) for each in T)


def _beyond_rank(i: Instance, steps) -> float:
    """Largest singular value after the k-th of the given changes of the inverse."""
    beyond = 0.0
    for change in steps:
        s = np.linalg.svd(change, compute_uv=False)
        beyond = max(beyond, float(np.append(s, 0.0)[i.k]))
    return beyond


def _steps(T) -> list[np.ndarray]:
    inverses = [np.linalg.inv(each) for each in T]
    return [b - a for a, b in zip(inverses, inverses[1:], strict=False)]


def _one_by_one(i: Instance, _) -> float:
    return _beyond_rank(i, _steps(_of_experts(i, weights(i))) + _steps(_of_any(i)))


def _merged(i: Instance, _) -> float:
    """The step from the first expert to all of them, as in a tree."""
    T = [np.linalg.inv(each) for each in _of_experts(i, weights(i))]
    return _beyond_rank(i, [T[-1] - T[1]])


def _twice(i: Instance) -> float:
    """A step divides by alpha once more than it multiplies by K."""
    return (1 + i.norm_K / shift(i)) ** 2


def _derive_stacked():
    G, Gt, M = letters("G G^T M")
    a, unit = sp.Symbol("alpha", positive=True), sp.Integer(1)
    return (
        Step(
            (a + G * Gt) * (unit - G * M * Gt) / a,
            r"the claim is that this is $I$, with $M = (\alpha I + G^\top G)^{-1}$",
        ),
        Step(
            unit + G * Gt / a - G * M * Gt - G * (1 - a * M) * Gt / a,
            r"$G^\top G M = I - \alpha M$",
            {Gt * G * M: 1 - a * M},
        ),
        Step(unit, "what is left cancels"),
    )


ENSEMBLE_WOODBURY = Theorem(
    id="talwalkar2010:ensemble-woodbury",
    part="II",
    kind="identity",
    status="corrected",
    title="Inverting a mixture",
    number="section 4.3.1",
    statement=(
        r"Let $\alpha > 0$, $\mu_r \ge 0$, and $\tilde K_r = F_r F_r^\top$ with "
        r"factors of $k$ columns. Put $T_0 = \alpha I$ and $T_r = T_{r-1} + \mu_r "
        r"\tilde K_r$. Then $T_r \succeq \alpha I$ for every $r$, and the recursion "
        r"$T_r^{-1} = T_{r-1}^{-1} - \mu_r T_{r-1}^{-1} F_r (I + \mu_r F_r^\top "
        r"T_{r-1}^{-1} F_r)^{-1} F_r^\top T_{r-1}^{-1}$ ends with $(\alpha I + "
        r"\sum_r \mu_r \tilde K_r)^{-1}$; each step changes the inverse by a matrix of "
        r"rank at most $k$. With $G = [\sqrt{\mu_1} F_1, \dots, \sqrt{\mu_p} F_p]$ the "
        r"same inverse is $\alpha^{-1} \bigl(I - G (\alpha I + G^\top G)^{-1} G^\top "
        r"\bigr)$."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            "the recursion ends with the inverse of the sum",
            observe=lambda i, _: _recursion(i, mixtures.factors(i))[-1],
            expected=_mixture_inverse,
            scale=_size_of_inverse,
            condition=_twice,
        ),
        Claim(
            r"every $T_r \succeq \alpha I$",
            observe=_smallest,
            expected=lambda i, _: shift(i),
            relation=">=",
            scale=lambda i: i.norm_K + shift(i),
        ),
        Claim(
            "a step changes the inverse by rank $k$ at most",
            observe=_one_by_one,
            expected=lambda i, _: 0.0,
            relation="<=",
            scale=_size_of_inverse,
            condition=_twice,
        ),
        Claim(
            "the stacked factors give the same inverse, by the package",
            observe=_stacked,
            expected=_mixture_inverse,
            scale=_size_of_inverse,
            condition=lambda i: mixtures.condition(i) * _twice(i),
        ),
        Claim(
            "factors that belong to no Nyström approximation: the recursion and the "
            "stack end with the inverse of the sum",
            observe=_both_ways,
            expected=_inverse_twice,
            scale=_size_of_inverse,
            condition=_twice,
        ),
    ),
    complete=_with_shift,
    derivation=_derive_stacked,
    controls=(
        Control(
            Claim(
                "joining two halves of a tree changes the inverse by rank $k$ at most",
                observe=_merged,
                expected=lambda i, _: 0.0,
                relation="<=",
            ),
            Instance(np.eye(3), [0, 1, 2], 1),
        ),
        Control(
            Claim(
                r"$T_p \succeq \alpha I$ for weights of any sign that sum to one",
                observe=lambda i, _: float(
                    np.linalg.eigvalsh(_of_experts(i, i.extra["mu"])[-1])[0]
                ),
                expected=lambda i, _: shift(i),
                relation=">=",
            ),
            Instance(np.eye(2), [0, 1], 1, extra={"mu": np.array([2.0, -1])}),
        ),
    ),
    printed=(
        Printed(
            r"$T_r^{-1} = (T_{r-1} + \mu_r \tilde K_r)^{-1}$ for mixture weights "
            r"$\mu_r \in \mathbb R$",
            "missing hypothesis",
            "Section 4.3 has the condition, for the ridge weights: 'Note that to "
            "ensure that the resulting matrix is SPSD for use in subsequent "
            "kernel-based algorithms, the optimization problem must be augmented with "
            "standard non-negativity constraints.' Section 4.3.1 does not repeat it. "
            "Without it the recursion can meet a singular matrix on its way to one "
            "that is invertible: for the numbers "
            r"$\alpha = 1$, $\tilde K_1 = \tilde K_2 = 1$ and $\mu = (-1, 2)$ it has "
            "$T_1 = 0$ and $T_2 = 2$. With weights that are not negative every "
            r"$T_r \succeq \alpha I$, and nothing can go wrong.",
            Claim(
                "every matrix on the way is invertible when the last one is",
                observe=lambda i, _: all(
                    bool(np.linalg.matrix_rank(T) == i.n)
                    for T in _of_experts(i, i.extra["mu"])
                ),
                expected=lambda i, _: bool(
                    np.linalg.matrix_rank(_of_experts(i, i.extra["mu"])[-1]) == i.n
                ),
            ),
            Instance([[1.0]], [0, 0], 1, extra={"mu": np.array([-1.0, 2])}),
        ),
    ),
)
