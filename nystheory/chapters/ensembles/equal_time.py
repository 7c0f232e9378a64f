"""Ensembles against their rivals in equal time, on a matrix too large to form.

Figure 4.9 of A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
thesis, New York University, 2010, on patches of photographs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import scipy.stats
from threadpoolctl import threadpool_limits

from nystheory import datasets, ensemble, kernels, lowrank, sampling, style
from nystheory.chapters.ensembles.mixtures import BEST, MEAN
from nystheory.engine.findings.experiments import LEVEL
from nystheory.engine.trial.statistics import Interval

UNIFORM, RIDGE, RIDGE_2 = "uniform", "ridge", "ridge, $s = s' = 2$"
ONE, ONE_RANK_K, CENTROIDS = "one sample", "one sample, rank $k$", "K-means"
SINGLE = (ONE, ONE_RANK_K, CENTROIDS)

Block = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class Blocks:
    """Random blocks of K, on which percent errors are estimated.

    Attributes
    ----------
    places : list of (ndarray (m,), ndarray (m,))
        Rows and columns of each block, uniform without replacement, independent.
    true : list of ndarray (m, m)
        The blocks.
    """

    places: list[tuple[np.ndarray, np.ndarray]]
    true: list[np.ndarray]

    def percent_error(self, block: Block) -> Interval:
        """``100 |K - K~|_F / |K|_F`` of an approximation, estimated.

        Parameters
        ----------
        block : callable
            ``block(rows, columns)`` gives a block of the approximation.

        Returns
        -------
        Interval
            Fieller's limits for the quotient of two means over blocks, each of level
            `LEVEL`, under the root; infinite above if the blocks of K themselves are
            too uneven.

        Examples
        --------
        >>> K = kernels.DenseKernel(np.eye(20) + 1)
        >>> blocks = random_blocks(K, np.random.default_rng(0), 5, 10)
        >>> estimate, low, high, _ = blocks.percent_error(lambda i, j: 0.9 * K[i, j])
        >>> round(estimate, 9), round(low, 9), round(high, 9)
        (10.0, 10.0, 10.0)
        """
        wrong = [
            np.mean((true - block(*place)) ** 2)
            for true, place in zip(self.true, self.places, strict=True)
        ]
        return _quotient(np.array(wrong), np.array([np.mean(B**2) for B in self.true]))


def random_blocks(
    K: kernels.KernelMatrix, rng: np.random.Generator, count: int = 40, size: int = 200
) -> Blocks:
    """`count` random blocks of `size` x `size` entries of K.

    Examples
    --------
    >>> K = kernels.linear(np.eye(9))
    >>> blocks = random_blocks(K, np.random.default_rng(0), 3, 4)
    >>> len(blocks.true), blocks.true[0].shape
    (3, (4, 4))
    """
    places = [
        tuple(rng.choice(K.n, size, replace=False) for _ in range(2))
        for _ in range(count)
    ]
    return Blocks(places, [K[rows, columns] for rows, columns in places])


def _quotient(wrong, true):
    """Root of the quotient of two means in percent, with Fieller's limits."""
    count = len(true)
    reach = scipy.stats.t.isf(LEVEL, count - 1) ** 2 / count
    (ww, wt), (_, tt) = reach * np.cov(wrong, true)
    w, t = wrong.mean(), true.mean()
    # The quotients q for which the mean of wrong - q true is within reach of zero.
    a, b, c = t * t - tt, w * t - wt, w * w - ww
    root = np.sqrt(max(0.0, b * b - a * c))
    low, high = ((b - root) / a, (b + root) / a) if a > 0 else (0.0, np.inf)
    percent = (100 * np.sqrt(max(0.0, x)) for x in (w / t, low, high))
    return Interval(*map(float, percent), "Fieller")


@dataclass(frozen=True, eq=False)
class FixedTime:
    """What each method reached in about the same time.

    Attributes
    ----------
    n : int
    errors : dict of str to list of Interval, length draws
        Estimated percent error by method; of base learners the estimate alone.
    seconds : dict of str to list of float, length draws
        Wall-clock time to make the approximation, without the estimate of its error.
    columns : dict of str to list of int, length draws
        Columns of K, or centroids, that the method used.
    """

    n: int
    errors: dict[str, list[Interval]]
    seconds: dict[str, list[float]]
    columns: dict[str, list[int]]

    def table(self) -> style.Table:
        """Columns, seconds, percent error, and the limits of the first estimate."""
        rows = []
        for name, found in self.errors.items():
            mean = np.mean([interval.estimate for interval in found])
            first = found[0]
            shown = f"{first.estimate:.2f} ({first.low:.2f} to {first.high:.2f})"
            shown = shown if np.isfinite(first.low) else f"{first.estimate:.2f}"
            seconds = np.mean(self.seconds[name])
            columns = round(np.mean(self.columns[name]))
            rows.append((name, columns, f"{seconds:.1f}", f"{mean:.2f}", shown))
        header = ("method", "columns", "seconds", "mean percent error", "first draw")
        return style.Table(header, rows)


def patches_kernel(n: int = 100_000, gamma: float = 8.0) -> kernels.PointKernel:
    """The Gaussian kernel of n patches of two photographs, 8 x 8 pixels each.

    Examples
    --------
    >>> patches_kernel(100).shape
    (100, 100)
    """
    return kernels.rbf(datasets.patches(n).X, gamma)


def fixed_time(
    K: kernels.PointKernel,
    draws: int = 4,
    n_experts: int = 10,
    n_landmarks: int = 40,
    rank: int = 30,
    seed: int = 0,
) -> FixedTime:
    """Give every method the time that the ensemble with ridge weights takes.

    Parameters
    ----------
    K : PointKernel (n, n)
    draws : int
        At least 2.
    n_experts, n_landmarks, rank : int
        The number p of experts, of columns l of each, and their rank k.
    seed : int

    Returns
    -------
    FixedTime
        Of ensembles with uniform and ridge weights, their best and mean base learner,
        one Nyström approximation, of rank k and of full rank, from as many columns as
        the time allows, and one from as many centroids; at most p l, the number that
        the ensemble sees.

    Notes
    -----
    Everything runs one after the other in one thread, except that entries of the
    kernel are computed on all cores, for every method alike.  Needs ``2 n p l``
    words; K is never formed.

    Examples
    --------
    >>> found = fixed_time(patches_kernel(300), 2, 3, 10, 5)
    >>> list(found.errors)[:2], len(found.errors["ridge"])
    (['uniform', 'ridge'], 2)
    """
    with threadpool_limits(1):
        total, columns, made = n_experts * n_landmarks, {}, []
        trials = _trials(K, total // 4, rank)
        for rng in np.random.default_rng(seed).spawn(draws):
            blocks = random_blocks(K, rng)
            found = _ensembles(K, blocks, n_experts, n_landmarks, rank, rng)
            budget = found[RIDGE][1]
            columns = columns or _affordable(K, trials, budget, rank, total)
            found |= _single(K, blocks, columns, rank, rng)
            made.append(found)
            # Who took too long gets fewer columns next time.
            for name, count in columns.items():
                share = budget / found[name][1]
                if share < 0.9:
                    columns[name] = max(min(rank, total), int(count * share))
    return FixedTime(
        K.n,
        *({name: [m[name][i] for m in made] for name in made[0]} for i in range(3)),
    )


def _ensembles(K, blocks, p, n_landmarks, rank, rng):
    """Estimated error, seconds and columns of ensembles and their base learners."""
    samples = ensemble.samples(K, p, n_landmarks, rng)
    experts, spent = _timed(lambda: ensemble.experts(K, samples, rank))
    found = {}
    for name, (weights, s) in {
        UNIFORM: ("uniform", 20),
        RIDGE: ("ridge", 20),
        RIDGE_2: ("ridge", 2),
    }.items():
        mixture, more = _timed(
            lambda w=weights, s=s: ensemble.combine(K, experts, rng, w, s, s)
        )
        error = blocks.percent_error(mixture.block)
        found[name] = error, spent + more, p * n_landmarks
    alone = [blocks.percent_error(_block_of(e)).estimate for e in experts]
    for name, error in ((BEST, min(alone)), (MEAN, float(np.mean(alone)))):
        interval = Interval(error, np.nan, np.nan, "estimate")
        found[name] = interval, spent / p, n_landmarks
    return found


def _single(K, blocks, columns, rank, rng):
    """Estimated error, seconds and columns of one approximation of each kind."""
    found = {}
    for name, make in _makers(K, rank, rng).items():
        count = columns[name]
        made, seconds = _timed(lambda make=make, count=count: make(count))
        found[name] = blocks.percent_error(_block_of(made)), seconds, count
    return found


def _makers(K, rank, rng):
    """By name, a function from a number of columns to an approximation."""

    def by_centroids(count):
        centroids = sampling.kmeans(K, count, rng, minibatch=True)
        return lowrank.nystrom(K, centroids)

    def sampled(count, k=None):
        return lowrank.nystrom(K, sampling.uniform(K, count, rng), k)

    return {
        ONE_RANK_K: lambda count: sampled(count, min(rank, count)),
        ONE: sampled,
        CENTROIDS: by_centroids,
    }


def _trials(K, count, rank):
    """By name, a small number of columns and the seconds that they take."""
    makers = _makers(K, rank, np.random.default_rng(0))
    return {
        name: (count, _timed(lambda make=make: make(count))[1])
        for name, make in makers.items()
    }


def _affordable(K, trials, seconds, rank, most):
    """Columns that each method can have in the given time, from k to `most`."""
    columns = {}
    for name, make in _makers(K, rank, np.random.default_rng(1)).items():
        first, power = trials[name], 1.0
        guess = _scaled(*first, seconds, power, rank, most)
        second = guess, _timed(lambda make=make, guess=guess: make(guess))[1]
        if second[0] > first[0]:
            # Seconds grow like a power of the columns; a slower growth is noise.
            growth = np.log(second[1] / first[1]) / np.log(second[0] / first[0])
            power = max(1.0, float(growth))
        columns[name] = _scaled(*second, seconds, power, rank, most)
    return columns


def _scaled(count, spent, seconds, power, least, most):
    """The number of columns that should take `seconds`, where `count` took `spent`."""
    wanted = count * (seconds / spent) ** (1 / power)
    return int(np.clip(wanted, min(least, most), most))


def _block_of(made):
    return lambda rows, columns: made.factor[rows] @ made.factor[columns].T


def _timed(work):
    """What a function returns, and the seconds it took."""
    start = perf_counter()
    made = work()
    return made, perf_counter() - start
