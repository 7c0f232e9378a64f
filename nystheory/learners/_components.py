"""Kernel principal components, of K or of what it was replaced by."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np
import scipy.linalg
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.extmath import svd_flip
from sklearn.utils.validation import check_is_fitted

from nystheory import _checks
from nystheory.kernels._base import FEW, digits
from nystheory.learners._learner import Learner


@dataclass(eq=False, repr=False)
class KernelPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Learner):
    """Kernel principal components: section 5.3.5 of [1]_.

    Parameters
    ----------
    n_components : int, optional
        The number k of components; fewer are kept where fewer eigenvalues are above
        zero, up to rounding: n eps of float64 and 16 eps of the numbers of K or F,
        times ``|K|_F``, which is not centred here.  By default all of these.
    centre : bool, default True
        Whether the mean is subtracted in the space of features, as in scikit-learn.
        The thesis takes a sample whose mean is zero there: with False it is taken as
        it is.
    method : {"auto", "exact", "nystrom"}
        With ``"nystrom"`` the approximation ``F F^T`` takes the place of K.
    kernel, gamma, coef0, degree, kernel_params
        What K is made with; see `Learner`.
    landmarks, n_landmarks, predict_with, random_state
        For an approximation; see `Learner`; here `transform` is what predicts.
        ``predict_with="kernel"`` takes ``k(x, x_i)`` for points of the fit, too, and
        subtracts their mean: n^2 entries in `fit`.
    features : transformer, optional
        A feature map in place of a kernel and its landmarks; see `Learner`.

    Attributes
    ----------
    eigenvalues_ : ndarray (k,)
        The largest eigenvalues sigma of the (centred) kernel matrix, largest first.
    eigenvectors_ : ndarray (n, k)
        Their orthonormal eigenvectors u, in the signs of scikit-learn.
    dual_coef_ : ndarray (n, k)
        ``u / sqrt(sigma)``: new points are projected by (5.51).
    coef_ : ndarray (m, k) or None
        With an approximation the weights of its features, ``F^T dual_coef_``.
    residual_ : float
        The empirical residual, the sum of the other eigenvalues over n: (5.52).
    kernel_, approximation_, method_, n_features_in_, feature_names_in_
        As for every `Learner`.

    Notes
    -----
    Exact: all eigenvalues of K, some 10 n^3 operations and n^2 words.  From a factor of
    m columns: its singular values, some 6 n m^2 operations and 5 n m words.  The
    residual of an approximation is that of its own features, not what its components
    miss of the true ones; it lies within ``(1 - k / n) |K - K~|_2`` of that of K
    (Proposition 5.4), which holds for the centred matrices, too, since centring does
    not lengthen the difference.

    Of an approximation below K, as columns without `rank` give one, the trace
    certificate c says more: each eigenvalue of K is at least the one here and at most c
    above it, and the residual of K at most c / n above the one here.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, equations (5.51) and (5.52).

    Examples
    --------
    >>> components = KernelPCA(1, kernel="linear").fit([[0.0, 0.0], [2.0, 0.0]])
    >>> components.eigenvalues_.round(9).tolist(), round(components.residual_, 9)
    ([2.0], 0.0)

    How far are the components of 40 columns from those of all?

    >>> from nystheory import certificates, datasets
    >>> X = datasets.digits(200).X
    >>> few = KernelPCA(2, gamma="scale", n_landmarks=40, random_state=0).fit(X)
    >>> surely = certificates.trace_certificate(few.kernel_, few.approximation_)
    >>> exact = KernelPCA(2, gamma="scale", method="exact").fit(X)
    >>> more = exact.eigenvalues_ - few.eigenvalues_
    >>> bool(0 <= more.min() and more.max() <= surely.value)
    True
    >>> bool(0 <= exact.residual_ - few.residual_ <= surely.value / 200)
    True
    """

    n_components: int | None = None
    _: KW_ONLY
    centre: bool = True
    method: str = "auto"

    def fit(self, X, y=None) -> KernelPCA:
        """Find the components.

        Parameters
        ----------
        X : array_like or CSR (n, d), KernelMatrix, LowRank or Ensemble
            Points; K, (n, n), for a precomputed kernel; or a kernel matrix or an
            approximation.
        y : ignored
            For pipelines.

        Returns
        -------
        KernelPCA
            Itself.

        Raises
        ------
        ValueError, TypeError, IndexError
            If a parameter is not what it should be, X is not finite, all its points are
            the same up to rounding, or K has a negative eigenvalue.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> KernelPCA(kernel="linear").fit([[3.0], [1.0]]).transform([[5.0]]).tolist()
        [[3.0]]
        """
        self.fit_transform(X)
        return self

    def transform(self, X) -> np.ndarray:
        """The projections of new points onto the components: (5.51) of [1]_.

        Parameters
        ----------
        X : array_like or CSR (m, d)
            Points; rows k(x, x_i), (m, n), where K is stored.

        Returns
        -------
        ndarray (m, k)

        Raises
        ------
        ValueError, TypeError
            If it was not fitted, or X is not finite or has other columns than in `fit`.

        Notes
        -----
        Asks for m n entries, or m l with the features of an approximation.

        References
        ----------
        .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
           thesis, New York University, 2010.

        Examples
        --------
        >>> components = KernelPCA(kernel="linear", centre=False).fit([[2.0], [1.0]])
        >>> components.transform([[3.0]]).round(9).tolist()
        [[3.0]]
        """
        check_is_fitted(self)
        return self._combined(X, self.dual_coef_, self.coef_) - self._offset

    def fit_transform(self, X, y=None) -> np.ndarray:
        """`fit`, and the projections of the points of the fit.

        Parameters
        ----------
        X : array_like or CSR (n, d), KernelMatrix, LowRank or Ensemble
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
        Costs n k operations beside `fit`.  With an approximation they are those of its
        own features, or with ``predict_with="kernel"`` those of `transform`.

        Examples
        --------
        >>> KernelPCA(kernel="linear").fit_transform([[3.0], [1.0]]).round(9).tolist()
        [[1.0], [-1.0]]
        """
        centre = _checks.truth(self.centre, "centre")
        exact = self._take(X, self.method) == "exact"
        if not exact and not self._by_features() and self.kernel_ is None:
            raise ValueError(
                "X: expected an approximation that knows its kernel for "
                f"predict_with='kernel', got {X!r}"
            )
        k = self.n_components
        if k is not None:
            k = _checks.integer(k, "n_components", high=self._n, why="points")
        values, U, means, rounding = (
            self._exact(centre) if exact else self._of_factor(centre)
        )
        kept = values > rounding
        if not kept.any():
            raise ValueError(
                f"X: expected points with a component, got features of {self._n} "
                f"{'sample' if self._n == 1 else 'samples'} that are all "
                + ("the same" if centre else "zero")
                + ", up to rounding"
            )
        kept[len(kept) if k is None else k :] = False
        self.eigenvalues_, self.residual_ = values[kept], _share(values[~kept], self._n)
        self.eigenvectors_, _ = svd_flip(U[:, kept], None)
        self.dual_coef_ = self.eigenvectors_ / np.sqrt(self.eigenvalues_)
        self.coef_ = None if exact else self.approximation_.factor.T @ self.dual_coef_
        self._n_features_out = len(self.eigenvalues_)
        if exact or self._by_features():
            offset = means @ self.dual_coef_
            projected = self.eigenvectors_ * np.sqrt(self.eigenvalues_)
        else:
            projected = self.kernel_ @ self.dual_coef_
            offset = projected.mean(axis=0)
            projected -= offset if centre else 0.0
        self._offset = self._kept(offset if centre else np.zeros(len(offset)))
        for name in ("eigenvalues_", "eigenvectors_", "dual_coef_", "coef_"):
            if (found := getattr(self, name)) is not None:
                setattr(self, name, self._kept(found))
        return self._kept(projected)

    def _exact(self, centre):
        """Eigenvalues, largest first, eigenvectors, the mean of the columns, rounding.

        What rounding may make of an eigenvalue of zero is relative to K before its mean
        was subtracted.
        """
        K = self.kernel_.dense()
        eps, size = digits(K), float(np.linalg.norm(K))
        K = K.astype(np.float64)
        means = K.mean(axis=0)
        if centre:
            K += means.mean() - means - means[:, None]
        values, U = scipy.linalg.eigh(K, overwrite_a=True)
        if values[0] < -np.sqrt(eps) * size:
            raise ValueError(
                "X: expected a kernel matrix that is positive semidefinite, got an "
                f"eigenvalue of {values[0]:.3g}"
            )
        return values[::-1], U[:, ::-1], means, self._rounding(eps) * size

    def _of_factor(self, centre):
        """Eigenvalues, eigenvectors, mean and rounding of ``F F^T``, m or n of them.

        The other n - m eigenvalues are zero.
        """
        F = self.approximation_.factor
        eps = digits(F)
        F = F.astype(np.float64)
        mean, size = F.mean(axis=0), float(np.linalg.norm(F.T @ F))
        U, sizes, _ = scipy.linalg.svd(F - mean if centre else F, full_matrices=False)
        return sizes**2, U, F @ mean, self._rounding(eps) * size

    def _rounding(self, eps):
        """What an eigenvalue of zero may become, in units of the Frobenius norm.

        Sums of n numbers are in float64; entries, of K or of F, are off by a few eps of
        their own type, whatever n is.
        """
        return self._n * digits(None) + FEW * eps


def _share(values, n):
    """Their sum over n; rounding below zero is zero."""
    return float(np.maximum(values, 0).sum()) / n
