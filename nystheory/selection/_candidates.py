"""Which kernels compete: from what a user names to kernel matrices, made on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.gaussian_process.kernels import Kernel
from sklearn.model_selection import ParameterGrid

from nystheory import _checks
from nystheory.features._kernel import OF_SPARSE, kernel_matrix
from nystheory.kernels import KernelMatrix, as_kernel
from nystheory.kernels._base import is_kernel

# Widths that are tried where the user names none, in units of 1 / (d Var X).
WIDTHS = tuple(4.0**power for power in range(-3, 4))
# What has another meaning among the parameters that are reported.
TAKEN = ("kernel", "ridge")


@dataclass(frozen=True)
class Candidate:
    """A kernel by its name, and how its matrix is made: nothing is kept of it."""

    name: str
    make: Callable[[], KernelMatrix]
    kernel: Any = None
    params: dict = field(default_factory=dict)

    def matrix(self) -> KernelMatrix:
        """K; what is wrong with it is reported with the name of the kernel."""
        with about(self):
            return self.make()


class WithDiagonal:
    """A kernel matrix of points with its diagonal, which rounds of a search share.

    All but the diagonal is that of the kernel, whatever it has.  A diagonal of one of
    scikit-learn's kernels is as much work as hundreds of columns.
    """

    def __init__(self, K: KernelMatrix, diagonal: np.ndarray):
        self.n, self.shape, self.points = K.n, K.shape, K.points
        self._K, self._told = K, diagonal

    def __getattr__(self, name):
        return getattr(self._K, name)

    def _same_as(self, other) -> bool:
        return self is other

    @property
    def entries_asked(self) -> int:
        """Entries of the kernel that were read."""
        return self._K.entries_asked

    def diagonal(self) -> np.ndarray:
        """The diagonal, (n,), which reads nothing more."""
        return self._told.copy()

    def dense(self) -> np.ndarray:
        """All of K, (n, n)."""
        return self._K.dense()

    def __getitem__(self, key) -> np.ndarray:
        return self._K[key]

    def __matmul__(self, B) -> np.ndarray:
        return self._K @ B


@contextmanager
def about(candidate: Candidate):
    """Errors of one kernel among many: of which?"""
    try:
        yield
    except (ValueError, TypeError) as error:
        told = f"kernels: {candidate.name}: {error}"
        kind = ValueError if isinstance(error, ValueError) else TypeError
        raise kind(told) from None


def of_matrices(kernels) -> list[Candidate]:
    """Candidates from kernel matrices of the same points, in a list or by name."""
    if is_kernel(kernels) or isinstance(kernels, (np.ndarray, str)):
        raise TypeError(
            "kernels: expected a list of kernel matrices, or a dict of them by name, "
            f"got {_checks.shown(kernels)}"
        )
    named = isinstance(kernels, Mapping)
    given = _several(kernels.items() if named else kernels)
    made, seen = [], set()
    for each in given:
        name, K = each if named else (getattr(each, "name", "stored"), each)
        _checked_name(name)
        with about(Candidate(name, None)):
            K = as_kernel(K)
        if id(K) in seen:  # a kernel that comes twice counts its entries twice
            K = copy(K)
        seen.add(id(K))
        made.append(Candidate(name, lambda K=K: K))
    sizes = {each.make().n for each in made}
    if len(sizes) > 1:
        raise ValueError(
            "kernels: expected matrices of the same points, got those of "
            f"{', '.join(map(str, sorted(sizes)))} points"
        )
    return _told_apart(made)


def of_points(X, kernels, weights: np.ndarray) -> list[Candidate]:
    """Candidates from what a user names, on points; each is tried at once.

    A name, a pair of a name and parameters, a function, a kernel of a Gaussian process,
    or a grid of parameters by name.  The weights are for the default widths alone.
    """
    named = _widths(X, weights) if kernels is None else _named(kernels)
    made = []
    for kernel, params in named:
        _one(kernel, params)
        _of_sparse(X, kernel)

        def make(kernel=kernel, params=params):
            return kernel_matrix(X, kernel, {}, dict(params))

        candidate = Candidate(_label(kernel, params), make, kernel, dict(params))
        candidate.matrix()
        made.append(candidate)
    return _told_apart(made)


def takes_sparse(kernels) -> bool:
    """Whether each of what a user names is a kernel that takes sparse points."""
    if kernels is None:
        return True
    try:
        return all(
            isinstance(kernel, str) and kernel in OF_SPARSE
            for kernel, _ in _named(kernels)
        )
    except (ValueError, TypeError):
        return False


def _named(kernels) -> Iterator[tuple[Any, dict]]:
    """Pairs of a kernel and its parameters."""
    if isinstance(kernels, Mapping):
        for name, grid in _several(kernels.items()):
            for params in _grid(name, grid):
                yield name, params
        return
    if isinstance(kernels, str) or callable(kernels):
        kernels = [kernels]
    if isinstance(kernels, Iterator):  # empty when it is looked at again
        raise TypeError(
            f"kernels: expected a list or a dict, got {_checks.shown(kernels)}"
        )
    for each in _several(kernels):
        yield each if isinstance(each, tuple) and len(each) == 2 else (each, {})


def _several(kernels) -> list:
    """At least one of something that can be counted."""
    try:
        given = list(kernels)
    except TypeError:
        raise TypeError(
            f"kernels: expected a list or a dict, got {_checks.shown(kernels)}"
        ) from None
    if not given:
        raise ValueError("kernels: expected at least one kernel, got none")
    return given


def _grid(name, grid):
    """The parameters of one kernel, as scikit-learn reads a grid."""
    try:
        found = list(ParameterGrid(grid))
    except (ValueError, TypeError) as error:
        raise type(error)(
            f"kernels: {_checks.shown(name)}: expected a grid, such as "
            f"{{'gamma': [0.1, 1.0]}}, got {_checks.shown(grid)}: {error}"
        ) from None
    if not found:
        raise ValueError(
            f"kernels: {_checks.shown(name)}: expected a grid that is not empty, got "
            f"{_checks.shown(grid)}"
        )
    return found


def _one(kernel, params):
    """Raise unless it is something that can be a kernel of points."""
    expected = (
        "kernels: expected names, pairs (name, parameters), functions of two points or "
        "kernels of sklearn.gaussian_process"
    )
    if is_kernel(kernel) or isinstance(kernel, np.ndarray):
        raise TypeError(
            f"{expected}, got {_checks.shown(kernel)}; selection.select takes kernel "
            "matrices"
        )
    if isinstance(kernel, type):
        raise TypeError(
            f"{expected}, got the class {kernel.__name__}; pass {kernel.__name__}()"
        )
    if not (isinstance(kernel, str) or callable(kernel)):
        raise TypeError(f"{expected}, got {_checks.shown(kernel)}")
    if kernel == "precomputed":
        raise ValueError(
            f"{expected}, got 'precomputed'; selection.select takes kernel matrices"
        )
    if not isinstance(params, Mapping):
        raise TypeError(
            f"kernels: {_label(kernel, {})}: expected a dict of parameters, got "
            f"{_checks.shown(params)}"
        )
    for name in params:
        if name in TAKEN:
            raise ValueError(
                f"kernels: {_label(kernel, {})}: expected no parameter of the name "
                f"{name!r}, which means another thing among the results"
            )


def _of_sparse(X, kernel):
    """Raise where a kernel of a Gaussian process meets sparse points."""
    if sparse.issparse(X) and isinstance(kernel, Kernel):
        raise TypeError(
            f"kernels: expected one of {', '.join(map(repr, OF_SPARSE))} for sparse "
            f"points, got {_label(kernel, {})}; pass X.toarray()"
        )


def _widths(X, weights):
    """Gaussian kernels around the width of the points."""
    scale = _scale(X, weights)
    return [("rbf", {"gamma": width * scale}) for width in WIDTHS]


def _scale(X, weights):
    """``1 / (d Var X)`` of weighted points, or 1 where that is no number."""
    w = weights / weights.sum()
    d = X.shape[1]
    mean = (X.T @ w).sum() / d
    with np.errstate(
        over="ignore", invalid="ignore"
    ):  # what is too large is told later
        wide = X.astype(np.float64, copy=False)
        squares = wide.multiply(wide) if sparse.issparse(X) else wide**2
        variance = (squares.T @ w).sum() / d - mean**2
        rounding = 64 * np.finfo(np.float64).eps * mean**2
        scale = float(1 / (d * variance)) if variance > rounding else 1.0
    return scale if np.isfinite(scale) and scale > 0 else 1.0


def _label(kernel, params) -> str:
    """The name of a kernel with its parameters."""
    name = kernel if isinstance(kernel, str) else getattr(kernel, "__name__", None)
    told = [str(kernel) if name is None else name]
    return ", ".join([*told, *(f"{key}={_short(x)}" for key, x in params.items())])


def _short(value) -> str:
    number = isinstance(value, (float, np.floating))
    return f"{value:.3g}" if number else _checks.shown(value)


def _checked_name(name):
    if not isinstance(name, str):
        raise TypeError(f"kernels: expected names, got {_checks.shown(name)}")


def _told_apart(candidates: list[Candidate]) -> list[Candidate]:
    """The same with names that differ."""
    seen: dict[str, int] = {}
    found = []
    for each in candidates:
        seen[each.name] = count = seen.get(each.name, 0) + 1
        name = each.name if count == 1 else f"{each.name} ({count})"
        found.append(Candidate(name, each.make, each.kernel, each.params))
    return found
