"""Part I: the Nyström approximation, and the singular values and vectors of both.

Talwalkar 2010, sections 2.1.2 to 2.2.1, equations (2.2) to (2.4).
"""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem
from nystheory.engine.language.claims import Printed
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.trial.derivation import Derivation
from nystheory.engine.worlds.columns import core_values
from nystheory.engine.worlds.worlds import Given

IN_RANGE = Hypothesis("1 <= k <= l", domain=True)

# The first of two columns; one that holds nothing; right angles; equal points.
_SMALL = Instance.exactly([0], 1, points=[[1, 1], [1, 0]])
_SILENT = Instance.exactly([1], 1, points=[[1, 0]])
_IDENTITY = Instance.exactly([0], 1, points=[[1, 0], [0, 1]])
_EQUAL = Instance.exactly([0], 1, points=[[1, 1]])
# Four copies of one landmark.
_REPEATED = Instance.exactly([0] * 4, 1, matrix=np.eye(4, dtype=int).tolist())

# --- (2.2): the Nyström approximation ------------------------------------------------


class Choices(Instance):
    """The columns of one matrix, and two choices of eigenvectors of the core."""

    # Those that are no eigenvectors of it are not taken.
    one_choice = Given(axes=("l", "k"))
    other_choice = Given(axes=("l", "k"))


def _of_choice(i):
    """As for the core; at a tie, which is no rounding, every choice is right."""
    values = np.append(i.eigen_W[0], 0.0)
    tied = values[i.k - 1] - values[i.k] < 1e-12 * i.norm_K and i.k < i.rank_W
    return np.trace(i.K) / values[i.k - 1] if tied else i.condition


def _given(i, name):
    """The choice that an instance brings along, where it is one."""
    U = i.given.get(name)
    if U is None or np.shape(U) != (i.l, i.k):
        return None
    off = np.abs(U.T @ U - np.eye(i.k)).max()
    off += np.abs(i.W @ U - U @ core_values(i)).max() / i.norm_K
    return U if off < 1e-12 else None


choice = partial(Choices.quantity, when=SAMPLE, unit=0.0, condition=_of_choice)


@choice("U", "leading orthonormal eigenvectors of the core, a choice")
def one_choice(i):
    given = _given(i, "one_choice")
    return i.eigen_W[1][:, : i.k] if given is None else given


@choice("V", "leading orthonormal eigenvectors of the core, another choice")
def other_choice(i):
    """From those of a reflected core, reflected back."""
    given = _given(i, "other_choice")
    v = np.arange(1.0, i.l + 1)
    H = np.eye(i.l) - 2 * np.outer(v, v) / (v @ v)
    turned = H @ np.linalg.eigh(H @ i.W @ H)[1][:, ::-1][:, : i.k]
    return turned if given is None else given


_CORNER = [[1, 0, 1], [0, 1, 1], [1, 1, 2]]
_AXES = {"one_choice": [[1], [0]], "other_choice": [[0], [1]]}
_TIE = Choices.exactly([0, 1], 1, matrix=_CORNER, **_AXES)


def _with_choices(rng):
    """Cores diag(36, 36, c^2), and rational choices of two eigenvectors."""
    turned = [["3/5", "-4/5"], ["4/5", "3/5"], [0, 0]]
    choices = [[1, 0], [0, 1], [0, 0]], turned
    for third in range(12):
        core = np.diag([6, 6, third % 6])
        points = np.hstack([core, rng.integers(-3, 4, (3, 2))]).tolist()
        one, other = choices if third % 2 == 0 else choices[::-1]
        given = {"one_choice": one, "other_choice": other}
        name = "two equal eigenvalues"
        yield Choices.exactly([0, 1, 2], 2, points=points, name=name, **given)


NYSTROM = Theorem(
    id="talwalkar2010:eq-2.2",
    kind="identity",
    status="corrected",
    title="Nyström approximation",
    number="equation (2.2)",
    setting=(
        r"Let $K = X^\top X$, let $W_k$ be a best approximation of $W$ of rank at "
        r"most $k$, let $\tilde K$ be the Nyström approximation, and let $P$ be the "
        "orthogonal projector onto the $k$ leading left singular vectors of the "
        "sampled points $X_S$."
    ),
    hypotheses={"rank": IN_RANGE},
    claims={
        "definition": "approximation == C @ core_inverse @ C.T",
        "master identity": "C @ core_inverse @ C.T == X.T @ projector @ X",
        "semidefinite": Claim("below(0, approximation)", says="Hence"),
        "below K": "below(approximation, K)",
        "rank": "rank_approximation == min(k, rank_W)",
        "choice": Claim(
            "C @ one_choice @ pinv(core_values) @ one_choice.T @ C.T"
            " == C @ other_choice @ pinv(core_values) @ other_choice.T @ C.T",
            when="core_last > core_next or core_last == 0",
            says=r"$\tilde K$ does not depend on the choice of eigenvectors: for any "
            "two choices $U$ and $V$ of $k$ leading orthonormal eigenvectors of "
            r"$W$, with the eigenvalues $\Sigma_{W,k}$,",
        ),
    },
    world=Choices,
    cases=_with_choices,
    controls={
        "the core itself": Control("definition", _SMALL, {"core_inverse": "W"}),
        "no projector": Control("master identity", _SMALL, {"projector @ ": ""}),
        "at least half of K": Control(
            "semidefinite", _IDENTITY, {"approximation": "approximation - 0.5 * K"}
        ),
        "one percent more": Control(
            "below K", _SMALL, {"approximation": "1.01 * approximation"}
        ),
        "the larger of the two": Control("rank", _SILENT, {"min": "max"}),
        "a tie": Control(
            "choice", _TIE, lacks="core_last > core_next or core_last == 0"
        ),
    },
    printed={
        "rank equal to k": Printed(
            "rank_approximation == k",
            "missing hypothesis",
            "The rank is at most $k$, and equal to $k$ only if "
            r"$k \le \operatorname{rank} W$; one also needs $k \le l$. For "
            r"$K = \operatorname{diag}(1, 0)$ and the second column, $W = 0$ and the "
            "approximation of rank $1$ is the zero matrix.",
            _SILENT,
            says=r"the Nyström method generates a rank-$k$ approximation $\tilde K$ of "
            "$K$ for $k < n$",
        ),
    },
)


# --- (2.3): singular values and vectors of the Nyström method ------------------------

# Its two Nyström vectors are not orthogonal.
_OBLIQUE = Instance.exactly([0, 1], 2, matrix=[[2, 0, 1], [0, 1, 1], [1, 1, 2]])
_EXTENDED = "C @ core_vectors @ pinv(core_values)"
_TRANSPOSED = "pinv(core_values) @ core_vectors.T @ C.T"

NYSTROM_SVD = Theorem(
    id="talwalkar2010:eq-2.3",
    kind="identity",
    status="holds",
    title="Nyström singular values and vectors",
    number="equation (2.3)",
    setting=(
        r"Let $W_k = U_{W,k} \Sigma_{W,k} U_{W,k}^\top$ with $k$ leading eigenvalues "
        r"and eigenvectors of $W$, and let $\tilde\Sigma$ and $\tilde U$ be the "
        "approximate singular values and vectors, with the same choice of signs."
    ),
    hypotheses={"rank": IN_RANGE},
    claims={
        "values": "nystrom_values == n / l * core_values",
        "vectors": f"nystrom_vectors == sqrt(l / n) * {_EXTENDED}",
        "product": "nystrom_vectors @ nystrom_values @ nystrom_vectors.T"
        " == C @ core_inverse @ C.T",
        "inner products": Claim(
            "nystrom_gram == l / n * (identity(k) + inv(core_values) @ core_vectors.T"
            " @ K_21.T @ K_21 @ core_vectors @ inv(core_values))",
            when="different == l and rank_W >= k",
        ),
    },
    controls={
        "values not stretched": Control("values", _EQUAL, {"n / l * core": "core"}),
        "vectors not shrunk": Control("vectors", _EQUAL, {"sqrt(l / n) * C": "C"}),
        "the values of the core": Control(
            "product", _EQUAL, {"@ nystrom_values @": "@ core_values @"}
        ),
        "the opposite sign": Control("inner products", _OBLIQUE, {"+": "-"}),
        "repeated landmarks": Control(
            "inner products", _REPEATED, lacks="different == l"
        ),
    },
    derivation=Derivation(
        "product",
        (
            (
                "nystrom_vectors @ nystrom_values @ nystrom_vectors.T",
                "the approximate vectors and values",
            ),
            (
                f"sqrt(l / n) * {_EXTENDED} @ (n / l * core_values)"
                f" @ (sqrt(l / n) * {_TRANSPOSED})",
                "by definition",
            ),
            (f"{_EXTENDED} @ core_values @ {_TRANSPOSED}", "the scalars cancel"),
            (
                f"{_EXTENDED} @ core_vectors.T @ C.T",
                r"$\Sigma_{W,k}^+ \Sigma_{W,k} \Sigma_{W,k}^+ = \Sigma_{W,k}^+$",
            ),
            ("C @ core_inverse @ C.T", "what is left is the pseudo-inverse of $W_k$"),
        ),
        rules={
            "nystrom_vectors": f"sqrt(l / n) * {_EXTENDED}",
            "nystrom_vectors.T": f"sqrt(l / n) * {_TRANSPOSED}",
            "nystrom_values": "n / l * core_values",
            "pinv(core_values) @ core_values @ pinv(core_values)": "pinv(core_values)",
            "core_vectors @ pinv(core_values) @ core_vectors.T": "core_inverse",
        },
    ),
)


# --- section 2.2.1: are the Nyström vectors orthonormal? -----------------------------


def _balanced(rng):
    """Instances on which the vectors are orthonormal: copies of one block."""
    for copies in (2, 3):
        core = rng.standard_normal((3, 3))
        X = np.tile(core, copies)
        for rank in (1, 2, 3):
            yield Instance.from_points(X, [0, 1, 2], rank, "copies of a block")
    yield Instance.exactly([0, 1], 2, matrix=[[2, 0], [0, 1]])
    yield _EQUAL


ORTHONORMALITY = Theorem(
    id="talwalkar2010:rem-2.2.1",
    kind="claim",
    status="corrected",
    title="When Nyström vectors are orthonormal",
    number="section 2.2.1",
    setting=r"Let $\tilde U$ be the Nyström singular vectors from $S$.",
    hypotheses={"rank": "1 <= k <= rank_W", "distinct landmarks": "different == l"},
    claims={
        "balanced": "(nystrom_gram == identity(k))"
        " == (core_vectors.T @ K_21.T @ K_21 @ core_vectors"
        " == (n - l) / l * (core_values @ core_values))",
    },
    cases=_balanced,
    controls={
        "another share": Control("balanced", _EQUAL, {"(n - l) / l": "(n - l) / n"}),
        "a silent landmark": Control(
            "balanced", Instance.exactly([0, 1], 2, points=[[1, 0, 1, 0]]), drops="rank"
        ),
        "repeated landmarks": Control(
            "balanced", _REPEATED, drops="distinct landmarks"
        ),
    },
    printed={
        "never orthonormal": Printed(
            "nystrom_gram != identity(k)",
            "missing hypothesis",
            "True for almost every matrix, not for all. The exceptions are the "
            "matrices of the remark, those with $l = n$ among them. The smallest with "
            r"$l < n$ is $K = \mathbf 1 \mathbf 1^\top$ with two rows and one "
            r"landmark: the vector is $(1, 1)^\top/\sqrt 2$. The identity matrix has "
            "size $k$.",
            _EQUAL,
            says=r"$\tilde U_{nys}^\top \tilde U_{nys} \ne I_l$",
        ),
    },
)


# --- (2.4): the singular value decomposition of the columns --------------------------

_ROOT_MEAN_SQUARE = "norm_F(Sigma_C) / sqrt(rank_C) * identity(rank_C)"
_TWO_VALUES = Instance.exactly([0, 1], 2, matrix=[[2, 0], [0, 1]])

COLUMN_SVD = Theorem(
    id="talwalkar2010:eq-2.4",
    kind="identity",
    status="holds",
    title="Column-sampling singular values and vectors",
    number="equation (2.4)",
    setting=(
        r"Let $C = U_C \Sigma_C V_C^\top$ be the thin decomposition, of size "
        r"$\operatorname{rank} C$, and let $\tilde\Sigma_{col}$ and $\tilde U_{col}$ "
        "be all approximate singular values and vectors, with the same choice of signs."
    ),
    hypotheses={"rank": IN_RANGE},
    claims={
        "values": "column_values == sqrt(n / l) * Sigma_C",
        "vectors": "column_vectors == C @ V_C @ inv(Sigma_C)",
        "orthonormal": Claim(
            "column_vectors.T @ column_vectors == identity(rank_C)",
            says="The vectors are orthonormal:",
        ),
        "number": Claim(
            "trace(column_vectors.T @ column_vectors) == rank_C",
            says="There are as many of them as the rank:",
        ),
        "range": Claim(
            "column_vectors @ column_vectors.T == C @ pinv(C)",
            says="They give the projector on the range of $C$:",
        ),
    },
    controls={
        "as Nyström stretches": Control("values", _EQUAL, {"sqrt(n / l)": "n / l"}),
        "the root mean square": Control(
            "values", _TWO_VALUES, {"Sigma_C": _ROOT_MEAN_SQUARE}
        ),
        "as Nyström shrinks": Control("vectors", _EQUAL, {"==": "== sqrt(l / n) *"}),
        "stretched vectors": Control("orthonormal", _EQUAL, {"==": "== n / l *"}),
        "zero singular values kept": Control(
            "number", Instance.exactly([0, 1], 1, points=[[1, 1]]), {"rank_C": "l"}
        ),
        "no inverse": Control("range", _SMALL, {"pinv(C)": "C.T"}),
    },
)
