"""Classifiers in the span of the landmarks: hinge, logistic and square loss."""

from __future__ import annotations

import copy
import math
import warnings
from dataclasses import KW_ONLY, dataclass

import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgWarning
from scipy.special import expit
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from nystheory import _checks
from nystheory._progress import counter
from nystheory.features import _choice
from nystheory.features._random import all_or_nothing
from nystheory.learners._coordinates import coordinates, interior
from nystheory.learners._feature_ridge import _Sums
from nystheory.learners._learner import Learner, labels_of
from nystheory.learners._margins import LOSSES, Problem, certified, weights_of
from nystheory.learners._newton import minimised
from nystheory.learners._pegasos import Steps, pegasos, pegasos_pass
from nystheory.learners._restricted import regularised
from nystheory.learners._sketch import gaussian
from nystheory.learners._system import NotConverged
from nystheory.sampling._landmarks import _calls_inside

# Approximate leverage scores, as the theory requires.
SCHEME = "recursive_rls"
SOLVERS = {
    "hinge": ("coordinates", "interior", "pegasos"),
    "logistic": ("newton", "pegasos"),
    "square": ("direct",),
}
# The ridge is at least this share of the sum of weights times the largest |f|^2: the
# squares of scores, and of their rounding over the ridge, do not overflow then.
LEAST = 1e-60
# Up to so many n k^2, a step of it, "auto" takes the interior point method.
INTERIOR = 2e8


def _has_probabilities(classifier):
    if classifier.loss != "logistic":
        raise AttributeError(
            "predict_proba: expected loss='logistic', which has probabilities, got "
            f"loss={classifier.loss!r}"
        )
    return True


@dataclass(eq=False, repr=False)
class SubspaceClassifier(ClassifierMixin, Learner):
    """Empirical risk minimisation on the span of the landmarks: section 4 of [1]_.

    Minimises ``ridge / 2 |f|^2 + sum_i c_i loss(y_i f(x_i))`` over the functions ``f =
    sum_j b_j k(., z_j)`` of the landmarks z, for labels -1 and 1 and weights c, which
    are ones by default: equations (19) to (21).  Of three and more classes each is
    learned against the rest.

    Parameters
    ----------
    ridge : float, default 1.0
        Above 0: 1 / C of `KernelSVC`, and the ridge of `KernelLogistic` and
        `KernelRidge`; ``2 n lambda`` in the notation of [1]_, ``n lambda`` for its
        square loss, which is twice ours.
    loss : {"hinge", "logistic", "square"}
        Of a margin m: ``max(0, 1 - m)``; ``log(1 + exp(-m))``; ``(1 - m)^2 / 2``, with
        which it is ridge regression on the labels.
    solver : str, default "auto"
        Of the hinge loss ``"pegasos"``, the method of [2]_ that [1]_ uses,
        ``"coordinates"``, dual coordinate ascent, [3]_, or ``"interior"``, the method
        of `KernelSVC`; of the logistic loss ``"newton"`` or ``"pegasos"``; of the
        square loss ``"direct"``.
    tol : float, default 1e-3
        The duality gap is at most this share of the value at f = 0.
    max_iter : int, default 100
        Passes over the points, or steps of ``"interior"`` and ``"newton"``, that may be
        taken.
    kernel, gamma, coef0, degree, kernel_params
        What K is made with; see `Learner`.
    landmarks, n_landmarks, random_state
        See `Learner`; by default ``"recursive_rls"``, approximate leverage scores,
        as the theory requires.  ``"gaussian"`` is the other subspace of [1]_, spanned
        by `n_landmarks` combinations ``sum_i g_i k(., x_i)`` of all points with normal
        numbers g, Corollary 15.  The random state is that of the order of points, too.
    predict_with : {"approximation"}
        The function is one of the landmarks: there is no other.
    features : transformer, optional
        A feature map in place of a kernel and its landmarks; see `Learner`.

    Attributes
    ----------
    classes_ : ndarray (q,)
        The labels in order.
    coef_ : ndarray (k,) or (k, q)
        The weights w of the features, in float64; of three and more classes a column
        for each.
    duality_gap_ : float, ndarray (q,) or None
        By no more is `objective_` above the minimum, rounding included.  None after
        `partial_fit`.
    objective_ : float, ndarray (q,) or None
        The value that was minimised, at `coef_`.
    n_iter_ : int
        Passes or steps, of the class that took most.
    solver_ : str
        The solver that was followed.
    n_points_seen_ : int
        The number of points that were learned from.
    kernel_, approximation_, method_, n_features_in_, feature_names_in_
        As for every `Learner`.

    Notes
    -----
    *Features.*  With the factor F of the Nyström approximation, ``F F^T = C W^+ C^T``,
    the problem is one of k numbers, ``ridge / 2 |w|^2 + sum_i c_i loss(y_i f_i'w)``:
    F is the embedding (24), up to a rotation.  It is n k words, in the type of the
    points, and 2 n l^2 operations.  A new point costs l entries and 2 l operations, and
    as many for each class.  ``"gaussian"`` reads all of K, 2 n^2 l operations, and
    for n entries of a new point.

    *Solvers.*  A pass of ``"pegasos"`` or ``"coordinates"`` costs 260 n k operations,
    256 of them for products within blocks of 128 points, in one thread: these change
    how sums are made, not the order of the steps.  After each pass the gap is taken, by
    4 n k.

    - ``"pegasos"``: step t goes along a subgradient at one point by ``1 / (lambda
      t)``, with lambda the ridge over n, without the projection of [2]_; the points are
      shuffled in each pass.  The mean of the iterates is returned, with the weight t
      for that after step t, [4]_, and the dual coefficients are the mean of what the
      points added in each pass, with its number as weight.
    - ``"coordinates"``: each step takes one dual coefficient to where the dual is
      largest, as scikit-learn's LinearSVC does.  Those on their bounds rest in a pass
      that begins with a margin farther than 0.1 from 1; where few are left they are
      gone through up to eight times.  From the eighth pass on, at powers of two, those
      off their bounds are solved for, if they are few.
    - ``"interior"``: some 10 to 30 steps of ``n k^2`` operations, to any gap.
    - ``"newton"``: `newton` on the features, ``n k^2 + k^3 / 3`` operations a step
      and n k words more in float64.
    - ``"direct"``: ``n k^2 + k^3 / 3`` operations, k^2 words.

    ``"auto"`` is ``"newton"`` or ``"direct"`` for the other losses.  For the hinge loss
    it is ``"interior"`` where a step takes no more than 2e8 operations, since the
    others need many passes where the ridge is small, and else ``"coordinates"``, whose
    gap was a hundred times smaller after ten passes, which cost a third as much, on
    20,000 points of two classes that overlap.

    *The gap* is ``|ridge w - v|^2 / (2 ridge)`` plus a sum of terms of at least zero,
    with ``v = sum_i a_i y_i f_i`` of a dual point a, in float64, to which a bound of
    the rounding of these sums and of `objective_` is added: a `tol` below about
    ``1e-15 k`` may be out of reach.  It is of F as it is stored.  The function is then
    ``sqrt(2 gap / ridge)`` from the minimiser at most, in the norm of the space.

    *Weights* are those of the losses alone: landmarks are chosen without them.

    *Not checked:* that a kernel matrix is semidefinite, as of every `Learner`.

    References
    ----------
    .. [1] A. Della Vecchia, E. De Vito, J. Mourtada and L. Rosasco, "The Nyström
       method for convex loss functions", Journal of Machine Learning Research 25, 2024.
    .. [2] S. Shalev-Shwartz, Y. Singer, N. Srebro and A. Cotter, "Pegasos: primal
       estimated sub-gradient solver for SVM", Mathematical Programming 127, 2011.
    .. [3] C.-J. Hsieh, K.-W. Chang, C.-J. Lin, S. S. Keerthi and S. Sundararajan, "A
       dual coordinate descent method for large-scale linear SVM", Proceedings of the
       25th International Conference on Machine Learning, 2008.
    .. [4] S. Lacoste-Julien, M. Schmidt and F. Bach, "A simpler approach to obtaining
       an O(1/t) convergence rate for the projected stochastic subgradient method",
       2012, arXiv:1212.2002.

    Examples
    --------
    >>> from nystheory.datasets import digits
    >>> data = digits(400)
    >>> model = SubspaceClassifier(0.1, gamma="scale", n_landmarks=60, random_state=0)
    >>> model = model.fit(data.X[:300], data.y[:300])
    >>> bool(model.score(data.X[300:], data.y[300:]) > 0.8)
    True
    """

    ridge: float = 1.0
    _: KW_ONLY
    loss: str = "hinge"
    solver: str = "auto"
    tol: float = 1e-3
    max_iter: int = 100
    _in_sparse = True

    def fit(self, X, y, sample_weight=None) -> SubspaceClassifier:
        """Learn from points and labels.

        Parameters
        ----------
        X : array_like or CSR (n, d), KernelMatrix, LowRank or Ensemble
            Points; K, (n, n), for a precomputed kernel; or a kernel matrix or an
            approximation.
        y : array_like (n,)
            Labels, of two classes or more.
        sample_weight : array_like (n,), optional
            The weights of the losses, at least 0; ones by default.

        Returns
        -------
        SubspaceClassifier
            Itself.

        Raises
        ------
        ValueError, TypeError, IndexError
            If a parameter is not what it should be, X is not finite, the kernel is
            zero, or there is one class; the model is then as it was before.

        Warns
        -----
        NotConverged
            If `tol` is not reached.
        FewerLandmarks
            If ``n_landmarks`` is above n, or the scheme finds fewer different points.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> model = SubspaceClassifier(kernel="linear").fit([[1.0], [-1.0]], [1, 0])
        >>> model.objective_, model.duality_gap_ < 1e-12
        (0.5, True)
        """
        with all_or_nothing(self):
            solver = self._solver()
            F = self._first(X)
            y = labels_of(y, F.shape[0], "two classes or more")
            weights = _weights(sample_weight, F.shape[0])
            self.classes_ = _several(y)
            _several(y[weights > 0])
            return self._solve(self._problem(F, y, weights), solver)

    def partial_fit(self, X, y, classes=None, sample_weight=None) -> SubspaceClassifier:
        """Learn from more points; the landmarks are those of the first ones.

        Parameters
        ----------
        X : array_like or CSR (n, d)
            Points; the first ones are as for `fit`.
        y : array_like (n,)
        classes : array_like (q,), optional
            All labels that there will be; by default those of the first points.
        sample_weight : array_like (n,), optional

        Returns
        -------
        SubspaceClassifier
            Itself.

        Raises
        ------
        ValueError, TypeError, IndexError
            As `fit`, and for a label that is not one of the classes.  The model is then
            as it was before.

        Notes
        -----
        *Square loss:* sums of k^2 words are kept, and the solution is that of all
        points, with the landmarks of the first ones.

        *Hinge and logistic loss:* one pass of Pegasos over these points, whatever
        solver `fit` takes, at the cost stated above.  What is kept are the number
        of steps, their sum and that of the iterates, and the number n of points so far,
        with which lambda is the ridge over n.  It is a stochastic approximation, whose
        steps are of 1 / ridge: with a small ridge it stays above the minimum.  The gap
        is not known, since earlier points are not seen again.
        After `fit` it goes on from there, as if the passes of `fit` had led to it.

        Examples
        --------
        >>> model = SubspaceClassifier(kernel="linear", loss="square")
        >>> model = model.partial_fit([[1.0]], [1], classes=[0, 1])
        >>> model.partial_fit([[-2.0]], [0]).decision_function([[2.0]]).tolist()
        [1.0]
        """
        with all_or_nothing(self):
            self._solver()
            first = not hasattr(self, "coef_")
            if not first and self.loss != self._loss:
                raise ValueError(
                    f"loss: expected {self._loss!r}, that of the points so far, got "
                    f"{self.loss!r}"
                )
            F = self._first(X) if first else self._more(X)
            y = labels_of(y, F.shape[0], "two classes or more")
            weights = _weights(sample_weight, F.shape[0])
            self._known(y, classes, first)
            return self._add(self._problem(F, y, weights), first)

    def decision_function(self, X) -> np.ndarray:
        """The scores of new points.

        Parameters
        ----------
        X : array_like or CSR (m, d)
            Points; rows k(x, x_i), (m, n), where K is stored.

        Returns
        -------
        ndarray (m,) or (m, q)
            f(x); of three and more classes one for each.

        Raises
        ------
        ValueError, TypeError
            If it was not fitted, or X is not finite or has other columns than in `fit`.

        Notes
        -----
        Asks for m l entries, in blocks; 2 m l operations for each class.

        Examples
        --------
        >>> model = SubspaceClassifier(kernel="linear").fit([[1.0], [-1.0]], [1, 0])
        >>> model.decision_function([[2.0]]).tolist()
        [2.0]
        """
        check_is_fitted(self)
        return self._combined(X, None, self.coef_)

    def clipped(self, X) -> np.ndarray:
        """The scores of new points, clipped where the loss has no use for more.

        Parameters
        ----------
        X : array_like or CSR (m, d)
            As `decision_function`.

        Returns
        -------
        ndarray (m,) or (m, q)
            From -M to M, with M = 1, and log n for the logistic loss, as section 6 of
            [1]_ has it.

        Raises
        ------
        ValueError, TypeError
            As `decision_function`.

        Notes
        -----
        Labels of two classes stay as they are.  For labels -1 and 1 no hinge or square
        loss grows by it, and a logistic loss by 1 / n at most.

        References
        ----------
        .. [1] A. Della Vecchia, E. De Vito, J. Mourtada and L. Rosasco, "The Nyström
           method for convex loss functions", Journal of Machine Learning Research 25,
           2024, equations (34) and (49).

        Examples
        --------
        >>> model = SubspaceClassifier(kernel="linear").fit([[1.0], [-1.0]], [1, 0])
        >>> model.clipped([[2.0], [-0.5]]).tolist()
        [1.0, -0.5]
        """
        scores = self.decision_function(X)
        most = math.log(self.n_points_seen_) if self.loss == "logistic" else 1.0
        return np.clip(scores, -most, most)

    def predict(self, X) -> np.ndarray:
        """The labels of new points.

        Parameters
        ----------
        X : array_like or CSR (m, d)
            As `decision_function`.

        Returns
        -------
        ndarray (m,)

        Raises
        ------
        ValueError, TypeError
            As `decision_function`.

        Notes
        -----
        Costs what `decision_function` costs.

        Examples
        --------
        >>> model = SubspaceClassifier(kernel="linear").fit([[1.0], [-1.0]], ["b", "a"])
        >>> model.predict([[2.0], [-3.0]]).tolist()
        ['b', 'a']
        """
        scores = self.decision_function(X)
        two = scores.ndim == 1
        return self.classes_[(scores > 0).astype(int) if two else scores.argmax(axis=1)]

    @available_if(_has_probabilities)
    def predict_proba(self, X) -> np.ndarray:
        """The probabilities of the labels, with the logistic loss.

        Parameters
        ----------
        X : array_like or CSR (m, d)
            As `decision_function`.

        Returns
        -------
        ndarray (m, q)
            Of three and more classes those against the rest, divided by their sum.

        Raises
        ------
        ValueError, TypeError
            As `decision_function`.
        AttributeError
            With another loss.

        Notes
        -----
        Costs what `decision_function` costs.

        Examples
        --------
        >>> model = SubspaceClassifier(kernel="linear", loss="logistic")
        >>> model.fit([[1.0], [-1.0]], [1, 0]).predict_proba([[0.0]]).tolist()
        [[0.5, 0.5]]
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([expit(-scores), expit(scores)])
        logs = -np.logaddexp(0, -scores)
        shares = np.exp(logs - logs.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    # --- What is asked, and of what ---------------------------------------------------

    def _solver(self) -> str:
        """The solver requested, with the parameters checked."""
        _checks.positive(self.ridge, "ridge")
        _checks.positive(self.tol, "tol")
        _checks.integer(self.max_iter, "max_iter")
        solvers = SOLVERS[_checks.choice(self.loss, "loss", LOSSES)]
        _checks.choice(self.solver, "solver", ("auto", *solvers))
        _checks.choice(self.predict_with, "predict_with", ("approximation",))
        return self.solver

    def _first(self, X):
        """Landmarks and features of the first points."""
        self._take(X, "auto" if self.features is not None else "nystrom")
        if self.features is not None:
            self.kernel_ = None  # new points are known by their features
        self.n_points_seen_, self._loss = 0, self.loss
        self._sums = self._steps = None
        return self.approximation_.factor

    def _sampled(self):
        if not (isinstance(self.landmarks, str) and self.landmarks == "gaussian"):
            return super()._sampled()
        K, rng = self.kernel_, _choice.generator(self.random_state)
        count = _choice._count(self.n_landmarks, K.n, self._usual(K.n))
        with _checks.told_as("K", self._told):
            near = gaussian(K, count, rng)
        if near.rank == 0:
            raise ValueError(
                f"{self._told}: expected a kernel with entries other than zero, got "
                f"{K!r}"
            )
        return near

    def _drawn(self, usual: str = SCHEME):
        return super()._drawn(usual)

    def _more(self, X):
        """Features of further points, by the landmarks that there are."""
        blocks = [F for _, F in self._feature_rows(X)]
        if len(blocks) == 1:
            return blocks[0]
        stack = sparse.vstack if sparse.issparse(blocks[0]) else np.concatenate
        return stack(blocks)

    def _known(self, y, classes, first):
        """The classes of all points, by default those of the first ones."""
        if classes is not None and np.ndim(classes) != 1:
            raise ValueError(
                f"classes: expected labels, (q,), got {_checks.shown(classes)}"
            )
        if first:
            name, named = ("y", y) if classes is None else ("classes", classes)
            with _checks.told_as("y", name):
                self.classes_ = _several(labels_of(named, len(named)))
        elif classes is not None and not np.array_equal(
            np.unique(classes), self.classes_
        ):
            raise ValueError(
                "classes: expected those of the first points, "
                f"{self.classes_.tolist()}, got {_checks.shown(classes)}"
            )
        strange = y[~np.isin(y, self.classes_)]
        if len(strange):
            raise ValueError(
                f"y: expected labels among {self.classes_.tolist()}, got {strange[0]}"
            )

    def _problem(self, F, y, weights) -> Problem:
        """Two classes are one column of signs, more a column each."""
        classes = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        signs = np.where(y[:, None] == classes, 1.0, -1.0)
        ridge = _checks.positive(self.ridge, "ridge")
        problem = Problem(F, signs, weights, ridge, self.loss)
        least = LEAST * float(weights.sum()) * problem.largest()
        if ridge < least:
            raise ValueError(
                f"ridge: expected a number of at least {least:.2g}, {LEAST:.0e} of the "
                f"largest k(x, x) times the sum of the weights, got {ridge:.3g}"
            )
        return problem

    # --- Solvers ----------------------------------------------------------------------

    def _solve(self, problem, solver):
        """All at once, with the gap, and what `partial_fit` goes on from."""
        (n, k), tol = problem.F.shape, _checks.positive(self.tol, "tol")
        if solver == "auto":
            few = self.loss == "hinge" and n * k**2 <= INTERIOR
            solver = "interior" if few else SOLVERS[self.loss][0]
        rng = _choice.generator(self.random_state)
        self.solver_, self.n_points_seen_ = solver, n
        if solver == "interior":
            w, value, gap, taken, *state = interior(problem, tol, self.max_iter)
        elif solver in ("pegasos", "coordinates"):
            with counter("points", n * self.max_iter) as bar:
                ways = {"pegasos": pegasos, "coordinates": coordinates}
                w, value, gap, taken, *state = ways[solver](
                    *(problem, tol, self.max_iter, rng, bar)
                )
        else:
            w, taken = self._smooth(problem, solver, tol)
            (value, gap, *_), state = certified(problem, w, None), []
        self.n_iter_ = taken
        if problem.loss != "square":
            state = state or [Steps.at(w, problem.ridge, n * taken, n)]
            self._steps = state[0]
        self.coef_, self.objective_ = _of_classes(w), _told(value)
        self.duality_gap_ = _told(gap)
        self._check_gap(float(gap.max()), tol, problem.start())
        return self

    def _smooth(self, problem, solver, tol):
        """w of the logistic or the square loss, and the steps."""
        if solver == "direct":
            self._sums = _summed(_none_of(problem), problem)
            return _solution(self._sums, problem.ridge), 1
        # The gap is the squared length of the gradient over twice the ridge.
        F = problem.F.astype(np.float64, copy=False)
        columns, taken = [], 1
        for signs in problem.signs.T:
            pull = problem.weights * signs / 2
            first = float(np.linalg.norm(F.T @ pull))
            share = math.sqrt(tol * problem.start()) / (first or 1.0)
            share *= math.sqrt(problem.ridge)  # both at once may overflow
            with warnings.catch_warnings():  # the gap tells it
                warnings.simplefilter("ignore", NotConverged)
                warnings.simplefilter("ignore", LinAlgWarning)
                found = minimised(
                    *(F, signs, problem.ridge, None, share, self.max_iter),
                    problem.weights,
                )
            columns.append(found.w)
            taken = max(taken, found.iterations)
        return np.column_stack(columns), taken

    def _add(self, problem, first):
        """One more chunk of points."""
        n, k = problem.F.shape
        self.objective_ = self.duality_gap_ = None
        self.n_points_seen_ += n
        if problem.loss == "square":
            self.solver_ = "direct"
            sums = _none_of(problem) if first else copy.deepcopy(self._sums)
            self._sums = _summed(sums, problem)
            self.coef_ = _of_classes(_solution(self._sums, problem.ridge))
        else:
            self.solver_ = "pegasos"
            state = Steps.none(k, problem.signs.shape[1]) if first else self._steps
            state = state.of_points(self.n_points_seen_)
            rng = _choice.generator(self.random_state)
            with counter("points", n) as bar:
                self._steps, _ = pegasos_pass(problem, state, rng, bar)
            self.coef_ = _of_classes(self._steps.average(problem.ridge))
        self.n_iter_ = 1 if first else self.n_iter_ + 1
        return self

    def _check_gap(self, gap, tol, start):
        """Warn if the gap is too large."""
        if not gap <= tol * start:
            warnings.warn(
                f"tol: expected a duality gap of at most {tol:.3g} of the value at "
                f"zero, {start:.3g}, got {gap:.3g} after {self.n_iter_} passes or "
                "steps; raise max_iter, tol or the ridge",
                NotConverged,
                stacklevel=_calls_inside() + 1,
            )


def _none_of(problem):
    """The sums of no points."""
    return _Sums.none(problem.F.shape[1], problem.signs.shape[1:])


def _summed(sums, problem):
    """With the points of a problem, whose rows are scaled by the roots of weights."""
    for rows, F in problem.blocks():
        roots = np.sqrt(problem.weights[rows, None])
        sums.add(F * roots, problem.signs[rows] * roots)
    return sums


def _solution(sums, ridge):
    """``(F^T F + ridge I)^-1 F^T y`` of sums."""
    return regularised(sums.gram.copy("F"), sums.moment, ridge)


def _of_classes(w):
    """Of two classes the one column."""
    return w[:, 0] if w.shape[1] == 1 else w


def _told(numbers):
    """Of two classes the one number."""
    return float(numbers[0]) if len(numbers) == 1 else numbers


def _several(y):
    """The labels, of which there are at least two."""
    labels = np.unique(y)
    if len(labels) < 2:
        raise ValueError(
            f"y: expected labels of two classes or more, got one class: {labels[0]}"
        )
    return labels


def _weights(given, n):
    """Weights of losses, (n,), in float64."""
    if given is None:
        return np.ones(n)
    return weights_of(given, n, "sample_weight")
