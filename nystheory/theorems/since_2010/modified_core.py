"""Part III: the best core for given columns, in the Frobenius norm.

Wang and Zhang 2013; Wang, Luo and Zhang 2016.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Theorem
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import norm_F, quantity
from nystheory.theorems.since_2010._first_form import condition_of_error, residual


def best_core(i: Instance) -> np.ndarray:
    """``C^+ K (C^+)^T``, (l, l)."""
    U, s, V = i.svd_C
    inverse = (V / s) @ U.T
    return inverse @ i.K @ inverse.T


def _missed(i: Instance, core) -> np.ndarray:
    return i.K - i.C @ core @ i.C.T


def _best_missed(i: Instance) -> np.ndarray:
    """``K - P K P`` with the projector P on the range of C."""
    Q = i.svd_C[0]
    return i.K - Q @ (Q.T @ i.K @ Q) @ Q.T


compressed_F = quantity(
    "compressed_F",
    r"\|P_C K P_C\|_F",
    "Frobenius norm of the matrix between projectors on the sampled columns",
    of_sample=True,
)(lambda i: float(np.linalg.norm(i.svd_C[0].T @ i.K @ i.svd_C[0])))

_BEST = Formula(
    sp.Add(sp.Pow(norm_F, 2), sp.Mul(-1, sp.Pow(compressed_F, 2)), evaluate=False)
)


def _squared(matrix) -> float:
    return float(np.linalg.norm(matrix) ** 2)


def _with_core(i: Instance, rng) -> Instance:
    """A competitor: near the best, the usual one, or any; none need be symmetric."""
    best = best_core(i)
    choice = rng.random()
    noise = rng.standard_normal(best.shape) * (np.abs(best).max(initial=0.0) or 1.0)
    if choice < 0.4:
        core = best + 10.0 ** rng.uniform(-3, 0) * noise
    elif choice < 0.7:
        core = np.linalg.pinv(i.W, rcond=1e-10, hermitian=True)
    else:
        core = noise
    return i.but(core=core)


def _scale(i: Instance) -> float:
    return float(np.linalg.norm(i.K)) ** 2


def _scale_with_core(i: Instance) -> float:
    size = np.linalg.norm(i.C, 2) ** 2 * np.linalg.norm(i.extra["core"])
    return float((np.linalg.norm(i.K) + size) ** 2)


def _condition(i: Instance) -> float:
    return i.but(rank=i.l).condition_of_columns


def _has_core(i: Instance) -> bool:
    return "core" in i.extra


def _compared(says, size, **changes) -> Claim:
    fields = {
        "observe": lambda i, _: size(_missed(i, i.extra["core"])),
        "expected": lambda i, _: size(_missed(i, best_core(i))),
        "relation": ">=",
        "scale": _scale_with_core,
        "condition": _condition,
        "applies": _has_core,
    }
    return Claim(says, **(fields | changes))


def _pythagoras(i: Instance, _) -> float:
    Q = i.svd_C[0]
    between = Q.T @ i.K @ Q - (Q.T @ i.C) @ i.extra["core"] @ (i.C.T @ Q)
    return _squared(_best_missed(i)) + _squared(between)


def _of_any_signs(i: Instance) -> Instance:
    """The same columns of ``K - norm(K) I / 2``, which has eigenvalues of both signs.

    Built without points, which such a matrix has not.
    """
    K = i.K - i.norm_K / 2 * np.eye(i.n)
    return Instance(K, i.landmarks, i.rank, extra={"core": i.extra["core"]})


def _two_identities(i: Instance, _) -> np.ndarray:
    """The squared error of a core, and that of the best one."""
    other = _of_any_signs(i)
    core = other.extra["core"]
    return np.array([_squared(_missed(other, core)), _squared(_best_missed(other))])


def _their_right_sides(i: Instance, _) -> np.ndarray:
    other = _of_any_signs(i)
    Q = other.svd_C[0]
    both = _squared(other.K) - _squared(Q.T @ other.K @ Q)
    return np.array([_pythagoras(other, _), both])


def _scale_of_any_signs(i: Instance) -> float:
    return _scale_with_core(_of_any_signs(i))


def _condition_of_any_signs(i: Instance) -> float:
    """Singular values of the columns that are not rounding must be far from it."""
    C = _of_any_signs(i).C
    s = np.linalg.svd(C, compute_uv=False) / (np.linalg.norm(C, 2) or 1.0)
    return float(1 / s[s > 1e-14].min(initial=1.0) ** 2)


def _examples(rng):
    """Points for which the usual core is far from the best one."""
    for e in (0.5, 0.1, 0.01):
        X = np.array([[e, 1.0, 1.0], [0.0, 1.0, -0.5]])
        yield _with_core(Instance.from_points(X, [0], 1, "a short landmark"), rng)


def _spectral(matrix) -> float:
    return float(np.linalg.norm(matrix, 2) ** 2)


_TWO = Instance(np.array([[1.0, 1], [1, 2]]), [0], 1, extra={"core": [[1.5]]})

MODIFIED_CORE = Theorem(
    id="modern:modified-nystrom",
    part="III",
    kind="inequality",
    status="to-confirm",
    title="The best core for given columns",
    number="Wang and Zhang 2013; Wang, Luo and Zhang 2016",
    statement=(
        r"Let $K$ be symmetric, $C$ any of its columns, $P_C$ the projector on the "
        r"range of $C$ and $U^* = C^+ K (C^+)^\top$. *Confirmed*: $C U^* C^\top = P_C "
        r"K P_C$; for every $l \times l$ matrix $U$, $\|K - C U C^\top\|_F^2 = \|K - C "
        r"U^* C^\top\|_F^2 + \|P_C K P_C - C U C^\top\|_F^2$, so that $U^*$ is a best "
        r"core in the Frobenius norm, never worse than $W^+$; and $\|K - C U^* "
        r"C^\top\|_F^2 = \|K\|_F^2 - \|P_C K P_C\|_F^2$. *Open* here: how many "
        r"columns, drawn by which probabilities, bring the error below $(1 + "
        r"\varepsilon) \|K - K_k\|_F^2$."
    ),
    claims=(
        Claim(
            r"confirmed: $\|K - C U^* C^\top\|_F^2$ from two norms",
            observe=lambda i, _: _squared(_best_missed(i)),
            formula=_BEST,
            scale=_scale,
            condition=_condition,
        ),
        _compared(r"confirmed: no core $U$ does better than $U^*$", _squared),
        _compared(
            "confirmed: the excess is the distance between the two approximations",
            _squared,
            expected=_pythagoras,
            relation="=",
        ),
        Claim(
            r"confirmed: $C U^* C^\top = P_C K P_C$",
            observe=lambda i, _: _missed(i, best_core(i)),
            expected=lambda i, _: _best_missed(i),
            condition=_condition,
        ),
        Claim(
            r"confirmed: never worse than the Nyström approximation",
            observe=lambda i, _: _squared(_best_missed(i)),
            expected=lambda i, _: _squared(residual(i)),
            relation="<=",
            scale=_scale,
            condition=condition_of_error,
        ),
        Claim(
            "confirmed: both identities for a $K$ with eigenvalues of both signs",
            observe=_two_identities,
            expected=_their_right_sides,
            scale=_scale_of_any_signs,
            condition=_condition_of_any_signs,
            applies=_has_core,
        ),
    ),
    complete=_with_core,
    instances=_examples,
    # K - P K P is orthogonal to all P A P whatever K is.
    not_known_necessary=("a symmetric $K$",),
    controls=(
        Control(
            _compared(r"the same in the spectral norm", _spectral),
            _TWO,
        ),
        Control(
            Claim(
                r"$C U^* C^\top$ stays below $K$",
                observe=lambda i, _: -float(np.linalg.eigvalsh(_best_missed(i))[0]),
                expected=lambda i, _: 0.0,
                relation="<=",
            ),
            _TWO,
        ),
        Control(
            _compared(
                r"$W^+$ is as good",
                _squared,
                observe=lambda i, _: _squared(_best_missed(i)),
                expected=lambda i, _: _squared(residual(i)),
            ),
            _TWO,
        ),
    ),
)
