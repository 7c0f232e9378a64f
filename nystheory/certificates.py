"""How good is this approximation?  Answers from what was computed, without all of K.

An approximation that lies between 0 and K tells its own error: what it misses is
semidefinite, so the trace of the error bounds its other norms, and the trace needs the
diagonal of K alone.  Before any column is formed, the entries among the landmarks tell
what one landmark less would have cost.

Costs are told for a `kernels.KernelMatrix`; an array is checked first, at n^3 / 3
operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg

from nystheory.kernels import KernelMatrix, as_kernel
from nystheory.lowrank import LowRank
from nystheory.lowrank._missing import missing, rounding
from nystheory.sampling import Landmarks, as_indices

__all__ = [
    "Estimate",
    "entry_certificate",
    "leave_one_out_frobenius",
    "leave_one_out_trace",
    "residual_columns",
    "schur_complements",
    "trace_certificate",
]

# Where W is nearer to singular than this, its inverse is not asked for.
SINGULAR = 1e4


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
        Whether it holds surely (up to `error`), or on average.

    Examples
    --------
    >>> Estimate(2.0, 1e-15, "trace of the error", True)
    Estimate(trace of the error: 2, surely, up to 1e-15)
    """

    value: float
    error: float
    meaning: str
    certain: bool

    def __repr__(self) -> str:
        grade = f"surely, up to {self.error:.2g}"
        if not self.certain:
            grade = f"on average, standard error {self.error:.2g}"
        return f"Estimate({self.meaning}: {self.value:.6g}, {grade})"

    def _repr_html_(self) -> str:
        from nystheory.style import table

        grade = "surely" if self.certain else "on average"
        row = (self.meaning, self.value, grade, self.error)
        return table([row], ("what", "value", "holds", "up to"))


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
    does not check, that K is semidefinite.  Below ``(k + 16) eps tr K`` it is rounding,
    with the eps of K or of the factor, whichever is larger: `error` says so.  That it
    holds is
    ``theorems["modern:error-chain"]``, claims "spectral", "Frobenius" and
    "certificate".

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> K = np.diag([3.0, 2.0, 1.0])
    >>> trace_certificate(K, nystrom(K, [0])).value
    3.0
    """
    K, diagonal, left = missing(K, approximation)
    floor = rounding(K, approximation, diagonal.sum())
    return Estimate(float(left.sum()), floor, "trace of the error", True)


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
    K, diagonal, left = missing(K, approximation)
    floor = rounding(K, approximation, diagonal.max())
    return Estimate(float(left.max()), floor, "largest entry of the error", True)


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
    operations, O(l^4) where W is nearly singular.  A sample that has missed a part of
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
    terms = schur_complements(K[chosen, chosen])
    return _of_terms(terms, K.n, "trace error of one landmark less")


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
    n l entries and costs 2 n l^2 operations and O(l^3), O(l^4) where W is nearly
    singular.

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
    left = residual_columns(K[:, chosen], chosen)
    terms = np.einsum("ij,ij->j", left, left)
    return _of_terms(terms, K.n, "squared Frobenius error of one landmark less")


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
    ValueError, IndexError
        If there are not as many landmarks as columns, a number is not finite, or a
        landmark is not a row of C.

    Notes
    -----
    Where W has an inverse that is ``C W^-1 e_j / (W^-1)_jj``, all columns at the cost
    of one inverse: 2 n l^2 operations and O(l^3).  Where it has none, or float64 cannot
    tell, column j minus its projection on the others, one by one: O(n l^2 + l^4).  The
    formula is ``theorems["modern:leave-one-out-columns"]``, claim "columns".

    Examples
    --------
    >>> K = np.array([[2.0, 1, 1], [1, 1, 0], [1, 0, 3]])
    >>> residual_columns(K[:, :2], [0, 1]).tolist()
    [[1.0, 0.0], [0.0, 0.5], [1.0, -0.5]]
    """
    C = np.asarray(C, dtype=float)
    W = C[np.asarray(landmarks)]
    eps = np.finfo(np.float64).eps
    values, vectors = scipy.linalg.eigh(W)
    if values[0] > len(W) * SINGULAR * eps * values[-1]:
        inverse = (vectors / values) @ vectors.T
        return C @ inverse / np.diag(inverse)
    everyone = np.arange(len(W))
    columns = []
    for j in everyone:
        rest = everyone[everyone != j]
        core = np.linalg.pinv(
            W[np.ix_(rest, rest)], rcond=SINGULAR * eps, hermitian=True
        )
        columns.append(C[:, j] - C[:, rest] @ (core @ W[rest, j]))
    return np.column_stack(columns)


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
    ValueError
        If W is not square, or a number is not finite.

    Notes
    -----
    Costs O(l^3) operations, O(l^4) where W is nearly singular.  The formula is
    ``theorems["modern:leave-one-out-columns"]``, claim "entries".

    Examples
    --------
    >>> schur_complements(np.array([[2.0, 1], [1, 1]])).tolist()
    [1.0, 0.5]
    """
    return np.diag(residual_columns(W, range(len(W)))).copy()


def _of_terms(terms, n, meaning):
    l = len(terms)  # noqa: E741
    spread = float(terms.std(ddof=1) * np.sqrt(l)) if l > 1 else float("inf")
    share = (n - l + 1) / l
    return Estimate(float(share * terms.sum()), share * spread, meaning, False)


def _distinct(landmarks, n):
    chosen = as_indices(landmarks, n)
    if len(set(chosen.tolist())) < len(chosen):
        raise ValueError("landmarks: expected different columns, got a repeated one")
    return chosen
