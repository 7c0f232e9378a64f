"""Sketches ``K Omega``: approximations from them, and laws of the test vectors."""

from __future__ import annotations

from itertools import product

import numpy as np

from nystheory.theorems.instance import EPS, Instance

# --- The estimator ----------------------------------------------------------------


def sketch_residuals(Y: np.ndarray, H: np.ndarray) -> np.ndarray:
    """What the other test vectors leave of each column of a sketch, (n, l).

    Column j is ``(K - K~) omega_j``, the approximation from the other test vectors:
    ``Y H^-1 e_j / (H^-1)_jj`` where H has an inverse, else column j less its part in
    the others, one by one.

    Parameters
    ----------
    Y : ndarray (n, l)
        The sketch ``K Omega``.
    H : ndarray (l, l)
        ``Omega.T Y``.

    Examples
    --------
    >>> sketch_residuals(np.diag([2.0, 3.0]), np.diag([2.0, 3.0])).tolist()
    [[2.0, 0.0], [0.0, 3.0]]
    """
    H = (H + H.T) / 2
    values, vectors = np.linalg.eigh(H)
    if values[0] > len(H) * 1e4 * EPS * values[-1]:
        inverse = (vectors / values) @ vectors.T
        return Y @ inverse / np.diag(inverse)
    everyone = np.arange(len(H))
    columns = []
    for j in everyone:
        rest = everyone[everyone != j]
        core = np.linalg.pinv(H[np.ix_(rest, rest)], rcond=1e4 * EPS, hermitian=True)
        columns.append(Y[:, j] - Y[:, rest] @ (core @ H[rest, j]))
    return np.column_stack(columns)


def leave_one_out_sketch(Y: np.ndarray, Omega: np.ndarray) -> float:
    """Estimate of the squared Frobenius error with one test vector fewer.

    Parameters
    ----------
    Y : ndarray (n, l)
        The sketch ``K Omega``.
    Omega : ndarray (n, l)
        Independent columns with second moment I.

    Returns
    -------
    float
        Unbiased.  Costs ``n l^2``; K is not needed.

    Examples
    --------
    >>> leave_one_out_sketch(np.diag([2.0, 3.0]), np.eye(2))
    6.5
    """
    residuals = sketch_residuals(Y, Omega.T @ Y)
    return float((residuals**2).sum() / Y.shape[1])


def sketched(i: Instance, Omega) -> np.ndarray:
    """``K Omega (Omega.T K Omega)^+ Omega.T K`` through the points, (n, n)."""
    if Omega.shape[1] == 0:
        return np.zeros_like(i.K)
    U, s, _ = np.linalg.svd(i.points @ Omega, full_matrices=False)
    half = U[:, s > 1e-9 * max(s[0], np.finfo(float).tiny)].T @ i.points
    return half.T @ half


# --- Laws of the test vectors -----------------------------------------------------


def gaussian(i: Instance, rng) -> Instance:
    """Standard Gaussian test vectors."""
    return i.but(Omega=rng.standard_normal((i.n, i.l)))


def on_the_sphere(i: Instance, rng) -> Instance:
    """Gaussian vectors scaled to length ``sqrt(n)``.

    The approximation does not see the length and the estimate is quadratic in it,
    so the means are those of Gaussian vectors; but these are bounded.
    """
    Omega = rng.standard_normal((i.n, i.l))
    return i.but(Omega=np.sqrt(i.n) * Omega / np.linalg.norm(Omega, axis=0))


def each_from(vectors):
    """Independent columns, each one of the listed vectors with equal chance."""

    def outcomes(i: Instance):
        listed = vectors(i)
        chance = 1 / len(listed) ** i.l
        columns = product(listed, repeat=i.l)
        return [(chance, i.but(Omega=np.column_stack(c))) for c in columns]

    return outcomes


def signs(i: Instance) -> list:
    """Every vector of signs."""
    return [np.array(s) for s in product((-1.0, 1.0), repeat=i.n)]


# Nodes m of the rule for the circle. Its error falls as ((1-r)/(1+r))^m, with r^2 the
# ratio of the two eigenvalues: below rounding for ratios above RESOLVED.
NODES, RESOLVED = 32, 0.3


def circle(i: Instance) -> list:
    """Directions in the range of a K of rank 2, at equal angles, of length sqrt 2.

    A Gaussian vector in the plane is a length times a direction, independent of each
    other.  Half a circle is enough: opposite vectors give the same.
    """
    basis = i.eigen_K[1][:, :2]
    angles = (np.arange(NODES) + 0.5) * np.pi / NODES
    return [np.sqrt(2) * basis @ (np.cos(t), np.sin(t)) for t in angles]


def coordinates(i: Instance) -> list:
    """Unit vectors times sqrt(n): uniform columns, as test vectors."""
    return list(np.sqrt(i.n) * np.eye(i.n))
