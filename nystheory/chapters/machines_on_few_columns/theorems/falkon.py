"""FALKON: the system of few columns, preconditioned from the landmarks alone.

Rudi, Carratino and Rosasco 2017; the constants are derived here.
"""

from __future__ import annotations

import math
from functools import lru_cache, partial
from itertools import combinations_with_replacement

import numpy as np
import scipy.linalg

from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem, Where
from nystheory.engine.language.claims import SUMS
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds import drawn_columns as columns
from nystheory.engine.worlds import laws
from nystheory.engine.worlds.between import with_ridge
from nystheory.engine.worlds.drawn_columns import LISTED
from nystheory.engine.worlds.matrices import EPS, diagonal
from nystheory.engine.worlds.measured import ROUNDING
from nystheory.engine.worlds.worlds import Given

# Relative eigenvalues of the core between these could be a zero or not.
GREY = 1e-12, 1e-8


class LandmarkSystem(Instance):
    """The columns of one matrix, observations, and weights of the landmarks."""

    importance = Given(axes=("l",))
    T = Given(
        "T",
        "number of steps",
        range="1 <= floor(T) == T",
        says=r"$T \ge 1$ be an integer",
    )

    @classmethod
    def drawn(cls, instance, rng):
        """A ridge of any size, integers, weights, and probabilities of the columns."""
        i, n = with_ridge(instance, rng), instance.n
        y = rng.integers(-3, 4, n).astype(float)
        whole = 2 ** int(np.ceil(np.log2(2 * n)))
        p = (1 + rng.multinomial(whole - n, np.full(n, 1 / n))) / whole
        given = {"y": y, "T": int(rng.integers(1, 5)), "probabilities": p}
        given["delta"] = 2.0 ** rng.integers(-6, 1)
        if rng.random() < 0.4:
            given["importance"] = 2.0 ** rng.integers(-2, 4, i.l)
        return i.but(**given)


# --- The two systems ------------------------------------------------------------------


def _weights(i):
    """Of the landmarks: those that it brings, else so many points for each."""
    if i.brings("importance"):
        return np.asarray(i.importance, dtype=float)
    return np.full(i.l, i.n / i.l)


def _shifted(i, M):
    return M + float(i.alpha) * np.eye(len(M))


def _is_definite(i) -> bool:
    """Whether ridge and weights are positive, as they have to be."""
    return float(i.alpha) > 0 and bool((_weights(i) > 0).all())


@lru_cache(maxsize=64)
def _core(i):
    """Eigenvalues of W above zero, and eigenvectors; None where rounding hides them."""
    values, vectors = np.linalg.eigh(i.W)
    share = values / max(values[-1], np.finfo(float).tiny) if i.l else values
    if ((share > GREY[0]) & (share < GREY[1])).any():
        return None
    kept = share >= GREY[1]
    return values[kept], vectors[:, kept]


def _features(i):
    """Features of all points, and of the landmarks, one a row."""
    values, vectors = _core(i)
    roots = np.sqrt(values)
    return i.C @ vectors / roots, vectors * roots


def condition_of(F, F_S, weights, ridge: float) -> float:
    """Condition of FALKON's system on features, of all points and of the landmarks.

    Parameters
    ----------
    F, F_S : ndarray (n, r), (l, r)
    weights : ndarray (l,)
        Positive, of the landmarks.
    ridge : float
        Positive.

    Examples
    --------
    >>> F = np.diag([3.0, 1.0])
    >>> condition_of(F, F, np.ones(2), 1.0)
    1.0
    >>> round(condition_of(F, F, np.array([1.0, 3.0]), 1.0), 9)
    2.0
    """
    if not F.shape[1]:
        return 1.0
    shift = ridge * np.eye(F.shape[1])
    P = (F_S.T * weights) @ F_S + shift
    found = scipy.linalg.eigh(F.T @ F + shift, P, eigvals_only=True)
    return float(found[-1] / found[0])


def _of_core(i) -> float:
    found, ridge = _core(i), float(i.alpha)
    if found is None or not _is_definite(i):
        return np.inf
    values = found[0]
    if not values.size:
        return 1.0
    grown = 1 + i.norm_K * (1 + i.l * _weights(i).max()) / ridge
    return float(values[-1] / values[0] * grown)


def _of_excess(i, at) -> float:
    """A square, of a difference that errs as the minimiser does."""
    amplified, found = _of_core(i) * (1 + int(i.T)), _excesses(i)
    if found is None:
        return np.inf
    start, here = found[0], found[at]
    rounded = ROUNDING * i.n * EPS * amplified
    return float(amplified * (np.sqrt(here * start) + rounded * start))


@lru_cache(maxsize=64)
def _excesses(i) -> np.ndarray | None:
    """Of the objective over its minimum, before the first step and after each."""
    if _core(i) is None or not _is_definite(i):
        return None
    F, F_S = _features(i)
    A = _shifted(i, F.T @ F)
    P = _shifted(i, (F_S.T * _weights(i)) @ F_S)
    best = np.linalg.solve(A, F.T @ i.y)
    w, r = np.zeros(len(A)), F.T @ i.y
    z = np.linalg.solve(P, r)
    p, rz, found = z, r @ z, [best @ A @ best]
    for _ in range(int(i.T)):
        if rz > 1e-28 * found[0]:
            step = rz / (p @ A @ p)
            w, r = w + step * p, r - step * (A @ p)
            z = np.linalg.solve(P, r)
            p, rz = z + (r @ z) / rz * p, r @ z
        found.append((w - best) @ A @ (w - best))
    return np.array(found)


# --- Measured -------------------------------------------------------------------------

_sampled = partial(LandmarkSystem.quantity, when=SAMPLE)
_plain = partial(_sampled, unit=0, condition=_of_core)


@LandmarkSystem.quantity("N", "length of a point", CHOSEN, unit=None)
def point_length(i):
    return len(i.points)


@LandmarkSystem.quantity(
    r"\ell_{\max}",
    "largest ridge leverage score",
    unit=0,
    condition=lambda i: 1 + i.norm_K / float(i.alpha) if i.alpha > 0 else np.inf,
)
def top_score(i):
    return np.diag(np.linalg.solve(_shifted(i, i.K), i.K)).max()


@_sampled("X_S", "the landmarks, as columns", unit=0.5)
def points_S(i):
    return i.points[:, i.landmarks]


@_sampled("D", "weights of the landmarks, on a diagonal", unit=None)
def weighting(i):
    return np.diag(_weights(i))


@_sampled("D_p", "one over l times the probability of each landmark", unit=None)
def D_p(i):
    return np.diag(1 / (i.l * np.ravel(i.probabilities)[i.landmarks]))


@_plain(r"\kappa", "condition number of the preconditioned system")
def kappa(i):
    if _core(i) is None or not _is_definite(i):
        return None
    return condition_of(*_features(i), _weights(i), float(i.alpha))


def _of_points(i) -> float:
    if not _is_definite(i):
        return np.inf
    grown = 1 + i.norm_K * (1 + i.l * _weights(i).max()) / float(i.alpha)
    return float(grown)


@_sampled(
    "t",
    "how far the landmarks are from standing for all points",
    unit=0,
    condition=_of_points,
)
def deviation(i):
    if not _is_definite(i):
        return None
    X, Z = i.points, i.points[:, i.landmarks]
    P = _shifted(i, (Z * _weights(i)) @ Z.T)
    found = scipy.linalg.eigh(_shifted(i, X @ X.T), P, eigvals_only=True)
    return float(np.abs(found - 1).max(initial=0.0))


@_plain(
    r"J(a_T) - J(a_*)",
    "objective after T steps, over its minimum",
    condition=lambda i: _of_excess(i, -1),
)
def excess(i):
    found = _excesses(i)
    return None if found is None else found[-1]


@_plain(
    r"\bigl(J(0) - J(a_*)\bigr)",
    "objective at zero, over its minimum",
    condition=lambda i: _of_excess(i, 0),
)
def excess_at_zero(i):
    found = _excesses(i)
    return None if found is None else found[0]


@LandmarkSystem.quantity(r"d_j = \frac nl", "whether all weights are those", CHOSEN)
def equal_weights(i):
    return not i.brings("importance")


def _weighted_counts(i):
    """Independent landmarks by how often each is drawn: the order plays no part."""
    p, l = np.ravel(i.probabilities), i.l  # noqa: E741 - the field's letter
    if math.comb(l + i.n - 1, l) > LISTED:
        return None
    found = combinations_with_replacement(range(i.n), l)
    return ((_chance(p, S), i.but(landmarks=np.array(S))) for S in found)


def _chance(p, S) -> float:
    """Of so many of each in any order."""
    counts = np.bincount(S, minlength=len(p))
    ways = math.factorial(len(S)) // math.prod(map(math.factorial, counts.tolist()))
    return ways * float(np.prod(p**counts))


laws.enter(
    "weighted_counts",
    "columns of given probabilities, by how often each is drawn",
    _weighted_counts,
    columns.weighted_draw,
)


# --- The theorem ----------------------------------------------------------------------


def _cases(rng):
    for _ in range(10):
        X = rng.integers(-2, 3, (3, 4))
        yield LandmarkSystem.from_points(X, [0, 2], 2, "integers")
        yield LandmarkSystem.from_points(X, [0, 2, 2], 2, "a landmark twice")
    for count in (2, 3):
        X = rng.integers(-2, 3, (3, count))
        yield LandmarkSystem.from_points(X, range(count), 1, "all points")
    # Weights too large for one landmark and too small for the other.
    for size in (4.0, 100.0):
        for t in (0.25, 0.5):
            weights = np.array([1 / (1 + t), 1 / (1 - t)])
            given = {"importance": weights, "alpha": 2.0**-10, "y": np.ones(2)}
            X = size * np.eye(2)
            yield LandmarkSystem.from_points(
                X, [0, 1], 2, **given, T=1, delta=0.5, probabilities=[0.5, 0.5]
            )
    for n, l in ((1, 9), (2, 28)):  # noqa: E741 - the field's letter
        X = np.eye(n) * np.arange(1, n + 1)
        given = {"alpha": 4.0, "delta": 1.0, "T": 1, "y": np.ones(n)}
        yield LandmarkSystem.from_points(
            X, [0] * l, 1, **given, probabilities=np.full(n, 1 / n)
        )


_GIVEN = {"alpha": 1, "T": 1, "delta": "1/2"}
_PLANE = LandmarkSystem.exactly(
    [0, 1], 2, points=[[1, 1, 0], [0, 1, 2]], y=[1, 1, 0], **_GIVEN
)
_TWO = LandmarkSystem.exactly(
    [0, 1], 2, points=[[1, 0], [0, 1]], y=[1, 1], importance=["1/2", 2], **_GIVEN
)
_STEEP = LandmarkSystem.exactly(
    [0, 1], 2, points=[[2, 0], [0, 2]], y=[1, 1], importance=["7/12", "9/4"], **_GIVEN
)
_CHANCES = LandmarkSystem.exactly(
    [0], 1, points=[[1, 2]], y=[1, 1], probabilities=["1/4", "3/4"], **_GIVEN
)
# Two landmarks of eight: a long one and a short one weigh unlike.
_EIGHT = LandmarkSystem.exactly(
    [0, 4],
    2,
    matrix=diagonal([100] * 4 + ["1/100"] * 4),
    y=[1] * 8,
    **{**_GIVEN, "delta": "2/5"},
)
_TURN = LandmarkSystem.exactly(
    [0, 1],
    2,
    points=[[1, 0], [0, 1]],
    y=[2, "3/2"],
    importance=[3, "5/4"],
    **_GIVEN,
)
_ENOUGH = "l >= 10 * (n * top_score + 1) * log(2 * n / delta)"
_ALL = "equal_weights and l == n and different == n"
_RATE = "(2 * rho**T / (1 + rho**(2 * T)))**2"

FALKON = Theorem(
    id="modern:falkon",
    kind="probability",
    status="new",
    title="FALKON: a preconditioner from the landmarks alone",
    number="after Rudi, Carratino and Rosasco 2017",
    setting=(
        r"Let $K = X^\top X$ for $n$ points in $\mathbb R^N$, let $X_S$ hold $l$ "
        "landmarks, repetitions allowed, and let $D$ be diagonal with weights $d_j$, "
        r"$\frac nl$ unless stated otherwise. Let $J(a) = |y - C a|^2 + \alpha\, "
        r"a^\top W a$ with a minimiser $a_*$, let $H = C^\top C + \alpha W$ and $M = "
        r"W D W + \alpha W$. Let $\kappa$ be the ratio of the largest and the "
        "smallest eigenvalue of $M^+ H$ on the range of $W$, and $a_T$ where $T$ "
        r"steps of conjugate gradients for $H a = C^\top y$ with the preconditioner "
        r"$M^+$ lead from zero. Let $\Sigma_S = X_S D X_S^\top$, let $t$ be the "
        r"smallest number with $-t (\Sigma_S + \alpha I) \preceq X X^\top - \Sigma_S "
        r"\preceq t (\Sigma_S + \alpha I)$, let $p_j$ be probabilities, none of them "
        r"zero, and let $\ell_{\max}$ be the largest diagonal entry of $K (K + \alpha "
        "I)^{-1}$."
    ),
    where={
        "seen": Where(r"\Sigma_S", "points_S @ weighting @ points_S.T", told=False),
        "rho": Where(r"\rho", "(sqrt(kappa) - 1) / (sqrt(kappa) + 1)"),
    },
    hypotheses={
        "weights": Hypothesis("min(diag(weighting)) > 0", says="$d_j > 0$", domain=True)
    },
    claims={
        "system": Claim(
            "C.T @ C + alpha * W"
            " == points_S.T @ (X @ X.T + alpha * identity(point_length)) @ points_S",
            says="The system is that of all points, seen by the landmarks,",
        ),
        "preconditioner": Claim(
            "W @ weighting @ W + alpha * W"
            " == points_S.T @ (seen + alpha * identity(point_length)) @ points_S",
            says="and the preconditioner has the landmarks in place of the points:",
        ),
        "unbiased": Claim(
            "mean(n / l * points_S @ points_S.T) == X @ X.T",
            law="replaced_counts",
            says="In the mean landmarks drawn uniformly and independently stand for "
            "all points,",
        ),
        "by probabilities": Claim(
            "mean(points_S @ D_p @ points_S.T) == X @ X.T",
            law="weighted_counts",
            says=r"and so do those of the probabilities $p_j$, drawn independently, "
            r"for $D_p$ with the entries $\frac{1}{l p_j}$:",
        ),
        "condition": Claim(
            "kappa <= (1 + deviation) / (1 - deviation)",
            when="deviation < 1",
            says="The better the landmarks stand for the points, the better the "
            "condition number:",
        ),
        "all points": Claim("kappa == 1", when=_ALL, says="With all points as "
            "landmarks"),
        "enough": Claim(
            "chance(kappa > 3) <= delta",
            when=f"equal_weights and {_ENOUGH}",
            law="replaced_counts",
            says=r"With many landmarks, drawn uniformly and independently, $\kappa$ is "
            "rarely above 3:",
        ),
        "steps": Claim(
            f"excess <= {_RATE} * excess_at_zero", says="$T$ steps leave at most this "
                "share of the excess:"
        ),
    },
    world=LandmarkSystem,
    cases=_cases,
    loose={"enough": SUMS},
    controls={
        "without the ridge": Control(
            "system", _PLANE, {"C.T @ C + alpha * W": "C.T @ C"}
        ),
        "without weights": Control(
            "preconditioner", _PLANE, {"W @ weighting @ W": "W @ W"}
        ),
        "one percent more": Control("unbiased", _CHANCES, {"n / l": "1.01 * n / l"}),
        "uniform landmarks": Control("by probabilities", _CHANCES, law="uniform"),
        "nine tenths": Control("condition", _STEEP, {"<= (": "<= 0.9 * ("}),
        "without one": Control("all points", _TWO, lacks="equal_weights"),
        "two of eight landmarks": Control("enough", _EIGHT, lacks=_ENOUGH),
        "nine tenths of the rate": Control("steps", _TURN, {"<= (2": "<= 0.9 * (2"}),
    },
)
