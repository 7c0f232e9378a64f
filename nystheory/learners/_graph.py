"""Regression on the vertices of a graph, with its Laplacian as the penalty."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np
import scipy.linalg
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import splu
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from nystheory import _checks
from nystheory.features._kernel import validated
from nystheory.learners._learner import DIRECT, Learner, targets

GRAPHS = ("kernel", "laplacian")
METHODS = ("auto", "exact", "nystrom")
# Row sums of a Laplacian in float64, relative to its diagonal.
ROUNDING = 1e-10
# What a Laplacian that is given has no use for.
OF_KERNELS = (
    *("kernel", *DIRECT, "kernel_params"),
    *("landmarks", "n_landmarks", "features"),
)


@dataclass(eq=False, repr=False)
class LaplacianRegression(RegressorMixin, Learner):
    """Regression on the vertices of a graph: section 5.3.4 of [1]_.

    Minimises ``h'Lh + C0 / n |h_S - y_S|^2`` over the hyperplane ``sum(h) = 0``,
    equation (5.48), with L the graph Laplacian, S the n labelled vertices among N, and
    y_S their labels minus the mean of these.

    Parameters
    ----------
    C0 : float, default 1
        The weight of the mean squared error, above 0.
    graph : {"kernel", "laplacian"}
        ``"kernel"``: the weight of the edge between two points is the kernel between
        them, of at least 0.  ``"laplacian"``: `fit` takes L itself, (N, N), dense or
        sparse; and `predict` the weights of edges from new vertices, (m, N).
    method : {"auto", "exact", "nystrom"}
        With ``"nystrom"`` the weights are those of the approximation ``F F^T``.
    kernel, gamma, coef0, degree, kernel_params
        What weights are made with; see `Learner`.
    landmarks, n_landmarks, predict_with, random_state
        For an approximation; see `Learner`.  With ``graph="laplacian"`` these and
        those of the kernel stay as they are.
    features : transformer, optional
        A feature map in place of a kernel and its landmarks; see `Learner`.

    Attributes
    ----------
    values_ : ndarray (N,)
        h, which sums to zero.
    mean_ : float
        The mean of the labels, which predictions are added to.
    labelled_ : ndarray (n,)
        The labelled vertices S.
    kernel_, approximation_, method_, n_features_in_, feature_names_in_
        As for every `Learner`; no kernel with ``graph="laplacian"``.

    Notes
    -----
    L = D - W, so ``h'Lh`` is the sum of ``w_ij (h_i - h_j)^2`` over the edges, each
    counted once.  With ``A = n / C0 L + I_S``, positive definite if every component of
    the graph has a labelled vertex, and b the centred labels, ``h = A^-1 (b - nu 1)``
    with nu such that h sums to zero: the solution of Belkin and others in the form that
    needs no projection.  Exact: ``N^3 / 3`` operations and N^2 words, or one sparse
    factorisation; with F of m columns ``N m^2`` and N m words.  Constant labels give
    h = 0 and predict themselves.

    To choose C0, hide some labels: `fit` with the others as `labelled`, and compare
    ``mean_ + values_`` at the hidden ones with them.  A part of a Laplacian is none, so
    scikit-learn's GridSearchCV does not do for ``graph="laplacian"``.

    An approximation may give edges of negative weight.  As long as A is positive
    definite there is one minimum; else it is an error.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, equation (5.48).

    Examples
    --------
    >>> triangle = [[2, -1, -1], [-1, 2, -1], [-1, -1, 2]]
    >>> learner = LaplacianRegression(2.0, graph="laplacian")
    >>> learner.fit(triangle, [1, -1], labelled=[0, 1]).values_.round(9).tolist()
    [0.25, -0.25, 0.0]
    """

    C0: float = 1.0
    _: KW_ONLY
    graph: str = "kernel"
    method: str = "auto"

    def fit(self, X, y, labelled=None) -> LaplacianRegression:
        """Learn from a graph and the labels of some of its vertices.

        Parameters
        ----------
        X : array_like or CSR (N, d), KernelMatrix, LowRank or Ensemble
            Points; K, (N, N), for a precomputed kernel; or a kernel matrix or an
            approximation; or a Laplacian with ``graph="laplacian"``.
        y : array_like (n,)
            Labels of the labelled vertices, in their order.
        labelled : sequence of int, length n, optional
            The labelled vertices, from 0 to N - 1; by default all.

        Returns
        -------
        LaplacianRegression
            Itself.

        Raises
        ------
        ValueError, TypeError, IndexError
            If a parameter is not what it should be, X or y is not finite, a component
            of the graph has no label, a weight is negative, or X is no Laplacian.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> learner = LaplacianRegression(graph="laplacian")
        >>> learner.fit([[0, 0], [0, 0]], [1], labelled=[0])
        Traceback (most recent call last):
        ValueError: labelled: expected a vertex in each of the 2 components of the \
graph, got none in that of vertex 1
        """
        C0 = _checks.positive(self.C0, "C0")
        _checks.choice(self.graph, "graph", GRAPHS)
        _checks.choice(self.method, "method", METHODS)
        L = self._laplacian(X)
        y = self._labels(y, labelled)
        if L is not None:
            self._check_parts(L)
        self.mean_ = float(y.mean())
        right = np.zeros((self._size, 2))
        right[self.labelled_, 0] = y - self.mean_
        right[:, 1] = 1
        inside = np.bincount(self.labelled_, minlength=self._size).astype(float)
        share = len(y) / C0
        if L is None:
            free, ones = _by_factor(self.approximation_, share, inside, right)
        else:
            free, ones = _solved(L, share, inside, right)
        self.values_ = self._kept(free - ones * (free.sum() / ones.sum()))
        return self

    @property
    def _dtype(self) -> np.dtype:
        return self._of_graph if self.graph == "laplacian" else super()._dtype

    def _laplacian(self, X):
        """L of a graph, dense or sparse; None of an approximation."""
        if self.graph == "laplacian":
            self._without_kernel()
            self.kernel_ = self.approximation_ = None
            self.method_ = "exact"
            X = validated(self, X, copy=False, reset=True)
            self._of_graph, L = X.dtype, _checked(X)
        elif self._take(X, self.method) == "nystrom":  # features, too
            self._size = self._n
            return None
        else:
            W = self.kernel_.dense().astype(np.float64)
            if (W < 0).any():
                raise ValueError(
                    "kernel: expected weights of edges of at least 0, got "
                    f"{W.min():.3g}"
                )
            L = np.diag(W.sum(axis=1)) - W
        self._size = L.shape[0]
        return L

    def _check_parts(self, L):
        """Raise if a component of the graph has no label, which nothing tells it."""
        count, part = connected_components(sparse.csr_array(L), directed=False)
        without = np.setdiff1d(np.arange(count), part[self.labelled_])
        if len(without):
            vertex = int(np.flatnonzero(part == without[0])[0])
            more = f"{len(without)} of them, such as " * (len(without) > 1)
            raise ValueError(
                f"labelled: expected a vertex in each of the {count} components of the "
                f"graph, got none in {more}that of vertex {vertex}"
            )

    def _without_kernel(self):
        """What is given beside a Laplacian has a meaning."""
        if self.method == "nystrom":
            raise ValueError(
                "method: expected 'auto' or 'exact' for graph='laplacian', got "
                "'nystrom'"
            )
        for name in (*OF_KERNELS, "predict_with"):
            given, usual = getattr(self, name), getattr(LaplacianRegression, name)
            if given is not usual and not (isinstance(given, str) and given == usual):
                raise ValueError(
                    f"{name}: expected the default {usual!r} for graph='laplacian', "
                    f"which has no kernel, got {_checks.shown(given)}"
                )

    def _labels(self, y, labelled):
        N = self._size
        if labelled is None:
            self.labelled_ = np.arange(N)
            return targets(y, N, several=False)
        self.labelled_ = _checks.indices(labelled, N, "labelled")
        if len(np.unique(self.labelled_)) < len(self.labelled_):
            raise ValueError("labelled: expected distinct vertices, got one twice")
        return targets(y, len(self.labelled_), several=False)

    def predict(self, X) -> np.ndarray:
        """The values at new points: means of the vertices' values, by their weights.

        Parameters
        ----------
        X : array_like or CSR (m, d)
            Points; rows k(x, x_i), (m, N), where K is stored; weights of edges to new
            vertices, (m, N), with ``graph="laplacian"``.

        Returns
        -------
        ndarray (m,)
            ``mean_ + sum_i w_i h_i / sum_i w_i``, and `mean_` where all weights are
            zero.  At the vertices themselves `values_` has h.

        Raises
        ------
        ValueError, TypeError
            If it was not fitted, X is not finite or has other columns than in `fit`, or
            the weights of a point do not have a positive sum.

        Notes
        -----
        Asks for m N entries, or m l with the features of an approximation.  It is the
        value that minimises the sum of ``w_i (h - h_i)^2``; the thesis predicts at the
        vertices only: the book's own.

        Examples
        --------
        >>> learner = LaplacianRegression(graph="laplacian")
        >>> learner = learner.fit([[1, -1], [-1, 1]], [0, 3])
        >>> learner.predict([[1, 1], [0, 0]]).tolist()
        [1.5, 1.5]
        """
        check_is_fitted(self)
        ones = np.ones(self._size, self.values_.dtype)
        both = np.column_stack([self.values_, ones])
        if self.graph == "laplacian":
            weights = validated(self, X, copy=False, reset=False)
            if weights.min() < 0:
                raise ValueError(
                    "X: expected weights of edges of at least 0, got "
                    f"{weights.min():.3g}"
                )
            sums, degrees = (weights @ both).T
        else:
            sums, degrees = self._combined(X, both).T
        if (degrees < 0).any():
            raise ValueError(
                "X: expected points whose weights have a positive sum, got "
                f"{degrees.min():.3g}"
                + (": take more landmarks" if self._by_features() else "")
            )
        return self.mean_ + np.divide(
            sums, degrees, out=np.zeros_like(sums), where=degrees > 0
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse |= self.graph == "laplacian"
        tags.regressor_tags.poor_score = True  # means of neighbours
        return tags


def _checked(L):
    """L, (N, N), if it is the Laplacian of a graph with weights of at least 0."""
    if L.shape[0] != L.shape[1]:
        raise ValueError(f"X: expected a Laplacian, (N, N), got shape {L.shape}")
    eps = np.finfo(L.dtype).eps if L.dtype.kind == "f" else 0.0
    rounding = max(ROUNDING, L.shape[0] * eps)
    L = L.astype(np.float64)
    if sparse.issparse(L):
        L.eliminate_zeros()  # they are no edges
    largest = float(np.abs(L.diagonal()).max())
    sums, change = np.abs(L.sum(axis=1)).max(), abs(L - L.T).max()
    edges = L - (
        sparse.diags_array(L.diagonal()) if sparse.issparse(L) else np.diag(np.diag(L))
    )
    if max(sums, change, edges.max()) > rounding * largest:
        raise ValueError(
            "X: expected a Laplacian, symmetric, with rows that sum to 0 and no "
            f"positive entry off the diagonal, got rows that sum to {sums:.3g}, an "
            f"asymmetry of {change:.3g} and entries up to {edges.max():.3g}"
        )
    return L


def _solved(L, share, inside, right):
    """``(share L + diag(inside))^-1 right``, two columns, the second of them ones."""
    try:
        if sparse.issparse(L):
            A = share * L + sparse.diags_array(inside)
            free, ones = splu(sparse.csc_matrix(A)).solve(right).T
        else:
            A = share * L
            A[np.diag_indices_from(A)] += inside
            factor = scipy.linalg.cho_factor(A)
            free, ones = scipy.linalg.cho_solve(factor, right).T
        # No entry of the inverse is below zero, so its row sums are its norm.
        condition = abs(A).sum(axis=1).max() * np.abs(ones).max()
        connected = condition * np.finfo(float).eps < 1
    except (np.linalg.LinAlgError, RuntimeError):  # the latter is splu's
        connected = False
    if not connected:
        raise ValueError(
            "X: expected a graph that connects each vertex with a label in float64, "
            "got weights that leave some vertices nearly isolated"
        )
    return free, ones


def _by_factor(near, share, inside, right):
    """The same with the weights ``F F^T``, by the Woodbury identity."""
    F = near.factor.astype(np.float64, copy=False)
    d = share * (F @ F.sum(axis=0)) + inside
    core = np.eye(F.shape[1])
    try:
        if not (d > 0).all():
            raise np.linalg.LinAlgError
        core -= share * (F.T @ (F / d[:, None]))
        factor = scipy.linalg.cho_factor(core)
    except np.linalg.LinAlgError:
        raise ValueError(
            f"X: expected approximate weights whose Laplacian is positive definite "
            f"beside the labels, got those of {near!r}; take more landmarks, "
            "or a larger C0"
        ) from None
    scaled = right / d[:, None]
    inner = scipy.linalg.cho_solve(factor, F.T @ scaled)
    return (scaled + share * (F @ inner) / d[:, None]).T
