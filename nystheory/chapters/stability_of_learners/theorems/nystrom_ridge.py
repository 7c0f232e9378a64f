"""Ridge regression with random columns: Theorem 5.9."""

from __future__ import annotations

import numpy as np

from nystheory.chapters.stability_of_learners.theorems.ridge_stability import (
    largest_change,
    of_change,
    worst_labels,
)
from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem, Where
from nystheory.engine.language.claims import EXCHANGES, PRINTED_FORM
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.clusters import groups_of
from nystheory.engine.worlds.quantities import quantity
from nystheory.engine.worlds.suite import small_instances


@quantity(
    r"\max_x |h'(x)-h(x)|",
    "largest change of the prediction of ridge regression, with the approximation",
    SAMPLE,
    unit=0,
    condition=of_change("approximation"),
)
def nystrom_ridge_change(i):
    return largest_change(i, i.approximation)


# --- Instances ------------------------------------------------------------------------


class Labelled(Instance):
    """The columns of one matrix, and labels that ridge regression learns."""

    @classmethod
    def drawn(cls, instance, rng):
        """A ridge near or above K, and labels that its best rank k moves most."""
        unit = np.round(np.log2(instance.norm_K or 1))
        ridge = 2.0 ** (unit + rng.integers(-4, 8))
        values, vectors = np.linalg.eigh(instance.K)
        change = (np.maximum(values, 0) ** 1.5)[:, None] * vectors.T
        y = 2.0 ** rng.integers(-2, 3) * worst_labels(change, rng)
        delta = 10.0 ** rng.uniform(-3, -0.2)
        return instance.but(delta=delta, alpha=ridge, y=y[:, None])


def _cases(rng):
    """Small matrices of every kind with all their samples, and a far-away cluster."""
    for i in small_instances(rng, 3):
        if i.n > 1:
            yield Labelled.completed(i, rng)
    for share in (3, 9, 19):
        yield _clustered(share, delta=1 / (share + 1.5))
        yield _clustered(share, count=2, delta=1 / (share + 1.5) ** 2)


def _clustered(share, count=1, **given) -> Labelled:
    """So many equal points and one at the origin, with a ridge far above K."""
    known = {"alpha": 2.0**20, "y": np.ones((share + 1, 1)), **given}
    return Labelled.of(groups_of([[1, 0]], (share, 1), 1, range(count), **known))


def _exactly(points, delta, landmarks=(0,), ridge=100000, **given) -> Labelled:
    y = [[1]] * len(points[0])
    more = {"delta": delta, "alpha": ridge, "y": y, **given}
    return Labelled.exactly(landmarks, 1, points=points, **more)


# The one landmark misses 19 equal points with the chance 1/20.
_NINETEEN = _exactly([[1] * 19 + [0]], "1/21")
_ALL_AT_ORIGIN = _exactly([[1] * 19 + [0]], "1/2", landmarks=[19] * 19)
_RIDGE_19 = _exactly([[1] * 19 + [0]], "1/21", ridge=19)
_BRACKET = "(tail_2 + n / sqrt(l) * K_max * (sqrt(2) + sqrt(2 * log(1 / delta))))"
_PRINTED_BRACKET = "(tail_2 + n / sqrt(l) * K_max * (2 + log(1 / delta)))"
_FACTOR = "point_bound * largest_label / (lambda_0 ** 2 * n)"
_SMALL_RIDGE = "sqrt(point_bound) * largest_label / (2 * lambda_0 ** (3 / 2) * n)"


def _chance(factor, bracket, law="with_replacement", **fields) -> Claim:
    event = f"nystrom_ridge_change > {factor} * {bracket}"
    return Claim(f"chance({event}) <= delta", law=law, **fields)


_FIFTH = {f"> {_FACTOR}": f"> 0.2 * {_FACTOR}"}
_SMALL_FIFTH = {f"> {_SMALL_RIDGE}": f"> 0.2 * {_SMALL_RIDGE}"}
_PROMISED = "the change of a prediction: guarantees.columns_for_change asks this bound"

NYSTROM_RIDGE = Theorem(
    id="talwalkar2010:thm-5.9",
    kind="probability",
    status="holds",
    title="Ridge regression with random columns",
    number="Theorem 5.9",
    setting=(
        r"Let $K$ be positive semidefinite, $\tilde K$ its rank-$k$ Nyström "
        r"approximation from $l$ columns drawn uniformly and independently, $(K + "
        r"\alpha I)\, a = (\tilde K + \alpha I)\, a' = y$ and $|y_i| \le M$. Let $h(x) "
        r"= \sum_i a_i K(x_i, x)$ and $h'(x) = \sum_i a_i' K(x_i, x)$, and let the "
        r"maximum be over all points $x$ of the feature space with $K(x, x) \le "
        r"\kappa$, where $K_{ii} \le \kappa$."
    ),
    hypotheses={
        "rank": Hypothesis("1 <= k <= l", necessary="not known"),
    },
    where={"lambda_0": Where(r"\lambda_0", "alpha / n")},
    claims={
        "bound": _chance(_FACTOR, _BRACKET),
        "without replacement": _chance(
            _FACTOR, _BRACKET, law="uniform", says="without replacement, too,"
        ),
        "printed": _chance(_FACTOR, _PRINTED_BRACKET, says="as printed,"),
        "small ridge": _chance(_SMALL_RIDGE, _BRACKET, says="This book:"),
        "small ridge, without replacement": _chance(
            _SMALL_RIDGE, _BRACKET, law="uniform", says="without replacement, too,"
        ),
    },
    cases=_cases,
    world=Labelled,
    suite=False,
    promises=dict.fromkeys(
        (
            *("bound", "without replacement", "printed", "small ridge"),
            "small ridge, without replacement",
        ),
        _PROMISED,
    ),
    loose={
        "bound": EXCHANGES,
        "without replacement": EXCHANGES,
        "printed": PRINTED_FORM,
        "small ridge": EXCHANGES,
        "small ridge, without replacement": EXCHANGES,
    },
    controls={
        "a fifth": Control("bound", _NINETEEN, _FIFTH),
        "any law": Control("bound", _ALL_AT_ORIGIN, law="surely"),
        "a fifth, without replacement": Control(
            "without replacement", _NINETEEN, _FIFTH
        ),
        "a sixth of the printed": Control(
            "printed", _NINETEEN, {f"> {_FACTOR}": f"> {_FACTOR} / 6"}
        ),
        "a fifth, small ridge": Control("small ridge", _RIDGE_19, _SMALL_FIFTH),
        "a fifth, small ridge, without replacement": Control(
            "small ridge, without replacement", _RIDGE_19, _SMALL_FIFTH
        ),
    },
)
