"""Whether a matrix is one that a kernel can have: symmetric, and semidefinite.

The messages are as in `_checks`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from nystheory import _checks

# Rounding allowance in units of the dtype's eps, relative to the largest entry (for
# symmetry) and to the trace (for semidefiniteness).  Kernels of points far from the
# origin lose three or four digits in |x|^2 + |y|^2 - 2 x.y and are still fine; a
# matrix that is wrong misses by many orders of magnitude more.
ROUNDING_SLACK = 1e4

# Up to so many points all of an array is factored to see whether it is semidefinite.
FACTORED = 1000


def symmetric(K: Any, name: str = "K") -> np.ndarray:
    """`K` as a square, finite array, symmetric up to rounding.

    Tile by tile: one pass over the array, and little memory beside it.

    Examples
    --------
    >>> symmetric([[1.0, 2.0], [0.0, 1.0]])
    Traceback (most recent call last):
    ValueError: K: expected a symmetric matrix, got K[0, 1] = 2 and K[1, 0] = 0; \
if that is rounding, pass (K + K.T) / 2
    """
    K = _checks.real_array(K, name, 2)
    n = K.shape[0]
    if K.shape != (n, n) or n == 0:
        how = "; kernels.rbf(X) makes one of points" if name == "K" and n else ""
        raise ValueError(f"{name}: expected a square matrix, got shape {K.shape}{how}")
    size = scaled(max(float(K.max()), -float(K.min())), name)
    slack = ROUNDING_SLACK * np.finfo(K.dtype).eps * size
    for rows, columns in _upper_tiles(n):
        gap = np.abs(K[rows, columns] - K[columns, rows].T)
        if gap.max() > slack:
            i, j = np.unravel_index(gap.argmax(), gap.shape)
            i, j = i + rows.start, j + columns.start
            above, below = f"{name}[{i}, {j}]", f"{name}[{j}, {i}]"
            raise ValueError(
                f"{name}: expected a symmetric matrix, "
                f"got {above} = {K[i, j]:.6g} and {below} = {K[j, i]:.6g}; "
                f"if that is rounding, pass ({name} + {name}.T) / 2"
            )
    return K


def scaled(size: float, name: str, what: str = "entries", power: int = 1) -> float:
    """The largest of some numbers, if it can be squared and inverted in float64.

    Examples
    --------
    >>> scaled(1e200, "K")
    Traceback (most recent call last):
    ValueError: K: expected entries of size 1e-150 to 1e+150 (or all zero), so that \
squares do not overflow, got 1e+200; multiply by a power of two
    """
    low, high = _checks.SMALLEST ** (1 / power), _checks.LARGEST ** (1 / power)
    if size and not low <= size <= high:
        raise ValueError(
            f"{name}: expected {what} of size {low:.0e} to {high:.0e} (or all zero), "
            f"so that squares do not overflow, got {size:.3g}; multiply by a power of "
            "two"
        )
    return size


def semidefinite(K: np.ndarray, name: str = "K") -> np.ndarray:
    """A symmetric array `K`, if nothing shows an eigenvalue below zero.

    Up to `FACTORED` points all of K is factored; above, all pairs of points and a
    sample of points, evenly spaced, are tried: n^2 words are read once.

    Examples
    --------
    >>> semidefinite(np.array([[0.0, 1.0], [1.0, 0.0]]))
    Traceback (most recent call last):
    ValueError: K: expected a positive semidefinite matrix, got one with eigenvalue -1 \
(the largest is 1); if that is rounding, set negative eigenvalues to zero: \
w, V = numpy.linalg.eigh(K); K = (V * w.clip(0)) @ V.T
    """
    n = len(K)
    if n <= FACTORED:
        factored(K, name)
        return K
    _pairs_of_points(K, name)
    some = np.linspace(0, n - 1, FACTORED).astype(np.intp)
    factored(K[np.ix_(some, some)], name)
    return K


def is_semidefinite(K: np.ndarray) -> bool:
    """Whether nothing shows an eigenvalue of a symmetric array below zero.

    Examples
    --------
    >>> is_semidefinite(np.array([[0.0, 1.0], [1.0, 0.0]]))
    False
    """
    try:
        semidefinite(K)
    except ValueError:
        return False
    return True


def not_negative(values: np.ndarray, rounding: float, what: str) -> np.ndarray:
    """Numbers that no semidefinite K makes negative; those of rounding are set to zero.

    Examples
    --------
    >>> not_negative(np.array([1.0, -1e-17]), 1e-15, "an eigenvalue").tolist()
    [1.0, 0.0]
    >>> not_negative(np.array([1.0, -1.0]), 1e-15, "an eigenvalue")
    Traceback (most recent call last):
    ValueError: K: expected a positive semidefinite matrix, got an eigenvalue of -1
    """
    least = float(values.min(initial=0.0))
    if least < -rounding:
        raise ValueError(
            f"K: expected a positive semidefinite matrix, got {what} of {least:.6g}"
        )
    return np.maximum(values, 0.0)


def cholesky(core: np.ndarray) -> np.ndarray:
    """The lower Cholesky factor of a part of K that must be regular.

    Examples
    --------
    >>> cholesky(np.array([[-1.0]]))
    Traceback (most recent call last):
    ValueError: K: expected a positive semidefinite matrix, got a pivot below zero
    """
    try:
        return scipy.linalg.cholesky(core, lower=True)
    except scipy.linalg.LinAlgError:
        raise ValueError(
            "K: expected a positive semidefinite matrix, got a pivot below zero"
        ) from None


def _pairs_of_points(K, name):
    """Raise if ``K[i, j]^2`` is above ``K[i, i] K[j, j]`` by more than rounding."""
    diagonal = K.diagonal().astype(np.float64)
    if diagonal.min() < 0:
        i = int(diagonal.argmin())
        raise ValueError(
            f"{name}: expected a positive semidefinite matrix, got "
            f"{name}[{i}, {i}] = {diagonal[i]:.6g}"
        )
    length = np.sqrt(diagonal)
    slack = _allowed(K.dtype) * float(diagonal.max())
    for rows, columns in _upper_tiles(len(K)):
        above = np.abs(K[rows, columns]) - np.multiply.outer(
            length[rows], length[columns]
        )
        if above.max() > slack:
            i, j = np.unravel_index(above.argmax(), above.shape)
            i, j = int(i + rows.start), int(j + columns.start)
            raise ValueError(
                f"{name}: expected a positive semidefinite matrix, got "
                f"{name}[{i}, {j}] = {K[i, j]:.6g} beside {name}[{i}, {i}] = "
                f"{K[i, i]:.6g} and {name}[{j}, {j}] = {K[j, j]:.6g}"
            )


def _upper_tiles(n, step=1024):
    """Tiles that cover the upper triangle."""
    parts = [slice(i, min(i + step, n)) for i in range(0, n, step)]
    return [(rows, columns) for rows in parts for columns in parts[parts.index(rows) :]]


def _allowed(dtype):
    """Rounding relative to the trace.  The entries of float32 have few digits."""
    return ROUNDING_SLACK * 2.0**-52 if dtype == np.float64 else 100 * 2.0**-23


def factored(K: np.ndarray, name: str = "K") -> None:
    """Raise if an eigenvalue of K is below zero by more than rounding.

    One Cholesky factorisation of ``K`` shifted by a rounding allowance, n^3/3
    operations; eigenvalues are computed only when it fails, for the message.

    Examples
    --------
    >>> factored(np.eye(2))
    """
    trace = float(np.trace(K, dtype=np.float64))
    slack = _allowed(K.dtype) * abs(trace)
    if trace == 0 and not K.any():
        return
    shifted = np.array(K, dtype=np.float64, order="F")
    # The diagonal of a C- or F-contiguous square array, as a strided view.
    shifted.reshape(-1, order="F")[:: len(K) + 1] += slack
    _, info = scipy.linalg.lapack.dpotrf(shifted, lower=1, clean=0, overwrite_a=1)
    if info == 0:
        return
    values = scipy.linalg.eigvalsh(K.astype(np.float64))
    if values[0] >= -slack:
        return
    raise ValueError(
        f"{name}: expected a positive semidefinite matrix, got one with eigenvalue "
        f"{values[0]:.3g} (the largest is {values[-1]:.3g}); if that is rounding, set "
        f"negative eigenvalues to zero: w, V = numpy.linalg.eigh({name}); "
        f"{name} = (V * w.clip(0)) @ V.T"
    )
