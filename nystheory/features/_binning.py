"""Random binning features: grids of random pitch and shift, and who shares a bin."""

from __future__ import annotations

import warnings

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.utils.validation import check_is_fitted

from nystheory import _checks
from nystheory._progress import counter
from nystheory.features import _choice
from nystheory.features._accuracy import dense
from nystheory.features._fourier import CACHE_BYTES, RESOLVED
from nystheory.features._random import (
    RandomFeatures,
    all_or_nothing,
    entry_by_entry,
    gamma_of,
)
from nystheory.features._spectra import spectrum
from nystheory.sampling._landmarks import _calls_inside

# Bins are counted by integers of 64 bits, with a sign.
FARTHEST = 2.0**62


class RandomBinningFeatures(RandomFeatures):
    """Bins of random grids: two points share one with the chance ``exp(-gamma |z|_1)``.

    A feature is a bin of one of P grids, 1 / sqrt(P) for the points in it and 0 for
    others, so that an inner product is the share of grids in which two points fall into
    one bin: in the mean the Laplacian kernel, section 4 of [1]_.  The features are
    sparse, P entries a point.

    Parameters
    ----------
    gamma : float or "scale", optional
        1 / d by default, as for `NystromFeatures`; ``"scale"`` is 1 / (d Var X), an
        inverse squared length, which suits this kernel only where X has unit scale.
    n_grids : int, default 100
        The number P of grids.
    random_state : int, RandomState, Generator or None
        For pitches and shifts.

    Attributes
    ----------
    kernel_ : Spectrum
        The kernel; ``kernel_.gamma`` was chosen here.
    pitches_, shifts_ : ndarray (P, d)
        Of each grid and axis: the pitch has the density ``gamma^2 s exp(-gamma s)``,
        Gamma(2, 1 / gamma), for then two points with a difference z are in one bin with
        the chance ``exp(-gamma |z|)``; the shift is uniform between 0 and the pitch.
    n_features_out_ : int
        The number of bins that are occupied by points of the fit.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    `fit` and `transform` cost O(P n (d + log n)) operations, and n P entries and
    indices; empty bins are never made.

    There is a column for each bin that is occupied at `fit`.  A new point that is alone
    in its bin has a zero there: its inner products with points of the fit are those of
    all bins, but those of two such points lack what they share.

    A bin is known by a code of 64 bits.  Two bins of a grid get the same code with a
    chance of ``R / 2^63`` at most, R the largest difference of their places along an
    axis, and never if they differ along one axis only.

    References
    ----------
    .. [1] A. Rahimi and B. Recht, "Random features for large-scale kernel machines",
       NIPS 2007.

    Examples
    --------
    >>> features = RandomBinningFeatures(gamma=1.0, n_grids=500, random_state=0)
    >>> Z = features.fit_transform([[0.0], [0.1], [5.0]])
    >>> Z.shape == (3, features.n_features_out_), Z.nnz
    (True, 1500)
    >>> (Z @ Z.T).toarray().round(2)[0].tolist(), round(float(np.exp(-0.1)), 2)
    ([1.0, 0.9, 0.0], 0.9)
    """

    def __init__(self, *, gamma=None, n_grids=100, random_state=None):
        self.gamma = gamma
        self.n_grids = n_grids
        self.random_state = random_state

    def fit(self, X, y=None) -> RandomBinningFeatures:
        """Draw the grids, and find the bins that are occupied.

        Parameters
        ----------
        X : array_like or CSR (n, d)
            Points.
        y : ignored
            For pipelines.

        Returns
        -------
        RandomBinningFeatures
            Itself.

        Raises
        ------
        ValueError, TypeError
            If a parameter is not what it should be, X is not finite or has masked
            entries, or is so large that bins cannot be counted.

        Warns
        -----
        UserWarning
            If points are so many bins away from 0 that float64 does not resolve one.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> features = RandomBinningFeatures(n_grids=7, random_state=0)
        >>> features.fit([[0.0, 1.0]]).n_features_out_
        7
        """
        self._fitted(X)
        return self

    def fit_transform(self, X, y=None) -> sparse.csr_array:
        """`fit`, and the features of X.

        Parameters
        ----------
        X : array_like or CSR (n, d)
        y : ignored

        Returns
        -------
        CSR (n, k)
            P entries 1 / sqrt(P) in each row.

        Raises
        ------
        ValueError, TypeError
            As `fit`.

        Notes
        -----
        Costs no more than `fit`.

        Examples
        --------
        >>> features = RandomBinningFeatures(n_grids=4, random_state=0)
        >>> features.fit_transform([[0.0, 1.0], [0.0, 1.0]]).toarray().tolist()
        [[0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5]]
        """
        X, columns = self._fitted(X)
        return self._sparse(columns, X.dtype)

    def _fitted(self, X):
        """The points, and the column of each in each grid."""
        with all_or_nothing(self):
            X = self._validated(X, reset=True)
            return X, self._draw(X)

    def _draw(self, X):
        self.kernel_ = spectrum("laplacian", gamma_of(X, self.gamma), None)
        shape = _checks.integer(self.n_grids, "n_grids"), X.shape[1]
        rng = _choice.generator(self.random_state)
        self.pitches_ = rng.gamma(2.0, 1 / self.kernel_.gamma, shape)
        self.shifts_ = self.pitches_ * rng.random(shape)
        # Odd numbers: along one axis a code is never taken twice.
        self._multipliers = rng.integers(0, 2**63, shape, dtype=np.uint64) * 2 + 1
        self._bins, count, columns = [], 0, self._columns(X)
        for grid, codes in enumerate(self._codes(X)):
            bins, found = np.unique(codes, return_inverse=True)
            columns[:, grid] = found + count
            self._bins.append(bins)
            count += len(bins)
        self.n_features_out_ = self._n_features_out = count
        return columns

    def transform(self, X) -> sparse.csr_array:
        """The features of points.

        Parameters
        ----------
        X : array_like or CSR (n, d)

        Returns
        -------
        CSR (n, k)
            Of the type of X, float32 or float64; at most P entries in each row, fewer
            where no point of the fit is in a bin.

        Raises
        ------
        ValueError, TypeError
            If X is not finite, has masked entries or other columns than in `fit`, or
            is so large that bins cannot be counted.

        Warns
        -----
        UserWarning
            As `fit`.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> features = RandomBinningFeatures(n_grids=4, random_state=0).fit([[0.0]])
        >>> features.transform([[0.0], [99.0]]).toarray().tolist()
        [[0.5, 0.5, 0.5, 0.5], [0.0, 0.0, 0.0, 0.0]]
        """
        check_is_fitted(self)
        X = self._validated(X)
        columns, count = self._columns(X), 0
        for grid, (codes, bins) in enumerate(
            zip(self._codes(X), self._bins, strict=True)
        ):
            found = np.searchsorted(bins, codes).clip(max=len(bins) - 1)
            columns[:, grid] = np.where(bins[found] == codes, found + count, -1)
            count += len(bins)
        return self._sparse(columns, X.dtype)

    def variance(self, X, Y=None) -> np.ndarray:
        """The variance of the inner product of two points' features, over grids.

        Parameters
        ----------
        X : array_like or CSR (n, d)
        Y : array_like or CSR (p, d), optional
            X by default.

        Returns
        -------
        ndarray (n, p)
            ``k (1 - k) / P``, exact for pairs of which one is a point of the fit: the
            grids are P independent trials.

        Raises
        ------
        ValueError, TypeError
            If X or Y is not finite or has other columns than in `fit`.

        Notes
        -----
        Costs O(n p d) operations.

        Examples
        --------
        >>> features = RandomBinningFeatures(gamma=1.0, n_grids=5).fit([[0.0]])
        >>> features.variance([[0.0]], [[0.0], [0.693]]).round(3).tolist()
        [[0.0, 0.05]]
        """
        check_is_fitted(self)
        X, Y = self._two(X, Y)
        grids = len(self.pitches_)

        def variance(x, y):
            t = self.kernel_.gamma * cdist(x, y, "cityblock")
            return np.exp(-t) * -np.expm1(-t) / grids

        return entry_by_entry(variance, X, Y)

    def _columns(self, X):
        """Room for the column of each point and grid, in the integers of CSR."""
        shape = X.shape[0], len(self.pitches_)
        small = shape[0] * shape[1] <= np.iinfo(np.int32).max
        return np.empty(shape, dtype=np.int32 if small else np.int64)

    def _codes(self, X):
        """For each grid, the code of the bin of each point, (n,)."""
        self._count(X)
        n, d = X.shape
        step = max(1, CACHE_BYTES // (8 * d))
        grids = zip(self.pitches_, self.shifts_, self._multipliers, strict=True)
        with counter("grids", len(self.pitches_)) as bar:
            for pitch, shift, multipliers in grids:
                codes = np.empty(n, dtype=np.uint64)
                for start in range(0, n, step):
                    places = dense(X[start : start + step]) - shift
                    places /= pitch
                    np.floor(places, out=places)
                    whole = places.astype(np.int64).view(np.uint64)
                    codes[start : start + step] = whole @ multipliers
                yield codes
                bar.update(1)

    def _count(self, X):
        """Raise, or warn, if there are too many bins between 0 and a point."""
        most = float(abs(X).max()) / float(self.pitches_.min())
        if not most < FARTHEST:
            raise ValueError(
                f"X: expected at most {FARTHEST:.0e} bins from 0 to a point, got "
                f"{most:.1e}: subtract its mean from each column, or take a smaller "
                "gamma"
            )
        if most * np.finfo(np.float64).eps > RESOLVED:
            limit = RESOLVED / np.finfo(np.float64).eps
            warnings.warn(
                f"X: expected at most {limit:.0e} bins from 0 to a point, got "
                f"{most:.1e}: the ends of bins are lost in rounding; "
                "subtract its mean from each column, or take a smaller gamma",
                stacklevel=_calls_inside() + 1,
            )

    def _sparse(self, columns, dtype):
        """A row for each point, 1 / sqrt(P) in the columns that are not -1."""
        n, grids = columns.shape
        starts = np.arange(n + 1, dtype=columns.dtype) * grids
        places = columns.ravel()
        known = places >= 0
        if not known.all():
            places = places[known]
            starts[1:] = np.cumsum(known.reshape(n, grids).sum(axis=1))
        entries = np.full(len(places), 1 / np.sqrt(grids), dtype=dtype)
        shape = n, self.n_features_out_
        return sparse.csr_array((entries, places, starts), shape=shape)
