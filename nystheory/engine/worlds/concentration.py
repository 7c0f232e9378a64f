r"""How far the covariance of a sample is from that of all points: the numbers.

With ``K = X'X``, a sample of l columns and ``Z = sqrt(n/l) X_S``, the bounds of
section 5.1 of the thesis are written in these quantities.  Two are measured:

======  ==========================================================================
d_max   largest kernel distance, ``max sqrt(K_ii + K_jj - 2 K_ij)``
spread  ``sum K_ii^2 - |K|_F^2 / n``: n times the variance of x x'
======  ==========================================================================

and the others are lines in these, in ``n``, in ``l`` and in ``K_max``:

=====================  ===========================================================
u                      ``n - l``, the columns that are not sampled
R                      ``sqrt(K_max)``, the largest length
beta_printed           ``1 - 1 / (2 max(l, n - l))``, as printed in Theorem 5.2
q_printed              ``(n - l) / ((n - 1/2) beta)``, factor under its root
alpha_printed          alpha(l, u) as printed in Theorem 5.1, equal to ``l q``
alpha_sharp            what is proved in its place, at most that and at most l
e_l                    root of the mean square distance, without replacement
e_l_replaced           the same with replacement
g_2, g_F               largest ``|aa' - bb'|`` for lengths <= R, distance <= d_max
g_2_equal, g_F_equal   the same for lengths that are all R (constant diagonal)
=====================  ===========================================================

`value` computes a line from given numbers, or on an instance:

>>> value("alpha_sharp", n=2, l=1)
1.0
"""

from __future__ import annotations

import numpy as np

from nystheory.engine.worlds.quantities import composed, quantity, value

__all__ = ["d_max", "distances", "spread", "value"]


def _rounding_of_distance(i):
    """A distance that is computed from K is the root of a difference."""
    if getattr(i, "X", True) is not None or i.n == 1:
        return 1.0
    far = i.largest_distance
    return np.sqrt(i.norm_K) / far if far > 0 else np.inf


@quantity(
    r"d_{\max}",
    "largest kernel distance of two points",
    unit=0.5,
    condition=_rounding_of_distance,
)
def d_max(i):
    return i.largest_distance


@quantity(
    "V",
    "sum of the squared diagonal less one n-th of the squared Frobenius norm",
    unit=2,
)
def spread(i):
    return i.spread


# --- Theorem 5.1 ---------------------------------------------------------------------

composed("u", "u", "n - l", "number of columns that are not sampled")
composed(
    "beta_printed",
    r"\beta",
    "1 - 1 / (2 * max(l, u))",
    "a factor of the constant that the thesis prints in its Theorem 5.1",
)
composed(
    "q_printed",
    "q",
    "u / ((n - 1 / 2) * beta_printed)",
    "the constant that the thesis prints in its Theorem 5.1, over l",
)
composed(
    "alpha_printed",
    r"\alpha(l, u)",
    "l * u / ((l + u - 1 / 2) * (1 - 1 / (2 * max(l, u))))",
    "constant of concentration without replacement, as printed",
)
composed(
    "alpha_sharp",
    r"\alpha_\sharp",
    "min(u ** 2 * inverse_squares(u, n - 1), l ** 2 * inverse_squares(l, n - 1))",
    "constant of concentration without replacement",
)

# --- The mean distance ---------------------------------------------------------------

composed(
    "e_l",
    "e_l",
    "sqrt(n * (n - l) / (l * (n - 1)) * spread)",
    "root of the mean square distance of the covariances",
)
composed(
    "e_l_replaced",
    r"\tilde e_l",
    "sqrt(n / l * spread)",
    "the same for columns drawn with replacement",
)

# --- One landmark exchanged ----------------------------------------------------------

composed("R", "R", "sqrt(K_max)", "largest length of a point")
composed("d_bar", r"\bar d", "min(d_max, sqrt(2) * R)", "distance up to a right angle")
composed(
    "g_2",
    "g_2",
    "R ** 2 - max(R - d_max, 0) ** 2",
    r"largest spectral norm of $a a^\top - b b^\top$, lengths up to $R$, "
    r"$d_{\max}$ apart",
)
composed(
    "g_2_equal",
    r"\bar g_2",
    "d_bar / 2 * sqrt(4 * R ** 2 - d_bar ** 2)",
    "the same for points of one length",
)
# The first is a pair on one ray, the larger for d_max <= 2R/3; the second one of
# equal lengths.
composed(
    "g_F",
    "g_F",
    "max(d_max * (2 * R - d_max), g_F_equal)",
    r"largest Frobenius norm of $a a^\top - b b^\top$, lengths up to $R$, "
    r"$d_{\max}$ apart",
)
composed(
    "g_F_equal",
    r"\bar g_F",
    "d_bar * sqrt((4 * R ** 2 - d_bar ** 2) / 2)",
    "the same for points of one length",
)


def distances(K: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """``|XX' - ZZ'|_F`` for many samples, from the squared entries of K alone.

    Parameters
    ----------
    K : ndarray (n, n)
    counts : ndarray (m, n)
        How often each sample holds each column; rows of sum l.

    Returns
    -------
    ndarray (m,)

    Examples
    --------
    >>> distances(np.eye(2), np.array([[1, 0], [1, 1]])).round(3).tolist()
    [1.414, 0.0]
    """
    counts = np.atleast_2d(counts)
    share = len(K) / counts.sum(axis=1, keepdims=True)
    c = 1 - share * counts
    return np.sqrt(np.maximum(((c @ K**2) * c).sum(axis=1), 0))
