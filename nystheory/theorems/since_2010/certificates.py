"""Part III: what the trace of the error says about every other error.

Nothing here needs a random sample or the whole of K: the factor of the approximation
and the diagonal of K are enough.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np
import scipy.linalg
import sympy as sp

from nystheory import lowrank
from nystheory.theorems.adaptive_sampling.pivoting import trace_of_K
from nystheory.theorems.base import Claim, Control, Theorem
from nystheory.theorems.concentration.violations import SEMIDEFINITE
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import EPS, Instance
from nystheory.theorems.quantities import quantity
from nystheory.theorems.routes import RANK_IN_RANGE, full_rank, one
from nystheory.theorems.subsets import fractions_of

# --- The error, by two routes -----------------------------------------------------

# One comparison asks for the same decomposition several times.
_remembered = lru_cache(maxsize=4)


@_remembered
def approximation(i: Instance) -> lowrank.LowRank:
    """The full Nyström approximation, k = l."""
    return lowrank.nystrom(i.K, i.landmarks)


@_remembered
def residual(i: Instance) -> np.ndarray:
    """``E = K - C W^+ C.T`` by the package's approximation, (n, n)."""
    return i.K - approximation(i).spectral_reconstruction()


@_remembered
def missed_points(i: Instance) -> np.ndarray:
    """The points less their projection on the landmarks, R with ``E = R.T R``.

    Nothing cancels here: a small error is found to as many digits as a large one.
    """
    U = i.svd_X_S[0]
    return i.points - U @ (U.T @ i.points)


@_remembered
def error_eigenvalues(i: Instance) -> np.ndarray:
    """Eigenvalues of E, largest first, as squares of singular values."""
    return scipy.linalg.svdvals(missed_points(i)) ** 2


@_remembered
def factor_eigen(i: Instance) -> tuple[np.ndarray, np.ndarray]:
    """All n eigenvalues of the approximation, largest first, and eigenvectors."""
    F = approximation(i).factor
    U, s, _ = scipy.linalg.svd(F, full_matrices=True)
    values = np.zeros(i.n)
    values[: len(s)] = s**2
    return values, U


@_remembered
def condition_of_error(i: Instance) -> float:
    """How rounding in W is amplified in the full approximation."""
    return full_rank(i).condition


trace_E = quantity(
    "trace_E",
    r"\operatorname{tr}E",
    "trace of the error of the full approximation",
    of_sample=True,
)(lambda i: float(error_eigenvalues(i).sum()))
norm_E = quantity(
    "norm_E",
    r"\|E\|_2",
    "spectral norm of the error of the full approximation",
    of_sample=True,
)(lambda i: float(error_eigenvalues(i)[0]))
factor_F = quantity(
    "factor_F", r"\|F\|_F", "Frobenius norm of the factor, K~ = F F^T", of_sample=True
)(lambda i: float(np.linalg.norm(approximation(i).factor)))


def _gap(i: Instance) -> float:
    values = np.append(factor_eigen(i)[0], 0.0)
    return float(values[i.k - 1] - values[i.k])


approximate_gap = quantity(
    "approximate_gap",
    r"\tilde\lambda_k-\tilde\lambda_{k+1}",
    "gap of the eigenvalues of the approximation after the k-th",
    of_sample=True,
)(_gap)


# --- What is compared -------------------------------------------------------------


def _largest_diagonal(i: Instance, _) -> float:
    return float((missed_points(i) ** 2).sum(axis=0).max())


def _spectral(i: Instance, _) -> float:
    return float(error_eigenvalues(i)[0])


def _frobenius(i: Instance, _) -> float:
    return float(np.linalg.norm(residual(i)))


def _pair(i: Instance) -> tuple[float, float]:
    """An entry off the diagonal and its limit, where they are closest."""
    if i.n == 1:
        return 0.0, 0.0
    lengths = np.sqrt((missed_points(i) ** 2).sum(axis=0))
    limits = np.outer(lengths, lengths)
    np.fill_diagonal(limits, 0)
    entries = np.abs(residual(i))
    np.fill_diagonal(entries, 0)
    # Where the limit is rounding, only the difference of the two can be compared.
    clear = limits > 1e-6 * i.norm_K
    if clear.any():
        ratios = np.where(clear, entries / np.where(clear, limits, 1), 0)
        where = np.unravel_index(np.argmax(ratios), ratios.shape)
    else:
        where = np.unravel_index(np.argmax(entries - limits), limits.shape)
    return float(entries[where]), float(limits[where])


def _off_the_middle(i: Instance, _) -> float:
    """How far an eigenvalue of K is from the middle of the interval that holds it."""
    half = float(error_eigenvalues(i)[0]) / 2
    return float(np.abs(i.eigen_K[0] - factor_eigen(i)[0] - half).max())


def _sine(i: Instance, _) -> float:
    """Sine of the largest angle between the leading spaces of dimension k."""
    true, found = i.eigen_K[1][:, : i.k], factor_eigen(i)[1][:, : i.k]
    return float(np.linalg.norm(true - found @ (found.T @ true), 2))


def _has_gap(i: Instance) -> bool:
    gap = _gap(i)
    return gap > 1e-9 * i.norm_K and float(error_eigenvalues(i)[0]) < gap


def _trace_is_below_gap(i: Instance) -> bool:
    gap = _gap(i)
    return gap > 1e-9 * i.norm_K and float(error_eigenvalues(i).sum()) < gap


def _condition_of_angle(i: Instance, error=None) -> float:
    """Both spaces move by rounding over their gap, and the limit does near 45."""
    gap, error = _gap(i), float(error_eigenvalues(i)[0] if error is None else error)
    return condition_of_error(i) * i.norm_K / max(gap - error, EPS * i.norm_K)


def _largest_growth(i: Instance, _) -> float:
    """How much an eigenvalue of K is above that of the approximation, at most."""
    return float((i.eigen_K[0] - factor_eigen(i)[0]).max())


def _most_negative(i: Instance, _) -> float:
    """The smallest eigenvalue of E with the sign changed."""
    return -float(np.linalg.eigvalsh(residual(i))[0])


def _in_one_direction(i: Instance, _) -> np.ndarray:
    """What is bounded: the two norms, entries of E, growth of eigenvalues."""
    grown = i.eigen_K[0] - factor_eigen(i)[0]
    norms = [error_eigenvalues(i)[0], np.linalg.norm(residual(i))]
    return np.r_[norms, np.abs(residual(i)).ravel(), grown.max(), grown.min()]


def _limits_in_one_direction(i: Instance, _) -> np.ndarray:
    """The bounds in the same order: one trace, products of lengths, an interval."""
    lengths = np.sqrt((missed_points(i) ** 2).sum(axis=0))
    trace = float((lengths**2).sum())
    return np.r_[[trace] * 2, np.outer(lengths, lengths).ravel(), trace, 0.0]


def _exact_trace(i: Instance) -> Fraction:
    """The trace of the error in fractions; a pivot 0 is skipped."""
    K = fractions_of(i.K)
    for j in i.landmarks:
        if K[j, j] != 0:
            K = K - np.outer(K[:, j], K[j]) / K[j, j]
    return np.trace(K)


def _computed_trace(i: Instance) -> float:
    factor = approximation(i).factor
    return float(np.trace(i.K) - np.linalg.norm(factor) ** 2)


def rounding_floor(i: Instance) -> float:
    """Below this a certificate ``tr K - norm(F)^2`` is rounding: ``n eps tr K``."""
    return i.n * EPS * float(np.trace(i.K))


def _is_within_floor(i: Instance, _=None) -> bool:
    off = abs(Fraction(_computed_trace(i)) - _exact_trace(i))
    return bool(off <= condition_of_error(i) * rounding_floor(i))


def _dominates(i: Instance, _) -> bool:
    """Whether the computed certificate, as it is, bounds an entry of the error."""
    return bool(_largest_diagonal(i, _) <= _computed_trace(i))


# --- Steps of the proof that algebra settles --------------------------------------


def _derive_angle():
    g, e, s, c = sp.symbols("g e s c", positive=True)
    # K~ = diag(g, 0) turned by nothing, E = e w w^T with w = (s, c), s^2 + c^2 = 1:
    # the leading vector of K makes an angle t with (1, 0), tan 2t = 2 K_12/(K_11-K_22).
    K = sp.diag(g, 0) + e * sp.Matrix([s, c]) * sp.Matrix([[s, c]])
    best = {s: sp.sqrt((1 - e / g) / 2), c: sp.sqrt((1 + e / g) / 2)}
    twice, apart = 2 * K[0, 1], K[0, 0] - K[1, 1]
    square = (twice**2 / (twice**2 + apart**2)).subs(best)
    return (
        Step(square, r"$\sin^2 2\theta$ for $\cos 2\varphi = \|E\| / (\text{gap})$"),
        Step((e / g) ** 2, "the bound is attained"),
    )


def _angle(says: str, size, **changes) -> Claim:
    """The angle of the leading spaces, from a size of the error over the gap."""
    x = sp.Symbol("x", nonnegative=True)
    ratio = sp.Mul(size, sp.Pow(approximate_gap, -1), evaluate=False)
    # sqrt((1 - sqrt(1 - x^2)) / 2) without the cancellation for a small x.
    twice = sp.Mul(2, sp.Add(1, sp.sqrt(1 - x**2), evaluate=False), evaluate=False)
    fields = {
        "observe": _sine,
        "formula": Formula(
            sp.Mul(x, sp.Pow(sp.sqrt(twice), -1), evaluate=False), where={x: ratio}
        ),
        "relation": "<=",
        "scale": one,
        "condition": _condition_of_angle,
        "applies": _has_gap,
    }
    return Claim(says, **(fields | changes))


def _entries(says: str, share: float) -> Claim:
    return Claim(
        says,
        observe=lambda i, _: _pair(i)[0],
        expected=lambda i, _: share * _pair(i)[1],
        relation="<=",
        condition=condition_of_error,
    )


def _norms(says: str, observe, **changes) -> Claim:
    changes = {"condition": condition_of_error, **changes}
    return Claim(says, observe=observe, relation="<=", **changes)


_CERTIFICATE = Formula(
    sp.Add(trace_of_K, sp.Mul(-1, sp.Pow(factor_F, 2), evaluate=False), evaluate=False)
)


def _gap_cases(rng):
    """Two points: the error is orthogonal to nothing, and the angle is the largest."""
    for ratio in (0.01, 0.3, 0.7, 0.99):
        s, c = np.sqrt((1 - ratio) / 2), np.sqrt((1 + ratio) / 2)
        # In the frame of the approximation's vector u; the landmark is orthogonal
        # to the vector w of the error.
        u, w = np.array([c, s]), np.array([0.0, 1.0])
        X = np.vstack([u, np.sqrt(ratio) * w])
        yield Instance.from_points(X, [0], 1, f"error / gap = {ratio}")
    for n in (3, 6):
        yield Instance(np.eye(n), [0], 1, X=np.eye(n), name="identity")
        X = np.vstack([np.eye(n)[0], np.ones(n)])
        yield Instance.from_points(X, [1], 1, "error of rank 1")
    yield Instance(np.diag([2.0, 1]), [0], 1, name="error on one point")
    for n in (3, 5):
        # A far landmark, and points that are equal and orthogonal to it.
        X = np.vstack([3 * np.eye(n)[0], np.r_[0.0, np.ones(n - 1)]])
        yield Instance.from_points(X, [0], 1, "error in one direction")


ERROR_CHAIN = Theorem(
    id="modern:error-chain",
    part="III",
    kind="inequality",
    status="holds",
    title="One trace bounds every error",
    number="Weyl 1912; Davis and Kahan 1970",
    statement=(
        r"Let $K$ be positive semidefinite, $\tilde K = C W^+ C^\top = F F^\top$ the "
        r"Nyström approximation with eigenvalues $\tilde\lambda_1 \ge "
        r"\tilde\lambda_2 \ge \dots$, and $E = K - \tilde K$. Then "
        r"$E \succeq 0$ and $\max_i E_{ii} \le \|E\|_2 \le \|E\|_F \le "
        r"\operatorname{tr} E = \operatorname{tr} K - \|F\|_F^2$. *Entries*: "
        r"$|E_{ij}| \le \sqrt{E_{ii} E_{jj}}$. *Eigenvalues*: $\tilde\lambda_j \le "
        r"\lambda_j(K) \le \tilde\lambda_j + \|E\|_2$ for every $j$. "
        r"*Eigenvectors*: if $\|E\|_2 < \tilde\lambda_k - \tilde\lambda_{k+1}$, the "
        r"largest angle $\theta$ between the leading $k$ eigenvectors of $K$ and of "
        r"$\tilde K$ obeys $\sin 2\theta \le \|E\|_2 / (\tilde\lambda_k - "
        r"\tilde\lambda_{k+1})$ and $\theta \le 45°$. In every bound "
        r"$\operatorname{tr} E$ may stand for $\|E\|_2$. None of the constants can be "
        "improved."
    ),
    hypotheses=(RANK_IN_RANGE,),
    # Only the eigenvectors have a k, and a gap after the k-th implies k <= l.
    not_known_necessary=(RANK_IN_RANGE.says,),
    claims=(
        _norms(
            r"$\|E\|_F \le \operatorname{tr} K - \|F\|_F^2$",
            _frobenius,
            formula=_CERTIFICATE,
            scale=lambda i: float(np.trace(i.K)),
        ),
        _norms(
            r"$\max_i E_{ii} \le \|E\|_2$",
            _largest_diagonal,
            formula=Formula(norm_E),
            # Both sides come from the same R: nothing is inverted.
            condition=None,
        ),
        _norms(
            r"$\|E\|_2 \le \|E\|_F$",
            _spectral,
            expected=lambda i, _: float(np.linalg.norm(error_eigenvalues(i))),
            condition=None,
        ),
        Claim(
            r"$\operatorname{tr} E = \operatorname{tr} K - \|F\|_F^2$; on integers the "
            r"computed value is right to $n \varepsilon \operatorname{tr} K$ times the "
            "condition",
            observe=lambda i, _: float((missed_points(i) ** 2).sum()),
            formula=_CERTIFICATE,
            scale=lambda i: float(np.trace(i.K)),
            condition=condition_of_error,
            exact=_is_within_floor,
        ),
        _entries(r"$|E_{ij}| \le \sqrt{E_{ii} E_{jj}}$", 1.0),
        _norms(
            r"$\tilde\lambda_j \le \lambda_j(K) \le \tilde\lambda_j + \|E\|_2$: the "
            r"distance from the middle is at most $\|E\|_2 / 2$",
            _off_the_middle,
            formula=Formula(sp.Mul(sp.Rational(1, 2), norm_E, evaluate=False)),
        ),
        _angle(
            r"$\sin\theta$, from the bound on $\sin 2 \theta$ and $\theta \le 45°$",
            norm_E,
        ),
        _norms(r"$E \succeq 0$", _most_negative, expected=lambda i, _: 0.0),
        _norms(
            r"$\lambda_j(K) \le \tilde\lambda_j + \operatorname{tr} E$",
            _largest_growth,
            formula=Formula(trace_E),
        ),
        _angle(
            r"the bound on $\theta$ with $\operatorname{tr} E$ below the gap",
            trace_E,
            condition=lambda i: _condition_of_angle(i, error_eigenvalues(i).sum()),
            applies=_trace_is_below_gap,
        ),
        Claim(
            r"equality for an error of rank 1: norms, entries, both ends for "
            "eigenvalues",
            observe=_in_one_direction,
            expected=_limits_in_one_direction,
            condition=condition_of_error,
            applies=lambda i: i.name == "error in one direction",
        ),
        Claim(
            r"$\max_i E_{ii} = \|E\|_2$ for an error on one point",
            observe=_largest_diagonal,
            expected=_spectral,
            applies=lambda i: i.name == "error on one point",
        ),
        _angle(
            r"equality for the angle of two points, $\operatorname{tr} E = \|E\|_2$",
            trace_E,
            relation="=",
            applies=lambda i: i.name.startswith("error / gap"),
        ),
    ),
    instances=_gap_cases,
    derivation=_derive_angle,
    controls=(
        Control(
            _norms(
                r"half the trace is enough for $\|E\|_F$",
                _frobenius,
                formula=Formula(sp.Mul(sp.Rational(1, 2), trace_E, evaluate=False)),
            ),
            Instance(np.diag([2.0, 1]), [0], 1),
        ),
        Control(
            Claim(
                r"$\|E\|_2$ is at most the largest entry of the diagonal",
                observe=_spectral,
                expected=_largest_diagonal,
                relation="<=",
            ),
            Instance.from_points([[1.0, 0, 0], [0, 1, 1]], [0], 1),
        ),
        Control(
            _entries(r"$|E_{ij}| \le \frac{99}{100} \sqrt{E_{ii} E_{jj}}$", 0.99),
            Instance.from_points([[1.0, 0, 0], [0, 1, 1]], [0], 1),
        ),
        # K has to be semidefinite: of this one the error is diag(0, -1).
        Control(
            _norms(
                r"$\|E\|_F \le \operatorname{tr} K - \|F\|_F^2$ for an indefinite $K$",
                lambda i, _: float(np.linalg.norm(i.K - i.C @ i.C.T / i.W[0, 0])),
                expected=lambda i, _: float(np.trace(i.K - i.C @ i.C.T / i.W[0, 0])),
            ),
            Instance(np.diag([1.0, -1]), [0], 1),
            drops=SEMIDEFINITE,
        ),
        Control(
            Claim(
                r"$\theta \le 45°$, where $\|E\|_2 = 5$ and the gap is $1$",
                observe=_sine,
                expected=lambda i, _: np.sqrt(0.5),
                relation="<=",
                scale=one,
            ),
            Instance(np.diag([1.0, 5]), [0], 1),
            drops=r"$\|E\|_2 < \tilde\lambda_k - \tilde\lambda_{k+1}$",
        ),
        # Small angles are half of the ratio, but not all that it allows.
        Control(
            Claim(
                r"$\sin\theta \le \|E\|_2 / 2(\tilde\lambda_k - "
                r"\tilde\lambda_{k+1})$",
                observe=_sine,
                formula=Formula(norm_E / (2 * approximate_gap)),
                relation="<=",
                scale=one,
            ),
            Instance.from_points(
                [np.sqrt([0.85, 0.15]), [0, np.sqrt(0.7)]], [0], 1, "error / gap = 0.7"
            ),
        ),
        # The true error is 1e-17, the computed certificate 0.
        Control(
            Claim("a certificate needs no allowance for rounding", observe=_dominates),
            Instance(np.diag([1.0, 1e-17]), [0], 1, X=np.diag(np.sqrt([1.0, 1e-17]))),
        ),
    ),
)
