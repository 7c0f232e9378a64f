"""Is K the kernel matrix of this learner?  What can be seen is compared.

What cannot be seen is returned in words, so that a result can say so.
"""

from __future__ import annotations

import numpy as np

from nystheory import _checks
from nystheory._semidefinite import ROUNDING_SLACK
from nystheory.features._kernel import SparseKernel, kernel_matrix
from nystheory.guarantees._estimate import Estimated
from nystheory.kernels import DenseKernel, KernelMatrix, PointKernel, row_blocks
from nystheory.kernels._dense import ALIKE
from nystheory.learners._learner import DIRECT

# Rows that are compared: a point that differs shows in every one of them.
ROWS = 32
# Kernels by name with K(x, x) = 1, or at most 1, wherever x is.
OF_ONES = ("rbf", "laplacian", "chi2")
UP_TO_ONE = (*OF_ONES, "cosine")
# What a learner is given in place of points brings its own; these are of points alone.
OF_POINTS = (*DIRECT, "kernel_params")


def unseen(learner, K, known=None) -> tuple[str, ...]:
    """What must be taken on trust for K to be the learner's, in words.

    Raises ValueError where it is seen that K is not: neither the matrix that the
    learner was fitted on, nor the one that its parameters make of the points of K.  A
    learner may also have been fitted on `known`, the matrix that K is replaced by.
    """
    if isinstance(K, Estimated):
        K = K.matrix.kernel
    if not hasattr(learner, "kernel_"):
        return _as_named(learner, K) if _names_kernel(learner) else _usual(learner, K)
    _as_fitted(learner, K, known)
    if any(getattr(learner, name) is not None for name in OF_POINTS):
        _as_named(learner, K)
    if learner.kernel_ is None:
        return ("K is the matrix that the learner's approximation was made of",)
    return ()


def at_points(learner, K, point_bound: float) -> str:
    """Where a bound on K(x, x) holds, in words; empty where that is everywhere."""
    if isinstance(K, Estimated):
        K = K.matrix.kernel
    for kernel in (K, getattr(learner, "kernel_", None)):
        name = getattr(kernel, "metric", None)
        if isinstance(name, str) and name in UP_TO_ONE:
            return ""
    return f"where K(x, x) <= {point_bound:.6g}"


def _names_kernel(learner) -> bool:
    """Whether the parameters of a learner say which kernel it is to make of points."""
    if isinstance(learner.kernel, str) and learner.kernel == "precomputed":
        return False
    if not (isinstance(learner.kernel, str) and learner.kernel == "rbf"):
        return True
    return any(getattr(learner, name) is not None for name in OF_POINTS)


def _in_words(learner) -> str:
    """Its kernel, as it was entered."""
    named = ("kernel", *OF_POINTS)
    given = {name: getattr(learner, name) for name in named}
    return ", ".join(f"{x}={v!r}" for x, v in given.items() if v is not None)


def _points(K):
    """The points behind K, sparse or dense; None where it knows none."""
    return K._X if isinstance(K, SparseKernel) else getattr(K, "points", None)


def _made(learner, points):
    """The kernel matrix that a learner makes of points."""
    direct = {name: getattr(learner, name) for name in DIRECT}
    with _checks.told_as("X", "K"):
        return kernel_matrix(points, learner.kernel, direct, learner.kernel_params)


def _as_named(learner, K) -> tuple[str, ...]:
    """K beside the kernel that the learner's parameters make of its points."""
    points, told = _points(K), _in_words(learner)
    if points is None:
        diagonal = np.asarray(K.diagonal())
        ones = isinstance(learner.kernel, str) and learner.kernel in OF_ONES
        if ones and np.abs(diagonal - 1).max() > _slack(K):
            raise ValueError(
                f"K: expected the kernel matrix of the learner, {told}, whose diagonal "
                f"is 1, got entries up to {diagonal.max():.6g}"
            )
        return (f"K is the matrix of the learner's kernel, {told}",)
    own = _made(learner, points)
    if not _same_rule(K, own):
        _check_alike(K, own, f"the kernel matrix of the learner, {told}")
    return ()


def _usual(learner, K) -> tuple[str, ...]:
    """A learner with the usual kernel takes K itself; what of points it would take."""
    points = _points(K)
    if learner.kernel == "precomputed":
        return ()
    if points is None:  # of an array of numbers `fit` would make a kernel, too
        return ("the learner is fitted on K itself, as_kernel(K)",)
    own = _made(learner, points)
    if _same_rule(K, own):
        return ()
    gamma = own.parameters["gamma"]
    return (
        "the learner is fitted on K itself, since from its points it would make the "
        f"kernel with gamma = {gamma:.6g}",
    )


def _as_fitted(learner, K, known) -> None:
    if learner._n != K.n:
        raise ValueError(
            f"learner: expected one fitted on the {K.n} points of K, or not fitted, "
            f"got one fitted on {learner._n}"
        )
    own = learner.kernel_
    if own is None:
        return
    if known is not None and known.n == K.n and _gap(known, own) is None:
        return
    told = f"the kernel matrix that the learner was fitted on, {own!r}"
    _check_alike(K, own, told + ", or a learner that is not fitted")


def _check_alike(K, own, expected) -> None:
    place = _gap(K, own)
    if place is not None:
        i, j = place
        here, there = (float(M[[i], [j]][0, 0]) for M in (K, own))
        raise ValueError(
            f"K: expected {expected}, got {K!r}, where K[{i}, {j}] is {here:.6g} "
            f"and not {there:.6g}{_apart(K, own)}"
        )


def _apart(K, own) -> str:
    """In words, which parameters of two kernels differ; names have few digits."""
    one, two = (getattr(M, "parameters", {}) for M in (K, own))
    numbers = [x for x in one if isinstance(one[x], float) and one[x] != two.get(x)]
    told = [f"{x} is {one[x]:.8g} and not {two.get(x)}" for x in numbers]
    return f"; {', '.join(told)}" if told else ""


def _same_rule(K, other) -> bool:
    """Whether both have one rule, with parameters that are equal up to rounding."""
    kinds = (PointKernel, SparseKernel)
    if not (isinstance(K, kinds) and isinstance(other, kinds)):
        return False
    one, two = K.parameters, other.parameters
    if K.metric != other.metric or set(one) != set(two):
        return False
    close = ALIKE * _eps(K, other)
    return all(
        one[x] is two[x]
        or isinstance(one[x], (int, float))
        and isinstance(two[x], (int, float))
        and abs(one[x] - two[x]) <= close * abs(two[x])
        for x in one
    )


def _eps(*some) -> float:
    """The larger of their eps."""
    kinds = (getattr(each, "dtype", np.float64) for each in some)
    return max(float(np.finfo(kind).eps) for kind in kinds)


def _slack(K, other=None) -> float:
    """By how much entries may differ by rounding.

    Two kernels of this library with one rule, on points of one type, round alike; those
    of points far from the origin, computed by another, lose more digits.
    """
    size = float(np.abs(np.asarray(K.diagonal())).max())
    kind, rule = getattr(K, "dtype", None), getattr(K, "metric", None)
    alike = (
        rule is not None
        and rule == getattr(other, "metric", None)
        and kind == getattr(other, "dtype", None)
    )
    return (ALIKE if alike else ROUNDING_SLACK) * _eps(K, other) * size


def _gap(K: KernelMatrix, other: KernelMatrix) -> tuple[int, int] | None:
    """Where two matrices differ beyond rounding; None where that is not seen.

    All entries of two stored ones are compared, of others the diagonal and some rows.
    """
    if K is other:
        return None
    slack = _slack(K, other)
    apart = np.abs(np.asarray(K.diagonal(), float) - np.asarray(other.diagonal()))
    if apart.max() > slack:
        return int(apart.argmax()), int(apart.argmax())
    stored = isinstance(K, DenseKernel) and isinstance(other, DenseKernel)
    count = K.n if stored else min(ROWS, K.n)
    rows = np.unique(np.linspace(0, K.n - 1, count).astype(np.intp))
    for part in row_blocks(len(rows), K.n):
        apart = np.abs(K[rows[part], :].astype(float) - other[rows[part], :])
        if apart.max() > slack:
            i, j = np.unravel_index(apart.argmax(), apart.shape)
            return int(rows[part][i]), int(j)
    return None
