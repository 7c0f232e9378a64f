"""Gaussian processes with an approximate kernel, and what they lose.

Burt, Rasmussen and van der Wilk 2019, for the variational bound of Titsias 2009.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import scipy.linalg

from nystheory.engine.instances import CHOSEN, SAMPLE, Instance
from nystheory.engine.quantities import quantity
from nystheory.engine.theorem import Claim, Control, Hypothesis, Theorem, Where


@quantity(r"\|y\|", "length of the vector of observations", CHOSEN, unit=None)
def norm_y(i):
    if "y" not in i.extra:
        raise ValueError("norm_y: expected the length of the observations, got none")
    return np.linalg.norm(i.extra["y"])


def _noise(i):
    return float(i.extra["noise"])


def _of_density(i):
    """Rounding beside the noise, in numbers as large as those that are added."""
    if i.norm_K > 1e12 * _noise(i):
        return np.inf
    size = i.n + np.sum(np.square(i.extra["y"])) / _noise(i)
    return size * (1 + i.norm_K / _noise(i))


def _of_approximate_density(i):
    return i.full.condition * _of_density(i)


def _log_density(i, K):
    """Of N(0, K + noise) at y; the jitter of the factor is the noise."""
    root = np.linalg.cholesky(K + _noise(i) * np.eye(i.n))
    z = scipy.linalg.solve_triangular(root, i.extra["y"], lower=True)
    size = i.n * np.log(2 * np.pi) + 2 * np.log(np.diag(root)).sum()
    return -0.5 * (np.sum(z**2) + size)


@quantity(
    r"\log p(y)", "log density of the data", SAMPLE, unit=0, condition=_of_density
)
def log_p(i):
    return _log_density(i, i.K)


@quantity(
    r"\log \mathcal N(y; 0, \tilde K + \sigma^2 I)",
    "log density of the data with the approximation in the place of K",
    SAMPLE,
    unit=0,
    condition=_of_approximate_density,
)
def log_q(i):
    return _log_density(i, i.full.approximation)


def _of_posteriors(i):
    """K is inverted there, where it can be."""
    smallest = i.eigen_K[0][-1] / (i.norm_K or 1.0)
    return _of_approximate_density(i) / smallest if smallest > 1e-6 else np.inf


@quantity(
    r"\operatorname{KL}",
    "divergence of the approximate posterior from the exact one",
    SAMPLE,
    unit=0,
    condition=_of_posteriors,
)
def divergence(i):
    """By the formula for two Gaussians, the values at all points as variables."""
    if not np.isfinite(_of_posteriors(i)):
        return None
    s, y, below = _noise(i), np.ravel(i.extra["y"]), i.full.approximation
    exact = np.linalg.solve(i.K + s * np.eye(i.n), np.c_[y, i.K])
    found = np.linalg.solve(below + s * np.eye(i.n), np.c_[y, below])
    away = i.K @ exact[:, 0] - below @ found[:, 0]
    covariance = i.K - below @ found[:, 1:]
    precision = np.linalg.inv(i.K) + np.eye(i.n) / s
    logs = np.linalg.slogdet(precision)[1] + np.linalg.slogdet(covariance)[1]
    inner = np.trace(precision @ covariance) - i.n + away @ precision @ away
    return 0.5 * (inner - logs)


def _with_observations(i, rng):
    """Noise of any size; observations where they hurt, or anywhere."""
    noise = 10.0 ** rng.uniform(-2, 1) * (i.norm_K or 1.0)
    length = 10.0 ** rng.uniform(-1, 2) * np.sqrt(noise + i.norm_K)
    y = rng.standard_normal(i.n)
    if rng.random() < 0.6:
        y = np.linalg.eigh(i.full.error)[1][:, -1]
    return i.but(noise=noise, y=length * y[:, None] / np.linalg.norm(y))


def _orthogonal(_):
    """Errors far above and far below the noise, all in new directions."""
    for n, missed in product(range(2, 7), (1e-3, 1.0, 1e2, 1e4)):
        X = np.diag(np.sqrt([1.0, *[missed] * (n - 1)]))
        for length in (0.1, 100.0):
            y = length * np.eye(n)[:, [1]]
            yield Instance.from_points(X, [0], 1, "orthogonal", noise=1.0, y=y)


def _missed_twice(size, y=0) -> Instance:
    """Three orthogonal points, one sampled, observations at one of the others."""
    matrix = [[1, 0, 0], [0, size, 0], [0, 0, size]]
    return Instance.exactly([0], 1, matrix=matrix, noise=1, y=[[0], [y], [0]])


_SMALL, _LARGE = _missed_twice("1/100"), _missed_twice(1000)
_ONE_LARGE = Instance.exactly(
    [0], 1, matrix=[[1, 0], [0, 1000]], noise=1, y=[[0], [1000]]
)
_INDEFINITE = Instance.exactly([0], 1, matrix=[[1, 0], [0, "-1/2"]], noise=1)

_ALL = "n * log(1 + trace_E / (n * noise))"
_REST = "(n - rank_W) * log(1 + trace_E / ((n - rank_W) * noise))"
_BY_NORM = "trace_E / (2 * noise) + norm_E * norm_y**2 / (2 * noise * (noise + norm_E))"
_BY_TRACE = "trace_E / (2 * noise) * (1 + norm_y**2 / (noise + trace_E))"

LOG_DETERMINANT = Theorem(
    id="modern:log-determinant",
    part="III",
    kind="inequality",
    status="holds",
    title="Log determinant and evidence of a Gaussian process",
    number="Burt, Rasmussen and van der Wilk 2019",
    setting=(
        r"Let $K$ be positive semidefinite, $\tilde K = C W^+ C^\top$ and $E = K - "
        r"\tilde K$, and let $K_{21}$ be the rows of $C$ that were not sampled. Let "
        r"$\log p(y) = \log \mathcal N(y; 0, K + \sigma^2 I)$ be the evidence, "
        r"$\mathcal L(y)$ the variational lower bound for it, and "
        r"$\operatorname{KL}$ the Kullback-Leibler divergence of the approximate from "
        "the exact posterior."
    ),
    hypotheses={"noise": Hypothesis("noise > 0", domain=True)},
    where={
        "volume": Where(
            r"\Delta",
            "log_det(K + noise * identity(n)) "
            "- log_det(full_approximation + noise * identity(n))",
        ),
        "bound": Where(r"\mathcal L(y)", "log_q - trace_E / (2 * noise)"),
    },
    claims={
        "determinant": Claim(f"volume <= {_ALL}", says="Determinant:"),
        "order": "volume >= 0",
        "trace": f"{_ALL} <= trace_E / noise",
        "rest": Claim(f"volume <= {_REST}", when="rank_W < n"),
        "attained": Claim(
            f"volume == {_REST}",
            when="rank_W < n and K_21 == 0 and trace_E == (n - rank_W) * norm_E",
            says="It is attained by orthogonal errors of one size,",
        ),
        "divergence": Claim(
            "log_p - bound == divergence",
            when="rank_K == n",
            says="Evidence: the divergence is what is lost,",
        ),
        "lower bound": "bound <= log_p",
        "mean, below": Claim(
            "mean(log_p - bound) >= trace_E / (2 * noise)",
            law="second_moment",
            says=r"If $\mathbb E\, y y^\top = K + \sigma^2 I$, then",
        ),
        "mean, above": Claim(
            "mean(log_p - bound) <= trace_E / noise", law="second_moment"
        ),
        "any data": Claim(f"log_p - bound <= {_BY_NORM}", says="For every $y$"),
        "any data, trace": f"{_BY_NORM} <= {_BY_TRACE}",
    },
    complete=_with_observations,
    cases=_orthogonal,
    controls={
        "one direction": Control(
            "determinant", _SMALL, {_ALL: "log(1 + trace_E / noise)"}
        ),
        "indefinite": Control(
            "order", _INDEFINITE, drops="a positive semidefinite $K$"
        ),
        "0.9 of the trace": Control("trace", _SMALL, {"<= trace": "<= 0.9 * trace"}),
        "one direction of two": Control(
            "rest", _SMALL, {_REST: "log(1 + trace_E / noise)"}
        ),
        "unlike errors": Control(
            "attained",
            Instance.exactly([0], 1, matrix=[[1, 0, 0], [0, 1, 0], [0, 0, 2]], noise=1),
            drops="an error of the same size in every direction that is missed",
        ),
        "without the trace": Control(
            "divergence", _missed_twice(1), {"bound": "log_q"}
        ),
        "without the trace, order": Control(
            "lower bound", _missed_twice(1), {"bound": "log_q"}
        ),
        "0.51 of the trace": Control(
            "mean, below", _SMALL, {">= trace_E": ">= 1.02 * trace_E"}
        ),
        "0.9 of the trace, mean": Control(
            "mean, above", _ONE_LARGE, {"<= trace_E": "<= 0.9 * trace_E"}
        ),
        "longer than data are": Control("mean, above", _ONE_LARGE, law="surely"),
        "the norm for the trace": Control(
            "any data",
            _LARGE,
            {_BY_NORM: _BY_TRACE.replace("trace_E", "norm_E")},
        ),
        "0.99 for any data": Control(
            "any data, trace", _ONE_LARGE, {f"<= {_BY_TRACE}": f"<= 0.99 * {_BY_TRACE}"}
        ),
    },
)
