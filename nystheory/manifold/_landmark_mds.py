"""Landmark MDS: coordinates from distances to landmarks."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_is_fitted

from nystheory import _checks
from nystheory.features._kernel import validated
from nystheory.manifold import _embedding

# Distances there and back, as far as float32 and sums of it agree.
ROUNDING = 1e-5
# As differences of squares, in parts of the largest distance: roots of rounding.
OF_SQUARES = {np.dtype(np.float32): 1e-3, np.dtype(np.float64): 1e-6}


class Coordinates:
    """What follows once distances to landmarks are known."""

    def _count_of(self, landmarks: int):
        """The number k of coordinates, of so many landmarks."""
        why = "the number of landmarks"
        return _checks.integer(
            self.n_components, "n_components", high=landmarks, why=why
        )

    def _embed(self, distances, landmarks, method):
        """Set all attributes; coordinates (m, k) of the points of the fit."""
        k = self._count_of(len(landmarks))
        self._map = _embedding.fitted(distances, landmarks, k, method)
        self.eigenvalues_ = self._map.eigenvalues
        self.negative_share_ = self._map.negative_share
        found = self._map.of_distances(distances)
        self.residual_ = _embedding.trace_left(distances, landmarks, found)
        self._n_features_out = k
        _embedding.warn_of(self.negative_share_, method)
        return found


@dataclass(eq=False, repr=False)
class LandmarkMDS(
    Coordinates, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator
):
    """Landmark MDS, or its Column-sampling cousin: section 3.1.3 of [1]_.

    Parameters
    ----------
    n_components : int, default 2
        The number k of coordinates.
    method : {"nystrom", "column-sampling"}
        ``"nystrom"`` is Landmark MDS [2]_: the Nyström approximation of the kernel that
        is centred at the mean of the landmarks, (3.4).  ``"column-sampling"`` takes the
        singular vectors of its doubly centred columns, (3.5) as corrected.

    Attributes
    ----------
    embedding_ : ndarray (m, k)
    eigenvalues_ : ndarray (k,)
        Of the m x m kernel, as the method estimates them, largest first.
    landmarks_ : ndarray (l,)
    mean_ : ndarray (l,)
        The mean squared distance of the landmarks to each.
    weights_ : ndarray (l, k)
        ``-1/2 (d - mean_) weights_`` are the coordinates of squared distances d.
    negative_share_ : float
        Of the moduli of the eigenvalues between the landmarks, or between 1000 of
        them, the share of the negative ones: 0 where the landmarks are points of a
        Euclidean space.
    residual_ : float
        The share of the trace of the centred kernel that `embedding_` leaves out; it
        may be below zero where there are negative eigenvalues.
    n_features_in_ : int
        ``len(landmarks_)``: the number l of landmarks.

    Notes
    -----
    With d the squared distances and S the landmarks, W is ``d_SS`` centred on both
    sides, times -1/2, and C is ``-1/2 (d - mean_)``: for the Nyström method it is all
    the same whether the rows of C are centred, too.  For Column-sampling it is not, and
    they are.  Costs O(m l k + l^3) operations, O(m l^2) for Column-sampling.

    Negative eigenvalues of W are discarded, with a warning.  They are a proof that the
    kernel is not positive semidefinite: by interlacing its smallest eigenvalue is not
    above that of W.  Where it is semidefinite, what the Nyström method leaves out is
    semidefinite, too, and the share of the trace is that of its nuclear norm, which
    bounds the other norms: ``theorems["modern:error-chain"]``.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010.
    .. [2] V. de Silva and J. B. Tenenbaum, "Sparse multidimensional scaling using
       landmark points", Stanford University, 2004.

    Examples
    --------
    >>> mds = LandmarkMDS(1).fit([[0.0, 3.0], [3.0, 0.0], [1.0, 2.0]])
    >>> mds.embedding_.round(9).T.tolist()
    [[1.5, -1.5, 0.5]]
    >>> mds.transform([[2.0, 1.0]]).round(9).tolist()
    [[-0.5]]
    """

    n_components: int = 2
    _: KW_ONLY
    method: str = "nystrom"

    def fit(self, X, y=None, *, landmarks=None) -> LandmarkMDS:
        """Find the coordinates.

        Parameters
        ----------
        X : array_like (m, l)
            Distances, not squared, of all points to the landmarks.
        y : ignored
            For pipelines.
        landmarks : sequence of int, length l, optional
            Which of the m points they are; by default the first l.

        Returns
        -------
        LandmarkMDS
            Itself.

        Raises
        ------
        ValueError, TypeError, IndexError
            If X is not finite, a distance is negative, the largest is not from 1e-30 to
            1e30, that of a landmark to itself is not zero, that between two landmarks
            differs there and back, or not k eigenvalues are above zero.  What rounding
            leaves where squares were subtracted passes.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> LandmarkMDS(1).fit([[0.0, 1.0], [1.0, 0.0]]).eigenvalues_.round(9).tolist()
        [0.5]
        """
        _checks.choice(self.method, "method", _embedding.METHODS)
        X = _embedding.checked_distances(
            validated(self, X, copy=False, reset=True), "X"
        )
        m, l = X.shape  # noqa: E741
        if landmarks is None:
            landmarks = np.arange(min(m, l))
        landmarks = _checks.indices(landmarks, m, "landmarks")
        if len(landmarks) != l:
            raise ValueError(
                f"landmarks: expected {l}, one for each column of X, got "
                f"{len(landmarks)}"
            )
        _embedding.of_a_size(X)
        rounding = OF_SQUARES[X.dtype] * X.max()
        own = X[landmarks, np.arange(l)]
        if own.max() > rounding:
            raise ValueError(
                "X: expected the distance 0 of each landmark to itself, got "
                f"{own.max():.4g}"
            )
        between = X[landmarks]
        if not np.allclose(between, between.T, rtol=ROUNDING, atol=rounding):
            raise ValueError(
                "X: expected symmetric distances between the landmarks, got some that "
                f"differ by {np.abs(between - between.T).max():.4g}"
            )
        self.embedding_ = self._embed(X, landmarks, self.method)
        self.landmarks_ = landmarks
        self.mean_, self.weights_ = self._map.mean, self._map.weights
        return self

    def fit_transform(self, X, y=None, *, landmarks=None) -> np.ndarray:
        """`fit`, and the coordinates of all points.

        Parameters
        ----------
        X : array_like (m, l)
        y : ignored
        landmarks : sequence of int, length l, optional
            As for `fit`.

        Returns
        -------
        ndarray (m, k)

        Raises
        ------
        ValueError, TypeError, IndexError
            As `fit`.

        Notes
        -----
        Costs what `fit` does.

        Examples
        --------
        >>> LandmarkMDS(1).fit_transform([[0.0, 2.0], [2.0, 0.0]]).round(9).tolist()
        [[1.0], [-1.0]]
        """
        return self.fit(X, y, landmarks=landmarks).embedding_

    def transform(self, X) -> np.ndarray:
        """The coordinates of points whose distances to the landmarks are known.

        Parameters
        ----------
        X : array_like (m, l)
            Distances, not squared.

        Returns
        -------
        ndarray (m, k)

        Raises
        ------
        ValueError, TypeError
            If it was not fitted, X is not finite, has other columns than in `fit`, or a
            distance is negative or above 1e30.

        Notes
        -----
        The formula of the fit: O(m l k) operations.

        Examples
        --------
        >>> mds = LandmarkMDS(1).fit([[0.0, 2.0], [2.0, 0.0]])
        >>> mds.transform([[1.0, 1.0]]).round(9).tolist()
        [[0.0]]
        """
        check_is_fitted(self)
        X = _embedding.checked_distances(
            validated(self, X, copy=False, reset=False), "X"
        )
        _embedding.of_a_size(X, least=0)
        return self._map.of_distances(X)
