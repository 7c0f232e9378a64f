"""The search: rounds of more and more columns, elimination, and products at the end."""

from __future__ import annotations

import math
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from nystheory import _checks
from nystheory._progress import counter
from nystheory.features import _choice
from nystheory.kernels import DenseKernel, KernelMatrix
from nystheory.sampling import FewerLandmarks
from nystheory.selection._bounds import Bounds
from nystheory.selection._candidates import Candidate, WithDiagonal, about
from nystheory.selection._criterion import by_spectrum, criterion
from nystheory.selection._enclosure import ends
from nystheory.selection._outcome import CHOSEN, UNDECIDED, WORSE, Outcome
from nystheory.selection._problem import finite, problem, sums
from nystheory.selection._threads import together

# Kernels that are looked at together; what they show drops others before the next.
TOGETHER = 4
# The first round takes this share of the columns; each later one twice as many.
FIRST_SHARE = 8
# From this share of the points on all of K costs no more than its columns.
EXACT_SHARE = 2
# An entry of a kernel of points, in operations of a matrix product; of a stored one.
ENTRY, STORED = 300, 2
# Operations with a factor of l columns, in units of n l^2.
FACTOR = 10
# What products may cost where the user does not say how many, beside the columns.
SHARE_OF_PRODUCTS = 0.1
# Operations that take so little time that they are never too many.
LITTLE = 1e9
# The trace has to fall with the columns at least as fast as their power of this.
SLOWEST = 0.05


@dataclass(frozen=True)
class _Plan:
    """How a search is done; `products` None stands for as many as cost little."""

    measure: str
    n_landmarks: int
    products: int | None
    landmarks: str
    eliminate: bool
    weights: np.ndarray | None
    n_jobs: int | None = None

    def rounds(self) -> list[int]:
        """Numbers of columns, the last one `n_landmarks`.

        >>> _Plan("criterion", 400, 0, "rp_cholesky", True, None).rounds()
        [50, 100, 200, 400]
        """
        if not self.eliminate:
            return [self.n_landmarks]
        shares = (1, 2, 4, FIRST_SHARE)
        counts = (-(-self.n_landmarks * share // FIRST_SHARE) for share in shares)
        return sorted(set(counts))

    def exact(self, n: int) -> bool:
        """Whether n points are so few that all of K is looked at."""
        return EXACT_SHARE * self.n_landmarks >= n


@dataclass(eq=False)
class _Standing:
    """What is known of one kernel: ends for each ridge, and how they were found."""

    candidate: Candidate
    seed: int
    lower: np.ndarray
    upper: np.ndarray
    estimate: np.ndarray
    columns: int = 0
    products: int = 0
    entries: int = 0
    spent: float = 0.0  # operations
    # Whether there were fewer columns to choose than the round requested.
    exhausted: bool = False
    # What is left of the trace after each pivot, where pivots were drawn.
    left: np.ndarray = field(default_factory=lambda: np.empty(0))
    diagonal: np.ndarray | None = None

    @classmethod
    def of(cls, candidate, seed, r) -> _Standing:
        """Nothing is known yet."""
        ends = np.full(r, -np.inf), np.full(r, np.inf), np.full(r, np.nan)
        return cls(candidate, seed, *ends)

    def matrix(self) -> KernelMatrix:
        """K, with the diagonal that the first look computed."""
        K = self.candidate.matrix()
        if isinstance(K, DenseKernel):
            return K
        if self.diagonal is None:
            self.diagonal = K.diagonal()
            self.entries += K.n
        return WithDiagonal(K, self.diagonal)

    def learn(self, which, lower, upper, estimate) -> None:
        """Ends of some ridges: what was certain before is certain still."""
        self.lower[which] = np.maximum(self.lower[which], lower)
        self.upper[which] = np.minimum(self.upper[which], upper)
        # Rounding apart the ends never cross.
        high = np.maximum(self.lower[which], self.upper[which])
        self.estimate[which] = np.clip(estimate, self.lower[which], high)


class Search:
    """All kernels, and those pairs of kernel and ridge that may be the best."""

    def __init__(self, candidates: list[Candidate], y, ridges, plan: _Plan, rng):
        self.y, self.ridges, self.plan = y, ridges, plan
        weights = plan.weights
        problem(len(y), y, ridges, plan.measure, weights)  # of no kernel in particular
        self.n = len(y) if weights is None else int(np.count_nonzero(weights))
        seeds = rng.integers(2**31 - 1, size=len(candidates)).tolist()
        self.all = [
            _Standing.of(each, seed, len(ridges))
            for each, seed in zip(candidates, seeds, strict=True)
        ]
        # Operations that products may still take.
        self.budget = None

    def run(self) -> Outcome:
        """Look until the choice is certain, or the plan is done."""
        if self.plan.exact(self.n):
            self._each("kernels", self.all, self._exactly)
        else:
            self._rounds()
            self._products()
        return self._outcome()

    # --- Who may be the best ----------------------------------------------------------

    def open(self) -> np.ndarray:
        """Which pairs are not certainly worse than another one, (m, r)."""
        lower = np.array([each.lower for each in self.all])
        upper = np.array([each.upper for each in self.all])
        return lower <= upper.min()

    def _left(self) -> list[_Standing]:
        """The kernels that still take part."""
        if not self.plan.eliminate:
            return self.all
        alive = self.open().any(axis=1)
        return [each for each, is_open in zip(self.all, alive, strict=True) if is_open]

    def _ridges_of(self, standing) -> np.ndarray:
        """Which ridges of a kernel are still looked at, (r,)."""
        if not self.plan.eliminate:
            return np.ones(len(self.ridges), dtype=bool)
        i = next(i for i, each in enumerate(self.all) if each is standing)
        found = self.open()[i]
        return found if found.any() else ~found

    # --- Rounds -----------------------------------------------------------------------

    def _rounds(self):
        rounds = self.plan.rounds()
        while rounds:
            columns, *rounds = rounds
            before = int(self.open().sum())
            self._each(f"{columns} columns", self._left(), self._look, columns)
            if int(self.open().sum()) == 1:
                return
            if int(self.open().sum()) == before and rounds:
                rounds = rounds[-1:]

    def _each(self, what, standings, work, *given):
        """Do some work for each kernel, with a bar; in an order that drops many.

        Some kernels together, in threads: what they show counts for the next ones, so
        that the result does not depend on the number of jobs.
        """
        waiting = self._promising(standings)
        # Filters of warnings belong to all threads, so they are set here.
        with (
            counter(what, len(waiting)) as bar,
            few_columns(),
            together(self.plan.n_jobs, TOGETHER) as run,
        ):
            for group in _groups(waiting):
                tasks = [
                    partial(_told, work, each, self._ridges_of(each), *given)
                    for each in group
                    if not self.plan.eliminate or self._may_win(each)
                ]
                run(tasks)
                bar.update(len(group))

    def _may_win(self, standing) -> bool:
        return bool(self._ridges_of(standing).any()) and standing in self._left()

    def _promising(self, standings):
        """Those of small estimates first: what they show drops the others."""

        def least(each):
            return np.inf if np.isnan(each.estimate).all() else np.nanmin(each.estimate)

        return sorted(standings, key=least)

    def _look(self, standing, which, columns, products=0):
        """Ends from so many columns and products, of some ridges, (r,)."""
        if standing.exhausted and not products:  # there are no more of them
            standing.columns = columns
            return
        near, drawn = self._approximated(standing, columns)
        before = near.kernel.entries_asked
        self._learn(standing, which, near, products)
        standing.left = self._decay(near, drawn)
        standing.entries += near.kernel.entries_asked - before
        standing.columns, standing.products = columns, products
        standing.exhausted = len(drawn) < columns

    def _approximated(self, standing, columns):
        """The approximation from so many columns: the same at each call."""
        K = standing.matrix()
        before = K.entries_asked
        rng = np.random.default_rng(standing.seed)
        drawn = _choice.chosen(K, self.plan.landmarks, columns, None, rng)
        near = _choice.approximated(K, drawn)
        standing.entries += K.entries_asked - before
        standing.spent += _cost(K, columns)
        return near, drawn

    def _learn(self, standing, which, near, products):
        ridge = self.ridges[which]
        asked = problem(near.n, self.y, ridge, self.plan.measure, self.plan.weights)
        # One factorisation for the ends and for the measure of the approximation.
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            bounds = Bounds.of(asked, near)
            lower, upper = ends(bounds, products)
            estimate = finite(by_spectrum(asked, bounds.spectrum))
        finite(upper)
        standing.learn(which, lower, upper, estimate)

    def _decay(self, near, drawn):
        """What is left of the trace after each pivot, with weights, (l,)."""
        if drawn.factor is None or near.kernel is None:
            return np.empty(0)
        F, diagonal = near.factor, near.kernel.diagonal().astype(np.float64)
        w = np.ones(len(F)) if self.plan.weights is None else self.plan.weights
        gained = np.einsum("ij,ij,i->j", F, F, w, dtype=np.float64)
        return (w @ diagonal - np.cumsum(gained)).clip(0)

    # --- All of K ---------------------------------------------------------------------

    def _exactly(self, standing, _):
        """Of few points the measure itself, and what rounding may do to it."""
        K = standing.candidate.matrix()
        before = K.entries_asked
        A = DenseKernel._of_checked(K.dense().astype(np.float64))
        measure, weights = self.plan.measure, self.plan.weights
        found = criterion(
            A, self.y, self.ridges, measure=measure, sample_weight=weights
        )
        asked = problem(K.n, self.y, self.ridges, measure, weights)
        trace = float(asked.of_diagonal(A.diagonal()).sum())
        with np.errstate(over="ignore"):
            lower, upper = _ends_of_computed(asked, trace, found)
        standing.learn(slice(None), lower, finite(upper), found)
        standing.columns = K.n
        standing.entries += K.entries_asked - before

    # --- Products ---------------------------------------------------------------------

    def _products(self):
        """Products with the most promising kernels, until the choice is certain."""
        wanted = 1 if self.plan.products is None else self.plan.products
        # Each begins anew: twice as many, so that no more than thrice are computed.
        for products in _doubled(wanted):
            left = self._promising(self._left())
            with counter("products", len(left)) as bar:
                for standing in left:
                    if self.open().sum() == 1:
                        return
                    if self._worth_it(standing):
                        which, columns = self._ridges_of(standing), standing.columns
                        with few_columns():
                            _told(self._look, standing, which, columns, products)
                    bar.update(1)

    def _worth_it(self, standing) -> bool:
        """Whether a product can tell something, and costs no more than is allowed."""
        if self.plan.eliminate and standing not in self._left():
            return False
        if self.plan.products is not None:
            return True
        if self.budget is None:
            spent = sum(each.spent for each in self.all)
            self.budget = max(spent * SHARE_OF_PRODUCTS, LITTLE)
        K = standing.candidate.matrix()
        # Each begins anew, with the columns.
        self.budget -= _cost(K, standing.columns) + _product_cost(K, len(self.ridges))
        return self.budget >= 0

    # --- The outcome ------------------------------------------------------------------

    def _outcome(self) -> Outcome:
        lower, upper, estimate = (
            np.array([getattr(each, name) for each in self.all])
            for name in ("lower", "upper", "estimate")
        )
        may = self.open()
        status = np.where(may, UNDECIDED, WORSE).astype(object)
        best = np.unravel_index(
            np.where(may, estimate, np.inf).argmin(), estimate.shape
        )
        status[best] = CHOSEN
        return Outcome(
            measure=self.plan.measure,
            kernels=tuple(each.candidate.name for each in self.all),
            ridges=self.ridges,
            lower=lower,
            upper=upper,
            estimate=estimate,
            status=status.astype(str),
            columns=np.array([each.columns for each in self.all]),
            products=np.array([each.products for each in self.all]),
            more_columns=self._more(status, best),
            entries_asked=sum(each.entries for each in self.all),
            n=self.n,
        )

    def _more(self, status, best):
        """By an estimate, how many more columns would tell each pair from the best."""
        more = np.zeros(status.shape)
        one = self.all[best[0]]
        for i, j in np.argwhere(status == UNDECIDED):
            other = self.all[i]
            share = _share(one, best[1], other, j)
            wanted = [_wanted(each, share, self.n) for each in (one, other)]
            more[i, j] = max(wanted)
        return more


def _told(work, standing, *given):
    """Work on one kernel among many; an error says of which."""
    with about(standing.candidate):
        work(standing, *given)


def _groups(standings) -> list[list]:
    """A few kernels each, in order."""
    return [standings[i : i + TOGETHER] for i in range(0, len(standings), TOGETHER)]


def _ends_of_computed(asked, trace, found):
    """Ends of a measure that was computed from all of K, (r,) each.

    A factorisation is that of a matrix which is off by some n eps of the trace; by this
    share of the ridge, at most, it moves quadratic forms of the inverse.
    """
    ratio, few = trace / asked.ridge, 4 * sums(asked.n)
    share = few * (1 + ratio)
    if asked.measure == "leave-one-out":
        return _ends_alone(asked, ratio, share, found)
    if asked.measure == "criterion":
        return found / (1 + share), found * (1 + share)
    logs = np.abs(np.log(asked.ridge))
    # The determinant is at least that of the ridge alone.
    half = (found - asked.n * np.log(asked.ridge) / 2 - asked.constant).clip(0)
    size = np.abs(found) + asked.n * (2 + logs + np.log1p(ratio)) + abs(asked.constant)
    moved = share * (half + asked.n) + few * size
    return found - moved, found + moved


def _ends_alone(asked, ratio, share, found):
    """The same of leaving one out, whose errors are ``a_i / h_i``.

    With e what is off, ``e_i'A^-1 e a`` is at most ``|e| |a| sqrt(h_i / ridge)``, the
    sum of all ``1 / h_i`` at most ``trace + n ridge``, and ``|a|`` at most the length
    of the errors, divided by the ridge.  However much rounds, an error is at most
    ``|y_i| + |y| sqrt(K_ii / ridge) / 2``.
    """
    moved = share * (1 + np.sqrt(asked.n + ratio))
    most = np.linalg.norm(asked.y) * (1 + np.sqrt(ratio) / 2) * (1 + sums(asked.n))
    upper = np.full(len(found), np.inf)
    np.divide(found, (1 - moved) ** 2, out=upper, where=moved < 1)
    return found / (1 + moved) ** 2, np.minimum(upper, most**2 / asked.n)


def _doubled(last) -> list[int]:
    """Twice as many again and again, and the last.

    >>> _doubled(5), _doubled(0)
    ([1, 2, 4, 5], [])
    """
    return sorted({2**i for i in range(last.bit_length())} | {last} - {0})


def _cost(K, columns) -> float:
    """Operations for an approximation and its ends."""
    entry = STORED if isinstance(K, DenseKernel) else ENTRY
    return K.n * columns * (entry + FACTOR * columns)


def _product_cost(K, r) -> float:
    """Operations for one product, with a vector for each ridge."""
    entry = STORED if isinstance(K, DenseKernel) else ENTRY
    return K.n**2 * (entry + 2 * r)


def _share(one, j, other, k) -> float:
    """By what share the ends of both have to close in to tell the other worse.

    The estimates are taken for right, and the ends to close in alike.
    """
    gap = other.estimate[k] - one.estimate[j]
    # The farther end: that at 0 is near for a square, however little is known of it.
    width = sum(
        max(each.estimate[m] - each.lower[m], each.upper[m] - each.estimate[m])
        for each, m in ((one, j), (other, k))
    )
    return gap / width if gap > 0 and 0 < width < np.inf else math.nan


def _wanted(standing, share, n) -> float:
    """How many more columns bring the trace of what is missed to this share of it.

    From a power of the number of columns, as it fell over the second half of them: a
    trace that falls faster needs fewer.
    """
    left = standing.left
    l = len(left)  # noqa: E741
    if l < 8 or left[-1] <= 0 or not share > 0:
        return math.nan
    half = l // 2
    power = math.log(left[half - 1] / left[-1]) / math.log(l / half)
    if not power > SLOWEST:
        return math.nan
    factor = max(1.0, share ** (-1 / power) if share < 1 else 1.0)
    return float(min(math.ceil(l * factor), n) - l) if math.isfinite(factor) else n - l


def checked(
    measure, n_landmarks, products, landmarks, eliminate, weights, n_jobs
) -> _Plan:
    """The plan of a search, from the arguments of a user."""
    n_landmarks = _checks.integer(n_landmarks, "n_landmarks")
    if not (isinstance(products, str) and products == "auto"):
        try:
            products = _checks.integer(products, "products", low=0)
        except TypeError:
            raise TypeError(
                "products: expected 'auto' or an integer of at least 0, got "
                f"{_checks.shown(products)}"
            ) from None
    else:
        products = None
    if not isinstance(landmarks, str):
        raise TypeError(
            f"landmarks: expected the name of a scheme, got {_checks.shown(landmarks)}"
        )
    _choice.named(landmarks)
    eliminate = _checks.truth(eliminate, "eliminate")
    how = products, landmarks, eliminate, weights, _checks.jobs(n_jobs)
    return _Plan(measure, n_landmarks, *how)


@contextmanager
def few_columns():
    """Without warnings where fewer columns explain all of K: nothing is missing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewerLandmarks)
        yield
