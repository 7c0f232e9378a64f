"""Logistic regression with a kernel."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass

import numpy as np
import scipy.linalg
from scipy.special import expit

from nystheory import _checks
from nystheory.learners._classifier import Classifier
from nystheory.learners._falkon import Columns, of_columns
from nystheory.learners._learner import two_classes
from nystheory.learners._newton import minimised, pull
from nystheory.lowrank import best_rank_k

PENALTIES = ("kernel", "coefficients")


@dataclass(eq=False, repr=False)
class KernelLogistic(Classifier):
    """Logistic regression with scores ``K a`` and a ridge.

    Minimises ``-l(a)`` plus the ridge, where l is the log-likelihood (3.11) of [1]_:
    ``ridge / 2 a'K a``, or ``ridge / 2 a'a``, with which it is the empirical kernel map
    of section 3.2.1.

    Parameters
    ----------
    ridge : float, default 1
        The ridge lambda, above 0: 1 / C of scikit-learn's LogisticRegression.
    method : {"auto", "exact", "nystrom", "falkon"}
        With ``"nystrom"`` the approximation ``F F^T`` takes the place of K.  With
        ``"falkon"`` each landmark has a coefficient and other points have none, which
        has the same minimum, and is found without n l words: `logistic_falkon`.
    penalty : {"kernel", "coefficients"}
        ``a'K a``, the squared norm of the function; or ``a'a``, that of the
        coefficients, but for ``"falkon"``.
    tol : float, default 1e-8
        The gradient is at most this share of its length at zero.
    max_iter : int, default 100
        Steps of Newton's method that may be taken.
    kernel, gamma, coef0, degree, kernel_params
        What K is made with; see `Learner`.
    landmarks, n_landmarks, predict_with, random_state
        For an approximation; see `Learner`; ``"falkon"`` takes ``10 sqrt(n)``
        landmarks where no number is given.
    features : transformer, optional
        A feature map in place of a kernel and its landmarks; see `Learner`.

    Attributes
    ----------
    classes_ : ndarray (2,)
        The labels in order; probabilities are those of the second.
    dual_coef_ : ndarray (n,) or (l,)
        The coefficients a; with the kernel's penalty (y - s) / ridge, with s the
        probabilities and y the labels as 0 and 1.  Of ``"falkon"`` those of the
        landmarks.
    regressors_ : ndarray (l,) or (l, d) or None
        Of ``"falkon"`` the landmarks: indices, or points.
    n_iter_ : int
        Steps of Newton's method.
    objective_ : float
        The value that was minimised.
    coef_ : ndarray (k,) or None
        With an approximation the weights of its features, ``F^T dual_coef_``.
    kernel_, approximation_, method_, n_features_in_, feature_names_in_
        As for every `Learner`.

    Notes
    -----
    It works in the coordinates of a factor: scores F w and penalty ``ridge / 2 w'w``,
    with F of the approximation, or of K itself.  Exact: about 10 n^3 operations for the
    factor (none with ``"coefficients"``) and ``n^3 + n^3 / 3`` a step, n^2 words.
    From l columns: ``n l^2 + l^3 / 3`` a step and 3 n l words, 5 n l with
    ``"coefficients"``, never n^2.  By ``"falkon"`` 4 n l and n l entries a step of an
    iteration inside, in 6 l^2 words, and those of columns up to 2 GB.  The minimum is
    unique, and Newton's method with its line search, `newton`, ends there from zero.
    A constant column is not added: there is no intercept.

    The Nyström-Newton method of section 3.2.1, which takes columns of the Hessian in
    each step and not of K, is `newton` with its `columns`.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, equations (3.11) to (3.16).

    Examples
    --------
    >>> from nystheory.datasets import digits
    >>> data = digits(400)
    >>> small = data.y < 5
    >>> model = KernelLogistic(0.1, gamma="scale", n_landmarks=60, random_state=0)
    >>> model = model.fit(data.X[:300], small[:300])
    >>> bool(model.score(data.X[300:], small[300:]) > 0.85)
    True
    """

    ridge: float = 1.0
    _: KW_ONLY
    method: str = "auto"
    penalty: str = "kernel"
    tol: float = 1e-8
    max_iter: int = 100

    def fit(self, X, y) -> KernelLogistic:
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
        KernelLogistic
            Itself.

        Raises
        ------
        ValueError, TypeError, IndexError
            If a parameter is not what it should be, X is not finite, or there is one
            class, or more than two.

        Warns
        -----
        NotConverged
            If `tol` is not reached.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> model = KernelLogistic(kernel="linear").fit([[1.0], [-1.0]], [1, 0])
        >>> model.predict_proba([[0.0]]).tolist()
        [[0.5, 0.5]]
        """
        ridge = _checks.positive(self.ridge, "ridge")
        tol = _checks.positive(self.tol, "tol")
        max_iter = _checks.integer(self.max_iter, "max_iter")
        _checks.choice(self.penalty, "penalty", PENALTIES)
        method = self._take(X, self.method, columns=("falkon",))
        exact, self.regressors_ = method == "exact", None
        self.classes_, signs = two_classes(y, self._n)
        if method == "falkon":
            return self._fit_falkon(signs, ridge, tol, max_iter)
        F = self._root() if exact else self.approximation_.factor.astype(float)
        if self.penalty == "kernel":
            found = minimised(F, signs, ridge, None, tol, max_iter)
            self.dual_coef_ = pull(signs, F @ found.w) / ridge
            self.coef_ = None if exact else found.w
        elif exact:
            found = minimised(F, signs, ridge, None, tol, max_iter)
            self.dual_coef_, self.coef_ = found.w, None
        else:  # F F' w with w in the span of F
            U, sizes, _ = scipy.linalg.svd(F, full_matrices=False)
            found = minimised(U * sizes**2, signs, ridge, None, tol, max_iter)
            self.dual_coef_ = U @ found.w
            self.coef_ = F.T @ self.dual_coef_
        self.dual_coef_ = self._kept(self.dual_coef_)
        self.coef_ = None if self.coef_ is None else self._kept(self.coef_)
        self.n_iter_, self.objective_ = found.iterations, found.value
        return self

    def _fit_falkon(self, signs, ridge, tol, max_iter):
        """With a coefficient for each landmark, and without an approximation."""
        if self.penalty != "kernel":
            raise ValueError(
                f"penalty: expected 'kernel' for method='falkon', got {self.penalty!r}"
            )
        drawn = self._drawn("uniform")
        with _checks.told_as("K", self._told):
            F = Columns(self.kernel_, drawn)
            found = of_columns(F, signs, ridge, tol, max_iter)
        self.regressors_, self.coef_ = F.own, None
        self.dual_coef_ = found.w
        self.n_iter_, self.objective_ = found.iterations, found.value
        return self

    def _usual(self, n: int) -> int:
        return 10 * math.isqrt(n) if self.method_ == "falkon" else super()._usual(n)

    @property
    def _in_sparse(self) -> bool:
        return self.penalty == "kernel"

    def _root(self):
        """Features of the points: a factor of K, or K itself."""
        if self.penalty == "kernel":
            return best_rank_k(self.kernel_, self._n).factor
        return self.kernel_.dense().astype(np.float64, copy=False)

    def predict_proba(self, X) -> np.ndarray:
        """The probabilities of the two labels.

        Parameters
        ----------
        X : array_like or CSR (m, d)
            As `decision_function`.

        Returns
        -------
        ndarray (m, 2)

        Raises
        ------
        ValueError, TypeError
            As `decision_function`.

        Notes
        -----
        Costs what `decision_function` costs.

        Examples
        --------
        >>> model = KernelLogistic(kernel="linear").fit([[1.0], [-1.0]], [1, 0])
        >>> bool(model.predict_proba([[3.0]])[0, 1] > 0.5)
        True
        """
        scores = self.decision_function(X)
        return np.column_stack([expit(-scores), expit(scores)])
