"""What the experiments of the chapter measure: criteria, and what they pick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nystheory import kernels, lowrank, sampling
from nystheory.engine.findings import Competitor
from nystheory.engine.findings.held_out import Points
from nystheory.selection import approximate, criterion

# The source's: columns over points, and the regularisation parameter.
SHARE, MU = 0.2, 0.005
# Of Gaussian kernels, for points of which two are one apart.
GAMMAS = tuple(2.0**k for k in range(-5, 8))
# The eight of the source's Figure 1, in its order.
EIGHT = {
    "original": Competitor("all columns", "original"),
    "optimal": Competitor("best of its rank", "optimal", "the best matrix of its rank"),
    "uniform": Competitor("uniform columns", "uniform"),
    "norm": Competitor("column norms", "column_norm", "columns by their norms"),
    "leverage": Competitor("leverage scores", "leverage", "columns by leverage scores"),
    "full": Competitor("Adapt-Full", "adaptive_full"),
    "partial": Competitor("Adapt-Part", "adaptive_partial"),
    "driven": Competitor("criterion-driven", "criterion_driven", "driven columns"),
}


@dataclass(frozen=True, eq=False)
class Known:
    """Points, the kernel matrices between which one chooses, and their criteria.

    Attributes
    ----------
    points : Points
    matrices : tuple of DenseKernel
        One for each width.
    exact : ndarray (widths,)
        The criterion of each.
    columns : int
        How many an approximation takes.
    """

    points: Points
    matrices: tuple[kernels.DenseKernel, ...]
    exact: np.ndarray
    columns: int

    @classmethod
    def of(cls, points: Points, gammas: Sequence[float] = GAMMAS) -> Known:
        """Gaussian kernels of some widths.

        Examples
        --------
        >>> some = Points(np.arange(10.0)[:, None], np.ones(10))
        >>> known = Known.of(some, [1.0])
        >>> known.columns, known.exact.shape
        (2, (1,))
        """
        X, n = points.X, len(points.X)
        all_of = (kernels.DenseKernel(kernels.rbf(X, g).dense()) for g in gammas)
        matrices = tuple(all_of)
        exact = [float(criterion(K, points.y, MU * n)) for K in matrices]
        return cls(points, matrices, np.array(exact), round(SHARE * n))

    @property
    def ridge(self) -> float:
        """In units of the kernel: mu times the number of points."""
        return MU * len(self.points.y)


# ---- the criterion along the widths ----


def criteria(method: str, known: Known, rng, rank: int | None = None) -> np.ndarray:
    """The criterion of an approximation of each matrix, with new columns for each.

    Parameters
    ----------
    method : str
        Of `selection.METHODS`.
    known : Known
    rng : numpy.random.Generator
    rank : int, optional
        Of the approximation; the number of columns by default.

    Returns
    -------
    ndarray (widths,)
    """
    if method == "original":
        return known.exact
    y, found = known.points.y, []
    for K in known.matrices:
        near = approximate(K, method, known.columns, rng, y=y, rank=rank)
        found.append(float(criterion(near, y, known.ridge)))
    return np.array(found)


def picked(found: np.ndarray, exact: np.ndarray) -> dict[str, float]:
    """What an approximate criterion picks, by the exact one.

    Parameters
    ----------
    found, exact : ndarray (widths,)

    Returns
    -------
    dict
        ``apart``, the mean difference in modulus; ``right``, 100 where both pick the
        same width and else 0; ``narrower``, how many widths of the grid further to the
        narrow side; ``excess``, of the exact criterion above its least value, in
        percent.

    Examples
    --------
    >>> picked(np.array([0.5, 0.6, 0.9]), np.array([0.5, 0.4, 0.8]))["right"]
    0.0
    """
    mine, best = int(np.argmin(found)), int(np.argmin(exact))
    return {
        "apart": float(np.mean(np.abs(found - exact))),
        "right": 100.0 * (mine == best),
        "narrower": float(mine - best),
        "excess": 100 * float(exact[mine] / exact[best] - 1),
    }


# ---- how well the columns of a scheme cover the points ----


def unseen(K: kernels.KernelMatrix, columns: Sequence[int], level: float) -> float:
    """How many percent of the points no column reaches: all entries below a level.

    Examples
    --------
    >>> unseen(kernels.as_kernel(np.eye(4)), [0], 0.1)
    75.0
    """
    block = np.abs(K[:, list(columns)])
    return 100 * float(np.mean(block.max(axis=1) < level))


def column_sets(known: Known, place: int, rng) -> dict[str, np.ndarray]:
    """The columns of uniform and criterion-driven sampling on one kernel matrix.

    Parameters
    ----------
    known : Known
    place : int
        Of the width.
    rng : numpy.random.Generator
    """
    K, y = known.matrices[place], known.points.y
    uniform = sampling.uniform(K, known.columns, rng)
    driven = sampling.criterion_driven(K, known.columns, rng, y=y)
    return {"uniform": uniform.indices, "criterion_driven": driven.indices}


# ---- rules of choice, judged on new points ----

FOLDS = 5


@dataclass(frozen=True)
class Rule:
    """A rule by which a width is chosen.

    Attributes
    ----------
    measure : str
        Of `selection.MEASURES`, or ``"folds"``.
    few : bool
        Whether it sees an approximation by uniform columns in place of the matrix.
    share : float
        Columns over those of the machine that is learned at last.
    """

    measure: str
    few: bool = True
    share: float = 1.0

    def losses(self, known: Known, seed: int) -> np.ndarray:
        """What the rule wants to be small, for each width."""
        count = round(self.share * known.columns)
        rows = _columns(known, seed)[:count]
        return np.array([self._loss(K, known, rows) for K in known.matrices])

    def _loss(self, K, known, rows):
        y, ridge = known.points.y, known.ridge
        near = lowrank.nystrom(K, rows) if self.few else K
        if self.measure == "folds":
            return _wrong_in_folds(near.factor, y, MU)
        return float(criterion(near, y, ridge, measure=self.measure))


def _columns(known, seed):
    rng = np.random.default_rng(seed)
    return rng.permutation(len(known.points.y))[: known.columns]


def _wrong_in_folds(F, y, mu):
    """The mean square of what is predicted wrong of each fold from the others."""
    n = len(y)
    squares = 0.0
    for fold in np.array_split(np.arange(n), FOLDS):
        rest = np.setdiff1d(np.arange(n), fold)
        w = _weights(F[rest], y[rest], mu)
        squares += float(np.sum((F[fold] @ w - y[fold]) ** 2))
    return squares / n


def _weights(F, y, mu):
    """Of ridge regression on features, with the ridge mu times the points."""
    return np.linalg.solve(F.T @ F + mu * len(y) * np.eye(F.shape[1]), F.T @ y)


def wrong(rule: Rule, known: Known, new: Points, seed: int) -> dict[str, float]:
    """The wrong labels of new points with the width that a rule chooses, in percent.

    Parameters
    ----------
    rule : Rule
    known : Known
    new : Points
    seed : int
        Of the columns.

    Returns
    -------
    dict
        ``few``, of the machine on uniform columns; ``all``, of the machine on all;
        ``gamma``, that which was chosen.
    """
    place = int(np.argmin(rule.losses(known, seed)))
    gamma, ridge = GAMMAS[place], known.ridge
    X, y, K = known.points.X, known.points.y, known.matrices[place]
    rows = _columns(known, seed)
    near = lowrank.nystrom(K, rows)
    across = np.exp(-gamma * ((new.X[:, None] - X) ** 2).sum(axis=2))
    few = near.transform(across) @ _weights(near.factor, y, MU)
    whole = across @ np.linalg.solve(K.dense() + ridge * np.eye(len(y)), y)
    shares = (100 * float(np.mean(np.sign(s) != new.y)) for s in (few, whole))
    return dict(zip(("few", "all"), shares, strict=True)) | {"gamma": gamma}
