"""How many columns does a theorem ask for?  Its bound, read backwards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nystheory import _checks, style
from nystheory.kernels import as_kernel
from nystheory.theorems.base import Theorem
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import QUANTITIES

# Numbers of columns at which it is checked that more of them never make the bound
# worse; bisection would answer anyway, and wrongly.
PROBES = 33


@dataclass(frozen=True)
class Columns:
    """The answer: how many columns, of how many.

    Attributes
    ----------
    id : str
        The theorem.
    target : float
        What its bound must not exceed.
    n : int
        The columns there are.
    count : int or None
        The smallest number with which the theorem promises the target; None where
        even all columns do not: the promise is vacuous.
    bound : float
        The bound at that number, or at n.

    Examples
    --------
    >>> Columns("thm", 0.1, 1000, 40, 0.0999)
    Columns(thm: 40 of 1000)
    >>> Columns("thm", 0.1, 1000, None, 3.0)
    Columns(thm: vacuous, more columns than the matrix has: at l = n = 1000 it says 3)
    """

    id: str
    target: float
    n: int
    count: int | None
    bound: float

    def __repr__(self) -> str:
        return f"Columns({self.id}: {self._says()})"

    def _says(self) -> str:
        if self.count is not None:
            return f"{self.count} of {self.n}"
        return (
            "vacuous, more columns than the matrix has: "
            f"at l = n = {self.n} it says {self.bound:.3g}"
        )

    def _repr_html_(self) -> str:
        header = ("theorem", "target", "columns it asks for")
        return style.table([(f"`{self.id}`", self.target, self._says())], header)


def required_landmarks(
    theorem: Theorem, target: float, K=None, rank: int | None = None, **quantities
) -> Columns:
    """The smallest number of columns for which a theorem promises a target.

    Parameters
    ----------
    theorem : Theorem
        With a formula in which l occurs.
    target : float
        What the bound must not exceed: an error, or a probability of failure.
    K : KernelMatrix or array_like (n, n), optional
        Not needed where `quantities` hold all that the formula uses.
    rank : int, optional
        The rank k, where K is given and the formula uses k.
    **quantities : float
        Known quantities by name, ``n`` among them where K is not given.

    Returns
    -------
    Columns

    Raises
    ------
    TypeError
        If the theorem has no formula.
    ValueError
        If l does not occur in it, it uses what is measured on the sample, a quantity
        is missing, n is not known, no number of columns meets the hypotheses, or the
        bound is not monotone in l.

    Notes
    -----
    Bisection on the formula, after a look at 33 numbers of columns that it is
    monotone.  The numbers for which a hypothesis fails (fewer than k columns) count as
    too few.

    Examples
    --------
    >>> from nystheory.theorems import theorems
    >>> theorem = theorems["modern:k-dpp-expectation"]
    >>> required_landmarks(theorem, 1.5, K=np.diag([4.0, 2.0, 1.0, 0.5]))
    Columns(modern:k-dpp-expectation: 3 of 4)
    """
    if theorem.formula is None:
        raise TypeError(f"{theorem.id} has no formula to read backwards")
    if "l" not in theorem.formula.names:
        raise ValueError(f"{theorem.id}: expected a formula with l, which it has not")
    if "l" in quantities:
        raise ValueError("l: expected no value, since it is what is asked for")
    seen = [q for q in theorem.formula.names if QUANTITIES[q].of_sample]
    if set(seen) - set(quantities):
        raise ValueError(
            f"{theorem.id}: expected a bound that can be computed before sampling, "
            f"but {', '.join(seen)} is measured on the sample"
        )
    evaluate, n = _bound_of_l(theorem, K, rank, quantities)
    last = evaluate(n, strict=True)
    probes = np.unique(np.linspace(1, n, min(n, PROBES)).round().astype(int))
    reached = [evaluate(int(m)) <= target for m in probes]
    if any(a and not b for a, b in zip(reached, reached[1:], strict=False)):
        raise ValueError(f"{theorem.id}: expected a bound that falls with l")
    if last > target:
        return Columns(theorem.id, target, n, None, last)
    high = int(probes[reached.index(True)])
    low = int(probes[reached.index(True) - 1]) if reached.index(True) else 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if evaluate(middle) <= target else (middle, high)
    return Columns(theorem.id, target, n, high, evaluate(high))


def _bound_of_l(theorem, K, rank, quantities):
    """The bound as a function of l, infinite where a hypothesis fails, and n."""
    if K is None:
        if "n" not in quantities:
            raise ValueError("n: expected the number of columns there are, got none")
        n = _checks.integer(quantities["n"], "n")

        def bound(m):
            return theorem.bound(l=m, **quantities)
    else:
        kernel = as_kernel(K)
        n, dense = kernel.n, kernel.dense()
        # Points once: what is measured on every instance starts from them.
        points = Instance(dense, [0], 1).points

        def bound(m):
            k = min(m, rank) if rank is not None else m
            case = Instance(dense, np.arange(m), k, X=points)
            return theorem.bound_on(case, **quantities)

    def evaluate(m, strict=False):
        if rank is not None and m < rank and not strict:
            return np.inf
        try:
            return bound(m)
        except ValueError as error:
            if strict or "hypothesis" not in str(error):
                raise
            return np.inf

    return evaluate, n
