"""Randomly pivoted Cholesky, and the partial factor that pivoted schemes share."""

from __future__ import annotations

import math

import numpy as np
import scipy.linalg

from nystheory import _checks, _semidefinite
from nystheory.kernels import KernelMatrix, row_blocks
from nystheory.sampling._landmarks import Landmarks, Run

METHODS = ("simple", "block", "accelerated")

# Width that is added to blocks of rows, so that they hold 4 MB in place of 32: beside
# n l words that a scheme keeps its blocks should not count.
SMALL_BLOCKS = 8


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
        proposals by ``"accelerated"`` with the default b.

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
    Costs O(n l^2) operations and n l words, for the blocked methods in matrix
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
    residual : ndarray (n,)
        The diagonal of K - F F^T, zero where only rounding is left.
    """

    def __init__(self, run: Run):
        self._run = run
        self.residual = run.diagonal()
        self._floor = run.exhausted(self.residual)
        # What no rounding makes: elimination adds up one for each pivot.
        self._slack = 1e3 * self._floor
        self._blurred = False
        self.F = np.zeros((run.n, run.l))
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

    def add(self, pivot: int) -> None:
        """Eliminate one pivot, if more than rounding is left of it: n entries of K."""
        column = self.columns([pivot])[:, 0]
        if column[pivot] <= self._floor:
            self.residual[pivot] = 0
            return
        self._append(column[:, None] / np.sqrt(column[pivot]), [pivot])

    def add_block(self, pivots) -> None:
        """Eliminate several different pivots at once: their core must be regular."""
        C = self.columns(pivots)
        L = _semidefinite.cholesky(C[pivots])
        solved = scipy.linalg.solve_triangular(L, C.T, lower=True, overwrite_b=True)
        self._append(solved.T, pivots)

    def _append(self, new, pivots):
        j = len(self.pivots)
        # In exact arithmetic the rows of earlier pivots are zero already.
        new[self.pivots] = 0
        self.F[:, j : j + len(pivots)] = new
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
        if self.residual[least] < -self._slack:
            some = np.append(self.pivots, least)
            _semidefinite.semidefinite(self._run.K[some, some].astype(np.float64))
            self._slack = -2 * float(self.residual[least])
            self._blurred = True

    def _clean(self):
        self.residual[self.pivots] = 0
        self.residual[self.residual <= self._floor] = 0

    def landmarks(self, **parts) -> Landmarks:
        """What was chosen, with the factor; a warning if there are too few.

        Without it where small pivots made its rounding large: W is better factored
        anew.
        """
        found = len(self.pivots)
        if found < self._run.l:
            self._run.fewer(found, "they explain all of K, up to rounding")
        F = None if self._blurred else self.F[:, :found]
        return self._run.landmarks(np.array(self.pivots), factor=F, **parts)


def _simple(factor: Factor, rng: np.random.Generator) -> None:
    """One pivot after the other, from the residual diagonal."""
    while factor.wanted:
        factor.add(_proposals(factor.residual, 1, rng)[0])


def _block(factor, b, rng):
    """b pivots at a time from the same distribution, repeated ones once."""
    while factor.wanted:
        drawn = _proposals(factor.residual, min(b, factor.wanted), rng)
        different = list(dict.fromkeys(drawn.tolist()))
        core = factor.columns(different, different)
        keep = [different[i] for i in _independent(core, factor)]
        if keep:
            factor.add_block(keep)
        else:  # rounding, as in `_rejection`
            factor.residual[different] = 0


def _independent(core, factor):
    """Which rows of a residual core are pivots of its own elimination, in order."""
    keep = []
    core = core.copy()
    floor = factor._floor
    for i in range(len(core)):
        if core[i, i] > floor:
            keep.append(i)
            core -= np.outer(core[:, i], core[i]) / core[i, i]
    return keep


def _rejection(factor, b, rng):
    """Blocks of proposals; each is accepted with the share that is left of it."""
    while factor.wanted:
        proposed = _proposals(factor.residual, b, rng)
        chances = rng.random(b)
        before = factor.residual[proposed]
        core = factor.columns(proposed, proposed)
        accepted, spent = [], []
        for t in range(b):
            now = core[t, t]
            if now <= factor._floor:
                spent.append(int(proposed[t]))
                continue
            if chances[t] * before[t] >= now:
                continue
            accepted.append(int(proposed[t]))
            if len(accepted) == factor.wanted:
                break
            core -= np.outer(core[:, t], core[t]) / now
        if accepted:
            factor.add_block(accepted)
        # Rounding, where the updated residual may still be just above the floor: such
        # a point could be the only one that is proposed, for ever.
        factor.residual[spent] = 0


def _proposals(residual, count, rng):
    """Independent indices in proportion to the residual."""
    cumulative = np.cumsum(residual)
    targets = rng.random(count) * cumulative[-1]
    # "right": an index of residual zero adds nothing and is never met.
    return np.searchsorted(cumulative, targets, side="right")
