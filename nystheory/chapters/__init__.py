"""What does each page say?  One folder for each chapter, named as its text.

In it are its theorem objects, one subject a module; `experiments`, what it measures;
`figures`, how it is drawn; and its tests.  No chapter imports another.  `theorems`
holds all of them by id, in the order of the book; what stands in a folder is found.
`verified` is the line with which a page verifies some of them, `challenge` the one with
which a reader tries to break one.
"""

from itertools import combinations
from math import comb

from nystheory import _checks
from nystheory.engine.trial.challenges import Challenge, attempted
from nystheory.engine.trial.handed import asserting, checked
from nystheory.engine.trial.registry import discover
from nystheory.engine.trial.verdict import VerdictError, Verdicts
from nystheory.engine.trial.verification import verify
from nystheory.engine.worlds.instances import Instance
from nystheory.kernels import as_kernel
from nystheory.sampling import as_indices

theorems = discover(__name__)

__all__ = ["challenge", "theorems", "verified"]

# More sets of columns are not tried one by one.
MANY_SETS = 2000


def verified(*ids: str) -> Verdicts:
    """The verdicts of some theorems; an error that says which claim fell, if one did.

    Parameters
    ----------
    *ids : str
        As in the register.

    Returns
    -------
    Verdicts
        A line for each; `nystheory.verify` shows all that one consists of.

    Raises
    ------
    VerdictError
        If a verdict is not good: which claim, on what instance, observed and bound.
    KeyError
        If no theorem has the id.
    ValueError
        Without an id: nothing is verified.
    TypeError
        If an id is no string.

    Notes
    -----
    The method and its words are the book's own.  Costs a second or two a theorem;
    in a run of the tests each is verified once.

    Examples
    --------
    >>> verified("talwalkar2010:eq-2.7")
    talwalkar2010:eq-2.7: verified (symbolic for every n, exact, \
worst-case search, stress suite); 1 of 1 controls refuted
    """
    if not ids:
        raise ValueError("ids: expected at least one theorem to verify, got none")
    for id in ids:
        _checks.string(id, "ids", "the id of a theorem")
    found = tuple(verify(theorems[id]) for id in ids)
    told = [verdict.complaint() for verdict in found if not verdict]
    if told:
        raise VerdictError("\n".join(told))
    return Verdicts(found)


def challenge(
    id: str, K, landmarks=None, rank: int | None = None, *, claim: str = "", **given
) -> Challenge:
    """How far a matrix brings a theorem, or a claim of your own in its setting.

    Parameters
    ----------
    id : str
        As in the register.
    K : array (n, n) or KernelMatrix
    landmarks : Landmarks or sequence of int, optional
        All sets of columns of a small matrix by default; of a larger one all sets of
        `rank` columns.
    rank : int, optional
        The number of landmarks by default.
    claim : str or Claim
        A line in named quantities, ``"error_F <= 1.1 * tail_F"``, in place of the
        claims of the theorem; with the law of the columns, ``Claim(line, law=...)``,
        if it speaks of a mean or a chance.
    **given : float or array
        What the theorem speaks of besides, all of it: ``delta=0.1``.  Drawn by default,
        and then told.

    Returns
    -------
    Challenge
        Truthy if a claim is broken, by a proof without rounding; shows observed and
        bound of the best attempt, indices from 0.

    Raises
    ------
    KeyError
        If no theorem has the id, or no quantity the name of something given.
    ValueError
        If K is no kernel matrix, has more than 2000 sets of columns or only one, if
        there are fewer landmarks than the rank, if what is given is measured on K, is
        not used or is not all, or if a claim compares nothing or has no law that it
        needs.
    TypeError
        If the id is no string, a claim no line, the rank no integer, or what is given
        no number.

    Notes
    -----
    The method is the book's own.  Landmarks and a rank that are given are the ones that
    are tried; a theorem on other samples is not tried, and it is told why.  Without
    them it may draw samples of its own, which are shown.  Costs :math:`O(n^3)` for each
    set of columns, and a computation in fractions where a claim fails, up to n = 40.

    Examples
    --------
    >>> import numpy as np
    >>> K = np.array([[2.0, 1], [1, 1]])
    >>> bool(challenge("talwalkar2010:thm-2.3", K))
    False
    >>> mine = "error_F <= 1.2 * tail_F"
    >>> found = challenge("talwalkar2010:thm-2.3", K, [0], claim=mine)
    >>> found.attempts[0].observed, bool(found)
    (0.5, True)
    """
    _checks.string(id, "id", "the id of a theorem")
    theorem, kernel, n = theorems[id], as_kernel(K), as_kernel(K).n
    if rank is not None:
        rank = _checks.integer(rank, "rank", 0)
    own = not isinstance(claim, str) or claim
    mine = asserting(theorem, claim) if own else theorem
    if landmarks is not None:
        sets = [as_indices(landmarks, n)]
    elif n == 1:
        raise ValueError("K: expected two points or more, or landmarks, got one point")
    elif 2**n <= MANY_SETS or rank and comb(n, rank) <= MANY_SETS:
        sizes = range(1, n) if 2**n <= MANY_SETS else [rank]
        sets = [S for size in sizes for S in combinations(range(n), size)]
    else:
        raise ValueError(
            f"landmarks: expected the sampled columns, of a matrix with n = {n}; or "
            f"rank: a number of columns of which there are at most {MANY_SETS} sets"
        )
    most = max(map(len, sets))
    if rank is not None and rank > most:
        raise ValueError(
            f"rank: expected at most the number of landmarks, {most}, got {rank}"
        )
    dense = kernel.dense()
    cases = [
        theorem.world.of(Instance(dense, S, len(S) if rank is None else rank))
        for S in sets
        if rank is None or rank <= len(S)
    ]
    beside = checked(theorem, mine, cases[0], given)
    own = landmarks is None and rank is None
    return attempted(mine, (case.but(**beside) for case in cases), own)
