"""Any feature map in place of an approximation, and its features in blocks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import get_tags

from nystheory import _checks
from nystheory._progress import counter
from nystheory.features._kernel import KEPT
from nystheory.kernels import row_blocks

SQUARES = (
    "features: expected entries whose squares can be summed in float64, got larger ones"
)


@dataclass(frozen=True, eq=False)
class Mapped:
    """The approximation ``F F^T`` of a feature map: F the features of the points.

    Attributes
    ----------
    transformer : transformer
        The map, fitted on the points.
    factor : ndarray or CSR (n, D)
        F.

    Examples
    --------
    >>> from sklearn.preprocessing import PolynomialFeatures
    >>> map, F = fit_map(PolynomialFeatures(2), np.array([[2.0], [3.0]]))
    >>> Mapped(map, F), F.tolist()
    (Mapped(PolynomialFeatures, n=2, D=3), [[1.0, 2.0, 4.0], [1.0, 3.0, 9.0]])
    """

    transformer: Any
    factor: np.ndarray | sparse.csr_array

    @property
    def n(self) -> int:
        """The number of points."""
        return self.factor.shape[0]

    def rows(self, X) -> Iterator[tuple[slice, Any]]:
        """Features of points, in blocks of rows."""
        return feature_blocks(self.transformer, X, *_width(self.factor))

    def __repr__(self) -> str:
        name = type(self.transformer).__name__
        return f"Mapped({name}, n={self.n}, D={self.factor.shape[1]})"


def fit_map(features, X) -> tuple[Any, np.ndarray | sparse.csr_array]:
    """A copy of the map, fitted on the points X, and their features."""
    map = unfitted(features)
    with of_map(map, X):
        if hasattr(map, "fit_transform"):
            F = map.fit_transform(X)
        else:  # one that is frozen has no default
            F = map.fit(X, None).transform(X)
    F = checked(F, X.shape[0])
    _summable(F)
    return map, F


def _summable(F):
    """Raise if float64 has not the size of their squares."""
    entries = F.data if sparse.issparse(F) else F.ravel(order="K")
    with np.errstate(over="ignore"):
        squares = np.einsum("i,i->", entries, entries, dtype=np.float64)
    if not np.isfinite(squares):
        raise ValueError(SQUARES)


def unfitted(features):
    """A copy of the map that is not fitted.

    Examples
    --------
    >>> unfitted("rff")
    Traceback (most recent call last):
    TypeError: features: expected a transformer with fit and transform, such as \
features.NystromFeatures(), got 'rff'
    """
    asked = ("fit", "transform", "get_params")
    if isinstance(features, type) or not all(hasattr(features, a) for a in asked):
        raise TypeError(
            "features: expected a transformer with fit and transform, such as "
            f"features.NystromFeatures(), got {_checks.shown(features)}"
        )
    return clone(features)


@contextmanager
def of_map(features, X):
    """What a map raises says that it was the map, and what the map was given."""
    try:
        yield
    except Exception as error:
        error.add_note(
            f"features: {type(features).__name__} was fitted on an array of shape "
            f"{X.shape}, without names of columns, which it knows by their positions, "
            "and without y"
        )
        raise


def checked(F, n: int) -> np.ndarray | sparse.csr_array:
    """Features of n points, dense or CSR, float32 or float64, finite.

    Examples
    --------
    >>> checked([[1, 2]], 1).dtype, checked(np.ones((3, 1)), 2)
    Traceback (most recent call last):
    ValueError: features: expected one row of features for each of 2 points, got \
shape (3, 1)
    """
    thin = sparse.issparse(F)
    F = sparse.csr_array(F) if thin else _checks.as_array(F, "features")
    if F.ndim != 2 or F.shape[0] != n or F.shape[1] == 0:
        raise ValueError(
            f"features: expected one row of features for each of {n} points, got "
            f"shape {F.shape}"
        )
    entries = F.data if thin else F
    with np.errstate(invalid="ignore", over="ignore"):
        if F.dtype.kind not in "biuf" or not np.isfinite(entries.sum(dtype=float)):
            _checks.real_array(entries, "features", entries.ndim)
    return F if F.dtype in KEPT else F.astype(np.float64)


def feature_blocks(
    map, X, width: int, itemsize: int, step: int | None = None
) -> Iterator[tuple[slice, Any]]:
    """Features of X in blocks of rows: of about 32 MB, or of `step` rows.

    `width` is how many entries, of `itemsize` bytes, the features of a point have; the
    features of the map None are the points themselves.
    """
    n = X.shape[0]
    # Beside the features a map holds as many numbers while it makes them.
    blocks = row_blocks(n, max(width, X.shape[1]), itemsize)
    if step is not None:
        blocks = [slice(i, min(i + step, n)) for i in range(0, n, step)]
    with counter("points", n) as bar:
        for rows in blocks:
            block = X[rows]
            F = block if map is None else map.transform(block)
            yield rows, checked(F, rows.stop - rows.start)
            bar.update(rows.stop - rows.start)


def _width(F):
    """Entries of a row, on average, and bytes of an entry."""
    if sparse.issparse(F):  # an entry has a place
        return max(1, F.nnz // max(1, F.shape[0])), F.dtype.itemsize + 4
    return F.shape[1], F.dtype.itemsize


def width_of(map, X) -> tuple[int, int, int]:
    """Features of a point, the entries of them that are stored, and their bytes."""
    few = X[: min(X.shape[0], 8)]
    F = checked(few if map is None else map.transform(few), few.shape[0])
    return F.shape[1], *_width(F)


def product(F, G) -> np.ndarray:
    """``F^T G``, dense where they are sparse: D^2 words."""
    found = F.T @ G
    return found.toarray() if sparse.issparse(found) else found


def input_tags_of(features, tags):
    """What of points a map takes, as its learner tells scikit-learn."""
    if hasattr(features, "__sklearn_tags__") and not isinstance(features, type):
        told = get_tags(features).input_tags
        tags.input_tags.pairwise, tags.input_tags.sparse = told.pairwise, told.sparse
    return tags
