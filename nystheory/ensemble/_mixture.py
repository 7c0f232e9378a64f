"""A mixture of approximations: what it is, and what can be done with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import scipy.linalg

from nystheory import _checks
from nystheory.ensemble._validation import checked
from nystheory.kernels import KernelMatrix
from nystheory.lowrank import Factored, LowRank, _core, _norms
from nystheory.lowrank._approximation import NORMS
from nystheory.lowrank._missing import missing


@dataclass(frozen=True, eq=False, repr=False)
class Ensemble(Factored):
    """The mixture ``sum_r mu_r K~_r`` of p approximations, equation (4.1) of [1]_.

    Attributes
    ----------
    experts : tuple of LowRank, length p
    weights : ndarray (p,)
        The mixture weights mu.
    method : str
        How they were chosen.
    parameter : float or None
        The eta or ridge that the hold-out columns chose.

    Raises
    ------
    ValueError, TypeError
        If there is no expert, one is not a LowRank or has another size than the first,
        or there is not one weight for each.

    Notes
    -----
    What convex weights do to the error, the order and the rank is
    ``theorems["talwalkar2010:eq-4.1"]``.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 4.3.

    Examples
    --------
    >>> from nystheory.ensemble import experts
    >>> K = np.diag([2.0, 1.0])
    >>> mixture = Ensemble(experts(K, [[0], [1]]), [0.5, 0.5])
    >>> mixture, mixture.spectral_reconstruction().tolist()
    (Ensemble(own weights, n=2, p=2, rank<=2), [[1.0, 0.0], [0.0, 0.5]])
    """

    experts: tuple[LowRank, ...]
    weights: np.ndarray
    method: str = "own weights"
    parameter: float | None = None

    def __post_init__(self):
        made = checked(self.experts)
        weights = _checks.real_array(self.weights, "weights", 1).astype(np.float64)
        if len(weights) != len(made):
            raise ValueError(
                f"weights: expected {len(made)}, one for each expert, got "
                f"{len(weights)}"
            )
        object.__setattr__(self, "experts", made)
        object.__setattr__(self, "weights", weights)

    @property
    def n(self) -> int:
        """Number of points."""
        return self.experts[0].n

    @property
    def kernel(self) -> KernelMatrix | None:
        """The K that the experts approximate."""
        return self.experts[0].kernel

    @property
    def below(self) -> bool:
        """Whether ``0 <= mixture <= K`` is known: convex weights, and experts below."""
        rounding = (len(self.weights) + 4) * np.finfo(np.float64).eps
        convex = (self.weights >= 0).all() and self.weights.sum() <= 1 + rounding
        return bool(convex) and all(expert.below for expert in self.experts)

    @property
    def blur(self) -> float:
        """By how much, in the trace, rounding may have lifted it above K."""
        return float(sum(weight * expert.blur for expert, weight in self._counting))

    @property
    def rank(self) -> int:
        """The sum of the ranks of the experts with a weight: the rank is at most this.

        Experts may share directions, so the rank can be lower.
        """
        return sum(expert.rank for expert, _ in self._counting)

    @property
    def _counting(self):
        """Experts with a weight other than zero, and the weights."""
        pairs = zip(self.experts, self.weights, strict=True)
        return [(expert, weight) for expert, weight in pairs if weight]

    def _stacked(self, scales=None):
        """The factors side by side, (n, m), each scaled."""
        factors = [np.empty((self.n, 0))]
        factors += [expert.factor for expert, _ in self._counting]
        stacked = np.concatenate(factors, axis=1, dtype=np.float64)
        return stacked if scales is None else np.multiply(stacked, scales, out=stacked)

    @property
    def _mu(self):
        """The weight of each column of the stacked factors, (m,)."""
        parts = [np.full(expert.rank, weight) for expert, weight in self._counting]
        return np.concatenate([np.empty(0), *parts])

    @cached_property
    def factor_pair(self) -> tuple[np.ndarray, np.ndarray]:
        """A and B, (n, m) each, with ``A B^T`` the mixture; m is `rank`.

        The factors side by side, and the same times their weights: 2 n m words.
        """
        A = self._stacked()
        return A, A * self._mu

    @cached_property
    def factor(self) -> np.ndarray:
        """F, (n, m), with F F^T the mixture; for weights that are not negative."""
        self._without_negative()
        return self._stacked(np.sqrt(self._mu))

    def _without_negative(self):
        """An error where a weight is negative."""
        if (self.weights < 0).any():
            r = int(self.weights.argmin())
            raise ValueError(
                "weights: expected weights of at least 0, since with others the "
                "mixture need not be semidefinite, nor alpha I + the mixture regular, "
                f"got {self.weights[r]:.6g} at index {r}; choose them by "
                "nonnegative_weights, or combine(..., weights='nonnegative')"
            )

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Features of new points: rows that the factor would have for them.

        Parameters
        ----------
        X : array_like (m, d)

        Returns
        -------
        ndarray (m, r)
            Those of the experts side by side, each times the root of its weight.

        Raises
        ------
        ValueError, TypeError
            If a weight is negative, or as `LowRank.transform` of an expert.

        Notes
        -----
        Costs what the experts' `LowRank.transform` costs together; the mixture is
        equation (4.1) of [1]_.

        References
        ----------
        .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
           thesis, New York University, 2010.

        Examples
        --------
        >>> from nystheory.kernels import linear
        >>> from nystheory.lowrank import nystrom
        >>> K = linear([[2.0, 0.0], [1.0, 1.0]])
        >>> mixed = Ensemble((nystrom(K, [0]), nystrom(K, [1])), np.array([0.5, 0.5]))
        >>> F = mixed.transform([[2.0, 0.0], [1.0, 1.0]])
        >>> bool(np.allclose(F @ F.T, mixed.spectral_reconstruction()))
        True
        """
        self._without_negative()
        parts = [
            np.sqrt(weight) * expert.transform(X) for expert, weight in self._counting
        ]
        return np.concatenate(parts or [np.empty((len(X), 0))], axis=1)

    def error(self, K: KernelMatrix | np.ndarray, norm: str = "frobenius") -> float:
        """The norm of K minus the mixture.

        Parameters
        ----------
        K : KernelMatrix or array_like (n, n)
        norm : {"frobenius", "spectral", "trace"}

        Returns
        -------
        float

        Raises
        ------
        ValueError, TypeError
            If K is not the matrix that is approximated, the norm is unknown, or what
            is left on the diagonal is negative beyond rounding.

        Notes
        -----
        As `LowRank.error`, with m = `rank` in place of k: n^2 m operations in blocks
        for the Frobenius norm.  The trace norm costs n m and the diagonal where all
        weights are at least 0 and sum to at most 1, for then the mixture is below K.

        Examples
        --------
        >>> from nystheory.ensemble import experts
        >>> Ensemble(experts(np.eye(4), [[0], [1]]), [1, 1]).error(np.eye(4)) ** 2
        2.0000000000000004
        """
        _checks.choice(norm, "norm", NORMS)
        K = self.of(K)
        if norm == "trace" and self.below:
            return missing(K, self).trace
        residual = _norms.Residual(K, *self.factor_pair, symmetric=True)
        return getattr(residual, norm)()

    def truncated(self, rank: int) -> LowRank:
        """The best positive semidefinite approximation of the mixture of rank k.

        With weights that are not negative, as in figure 4.7 of [1]_, it is the best
        of rank k.

        Parameters
        ----------
        rank : int
            The rank k, from 1 to n.

        Returns
        -------
        LowRank
            Of a lower rank where the mixture has fewer positive eigenvalues, up to
            rounding.

        Raises
        ------
        ValueError, TypeError
            If `rank` is not an integer from 1 to n.

        Notes
        -----
        QR of the stacked factors and an eigenproblem of size m = `rank`: about
        ``4 n m^2 + 10 m^3`` operations and 2 n m words.

        References
        ----------
        .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
           thesis, New York University, 2010, section 4.3.2.

        Examples
        --------
        >>> from nystheory.ensemble import experts
        >>> mixture = Ensemble(experts(np.diag([2.0, 1.0]), [[0], [1]]), [0.5, 0.5])
        >>> mixture.truncated(1).eigenvalues.round(12).tolist()
        [1.0]
        """
        k = _checks.integer(rank, "rank", high=self.n, why="the number of points")
        mu = self._mu
        if len(mu) == 0:
            values, vectors = np.empty(0), np.empty((self.n, 0))
        else:
            Q, R = scipy.linalg.qr(self._stacked(), mode="economic", overwrite_a=True)
            core = (R * mu) @ R.T
            values, vectors = scipy.linalg.eigh((core + core.T) / 2)
            floor = self.n * np.finfo(np.float64).eps * np.abs(values).max()
            keep = np.arange(len(values))[::-1][:k]
            keep = keep[values[keep] > floor]
            values, vectors = values[keep], Q @ vectors[:, keep]
        pairs = partial(_core.given, values, vectors)
        name = f"ensemble, {self.method}, truncated"
        found = len(values)
        return LowRank(name, self.n, None, k, found, False, pairs, kernel=self.kernel)

    def __repr__(self) -> str:
        p = len(self.experts)
        return f"Ensemble({self.method}, n={self.n}, p={p}, rank<={self.rank})"

    def _repr_html_(self) -> str:
        from nystheory.style import number, table

        shown = ", ".join(number(float(weight)) for weight in self.weights[:6])
        shown += ", ..." if len(self.weights) > 6 else ""
        row = (self.method, self.n, len(self.experts), self.rank, shown, self.parameter)
        header = ("weights", "$n$", "$p$", "rank at most", "$\\mu$", "parameter")
        return table([row], header)
