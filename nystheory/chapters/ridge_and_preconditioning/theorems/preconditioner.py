"""An approximation as preconditioner, and the iterations that it saves.

Frangella, Tropp and Udell 2023.
"""

from __future__ import annotations

import math

import numpy as np

from nystheory.engine import Claim, Control, Hypothesis, Theorem, Where
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds.between import (
    Between,
    of_ridge,
    with_ridge,
    with_weights,
)
from nystheory.engine.worlds.matrices import diagonal
from nystheory.engine.worlds.quantities import QUANTITIES, composed, quantity


class NystromPreconditioner(Between):
    """A matrix between 0 and K of rank l, and the preconditioner that it makes."""

    @classmethod
    def drawn(cls, instance, rng):
        """Any ridge, and half of the time weights."""
        return with_weights(with_ridge(instance, rng), rng, instance.l)

    @classmethod
    def sketch(cls, values, columns, ridge):
        """A diagonal K, whose law under Gaussian sketches is that of every basis."""
        X, omega = np.diag(np.sqrt(values)), np.eye(len(values))[:, :columns]
        return cls.from_points(X, range(columns), 1, "sketch", alpha=ridge, omega=omega)


def condition_number(K, values, vectors, ridge: float) -> float:
    """Condition of ``P^-1/2 (K + ridge I) P^-1/2`` for a preconditioner from K~.

    Parameters
    ----------
    K : ndarray (n, n)
    values, vectors : ndarray (l,), (n, l)
        Eigenvalues, largest first, and orthonormal eigenvectors of K~.
    ridge : float

    Examples
    --------
    >>> K = np.diag([8.0, 1.0, 0.0])
    >>> round(condition_number(K, K.diagonal()[:2], np.eye(3)[:, :2], 1.0), 9)
    2.0
    """
    root = np.sqrt((values[-1] + ridge) / (values + ridge))
    half = np.eye(len(K)) + (vectors * (root - 1)) @ vectors.T
    found = np.linalg.eigvalsh(half @ (K + ridge * np.eye(len(K))) @ half)
    return float(found[-1] / found[0])


def _kept(i):
    """The l largest eigenvalues of K~, zeros included, and eigenvectors."""
    values, vectors = np.linalg.eigh(i.measured(Between.quantities["between"]).value)
    values, vectors = np.maximum(values[::-1], 0), vectors[:, ::-1]
    return values[: i.l], vectors[:, : i.l]


@NystromPreconditioner.quantity(
    r"\tilde\lambda_l",
    "l-th eigenvalue of K~",
    SAMPLE,
    condition=Between.quantities["between"].condition,
)
def smallest_kept(i):
    return _kept(i)[0][-1]


@quantity(r"\lambda_n", "smallest eigenvalue of the matrix")
def smallest_eigenvalue(i):
    return max(i.eigen_K[0][-1], 0.0)


@NystromPreconditioner.quantity(
    r"\kappa",
    "condition number with the preconditioner",
    SAMPLE,
    unit=0,
    condition=of_ridge,
)
def kappa(i):
    return condition_number(i.K, *_kept(i), float(i.alpha))


@NystromPreconditioner.quantity(
    r"\tilde K = K \Omega (\Omega^\top K \Omega)^+ \Omega^\top K",
    "whether the approximation is that from a sketch",
    CHOSEN,
)
def sketched(i):
    return i.brings("omega")


# --- What the theorem asks for --------------------------------------------------------

composed(
    "half_asked",
    "q",
    "ceil(1.5 * d_eff)",
    "half of the test vectors that are asked for",
)


def _sum_after(i, halves, count=None):
    """Of so many eigenvalues after `halves` q; None where rounding hides q."""
    columns = 1.5 * i.measured(QUANTITIES["d_eff"]).value
    if abs(columns - round(columns)) < 1e-9:
        return None
    return i.spectrum[halves * math.ceil(columns) :][:count].sum()


@quantity(r"\lambda_{q+1}", "eigenvalue after the q largest")
def lambda_q(i):
    return _sum_after(i, 1, 1)


@quantity(r"\lambda_{2q+1}", "eigenvalue after the 2q largest")
def lambda_last(i):
    return _sum_after(i, 2, 1)


@quantity(r"\textstyle\sum_{j>q}\lambda_j", "sum of the eigenvalues after q")
def tail_q(i):
    return _sum_after(i, 1)


# --- Instances ------------------------------------------------------------------------


def _cases(rng):
    for _ in range(12):
        X = rng.integers(-2, 3, (3, 3)) + 3 * np.eye(3)
        yield NystromPreconditioner.from_points(X, [0, 1], 2, "integers")
    yield NystromPreconditioner.sketch(0.5 ** np.arange(14), 11, 0.25)
    yield NystromPreconditioner.sketch(np.r_[50.0, 50.0, np.full(10, 0.03)], 9, 1.0)
    # The constant is approached where many eigenvalues are far below the ridge.
    many = np.sqrt(0.079) * np.eye(500)
    yield NystromPreconditioner.from_points(
        many, [0], 1, "many small eigenvalues", alpha=1.0
    )


_TWO = NystromPreconditioner.one_sampled([[1, 0], [0, 5]], alpha=1)
_THREE_ALIKE = NystromPreconditioner.exactly(
    [0], 1, points=[[1, 0, 0, 0], [0, 1, 1, 1]], alpha=1
)
_NOT_BELOW = NystromPreconditioner.exactly(
    [0, 1], 2, matrix=diagonal([11, 0]), alpha=1, between=diagonal([1, 10])
)
_ONE_LARGE = NystromPreconditioner.exactly(
    range(5), 5, matrix=diagonal([1000, *["1/100"] * 5]), alpha=1
)
_FIVE_LARGE = NystromPreconditioner.sketch(np.r_[np.full(5, 1e3), 0], 3, 1.0)
_ALIKE = NystromPreconditioner.one_sampled(diagonal(["0.136"] * 200), alpha=1)
_FROM_SPECTRUM = (
    "1 + (lambda_last + 3 * lambda_q + factor * tail_q / half_asked) / alpha"
)

PRECONDITIONER = Theorem(
    id="modern:preconditioner",
    kind="expectation",
    status="holds",
    title="The Nyström preconditioner",
    number="Frangella, Tropp and Udell 2023",
    setting=(
        r"Let $K$ be positive semidefinite with smallest eigenvalue $\lambda_n$, let "
        r"$\tilde K = U \operatorname{diag}(\tilde\lambda_1, \dots, "
        r"\tilde\lambda_l)\, U^\top$ with $U^\top U = I$, $\tilde\lambda_1 \ge \dots "
        r"\ge \tilde\lambda_l$ and $0 \preceq \tilde K \preceq K$, $E = K - \tilde K$ "
        r"and $d_{\mathrm{eff}}(\alpha) = \operatorname{tr} K (K + \alpha I)^{-1}$. "
        r"Let $\kappa$ be the condition number of $P^{-1/2} (K + \alpha I) P^{-1/2}$ "
        r"for the preconditioner with $P^{-1} = (\tilde\lambda_l + \alpha)\, U "
        r"(\tilde\Lambda + \alpha I)^{-1} U^\top + I - U U^\top$."
    ),
    hypotheses={
        # For K = 0 both condition numbers are 1.
        "not zero": Hypothesis("norm_K > 0", says=r"$K \ne 0$", necessary="not known"),
    },
    claims={
        "one draw": Claim(
            "kappa <= (smallest_kept + alpha + gap_2) * min(1 / alpha, "
            "(smallest_kept + smallest_eigenvalue + 2 * alpha) "
            "/ ((smallest_kept + alpha) * (smallest_eigenvalue + alpha)))"
        ),
        "mean": Claim(
            f"mean(kappa) <= {_FROM_SPECTRUM}",
            when="sketched and l == 2 * half_asked + 1",
            law="gaussian",
            says=r"For standard Gaussian $\Omega$ with $l \le n$ columns,",
            support=("1", "1 + 2 * norm_K / alpha"),
        ),
        "constant": Claim(
            f"{_FROM_SPECTRUM} < 1 + 8 * exp(2) / 3",
            says="The bound on the mean is below a constant, whatever the spectrum:",
        ),
    },
    where={
        "factor": Where("c", "2 * exp(2) * (2 * half_asked + 1) / (half_asked + 2)")
    },
    world=NystromPreconditioner,
    cases=_cases,
    controls={
        "without the error": Control(
            "one draw", _TWO, {"smallest_kept + alpha + gap_2": "smallest_kept + alpha"}
        ),
        "largest missed entry for the norm": Control(
            "one draw", _THREE_ALIKE, {"gap_2": "max(diag(K - between))"}
        ),
        "eigenvalues 1 and 10 in place of 11 and 0": Control(
            "one draw", _NOT_BELOW, lacks=r"$0 \preceq \tilde K \preceq K$"
        ),
        "three columns": Control(
            "mean",
            _FIVE_LARGE,
            lacks="l == 2 * half_asked + 1",
            inexact="a Gaussian sketch has a continuous law: nothing to list",
        ),
        "sampled columns": Control("mean", _ONE_LARGE, law="uniform"),
        "19": Control("constant", _ALIKE, {"8 * exp(2) / 3": "18"}),
    },
)
