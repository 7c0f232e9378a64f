"""What each theorem promises, with the rank or the ridge that suits it best."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from nystheory import sampling
from nystheory.kernels import as_kernel
from nystheory.theorems import theorems
from nystheory.theorems.adaptive_sampling.pivots import calculator

DELTA = 0.1
# The error is never above K, so a larger promise says nothing.
NOTHING = 1.0
_STEPS = 40


@dataclass(frozen=True)
class Promise:
    """A bound on the error, as a share of the trace of K.

    Attributes
    ----------
    share : float
        At most `NOTHING`, which stands for a bound that K = 0 would also meet.
    parameter : float
        The rank or the ridge for which the theorem promises most.
    """

    share: float
    parameter: float


class Known:
    """Eigenvalues and eigenvectors of a matrix, for those who ask an oracle.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)

    Examples
    --------
    >>> known = Known(np.diag([3.0, 1.0]))
    >>> known.n, round(known.effective_dimension(0.25), 9)
    (2, 1.25)
    """

    def __init__(self, K):
        values, vectors = np.linalg.eigh(as_kernel(K).dense())
        self.values = np.maximum(values[::-1], 0.0)
        self.vectors = vectors[:, ::-1]
        self.trace = float(self.values.sum())
        self.n = len(values)

    def scores(self, share: float) -> np.ndarray:
        """Ridge leverage scores for a ridge of a share of the trace, (n,)."""
        kept = self.values / (self.values + share * self.trace)
        return self.vectors**2 @ kept

    def effective_dimension(self, share: float) -> float:
        """The sum of the scores."""
        return float((self.values / (self.values + share * self.trace)).sum())

    def heads(self, largest: int) -> np.ndarray:
        """The largest leverage score of every rank up to `largest`, (largest,)."""
        return np.cumsum(self.vectors[:, :largest] ** 2, axis=1).max(axis=0)

    def tails(self, rank: int) -> dict[str, float]:
        """The errors of the best rank by the keywords of the bounds."""
        rest = np.append(self.values[rank:], 0.0)
        norm = float(np.linalg.norm(rest))
        return {"tail_2": rest[0], "tail_F": norm, "tail_trace": rest.sum()}


def _best(known: Known, bounds: Iterable[tuple[float, float]], limit) -> Promise:
    """The smallest of (bound, parameter); `limit` is the norm of K itself."""
    bound, parameter = min(bounds, default=(np.inf, 1))
    share = bound / known.trace
    return Promise(share if bound < limit else NOTHING, parameter)


def _both_norms(known, found) -> tuple[Promise, Promise]:
    """From (trace bound, spectral bound, parameter), one after the other."""
    found = list(found)
    return (
        _best(known, ((row[0], row[2]) for row in found), known.trace),
        _best(known, ((row[1], row[2]) for row in found), known.values[0]),
    )


def uniform(
    known: Known, n_landmarks: int, delta: float = DELTA
) -> tuple[Promise, Promise]:
    """Uniform columns by coherence: trace and spectral norm.

    Parameters
    ----------
    known : Known
    n_landmarks : int
    delta : float

    Examples
    --------
    >>> [promise.share for promise in uniform(Known(np.eye(9)), 5)]
    [1.0, 1.0]
    """
    theorem = theorems["modern:uniform-coherence"]

    def rows(claim, delta):
        for k, head in enumerate(known.heads(n_landmarks), 1):
            given = {"n": known.n, "l": n_landmarks, "k": k, "delta": delta}
            given |= {"leading_coherence": known.n * head / k, **known.tails(k)}
            given["kept_share"] = _largest_share(theorem, given)
            if given["kept_share"] > 0:
                yield theorem.right_side(claim, **given), k

    # The trace may fail with probability 2 delta in the theorem.
    return (
        _best(known, rows("the trace", delta / 2), known.trace),
        _best(known, rows("the spectral norm", delta), known.values[0]),
    )


def _of(formula, given):
    return formula(**{name: given[name] for name in formula.names})


def _largest_share(theorem, given) -> float:
    """The largest epsilon for which the columns are enough, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        good = theorem.meets("enough columns", **given, kept_share=middle)
        low, high = (middle, high) if good else (low, middle)
    return low


def leverage(
    known: Known, n_landmarks: int, delta: float = DELTA
) -> tuple[Promise, Promise]:
    """Columns drawn by exact leverage scores: trace and spectral norm.

    Parameters
    ----------
    known : Known
    n_landmarks : int
    delta : float

    Examples
    --------
    >>> known = Known(np.diag([1000.0, *np.ones(99)]))
    >>> leverage(known, 60)[0].parameter
    1
    """
    theorem = theorems["modern:leverage"]

    def rows():
        for k in range(1, n_landmarks + 1):
            # The second branch of the number of columns, solved for epsilon.
            given = {"l": n_landmarks, "k": k, "delta": delta, "score_share": 1.0}
            given["accuracy"] = np.sqrt(20 * k / n_landmarks) * (1 + 1e-9)
            if theorem.meets("enough columns", **given):
                given |= known.tails(k)
                norm = theorem.right_side("the spectral norm", **given)
                yield theorem.right_side("the trace", **given), norm, k

    return _both_norms(known, rows())


def gaussian(known: Known, n_landmarks: int) -> tuple[Promise, Promise]:
    """Gaussian sketches, on average: trace and spectral norm.

    What is promised of the best rank k of the approximation holds for all of it.

    Parameters
    ----------
    known : Known
    n_landmarks : int
        Number of test vectors, at least 3.

    Examples
    --------
    >>> known = Known(np.diag([1000.0, *np.ones(99)]))
    >>> round(gaussian(known, 12)[0].share * known.trace, 9)
    108.9
    """
    theorem = theorems["modern:gaussian-sketch"]

    def rows():
        for k in range(1, n_landmarks - 1):
            given = {"l": n_landmarks, "k": k, **known.tails(k)}
            cut = theorem.right_side("spectral", **given)
            whole = theorem.right_side("without truncation", **given)
            yield theorem.right_side("nuclear", **given), min(cut, whole), k

    return _both_norms(known, rows())


def pivoted(known: Known, n_landmarks: int) -> Promise:
    """Randomly pivoted Cholesky, on average, by the calculator: the trace.

    Parameters
    ----------
    known : Known
    n_landmarks : int

    Examples
    --------
    >>> pivoted(Known(np.eye(4)), 2).share
    0.5625
    """
    return Promise(calculator(known.values, n_landmarks) / known.trace, n_landmarks)


def volume(known: Known, n_landmarks: int) -> Promise:
    """The mean trace error of a k-DPP, exactly.

    Parameters
    ----------
    known : Known
    n_landmarks : int

    Examples
    --------
    >>> round(volume(Known(np.eye(4)), 2).share, 9)
    0.5
    """
    some = known.values[known.values > 0]
    logs = sampling.log_elementary(some, n_landmarks + 1)[-1]
    mean = (n_landmarks + 1) * np.exp(logs[-1] - logs[-2])
    return Promise(float(mean) / known.trace, n_landmarks)


# How many ridges the error is allowed by each theorem.
RIDGES = {"modern:bach": 1, "modern:rudi": 2}


def uniform_ridge(
    known: Known, n_landmarks: int, delta: float = DELTA, id: str = "modern:bach"
) -> Promise:
    """Uniform columns by the largest ridge leverage score: the spectral norm.

    Parameters
    ----------
    known : Known
    n_landmarks : int
    delta : float
    id : {"modern:bach", "modern:rudi"}
        The theorem: ``|E| <= alpha`` by one, ``|E| <= 2 alpha`` by the other.

    Examples
    --------
    >>> uniform_ridge(Known(np.eye(9)), 5).share
    1.0
    """
    theorem = theorems[id]

    def chance(share):
        given = {
            "n": known.n,
            "l": n_landmarks,
            "accuracy": 1.0,
            "largest_score": known.n * known.scores(share).max(),
            "d_eff": known.effective_dimension(share),
        }
        return theorem.right_side(theorem.main, **given)

    share = _smallest_ridge(chance, delta)
    bound = RIDGES[id] * share * known.trace
    return _best(known, [(bound, share)], known.values[0])


def ridge_scores(known: Known, n_landmarks: int, delta: float = DELTA) -> Promise:
    """Columns drawn by exact ridge leverage scores: the spectral norm.

    Parameters
    ----------
    known : Known
    n_landmarks : int
    delta : float

    Examples
    --------
    >>> known = Known(np.diag([1000.0, *np.ones(99)]))
    >>> 0.08 < ridge_scores(known, 100).share < 0.12
    True
    """
    theorem = theorems["modern:alaoui-mahoney"]

    def chance(share):
        d = known.effective_dimension(share)
        given = {"n": known.n, "l": n_landmarks, "d_eff": d, "ridge_share": 1.0}
        return theorem.right_side("all at once", **given)

    share = _smallest_ridge(chance, delta)
    return _best(known, [(share * known.trace, share)], known.values[0])


def _smallest_ridge(chance, delta) -> float:
    """The smallest share of the trace with a chance of failure up to delta.

    1 where there is none below it: such a ridge promises nothing anyway.
    """
    low, high = np.log(1e-12), 0.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        good = chance(np.exp(middle)) <= delta
        low, high = (low, middle) if good else (middle, high)
    return float(np.exp(high))
