"""What is learned on the span of few points, from which columns, with which ridge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy.linalg
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import FunctionTransformer

from nystheory import sampling
from nystheory.chapters.random_subspaces.circle import GRID, Circle
from nystheory.engine.findings.held_out import RIDGES, Points, missed
from nystheory.learners import FeatureRidge, KernelSVC

# The paper's lambda: those that are tried.
LAMBDAS = tuple(10.0**-k for k in range(1, 7))
# Eigenvalues of a core below this share of the largest are rounding.
CUT = 1e-12
# The duality gap of a support vector machine, over its value at zero.
TOL = 1e-5


def hinge(y: np.ndarray, a: np.ndarray) -> np.ndarray:
    """The hinge loss.

    Examples
    --------
    >>> hinge(np.array([1, -1]), np.array([0.5, 2.0])).tolist()
    [0.5, 3.0]
    """
    return np.maximum(1 - y * a, 0)


def square(y: np.ndarray, a: np.ndarray) -> np.ndarray:
    """The square loss.

    Examples
    --------
    >>> square(np.array([1, -1]), np.array([0.5, 2.0])).tolist()
    [0.25, 9.0]
    """
    return (y - a) ** 2


LOSSES = {"hinge": hinge, "square": square}


def embedded(core: np.ndarray, *columns: np.ndarray) -> list[np.ndarray]:
    """Features of points on the span of landmarks, ``C (W^+)^(1/2)`` up to a rotation.

    Parameters
    ----------
    core : ndarray (m, m)
        W, the kernel among the landmarks.
    *columns : ndarray (n, m)
        Each the kernel between points and landmarks.

    Returns
    -------
    list of ndarray (n, r)
        r the rank of the core up to `CUT`.

    Examples
    --------
    >>> W = np.array([[4.0, 0.0], [0.0, 0.0]])
    >>> embedded(W, np.array([[6.0, 0.0]]))[0].tolist()
    [[3.0]]
    """
    values, vectors = np.linalg.eigh(core)
    kept = values > CUT * values[-1]
    turn = vectors[:, kept] / np.sqrt(values[kept])
    return [C @ turn for C in columns]


def weights(loss: str, F: np.ndarray, y: np.ndarray, lambdas) -> list[np.ndarray]:
    """The minimisers of ``lambda |w|^2 + mean loss(y, F w)``, for each lambda.

    Parameters
    ----------
    loss : {"hinge", "square"}
    F : ndarray (n, r)
    y : ndarray (n,)
        -1 or 1.
    lambdas : sequence of float

    Returns
    -------
    list of ndarray (r,)

    Examples
    --------
    >>> F, y = np.array([[1.0], [-1.0]]), np.array([1, -1])
    >>> [w.round(6).tolist() for w in weights("square", F, y, [0.25, 1.0])]
    [[0.8], [0.5]]
    >>> weights("hinge", F, y, [1.0])[0].round(6).tolist()
    [0.5]
    """
    n = len(y)
    if loss == "square":
        ridges = [n * x for x in lambdas]
        return FeatureRidge(ridge=ridges[0]).fit(F, y.astype(float)).path(ridges)
    # A step of the solver costs n r^2 with features and n^3 / 3 with their kernel.
    few = 3 * F.shape[1] ** 2 < n**2
    shape = {"features": FunctionTransformer()} if few else {"kernel": "precomputed"}
    X = F if few else F @ F.T
    machines = (KernelSVC(1 / (2 * n * x), tol=TOL, **shape).fit(X, y) for x in lambdas)
    return [F.T @ each.dual_coef_ for each in machines]


def best(loss: str, F, y, aside, of_aside) -> tuple[np.ndarray, float]:
    """The weights with the lambda of least loss on points that are set aside.

    Parameters
    ----------
    loss : {"hinge", "square"}
    F, y : ndarray (n, r), ndarray (n,)
    aside, of_aside : ndarray (q, r), ndarray (q,)
        Features and labels of the points to choose by.

    Returns
    -------
    ndarray (r,), float
        The weights, and lambda.

    Examples
    --------
    >>> F, y = np.array([[1.0], [-1.0]]), np.array([1, -1])
    >>> best("square", F, y, F, y)[1]
    1e-06
    """
    found = weights(loss, F, y, LAMBDAS)
    losses = [LOSSES[loss](of_aside, aside @ w).mean() for w in found]
    place = int(np.argmin(losses))
    return found[place], LAMBDAS[place]


def order(scores: np.ndarray, rng) -> np.ndarray:
    """All points in the order in which they are drawn without replacement.

    Each is drawn in proportion to the scores of those that are left: the smallest of
    exponential times with these rates is the next one.

    Examples
    --------
    >>> order(np.array([1.0, 1e9]), np.random.default_rng(0)).tolist()
    [1, 0]
    """
    return np.argsort(rng.exponential(size=len(scores)) / scores)


# ---- the trade-off: excess risk against columns ----


@dataclass(frozen=True, eq=False)
class Sample:
    """Points of a circle to learn from, and others to choose lambda by.

    Attributes
    ----------
    circle : Circle
    t, y : ndarray (n,)
    aside, of_aside : ndarray (2 n,)
    """

    circle: Circle
    t: np.ndarray
    y: np.ndarray
    aside: np.ndarray
    of_aside: np.ndarray
    _whole: dict = field(default_factory=dict)

    @classmethod
    def of(cls, circle: Circle, n: int, rng) -> Sample:
        """So many points, and twice as many set aside.

        Examples
        --------
        >>> from nystheory.chapters.random_subspaces.circle import Power
        >>> some = Sample.of(Circle(Power(2)), 10, np.random.default_rng(0))
        >>> some.t.shape, some.aside.shape
        ((10,), (20,))
        """
        return cls(circle, *circle.draw(n, rng), *circle.draw(2 * n, rng))

    def scores(self, loss: str) -> np.ndarray:
        """The exact leverage scores at the alpha of a loss."""
        n = len(self.t)
        K = self.circle.kernel(self.t, self.t)
        alpha = self.circle.alpha(loss, n)
        return sampling.ridge_leverage_scores(K, n * alpha)

    def learned(self, loss: str, chosen: np.ndarray) -> dict[str, float]:
        """What the minimiser on the span of some points has over the least risk.

        Parameters
        ----------
        loss : {"hinge", "square"}
        chosen : ndarray (m,) of int

        Returns
        -------
        dict
            ``excess`` of the loss, ``wrong`` of the share of wrong signs, both times
            100, and ``chosen``, the lambda.
        """
        some = self.t[chosen]
        places = (some, self.t, self.aside, GRID)
        F, G, H = embedded(*(self.circle.kernel(s, some) for s in places))
        w, ridge = best(loss, F, self.y, G, self.of_aside)
        found = H @ w
        return {
            "excess": 100 * self.circle.excess(loss, found),
            "wrong": 100 * self.circle.excess("wrong", found),
            "chosen": ridge,
        }

    def whole(self, loss: str) -> dict[str, float]:
        """The same on the span of all points."""
        if loss not in self._whole:
            self._whole[loss] = self.learned(loss, np.arange(len(self.t)))
        return self._whole[loss]

    def number(self, loss: str, log: bool = True) -> int:
        """The prescribed number of columns, no more than all, or without its logarithm.

        Examples
        --------
        >>> from nystheory.chapters.random_subspaces.circle import Power
        >>> some = Sample.of(Circle(Power(2)), 300, np.random.default_rng(0))
        >>> some.number("hinge"), some.number("hinge", log=False)
        (210, 27)
        """
        n = len(self.t)
        alpha = self.circle.alpha(loss, n)
        some = self.circle.prescribed(loss, n) if log else 0
        return min(n, int(np.ceil(some or self.circle.effective_dimension(alpha))))


def along(sample: Sample, loss: str, drawn: np.ndarray, counts: Sequence[int]) -> dict:
    """What is learned on the span of the first so many columns, for each number.

    Examples
    --------
    >>> from nystheory.chapters.random_subspaces.circle import Power
    >>> some = Sample.of(Circle(Power(2)), 40, np.random.default_rng(0))
    >>> found = along(some, "square", np.arange(40), [2, 40])
    >>> found["excess"][1] < found["excess"][0]
    True
    """
    each = [sample.learned(loss, drawn[:m]) for m in counts]
    return {name: [one[name] for one in each] for name in each[0]}


# ---- the map: error over lambda and columns ----


@dataclass(frozen=True, eq=False)
class Groups:
    """Points to learn from, to choose by and to judge by, and a Gaussian kernel.

    Attributes
    ----------
    learn, aside, judged : Points
    gamma : float
    """

    learn: Points
    aside: Points
    judged: Points
    gamma: float

    @classmethod
    def of(cls, points: Points, count: int, width: float) -> Groups:
        """The first points to learn from; a third of the others is set aside.

        Parameters
        ----------
        points : Points
            In a random order.
        count : int
        width : float
            Of the kernel, over the root of the mean square distance of points.

        Examples
        --------
        >>> X = np.arange(20.0)[:, None]
        >>> some = Groups.of(Points(X, X.ravel()), 11, 1.0)
        >>> [len(part.X) for part in (some.learn, some.aside, some.judged)]
        [11, 3, 6]
        """
        ends = [count, count + (len(points.X) - count) // 3]
        parts = zip(np.split(points.X, ends), np.split(points.y, ends), strict=True)
        learn, aside, judged = (Points(X, y) for X, y in parts)
        gamma = 1 / (2 * learn.X.var(axis=0).sum() * width**2)
        return cls(learn, aside, judged, float(gamma))

    def features(self, chosen: np.ndarray) -> list[np.ndarray]:
        """Those of the three groups, on the span of some of the points to learn from.

        Parameters
        ----------
        chosen : ndarray (m,) of int
        """
        some = self.learn.X[chosen]
        places = (some, self.learn.X, self.aside.X, self.judged.X)
        return embedded(*(gaussian(X, some, self.gamma) for X in places))


def gaussian(X: np.ndarray, Z: np.ndarray, gamma: float) -> np.ndarray:
    """The Gaussian kernel between points, (len(X), len(Z)).

    Examples
    --------
    >>> gaussian(np.zeros((1, 2)), np.zeros((2, 2)), 1.0).tolist()
    [[1.0, 1.0]]
    """
    return rbf_kernel(X, Z, gamma=gamma)


def error_map(groups: Groups, drawn: np.ndarray, counts) -> dict[float | None, list]:
    """The wrong labels of the hinge loss, in percent, over lambda and columns.

    Parameters
    ----------
    groups : Groups
    drawn : ndarray (n,) of int
        The order in which columns are taken.
    counts : sequence of int

    Returns
    -------
    dict
        For each lambda of `LAMBDAS` the errors at the points to judge by, one for each
        number of columns; under None with the lambda of least loss on the points to
        choose by.
    """
    table = np.array([_over_lambda(groups, drawn[:m]) for m in counts])
    errors, losses = table[:, :, 0], table[:, :, 1]
    chosen = errors[np.arange(len(counts)), losses.argmin(axis=1)]
    found = zip(LAMBDAS, errors.T.tolist(), strict=True)
    return {**dict(found), None: chosen.tolist()}


def _over_lambda(groups, chosen):
    """For each lambda the share of wrong labels, and the loss to choose by."""
    F, G, H = groups.features(chosen)
    found = weights("hinge", F, groups.learn.y, LAMBDAS)
    aside, judged = groups.aside.y, groups.judged.y
    return [
        (100 * np.mean((H @ w > 0) != (judged > 0)), hinge(aside, G @ w).mean())
        for w in found
    ]


# ---- scores: which columns? ----


def projected(groups: Groups, chosen: np.ndarray) -> dict[str, float]:
    """How far points are from the span of some, and what ridge regression misses there.

    Parameters
    ----------
    groups : Groups
    chosen : ndarray (m,) of int

    Returns
    -------
    dict
        ``error``, ``100 |K - K~|_2 / n``, and ``missed``, the share of the variance of
        the points to judge by, in percent, with the ridge of least error on those to
        choose by.
    """
    F, G, H = groups.features(chosen)
    K, n = gaussian(groups.learn.X, groups.learn.X, groups.gamma), len(F)
    found = FeatureRidge(ridge=1.0).fit(F, groups.learn.y).path(RIDGES * n)
    w = min(found, key=lambda w: missed(G @ w, groups.aside.y))
    left = scipy.linalg.eigvalsh(K - F @ F.T, subset_by_index=[n - 1, n - 1])
    return {
        "error": 100 * float(left[0]) / n,
        "missed": missed(H @ w, groups.judged.y),
    }


# ---- the first picture ----


@dataclass(frozen=True, eq=False)
class Classified:
    """A support vector machine on the span of some points.

    Attributes
    ----------
    chosen : ndarray (m, d)
        These points.
    scores : ndarray
        What is learned, at the places that were asked for.
    error : float
        The wrong labels among the points to judge by, in percent.
    """

    chosen: np.ndarray
    scores: np.ndarray
    error: float

    @classmethod
    def of(cls, groups: Groups, chosen: np.ndarray, places: np.ndarray) -> Classified:
        """With the lambda of least loss on the points to choose by.

        Parameters
        ----------
        groups : Groups
        chosen : ndarray (m,) of int
        places : ndarray (q, d)

        Examples
        --------
        >>> X = np.array([[-1.0], [1.0]] * 9)
        >>> groups = Groups.of(Points(X, X.ravel()), 6, 1.0)
        >>> found = Classified.of(groups, np.arange(2), np.array([[2.0]]))
        >>> found.error, bool(found.scores[0] > 0)
        (0.0, True)
        """
        some = groups.learn.X[chosen]
        F, G, H = groups.features(chosen)
        w, _ = best("hinge", F, groups.learn.y, G, groups.aside.y)
        blocks = (gaussian(X, some, groups.gamma) for X in (some, places))
        (of_places,) = embedded(*blocks)
        wrong = (H @ w > 0) != (groups.judged.y > 0)
        return cls(some, of_places @ w, float(100 * wrong.mean()))
