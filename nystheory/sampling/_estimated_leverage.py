"""Leverage estimated from few columns: from halves of halves, or coarse to fine."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from nystheory import _checks, _semidefinite
from nystheory.kernels import KernelMatrix, row_blocks
from nystheory.sampling._fixed import draw
from nystheory.sampling._landmarks import Landmarks, Run
from nystheory.sampling._pivoted import SMALL_BLOCKS

# Residuals are known to a hundredth of a ridge that is so many times their rounding.
REGULAR = 100


def recursive_rls(
    K: KernelMatrix | np.ndarray, n_landmarks: int, rng: np.random.Generator
) -> Landmarks:
    """Columns drawn by ridge leverage scores that are estimated from halves of halves.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int
        The number l of columns.
    rng : numpy.random.Generator

    Returns
    -------
    Landmarks
        With the estimated scores as probabilities.  Asks for about 2 n l entries.

    Raises
    ------
    ValueError, TypeError
        If ``n_landmarks`` is out of range, or K is zero.

    Warns
    -----
    FewerLandmarks
        If fewer than l columns have a positive score.

    Notes
    -----
    The points are halved at random until no more than l are left.  On the way back
    each level estimates the scores of its points from the weighted sample of the
    level below, and keeps each point independently, about l in all.  The ridge of a
    level is the sum of the sampled spectrum beyond k = l / (4 log l), over k, as in the
    version of [1]_ for a fixed number of columns.  The last sample has exactly
    l columns, without replacement.

    Costs O(n l^2) operations; scores are computed in blocks of rows, so memory is
    O(l^2) beside a block.

    References
    ----------
    .. [1] C. Musco and C. Musco, "Recursive sampling for the Nyström method", Advances
       in Neural Information Processing Systems 30, 2017, algorithms 2 and 3.

    Examples
    --------
    >>> K = np.diag([100.0, 100.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    >>> sorted(recursive_rls(K, 4, np.random.default_rng(0)).indices.tolist())[:2]
    [0, 1]
    """
    run = Run("recursive_rls", K, n_landmarks, _checks.generator(rng))
    diagonal = run.diagonal()
    order = run.rng.permutation(run.n)
    size = run.n
    sizes = [size]
    while size > run.l:
        size = -(-size // 2)
        sizes.append(size)
    chosen, weights = order[: sizes[-1]], np.ones(sizes[-1])
    for size in sizes[-2:0:-1]:
        level = order[:size]
        scores = _estimated_scores(run, level, diagonal, chosen, weights)
        p = _inclusion(scores, run.l)
        kept = run.rng.random(size) < p
        if kept.any():
            chosen, weights = level[kept], 1 / p[kept]
    scores = np.empty(run.n)
    scores[order] = _estimated_scores(run, order, diagonal, chosen, weights)
    return draw(run, scores, replace=False)


def bless(
    K: KernelMatrix | np.ndarray,
    n_landmarks: int | None,
    rng: np.random.Generator,
    *,
    alpha: float,
    step: float = 2.0,
    oversampling: tuple[float, float] = (2.0, 8.0),
) -> Landmarks:
    """Columns drawn by ridge leverage scores that are estimated from coarse to fine.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    n_landmarks : int or None
        At most so many columns; as many as the accuracy requires where it is None.
    rng : numpy.random.Generator
    alpha : float
        The accuracy requested: the ridge in units of K, which is lambda n in
        the notation of [1]_.
    step : float
        The factor q > 1 between the ridges of two levels.
    oversampling : tuple of float
        q1 and q2: points looked at, and columns kept, in multiples of what the
        scores suggest.

    Returns
    -------
    Landmarks
        Drawn with replacement, with weights w: the estimated score of a point x is
        ``(K(x, x) - K(x, J) (K(J, J) + alpha diag(w)^-1)^-1 K(J, x)) / alpha``.
        For a fixed accuracy alpha / max K_ii it reads O(n l) entries.

    Raises
    ------
    ValueError, TypeError
        If `alpha`, `step`, `oversampling` or ``n_landmarks`` is out of range, alpha is
        below the rounding of K, or K is zero.

    Notes
    -----
    Level h has the ridge ``alpha_0 / q^h``, starting from n max K_ii.  It looks at
    ``q1 min(n, n max K_ii / alpha_h)`` points drawn uniformly, estimates their scores
    from the columns of the level before and keeps q2 times their scaled sum.  Costs
    O(n l^2) operations for l columns at the end, and as many levels as
    ``log(n max K_ii / alpha) / log q``.

    References
    ----------
    .. [1] A. Rudi, D. Calandriello, L. Carratino and L. Rosasco, "On fast leverage
       score sampling and optimal learning", Advances in Neural Information Processing
       Systems 31, 2018, algorithm 1.

    Examples
    --------
    >>> K = np.diag([9.0, 1.0, 1.0, 1.0])
    >>> drawn = bless(K, None, np.random.default_rng(0), alpha=1.0)
    >>> len(drawn), len(set(drawn.indices.tolist()))
    (17, 3)
    """
    wanted = 1 if n_landmarks is None else n_landmarks
    run = Run("bless", K, wanted, _checks.generator(rng), replace=True)
    alpha, ratio = _checks.positive(alpha, "alpha"), _checks.positive(step, "step")
    if ratio <= 1:
        raise ValueError(f"step: expected a number above 1, got {step}")
    if np.shape(oversampling) != (2,):
        raise TypeError(
            "oversampling: expected two numbers, q1 for the points that are looked at "
            f"and q2 for those that are kept, got {_checks.shown(oversampling)}"
        )
    q1, q2 = (_checks.positive(q, "oversampling") for q in oversampling)
    diagonal = run.diagonal()
    top = run.n * diagonal.max()
    least = REGULAR * run.few * diagonal.max()
    if alpha < least:
        raise ValueError(
            f"alpha: expected at least {least:.3g}, since a smaller ridge is rounding "
            f"beside this K, got {alpha:.6g}"
        )
    chosen, weights = np.empty(0, dtype=np.intp), np.empty(0)
    for ridge in _ridges(top, alpha, ratio):
        looked = max(1, int(np.ceil(q1 * min(run.n, top / ridge))))
        seen = run.rng.integers(run.n, size=looked)
        # A point that is looked at twice needs its score once.
        points, inverse = np.unique(seen, return_inverse=True)
        scores = _scores(run, points, diagonal, chosen, weights, ridge)[inverse]
        kept = max(1, int(np.ceil(q2 * run.n / looked * scores.sum())))
        if n_landmarks is not None:
            kept = run.l if ridge == alpha else min(kept, run.l)
        p = scores / scores.sum()
        draws = run.rng.choice(looked, size=kept, p=p)
        chosen, weights = seen[draws], run.n / (looked * kept * p[draws])
    return run.landmarks(chosen, weights=weights)


def _ridges(top, alpha, ratio):
    """From coarse to fine, the last one alpha."""
    levels = max(1, int(np.ceil(np.log(max(1.0, top / alpha)) / np.log(ratio))))
    return [top / ratio**h for h in range(1, levels)] + [alpha]


def _scores(run, points, diagonal, chosen, weights, ridge):
    """``(K_xx - K_xJ (K_JJ + ridge / w)^-1 K_Jx) / ridge`` of some points.

    The core keeps a ridge above the rounding of its eigenvalues: a row of m entries
    that are off by some amount moves them by m of it at most.
    """
    K, missing = run.K, diagonal[points].copy()
    if len(chosen):
        core = K[chosen, chosen].astype(np.float64, copy=False)
        least = len(chosen) * _largest(run, diagonal, chosen)
        core[np.diag_indices(len(chosen))] += np.maximum(ridge / weights, least)
        L = _semidefinite.cholesky(core)
        for rows in row_blocks(len(points), SMALL_BLOCKS * len(chosen)):
            block = K[points[rows], chosen].astype(np.float64, copy=False)
            half = scipy.linalg.solve_triangular(L, block.T, lower=True)
            missing[rows] -= np.einsum("ij,ij->j", half, half)
    # Beside a ridge that may be as small.
    slack = max(1e-6 * float(diagonal.max()), REGULAR * _largest(run, diagonal, points))
    return _semidefinite.not_negative(missing, slack, "a residual") / ridge


def _estimated_scores(run, level, diagonal, chosen, weights):
    """Scores of the points of a level from a weighted sample, and its own ridge."""
    root = np.sqrt(weights)
    sampled = run.K[chosen, chosen].astype(np.float64, copy=False)
    values = scipy.linalg.eigvalsh(root[:, None] * sampled * root)[::-1]
    # As in `_scores`; weights multiply both.
    rounding = len(values) * _largest(run, diagonal, chosen)
    slack = rounding * float(weights.max(initial=1.0))
    values = _semidefinite.not_negative(values, slack, "an eigenvalue")
    k = max(1, int(run.l / (4 * max(1.0, np.log(run.l)))))
    tail = values[k:].sum() / k
    # Where the sample shows no tail a ridge of rounding keeps the solve defined.
    ridge = max(tail, rounding, run.exhausted(diagonal))
    return _scores(run, level, diagonal, chosen, weights, ridge)


def _largest(run, diagonal, chosen):
    """By how much an entry of K among some points may be off."""
    return float((run.rounding[chosen] * diagonal[chosen]).max(initial=0.0))


def _inclusion(scores, expected):
    """``min(1, c score)`` with c such that they sum to `expected` (or all are 1)."""
    positive = np.sort(scores[scores > 0])[::-1]
    if len(positive) <= expected:
        return (scores > 0).astype(float)
    # With the j largest at 1 the others share what is left of the sum.
    rest = np.cumsum(positive[::-1])[::-1]  # from the smallest: none cancels to 0
    factors = (expected - np.arange(len(positive))) / rest
    j = int(np.argmax(factors * positive <= 1))
    return np.minimum(1.0, factors[j] * scores)
