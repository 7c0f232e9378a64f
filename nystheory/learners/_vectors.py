"""Support vector machines for classes and for numbers, without offset."""

from __future__ import annotations

import math
import warnings
from dataclasses import KW_ONLY, dataclass

import numpy as np
from scipy import sparse
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from nystheory import _checks
from nystheory.learners._boxes import Exact, InFactors, Program, solved
from nystheory.learners._classifier import Classifier
from nystheory.learners._learner import Learner, targets, two_classes
from nystheory.learners._system import NotConverged


@dataclass(eq=False, repr=False)
class KernelSVC(Classifier):
    """A support vector machine without offset: section 5.3.2 of [1]_.

    Minimises ``|h|^2 / 2 + C sum_i max(0, 1 - y_i h(x_i))``, equation (5.35) with
    ``C = C_0 / n``, through its dual, with a certificate of how near it is.

    Parameters
    ----------
    C : float, default 1
        The weight of the errors, above 0.
    method : {"auto", "exact", "nystrom"}
        With ``"nystrom"`` the approximation ``F F^T`` takes the place of K.
    tol : float, default 1e-8
        The duality gap is at most this share of ``n C``, the primal value at h = 0.
    max_iter : int, default 100
        Steps of the interior point method that may be taken.
    kernel, gamma, coef0, degree, kernel_params
        What K is made with; see `Learner`.
    landmarks, n_landmarks, predict_with, random_state
        For an approximation; see `Learner`.
    features : transformer, optional
        A feature map in place of a kernel and its landmarks; see `Learner`.

    Attributes
    ----------
    classes_ : ndarray (2,)
        The labels in order: y is -1 for the first and 1 for the second.
    dual_coef_ : ndarray (n,)
        ``y_i alpha_i`` with ``0 <= alpha_i <= C``.
    support_ : ndarray
        The points whose coefficient is not zero.
    duality_gap_ : float
        The primal value at ``h = sum_i dual_coef_[i] k(x_i, .)`` minus the dual value:
        for a semidefinite K by no more is either from the optimum.
    n_iter_ : int
        Steps of the interior point method.
    coef_ : ndarray (k,) or None
        With an approximation the weights of its features, ``F^T dual_coef_``.
    kernel_, approximation_, method_, n_features_in_, feature_names_in_
        As for every `Learner`.

    Notes
    -----
    Mehrotra's interior point method on the dual, then one step of Newton's on the
    coefficients off the boundary, which makes the others exactly 0 or C.  There are
    some 10 to 30 steps, and more for large C or n.  A step costs ``n^3 / 3 + 4 n^2``
    operations exactly, and ``n k^2`` with a factor of k columns, by the Woodbury
    identity, never n^2 words; one more factorisation shows whether K has an eigenvalue
    below ``-sqrt(eps)`` of its largest entry, eps that of its numbers.

    The gap is a sum of terms of at least zero, evaluated in float64, whatever way led
    to the coefficients; rounding keeps it above some eps n C max(K) of the value at
    zero.  scikit-learn's SVC has an offset, and so another solution.  Where K is
    singular the coefficients may not be unique; the values of h at the points of the
    fit are.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 5.3.2.

    Examples
    --------
    >>> machine = KernelSVC(kernel="linear").fit([[1.0], [-1.0], [3.0]], [1, 0, 1])
    >>> machine.dual_coef_.round(6).tolist(), machine.support_.tolist()
    ([0.5, -0.5, 0.0], [0, 1])
    """

    C: float = 1.0
    _: KW_ONLY
    method: str = "auto"
    tol: float = 1e-8
    max_iter: int = 100
    _in_sparse = True

    def fit(self, X, y) -> KernelSVC:
        """Learn from points and labels.

        Parameters
        ----------
        X : array_like or CSR (n, d), KernelMatrix, LowRank or Ensemble
            Points; K, (n, n), for a precomputed kernel; or a kernel matrix or an
            approximation.
        y : array_like (n,)
            Labels of two classes.

        Returns
        -------
        KernelSVC
            Itself.

        Raises
        ------
        ValueError, TypeError, IndexError
            If a parameter is not what it should be, X is not finite, K has a negative
            eigenvalue, or there is one class, or more than two.

        Warns
        -----
        NotConverged
            If `tol` is not reached.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> machine = KernelSVC(10.0, kernel="linear").fit([[1.0], [-1.0]], [1, 0])
        >>> machine.predict([[0.5]]).tolist()
        [1]
        """
        C = _checks.positive(self.C, "C")
        exact = self._take(X, self.method) == "exact"
        self.classes_, signs = two_classes(y, self._n)
        _solve(self, signs[None], np.ones((1, self._n)), C, exact)
        return self


@dataclass(eq=False, repr=False)
class KernelSVR(RegressorMixin, Learner):
    """Support vector regression without offset: section 5.3.3 of [1]_.

    Minimises ``|h|^2 / 2 + C sum_i max(0, |y_i - h(x_i)| - epsilon)`` with
    ``C = C_0 / n``, through its dual, with a certificate of how near it is.

    Parameters
    ----------
    C : float, default 1
        The weight of the errors, above 0.
    epsilon : float, default 0.1
        Errors up to this cost nothing; at least 0.
    method : {"auto", "exact", "nystrom"}
        With ``"nystrom"`` the approximation ``F F^T`` takes the place of K.
    tol : float, default 1e-8
        The duality gap is at most this share of the primal value at h = 0.
    max_iter : int, default 100
        Steps of the interior point method that may be taken.
    kernel, gamma, coef0, degree, kernel_params
        What K is made with; see `Learner`.
    landmarks, n_landmarks, predict_with, random_state
        For an approximation; see `Learner`.
    features : transformer, optional
        A feature map in place of a kernel and its landmarks; see `Learner`.

    Attributes
    ----------
    dual_coef_ : ndarray (n,)
        From -C to C.
    support_ : ndarray
        The points whose coefficient is not zero.
    duality_gap_ : float
        The primal value at ``h = sum_i dual_coef_[i] k(x_i, .)`` minus the dual value:
        for a semidefinite K by no more is either from the optimum.
    n_iter_ : int
        Steps of the interior point method.
    coef_ : ndarray (k,) or None
        With an approximation the weights of its features, ``F^T dual_coef_``.
    kernel_, approximation_, method_, n_features_in_, feature_names_in_
        As for every `Learner`.

    Notes
    -----
    As `KernelSVC`, and at its cost.  Where all targets are within epsilon of zero the
    solution is h = 0.  There is no offset: targets should be centred first.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 5.3.3.

    Examples
    --------
    >>> machine = KernelSVR(kernel="linear", epsilon=0.5).fit([[1.0], [2.0]], [1, 2])
    >>> machine.predict([[4.0]]).round(6).tolist()
    [3.0]
    """

    C: float = 1.0
    _: KW_ONLY
    epsilon: float = 0.1
    method: str = "auto"
    tol: float = 1e-8
    max_iter: int = 100
    _in_sparse = True

    def fit(self, X, y) -> KernelSVR:
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
        KernelSVR
            Itself.

        Raises
        ------
        ValueError, TypeError, IndexError
            If a parameter is not what it should be, X or y is not finite, or K has a
            negative eigenvalue.

        Warns
        -----
        NotConverged
            If `tol` is not reached.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> KernelSVR(epsilon=2.0).fit([[1.0], [2.0]], [1, -2]).dual_coef_.tolist()
        [0.0, 0.0]
        """
        C = _checks.positive(self.C, "C")
        epsilon = _checks.not_below_zero(self.epsilon, "epsilon")
        exact = self._take(X, self.method) == "exact"
        y = targets(y, self._n, several=False)
        signs = np.array([[1.0], [-1.0]]) * np.ones_like(y)
        _solve(self, signs, signs * y - epsilon, C, exact)
        return self

    def predict(self, X) -> np.ndarray:
        """The values at new points.

        Parameters
        ----------
        X : array_like or CSR (m, d)
            Points; rows k(x, x_i), (m, n), where K is stored.

        Returns
        -------
        ndarray (m,)
            ``sum_i dual_coef_[i] k(x, x_i)``, or the same with the approximate kernel,
            as `predict_with` has it.

        Raises
        ------
        ValueError, TypeError
            If it was not fitted, or X is not finite or has other columns than in `fit`.

        Notes
        -----
        Asks for m entries for each support vector, or m l with the features of an
        approximation.

        Examples
        --------
        >>> machine = KernelSVR(100, kernel="linear", epsilon=0).fit([[1.0]], [2.0])
        >>> machine.predict([[3.0]]).round(6).tolist()
        [6.0]
        """
        check_is_fitted(self)
        return self._combined(X, self.dual_coef_, self.coef_)


def _solve(learner, signs, q, C, exact):
    """Solve the dual, and write down what it is."""
    tol = _checks.positive(learner.tol, "tol")
    max_iter = _checks.integer(learner.max_iter, "max_iter")
    if exact:
        K, unit = _stored(learner.kernel_)
    else:
        K, unit = scaled_factor(learner.approximation_.factor)
    size = _power_of_4(float(np.abs(q).max()))
    width = C / size * unit
    if not 0 < width < math.inf:
        raise ValueError(
            "C: expected a float64 times the largest entry of K over that of y, got "
            f"{C:.3g} times {unit:.1g} over {size:.1g}"
        )
    program = Program(K, signs, q / size, width)
    z, gap, learner.n_iter_ = solved(program, tol, max_iter)
    learner.duality_gap_ = gap * size * (size / unit)
    learner.dual_coef_ = program.beta(z) * (size / unit)
    learner.support_ = np.flatnonzero(learner.dual_coef_)
    near = learner.approximation_
    learner.coef_ = None if near is None else near.factor.T @ learner.dual_coef_
    start = C * float(np.maximum(q, 0).sum())
    if learner.duality_gap_ > tol * start:
        warnings.warn(
            f"tol: expected a duality gap of at most {tol:.3g} of the value at zero, "
            f"{start:.3g}, got {learner.duality_gap_:.3g} after "
            f"{learner.n_iter_} steps",
            NotConverged,
            stacklevel=3,
        )


def scaled_factor(F):
    """``F F^T`` over a power of 4, whose largest entry is then 1 to 4; this power."""
    F = F.astype(np.float64, copy=False)
    if sparse.issparse(F):
        largest = float((F * F).sum(axis=1).max())
    else:
        largest = float(np.einsum("ij,ij->i", F, F).max())
    unit = _power_of_4(largest)
    return InFactors(F / np.sqrt(unit)), unit


def _stored(K):
    """The same of K itself."""
    stored = K.dense()
    unit = _power_of_4(float(stored.diagonal().max()))
    K = Exact(stored.astype(np.float64, copy=False) / unit)
    if not K.semidefinite(np.sqrt(np.finfo(stored.dtype).eps)):
        raise ValueError(
            "X: expected a kernel matrix that is positive semidefinite, got one with a "
            "negative eigenvalue"
        )
    return K, unit


def _power_of_4(largest):
    """The power of 4 that is at most `largest`; 1 where that is not above zero."""
    return 4.0 ** math.floor(math.log2(largest) / 2) if largest > 0 else 1.0
