"""What the leading components leave of the points, and how far it moves with K.

Talwalkar 2010, identities (5.51) to (5.53) and Proposition 5.4.  The residual of a
kernel matrix is measured on the points, from its definition.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from nystheory import exact
from nystheory.engine import Claim, Control, Hypothesis, Theorem
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds.matrices import diagonal
from nystheory.engine.worlds.quantities import quantity
from nystheory.engine.worlds.two_kernels import TwoKernels, of_other, with_other


class Components(TwoKernels):
    """Two kernel matrices of the same points, and the leading components of both."""

    @classmethod
    def drawn(cls, instance, rng):
        """Most of the time another kernel matrix, near or far."""
        return with_other(instance, rng)


def left_out(X: np.ndarray, k: int) -> float:
    """Mean squared distance of points from their k leading directions.

    Parameters
    ----------
    X : ndarray (N, n)
        Points as columns.
    k : int

    Examples
    --------
    >>> left_out(np.diag([3.0, 1.0]), 1)
    0.5
    """
    V = scipy.linalg.svd(X, full_matrices=False)[0][:, :k]
    return float(np.mean(((X - V @ (V.T @ X)) ** 2).sum(axis=0)))


def other_matrix(i) -> np.ndarray:
    """K', measured once."""
    return i.measured(Components.quantities["other"]).value


def other_points(i) -> np.ndarray:
    """Points whose inner products are K': those given, else from its spectrum."""
    if i.brings("other_points"):
        return i.other_points
    values, vectors = scipy.linalg.eigh(other_matrix(i))
    return np.sqrt(np.maximum(values, 0))[:, None] * vectors.T


def of_both(i) -> float:
    """Rounding in K', which may be larger than K."""
    size = float(np.linalg.norm(other_matrix(i)))
    if size <= i.norm_K:
        return of_other(i)
    return of_other(i) * size / i.norm_K if i.norm_K > 1e-200 * size else np.inf


@quantity("R_k(K)", "mean squared distance of the points from their k components")
def residual(i):
    return left_out(i.points, i.k)


def left_by_projected(i, X: np.ndarray) -> float:
    """What the components of the projected points leave of the points."""
    Q = scipy.linalg.orth(i.points[:, i.landmarks], rcond=1e-10)
    if not Q.size:
        return float((X**2).sum() / i.n)
    U = scipy.linalg.svd(Q.T @ X, full_matrices=False)[0][:, : i.k]
    return float(((X - Q @ (U @ (U.T @ (Q.T @ X)))) ** 2).sum() / i.n)


@quantity(
    r"R_k(K \mid \tilde K)",
    "mean squared distance of the points from the k components of their projections "
    "on the span of the landmarks",
    SAMPLE,
    condition=lambda i: i.full.condition if i.rank_is_clear else np.inf,
)
def projected_residual(i):
    return left_by_projected(i, i.points)


@Components.quantity(
    "R_k(K')",
    "the same for the points of the other kernel matrix",
    CHOSEN,
    condition=of_both,
)
def other_residual(i):
    return left_out(other_points(i), i.k)


@Components.quantity(
    r"\textstyle\sum_{i>k}\sigma_i(K')",
    "sum of the singular values of the other kernel matrix after the k-th",
    CHOSEN,
    condition=of_both,
)
def other_tail(i):
    values = np.linalg.eigvalsh(other_matrix(i))
    return np.sort(np.abs(values))[::-1][i.k :].sum()


@Components.quantity(
    r"\|K'-K\|_F",
    "Frobenius norm of the change of the kernel matrix",
    CHOSEN,
    condition=of_both,
)
def change_F(i):
    return np.linalg.norm(other_matrix(i) - i.K)


# --- Instances ------------------------------------------------------------------------

_THREE = diagonal([4, 2, 1])
_SHIFTED = Components.exactly([0], 1, matrix=_THREE, other=diagonal([5, 3, 2]))
_TAIL_SHIFTED = Components.exactly([0], 1, matrix=_THREE, other=diagonal([4, 3, 2]))
_CUT = Components.exactly([0], 1, matrix=_THREE, other=diagonal([4, 0, 0]))
_MISSED = Components.exactly([0], 1, points=[[1, 1], [0, 1]])
_OBLIQUE = Components.exactly([0], 1, points=[[1, 1], [0, 1]], other=diagonal([1, 0]))
_CLOSE = Components.exactly([0, 1], 1, matrix=_THREE, other=diagonal([1, 1, 3]))


def _cases(rng):
    """A multiple of the identity is added: every singular value moves alike."""
    for n in range(1, 7):
        for k in range(1, n + 1):
            K = diagonal([2**j for j in range(n)])
            for shift in (1, 2, 3, 5):
                moved = diagonal([2**j + shift for j in range(n)])
                yield Components.exactly([0] * k, k, matrix=K, other=moved)
            # An approximation from below: some directions are lost.
            lost = diagonal([2**j * int(rng.integers(2)) for j in range(n)])
            yield Components.exactly([0] * k, k, matrix=K, other=lost)
    yield from _of_the_points()


def _of_the_points():
    """K' is the Nyström approximation of whole points, in fractions."""
    rng = np.random.default_rng(5)
    for _ in range(60):
        n = int(rng.integers(2, 6))
        X = rng.integers(-2, 3, (int(rng.integers(2, 4)), n)).tolist()
        S = rng.permutation(n)[: rng.integers(1, n)].tolist()
        k = int(rng.integers(1, len(S) + 1))
        near = exact.ROUTES["full_approximation"](exact.Case.of(S, k, points=X))
        rows = [[str(near[i, j]) for j in range(n)] for i in range(n)]
        yield Components.exactly(S, k, points=X, other=rows)


RESIDUALS = Theorem(
    id="talwalkar2010:prop-5.4",
    kind="inequality",
    status="holds",
    title="Residuals of kernel principal components",
    number="(5.51) to (5.53), Proposition 5.4",
    setting=(
        r"Let $K = X^\top X$ for $n$ points and $k \le n$. The residual $R_k$ of a "
        "matrix of inner products is the mean squared distance of its points from the "
        "span of the $k$ leading left singular vectors of their matrix. For a sample "
        "$S$ let $P$ be the projector onto the $k$ leading left singular vectors of "
        "$X_S$, on fewer where $X_S$ has fewer positive singular values, "
        r"$C = K_{:,S}$, $W = K_{SS}$ and $\tilde K = C W^+ C^\top$."
    ),
    hypotheses={
        "semidefinite": Hypothesis(
            "other == other.T and below(0 * K, other)",
            says="$K'$ be the matrix of inner products of $n$ points",
            domain=True,
        )
    },
    claims={
        "projections": Claim(
            "diag(X.T @ projector @ X) == diag(C @ core_inverse @ C.T)",
            says="The squared lengths of the projections of all points on the "
            "components of a sample are",
        ),
        "residual": Claim(
            "residual == tail_trace / n",
            says="The residual is what the trace of the best approximation misses:",
        ),
        "difference": Claim(
            "abs(other_residual - residual) == abs(other_tail - tail_trace) / n",
            says="The residuals differ as the tails do:",
        ),
        "bound": Claim(
            "abs(other_residual - residual) <= (1 - k / n) * change_2",
            says="Therefore",
        ),
        "attained": Claim(
            "abs(other_residual - residual) == (1 - k / n) * change_2",
            when="other == K + change_2 * identity(n)",
            says="The bound is attained",
        ),
        "Frobenius": Claim(
            "abs(other_residual - residual) <= sqrt(n - k) / n * change_F",
            says="In the Frobenius norm",
        ),
        "from below": Claim(
            "other_residual <= residual",
            when="below(other, K)",
            says="An approximation from below has a residual that is no larger",
        ),
        "certificate": Claim(
            "residual <= other_residual + trace(K - other) / n",
            when="below(other, K)",
            says="and it certifies that of $K$",
        ),
        "of the points": Claim(
            "projected_residual == other_residual + trace(K - other) / n",
            when="other == full_approximation",
            says="The components of the projected points leave this residual of the "
            "points themselves:",
        ),
    },
    world=Components,
    cases=_cases,
    controls={
        "no projector": Control("projections", _OBLIQUE, {"projector @ ": ""}),
        "the largest that is left": Control(
            "residual", _SHIFTED, {"tail_trace": "tail_2"}
        ),
        "the mean over the landmarks": Control("difference", _CLOSE, {"/ n": "/ l"}),
        "one percent less": Control("bound", _SHIFTED, {"<=": "<= 0.99 *"}),
        "one more direction": Control("attained", _SHIFTED, {"k / n": "(k + 1) / n"}),
        "one percent less, Frobenius": Control(
            "Frobenius", _TAIL_SHIFTED, {"<=": "<= 0.99 *"}
        ),
        "from above": Control("from below", _SHIFTED, lacks="below(other, K)"),
        "nine tenths of the trace": Control(
            "certificate", _CUT, {"trace(K": "0.9 * trace(K"}
        ),
        "without the trace": Control(
            "of the points", _MISSED, {" + trace(K - other) / n": ""}
        ),
    },
)
