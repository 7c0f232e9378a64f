"""What does each page say?  One folder for each chapter, named as its text.

In it are its theorem objects, one subject a module; `experiments`, what it measures;
`figures`, how it is drawn; and its tests.  No chapter imports another.  `theorems`
holds all of them by id, in the order of the book; what stands in a folder is found.
`verified` is the line with which a page verifies some of them.
"""

from nystheory.engine.registry import discover
from nystheory.engine.verdict import VerdictError, Verdicts
from nystheory.engine.verification import verify

theorems = discover(__name__)

__all__ = ["theorems", "verified"]


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

    Notes
    -----
    The method and its words are the book's own.  Costs seconds for each theorem; in a
    run of the tests each is verified once.

    Examples
    --------
    >>> verified("talwalkar2010:eq-2.7")
    talwalkar2010:eq-2.7: verified (symbolic, every n, exact, to 30 digits, \
worst-case search, stress suite); 1 of 1 controls refuted
    """
    found = tuple(verify(theorems[id]) for id in ids)
    told = [verdict.complaint() for verdict in found if not verdict]
    if told:
        raise VerdictError("\n".join(told))
    return Verdicts(found)
