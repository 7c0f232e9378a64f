"""Part II: mixtures of Nyström approximations.

Talwalkar 2010, section 4.3, equation (4.1).
"""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory.engine import Claim, Control, Hypothesis, Printed, Theorem
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.experts import (
    Experts,
    mix,
    mixture,
    projections,
    weights_of,
)

# Eigenvalues relative to K that count as zero, and those that surely are not.
NOTHING, SOMETHING = 1e-12, 1e-9

sampled = partial(Experts.quantity, when=SAMPLE)
count = partial(Experts.quantity, when=SAMPLE, unit=None)


def _errors(i):
    return i.K - projections(i)


@sampled(r"\textstyle\sum_r \mu_r (K - \tilde K_r)", "mean of the errors")
def mean_of_errors(i):
    return mix(weights_of(i), _errors(i))


@sampled(r"\|K - \tilde K_r\|_F", "Frobenius errors of the experts")
def expert_errors_F(i):
    return np.linalg.norm(_errors(i), axis=(1, 2))


def _norms(symmetric) -> np.ndarray:
    """Frobenius, spectral and trace norm, largest entry, largest row sum."""
    size, entries = np.abs(np.linalg.eigvalsh(symmetric)), np.abs(symmetric)
    rows = entries.sum(axis=1).max()
    return np.array([np.linalg.norm(size), size.max(), size.sum(), entries.max(), rows])


@sampled(r"\|K - \tilde K^{ens}\|_\xi", "five norms of the error")
def mixture_norms(i):
    return _norms(i.K - mix(weights_of(i), projections(i)))


@sampled(r"\textstyle\sum_r \mu_r \|K - \tilde K_r\|_\xi", "means of five norms")
def mean_norms(i):
    return weights_of(i) @ np.array([_norms(error) for error in _errors(i)])


@sampled(r"\textstyle\max_r \|K - \tilde K_r\|_\xi", "largest of five norms")
def largest_norms(i):
    return np.max([_norms(error) for error in _errors(i)], axis=0)


def _rank(i, matrix):
    """Numerical rank; None where an eigenvalue may be zero or not."""
    values = np.abs(np.linalg.eigvalsh(matrix)) / (i.norm_K or 1.0)
    if ((values > NOTHING) & (values < SOMETHING)).any():
        return None
    return int((values > NOTHING).sum())


def _of_ranks(i, choose):
    """Of the ranks of the experts that count; None where one is not clear."""
    ranks = [_rank(i, A) for A in projections(i)[weights_of(i) != 0]]
    return None if None in ranks else choose(ranks)


@count(
    r"\textstyle\max_{\mu_r > 0} \operatorname{rank} \tilde K_r",
    "largest rank of an expert that counts",
)
def largest_rank(i):
    return _of_ranks(i, max)


@count(
    r"\textstyle\sum_{\mu_r > 0} \operatorname{rank} \tilde K_r",
    "sum of the ranks of the experts that count",
)
def total_rank(i):
    return _of_ranks(i, sum)


@count(r"\operatorname{rank} \tilde K^{ens}", "rank of the mixture")
def mixture_rank(i):
    return _rank(i, mixture(i))


def _diagonal(landmarks, rank, entries, weights) -> Experts:
    """A diagonal matrix; the landmarks are shared out among the weights."""
    matrix = np.diag(entries).tolist()
    return Experts.exactly(landmarks, rank, matrix=matrix, weights=weights)


_HALVES = _diagonal([0, 1], 1, [1, 0], ["1/2", "1/2"])
_BOTH = _diagonal([0, 1], 1, [1, 1], ["1/2", "1/2"])
_NEGATIVE = _diagonal([0, 1], 1, [1, 1], [2, -1])
_TWICE = _diagonal([0, 0], 1, [1, 1], [1, 1])
_LOST_RANK = _diagonal([0, 1, 1, 2, 0, 2], 2, [1, 1, 1], [1, -1, 1])

MIXTURE = Theorem(
    id="talwalkar2010:eq-4.1",
    kind="inequality",
    status="corrected",
    title="Convex mixtures of experts",
    number="equation (4.1)",
    setting=(
        r"Let $K$ be positive semidefinite, $\tilde K_1, \dots, \tilde K_p$ Nyström "
        r"approximations of $K$, each of rank at most $k$, and $\tilde K^{ens} = "
        r"\sum_r \mu_r \tilde K_r$."
    ),
    hypotheses={
        "rank": Hypothesis("1 <= k <= l", domain=True),
        "nonnegative": "weights >= 0",
        "sum": "sum(weights) == 1",
    },
    claims={
        "Frobenius": "norm_F(K - mixture) <= sum(weights * expert_errors_F)",
        "mean": Claim(
            "mixture_norms <= mean_norms",
            says=(
                r"The same holds in every norm $\xi$; tried are the Frobenius, the "
                "spectral and the trace norm, the largest entry, the largest row sum:"
            ),
        ),
        "largest": "mean_norms <= largest_norms",
        "error": Claim(
            "K - mixture == mean_of_errors", says="The error of a mixture is the mean "
                "of the errors:"
        ),
        "order": Claim("below(0, mixture) and below(mixture, K)", says="Moreover"),
        "rank at least": "largest_rank <= mixture_rank",
        "rank at most": "mixture_rank <= total_rank",
        "sum of ranks": "total_rank <= p * k",
    },
    world=Experts,
    controls={
        "as good as the best expert": Control(
            "Frobenius", _HALVES, {"sum(weights * expert": "min(expert"}
        ),
        "weights of any sum": Control("error", _TWICE, drops="sum"),
        "any sum, five norms": Control(
            "mean", _diagonal([0, 1, 0, 1], 2, [1, 1], [1, 1]), drops="sum"
        ),
        "any sum, largest": Control("largest", _TWICE, drops="sum"),
        "a negative weight": Control("order", _NEGATIVE, drops="nonnegative"),
        "a lost rank": Control("rank at least", _LOST_RANK, drops="nonnegative"),
        "the largest rank": Control("rank at most", _BOTH, {"total": "largest"}),
        "rank k": Control("sum of ranks", _BOTH, {"p * k": "k"}),
    },
    printed={
        "rank at least k": Printed(
            "k <= mixture_rank",
            "missing hypothesis",
            r"The lower bound needs an expert of rank $k$ with a positive weight, and "
            "no negative weight beside it. Nyström approximations of rank $k$ may "
            r"have a lower rank: for $K = \operatorname{diag}(1, 0)$, $p = k = l = 1$ "
            "and the second column, $W = 0$ and the approximation is zero. In general "
            "position the printed bound is right for weights that are not negative.",
            _diagonal([1], 1, [1, 0], [1]),
            says=r"$k \le \operatorname{rank}(K^{ens}) \le pk$",
        )
    },
)
