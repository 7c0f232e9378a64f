"""Part III: an approximation as preconditioner, and the iterations that it saves.

Frangella, Tropp and Udell 2023.
"""

from __future__ import annotations

import math

import numpy as np
import scipy.linalg
import sympy as sp

from nystheory.theorems.adaptive_sampling.pivoting import NOT_ZERO
from nystheory.theorems.base import Claim, Control, Law, Theorem
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import quantity
from nystheory.theorems.routes import one
from nystheory.theorems.since_2010._first_form import (
    POSITIVE_RIDGE,
    approximation,
    condition_of_error,
    missed_points,
    norm_E,
    shift,
)
from nystheory.theorems.since_2010.below import (
    competitor,
    competitor_error,
    has_competitor,
    with_competitor,
)
from nystheory.theorems.since_2010.gaussian_sketch import (
    WHOLE,
    seen,
    with_coordinates,
    with_sketch,
)
from nystheory.theorems.spectral import alpha, spectrum


def condition_number(K, values, vectors, ridge: float) -> float:
    """Condition of ``P^-1/2 (K + ridge I) P^-1/2`` for a preconditioner from K~.

    Parameters
    ----------
    K : ndarray (n, n)
    values, vectors : ndarray (l,), (n, l)
        Eigenvalues, largest first, and orthonormal eigenvectors of K~.
    ridge : float

    Examples
    --------
    >>> K = np.diag([8.0, 1.0, 0.0])
    >>> round(condition_number(K, K.diagonal()[:2], np.eye(3)[:, :2], 1.0), 9)
    2.0
    """
    root = np.sqrt((values[-1] + ridge) / (values + ridge))
    half = np.eye(len(K)) + (vectors * (root - 1)) @ vectors.T
    found = np.linalg.eigvalsh(half @ (K + ridge * np.eye(len(K))) @ half)
    return float(found[-1] / found[0])


def _columns(i: Instance) -> tuple[np.ndarray, np.ndarray]:
    """The l eigenvalues of the approximation from the columns, zeros included."""
    U, s, _ = scipy.linalg.svd(approximation(i).factor, full_matrices=True)
    values = np.zeros(min(i.l, i.n))
    values[: len(s[: i.l])] = s[: i.l] ** 2
    return values, U[:, : len(values)]


def _preconditioned(i: Instance, _) -> float:
    return condition_number(i.K, *_columns(i), shift(i))


def _given(i: Instance) -> tuple[np.ndarray, np.ndarray]:
    """The l largest eigenvalues of a competitor below K, zeros included."""
    values, vectors = competitor(i, full=True)
    return values[: i.l], vectors[:, : i.l]


def _with_any(i: Instance, rng) -> Instance:
    return with_competitor(i, rng, min(i.l, i.n))


def _sketched(i: Instance, _) -> float:
    M = seen(i)
    _, s, Vt = np.linalg.svd(M, full_matrices=True)
    values = np.zeros(min(i.l, i.n))
    values[: len(s)] = s**2
    return condition_number(i.K, values, Vt[: len(values)].T, shift(i))


smallest_kept = quantity(
    "smallest_kept",
    r"\tilde\lambda_l",
    "l-th eigenvalue of the full approximation",
    of_sample=True,
)(lambda i: float(_columns(i)[0][-1]))
smallest_eigenvalue = quantity(
    "smallest_eigenvalue", r"\lambda_n", "smallest eigenvalue of the matrix"
)(lambda i: max(float(i.eigen_K[0][-1]), 0.0))


# --- Bounds -----------------------------------------------------------------------

_KEPT, _LAST = sp.Add(smallest_kept, alpha), sp.Add(smallest_eigenvalue, alpha)
_LARGEST = sp.Add(smallest_kept, alpha, norm_E, evaluate=False)
_INVERSE = sp.Min(
    sp.Pow(alpha, -1),
    sp.Mul(
        sp.Add(smallest_kept, smallest_eigenvalue, sp.Mul(2, alpha)),
        sp.Pow(sp.Mul(_KEPT, _LAST, evaluate=False), -1, evaluate=False),
        evaluate=False,
    ),
    evaluate=False,
)
_ANY = Formula(sp.Mul(_LARGEST, _INVERSE, evaluate=False))


def columns_needed(dimension: float) -> int:
    """``2 ceil(1.5 d_eff) + 1``.

    Examples
    --------
    >>> columns_needed(10.0)
    31
    """
    return 2 * math.ceil(1.5 * dimension) + 1


def _dimension(i: Instance) -> float:
    values = spectrum(i)
    return float((values / (values + shift(i))).sum())


def _needed(i: Instance) -> int:
    return columns_needed(_dimension(i))


def _mean_bound(i: Instance, _) -> float:
    """The bound of the proof on the mean condition number, from the spectrum.

    ``1 + (lambda_l + E norm(E)) / alpha`` with the bound for Gaussian sketches at
    ``k = (l - 1) / 2``.
    """
    n_columns = _needed(i)
    values = np.append(spectrum(i), np.zeros(n_columns + 1))
    rank = (n_columns - 1) // 2
    error = WHOLE(
        k=rank, l=n_columns, tail_2=values[rank], tail_trace=values[rank:].sum()
    )
    return 1 + (values[n_columns - 1] + error) / shift(i)


def _scale_of_condition(i: Instance) -> float:
    return 1 + i.norm_K / shift(i)


def _support(i: Instance) -> tuple[float, float]:
    """By the bound that holds for every draw, with norms of K for those of K~, E."""
    return 1 - 1e-9, (1 + 2 * i.norm_K / shift(i)) * (1 + 1e-9)


def _on_trial(i: Instance) -> bool:
    return "trial" in i.extra


def _mean_claim(says, constant, columns=_needed, sketch=with_sketch) -> Claim:
    def draw(i, rng):
        return sketch(i.but(landmarks=np.arange(columns(i))), rng)

    return Claim(
        says,
        observe=_sketched,
        expected=lambda i, _: constant,
        relation="<=",
        scale=one,
        applies=_on_trial,
        law=Law(draw, support=_support),
    )


def _on_the_diagonal(values, ridge, name) -> Instance:
    X = np.diag(np.sqrt(np.asarray(values, dtype=float)))
    return Instance.from_points(X, [0], 1, name, alpha=ridge, trial=True)


def _cases(rng):
    j = np.arange(30.0)
    yield _on_the_diagonal(0.5**j, 0.02, "geometric spectrum")
    yield _on_the_diagonal(np.r_[np.full(3, 50.0), np.full(27, 0.03)], 1.0, "a step")
    for ratio in 10.0 ** np.arange(-3, 3):
        X = rng.standard_normal((5, 8))
        case = Instance.from_points(X, rng.choice(8, 3, replace=False), 3, "ridge")
        yield _with_any(case.but(alpha=ratio * case.norm_K), rng)
    # The proof is least generous where all eigenvalues after some are alike.
    for above, last in ((0, 0.05), (1, 0.01), (10, 0.1), (100, 0.01), (5, 1.0)):
        values = np.r_[np.full(above, 1e6), np.full(400 - above, last)]
        X = np.diag(np.sqrt(values))
        yield Instance.from_points(X, [0], 1, "flat tail", alpha=1.0)


def _bounded(says, **changes) -> Claim:
    fields = {
        "observe": _preconditioned,
        "formula": _ANY,
        "relation": "<=",
        "scale": _scale_of_condition,
        "condition": lambda i: condition_of_error(i) * _scale_of_condition(i),
        "applies": lambda i: i.n <= 60,
    }
    return Claim(says, **(fields | changes))


def _bound_for_given(i: Instance, _) -> float:
    """The bound, for a competitor instead of the approximation from columns."""
    return _ANY(
        alpha=shift(i),
        norm_E=competitor_error(i),
        smallest_kept=_given(i)[0][-1],
        smallest_eigenvalue=max(float(i.eigen_K[0][-1]), 0.0),
    )


def _without_error(i: Instance, _) -> float:
    return (_columns(i)[0][-1] + shift(i)) / shift(i)


def _with_diagonal(i: Instance, _) -> float:
    largest = (missed_points(i) ** 2).sum(axis=0).max()
    return (_columns(i)[0][-1] + shift(i) + largest) / shift(i)


# What the proof gives for every spectrum; 28 is the published constant.
_CONSTANT = 1 + 8 * math.exp(2) / 3


PRECONDITIONER = Theorem(
    id="modern:preconditioner",
    part="III",
    kind="expectation",
    status="holds",
    title="The Nyström preconditioner",
    number="Frangella, Tropp and Udell 2023",
    statement=(
        r"Let $K \ne 0$ be positive semidefinite and $\alpha > 0$. Let $\tilde K = U "
        r"\operatorname{diag}(\tilde\lambda_1, \dots, \tilde\lambda_l)\, U^\top$ with "
        r"$U^\top U = I$, $\tilde\lambda_1 \ge \dots \ge \tilde\lambda_l$ and "
        r"$0 \preceq \tilde K \preceq K$, $E = K - \tilde K$, and $P^{-1} = "
        r"(\tilde\lambda_l + \alpha)\, U (\tilde\Lambda + \alpha I)^{-1} U^\top + I - "
        r"U U^\top$. Then the condition number $\kappa$ of $P^{-1/2} (K + \alpha I) "
        r"P^{-1/2}$ is at most $(\tilde\lambda_l + \alpha + \|E\|_2) \min\bigl\{"
        r"\frac{1}{\alpha},\; \frac{\tilde\lambda_l + \lambda_n + 2 \alpha}"
        r"{(\tilde\lambda_l + \alpha)(\lambda_n + \alpha)}\bigr\}$. If $\tilde K = K "
        r"\Omega\, (\Omega^\top K \Omega)^+ \Omega^\top K$ with a standard Gaussian "
        r"$\Omega$ of $l = 2 \lceil 1.5\, d_{\mathrm{eff}}(\alpha) \rceil + 1 \le n$ "
        r"columns, then $\mathbb E\, \kappa < 1 + \frac{8 e^2}{3}$."
    ),
    hypotheses=(POSITIVE_RIDGE, NOT_ZERO),
    # For K = 0 both condition numbers are 1.
    not_known_necessary=(NOT_ZERO.says,),
    claims=(
        _bounded(r"the bound on $\kappa$, $\tilde K$ from columns"),
        Claim(
            r"$1 + (\lambda_l + \text{bound on } \mathbb E \|E\|_2) / \alpha$ for the "
            "number of columns that is asked for",
            observe=_mean_bound,
            expected=lambda i, _: _CONSTANT,
            relation="<=",
            scale=one,
        ),
        _mean_claim(r"the mean of $\kappa$ over Gaussian sketches", _CONSTANT),
        _bounded(
            r"$\kappa$ for any $0 \preceq \tilde K \preceq K$ of rank at most $l$",
            observe=lambda i, _: condition_number(i.K, *_given(i), shift(i)),
            formula=None,
            expected=_bound_for_given,
            condition=_scale_of_condition,
            applies=lambda i: i.n <= 60 and has_competitor(i),
        ),
    ),
    complete=_with_any,
    instances=_cases,
    controls=(
        Control(
            _bounded(
                r"$\kappa \le (\tilde\lambda_l + \alpha) / \alpha$, without the error",
                formula=None,
                expected=_without_error,
            ),
            Instance(np.diag([1.0, 5]), [0], 1, extra={"alpha": 1.0}),
        ),
        Control(
            _bounded(
                r"the largest entry of the diagonal of $E$ may stand for $\|E\|_2$",
                formula=None,
                expected=_with_diagonal,
            ),
            Instance.from_points([[1.0, 0, 0, 0], [0, 1, 1, 1]], [0], 1, alpha=1.0),
        ),
        Control(
            _mean_claim("three columns will do", _CONSTANT, lambda i: 3),
            _on_the_diagonal(np.r_[np.full(10, 1e3), np.zeros(10)], 1.0, "ten large"),
            drops=r"$l = 2 \lceil 1.5\, d_{\mathrm{eff}}(\alpha) \rceil + 1$",
        ),
        Control(
            _mean_claim("sampled columns", _CONSTANT, sketch=with_coordinates),
            _on_the_diagonal(np.r_[1e4, np.full(19, 0.01)], 1.0, "one large"),
            drops="standard normal entries",
        ),
        Control(
            Claim(
                r"the bound on $\kappa$ for eigenvalues $1$ and $10$ in place of "
                "$11$ and $0$",
                observe=lambda i, _: condition_number(
                    i.K, np.array([10.0, 1.0]), np.eye(2)[:, ::-1], shift(i)
                ),
                # The minimum is 1 / alpha, and norm(E) = 10.
                expected=lambda i, _: (1 + shift(i) + 10) / shift(i),
                relation="<=",
                scale=_scale_of_condition,
            ),
            Instance(np.diag([11.0, 0]), [0], 1, extra={"alpha": 1.0}),
            drops=r"$0 \preceq \tilde K \preceq K$",
        ),
        Control(
            Claim(
                "the proof gives $19$",
                observe=_mean_bound,
                expected=lambda i, _: 19.0,
                relation="<=",
                scale=one,
            ),
            _on_the_diagonal(np.full(400, 0.05), 1.0, "all alike"),
        ),
    ),
)
