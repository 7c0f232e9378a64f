"""Part II: mixtures of Nyström approximations and how to weight them.

Talwalkar 2010, section 4.3, equations (4.1) and (4.2), exponential weights.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import sympy as sp
from scipy.special import logsumexp, xlogy

from nystheory import ensemble
from nystheory.theorems.base import Claim, Control, Hypothesis, Printed, Theorem
from nystheory.theorems.derivation import Step, letters
from nystheory.theorems.ensembles import mixtures
from nystheory.theorems.ensembles.mixtures import experts, mix, weights
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import quantity
from nystheory.theorems.routes import RANK_IN_RANGE, one

# --- (4.1): convex mixtures -------------------------------------------------------

# Eigenvalues relative to K that count as zero, and those that surely are not.
NOTHING, SOMETHING = 1e-12, 1e-6


def _package_mixture(i: Instance, _) -> np.ndarray:
    mixture = ensemble.Ensemble(mixtures.package_experts(i), weights(i))
    return mixture.spectral_reconstruction()


@lru_cache(maxsize=256)
def _mixture(i: Instance) -> np.ndarray:
    return mix(weights(i), experts(i))


def _excess(i: Instance, _) -> float:
    """By how much the error exceeds the mean error, in the worst of five norms."""
    mean = weights(i) @ mixtures.expert_errors(i)
    return float((mixtures.mixture_errors(i) - mean).max())


def _mean_of_errors(i: Instance, _) -> np.ndarray:
    return mix(weights(i), i.K - experts(i))


def _mean_over_largest(i: Instance, _) -> float:
    """By how much the mean error exceeds the largest, in the worst of five norms."""
    errors = mixtures.expert_errors(i)
    return float((weights(i) @ errors - errors.max(axis=0)).max())


def _most_negative(i: Instance, mixture) -> float:
    """Minus the smallest eigenvalue of the mixture and of K minus the mixture."""
    both = np.array([mixture, i.K - mixture])
    return -float(np.linalg.eigvalsh(both).min())


def _between_exactly(i: Instance) -> bool:
    """``0 <= M <= K`` for the weights 1, .., p over their sum, in fractions."""
    made, K = mixtures.exact_experts(i), mixtures.fractions_of(i.K)
    total = sum(range(1, len(made) + 1))
    mixture = sum(r * made[r - 1] for r in range(1, len(made) + 1))
    below = mixtures.pivots(total * K - mixture)
    return mixtures.pivots(mixture) is not None and below is not None


def _rank(values, i: Instance) -> int:
    return int((values > SOMETHING * i.norm_K).sum())


def _rank_bounds(i: Instance, mu) -> bool:
    counting = experts(i)[mu != 0]
    ranks = [_rank(np.linalg.eigvalsh(each), i) for each in counting]
    mixed = np.linalg.svd(mix(mu, experts(i)), compute_uv=False)
    most = len(experts(i)) * i.k
    return max(ranks) <= _rank(mixed, i) <= sum(ranks) <= most


def _ranks_are_clear(i: Instance) -> bool:
    """No weight and no eigenvalue is so small that rounding may hide it."""
    mu = weights(i)
    if ((mu > 0) & (mu < 1e-3)).any():
        return False
    values = np.linalg.eigvalsh(np.array([*experts(i), _mixture(i)]))
    grey = (values > NOTHING * i.norm_K) & (values < 1e3 * SOMETHING * i.norm_K)
    return not bool(grey.any())


def _ranks_exactly(i: Instance) -> bool:
    made = mixtures.exact_experts(i)
    ranks = [len(mixtures.pivots(each)) for each in made]
    mixture = sum((r + 1) * each for r, each in enumerate(made))
    return max(ranks) <= len(mixtures.pivots(mixture)) <= sum(ranks)


def _derive_convexity():
    K, A, B = letters("K K_1 K_2")
    m = sp.Symbol("mu", positive=True)
    return (
        Step(K - m * A - (1 - m) * B, "the error of a mixture of two"),
        Step(
            m * (K - A) + (1 - m) * (K - B),
            "the weights sum to one: the mean of the errors; now the triangle "
            "inequality",
        ),
    )


MIXTURE = Theorem(
    id="talwalkar2010:eq-4.1",
    part="II",
    kind="inequality",
    status="corrected",
    title="Convex mixtures of experts",
    number="equation (4.1)",
    statement=(
        r"Let $K$ be positive semidefinite, $\tilde K_1, \dots, \tilde K_p$ Nyström "
        r"approximations of $K$, each of rank at most $k$, and $\mu$ a point of the "
        r"simplex: $\mu_r \ge 0$ and $\sum_r \mu_r = 1$. "
        r"Let $\tilde K^{ens} = \sum_r \mu_r \tilde K_r$. Then in every norm "
        r"$\|K - \tilde K^{ens}\| \le \sum_r \mu_r \|K - \tilde K_r\| \le "
        r"\max_r \|K - \tilde K_r\|$. Moreover $0 \preceq \tilde K^{ens} \preceq K$, "
        r"and $\max_{\mu_r > 0} \operatorname{rank} \tilde K_r \le "
        r"\operatorname{rank} \tilde K^{ens} \le "
        r"\sum_{\mu_r > 0} \operatorname{rank} \tilde K_r \le pk$."
    ),
    hypotheses=(RANK_IN_RANGE,),
    claims=(
        Claim(
            "the Frobenius error is at most the mean error",
            observe=lambda i, _: float(np.linalg.norm(i.K - _mixture(i))),
            formula=Formula(mixtures.mean_error_F),
            relation="<=",
        ),
        Claim(
            "at most the mean error in five norms: Frobenius, spectral, trace, "
            "largest entry, largest row sum",
            observe=_excess,
            expected=lambda i, _: 0.0,
            relation="<=",
            scale=lambda i: i.norm_K * i.n,
        ),
        Claim(
            r"$0 \preceq \tilde K^{ens} \preceq K$",
            observe=lambda i, _: _most_negative(i, _mixture(i)),
            expected=lambda i, _: 0.0,
            relation="<=",
            exact=_between_exactly,
        ),
        Claim(
            "the rank lies between the largest rank of an expert and the sum, which "
            "is at most $pk$",
            observe=lambda i, _: _rank_bounds(i, weights(i)),
            applies=_ranks_are_clear,
            exact=_ranks_exactly,
        ),
        Claim(
            "the mixture of the package is the sum of the projections",
            observe=_package_mixture,
            expected=lambda i, _: _mixture(i),
            condition=mixtures.condition,
        ),
        Claim(
            "the error is the mean of the errors, matrices that they are: this and the "
            "triangle inequality are the first bound in every norm",
            observe=lambda i, _: i.K - _mixture(i),
            expected=_mean_of_errors,
        ),
        Claim(
            "the mean error is at most the largest, in the same five norms",
            observe=_mean_over_largest,
            expected=lambda i, _: 0.0,
            relation="<=",
            scale=lambda i: i.norm_K * i.n,
        ),
    ),
    complete=mixtures.with_weights,
    derivation=_derive_convexity,
    controls=(
        Control(
            Claim(
                "uniform weights are at least as good as the best expert",
                observe=lambda i, _: float(np.linalg.norm(i.K - _mixture(i))),
                expected=lambda i, _: float(mixtures.expert_errors(i)[:, 0].min()),
                relation="<=",
            ),
            Instance(np.diag([1.0, 0]), [0, 1], 1, extra={"mu": np.ones(2)}),
        ),
        Control(
            Claim(
                r"$\tilde K^{ens} \succeq 0$ for weights of any sign that sum to one",
                observe=lambda i, _: _most_negative(
                    i, mix(mixtures.signed(i), experts(i))
                ),
                expected=lambda i, _: 0.0,
                relation="<=",
            ),
            Instance(np.eye(2), [0, 1], 1, extra={"mu": np.array([2.0, -1])}),
        ),
        Control(
            Claim(
                "the rank is at least that of an expert for weights of any sign",
                observe=lambda i, _: _rank_bounds(i, mixtures.signed(i)),
            ),
            Instance(
                np.eye(3), [0, 1, 1, 2, 0, 2], 2, extra={"mu": np.array([1.0, -1, 1])}
            ),
        ),
        Control(
            Claim(
                "the error is the mean of the errors for weights of any sum",
                observe=lambda i, _: i.K - mix(mixtures.signed(i), experts(i)),
                expected=lambda i, _: mix(mixtures.signed(i), i.K - experts(i)),
            ),
            Instance([[1.0]], [0, 0], 1, extra={"mu": np.ones(2)}),
        ),
    ),
    printed=(
        Printed(
            r"$k \le \operatorname{rank} \tilde K^{ens} \le pk$",
            "missing hypothesis",
            r"The lower bound needs an expert of rank $k$ with a positive weight, and "
            "no negative weight beside it. Nyström approximations of rank $k$ may "
            r"have a lower rank: for $K = \operatorname{diag}(1, 0)$, $p = k = l = 1$ "
            "and the second column, $W = 0$ and the approximation is zero. In general "
            "position the printed bound is right for weights that are not negative.",
            Claim(
                r"the rank is at least $k$",
                observe=lambda i, _: float(np.linalg.matrix_rank(_mixture(i))),
                expected=lambda i, _: float(i.k),
                relation=">=",
                scale=one,
            ),
            Instance(np.diag([1.0, 0]), [1], 1),
        ),
    ),
)


# --- exponential weights ----------------------------------------------------------


def _errors(i: Instance) -> np.ndarray:
    """Errors to weight: those of the instance, else of its experts on all columns."""
    if "errors" in i.extra:
        return np.asarray(i.extra["errors"], dtype=float)
    return mixtures.expert_errors(i)[:, 0]


def _rate(i: Instance) -> float:
    return abs(mixtures.number(i, "learning_rate", 1.0)) + 1e-300


learning_rate = quantity(
    "learning_rate", r"\eta", "rate of exponential weights", chosen=True
)(_rate)


@quantity(
    "log_partition",
    r"\textstyle\ln\sum_r e^{-\eta\hat\epsilon_r}",
    "logarithm of the sum of the unscaled exponential weights",
    of_sample=True,
)
def log_partition(i: Instance) -> float:
    return float(logsumexp(-_rate(i) * _errors(i)))


def _with_errors(i: Instance, rng) -> Instance:
    """Errors of the experts on some columns, a rate from low to high, a competitor."""
    V = rng.permutation(i.n)[: rng.integers(1, i.n + 1)]
    errors = np.linalg.norm((i.K - experts(i))[:, :, V], axis=(1, 2))
    size = float(errors.max()) or 1.0
    return i.but(
        errors=errors,
        learning_rate=np.array([10.0 ** rng.uniform(-1, 3) / size]),
        mu=rng.dirichlet(np.ones(len(errors))),
    )


def _gibbs(i: Instance) -> np.ndarray:
    return ensemble.exponential_weights(_errors(i), _rate(i))


def _objective(i: Instance, mu) -> float:
    """``<mu, errors> - H(mu) / eta``."""
    return float(mu @ _errors(i) + xlogy(mu, mu).sum() / _rate(i))


def _divergence(i: Instance, _) -> float:
    """What the competitor loses, from the relative entropy to the weights."""
    mu, best = weights(i), _gibbs(i)
    value = -log_partition_of(i) / _rate(i)
    return value + float((xlogy(mu, mu) - mu * np.log(best)).sum()) / _rate(i)


def log_partition_of(i: Instance) -> float:
    """The logarithm of Z, the smallest error taken out first."""
    scaled = -_rate(i) * _errors(i)
    return float(scaled.max() + np.log(np.exp(scaled - scaled.max()).sum()))


def _is_worse(i: Instance, _) -> bool | None:
    """Whether a competitor loses; None where it is too near for float64 to tell.

    By Pinsker's inequality it loses half the square of its distance over the rate.
    """
    mu, best = weights(i), _gibbs(i)
    least = np.abs(mu - best).sum() ** 2 / (2 * _rate(i))
    if least < 1e-9 * _size_of_objective(i):
        return None
    return _objective(i, mu) > _objective(i, best)


def _size_of_objective(i: Instance) -> float:
    errors = _errors(i)
    return float(np.abs(errors).max() + (1 + np.log(len(errors))) / _rate(i))


def _range(i: Instance) -> float:
    """How far apart the exponents are."""
    return float(_rate(i) * np.ptp(_errors(i)))


def _largest_exponent(i: Instance) -> float:
    return float(_rate(i) * np.abs(_errors(i)).max())


def _naive(i: Instance) -> np.ndarray:
    with np.errstate(all="ignore"):
        unscaled = np.exp(-_rate(i) * _errors(i))
        return unscaled / unscaled.sum()


def _derive_gibbs():
    """Two experts: the derivative along the simplex vanishes at the weights."""
    m, a, b, eta = sp.symbols("mu a b eta", positive=True)
    objective = m * a + (1 - m) * b + (m * sp.log(m) + (1 - m) * sp.log(1 - m)) / eta
    slope = sp.diff(objective, m)
    odds = sp.exp(-eta * (a - b))
    return (
        Step(
            slope,
            r"derivative of $\langle \mu, \hat\epsilon \rangle - H(\mu) / \eta$ "
            "for two experts",
        ),
        Step(
            a - b + (sp.log(m) - sp.log(1 - m)) / eta,
            "collect; it increases with the weight, so that there is one zero",
        ),
        Step(
            a - b + sp.log(odds) / eta,
            r"at the odds $\mu_1 / \mu_2 = e^{-\eta(\hat\epsilon_1 - "
            r"\hat\epsilon_2)}$",
            {sp.log(m): sp.log(odds) + sp.log(1 - m)},
        ),
        Step(sp.Integer(0), "which is the zero"),
    )


def _alone(errors, eta, **extra) -> Instance:
    """Errors without a matrix behind them."""
    p = len(errors)
    given = {"errors": np.array(errors, dtype=float), "learning_rate": np.array([eta])}
    return Instance(np.eye(p), range(p), 1, extra=given | extra)


GIBBS = Theorem(
    id="talwalkar2010:exponential-weights",
    part="II",
    kind="identity",
    status="holds",
    title="Exponential weights minimise error minus entropy",
    number="section 4.3, exponential weight method",
    statement=(
        r"Let $\hat\epsilon \in \mathbb R^p$ and $\eta > 0$. The weights "
        r"$\mu_r = e^{-\eta \hat\epsilon_r} / Z$ with "
        r"$Z = \sum_r e^{-\eta \hat\epsilon_r}$ are the only minimiser of "
        r"$\langle \mu, \hat\epsilon \rangle - \eta^{-1} H(\mu)$ on the simplex, where "
        r"$H(\mu) = -\sum_r \mu_r \ln \mu_r$. The minimum is $-\eta^{-1} \ln Z$, and "
        r"every other point $\nu$ of the simplex loses "
        r"$\eta^{-1} \sum_r \nu_r \ln(\nu_r / \mu_r) > 0$. The weights do not change "
        r"when a constant is added to all $\hat\epsilon_r$."
    ),
    hypotheses=(
        Hypothesis(
            r"$\eta > 0$", ("learning_rate",), lambda learning_rate: learning_rate > 0
        ),
    ),
    claims=(
        Claim(
            "no point of the simplex does better",
            observe=lambda i, _: _objective(i, weights(i)),
            formula=Formula(-log_partition / learning_rate),
            relation=">=",
            scale=_size_of_objective,
        ),
        Claim(
            "the weights of the package attain the minimum",
            observe=lambda i, _: _objective(i, _gibbs(i)),
            formula=Formula(-log_partition / learning_rate),
            scale=_size_of_objective,
        ),
        Claim(
            "what a competitor loses is its relative entropy over the rate",
            observe=lambda i, _: _objective(i, weights(i)),
            expected=_divergence,
            applies=lambda i: _range(i) < 600,
            scale=_size_of_objective,
        ),
        Claim(
            "a constant added to all errors changes nothing",
            observe=lambda i, _: ensemble.exponential_weights(
                _errors(i) + 10 * np.abs(_errors(i)).max(), _rate(i)
            ),
            expected=lambda i, _: _gibbs(i),
            scale=one,
            # The sum is rounded to eps of itself, the exponential of the rest.
            condition=lambda i: 1 + 11 * _largest_exponent(i),
        ),
        Claim(
            "the definition as it stands, where no exponential underflows",
            observe=lambda i, _: _gibbs(i),
            expected=lambda i, _: _naive(i),
            applies=lambda i: _largest_exponent(i) < 600,
            scale=one,
            condition=lambda i: 1 + _largest_exponent(i),
        ),
        Claim(
            "every other point of the simplex does worse",
            observe=_is_worse,
        ),
    ),
    complete=_with_errors,
    derivation=_derive_gibbs,
    controls=(
        Control(
            Claim(
                "the definition as it stands gives weights of sum one in float64",
                observe=lambda i, _: bool(abs(_naive(i).sum() - 1) < 1e-9),
            ),
            _alone([1000.0, 1001], 1.0),
        ),
        Control(
            Claim(
                "all weight on the best expert minimises it too",
                observe=lambda i, _: _objective(i, weights(i)),
                formula=Formula(-log_partition / learning_rate),
                relation="<=",
            ),
            _alone([0.0, 1], 1.0, mu=np.array([1.0, 0])),
        ),
        Control(
            Claim(
                "a factor common to all errors changes nothing",
                observe=lambda i, _: ensemble.exponential_weights(2 * _errors(i), 1.0),
                expected=lambda i, _: _gibbs(i),
            ),
            _alone([0.0, 1], 1.0),
        ),
    ),
)
