"""Part III: coherence, its range.

Talwalkar 2010, section 5.2.1: Definition 5.1 and its footnote.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np
import scipy.linalg
import sympy as sp

from nystheory import coherence as spread
from nystheory.theorems.base import Claim, Control, Theorem
from nystheory.theorems.concentration.violations import SEMIDEFINITE
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import n, quantity
from nystheory.theorems.routes import one

# --- Orthonormal columns, and how the rows share their mass -----------------------


def basis(i: Instance) -> np.ndarray:
    """Orthonormal columns (n, r): those that the instance carries, else those of K.

    Of K they are the right singular vectors of the points with singular value above
    0.  What the adversary has moved is made orthonormal again, column by column.
    """
    if "basis" in i.extra:
        return np.linalg.qr(i.extra["basis"])[0]
    return np.linalg.svd(i.points, full_matrices=False)[2][: i.rank_K].T


r = quantity("r", "r", "number of orthonormal columns; the rank of K for those of K")(
    lambda i: i.r if hasattr(i, "r") else basis(i).shape[1]
)
mu = quantity(
    "coherence", r"\mu", "coherence of the orthonormal columns, Definition 5.1"
)(lambda i: spread.coherence(basis(i)))
M = quantity(
    "basis_free_coherence",
    "M",
    "n times the largest squared row length of the orthonormal columns",
)(lambda i: i.M if hasattr(i, "M") else spread.basis_free_coherence(basis(i)))
mu_1 = quantity(
    "mu_1", r"\mu_1", "(n/sqrt r) times the largest entry of the projector on them"
)(lambda i: _largest_entry(basis(i), basis(i)) * i.n / np.sqrt(basis(i).shape[1]))


def _largest_entry(U, V) -> float:
    return float(np.abs(U @ V.T).max())


def with_basis(i: Instance, rng) -> Instance:
    """Leading eigenvectors of K, as many as its rank k, half of the time turned."""
    U = np.linalg.eigh(i.K)[1][:, ::-1][:, : i.k]
    if rng.random() < 0.5:
        U = U @ np.linalg.qr(rng.standard_normal((U.shape[1],) * 2))[0]
    return i.but(basis=U)


def of_basis(U, landmarks=(0,), name="") -> Instance:
    """The instance of the projector on given orthonormal columns, which it carries."""
    U = np.asarray(U, dtype=float)
    rank = min(U.shape[1], len(landmarks))
    return Instance.from_points(U.T, landmarks, rank, name, basis=U)


def hadamard(size: int, columns: int) -> np.ndarray:
    """The first columns of Sylvester's matrix, of length 1, (size, columns)."""
    return scipy.linalg.hadamard(size)[:, :columns] / np.sqrt(size)


# --- Definition 5.1 ---------------------------------------------------------------


@lru_cache
def _sign_vectors(size: int) -> tuple[bool, bool]:
    """Whether two, and whether three, sign vectors of a length can be orthogonal.

    Signs of rows do not matter, so the first may be all ones.
    """
    others = np.array(list(product((1, -1), repeat=size)))
    others = others[others.sum(axis=1) == 0]
    triple = bool((others @ others.T == 0).any()) if len(others) else False
    return bool(len(others)), triple


def _of_another_basis(i: Instance, rng) -> float:
    """n times the largest diagonal of the projector ``B (B'B)^-1 B'``, B = U T."""
    U = basis(i)
    T = np.linalg.qr(rng.standard_normal((U.shape[1],) * 2))[0]
    B = U @ (T * np.linspace(1, 2, U.shape[1]))
    return float(i.n * np.einsum("ij,ij->i", B, np.linalg.pinv(B).T).max())


def _mu(i: Instance, _=None) -> float:
    return spread.coherence(basis(i))


def _free(i: Instance, _=None) -> float:
    return spread.basis_free_coherence(basis(i))


def _size(i: Instance) -> float:
    """Scale of M, which goes up to n."""
    return float(i.n)


_TURN = np.array([[1.0, 1], [1, -1]]) / np.sqrt(2)

COHERENCE = Theorem(
    id="talwalkar2010:def-5.1",
    part="III",
    kind="definition",
    status="holds",
    title="Coherence, and the number that depends on the space alone",
    number="Definition 5.1, equation (5.16)",
    statement=(
        r"Let $U \in \mathbb R^{n \times r}$ have orthonormal columns, $r \ge 1$. Its "
        r"coherence $\mu(U) = \sqrt n \max_{i,j} |U_{ij}|$ satisfies $1 \le \mu(U) \le "
        r"\sqrt n$. It belongs to the matrix $U$: another orthonormal basis of the "
        "same space can have another coherence, so where eigenvalues tie it is not a "
        r"function of $K$. The number $M(U) = n \max_i \|U_{i,:}\|^2$ is the same for "
        r"every orthonormal basis of the space, and $\max(r, \mu^2) \le M \le \min(n, "
        r"r \mu^2)$. The value $\mu = 1$ asks for entries $\pm 1/\sqrt n$: with $r = "
        "2$ columns it is possible only for even $n$, with three or more only where "
        "$4$ divides $n$."
    ),
    claims=(
        Claim(
            r"$1 \le \mu$",
            observe=_mu,
            expected=lambda i, _: 1.0,
            relation=">=",
            scale=one,
        ),
        Claim(
            r"$\mu \le \sqrt n$",
            observe=_mu,
            formula=Formula(sp.sqrt(n)),
            relation="<=",
            scale=one,
        ),
        Claim(
            r"$M \le \min(n, r \mu^2)$",
            observe=_free,
            formula=Formula(sp.Min(n, r * mu**2)),
            relation="<=",
            scale=_size,
        ),
        Claim(
            r"$M \ge \max(r, \mu^2)$",
            observe=_free,
            formula=Formula(sp.Max(r, mu**2)),
            relation=">=",
            scale=_size,
        ),
        Claim(
            r"$M$ from another basis of the space",
            observe=_free,
            expected=_of_another_basis,
            scale=_size,
        ),
        Claim(
            "two, and three, sign vectors of length $n$ can be orthogonal",
            observe=lambda i, _: np.array(_sign_vectors(i.n)),
            expected=lambda i, _: np.array([i.n % 2 == 0, i.n % 4 == 0]),
            applies=lambda i: 3 <= i.n <= 8,
            scale=one,
        ),
        Claim(
            r"where $\mu = 1$ no entry is smaller than $1/\sqrt n$",
            observe=lambda i, _: np.sqrt(i.n) * np.abs(basis(i)).min(),
            expected=lambda i, _: 1.0,
            relation=">=",
            scale=one,
            # If mu is 1 + e, the square of an entry may be below 1 / n by 2 e.
            condition=lambda i: 1e4,
            applies=lambda i: _mu(i) < 1 + 1e-10,
        ),
    ),
    complete=with_basis,
    instances=lambda rng: [
        of_basis(hadamard(8, 3), name="Hadamard"),
        of_basis(np.eye(6)[:, :2], name="identity block (5.1)"),
        *(of_basis(np.eye(size)[:, :1]) for size in range(3, 9)),
    ],
    controls=(
        Control(
            Claim(
                r"$\mu$ is a function of the space",
                observe=_mu,
                expected=lambda i, _: spread.coherence(basis(i) @ _TURN),
                scale=one,
            ),
            of_basis(np.eye(2), name="two bases of the plane"),
        ),
        Control(
            Claim(
                r"$M \le \mu^2$, without the factor $r$",
                observe=_free,
                expected=lambda i, _: _mu(i) ** 2,
                relation="<=",
            ),
            of_basis(hadamard(4, 2)),
        ),
        Control(
            Claim(
                r"three columns can have $\mu = 1$ wherever two can",
                observe=lambda i, _: _sign_vectors(i.n)[1],
                expected=lambda i, _: _sign_vectors(i.n)[0],
            ),
            of_basis(np.eye(6)[:, :1]),
        ),
        Control(
            Claim(
                r"no entry is smaller than $1/\sqrt n$ where $\mu \le \sqrt{3/2}$",
                observe=lambda i, _: np.sqrt(i.n) * np.abs(basis(i)).min(),
                expected=lambda i, _: 1.0,
                relation=">=",
            ),
            of_basis(np.array([[1.0], [1], [0]])),
        ),
        Control(
            Claim(
                r"$M \le n$ for columns of length 1",
                observe=lambda i, _: i.n * (i.extra["columns"] ** 2).sum(axis=1).max(),
                formula=Formula(n),
                relation="<=",
            ),
            of_basis(np.eye(3)[:, :1]).but(columns=np.eye(3)[:, [0, 0]]),
            drops="orthonormal columns",
        ),
    ),
)

# --- The footnote -----------------------------------------------------------------


def _other_side(i: Instance) -> np.ndarray:
    return i.extra["other"]


FOOTNOTE = Theorem(
    id="talwalkar2010:footnote-coherence",
    part="III",
    kind="inequality",
    status="holds",
    title="Two coherences of the matrix-completion literature",
    number="footnote 1 of section 5.2.1",
    statement=(
        r"Let $U \in \mathbb R^{n \times r}$ have orthonormal columns and let $\mu_1 = "
        r"\frac{n}{\sqrt r} \max_{i,j} |(U U^\top)_{ij}|$, the second coherence of "
        r"Candès and Recht for a positive semidefinite matrix, whose left and right "
        r"singular vectors agree. Then $\mu^2 \le \sqrt r\, \mu_1$, and $\sqrt r\, "
        r"\mu_1 = M$ exactly."
    ),
    claims=(
        Claim(
            r"$\mu^2 \le \sqrt r\, \mu_1$",
            observe=lambda i, _: _mu(i) ** 2,
            formula=Formula(sp.Mul(sp.sqrt(r), mu_1, evaluate=False)),
            relation="<=",
            scale=_size,
        ),
        Claim(
            r"$\sqrt r\, \mu_1 = M$: the largest entry of a projector is on its "
            "diagonal",
            observe=_free,
            formula=Formula(sp.Mul(sp.sqrt(r), mu_1, evaluate=False)),
            scale=_size,
        ),
    ),
    complete=with_basis,
    # U U' is semidefinite for any U, so its largest entry is on its diagonal: the
    # proof does not use that the columns are orthonormal.
    not_known_necessary=("orthonormal columns",),
    controls=(
        Control(
            Claim(
                "the same for two different sets of singular vectors, "
                r"$\mu(U)^2 \le n \max_{ij} |(U V^\top)_{ij}|$",
                observe=lambda i, _: _mu(i) ** 2,
                expected=lambda i, _: i.n * _largest_entry(basis(i), _other_side(i)),
                relation="<=",
            ),
            of_basis(np.eye(4)[:, :1]).but(other=np.full((4, 1), 0.5)),
            drops=SEMIDEFINITE,
        ),
        Control(
            Claim(
                r"$\mu^2 \le \mu_1$, without the root",
                observe=lambda i, _: _mu(i) ** 2,
                formula=Formula(mu_1),
                relation="<=",
            ),
            of_basis(np.eye(4)[:, :2]),
        ),
    ),
)
