"""The best core for given columns, in the Frobenius norm.

Wang and Zhang 2013; Wang, Luo and Zhang 2016.
"""

from __future__ import annotations

import numpy as np

from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem, Where
from nystheory.engine.worlds.worlds import Given


class Core(Instance):
    """The columns of one matrix, and any core between them."""

    core = Given("U", "any core, l x l", axes=("l", "l"))

    @classmethod
    def drawn(cls, instance, rng):
        """A competitor: near the best, the usual one, or any; none need be symmetric.

        Every other matrix is shifted, so that it has eigenvalues of both signs.
        """
        i = instance
        if rng.random() < 0.5 and i.norm_K > 0:
            shift = 2.0 ** np.floor(np.log2(i.norm_K / 2))
            i = i.but(K=i.K - shift * np.eye(i.n))
        C = np.linalg.pinv(i.C, rcond=1e-10)
        best = C @ i.K @ C.T
        size = np.abs(best).max(initial=0.0) or 1.0
        noise = rng.standard_normal(best.shape) * size
        usual = np.linalg.pinv(i.W, rcond=1e-10, hermitian=True)
        near = best + 10.0 ** rng.uniform(-3, 0) * noise
        return i.but(core=[near, near, usual, noise][rng.integers(4)])


_BEST = "C @ frobenius_core @ C.T"
_LEAST = f"norm_F(K - {_BEST})"
_PROJECTED = "P_C @ K @ P_C"
_TWO = Core.exactly([0], 1, matrix=[[1, 1], [1, 2]], core=[["3/2"]])

MODIFIED_CORE = Theorem(
    id="modern:modified-nystrom",
    kind="inequality",
    status="to-confirm",
    title="The best core for given columns",
    number="Wang and Zhang 2013; Wang, Luo and Zhang 2016",
    setting=(
        r"Let $C$ be any columns of $K$, $P_C$ the projector on the range of $C$, and "
        r"$U$ any $l \times l$ matrix."
    ),
    hypotheses={
        # K - P K P is orthogonal to all P A P whatever K is.
        "symmetric": Hypothesis("K == K.T", necessary="not known"),
    },
    claims={
        "projection": f"{_BEST} == {_PROJECTED}",
        "Pythagoras": (
            f"norm_F(K - C @ core @ C.T)**2 == {_LEAST}**2 "
            f"+ norm_F({_PROJECTED} - C @ core @ C.T)**2"
        ),
        "best core": Claim(
            f"{_LEAST} <= norm_F(K - C @ core @ C.T)", says="$U^*$ is a best core:"
        ),
        "not worse": Claim(
            f"{_LEAST} <= norm_F(K - C @ pinv(W) @ C.T)",
            says="It is never worse than $W^+$:",
        ),
        "two norms": Claim(
            f"{_LEAST}**2 == norm_F(K)**2 - norm_F({_PROJECTED})**2",
            says="Its error follows from two norms:",
        ),
    },
    where={"frobenius_core": Where("U^*", "pinv(C) @ K @ pinv(C).T")},
    world=Core,
    controls={
        "below K": Control(
            "projection",
            _TWO,
            {f"{_BEST} == {_PROJECTED}": f"below({_BEST}, K)"},
        ),
        "twice the distance": Control("Pythagoras", _TWO, {"+ norm_F": "+ 2 * norm_F"}),
        "spectral norm": Control(
            "best core",
            _TWO,
            {f"{_LEAST} <= norm_F(": "norm_2(K - C @ frobenius_core @ C.T) <= norm_2("},
        ),
        "the usual core as good": Control("not worse", _TWO, {"<=": ">="}),
        "added": Control("two norms", _TWO, {"- norm_F(P_C": "+ norm_F(P_C"}),
    },
)
