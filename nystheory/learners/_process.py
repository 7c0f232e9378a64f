"""Gaussian processes: the mean and the variance of what was not seen."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np
import scipy.linalg
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from nystheory import _checks
from nystheory.features._kernel import SparseKernel
from nystheory.learners._learner import Learner, targets


@dataclass(eq=False, repr=False)
class GaussianProcess(RegressorMixin, Learner):
    """Regression by a Gaussian process of mean zero: [1]_, chapters 2 and 8.

    Parameters
    ----------
    noise : float, default 1
        The variance of the noise, above 0: `alpha` of scikit-learn's
        GaussianProcessRegressor.
    method : {"auto", "exact", "nystrom", "inducing"}
        ``"nystrom"``: the approximate kernel ``phi(x)'phi(y)`` takes the place of k
        everywhere, in the fit and at new points.  ``"inducing"``: the same mean, and
        the variance that the landmarks do not see, ``k(x, x) - |phi(x)|^2``, is added;
        for an approximation that is known to be below K.
    kernel, gamma, coef0, degree, kernel_params
        What K is made with; see `Learner`.
    landmarks, n_landmarks, predict_with, random_state
        For an approximation; see `Learner`.
    features : transformer, optional
        A feature map in place of a kernel and its landmarks; see `Learner`.

    Attributes
    ----------
    dual_coef_ : ndarray (n,)
        ``(K + noise I)^-1 y``, with K or what it was replaced by.
    coef_ : ndarray (k,) or None
        With an approximation the weights of its features, ``F^T dual_coef_``.
    kernel_, approximation_, method_, n_features_in_, feature_names_in_
        As for every `Learner`.

    Notes
    -----
    Exact: ``n^3 / 3`` operations and n^2 words; a new point costs n entries and 2 n
    operations for the mean, n^2 for the variance.  With a factor F of m columns,
    ``n m^2`` and n m words, and a new point l entries and m^2 operations.  The means
    and variances, with ``A = F^T F + noise I`` and phi the features of a point:

    - exact: ``k_x' a``, and ``k(x, x) - k_x' (K + noise I)^-1 k_x``;
    - nystrom, and `features`: ``phi' A^-1 F^T y``, and ``noise phi' A^-1 phi``, the
      subset of regressors of [2]_, which is too sure of itself far from the landmarks;
    - inducing: the same mean, and ``k(x, x) - phi' phi + noise phi' A^-1 phi``, which
      deterministic training conditionals and the variational bound share.

    The variances are those of the function; an observation has `noise` more.  That of
    inducing points is no upper bound of the exact one: at the landmarks, among the
    points of the fit, it is at most the exact one, since the approximation is below K.

    References
    ----------
    .. [1] C. E. Rasmussen and C. K. I. Williams, "Gaussian Processes for Machine
       Learning", MIT Press, 2006, equations (2.25) and (2.26), and section 8.3.
    .. [2] J. Quiñonero-Candela and C. E. Rasmussen, "A Unifying View of Sparse
       Approximate Gaussian Process Regression", Journal of Machine Learning Research
       6, 2005.

    Examples
    --------
    >>> process = GaussianProcess(1.0, kernel="linear").fit([[1.0]], [2.0])
    >>> mean, deviation = process.predict([[1.0]], return_std=True)
    >>> mean.round(9).tolist(), (deviation**2).round(9).tolist()
    ([1.0], [0.5])
    """

    noise: float = 1.0
    _: KW_ONLY
    method: str = "auto"

    def fit(self, X, y) -> GaussianProcess:
        """Learn from points and targets.

        Parameters
        ----------
        X : array_like or CSR (n, d), KernelMatrix, LowRank or Ensemble
            Points; K, (n, n), for a precomputed kernel; or a kernel matrix or an
            approximation.
        y : array_like (n,)
            Targets.

        Returns
        -------
        GaussianProcess
            Itself.

        Raises
        ------
        ValueError, TypeError, IndexError
            If a parameter is not what it should be, X or y is not finite, or the noise
            is so small that K + noise I is not positive definite in float64.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> process = GaussianProcess(1.0, kernel="linear", landmarks=[0])
        >>> process.fit([[2.0], [1.0]], [1.0, 1.0]).dual_coef_.round(9).tolist()
        [0.0, 0.5]
        """
        noise = _checks.positive(self.noise, "noise")
        sampled = ("nystrom", "inducing")
        exact = self._take(X, self.method, sampled=sampled) == "exact"
        if self.method_ == "inducing" and not self.approximation_.below:
            raise ValueError(
                "X: expected an approximation that is known to be below K for "
                f"method='inducing', got {self.approximation_!r}, whose k(x, x) could "
                "be larger"
            )
        if exact and self.method_ == "features":
            raise ValueError(
                "features: expected dense ones for the variance of a process, got "
                f"sparse ones of {self.approximation_!r}; take learners.KernelRidge "
                "for the mean"
            )
        y = targets(y, self._n, several=False)
        if exact:
            core = self.kernel_.dense().astype(np.float64)
        else:
            F = self.approximation_.factor.astype(np.float64, copy=False)
            core = F.T @ F
        core[np.diag_indices_from(core)] += noise
        try:
            self._root = scipy.linalg.cholesky(core, lower=True, overwrite_a=True)
        except np.linalg.LinAlgError:
            raise ValueError(
                "noise: expected enough to make K + noise I positive definite in "
                f"float64, got {noise:.3g}"
            ) from None
        if exact:
            self.dual_coef_ = self._kept(scipy.linalg.cho_solve((self._root, True), y))
            self.coef_ = None
        else:
            weights = scipy.linalg.cho_solve((self._root, True), F.T @ y)
            self.dual_coef_ = self._kept((y - F @ weights) / noise)
            self.coef_ = self._kept(weights)
        return self

    def predict(
        self, X, return_std: bool = False, *, own: np.ndarray | None = None
    ) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """The mean at new points, and the standard deviation.

        Parameters
        ----------
        X : array_like or CSR (m, d)
            Points; rows k(x, x_i), (m, n), where K is stored.
        return_std : bool
            Whether the standard deviation comes, too.
        own : array_like (m,), optional
            The kernel of each new point with itself, k(x, x): for the deviation where K
            is stored, which does not know it; else None.

        Returns
        -------
        ndarray (m,), or two of them

        Raises
        ------
        ValueError, TypeError
            If it was not fitted, X is not finite or has other columns than in `fit`,
            k(x, x) is not known, or ``return_std`` is requested with
            ``predict_with="kernel"``, whose variance could be negative.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> process = GaussianProcess(0.01, landmarks=[0, 1], method="inducing")
        >>> process = process.fit([[0.0], [1.0]], [1.0, -1.0])
        >>> process.predict([[50.0]], return_std=True)[1].round(6).tolist()
        [1.0]
        """
        check_is_fitted(self)
        mean = self._combined(X, self.dual_coef_, self.coef_)
        own = self._own(own, len(mean))
        if not _checks.truth(return_std, "return_std"):
            return mean
        sampled = self.approximation_ is not None
        if sampled and not self._by_features():
            raise ValueError(
                "predict_with: expected 'approximation' with return_std=True, since "
                "the kernel at new points beside an approximate one among the others "
                f"may give a negative variance, got {self.predict_with!r}"
            )
        variance = np.zeros(len(mean))
        if self.method_ not in ("nystrom", "features"):
            variance += self._with_itself(X) if own is None else own
        blocks = self._feature_rows(X) if sampled else self._kernel_rows(X)
        for rows, block in blocks:
            block = block.astype(np.float64, copy=False)
            half = scipy.linalg.solve_triangular(self._root, block.T, lower=True)
            seen = np.einsum("ij,ij->j", half, half)
            if self.method_ == "inducing":
                variance[rows] -= np.einsum("ij,ij->i", block, block)
            variance[rows] += self.noise * seen if sampled else -seen
        return mean, self._kept(np.sqrt(np.maximum(variance, 0)))

    def _own(self, own, m):
        """What is given as k(x, x) for m new points, checked."""
        if own is None:
            return None
        if isinstance(self.kernel_, SparseKernel) or hasattr(self.kernel_, "on"):
            raise ValueError(
                f"own: expected None for {self.kernel_!r}, which knows the kernel of a "
                f"point with itself, got {_checks.shown(own)}"
            )
        own = _checks.real_array(own, "own", 1)
        if len(own) != m or (own < 0).any():
            raise ValueError(
                f"own: expected {m} numbers of at least 0, one for each new point, "
                f"got {_checks.shown(own)}"
            )
        return own

    def _with_itself(self, X):
        """k(x, x) for new points."""
        K, X = self.kernel_, self._new(X)
        if isinstance(K, SparseKernel):
            return SparseKernel(X, K.metric, K.parameters).diagonal()
        if not hasattr(K, "on"):
            raise ValueError(
                "own: expected the kernel of each new point with itself, which a "
                "stored K does not know, got None"
            )
        return K.on(X.toarray() if hasattr(X, "toarray") else X).diagonal()
