"""Part II: adaptive sampling, the columns so far decide where to look next.

Talwalkar 2010, section 4.2.1, figures 4.3 and 4.4.
"""

from __future__ import annotations

from functools import partial
from operator import attrgetter

import numpy as np

from nystheory import sampling
from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem
from nystheory.engine.language.claims import Printed, Where
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.laws import LAWS, Law
from nystheory.engine.worlds.listed import small
from nystheory.engine.worlds.matrices import EPS, diagonal, truncated_inverse
from nystheory.engine.worlds.measured import ROUNDING
from nystheory.engine.worlds.quantities import quantity
from nystheory.kernels import DenseKernel

# Relative errors of a row below the first may be rounding, above the second are not.
GREY = 1e-13, 1e-6
# So many samples of different columns, in their order, are listed.
LISTED = 300

# --- Samples in batches of two, from the first landmark on ---------------------------


def _full(i, S):
    """Shares of the columns left, None where the package stops."""
    return sampling.update_probability_full(DenseKernel(i.K), S)


def _partial(i, S):
    """The same from the columns so far, with half of their number as rank."""
    if len(set(S)) == i.n:
        return None
    rank = max(1, len(S) // 2)
    return sampling.update_probability_partial(DenseKernel(i.K), S, rank)


def _batches(shares, replaced=False):
    def outcomes(i):
        if i.n ** min(i.l, i.n) > LISTED:
            return None
        return _grown(i, shares, replaced, 1.0, [int(i.landmarks[0])])

    return outcomes


def _grown(i, shares, replaced, chance, S, p=None, room=0):
    """Every way to go on from the columns S, with `room` draws left in the batch.

    A sample that stops early is filled up with its first column.
    """
    if len(S) == i.l:
        yield chance, i.but(landmarks=S)
        return
    if not room:
        p, room = shares(i, S), 2
    if p is None:
        yield chance, i.but(landmarks=S + S[:1] * (i.l - len(S)))
        return
    for j in np.flatnonzero(p):
        rest = p if replaced else np.where(np.arange(i.n) == j, 0, p)
        still = room - 1 if rest.any() else 0
        taken, grown = chance * p[j] / p.sum(), [*S, int(j)]
        yield from _grown(i, shares, replaced, taken, grown, rest, still)


for _name, _says, _outcomes in (
    ("adaptive_full", "batches after a full pass", _batches(_full)),
    ("adaptive_full_replaced", "the same with replacement", _batches(_full, True)),
    ("adaptive_partial", "batches from the columns so far", _batches(_partial)),
):
    LAWS[_name] = Law(_says, None, _outcomes)

# --- figure 4.3: adaptive-full -------------------------------------------------------


def _rest(i) -> float:
    """Frobenius norm of what the columns do not span, 0 if it may be rounding."""
    U, E = i.svd_C[0], i.K
    for _ in range(2):
        E = E - U @ (U.T @ E)
    norm = float(np.linalg.norm(E))
    return norm if norm > ROUNDING * i.n * EPS * i.norm_K else 0.0


def _of_rest(i):
    """Rounding in the rest shows in the shares as in the columns, over the rest."""
    rest = _rest(i)
    return i.full.condition_of_columns * np.linalg.norm(i.K) / rest if rest else 1.0


@quantity("p", "probabilities after a full pass", SAMPLE, unit=0, condition=_of_rest)
def full_shares(i):
    """By the package, 0 where it stops; None where only rounding may be left."""
    p = _full(i, i.landmarks)
    if p is None:
        return np.zeros(i.n)
    return p if _rest(i) else None


@quantity("1_R", "1 for the columns so far, 0 for the others", SAMPLE, unit=None)
def on_R(i):
    return np.isin(range(i.n), i.landmarks).astype(float)


_THREE = Instance.exactly([0, 1, 2], 1, matrix=diagonal([1, 1, 1]))
_UNIT = Instance.exactly([0], 1, matrix=diagonal([1, 1, 1]))
_STEPS = Instance.exactly([0], 1, matrix=diagonal([3, 2, 1]))
_CROSSED = Instance.exactly([0], 1, matrix=[[2, 1], [1, 1]])
_ONES = Instance.exactly([0], 1, matrix=[[1, 1], [1, 1]])
_SQUARES = "diag(rest.T @ rest)"
_SHARES = f"{_SQUARES} / norm_F(rest) ** 2"
_BY_LENGTH = f"sqrt({_SQUARES}) / sum(sqrt({_SQUARES}))"

ADAPTIVE_FULL = Theorem(
    id="talwalkar2010:alg-4.3",
    kind="algorithm",
    status="corrected",
    title="Adaptive sampling with a full pass",
    number="figure 4.3",
    setting=(
        r"Let $K$ be positive semidefinite, $R$ a non-empty set of columns, "
        r"$C = K_{:,R}$, $W = K_{R,R}$ and $U$ an orthonormal basis of the range of "
        r"$C$, so that $U U^\top = C C^+$. Let $p$ be the probabilities of the next "
        r"column, and $p = 0$ where the algorithm stops. With the columns $E^{(j)}$ "
        r"of $E = K - U U^\top K$ they are $p_j = \|E^{(j)}\|_2^2 / \|E\|_F^2$. Let "
        r"$1_R$ be the vector that is $1$ on $R$ and $0$ on the others; vectors are "
        r"multiplied entry by entry."
    ),
    claims={
        "proportional": Claim(f"full_shares == {_SHARES}", when="rank_W < rank_K"),
        "sum": Claim(
            "sum(full_shares) == 1",
            when="rank_W < rank_K",
            says="The probabilities sum to one",
        ),
        "not negative": "full_shares >= 0",
        "on R": Claim("on_R * full_shares == 0", says="and are zero on $R$,"),
        "stops": Claim(
            "(full_shares == 0) == (rank_W == rank_K)",
            says="$p$ is zero, and the algorithm stops, exactly when the core has the "
            "rank of $K$:",
        ),
        "batches": Claim(
            "chance(different < l and rank_W < rank_K) == 0",
            law="adaptive_full",
            says="Batches drawn from $p$ without replacement, from the first column "
            "of $R$ on, extend a sample $S$ by distinct new columns up to $l$, or "
            "until they determine $K$:",
        ),
    },
    where={"rest": Where("E", "K - C @ pinv(C) @ K")},
    cases=small,
    controls={
        "lengths, not squares": Control("proportional", _STEPS, {_SHARES: _BY_LENGTH}),
        "rows, not columns": Control(
            "proportional", _CROSSED, {"rest.T @ rest": "rest @ rest.T"}
        ),
        "a hundredth more": Control("sum", _UNIT, {"== 1": "== 1.01"}),
        "positive everywhere": Control("not negative", _UNIT, {">= 0": ">= 0.01"}),
        "zero everywhere": Control(
            "on R", _UNIT, {"on_R * full_shares": "full_shares"}
        ),
        "it stops only at all columns": Control(
            "stops", _ONES, {"rank_W == rank_K": "rank_W == n"}
        ),
        "with replacement": Control("batches", _THREE, law="adaptive_full_replaced"),
    },
    printed={
        "the norm": Printed(
            f"sum({_SQUARES}) == sqrt(sum({_SQUARES} ** 2))",
            "misprint",
            "Numbers that are to be probabilities are divided by their sum, the "
            r"1-norm; the subscript should be 1. For $K = I_3$ and $R = \{1\}$ the "
            r"squared residuals are $(0, 1, 1)$ and the printed probabilities sum to "
            r"$\sqrt 2$. A program that draws in proportion to $P$ never notices.",
            _UNIT,
            says=r"$P \leftarrow \frac{P}{\|P\|_2}$",
        ),
        "every round": Printed(
            "not rest == 0",
            "missing hypothesis",
            "When the columns so far span all others there is nothing to sample, and "
            r"the algorithm should stop with fewer than $l$ columns. For $K = "
            r"\mathbf 1 \mathbf 1^\top$ of size 2 and one column all residuals are "
            r"zero and the quotient is $0/0$.",
            _ONES,
            says=r"for $i \in [1 \dots t]$ do … $R_i \leftarrow$ set of $s$ indices "
            r"sampled according to $P_i$",
        ),
    },
)


# --- figure 4.4: adaptive-partial ----------------------------------------------------

_number = partial(quantity, unit=None)
_of_core = partial(quantity, when=SAMPLE, condition=attrgetter("condition"))

_number("|R|", "number of columns so far", name="columns_so_far")(lambda i: i.l)


@_number("k'", "rank at which the columns so far are approximated")
def partial_rank(i):
    return i.k


@_of_core("E", "error of rank k' on the columns so far")
def partial_error(i):
    return i.C - i.C @ truncated_inverse(i.W, i.k) @ i.W


@_of_core("e", "its squared rows outside R", unit=2)
def row_errors(i):
    squares = (partial_error(i) ** 2).sum(axis=1)
    squares[i.landmarks] = 0
    return squares


@_number(r"\#\{j : e_j > 0\}", "rows outside R with an error", SAMPLE)
def rows_seen(i):
    """None where rounding may look like the error of a row, or hide it.

    The eigenvectors of a diagonal core are not rounded, nor are then rows of zeros.
    """
    lengths = np.sqrt(row_errors(i) / max(np.sum(i.C**2), np.finfo(float).tiny))
    low = GREY[0] if np.count_nonzero(i.W) == np.count_nonzero(np.diag(i.W)) else -1.0
    unclear = (lengths > low) & (lengths < GREY[1]) & ~np.isin(range(i.n), i.landmarks)
    return None if unclear.any() else int((lengths >= GREY[1]).sum())


@_number(r"e \ne 0", "whether a row outside R has an error", SAMPLE)
def something_seen(i):
    return None if rows_seen(i) is None else rows_seen(i) > 0


@_number("e = 0", "whether no row outside R has an error", SAMPLE)
def nothing_seen(i):
    return None if rows_seen(i) is None else rows_seen(i) == 0


def _of_rows(i):
    """Rounding in the rows, over what they hold; uniform shares have none."""
    total = float(row_errors(i).sum())
    if rows_seen(i) == 0 or i.k == i.l:
        return 1.0
    return i.condition * np.sqrt(np.sum(i.C**2) / total) if total > 0 else np.inf


@quantity("p", "probabilities by row errors", SAMPLE, unit=0, condition=_of_rows)
def partial_shares(i):
    return sampling.update_probability_partial(DenseKernel(i.K), i.landmarks, i.k)


@quantity("u", "uniform distribution outside R", SAMPLE, unit=0)
def uniform_rest(i):
    p = np.zeros(i.n)
    p[i.others] = 1 / len(i.others)
    return p


_DIAGONAL = Instance.exactly([0, 1], 1, matrix=diagonal([3, 2, 1]))
_FOUR = Instance.exactly([0, 1], 1, matrix=diagonal([4, 3, 2, 1]))
_SEEN = Instance.exactly([0, 1], 1, points=[[2, 0, 0, 0], [0, 1, 2, 1]])
# R = {1, 2}: what k' = 1 leaves of C' is its second column, on which both others lean.
_LEANING = Instance.exactly(
    [0, 1],
    1,
    matrix=[[2, 0, 0, 0], [0, 1, "1/2", "1/2"], [0, "1/2", 1, 0], [0, "1/2", 0, 1]],
)
_TO_LENGTHS = {
    "sum(row_errors) == row_errors": "sum(sqrt(row_errors)) == sqrt(row_errors)"
}

ADAPTIVE_PARTIAL = Theorem(
    id="talwalkar2010:alg-4.4",
    kind="algorithm",
    status="corrected",
    title="Adaptive sampling from the columns so far",
    number="figure 4.4",
    setting=(
        "Let $K$ be positive semidefinite, $R$ a non-empty set of columns, $C' = "
        "K_{:,R}$ and $W = K_{R,R}$. Let $E = C' - C' W_{k'}^+ W$, the error of the "
        "Nyström approximation of rank $k'$ on the columns $R$, and $e_j = "
        r"\|E_{(j)}\|_2^2$, the squared row, for $j \notin R$, $e_j = 0$ for $j \in "
        "R$. Let $p$ be the probabilities of the next column, $u_j = 1 / (n - |R|)$ "
        r"for $j \notin R$, $u_j = 0$ for $j \in R$, and $1_R$ the vector that is $1$ "
        "on $R$ and $0$ on the others; vectors are multiplied entry by entry."
    ),
    hypotheses={
        "rank": Hypothesis("1 <= partial_rank <= columns_so_far", domain=True),
        "some left": Hypothesis(
            "different < n", "some column lie outside $R$", domain=True
        ),
    },
    claims={
        "proportional": Claim(
            "partial_shares * sum(row_errors) == row_errors", when="something_seen"
        ),
        "nothing seen": Claim("partial_shares == uniform_rest", when="nothing_seen"),
        "sum": Claim(
            "sum(partial_shares) == 1",
            says="The probabilities sum to one for every $K$,",
        ),
        "not negative": "partial_shares >= 0",
        "on R": Claim("on_R * partial_shares == 0", says="They are zero on $R$,"),
        "batches": Claim(
            "mean(different) == l",
            law="adaptive_partial",
            says="Batches drawn from $p$ without replacement, from the first column of "
            r"$R$ on, lead to a sample $S$ of every size $l \le n$:",
        ),
        "exact on R": Claim(
            "partial_error == 0", when="partial_rank == columns_so_far"
        ),
        "uniform": Claim(
            "partial_shares == uniform_rest", when="partial_rank == columns_so_far"
        ),
    },
    cases=small,
    controls={
        "a hundredth less": Control("sum", _SEEN, {"== 1": "== 0.99"}),
        "positive everywhere": Control("not negative", _SEEN, {">= 0": ">= 0.01"}),
        "zero everywhere": Control(
            "on R", _SEEN, {"on_R * partial_shares": "partial_shares"}
        ),
        "lengths, not squares": Control("proportional", _SEEN, _TO_LENGTHS),
        "as with a full pass": Control(
            "nothing seen", _FOUR, {"uniform_rest": "full_shares"}
        ),
        "with replacement": Control("batches", _DIAGONAL, law="with_replacement"),
        "a smaller rank": Control(
            "exact on R", _DIAGONAL, lacks="partial_rank == columns_so_far"
        ),
        "uniform for a smaller rank": Control(
            "uniform", _SEEN, lacks="partial_rank == columns_so_far"
        ),
    },
    printed={
        "the norm": Printed(
            "sum(row_errors) == sqrt(sum(row_errors ** 2))",
            "misprint",
            "As in the thesis's figure 4.3 it should be 1. The counterexample has four "
            "points, the first two drawn, $k' = 1$, and two others with the same row "
            r"error: the printed probabilities are $1/\sqrt 2$ each and sum to "
            r"$\sqrt 2$.",
            _LEANING,
            says=r"$P \leftarrow \frac{P}{\|P\|_2}$",
        ),
        "every round": Printed(
            "something_seen",
            "missing hypothesis",
            "The errors are measured on the sampled columns alone, so they can vanish "
            "on all rows outside $R$ although $K$ is far from known. For $K = "
            r"\operatorname{diag}(3, 2, 1)$, $R = \{1, 2\}$ and $k' = 1$ this is so, "
            r"and the quotient is $0/0$. A uniform draw from the columns that are left "
            "is the natural way out.",
            _DIAGONAL,
            says=r"$P \leftarrow \frac{P}{\|P\|_2}$ … return $P$",
        ),
        "all columns": Printed(
            "rows_seen == n - columns_so_far",
            "missing hypothesis",
            "True for every column outside $R$ whose row of $C'$ does not lie in the "
            "span of the $k'$ leading eigenvectors of $W$, so in general position; "
            "only that condition is missing. A row of zeros lies there. For $K = "
            r"\operatorname{diag}(3, 2, 1)$, $R = \{1, 2\}$ and $k' = 1$ the third "
            "column has error zero, and so has the first.",
            _DIAGONAL,
            says="One artifact of using a $k'$ smaller than the rank of $C'$ is that "
            "all the columns of $K$ will have a non-zero probability of being selected",
        ),
    },
)
