"""The selection matrix: sampling written as a product."""

from __future__ import annotations

import numpy as np

from nystheory.theorems.base import Claim, Control, Printed, Theorem
from nystheory.theorems.concentration.covariance import (
    covariance_error,
    selection_matrix,
)
from nystheory.theorems.instance import Instance
from nystheory.theorems.rational import is_zero, rational


def printed_selection(i: Instance) -> np.ndarray:
    """``S[m, m] = 1`` if column m is sampled and S has such an entry, (n, l)."""
    S = np.zeros((i.n, i.l))
    on_diagonal = i.landmarks[i.landmarks < i.l]
    S[on_diagonal, on_diagonal] = 1.0
    return S


def _selects(selection, says: str) -> Claim:
    return Claim(
        says,
        observe=lambda i, _: i.K @ selection(i),
        expected=lambda i, _: i.C,
        exact=lambda i: is_zero(rational(i.K) * rational(selection(i)) - rational(i.C)),
    )


def _core_exactly(i: Instance) -> bool:
    S = rational(selection_matrix(i))
    return is_zero(S.transpose() * rational(i.K) * S - rational(i.W))


def _centred(i: Instance) -> np.ndarray:
    S = selection_matrix(i)
    return np.eye(i.n) - (i.n / i.l) * (S @ S.T)


SELECTION = Theorem(
    id="talwalkar2010:selection-matrix",
    part="III",
    kind="definition",
    status="misprint",
    title="The selection matrix",
    number="section 5.1",
    statement=(
        r"The selection matrix of the landmarks $s_1, \dots, s_l$ is the $S \in "
        r"\mathbb R^{n \times l}$ with $S_{s_j j} = 1$ for $j = 1, \dots, l$ and zeros "
        r"elsewhere. Then $C = K S$, $W = S^\top K S$ and, for $K = X^\top X$ and $Z = "
        r"\sqrt{n/l}\, X S$, $X X^\top - Z Z^\top = X \bigl(I_n - \frac nl S S^\top"
        r"\bigr) X^\top$. Repeated landmarks are allowed; $S^\top S = I_l$ exactly "
        r"when there are none."
    ),
    claims=(
        _selects(selection_matrix, "$K S$ are the sampled columns"),
        Claim(
            r"$S^\top K S$ is the core",
            observe=lambda i, _: selection_matrix(i).T @ i.K @ selection_matrix(i),
            expected=lambda i, _: i.W,
            exact=_core_exactly,
        ),
        Claim(
            r"$X X^\top - Z Z^\top = X (I - \frac nl S S^\top) X^\top$",
            observe=lambda i, _: covariance_error(i),
            expected=lambda i, _: i.points @ _centred(i) @ i.points.T,
            scale=lambda i: i.norm_K * i.n / i.l,
        ),
        Claim(
            r"$S^\top S = I_l$ exactly when no landmark repeats",
            observe=lambda i, _: bool(
                np.array_equal(selection_matrix(i).T @ selection_matrix(i), np.eye(i.l))
            ),
            expected=lambda i, _: len(set(i.landmarks.tolist())) == i.l,
        ),
    ),
    controls=(
        Control(
            Claim(
                r"$S^\top S = I_l$ always",
                observe=lambda i, _: selection_matrix(i).T @ selection_matrix(i),
                expected=lambda i, _: np.eye(i.l),
            ),
            Instance(np.eye(2), [0, 0], 1),
            drops="different landmarks",
        ),
        Control(
            Claim(
                r"$S S^\top = I_n$, so that $Z Z^\top$ is a multiple of $X X^\top$",
                observe=lambda i, _: selection_matrix(i) @ selection_matrix(i).T,
                expected=lambda i, _: np.eye(i.n),
            ),
            Instance(np.eye(2), [0], 1),
        ),
    ),
    printed=(
        Printed(
            r"$S \in \mathbb R^{n \times l}$ with $S_{ii} = 1$ if the $i$th column of "
            r"$K$ is among those sampled, and $S_{ij} = 0$ otherwise",
            "misprint",
            "Right where the sampled columns come first, as section 2.1.2 arranges "
            "them, and then only. An $n$ by $l$ matrix has no entry $(i, i)$ with "
            "$i > l$: for the third of three columns and $l = 1$ the printed matrix "
            "is zero, and $K S$ is not that column.",
            _selects(printed_selection, "$K S$ are the sampled columns, as printed"),
            Instance(np.diag([1.0, 2.0, 3.0]), [2], 1),
        ),
    ),
)
