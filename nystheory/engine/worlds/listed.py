"""Small matrices of which all samples are listed, and some large eigenvalues."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nystheory.engine.worlds.instances import Instance


def small(rng, most: int = 3) -> Iterator[Instance]:
    """Integers, points in general position and repeated ones, up to 5 of them.

    Every number of landmarks up to `most` comes, each with some rank.
    """
    for n in (2, 3, 4, 5):
        for points in (
            rng.integers(-2, 3, (3, n)).astype(float),
            rng.standard_normal((n, n)) * 10.0 ** rng.uniform(-1, 1, n),
            np.repeat(rng.integers(1, 4, (2, (n + 1) // 2)), 2, axis=1)[:, :n],
        ):
            for l in range(1, min(n, most) + 1):  # noqa: E741
                landmarks = rng.choice(n, l, replace=False)
                rank = int(rng.integers(1, l + 1))
                yield Instance.from_points(points, landmarks, rank, "small")


def large_and_flat(large, count, ones, n_landmarks) -> Instance:
    """A diagonal matrix with some large entries, then ones; the rank is their count."""
    values = [large] * count + [1.0] * ones
    return Instance(np.diag(values), range(n_landmarks), count, name="large and flat")
