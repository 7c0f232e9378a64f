"""Samples of fixed size in proportion to their volume, beyond the worst case.

Derezinski, Khanna and Mahoney 2020.  What is proved here needs no sampling at all: the
mean error is known exactly.
"""

from __future__ import annotations

import numpy as np

from nystheory.engine import (
    Claim,
    Control,
    Hypothesis,
    Instance,
    Promise,
    Theorem,
    Where,
)
from nystheory.engine.promises.promises import EACH
from nystheory.engine.worlds.matrices import diagonal
from nystheory.engine.worlds.quantities import quantity, tail_2, tail_trace


@quantity(r"\textstyle\sum_{j>l}\lambda_j", "sum of the eigenvalues after l")
def tail_l(i):
    return i.spectrum[i.l :].sum()


def _of_following(i):
    """Rounding beside the eigenvalue that is divided by."""
    return i.norm_K / tail_2(i) if tail_2(i) > 0 else np.inf


@quantity(
    "r_k",
    "stable rank of the tail: the sum of the eigenvalues after k over the first",
    unit=0,
    condition=_of_following,
)
def tail_rank(i):
    return tail_trace(i) / tail_2(i) if tail_2(i) > 0 else None


class FewColumns(Instance):
    """Fewer columns of one matrix than its rank, and an accuracy."""

    @classmethod
    def drawn(cls, instance, rng):
        """Any number of columns, any k up to it, and an accuracy that suffices."""
        if instance.rank_K < 2:
            return None
        columns = int(rng.integers(1, instance.rank_K))
        rank = int(rng.integers(columns + 1))
        i = instance.but(landmarks=range(columns), rank=rank)
        room = i.k + tail_rank(i) - i.l
        x = (i.l - i.k) / room if room > 0 else 1.0
        smallest = (np.sqrt((1 + x) / np.sqrt(1 + 2 * x)) - 1) / 2
        return i.but(accuracy=smallest + 2.0 ** -rng.integers(1, 12))

    @classmethod
    def example(cls, values, columns, rank, **given) -> FewColumns:
        """A diagonal K and its first columns."""
        return cls.exactly(range(columns), rank, matrix=diagonal(values), **given)


def _cases(rng):
    for values in (
        [1, 0.5, 1 / 3, 0.25, 0.2],
        [1, 1, 1, 1, 1],
        [1e4, 100, 100, 1, 1],
        [1e6, 1e6, 1, 1, 1],
    ):
        X = np.sqrt(values)[:, None] * np.linalg.qr(rng.standard_normal((5, 5)))[0]
        for _ in range(3):
            yield Instance.from_points(X, [0], 1, "known spectrum")
    # The root of 1 + 2x is felt where one point is long and many are short.
    yield FewColumns.example(
        [1, *["1/10"] * 33], 1, 0, accuracy="1/100", name="one long point"
    )


_PUBLISHED = "(1 + k / (l - k)) * sqrt(1 + 2 * x) * tail_l"

DPP_FACTOR = Theorem(
    id="modern:k-dpp-beyond-worst-case",
    kind="expectation",
    status="to-confirm",
    title="Volume-weighted samples beyond the worst case",
    number="Dereziński, Khanna and Mahoney 2020",
    setting=(
        r"Let $K$ be positive semidefinite with eigenvalues $\lambda_1 \ge \lambda_2 "
        r"\ge \dots$, let $S$ be $l$ landmarks drawn with probability proportional to "
        r"$\det K_{SS}$, $E = K - C W^+ C^\top$, and $r_k = \sum_{j>k} \lambda_j / "
        r"\lambda_{k+1}$. Let $e_j$ be the elementary symmetric polynomial of degree "
        "$j$."
    ),
    hypotheses={
        "something left": Hypothesis("l < rank_K", domain=True),
        "few columns": Hypothesis("0 <= k <= l < k + tail_rank"),
    },
    where={"x": Where("x", "(l - k) / (k + tail_rank - l)")},
    claims={
        "mean": Claim(
            "mean(trace_E) <= (1 + k / (l + 1 - k)) * (1 + x) * tail_l",
            law="determinantal",
        ),
        "exact mean": Claim(
            "mean(trace_E) == (l + 1) * symmetric_ratio",
            law="determinantal",
            says="The mean is known exactly:",
        ),
        "any spectrum": Claim(
            "(l + 1) * symmetric_ratio <= (1 + k / (l + 1 - k)) * (1 + x) * tail_l",
            says="So the bound is one on eigenvalues alone:",
        ),
        "published": Claim(
            f"(l + 1) * symmetric_ratio <= (1 + 2 * accuracy)**2 * {_PUBLISHED}",
            when="l > k and 1 + x <= (1 + 2 * accuracy)**2 * sqrt(1 + 2 * x)",
            says="The bound implies the published one",
        ),
        "published for 1/2": Claim(
            f"(l + 1) * symmetric_ratio <= 4 * {_PUBLISHED}",
            when="l > k and x <= 30",
            says=r"For $\varepsilon = \frac12$ it does so",
        ),
    },
    world=FewColumns,
    cases=_cases,
    promises={
        "mean": Promise("trace", "k-DPP", {"k": EACH}),
        "exact mean": "that of the k-DPP, stated there",
    },
    controls={
        "without the head": Control(
            "any spectrum",
            FewColumns.example([1000, 1], 1, 1),
            {"(1 + k / (l + 1 - k)) * (1 + x)": "(1 + x)"},
        ),
        "without the tail": Control(
            "any spectrum", FewColumns.example([2, 1], 1, 0), {" * (1 + x)": ""}
        ),
        "one long, two short": Control(
            "any spectrum",
            FewColumns.example([1, "1/10", "1/10"], 2, 0),
            drops="few columns",
        ),
        "uniform samples": Control(
            "mean", FewColumns.example([1000, 1, 1], 1, 1), law="uniform"
        ),
        "l for l + 1": Control(
            "exact mean", FewColumns.example([2, 1], 1, 0), {"(l + 1)": "l"}
        ),
        "the published bound without the head": Control(
            "published",
            FewColumns.example([1000, 1, 1, 1, 1, 1], 2, 1, accuracy="1/100"),
            {"(1 + k / (l - k)) * ": ""},
        ),
        "a half for four": Control(
            "published for 1/2", FewColumns.example([2, 1], 1, 0), {"4 *": "0.5 *"}
        ),
    },
)
