"""Kernel matrices of points: entries are computed on demand."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.gaussian_process.kernels import Kernel as GPKernel
from sklearn.metrics.pairwise import KERNEL_PARAMS

from nystheory import _checks, _semidefinite
from nystheory.kernels import _rules
from nystheory.kernels._base import Counted
from nystheory.kernels._blocks import mirror, row_blocks
from nystheory.kernels._dense import DenseKernel


class PointKernel(Counted):
    """A kernel matrix whose entries are computed from points on demand.

    Made by `rbf`, `linear` and `pairwise`.

    Parameters
    ----------
    points : ndarray (n, d)
    rule : object
        ``rule.block(rows, columns)`` gives the entries as a fresh row-major array,
        ``rule.diagonal()`` the diagonal, ``rule.on(points)`` the rule for other points.
    metric : str or callable
        The name of the kernel, or the function.
    parameters : dict
        Its parameters, those that were chosen for the user included.

    Examples
    --------
    >>> K = rbf([[0.0], [1.0], [3.0]])
    >>> isinstance(K, PointKernel), K.shape, K.points.shape
    (True, (3, 3), (3, 1))
    >>> K.metric, round(K.parameters["gamma"], 9)
    ('rbf', 0.642857143)
    """

    def __init__(self, points: np.ndarray, rule: Any, metric: Any, parameters=None):
        super().__init__(len(points), points, points.dtype)
        self._rule = rule
        self.metric, self.parameters = metric, dict(parameters or {})
        shown = [f", {key}={_short(x)}" for key, x in self.parameters.items()]
        self.name = _label(metric) + "".join(shown)

    def _same_as(self, other) -> bool:
        """Whether the other has the same rule, parameters and points, or entries."""
        if isinstance(other, DenseKernel):
            return other._same_as(self)
        return self is other or (
            isinstance(other, PointKernel)
            and (self.metric, self.dtype) == (other.metric, other.dtype)
            and _equal(self.parameters, other.parameters)
            and np.array_equal(self.points, other.points)
        )

    def on(self, points: np.ndarray) -> PointKernel:
        """The same kernel on other points.

        Parameters
        ----------
        points : array_like (m, d)

        Returns
        -------
        PointKernel (m, m)

        Raises
        ------
        ValueError, TypeError
            If they are not finite points of d coordinates, one or more.

        Notes
        -----
        With the parameters of this one; no entry is read.

        Examples
        --------
        >>> K = rbf([[0.0], [1.0], [3.0]], gamma=1.0)
        >>> K.on([[5.0]])
        PointKernel(RBF, gamma=1, n=1)
        """
        points = self._others(points, "points")
        with _checks.told_as("X", "points"):
            _checks.points(points)
        return PointKernel(points, self._rule.on(points), self.metric, self.parameters)

    def between(self, others: np.ndarray, own: np.ndarray) -> np.ndarray:
        """The kernel between other points and some of its own.

        Parameters
        ----------
        others : array_like (m, d)
        own : sequence of int, length l, or ndarray (l, d)
            Indices of its points, or points in their place.

        Returns
        -------
        ndarray (m, l)

        Raises
        ------
        ValueError, TypeError, IndexError
            If they are not finite points of d coordinates, or not its indices.

        Notes
        -----
        Asks for m l entries.

        Examples
        --------
        >>> linear([[1.0], [2.0]]).between([[3.0], [4.0]], [1]).tolist()
        [[6.0], [8.0]]
        """
        others = self._others(others, "others")
        if _checks.as_array(own, "own").ndim == 2:
            own = self._others(own, "own")
        else:
            own = self.points[_checks.indices(own, self.n, "own")]
        l = len(own)  # noqa: E741
        both = self._rule.on(np.vstack([own, others]))
        self._count(l * len(others))
        return both.block(slice(l, None), slice(0, l))

    def _others(self, others, name):
        """Other points, checked and of the type of its own."""
        others = _checks.real_array(others, name, 2)
        if others.shape[1] != self.points.shape[1]:
            raise ValueError(
                f"{name}: expected points of {self.points.shape[1]} coordinates, "
                f"got shape {others.shape}"
            )
        if self.metric == "chi2":
            _not_negative(others, name)
        if isinstance(self.metric, str):  # whose squares overflow
            largest = max(float(others.max(initial=0)), -float(others.min(initial=0)))
            if largest > np.sqrt(_checks.LARGEST):
                _semidefinite.scaled(largest, name, "coordinates", power=2)
        return others.astype(self.dtype, copy=False)

    def columns_of(self, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The kernel between its points and others, and among the others.

        Parameters
        ----------
        others : array_like (m, d)
            Points that need not be rows of X: centroids, or test points.

        Returns
        -------
        ndarray (n, m), ndarray (m, m)
            n m + m^2 entries.

        Raises
        ------
        ValueError, TypeError
            If they are not finite points of d coordinates.

        Notes
        -----
        Asks for ``n m + m^2`` entries, at the cost of a block of these.

        Examples
        --------
        >>> C, W = linear([[1.0], [2.0]]).columns_of([[3.0]])
        >>> C.tolist(), W.tolist()
        ([[3.0], [6.0]], [[9.0]])
        """
        others, n = self._others(others, "others"), self.n
        both = self._rule.on(np.vstack([self.points, others]))
        entries = both.block(slice(None), slice(n, n + len(others)))
        self._count(entries.size)
        return entries[:n], entries[n:]

    def _moved(self):
        """What rounding does to an entry beside the few roundings of any kernel."""
        told = getattr(self._rule, "moved", None)
        return 0.0 if told is None else told()

    def _off(self):
        """The same, where an entry is compared with the one that the points have."""
        told = getattr(self._rule, "off", None)
        return self._moved() if told is None else told()

    def _diagonal(self):
        return self._rule.diagonal()

    def _block(self, rows, columns):
        return self._rule.block(rows, columns)

    def _product(self, B):
        result = np.empty(B.shape, dtype=np.result_type(self.dtype, B.dtype))
        for rows in row_blocks(self.n, self.n, self.dtype.itemsize):
            np.matmul(self._block(rows, slice(None)), B, out=result[rows])
        return result

    def _dense(self):
        K = np.empty(self.shape, dtype=self.dtype)
        for rows in row_blocks(self.n, self.n, self.dtype.itemsize):
            K[rows, rows.start :] = self._block(rows, slice(rows.start, None))
        return mirror(K)


def _owned(X, given):
    """Points that nobody else can change: a kernel stays what it is."""
    if isinstance(given, np.ndarray) and np.may_share_memory(X, given):
        X = X.copy()
    X.flags.writeable = False
    return X


def rbf(X: np.ndarray, gamma: float | None = None) -> PointKernel:
    """The Gaussian kernel matrix ``K[i, j] = exp(-gamma |x_i - x_j|^2)``.

    Parameters
    ----------
    X : array_like (n, d)
        Points, one a row.  float32 points give float32 blocks.
    gamma : float, optional
        Inverse squared length; by default 1 / (d Var X), Var X the variance of all
        entries (scikit-learn's ``gamma="scale"``), and 1 where that is 0.

    Returns
    -------
    PointKernel

    Raises
    ------
    ValueError, TypeError
        If X is empty, not finite or of coordinates beyond 1e75 (or all below 1e-75),
        or gamma is not above 0.

    Notes
    -----
    A block of a rows and b columns costs ``2 a b (d + 2)`` operations and a b
    exponentials, on all cores.  The points are centred first, so that an offset
    does not cost digits, and the diagonal is exactly 1.  The values are those of
    scikit-learn's ``rbf_kernel``, whose own default of gamma is 1 / d.

    Examples
    --------
    >>> K = rbf([[0.0], [1.0], [3.0]], gamma=1.0)
    >>> K[[0], [0, 1]].round(4).tolist()
    [[1.0, 0.3679]]
    """
    X = _owned(_coordinates(X), X)
    if gamma is None:
        variance = float(X.var(dtype=np.float64))
        gamma = 1 / (X.shape[1] * variance) if variance > 0 else 1.0
    gamma = _checks.positive(gamma, "gamma")
    return PointKernel(X, _rules.Gaussian(X, gamma), "rbf", {"gamma": gamma})


def linear(X: np.ndarray) -> PointKernel:
    """The linear kernel matrix ``K = X X^T``.

    Parameters
    ----------
    X : array_like (n, d)
        Points, one a row.

    Returns
    -------
    PointKernel
        A block of a rows and b columns costs 2 a b d operations, a product with m
        columns 4 n d m.

    Raises
    ------
    ValueError, TypeError
        If X is empty, not finite or of coordinates beyond 1e75 (or all below 1e-75).

    Notes
    -----
    The values are those of scikit-learn's ``linear_kernel``.

    Examples
    --------
    >>> linear([[1.0, 0.0], [1.0, 2.0]]).dense().tolist()
    [[1.0, 1.0], [1.0, 5.0]]
    """
    X = _owned(_coordinates(X), X)
    return PointKernel(X, _rules.Linear(X), "linear")


def pairwise(X: np.ndarray, metric: Any, **params: Any) -> PointKernel:
    """Any kernel of scikit-learn, or a function of two points.

    Parameters
    ----------
    X : array_like (n, d)
        Points, one a row.
    metric : str or callable
        As in `sklearn.metrics.pairwise.pairwise_kernels`, for example
        ``"polynomial"``, ``"laplacian"``, ``"cosine"``; or a kernel of
        `sklearn.gaussian_process`, for example ``RBF(2.0) * Matern()``.
    **params
        Parameters of the kernel.

    Returns
    -------
    PointKernel
        Cost of a block as that of the metric; the diagonal costs n calls of a
        function, and of a kernel by name 64 n entries, in chunks.

    Raises
    ------
    ValueError, TypeError
        If X is empty, not finite or of coordinates beyond 1e75 where the kernel has a
        name, negative for ``"chi2"``; if scikit-learn does not know the metric or one
        of its parameters, the kernel is known not to be positive semidefinite
        (``"sigmoid"``, a negative gamma), or a sample of points shows that it is not,
        or not symmetric, or not finite.

    Notes
    -----
    ``"rbf"`` and ``"linear"`` are `rbf` and `linear`, with scikit-learn's default of
    gamma, 1 / d: centred, so that an offset of the points does not cost digits.
    *Assumed, not proved*, of a function and of a kernel by name: that it is positive
    semidefinite on all points.  It is tried on 32 of them, evenly spaced: at most 1024
    calls of a function.

    Examples
    --------
    >>> K = pairwise([[1.0, 0.0], [1.0, 2.0]], "polynomial", degree=2, gamma=1)
    >>> K.dense().tolist()
    [[4.0, 4.0], [4.0, 36.0]]
    >>> from sklearn.gaussian_process.kernels import RBF
    >>> pairwise([[0.0], [1.0]], RBF() + RBF(2.0)).dense().round(3).tolist()
    [[2.0, 1.489], [1.489, 2.0]]
    """
    own = _checks.points(X)
    if isinstance(metric, GPKernel):
        _of_process(own, metric, params)
    if isinstance(metric, str) and metric in NO_KERNELS:
        raise ValueError(
            f"metric: expected a positive semidefinite kernel, got {metric!r}: "
            f"{NO_KERNELS[metric]}"
        )
    if not callable(metric):
        _checks.choice(metric, "metric", sorted({*KERNEL_PARAMS} - {*NO_KERNELS}))
        params = _of_name(own, metric, params)
    if metric == "linear":
        return linear(X)
    if metric == "rbf":
        return rbf(X, params.get("gamma", 1 / own.shape[1]))
    X = _owned(own, X)
    rule = _rules.Pairwise(X, metric, params)
    try:
        _tried(rule, X, metric, params)
    except ValueError:
        _coordinates(X)  # that may be why
        raise
    return PointKernel(X, rule, metric, params)


def _of_process(X, kernel, params):
    """Raise unless a kernel of a Gaussian process takes points, and is a function."""
    if params:
        name = next(iter(params))
        raise TypeError(
            f"{name}: expected no parameter for {kernel!r}, which has its own"
        )
    if kernel.requires_vector_input is False:
        raise ValueError(f"metric: expected a kernel of points, got {kernel!r}")
    one = X[:1]
    if not np.allclose(kernel.diag(one), kernel(one, one.copy()).diagonal()):
        raise ValueError(
            "metric: expected a function of two points, got noise, which is added "
            f"where both are one row: {kernel!r}; leave it out, and take it as the "
            "ridge"
        )


def _not_negative(X, name):
    if X.min(initial=0) < 0:
        raise ValueError(
            f"{name}: expected coordinates of at least 0 for the chi2 kernel, got "
            f"{X.min():.6g}"
        )


def _of_name(X, metric, params):
    """The parameters of one of scikit-learn's kernels, and its points, checked."""
    for name, value in params.items():
        if name not in KERNEL_PARAMS[metric]:
            takes = ", ".join(sorted(KERNEL_PARAMS[metric])) or "none"
            raise TypeError(
                f"{name}: expected a parameter of the {metric} kernel ({takes}), got "
                f"{name}={_checks.shown(value)}"
            )
        # None is scikit-learn's default, where it has one.
        if value is not None or name != "gamma":
            params[name] = _parameter(name, value, metric)
    _coordinates(X)
    if metric == "chi2":
        _not_negative(X, "X")
    return {name: value for name, value in params.items() if value is not None}


# Names of scikit-learn's that are no kernels, and why.
NO_KERNELS = {
    "precomputed": "pass the matrix itself to as_kernel",
    "sigmoid": "tanh(gamma t + coef0) has Taylor coefficients of both signs",
    "additive_chi2": "it is only conditionally so; exp of it, 'chi2', is a kernel",
}
# Points on which a kernel is tried.
SAMPLE = 32


def _parameter(name, value, metric):
    """A number, if a kernel of scikit-learn's is one with this parameter."""
    if name == "gamma":
        return _checks.positive(value, "gamma")
    number = _checks.as_number(value, name)
    if name == "coef0" and not 0 <= number < np.inf:
        raise ValueError(
            f"coef0: expected at least 0, got {value}: with less the {metric} kernel "
            "need not be positive semidefinite"
        )
    if name == "degree" and not (number >= 1 and number.is_integer()):
        raise ValueError(
            f"degree: expected a whole number from 1 on, got {value}: with others the "
            f"{metric} kernel need not be positive semidefinite"
        )
    return number


def _tried(rule, X, metric, params):
    """Raise if a sample shows that a kernel is not finite, symmetric, semidefinite."""
    some = np.unique(np.linspace(0, len(X) - 1, SAMPLE).astype(np.intp))
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # an error below
            block = rule.block(some, some)
    except (TypeError, ValueError) as error:
        if not callable(metric):
            raise
        raise TypeError(
            "metric: expected a function of two points and the given parameters that "
            f"returns a number, got {_label(metric)}: {error}"
        ) from error
    try:
        _semidefinite.semidefinite(_semidefinite.symmetric(block))
    except ValueError as error:
        chosen = [f"{name}={_checks.shown(value)}" for name, value in params.items()]
        told = " with ".join([_label(metric), ", ".join(chosen)][: 1 + bool(chosen)])
        raise ValueError(
            f"metric: expected a positive semidefinite kernel, got {told}, "
            f"of which {len(some)} of the points say: {error}"
        ) from None


def _coordinates(X):
    """Points whose squares neither overflow nor vanish."""
    X = _checks.points(X)
    largest = max(float(X.max()), -float(X.min()))
    if largest:
        _semidefinite.scaled(largest, "X", "coordinates", power=2)
    return X


def _label(metric):
    if isinstance(metric, GPKernel):
        return str(metric)
    if metric == "rbf":
        return "RBF"
    return metric if isinstance(metric, str) else getattr(metric, "__name__", "custom")


def _short(value):
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _equal(one, other):
    """Whether two sets of parameters are the same, arrays among them."""
    return one.keys() == other.keys() and all(
        np.array_equal(value, other[name]) for name, value in one.items()
    )
