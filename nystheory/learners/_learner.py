"""What all learners share: the one door for K, targets, and predictions in blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, column_or_1d

from nystheory import _checks
from nystheory.features import _choice
from nystheory.features._kernel import (
    OF_SPARSE,
    SparseKernel,
    kernel_matrix,
    point_blocks,
    validated,
)
from nystheory.kernels import DenseKernel, KernelMatrix
from nystheory.kernels._base import is_kernel
from nystheory.learners._features import Mapped, fit_map, input_tags_of
from nystheory.lowrank import Factored

# Up to as many points all of K is factored where no method is chosen: 200 MB.
SMALL = 5000
SCHEME = "rp_cholesky"
PREDICT_WITH = ("approximation", "kernel")
# Coefficients of a size between this and its inverse are numbers of float32.
TINY = 1e-30
DIRECT = ("gamma", "coef0", "degree")
# What a feature map leaves no room for.
TOLD_BY_FEATURES = (
    *("kernel", *DIRECT, "kernel_params"),
    *("landmarks", "n_landmarks", "predict_with"),
)


@dataclass(eq=False, repr=False, kw_only=True)
class Learner(BaseEstimator):
    """What all learners share: where K comes from, and how it predicts.

    A base class, which has no `fit` of its own: take one of those that inherit from it.

    `fit` takes as X points, (n, d), of which `kernel` makes a kernel matrix; or a
    kernel matrix of `kernels`; or an approximation of one, of `lowrank` or `ensemble`.
    Model selection, such as scikit-learn's ``GridSearchCV``, takes rows out of X and
    needs points, or an array with ``kernel="precomputed"``.

    Parameters
    ----------
    kernel : str or callable, default "rbf"
        As for `features.NystromFeatures`: a name, a function of two points, or
        ``"precomputed"``, with which `fit` takes K, (n, n), and `predict` the entries
        between new points and those of the fit, (m, n).  A kernel matrix or an
        approximation as X brings its own.
    gamma : float or "scale", optional
    coef0, degree : float, optional
    kernel_params : dict, optional
        Parameters of the kernel, as for `features.NystromFeatures`.
    landmarks : str or array_like, optional
        The name of a scheme of `sampling.SCHEMES`; or indices, (l,), of points of the
        fit; or points, (l, d), that need not be among them.  A learner with a `ridge`
        takes ``"bless"``, too, with this ridge as its alpha.  By default they are drawn
        by ``"rp_cholesky"``; for ``"falkon"``, which has not the n l words that it
        takes, by ``"uniform"``.
    n_landmarks : int, optional
        The number l of landmarks, 100 by default.
    predict_with : {"approximation", "kernel"}
        What a learner with an approximation predicts with at new points: the features
        of the approximation, for which it reads l entries a point; or the kernel
        itself, n entries, as section 5.3 of [1]_ has it.
    random_state : int, RandomState, Generator or None
        For the landmarks; a map of `features` has its own.
    features : transformer, optional
        A feature map, of `features` or scikit-learn's, that is copied and fitted on the
        points.  With F the features of the points, ``F F^T`` takes the place of K.

    Attributes
    ----------
    kernel_ : KernelMatrix or None
        K; None of an approximation that was made by hand, and of `features`, but where
        the exact method takes their ``F F^T``.
    approximation_ : LowRank, Ensemble, Mapped or None
        What K was replaced by; None where it was not.  Of `features` its `factor` is F,
        and its `transformer` the map that was fitted.
    method_ : str
        The method that was followed; ``"features"`` where they were given.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    The method ``"auto"`` is the exact one for K that is stored, of any size, and for up
    to 5000 points; it is ``"nystrom"`` for more, for an approximation, and where
    `n_landmarks` or landmarks of your own are given.  Landmarks that would not be used,
    by an exact method or beside an approximation, are an error.

    *Features* stand for a kernel and its landmarks: what else would tell of these is an
    error, and so is a method.  With D features of a point what is said of the
    approximation holds with D for l, and nothing has n^2 words where D is below n.
    Sparse features stay sparse: `KernelRidge`, and classifiers and `KernelSVR` with D
    up to n, solve with them as they are, in D^2 words at most; else the exact method
    takes their ``F F^T`` for K, at its usual cost, n^2 words.

    Points of float32 give coefficients and predictions of float32; systems are summed
    and solved in float64.  What a certificate is of stays in float64: the dual
    coefficients of support vectors, with their duality gap, and those of the methods
    ``"preconditioned"`` and ``"falkon"``, with their residual.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010.

    Examples
    --------
    >>> from nystheory.learners import KernelRidge
    >>> KernelRidge(kernel="linear").get_params()["kernel"]
    'linear'
    """

    kernel: Any = "rbf"
    gamma: Any = None
    coef0: Any = None
    degree: Any = None
    kernel_params: Any = None
    landmarks: Any = None
    n_landmarks: Any = None
    predict_with: Any = "approximation"
    random_state: Any = None
    features: Any = None
    # Whether the method for an approximation takes a sparse factor, too.
    _in_sparse = False

    # --- The one door ---------------------------------------------------------------

    def _take(
        self, X, method: str, exact=("exact",), sampled=("nystrom",), columns=()
    ) -> str:
        """Take X, and return the method: one of `exact`, of `sampled` or of `columns`.

        Afterwards `kernel_` is K and, for a method that samples, `approximation_` what
        it is replaced by.  Those of `columns` draw landmarks of their own, by `_drawn`.
        The first of the others are what "auto" stands for.
        """
        _checks.choice(method, "method", ("auto", *exact, *sampled, *columns))
        _checks.choice(self.predict_with, "predict_with", PREDICT_WITH)
        if self.features is not None:
            return self._take_features(X, method, exact[0], sampled[0])
        handed = X if isinstance(X, Factored) else None
        self.kernel_ = handed.kernel if handed is not None else self._kernel_of(X)
        if handed is not None:
            self._not_of_points(handed.kernel, handed.n)
        if method == "auto":
            method = (sampled if self._samples(handed) else exact)[0]
        if handed is not None and method not in sampled:
            raise ValueError(
                f"X: expected points or a kernel matrix for method={method!r}, which "
                f"asks for K itself, got {handed!r}; pass its `kernel`"
            )
        if handed is not None:
            self._no_landmarks("an approximation, which has its own landmarks")
        elif method in exact:
            self._no_landmarks(f"method={method!r}, which takes no landmarks")
        self.method_, self.approximation_ = method, handed
        if method in sampled and handed is None:
            self.approximation_ = self._sampled()
        return method

    def _take_features(self, X, method, exact, sampled) -> str:
        """The same with a feature map, whose sparse features are points of a kernel."""
        self._only_features(X, method)
        X = validated(self, X, copy=False, reset=True)
        self.method_, self.kernel_ = "features", None
        self.approximation_ = Mapped(*fit_map(self.features, X))
        F = self.approximation_.factor
        if not sparse.issparse(F) or (self._in_sparse and F.shape[1] <= F.shape[0]):
            return sampled
        self.kernel_ = SparseKernel(F, "linear", {})
        return exact

    def _only_features(self, X, method):
        """What describes another kernel is not given beside a feature map."""
        reason = "features, which bring their own kernel"
        if is_kernel(X) or isinstance(X, Factored):
            raise TypeError(f"X: expected points for {reason}, got {X!r}")
        for name in (*TOLD_BY_FEATURES, "method"):
            usual = "auto" if name == "method" else getattr(type(self), name)
            given = method if name == "method" else getattr(self, name)
            if given is not usual and not (isinstance(given, str) and given == usual):
                raise ValueError(
                    f"{name}: expected the default {usual!r} for {reason}, got "
                    f"{_checks.shown(given)}"
                )

    def _kernel_of(self, X) -> KernelMatrix:
        """The kernel matrix of points, or the one that X is."""
        if is_kernel(X):
            self._not_of_points(X, X.n)
            return X
        stored = isinstance(self.kernel, str) and self.kernel == "precomputed"
        # What is kept must not change with the user's array; K is not read again.
        X = validated(self, X, copy=not stored, reset=True)
        direct = {name: getattr(self, name) for name in DIRECT}
        return kernel_matrix(X, self.kernel, direct, self.kernel_params)

    def _not_of_points(self, K, n):
        """What scikit-learn keeps of points, for a kernel matrix that was handed."""
        for name in (*DIRECT, "kernel_params"):
            if getattr(self, name) is not None:
                raise ValueError(
                    f"{name}: expected None for a kernel matrix or an approximation, "
                    f"which has its own kernel, got {getattr(self, name)!r}"
                )
        self.__dict__.pop("feature_names_in_", None)
        points = getattr(K, "points", None)
        self.n_features_in_ = n if points is None else points.shape[1]

    def _no_landmarks(self, reason):
        """None may be given, for this reason."""
        if self.n_landmarks is not None:
            raise ValueError(
                f"n_landmarks: expected None for {reason}, got {self.n_landmarks!r}"
            )
        if self._own_landmarks():
            raise ValueError(
                f"landmarks: expected None or {SCHEME!r} for {reason}, got "
                f"{_checks.shown(self.landmarks)}"
            )

    def _own_landmarks(self) -> bool:
        """Whether landmarks were given that are not the default."""
        named = isinstance(self.landmarks, str)
        return self.landmarks is not None and not (named and self.landmarks == SCHEME)

    def _samples(self, handed) -> bool:
        """Whether "auto" means to sample."""
        if handed is not None or self.n_landmarks is not None or self._own_landmarks():
            return True
        return self.kernel_.n > SMALL and not isinstance(self.kernel_, DenseKernel)

    def _usual(self, n: int) -> int:
        """The number of landmarks where none is given."""
        return _choice.DEFAULT

    def _sampled(self):
        """The approximation of K from landmarks that are drawn now."""
        drawn = self._drawn()
        with _checks.told_as("K", self._told):
            return _choice.approximated(self.kernel_, drawn)

    def _drawn(self, usual: str = SCHEME):
        """Landmarks that are drawn now, by the scheme `usual` where none is given."""
        landmarks = usual if self.landmarks is None else self.landmarks
        count, n = self.n_landmarks, self.kernel_.n
        if count is None and isinstance(landmarks, str):
            count = min(self._usual(n), n)
        rng = _choice.generator(self.random_state)
        with _checks.told_as("K", self._told):
            ridge = getattr(self, "ridge", None)
            return _choice.chosen(self.kernel_, landmarks, count, None, rng, ridge)

    @property
    def _told(self) -> str:
        """What the user gave K with."""
        return "X" if isinstance(self.kernel_, DenseKernel) else "kernel"

    @property
    def _dtype(self) -> np.dtype:
        """The type of K, that of the points."""
        told = self.kernel_
        if told is None and self.approximation_ is not None:
            told = self.approximation_.factor
        return np.dtype(getattr(told, "dtype", np.float64))

    def _kept(self, coef: np.ndarray) -> np.ndarray:
        """What was solved for in float64, in the type of the points.

        A prediction is a sum of ``coef_i k(x, x_i)``: to round the coefficients does to
        it what rounding the entries has done already.  They stay in float64 where
        float32 has not their size.
        """
        largest = float(np.abs(coef).max(initial=0.0))
        if largest and not TINY < largest < 1 / TINY:
            return coef
        return coef.astype(self._dtype, copy=False)

    @property
    def _n(self) -> int:
        """The number of points of the fit."""
        return (self.approximation_ if self.kernel_ is None else self.kernel_).n

    # --- New points -----------------------------------------------------------------

    def _by_features(self) -> bool:
        """Whether new points are known by their features."""
        return self.approximation_ is not None and self.predict_with != "kernel"

    def _new(self, X):
        """New points, checked: rows k(x, x_i) where K is stored."""
        check_is_fitted(self)
        if not hasattr(self.kernel_, "between"):
            raise ValueError(
                "X: expected no new points for an approximation that was made by hand, "
                f"or a kernel without points, {self.kernel_!r}, got some"
            )
        return validated(self, X, copy=False, reset=False)

    def _kernel_rows(self, X, own=None) -> Iterator[tuple[slice, np.ndarray]]:
        """Blocks of ``k(x, x_i)`` for new points: slices, and (b, n) or (b, l).

        `own` are indices of points of the fit, or points; by default all of the fit.
        """
        X, own = self._new(X), np.arange(self._n) if own is None else own
        for rows, block in point_blocks(self.kernel_, X, own.shape[0]):
            with _checks.told_as("others", "X"):
                yield rows, self.kernel_.between(block, own)

    def _feature_rows(self, X) -> Iterator[tuple[slice, np.ndarray]]:
        """Blocks of features of new points: slices, and (b, k)."""
        near = self.approximation_
        if isinstance(near, Mapped):
            yield from near.rows(validated(self, X, copy=False, reset=False))
            return
        if not hasattr(near, "transform") or getattr(near, "_rows", True) is None:
            expected = "X: expected no new points"
            if self.kernel_ is not None:
                expected = "predict_with: expected 'kernel'"
            raise ValueError(
                f"{expected} for {near!r}, which has no features for new points"
            )
        X = self._new(X)
        for rows, block in point_blocks(self.kernel_, X, _width(near)):
            yield rows, near.transform(block)

    def _in_blocks(self, blocks, map: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """``map`` of each block of rows, one below the other."""
        parts = [map(rows) for _, rows in blocks]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _times(self, blocks, coef: np.ndarray) -> np.ndarray:
        """``rows @ coef``, in the type of both; in float64 where that overflows."""

        def product(rows):
            with np.errstate(over="ignore", invalid="ignore"):
                found = rows.astype(coef.dtype, copy=False) @ coef
            if np.isfinite(found).all():
                return found
            return rows.astype(np.float64) @ coef.astype(np.float64)

        return self._in_blocks(blocks, product)

    def _combined(self, X, dual, weights=None) -> np.ndarray:
        """``sum_i dual_i k(x, x_i)`` at new points: (m,) or (m, q).

        With features Phi it is ``Phi(x) weights``, and weights are ``F^T dual``; with
        regressors the sum is over these.
        """
        check_is_fitted(self)
        own = getattr(self, "regressors_", None)
        if own is not None:
            return self._kept(self._times(self._kernel_rows(X, own), dual))
        if self._by_features():
            if weights is None:
                weights = self.approximation_.factor.T @ dual
            columns = self._of_landmarks(weights)
            if columns is None:
                return self._times(self._feature_rows(X), self._kept(weights))
            rows = self._kernel_rows(X, self.approximation_._columns)
            return self._times(rows, self._kept(columns))
        own = np.flatnonzero(dual if dual.ndim == 1 else dual.any(axis=1))
        rows = self._kernel_rows(X, own if len(own) else np.arange(1))
        dual = dual[own] if len(own) else np.zeros_like(dual[:1])
        return self._times(rows, self._kept(dual))

    def _of_landmarks(self, weights):
        """A coefficient for each landmark, l operations a point and not l^2; or None.

        They may be so large that they lose digits which the features keep.
        """
        rows = getattr(self.approximation_, "_rows", None)
        if rows is None:
            return None
        columns = rows.columns(weights)
        return columns if rows.steady(weights, columns) else None

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        named = isinstance(self.kernel, str)
        tags.input_tags.pairwise = named and self.kernel == "precomputed"
        tags.input_tags.sparse = (
            not named or tags.input_tags.pairwise or self.kernel in OF_SPARSE
        )
        return input_tags_of(self.features, tags)


def _width(near) -> int:
    """Entries of K, or features, that one new point takes."""
    if hasattr(near, "experts"):
        return max(near.rank, *map(_width, near.experts))
    return max(near.rank, near._columns.shape[0])


# --- What is learned ------------------------------------------------------------------


def targets(y, n: int, *, several: bool = True) -> np.ndarray:
    """`y` as finite real numbers, (n,) or, where there may be several, (n, q).

    Examples
    --------
    >>> targets([1, 2], 3)
    Traceback (most recent call last):
    ValueError: y: expected 3 targets, one for each point, got shape (2,)
    """
    y = _there(y)
    if sparse.issparse(y):
        raise TypeError(
            f"y: expected a dense array, got a sparse one of shape {y.shape}; pass "
            "y.toarray()"
        )
    y = _checks.as_array(_checks.without_words(y, "y"), "y")
    if y.ndim == 2 and not several:
        y = column_or_1d(y, warn=True)
    y = _checks.real_array(y, "y", 2 if several and y.ndim == 2 else 1)
    if len(y) != n or y.size == 0:
        raise ValueError(
            f"y: expected {n} targets, one for each point, got shape {y.shape}"
        )
    return y.astype(np.float64, copy=False)


def two_classes(y, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The two labels, (2,), in order, and -1 for the first and 1 for the second, (n,).

    Examples
    --------
    >>> two_classes(["b", "a", "b"], 3)
    (array(['a', 'b'], dtype='<U1'), array([ 1., -1.,  1.]))
    >>> two_classes([1, 1], 2)
    Traceback (most recent call last):
    ValueError: y: expected labels of two classes, got one class: 1
    """
    y = labels_of(y, n)
    labels, which = np.unique(y, return_inverse=True)
    if len(labels) == 1:
        raise ValueError(
            f"y: expected labels of two classes, got one class: {labels[0]}"
        )
    if len(labels) > 2:
        raise ValueError(
            f"y: expected labels of two classes, got {len(labels)}. Only binary "
            "classification is supported. The type of the target is "
            f"{type_of_target(y)}; wrap it in sklearn.multiclass.OneVsRestClassifier"
        )
    return labels, 2.0 * which - 1


def labels_of(y, n: int, of: str = "two classes") -> np.ndarray:
    """`y` as labels, words among them, in one dimension, (n,).

    Examples
    --------
    >>> labels_of([1, 2], 3)
    Traceback (most recent call last):
    ValueError: y: expected 3 labels, one for each point, got 2
    """
    y = _there(y)
    if np.ma.is_masked(y):
        raise ValueError("y: expected no masked labels; drop these points")
    y = column_or_1d(y, warn=True)
    if y.dtype.kind == "O":
        words = [isinstance(each, (str, bytes)) for each in y]
        if any(words) and not all(words):
            kinds = sorted({type(each).__name__ for each in y})
            raise TypeError(
                f"y: expected labels of one type, got {' and '.join(kinds)}"
            )
        y = y if any(words) else _checks.as_array(y, "y")
    if y.dtype.kind == "f":
        y = _checks.real_array(y, "y", 1)
    if y.dtype.kind in "SO" and any(isinstance(each, bytes) for each in y):
        raise TypeError("y: expected labels that are no bytes, got some that are")
    with np.errstate(invalid="ignore"):  # it tries them as integers
        kind = type_of_target(y)
    if kind not in ("binary", "multiclass"):
        raise ValueError(
            f"y: expected labels of {of}, got {kind} values (Unknown label "
            f"type: {kind})"
        )
    if len(y) != n or n == 0:
        raise ValueError(f"y: expected {n} labels, one for each point, got {len(y)}")
    return y


def _there(y):
    """`y`, which may not be None."""
    if y is None:
        raise ValueError(
            "y: expected one for each point: this learner requires y to be passed, but "
            "the target y is None"
        )
    return y
