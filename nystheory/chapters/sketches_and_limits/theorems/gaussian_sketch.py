"""A Gaussian test matrix instead of sampled columns.

Halko, Martinsson and Tropp 2011; Tropp, Yurtsever, Udell and Cevher 2017; Frangella,
Tropp and Udell 2023.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory.chapters.sketches_and_limits.theorems.sketches import Sketched
from nystheory.engine import Claim, Control, Hypothesis, Instance, Promise, Theorem
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.promises.promises import EACH
from nystheory.engine.worlds.matrices import diagonal
from nystheory.engine.worlds.sketched import of_seen, seen


class GaussianSketch(Sketched):
    """A matrix, a Gaussian test matrix, and a rank that leaves room in it."""

    @classmethod
    def drawn(cls, instance, rng):
        """At least three test vectors."""
        count = max(instance.l, 3)
        rank = min(instance.k, instance.n, count - 2)
        landmarks = np.resize(instance.landmarks, count)
        return super().drawn(instance.but(landmarks=landmarks, rank=rank), rng)


# For what is measured of a sketch.
_error = partial(
    GaussianSketch.quantity, when=SAMPLE, condition=lambda i: of_seen(i, i.omega)
)


def _left(i, Q):
    """Points less their part in the span of Q."""
    return i.points - Q @ (Q.T @ i.points)


def _leading(i):
    """The k leading directions of what the sketch sees."""
    Q, _ = seen(i, i.omega)
    return Q @ np.linalg.svd(Q.T @ i.points, full_matrices=False)[0][:, : i.k]


@_error(r"\|K - [\tilde K]_k\|_*", "nuclear error of a sketch, cut to rank k")
def cut_sketch_trace(i):
    if i.eigen_K[0][-1] >= -1e-6 * i.norm_K:
        return np.sum(_left(i, _leading(i)) ** 2)
    # An indefinite K has no points: by definition.
    Y = i.K @ i.omega
    below = Y @ np.linalg.pinv(i.omega.T @ Y) @ Y.T
    values, vectors = np.linalg.eigh((below + below.T) / 2)
    cut = (vectors[:, -i.k :] * values[-i.k :]) @ vectors[:, -i.k :].T
    return np.abs(np.linalg.eigvalsh(i.K - cut)).sum()


@_error(r"\|K - [\tilde K]_k\|_2", "spectral error of a sketch, cut to rank k")
def cut_sketch_2(i):
    return np.linalg.norm(_left(i, _leading(i)), 2) ** 2


@_error(r"\|K - \tilde K\|_2", "spectral error of a sketch")
def sketch_2(i):
    return np.linalg.norm(_left(i, seen(i, i.omega)[0]), 2) ** 2


def _split(i):
    """The sketch in eigenvectors: its k leading rows, and the others."""
    rotated = i.eigen_K[1].T @ i.omega
    return rotated[: i.k], rotated[i.k :]


def _of_leading_rows(i):
    s = np.linalg.svd(_split(i)[0], compute_uv=False)
    return np.sum(i.omega**2) / s[-1] ** 2 if s[-1] > 0 else np.inf


@GaussianSketch.quantity(
    r"\|\Lambda_2^{1/2} \Omega_2 \Omega_1^+\|_F^2",
    "what the sketch mixes of the tail into the leading directions",
    SAMPLE,
    condition=_of_leading_rows,
)
def mixed_in(i):
    leading, rest = _split(i)
    roots = np.sqrt(np.abs(i.eigen_K[0][i.k :]))[:, None]
    return np.linalg.norm(roots * rest @ np.linalg.pinv(leading)) ** 2


def _on_trial(_):
    """Diagonal matrices: the law of a Gaussian matrix does not see the basis."""
    slow = np.diag(np.arange(8.0, 0.0, -1))
    yield Instance.from_points(slow, range(6), 2, "slow spectrum")
    step = np.diag([10.0] * 4 + [1.0] * 36)
    yield Instance.from_points(step, range(10), 4, "a step")


def _four_points(values, **given) -> GaussianSketch:
    """A diagonal K, k = 1, three test vectors."""
    return GaussianSketch.exactly([0, 1, 2], 1, matrix=diagonal(values), **given)


_FLAT = GaussianSketch.exactly([0, 1], 2, matrix=diagonal([1] * 4))
_ONE_LARGE = _four_points([1, "1/1000", "1/1001", "1/1002"])
_SEEN_ONCE = _four_points([1000, 1, 1, 1], omega=[[1, 0, 0]] * 4)
_UNSEEN = _four_points([4, 3, 2, 1], omega=[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
_INDEFINITE = _four_points(
    [2, 1, -1, -1], omega=[[1, -2, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]]
)
_HIGH_STEP = GaussianSketch.from_points(
    np.diag(np.sqrt([300.0] * 2 + [1.0] * 20)), range(4), 2, "a high step"
)


def _by_drawing(of, on, change=(), drops="") -> Control:
    why = "a Gaussian test matrix has no list of outcomes: 4000 were drawn"
    return Control(of, on, dict(change), drops, inexact=why)


def _axes(of) -> Control:
    """Sampled columns in place of Gaussian ones."""
    return Control(of, _ONE_LARGE, law="distinct_axes")


GAUSSIAN_SKETCH = Theorem(
    id="modern:gaussian-sketch",
    kind="expectation",
    status="holds",
    title="Gaussian sketches",
    number="Halko et al. 2011; Tropp et al. 2017; Frangella et al. 2023",
    setting=(
        r"Let $K$ be positive semidefinite with eigenvectors $U = (U_1\ U_2)$, split "
        r"after the $k$-th, and $\Lambda_2$ the diagonal matrix of the eigenvalues "
        r"after it. Let $\Omega$ be an $n \times l$ matrix of independent standard "
        r"normal entries, $\Omega_j = U_j^\top \Omega$, $\tilde K = K \Omega\, "
        r"(\Omega^\top K \Omega)^+ \Omega^\top K$, and $[\tilde K]_k$ its best "
        "approximation of rank $k$."
    ),
    hypotheses={"room": Hypothesis("1 <= k <= l - 2")},
    claims={
        "nuclear": Claim(
            "mean(cut_sketch_trace) <= (1 + k / (l - k - 1)) * tail_trace",
            law="gaussian",
            support=("0", "trace_K"),
        ),
        "spectral": Claim(
            "mean(cut_sketch_2) <= tail_2 + k / (l - k - 1) * tail_trace",
            law="gaussian",
            support=("0", "norm_K"),
        ),
        "without truncation": Claim(
            "mean(sketch_2) <= (1 + 2 * k / (l - k - 1)) * tail_2 "
            "+ 2 * exp(2) * l / ((l - k)**2 - 1) * tail_trace",
            law="gaussian",
            support=("0", "norm_K"),
            says="Without truncation, for each of these $k$,",
        ),
        "every draw, nuclear": Claim(
            "cut_sketch_trace <= tail_trace + mixed_in",
            says=r"For every $\Omega$ with $\Omega_1$ of rank $k$",
        ),
        "every draw, spectral": (
            "cut_sketch_2 <= tail_2 + (cut_sketch_trace - tail_trace)"
        ),
    },
    world=GaussianSketch,
    cases=_on_trial,
    promises={
        "nuclear": Promise("trace", "Gaussian sketch", {"k": EACH}),
        "spectral": Promise("spectral", "Gaussian sketch", {"k": EACH}),
        "without truncation": Promise("spectral", "Gaussian sketch", {"k": EACH}),
    },
    loose={"without truncation": "the constants are those of the published bound"},
    controls={
        "sampled columns": _axes("nuclear"),
        "the tail alone": _by_drawing(
            "nuclear", _HIGH_STEP, {"(1 + k / (l - k - 1)) *": "1 *"}
        ),
        "no room": _by_drawing("nuclear", _FLAT, drops="room"),
        "sampled columns, spectral": _axes("spectral"),
        "sampled columns, without truncation": _axes("without truncation"),
        "half of what is mixed in": Control(
            "every draw, nuclear", _SEEN_ONCE, {"+ mixed_in": "+ 0.5 * mixed_in"}
        ),
        "indefinite": Control(
            "every draw, nuclear", _INDEFINITE, lacks="a positive semidefinite $K$"
        ),
        "the next eigenvalue alone": _by_drawing(
            "spectral", _HIGH_STEP, {" + k / (l - k - 1) * tail_trace": ""}
        ),
        "0.9 of the excess": Control(
            "every draw, spectral", _UNSEEN, {"+ (": "+ 0.9 * ("}
        ),
    },
)
