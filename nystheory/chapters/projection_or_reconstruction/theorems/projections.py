"""Matrix projection: the product of approximate singular vectors with K.

Talwalkar 2010, section 2.2.2, equations (2.5) to (2.7) and Theorem 2.1.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory.chapters.projection_or_reconstruction.theorems import (
    quantities,  # noqa: F401 - enters them
)
from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem
from nystheory.engine.language.claims import Printed, Where
from nystheory.engine.language.quantity import CHOSEN
from nystheory.engine.trial.derivation import Derivation
from nystheory.engine.worlds.columns import of_range, relative
from nystheory.engine.worlds.matrices import GREY_LOW
from nystheory.engine.worlds.worlds import Given

IN_RANGE = Hypothesis("1 <= k <= l", domain=True)

# Two orthogonal points of unlike length, and two points at an angle.
TWO = Instance.exactly([0, 1], 1, matrix=[[2, 0], [0, 1]])
OBLIQUE = Instance.exactly([0], 1, points=[[1, 1], [1, 0]])
EQUAL = Instance.exactly([0], 1, points=[[1, 1]])
IDENTITY = Instance.exactly([0], 1, points=[[1, 0], [0, 1]])
AXES = Instance.exactly([0, 1], 1, points=[[2, 0], [0, 1]])
INDEFINITE = Instance.exactly([0], 1, matrix=[[0, 1], [1, 0]])

# Of any sign and length, the vectors of (2.3).
_VECTORS = "sqrt(l / n) * C @ core_vectors @ pinv(core_values)"
_TRANSPOSED = "sqrt(l / n) * pinv(core_values) @ core_vectors.T @ C.T"


# --- (2.5): when reconstruction and projection agree ---------------------------------


class Pairs(Instance):
    """The columns of one matrix, and pairs of vectors and values."""

    pair_vectors = Given("U", "vectors as columns", axes=("n", "k"))
    # One for each vector, under the name of the diagonal matrix.
    pair_values = Given(axes=("k",))

    @classmethod
    def drawn(cls, instance, rng):
        """Sometimes true eigenpairs of K, not the leading ones."""
        values, vectors = instance.eigen_K
        n, k = instance.n, min(instance.k, instance.n)
        some = np.sort(rng.choice(n, k, replace=False))
        # Eigenvectors of any length: the statement does not ask for orthonormal ones.
        U, sigma = vectors[:, some] * rng.uniform(0.5, 2, k), values[some]
        kind = rng.integers(3)
        if kind == 1:
            sigma = sigma + instance.norm_K * rng.uniform(0.1, 1, k)
        if kind == 2:
            U = rng.standard_normal((n, k))
        return instance.but(pair_vectors=U, pair_values=sigma)


of_pairs = partial(Pairs.quantity, when=CHOSEN, unit=None)


@of_pairs(r"\Sigma", "diagonal matrix of values")
def pair_values(i):
    return np.diag(np.ravel(i.pair_values))


@of_pairs(r"\operatorname{rank} U", "rank of the vectors")
def rank_pairs(i):
    """None where they are nearly dependent: a product with U then hides too much."""
    shares = relative(i.pair_vectors)
    unclear = ((shares > GREY_LOW) & (shares < 0.02)).any()
    return None if unclear else int((shares >= 0.02).sum())


# The second eigenpair of two, and one vector twice.
_SECOND = Pairs.exactly(
    [1], 1, matrix=[[2, 0], [0, 1]], pair_vectors=[[0], [1]], pair_values=[1]
)
_SAME = Pairs.exactly([0], 2, matrix=[[1]], pair_vectors=[[1, 1]], pair_values=[0, 2])
_LEADING = "trace(pair_values) == trace_K - tail_trace"

SAME_ONLY_IF = Theorem(
    id="talwalkar2010:eq-2.5",
    kind="identity",
    status="holds",
    title="When reconstruction and projection agree",
    number="equation (2.5)",
    setting=r"Let $U$ have $k$ columns and $\Sigma$ be diagonal of size $k$.",
    hypotheses={"full column rank": Hypothesis("rank_pairs == k")},
    claims={
        "only eigenpairs": Claim(
            "(pair_vectors @ pair_values @ pair_vectors.T"
            " == pair_vectors @ pair_vectors.T @ K)"
            " == (K @ pair_vectors == pair_vectors @ pair_values)",
            says="Then the two agree if and only if the columns of $U$ are "
            r"eigenvectors of $K$ and $\Sigma$ holds their eigenvalues:",
        ),
    },
    world=Pairs,
    controls={
        "the leading eigenpairs": Control(
            "only eigenpairs", _SECOND, {"(K @": f"({_LEADING} and K @"}
        ),
        "the same vector twice": Control(
            "only eigenpairs", _SAME, drops="full column rank"
        ),
    },
)


# --- (2.6) and (2.7): the two projections --------------------------------------------

COLUMN_PROJECTION = Theorem(
    id="talwalkar2010:eq-2.6",
    kind="identity",
    status="misprint",
    title="Column-sampling matrix projection",
    number="equation (2.6)",
    setting=(
        r"Let $C = U_C \Sigma_C V_C^\top$ be the thin singular value decomposition "
        r"and $(C^\top C)_k = V_{C,k} \Sigma_{C,k}^2 V_{C,k}^\top$."
    ),
    hypotheses={"rank": IN_RANGE},
    claims={
        "formula": Claim(
            "column_projection == C @ gram_inverse @ C.T @ K",
            says="The Column-sampling matrix projection is",
        ),
    },
    controls={
        "not truncated": Control("formula", TWO, {"gram_inverse": "pinv(C.T @ C)"}),
    },
    printed={
        "inverted twice": Printed(
            "column_projection == C @ pinv(gram_inverse) @ C.T @ K",
            "misprint",
            "The pseudo-inverse is taken once in the display and again here, in its "
            r"where-clause. With $K = (2)$ the display would give $C \cdot 4 \cdot C "
            r"\cdot K = 32$ where the projection is $2$.",
            Instance.exactly([0], 1, matrix=[[2]]),
            says=r"$(C^\top C)_k = V_{C,k} (\Sigma_{C,k}^2)^+ V_{C,k}^\top$",
        ),
    },
)

NYSTROM_PROJECTION = Theorem(
    id="talwalkar2010:eq-2.7",
    kind="identity",
    status="holds",
    title="Nyström matrix projection",
    number="equation (2.7)",
    setting=r"Let $\tilde U_{nys}$ hold the $k$ Nyström singular vectors.",
    hypotheses={"rank": IN_RANGE},
    claims={
        "formula": Claim(
            "nystrom_projection == l / n * C @ core_inverse @ core_inverse @ C.T @ K",
            says="The Nyström matrix projection is",
        ),
    },
    controls={"not shrunk": Control("formula", EQUAL, {"l / n * C": "C"})},
    derivation=Derivation(
        "formula",
        (
            ("nystrom_projection", "the projection"),
            ("nystrom_vectors @ nystrom_vectors.T @ K", "by definition"),
            (f"{_VECTORS} @ ({_TRANSPOSED}) @ K", "the Nyström singular vectors"),
            (
                "l / n * C @ core_inverse @ core_inverse @ C.T @ K",
                r"$(U_{W,k} \Sigma_{W,k}^+ U_{W,k}^\top)^2 = (W_k^+)^2$",
            ),
        ),
        rules={
            "nystrom_projection": "nystrom_vectors @ nystrom_vectors.T @ K",
            "nystrom_vectors": _VECTORS,
            "nystrom_vectors.T": _TRANSPOSED,
            "core_vectors @ pinv(core_values) @ pinv(core_values) @ core_vectors.T": (
                "core_inverse @ core_inverse"
            ),
        },
    ),
)


# --- Theorem 2.1: Column-sampling projects best --------------------------------------


class ProjectionCore(Instance):
    """The columns of one matrix, and any symmetric core between their directions."""

    # What the core R is made of: it is the symmetric part of U_C' G U_C.
    G = Given(axes=("n", "n"))

    @classmethod
    def drawn(cls, instance, rng):
        """Indefinite, semidefinite, or near the identity."""
        n = instance.n
        G = rng.standard_normal((n, n))
        kind = rng.integers(3)
        if kind == 1:
            G = G @ G.T
        if kind == 2:
            G = np.eye(n) + 10.0 ** rng.uniform(-4, 0) * G
        return instance.but(G=G)


def _of_competitor(i):
    return of_range(i) * max(1.0, np.linalg.norm(i.G))


@ProjectionCore.quantity(
    r"U_C R U_C^\top",
    "what competes with the projector on the range of C",
    CHOSEN,
    unit=0.0,
    condition=_of_competitor,
)
def competitor(i):
    U = i.svd_C[0]
    R = U.T @ i.G @ U
    return U @ (R + R.T) @ U.T / 2


_I_3 = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
_CUT = ProjectionCore.exactly(
    [0, 1], 1, matrix=[[2, 0, 0], [0, 1, 0], [0, 0, 1]], G=_I_3
)
_FLIPPED = ProjectionCore.exactly(
    [0, 1], 2, matrix=[[1, 0], [0, 1]], G=[[1, 0], [0, -1]]
)
_SHORTER = "(norm_F(competitor @ K) - norm_F(P_C @ K))"

COLUMN_SAMPLING_PROJECTS_BEST = Theorem(
    id="talwalkar2010:thm-2.1",
    kind="inequality",
    status="holds",
    title="Column-sampling projects best",
    number="Theorem 2.1",
    setting=(
        r"Let $\rho = \operatorname{rank} C$, let $U_C \in \mathbb R^{n \times \rho}$ "
        r"hold the left singular vectors of $C$, $P_C = U_C U_C^\top$, and let "
        r"$R \in \mathbb R^{\rho \times \rho}$ be any symmetric matrix."
    ),
    hypotheses={"rank": IN_RANGE},
    where={
        "S_nys": Where("S_{nys}", "l / n * C @ core_inverse @ core_inverse @ C.T"),
        "S_col": Where("S_{col}", "C @ gram_inverse @ C.T"),
    },
    claims={
        "Nyström": Claim(
            "nystrom_projection == P_C @ S_nys @ P_C @ K",
            says=r"Both matrix projections are of the form $U_C R\, U_C^\top K$, with "
            r"$R = U_C^\top S U_C$:",
        ),
        "Column-sampling": "column_projection == P_C @ S_col @ P_C @ K",
        "semidefinite": Claim(
            "below(0, S_nys) and below(0, S_col)",
            says="Both $R$ are positive semidefinite, as $S$ is:",
        ),
        "two squares": Claim(
            "norm_F(K - competitor @ K) ** 2 == norm_F(K - P_C @ K) ** 2"
            " + norm_F((competitor - P_C) @ K) ** 2",
            says=r"For every $R$, where the last norm is "
            r"$\|(R - I)\, U_C^\top K\|_F$,",
        ),
        "minimum": Claim(
            "norm_F(K - competitor @ K) >= norm_F(K - P_C @ K)",
            says="Hence none has a smaller error than $R = I$:",
        ),
        "no detour": Claim(
            "column_projection == P_C @ K",
            when="k >= rank_C",
            says="Column-sampling is $R = I$, and so has the smallest error,",
        ),
    },
    world=ProjectionCore,
    controls={
        "Nyström is a projector": Control("Nyström", OBLIQUE, {"S_nys": "identity(n)"}),
        "nothing is cut off": Control("Column-sampling", TWO, {"S_col": "identity(n)"}),
        "Nyström stretches": Control(
            "semidefinite", OBLIQUE, {"(0, S_nys)": "(P_C, S_nys)"}
        ),
        "semidefinite R only": Control(
            "two squares", _FLIPPED, {"norm_F((competitor - P_C) @ K)": _SHORTER}
        ),
        "Column-sampling is the best for every k": Control(
            "minimum", _CUT, {"P_C @ K": "column_projection"}
        ),
        "R = I for every k": Control("no detour", TWO, lacks="k >= rank_C"),
    },
    printed={
        "size of R": Printed(
            "rank_C == l",
            "misprint",
            "The first in the statement, the second in the proof. "
            "With the thin decomposition that the source uses, $U_C$ has "
            r"$\operatorname{rank} C$ columns, so $R$ and both identity matrices have "
            r"that size. For $K = \mathbf 1 \mathbf 1^\top$ with two rows and both "
            "columns sampled it is $1$, not $l = 2$. The argument is unchanged.",
            Instance.exactly([0, 1], 2, points=[[1, 1]]),
            says=r"$R \in \mathbb R^{l \times l}$ … $U_C^\top U_C = I_n$",
        ),
    },
)
