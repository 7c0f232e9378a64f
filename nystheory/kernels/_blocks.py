"""Blocks of rows: what is computed a part at a time, so that memory stays small."""

from __future__ import annotations

import numpy as np

from nystheory import _checks

# Rows of a point kernel that are evaluated at a time in products, in bytes.
BLOCK_BYTES = 2**25


def row_blocks(n: int, width: int, itemsize: int = 8) -> list[slice]:
    """Slices that cut n rows of `width` entries into blocks of about 32 MB.

    Parameters
    ----------
    n, width, itemsize : int
        Numbers of rows, of entries in a row, of bytes in an entry.

    Returns
    -------
    list of slice
        At least one row each.

    Raises
    ------
    ValueError, TypeError
        If a number is not an integer of at least 0, the last of at least 1.

    Notes
    -----
    The book's own choice of a size that fits a cache; costs nothing.

    Examples
    --------
    >>> row_blocks(5, 2**21)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    n, width = _checks.integer(n, "n", low=0), _checks.integer(width, "width", low=0)
    itemsize = _checks.integer(itemsize, "itemsize")
    step = max(1, BLOCK_BYTES // (itemsize * max(1, width)))
    return [slice(i, min(i + step, n)) for i in range(0, n, step)]


def mirror(K):
    """K with its upper triangle copied on the lower one, in place."""
    for rows in row_blocks(len(K), len(K), K.itemsize):
        K[rows.stop :, rows] = K[rows, rows.stop :].T
        block = K[rows, rows]
        block[:] = np.triu(block) + np.triu(block, 1).T
    return K
