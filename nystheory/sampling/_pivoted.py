"""Randomly pivoted Cholesky, and the partial factor that pivoted schemes share."""

from __future__ import annotations

import math

import numpy as np
import scipy.linalg

from nystheory import _checks, _semidefinite
from nystheory.kernels import KernelMatrix, row_blocks
from nystheory.kernels._base import FEW
from nystheory.sampling._landmarks import Landmarks, Run

METHODS = ("simple", "block", "accelerated")

# Width that is added to blocks of rows, so that they hold 4 MB in place of 32: beside
# n l words that a scheme keeps its blocks should not count.
SMALL_BLOCKS = 8

# Points that are looked at together where only rounding is left of one.
TOGETHER = 256


def rp_cholesky(
    K: KernelMatrix | np.ndarray,
    n_landmarks: int,
    rng: np.random.Generator,
    *,
    method: str = "accelerated",
    block: int | None = None,
) -> Landmarks:
    """Randomly pivoted Cholesky: each pivot in proportion to its residual.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l of columns.
    rng : numpy.random.Generator
    method : {"accelerated", "simple", "block"}
        ``"simple"`` updates the distribution after every pivot [1]_.  ``"accelerated"``
        draws b proposals and rejects some of them: as fast as blocks, with exactly the
        law of ``"simple"`` [2]_.  ``"block"`` draws b pivots at once from the same
        distribution: not as good, since the pivots of a block do not know of each
        other.
    block : int, optional
        The number b, at most l; by default the smallest of l/8 (rounded up) and the
        root of n.  Not used by ``"simple"``.

    Returns
    -------
    Landmarks
        With the factor.  Asks for n (l + 1) entries, and for at most n l more of
        proposals by the methods in blocks, with the default b.

    Raises
    ------
    ValueError, TypeError
        If ``n_landmarks`` or `block` is out of range, `method` is unknown, or K is
        zero.

    Warns
    -----
    FewerLandmarks
        If the pivots explain K up to rounding before there are l of them.

    Notes
    -----
    Costs O(n l^2) operations and n l + l^2 words, for the blocked methods in matrix
    products; a block takes n b words more.

    References
    ----------
    .. [1] Y. Chen, E. N. Epperly, J. A. Tropp and R. J. Webber, "Randomly pivoted
       Cholesky: practical approximation of a kernel matrix with few entry
       evaluations", Communications on Pure and Applied Mathematics 78, 2025.
    .. [2] E. N. Epperly, J. A. Tropp and R. J. Webber, "Embrace rejection: kernel
       matrix approximation by accelerated randomly pivoted Cholesky",
       arXiv:2410.03969, 2024.

    Examples
    --------
    >>> K = np.diag([4.0, 3.0, 2.0, 1.0])
    >>> drawn = rp_cholesky(K, 2, np.random.default_rng(0))
    >>> drawn
    Landmarks(rp_cholesky, l=2, indices=[1, 0], entries_asked=14)
    >>> (drawn.factor @ drawn.factor.T).diagonal().round(12).tolist()
    [4.0, 3.0, 0.0, 0.0]
    """
    _checks.choice(method, "method", METHODS)
    name = "rp_cholesky" if method == "accelerated" else f"rp_cholesky, {method}"
    run = Run(name, K, n_landmarks, _checks.generator(rng))
    factor = Factor(run)
    if method == "simple":
        _simple(factor, run.rng)
    else:
        if block is None:
            block = min(-(-run.l // 8), math.isqrt(run.n))
        b = _checks.integer(block, "block", high=run.l, why="n_landmarks")
        (_rejection if method == "accelerated" else _block)(factor, b, run.rng)
    return factor.landmarks()


class Factor:
    """A partial Cholesky factor F of K that grows by columns.

    Attributes
    ----------
    pivots : list of int
    diagonal : ndarray (n,)
        That of K.
    residual : ndarray (n,)
        The diagonal of K - F F^T, zero where only rounding is left.

    Notes
    -----
    *What rounding leaves.*  With the pivots S, j of them, the residual of a point i is
    ``v^T K v``, where v is 1 at i and -w at S, ``w = K_iS W^-1``.  What is computed is
    that of K + E, and E has two parts.  Entries of K are off in their own type, by
    sqrt(e_a K_aa e_b K_bb) (`kernels._base.entry_rounding`), on the diagonal by FEW eps
    of themselves, since no kernel computes it by cancellation.  Inner products of j
    numbers in float64 are off by gamma_{j+1} sqrt(K_aa K_bb), the backward error of
    Cholesky.  With D_a = (e_a + gamma_{j+1}) K_aa the residual moves, to first order,
    by ``v^T E v``, at most by ``(sqrt D_i + sum |w_s| sqrt D_s)^2``.  That is the
    factor ``(|A_11^-1 A_12| + 1)^2`` of the theory of semidefinite matrices [1]_ [2]_,
    read for one point.  It is attained if all roundings have the worst sign; as
    independent numbers they add up by squares, to

        E_ii + 2 sqrt(D_i) |w| + |w|^2,  |w|^2 = sum w_s^2 D_s,

    and more than that has to be left of a point for a pivot.  The largest of many such
    sums is some five times their standard deviation; FEW has room for that.

    It is decided for each point, since |w| is large where pivots are extrapolated, and
    K_ii and e_i vary; ``L^-1``, l^2 words, gives the w of a few points at a time.  It
    grows with j and not with n.  LAPACK's xPSTRF stops at n eps max K_ii, n the order
    of the matrix: all of its n columns may be eliminated, so that n bounds j.  Here
    j <= l, and among millions of points n eps would hide a good part of K, in float32
    all of it.

    References
    ----------
    .. [1] N. J. Higham, "Analysis of the Cholesky decomposition of a semi-definite
       matrix", in Reliable Numerical Computation, Oxford University Press, 1990.
    .. [2] N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition,
       SIAM, 2002, chapter 10.
    """

    def __init__(self, run: Run):
        self._run = run
        self.diagonal = run.diagonal()
        self.residual = self.diagonal.copy()
        self._least = run.exhausted(self.diagonal)
        # What no rounding makes: elimination adds up one for each pivot.
        self._slack = 1e3 * FEW * self._least
        self._blurred = False
        self.F = np.zeros((run.n, run.l))
        self._inverse = np.zeros((run.l, run.l))  # of F[pivots]
        self.pivots: list[int] = []
        self._clean()

    @property
    def wanted(self) -> int:
        """How many pivots are missing; none where the residual is exhausted."""
        return (self._run.l - len(self.pivots)) if self.residual.any() else 0

    def columns(self, chosen, rows=slice(None)) -> np.ndarray:
        """``(K - F F^T)[rows, chosen]``, in blocks, without forming more."""
        j = len(self.pivots)
        C = self._run.K[rows, chosen].astype(np.float64, copy=False)
        left = self.F[rows, :j]
        right = self.F[chosen, :j].T
        for part in row_blocks(len(C), SMALL_BLOCKS * len(chosen)):
            C[part] -= left[part] @ right
        return C

    def weights(self, chosen) -> np.ndarray:
        """w for some points: the pivots' share in each, (b, j)."""
        j = len(self.pivots)
        return self.F[chosen, :j] @ self._inverse[:j, :j]

    def sizes(self, chosen) -> np.ndarray:
        """The D of the notes, for some points."""
        return (self._run.rounding[chosen] + self._summed()) * self.diagonal[chosen]

    def rounding(self, chosen, squares=None) -> np.ndarray:
        """What the residuals of some points may be by rounding alone.

        `squares` are the |w|^2 of the notes.
        """
        if squares is None:
            squares = self.weights(chosen) ** 2 @ self.sizes(self.pivots)
        own = (self._run.few + self._summed()) * self.diagonal[chosen]
        spread = 2 * np.sqrt(self.sizes(chosen) * squares) + squares
        return np.maximum(own + spread, self._least)

    def add(self, pivot: int) -> None:
        """Eliminate one pivot, if more than rounding is left of it: n entries of K."""
        rounding = self.rounding([pivot])[0]
        if self.residual[pivot] <= rounding:
            self.spent([pivot])
            return
        column = self.columns([pivot])[:, 0]
        if column[pivot] <= rounding:
            self.spent([pivot])
            return
        root = np.sqrt(column[pivot])
        self._append(column[:, None] / root, [pivot], np.array([[root]]))

    def add_block(self, pivots) -> None:
        """Eliminate several different pivots at once: their core must be regular."""
        C = self.columns(pivots)
        L = _semidefinite.cholesky(C[pivots])
        solved = scipy.linalg.solve_triangular(L, C.T, lower=True, overwrite_b=True)
        self._append(solved.T, pivots, L)

    def spent(self, points) -> None:
        """Only rounding is left of these points: and of which others?

        Those are looked at of which no more is left, the largest first and some at a
        time: one by one they would be proposed, among millions of points for hours.
        """
        if not len(points):
            return
        highest = self.residual[points].max()
        self.residual[points] = 0
        near = np.flatnonzero((self.residual > 0) & (self.residual <= highest))
        if len(near) > TOGETHER:
            near = near[np.argpartition(self.residual[near], -TOGETHER)[-TOGETHER:]]
        self.residual[near[self.residual[near] <= self.rounding(near)]] = 0

    def _append(self, new, pivots, L):
        j, width = len(self.pivots), len(pivots)
        rows = np.hstack([-self.weights(pivots), np.eye(width)])
        rows = scipy.linalg.solve_triangular(L, rows, lower=True)
        self._inverse[j : j + width, : j + width] = rows
        # In exact arithmetic the rows of earlier pivots are zero already.
        new[self.pivots] = 0
        self.F[:, j : j + width] = new
        self.pivots += [int(i) for i in pivots]
        self._run.found(len(self.pivots))
        self.residual -= np.einsum("ij,ij->i", new, new)
        self._contradicted()
        self._clean()

    def _contradicted(self):
        """An error where a residual below zero is more than rounding.

        Small pivots multiply rounding without limit: the entries of K among the pivots
        and the point decide.
        """
        least = int(self.residual.argmin())
        below = -float(self.residual[least])
        if below > max(self._slack, self.rounding([least])[0]):
            some = np.append(self.pivots, least)
            _semidefinite.semidefinite(self._run.K[some, some].astype(np.float64))
            self._slack = 2 * below
            self._blurred = True

    def _summed(self):
        """The rounding of an inner product of as many numbers as there are pivots."""
        return (len(self.pivots) + 1) * np.finfo(np.float64).eps / 2

    def _clean(self):
        """Zero where not even the roundings of the point itself are exceeded."""
        self.residual[self.pivots] = 0
        own = (self._run.few + self._summed()) * self.diagonal
        self.residual[self.residual <= np.maximum(own, self._least, out=own)] = 0

    def landmarks(self, **parts) -> Landmarks:
        """What was chosen, with the factor; a warning if there are too few.

        Without it where small pivots made its rounding large: W is better factored
        anew.
        """
        found = len(self.pivots)
        if found < self._run.l:
            self._run.fewer(found, f"they explain all of K, {self._run.in_its_type()}")
        F = None if self._blurred else self.F[:, :found]
        return self._run.landmarks(np.array(self.pivots), factor=F, **parts)


class _Among:
    """Elimination among a few proposals, before their columns are formed."""

    def __init__(self, factor: Factor, chosen):
        self._factor, self._chosen = factor, np.asarray(chosen)
        self._left = factor.columns(chosen, chosen)
        # Inner products of the vectors v, weighted with D.
        W, self._own = factor.weights(chosen), factor.sizes(self._chosen)
        same = self._chosen[:, None] == self._chosen
        self._products = (W * factor.sizes(factor.pivots)) @ W.T + self._own * same

    def left(self, t: int) -> float:
        """What is left of proposal t; 0 where that is rounding."""
        now, squares = self._left[t, t], self._products[t, t] - self._own[t]
        rounding = self._factor.rounding(self._chosen[[t]], max(squares, 0.0))[0]
        return float(now) if now > rounding else 0.0

    def eliminate(self, t: int) -> None:
        """Take from all what proposal t explains: v - share v_t in place of each v."""
        share = self._left[:, t] / self._left[t, t]
        self._left -= np.outer(share, self._left[t])
        self._products -= np.outer(share, self._products[t])
        self._products -= np.outer(self._products[:, t], share)


def _simple(factor: Factor, rng: np.random.Generator) -> None:
    """One pivot after the other, from the residual diagonal."""
    while factor.wanted:
        factor.add(_proposals(factor.residual, 1, rng)[0])


def _block(factor, b, rng):
    """b pivots at a time from the same distribution, repeated ones once."""
    while factor.wanted:
        drawn = _proposals(factor.residual, min(b, factor.wanted), rng)
        different = list(dict.fromkeys(drawn.tolist()))
        keep, spent = _independent(_Among(factor, different), different)
        if keep:
            factor.add_block(keep)
        else:  # rounding, as in `_rejection`
            factor.spent(spent)


def _independent(among, chosen):
    """Which proposals are pivots of their own elimination, in order; and the rest."""
    keep, rest = [], []
    for t, point in enumerate(chosen):
        if among.left(t):
            keep.append(point)
            among.eliminate(t)
        else:
            rest.append(point)
    return keep, rest


def _rejection(factor, b, rng):
    """Blocks of proposals; each is accepted with the share that is left of it."""
    while factor.wanted:
        proposed = _proposals(factor.residual, b, rng)
        chances = rng.random(b)
        before = factor.residual[proposed]
        among = _Among(factor, proposed)
        accepted, spent = [], []
        for t in range(b):
            now = among.left(t)
            if not now:
                spent.append(int(proposed[t]))
                continue
            if chances[t] * before[t] >= now:
                continue
            accepted.append(int(proposed[t]))
            if len(accepted) == factor.wanted:
                break
            among.eliminate(t)
        if accepted:
            factor.add_block(accepted)
        # Rounding, where the updated residual may still be just above the floor: such
        # a point could be the only one that is proposed, for ever.
        factor.spent(spent)


def _proposals(residual, count, rng):
    """Independent indices in proportion to the residual."""
    cumulative = np.cumsum(residual)
    targets = rng.random(count) * cumulative[-1]
    # "right": an index of residual zero adds nothing and is never met.
    return np.searchsorted(cumulative, targets, side="right")
