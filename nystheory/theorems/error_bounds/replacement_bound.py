"""The error of Nyström from columns drawn with replacement: Corollary 5.6."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Theorem
from nystheory.theorems.concentration.covariance import K_max, e_l_replaced
from nystheory.theorems.concentration.violations import (
    INDEPENDENT,
    SEMIDEFINITE,
    UNIFORM,
)
from nystheory.theorems.derivation import Step
from nystheory.theorems.error_bounds import error_cases
from nystheory.theorems.error_bounds.error_formulas import (
    LOG,
    endorsed,
    over,
    plus,
    root,
    times,
)
from nystheory.theorems.error_bounds.sampled_errors import (
    PROBABILITY,
    Case,
    all_samples,
    drawn,
    holds_often,
    is_listed,
    known_of,
    never_larger,
    principal,
    sampled,
)
from nystheory.theorems.formula import Formula
from nystheory.theorems.quantities import l, n, tail_2, tail_F
from nystheory.theorems.routes import RANK_IN_RANGE
from nystheory.theorems.subsets import small_instances

# --- Formulas ---------------------------------------------------------------------


def _with_bracket(tail, bracket) -> Formula:
    return Formula(plus(tail, times(over(n, sp.sqrt(l)), K_max, bracket)))


def from_the_diagonal(tail, factor=1) -> Formula:
    """``tail + n / sqrt(l) K_max (sqrt(2) + sqrt(2 log(1/delta)))``."""
    deviation = root(times(2, LOG))
    deviation = deviation if factor == 1 else times(factor, deviation)
    return _with_bracket(tail, plus(sp.sqrt(2), deviation))


def finer(tail) -> Formula:
    """The same with the exact mean square and the sharp bounded difference."""
    return endorsed(tail, mean=e_l_replaced, alpha=l)


PRINTED = _with_bracket(tail_2, plus(2, LOG))


# --- Cases ------------------------------------------------------------------------


def _orders(sample) -> float:
    """In how many orders a sample with repetitions may be drawn."""
    same = map(math.factorial, Counter(sample).values())
    return math.factorial(len(sample)) / math.prod(same)


def all_multisets(X, counts, deltas, name):
    """Every sample with replacement, by how often each column is in it.

    Examples
    --------
    >>> case, = all_multisets(np.eye(2), [2], [0.5], "two points")
    >>> case.chances.tolist()
    [0.25, 0.5, 0.25]
    """
    x, size = principal(X), np.shape(X)[1]
    for each in counts:
        samples = list(combinations_with_replacement(range(size), each))
        chances = [_orders(sample) / size**each for sample in samples]
        rank = min(1 + each // 2, size)
        seen, known = sampled(x, np.array(samples), rank), known_of(X, rank)
        scale = float(np.linalg.norm(x, axis=1).max() ** 2)
        for delta in deltas:
            values = {**known, "l": each, "delta": delta}
            yield Case(name, values, scale, np.array(chances), seen)


def _cases(rng):
    for size in (4, 5):
        for i in small_instances(rng, size):
            if i.l == 1:
                counts, deltas = range(1, 6), (0.5, 0.1, 0.01)
                yield from all_multisets(i.points, counts, deltas, i.name)
    # Without replacement the bounds hold as well.
    X = rng.standard_normal((3, 6))
    yield from all_samples(X, range(1, 7), (1, 2), (0.5, 0.1), "different columns")
    yield error_cases.two_clusters(2150, 1850, 800)
    for a, b, each in ((2150, 1850, 800), (1100, 900, 600), (30, 20, 10)):
        yield error_cases.two_clusters(a, b, each, replace=True)
        yield error_cases.two_clusters(a, b, each, delta=1e-6, replace=True)
    yield FLIPPED
    X = error_cases.patients()
    yield drawn(X, 40, 3, 0.02, "diabetes, linear", replace=True)


# Six and a half standard deviations from the mean count, as in Theorem 5.2.
FLIPPED = error_cases.two_clusters(2411, 1589, 1000, replace=True)


def _derive_room():
    """What is printed less what is proved."""
    L = sp.Symbol("L", nonnegative=True)
    return (
        Step(
            (2 + L) - (sp.sqrt(2) + sp.sqrt(2 * L)),
            r"printed less proved, $L = \log \frac1\delta$",
        ),
        Step(
            (sp.sqrt(L) - 1 / sp.sqrt(2)) ** 2 + (sp.Rational(3, 2) - sp.sqrt(2)),
            r"a square and $\frac32 - \sqrt 2 > 0.085$: positive for every $\delta$",
        ),
    )


def _controls() -> tuple[Control, ...]:
    bound = from_the_diagonal(tail_2)
    return (
        Control(
            holds_often(
                r"seven tenths of $\sqrt{2 \log \frac1\delta}$ are enough",
                "error_2",
                from_the_diagonal(tail_2, sp.Rational(7, 10)),
            ),
            FLIPPED,
        ),
        Control(
            holds_often("any law of the sample will do", "error_2", bound),
            error_cases.always_at_the_origin(),
            drops=UNIFORM,
        ),
        Control(
            holds_often("$K$ need not be semidefinite", "error_2", bound),
            error_cases.indefinite(),
            drops=SEMIDEFINITE,
        ),
        Control(
            holds_often("one uniform column, 36 times", "error_2", bound),
            error_cases.one_column_repeated(36, 0.5),
            drops=INDEPENDENT,
        ),
    )


def _proved(says, seen, formula, applies=is_listed) -> Claim:
    return holds_often(says, seen, formula, applies)


# --- Corollary 5.6 ----------------------------------------------------------------

REPLACED = Theorem(
    id="talwalkar2010:cor-5.6",
    part="III",
    kind="probability",
    status="holds",
    title="Columns drawn with replacement",
    number="Corollary 5.6",
    statement=(
        r"Let $K$ be positive semidefinite of size $n$ with $K_{\max} = \max_i "
        r"K_{ii}$, and $\tilde K$ the rank-$k$ Nyström approximation from $l \ge k$ "
        r"columns drawn uniformly with replacement. For $0 < \delta \le 1$ and $\xi = "
        r"2$ or $\xi = F$, with probability at least $1 - \delta$, $\|K - \tilde "
        r"K\|_\xi \le \|K - K_k\|_\xi + \frac n{\sqrt l} K_{\max} \Bigl(\sqrt 2 + "
        r"\sqrt{2 \log \tfrac1\delta}\Bigr)$. For $\xi = 2$ this is at most the "
        r"printed $\|K - K_k\|_2 + \frac n{\sqrt l} K_{\max} \bigl(2 + \log "
        r"\frac1\delta\bigr)$, for every $\delta$. The excess may be replaced by "
        r"$\sqrt 2 \bigl[e'_l + \frac n{\sqrt l}\, g_F \sqrt{\frac12 \log "
        r"\frac1\delta}\bigr]$, which is never larger, with $e_l'^2 = \frac nl "
        r"\bigl(\sum_i K_{ii}^2 - \frac1n \|K\|_F^2\bigr)$ and $g_F$ as in Theorem "
        "5.2. All of this holds for different columns drawn uniformly, too."
    ),
    # As in Theorem 5.2, k <= l is not necessary.
    hypotheses=(RANK_IN_RANGE, PROBABILITY),
    not_known_necessary=(RANK_IN_RANGE.says,),
    claims=(
        _proved("spectral norm", "error_2", from_the_diagonal(tail_2)),
        _proved("Frobenius norm", "error_F", from_the_diagonal(tail_F)),
        _proved("the finer form, spectral norm", "error_2", finer(tail_2), None),
        _proved("the finer form, Frobenius norm", "error_F", finer(tail_F)),
        _proved("the bound as printed", "error_2", PRINTED),
        never_larger(
            "the first bound is at most the printed one",
            from_the_diagonal(tail_2),
            PRINTED,
        ),
        never_larger(
            "the finer form is at most the first",
            finer(tail_2),
            from_the_diagonal(tail_2),
        ),
    ),
    instances=_cases,
    own_suite=True,
    derivation=_derive_room,
    controls=_controls(),
)
