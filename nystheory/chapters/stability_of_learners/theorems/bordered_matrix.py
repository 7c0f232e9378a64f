"""The step of the printed proof of Proposition 5.2 that does not follow.

It borders K' with a row and a column of K, which need not be semidefinite.
"""

from __future__ import annotations

import numpy as np

from nystheory.chapters.stability_of_learners.theorems.dual_optima import power_of_two
from nystheory.chapters.stability_of_learners.theorems.support_vectors import (
    K_xx,
    NewPoint,
    k_x,
)
from nystheory.engine import Claim, Control, Printed, Theorem
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.quantities import QUANTITIES
from nystheory.engine.worlds.two_kernels import of_other, other, with_other

# Points of which the bordered matrices are tried.
SEVERAL = 8

# --- The bordered matrix --------------------------------------------------------------


class Bordered(NewPoint):
    """Another kernel matrix, and a point x of which the first one borders it."""

    @classmethod
    def drawn(cls, instance, rng):
        """Another kernel matrix, and a point x near one of the others, or any."""
        if instance.n > SEVERAL:
            return None
        x = instance.points[:, [rng.integers(instance.n)]] * 2.0 ** rng.integers(-3, 2)
        if rng.random() < 0.5:
            unit = power_of_two(np.sqrt(instance.norm_K))
            x = x + rng.integers(-1, 2, x.shape) * unit
        return with_other(instance, rng).but(x=x)


def _of_bordered(i):
    return of_other(i) * (1 + (np.linalg.norm(other(i)) + K_xx(i)) / (i.norm_K or 1.0))


@Bordered.quantity(
    r"\begin{pmatrix} K' & k_x \\ k_x^\top & K(x, x) \end{pmatrix}",
    "K' with a row and a column of K at x",
    SAMPLE,
    condition=_of_bordered,
)
def bordered(i):
    return np.block([[other(i), k_x(i)], [k_x(i).T, np.full((1, 1), K_xx(i))]])


@Bordered.quantity(
    r"\lambda_{\min}(x)",
    "smallest eigenvalue of the bordered matrix",
    SAMPLE,
    condition=_of_bordered,
)
def lowest_bordered(i):
    return float(np.linalg.eigvalsh(bordered(i))[0])


# Relative eigenvalues of K' between these may be zero or not.
GREY = 1e-13, 1e-9


def _range(i):
    """Relative eigenvalues of K', and its eigenvectors off the kernel."""
    values, vectors = np.linalg.eigh(other(i))
    relative = np.abs(values) / (np.abs(values).max() or 1.0)
    return relative, vectors[:, relative > GREY[1]]


def _of_range(i):
    relative = _range(i)[0]
    if ((relative > GREY[0]) & (relative <= GREY[1])).any():
        return np.inf
    least = relative[relative > GREY[1]].min(initial=1.0)
    return of_other(i) * np.sqrt(K_xx(i)) / least


@Bordered.quantity(
    r"\|k_x - P_{K'} k_x\|",
    "length of the part of $k_x$ that is not in the range of K'",
    SAMPLE,
    unit=0.5,
    condition=_of_range,
)
def outside(i):
    basis, k = _range(i)[1], k_x(i)
    return float(np.linalg.norm(k - basis @ (basis.T @ k)))


@Bordered.quantity(
    r"\min_i \lambda_{\min}(\tfrac9{10} x_i)",
    "smallest eigenvalue of the approximation, bordered at nine tenths of some point",
    SAMPLE,
    condition=lambda i: 10 * QUANTITIES["norm_E"].condition(i),
)
def lowest_of_all(i):
    return min(_at_nine_tenths(i, j) for j in range(i.n))


def _at_nine_tenths(i, j) -> float:
    k = 0.9 * i.K[:, [j]]
    corner = np.full((1, 1), 0.81 * i.K[j, j])
    near = np.block([[i.full.approximation, k], [k.T, corner]])
    return float(np.linalg.eigvalsh(near)[0])


# --- Instances ------------------------------------------------------------------------


_BORDERED = Bordered.exactly(
    [0], 1, points=[[1, 0], [0, 1]], other=[[1, 0], [0, 0]], x=[[0], ["9/10"]]
)
_NOTHING_MISSED = Bordered.exactly([0], 1, points=[[1]])

_INDEFINITE = Printed(
    "below(0, bordered)",
    "gap in the proof",
    "Up to the thesis's (5.43) the proof is right: there $K'_{n+1}$ is the Gram matrix "
    "of a kernel. The step after it sets $K'(x, x_i) = K(x, x_i)$, that is, it takes "
    "$K'$ bordered with a row and a column of $K$ for that matrix, of which (5.43) "
    r"needs a square root. This need not be semidefinite: for $K = I$ of two points, "
    r"$K' = \operatorname{diag}(1, 0)$ and $x = \frac9{10} x_2$ its smallest "
    f"eigenvalue is about ${lowest_bordered(_BORDERED):.2f}$. The statement is not "
    "touched, and where the bordered matrix is semidefinite the proof is complete.",
    _BORDERED,
    says="the kernel approximation is only used at training time so $K(x, x_i) = "
    r"K'(x, x_i)$, for all $i \in [1, n]$ … the matrix $K'_{n+1} - K_{n+1}$ coincides "
    "with the matrix $K' - K$ bordered with a zero-column and zero-row",
)

SVM_PROOF = Theorem(
    id="talwalkar2010:prop-5.2-proof",
    kind="claim",
    status="gap",
    title="The bordered kernel matrix",
    number="the proof of Proposition 5.2, after its equation (5.43)",
    setting=(
        r"Let $K$ and $K'$ be positive semidefinite, $k_x$ the column of the $K(x_i, "
        r"x)$, $P_{K'}$ the projector on the range of $K'$, and $\lambda_{\min}(x)$ "
        r"the smallest eigenvalue of $K'$ bordered with $k_x$, $k_x^\top$ and "
        r"$K(x, x)$. For a Nyström approximation $\tilde K = C W^+ C^\top$ let "
        r"$E = K - \tilde K$."
    ),
    claims={
        "indefinite": Claim(
            "lowest_bordered <= (K_xx - sqrt(K_xx ** 2 + 4 * outside ** 2)) / 2",
            when="outside > 0",
            says="With $k_x$ outside the range of $K'$ it becomes indefinite,",
        ),
        "lossy": Claim(
            "lowest_of_all < 0",
            when="norm_E > 0",
            says="A lossy approximation makes it indefinite at nine tenths of some "
            "$x_i$,",
        ),
    },
    world=Bordered,
    controls={
        "five for four": Control("indefinite", _BORDERED, {"4 *": "5 *"}),
        "nothing missed": Control(
            "lossy",
            _NOTHING_MISSED,
            lacks="norm_E > 0",
            unseen="the eigenvalue is zero, and rounding hides its sign",
        ),
    },
    printed={"bordered": _INDEFINITE},
)
