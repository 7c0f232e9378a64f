"""A false theorem, planted on purpose: the proof that verification can go red.

It is not in the registry.  The chapter runs it before the reader's eyes, and the
tests run it through `verify`, the ledger and a notebook.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nystheory import kernels
from nystheory.engine import Control, Hypothesis, Instance, Theorem
from nystheory.engine.trial.compare import Comparison, compare, reader


def demo(rng: np.random.Generator) -> Instance:
    """What a demonstration usually tries: random points, a kernel, random columns.

    Examples
    --------
    >>> demo(np.random.default_rng(0)).n
    30
    """
    points = rng.standard_normal((30, int(rng.integers(1, 6))))
    landmarks = rng.choice(30, int(rng.integers(2, 16)), replace=False)
    rank = int(rng.integers(1, len(landmarks) + 1))
    if rng.random() < 0.5:
        return Instance.from_points(points.T, landmarks, rank, "demo, linear")
    K = kernels.rbf(points).dense()
    return Instance(K, landmarks, rank, name="demo, Gaussian")


def clusters(rng: np.random.Generator) -> Instance:
    """As many points of two or three orthogonal clusters, columns as in `demo`.

    The sizes are random, and so are the lengths, between 1 and 1.01: equal within a
    cluster.

    Examples
    --------
    >>> case = clusters(np.random.default_rng(0))
    >>> case.n, np.unique(np.round(case.K, 1)).tolist()
    (30, [0.0, 1.0])
    """
    many = int(rng.integers(2, 4))
    of_point = rng.choice(many, 30, p=rng.dirichlet(np.ones(many)))
    points = np.diag(rng.uniform(1, 1.01, many))[:, of_point]
    landmarks = rng.choice(30, int(rng.integers(2, 16)), replace=False)
    rank = int(rng.integers(1, len(landmarks) + 1))
    return Instance.from_points(points, landmarks, rank, "clusters")


def demonstrate(
    theorem: Theorem,
    count: int,
    rng: np.random.Generator,
    draw: Callable[[np.random.Generator], Instance] = demo,
) -> list[Comparison]:
    """The main claim of a theorem on random instances.

    Parameters
    ----------
    theorem : Theorem
    count : int
        How many instances to draw.
    rng : numpy.random.Generator
    draw : callable
        Takes the generator and returns an instance.

    Returns
    -------
    list of Comparison

    Examples
    --------
    >>> found = demonstrate(CONSTANT_TOO_SMALL, 3, np.random.default_rng(0))
    >>> [each.violated for each in found]
    [False, False, False]
    """
    claim = theorem.claims[theorem.main]
    return [compare(claim, reader(theorem, draw(rng))) for _ in range(count)]


# Twenty equal points and one that is orthogonal to them and a little longer.  The
# sample has one of each, so it takes the lone point for the leading direction.
FLIPPED = Instance.exactly(
    [0, 20],
    1,
    points=[[1] * 20 + [0], [0] * 20 + ["1.005"]],
    name="two orthogonal clusters, order flipped by the sample",
)

CONSTANT_TOO_SMALL = Theorem(
    id="planted:eq-5.3-constant-1.8",
    kind="inequality",
    status="planted",
    title="A constant that is too small",
    number="inequality (5.3) with 1.8 in place of 2",
    setting=(
        r"Let $K = X^\top X$ be positive semidefinite, and let $Z = \sqrt{n/l}\, X_S$ "
        "be the scaled sample of $l$ columns. *What follows is false: the constant is "
        "$2$.*"
    ),
    hypotheses={"rank": Hypothesis("1 <= k <= l", domain=True)},
    claims={"spectral": "error_2 <= tail_2 + 1.8 * distance_2"},
    controls={"even 1": Control("spectral", FLIPPED, {"1.8 *": "1 *"})},
)
