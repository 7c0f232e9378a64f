"""Ridge regression on features of any map, in one pass over blocks of points."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg.blas import dsyrk
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from nystheory import _checks
from nystheory.features._kernel import validated
from nystheory.learners._features import (
    feature_blocks,
    input_tags_of,
    unfitted,
    width_of,
)
from nystheory.learners._learner import targets
from nystheory.learners._restricted import regularised
from nystheory.lowrank import Factored


@dataclass(eq=False, repr=False)
class FeatureRidge(RegressorMixin, BaseEstimator):
    """Ridge regression on the features of a map, in one pass over the points.

    Minimises ``|y - F w|^2 + ridge sum_i g_i w_i^2``, with F the features of the points
    and weights g: equation (4) or (7) of [1]_ where they are ones, and (6) else.  Only
    ``F^T F`` and ``F^T y`` are kept, so that the memory does not grow with n.

    Parameters
    ----------
    features : transformer, optional
        A feature map, of `features` or scikit-learn's, that is copied and fitted on the
        points; by default the points are their own features.
    ridge : float, default 1.0
        Above 0, in the units of ``F^T F``, as of `KernelRidge`.
    penalty : None, "rkhs" or array_like (D,), optional
        The weights g: ones; or those with which the sum is the squared norm in the
        space of the kernel, as told below; or your own, above 0.  A feature with an
        infinite weight gets the coefficient 0.
    block_rows : int, optional
        Points whose features are made at a time, by default those of about 32 MB.

    Attributes
    ----------
    features_ : transformer or None
        The map, fitted.
    coef_ : ndarray (D,) or (D, q)
        w, in float64.
    n_points_seen_ : int
        The number of points in the sums.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    `fit` takes ``n D^2 + D^3 / 3`` operations beside what the features cost, and 2 D^2
    words beside a block of features.  Sums are in float64, whatever the points are.
    X may be a memory-map; one of other numbers than float32 and float64 is converted
    whole.  There is no intercept, as in `KernelRidge`: subtract the mean of y.
    For several classes take a column of y for each: 1 where a point is of the class and
    -1 elsewhere; the largest prediction tells the class.

    The map is fitted by `fit` on all points, at its own cost: random features need no
    more than the number of coordinates, `features.NystromFeatures` n (d + l) words.
    `partial_fit` fits it on the first chunk, so that landmarks are taken from there.  A
    map that was fitted before stays as it is in a
    ``sklearn.frozen.FrozenEstimator``.

    That ``F^T F`` is formed leaves a relative error of order ``eps |F|^2 / ridge``; a
    ridge that is smaller than this rounding is an error.  Sparse features stay sparse,
    but ``F^T F`` does not: for tens of thousands of them take
    ``KernelRidge(features=...)``.

    *One problem.*  Kernel ridge regression, (3) of [1]_, minimises over all functions f
    in the space of the kernel, with ``ridge |f|^2``.  Random and Nyström features both
    restrict it to the span of their basis functions, ``f = sum_i w_i phi_i``.  Those of
    Nyström features are orthonormal in that space, so ``|f|^2`` is the sum of
    ``w_i^2``: the weights are ones, and (7) is (3) restricted (Proposition 2).  A sine
    or cosine of frequency u, whose density is p(u), is weighed with ``p(0) / p(u)``,
    the `penalty_` of the map: ``exp(sigma^2 |u|^2 / 2)`` for the Gaussian kernel
    (Proposition 1).  That is a formal computation: on R^d such a function is not in the
    space.  It is right, up to one factor for all of them, on a torus with frequencies
    of its lattice.  With weights of one, (4), random features approximate the kernel
    and not the restriction.  The weights span many orders: it is solved in features
    divided by their roots, and what is above all numbers is left out.  In [1]_ the
    features are not divided by the root of their number m, and the mean of the squares
    is minimised: their lambda is ``2 m ridge / n`` in (4) and (6), 2 ridge / n in (7).

    References
    ----------
    .. [1] T. Yang, Y.-F. Li, M. Mahdavi, R. Jin and Z.-H. Zhou, "Nyström Method vs
       Random Fourier Features: A Theoretical and Empirical Comparison", Advances in
       Neural Information Processing Systems 25, 2012.

    Examples
    --------
    >>> from sklearn.kernel_approximation import RBFSampler
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-1, 1, (2000, 2))
    >>> model = FeatureRidge(RBFSampler(n_components=200, random_state=0), 1e-3)
    >>> bool(model.fit(X, np.sin(3 * X[:, 0])).score(X, np.sin(3 * X[:, 0])) > 0.99)
    True
    """

    features: Any = None
    ridge: float = 1.0
    _: KW_ONLY
    penalty: Any = None
    block_rows: Any = None

    def fit(self, X, y) -> FeatureRidge:
        """Fit the map, and solve for the coefficients.

        Parameters
        ----------
        X : array_like or CSR (n, d)
        y : array_like (n,) or (n, q)

        Returns
        -------
        FeatureRidge
            Itself.

        Raises
        ------
        ValueError, TypeError
            If a parameter is not what it should be, X, its features or y are not
            finite, or they have other lengths, or the ridge is below the rounding of
            ``F^T F``.

        Notes
        -----
        The cost is told above.

        Examples
        --------
        >>> FeatureRidge(ridge=1.0).fit([[1.0], [1.0]], [3.0, 3.0]).coef_.tolist()
        [2.0]
        """
        return self._learn(X, y, first=True)

    def partial_fit(self, X, y) -> FeatureRidge:
        """Add more points, and solve anew; the first ones are as for `fit`.

        Parameters
        ----------
        X : array_like or CSR (n, d)
        y : array_like (n,) or (n, q)

        Returns
        -------
        FeatureRidge
            Itself: up to rounding what `fit` makes of all points with the same map.

        Raises
        ------
        ValueError, TypeError
            As `fit`, and if X or y has other columns than the first ones had.

        Notes
        -----
        As `fit`, with n the points of this chunk: chunks of at least D points cost no
        more than all at once.

        Examples
        --------
        >>> model = FeatureRidge(ridge=1.0).partial_fit([[1.0]], [3.0])
        >>> model.partial_fit([[1.0]], [3.0]).coef_.tolist()
        [2.0]
        """
        return self._learn(X, y, first=not hasattr(self, "coef_"))

    def path(self, ridges) -> np.ndarray:
        """The coefficients for other ridges, from the same pass.

        Parameters
        ----------
        ridges : sequence of float, length r
            Above 0.

        Returns
        -------
        ndarray (r, D) or (r, D, q)

        Raises
        ------
        ValueError, TypeError
            If it was not fitted, or a ridge is not above 0, or below the rounding.

        Notes
        -----
        ``D^3 / 3`` operations for each.

        Examples
        --------
        >>> model = FeatureRidge().fit([[1.0], [1.0]], [3.0, 3.0])
        >>> model.path([1.0, 4.0]).tolist()
        [[2.0], [1.0]]
        """
        check_is_fitted(self)
        ridges = _checks.real_array(ridges, "ridges", 1)
        return np.array([self._solved(_checks.positive(r, "ridges")) for r in ridges])

    def predict(self, X) -> np.ndarray:
        """The predictions at points, ``F w``.

        Parameters
        ----------
        X : array_like or CSR (m, d)

        Returns
        -------
        ndarray (m,) or (m, q)

        Raises
        ------
        ValueError, TypeError
            If it was not fitted, or X is not finite, or has other columns than in
            `fit`.

        Notes
        -----
        Features of m points in blocks, and 2 m D operations.

        Examples
        --------
        >>> FeatureRidge(ridge=1.0).fit([[1.0]], [4.0]).predict([[3.0]]).tolist()
        [6.0]
        """
        check_is_fitted(self)
        X = validated(self, X, copy=False, reset=False)
        found = np.empty((X.shape[0], *self.coef_.shape[1:]))
        for rows, F in self._blocks(X):
            found[rows] = F.astype(np.float64, copy=False) @ self.coef_
        return found

    def _learn(self, X, y, first):
        """Add points to the sums, which begin with the first ones, and solve."""
        ridge = _checks.positive(self.ridge, "ridge")
        X = validated(self, X, copy=False, reset=first)
        y = targets(y, X.shape[0])
        if first:
            given = self.features
            self.features_ = None if given is None else unfitted(given).fit(X)
            D, *self._block = width_of(self.features_, X)
            self._gram = np.zeros((D, D), order="F")
            self._moment = np.zeros((D, *y.shape[1:]))
            self.n_points_seen_ = 0
        elif y.shape[1:] != self._moment.shape[1:]:
            raise ValueError(
                f"y: expected targets of shape {('n', *self._moment.shape[1:])}, as "
                f"those before, got {y.shape}"
            )
        for rows, F in self._blocks(X):
            self._add(F.astype(np.float64, copy=False), y[rows])
        self.coef_ = self._solved(ridge)
        return self

    def _blocks(self, X):
        step = self.block_rows
        if step is not None:
            step = _checks.integer(step, "block_rows")
        return feature_blocks(self.features_, X, *self._block, step)

    def _add(self, F, y):
        """Add to the sums; of ``F^T F`` the lower triangle, in place."""
        if sparse.issparse(F):
            product = (F.T @ F).tocoo()
            self._gram[product.row, product.col] += product.data
        else:
            F = np.ascontiguousarray(F)
            self._gram = dsyrk(1, F.T, 1, self._gram, lower=1, overwrite_c=1)
        self._moment += F.T @ y
        self.n_points_seen_ += F.shape[0]

    def _solved(self, ridge):
        """The coefficients, from the sums."""
        g = self._weights()
        if g is None:
            return regularised(self._gram.copy(order="F"), self._moment, ridge)
        scale = 1 / np.sqrt(g)
        A = self._gram * scale
        A *= scale[:, None]
        scale = scale.reshape(-1, *[1] * (self._moment.ndim - 1))
        return scale * regularised(A, scale * self._moment, ridge)

    def _weights(self):
        """The weights of the squared coefficients, or None for ones."""
        g, map, D = self.penalty, self.features_, len(self._gram)
        if g is None:
            return None
        if isinstance(g, str):
            _checks.choice(g, "penalty", ("rkhs",))
            if isinstance(getattr(map, "approximation_", None), Factored):
                return None  # orthonormal in the space of the kernel
            g = getattr(map, "penalty_", None)
            if g is None:
                raise ValueError(
                    "penalty: expected None, or weights of your own, for features "
                    "without weights (those of features.RandomFourierFeatures have "
                    f"some), got {self.penalty!r}"
                )
        g = _checks.as_array(g, "penalty")
        if g.shape != (D,) or g.dtype.kind not in "iuf" or not (g > 0).all():
            raise ValueError(
                f"penalty: expected {D} weights above 0, one for each feature, got "
                f"{_checks.shown(self.penalty)}"
            )
        return g.astype(np.float64)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.input_tags.sparse = True
        return input_tags_of(self.features, tags)
