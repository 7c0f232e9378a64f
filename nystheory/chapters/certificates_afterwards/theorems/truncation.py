"""An approximation of rank k, cut in the right place.

Tropp, Yurtsever, Udell and Cevher 2017; Pourkamali-Anaraki and Becker 2017.
"""

from __future__ import annotations

from nystheory import lowrank
from nystheory.engine import Control, Hypothesis, Instance, Theorem
from nystheory.engine.worlds.between import SEMIDEFINITE, Between
from nystheory.engine.worlds.columns import by_core
from nystheory.engine.worlds.matrices import eigen


# Where eigenvalues tie at the cut every choice will do, so no gap enters.
@by_core(
    r"[\tilde K]_k", "best part of rank k of the approximation, one of them at a tie"
)
def cut_approximation(i):
    if i.eigen_K[0][-1] < -1e-6 * i.norm_K:
        # The package refuses a K that is not semidefinite.
        values, vectors = eigen(i.full.approximation)
        return (vectors[:, : i.k] * values[: i.k]) @ vectors[:, : i.k].T
    result = lowrank.nystrom(i.K, i.landmarks, i.k, truncate="approximation")
    return result.spectral_reconstruction()


@by_core(r"C W_k^+ C^\top", "approximation with a core of rank k, one of them at a tie")
def cut_core(i):
    return i.approximation


def _compared(norm, relation="<=") -> str:
    return f"{norm}(K - cut_approximation) {relation} {norm}(K - cut_core)"


def _never(on, norm, relation="<=") -> Control:
    """The comparison in another norm."""
    return Control("never worse", on, {_NUCLEAR: _compared(norm, relation)})


def _worse(matrix) -> Instance:
    """Two landmarks, cut to rank 1."""
    return Instance.exactly([0, 1], 1, matrix=matrix)


_NUCLEAR = _compared("norm_trace")
_SPECTRAL_WORSE = _worse(
    [[5, 0, -2, -6], [0, 4, -2, 2], [-2, -2, 6, 4], [-6, 2, 4, 10]]
)
_FROBENIUS_WORSE = _worse(
    [[6, 2, -5, -4], [2, 3, -5, 2], [-5, -5, 10, 0], [-4, 2, 0, 16]]
)
_FAR = _worse([[2, 0, 0], [0, 1, 3], [0, 3, 10]])
_INDEFINITE = _worse([[2, 0, 0], [0, 1, 2], [0, 2, 0]])
_MISSED = Between.orthogonal(1, 2)

FIXED_RANK = Theorem(
    id="modern:fixed-rank",
    kind="inequality",
    status="holds",
    title="Cut the approximation, not the core",
    number="Tropp et al. 2017; Pourkamali-Anaraki and Becker 2017",
    setting=(
        r"Let $K$ be positive semidefinite, $\tilde K = C W^+ C^\top$, $E = K - "
        r"\tilde K$, and let $[\tilde K]_k$ be the best approximation of $\tilde K$ "
        "of rank $k$."
    ),
    # For k > l nothing is cut, and all three are the full approximation.
    hypotheses={"rank": Hypothesis("1 <= k <= l", necessary="not known")},
    claims={
        "order": "below(cut_core, full_approximation)",
        "never worse": _NUCLEAR,
        "nuclear": "norm_trace(K - cut_approximation) <= tail_trace + trace_E",
        "spectral": "norm_2(K - cut_approximation) <= tail_2 + norm_E",
    },
    controls={
        "the other order": Control(
            "order",
            _FAR,
            {"cut_core, full_approximation": "full_approximation, cut_core"},
        ),
        "never worse, spectral": _never(_SPECTRAL_WORSE, "norm_2"),
        "never worse, Frobenius": _never(_FROBENIUS_WORSE, "norm_F"),
        "never better, spectral": _never(_FAR, "norm_2", ">="),
        "never better, Frobenius": _never(_FAR, "norm_F", ">="),
        "indefinite": Control("never worse", _INDEFINITE, lacks=SEMIDEFINITE),
        "without the columns": Control("nuclear", _MISSED, {" + trace_E": ""}),
        "without the columns, spectral": Control(
            "spectral", _MISSED, {" + norm_E": ""}
        ),
    },
)
