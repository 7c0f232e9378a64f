"""When uniformly drawn rows of orthonormal columns are nearly orthonormal.

Talwalkar 2010, section 5.2.2, Theorem 5.4, with the constants that Tropp's matrix
Chernoff inequality gives.
"""

from __future__ import annotations

import math

import numpy as np

from nystheory.chapters.coherence.theorems.clusters import one_group
from nystheory.chapters.coherence.theorems.definition import ORTHONORMAL, signs
from nystheory.chapters.coherence.theorems.quantities import Orthonormal
from nystheory.engine import Claim, Control, Hypothesis, Theorem, Where
from nystheory.engine.language.claims import SUMS
from nystheory.engine.worlds.clusters import Clusters


class SampledRows(Orthonormal):
    """Orthonormal columns, and how often their sampled rows may be far from that."""

    @classmethod
    def drawn(cls, instance, rng):
        """A basis, and any probability of failure."""
        return super().drawn(instance, rng).but(delta=rng.uniform(0.01, 0.99))


def group_with(constant: float, n: int, delta: float) -> Clusters:
    """As many points in a group as landmarks, ``constant * M log(2 / delta)`` of them.

    Examples
    --------
    >>> case = group_with(9.25, 10_000, 0.01)
    >>> case.sizes, case.l
    ((701, 9299), 701)
    """
    size = math.ceil(math.sqrt(constant * n * math.log(2 / delta)))
    return one_group(size, n, size, delta)


def _cases(rng):
    for n, delta in ((10_000, 0.5), (100_000, 0.01), (300_000, 1e-6)):
        yield group_with(9.25, n, delta)
        yield group_with(3, n, delta)
    for V in (np.ones((12, 1)), signs(8, 2), rng.standard_normal((12, 2))):
        for size in (4, len(V) - 1):
            yield SampledRows.of_basis(
                V, range(size), f"{V.shape[1]} columns", delta=0.5
            )


def _lone(n, l) -> SampledRows:  # noqa: E741
    """One row of length one among zeros."""
    return SampledRows.of_fractions(
        [[1]] + [[0]] * (n - 1), range(l), 1, groups=(1, n - 1), delta="1/2"
    )


def _tails(exponent, times=""):
    """Both tails of Chernoff's inequality."""
    return f"r * exp(-{times}a * {exponent}) + r * exp(-{times}b * {exponent})"


_FAR = "chance(isometry_defect >= 1 / 2)"
_TAILS = _tails("l / basis_free_coherence")
_ENOUGH = _tails("log(2 * r / delta)", "9.25 * ")
_CERTAIN = SampledRows.of_fractions([[1]], delta="1/1000000000000")
_ORIGIN = SampledRows.of_fractions(
    [[1]] * 36 + [[0]] * 12, range(36, 48), 1, delta="1/2"
)
_SHORT = SampledRows.of_fractions(
    [[1]] * 16, range(4), 1, columns=[["1/40"]] * 16, delta="1/2"
)

NEAR_ISOMETRY = Theorem(
    id="talwalkar2010:thm-5.4",
    kind="probability",
    status="holds",
    title="Uniformly drawn rows of orthonormal columns",
    number="Theorem 5.4, from Candès and Romberg 2007, with constants",
    setting=(
        r"Let $V \in \mathbb R^{n \times r}$ have coherence $\mu$, let $M = n "
        r"\max_i \|V_{i,:}\|^2$, and let $S$ be $l$ rows, drawn uniformly without "
        "replacement."
    ),
    hypotheses={
        "orthonormal": Hypothesis(ORTHONORMAL, r"$V^\top V = I$"),
        # The inequality of Chernoff is proved for rows drawn with replacement.
        "different": Hypothesis("different == l", necessary="not known"),
    },
    where={
        "a": Where("a", "(1 - log(2)) / 2"),
        "b": Where("b", "(3 * log(3 / 2) - 1) / 2"),
    },
    claims={
        "chance": Claim(f"{_FAR} <= {_TAILS}", law="uniform"),
        "exponents": Claim(
            "a > 0.1534 and b > 0.1081",
            says="Here",
            reason="two numbers, which no instance changes",
        ),
        "rows": Claim(
            f"{_FAR} <= delta",
            when="l >= 9.25 * basis_free_coherence * log(2 * r / delta)",
            law="uniform",
        ),
        "that many": Claim(
            f"{_ENOUGH} <= delta",
            says=r"With the number of rows above, the bound is at most $\delta$:",
        ),
        "printed rows": Claim(
            "9.25 * basis_free_coherence * log(2 * r / delta)"
            " <= 18.5 * r * coherence**2 * max(log(r), log(3 / delta))",
            says=(
                r"The printed condition $l \ge r \mu^2 \max(C_1 \ln r, C_2 "
                    r"\ln(3/\delta))$ with $C_1 = C_2 = 18.5$ requires at least as "
                    "many:"
            ),
        ),
    },
    world=SampledRows,
    cases=_cases,
    loose={"chance": SUMS, "rows": SUMS},
    controls={
        "the constant 6": Control(
            "rows",
            group_with(6, 1_000_000, 1e-4),
            lacks=r"$l \ge 9.25\, M \ln(2r/\delta)$",
            inexact=(
                "a million points, whose matrix is never formed; the tests count the "
                "samples in integers"
            ),
        ),
        "r in place of M": Control("chance", _lone(20, 12), {_TAILS: _tails("l / r")}),
        "only the origin is drawn": Control("chance", _ORIGIN, law="surely"),
        "a short column": Control("chance", _SHORT, drops="orthonormal"),
        "rounded up": Control("exponents", _CERTAIN, {"0.1081": "0.1082"}),
        "nine": Control(
            "that many", _CERTAIN, {_ENOUGH: _tails("log(2 * r / delta)", "9 * ")}
        ),
        "half of the printed constant": Control(
            "printed rows", _CERTAIN, {"18.5": "9"}
        ),
    },
)
