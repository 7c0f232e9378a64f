"""Mix experts: columns that none of them has seen, and weights from these."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nystheory import _checks
from nystheory.ensemble._mixture import Ensemble
from nystheory.ensemble._validation import checked, validate
from nystheory.ensemble._weights import WEIGHTS, choose_weights, uniform_weights
from nystheory.kernels import KernelMatrix, as_kernel
from nystheory.lowrank import LowRank


def combine(
    K: KernelMatrix | np.ndarray,
    experts: Sequence[LowRank],
    rng: np.random.Generator,
    weights: str = "uniform",
    n_validation: int = 20,
    n_holdout: int = 20,
) -> Ensemble:
    """Mix experts, with weights from columns that none of them has seen: [1]_.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    experts : sequence of LowRank, length p
    rng : numpy.random.Generator
        Draws the columns.
    weights : {"uniform", "exponential", "ridge", "nonnegative", "optimal"}
        ``"optimal"`` fits linear regression to all columns of K; the others never ask
        for more than those below.  How parameters are chosen: `choose_weights`.
    n_validation, n_holdout : int
        Columns that weights are fitted to, s, and on which eta or the ridge is
        chosen, s'; not landmarks of an expert where the experts leave enough others.

    Returns
    -------
    Ensemble

    Raises
    ------
    ValueError, TypeError
        If the name of the weights is unknown, there is no expert, one is not a LowRank
        or has another size, `rng` is not a generator, or there are not as many
        columns.

    Notes
    -----
    Asks for ``n (s + s')`` entries, n^2 for ``"optimal"``, none for ``"uniform"``.
    Costs as `validate` and `choose_weights`.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 4.3.

    Examples
    --------
    >>> from nystheory.ensemble import best_learner, experts, samples
    >>> from nystheory.kernels import rbf
    >>> rng = np.random.default_rng(0)
    >>> K = rbf(rng.standard_normal((100, 2)))
    >>> made = experts(K, samples(K, 3, 10, rng))
    >>> mixture = combine(K, made, rng, weights="ridge")
    >>> mixture.error(K) < best_learner(K, made).error(K)
    True
    """
    K = as_kernel(K)
    _checks.generator(rng)
    made = checked(experts, K)
    _checks.choice(weights, "weights", WEIGHTS)
    seen = held_out = None
    if weights == "optimal":
        seen = validate(K, made, slice(None))
    elif weights != "uniform":
        V, H = _unseen(made, K.n, n_validation, n_holdout, rng)
        seen, held_out = validate(K, made, V), validate(K, made, H)
    if seen is None:
        return Ensemble(made, uniform_weights(len(made)), "uniform")
    chosen, parameter = choose_weights(weights, seen, held_out)
    return Ensemble(made, chosen, weights, parameter)


def _unseen(made, n, s, held, rng):
    """Validation and hold-out columns, disjoint, outside the landmarks if possible."""
    s = _checks.integer(s, "n_validation", high=n, why="the number of points")
    why = f"{n} points, {s} of them for validation"
    held = _checks.integer(held, "n_holdout", high=n - s, why=why)
    seen = [expert.landmarks for expert in made if expert.landmarks is not None]
    free = np.setdiff1d(np.arange(n), np.concatenate([np.empty(0, int), *seen]))
    pool = free if len(free) >= s + held else np.arange(n)
    drawn = rng.choice(pool, size=s + held, replace=False)
    return drawn[:s], drawn[s:]
