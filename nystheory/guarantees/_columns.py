"""How many columns does a theorem ask for?"""

from __future__ import annotations

from nystheory.chapters import theorems
from nystheory.engine import calculator
from nystheory.engine.calculator import Columns
from nystheory.engine.theorem import Theorem
from nystheory.guarantees._table import know


def required_landmarks(
    theorem: Theorem | str,
    target: float,
    *,
    K=None,
    rank: int | None = None,
    claim: str = "",
    **quantities,
) -> Columns:
    """The smallest number of columns for which a theorem promises a target.

    Parameters
    ----------
    theorem : Theorem or str
        With a formula in which l occurs; the object or its id.
    target : float
        What the bound must not exceed: an error, or a probability of failure.
    K : KernelMatrix or array_like (n, n), or Instance, optional
        By name; not needed where `quantities` hold all that the formula uses.  What
        `know` has measured of a matrix is not measured again; what `estimate` knows
        of a large one will do.
    rank : int, optional
        The rank k, from 1 to n, where K is given and the formula uses k; as many as
        there are columns by default.
    claim : str
        Which of its claims has the bound; the first that has one by default.
    **quantities : float
        Known quantities by name, ``n`` among them where K is not given; the ridge of
        a theorem on ridges is ``alpha=``.

    Returns
    -------
    Columns
        `count` of `n` columns; `count` is None where even all columns are not enough.

    Raises
    ------
    KeyError
        If no theorem has the id.
    TypeError
        If it is no theorem, or has no formula, or a number is none.
    ValueError
        If K is not a kernel matrix, the target is not finite, the rank is out of its
        range, no claim with a bound has the name, l does not occur in the
        formula, it uses what is measured on the sample, a quantity is missing or
        unknown, n is not known, no number of columns meets the hypotheses, or the
        bound is not monotone in l.

    Notes
    -----
    The calculator is the book's own; the source of the formula is the `number` of its
    theorem, ``theorems[id].number``.  Bisection on the formula: about 45 evaluations.
    What it measures on K is measured once for all that it depends on: the eigenpairs,
    ``O(n^3)``, once for the matrix (once for all calls with `know`), the elementary
    symmetric polynomials of all degrees in ``O(n^2)``, a tail in ``O(n)``.

    Examples
    --------
    >>> required_landmarks("modern:alaoui-mahoney", 0.1, n=1000, d_eff=5, ridge_share=1)
    Columns(modern:alaoui-mahoney: 381 of 1000)
    """
    chosen = theorems[theorem] if isinstance(theorem, str) else theorem
    if not isinstance(chosen, Theorem):
        raise TypeError(f"theorem: expected a Theorem or its id, got {theorem!r}")
    case = None if K is None else know(K)
    if case is not None and "n" in quantities:
        raise ValueError("n: expected no value beside K, which tells it")
    found = chosen, target, case, rank, claim
    return calculator.required_landmarks(*found, **quantities)
