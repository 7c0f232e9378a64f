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
from nystheory.manifold._graph import NeighbourGraph, in_words, largest_of
from nystheory.manifold._neighbours import neighbours
from nystheory.sampling._landmarks import _calls_inside


class LeftOut(UserWarning):
    """Points that are not in the largest component have no coordinates.

    Examples
    --------
    >>> issubclass(LeftOut, UserWarning)
    True
    """


class InParts(UserWarning):
    """The graph of neighbours is not connected; it was answered all the same.

    Examples
    --------
    >>> issubclass(InParts, UserWarning)
    True
    """


def different(X) -> None:
    """Raise if all points are equal, which have no coordinates.

    Examples
    --------
    >>> different(np.ones((3, 1)))
    Traceback (most recent call last):
    ValueError: X: expected points that are not all equal, got 3 copies of one
    """
    if (X == X[0]).all():
        raise ValueError(
            f"X: expected points that are not all equal, got {len(X)} copies of one"
        )


class OnGraph(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Points become a graph, or a graph is given; who is left out has no coordinates.

    An estimator has the parameters `n_neighbors`, `limit`, `search`, `disconnected` and
    `n_jobs`; the answers to a graph in parts that it knows are in `_ANSWERS`.
    """

    _ANSWERS = ("largest", "error")

    def _take(self, X, rng):
        """Set the graph, and the points that it joins."""
        _checks.choice(self.disconnected, "disconnected", self._ANSWERS)
        if isinstance(X, NeighbourGraph):
            reason = "a graph that is given"
            self._usual(("n_neighbors", "limit", "search"), reason)
            self.recall_, whole, X = None, X, None
            self._t = self._limit = None
            self.n_features_in_ = whole.n
            self.__dict__.pop("feature_names_in_", None)
        else:
            X = self._dense(X, copy=True, reset=True)
            near = neighbours(
                X, self.n_neighbors, search=self.search, rng=rng, n_jobs=self.n_jobs
            )
            different(X)
            self.recall_ = near.recall
            whole = near.graph(limit=self.limit, whole=True)
            self._t, self._limit = self.n_neighbors, self.limit
        self.graph_ = whole if len(whole.sizes) == 1 else self._of_parts(whole, X)
        self._points = None if X is None else X[self.graph_.kept]

    def _of_parts(self, graph, X):
        """What is made of a graph that is not connected, with a warning."""
        sizes, n = graph.sizes, graph.n
        told = f"{len(sizes)} components, of {in_words(sizes)}"
        answer, lost = self.disconnected, n - sizes[0]
        if answer == "error":
            raise ValueError(
                f"X: expected a connected graph of neighbours, got {told}; take more "
                f"neighbours, or disconnected={self._ANSWERS[0]!r}"
            )
        if answer != "largest" and len(graph.kept) < n:
            raise ValueError(
                f"X: expected a graph with all components for disconnected={answer!r}, "
                f"got {graph!r}; make it with graph(whole=True), or take "
                "disconnected='largest'"
            )
        if answer == "largest":
            kind, found = LeftOut, largest_of(graph)
            how = f"{lost} points outside of the largest get no coordinates"
        else:
            kind = InParts
            found, how = self._answer(graph, X)
        warnings.warn(
            f"the graph of neighbours has {told}: {how}",
            kind,
            stacklevel=_calls_inside() + 1,
        )
        return found

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
