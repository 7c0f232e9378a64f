"""What rates prescribe, and whether columns that were drawn are near enough."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nystheory import _checks, certificates, style
from nystheory.guarantees._decay import Decay
from nystheory.guarantees._dimension import Dimension
from nystheory.kernels import as_kernel
from nystheory.lowrank._norms import DENSE_SPECTRAL

# Traces of one matrix, in float32 and in float64, differ by less than this share.
SAME = 1e-5


@dataclass(frozen=True)
class Prescription:
    """What one rate prescribes; constants are chosen, not proved.

    Attributes
    ----------
    loss, rate : str
    source : str
        Where the rate stands in the source.
    risk : float or None
        The excess risk is of the order of n to minus this; None where it is not known.
    lambda_ : float or None
        The ridge of the source, beside a mean of losses.
    ridge : float or None
        The same as `SubspaceClassifier`, `KernelLogistic` and `KernelRidge` take it,
        beside a sum; ``C = 1 / ridge`` of `KernelSVC`.
    alpha : float or None
        The level of the projection, in units of K: n times that of the source.
    growth : tuple of float or None
        The number of columns is of the order of n to this, times log n: fitted, and at
        both ends of the range of the fit; 0 stands for log n squared.
    dimension : Dimension or None
        The effective dimension of K at alpha.
    columns : tuple of int or None
        That dimension times log(n / delta), both ends, and n at most: the constant 1
        is chosen, and nothing is proved for it.
    assumptions : tuple of tuple of str
        What is assumed, and what is known of it.
    why : str
        Why nothing is prescribed; empty where something is.

    Examples
    --------
    >>> Prescription("hinge", "fast", "(42)", *[None] * 7, (), "neither decay fits")
    Prescription(hinge, fast: not known, neither decay fits)
    """

    loss: str
    rate: str
    source: str
    risk: float | None
    lambda_: float | None
    ridge: float | None
    alpha: float | None
    growth: tuple[float, float, float] | None
    dimension: Dimension | None
    columns: tuple[int, int] | None
    assumptions: tuple[tuple[str, str], ...]
    why: str = ""

    def projection(self, K, approximation) -> Projection:
        """Whether columns that were drawn are as good as the rate asks.

        Parameters
        ----------
        K : KernelMatrix or array_like (n, n)
            That of the prescription.
        approximation : LowRank or Ensemble
            Of K, and known to lie between 0 and K (``below``).

        Returns
        -------
        Projection

        Raises
        ------
        ValueError, TypeError
            If nothing is prescribed, K has other points or another trace than that of
            the prescription, or the approximation is not one of K or not known to be
            below K.

        Notes
        -----
        The source requires ``|Sigma_alpha^(1/2) (I - P)|^2 <= 3 alpha``, which is
        ``|K - K~|_2 <= 2 n alpha``.  The trace of the error is an upper end, its
        largest diagonal entry a lower one, and up to 1000 points the norm is computed
        where they leave it open.  Costs the diagonal of K and n k operations, and n^3
        up to 1000 points.

        Examples
        --------
        >>> import numpy as np
        >>> from nystheory.guarantees import landmarks_for_learning
        >>> from nystheory.lowrank import nystrom
        >>> K = np.diag([9.0, *np.full(39, 0.01)])
        >>> row = landmarks_for_learning(K, np.arange(40) % 2).of("slow")
        >>> row.projection(K, nystrom(K, [0])).holds
        True
        """
        if self.why:
            raise ValueError(f"rate: expected one that prescribes, got {self!r}")
        K = as_kernel(K)
        self._of_this(K)
        return _projection(K, approximation, 2 * self.alpha)

    def _of_this(self, K) -> None:
        """Raise if K is seen to be another matrix: its level is another one, too."""
        n = self.dimension.n
        if K.n != n:
            raise ValueError(
                f"K: expected that of the prescription, of {n} points, got {K!r}"
            )
        # lambda_ is the mean of the diagonal times n to minus the risk.
        trace = self.lambda_ * n ** (1 + self.risk)
        found = float(np.asarray(K.diagonal(), np.float64).sum())
        if abs(found - trace) > SAME * trace:
            raise ValueError(
                f"K: expected that of the prescription, whose trace is {trace:.6g}, "
                f"got {K!r} with trace {found:.6g}"
            )

    def _growth(self) -> str:
        """In words, with a formula."""
        fitted, *ends = self.growth
        if not fitted:
            return r"$\log^2 n$"
        low, high = (f"{end:.2g}" for end in ends)
        between = f" ({low} to {high})" if low != high else ""
        return rf"$n^{{{fitted:.2g}}} \log n${between}"

    def _cells(self) -> tuple:
        if self.why:
            return (f"{self.rate}, {self.source}", "not known", *[""] * 4, self.why)
        low, high = self.columns
        count = str(high) if low == high else f"{low} to {high}"
        return (
            f"{self.rate}, {self.source}",
            f"$n^{{-{self.risk:.2g}}}$",
            *(style.number(x) for x in (self.lambda_, self.ridge, self.alpha)),
            self._growth(),
            count,
        )

    def _repr_html_(self) -> str:
        return style.table([self._cells()], HEADER, f"{self.loss.capitalize()} loss")

    def __repr__(self) -> str:
        if self.why:
            return f"Prescription({self.loss}, {self.rate}: not known, {self.why})"
        return (
            f"Prescription({self.loss}, {self.rate}: about {self.columns[1]} columns "
            f"at ridge {self.ridge:.3g}, with a constant that is chosen)"
        )


@dataclass(frozen=True)
class Projection:
    """Whether an approximation is as near to K as a rate asks.

    Attributes
    ----------
    limit : float
        The spectral norm of the error may be so large.
    low, high : float
        It is between these for certain, rounding included.

    Examples
    --------
    >>> Projection(2.0, 0.5, 1.0)
    Projection(|K - K~|_2 is 0.5 to 1, at most 2 is asked: holds)
    """

    limit: float
    low: float
    high: float

    @property
    def holds(self) -> bool | None:
        """Whether it is near enough, for certain; None where that is not known."""
        if self.high <= self.limit:
            return True
        return False if self.low > self.limit else None

    def _words(self) -> str:
        return {True: "holds", False: "fails", None: "not known"}[self.holds]

    def __repr__(self) -> str:
        return (
            f"Projection(|K - K~|_2 is {self.low:.3g} to {self.high:.3g}, at most "
            f"{self.limit:.3g} is asked: {self._words()})"
        )

    def _repr_html_(self) -> str:
        row = (self.low, self.high, self.limit, self._words())
        header = (r"$\|K - \tilde K\|_2$ at least", "at most", r"$2 n \alpha$", "asked")
        return style.table([row], header)


HEADER = ("rate", "excess risk", r"$\lambda$", "ridge", r"$n \alpha$")
HEADER += ("columns", "columns, constant 1")
CONSTANTS = (
    "The source leaves its constants and logarithms open. The last column is "
    "$d \\log(n / \\delta)$ with the constant 1, which is chosen and not proved; the "
    "ridges have the constant tr K / n, chosen so that they scale with K."
)


@dataclass(frozen=True)
class Prescriptions:
    """How many columns the rates of one loss prescribe for a matrix.

    Attributes
    ----------
    loss : str
    n : int
    delta : float
    scale : float
        The mean of the diagonal of K, by which ridges are multiplied.
    decay : Decay or None
        The fit that exponents rest on; None where the eigenvalues that are known are
        too few.
    labels : str
        What was read of y.
    rows : tuple of Prescription
        One for each rate.

    Examples
    --------
    >>> import numpy as np
    >>> from nystheory.guarantees import landmarks_for_learning
    >>> K = np.diag(1.0 / np.arange(1, 101.0) ** 2)
    >>> landmarks_for_learning(K, np.arange(100) % 2)
    Prescriptions(hinge, 100 points: slow about 85 columns, fast about 100 columns)
    """

    loss: str
    n: int
    delta: float
    scale: float
    decay: Decay | None
    labels: str
    rows: tuple[Prescription, ...]

    def of(self, rate: str) -> Prescription:
        """The row of one rate.

        Parameters
        ----------
        rate : {"slow", "fast"}

        Returns
        -------
        Prescription

        Raises
        ------
        ValueError
            If the loss has no such rate.

        Notes
        -----
        Looks through the rows; nothing is computed.

        Examples
        --------
        >>> import numpy as np
        >>> from nystheory.guarantees import landmarks_for_learning
        >>> K = np.diag(1.0 / np.arange(1, 101.0) ** 2)
        >>> found = landmarks_for_learning(K, np.arange(100.0), "square")
        >>> found.of("fast").source
        'Corollary 13'
        """
        _checks.choice(rate, "rate", [row.rate for row in self.rows])
        return next(row for row in self.rows if row.rate == rate)

    @property
    def assumptions(self) -> style.Table:
        """What each rate assumes, and what is known of it, as a table."""
        rows = [(row.rate, *each) for row in self.rows for each in row.assumptions]
        return style.Table(("rate", "assumed", "known of it"), rows)

    def _caption(self) -> str:
        return f"{self.loss.capitalize()} loss, {self.n} points. {self.labels}"

    def __repr__(self) -> str:
        told = ", ".join(
            f"{row.rate} " + (row.why or f"about {row.columns[1]} columns")
            for row in self.rows
        )
        return f"Prescriptions({self.loss}, {self.n} points: {told})"

    def __str__(self) -> str:
        rows = [tuple(map(_plain, row._cells())) for row in self.rows]
        header = tuple(map(_plain, HEADER))
        parts = [style.plain(rows, header, self._caption()), _plain(CONSTANTS)]
        return "\n".join([*parts, repr(self.decay), repr(self.assumptions)])

    def _repr_html_(self) -> str:
        table = style.table([x._cells() for x in self.rows], HEADER, self._caption())
        parts = [table, f"<p>{style.text(CONSTANTS)}</p>"]
        if self.decay is not None:
            parts.append(self.decay._repr_html_())
        return "".join([*parts, self.assumptions._repr_html_()])


def _plain(markdown) -> str:
    r"""Without the marks of formulas.

    >>> _plain(r'$n^{0.5} \log n$')
    'n^0.5 log n'
    """
    for mark in (r"\text", "\\", "$", "{", "}"):
        markdown = markdown.replace(mark, "")
    return markdown


def _projection(K, approximation, limit) -> Projection:
    whole = certificates.trace_certificate(K, approximation)
    entry = certificates.entry_certificate(K, approximation)
    low, high = max(entry.value - entry.error, 0.0), whole.value + whole.error
    if low <= limit < high and K.n <= DENSE_SPECTRAL:
        norm = approximation.error(K, "spectral")
        low, high = max(norm - whole.error, low), min(norm + whole.error, high)
    return Projection(limit, low, max(low, high))
