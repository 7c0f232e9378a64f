"""Random binning features: grids of random pitch and shift, and who shares a bin."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_is_fitted

from nystheory import _checks
from nystheory._progress import counter
from nystheory.features import _choice
from nystheory.features._fourier import CACHE_BYTES, gamma_of
from nystheory.features._kernel import validated
from nystheory.features._spectra import Laplacian


class RandomBinningFeatures(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator
):
    def __init__(self, *, gamma=None, n_grids=100, random_state=None):
        self.gamma = gamma
        self.n_grids = n_grids
        self.random_state = random_state

    def fit(self, X, y=None):
        self.fit_transform(X)
        return self

    def fit_transform(self, X, y=None):
        X = validated(self, X, copy=False, reset=True)
        self.kernel_ = Laplacian(gamma_of(X, self.gamma))
        P, d = _checks.integer(self.n_grids, "n_grids"), X.shape[1]
        rng = _choice.generator(self.random_state)
        self.pitches_ = rng.gamma(2.0, 1 / self.kernel_.gamma, (P, d))
        self.shifts_ = self.pitches_ * rng.random((P, d))
        whole = np.iinfo(np.uint64).max
        self._multipliers = rng.integers(
            0, whole, (P, d), dtype=np.uint64, endpoint=True
        )
        self._bins, columns, self.n_features_out_ = [], [], 0
        for codes in self._codes(X):
            bins, found = np.unique(codes, return_inverse=True)
            columns.append(found + self.n_features_out_)
            self._bins.append(bins)
            self.n_features_out_ += len(bins)
        self._n_features_out = self.n_features_out_
        return self._sparse(columns, X)

    def transform(self, X):
        check_is_fitted(self)
        X = validated(self, X, copy=False, reset=False)
        columns, first = [], 0
        for codes, bins in zip(self._codes(X), self._bins, strict=True):
            found = np.searchsorted(bins, codes).clip(max=len(bins) - 1)
            columns.append(np.where(bins[found] == codes, found + first, -1))
            first += len(bins)
        return self._sparse(columns, X)

    def _codes(self, X):
        """For each grid, the code of the bin of each point, (n,)."""
        n, d = X.shape
        step = max(1, CACHE_BYTES // (8 * d))
        grids = zip(self.pitches_, self.shifts_, self._multipliers, strict=True)
        with counter("grids", len(self.pitches_)) as bar:
            for pitch, shift, multipliers in grids:
                codes = np.empty(n, dtype=np.uint64)
                for start in range(0, n, step):
                    part = X[start : start + step]
                    part = part.toarray() if sparse.issparse(part) else part
                    places = np.floor((part - shift) / pitch)
                    whole = places.astype(np.int64).view(np.uint64)
                    codes[start : start + step] = whole @ multipliers
                yield codes
                bar.update(1)

    def _sparse(self, columns, X):
        """A row for each point, 1 / sqrt(P) in the columns that are not -1."""
        columns = np.array(columns).T
        known = columns >= 0
        starts = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
        places = columns[known]
        entries = np.full(len(places), 1 / np.sqrt(columns.shape[1]), dtype=X.dtype)
        shape = len(columns), self.n_features_out_
        return sparse.csr_array((entries, places, starts), shape=shape)

    def variance(self, X, Y=None):
        check_is_fitted(self)
        X = validated(self, X, copy=False, reset=False)
        Y = X if Y is None else validated(self, Y, copy=False, reset=False)
        k = self.kernel_.kernel(X, Y)
        return k * (1 - k) / len(self.pitches_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
