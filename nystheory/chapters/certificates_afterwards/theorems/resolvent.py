"""What the error of the matrix does to a regularised inverse.

Bhatia 1997, theorem X.1.1; Cortes, Mohri and Talwalkar 2010 for the coarser form.
"""

from __future__ import annotations

import numpy as np

from nystheory.engine import Claim, Control, Theorem
from nystheory.engine.trial.derivation import Derivation
from nystheory.engine.worlds.between import (
    SEMIDEFINITE,
    Ridged,
)


def _ridged(_):
    """Two orthogonal points, one of which is missed, for errors of every size."""
    for ratio in 10.0 ** np.linspace(-3, 3, 13):
        X = np.diag(np.sqrt([1.0, ratio]))
        yield Ridged.from_points(X, [0], 1, "two points", alpha=1.0)


_INVERSE = "inv(K + alpha * identity(n))"
_APPROXIMATE = "inv(full_approximation + alpha * identity(n))"
# Both inverses by their definition, multiplied out.
_DERIVATION = Derivation(
    "identity",
    (
        (f"{_APPROXIMATE} - {_INVERSE}", "what is sought"),
        (
            f"{_APPROXIMATE} @ K @ {_INVERSE} "
            f"- {_APPROXIMATE} @ full_approximation @ {_INVERSE}",
            "each inverse times what it inverts is I; the terms in alpha cancel",
        ),
        (f"{_APPROXIMATE} @ E @ {_INVERSE}", "E is the difference of the two"),
    ),
    rules={
        "E": "K - full_approximation",
        f"K @ {_INVERSE}": f"identity(n) - alpha * {_INVERSE}",
        f"{_APPROXIMATE} @ full_approximation": (
            f"identity(n) - alpha * {_APPROXIMATE}"
        ),
        f"{_APPROXIMATE} @ identity(n)": _APPROXIMATE,
        f"identity(n) @ {_INVERSE}": _INVERSE,
    },
)
_BY_NORM = "norm_E / (alpha * (alpha + norm_E))"
_BY_TRACE = "trace_E / (alpha * (alpha + trace_E))"
_BY_DIAGONAL = "largest_missed / (alpha * (alpha + largest_missed))"

_IDENTITY = Ridged.orthogonal(1, 1, alpha=1)
_THREE = Ridged.exactly([0], 1, points=[[1, 0, 0], [0, 1, 1]], alpha=1)
_INDEFINITE = Ridged.orthogonal(1, "-1/2", alpha=1)
_SEEN = Ridged.exactly([0], 1, matrix=[[2, 1], [1, 1]], alpha=1)

RESOLVENT = Theorem(
    id="modern:resolvent",
    kind="inequality",
    status="holds",
    title="The error of a regularised inverse",
    number="Bhatia 1997, theorem X.1.1",
    setting=(
        r"Let $K$ be positive semidefinite, $\tilde K = C W^+ C^\top$ and $E = K - "
        r"\tilde K$, and let $K_{21}$ be the rows of $C$ that were not sampled."
    ),
    claims={
        "order": f"below({_INVERSE}, {_APPROXIMATE})",
        "spectral": f"norm_2({_APPROXIMATE} - {_INVERSE}) <= {_BY_NORM}",
        "trace": f"{_BY_NORM} <= {_BY_TRACE}",
        "identity": Claim(
            f"{_APPROXIMATE} - {_INVERSE} == {_APPROXIMATE} @ E @ {_INVERSE}",
            says="More precisely,",
        ),
        "ceiling": Claim(
            f"{_BY_NORM} <= min(1 / alpha, norm_E / alpha**2)",
            says=r"The bound never exceeds $1 / \alpha$ or $\|E\|_2 / \alpha^2$:",
        ),
        "attained": Claim(
            f"norm_2({_APPROXIMATE} - {_INVERSE}) == {_BY_NORM}",
            when="K_21 == 0",
            says="It is attained by points that are orthogonal to the landmarks, that "
            "is",
        ),
    },
    world=Ridged,
    cases=_ridged,
    derivation=_DERIVATION,
    controls={
        "indefinite": Control("spectral", _INDEFINITE, lacks=SEMIDEFINITE),
        "the ridge twice": Control(
            "spectral", _IDENTITY, {_BY_NORM: "norm_E / (alpha + norm_E)**2"}
        ),
        "the diagonal for the norm": Control(
            "spectral", _THREE, {_BY_NORM: _BY_DIAGONAL}
        ),
        "the other order": Control("order", _INDEFINITE, lacks=SEMIDEFINITE),
        "0.9 of the trace": Control("trace", _IDENTITY, {"<=": "<= 0.9 *"}),
        "an exact inverse twice": Control(
            "identity", _IDENTITY, {f"== {_APPROXIMATE}": f"== {_INVERSE}"}
        ),
        "0.45 of the ceiling": Control("ceiling", _IDENTITY, {"min(": "0.45 * min("}),
        "an error that is seen": Control("attained", _SEEN, lacks="K_21 == 0"),
    },
)
