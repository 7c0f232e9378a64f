"""What the synthetic matrices with a chosen coherence have in fact.

Talwalkar 2010, section 5.2.3, as `nystheory.datasets.spectrum` builds them.
"""

from __future__ import annotations

import numpy as np

from nystheory import datasets
from nystheory.chapters.coherence.theorems.quantities import Orthonormal
from nystheory.engine import Claim, Control, Hypothesis, Theorem
from nystheory.engine.worlds.laws import LAWS, Law


class Spiked(Orthonormal):
    """Orthonormal columns, of which the first is any and the others are drawn."""

    @classmethod
    def drawn(cls, instance, rng):
        """Any columns whose first one is as it comes."""
        n = instance.n
        if n < 3:
            return None
        basis = rng.standard_normal((n, int(rng.integers(2, n))))
        return instance.but(basis=basis, delta=0.05)


def columns_with(size: int, rank: int, target: float, rng) -> np.ndarray:
    """The first vectors of a drawn matrix of section 5.2.3, (size, rank).

    Examples
    --------
    >>> U = columns_with(20, 3, 4.0, np.random.default_rng(0))
    >>> round(float(np.sqrt(20) * np.abs(U[:, 0]).max()), 9)
    4.0
    """
    values = 0.8 ** np.arange(size)
    X = datasets.spectrum(values, rng, coherence=target).X
    return X[:, :rank] / np.sqrt(values[:rank])


def synthetic(size, rank, target, rng, delta=0.05):
    """The instance of such columns."""
    U = columns_with(size, rank, target, rng)
    return Spiked.of_basis(U, range(rank), f"target {target:.3g}", delta=delta)


def _again(i, rng):
    """The same sizes and target, other directions."""
    U = i.basis
    target = np.sqrt(i.n) * np.abs(U[:, 0]).max() / np.linalg.norm(U[:, 0])
    target = min(float(target), np.sqrt(i.n))
    return i.but(basis=columns_with(i.n, U.shape[1], target, rng))


LAWS["random_directions"] = Law(
    "a spike, completed by random directions", _again, lambda i: None
)


_DRAWN = "the other directions are drawn from a continuum, which cannot be listed"
_ONE = np.random.default_rng(523)
_WIDE = synthetic(20, 10, 3.0, _ONE, delta=0.5)
_THREE, _FOUR = (synthetic(12, rank, 2.5, _ONE) for rank in (3, 4))
_PLANE = Spiked.of_fractions([[1, 1], [1, 0], [1, 0]], delta="1/2")

_AXES = Spiked.of_fractions([[1, 0], [0, 1], [0, 0]], delta="1/2")
_AXIS_SECOND = Spiked.of_fractions([[1, 1]] + [[1, 0]] * 59, range(2), delta="1/2")
_LEVEL = "3 * erf(target_coherence * (1 + 1 / sqrt(n)) / sqrt(2)) ** n"
_ROW = "target_coherence**2 + (n - target_coherence**2) * (r - 1) / (n - 1)"

SYNTHETIC = Theorem(
    id="talwalkar2010:sec-5.2.3",
    kind="claim",
    status="holds",
    title="Synthetic matrices with a chosen coherence",
    number="section 5.2.3",
    setting=(
        r"Let $u_1$ be a unit vector with $\sqrt n \max_i |u_{1i}| = t$, and complete "
        r"it with random directions, by QR, to orthonormal columns $U = [u_1, \dots, "
        r"u_r]$. Let $\mu$ and $M$ be the coherence of $U$ and that of its space, "
        r"$\mu_-$ and $M_-$ those of $u_2, \dots, u_r$, and let $i$ be the row of the "
        "spike, in which $|u_{1i}|$ is largest."
    ),
    hypotheses={
        "some others": Hypothesis("r >= 2", domain=True),
        # For r = n > 2 the others are random directions too, and the mean is n.
        "not all": Hypothesis("r < n", necessary="not known"),
    },
    claims={
        "the larger": "coherence == max(target_coherence, rest_coherence)",
        "random level": Claim(
            "chance(rest_coherence > sqrt(2 * n / (n - 2) * log(n * (r - 1) / delta)))"
            " <= delta",
            law="random_directions",
        ),
        "target": Claim(
            f"chance(rest_coherence <= target_coherence) <= {_LEVEL}",
            law="random_directions",
            says=(
                r"With $\operatorname{erf}(x / \sqrt 2) = 2 \Phi(x) - 1$, $\Phi$ the "
                "standard normal distribution function,"
            ),
        ),
        "at most": "basis_free_coherence <= target_coherence**2 + rest_free",
        "at least": "basis_free_coherence >= max(target_coherence**2, r)",
        "mean of the row": Claim(
            f"mean(spike_row) == {_ROW}",
            law="random_directions",
            support=("target_coherence**2", "n"),
        ),
    },
    world=Spiked,
    cases=lambda rng: [
        synthetic(12, 3, 1.3, rng),
        Spiked.of_basis(np.eye(5)[:, :2], [0, 1], "axes", delta=0.5),
    ],
    suite=False,
    loose={"target": "it holds for every size, with one constant"},
    controls={
        "every target is reached": Control(
            "the larger",
            _PLANE,
            {"max(target_coherence, rest_coherence)": "target_coherence"},
        ),
        "without the factor 2": Control(
            "random level", _WIDE, {"2 * n": "n"}, inexact=_DRAWN
        ),
        "as if all were independent": Control(
            "target",
            _THREE,
            {_LEVEL: "erf(target_coherence / sqrt(2)) ** (n * (r - 1))"},
            inexact=_DRAWN,
        ),
        "only the first": Control("at most", _PLANE, {" + rest_free": ""}),
        "r of them": Control(
            "at least",
            _AXES,
            {"max(target_coherence**2, r)": "r * target_coherence**2"},
        ),
        "r t^2 in the row": Control(
            "mean of the row", _FOUR, {_ROW: "r * target_coherence**2"}, inexact=_DRAWN
        ),
        "completed by an axis": Control("random level", _AXIS_SECOND, law="surely"),
    },
)
