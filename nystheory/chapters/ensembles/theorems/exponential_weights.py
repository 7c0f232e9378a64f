"""Part II: exponential weights, the compromise between trust and evenness.

Talwalkar 2010, section 4.3, exponential weight method.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.special import logsumexp, xlogy

from nystheory import ensemble
from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem, Where
from nystheory.engine.worlds.experts import in_64ths
from nystheory.engine.worlds.worlds import Given


class ExpertErrors(Instance):
    """Errors of some experts, and a point of the simplex beside their weights."""

    expert_errors = Given(r"\hat\epsilon_r", "errors of the experts", axes=("p",))
    eta = Given(r"\eta", "rate of exponential weights", range="eta > 0")
    nu = Given(r"\nu_r", "a point of the simplex", axes=("p",))
    added = Given("c", "a constant that is added to all errors")

    @classmethod
    def drawn(cls, instance, rng):
        """Errors of some experts, a rate from low to high, a competitor of 64ths."""
        count = int(rng.integers(2, 5))
        errors = rng.exponential(size=count) * 10.0 ** rng.uniform(-3, 3)
        return instance.but(
            expert_errors=errors,
            eta=10.0 ** rng.uniform(-1, 2) / errors.max(),
            nu=in_64ths(rng, count),
            added=errors.max() * rng.uniform(-2, 2),
        )

    @classmethod
    def example(cls, errors, nu, eta=1):
        """Errors without a matrix behind them."""
        given = {"expert_errors": errors, "nu": nu, "eta": eta, "added": 1}
        return cls.exactly([0], 1, matrix=[[1]], **given)


def _errors(i):
    return np.asarray(i.expert_errors, dtype=float)


def _largest_exponent(i):
    """The exponents are rounded to eps of themselves."""
    return 1 + np.abs(i.eta * _errors(i)).max()


of_exponents = partial(ExpertErrors.quantity, unit=0.0, condition=_largest_exponent)


@of_exponents(r"\mu_r", "exponential weights, by the package")
def gibbs(i):
    return ensemble.exponential_weights(_errors(i), i.eta)


@of_exponents(r"\log Z", "logarithm of the sum of the unscaled weights")
def log_partition(i):
    return logsumexp(-i.eta * _errors(i))


@of_exponents(r"H(\mu)", "entropy of the exponential weights")
def gibbs_entropy(i):
    return -xlogy(gibbs(i), gibbs(i)).sum()


@ExpertErrors.quantity(r"H(\nu)", "entropy of the competitor", unit=0.0)
def nu_entropy(i):
    nu = np.asarray(i.nu)
    return -xlogy(nu, nu).sum()


@of_exponents(
    r"\textstyle\sum_r \nu_r \log(\nu_r / \mu_r)",
    "relative entropy of the competitor to the exponential weights",
)
def relative_entropy(i):
    """None where a weight underflows, so that its logarithm is lost."""
    nu, mu = np.asarray(i.nu), gibbs(i)
    if mu.min() < 1e-300:
        return None
    return (xlogy(nu, nu) - nu * np.log(mu)).sum()


# The definition for other errors.
_WEIGHTS = "exp(-eta * ({0})) / sum(exp(-eta * ({0})))"
_SHIFTED = _WEIGHTS.format("expert_errors + added")
_DOUBLED = _WEIGHTS.format("2 * expert_errors")

_TWO = ExpertErrors.example([0, 1], [1, 0])

GIBBS = Theorem(
    id="talwalkar2010:exponential-weights",
    kind="identity",
    status="holds",
    title="Exponential weights minimise error minus entropy",
    number="section 4.3, exponential weight method",
    setting=(
        r"Let $\hat\epsilon, \nu \in \mathbb R^p$, $c \in \mathbb R$ and "
        r"$H(\nu) = -\sum_r \nu_r \log \nu_r$."
    ),
    hypotheses={
        "nonnegative": Hypothesis("nu >= 0", domain=True),
        "sum": "sum(nu) == 1",
    },
    where={"total": Where("Z", "sum(exp(-eta * expert_errors))")},
    claims={
        "definition": Claim(
            "gibbs == exp(-eta * expert_errors) / total", says="The weights are"
        ),
        "minimum": Claim(
            "sum(gibbs * expert_errors) - gibbs_entropy / eta == -log_partition / eta",
            says=r"The error of the weights less their entropy over $\eta$ is",
        ),
        "bound": Claim(
            "sum(nu * expert_errors) - nu_entropy / eta >= -log_partition / eta",
            says=r"They minimise the error less the entropy over $\eta$: for every "
            r"point $\nu$ of the simplex",
        ),
        "loss": Claim(
            "sum(nu * expert_errors) - nu_entropy / eta "
            "== -log_partition / eta + relative_entropy / eta",
            says=r"What a point $\nu$ loses is its relative entropy over $\eta$:",
        ),
        "only": Claim(
            "(nu != gibbs) == (relative_entropy > 0)",
            says="There is one minimiser only:",
        ),
        "shift": Claim(
            f"{_SHIFTED} == gibbs",
            says="A constant that is added to all errors changes nothing:",
        ),
    },
    world=ExpertErrors,
    controls={
        "a factor 2 in the exponent": Control("definition", _TWO, {"-eta": "-2 * eta"}),
        "half the entropy": Control(
            "minimum", _TWO, {"gibbs_entropy / eta": "gibbs_entropy / (2 * eta)"}
        ),
        "the best expert alone": Control("bound", _TWO, {">=": "<="}),
        "a negative rate": Control(
            "bound", ExpertErrors.example([0, 1], [1, 0], -1), drops="eta"
        ),
        "weights of sum 1 / 2": Control(
            "bound", ExpertErrors.example([0, 1], ["3/8", "1/8"]), drops="sum"
        ),
        "twice the relative entropy": Control("loss", _TWO, {"+": "+ 2 *"}),
        "a loss above one": Control("only", _TWO, {"> 0": "> 1"}),
        "a common factor": Control("shift", _TWO, {_SHIFTED: _DOUBLED}),
    },
)
