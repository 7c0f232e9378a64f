"""An approximation as preconditioner, and the iterations that it saves.

Frangella, Tropp and Udell 2023.
"""

from __future__ import annotations

import math

import numpy as np

from nystheory.engine.instances import CHOSEN, SAMPLE, Instance
from nystheory.engine.quantities import QUANTITIES, composed, quantity
from nystheory.engine.theorem import Claim, Control, Hypothesis, Theorem, Where
from nystheory.theorems.since_2010.between import (
    POSITIVE_RIDGE,
    diagonal,
    of_ridge,
    with_ridge,
    with_weights,
)


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
    values, vectors = np.linalg.eigh(i.measured(QUANTITIES["between"]).value)
    values, vectors = np.maximum(values[::-1], 0), vectors[:, ::-1]
    return values[: i.l], vectors[:, : i.l]


def _of_source(i):
    return QUANTITIES["between"].condition(i)


@quantity(r"\tilde\lambda_l", "l-th eigenvalue of K~", SAMPLE, condition=_of_source)
def smallest_kept(i):
    return _kept(i)[0][-1]


@quantity(r"\lambda_n", "smallest eigenvalue of the matrix")
def smallest_eigenvalue(i):
    return max(i.eigen_K[0][-1], 0.0)


@quantity(
    r"\kappa",
    "condition number with the preconditioner",
    SAMPLE,
    unit=0,
    condition=of_ridge,
)
def kappa(i):
    return condition_number(i.K, *_kept(i), float(i.extra["alpha"]))


@quantity(
    r"\tilde K = K \Omega (\Omega^\top K \Omega)^+ \Omega^\top K",
    "whether the approximation is that from a sketch",
    CHOSEN,
)
def sketched(i):
    return "omega" in i.extra


# --- What the theorem asks for --------------------------------------------------------

composed(
    "half_asked",
    "q",
    "ceil(1.5 * d_eff)",
    "half of the test vectors that are asked for",
)


def _asked(i):
    """q, None where rounding hides it."""
    columns = 1.5 * i.measured(QUANTITIES["d_eff"]).value
    return None if abs(columns - round(columns)) < 1e-9 else math.ceil(columns)


def _eigenvalue_after(i, count):
    return i.spectrum[count] if count < i.n else 0.0


@quantity(r"\lambda_{q+1}", "eigenvalue after the q largest")
def lambda_q(i):
    return None if _asked(i) is None else _eigenvalue_after(i, _asked(i))


@quantity(r"\lambda_{2q+1}", "eigenvalue after the 2q largest")
def lambda_last(i):
    return None if _asked(i) is None else _eigenvalue_after(i, 2 * _asked(i))


@quantity(r"\textstyle\sum_{j>q}\lambda_j", "sum of the eigenvalues after q")
def tail_q(i):
    return None if _asked(i) is None else i.spectrum[_asked(i) :].sum()


# --- Instances ------------------------------------------------------------------------


def _complete(i, rng):
    return with_weights(with_ridge(i, rng), rng, i.l)


def _sketch(values, columns, ridge) -> Instance:
    """A diagonal K, whose law under Gaussian sketches is that of every basis."""
    n = len(values)
    X, omega = np.diag(np.sqrt(values)), np.eye(n)[:, :columns]
    return Instance.from_points(
        X, range(columns), 1, "sketch", alpha=ridge, omega=omega
    )


def _cases(rng):
    for _ in range(12):
        X = rng.integers(-2, 3, (3, 3)) + 3 * np.eye(3)
        yield Instance.from_points(X, [0, 1], 2, "integers")
    yield _sketch(0.5 ** np.arange(14), 11, 0.25)
    yield _sketch(np.r_[50.0, 50.0, np.full(10, 0.03)], 9, 1.0)


_TWO = Instance.exactly([0], 1, matrix=[[1, 0], [0, 5]], alpha=1)
_ONE_LARGE = diagonal([1000, *["1/100"] * 5])
_ALIKE = diagonal(["0.136"] * 200)
_FROM_SPECTRUM = "1 + (lambda_last + 3 * lambda_q + c * tail_q / half_asked) / alpha"

PRECONDITIONER = Theorem(
    id="modern:preconditioner",
    part="III",
    kind="expectation",
    status="holds",
    title="The Nyström preconditioner",
    number="Frangella, Tropp and Udell 2023",
    setting=(
        r"Let $K$ be positive semidefinite with smallest eigenvalue $\lambda_n$, let "
        r"$\tilde K = U \operatorname{diag}(\tilde\lambda_1, \dots, \tilde\lambda_l)\, "
        r"U^\top$ with $U^\top U = I$, $\tilde\lambda_1 \ge \dots \ge \tilde\lambda_l$ "
        r"and $0 \preceq \tilde K \preceq K$, and $E = K - \tilde K$. Let $\kappa$ be "
        r"the condition number of $P^{-1/2} (K + \alpha I) P^{-1/2}$ for the "
        r"preconditioner with $P^{-1} = (\tilde\lambda_l + \alpha)\, U (\tilde\Lambda "
        r"+ \alpha I)^{-1} U^\top + I - U U^\top$."
    ),
    hypotheses={
        "ridge": POSITIVE_RIDGE,
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
            says="This is bounded whatever the spectrum:",
        ),
    },
    where={"c": Where("c", "2 * exp(2) * (2 * half_asked + 1) / (half_asked + 2)")},
    complete=_complete,
    cases=_cases,
    controls={
        "without the error": Control(
            "one draw",
            _TWO,
            {"smallest_kept + alpha + gap_2": "smallest_kept + alpha"},
        ),
        "largest missed entry for the norm": Control(
            "one draw",
            Instance.exactly([0], 1, points=[[1, 0, 0, 0], [0, 1, 1, 1]], alpha=1),
            {"gap_2": "max(diag(K - between))"},
        ),
        "eigenvalues 1 and 10 in place of 11 and 0": Control(
            "one draw",
            Instance.exactly(
                [0, 1],
                2,
                matrix=[[11, 0], [0, 0]],
                alpha=1,
                between=[[1, 0], [0, 10]],
            ),
            drops=r"$0 \preceq \tilde K \preceq K$",
        ),
        "three columns": Control(
            "mean",
            _sketch(np.r_[np.full(5, 1e3), 0], 3, 1.0),
            drops="$l = 2q + 1$",
            inexact="a Gaussian sketch has a continuous law: nothing to list",
        ),
        "sampled columns": Control(
            "mean",
            Instance.exactly(range(5), 5, matrix=_ONE_LARGE, alpha=1),
            law="uniform",
        ),
        "19": Control(
            "constant",
            Instance.exactly([0], 1, matrix=_ALIKE, alpha=1),
            {"8 * exp(2) / 3": "18"},
        ),
    },
)
