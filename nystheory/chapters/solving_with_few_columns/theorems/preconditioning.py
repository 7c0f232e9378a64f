"""The approximation with its ridge as preconditioner, and how many columns it takes.

After Díaz, Epperly, Frangella, Tropp and Webber 2023; every constant is derived here.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from nystheory.engine import Claim, Control, Hypothesis, Theorem, Where
from nystheory.engine.language.claims import MARKOV
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds.between import (
    Between,
    between,
    of_ridge,
    with_ridge,
    with_weights,
)
from nystheory.engine.worlds.listed import large_and_flat, small
from nystheory.engine.worlds.matrices import diagonal


class RidgedPreconditioner(Between):
    """A matrix between 0 and K, which is a preconditioner with its ridge."""

    @classmethod
    def drawn(cls, instance, rng):
        """A ridge, at times weights, and an accuracy and a chance for the columns."""
        count = int(rng.integers(1, instance.n + 1))
        i = with_weights(with_ridge(instance, rng), rng, count)
        accuracy, delta = 2.0 ** rng.integers(-1, 4), 2.0 ** rng.integers(-6, 0)
        return i.but(accuracy=accuracy, delta=delta)


def condition_with(K, approximation, ridge: float) -> float:
    """Condition number of ``P^-1/2 (K + ridge I) P^-1/2`` for ``P = K~ + ridge I``.

    Parameters
    ----------
    K, approximation : ndarray (n, n)
    ridge : float
        Positive.

    Examples
    --------
    >>> K = np.diag([8.0, 3.0])
    >>> round(condition_with(K, np.diag([8.0, 0.0]), 1.0), 9)
    4.0
    """
    shift = ridge * np.eye(len(K))
    found = scipy.linalg.eigh(K + shift, approximation + shift, eigvals_only=True)
    return float(found[-1] / found[0])


@RidgedPreconditioner.quantity(
    r"\kappa",
    "condition number with the approximation and its ridge as preconditioner",
    SAMPLE,
    unit=0,
    condition=of_ridge,
)
def condition_whole(i):
    return condition_with(i.K, between(i), float(i.alpha))


@RidgedPreconditioner.quantity(
    r"\tilde K = C W^+ C^\top",
    "whether the approximation is that from the columns",
    CHOSEN,
)
def by_landmarks(i):
    return not any(map(i.brings, ("between", "weights", "omega")))


# --- Instances ------------------------------------------------------------------------


def _cases(rng):
    """Small matrices with a ridge at which the conditions on the columns are met."""
    for case in small(rng):
        # Far above rounding, also where no tail is left.
        tail = max(float(case.spectrum[case.k :].sum()), 1e-3 * case.norm_K)
        for share in (0.5, 0.9):
            ridge = 2.0 ** np.ceil(np.log2((1 + 8.0) * tail / (2 * share)))
            yield case.but(alpha=ridge, accuracy=8.0, delta=share)
    for large in (2.0, 1e3, 1e6):
        case = large_and_flat(large, 1, 4, 1)
        yield case.but(alpha=8.0, accuracy=large, delta=0.5)
        yield large_and_flat(large, 3, 2, 3).but(alpha=4.0, accuracy=1.0, delta=0.9)
    # One missed direction of any size, and a rank of one.
    for size in 4.0 ** np.arange(-4, 8):
        for values in ([1.0, size], [size, 0.0]):
            given = {"alpha": 1.0, "accuracy": 1.0, "delta": 0.5}
            yield RidgedPreconditioner(np.diag(values), [0], 1, **given)
    # Of points that are all but equally long one is left, which the mean just allows.
    for *values, accuracy in ((4.0, 1.0, 1.0), (1.0, 1.0, 0.9, 1.0), (4.0, 1.0, 2.68)):
        yield _one_left(values, accuracy)
    yield _one_left([1.0] * 9 + [0.9], 1.0)


def _one_left(values, accuracy):
    """All points but one, at the ridge at which a miss makes the condition 3."""
    ridge = 0.4999999 * min(values[:-1])
    left = (1 + accuracy) * min(values)
    if accuracy == 1.0:  # for the law by volumes, of which this is the mean error
        left = len(values) / np.sum(1 / np.array(values))
    given = {"accuracy": accuracy, "alpha": ridge, "delta": 1.000001 * left / ridge / 2}
    return RidgedPreconditioner(
        np.diag(values), range(len(values) - 1), 1, name="one is left", **given
    )


# What the claims on columns ask for, where a case is of another.
_LOOSE = {"accuracy": 1, "delta": "1/2"}
_IDENTITY = RidgedPreconditioner.orthogonal(1, 1, alpha=1, **_LOOSE)
_NOT_BELOW = RidgedPreconditioner.exactly(
    [0],
    1,
    matrix=diagonal([10, 1]),
    alpha=1,
    between=diagonal([1, 10]),
    **_LOOSE,
)
_SEEN = RidgedPreconditioner.one_sampled([[2, 1], [1, 1]], alpha=1, **_LOOSE)
_TWO_LEFT = RidgedPreconditioner.orthogonal(1, 1, 1, alpha=1, **_LOOSE)
_RANK_ONE = RidgedPreconditioner.orthogonal(1, 0, alpha=1, **_LOOSE)
# Three pivots are asked for; one leaves nearly twice the tail.
_LESS = RidgedPreconditioner.exactly(
    [0], 1, matrix=diagonal([100, 1]), accuracy="9/10", alpha=1, delta="1/2"
)
_SMALL_RIDGE = RidgedPreconditioner.exactly(
    [0], 1, matrix=diagonal([100, 1]), accuracy=100, alpha="2/5", delta="9/10"
)
_FAR = RidgedPreconditioner.exactly(
    [0], 1, matrix=diagonal([1000, 1]), accuracy=1, alpha="5/2", delta="2/5"
)

_ENOUGH = "(l >= N_1 or l >= N_2)"

PRECONDITIONING_TRACE = Theorem(
    id="modern:preconditioning-trace",
    kind="probability",
    status="new",
    title="The trace of the error bounds the work of a solver",
    number="after Díaz, Epperly, Frangella, Tropp and Webber 2023",
    setting=(
        r"Let $K$ be positive semidefinite, $0 \preceq \tilde K \preceq K$ and $E = K "
        r"- \tilde K$. Let $\kappa$ be the condition number of $P^{-1/2} (K + \alpha "
        r"I) P^{-1/2}$ for the preconditioner $P = \tilde K + \alpha I$. Let $K_k$ be "
        r"the best approximation of rank $k$, let $e_j$ be the elementary symmetric "
        r"polynomial of degree $j$ in the eigenvalues, and $d_{\mathrm{eff}}(\alpha) = "
        r"\operatorname{tr} K (K + \alpha I)^{-1}$."
    ),
    hypotheses={
        "rank": Hypothesis("1 <= k <= n", domain=True),
        "not zero": Hypothesis("trace_K > 0", r"$K \ne 0$", domain=True),
    },
    where={
        "missed_share": Where(r"\eta", "tail_trace / trace_K"),
        "N_1": Where("N_1", "k / accuracy + k * log(1 / (accuracy * missed_share))"),
        "N_2": Where("N_2", "k / accuracy + k + k * max(log(2**k / accuracy), 0)"),
    },
    claims={
        "norm": "condition_whole <= 1 + gap_2 / alpha",
        "trace": "gap_2 <= trace(K - between)",
        "attained": Claim(
            "condition_whole == 1 + gap_2 / alpha",
            when="by_landmarks and K_21 == 0",
            says="It is attained by points that are orthogonal to the landmarks, that "
            "is",
        ),
        "pivots, mean": Claim(
            "mean(condition_whole) <= 1 + (1 + accuracy) * tail_trace / alpha",
            when=f"by_landmarks and {_ENOUGH}",
            law="pivoted",
            says="For randomly pivoted Cholesky",
        ),
        "pivots": Claim(
            "chance(condition_whole > 3) <= delta",
            when="by_landmarks and (1 + accuracy) * tail_trace "
            f"<= 2 * alpha * delta and {_ENOUGH}",
            law="pivoted",
            says="and a condition number above 3 is rare,",
        ),
        "volumes": Claim(
            "chance(condition_whole > 3) <= delta",
            when="by_landmarks and l <= rank_K "
            "and (l + 1) * symmetric_ratio <= 2 * alpha * delta",
            law="determinantal",
            says=r"For a set drawn in proportion to $\det K_{SS}$",
        ),
        "any number": Claim(
            "mean(condition_whole) <= 1 + d_eff",
            when="by_landmarks",
            law="dpp",
            says=r"For a determinantal sample of $K / \alpha$, a random number of "
            "columns,",
        ),
    },
    world=RidgedPreconditioner,
    cases=_cases,
    loose={"pivots": MARKOV},
    controls={
        "0.9 of the error": Control("norm", _IDENTITY, {"gap_2": "0.9 * gap_2"}),
        "neither above nor below": Control(
            "norm", _NOT_BELOW, lacks=r"$\tilde K \preceq K$"
        ),
        "0.9 of the trace": Control("trace", _IDENTITY, {"<=": "<= 0.9 *"}),
        "an error that is seen": Control("attained", _SEEN, lacks="K_21 == 0"),
        "two of three pivots": Control(
            "pivots, mean", _LESS, lacks="l >= N_1 or l >= N_2"
        ),
        "a ridge below the tail": Control(
            "pivots",
            _SMALL_RIDGE,
            lacks="(1 + accuracy) * tail_trace <= 2 * alpha * delta",
        ),
        "uniform columns": Control("volumes", _FAR, law="uniform"),
        "0.9 of the dimension": Control(
            "any number", _RANK_ONE, {"d_eff": "0.9 * d_eff"}
        ),
    },
)
