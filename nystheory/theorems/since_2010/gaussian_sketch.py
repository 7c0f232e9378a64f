"""Part III: a Gaussian test matrix instead of sampled columns.

Halko, Martinsson and Tropp 2011; Tropp, Yurtsever, Udell and Cevher 2017; Frangella,
Tropp and Udell 2023.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Hypothesis, Law, Theorem
from nystheory.theorems.concentration.violations import SEMIDEFINITE
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import k, l, tail_2
from nystheory.theorems.spectral import spectrum, tail_trace

# Directions of a sketch below this, relative to its largest, are rounding.
NEGLIGIBLE = 1e-12


def with_sketch(i: Instance, rng) -> Instance:
    """The instance with a standard Gaussian test matrix (n, l)."""
    return i.but(omega=rng.standard_normal((i.n, i.l)))


def with_coordinates(i: Instance, rng) -> Instance:
    """The instance with l different columns of the identity, which sample K."""
    return i.but(omega=np.eye(i.n)[:, rng.choice(i.n, i.l, replace=False)])


def seen(i: Instance) -> np.ndarray:
    """The points in an orthonormal basis of the span of ``X Omega``, (at most l, n).

    ``K~ = M.T M`` for this M: what Omega sees of K.
    """
    sketch = i.points @ i.extra["omega"]
    Q, s, _ = np.linalg.svd(sketch, full_matrices=False)
    return Q[:, s > NEGLIGIBLE * s[0]].T @ i.points


def sketched_error(i: Instance) -> float:
    """Spectral norm of ``K - K~``, full approximation from the sketch."""
    sketch = i.points @ i.extra["omega"]
    Q, s, _ = np.linalg.svd(sketch, full_matrices=False)
    Q = Q[:, s > NEGLIGIBLE * s[0]]
    return float(np.linalg.norm(i.points - Q @ (Q.T @ i.points), 2) ** 2)


def _trace_error(i: Instance, _) -> float:
    """Trace of ``K - [K~]_k``; that difference is semidefinite."""
    kept = np.linalg.svd(seen(i), compute_uv=False)[: i.k]
    return float((i.points**2).sum() - (kept**2).sum())


def _spectral_error(i: Instance, _) -> float:
    sketch = i.points @ i.extra["omega"]
    Q, s, _ = np.linalg.svd(sketch, full_matrices=False)
    Q = Q[:, s > NEGLIGIBLE * s[0]]
    M = Q.T @ i.points
    leading = np.linalg.svd(M, full_matrices=False)[0][:, : i.k]
    rest = i.points - Q @ (leading @ (leading.T @ M))
    return float(np.linalg.norm(rest, 2) ** 2)


def _full_spectral_error(i: Instance, _) -> float:
    return sketched_error(i)


def _error_up_to_10(i: Instance, _) -> float:
    """Nuclear error of the k largest eigenvalues in modulus, K of any signs."""
    Y = i.K @ i.extra["omega"]
    values, vectors = np.linalg.eigh(Y @ np.linalg.pinv(i.extra["omega"].T @ Y) @ Y.T)
    kept = np.argsort(-np.abs(values))[: i.k]
    rest = i.K - (vectors[:, kept] * values[kept]) @ vectors[:, kept].T
    return min(10.0, float(np.abs(np.linalg.eigvalsh(rest)).sum()))


def _split(i: Instance) -> tuple[np.ndarray, np.ndarray]:
    """The sketch in eigenvectors: its k leading rows, and the others times roots."""
    values, vectors = i.eigen_K
    rotated = vectors.T @ i.extra["omega"]
    roots = np.sqrt(np.maximum(values[i.k :], 0))
    return rotated[: i.k], roots[:, None] * rotated[i.k :]


def _mixed_in(i: Instance, _) -> float:
    """Tail plus what the sketch mixes of it into the leading directions."""
    leading, rest = _split(i)
    mixed = np.linalg.norm(rest @ np.linalg.pinv(leading)) ** 2
    return float(np.maximum(i.eigen_K[0][i.k :], 0).sum() + mixed)


def _beyond_tail(i: Instance, _) -> float:
    """``lambda_{k+1}`` plus the excess of the trace error over the tail."""
    values = np.append(np.maximum(i.eigen_K[0], 0), 0.0)
    return float(values[i.k] + _trace_error(i, _) - values[i.k :].sum())


def _condition(i: Instance) -> float:
    """Roots of small eigenvalues, and a sketch that hardly sees a direction."""
    s = np.linalg.svd(_split(i)[0], compute_uv=False)
    return float((s[0] / s[-1]) ** 2) if s[-1] > 0 else np.inf


def _of_trace(i: Instance) -> float:
    return float(np.trace(i.K))


def _on_trial(i: Instance) -> bool:
    return "trial" in i.extra


def _is_drawn(i: Instance) -> bool:
    return "omega" in i.extra


def _support(norm):
    def support(i):
        values = spectrum(i)
        return 0.0, float(norm(values)) * (1 + 1e-9)

    return support


# --- Bounds -----------------------------------------------------------------------

_SPARE = sp.Add(l, -k, -1, evaluate=False)
_SHARE = sp.Mul(k, sp.Pow(_SPARE, -1), evaluate=False)
_TRACE = Formula(sp.Mul(sp.Add(1, _SHARE, evaluate=False), tail_trace, evaluate=False))
_SPECTRAL = Formula(
    sp.Add(tail_2, sp.Mul(_SHARE, tail_trace, evaluate=False), evaluate=False)
)
_TWICE = sp.Mul(2, k, sp.Pow(_SPARE, -1), evaluate=False)
_SQUARE = sp.Add(sp.Pow(sp.Add(l, -k, evaluate=False), 2, evaluate=False), -1)
_HEAVY = sp.Mul(2, sp.exp(2), l, sp.Pow(_SQUARE, -1), tail_trace, evaluate=False)
WHOLE = Formula(
    sp.Add(
        sp.Mul(sp.Add(1, _TWICE, evaluate=False), tail_2, evaluate=False),
        _HEAVY,
        evaluate=False,
    )
)


def _smallest_bound(i: Instance, _) -> float:
    """The bound without truncation at the best of all k."""
    values = np.append(spectrum(i), 0.0)
    return min(
        WHOLE(k=rank, l=i.l, tail_2=values[rank], tail_trace=values[rank:].sum())
        for rank in range(1, min(i.l - 2, i.n) + 1)
    )


def sketch_law(norm) -> Law:
    """Gaussian test matrices; the error never exceeds ``norm(eigenvalues)``."""
    return Law(with_sketch, support=_support(norm))


def _mean_of(says, observe, formula, norm, **changes) -> Claim:
    claim = {"relation": "<=", "applies": _on_trial, "law": sketch_law(norm)}
    return Claim(says, observe=observe, formula=formula, **(claim | changes))


def _on_the_diagonal(values, n_columns, rank, name) -> Instance:
    """A diagonal K: the law of a Gaussian matrix does not see the basis."""
    X = np.diag(np.sqrt(np.asarray(values, dtype=float)))
    return Instance.from_points(X, range(n_columns), rank, name, trial=True)


def _cases(_):
    j = np.arange(40.0)
    yield _on_the_diagonal(1 / (1 + j), 12, 4, "slow spectrum")
    yield _on_the_diagonal(np.r_[np.full(4, 100.0), np.ones(36)], 10, 4, "a step")


# Far above a long flat tail the share k/(l-k-1) is attained: nothing else can be
# mixed in, and of the tail the sketch sees only a small part.
_STEP = _on_the_diagonal(np.r_[np.full(6, 1e4), np.ones(100)], 11, 6, "a high step")


def _derive():
    m, x = sp.symbols("m x", positive=True)
    density = x ** (m / 2 - 1) * sp.exp(-x / 2) / (2 ** (m / 2) * sp.gamma(m / 2))
    shape = sp.gamma(m / 2 - 1) / (2 * sp.gamma(m / 2))
    return (
        Step(
            sp.integrate(density.subs(m, m + 2) / x, (x, 0, sp.oo), conds="none"),
            r"the mean of $1 / \chi^2$ with $m + 2$ degrees of freedom",
        ),
        Step(sp.gammasimp(shape.subs(m, m + 2)), "as Gamma functions"),
        Step(1 / m, r"with $m = l - k - 1$: one of the $k$ equal terms of the share"),
    )


_ROOM = Hypothesis(r"$1 \le k \le l - 2$", ("k", "l"), lambda k, l: 1 <= k <= l - 2)  # noqa: E741

GAUSSIAN_SKETCH = Theorem(
    id="modern:gaussian-sketch",
    part="III",
    kind="expectation",
    status="holds",
    title="Gaussian sketches",
    number="Halko et al. 2011; Tropp et al. 2017; Frangella et al. 2023",
    statement=(
        r"Let $K$ be positive semidefinite with eigenvalues $\lambda_1 \ge \lambda_2 "
        r"\ge \dots$, let $\Omega$ be an $n \times l$ matrix of independent standard "
        r"normal entries, $\tilde K = K \Omega\, (\Omega^\top K \Omega)^+ \Omega^\top "
        r"K$, and $1 \le k \le l - 2$. Let $[\tilde K]_k$ be the best approximation of "
        r"$\tilde K$ of rank $k$ and $\tau_k = \sum_{j>k} \lambda_j$. Then "
        r"$\mathbb E\, \|K - [\tilde K]_k\|_* \le \bigl(1 + \frac{k}{l-k-1}\bigr)\, "
        r"\tau_k$ and $\mathbb E\, \|K - [\tilde K]_k\|_2 \le \lambda_{k+1} + "
        r"\frac{k}{l-k-1}\, \tau_k$. Without truncation $\mathbb E\, \|K - "
        r"\tilde K\|_2 \le \bigl(1 + \frac{2k}{l-k-1}\bigr) \lambda_{k+1} + "
        r"\frac{2 e^2 l}{(l-k)^2 - 1}\, \tau_k$ for each of these $k$."
    ),
    hypotheses=(_ROOM,),
    claims=(
        _mean_of(r"mean nuclear error of $[\tilde K]_k$", _trace_error, _TRACE, np.sum),
        _mean_of(
            r"mean spectral error of $[\tilde K]_k$", _spectral_error, _SPECTRAL, np.max
        ),
        _mean_of(
            r"mean spectral error of $\tilde K$", _full_spectral_error, WHOLE, np.max
        ),
        Claim(
            r"for every $\Omega$: $\operatorname{tr}(K - [\tilde K]_k) \le \tau_k + "
            r"\|\Lambda_2^{1/2} \Omega_2 \Omega_1^+\|_F^2$",
            observe=_trace_error,
            expected=_mixed_in,
            relation="<=",
            scale=_of_trace,
            condition=_condition,
            applies=_is_drawn,
        ),
        Claim(
            r"for every $\Omega$: the spectral error is above $\lambda_{k+1}$ by "
            r"no more than the nuclear error is above $\tau_k$",
            observe=_spectral_error,
            expected=_beyond_tail,
            relation="<=",
            scale=_of_trace,
            applies=_is_drawn,
        ),
        _mean_of(
            r"mean spectral error of $\tilde K$, the bound for the best $k$",
            _full_spectral_error,
            None,
            np.max,
            expected=_smallest_bound,
        ),
    ),
    complete=with_sketch,
    instances=_cases,
    derivation=_derive,
    controls=(
        Control(
            _mean_of(
                r"the share $k / (l-k)$ is enough",
                _trace_error,
                Formula((1 + k / (l - k)) * tail_trace),
                np.sum,
                law=Law(with_sketch),
            ),
            _STEP,
        ),
        Control(
            Claim(
                r"for every $\Omega$: $\tau_k$ plus half of what is mixed in",
                observe=_trace_error,
                expected=lambda i, r: (_mixed_in(i, r) + spectrum(i)[i.k :].sum()) / 2,
                relation="<=",
            ),
            Instance.from_points(
                np.diag([1e3, 1.0, 1.0, 1.0]), [0], 1, omega=np.ones((4, 1))
            ),
        ),
        Control(
            _mean_of(
                r"$\lambda_{k+1}$ alone bounds the mean spectral error",
                _spectral_error,
                Formula(tail_2),
                np.max,
            ),
            next(_cases(None)),
        ),
        Control(
            _mean_of(
                r"mean nuclear error of $[\tilde K]_k$, $k = l$",
                _trace_error,
                _TRACE,
                np.sum,
            ),
            _on_the_diagonal(np.ones(4), 2, 2, "identity"),
            drops=_ROOM.says,
        ),
        Control(
            _mean_of(
                r"mean nuclear error of $[\tilde K]_k$, sampled columns",
                _trace_error,
                _TRACE,
                np.sum,
                law=Law(with_coordinates, support=_support(np.sum)),
            ),
            _on_the_diagonal(np.r_[1.0, np.full(19, 0.01)], 3, 1, "one large"),
            drops="standard normal entries",
        ),
        Control(
            _mean_of(
                r"mean nuclear error of $[\tilde K]_k$, counted up to 10; $\tau_k = 0$",
                _error_up_to_10,
                None,
                np.sum,
                expected=lambda i, _: 2 * i.eigen_K[0][1:].sum(),
                law=Law(with_sketch, support=lambda i: (0.0, 10.0)),
            ),
            Instance(np.diag([3.0, 1, 0, -1]), [0, 1, 2], 1, extra={"trial": True}),
            drops=SEMIDEFINITE,
        ),
    ),
)
