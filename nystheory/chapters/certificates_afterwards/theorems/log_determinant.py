"""Gaussian processes with an approximate kernel, and what they lose.

Burt, Rasmussen and van der Wilk 2019, for the variational bound of Titsias 2009.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem, Where
from nystheory.engine.worlds.between import SEMIDEFINITE
from nystheory.engine.worlds.columns import without_unit


class GaussianProcess(Instance):
    """The columns of one matrix, and observations of a Gaussian process with noise."""

    @classmethod
    def drawn(cls, instance, rng):
        """Noise of any size; observations where they hurt, or anywhere."""
        i = instance
        noise = 10.0 ** rng.uniform(-2, 1) * (i.norm_K or 1.0)
        length = 10.0 ** rng.uniform(-1, 2) * np.sqrt(noise + i.norm_K)
        y = rng.standard_normal(i.n)
        if rng.random() < 0.6:
            y = np.linalg.eigh(i.full.error)[1][:, -1]
        return i.but(noise=noise, y=length * y[:, None] / np.linalg.norm(y))


def _of_density(i):
    """Rounding beside the noise, in numbers as large as those that are added."""
    noise, y = i.noise, i.y
    if i.norm_K > 1e12 * noise:
        return np.inf
    return (i.n + np.sum(np.square(y)) / noise) * (1 + i.norm_K / noise)


def _log_density(i, K):
    """Of N(0, K + noise) at y."""
    root = np.linalg.cholesky(K + i.noise * np.eye(i.n))
    z = np.linalg.solve(root, i.y)
    return -0.5 * (np.sum(z**2) + np.log(2 * np.pi * np.diag(root) ** 2).sum())


@without_unit(r"\log p(y)", "log density of the data", condition=_of_density)
def log_p(i):
    return _log_density(i, i.K)


@without_unit(
    r"\log \mathcal N(y; 0, \tilde K + \sigma^2 I)",
    "log density of the data with the approximation in place of K",
    condition=lambda i: i.full.condition * _of_density(i),
)
def log_q(i):
    return _log_density(i, i.full.approximation)


def _of_posteriors(i):
    """K is inverted there, where it can be."""
    smallest = i.eigen_K[0][-1] / (i.norm_K or 1.0)
    return i.full.condition * _of_density(i) / smallest if smallest > 1e-6 else np.inf


@without_unit(
    r"\operatorname{KL}",
    "divergence of the approximate posterior from the exact one",
    condition=_of_posteriors,
)
def divergence(i):
    """By the formula for two Gaussians, the values at all points as variables."""
    if not np.isfinite(_of_posteriors(i)):
        return None
    s, y, below = i.noise, np.ravel(i.y), i.full.approximation
    exact = np.linalg.solve(i.K + s * np.eye(i.n), np.c_[y, i.K])
    found = np.linalg.solve(below + s * np.eye(i.n), np.c_[y, below])
    away = i.K @ exact[:, 0] - below @ found[:, 0]
    covariance = i.K - below @ found[:, 1:]
    precision = np.linalg.inv(i.K) + np.eye(i.n) / s
    logs = np.linalg.slogdet(precision)[1] + np.linalg.slogdet(covariance)[1]
    inner = np.trace(precision @ covariance) - i.n + away @ precision @ away
    return 0.5 * (inner - logs)


def _orthogonal(_):
    """Errors far above and far below the noise, all in new directions."""
    for n, missed in product(range(2, 7), (1e-3, 1.0, 1e2, 1e4)):
        X = np.diag(np.sqrt([1.0, *[missed] * (n - 1)]))
        for length in (0.1, 100.0):
            y = length * np.eye(n)[:, [1]]
            yield GaussianProcess.from_points(X, [0], 1, "orthogonal", noise=1.0, y=y)


_SMALL, _EQUAL, _LARGE = (
    GaussianProcess.orthogonal(1, size, size, noise=1, y=[[0], [0], [0]])
    for size in ("1/100", 1, 1000)
)
_UNLIKE = GaussianProcess.orthogonal(1, 1, 2, noise=1)
_FAR = GaussianProcess.orthogonal(1, 1000, noise=1, y=[[0], [1000]])
_INDEFINITE = GaussianProcess.orthogonal(1, "-1/2", noise=1)
_ALIKE = "an error of the same size in every direction that is missed"

_ONE = "log(1 + trace_E / noise)"
_ALL = "n * log(1 + trace_E / (n * noise))"
_REST = "(n - rank_W) * log(1 + trace_E / ((n - rank_W) * noise))"
_BY_NORM = "trace_E / (2 * noise) + norm_E * norm_y**2 / (2 * noise * (noise + norm_E))"
_BY_TRACE = "trace_E / (2 * noise) * (1 + norm_y**2 / (noise + trace_E))"
_NO_TRACE = _BY_TRACE.replace("trace_E", "norm_E")

LOG_DETERMINANT = Theorem(
    id="modern:log-determinant",
    kind="inequality",
    status="holds",
    title="Log determinant and evidence of a Gaussian process",
    number="Burt, Rasmussen and van der Wilk 2019",
    setting=(
        r"Let $K$ be positive semidefinite, $\tilde K = C W^+ C^\top$ and $E = K - "
        r"\tilde K$, and let $K_{21}$ be the rows of $C$ that were not sampled. Let "
        r"$\log p(y) = \log \mathcal N(y; 0, K + \sigma^2 I)$ be the evidence, "
        r"$\mathcal L(y)$ the variational lower bound for it, and $\operatorname{KL}$ "
        "the Kullback-Leibler divergence of the approximate posterior from the exact "
        "one."
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
        "any data": Claim(f"log_p - bound <= {_BY_NORM}", says="Evidence, for every "
            "$y$:"),
        "any data, trace": f"{_BY_NORM} <= {_BY_TRACE}",
    },
    world=GaussianProcess,
    cases=_orthogonal,
    controls={
        "one direction": Control("determinant", _SMALL, {_ALL: _ONE}),
        "indefinite": Control("order", _INDEFINITE, lacks=SEMIDEFINITE),
        "0.9 of the trace": Control("trace", _SMALL, {"<=": "<= 0.9 *"}),
        "one direction of two": Control("rest", _SMALL, {_REST: _ONE}),
        "unlike errors": Control(
            "attained", _UNLIKE, lacks="trace_E == (n - rank_W) * norm_E"
        ),
        "without the trace": Control("divergence", _EQUAL, {"bound": "log_q"}),
        "without the trace, order": Control("lower bound", _EQUAL, {"bound": "log_q"}),
        "0.51 of the trace": Control("mean, below", _SMALL, {">=": ">= 1.02 *"}),
        "0.9 of the trace, mean": Control("mean, above", _FAR, {"<=": "<= 0.9 *"}),
        "longer than data are": Control("mean, above", _FAR, law="surely"),
        "the norm for the trace": Control("any data", _LARGE, {_BY_NORM: _NO_TRACE}),
        "0.99 for any data": Control("any data, trace", _FAR, {"<=": "<= 0.99 *"}),
    },
)
