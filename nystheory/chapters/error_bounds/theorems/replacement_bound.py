"""The error of Nyström from columns drawn with replacement: Corollary 5.6."""

from __future__ import annotations

from functools import partial

from nystheory.chapters.error_bounds.theorems import bounded_samples as samples
from nystheory.engine import Claim, Control, Promise, Theorem
from nystheory.engine.promises.promises import EACH
from nystheory.engine.worlds.clusters import Clusters

_FROM_DIAGONAL = "n / sqrt(l) * K_max * (sqrt(2) + sqrt(2 * log(1 / delta)))"
_PRINTED = "n / sqrt(l) * K_max * (2 + log(1 / delta))"
_FINER = "sqrt(2) * concentration_replaced"

_chance = partial(samples.chance, law="with_replacement")


def _cases(rng):
    """Small matrices with all samples, and clusters."""
    yield from samples.small(rng, 3, (0.5, 0.05))
    yield from samples.flips()
    yield Clusters((110, 90), (61, 0), 1, delta="1/100")


# One of two orthogonal points, 36 times; k = 2.
_REPEATED = samples.TWO_POINTS.but(landmarks=[0] * 36, delta=0.4)
_SIX_TENTHS = {"+ sqrt(2 * log": "+ 0.6 * sqrt(2 * log"}
_HALF, _LESS = {"sqrt(2) *": "0.7 *"}, {"sqrt(2) *": "0.9 *"}
_FLIPPED, _REPLACED = samples.FLIPPED, samples.FLIPPED_REPLACED

REPLACED_DRAWS = "uniform, with replacement"

REPLACED = Theorem(
    id="talwalkar2010:cor-5.6",
    kind="probability",
    status="holds",
    title="Columns drawn with replacement",
    number="Corollary 5.6",
    setting=(
        r"Let $K$ be a positive semidefinite matrix of size $n$ with largest diagonal "
        r"entry $K_{\max}$, and $\tilde K$ the rank-$k$ Nyström approximation from $l$ "
        r"columns drawn uniformly and independently. Let $d_{\max}$ be the largest "
        r"distance of two points and $V = \sum_i K_{ii}^2 - \frac1n \|K\|_F^2$."
    ),
    hypotheses={"rank": samples.HYPOTHESES["rank"]},
    claims={
        "spectral": _chance(f"error_2 > tail_2 + {_FROM_DIAGONAL}"),
        "Frobenius": _chance(f"error_F > tail_F + {_FROM_DIAGONAL}"),
        "finer, spectral": _chance(f"error_2 > tail_2 + {_FINER}"),
        "finer, Frobenius": _chance(f"error_F > tail_F + {_FINER}"),
        "without replacement, spectral": _chance(
            f"error_2 > tail_2 + {_FINER}",
            law="uniform",
            says="without replacement, too,",
        ),
        "without replacement, Frobenius": _chance(
            f"error_F > tail_F + {_FINER}", law="uniform"
        ),
        "printed": _chance(
            f"error_2 > tail_2 + {_PRINTED}", says="as printed, with replacement,"
        ),
        "below the printed": Claim(
            f"{_FROM_DIAGONAL} <= {_PRINTED}", says="of these bounds"
        ),
        "finer": f"{_FINER} <= {_FROM_DIAGONAL}",
    },
    cases=_cases,
    world=samples.Confidence,
    suite=False,
    promises={
        "finer, spectral": Promise("spectral", REPLACED_DRAWS, {"k": EACH}),
        "finer, Frobenius": Promise("Frobenius", REPLACED_DRAWS, {"k": EACH}),
        "without replacement, spectral": Promise("spectral", "uniform", {"k": EACH}),
        "without replacement, Frobenius": Promise("Frobenius", "uniform", {"k": EACH}),
        "spectral": "weaker than 'finer, spectral'",
        "Frobenius": "weaker than 'finer, Frobenius'",
        "printed": "weaker than 'spectral'",
    },
    controls={
        "six tenths of the root": Control("spectral", _REPLACED, _SIX_TENTHS),
        "six tenths, Frobenius": Control("Frobenius", _REPLACED, _SIX_TENTHS),
        "any law": Control("spectral", samples.AT_THE_ORIGIN, law="surely"),
        "not semidefinite": Control(
            "spectral", samples.indefinite(), lacks="a positive semidefinite $K$"
        ),
        "one column repeated": Control("spectral", _REPEATED, law="one_repeated"),
        "64 percent of the finer": Control("finer, spectral", _REPLACED, _LESS),
        "64 percent, Frobenius": Control("finer, Frobenius", _REPLACED, _LESS),
        "without replacement, half": Control(
            "without replacement, spectral", _FLIPPED, _HALF
        ),
        "without replacement, half, Frobenius": Control(
            "without replacement, Frobenius", _FLIPPED, _HALF
        ),
        "a quarter of the printed": Control(
            "printed", _REPLACED, {"+ n /": "+ 0.25 * n /"}
        ),
        "one for two": Control(
            "below the printed", samples.TWO_POINTS, {"(2 + log": "(1 + log"}
        ),
        "nine tenths": Control("finer", _FLIPPED, {"<= n /": "<= 0.9 * n /"}),
    },
)
