"""How many columns does a theorem require?"""

from __future__ import annotations

import ast
import math

from nystheory import style
from nystheory.chapters import theorems
from nystheory.engine.promises.applied import parts, root
from nystheory.engine.promises.known import Known
from nystheory.engine.promises.promises import Promise, asks, kept, lacks, reached
from nystheory.engine.trial.theorem import Theorem
from nystheory.guarantees import _calculator
from nystheory.guarantees._asked import checked
from nystheory.guarantees._calculator import Columns
from nystheory.guarantees._inverse import demand, order
from nystheory.guarantees._table import DELTA, MORE, checked_delta, know, missed_share


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
        The object or its id; without K one with a formula in which l occurs.
    target : float
        What the bound must not exceed: an error, or a probability of failure.
    K : KernelMatrix or array_like (n, n), or Instance, optional
        By name; not needed where `quantities` hold all that the formula uses.  What
        `know` has measured of a matrix is not measured again; what `estimate` knows
        of a large one will do.
    rank : int, optional
        The rank k, from 1 to n, where K is given and the formula uses k.  By default
        the one that requires the fewest columns, where the claim leaves it free, and as
        many as there are columns otherwise; the answer says which.
    claim : str
        Which of its claims has the bound; the first that has one by default, and of a
        matrix the best of those on the same norm.
    **quantities : float
        Known quantities by name, ``n`` among them where K is not given; the ridge of
        a theorem on ridges is ``alpha=``, and ``delta=`` is the theorem's own.

    Returns
    -------
    Columns
        `count` of `n` columns, n of them where all are enough and no fewer; None where
        no number is enough, or is known to be: then `why` says what is not known.

    Raises
    ------
    KeyError
        If no theorem has the id.
    TypeError
        If it is no theorem, or has no formula, or a number is none.
    ValueError
        If K is not a kernel matrix, the target is not finite, the rank is out of its
        range, no claim with a bound has the name, l does not occur in the
        formula, it uses what is measured on the sample, a quantity is missing,
        unknown, not used by the claim or one that no kernel matrix has (a `d_eff`
        above n), n is not known, no number of columns meets the hypotheses, or the
        bound is not monotone in l.

    Notes
    -----
    The calculator is the book's own; the source of the formula is the `number` of its
    theorem, ``theorems[id].number``.  Where K is given, and what may be chosen is left
    open, the answer is that of `columns`, whose search this is: the rank, the ridge and
    the accuracy that require the fewest columns below n.  Otherwise bisection on the
    formula: about 45 evaluations.
    What it measures on K is measured once for all that it depends on: the eigenpairs,
    ``O(n^3)``, once for the matrix (once for all calls with `know`), the elementary
    symmetric polynomials of all degrees in ``O(n^2)``, a tail in ``O(n)``.

    Examples
    --------
    >>> required_landmarks("modern:alaoui-mahoney", 0.1, n=1000, d_eff=5, ridge_share=1)
    Columns(modern:alaoui-mahoney: 381 of 1000)
    """
    chosen = _theorem(theorem)
    case = None if K is None else know(K)
    if case is not None and "n" in quantities:
        raise ValueError("n: expected no value with K, which determines it")
    names = _open_claims(chosen, case, rank, claim, quantities)
    if names:
        return _searched(chosen, names, target, case, quantities)
    found = chosen, target, case, rank, claim
    return _calculator.required_landmarks(*found, **quantities)


def _theorem(theorem) -> Theorem:
    if isinstance(theorem, str):
        if theorem not in theorems:
            near = theorems.near(theorem)
            raise KeyError(
                f"theorem: expected an id, such as 'modern:rpcholesky', got "
                f"{theorem!r}{near}; theorems.find(words) looks for one"
            )
        return theorems[theorem]
    if not isinstance(theorem, Theorem):
        raise TypeError(f"theorem: expected a Theorem or its id, got {theorem!r}")
    return theorem


def _open_claims(theorem, case, rank, claim, quantities) -> list[str]:
    """Claims whose promise is read backwards on K; none where a number is given."""
    if case is None or rank is not None or not isinstance(claim, str):
        return []
    first = claim or theorem.main
    if not claim and not _read(theorem, first):
        first = next((name for name in theorem.promises if _read(theorem, name)), "")
    if not _read(theorem, first):
        return []
    norm = theorem.promises[first].norm
    several = [first] if claim else [*theorem.promises]
    known = Known.of(case)
    names = [
        name
        for name in several
        if _read(theorem, name)
        and theorem.promises[name].norm == norm
        and _root(theorem, name) == _root(theorem, first)
        and set(quantities) <= _chosen(theorem, name, known)
        and "experts" not in asks(theorem, name, known)  # whose columns l counts
    ]
    return names if first in names else []


def _chosen(theorem, name, known) -> set[str]:
    """What may be given by name where the rest is searched for."""
    return {*asks(theorem, name, known)} | {"delta"} & _calculator.used(theorem, name)


def _root(theorem, name) -> float:
    """The power to which the error is raised in a claim."""
    return root(parts(theorem.claims[name])[0])


def _read(theorem, name) -> bool:
    """Whether a promise bounds what the target is about: the error, not a chance."""
    if not isinstance(theorem.promises.get(name), Promise):
        return False
    right = parts(theorem.claims[name])[1]
    return ast.unparse(right) == ast.unparse(theorem.bounding(name))


def _searched(theorem, names, target, case, quantities) -> Columns:
    """The answer of `columns`, to a target in place of a share."""
    number = _calculator.as_target(target)
    power = _root(theorem, names[0])
    aim = max(number, 0.0) ** (1 / power)
    delta = checked_delta(quantities.get("delta", DELTA))
    rest = {name: x for name, x in quantities.items() if name != "delta"}
    given = Known.of(case).but(**checked(rest, case, case.n - 1))
    if "delta" in quantities:
        given = given.but(delta=delta)
    missing = [name for name in names if asks(theorem, name, given)]
    if missing == names:
        lacking = asks(theorem, names[0], given)
        raise ValueError(f"{lacking[0]}: expected a value by name, got none")
    known = [name for name in names if name not in missing]
    unknown = [lacks(theorem, name, given) for name in known]
    if all(unknown):
        why = f"{', '.join(unknown[0])} cannot be told from this estimate"
        return Columns(theorem.id, number, case.n, None, math.inf, "", why)
    able = [name for name, some in zip(known, unknown, strict=True) if not some]
    rows = [demand(theorem, name, given, aim, delta) for name in able]
    best = min(rows, key=order)
    told = [f"{name} = {style.number(x)}" for name, x in best.at.chosen.items()]
    bound, why = best.at.share * float(case.diagonal.sum()), best.why
    count, most = best.count, case.n - 1
    if count is None and not why:  # all n columns, or how far it is from it
        every = given.but(count=case.n, rank=case.n)
        ends = [reached(theorem, name, every, aim, delta) for name in able]
        if met := [end.bound for end in ends if end]:
            count, bound = case.n, min(met)
        else:
            last = given.but(count=most, rank=most)
            bound = min(kept(theorem, name, last, delta).bound for name in able)
    if not best.falls:
        told.append("more columns may lose it")
    if why and missed_share(case):
        why = f"not from this estimate. {why}. {MORE}"
    place = theorem.linked if theorem.book_number else ""
    said = ", ".join(told), why, "bound", place, most
    return Columns(theorem.id, number, case.n, count, bound**power, *said)
