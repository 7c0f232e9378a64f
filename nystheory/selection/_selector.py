"""Which kernel?  A search over kernel matrices, and one with scikit-learn's face."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Ridge
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from nystheory import _checks
from nystheory.features import NystromFeatures, _choice
from nystheory.features._kernel import validated
from nystheory.kernels import KernelMatrix
from nystheory.learners._learner import targets
from nystheory.selection import _candidates, _rounds
from nystheory.selection._outcome import Outcome
from nystheory.selection._problem import MEASURES, is_single

# The ridges where none are given, in units of the sum of the weights.
PATH = tuple(10.0**power for power in range(-6, -1))


def select(
    kernels: Sequence[KernelMatrix] | Mapping[str, KernelMatrix],
    y: Sequence[float],
    ridge: float | Sequence[float],
    *,
    rng: np.random.Generator,
    measure: str = "leave-one-out",
    n_landmarks: int = 400,
    products: int | str = "auto",
    landmarks: str = "rp_cholesky",
    eliminate: bool = True,
    sample_weight: Sequence[float] | None = None,
    n_jobs: int | None = None,
) -> Outcome:
    """Choose a kernel, and drop on the way those that certainly are not the best.

    Parameters
    ----------
    kernels : list or dict by name of KernelMatrix or array_like (n, n)
        m kernel matrices of the same points.
    y : sequence of float, length n
        Targets; they are not centred here.
    ridge : float or sequence of float, length r
        In units of K.  Pairs of a kernel and a ridge compete.
    rng : numpy.random.Generator
    measure : {"leave-one-out", "likelihood", "criterion"}
        What is compared, as for `criterion`; smaller is better.  ``"criterion"`` grows
        with the ridge, so that it compares kernels at one ridge alone.
    n_landmarks : int
        The number l of columns of each kernel in the last round.
    products : int or "auto"
        At most so many products with each kernel that is left after the last round,
        n^2 entries each, the most promising kernel first: 1, 2, 4 and so on, each time
        anew, so that up to three times as many are computed.  ``"auto"`` is one, for as
        many kernels as cost about a tenth of what the columns did, or next to nothing.
    landmarks : str
        The scheme that chooses the columns, of those in `sampling.SCHEMES` that need no
        more than their number.
    eliminate : bool
        Whether kernels are dropped.  Without it all of them get all columns.
    sample_weight : sequence of float, length n, optional
        As for `criterion`.
    n_jobs : int, optional
        Kernels whose columns are looked at at the same time, in threads, as joblib
        counts them, -1 for one for each core; no more than four.  Products are taken
        one after another.  The same kernels are looked at, whatever their number.

    Returns
    -------
    Outcome

    Raises
    ------
    ValueError, TypeError
        If there is no kernel, one is no kernel matrix or of other points than the
        others, or the columns of one that are looked at are zero; if y or the weights
        are not finite and one for each point; if there is no ridge, or more than one
        for the measure ``"criterion"``.

    Notes
    -----
    A round looks at l / 8 columns of each kernel, the next at twice as many, and one in
    which nothing is dropped is followed by that with l.  Each gives two ends between
    which the measure of K is with certainty (`enclosure`): a pair whose lower end is
    above the smallest upper end of all is *certainly worse*, and a kernel of such pairs
    is not looked at again.  Ends of earlier rounds stay valid.  Of those that are left
    the pair of the smallest estimate is chosen: the measure of the approximation,
    moved between the ends where it is not.  For up to 2 l points the measure is
    computed exactly, and the ends are those of its rounding.

    Costs up to ``1 + 1/2 + 1/4 + 1/8`` times n l entries and O(n l^2) operations for
    each kernel, n^2 for each product, and some 2 n l words for each job, n for each
    kernel; for up to 2 l points n^2 entries and O(n^3) operations each, and O(n^2)
    words for each job.

    That the exact measure chooses the same kernel, if all others are certainly worse,
    is ``theorems["modern:surely-the-same-kernel"]``; the search is the book's own.

    Examples
    --------
    >>> from nystheory import kernels
    >>> X = np.linspace(0, 1, 200)[:, None]
    >>> y, rng = np.sin(6 * X[:, 0]), np.random.default_rng(0)
    >>> widths = {f"gamma={gamma}": kernels.rbf(X, gamma) for gamma in (1e-3, 10.0)}
    >>> select(widths, y, 0.1, rng=rng, n_landmarks=20)
    Outcome(leave-one-out: gamma=10.0, ridge=0.1; of 2 kernels 1 certainly worse, \
0 not told apart)
    """
    rng = _checks.generator(rng)
    _checks.choice(measure, "measure", MEASURES)
    made = _candidates.of_matrices(kernels)
    n = made[0].matrix().n
    y = targets(y, n, several=False)
    ridges = _ridges(ridge, "ridge", measure)
    weights = None if sample_weight is None else _weights(sample_weight, n)
    plan = _rounds.checked(
        measure, n_landmarks, products, landmarks, eliminate, weights, n_jobs
    )
    return _rounds.Search(made, y, ridges, plan, rng).run()


class KernelSelector(RegressorMixin, BaseEstimator):
    """Ridge regression with the kernel, and the ridge, that suit the targets.

    A search with scikit-learn's conventions, as `sklearn.model_selection.GridSearchCV`,
    but without folds: every kernel is judged by all points, by few of its columns, and
    dropped when it is certain that it is not the best one.  `select` has the search.

    Parameters
    ----------
    kernels : list or dict, optional
        What competes.  In a list: names of scikit-learn's kernels (``"rbf"``), pairs
        (name or function, parameters), functions of two points, and kernels of
        `sklearn.gaussian_process`, whose sums and products are kernels, too
        (``RBF(2.0) + Matern()``).  In a dict: grids of parameters by name,
        ``{"rbf": {"gamma": [0.1, 1.0]}}``.  By default Gaussian kernels of seven
        widths, gamma from 1/64 to 64 times 1 / (d Var X).
    ridges : float or sequence of float, optional
        In units of K; by default the number of points (the sum of the weights) times
        1e-6, 1e-5, 1e-4, 1e-3, 1e-2.  One for the measure ``"criterion"``.
    measure : {"leave-one-out", "likelihood", "criterion"}
        What is compared, see `select`.  The likelihood takes K for the covariance of
        the targets and the ridge for their noise: scale the targets, or the kernels, so
        that their units agree.
    n_landmarks : int, default 400
        Columns of each kernel in the last round, and of the model at the end.  For up
        to twice as many points all of K is taken for both.
    products : int or "auto", default "auto"
        As for `select`.
    landmarks : str, default "rp_cholesky"
        The scheme that chooses the columns.
    eliminate : bool, default True
        As for `select`.
    fit_intercept : bool, default True
        Whether the mean of the targets is subtracted before kernels are compared, and
        the model at the end has an intercept.  Then the measure is that of the model
        without intercept for centred targets: nearly, and not exactly, its own.
    refit : bool, default True
        Whether `best_estimator_` is fitted.
    random_state : int, RandomState, Generator or None
        For the landmarks.
    n_jobs : int, optional
        As for `select`.

    Attributes
    ----------
    best_estimator_ : sklearn.pipeline.Pipeline
        ``NystromFeatures`` with the chosen kernel, then ``Ridge`` with the chosen
        ridge; with `refit`.
    best_params_ : dict
        ``kernel``, ``ridge``, and the parameters of the kernel.
    best_index_ : int
        Of the chosen pair, in `cv_results_`.
    best_score_ : float
        ``-outcome_.estimate[outcome_.best]``: minus its estimate, so that more is
        better.
    cv_results_ : dict of ndarray (m r,)
        For each pair of a kernel and a ridge ``params``, and each parameter as
        ``param_NAME``; ``lower``, ``upper``, ``estimate``, ``status``, ``columns``,
        ``products`` and ``more_columns`` of `outcome_`; ``mean_test_score``, which is
        minus the estimate, and ``rank_test_score``.
    outcome_ : Outcome
        What was found, which a notebook shows as a table.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    Targets are numbers.  Of two classes pass -1 and 1: the squared error is what is
    compared, and ``predict`` returns numbers, whose sign is the class.

    Costs are those of `select`, and one fit at the end.  Points of weight 0 are left
    out of everything.  A kernel is *assumed* to be semidefinite; it is tried on some
    points.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(size=(300, 2))
    >>> y = np.sin(6 * X[:, 0]) + 0.1 * rng.normal(size=300)
    >>> grid = {"rbf": {"gamma": [0.01, 10.0, 1000.0]}, "linear": {}}
    >>> model = KernelSelector(grid, ridges=[0.1, 1.0], random_state=0).fit(X, y)
    >>> model.best_params_
    {'kernel': 'rbf', 'ridge': 0.1, 'gamma': 10.0}
    >>> bool(model.score(X, y) > 0.9), model.outcome_.certain_kernel
    (True, True)
    """

    def __init__(
        self,
        kernels=None,
        ridges=None,
        *,
        measure="leave-one-out",
        n_landmarks=400,
        products="auto",
        landmarks="rp_cholesky",
        eliminate=True,
        fit_intercept=True,
        refit=True,
        random_state=None,
        n_jobs=None,
    ):
        self.kernels = kernels
        self.ridges = ridges
        self.measure = measure
        self.n_landmarks = n_landmarks
        self.products = products
        self.landmarks = landmarks
        self.eliminate = eliminate
        self.fit_intercept = fit_intercept
        self.refit = refit
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None) -> KernelSelector:
        """Choose the kernel and the ridge, and fit the model with them.

        Parameters
        ----------
        X : array_like or CSR (n, d)
            Points.
        y : array_like (n,)
            Targets: numbers that are not all the same.
        sample_weight : array_like (n,), optional
            At least 0; one above.

        Returns
        -------
        KernelSelector
            Itself.

        Raises
        ------
        ValueError, TypeError
            If X or y is not finite, y is constant, a parameter is not what it should
            be, or something that is named as a kernel is none.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> X = [[0.0], [1.0], [2.0], [3.0]]
        >>> model = KernelSelector(["linear", "rbf"], [0.1], fit_intercept=False)
        >>> model.fit(X, [0.0, 1.0, 2.0, 3.0]).best_params_
        {'kernel': 'linear', 'ridge': 0.1}
        """
        _checks.choice(self.measure, "measure", MEASURES)
        refit = _checks.truth(self.refit, "refit")
        X = validated(self, X, copy=False, reset=True)
        y = _numbers(y, X.shape[0])
        X, y, weights = _with_weight(X, y, sample_weight)
        total = np.ones(len(y)) if weights is None else weights
        rng = _choice.generator(self.random_state)
        path = self._path(float(total.sum()))
        centred = self._centred(y, total)
        plan = self._plan(weights)
        made = _candidates.of_points(X, self.kernels, total)
        search = _rounds.Search(made, centred, path, plan, rng)
        self.outcome_ = search.run()
        self._describe(made)
        self.__dict__.pop("best_estimator_", None)  # of an earlier fit
        if refit:
            seed = search.all[self.outcome_.best[0]].seed
            self._refit(X, y, weights, made[self.outcome_.best[0]], plan, seed)
        return self

    def predict(self, X) -> np.ndarray:
        """What the chosen model predicts.

        Parameters
        ----------
        X : array_like or CSR (m, d)

        Returns
        -------
        ndarray (m,)

        Raises
        ------
        NotFittedError
            Before `fit`, or without `refit`.
        ValueError, TypeError
            If X is not finite, or has other columns than in `fit`.

        Notes
        -----
        Asks for m l entries of the kernel, and O(m l^2) operations.

        Examples
        --------
        >>> model = KernelSelector(["linear"], [1e-6], fit_intercept=False)
        >>> model.fit([[1.0], [2.0]], [1.0, 2.0]).predict([[3.0]]).round(3).tolist()
        [3.0]
        """
        check_is_fitted(self, "outcome_")
        if not hasattr(self, "best_estimator_"):
            raise NotFittedError(
                "refit: expected True before predict, got False; set it and fit again"
            )
        X = validated(self, X, copy=False, reset=False)
        return self.best_estimator_.predict(X)

    def _path(self, total):
        """The ridges, (r,)."""
        if self.ridges is not None:
            return _ridges(self.ridges, "ridges", self.measure)
        if self.measure == "criterion":
            raise ValueError(
                "ridges: expected one for measure='criterion', which grows with the "
                "ridge and so chooses none, got None"
            )
        return np.array(PATH) * total

    def _centred(self, y, weights):
        """Targets as they are compared."""
        if not _checks.truth(self.fit_intercept, "fit_intercept"):
            return y
        return y - np.average(y, weights=weights)

    def _plan(self, weights):
        given = self.n_landmarks, self.products, self.landmarks, self.eliminate
        return _rounds.checked(self.measure, *given, weights, self.n_jobs)

    def _describe(self, made):
        """What scikit-learn's searches tell of themselves."""
        found = self.outcome_
        r = len(found.ridges)
        params = [
            {"kernel": each.kernel, "ridge": float(ridge)} | each.params
            for each in made
            for ridge in found.ridges
        ]
        pairs = {
            name: getattr(found, name).ravel()
            for name in ("lower", "upper", "estimate", "status", "more_columns")
        }
        each = {
            name: np.repeat(getattr(found, name), r) for name in ("columns", "products")
        }
        ranks = found.ranks().ravel().astype(np.int32)
        scores = {"mean_test_score": -pairs["estimate"], "rank_test_score": ranks}
        self.cv_results_ = {"params": params} | _columns(params) | pairs | each | scores
        self.best_index_ = found.best[0] * r + found.best[1]
        self.best_params_ = params[self.best_index_]
        self.best_score_ = float(scores["mean_test_score"][self.best_index_])

    def _refit(self, X, y, weights, chosen, plan, seed):
        """The model: the kernel from all columns of the last round, and its ridge."""
        n = X.shape[0]
        features = NystromFeatures(
            chosen.kernel,
            kernel_params=dict(chosen.params) or None,
            landmarks="rp_cholesky" if plan.exact(n) else plan.landmarks,
            n_landmarks=n if plan.exact(n) else plan.n_landmarks,
            random_state=seed,
        )
        ridge = Ridge(self.outcome_.ridge, fit_intercept=self.fit_intercept)
        model = Pipeline([("features", features), ("ridge", ridge)])
        given = {} if weights is None else {"ridge__sample_weight": weights}
        with _candidates.about(chosen), _rounds.few_columns():
            self.best_estimator_ = model.fit(X, y, **given)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = _candidates.takes_sparse(self.kernels)
        return tags


def _ridges(value, name, measure) -> np.ndarray:
    """Ridges above 0, (r,); one for the criterion."""
    if isinstance(value, (str, bytes, Mapping, set)):
        raise TypeError(f"{name}: expected numbers above 0, got {_checks.shown(value)}")
    if is_single(value):
        return np.array([_checks.positive(value, name)])
    ridges = _checks.as_array(value, name)
    if ridges.ndim != 1 or ridges.size == 0:
        raise ValueError(
            f"{name}: expected at least one ridge, in a sequence, got "
            f"{_checks.shown(value)}"
        )
    ridges = np.array([_checks.positive(each, name) for each in ridges.tolist()])
    if measure == "criterion" and len(ridges) > 1:
        raise ValueError(
            f"{name}: expected one for measure='criterion', which grows with the ridge "
            f"and so chooses none, got {len(ridges)}"
        )
    return ridges


def _numbers(y, n):
    """Targets, (n,), that are numbers and not all the same."""
    if y is not None and np.asarray(y).dtype.kind in "USO":
        some = np.asarray(y).ravel()[:1]
        if any(isinstance(each, (str, bytes)) for each in some):
            raise TypeError(
                f"y: expected numbers, got {_checks.shown(str(some[0]))}; of two "
                "classes pass -1 and 1"
            )
    y = targets(y, n, several=False)
    if n == 1:
        raise ValueError("y: expected at least two targets, got n_samples=1")
    return y


def _with_weight(X, y, sample_weight):
    """Points that have a weight, their targets and weights, None where none were given.

    In float64: the systems of the model at the end are solved in the type of X.
    """
    weights = None
    if sample_weight is not None:
        weights = _weights(sample_weight, len(y))
        kept = weights > 0
        X, y, weights = X[kept], y[kept], weights[kept]
    if np.ptp(y) == 0:
        raise ValueError(
            f"y: expected targets that are not all the same, got {y[0]:.6g} for each "
            f"of {len(y)} points (of two classes, one class), among which no kernel "
            "is better than another"
        )
    return X.astype(np.float64, copy=sparse.issparse(X)), y, weights


def _weights(value, n):
    weights = _checks.real_array(value, "sample_weight", 1).astype(np.float64)
    if len(weights) != n:
        raise ValueError(
            f"sample_weight: expected {n}, one for each point, got {len(weights)}"
        )
    if weights.min() < 0:
        raise ValueError(
            f"sample_weight: expected numbers of at least 0, got {weights.min():.6g}"
        )
    if not weights.any():
        raise ValueError("sample_weight: expected one above 0, got zeros alone")
    return weights


def _columns(params: list[dict]) -> dict[str, Any]:
    """``param_NAME`` of each parameter, masked where a kernel does not take it."""
    names = list(dict.fromkeys(name for each in params for name in each))
    found = {}
    for name in names:
        values = np.ma.masked_all(len(params), dtype=object)
        for i, each in enumerate(params):
            if name in each:
                values[i] = each[name]
        found[f"param_{name}"] = values
    return found
