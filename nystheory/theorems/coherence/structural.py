"""Part III: the error of any sample, from how it sees the leading eigenvectors.

Gittens and Mahoney 2013 and 2016; in every unitarily invariant norm by a shorter
proof, that of the book.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import scipy.linalg
import sympy as sp

from nystheory.theorems.base import Claim, Control, Hypothesis, Theorem
from nystheory.theorems.derivation import Step, letters
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import EPS, Instance
from nystheory.theorems.quantities import quantity, tail_2, tail_F
from nystheory.theorems.routes import RANK_IN_RANGE, nystrom, one
from nystheory.theorems.spectral import tail_trace

# Below this the sample counts as blind to a leading direction.
BLIND = 1e-7

# A ratio of two errors below this share of K would be a ratio of rounding.
VISIBLE = 1e-4


@lru_cache(maxsize=64)
def error_spectrum(i: Instance) -> np.ndarray:
    """Eigenvalues of ``K - K~`` above 0, largest first, for the full approximation.

    The error is ``X' (I - P) X``, P the projector on the span of the sampled points,
    and has the eigenvalues of ``(I - P) X X' (I - P)``.
    """
    X = i.points
    sampled = X[:, i.landmarks]
    Q, R, _ = scipy.linalg.qr(sampled, pivoting=True, check_finite=False)
    sizes = np.abs(np.diag(R))
    rank = int((sizes > len(X) * EPS * sizes.max(initial=0.0)).sum())
    rest = Q[:, rank:].T
    if "moment" in i.extra:
        values = np.linalg.eigvalsh(rest @ i.extra["moment"] @ rest.T)
        return np.maximum(values[::-1], 0)
    return np.linalg.svd(rest @ X, compute_uv=False) ** 2


def error_norms(i: Instance) -> tuple[float, float, float]:
    """Spectral and Frobenius norm and trace of the error."""
    values = error_spectrum(i)
    return (
        float(values.max(initial=0.0)),
        float(np.linalg.norm(values)),
        float(values.sum()),
    )


@lru_cache(maxsize=64)
def seen(i: Instance) -> tuple[np.ndarray, np.ndarray]:
    """``U_1' S`` and ``Lambda_2^{1/2} U_2' S``, split at the rank k."""
    values, vectors = i.eigen_K
    rows = vectors[i.landmarks].T
    tail = np.sqrt(np.maximum(values[i.k :], 0))
    return rows[: i.k], tail[:, None] * rows[i.k :]


@lru_cache(maxsize=64)
def _G(i: Instance) -> np.ndarray:
    """Singular values of ``Lambda_2^{1/2} (U_2' S) (U_1' S)^+``, largest first."""
    leading, tail = seen(i)
    G = tail @ np.linalg.pinv(leading)
    return np.linalg.svd(G, compute_uv=False) if G.size else np.zeros(1)


G_2 = quantity(
    "G_2",
    r"\|G\|_2",
    "spectral norm of the tail that the sample mixes into the head",
    of_sample=True,
)(lambda i: float(_G(i)[0]))
G_F = quantity("G_F", r"\|G\|_F", "Frobenius norm of that matrix", of_sample=True)(
    lambda i: float(np.linalg.norm(_G(i)))
)
gram_F = quantity(
    "G_gram_F",
    r"\|G^\top G\|_F",
    "Frobenius norm of the Gram matrix of G",
    of_sample=True,
)(lambda i: float(np.linalg.norm(_G(i) ** 2)))
quantity(
    "head_seen",
    r"\sigma_{\min}(U_1^\top S)",
    "smallest singular value of the sampled rows of the k leading eigenvectors",
    of_sample=True,
)(lambda i: float(np.linalg.svd(seen(i)[0], compute_uv=False)[-1]))

_SEES_THE_HEAD = Hypothesis(
    r"$U_1^\top S$ has full row rank",
    ("head_seen", "k", "l"),
    lambda head_seen, k, l: k <= l and head_seen > BLIND,  # noqa: E741
)


def _condition(i: Instance) -> float:
    """Rounding in the eigenvectors shows through the pseudo-inverse, squared."""
    return float(1 / np.linalg.svd(seen(i)[0], compute_uv=False)[-1] ** 2)


def _plus(first, *others) -> Formula:
    return Formula(sp.Add(first, *others, evaluate=False))


def _bounded(says: str, which: int, formula: Formula, **more) -> Claim:
    return Claim(
        says,
        observe=lambda i, _: error_norms(i)[which],
        formula=formula,
        relation="<=",
        scale=(lambda i: float(np.trace(i.K))) if which == 2 else None,
        **{"condition": _condition, **more},
    )


def _ky_fan(i: Instance, _) -> float:
    """Largest ratio of the two sides over all Ky Fan norms, where it has a meaning."""
    tail = np.maximum(i.eigen_K[0][i.k :], 0)
    sizes = np.zeros((3, i.n))
    for row, values in zip(sizes, (error_spectrum(i), tail, _G(i) ** 2), strict=True):
        row[: min(i.n, len(values))] = values[: i.n]
    error, head, mixed = sizes.cumsum(axis=1)
    allowed = head + mixed
    some = allowed > VISIBLE * i.norm_K
    return float((error[some] / allowed[some]).max(initial=0.0))


def _derive_blocks():
    """The two diagonal blocks of the middle matrix, in letters of any size.

    With N = (I + F'F)^-1 the block that replaces the head is I - N, and F'F - (I - N)
    is a square: it is not negative.
    """
    H, N = letters("H N")  # H = F'F, N (I + H) = (I + H) N = I
    rules = {N * H: 1 - N, H * N: 1 - N}
    return (
        Step(H - (1 - N), r"$F^\top F - (I - N)$ with $H = F^\top F$"),
        Step(
            H * N * H,
            r"$N (I + H) = I$; and $H N H = F^\top (F N F^\top) F \succeq 0$",
            rules,
        ),
    )


# A long first axis at 45 degrees to the sampled point, and one of length 1.
_TURN = np.array([[1.0, -1], [1, 1]]) / np.sqrt(2)
_LONG = Instance.from_points(
    np.diag([1e3, 1]) @ _TURN.T, [0], 1, "one long axis, one short"
)
_FLIPPED = Instance.from_points(
    np.repeat(np.diag([1.0, 1.005]), (20, 1), axis=1), [0, 20], 1, "order flipped"
)

STRUCTURAL = Theorem(
    id="modern:structural",
    part="III",
    kind="inequality",
    status="holds",
    title="The error of any sample that sees the leading eigenvectors",
    number="Gittens and Mahoney 2013, 2016",
    statement=(
        r"Let $K = U \Lambda U^\top$ be positive semidefinite with eigenvalues in "
        r"falling order, split at $k$ into $U_1, \Lambda_1$ and $U_2, \Lambda_2$, and "
        r"let $S \in \mathbb R^{n \times l}$ pick any landmarks for which $U_1^\top S$ "
        r"has full row rank. Put $G = \Lambda_2^{1/2} (U_2^\top S)(U_1^\top S)^+$ and "
        r"$E = K - C W^+ C^\top$. Then $\|E\| \le \|\Lambda_2\| + \|G^\top G\|$ in "
        r"every unitarily invariant norm. In particular $\|E\|_2 \le \lambda_{k+1} + "
        r"\|G\|_2^2$, $\|E\|_F \le \|\Lambda_2\|_F + \|G^\top G\|_F$ and "
        r"$\operatorname{tr} E \le \sum_{j>k} \lambda_j + \|G\|_F^2$. The published "
        r"Frobenius bound, $\|\Lambda_2\|_F + \|G\|_2 \bigl((2 \sum_{j>k} "
        r"\lambda_j)^{1/2} + \|G\|_F\bigr)$, follows."
    ),
    hypotheses=(RANK_IN_RANGE, _SEES_THE_HEAD),
    # The second implies k <= l, and k = 0 says that norm(E) <= norm(K).
    not_known_necessary=(RANK_IN_RANGE.says,),
    claims=(
        _bounded("the spectral norm", 0, _plus(tail_2, G_2**2)),
        _bounded("the Frobenius norm", 1, _plus(tail_F, gram_F)),
        _bounded("the trace", 2, _plus(tail_trace, G_F**2)),
        Claim(
            "every Ky Fan norm, hence every unitarily invariant norm",
            observe=_ky_fan,
            formula=Formula(sp.Integer(1)),
            relation="<=",
            scale=one,
            condition=lambda i: _condition(i) / VISIBLE,
            applies=lambda i: i.norm_K > 0,
        ),
        _bounded(
            "the published Frobenius bound",
            1,
            _plus(
                tail_F,
                sp.Mul(
                    G_2,
                    sp.Add(
                        sp.sqrt(sp.Mul(2, tail_trace, evaluate=False)),
                        G_F,
                        evaluate=False,
                    ),
                    evaluate=False,
                ),
            ),
            # It follows from the one above, so no search is spent on it.
            applies=lambda i: i.n >= 12,
        ),
    ),
    derivation=_derive_blocks,
    controls=(
        Control(
            _bounded(
                r"the rank of $U_1^\top S$ does not matter",
                0,
                _plus(tail_2, G_2**2),
                condition=None,
            ),
            Instance(np.diag([2.0, 1]), [1], 1, X=np.diag(np.sqrt([2.0, 1]))),
            drops=_SEES_THE_HEAD.says,
        ),
        Control(
            Claim(
                r"the same for $C W_k^+ C^\top$, truncated to rank $k$",
                observe=lambda i, _: float(np.linalg.norm(i.K - nystrom(i), 2)),
                formula=_plus(tail_2, G_2**2),
                relation="<=",
            ),
            _FLIPPED,
        ),
        Control(
            _bounded(
                "the two parts add up like the sides of a right angle",
                1,
                Formula(sp.sqrt(tail_F**2 + gram_F**2)),
            ),
            _LONG,
        ),
        Control(
            _bounded(r"$0.99\, \|G\|_2^2$ is enough", 0, _plus(tail_2, 0.99 * G_2**2)),
            _LONG,
        ),
    ),
)
