"""Real data sets that need no download."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import numpy as np
import sklearn.datasets

from nystheory import _checks
from nystheory.datasets._base import FOLDER_VARIABLE, Dataset, made

MAX_PATCHES = 200_000


def digits(n: int | None = None) -> Dataset:
    """Handwritten digits, 1797 pictures of 8 x 8 pixels, grey values in [0, 1].

    Parameters
    ----------
    n : int, optional
        The first n of them; all by default.

    Returns
    -------
    Dataset
        X (n, 64), pixels divided by 16; y the digit, 0 to 9.

    Raises
    ------
    ValueError, TypeError
        If n is not an integer from 1 to 1797.

    Notes
    -----
    The test set of [1]_, in the offline copy of scikit-learn
    (`sklearn.datasets.load_digits`).  Costs one reading of a file of 1797 rows,
    whatever n is.

    References
    ----------
    .. [1] E. Alpaydin, "Optical Recognition of Handwritten Digits", UCI Machine
       Learning Repository, 1998.

    Examples
    --------
    >>> digits().X.max()
    np.float64(1.0)
    """
    raw = sklearn.datasets.load_digits()
    return _first(n, "digits", raw.data / 16, raw.target)


def breast_cancer(n: int | None = None) -> Dataset:
    """Wisconsin diagnostic breast cancer: 569 cell samples, 30 measurements.

    Parameters
    ----------
    n : int, optional
        The first n of them; all by default.

    Returns
    -------
    Dataset
        X (n, 30), each column of all 569 rows scaled to mean 0 and variance 1;
        y 0 (malignant) or 1 (benign).

    Raises
    ------
    ValueError, TypeError
        If n is not an integer from 1 to 569.

    Notes
    -----
    The data of [1]_, in the offline copy of scikit-learn
    (`sklearn.datasets.load_breast_cancer`).  Costs one reading of a file of 569 rows,
    whatever n is.

    References
    ----------
    .. [1] W. N. Street, W. H. Wolberg and O. L. Mangasarian, "Nuclear feature
       extraction for breast tumor diagnosis", IS&T/SPIE International Symposium on
       Electronic Imaging, volume 1905, 1993.

    Examples
    --------
    >>> breast_cancer()
    Dataset(breast_cancer, X (569, 30), y (569,))
    """
    raw = sklearn.datasets.load_breast_cancer()
    return _first(n, "breast_cancer", _standardised(raw.data), raw.target)


def diabetes(n: int | None = None) -> Dataset:
    """Diabetes patients: 442 persons, 10 measurements, disease progression.

    Parameters
    ----------
    n : int, optional
        The first n of them; all by default.

    Returns
    -------
    Dataset
        X (n, 10), each column of all 442 rows scaled to mean 0 and variance 1;
        y the progression after a year, 25 to 346.

    Raises
    ------
    ValueError, TypeError
        If n is not an integer from 1 to 442.

    Notes
    -----
    The data of [1]_, in the offline copy of scikit-learn
    (`sklearn.datasets.load_diabetes`).  Costs one reading of a file of 442 rows,
    whatever n is.

    References
    ----------
    .. [1] B. Efron, T. Hastie, I. Johnstone and R. Tibshirani, "Least Angle
       Regression", Annals of Statistics, 2004, pages 407 to 499.

    Examples
    --------
    >>> diabetes(50).y.shape
    (50,)
    """
    raw = sklearn.datasets.load_diabetes()
    return _first(n, "diabetes", _standardised(raw.data), raw.target)


def patches(n: int, size: int = 8) -> Dataset:
    """Square patches of two photographs, on a regular grid, grey values in [0, 1].

    Parameters
    ----------
    n : int
        Number of patches, from 1 to 200 000; neighbours overlap when n is large.
    size : int
        Side of a patch in pixels, from 1 to 64.

    Returns
    -------
    Dataset
        X (n, size^2); y 0 or 1, the photograph.

    Raises
    ------
    ValueError, TypeError
        If n or size is out of range.
    ImportError
        If the photographs cannot be decoded because pillow is missing.

    Notes
    -----
    From the two sample images of scikit-learn, china.jpg and flower.jpg
    (`sklearn.datasets.load_sample_images`); the choice of patches is the book's own.
    The images are decoded once.  Costs O(n size^2) operations and words.

    Examples
    --------
    >>> patches(1000)
    Dataset(patches, X (1000, 64), y (1000,))
    """
    n = _checks.integer(n, "n", high=MAX_PATCHES, why="MAX_PATCHES")
    pictures = _photographs()
    size = _checks.integer(size, "size", high=64, why="pixels")
    counts = [n - n // 2, n // 2]
    parts = [_on_grid(pictures[i], counts[i], size) for i in (0, 1)]
    y = np.repeat([0, 1], counts)
    return made("patches", np.concatenate(parts), y)


def from_folder(name: str) -> Dataset:
    """A data set from the folder that the variable NYSTHEORY_DATA names.

    Parameters
    ----------
    name : str
        The file is ``NAME.npz``, with an array X (n, d) and perhaps y (n,).

    Returns
    -------
    Dataset
        X as float64, as it is in the file.

    Raises
    ------
    FileNotFoundError
        If the variable is not set or the file is not there; the message says how to
        set it, or what is there.
    ValueError
        If X is not a finite matrix.
    TypeError
        If the name is not a string.
    KeyError
        If the file has no array X.

    Notes
    -----
    The data are yours, and the layout of the file is the book's own.  Costs one
    reading of the file: O(n d) operations and words.

    Examples
    --------
    >>> abalone = from_folder("abalone")  # doctest: +SKIP
    """
    if not isinstance(name, str):
        raise TypeError(f"name: expected a string, got {_checks.shown(name)}")
    folder = os.environ.get(FOLDER_VARIABLE)
    if not folder:
        raise FileNotFoundError(
            f"from_folder: expected the environment variable {FOLDER_VARIABLE} to name "
            f"the folder with {name}.npz, got nothing; set it, for example with "
            f"export {FOLDER_VARIABLE}=~/data"
        )
    path = Path(folder).expanduser() / f"{name}.npz"
    if not path.is_file():
        there = ", ".join(sorted(p.stem for p in path.parent.glob("*.npz"))) or "none"
        raise FileNotFoundError(
            f"name: expected a data set in the folder {FOLDER_VARIABLE} ({there}), "
            f"got {name!r}"
        )
    with np.load(path, allow_pickle=False) as arrays:
        X = _checks.points(arrays["X"].astype(np.float64))
        y = arrays["y"] if "y" in arrays else None
    return Dataset(name, X, y, "as in the file, not scaled", f"file {name}.npz")


def _first(n, name, X, y):
    """The first n rows of a real data set."""
    if n is not None:
        n = _checks.integer(n, "n", high=len(X), why=f"the size of {name}")
    return made(name, X[:n].copy(), y[:n].copy())


def _standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


@cache
def _photographs():
    """The two sample pictures in grey, (427, 640) each."""
    try:
        pictures = sklearn.datasets.load_sample_images().images
    except ImportError as error:
        raise ImportError(
            "patches: the photographs cannot be decoded without pillow; "
            "install it with: pip install pillow"
        ) from error
    return [picture.mean(axis=2) / 255 for picture in pictures]


def _on_grid(picture, count, size):
    """`count` patches of a picture, from a grid as regular as the count allows."""
    windows = np.lib.stride_tricks.sliding_window_view(picture, (size, size))
    height, width = windows.shape[:2]
    n_rows = max(1, int(np.ceil(np.sqrt(count * height / width))))
    n_columns = -(-count // n_rows)
    rows = np.linspace(0, height - 1, n_rows).astype(int)
    columns = np.linspace(0, width - 1, max(1, n_columns)).astype(int)
    # The grid has a few places too many: leave some out, evenly.
    places = np.linspace(0, n_rows * len(columns) - 1, count).astype(int)
    i, j = np.divmod(places, len(columns))
    return windows[rows[i], columns[j]].reshape(count, size * size)
