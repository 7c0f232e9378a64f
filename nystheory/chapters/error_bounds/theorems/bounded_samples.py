"""What the bounds of Theorems 5.2, 5.3 and Corollary 5.6 share: numbers and instances.

Small matrices with every sample; clusters at any size, where the bounds come close;
and those that break a bound when a hypothesis is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nystheory import datasets
from nystheory.engine import Claim, Hypothesis, Instance
from nystheory.engine.worlds.clusters import Clusters
from nystheory.engine.worlds.quantities import composed, quantity
from nystheory.engine.worlds.suite import small_instances

HYPOTHESES = {
    "rank": Hypothesis("1 <= k <= l", necessary="not known"),
    # One column of one is no choice, and e_l is 0 / 0 there; the error is then zero.
    "several columns": Hypothesis("n >= 2", domain=True),
}


class Confidence(Instance):
    """The columns of one matrix, and the chance with which a bound may fail."""

    @classmethod
    def drawn(cls, instance, rng):
        """A chance that is neither tiny nor large."""
        return instance.but(delta=10.0 ** rng.uniform(-3, -0.2))


composed(
    "concentration",
    "b",
    "e_l + n / l * g_F * sqrt(alpha_sharp * log(1 / delta) / 2)",
    "what the distance of the covariances exceeds with probability delta at most",
)
composed(
    "concentration_equal",
    r"\bar b",
    "e_l + n / l * g_F_equal * sqrt(alpha_sharp * log(1 / delta) / 2)",
    "the same for points of one length",
)
composed(
    "concentration_replaced",
    r"\tilde b",
    "e_l_replaced + n / l * g_F * sqrt(l * log(1 / delta) / 2)",
    "the same for columns drawn with replacement",
)
# Printed as K_max (1 + y), which is no number for K = 0.
composed(
    "printed_deviation",
    r"\zeta",
    "sqrt(q_printed * log(1 / delta)) * d_max * R",
    "the printed deviation",
)


@quantity(r"K_{11} = \dots = K_{nn}", "the diagonal is constant", unit=None)
def constant_diagonal(i):
    return bool(np.ptp(i.diagonal) <= 1e-12 * i.norm_K)


def chance(event: str, law: str, **fields) -> Claim:
    """That an event has the probability delta at most."""
    return Claim(f"chance({event}) <= delta", law=law, **fields)


def deviation(share: float, bound: str) -> dict[str, str]:
    """The change of a line that leaves a share of what a bound adds to the mean."""
    return {f"({bound})": f"(e_l + {share} * ({bound} - e_l))"}


# --- Instances ------------------------------------------------------------------------


def flips(delta="1/1000000") -> Iterator[Clusters]:
    """Two clusters of which the sample may take the smaller for the leading one."""
    for a, b, l in ((267, 133, 201), (110, 90, 61), (30, 20, 11)):  # noqa: E741
        yield Clusters((a, b), (l, 0), 1, delta=delta)
    yield FLIPPED


# The chance that the sample flips the order is 1.75e-13, and 3.15e-8 with repetitions.
FLIPPED = Clusters((267, 133), (201, 0), 1, delta="1e-13")
FLIPPED_REPLACED = Clusters((1300, 800), (501, 0), 1, delta="3e-8")


def small(rng, most=5, deltas=(0.3, 0.01)) -> Iterator[Instance]:
    """Matrices of every kind in the stress suite, small enough to list all samples."""
    for i in small_instances(rng, most):
        if i.n > 1:
            for delta in deltas:
                yield i.but(delta=delta)
    # Points of one length in general position: no ties.
    for size in (4, 5, 5):
        X = rng.standard_normal((3, size))
        X = X / np.linalg.norm(X, axis=0)
        for l in range(1, size):  # noqa: E741
            case = Instance.from_points(X, range(l), 1 + l // 2, "constant diagonal")
            yield case.but(delta=deltas[0])


def cases(rng) -> Iterator:
    """All of them, and a real matrix whose samples are drawn."""
    yield from small(rng)
    yield from flips()
    patients = datasets.diabetes(20).X.T
    yield Instance.from_points(patients, range(7), 3, "diabetes, linear", delta=0.02)


# --- Without a hypothesis -------------------------------------------------------------

# Two orthogonal points, both of which are sampled: of different columns.
TWO_POINTS = Instance.exactly([0, 1], 2, points=[[1, 0], [0, 1]], delta="2/5")

# Equal points and points at the origin, of which the sample surely consists.
AT_THE_ORIGIN = Clusters(
    (180, 40), (0, 40), 1, (1, 0), "always at the origin", delta="1/2"
)


def indefinite(world=Instance, **given) -> Instance:
    """An eigenvalue of -7: one of the first two columns leaves an error of 63."""
    given = {"delta": "1/12", **given}
    K = [[int(i == j) for j in range(12)] for i in range(12)]
    K[0][1] = K[1][0] = 8
    return world.exactly([0], 1, matrix=K, name="indefinite", **given)
