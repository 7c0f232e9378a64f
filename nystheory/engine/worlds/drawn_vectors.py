"""Test vectors and observations: one draw, or every outcome with its chance."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement, permutations, product

import numpy as np

from nystheory.engine.worlds.drawn_columns import LISTED


def _sign_matrices(n, columns) -> list:
    signs = product((-1.0, 1.0), repeat=n * columns)
    return [np.array(row).reshape(n, columns) for row in signs]


def listed_signs(scale):
    """All matrices of signs, changed by `scale`."""

    def outcomes(i):
        if 2 ** (i.n * i.l) > LISTED:
            return None
        found = _sign_matrices(i.n, i.l)
        return ((1 / len(found), i.but(omega=scale(signs))) for signs in found)

    return outcomes


def in_turn(signs):
    return signs * np.where(np.arange(len(signs)) % 2, 0.5, 1.5)[:, None]


def signs_draw(i, rng):
    return i.but(omega=rng.choice([-1.0, 1.0], (i.n, i.l)))


def repeated_signs(i):
    found = _sign_matrices(i.n, 1)
    return ((1 / len(found), i.but(omega=np.repeat(v, i.l, axis=1))) for v in found)


def signs_and_axes(i):
    """Vectors of signs and multiples of axes take turns, all independent."""
    signs = [v[:, 0] for v in _sign_matrices(i.n, 1)]
    kinds = [math.sqrt(i.n) * np.eye(i.n) if j % 2 else signs for j in range(i.l)]
    if math.prod(map(len, kinds)) > LISTED:
        return None
    found = [np.column_stack(vectors) for vectors in product(*kinds)]
    return ((1 / len(found), i.but(omega=omega)) for omega in found)


def distinct_axes(i):
    """Multiples of different axes: of second moment I, and not independent."""
    axes = math.sqrt(i.n) * np.eye(i.n)
    found = [axes[:, list(S)] for S in permutations(range(i.n), i.l)]
    return ((1 / len(found), i.but(omega=omega)) for omega in found)


def last_signs(i):
    """The last test vector of signs, the others as they are."""
    rest, found = i.omega[:, :-1], _sign_matrices(i.n, 1)
    return ((1 / len(found), i.but(omega=np.hstack([rest, v]))) for v in found)


# Directions of a rule for a mean over the half circle.  Its error falls as
# ((1 - r) / (1 + r))^m, with r^2 the ratio of the two eigenvalues: below rounding for
# ratios above RESOLVED.
DIRECTIONS, RESOLVED = 12, 0.75


def in_the_plane(i):
    """Directions in the range of a K of rank 2, at equal angles, of length sqrt 2.

    A Gaussian vector there is a length times a direction, independent of each other.
    For what does not depend on their order.
    """
    values, vectors = i.eigen_K
    if i.rank_K != 2 or values[1] < RESOLVED * values[0]:
        return None
    angles = (np.arange(DIRECTIONS) + 0.5) * np.pi / DIRECTIONS
    found = math.sqrt(2) * vectors[:, :2] @ [np.cos(angles), np.sin(angles)]
    orders, listed = DIRECTIONS**i.l, []
    for some in combinations_with_replacement(range(DIRECTIONS), i.l):
        ways = math.factorial(i.l) // math.prod(
            math.factorial(some.count(j)) for j in set(some)
        )
        listed.append((ways / orders, i.but(omega=found[:, list(some)])))
    return listed


def gaussian_draw(i, rng):
    return i.but(omega=rng.standard_normal((i.n, i.l)))


def errors(points):
    """An error of either sign on one of some points, of variance sigma^2 on average."""

    def outcomes(i):
        which = points(i)
        size = math.sqrt(len(which) * float(i.noise))
        signal = np.reshape(i.signal, (-1, 1))
        found = [(j, sign * size) for j in which for sign in (-1, 1)]
        return (
            (1 / len(found), i.but(y=signal + error * np.eye(i.n)[:, [j]]))
            for j, error in found
        )

    return outcomes


def second_moment(i):
    """n equally likely observations with the second moment ``K + sigma^2 I``."""
    root = np.linalg.cholesky(i.K + float(i.noise) * np.eye(i.n))
    return ((1 / i.n, i.but(y=math.sqrt(i.n) * root[:, [j]])) for j in range(i.n))
