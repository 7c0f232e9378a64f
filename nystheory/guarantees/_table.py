"""All promises for a matrix and a number of columns, as one table."""

from __future__ import annotations

from dataclasses import dataclass

from nystheory import _checks, style
from nystheory.guarantees._promises import (
    DELTA,
    NOTHING,
    RIDGES,
    Known,
    Promise,
    gaussian,
    leverage,
    pivoted,
    ridge_scores,
    uniform,
    uniform_ridge,
    volume,
)

NORMS = ("trace", "spectral")


@dataclass(frozen=True)
class Guarantee:
    """What one theorem promises for one scheme.

    Attributes
    ----------
    id : str
        The theorem.
    scheme : str
        How the columns, or the test vectors, are to be drawn.
    norm : {"trace", "spectral"}
        The norm of the error.
    promise : Promise
    parameter : str
        What the parameter of the promise is; empty where there is none.
    holds : str
        With what probability, or on average.
    """

    id: str
    scheme: str
    norm: str
    promise: Promise
    parameter: str
    holds: str


@dataclass(frozen=True)
class Guarantees:
    """The guarantees for a matrix and a number of columns; a notebook shows a table.

    Attributes
    ----------
    n, n_landmarks : int
    trace : float
        Of K: the promises are shares of it.
    rows : tuple of Guarantee
        By norm, the best promise first.
    """

    n: int
    n_landmarks: int
    trace: float
    rows: tuple[Guarantee, ...]

    def __repr__(self) -> str:
        useful = sum(row.promise.share < NOTHING for row in self.rows)
        return (
            f"Guarantees({self.n_landmarks} of {self.n} columns: {useful} of "
            f"{len(self.rows)} promises say something)"
        )

    def best(self, norm: str) -> Guarantee:
        """The row with the smallest promise in a norm."""
        _checks.choice(norm, "norm", NORMS)
        return next(row for row in self.rows if row.norm == norm)

    def _repr_html_(self) -> str:
        header = ("error", "at most, % of tr K", "scheme", "holds", "at", "theorem")
        caption = f"{self.n_landmarks} of {self.n} columns"
        return style.table(map(_cells, self.rows), header, caption)


def _cells(row: Guarantee) -> tuple:
    said = "nothing"
    if row.promise.share < NOTHING:
        said = f"{100 * row.promise.share:.2g}"
    at = (
        f"{row.parameter} {style.number(row.promise.parameter)}"
        if row.parameter
        else ""
    )
    return row.norm, said, row.scheme, row.holds, at, f"`{row.id}`"


def how_often(delta: float = DELTA) -> dict[str, str]:
    """With what probability the promise for a scheme holds, or that it is a mean.

    Parameters
    ----------
    delta : float
        The probability with which a promise may fail.

    Examples
    --------
    >>> how_often(0.1)["uniform"], how_often(0.1)["k-DPP"]
    ('with probability 0.9', 'on average')
    """
    often = f"with probability {1 - delta:.2g}"
    return {
        "uniform": often,
        "leverage scores": f"with probability {0.8 - delta:.2g}",
        "ridge leverage": often,
        "Gaussian sketch": "on average",
        "RPCholesky": "on average",
        "k-DPP": "on average",
    }


def guarantees(K, n_landmarks: int, delta: float = DELTA) -> Guarantees:
    """What the theorems promise of this matrix, before a column is drawn.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
        Positive semidefinite.
    n_landmarks : int
        The number l of columns, or of test vectors; from 3 to n - 1.
    delta : float
        The probability with which a promise may fail, between 0 and 0.8.

    Returns
    -------
    Guarantees
        One row for each theorem and norm, the best promise first.

    Raises
    ------
    ValueError, TypeError
        If K is not a positive semidefinite matrix, or a number is out of its range.

    Notes
    -----
    The promises need all eigenpairs of K: ``O(n^3)``.  This tells what the theorems
    are worth, not what to do with a large matrix: there, approximate first and take
    `certificates.trace_certificate`.

    Examples
    --------
    >>> import numpy as np
    >>> K = np.diag([1000.0, 500.0, *np.ones(98)])
    >>> found = guarantees(K, 40)
    >>> found
    Guarantees(40 of 100 columns: 6 of 11 promises say something)
    >>> found.best("trace").scheme
    'k-DPP'
    """
    known = Known(K)
    l = _checks.integer(n_landmarks, "n_landmarks", 3, known.n - 1, "below n")  # noqa: E741
    if not 0 < _checks.positive(delta, "delta") < 0.8:
        raise ValueError(f"delta: expected a number between 0 and 0.8, got {delta}")
    holds = how_often(delta)
    both = {
        "uniform": ("modern:uniform-coherence", uniform(known, l, delta)),
        "leverage scores": ("modern:leverage", leverage(known, l, delta)),
        "Gaussian sketch": ("modern:gaussian-sketch", gaussian(known, l)),
    }
    rows = [
        Guarantee(id, scheme, norm, promise, "rank", holds[scheme])
        for scheme, (id, promises) in both.items()
        for norm, promise in zip(NORMS, promises, strict=True)
    ]
    for id, scheme, norm, promise, parameter in (
        ("modern:rpcholesky", "RPCholesky", "trace", pivoted(known, l), ""),
        ("modern:k-dpp-expectation", "k-DPP", "trace", volume(known, l), ""),
        *_by_ridge(known, l, delta),
    ):
        rows.append(Guarantee(id, scheme, norm, promise, parameter, holds[scheme]))
    rows.sort(key=lambda row: (NORMS.index(row.norm), row.promise.share))
    return Guarantees(known.n, l, known.trace, tuple(rows))


def _by_ridge(known, l, delta):  # noqa: E741
    """The rows of the theorems that name a ridge, shown in the units of K."""
    for id, scheme, promise in (
        *((id, "uniform", uniform_ridge(known, l, delta, id)) for id in RIDGES),
        ("modern:alaoui-mahoney", "ridge leverage", ridge_scores(known, l, delta)),
    ):
        shown = Promise(promise.share, promise.parameter * known.trace)
        yield id, scheme, "spectral", shown, "ridge"
