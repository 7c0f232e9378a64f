"""Kernel ridge regression: exact, and with few columns."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass

import numpy as np
import scipy.linalg
from scipy import sparse
from scipy.linalg.lapack import dpocon
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from nystheory import _checks
from nystheory.kernels import DenseKernel
from nystheory.learners._falkon import falkon
from nystheory.learners._learner import SMALL, Learner, targets
from nystheory.learners._restricted import (
    feature_weights,
    of_columns,
    own_columns,
    times,
)
from nystheory.learners._system import (
    Preconditioner,
    conjugate_gradients,
    iterated,
    scaled,
    share_of_one,
    unscaled,
)

SAMPLED = ("nystrom", "regressors", "preconditioned")


@dataclass(eq=False, repr=False)
class KernelRidge(RegressorMixin, Learner):
    """Kernel ridge regression: ``(K + ridge I) a = y``, with K or in place of it K~.

    Parameters
    ----------
    ridge : float, default 1.0
        In units of K, as scikit-learn's ``alpha``; the thesis's ``n lambda_0``, [1]_.
        At least 0; above 0 but for ``"exact"`` and ``"regressors"``.
    method : str, default "auto"
        ``"exact"`` factors ``K + ridge I``.  ``"nystrom"`` takes the approximation K~
        for K, by the Woodbury identity.  ``"regressors"`` gives a coefficient to each
        landmark and none to other points: `restricted`.  ``"preconditioned"`` solves
        the exact system by conjugate gradients with the approximation as
        preconditioner: `conjugate_gradients`.  ``"falkon"`` is ``"regressors"`` by
        conjugate gradients, without the n l words: `falkon`.  ``"auto"`` is one of the
        first two; see `Learner`.
    tol : float, default 1e-6
        Relative residual at which ``"preconditioned"`` and ``"falkon"`` stop.
    max_iterations : int, default 1000
        Iterations that it may take.
    kernel, gamma, coef0, degree, kernel_params
        What K is made with; see `Learner`.
    landmarks, n_landmarks, predict_with, random_state
        For the methods with landmarks; see `Learner`; ``"preconditioned"`` and
        ``"falkon"`` take ``10 sqrt(n)`` landmarks where no number is given.
    features : transformer, optional
        A feature map in place of a kernel and its landmarks; see `Learner`.

    Attributes
    ----------
    dual_coef_ : ndarray (n,) or (n, q)
        The a of ``sum_i a_i k(x, x_i)``; of ``"regressors"`` and ``"falkon"`` those of
        the landmarks, (l,) or (l, q).
    coef_ : ndarray (k,) or (k, q) or None
        Of ``"nystrom"`` the weights of the features, ``F^T a``.
    regressors_ : ndarray (l,) or (l, d) or None
        Of these two the landmarks whose coefficients `dual_coef_` are: indices, or
        points.
    n_iter_ : int or None
        Iterations of ``"preconditioned"``, ``"falkon"``, and of many sparse features.
    residual_ : float or None
        Their relative residual, computed from the solution.

    Notes
    -----
    `fit` costs, with k the rank of the approximation and l landmarks, and beside what
    the scheme costs that draws them:

    ==================  ======================  ============  ======================
    method              operations              words         predicts by entries
    ==================  ======================  ============  ======================
    ``exact``           n^3 / 3                 n^2           n
    ``nystrom``         2 n l^2                 n l           l
    ``regressors``      2 n l^2                 n l           l
    ``preconditioned``  2 n l^2 + 2 t n^2       n l           n
    ``falkon``          4 t n l + 4 l^3         6 l^2         l
    ==================  ======================  ============  ======================

    for t iterations.  ``"nystrom"``, ``"regressors"`` and ``"falkon"`` predict alike,
    but with ``predict_with="kernel"``: then ``"nystrom"`` uses its a with the kernel
    itself.  ``"falkon"`` keeps columns where they take no more than 2 GB, and computes
    n l entries in each iteration where they take more.  Its ``10 sqrt(n)`` landmarks
    are of the order, up to a logarithm, for which [2]_ proves that on random points
    nothing is lost beside the exact method at ridges of order ``sqrt(n)``.

    With `features`, D of a point, it costs ``2 n D min(n, D)`` operations and n D words
    beside what they cost themselves.  Sparse ones, s of them other than zero at a
    point, are never made dense: up to 5000 points, or D up to 5000, there is a matrix
    of ``min(n, D)^2`` words, which is factored; above, conjugate gradients without a
    preconditioner to `tol`, 4 n s operations for each of the t iterations.

    *Limits.*  Ridge 0 is an error where K is singular, up to rounding, since
    ``K a = y`` need not have a solution; of ``"regressors"`` it is least squares.  With
    a ridge far below ``|K - K~|_2`` what ``"nystrom"`` predicts with
    ``predict_with="kernel"`` grows as ``1 / ridge``.

    *Not checked:* that a kernel matrix, or K of a kernel of your own, is semidefinite.
    What shows it on the way is an error: of ``"exact"`` an eigenvalue below -ridge.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, sections 3.2 and 5.3.1.
    .. [2] A. Rudi, L. Carratino and L. Rosasco, "FALKON: An optimal large scale kernel
       method", Advances in Neural Information Processing Systems 30, 2017.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [3.0]], [0.0, 1.0, 3.0]
    >>> model = KernelRidge(0.1, kernel="linear").fit(X, y)
    >>> model.predict([[2.0]]).round(2).tolist()
    [1.98]
    >>> cheap = KernelRidge(0.1, kernel="linear", landmarks=[2]).fit(X, y)
    >>> cheap.method_, cheap.predict([[2.0]]).round(2).tolist()
    ('nystrom', [1.98])
    """

    ridge: float = 1.0
    _: KW_ONLY
    method: str = "auto"
    tol: float = 1e-6
    max_iterations: int = 1000

    def fit(self, X, y) -> KernelRidge:
        """Solve for the coefficients.

        Parameters
        ----------
        X : array_like or CSR (n, d), KernelMatrix, LowRank or Ensemble
            Points, K, or what K is replaced by.
        y : array_like (n,) or (n, q)

        Returns
        -------
        KernelRidge
            Itself.

        Raises
        ------
        ValueError, TypeError, IndexError
            If a parameter is not what it should be, X or y is not finite, they have
            other lengths, the kernel is shown not to be semidefinite, as above, or
            ridge is 0, or near to it, where it may not be.

        Warns
        -----
        NotConverged
            If ``"preconditioned"`` or ``"falkon"`` does not reach `tol` in
            `max_iterations`, as `conjugate_gradients`.
        FewerLandmarks
            If ``n_landmarks`` is above n, or the scheme finds fewer different points.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> from nystheory.kernels import linear
        >>> K = linear([[1.0], [2.0]])
        >>> KernelRidge(1.0).fit(K, [1.0, 2.0]).dual_coef_.round(9).tolist()
        [0.166666667, 0.333333333]
        """
        ridge = _checks.not_below_zero(self.ridge, "ridge")
        tol = share_of_one(self.tol, "tol")
        max_iterations = _checks.integer(self.max_iterations, "max_iterations")
        method = self._take(X, self.method, ("exact",), SAMPLED, ("falkon",))
        y = targets(y, self._n)
        if self.method_ not in ("exact", "regressors"):
            ridge = _above_zero(ridge, self.method_)
        self.coef_ = self.regressors_ = self.n_iter_ = self.residual_ = None
        if self.method_ == "features" and self._many_sparse():
            self._fit_sparse(ridge, y, tol, max_iterations)
        elif self.method_ == "features":
            self._fit_features(ridge, y)
        elif method == "exact":
            self.dual_coef_ = self._kept(_exact(self.kernel_, ridge, y))
        elif method == "nystrom":
            self._fit_features(ridge, y)
        elif method == "regressors":
            self._fit_regressors(ridge, y)
        elif method == "falkon":
            self._fit_falkon(ridge, y, tol, max_iterations)
        else:
            self._fit_exactly(ridge, y, tol, max_iterations)
        return self

    def predict(self, X) -> np.ndarray:
        """The predictions at points.

        Parameters
        ----------
        X : array_like or CSR (m, d)
            For a stored kernel the entries between them and the points of the fit,
            (m, n).

        Returns
        -------
        ndarray (m,) or (m, q)

        Raises
        ------
        ValueError, TypeError
            If X is not finite, or has other columns than in `fit`, or the approximation
            of the fit knows no new points.

        Notes
        -----
        Reads m n or m l entries, as stated above, in blocks of about 32 MB.

        Examples
        --------
        >>> model = KernelRidge(1.0, kernel="precomputed").fit([[1.0]], [2.0])
        >>> model.predict([[3.0]]).tolist()
        [3.0]
        """
        check_is_fitted(self)
        return self._combined(X, self.dual_coef_, self.coef_)

    def _fit_features(self, ridge, y):
        """With the approximation for K: weights of features, and the a behind them."""
        F = self.approximation_.factor
        weights = feature_weights(F, y, ridge)
        self.coef_ = self._kept(weights)
        self.dual_coef_ = self._kept((y - times(F, weights)) / ridge)

    def _fit_regressors(self, ridge, y):
        """With a coefficient for each landmark."""
        self.regressors_ = own_columns(self.approximation_)
        self.dual_coef_ = self._kept(of_columns(self.approximation_, y, ridge).x)

    def _fit_falkon(self, ridge, y, tol, max_iterations):
        """The same by conjugate gradients, without an approximation."""
        drawn = self._drawn("uniform")
        with _checks.told_as("K", self._told):
            found = falkon(
                *(self.kernel_, drawn, y, ridge),
                tol=tol,
                max_iterations=max_iterations,
            )
        self.regressors_ = drawn.points if drawn.indices is None else drawn.indices
        self.dual_coef_, self.n_iter_ = found.x, found.iterations
        self.residual_ = found.residual

    def _fit_exactly(self, ridge, y, tol, max_iterations):
        """By conjugate gradients, with the approximation as preconditioner."""
        if self.kernel_ is None:
            raise ValueError(
                "X: expected an approximation that knows its K for "
                f"method='preconditioned', got {self.approximation_!r}"
            )
        P = Preconditioner(self.approximation_, ridge)
        found = conjugate_gradients(
            self.kernel_, y, ridge, P, tol=tol, max_iterations=max_iterations
        )
        self.dual_coef_, self.n_iter_ = found.x, found.iterations
        self.residual_ = found.residual

    def _many_sparse(self) -> bool:
        """Whether a matrix of the features of points would be too large to factor."""
        F = self.approximation_.factor
        return sparse.issparse(F) and min(F.shape) > SMALL

    def _fit_sparse(self, ridge, y, tol, max_iterations):
        """By conjugate gradients, with sparse features in place of K."""
        F, (Y, powers) = self.approximation_.factor, scaled(y, "y")
        F = F.astype(np.float64, copy=False)
        found = iterated(
            lambda a: F @ (F.T @ a) + ridge * a, Y, lambda r: r, tol, max_iterations
        )
        self.dual_coef_ = unscaled(found.x, powers, y, "y")
        self.coef_ = self._kept(F.T @ self.dual_coef_)
        self.n_iter_, self.residual_ = found.iterations, found.residual

    def _by_features(self) -> bool:
        # With a preconditioner it is the exact system that was solved.
        return self.method_ in ("nystrom", "features") and super()._by_features()

    def _usual(self, n: int) -> int:
        if self.method_ in ("preconditioned", "falkon"):
            return 10 * math.isqrt(n)
        return super()._usual(n)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def _above_zero(ridge, method):
    """The ridge, if a system that is singular without has an inverse with it."""
    if ridge == 0:
        raise ValueError(
            f"ridge: expected a number above 0 for method={method!r}, whose system "
            "is singular without, got 0"
        )
    return _checks.positive(ridge, "ridge")


def _exact(K, ridge, y):
    """``(K + ridge I)^-1 y``, by the Cholesky factor."""
    A = K.dense().astype(np.float64, copy=False)
    size = float(np.abs(A).sum(axis=0).max())
    A[np.diag_indices_from(A)] += ridge
    try:
        factored = scipy.linalg.cho_factor(A, lower=True, overwrite_a=True)
        share, _ = dpocon(factored[0], size + ridge, uplo="L")
    except np.linalg.LinAlgError:
        share = 0.0
    digits = np.finfo(K.dtype).eps
    if share < digits:
        _refuse(K, ridge, enough=2 * K.n * digits * size)
    return scipy.linalg.cho_solve(factored, y)


def _refuse(K, ridge, enough):
    """K is not semidefinite where the ridge is above rounding, and else singular."""
    if ridge >= enough:
        raise ValueError(
            f"{'X' if isinstance(K, DenseKernel) else 'kernel'}: expected a positive "
            "semidefinite K, got one that is not: it has an eigenvalue below -ridge, "
            f"{-ridge:.3g}, up to rounding"
        )
    raise ValueError(
        f"ridge: expected a number above {enough:.2g}, the rounding of K, since K is "
        f"singular up to it, or not semidefinite, got {ridge:.3g}"
    )
