"""Part II: adaptive sampling, the columns so far decide where to look next.

Talwalkar 2010, section 4.2.1, figures 4.3 and 4.4.
"""

from __future__ import annotations

import warnings

import numpy as np

from nystheory import sampling
from nystheory.kernels import DenseKernel
from nystheory.theorems import rational
from nystheory.theorems.base import Claim, Control, Hypothesis, Printed, Theorem
from nystheory.theorems.instance import EPS, Instance, truncated_inverse
from nystheory.theorems.quantities import quantity
from nystheory.theorems.routes import condition_of_core, full_rank, nystrom, one

# Squared residuals below this share of all of K are rounding: 1e-13 squared.
VANISHED = 1e-26

# As in `nystheory.verify`: a residual below so many n eps of K may be rounding.
ROUNDING = 1000.0

# --- figure 4.3: adaptive-full ----------------------------------------------------


def _residual(i: Instance) -> np.ndarray:
    """``E = K - U U.T K``, projected twice."""
    Q = _orthonormal(i.C)
    E = i.K - Q @ (Q.T @ i.K)
    return E - Q @ (Q.T @ E)


def _column_residuals(i: Instance) -> np.ndarray:
    """Squared distances of the columns of K from the span of those in R."""
    squares = (_residual(i) ** 2).sum(axis=0)
    squares[squares <= VANISHED * np.sum(i.K**2)] = 0
    squares[i.landmarks] = 0
    return squares


def _orthonormal(C):
    """Gram-Schmidt with pivoting, until nothing is left."""
    rest, basis = np.array(C), []
    start = float((rest**2).sum())
    for _ in range(rest.shape[1]):
        lengths = (rest**2).sum(axis=0)
        if lengths.max() <= 1e-24 * start:
            break
        q = rest[:, lengths.argmax()]
        for earlier in basis:
            q = q - earlier * (earlier @ q)
        q = q / np.linalg.norm(q)
        rest = rest - np.outer(q, q @ rest)
        basis.append(q)
    return np.array(basis).reshape(-1, len(C)).T


def _shares(squares) -> np.ndarray:
    return squares / squares.sum()


def _full(i: Instance) -> np.ndarray | None:
    return sampling.update_probability_full(DenseKernel(i.K), i.landmarks)


def _is_distribution(p, i: Instance) -> bool:
    """Not negative, zero on R, of sum one."""
    proper = p is not None and bool((p >= 0).all() and (p[i.landmarks] == 0).all())
    return proper and abs(float(p.sum()) - 1) < 1e-12


def _spread(i: Instance, squares, condition) -> float:
    """Rounding in a residual shows in the shares as in the residual over the rest."""
    total = float(squares.sum())
    return condition * np.sqrt(np.sum(i.K**2) / total) if total > 0 else np.inf


def _condition_full(i: Instance) -> float:
    return _spread(i, _column_residuals(i), full_rank(i).condition_of_columns)


def _something_left(i: Instance) -> bool:
    return i.norm_K > 0 and i.rank_is_obvious and i.rank_W < i.rank_K


def _stops(i: Instance, _) -> bool | None:
    """Whether the package finds nothing to sample; None where only rounding is left.

    A column that is a combination of the chosen ones inherits their rounding times
    its coefficients, so no fixed floor tells rounding from the rest in every case.
    """
    if _full(i) is None:
        return True
    largest = float(np.linalg.norm(_residual(i), axis=0).max())
    return None if largest <= ROUNDING * i.n * EPS * i.norm_K else False


def _draw(scheme, i: Instance, rng) -> sampling.Landmarks:
    """Landmarks in batches of about a third of l."""
    count = min(i.l, i.n)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sampling.FewerLandmarks)
        return scheme(DenseKernel(i.K), count, rng, batch=-(-count // 3))


def _distinct(indices) -> bool:
    return len(set(indices.tolist())) == len(indices)


def _full_sample(i: Instance, rng) -> bool | None:
    """Different indices; fewer than l only where they determine K."""
    drawn = _draw(sampling.adaptive_full, i, rng).indices
    if not _distinct(drawn) or len(drawn) == i.l:
        return _distinct(drawn)
    stopped = i.but(landmarks=drawn)
    return stopped.rank_W == i.rank_K if stopped.rank_is_clear else None


def _residuals_exactly(i: Instance) -> bool:
    """In fractions: zero on R, and zero everywhere exactly when the ranks agree."""
    K, C = rational.rational(i.K), rational.rational(i.C)
    E = K - C * rational.pseudo_inverse(C) * K
    W = rational.rational(i.W)
    on_R = E.extract(list(range(i.n)), i.landmarks.tolist())
    stops = rational.rank(W) == rational.rank(K)
    return rational.is_zero(on_R) and rational.is_zero(E) == stops


def _two_norm(squares) -> float:
    """The sum of the printed probabilities."""
    return float(squares.sum() / np.linalg.norm(squares))


_NOT_EMPTY = Hypothesis(
    "$1 \\le |R| \\le n$",
    ("n", "l"),
    lambda n, l: 1 <= l,  # noqa: E741
)

ADAPTIVE_FULL = Theorem(
    id="talwalkar2010:alg-4.3",
    part="II",
    kind="algorithm",
    status="misprint",
    title="Adaptive sampling with a full pass",
    number="figure 4.3",
    statement=(
        r"Let $K$ be positive semidefinite, $R$ a non-empty set of columns, "
        r"$C' = K_{:,R}$ and $U$ an orthonormal basis of its range. Let "
        r"$E = K - U U^\top K$ and $p_j = \|E^{(j)}\|_2^2 / \|E\|_F^2$ with the "
        r"columns $E^{(j)}$ of $E$. Then $p$ is a probability distribution, "
        r"$p_j = 0$ for every $j \in R$, and it is defined unless $E = 0$, which "
        r"happens exactly when $\operatorname{rank} K_{R,R} = \operatorname{rank} K$; "
        r"there the algorithm stops. A batch drawn from $p$ without replacement "
        r"extends $R$ by different new columns."
    ),
    hypotheses=(_NOT_EMPTY,),
    claims=(
        Claim(
            "a distribution that is zero on $R$",
            observe=lambda i, _: _is_distribution(_full(i), i),
            applies=_something_left,
        ),
        Claim(
            r"in proportion to $\|E^{(j)}\|_2^2$, computed by Gram-Schmidt",
            observe=lambda i, _: _full(i),
            expected=lambda i, _: _shares(_column_residuals(i)),
            applies=_something_left,
            scale=one,
            condition=_condition_full,
        ),
        Claim(
            r"it stops exactly when $\operatorname{rank} K_{R,R} = "
            r"\operatorname{rank} K$",
            observe=_stops,
            expected=lambda i, _: i.rank_W == i.rank_K,
            applies=lambda i: (
                i.rank_is_obvious and full_rank(i).condition_of_columns < 1e6
            ),
            exact=_residuals_exactly,
        ),
        Claim(
            "a sample in batches has different indices, and fewer than $l$ only "
            "where they determine $K$",
            observe=_full_sample,
            applies=lambda i: i.norm_K > 0 and i.rank_is_obvious,
        ),
    ),
    controls=(
        Control(
            Claim(
                r"in proportion to $\|E^{(j)}\|_2$",
                observe=lambda i, _: _full(i),
                expected=lambda i, _: _shares(np.sqrt(_column_residuals(i))),
                scale=one,
            ),
            Instance(np.diag([3.0, 2, 1]), [0], 1),
        ),
        Control(
            Claim(
                "the rows of $E$ vanish on $R$",
                observe=lambda i, _: np.linalg.norm(_residual(i)[i.landmarks]),
                expected=lambda i, _: 0.0,
            ),
            Instance(np.array([[2.0, 1], [1, 1]]), [0], 1),
        ),
        Control(
            Claim(
                "two draws with replacement are two different columns on average",
                observe=lambda i, _: float((1 - (1 - _full(i)) ** 2).sum()),
                expected=lambda i, _: 2.0,
            ),
            Instance(np.eye(3), [0], 1),
        ),
    ),
    printed=(
        Printed(
            r"$P \leftarrow P / \|P\|_2$",
            "misprint",
            "Numbers that are to be probabilities are divided by their sum, the "
            r"1-norm; the subscript should be 1. For $K = I_3$ and $R = \{1\}$ the "
            r"squared residuals are $(0, 1, 1)$ and the printed probabilities sum to "
            r"$\sqrt 2$. A program that draws in proportion to $P$ never notices.",
            Claim(
                "the printed probabilities sum to one",
                observe=lambda i, _: _two_norm(_column_residuals(i)),
                expected=lambda i, _: 1.0,
            ),
            Instance(np.eye(3), [0], 1),
        ),
        Printed(
            "$P$ is normalised and sampled from in every round",
            "missing hypothesis",
            "When the columns so far span all others there is nothing to sample, and "
            r"the algorithm should stop with fewer than $l$ columns. For $K = "
            r"\mathbf 1 \mathbf 1^\top$ of size 2 and one column all residuals are "
            r"zero and the quotient is $0/0$.",
            Claim(
                "some residual is positive as long as $R$ is not everything",
                observe=lambda i, _: bool(_column_residuals(i).sum() > 0),
            ),
            Instance(np.ones((2, 2)), [0], 1),
        ),
    ),
)


# --- figure 4.4: adaptive-partial -------------------------------------------------


def _row_errors(i: Instance) -> np.ndarray:
    """Squared rows of ``C' - C' W_k'^+ W``, zero on R, by the formula of (2.2)."""
    error = i.C - i.C @ truncated_inverse(i.W, i.k) @ i.W
    squares = (error**2).sum(axis=1)
    squares[i.landmarks] = 0
    squares[squares <= VANISHED * np.sum(i.C**2)] = 0
    return squares


def _partial(i: Instance, rank=None) -> np.ndarray:
    K = DenseKernel(i.K)
    return sampling.update_probability_partial(K, i.landmarks, rank or i.k)


def _uniform_on_others(i: Instance) -> np.ndarray:
    p = np.zeros(i.n)
    p[i.others] = 1 / len(i.others)
    return p


def _nothing_seen(i: Instance) -> bool:
    """Whether all row errors vanish, and surely so, since W is diagonal.

    Otherwise rounding in its eigenvectors can look like an error of a row.
    """
    crossing = i.W - np.diag(np.diag(i.W))
    return not crossing.any() and _row_errors(i).sum() == 0


def _condition_partial(i: Instance) -> float:
    return _spread(i, _row_errors(i), i.condition)


def _partial_sample(i: Instance, rng) -> bool:
    """Different indices, as many as asked for: l of them, and all n."""
    wanted = (i, i.but(landmarks=np.arange(i.n)))
    drawn = [_draw(sampling.adaptive_partial, j, rng).indices for j in wanted]
    return [len(d) for d in drawn] == [i.l, i.n] and all(map(_distinct, drawn))


@quantity("others", "n - |R|", "columns that were not drawn", of_sample=True)
def others(i: Instance) -> int:
    return len(i.others)


_SOME_LEFT = Hypothesis(
    "some column is not in $R$", ("others",), lambda others: others > 0
)
_DIAGONAL = Instance(np.diag([3.0, 2, 1]), [0, 1], 1)
# R = {1, 2}: what k' = 1 leaves of C' is its second column, on which both others lean.
_LEANING = np.array([[2.0, 0, 0, 0], [0, 1, 0.5, 0.5], [0, 0.5, 1, 0], [0, 0.5, 0, 1]])

ADAPTIVE_PARTIAL = Theorem(
    id="talwalkar2010:alg-4.4",
    part="II",
    kind="algorithm",
    status="corrected",
    title="Adaptive sampling from the columns so far",
    number="figure 4.4",
    statement=(
        r"Let $K$ be positive semidefinite, $R$ a set of columns that is neither empty "
        r"nor everything, $C' = K_{:,R}$, $W = K_{R,R}$ and $1 \le k' \le |R|$. Let "
        r"$E = C' - C' W_{k'}^+ W$, the error of the Nyström approximation of rank "
        r"$k'$ on the columns $R$. Put $p_j = 0$ for $j \in R$ and $p_j$ in proportion "
        r"to $\|E_{(j)}\|_2^2$, the squared row, for $j \notin R$; if all of these "
        r"vanish, put $p_j = 1 / (n - |R|)$ for $j \notin R$. Then $p$ is a "
        r"probability distribution for every $K$, and batches drawn from it without "
        r"replacement reach every $l \le n$. For $k' = |R|$ the error $E$ is zero and "
        r"$p$ is uniform on the columns that are left."
    ),
    hypotheses=(_NOT_EMPTY, _SOME_LEFT),
    claims=(
        Claim(
            "a distribution that is zero on $R$, for every $K$ and $k'$",
            observe=lambda i, _: _is_distribution(_partial(i), i),
        ),
        Claim(
            r"in proportion to $\|E_{(j)}\|_2^2$, by the formula",
            observe=lambda i, _: _partial(i),
            expected=lambda i, _: _shares(_row_errors(i)),
            applies=lambda i: _row_errors(i).sum() > 0,
            scale=one,
            condition=_condition_partial,
        ),
        Claim(
            r"for $k' = |R|$ the Nyström approximation is exact on $R$",
            observe=lambda i, _: nystrom(full_rank(i))[:, i.landmarks],
            expected=lambda i, _: i.C,
            condition=condition_of_core,
        ),
        Claim(
            "and the next column is drawn uniformly",
            observe=lambda i, _: _partial(i, rank=i.l),
            expected=lambda i, _: _uniform_on_others(i),
            scale=one,
        ),
        Claim(
            "samples of $l$ and of all $n$ columns in batches have different indices",
            observe=_partial_sample,
        ),
        Claim(
            "where all row errors outside $R$ vanish, the draw is uniform too",
            observe=lambda i, _: _partial(i),
            expected=lambda i, _: _uniform_on_others(i),
            applies=_nothing_seen,
            scale=one,
        ),
    ),
    controls=(
        Control(
            Claim(
                r"in proportion to $\|E_{(j)}\|_2$",
                observe=lambda i, _: _partial(i),
                expected=lambda i, _: _shares(np.sqrt(_row_errors(i))),
                scale=one,
            ),
            Instance.from_points([[2, 0, 0, 0], [0, 1, 2, 1]], [0, 1], 1),
        ),
        Control(
            Claim(
                "the same probabilities as with a full pass",
                observe=lambda i, _: _partial(i),
                expected=lambda i, _: _full(i),
                scale=one,
            ),
            Instance(np.diag([4.0, 3, 2, 1]), [0, 1], 1),
        ),
    ),
    printed=(
        Printed(
            r"$P \leftarrow P / \|P\|_2$",
            "misprint",
            "As in figure 4.3 the subscript should be 1. The counterexample has four "
            "points, the first two drawn, $k' = 1$, and two others with the same row "
            r"error: the printed probabilities are $1/\sqrt 2$ each and sum to "
            r"$\sqrt 2$.",
            Claim(
                "the printed probabilities sum to one",
                observe=lambda i, _: _two_norm(_row_errors(i)),
                expected=lambda i, _: 1.0,
            ),
            Instance(_LEANING, [0, 1], 1),
        ),
        Printed(
            "$P$ is normalised and sampled from in every round",
            "missing hypothesis",
            "The errors are measured on the sampled columns alone, so they can vanish "
            "on all rows outside $R$ although $K$ is far from known. For $K = "
            r"\operatorname{diag}(3, 2, 1)$, $R = \{1, 2\}$ and $k' = 1$ this is so, "
            r"and the quotient is $0/0$. A uniform draw from the columns that are left "
            "is the natural way out.",
            Claim(
                "some row error outside $R$ is positive",
                observe=lambda i, _: bool(_row_errors(i).sum() > 0),
            ),
            _DIAGONAL,
        ),
        Printed(
            "with $k'$ smaller than the rank of $C'$ all the columns of $K$ will have "
            "a non-zero probability of being selected",
            "missing hypothesis",
            "True for every column outside $R$ whose row of $C'$ does not lie in the "
            "span of the $k'$ leading eigenvectors of $W$, so in general position; "
            "only that condition is missing. A row of zeros lies there. For $K = "
            r"\operatorname{diag}(3, 2, 1)$, $R = \{1, 2\}$ and $k' = 1$ the third "
            "column has error zero, and so has the first.",
            Claim(
                "every column outside $R$ has a positive error",
                observe=lambda i, _: bool((_row_errors(i)[i.others] > 0).all()),
            ),
            _DIAGONAL,
        ),
    ),
)
