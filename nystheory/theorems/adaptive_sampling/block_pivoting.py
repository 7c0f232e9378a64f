"""Part II: blocks of pivots that do not know of each other.

Chen, Epperly, Tropp and Webber 2025; Epperly, Tropp and Webber 2024.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg
import sympy as sp

from nystheory.theorems.adaptive_sampling.pivoting import (
    NOT_ZERO,
    of_spectrum,
    of_trace,
)
from nystheory.theorems.adaptive_sampling.pivots import (
    MOST_IN_BLOCKS,
    calculator,
    first_excess,
    mean_residual,
    pivot_map,
)
from nystheory.theorems.base import Claim, Control, Theorem
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import quantity
from nystheory.theorems.routes import RANK_IN_RANGE, one
from nystheory.theorems.spectral import spectrum, tail_trace


def block(i: Instance) -> int:
    """The number b of pivots in a block: all l, or what the instance says."""
    size = float(np.ravel(i.extra.get("block", i.l))[0])
    return int(np.clip(np.round(abs(size)), 1, i.l))


def blocks(i: Instance) -> int:
    """The number m of whole blocks that l pivots make."""
    return i.l // block(i)


def _with_block(i: Instance, rng) -> Instance:
    return i.but(block=np.array([rng.integers(1, i.l + 1)], dtype=float))


def _bound(i: Instance) -> float:
    return calculator(spectrum(i), blocks(i), block(i))


def _excess(i: Instance, less: int = 0) -> float:
    """The excess over the tail that ``(k + b - 1 - less) log`` allows."""
    values, b = spectrum(i), block(i)
    tail = float(values[i.k :].sum())
    return first_excess(float(values.sum()), tail, i.k, blocks(i) * b, b - less)


trace_after_blocks = quantity(
    "trace_after_blocks",
    r"\textstyle\sum_j\varphi_b^{l/b}(\lambda)_j",
    "bound on the mean trace error after blocks of pivots; one block if not given",
)(_bound)
block_excess = quantity(
    "block_excess",
    r"\varepsilon\textstyle\sum_{j>k}\lambda_j",
    "excess over the tail, for the smallest epsilon that l pivots in blocks allow",
)(_excess)


def _mean(i: Instance) -> np.ndarray:
    return mean_residual(i.K, blocks(i), block(i))


def _mean_trace(i: Instance, _) -> float:
    return float(np.trace(_mean(i)))


def _one_block(i: Instance) -> np.ndarray:
    return mean_residual(i.K, 1, block(i))


def _map_of(K, b) -> np.ndarray:
    """``K (T - K) (T + (b - 1) K)^-1``, by solving, not by eigenvalues."""
    total, unit = np.trace(K), np.eye(len(K))
    left = scipy.linalg.solve(total * unit + (b - 1) * K, total * unit - K)
    product = K @ left
    return (product + product.T) / 2


def _largest_of_difference(i: Instance, _) -> float:
    difference = _one_block(i) - _map_of(i.K, block(i))
    return float(scipy.linalg.eigvalsh(difference)[-1])


def _largest_ratio(i: Instance, _) -> float:
    """The largest quadratic form of the mean over that of the bound."""
    return float(scipy.linalg.eigvalsh(_one_block(i), _map_of(i.K, block(i)))[-1])


def _smallest_of_bound(i: Instance) -> float:
    values = pivot_map(spectrum(i), block(i))
    # With fewer coordinates than points the other eigenvalues are zero.
    return float(values.min()) if len(values) == i.n else 0.0


def _few(i: Instance) -> bool:
    return i.n <= MOST_IN_BLOCKS


def _derive_shrinkage():
    """The best multiple of an unbiased estimator of a vector of known length."""
    x, T, b = sp.symbols("lambda T b", positive=True)
    s = b * x / (T + (b - 1) * x)
    variance = (T - x) / b
    return (
        Step(
            (1 - s) ** 2 * x + s**2 * variance,
            r"mean square of $\sqrt{\lambda} u - s w$ at $s = b\lambda / "
            r"(T + (b-1)\lambda)$",
        ),
        Step(
            x * variance / (x + variance),
            r"the product of squared mean and variance over their sum",
        ),
        Step(x * (T - x) / (T + (b - 1) * x), r"$\varphi_b(\lambda)$"),
    )


def _cases(rng):
    """Small matrices with every block size, large spectra for the calculator."""
    for n in (2, 3, 4):
        for b in range(1, 5):
            X = rng.standard_normal((n, n)) * 10.0 ** rng.uniform(-1, 1, n)
            # More draws than indices are allowed: they repeat.
            case = Instance.from_points(X, np.arange(b) % n, 1, "general")
            yield case.but(block=np.array([float(b)]))
    for decay, size in ((0.9, 100), (0.6, 60)):
        for b in (2, 5, 10):
            case = of_spectrum(decay ** np.arange(size), 40, 5, "geometric")
            yield case.but(block=np.array([float(b)]))
    for large in (2.0, 1e3, 1e6):
        case = of_spectrum(np.r_[large, large, np.ones(4)], 4, 2, "two large")
        yield case.but(block=np.array([2.0]))


# One large point and one small: a block wastes draws on the large one.
_UNEVEN = Instance(np.diag([3.0, 1]), [0, 1, 0], 1, extra={"block": np.array([3.0])})

BLOCK_RPCHOLESKY = Theorem(
    id="modern:block-rpcholesky",
    part="II",
    kind="expectation",
    status="holds",
    title="Pivots in blocks",
    number="after Epperly, Tropp and Webber 2024",
    statement=(
        r"Let $K \ne 0$ be positive semidefinite with trace $T$ and eigenvalues "
        r"$\lambda_1 \ge \lambda_2 \ge \dots$. Draw $b$ indices independently with "
        r"$P(i) = K_{ii} / T$ and let $E$ be what these pivots leave of $K$. Then "
        r"$$\mathbb E\, E \preceq \Phi_b(K) = K\, (T I - K)\, (T I + (b - 1) K)^{-1} ,"
        r"$$ with equality for $b = 1$. Let $E_l$ be left after $l / b$ such blocks, "
        "each drawn from the diagonal of what is left before it. With "
        r"$\varphi_b(\lambda)_i = \lambda_i (T - \lambda_i) / (T + (b - 1) "
        r"\lambda_i)$ and $T = \sum_j \lambda_j$, $$\mathbb E \operatorname{tr} E_l "
        r"\le \sum_i \varphi_b^{l/b}(\lambda)_i .$$ For $1 \le k \le l$, "
        r"$\varepsilon > 0$ and $\eta = \sum_{j>k} \lambda_j / \operatorname{tr} K$, "
        r"$$\mathbb E \operatorname{tr} E_l \le (1 + \varepsilon) \sum_{j>k} "
        r"\lambda_j \quad\text{once}\quad l \ge \frac k\varepsilon + (k + b - 1) "
        r"\log \frac{1}{\varepsilon\eta} ,$$ $l$ a multiple of $b$."
    ),
    hypotheses=(RANK_IN_RANGE, NOT_ZERO),
    claims=(
        Claim(
            r"$l$ pivots in blocks leave at most $(1 + \varepsilon)$ times the tail, "
            r"for the smallest $\varepsilon$ that the theorem allows",
            observe=_mean_trace,
            formula=Formula(sp.Add(tail_trace, block_excess, evaluate=False)),
            relation="<=",
            applies=_few,
            scale=of_trace,
        ),
        Claim(
            r"no eigenvalue of $\mathbb E\, E - \Phi_b(K)$ is positive",
            observe=_largest_of_difference,
            expected=lambda i, _: 0.0,
            relation="<=",
            applies=_few,
            scale=of_trace,
        ),
        Claim(
            r"no quadratic form of $\mathbb E\, E$ is above that of $\Phi_b(K)$",
            observe=_largest_ratio,
            expected=lambda i, _: 1.0,
            relation="<=",
            applies=lambda i: _few(i) and _smallest_of_bound(i) > 1e-6 * of_trace(i),
            scale=one,
            condition=lambda i: of_trace(i) / _smallest_of_bound(i),
        ),
        Claim(
            r"equality for $b = 1$",
            observe=lambda i, _: mean_residual(i.K, 1),
            expected=lambda i, _: _map_of(i.K, 1),
            applies=_few,
            scale=of_trace,
        ),
        Claim(
            r"blocks leave at most what $\varphi_b$ leaves of the eigenvalues",
            observe=_mean_trace,
            formula=Formula(trace_after_blocks),
            relation="<=",
            applies=_few,
            scale=of_trace,
        ),
        Claim(
            r"the bound by $\varphi_b$ is never above that of the theorem",
            observe=lambda i, _: _bound(i),
            expected=lambda i, _: float(spectrum(i)[i.k :].sum()) + _excess(i),
            relation="<=",
            scale=of_trace,
        ),
    ),
    complete=_with_block,
    instances=_cases,
    derivation=_derive_shrinkage,
    controls=(
        Control(
            Claim(
                "a block is as good as the bound for $b$ single pivots",
                observe=_mean_trace,
                expected=lambda i, _: calculator(spectrum(i), i.l),
                relation="<=",
                applies=_few,
            ),
            _UNEVEN,
        ),
        Control(
            Claim(
                r"$\mathbb E\, E \preceq \Phi_{b+1}(K)$",
                observe=_mean_trace,
                expected=lambda i, _: calculator(spectrum(i), 1, block(i) + 1),
                relation="<=",
                applies=_few,
            ),
            Instance(np.eye(3), [0, 1], 1),
        ),
        Control(
            Claim(
                r"the factor $k$ at the logarithm is enough for blocks too",
                observe=_mean_trace,
                expected=lambda i, _: (
                    float(spectrum(i)[i.k :].sum()) + _excess(i, block(i) - 1)
                ),
                relation="<=",
                applies=_few,
            ),
            # A third eigenvalue, so that the tail and the bound are not zero.
            Instance(np.diag([7.0, 1, 1e-4]), np.arange(8) % 3, 2),
        ),
    ),
)
