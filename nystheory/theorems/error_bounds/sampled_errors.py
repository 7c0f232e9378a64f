"""Every sample of a small matrix, with its chance and the error that it leaves.

A bound that may fail with probability delta is checked on a `Case`: a matrix, l, k
and delta, with a table of all outcomes, or a way to draw one where there are too
many.  Errors are computed in the coordinates of the principal axes of the points:
``K - K~ = X' (I - P) X`` has the eigenvalues of ``s (I - P) s``, s the singular values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
import scipy.linalg

from nystheory.theorems.base import Claim, Hypothesis, Law
from nystheory.theorems.instance import GREY_HIGH, GREY_LOW, Instance
from nystheory.theorems.quantities import measure, quantity

head_F = quantity(
    "head_F",
    r"\|K_k\|_F",
    "Frobenius norm of the best rank k",
)(lambda i: float(np.linalg.norm(i.eigen_K[0][: i.k])))

# Measured once for each matrix and rank; K_max, d_max and spread belong to
# `covariance`.
MATRIX = ("n", "K_max", "d_max", "spread", "tail_2", "tail_F", "head_F")

# One column of one is no choice, and e_l is 0 / 0 there; the error is then zero.
SEVERAL = Hypothesis(r"$n \ge 2$", ("n",), lambda n: n >= 2, domain=True)
# Otherwise the logarithm has no root.
PROBABILITY = Hypothesis(
    r"$0 < \delta \le 1$", ("delta",), lambda delta: 0 < delta <= 1, domain=True
)

# --- Errors of many samples at once -----------------------------------------------


def principal(X) -> np.ndarray:
    """The points in coordinates in which ``X X'`` is diagonal, (r, n)."""
    _, s, Vt = scipy.linalg.svd(np.asarray(X, dtype=float), full_matrices=False)
    return s[:, None] * Vt


def projectors(x, samples, rank) -> np.ndarray:
    """Projectors on the k leading directions of each sample, (T, r, r).

    Parameters
    ----------
    x : ndarray (r, n)
    samples : ndarray (T, l) of int
    rank : int
        A sample of lower rank gets the projector on all that it spans.

    Examples
    --------
    >>> projectors(np.diag([2.0, 1.0]), [[0], [1]], 1).tolist()
    [[[1.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]]]
    """
    sampled = np.moveaxis(x[:, np.asarray(samples)], 0, 1)
    U, s, _ = np.linalg.svd(sampled, full_matrices=False)
    floor = np.sqrt(GREY_LOW * GREY_HIGH) * np.linalg.norm(x, axis=1).max()
    U = U[..., :rank] * (s[:, None, :rank] > floor)
    return U @ np.swapaxes(U, 1, 2)


def errors(x, kept) -> tuple[np.ndarray, np.ndarray]:
    """Spectral and Frobenius norm of ``x' (I - G) x`` for each ``0 <= G <= I``, (T,).

    Examples
    --------
    >>> errors(np.diag([2.0, 1.0]), np.zeros((1, 2, 2)))
    (array([4.]), array([4.12...]))
    """
    s = np.linalg.norm(x, axis=1)
    moduli = np.abs(np.linalg.eigvalsh(s[:, None] * (np.eye(len(s)) - kept) * s))
    return moduli.max(axis=1), np.linalg.norm(moduli, axis=1)


def distances(x, samples) -> np.ndarray:
    """``|X X' - Z Z'|_F`` of each sample, (T,).

    Examples
    --------
    >>> distances(np.eye(2), [[0], [1]]).round(6).tolist()
    [1.414214, 1.414214]
    """
    samples = np.asarray(samples)
    sampled = np.moveaxis(x[:, samples], 0, 1)
    scaled = x.shape[1] / samples.shape[1] * (sampled @ np.swapaxes(sampled, 1, 2))
    return np.linalg.norm(x @ x.T - scaled, axis=(1, 2))


# --- Cases and their outcomes -----------------------------------------------------


@dataclass(frozen=True, eq=False)
class Case:
    """A matrix that is sampled, and all that can come of it.

    Parameters
    ----------
    name : str
    values : mapping of str to float
        The quantities that bounds are written in: n, l, k, delta, K_max, ...
    scale : float
        Spectral norm of the matrix.
    chances : ndarray (T,), optional
        The probability of each outcome; None where there are too many.
    outcomes : mapping of str to ndarray (T,)
        What is observed there: ``error_2``, ``error_F``, ``psi``.
    draw : callable (rng) -> mapping of str to float, optional
        One outcome at random.
    """

    name: str
    values: Mapping[str, float]
    scale: float
    chances: np.ndarray | None = None
    outcomes: Mapping[str, np.ndarray] | None = None
    draw: Callable[[Any], Mapping[str, float]] | None = None

    def __repr__(self):
        shown = ", ".join(f"{name}={self.values[name]:.6g}" for name in "nlk")
        return f"Case({self.name}: {shown}, delta={self.extra['delta']:.3g})"

    @property
    def n(self) -> int:
        """Size of the matrix."""
        return self.values["n"]

    @property
    def l(self) -> int:  # noqa: E743 - the field's letter
        """Number of landmarks."""
        return self.values["l"]

    @property
    def k(self) -> int:
        """The rank asked for."""
        return self.values["k"]

    @property
    def extra(self) -> dict:
        """What an instance carries besides, as in `Instance.extra`."""
        carried = ("delta", "experts", "mu_max")
        return {name: self.values[name] for name in carried if name in self.values}

    def listed(self) -> list | None:
        """Every outcome with its probability."""
        if self.chances is None:
            return None
        rows = zip(*self.outcomes.values(), strict=True)
        seen = (dict(zip(self.outcomes, map(float, row), strict=True)) for row in rows)
        pairs = zip(self.chances, seen, strict=True)
        return [(float(chance), Outcome(self, values)) for chance, values in pairs]


@dataclass(frozen=True, eq=False)
class Outcome:
    """One sample of a case: what was observed."""

    case: Case
    seen: Mapping[str, float]

    @property
    def n(self) -> int:
        """Size of the matrix."""
        return self.case.n

    @property
    def norm_K(self) -> float:
        """Spectral norm of the matrix."""
        return self.case.scale


@lru_cache(maxsize=100_000)
def _bound(formula, case) -> float:
    return formula(**case.values)


class BoundClaim(Claim):
    """A claim on outcomes whose bound is a formula in what is known of the case."""

    def right_side(self, outcome, rng):
        """The bound, the same for all samples of a case."""
        return _bound(self.formula, outcome.case)


LAW = Law(
    draw=lambda case, rng: Outcome(case, case.draw(rng)),
    outcomes=lambda case: case.listed(),
    delta=lambda case: case.values["delta"],
)


def is_listed(case) -> bool:
    """Whether all outcomes are known: for claims that trials would only repeat."""
    return case.chances is not None


def excess_at_once(outcome: Outcome, errors=("error_2", "error_F")) -> float:
    """The larger excess over the best rank k, of the spectral and Frobenius norm.

    Both are at most a number if and only if this is.

    Examples
    --------
    >>> case, = all_samples(np.diag([2.0, 1.0]), [1], [1], [0.5], "4 and 1")
    >>> [round(excess_at_once(outcome), 6) for _, outcome in case.listed()]
    [0.0, 3.0]
    """
    tails = (outcome.case.values[name] for name in ("tail_2", "tail_F"))
    seen = (outcome.seen[name] for name in errors)
    return max(error - tail for error, tail in zip(seen, tails, strict=True))


def never_larger(says: str, smaller, larger) -> Claim:
    """The claim that one bound is at most another, whatever the sample."""
    return Claim(
        says,
        observe=lambda case, _: smaller(**case.values),
        expected=lambda case, _: larger(**case.values),
        relation="<=",
        scale=lambda case: case.scale,
    )


def holds_often(says: str, seen, formula, applies=None) -> Claim:
    """The claim that ``seen <= formula`` but for probability delta.

    Parameters
    ----------
    says : str
    seen : str or callable (Outcome) -> float
        What is observed: by name, as in `Case.outcomes`, or computed from them.
    formula : Formula
    applies : callable (Case) -> bool, optional
    """
    value = seen if callable(seen) else lambda outcome: outcome.seen[seen]
    return BoundClaim(
        says,
        observe=lambda outcome, _: value(outcome),
        formula=formula,
        relation="<=",
        applies=applies,
        law=LAW,
    )


# --- All samples without replacement ----------------------------------------------


def known_of(X, rank) -> dict[str, float]:
    """Quantities of a matrix and a rank; ``constant`` says that its diagonal is."""
    i = Instance.from_points(X, [0], rank)
    constant = bool(np.ptp(np.diag(i.K)) <= 1e-12 * i.norm_K)
    return {"k": rank, "constant": constant, **measure(MATRIX, i, {})}


def sampled(x, samples, rank) -> dict[str, np.ndarray]:
    """What is observed for each sample."""
    error_2, error_F = errors(x, projectors(x, samples, rank))
    return {"error_2": error_2, "error_F": error_F, "psi": distances(x, samples)}


def alike(chances, seen, scale) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """One outcome for all that show the same to twelve digits, with their chance.

    Examples
    --------
    >>> alike([0.25, 0.25, 0.5], {"psi": np.array([1.0, 2.0, 1.0])}, 1.0)
    (array([0.75, 0.25]), {'psi': array([1., 2.])})
    """
    table = np.column_stack(list(seen.values()))
    digits = np.round(table / (scale or 1.0), 12)
    _, first, group = np.unique(digits, axis=0, return_index=True, return_inverse=True)
    total = np.bincount(group.ravel(), weights=chances)
    return total, dict(zip(seen, table[first].T, strict=True))


def all_samples(X, counts, ranks, deltas: Iterable[float], name: str) -> Iterator[Case]:
    """Every sample without replacement, for each l, each rank up to l and each delta.

    Examples
    --------
    >>> case, = all_samples(np.eye(2), [1], [1], [0.5], "two points")
    >>> case, case.chances.tolist(), case.outcomes["error_2"].tolist()
    (Case(two points: n=2, l=1, k=1, delta=0.5), [1.0], [1.0])
    """
    x, n = principal(X), np.shape(X)[1]
    known = {rank: known_of(X, rank) for rank in ranks}
    scale = float(np.linalg.norm(x, axis=1).max() ** 2)
    for l in counts:  # noqa: E741
        samples = np.array(list(combinations(range(n), l)))
        chances = np.full(len(samples), 1 / len(samples))
        for rank in (rank for rank in ranks if rank <= l):
            merged = alike(chances, sampled(x, samples, rank), scale)
            for delta in deltas:
                values = {**known[rank], "l": l, "delta": delta}
                yield Case(name, values, scale, *merged)


def drawn(X, l, rank, delta, name, replace=False) -> Case:  # noqa: E741
    """A matrix too large to list its samples: they are drawn one at a time."""
    x, n = principal(X), np.shape(X)[1]

    def draw(rng):
        seen = sampled(x, [rng.choice(n, l, replace)], rank)
        return {name: float(values[0]) for name, values in seen.items()}

    values = {**known_of(X, rank), "l": l, "delta": delta}
    scale = float(np.linalg.norm(x, axis=1).max() ** 2)
    return Case(name, values, scale, draw=draw)
