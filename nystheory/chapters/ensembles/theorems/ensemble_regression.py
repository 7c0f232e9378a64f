"""Part II: mixture weights by ridge regression on sampled columns.

Talwalkar 2010, section 4.3, equation (4.2).
"""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np

from nystheory import ensemble
from nystheory.engine import Claim, Control, Hypothesis, Theorem
from nystheory.engine.language.claims import Printed, Where
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds import experts
from nystheory.engine.worlds.worlds import Given
from nystheory.kernels import DenseKernel

# Singular values of the regression relative to the largest: zeros of the data below.
ZERO = 1e-12


class Regression(experts.Experts):
    """Experts whose weights are fitted by ridge regression on some of the columns."""

    ridge = Given(
        r"\lambda", "ridge of the weights, in units of K squared", range="ridge >= 0"
    )
    V = Given("V", "validation columns: where the entry is positive", axes=("n",))
    free = Given(
        r"\omega", "weights of which only the part that G deletes counts", axes=("p",)
    )

    @classmethod
    def drawn(cls, instance, rng):
        """Weights of any sign, some or all columns for V, a ridge or none."""
        n = instance.n
        size = float(np.sum(instance.K**2)) or 1.0
        count = int(rng.integers(1, min(instance.l, experts.MOST) + 1))
        weights = rng.standard_normal(count)
        every = rng.random() < 0.6
        V = np.ones(n) if every else rng.permutation(np.arange(n) - n // 2)
        return instance.but(
            weights=np.abs(weights) if rng.random() < 0.4 else weights,
            V=V if (V > 0).any() else np.ones(n),
            ridge=0.0 if rng.random() < 0.5 else size * 10.0 ** rng.uniform(-6, 1),
            free=rng.standard_normal(count),
        )

    @classmethod
    def example(cls, K, landmarks, weights, V=(1, 1), ridge=0, rank=1):
        """K in exact numbers, and no free weights."""
        given = {"weights": weights, "V": V[: len(K)], "ridge": ridge}
        free = [0] * len(weights)
        return cls.exactly(landmarks, rank, matrix=K, free=free, **given)


def _columns(i) -> np.ndarray:
    return np.flatnonzero(np.asarray(i.V) > 0)


@lru_cache(maxsize=64)
def _regression(i):
    """The experts on the columns V as columns of A, and K on them as b."""
    V, made = _columns(i), experts.projections(i)
    return made[:, :, V].reshape(len(made), -1).T, i.K[:, V].ravel()


@lru_cache(maxsize=64)
def _svd(i):
    """Of the regression, cut at its numerical rank: U, s, and all of V'."""
    U, s, Vt = np.linalg.svd(_regression(i)[0], full_matrices=False)
    kept = s > ZERO * max(s.max(initial=0.0), i.norm_K)
    return U[:, kept], s[kept], Vt, kept


def _misfit(i, weights) -> float:
    """``|sum mu_r K~_r[:, V] - K[:, V]|_F^2``."""
    A, b = _regression(i)
    return float(((A @ weights - b) ** 2).sum())


def _square(i, weights) -> float:
    return float(((experts.mix(weights, experts.projections(i)) - i.K) ** 2).sum())


def _of_system(i):
    """Largest over smallest eigenvalue that counts of ``G + lambda I``.

    The largest is that of K at least: so large are the numbers that made the experts.
    """
    _, s, _, kept = _svd(i)
    ridge = float(i.ridge)
    if not len(s):
        return 1.0
    least = s[-1] ** 2 if kept.all() or ridge == 0 else 0.0
    return experts.condition(i) * (max(s[0], i.norm_K) ** 2 + ridge) / (least + ridge)


square = partial(Regression.quantity, when=SAMPLE, unit=2.0)
by_package = partial(square, condition=experts.condition)
fitted = partial(square, condition=_of_system)


@Regression.quantity("s", "number of validation columns", unit=None)
def s(i):
    return len(_columns(i))


@Regression.quantity(
    r"|S \cup V|", "columns of the samples and of V", SAMPLE, unit=None
)
def seen(i):
    return len(np.union1d(i.landmarks, _columns(i)))


@Regression.quantity(r"\|K_V\|_F^2", "square of the validation columns", unit=2.0)
def square_V(i):
    return (i.K[:, _columns(i)] ** 2).sum()


@lru_cache(maxsize=64)
def _equations(i):
    K = DenseKernel(i.K)
    return ensemble.normal_equations(K, experts.by_package(i), _columns(i))


@by_package("G", "inner products of the experts on V, by the package")
def G(i):
    return _equations(i)[0]


@by_package("g", "inner products of the experts with K on V, by the package")
def g(i):
    return _equations(i)[1]


@Regression.quantity(
    r"\mu^*",
    "ridge weights, by the package; the shortest solution without a ridge",
    SAMPLE,
    unit=0.0,
    condition=_of_system,
)
def best_weights(i):
    return ensemble.ridge_weights(G(i), g(i), float(i.ridge))


@fitted(r"g^\top (G + \lambda I)^+ g", "what the best weights take from the objective")
def explained(i):
    """From the singular values of the regression: G is not formed."""
    (U, s, _, _), b = _svd(i), _regression(i)[1]
    return ((U.T @ b) ** 2 * s**2 / (s**2 + float(i.ridge))).sum()


_MISFIT = r"\bigl\|\textstyle\sum_r {} \tilde K_r^V - K_V\bigr\|_F^2"


@square(_MISFIT.format(r"\mu_r"), "squared error on V of the weights")
def misfit(i):
    return _misfit(i, experts.weights_of(i))


@fitted(_MISFIT.format(r"\mu^*_r"), "squared error on V of the best weights")
def best_misfit(i):
    return _misfit(i, best_weights(i))


@fitted(
    r"\textstyle\min_\nu " + _MISFIT.format(r"\nu_r"),
    "smallest squared error on V of any weights",
)
def least_misfit(i):
    """The squared distance of K_V from the span of the experts, by projection."""
    U, b = _svd(i)[0], _regression(i)[1]
    return ((b - U @ (U.T @ b)) ** 2).sum()


@by_package(
    _MISFIT.format(r"\mu'_r"),
    "squared error on V of a solution of the equations without a ridge",
)
def solution_misfit(i):
    """Of the shortest solution plus what G deletes of the free weights."""
    (U, s, Vt, kept), b = _svd(i), _regression(i)[1]
    deleted = Vt[~kept]
    free = deleted.T @ (deleted @ np.asarray(i.free))
    return _misfit(i, Vt[kept].T @ ((U.T @ b) / s) + free)


@fitted(
    r"\|K - \textstyle\sum_r \mu^*_r \tilde K_r\|_F^2",
    "squared error of the best weights on all columns",
)
def fitted_square(i):
    return _square(i, best_weights(i))


@square(r"\|K - \tilde K_r\|_F^2", "squared errors of the experts")
def expert_squares(i):
    return ((i.K - experts.projections(i)) ** 2).sum(axis=(1, 2))


@square(
    r"\|K - \textstyle\frac1p \sum_r \tilde K_r\|_F^2",
    "squared error of equal weights",
)
def equal_square(i):
    count = len(experts.weights_of(i))
    return _square(i, np.full(count, 1 / count))


@Regression.quantity("c", "sum of the weights where every expert is K itself", unit=0.0)
def exact_sum(i):
    size, count = square_V(i), len(experts.weights_of(i))
    equations = np.full((count, count), size), np.full(count, size)
    return ensemble.ridge_weights(*equations, float(i.ridge)).sum()


_UNIT, _FLAT = [[1, 0], [0, 1]], [[1, 0], [0, 0]]
_ONE = Regression.example([[1]], [0], ["1/2"], ridge=1)
_ZERO = Regression.example([[1]], [0], [0])
# One matrix twice, as two experts.
_SAME = Regression.example([[1]], [0, 0], [1, 0], ridge="1/100")
_SAME_WITH_RIDGE = Regression.example([[1]], [0, 0], ["2/3", 0], ridge=1)
_SOME_COLUMNS = Regression.example(_UNIT, [0, 1], [1, 1], V=(1, -1))
_STILL_IN_ORDER = Regression.example(_UNIT, [0, 1, 0], [2, -1], rank=2)
_BOTH_SIGNS = Regression.example(_UNIT, [0, 1], [1, -1])
_LESS = {"explained": "0.9 * explained"}

RIDGE_WEIGHTS = Theorem(
    id="talwalkar2010:eq-4.2",
    kind="identity",
    status="holds",
    title="Ridge weights",
    number="equation (4.2)",
    setting=(
        r"Let $V$ be a set of $s$ columns, $K_V$ and $\tilde K_r^V$ those columns of "
        r"$K$ and of $p$ experts, $G_{rq} = \langle \tilde K_r^V, \tilde K_q^V "
        r"\rangle_F$ and $g_r = \langle \tilde K_r^V, K_V \rangle_F$. Minimise "
        r"$\lambda \|\mu\|_2^2 + \bigl\|\sum_r \mu_r \tilde K_r^V - K_V \bigr\|_F^2$."
    ),
    hypotheses={"columns": Hypothesis("s >= 1", domain=True)},
    where={"mu": Where(r"\mu", "weights", told=False)},
    claims={
        "bound": "ridge * sum(weights ** 2) + misfit >= square_V - explained",
        "closed form": Claim(
            "best_weights == inv(G + ridge * identity(p)) @ g",
            when="ridge > 0",
            says=r"The best weights are $\mu^*$;",
        ),
        "minimum": Claim(
            "ridge * sum(best_weights ** 2) + best_misfit == square_V - explained",
            says="and the best weights attain it:",
        ),
        "only": Claim(
            "ridge * sum(weights ** 2) + misfit >= square_V - explained "
            "+ ridge * sum((weights - best_weights) ** 2)",
            when="ridge > 0",
            says="they are the only ones",
        ),
        "solutions": Claim(
            "solution_misfit == least_misfit",
            says=r"For $\lambda = 0$ the minimisers are the solutions of $G \mu = g$: "
            r"for every solution $\mu'$",
        ),
        "no others": Claim(
            "misfit >= least_misfit + norm_2(G @ mu - g) ** 2 / norm_2(G)",
            when="norm_2(G) > 0",
            says="and for all weights",
        ),
        "best expert": Claim(
            "fitted_square <= min(expert_squares)", when="ridge == 0 and s == n"
        ),
        "equal weights": Claim(
            "fitted_square <= equal_square", when="ridge == 0 and s == n"
        ),
        "exact experts": Claim(
            "exact_sum == p * square_V / (p * square_V + ridge)",
            when="p * square_V + ridge > 0",
            says="If all experts equal $K$, the mixture is $c K$",
        ),
        "order": Claim("below(0, mixture)", when="weights >= 0"),
    },
    world=Regression,
    controls={
        "a higher bound": Control("bound", _ONE, _LESS),
        "a negative ridge": Control(
            "bound", Regression.example([[1]], [0], [0], ridge=-2), drops="ridge"
        ),
        "without the ridge": Control(
            "closed form", _ONE, {"G + ridge * identity(p)": "G"}
        ),
        "a higher minimum": Control("minimum", _ONE, _LESS),
        "a tenth for any ridge": Control("only", _SAME, {"+ ridge": "+ 0.1"}),
        "a larger loss": Control(
            "only", _SAME_WITH_RIDGE, {"+ ridge": "+ 1.1 * ridge"}
        ),
        "any weights": Control("solutions", _ZERO, {"solution_misfit": "misfit"}),
        "twice the residual": Control(
            "no others", _ZERO, {"/ norm_2(G)": "/ (norm_2(G) / 2)"}
        ),
        "equal weights as good as the best": Control(
            "best expert",
            Regression.example(_FLAT, [0, 1], [1, 1]),
            {"fitted": "equal"},
        ),
        "fitted to some columns": Control(
            "equal weights", _SOME_COLUMNS, lacks="s == n"
        ),
        "exact experts stay exact": Control(
            "exact experts", _ONE, {"p * square_V / (p * square_V + ridge)": "1"}
        ),
        "semidefinite by weights of one sign only": Control(
            "order", _STILL_IN_ORDER, {"mixture)": "mixture) == (weights >= 0)"}
        ),
        "weights of both signs": Control("order", _BOTH_SIGNS, lacks="weights >= 0"),
    },
    printed={
        "columns of S and V": Printed(
            "seen == s",
            "misprint",
            "A few lines earlier $K_V$ has the columns in $V$ alone, and so have the "
            r"matrices $\tilde K_r^V$ that it is compared with. With the columns of "
            "both samples the difference in the objective is one of matrices of "
            "different shapes as soon as a landmark is not in $V$: for $n = 2$, "
            r"$S = \{1\}$ and $V = \{2\}$ it would be two columns less one.",
            Regression.example(_UNIT, [0], [1], V=(-1, 1)),
            says="$K_V$ denotes the matrix formed by the columns of the samples $S$ "
            "and $V$",
        )
    },
)
