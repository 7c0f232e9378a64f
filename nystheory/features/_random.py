"""What transformers share that are drawn without looking at the data."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)

from nystheory import _checks
from nystheory._progress import counter
from nystheory.features._accuracy import SIDE, dense
from nystheory.features._kernel import _scale, validated
from nystheory.kernels._base import Counted
from nystheory.kernels._rules import _controller, _cores


class RandomFeatures(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Points as scikit-learn checks them, dense or CSR, float32 or float64."""

    def _validated(self, X, *, reset=False):
        if isinstance(X, Counted):
            raise TypeError(
                f"X: expected points, got {X!r}; random features are drawn without the "
                "entries of a kernel matrix: pass its points"
            )
        return validated(self, X, copy=False, reset=reset)

    def _two(self, X, Y):
        """X and Y, X by default, as points that `transform` takes."""
        X = self._validated(X)
        try:
            return X, X if Y is None else self._validated(Y)
        except (ValueError, TypeError) as error:
            raise type(error)(f"Y: expected points, as X, got: {error}") from None

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


@contextmanager
def all_or_nothing(estimator):
    """What fails inside leaves the attributes as they were; none is changed in place.

    >>> features = RandomFeatures()
    >>> with all_or_nothing(features):
    ...     features.kernel_ = 1
    ...     raise ValueError("n_components: expected ...")
    Traceback (most recent call last):
    ValueError: n_components: expected ...
    >>> vars(features)
    {}
    """
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise


def gamma_of(X, gamma) -> float:
    """A number above 0; 1 / d by default, ``1 / (d Var X)`` for ``"scale"``."""
    if gamma is None:
        return 1 / X.shape[1]
    if isinstance(gamma, str):
        with np.errstate(over="ignore"):
            found = _scale(X, gamma)
        if (
            not _checks.SMALLEST**2 <= found <= _checks.LARGEST**2
        ):  # as of a number that is given
            raise ValueError(
                f"gamma: expected a variance of X of which 'scale' makes a number from "
                f"{_checks.SMALLEST**2:.0e} to {_checks.LARGEST**2:.0e}, got "
                f"{found:.3g}; scale X"
            )
        return found
    return _checks.positive(gamma, "gamma")


def in_blocks(work: Callable, n: int, step: int) -> None:
    """Call ``work(rows)`` for blocks of n rows, on all cores, with a bar.

    Each block is the work of one thread, so the result does not depend on their number.
    """
    blocks = [slice(i, min(i + step, n)) for i in range(0, n, step)]
    if len(blocks) == 1 or _cores() == 1:
        with counter("points", n) as bar:
            for rows in blocks:
                work(rows)
                bar.update(rows.stop - rows.start)
        return
    # One BLAS thread for each of ours: the two pools would fight for the cores.
    with (
        _controller().limit(limits=1, user_api="blas"),
        ThreadPoolExecutor(_cores()) as pool,
        counter("points", n) as bar,
    ):
        for rows, _ in zip(blocks, pool.map(work, blocks), strict=True):
            bar.update(rows.stop - rows.start)


def entry_by_entry(function: Callable, X, Y) -> np.ndarray:
    """``function(X, Y)`` of dense points, in blocks of rows and columns, (n, m)."""
    out = np.empty((X.shape[0], Y.shape[0]))
    for i in range(0, X.shape[0], SIDE):
        x = dense(X[i : i + SIDE])
        for j in range(0, Y.shape[0], SIDE):
            out[i : i + SIDE, j : j + SIDE] = function(x, dense(Y[j : j + SIDE]))
    return out
