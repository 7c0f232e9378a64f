"""A scikit-learn transformer: features whose inner products are the approximation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from nystheory import _checks
from nystheory.certificates import trace_certificate
from nystheory.features import _choice, _preimage
from nystheory.features._kernel import (
    OF_SPARSE,
    kernel_matrix,
    point_blocks,
    validated,
)


class NystromFeatures(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Features whose inner products are the Nyström approximation of a kernel.

    Stands where `sklearn.kernel_approximation.Nystroem` stands: the inner products of
    ``transform(X)`` and ``transform(Y)`` are ``k(X, S) W^+ k(S, Y)``, equation (2.2) of
    [1]_ at any points, with S the landmarks and W the kernel among them.

    Parameters
    ----------
    kernel : str or callable, default "rbf"
        ``"rbf"``, ``"linear"``, ``"laplacian"``, ``"polynomial"``, ``"poly"``,
        ``"cosine"``, ``"chi2"``; a function of two points that returns a number; or
        ``"precomputed"``: then `fit` takes K, (n, n), and `transform` the entries
        between new points and those of the fit, (m, n).  ``"sigmoid"`` and
        ``"additive_chi2"`` are not positive semidefinite, and an error.
    gamma : float or "scale", optional
        As for scikit-learn's kernel of that name (for ``"rbf"`` 1 / d by default, as in
        Nystroem); ``"scale"`` is 1 / (d Var X).  Other kernels ignore it.
    coef0, degree : float, optional
        Of the polynomial kernels; others ignore them.
    kernel_params : dict, optional
        More parameters, by name, above all of a function.
    landmarks : str or array_like, default "rp_cholesky"
        The name of a scheme of `sampling.SCHEMES`; or indices, (l,), of points of the
        fit; or points, (l, d), that need not be among them.
    n_landmarks : int, optional
        The number l of landmarks, 100 by default; with `tol` the most that may be
        taken, by default n.  Where there are fewer points all of them are taken, with a
        warning where the number was given.
    tol : float, optional
        Between 0 and 1: pivots are added, by ``"rp_cholesky"``, until the trace of the
        error is at most this share of the trace of K, before `rank` cuts any.
    rank : int, optional
        The number of features, at most l: those of the leading eigenpairs of
        ``C W^+ C^T``.  By default all, which is the numerical rank of W.
    fit_inverse : bool, default False
        Whether to learn `inverse_transform` as well.
    alpha : float, default 1e-3
        Ridge of that regression, relative to the mean eigenvalue of the covariance of
        the features.
    random_state : int, RandomState, Generator or None
        For the landmarks.  With an int s they are those that the scheme draws with
        ``numpy.random.default_rng(s)``.

    Attributes
    ----------
    approximation_ : LowRank
        Of the kernel matrix of the fit; ``approximation_.kernel.parameters`` has the
        parameters of the kernel.
    certificate_ : Estimate
        The trace of what it misses, from `certificates.trace_certificate`.
    landmarks_ : Landmarks
        As the scheme returned them.
    components_ : ndarray or sparse array (l, d)
        The landmarks as points; for a precomputed kernel W, (l, l).
    component_indices_ : ndarray (l,) or None
        Their indices, None where they are points of their own.
    n_features_out_ : int
        ``approximation_.rank``: the number of features.
    inverse_coef_, inverse_intercept_ : ndarray (k, d), ndarray (d,)
        With ``fit_inverse=True``.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    `fit` reads n l entries and costs O(n l^2) operations and n l words; the schemes
    tell what they ask for beside that.  With `tol` it is the same for the l that is
    reached: nothing is drawn twice.  Up to an eighth more columns (and at least 16) are
    asked for than are needed, beside the proposals that are rejected, n l entries at
    most as a rule, and while the factor grows it takes up to 3 n l words.
    The fitted object keeps the points and the factor, n (d + l) words, for what can be
    asked of `approximation_`: a pickle has them too.

    Singular W is harmless: a pivot below ``eps (tr W + 16 max W_ii)`` counts as zero,
    what rounding does to the smallest of the others stands in the certificate, and all
    tolerances are relative.  float32 points give float32 features.  Sparse points (CSR)
    are taken by all kernels but ``"chi2"``, and by functions that take sparse rows.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, equation (2.2).

    Examples
    --------
    >>> from sklearn.linear_model import RidgeClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from nystheory.datasets import digits
    >>> data = digits(600)
    >>> features = NystromFeatures(gamma="scale", tol=0.1, random_state=0)
    >>> model = make_pipeline(features, RidgeClassifier())
    >>> model = model.fit(data.X[:400], data.y[:400])
    >>> bool(model.score(data.X[400:], data.y[400:]) > 0.8)
    True
    >>> bool(features.certificate_.value <= 0.1 * 400)
    True
    """

    def __init__(
        self,
        kernel: str | Callable = "rbf",
        *,
        gamma=None,
        coef0=None,
        degree=None,
        kernel_params=None,
        landmarks="rp_cholesky",
        n_landmarks=None,
        tol=None,
        rank=None,
        fit_inverse=False,
        alpha=1e-3,
        random_state=None,
    ):
        self.kernel = kernel
        self.gamma = gamma
        self.coef0 = coef0
        self.degree = degree
        self.kernel_params = kernel_params
        self.landmarks = landmarks
        self.n_landmarks = n_landmarks
        self.tol = tol
        self.rank = rank
        self.fit_inverse = fit_inverse
        self.alpha = alpha
        self.random_state = random_state

    def fit(self, X, y=None) -> NystromFeatures:
        """Choose landmarks, and approximate the kernel matrix of X from them.

        Parameters
        ----------
        X : array_like or CSR (n, d)
            Points; K, (n, n), for a precomputed kernel.
        y : ignored
            For pipelines.

        Returns
        -------
        NystromFeatures
            Itself.

        Raises
        ------
        ValueError, TypeError, IndexError
            If a parameter is not what it should be, X is not finite or has masked
            entries, the kernel is shown not to be semidefinite, or the landmarks
            explain nothing of it.

        Warns
        -----
        FewerLandmarks
            If ``n_landmarks`` is above n, or the scheme finds fewer different points.
        UserWarning
            If `tol` is not reached.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> fitted = NystromFeatures("linear", landmarks=[0])
        >>> fitted = fitted.fit([[2.0, 0.0], [1.0, 1.0]])
        >>> fitted.approximation_, fitted.certificate_.value
        (LowRank(nystrom, n=2, l=1, rank=1), 1.0)
        """
        X = self._validated(X, reset=True)
        direct = {name: getattr(self, name) for name in ("gamma", "coef0", "degree")}
        K = kernel_matrix(X, self.kernel, direct, self.kernel_params)
        rng = _choice.generator(self.random_state)
        with _checks.told_as("K", "X" if self._precomputed() else "kernel"):
            self.landmarks_ = _choice.chosen(
                K, self.landmarks, self.n_landmarks, self.tol, rng
            )
            self.approximation_ = self._approximated(K)
            self.certificate_ = trace_certificate(K, self.approximation_)
        self._describe(X)
        self._learn_points(X)
        return self

    def fit_transform(self, X, y=None) -> np.ndarray:
        """`fit`, and the features of X: a copy of the factor.

        Parameters
        ----------
        X : array_like or CSR (n, d)
        y : ignored

        Returns
        -------
        ndarray (n, k)

        Raises
        ------
        ValueError, TypeError, IndexError
            As `fit`.

        Notes
        -----
        Costs n k words beside `fit`, and no entry: half of `fit` and `transform`.

        Examples
        --------
        >>> features = NystromFeatures("linear", landmarks=[0])
        >>> features.fit_transform([[2.0, 0.0], [1.0, 1.0]]).tolist()
        [[2.0], [1.0]]
        """
        factor = self.fit(X).approximation_.factor
        return np.array(factor, dtype=self.approximation_.kernel.dtype)

    def transform(self, X) -> np.ndarray:
        """The features of points.

        Parameters
        ----------
        X : array_like or CSR (m, d)
            For a precomputed kernel the entries between them and the points of the fit,
            (m, n), of which the columns of the landmarks are read.

        Returns
        -------
        ndarray (m, k)
            Of the type of X, float32 or float64.

        Raises
        ------
        ValueError, TypeError
            If X is not finite, has masked entries, or other columns than in `fit`.

        Notes
        -----
        Asks for m l entries; m l^2 operations, 2 m l k more with `rank`.

        Examples
        --------
        >>> features = NystromFeatures("linear", landmarks=[0])
        >>> features.fit([[2.0, 0.0], [1.0, 1.0]]).transform([[3.0, 5.0]]).tolist()
        [[3.0]]
        """
        check_is_fitted(self)
        X = self._validated(X, reset=False)
        near = self.approximation_
        blocks = point_blocks(near.kernel, X, len(self.landmarks_))
        rows = [near.transform(block) for _, block in blocks]
        F = rows[0] if len(rows) == 1 else np.concatenate(rows)
        return F.astype(X.dtype, copy=False)

    def inverse_transform(self, X) -> np.ndarray:
        """Points that have nearly these features: a linear regression.

        The ridge regression of the points of the fit on their features, as in
        scikit-learn's ``KernelPCA(fit_inverse_transform=True)``.  A kernel has no
        inverse: what comes back is a smoothed point, and need not have the features.

        Parameters
        ----------
        X : array_like (m, k)
            Features.

        Returns
        -------
        ndarray (m, d)

        Raises
        ------
        NotFittedError
            If it was not fitted with ``fit_inverse=True``.
        ValueError, TypeError
            If X is not finite or has not k columns.

        Notes
        -----
        Costs 2 m k d operations, and n k^2 + 2 n k d in `fit`.

        Examples
        --------
        >>> points = [[2.0, 0.0], [1.0, 1.0], [0.0, 2.0]]
        >>> features = NystromFeatures("linear", landmarks=[0, 2], fit_inverse=True)
        >>> features.inverse_transform(features.fit_transform(points)).round(2).tolist()
        [[2.0, 0.0], [1.0, 1.0], [0.0, 2.0]]
        """
        check_is_fitted(self)
        if not hasattr(self, "inverse_coef_"):
            raise NotFittedError(
                "fit_inverse: expected True before inverse_transform, got "
                f"{self.fit_inverse}; set it and fit again"
            )
        F = _checks.real_array(X, "X", 2)
        if F.shape[1] != self.n_features_out_:
            raise ValueError(
                f"X: expected {self.n_features_out_} features, got shape {F.shape}"
            )
        coef = self.inverse_coef_.astype(F.dtype, copy=False)
        return F @ coef + self.inverse_intercept_.astype(F.dtype, copy=False)

    def _validated(self, X, *, reset):
        # What is kept must not change with the user's array; K is not read again.
        return validated(self, X, copy=reset and not self._precomputed(), reset=reset)

    def _precomputed(self):
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def _approximated(self, K):
        """The approximation from the landmarks, which may be fewer than requested."""
        drawn, rank = self.landmarks_, self.rank
        if rank is not None:
            wanted = self.n_landmarks or (None if self.tol else _choice.DEFAULT)
            high = wanted if isinstance(self.landmarks, str) else len(drawn)
            rank = _checks.integer(rank, "rank", high=high, why="n_landmarks")
            rank = min(rank, len(drawn))
        return _choice.approximated(K, drawn, rank)

    def _describe(self, X):
        """What scikit-learn's Nystroem says of itself."""
        indices = self.landmarks_.indices
        points = self.landmarks_.points if indices is None else X[indices]
        if self._precomputed():
            points = points[:, indices]
        self.component_indices_, self.components_ = indices, points
        self.n_features_out_ = self._n_features_out = self.approximation_.rank

    def _learn_points(self, X):
        for name in ("inverse_coef_", "inverse_intercept_"):  # of an earlier fit
            self.__dict__.pop(name, None)
        if not _checks.truth(self.fit_inverse, "fit_inverse"):
            return
        if self._precomputed():
            raise ValueError(
                "fit_inverse: expected False for a precomputed kernel, which has no "
                "points to return to, got True"
            )
        alpha = _checks.positive(self.alpha, "alpha")
        F = self.approximation_.factor
        self.inverse_coef_, self.inverse_intercept_ = _preimage.regression(F, X, alpha)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        precomputed = self._precomputed()
        tags.input_tags.pairwise = precomputed
        tags.input_tags.sparse = (
            callable(self.kernel)
            or precomputed
            or (isinstance(self.kernel, str) and self.kernel in OF_SPARSE)
        )
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
