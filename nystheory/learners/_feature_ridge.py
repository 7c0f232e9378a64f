"""Ridge regression on features of any map, in one pass over blocks of points."""

from __future__ import annotations

import copy
import warnings
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg.blas import dsymm, dsyrk
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from nystheory import _checks
from nystheory.features import NystromFeatures
from nystheory.features._kernel import validated
from nystheory.features._random import all_or_nothing
from nystheory.kernels import row_blocks
from nystheory.learners._features import (
    SQUARES,
    feature_blocks,
    input_tags_of,
    of_map,
    unfitted,
    width_of,
)
from nystheory.learners._learner import targets
from nystheory.learners._restricted import regularised
from nystheory.sampling._landmarks import _calls_inside

# Parts of the points, by which a ridge is chosen.
FOLDS = 5
# A smaller weight would leave the feature without one.
SMALLEST = 1e-300
# With a smaller share the ridge leaves nothing of the features that is of use.
LEAST_SHARE = 1e-3


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
    ridge : float or sequence of float, default 1.0
        Above 0, in the units of ``F^T F``, as of `KernelRidge`.  Of several the one
        with the least mean squared error in a cross-validation of five folds is taken,
        in the same pass.
    penalty : None, "rkhs" or array_like (D,), optional
        The weights g: ones; or those with which the sum is the squared norm in the
        space of the kernel, as stated below; or your own, above 0.  A feature with an
        infinite weight gets the coefficient 0.
    block_rows : int, optional
        Points whose features are made at a time, by default those of about 32 MB.

    Attributes
    ----------
    features_ : transformer or None
        The map, fitted.
    coef_ : ndarray (D,) or (D, q)
        w, in float64.
    ridge_ : float
        The ridge that was taken.
    errors_ : ndarray (r, 5) or None
        Of several ridges the mean squared errors, at the points that were left out.
    n_points_seen_ : int
        The number of points in the sums.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    `fit` takes ``n D^2 + D^3 / 3`` operations beside what the features cost, and 2 D^2
    words beside a block of features.  To choose among r ridges takes
    ``5 r D^3 / 3`` operations more, and 8 D^2 words: the sums of each fold are kept,
    in a pickled model too, and those of the others are added up.  A point is in the
    fold of its number modulo 5, so points that follow one another should not be nearly
    the same.  The map sees all points, but no target.

    Sums are in float64, whatever the points are.  X may be a memory-map: float32 and
    float64 are read in place, other numbers are converted whole.  There is no
    intercept, as in `KernelRidge`: subtract the mean of y.  Beside a mean much larger
    than the errors these are lost in the rounding of ``|y|^2``, with a warning.  For
    several classes take a column of y for each, 1 where a point is of the class and -1
    elsewhere; the class is that of the largest prediction.

    The map is fitted by `fit` on all points, at its own cost: random Fourier features
    need no more than the number of coordinates, `features.NystromFeatures` takes
    n (d + l) words.  `partial_fit` fits it on the first chunk: landmarks, or bins, are
    those of the first chunk.  A map that was fitted before, on a sample of the points
    say, stays as it is in ``sklearn.frozen.FrozenEstimator(map)``.

    That ``F^T F`` is formed leaves a relative error of order ``eps |F|^2 / ridge``; a
    ridge below this rounding is an error where ``F^T F`` is singular.  Sparse features
    stay sparse, but ``F^T F`` does not: for tens of thousands of them take
    ``KernelRidge(features=...)``.

    *One problem.*  Kernel ridge regression, (3) of [1]_, minimises over all functions f
    in the space of the kernel, with ``ridge |f|^2`` beside the errors.  Nyström and
    random Fourier features restrict it to the span of their basis functions, to ``f =
    sum_i w_i phi_i``, and ``"rkhs"`` takes for ``|f|^2`` the weighted sum.

    - Basis functions of Nyström features are orthonormal in the space: ``|f|^2`` is the
      sum of ``w_i^2``, the weights are ones, and (7) is (3) restricted, Proposition 2.
    - A sine or cosine of frequency u has the weight ``p(0) / p(u)``, with p the density
      of frequencies, which the map knows as its `penalty_`: ``exp(sigma^2 |u|^2 / 2)``
      for the Gaussian kernel, Proposition 1.  That is a formal computation, since on
      R^d no such function is in the space.  It is right, up to one factor for all of
      them, for the periodic kernel on a torus and different frequencies of its lattice
      other than 0.  With weights of one, (4), it is the kernel that is approximated.

    The weights span many orders of magnitude, and are about ``exp(d / 2)`` for the
    Gaussian kernel in d dimensions: take a ridge as much smaller.  With one that leaves
    nothing of the features there is a warning, and an error where no weight is a number
    of float64.  The problem is solved for features that
    are divided by the roots of their weights.  In [1]_ random features are not divided
    by the root of the number m of their frequencies, and the errors are averaged: its
    lambda, for squared errors, is ``2 m ridge / n`` in (4) and (6), and ``2 ridge / n``
    in (7).

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
            finite, or they have other lengths, or ``F^T F`` is singular and the ridge
            below its rounding.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> FeatureRidge(ridge=1.0).fit([[1.0], [1.0]], [3.0, 3.0]).coef_.tolist()
        [2.0]
        """
        with all_or_nothing(self):
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
            As `fit`, and if X or y has other columns than the first ones had.  The
            model is then as it was before.

        Notes
        -----
        As `fit`, with n the points of this chunk: chunks of at least D points cost up
        to a third more than all at once.  The sums are copied.  Ridge and penalty are
        those of now; a map that was changed is not: take `fit`, which begins anew.

        Examples
        --------
        >>> model = FeatureRidge(ridge=1.0).partial_fit([[1.0]], [3.0])
        >>> model.partial_fit([[1.0]], [3.0]).coef_.tolist()
        [2.0]
        """
        with all_or_nothing(self):
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
            If it was not fitted, or a ridge is not above 0, or ``F^T F`` is singular
            and a ridge below its rounding.

        Notes
        -----
        ``D^3 / 3`` operations for each, with the weights of the last fit.

        Examples
        --------
        >>> model = FeatureRidge().fit([[1.0], [1.0]], [3.0, 3.0])
        >>> model.path([1.0, 4.0]).tolist()
        [[2.0], [1.0]]
        """
        check_is_fitted(self)
        ridges = _several(ridges, "ridges")
        with _checks.told_as("ridge", "ridges"):
            return np.array(_solved(_total(self._sums), self._scale, ridges))

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
        ridges = self._ridges()
        X = validated(self, X, copy=False, reset=first)
        y = targets(y, X.shape[0])
        if first:
            self._begin(X, y, FOLDS if len(ridges) > 1 else 1)
        self._check_more(y, len(ridges))
        self._scale = self._weights(len(self._sums[0].gram))
        if not first:  # an error below must leave those before
            self._sums = copy.deepcopy(self._sums)
        for rows, F in self._blocks(X):
            self._add(F.astype(np.float64, copy=False), y[rows])
        self.ridge_, self.errors_ = ridges[0], None
        if len(ridges) > 1:
            self.errors_ = self._left_out(ridges)
            self.ridge_ = ridges[int(self.errors_.mean(axis=1).argmin())]
        whole = _total(self._sums)
        self.coef_ = _solved(whole, self._scale, [self.ridge_])[0]
        _check_share(whole, self._scale, self.ridge_)
        return self

    def _ridges(self):
        """The ridge that is given, or those among which one is chosen."""
        if np.ndim(self.ridge) == 0:
            return [_checks.positive(self.ridge, "ridge")]
        ridges = _several(self.ridge, "ridge")
        if len(ridges) == 1:
            raise ValueError(
                "ridge: expected a number, or several to choose from, got one in a "
                f"sequence, {self.ridge!r}"
            )
        return ridges

    def _begin(self, X, y, folds):
        """Fit the map; nothing is added up yet."""
        given = self.features
        self.features_ = None if given is None else unfitted(given)
        if given is not None:
            with of_map(given, X):
                self.features_.fit(X, None)
        D, *self._block = width_of(self.features_, X)
        self._sums = [_Sums.none(D, y.shape[1:]) for _ in range(folds)]
        self.n_points_seen_ = 0

    def _check_more(self, y, ridges):
        """Raise unless y, and the number of ridges, go with what is there."""
        shape = self._sums[0].moment.shape[1:]
        if y.shape[1:] != shape:
            raise ValueError(
                f"y: expected targets of shape {('n', *shape)}, as those before, got "
                f"{y.shape}"
            )
        if ridges > len(self._sums) == 1:
            raise ValueError(
                f"ridge: expected a number, as for the points before, got {self.ridge}"
            )
        n = self.n_points_seen_ + len(y)
        if ridges > 1 and n < FOLDS:
            raise ValueError(
                f"ridge: expected a number for fewer than {FOLDS} points, by which "
                f"none is chosen, got {self.ridge} and n_samples = {n}"
            )

    def _blocks(self, X):
        step = self.block_rows
        if step is not None:
            step = _checks.integer(step, "block_rows")
        D = len(self._sums[0].gram)
        for rows, F in feature_blocks(self.features_, X, *self._block, step):
            if F.shape[1] != D:
                raise ValueError(
                    f"features: expected {D} for every point, got {F.shape[1]} of a "
                    "block; the map must give as many for any rows"
                )
            yield rows, F

    def _add(self, F, y):
        """Add a block to the sums, to those of each fold its part."""
        folds = len(self._sums)
        for fold, sums in enumerate(self._sums):
            part = slice((fold - self.n_points_seen_) % folds, None, folds)
            sums.add(F[part], y[part])
        self.n_points_seen_ += len(y)

    def _left_out(self, ridges):
        """Mean squared errors for each ridge at each fold, (r, folds)."""
        errors, rounding = [], 0.0
        for fold in self._sums:
            others = _total([each for each in self._sums if each is not fold])
            found = _solved(others, self._scale, ridges)
            errors.append([fold.error(w) for w in found])
            rounding += fold.rounding(found[0]) / FOLDS
        errors = np.transpose(errors)
        _check_errors(float(errors.mean(axis=1).min()), rounding)
        return errors

    def _weights(self, D):
        """``1 / sqrt(g)``, with 0 for infinite weights, or None for weights of one."""
        g, map = self.penalty, _last_step(self.features_)
        if g is None:
            return None
        if isinstance(g, str):
            _checks.choice(g, "penalty", ("rkhs",))
            if isinstance(map, NystromFeatures):
                return None  # they are orthonormal in the space of the kernel
            if hasattr(map, "log_penalty_"):  # what its exponential has not, it has
                return np.exp(-np.asarray(map.log_penalty_) / 2)
            g = getattr(map, "penalty_", None)
            if g is None:
                raise ValueError(
                    "penalty: expected None, or weights of your own, for features "
                    "without `penalty_`, which features.RandomFourierFeatures has, got "
                    f"{self.penalty!r} and {type(map).__name__}"
                )
        g = _checks.as_array(g, "penalty")
        if g.shape != (D,) or g.dtype.kind not in "iuf" or not (g >= SMALLEST).all():
            raise ValueError(
                f"penalty: expected {D} weights of at least {SMALLEST}, one for each "
                f"feature, got {_checks.shown(self.penalty)}"
            )
        return 1 / np.sqrt(g.astype(np.float64))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.input_tags.sparse = True
        return input_tags_of(self.features, tags)


@dataclass
class _Sums:
    """Of points: ``F^T F``, its lower triangle, ``F^T y``, ``|y|^2`` and how many."""

    gram: np.ndarray
    moment: np.ndarray
    squares: float
    n: int

    @classmethod
    def none(cls, D, shape):
        """Of no points."""
        try:
            gram = np.zeros((D, D), order="F")
        except MemoryError:
            raise MemoryError(
                f"features: expected few enough for D^2 words, got D = {D}; for sparse "
                "ones take KernelRidge(features=...)"
            ) from None
        return cls(gram, np.zeros((D, *shape)), 0.0, 0)

    def add(self, F, y):
        """Add points, in place."""
        with np.errstate(over="ignore", invalid="ignore"):  # it is told later
            if sparse.issparse(F):
                self._add_sparse(F)
            else:
                F = np.ascontiguousarray(F)
                self.gram = dsyrk(1, F.T, 1, self.gram, lower=1, overwrite_c=1)
            self.moment += F.T @ y
            self.squares += float(np.vdot(y, y))
        self.n += len(y)

    def _add_sparse(self, F):
        """In parts whose products have few entries."""
        entries = -(-F.nnz // max(1, F.shape[0]))
        for rows in row_blocks(F.shape[0], entries**2):
            product = (F[rows].T @ F[rows]).tocoo()
            self.gram[product.row, product.col] += product.data

    def error(self, w):
        """The mean squared error of ``F w`` for y."""
        W, b = w.reshape(len(w), -1), self.moment.reshape(len(w), -1)
        found = self.squares + np.vdot(W, dsymm(1, self.gram, W, lower=1) - 2 * b)
        return max(float(found), 0.0) / (self.n * W.shape[1])

    def rounding(self, w):
        """By how much `error` is off, about: of terms that may cancel."""
        terms = self.squares + 2 * abs(float(np.vdot(w, self.moment)))
        return 4 * float(np.finfo(float).eps) * terms / (self.n * (w.size // len(w)))


def _total(sums):
    """The sums of all points."""
    if len(sums) == 1:
        return sums[0]
    return _Sums(
        sum(each.gram for each in sums),
        sum(each.moment for each in sums),
        sum(each.squares for each in sums),
        sum(each.n for each in sums),
    )


def _solved(sums, scale, ridges):
    """The coefficients for each ridge: v / sqrt(g), with v of weights of one."""
    _check_sums(sums)
    if scale is None:
        return [regularised(sums.gram.copy("F"), sums.moment, r) for r in ridges]
    scale_rows = scale.reshape(-1, *[1] * (sums.moment.ndim - 1))
    found = []
    for ridge in ridges:
        with np.errstate(over="ignore"):
            A, right = sums.gram * scale, scale_rows * sums.moment
            A *= scale[:, None]
        if not (np.isfinite(A.trace()) and np.isfinite(right).all()):
            raise ValueError(
                "penalty: expected weights by whose roots the features can be divided "
                f"in float64, got one of {scale.max() ** -2.0:.3g}"
            )
        found.append(scale_rows * regularised(A, right, ridge))
    return found


def _last_step(map):
    """The map that makes the features, in a pipeline or frozen."""
    if isinstance(map, FrozenEstimator):
        return _last_step(map.estimator)
    return _last_step(map.steps[-1][1]) if isinstance(map, Pipeline) else map


def _check_share(sums, scale, ridge):
    """Warn if the weights leave nothing of the features beside the ridge.

    The predictions at the points are no longer than this share of y.
    """
    if scale is None or not sums.gram.trace():
        return
    if not scale.any():
        raise ValueError(
            "penalty: expected at least one weight that leaves its feature a "
            "coefficient in float64, got only larger ones; take penalty=None, or fewer "
            "dimensions"
        )
    left = float(sums.gram.diagonal() @ np.square(scale))
    share = left / ridge
    if share < LEAST_SHARE and scale.max() < 1:
        lower = f"a ridge far below {left:.1g}, or " if left > SMALLEST else ""
        warnings.warn(
            "penalty: expected weights that leave more of the features than "
            f"{LEAST_SHARE:g} of the ridge, got {share:.1g}: all coefficients are "
            f"nearly 0; take {lower}penalty=None",
            stacklevel=_calls_inside() + 1,
        )


def _check_errors(least, rounding):
    """Warn if the squared errors do not tell one ridge from another."""
    if least < rounding:
        warnings.warn(
            f"y: expected mean squared errors above their rounding {rounding:.1e}, got "
            f"{least:.1e}: they do not tell which ridge is best; subtract the mean of "
            "y, if it is large",
            stacklevel=_calls_inside() + 1,
        )


def _check_sums(sums):
    """Raise if float64 has not their size."""
    if not np.isfinite(sums.gram.trace()):
        raise ValueError(SQUARES)
    if not (np.isfinite(sums.squares) and np.isfinite(sums.moment).all()):
        raise ValueError(
            "y: expected numbers whose squares can be summed in float64, got larger "
            "ones"
        )


def _several(values, name):
    """Numbers above 0, at least one."""
    values = _checks.real_array(values, name, 1)
    if not len(values):
        raise ValueError(f"{name}: expected at least one number above 0, got none")
    return [_checks.positive(each, name) for each in values]
