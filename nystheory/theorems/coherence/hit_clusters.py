"""Kernel matrices on which the failure of a random sample has an exact law.

Clusters, where only the set of clusters that are hit matters, and what the theorems
about uniform columns and about leverage scores share.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from nystheory.theorems.base import Claim
from nystheory.theorems.coherence.definition import hadamard
from nystheory.theorems.coherence.structural import error_norms
from nystheory.theorems.instance import Instance


def head(i: Instance) -> np.ndarray:
    """Leverage scores of rank k, the squared row lengths of U_1, (n,)."""
    return (i.eigen_K[1][:, : i.k] ** 2).sum(axis=1)


def resampled(i: Instance, landmarks) -> Instance:
    """Other landmarks; what K alone decides is kept and not computed again."""
    new = i.but(landmarks=landmarks)
    for name in ("eigen_K", "norm_K"):
        new.__dict__[name] = getattr(i, name)
    return new


def clusters(masses, sizes, rank: int, landmarks: int = 1, **extra) -> Instance:
    """Clusters of equal points on orthogonal axes, with the labels of the points.

    Parameters
    ----------
    masses : array (m,)
        Eigenvalues of K, largest first: squared length times number of points.
    sizes : array (m,) of int
    rank : int
    landmarks : int
        How many.
    """
    lengths = np.sqrt(np.asarray(masses, dtype=float) / np.asarray(sizes))
    X = np.repeat(np.diag(lengths), sizes, axis=1)
    case = Instance.from_points(X, range(landmarks), rank, f"{len(sizes)} clusters")
    return case.but(extra={"cluster": np.repeat(np.arange(len(sizes)), sizes), **extra})


def by_cluster(i: Instance, avoid) -> Iterator[tuple[float, Instance]]:
    """Every set of clusters that a sample may hit, with its probability.

    The error depends on nothing else.  `avoid` gives the probability that all
    landmarks are in a set of points; inclusion and exclusion does the rest.
    """
    label, size = i.extra["cluster"], i.l
    count = int(label.max()) + 1
    first = np.array([np.flatnonzero(label == c)[0] for c in range(count)])
    inside = {
        bits: avoid(i, np.isin(label, np.flatnonzero(bits)))
        for bits in product((0, 1), repeat=count)
    }
    for bits in inside:
        hit = np.flatnonzero(bits)
        if not 0 < len(hit) <= size:
            continue
        chance = math.fsum(
            (-1) ** (len(hit) - some) * inside[_bits(subset, count)]
            for some in range(len(hit) + 1)
            for subset in combinations(hit, some)
        )
        yield max(chance, 0.0), resampled(i, np.resize(first[hit], size))


def _bits(subset, count) -> tuple[int, ...]:
    return tuple(int(c in subset) for c in range(count))


def bounded(says, which, formula, law, **more) -> Claim:
    """A random norm of the error: 0 spectral, 1 Frobenius, 2 trace."""
    return Claim(
        says,
        observe=lambda i, _: error_norms(i)[which],
        formula=formula,
        relation="<=",
        scale=(lambda i: float(np.trace(i.K))) if which == 2 else None,
        law=law,
        **more,
    )


def has_exact_law(i) -> bool:
    """Whether the outcomes of the instance can be listed."""
    return "trials" not in i.extra


def spread_out(size: int, dims: int, rank: int, **extra) -> Instance:
    """Hadamard columns with a falling spectrum: coherence as low as it can be."""
    values = np.r_[10.0 ** np.arange(rank, 0, -1), 0.95 ** np.arange(dims - rank)]
    X = np.sqrt(values)[:, None] * hadamard(size, dims).T
    case = Instance.from_points(X, [0], rank, "Hadamard columns")
    return case.but(extra={"moment": X @ X.T, **extra})
