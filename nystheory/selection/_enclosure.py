"""Certain ends of a criterion, from an approximation below K and a few products."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nystheory import _checks
from nystheory.lowrank import Factored
from nystheory.selection import _alone
from nystheory.selection._bounds import Bounds, ends_of_form
from nystheory.selection._criterion import of_forms
from nystheory.selection._problem import (
    finite,
    problem,
    sums,
)


@dataclass(frozen=True, eq=False, repr=False)
class Enclosure:
    """Two ends between which the criterion of K lies with certainty.

    Attributes
    ----------
    lower, upper : float or ndarray (r,)
        One number for one ridge, else one for each.
    estimate : float or ndarray (r,)
        ``lower / 2 + upper / 2``, off by half of `upper` - `lower` at most.
    measure : str
    ridge : float or ndarray (r,)
    products : int
        Products with K that were spent.
    entries_asked : int
        Entries of K that were read, beside those of the approximation.

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> enclosure(nystrom(np.diag([3.0, 1.0]), [0]), [4.0, 2.0], 1.0)
    Enclosure(criterion: from 2.6 to 4)
    """

    lower: float | np.ndarray
    upper: float | np.ndarray
    estimate: float | np.ndarray
    measure: str
    ridge: float | np.ndarray
    products: int
    entries_asked: int

    def __repr__(self) -> str:
        if np.ndim(self.ridge):
            widest = float(np.max(self.upper - self.lower))
            told = f"{len(self.ridge)} ridges, ends at most {widest:.3g} apart"
        else:
            told = f"from {self.lower:.6g} to {self.upper:.6g}"
        return f"Enclosure({self.measure}: {told})"

    def _repr_html_(self) -> str:
        from nystheory.style import table

        ends = (self.ridge, self.lower, self.estimate, self.upper)
        rows = zip(*(np.atleast_1d(each).tolist() for each in ends), strict=True)
        header = ("ridge", "lower", "estimate", "upper")
        caption = f"{self.measure}, products with $K$: {self.products}"
        return table(list(rows), header, caption)


def enclosure(
    approximation: Factored,
    y: np.ndarray,
    ridge: float | Sequence[float],
    *,
    measure: str = "criterion",
    products: int = 0,
    sample_weight: np.ndarray | None = None,
) -> Enclosure:
    """Ends between which `criterion` of K lies, from an approximation below K.

    Parameters
    ----------
    approximation : LowRank or Ensemble
        Known to lie between 0 and K (``below``).
    y, ridge, measure, sample_weight
        As for `criterion`.
    products : int, default 0
        Products of K with one vector for each ridge: steps of conjugate gradients,
        preconditioned with the approximation.  Each brings the ends closer.

    Returns
    -------
    Enclosure

    Raises
    ------
    ValueError, TypeError
        As `criterion`; if the approximation is not known to be below its K; or if what
        it leaves on the diagonal shows that K is not semidefinite.

    Notes
    -----
    Asks for the n entries of the diagonal, and n^2 with each product.  Costs
    ``3 n k^2`` operations and n k words for a factor F of k columns by way of F'F, and
    twice as many where its rounding, ``16 (n + 16) eps`` of the trace of F'F, is above
    a thousandth of a ridge; as many again for ``"leave-one-out"`` at landmarks; then
    n k for each ridge, and with a product ``2 n^2 r + 8 n k r``.

    With ``A = K + ridge I``, ``A~`` the same of the approximation, t the
    trace of the error and ``A~ + t I`` above A, the ends of ``q = y'A^-1 y`` are
    ``theorems["modern:criterion-enclosure"]``: for any a, and ``r = y - A a``,

        q = 2a'y - a'A a + r'A^-1 r

    exactly, and ``r'A^-1 r`` is at least ``r'(A~ + t I)^-1 r`` and at most
    ``r'A~^-1 r``; without a product a is 0.  The log determinant is above that of
    ``A~`` by ``log(1 + t / |A~|_2)`` at least, and by ``sum_i log(1 + d_i / ridge)`` at
    most, with d the diagonal of the error, which is no more than
    ``m log(1 + t / (m ridge))`` for the m points that are no landmarks:
    ``theorems["modern:evidence-enclosure"]``.  For leaving one out see
    ``theorems["modern:leave-one-out-enclosure"]``.

    The ends are moved outwards by what rounding may do: that of the factorisation, of
    F'F and of sums, and that of the trace, see
    `certificates.trace_certificate`.  They hold for an exact K that is semidefinite,
    which is assumed, not checked.  A ridge below the rounding of the trace gives ends
    that are far apart.

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> near = nystrom(np.diag([3.0, 1.0]), [0])
    >>> ends = enclosure(near, [4.0, 2.0], [1.0, 3.0])
    >>> ends.lower.round(3).tolist(), ends.upper.round(3).tolist()
    ([2.6, 4.929], [4.0, 6.0])
    >>> enclosure(near, [4.0, 2.0], 1.0, products=2)
    Enclosure(criterion: from 3 to 3)
    """
    _of_factor(approximation)
    asked = problem(approximation.n, y, ridge, measure, sample_weight)
    products = _checks.integer(products, "products", low=0)
    K = approximation.kernel
    before = K.entries_asked
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        lower, upper = ends(Bounds.of(asked, approximation), products)
    finite(upper)
    # The sum of two large ends is no number.
    shaped = map(asked.shaped, (lower, upper, lower / 2 + upper / 2))
    given = asked.shaped(asked.ridge)
    return Enclosure(*shaped, measure, given, products, K.entries_asked - before)


def ends(bounds: Bounds, products: int) -> tuple[np.ndarray, np.ndarray]:
    """Both ends of the measure, (r,) each."""
    steps = ends_of_form(bounds, products)
    if bounds.asked.measure == "leave-one-out":
        return _alone.ends(bounds, steps)
    return _of_measure(bounds, steps)


def _of_factor(approximation):
    """Raise unless it is an approximation that knows whether it is below its K."""
    if not (isinstance(approximation, Factored) and hasattr(approximation, "below")):
        raise TypeError(
            "approximation: expected a LowRank or an Ensemble, got "
            f"{_checks.shown(approximation)}"
        )
    if not approximation.below:
        raise ValueError(
            "approximation: expected one that lies between 0 and K, such as "
            f"lowrank.nystrom(K, landmarks), got {approximation!r}"
        )


def _of_measure(bounds, steps):
    """Ends of the criterion or the likelihood, the closest of all steps."""
    logdets = bounds.logdet() if bounds.asked.measure == "likelihood" else (None, None)
    lower, upper = zip(
        *(_of_step(bounds.asked, step, logdets) for step in steps), strict=True
    )
    return np.max(lower, axis=0), np.min(upper, axis=0)


def _of_step(asked, forms, logdets):
    """The same, after one of them."""
    pairs = zip((forms.lower, forms.upper), logdets, strict=True)
    lower, upper = (of_forms(asked, q, logdet) for q, logdet in pairs)
    if asked.measure == "criterion":
        return lower / (1 + sums(0)), upper * (1 + sums(0))
    size = forms.upper + np.abs(upper) + np.abs(lower) + 2 * abs(asked.constant)
    return lower - sums(asked.n) * size, upper + sums(asked.n) * size
