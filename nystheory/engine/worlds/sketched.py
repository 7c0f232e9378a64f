"""What test vectors see of a matrix, and how rounding grows in it."""

from __future__ import annotations

import numpy as np

# Relative singular values of what test vectors see that may be zero or not.
_GREY_LOW, _GREY_HIGH = 1e-13, 1e-6


def seen(i, omega):
    """Directions of the points that test vectors see, and relative singular values."""
    Q, s, _ = np.linalg.svd(i.points @ omega, full_matrices=False)
    relative = s / s[0] if s.size and s[0] > 0 else np.zeros_like(s)
    return Q[:, relative > _GREY_HIGH], relative


def of_seen(i, omega):
    """How rounding grows in these directions; infinite where their number is grey."""
    relative = seen(i, omega)[1]
    if ((relative > _GREY_LOW) & (relative < _GREY_HIGH)).any():
        return np.inf
    return 1 / relative[relative > _GREY_HIGH].min(initial=1.0) ** 2
