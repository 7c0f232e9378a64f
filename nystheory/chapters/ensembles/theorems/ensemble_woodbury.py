"""Part II: inverses of low-rank matrices and of mixtures of them.

Talwalkar 2010, sections 3.2 and 4.3.1, equations (3.9) and (4.3).
"""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory import ensemble
from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem
from nystheory.engine.language.claims import Printed, Where
from nystheory.engine.trial.derivation import Derivation
from nystheory.engine.worlds import experts
from nystheory.engine.worlds.worlds import Given
from nystheory.lowrank import LowRank

# --- (4.3): one product -----------------------------------------------------------


class Product(Instance):
    """The columns of one matrix with a ridge, and a matrix to which a product comes."""

    A_0 = Given("A", "an invertible matrix, n x n", axes=("n", "n"))
    B_0 = Given("B", "left factor, n x l", axes=("n", "l"))
    M_0 = Given("M", "core, l x l", axes=("l", "l"))
    D_0 = Given("D", "right factor, l x n", axes=("l", "n"))

    @classmethod
    def drawn(cls, instance, rng):
        """A ridge, a dominant diagonal for A, and a core that is singular at times."""
        if instance.norm_K == 0:
            return None
        n, l = instance.n, instance.l  # noqa: E741
        A, B, M, D = (
            rng.integers(-1, 2, shape).astype(float)
            for shape in ((n, n), (n, l), (l, l), (l, n))
        )
        M[0] *= rng.integers(2)
        alpha = instance.norm_K * 2.0 ** rng.integers(-6, 3)
        A = A + (n + 1) * np.eye(n)
        return instance.but(A_0=A, B_0=B, M_0=M, D_0=D, alpha=alpha)


_PRODUCT = "B_0 @ M_0 @ D_0"
_MIDDLE = "M_0 @ D_0 @ inv(A_0) @ B_0"
_REST = "M_0 @ D_0 @ inv(A_0)"
_INVERSE = f"inv(A_0) - inv(A_0) @ B_0 @ N @ {_REST}"
_FIRST = f"identity(n) + B_0 @ {_REST} - B_0 @ N @ {_REST}"
# Two ways to write the correction of an invertible core.
_OF_CORE = "B_k @ inv(core_values + B_k.T @ B_k / alpha) @ B_k.T"
_OF_COLUMNS = "C @ inv(pinv(core_inverse) + C.T @ C / alpha) @ C.T"

# A core of rank 1 of two, in the product and in K.
_UNIT = [[1, 0], [0, 1]]
_FACTORS = {"A_0": _UNIT, "B_0": _UNIT, "M_0": [[1, 0], [0, 0]], "D_0": _UNIT}
_TWO = Product.exactly([0, 1], 1, matrix=[[2, 0], [0, 1]], alpha=1, **_FACTORS)

WOODBURY = Theorem(
    id="talwalkar2010:eq-4.3",
    kind="identity",
    status="holds",
    title="Woodbury with a singular core",
    number="equations (4.3) and (3.9)",
    setting=(
        r"Let $A$ be an invertible $n \times n$ matrix, and let $B$, $M$, $D$ be "
        r"matrices of $n \times l$, $l \times l$, $l \times n$; the core $M$ need not "
        r"be invertible. Let $\tilde K = C W_k^+ C^\top$ and $W_k = U_{W,k} "
        r"\Sigma_{W,k} U_{W,k}^\top$."
    ),
    hypotheses={"rank": Hypothesis("1 <= k <= l", domain=True)},
    where={
        "N": Where("N", f"inv(identity(l) + {_MIDDLE})"),
        "B_k": Where("B_k", "C @ core_vectors"),
    },
    claims={
        "determinant": f"det(A_0 + {_PRODUCT}) == det(A_0)"
        f" * det(identity(l) + {_MIDDLE})",
        "inverse": Claim(
            f"inv(A_0 + {_PRODUCT}) == {_INVERSE}",
            when=f"det(A_0 + {_PRODUCT}) != 0",
        ),
        "core": Claim(
            "inv(alpha * identity(n) + approximation) == (identity(n) - C @ "
            "inv(alpha * identity(l) + core_inverse @ C.T @ C) @ core_inverse @ C.T) "
            "/ alpha",
            says=r"For $\tilde K$ this reads",
        ),
        "determinant of the core": "det(identity(n) + approximation / alpha) "
        "== det(identity(l) + core_inverse @ C.T @ C / alpha)",
        "invertible core": Claim(
            "inv(alpha * identity(n) + approximation) == identity(n) / alpha "
            f"- {_OF_CORE} / alpha ** 2",
            when="k <= rank_W",
        ),
    },
    world=Product,
    derivation=Derivation(
        "inverse",
        (
            (f"(A_0 + {_PRODUCT}) @ ({_INVERSE})", "the claim is that this is $I$"),
            (f"{_FIRST} - B_0 @ {_MIDDLE} @ N @ {_REST}", "$A A^{-1} = I$"),
            (
                f"{_FIRST} - B_0 @ (identity(l) - N) @ {_REST}",
                "$M D A^{-1} B N = I - N$, since $(I + M D A^{-1} B) N = I$",
            ),
            ("identity(n)", "what is left cancels"),
        ),
        rules={"A_0 @ inv(A_0)": "identity(n)", f"{_MIDDLE} @ N": "identity(l) - N"},
    ),
    controls={
        "without A": Control("determinant", _TWO, {"det(A_0) *": "2 * det(A_0) *"}),
        "without the inverse in the middle": Control("inverse", _TWO, {" @ N": ""}),
        "without the ridge": Control(
            "core", _TWO, {"inv(alpha * identity(l) + ": "inv(identity(l) / 2 + "}
        ),
        "without the core": Control(
            "determinant of the core", _TWO, {"core_inverse @ C.T @": "C.T @"}
        ),
        "a pseudo-inverse of the core": Control(
            "invertible core", _TWO, {_OF_CORE: _OF_COLUMNS}
        ),
    },
)


# --- section 4.3.1: mixtures ------------------------------------------------------


class Factors(experts.Experts):
    """Experts that are given by their factors, and a ridge."""

    factors = Given(
        "F", "factors of the experts side by side, n x p k", axes=("n", "pk")
    )

    @classmethod
    def drawn(cls, instance, rng):
        """Factors of integers, in powers of two about the size of K, and a ridge."""
        if instance.norm_K == 0:
            return None
        i = super().drawn(instance, rng)
        size = 4.0 ** np.round(np.log2(i.norm_K) / 2)
        shape = i.n, len(i.weights) * i.k
        factors = rng.integers(-2, 3, shape) * np.sqrt(size)
        return i.but(factors=factors, alpha=size * 2.0 ** rng.integers(-4, 3))

    @classmethod
    def example(cls, factors, weights, alpha=1):
        """Factors in exact numbers, of rank one each, beside the matrix I."""
        unit = np.eye(len(factors), dtype=int).tolist()
        given = {"factors": factors, "weights": weights, "alpha": alpha}
        return cls.exactly([0], 1, matrix=unit, **given)


def _factors(i) -> list[np.ndarray]:
    return np.split(np.asarray(i.factors), len(experts.weights_of(i)), axis=1)


def _sums(i) -> list[np.ndarray]:
    """``T_0, ..., T_p``."""
    T = [float(i.alpha) * np.eye(i.n)]
    for weight, F in zip(experts.weights_of(i), _factors(i), strict=True):
        T.append(T[-1] + weight * F @ F.T)
    return T


def _spread(i) -> float:
    """Largest over smallest eigenvalue of ``T_p``, at most."""
    return 1 + np.linalg.norm(np.abs(_sums(i)[-1])) / float(i.alpha)


def _relative_ridge(i) -> float:
    return float(i.alpha) / i.norm_K


of_sum = partial(Factors.quantity, condition=lambda i: _spread(i) * _relative_ridge(i))
of_inverse = partial(
    Factors.quantity,
    unit=-1.0,
    condition=lambda i: _spread(i) ** 2 / _relative_ridge(i),
)
count = partial(Factors.quantity, unit=None)


@of_sum(r"\textstyle\sum_r \mu_r F_r F_r^\top", "mixture of products")
def mixed(i):
    return experts.mix(experts.weights_of(i), [F @ F.T for F in _factors(i)])


@of_sum(r"\lambda_{\min}(T_r)", r"smallest eigenvalues of $T_1, \dots, T_p$")
def lowest(i):
    return np.array([np.linalg.eigvalsh(T)[0] for T in _sums(i)[1:]])


@of_inverse("R_p", "end of the recursion")
def recursion_end(i):
    R = np.eye(i.n) / float(i.alpha)
    for weight, F in zip(experts.weights_of(i), _factors(i), strict=True):
        inner = np.eye(F.shape[1]) + weight * F.T @ R @ F
        R = R - weight * R @ F @ np.linalg.solve(inner, F.T @ R)
    return R


@of_inverse("T_p^{-1}", r"inverse of $\alpha I$ plus the mixture, by the package")
def solved(i):
    k = i.k
    made = [LowRank("given", i.n, None, k, k, False, None, F) for F in _factors(i)]
    mixture = ensemble.Ensemble(made, experts.weights_of(i))
    return mixture.solve(np.eye(i.n), float(i.alpha))


def _rank(i, change):
    """Rank of a change of the inverse; None where float64 cannot tell it."""
    size = np.linalg.svd(change, compute_uv=False) * float(i.alpha)
    clear = ~((size > 1e-13 * _spread(i)) & (size < 1e-8))
    return int((size > 1e-8).sum()) if clear.all() else None


@count(
    r"\operatorname{rank}(T_r^{-1} - T_{r-1}^{-1})",
    "largest rank of a change of the inverse",
)
def step_rank(i):
    inverses = [np.linalg.inv(T) for T in _sums(i)]
    steps = zip(inverses, inverses[1:], strict=False)
    ranks = [_rank(i, after - before) for before, after in steps]
    return None if None in ranks else max(ranks)


@count(
    r"\operatorname{rank}(T_p^{-1} - T_1^{-1})",
    "rank of the change of the inverse from the first expert to all",
)
def join_rank(i):
    T = _sums(i)
    return _rank(i, np.linalg.inv(T[-1]) - np.linalg.inv(T[1]))


@of_sum("G", "factors side by side, times roots of the weights", unit=0.5)
def stacked(i):
    if experts.weights_of(i).min() < 0:
        return None
    roots = np.sqrt(experts.weights_of(i))
    return np.hstack([x * F for x, F in zip(roots, _factors(i), strict=True)])


@count(
    r"\textstyle\min_r \operatorname{rank} T_r", r"smallest rank of $T_1, \dots, T_p$"
)
def smallest_rank(i):
    return min(np.linalg.matrix_rank(T) for T in _sums(i)[1:])


_HALVES = Factors.example(_UNIT, ["1/4", "1/4"], alpha=2)

ENSEMBLE_WOODBURY = Theorem(
    id="talwalkar2010:ensemble-woodbury",
    kind="identity",
    status="corrected",
    title="Inverting a mixture",
    number="section 4.3.1",
    setting=(
        r"Let $\tilde K_r = F_r F_r^\top$ with factors $F_r$ of $k$ columns each, "
        r"$T_0 = \alpha I$ and $T_r = T_{r-1} + \mu_r \tilde K_r$. Let $R_0 = "
        r"\alpha^{-1} I$ and $R_r = R_{r-1} - \mu_r R_{r-1} F_r (I + \mu_r F_r^\top "
        r"R_{r-1} F_r)^{-1} F_r^\top R_{r-1}$, and let $G = [\sqrt{\mu_1} F_1, \dots, "
        r"\sqrt{\mu_p} F_p]$."
    ),
    hypotheses={"nonnegative": "weights >= 0"},
    where={"N": Where("N", "inv(alpha * identity(p * k) + stacked.T @ stacked)")},
    claims={
        "order": Claim("lowest >= alpha", says=r"Every $T_r \succeq \alpha I$:"),
        "recursion": Claim(
            "recursion_end == solved",
            says="The recursion ends with the inverse of the sum,",
        ),
        "inverse": "solved @ (alpha * identity(n) + mixed) == identity(n)",
        "step": Claim(
            "step_rank <= k", says="each step changes the inverse by rank $k$ at most,"
        ),
        "side by side": Claim(
            "stacked @ stacked.T == mixed", says="One inverse is enough:"
        ),
        "stack": "inv(alpha * identity(n) + stacked @ stacked.T) "
        "== (identity(n) - stacked @ N @ stacked.T) / alpha",
    },
    world=Factors,
    derivation=Derivation(
        "stack",
        (
            (
                "(alpha * identity(n) + stacked @ stacked.T) "
                "@ (identity(n) - stacked @ N @ stacked.T) / alpha",
                "the claim is that this is $I$",
            ),
            (
                "identity(n) + stacked @ stacked.T / alpha - stacked @ N @ stacked.T "
                "- stacked @ (identity(p * k) - alpha * N) @ stacked.T / alpha",
                r"$G^\top G N = I - \alpha N$",
            ),
            ("identity(n)", "what is left cancels"),
        ),
        rules={"stacked.T @ stacked @ N": "identity(p * k) - alpha * N"},
    ),
    controls={
        "weights of any sign": Control(
            "order", Factors.example(_UNIT, [2, -1]), drops="nonnegative"
        ),
        "without the ridge": Control(
            "recursion", _HALVES, {"solved": "inv(identity(n) + mixed)"}
        ),
        "a ridge of one": Control("inverse", _HALVES, {"alpha * ": ""}),
        "two halves of a tree": Control(
            "step",
            Factors.example(np.eye(3, dtype=int).tolist(), [1] * 3),
            {"step": "join"},
        ),
        "without the weights": Control("side by side", _HALVES, {"mixed": "4 * mixed"}),
        "without the inverse in the middle": Control("stack", _HALVES, {" @ N": ""}),
    },
    printed={
        "any weights": Printed(
            "smallest_rank == n",
            "missing hypothesis",
            "The weights are real numbers in the thesis's section 4.3, which has the "
            "condition for the ridge weights: 'Note that to ensure that the resulting "
            "matrix is SPSD for use in subsequent kernel-based algorithms, the "
            "optimization problem must be augmented with standard non-negativity "
            "constraints.' Its section 4.3.1 does not repeat it. Without it the "
            "recursion can meet a singular matrix on its way to one that is "
            "invertible: for the numbers "
            r"$\alpha = 1$, $\tilde K_1 = \tilde K_2 = 1$ and $\mu = (-1, 2)$ it has "
            "$T_1 = 0$ and $T_2 = 2$. With weights that are not negative every "
            r"$T_r \succeq \alpha I$, and nothing can go wrong.",
            Factors.example([[1, 1]], [-1, 2]),
            drops="nonnegative",
            says=r"the weight $\mu_r \in \mathbb R$ … $T_p^{-1} = (T_{p-1} + \mu_p "
            r"\tilde K_p)^{-1}$",
        )
    },
)
