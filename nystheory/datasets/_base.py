"""What a data set is, and what is said of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

THESIS = "Talwalkar (2010)"
SKLEARN = "scikit-learn, offline copy"
SKLEARN_MADE = "scikit-learn, generated"
FOLDER_VARIABLE = "NYSTHEORY_DATA"


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Points, with labels or targets where there are any.

    Attributes
    ----------
    name : str
        That of the function that made it.
    X : ndarray (n, d)
        Points, float64.
    y : ndarray (n,) or None
        Labels or targets.
    description : str
        One line; it says how the points were scaled.
    source : str
        One line.

    Examples
    --------
    >>> from nystheory import datasets
    >>> datasets.digits(100)
    Dataset(digits, X (100, 64), y (100,))
    """

    name: str
    X: np.ndarray
    y: np.ndarray | None
    description: str
    source: str

    def __repr__(self) -> str:
        y = "" if self.y is None else f", y {self.y.shape}"
        return f"Dataset({self.name}, X {self.X.shape}{y})"

    def _repr_html_(self) -> str:
        row = (self.name, _shape(*self.X.shape), self.description, self.source)
        return Table([row])._repr_html_()


@dataclass(frozen=True)
class Table:
    """Data sets as rows of name, shape, description and source.

    Attributes
    ----------
    rows : list of tuple of str
        Name, shape of X, description and source of each.

    Examples
    --------
    >>> Table([("a", "2 x 1", "two points", "by hand")])
    a  2 x 1  two points
    """

    rows: list[tuple[str, str, str, str]]

    def __repr__(self) -> str:
        widths = [max(len(row[i]) for row in self.rows) for i in range(2)]
        return "\n".join(
            f"{name:{widths[0]}}  {shape:{widths[1]}}  {description}"
            for name, shape, description, _ in self.rows
        )

    def _repr_html_(self) -> str:
        from nystheory.style import table

        return table(self.rows, ("name", "shape of X", "what it is", "source"))


def table() -> Table:
    """Every data set: name, shape, what it is, source.

    Returns
    -------
    Table
        The rows name the origin of each; the list is the book's own.

    Notes
    -----
    Costs nothing: no data set is made or read.

    Examples
    --------
    >>> table().rows[0][:2]
    ('digits', '1797 x 64')
    """
    return Table([(name, *row) for name, row in CATALOGUE.items()])


# What is said of each data set, in one place: shape, description, source.
CATALOGUE = {
    "digits": ("1797 x 64", "handwritten digits, grey values in [0, 1]", SKLEARN),
    "breast_cancer": ("569 x 30", "cell samples, columns standardised", SKLEARN),
    "diabetes": ("442 x 10", "patients, columns standardised", SKLEARN),
    "patches": (
        "n x size^2",
        "patches of two photographs, grey values in [0, 1]",
        SKLEARN,
    ),
    "spectrum": ("n x r", "chosen eigenvalues and coherence", f"{THESIS}, 5.2.3"),
    "low_rank": ("n x rank", "exact rank, normal or integer points", "generated"),
    "clusters": ("n x c", "orthogonal clusters of repeated points", "generated"),
    "gaussian_clusters": ("n x 2", "Gaussian clusters in the plane", "generated"),
    "identity_block": (
        "n x rank",
        "all information in the first columns",
        f"{THESIS}, (5.1)",
    ),
    "two_balls": (
        "n x (2 + n_redundant)",
        "two discs that touch, and redundant features",
        "Yang et al. (2012), Figure 1",
    ),
    "documents": ("n x n_terms", "bags of words, rows of length 1", "generated"),
    "robot_arm": ("n x 8", "angles of eight joints, distance of the hand", "generated"),
    "swiss_roll": ("n x 3", "a strip with a hole, rolled up", SKLEARN_MADE),
    "poses": (
        "n x size^2",
        "pictures of heads in 13 poses and changing light, grey values in [0, 1]",
        "generated",
    ),
    "from_folder": (
        "as in the file",
        f"any NAME.npz in the folder {FOLDER_VARIABLE}",
        "yours",
    ),
}


def made(name: str, X: np.ndarray, y: np.ndarray | None = None) -> Dataset:
    """The data set `name` of the catalogue, with these points."""
    _, description, source = CATALOGUE[name]
    return Dataset(name, np.ascontiguousarray(X), y, description, source)


def _shape(*lengths):
    return " x ".join(str(length) for length in lengths)
