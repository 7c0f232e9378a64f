"""What the trace of the error says about every other error.

Nothing here needs a random sample or the whole of K: the factor of the approximation
and the diagonal of K are enough.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from nystheory import lowrank
from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem
from nystheory.engine.worlds.between import SEMIDEFINITE, Between
from nystheory.engine.worlds.columns import by_core, count, without_unit
from nystheory.engine.worlds.matrices import eigen
from nystheory.engine.worlds.quantities import quantity


@by_core(r"\max_i E_{ii}", "what is missed of a point")
def largest_missed(i):
    return np.diag(i.full.error).max()


@by_core("|E_{ij}|", "sizes of the entries of E")
def entry_sizes(i):
    return np.abs(i.full.error)


@by_core(
    r"\sqrt{E_{ii} E_{jj}}", "products of the lengths of what is missed of two points"
)
def entry_limits(i):
    # What is left of the points; roots of entries of E would double the digits lost.
    U = i.svd_X_S[0]
    lengths = np.linalg.norm(i.points - U @ (U.T @ i.points), axis=0)
    return np.outer(lengths, lengths)


@count(r"\operatorname{rank} E", "rank of E")
def rank_E(i):
    return i.rank_K - i.rank_W if i.rank_is_clear else None


@by_core(r"\|F\|_F", "Frobenius norm of the factor of the approximation", unit=0.5)
def factor_F(i):
    return np.linalg.norm(lowrank.nystrom(i.K, i.landmarks).factor)


@quantity(r"\lambda_j", "eigenvalues of the matrix")
def eigenvalues(i):
    return i.eigen_K[0]


@by_core(r"\tilde\lambda_j", "eigenvalues of the approximation")
def approximate_eigenvalues(i):
    return eigen(i.full.approximation)[0]


def _gap(values, k):
    """From the k-th eigenvalue to the next, 0 after the last."""
    values = np.append(values, 0.0)
    return values[k - 1] - values[k]


@by_core(
    r"\tilde\lambda_k - \tilde\lambda_{k+1}",
    "gap of the eigenvalues of the approximation after the k-th",
)
def approximate_gap(i):
    return _gap(approximate_eigenvalues(i), i.k)


def _of_both_spaces(i):
    """Each space turns by rounding over its gap."""
    gap = min(approximate_gap(i), _gap(eigenvalues(i), i.k))
    return i.full.condition * i.norm_K / gap if gap > 0 else np.inf


@without_unit(
    r"\theta",
    "largest angle between the leading spaces of dimension k",
    condition=_of_both_spaces,
)
def angle(i):
    true, found = i.eigen_K[1], eigen(i.full.approximation)[1]
    return scipy.linalg.subspace_angles(true[:, : i.k], found[:, : i.k])[0]


def _extremal(rng):
    """Two points of the same length; identities less one column."""
    for _ in range(60):
        X = rng.standard_normal((3, 2))
        yield Instance.from_points(X / np.linalg.norm(X, axis=0), [0], 1, "two points")
    for n in range(2, 10):
        yield Instance(np.eye(n), range(n - 1), 1, X=np.eye(n), name="identity")


_THREE = Instance.exactly([0], 1, points=[[1, 0, 0], [0, 1, 1]])
_MISSED = Between.orthogonal(2, 1)
_OVERTAKEN = Between.orthogonal(1, 5)
_NO_IDENTITY = Between.orthogonal(1, 4)
_INDEFINITE = Between.orthogonal(1, -1)
_IDENTITY = Between.orthogonal(1, 1)
_RANK_TWO = Between.orthogonal(1, 1, 1)
_EQUAL = Instance.exactly([0], 1, matrix=[[5, 3], [3, 5]])
_UNLIKE = Instance.exactly([0], 1, matrix=[[5, 2], [2, 3]])
_NEARLY = Instance.exactly([0], 1, matrix=[[200, 1], [1, 200]])
_BELOW_GAP = r"$\|E\|_2 < \tilde\lambda_k - \tilde\lambda_{k+1}$"

ERROR_CHAIN = Theorem(
    id="modern:error-chain",
    kind="inequality",
    status="holds",
    title="One trace bounds every error",
    number="Weyl 1912; Davis and Kahan 1970",
    setting=(
        r"Let $K$ be positive semidefinite with eigenvalues $\lambda_1 \ge \lambda_2 "
        r"\ge \dots$, let $\tilde K = C W^+ C^\top = F F^\top$ be the Nyström "
        r"approximation with eigenvalues $\tilde\lambda_1 \ge \tilde\lambda_2 \ge "
        r"\dots$, both zero beyond the $n$-th, let $E = K - \tilde K$, and let "
        r"$\theta$ be the largest angle between the leading $k$ eigenvectors of $K$ "
        r"and of $\tilde K$."
    ),
    hypotheses={"rank": Hypothesis("1 <= k <= n", domain=True)},
    claims={
        "order": "below(0, E)",
        "diagonal": "largest_missed <= norm_E",
        "spectral": "norm_E <= norm_F(E)",
        "Frobenius": "norm_F(E) <= trace_E",
        "certificate": "trace_E == trace_K - factor_F**2",
        "entries": Claim("entry_sizes <= entry_limits", says="Entries:"),
        "eigenvalues": Claim(
            "approximate_eigenvalues <= eigenvalues", says="Eigenvalues, for every "
                "$j$:"
        ),
        "growth": "eigenvalues <= approximate_eigenvalues + norm_E",
        "growth, trace": "eigenvalues <= approximate_eigenvalues + trace_E",
        "angle": Claim(
            "sin(2 * angle) <= norm_E / approximate_gap",
            when="norm_E < approximate_gap",
            says="Eigenvectors:",
        ),
        "45 degrees": Claim(
            "sin(angle) <= sqrt(1 / 2)",
            when="norm_E < approximate_gap",
            says=r"moreover $\theta \le 45°$,",
        ),
        "angle, trace": Claim(
            "sin(2 * angle) <= trace_E / approximate_gap",
            when="trace_E < approximate_gap",
        ),
        "one column left": Claim(
            "largest_missed == trace_E",
            when="different == n - 1",
            says="Equality: all four sizes of $E$ are the same",
        ),
        "rank one": Claim("entry_sizes == entry_limits", when="rank_E == 1"),
        "identity": Claim(
            "max(eigenvalues - approximate_eigenvalues) == trace_E",
            when="K == identity(n) and different == n - 1",
            reason="one matrix for each size, the identity less one column; sizes 2 to "
            "9 are tried",
        ),
        "two points": Claim(
            "sin(2 * angle) == trace_E / approximate_gap",
            when="n == 2 and l == 1 and trace_K == 2 * K_max "
            "and trace_E < approximate_gap",
        ),
    },
    cases=_extremal,
    controls={
        "indefinite": Control("order", _INDEFINITE, lacks=SEMIDEFINITE),
        "indefinite, trace": Control("Frobenius", _INDEFINITE, lacks=SEMIDEFINITE),
        "the diagonal alone": Control("diagonal", _THREE, {"<=": ">="}),
        "nine tenths, diagonal": Control("diagonal", _MISSED, {"<=": "<= 0.9 *"}),
        "nine tenths, spectral": Control("spectral", _MISSED, {"<=": "<= 0.9 *"}),
        "half the trace": Control("Frobenius", _MISSED, {"<=": "<= 0.5 *"}),
        "a factor twice as long": Control(
            "certificate", _MISSED, {"factor": "2 * factor"}
        ),
        "0.99 for entries": Control("entries", _THREE, {"<=": "<= 0.99 *"}),
        "1.01 for eigenvalues": Control(
            "eigenvalues", _IDENTITY, {"approximate": "1.01 * approximate"}
        ),
        "0.99 for the growth": Control("growth", _IDENTITY, {"+": "+ 0.99 *"}),
        "0.99 for the trace": Control("growth, trace", _IDENTITY, {"+": "+ 0.99 *"}),
        "twice the sine": Control(
            "angle", _EQUAL, {"sin(2 * angle)": "2 * sin(angle)"}
        ),
        "0.99 for the angle": Control("angle, trace", _EQUAL, {"<=": "<= 0.99 *"}),
        "an error above the gap": Control(
            "45 degrees", _OVERTAKEN, lacks="norm_E < approximate_gap"
        ),
        "less than 45 degrees": Control("45 degrees", _NEARLY, {"sqrt(1 / 2)": "0.7"}),
        "two columns left": Control(
            "one column left", _THREE, lacks="different == n - 1"
        ),
        "rank two": Control("rank one", _RANK_TWO, lacks="rank_E == 1"),
        "no identity": Control("identity", _NO_IDENTITY, lacks="K == identity(n)"),
        "unlike lengths": Control("two points", _UNLIKE, lacks="trace_K == 2 * K_max"),
    },
)
