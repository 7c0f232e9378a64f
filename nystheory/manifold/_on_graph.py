"""What embeddings of a graph of neighbours share."""

from __future__ import annotations

import warnings

import numpy as np
from scipy import sparse
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)

from nystheory import _checks
from nystheory.features._kernel import validated
from nystheory.manifold._graph import NeighbourGraph
from nystheory.manifold._neighbours import neighbours
from nystheory.sampling._landmarks import _calls_inside

DISCONNECTED = ("error", "largest")


class LeftOut(UserWarning):
    """Points that are not in the largest component have no coordinates.

    Examples
    --------
    >>> issubclass(LeftOut, UserWarning)
    True
    """


class OnGraph(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Points become a graph, or a graph is given; who is left out has no coordinates.

    An estimator has the parameters `n_neighbors`, `limit`, `search`, `disconnected` and
    `n_jobs`.
    """

    def _take(self, X, rng):
        """Set the graph, and the points that it joins."""
        _checks.choice(self.disconnected, "disconnected", DISCONNECTED)
        if isinstance(X, NeighbourGraph):
            reason = "a graph that is given"
            self._usual(("n_neighbors", "limit", "search"), reason)
            self.graph_, self._points, self.recall_ = X, None, None
            self._t = self._limit = None
            self.n_features_in_ = X.n
            self.__dict__.pop("feature_names_in_", None)
        else:
            X = self._dense(X, copy=True, reset=True)
            near = neighbours(
                X, self.n_neighbors, search=self.search, rng=rng, n_jobs=self.n_jobs
            )
            self.recall_ = near.recall
            self.graph_ = near.graph(limit=self.limit)
            self._points = X[self.graph_.kept]
            self._t, self._limit = self.n_neighbors, self.limit
        sizes, n = self.graph_.sizes, self.graph_.n
        if len(sizes) == 1:
            return
        told = f"{len(sizes)} components, the largest of {sizes[0]} of {n} points"
        if self.disconnected == "error":
            raise ValueError(
                f"X: expected a connected graph of neighbours, got {told}; take more "
                "neighbours, or disconnected='largest'"
            )
        warnings.warn(
            f"the graph of neighbours has {told}: {n - sizes[0]} get no coordinates",
            LeftOut,
            stacklevel=_calls_inside() + 1,
        )

    def _usual(self, names, reason):
        """These are as by default, for this reason."""
        for name in names:
            given, usual = getattr(self, name), getattr(type(self), name)
            same = isinstance(given, (str, int, np.integer)) and given == usual
            if given is not usual and not same:
                raise ValueError(
                    f"{name}: expected the default {usual!r} for {reason}, got "
                    f"{_checks.shown(given)}"
                )

    def _dense(self, X, *, copy, reset):
        """Points as scikit-learn checks them, and not sparse."""
        X = validated(self, X, copy=copy, reset=reset)
        if sparse.issparse(X):
            raise TypeError(
                f"X: expected a dense array, got a sparse one of shape {X.shape}; pass "
                "X.toarray(), or a few of its singular vectors"
            )
        return X

    def _for_all(self, coordinates):
        """Coordinates of all points of the fit: NaN of those that are left out."""
        found = np.full((self.graph_.n, coordinates.shape[1]), np.nan)
        found[self.graph_.kept] = coordinates
        return found
