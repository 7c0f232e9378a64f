"""How good is this approximation?  Answers from what was computed, without all of K.

An approximation that lies between 0 and K determines its own error: what it misses is
semidefinite, so the trace of the error bounds its other norms, and the trace needs the
diagonal of K alone.  Before any column is formed, the entries among the landmarks tell
what one landmark less would have cost.

Costs are stated for a `kernels.KernelMatrix`; an array is checked first, at n^3 / 3
operations.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg

from nystheory import _checks, _semidefinite
from nystheory._rounding import allowed
from nystheory.kernels import KernelMatrix, as_kernel
from nystheory.kernels._base import digits, entry_rounding
from nystheory.lowrank import LowRank
from nystheory.lowrank._missing import missing
from nystheory.sampling import SCHEMES, Landmarks, as_indices

__all__ = [
    "Estimate",
    "entry_certificate",
    "leave_one_out_frobenius",
    "leave_one_out_trace",
    "residual_columns",
    "schur_complements",
    "trace_certificate",
]

# An eigenvalue of W, scaled to a diagonal of 1, may be made of rounding below so many
# times l eps: then W gets a ridge of that size, and below 10^4 of them to be sure.
SINGULAR = 4


@dataclass(frozen=True)
class Estimate:
    """A number about the error, and how far it may be off.

    Attributes
    ----------
    value : float
    error : float
        For a certificate, the rounding floor below which it means nothing; for an
        estimate, its standard error.
    meaning : str
        What it says of ``K - K~``.
    certain : bool
        Whether it holds surely (up to `error`, and if K is semidefinite), or on
        average.
        What is sure counts rounding in the approximation's core to first order only,
        see `lowrank.LowRank.blur`, and that of the k terms of a number of its factor as
        independent, sqrt(k) eps; that of the entries of K as if all had one sign.
    floor : float
        Of an estimate: what rounding alone may leave; a value below it says no more
        than that the true one is as small.

    Examples
    --------
    >>> Estimate(2.0, 1e-15, "trace of the error", True)
    Estimate(trace of the error: 2, surely, up to 1e-15)
    >>> Estimate(0.0, 1e-15, "trace of the error", True)
    Estimate(trace of the error: 0, surely, up to 1e-15, which is rounding)
    """

    value: float
    error: float
    meaning: str
    certain: bool
    floor: float = 0.0

    def _grade(self) -> str:
        if self.certain:
            lost = ", which is rounding" if self.value < self.error else ""
            return f"surely, up to {_power_of_ten(self.error):.0e}{lost}"
        lost = f", below rounding ({self.floor:.2g})" if self.value < self.floor else ""
        return f"on average, standard error {self.error:.2g}{lost}"

    def __repr__(self) -> str:
        return f"Estimate({self.meaning}: {self.value:.6g}, {self._grade()})"

    def _repr_html_(self) -> str:
        from nystheory.style import table

        return table(
            [(self.meaning, self.value, self._grade())], ("what", "value", "holds")
        )


def _power_of_ten(x: float) -> float:
    """The next one above, which is shown alike on machines that round differently."""
    return 10.0 ** math.ceil(math.log10(x)) if 0 < x < math.inf else x


def trace_certificate(K: KernelMatrix | np.ndarray, approximation: LowRank) -> Estimate:
    """The trace of the error, which no other norm of it exceeds.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    approximation : LowRank or Ensemble
        Known to lie between 0 and K (``below``).

    Returns
    -------
    Estimate
        ``|K - K~|_2 <= |K - K~|_F <= tr(K - K~)``.

    Raises
    ------
    ValueError, TypeError
        If it is not an approximation of K, or not known to be below K, or if what is
        left on the diagonal is negative beyond rounding: then K is not semidefinite.

    Notes
    -----
    Asks for the n entries of the diagonal and costs 2 n k operations.  Assumes, and
    does not check, that K is semidefinite.  Below `error` it is rounding, in float64
    ``(sqrt(k) + 16) eps tr K`` and more by `lowrank.LowRank.blur` and where entries
    came out below zero.  That it holds is ``theorems["modern:error-chain"]``, claims
    "spectral", "Frobenius" and "certificate".

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> K = np.diag([3.0, 2.0, 1.0])
    >>> trace_certificate(K, nystrom(K, [0])).value
    3.0
    """
    found = missing(K, approximation)
    return Estimate(found.trace, found.trace_floor, "trace of the error", True)


def entry_certificate(K: KernelMatrix | np.ndarray, approximation: LowRank) -> Estimate:
    """The largest diagonal entry of the error, which no entry of it exceeds.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    approximation : LowRank or Ensemble
        Known to lie between 0 and K (``below``).

    Returns
    -------
    Estimate
        It is also at most the spectral norm of the error.

    Raises
    ------
    ValueError, TypeError
        As `trace_certificate`.

    Notes
    -----
    Asks for the n entries of the diagonal and costs 2 n k operations.  That it holds
    is ``theorems["modern:error-chain"]``, claims "entries" and "diagonal".

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> K = np.diag([3.0, 2.0, 1.0])
    >>> entry_certificate(K, nystrom(K, [0])).value
    2.0
    """
    found = missing(K, approximation)
    largest = float(found.left.max())
    return Estimate(largest, found.floor, "largest entry of the error", True)


def leave_one_out_trace(
    K: KernelMatrix | np.ndarray, landmarks: Landmarks | Sequence[int]
) -> Estimate:
    """The trace error of one landmark less, from the entries among the landmarks.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    landmarks : Landmarks or sequence of int, length l
        Drawn uniformly without replacement: for other laws it says nothing.

    Returns
    -------
    Estimate
        Unbiased for the mean trace error with l - 1 uniform landmarks; the standard
        error is the one of the mean of the l terms, as if they were independent.

    Raises
    ------
    ValueError, TypeError, IndexError
        If a landmark repeats or is not an index of K.

    Notes
    -----
    ``(n - l + 1) / l`` times the sum of `schur_complements`, what the others leave of
    each landmark: after [1]_.  That the mean is right is
    ``theorems["modern:leave-one-out-columns"]``.  Asks for l^2 entries and costs O(l^3)
    operations.  A sample that has missed a part of
    the data altogether does not know of it, and neither does this.

    References
    ----------
    .. [1] E. N. Epperly and J. A. Tropp, "Efficient error and variance estimation for
       randomized matrix computations", SIAM Journal on Scientific Computing 46, 2024.

    Examples
    --------
    >>> leave_one_out_trace(np.eye(10), [0, 1])
    Estimate(trace error of one landmark less: 9, on average, standard error 0)
    """
    K = as_kernel(K)
    chosen = _distinct(landmarks, K.n)
    W = _core_of(K[chosen, chosen], "K")
    terms, floors = _entries_left(W.astype(np.float64), _known(K, chosen))
    return _of_terms(terms, K.n, "trace error of one landmark less", floors)


def leave_one_out_frobenius(
    K: KernelMatrix | np.ndarray, landmarks: Landmarks | Sequence[int]
) -> Estimate:
    """The squared Frobenius error of one landmark less, from the sampled columns.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    landmarks : Landmarks or sequence of int, length l
        Drawn uniformly without replacement.

    Returns
    -------
    Estimate
        Unbiased for the mean squared error with l - 1 uniform landmarks; the standard
        error as for `leave_one_out_trace`.

    Raises
    ------
    ValueError, TypeError, IndexError
        As `leave_one_out_trace`.

    Notes
    -----
    ``(n - l + 1) / l`` times the squared lengths of `residual_columns`: after [1]_.
    That the mean is right is ``theorems["modern:leave-one-out-columns"]``.  Asks for
    n l entries and costs 2 n l^2 operations and O(l^3), and 2 n l words beside C.

    References
    ----------
    .. [1] E. N. Epperly and J. A. Tropp, "Efficient error and variance estimation for
       randomized matrix computations", SIAM Journal on Scientific Computing 46, 2024.

    Examples
    --------
    >>> leave_one_out_frobenius(np.eye(10), [0, 1]).value
    9.0
    """
    K = as_kernel(K)
    chosen = _distinct(landmarks, K.n)
    C = K[:, chosen]
    W = _core_of(C[chosen], "K").astype(np.float64)
    left, moved, spread = _left_out(
        C.astype(np.float64, copy=False), W, _known(K, chosen)
    )
    terms = np.einsum("ij,ij->j", left, left)
    floors = (moved + spread) ** 2 * K.n
    meaning = "squared Frobenius error of one landmark less"
    return _of_terms(terms, K.n, meaning, floors)


def residual_columns(C: np.ndarray, landmarks: Sequence[int]) -> np.ndarray:
    """What the other landmarks leave of each sampled column.

    Parameters
    ----------
    C : array_like (n, l)
        The sampled columns.
    landmarks : sequence of int, length l
        Their indices; ``W = C[landmarks]``.

    Returns
    -------
    ndarray (n, l)
        Column j is that of ``K - K~`` with landmark j left out.

    Raises
    ------
    ValueError, TypeError, IndexError
        If there are not as many landmarks as columns, a number is not finite or not
        real, a landmark is not a row of C, or W is not symmetric and semidefinite.

    Notes
    -----
    Where W has an inverse that is ``C W^-1 e_j / (W^-1)_jj``, all columns at the cost
    of one inverse: 2 n l^2 operations and O(l^3).  Where it has none, or rounding would
    show, entry i of its diagonal gets a ridge of ``4 l eps W_ii``: column j minus its
    regression on the others.  The formula is
    ``theorems["modern:leave-one-out-columns"]``, claim "columns".

    Examples
    --------
    >>> K = np.array([[2.0, 1, 1], [1, 1, 0], [1, 0, 3]])
    >>> residual_columns(K[:, :2], [0, 1]).tolist()
    [[1.0, 0.0], [0.0, 0.5], [1.0, -0.5]]
    """
    C = _checks.real_array(C, "C", 2).astype(np.float64, copy=False)
    if C.size == 0:
        raise ValueError(f"C: expected at least one row and column, got {C.shape}")
    chosen = _checks.indices(landmarks, len(C), "landmarks")
    if len(chosen) != C.shape[1]:
        raise ValueError(
            f"landmarks: expected one for each of {C.shape[1]} columns, got "
            f"{len(chosen)}"
        )
    return _left_out(C, _core_of(C[chosen], "C[landmarks]"), 0.0)[0]


def schur_complements(W: np.ndarray) -> np.ndarray:
    """What the other landmarks leave of each diagonal entry of W.

    Parameters
    ----------
    W : array_like (l, l)
        The entries of K among the landmarks.

    Returns
    -------
    ndarray (l,)
        ``1 / (W^-1)_jj`` where W has an inverse.

    Raises
    ------
    ValueError, TypeError
        If W is not square, symmetric and semidefinite, or a number is not finite or not
        real.

    Notes
    -----
    Costs O(l^3) operations; where W has no inverse, or float64 cannot tell, it gets a
    ridge as in `residual_columns`, and what that adds is taken off again.  The formula
    is ``theorems["modern:leave-one-out-columns"]``, claim "entries".

    Examples
    --------
    >>> schur_complements(np.array([[2.0, 1], [1, 1]])).tolist()
    [1.0, 0.5]
    """
    W = _core_of(_checks.real_array(W, "W", 2).astype(np.float64), "W")
    return _entries_left(W, 0.0)[0]


def _core_of(W, name):
    """The entries among the landmarks, symmetric and semidefinite."""
    return _semidefinite.semidefinite(_semidefinite.symmetric(W, name), name)


def _known(K, chosen):
    """By how much entries among some points may be off, each in units of its own.

    Those of their type, and in float64 an inner product of as many numbers.
    """
    entries = np.broadcast_to(entry_rounding(K), (K.n,))[chosen]
    return entries + len(chosen) * digits(None)


def _left_out(C, W, known):
    """What the other landmarks leave of each column; two kinds of errors, (l,).

    Column j is C times column j of the inverse of W, scaled to 1 at j: the residual of
    a regression on the others.  Where W, with its diagonal scaled to 1, is so near to
    singular that rounding shows, the regression gets a small ridge; what that moves an
    entry of the column at the landmarks is the ridge times the squared length of the
    coefficients, to first order.  That is the first error.  The second is what the
    rounding of entries does to such an entry, `known` times the same squared length:
    see `sampling._pivoted.Factor`; twice, since landmark j comes in both ways.
    """
    size = np.sqrt(W.diagonal())
    size[size == 0] = 1.0  # a point at zero: its column is zero
    ridge = len(W) * SINGULAR * np.finfo(np.float64).eps
    values, vectors = scipy.linalg.eigh(W / size / size[:, None])
    if values[0] > 1e4 * ridge:
        ridge = 0.0
    inverse = (vectors / (np.maximum(values, 0.0) + ridge)) @ vectors.T
    scaled = inverse / np.diag(inverse)
    squares = scaled**2
    moved = ridge * squares.sum(axis=0) * W.diagonal()
    spread = 2 * (np.broadcast_to(known, len(W)) @ squares) * W.diagonal()
    return C @ (scaled / size[:, None] * size), moved, spread


def _entries_left(W, known):
    """What the others leave of each diagonal entry, without what a ridge moved.

    And what may be wrong with it.
    """
    left, moved, spread = _left_out(W, W, known)
    floors = allowed("an entry left out", 2 * moved + spread)
    return np.maximum(np.diag(left) - moved, 0.0), floors


def _of_terms(terms, n, meaning, floors):
    l = len(terms)  # noqa: E741
    size = float(terms.max()) or 1.0  # the square of a square may overflow
    spread = size * float((terms / size).std(ddof=1) * np.sqrt(l)) if l > 1 else np.inf
    share = (n - l + 1) / l
    value, floor = float(share * terms.sum()), float(share * floors.sum())
    return Estimate(value, share * spread, meaning, False, floor)


def _distinct(landmarks, n):
    chosen = as_indices(landmarks, n)
    scheme = getattr(landmarks, "scheme", "uniform")
    if scheme != "uniform" and scheme.split(",")[0] in SCHEMES:
        raise ValueError(
            f"landmarks: expected a uniform sample without replacement, got {scheme}, "
            "of which leaving one out says nothing; pass landmarks.indices if you know "
            "better"
        )
    if len(set(chosen.tolist())) < len(chosen):
        raise ValueError("landmarks: expected distinct columns, got a repeated one")
    return chosen
