"""What the experiments of the chapter measure: ends of criteria, and searches."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.kernel_approximation import Nystroem

from nystheory import datasets, kernels, lowrank, sampling, selection
from nystheory.engine.findings.held_out import Points, missed
from nystheory.learners import KernelRidge

# Widths of Gaussian kernels, in root mean square distances of the points.
WIDTHS = 2.0 ** np.linspace(-4, 4, 25)
# The ridge per point of the paper's experiments.
MU = 0.005


# ---- points ----


def diabetes(size: int, rng) -> Points:
    """Patients, and the progress of their disease."""
    data = datasets.diabetes()
    return _some(data.X / data.X.std(axis=0), data.y, size, rng)


def digits(size: int, rng) -> Points:
    """Images, and the digit that they show."""
    data = datasets.digits()
    return _some(data.X, data.y, size, rng)


def cells(size: int, rng) -> Points:
    """Samples of cells, and whether they are benign."""
    data = datasets.breast_cancer()
    return _some(data.X, data.y > 0, size, rng)


def photographs(size: int, rng) -> Points:
    """Patches of two photographs, and which of them it is."""
    data = datasets.patches(4000)
    return _some(data.X, data.y > 0, size, rng)


def waves(size: int, rng, noise: float = 0.5) -> Points:
    """Points in a cube of four dimensions; a sum of sines, with noise."""
    X = rng.uniform(-1, 1, (size, 4))
    y = np.sin(4 * X).sum(axis=1) + noise * rng.standard_normal(size)
    return _some(X, y, size, rng)


def _some(X, y, size, rng) -> Points:
    """Random points; the labels get mean 0 and mean square 1.

    >>> some = _some(np.eye(4), np.arange(4.0), 3, np.random.default_rng(0))
    >>> some.X.shape, some.y.round(3).tolist()
    ((3, 4), [1.225, -1.225, 0.0])
    """
    chosen = rng.permutation(len(X))[:size]
    y = np.asarray(y, float)[chosen]
    return Points(X[chosen], (y - y.mean()) / y.std())


def gamma_of(X: np.ndarray, width: float) -> float:
    """The parameter of a Gaussian kernel with a width.

    Parameters
    ----------
    X : ndarray (n, d)
    width : float
        In root mean square distances of the points.

    Examples
    --------
    >>> gamma_of(np.array([[0.0], [2.0]]), 1.0)
    0.5
    """
    return float(1 / (2 * width**2 * X.var(axis=0).sum()))


def kernels_of(X: np.ndarray, widths: Sequence[float] = WIDTHS) -> Iterator:
    """The Gaussian kernel of some points for each width, stored.

    Examples
    --------
    >>> [K.shape for K in kernels_of(np.eye(3), (1, 2))]
    [(3, 3), (3, 3)]
    """
    for width in widths:
        yield kernels.DenseKernel(kernels.rbf(X, gamma_of(X, width)).dense())


def nested(scheme: str, K, counts: Sequence[int], rng) -> list[lowrank.LowRank]:
    """Approximations from more and more columns of one run of a scheme.

    Parameters
    ----------
    scheme : str
        Of `sampling.SCHEMES`, one that chooses column by column.
    K : KernelMatrix
    counts : sequence of int
        Where the columns explain all of K before, there are fewer.
    rng : numpy.random.Generator

    Examples
    --------
    >>> K = kernels.rbf(np.arange(5.0)[:, None])
    >>> rng = np.random.default_rng(0)
    >>> [len(x.landmarks) for x in nested("uniform", K, (2, 4), rng)]
    [2, 4]
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        drawn = getattr(sampling, scheme)(K, max(counts), rng).indices
    return [lowrank.nystrom(K, drawn[:count]) for count in counts]


# ---- ends ----


@dataclass(frozen=True, eq=False)
class Ends:
    """Two ends of a measure, for each of some kernels.

    Attributes
    ----------
    lower, upper, estimate : ndarray (m,) or (m, r)
        For r ridges, a column each.
    """

    lower: np.ndarray
    upper: np.ndarray
    estimate: np.ndarray

    @property
    def worse(self) -> np.ndarray:
        """Which kernels are certainly worse than some other one, of the same shape.

        >>> Ends(np.array([1.0, 3.0]), np.array([2.0, 4.0]), None).worse.tolist()
        [False, True]
        """
        return self.lower > self.upper.min(axis=0)


def ends(near, y, ridge, measure="criterion", products=0) -> Ends:
    """The ends of all kernels, from an approximation of each.

    Parameters
    ----------
    near : sequence of LowRank
    y : ndarray (n,)
    ridge : float or sequence of float
        In units of the kernel.
    measure : str
        Of `selection.MEASURES`.
    products : int
        With each kernel.

    Examples
    --------
    >>> K = kernels.DenseKernel(np.eye(2))
    >>> found = ends([lowrank.nystrom(K, [0])], np.ones(2), 2.0)
    >>> found.lower.shape, bool(found.lower <= found.upper)
    ((1,), True)
    """
    found = [
        selection.enclosure(each, y, ridge, measure=measure, products=products)
        for each in near
    ]
    return Ends(
        *(
            np.array([getattr(each, name) for each in found])
            for name in ("lower", "upper", "estimate")
        )
    )


# ---- with certainty, or not ----


@dataclass(frozen=True, eq=False)
class Search:
    """The kernels of a search, approximated, and what is exact about them.

    Attributes
    ----------
    y : ndarray (n,)
    near : list of list of LowRank
        For each number of columns, an approximation for each width.
    exact : dict of str to ndarray (m, r)
        By measure, of the kernels themselves, for each ridge.
    """

    y: np.ndarray
    near: list
    exact: dict

    def ridges(self, mus: Sequence[float]) -> np.ndarray:
        """In units of the kernel, from those over the number of points."""
        return len(self.y) * np.asarray(mus)


def searched(points: Points, widths, counts, mus, measures, rng) -> Search:
    """Kernels of some widths by random pivots, and their measures.

    Parameters
    ----------
    points : Points
    widths : sequence of float
    counts : sequence of int
        Of columns.
    mus : sequence of float
        Ridges, over the number of points.
    measures : sequence of str
    rng : numpy.random.Generator
    """
    near, values = [], {name: [] for name in measures}
    for K in kernels_of(points.X, widths):
        near.append(nested("rp_cholesky", K, counts, rng))
        for name, rows in values.items():
            ridges = (len(points.y) * mu for mu in mus)
            rows.append([exact(K, points.y, ridge, name) for ridge in ridges])
    exacts = {name: np.array(rows) for name, rows in values.items()}
    return Search(points.y, list(zip(*near, strict=True)), exacts)


def exact(K, y, ridge, measure="criterion"):
    """The measure of a kernel, or of an approximation in its place."""
    return selection.criterion(K, y, ridge, measure=measure)


def told_worse(search: Search, mus, products: int | None) -> dict[str, list[float]]:
    """How many kernels are worse than another one, as it is told.

    Parameters
    ----------
    search : Search
    mus : sequence of float
    products : int or None
        With each kernel; None takes the criterion of the approximation for exact.

    Returns
    -------
    dict of str to list of float
        For each ridge, ``worse``, their number, and ``lost``, whether the best kernel
        is among them.
    """
    (near,), ridges = search.near, search.ridges(mus)
    if products is None:
        values = np.array([exact(each, search.y, ridges) for each in near])
        worse = values > values.min(axis=0)
    else:
        worse = ends(near, search.y, ridges, products=products).worse
    best = search.exact["criterion"].argmin(axis=0)
    lost = worse[best, np.arange(len(mus))]
    return {"worse": worse.sum(axis=0), "lost": lost}


def along_columns(search: Search, measure: str, mu: float) -> dict[str, list[float]]:
    """What is told of the kernels, and what is picked, with more and more columns.

    Parameters
    ----------
    search : Search
    measure : str
    mu : float

    Returns
    -------
    dict of str to list of float
        For each number of columns, ``worse``, how many kernels are certainly worse,
        with one product each; and of the width that the measure of the
        approximations picks: ``other``, 100 where the exact measure picks another and
        else 0, and ``wider``, by how many widths it is wider.  ``gained`` is how many
        more kernels the most columns show to be worse than the fewest.
    """
    (ridge,) = search.ridges([mu])
    best = int(search.exact[measure][:, 0].argmin())
    found = {"worse": [], "other": [], "wider": []}
    for near in search.near:
        worse = ends(near, search.y, ridge, measure, products=1).worse
        values = [exact(each, search.y, ridge, measure) for each in near]
        place = int(np.argmin(values))
        found["worse"].append(int(worse.sum()))
        found["other"].append(100 * (place != best))
        found["wider"].append(place - best)
    found["gained"] = found["worse"][-1] - found["worse"][0]
    return found


# ---- searches ----

# Ridges that are tried, over the number of points that are learned from.
LAMBDAS = 10.0 ** np.arange(-6, 0)
FOLDS = 5


@dataclass(frozen=True, eq=False)
class Known:
    """What a search may learn from, and how many columns it may take.

    Attributes
    ----------
    points : Points
    gammas : ndarray (m,)
    columns : int
    seed : int
    """

    points: Points
    gammas: np.ndarray
    columns: int
    seed: int


def parted(points: Points, share: float, widths, columns: int, rng):
    """A share of the points to learn from; the others judge.

    Parameters
    ----------
    points : Points
        In random order.
    share : float
    widths : sequence of float
    columns : int
    rng : numpy.random.Generator

    Returns
    -------
    Known, Points
    """
    count = round(share * len(points.y))
    learn = Points(points.X[:count], points.y[:count])
    gammas = np.array([gamma_of(learn.X, width) for width in widths])
    known = Known(learn, gammas, columns, int(rng.integers(2**31)))
    return known, Points(points.X[count:], points.y[count:])


def by_ends(measure: str, known: Known) -> tuple[float, float]:
    """The gamma and the lambda that the package's search chooses."""
    X, y = known.points.X, known.points.y
    search = selection.KernelSelector(
        {"rbf": {"gamma": known.gammas.tolist()}},
        ridges=len(y) * LAMBDAS,
        measure=measure,
        n_landmarks=known.columns,
        refit=False,
        random_state=known.seed,
    ).fit(X, y)
    return search.best_params_["gamma"], search.best_params_["ridge"] / len(y)


def by_folds(folds: int, known: Known) -> tuple[float, float]:
    """Those with the smallest error on points set aside, the first folds of five.

    The model is ridge regression on scikit-learn's Nyström features, with all ridges
    from one decomposition.
    """
    X, y = known.points.X, known.points.y
    rng = np.random.default_rng(known.seed)
    part = rng.permutation(len(y)) % FOLDS
    errors = np.zeros((len(known.gammas), len(LAMBDAS)))
    for i, gamma in enumerate(known.gammas):
        for fold in range(folds):
            aside = part == fold
            told = _path(X[~aside], y[~aside], X[aside], gamma, known)
            errors[i] += ((told - y[aside]) ** 2).sum(axis=1)
    i, j = np.unravel_index(errors.argmin(), errors.shape)
    return float(known.gammas[i]), float(LAMBDAS[j])


def _path(X, y, others, gamma, known):
    """What is predicted at other points, a row for each lambda."""
    columns = min(known.columns, len(X))
    features = Nystroem(gamma=gamma, n_components=columns, random_state=known.seed)
    F, mean = features.fit_transform(X), y.mean()
    values, V = np.linalg.eigh(F.T @ F)
    seen, sums = features.transform(others) @ V, V.T @ (F.T @ (y - mean))
    return mean + (sums / (values + len(y) * LAMBDAS[:, None])) @ seen.T


def missed_with(pair: tuple[float, float], known: Known, judged: Points) -> float:
    """The share of the variance of the test that is missed, in percent.

    Parameters
    ----------
    pair : (float, float)
        gamma, lambda; columns, and all beside, are the same for each search.
    known : Known
    judged : Points
    """
    (gamma, lambda_), y = pair, known.points.y
    model = KernelRidge(
        len(y) * lambda_,
        gamma=gamma,
        method="nystrom",
        n_landmarks=known.columns,
        random_state=known.seed,
    ).fit(known.points.X, y - y.mean())
    return missed(model.predict(judged.X) + y.mean(), judged.y)
