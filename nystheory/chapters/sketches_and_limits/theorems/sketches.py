"""A sketch ``K Omega``, and its error, estimated from the sketch."""

from __future__ import annotations

import numpy as np

from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.matrices import EPS
from nystheory.engine.worlds.worlds import Given


class Sketched(Instance):
    """A matrix and what it is multiplied by, as many test vectors as landmarks.

    Which landmarks does not count.
    """

    omega = Given(
        r"\Omega",
        "test vectors of length n as columns, l of them",
        axes=("n", "l"),
        drawn=True,
    )

    @classmethod
    def drawn(cls, instance, rng):
        """Standard normal entries."""
        return instance.but(omega=rng.standard_normal((instance.n, instance.l)))


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
