"""What holds of the approximation of a semidefinite matrix from its first columns.

Low-rank matrix approximations, an article of Wikipedia: the list after "Theorem—We
have" is lost in the text at hand, and is made anew here.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from nystheory.chapters.two_kinds_of_features.theorems.eigenfunctions import (
    Eigenfunctions,
)
from nystheory.engine import Claim, Control, Theorem
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds.columns import ZERO
from nystheory.engine.worlds.matrices import GREY_HIGH
from nystheory.engine.worlds.quantities import QUANTITIES
from nystheory.engine.worlds.worlds import Given


class FirstColumns(Eigenfunctions):
    """The columns of one matrix, another matrix with those sampled, and an order."""

    # What the other matrix has besides K outside of the sampled rows and columns.
    besides = Given(axes=("n", "n"))
    # By which the points are put in another order.
    keys = Given(axes=("n",))
    # A further landmark; any number is read as one.
    further = Given()

    @classmethod
    def drawn(cls, instance, rng):
        """Integers, as large as the entries of K; None where no rank is to be told."""
        if not instance.rank_is_clear:
            return None
        n, size = instance.n, 2.0 ** np.round(np.log2(instance.norm_K or 1.0))
        besides = size * rng.integers(-2, 5, (n, n)) / 4
        given = {"keys": rng.permutation(n), "further": rng.integers(n)}
        return instance.but(besides=besides, **given)


# --- Blocks ---------------------------------------------------------------------------


@FirstColumns.quantity("S", "places of the landmarks", SAMPLE, unit=None)
def places(i):
    return i.landmarks


@FirstColumns.quantity("K_{22}", "K at the points that were not sampled", SAMPLE)
def K_rest(i):
    return i.K[np.ix_(i.others, i.others)]


def _of_error(i):
    return QUANTITIES["E"].condition(i)


@FirstColumns.quantity(
    "E_{22}", "E at the points that were not sampled", SAMPLE, condition=_of_error
)
def E_rest(i):
    return i.full.error[np.ix_(i.others, i.others)]


@FirstColumns.quantity(r"\operatorname{rank} E", "rank of E", SAMPLE, unit=None)
def rank_missed(i):
    """On what the projection on the landmarks leaves of the points."""
    missed = i.points - projected(i)
    share = scipy.linalg.svdvals(missed) / (np.linalg.norm(i.points, 2) or 1.0)
    if ((share > ZERO) & (share < GREY_HIGH)).any():
        return None
    return int((share > ZERO).sum())


def projected(i):
    """The points, projected on the span of the landmarks."""
    U = scipy.linalg.svd(i.points[:, i.landmarks], full_matrices=False)[0]
    U = U[:, : i.rank_W]
    return U @ (U.T @ i.points)


# --- Other matrices -------------------------------------------------------------------


@FirstColumns.quantity("M", "a symmetric matrix with the same sampled columns", CHOSEN)
def M(i):
    """K, and something symmetric where neither row nor column was sampled."""
    if i.brings("besides"):
        added = np.array(i.besides) + np.transpose(i.besides)
        added[i.landmarks] = added[:, i.landmarks] = 0
        return i.K + added
    return i.K


def _with_further(i):
    S = np.append(i.landmarks, int(np.floor(i.further + 0.5)) % i.n)
    return i.but(landmarks=S, rank=len(S))


def _of_further(i):
    return QUANTITIES["full_approximation"].condition(_with_further(i))


@FirstColumns.quantity(
    r"\tilde K_{+}",
    "Nyström approximation with a further landmark",
    SAMPLE,
    condition=_of_further,
)
def with_further(i):
    return _with_further(i).full.approximation


def _reordered(i):
    """The instance with its points in another order, and the places of the points."""
    order = np.argsort(i.keys, kind="stable")
    back = np.argsort(order)
    there = FirstColumns(i.K[np.ix_(order, order)], back[i.landmarks], i.k)
    return there, back


@FirstColumns.quantity(
    r"\Pi^\top \widetilde{(\Pi K \Pi^\top)}\, \Pi",
    "approximation of the matrix in another order, put back",
    SAMPLE,
    condition=_of_error,
)
def put_back(i):
    there, back = _reordered(i)
    return there.full.approximation[np.ix_(back, back)]


# --- The list -------------------------------------------------------------------------


def _example(landmarks, points=None, **given) -> FirstColumns:
    return FirstColumns.exactly(landmarks, len(landmarks), points=points, **given)


_OBLIQUE = _example([1], [[1, 1, 0], [0, 1, 2]], further=0, keys=[2, 0, 1])
_RIGHT_ANGLE = _example([0], [[1, 0], [0, 1]], further=1, besides=[[0, 0], [0, "-1/4"]])
_TWICE = _example([0, 0], [[1, 0], [0, 1]])
_EXCHANGE = _example([0], matrix=[[0, 1], [1, 0]])
_WHOLE = "a positive semidefinite $K$"
_MORE = {"full_approximation": "1.01 * full_approximation"}

NYSTROM_PROPERTIES = Theorem(
    id="wikipedia:nystrom",
    kind="identity",
    status="reconstructed",
    title="Nine properties of the approximation",
    number="the theorem on the Nyström approximation",
    setting=(
        r"Let $K = X^\top X$, let $X_S$ be $l$ of the columns of $X$, repetitions "
        r"allowed, $K_{21}$ the rows of $C$ that were not sampled, $K_{22}$ the "
        r"entries of $K$ in these rows and columns, $\tilde K = C W^+ C^\top$ and $E "
        r"= K - \tilde K$."
    ),
    claims={
        "projection": Claim(
            "C @ pinv(W) @ C.T == X.T @ points_S @ pinv(points_S) @ X",
            says="(a) Whatever the factor $X$,",
        ),
        "semidefinite": Claim(
            "below(0, full_approximation)",
            says="(b) It lies between zero and $K$, and has the rank of the core:",
        ),
        "below K": "below(full_approximation, K)",
        "rank": "rank(full_approximation) == rank_W",
        "sampled columns": Claim(
            "taken(full_approximation, places) == C",
            says="(c) Its sampled columns are those of $K$:",
        ),
        "Schur complement": Claim(
            "E_rest == K_rest - K_21 @ pinv(W) @ K_21.T",
            says="(d) Elsewhere the error is the generalised Schur complement:",
        ),
        "rank of the error": Claim(
            "rank_missed == rank_K - rank_W",
            says=r"(e) So it is zero if and only if $\operatorname{rank} W = "
            r"\operatorname{rank} K$:",
        ),
        "norm": Claim(
            "norm_E >= tail_2",
            when="k == l",
            says="(f) It is no nearer than the best of its rank:",
        ),
        "trace": Claim("trace_E >= tail_trace", when="k == l"),
        "a further column": Claim(
            "below(full_approximation, with_further)",
            says=r"(g) A further landmark gives a larger matrix $\tilde K_+$:",
        ),
        "smallest": Claim(
            "below(full_approximation, M)",
            when="below(0, M)",
            says="(h) It is the smallest with these columns: for symmetric $M$ with "
            "the columns $C$,",
        ),
        "order": Claim(
            "put_back == full_approximation",
            says="(i) The order of the points does not matter:",
        ),
    },
    world=FirstColumns,
    controls={
        "inner products for the projector": Control(
            "projection", _OBLIQUE, {"pinv(points_S)": "points_S.T"}
        ),
        "half of K": Control(
            "semidefinite",
            _RIGHT_ANGLE,
            {"full_approximation": "full_approximation - 0.5 * K"},
        ),
        "one percent above K": Control("below K", _OBLIQUE, _MORE),
        "as many as landmarks": Control("rank", _TWICE, {"rank_W": "l"}),
        "zeros on the diagonal": Control("sampled columns", _EXCHANGE, lacks=_WHOLE),
        "half of the complement": Control(
            "Schur complement", _OBLIQUE, {"- K_21": "- 0.5 * K_21"}
        ),
        "less the number of landmarks": Control(
            "rank of the error", _TWICE, {"- rank_W": "- l"}
        ),
        "one percent above the best": Control(
            "norm", _RIGHT_ANGLE, {">= tail_2": ">= 1.01 * tail_2"}
        ),
        "one percent above the best trace": Control(
            "trace", _RIGHT_ANGLE, {">= tail_trace": ">= 1.01 * tail_trace"}
        ),
        "one percent more": Control("a further column", _RIGHT_ANGLE, _MORE),
        "K is the smallest": Control(
            "smallest", _RIGHT_ANGLE, {"full_approximation": "K"}
        ),
        "one percent more in another order": Control(
            "order", _OBLIQUE, {"== full": "== 1.01 * full"}
        ),
    },
)
