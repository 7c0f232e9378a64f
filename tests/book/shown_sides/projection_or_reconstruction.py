"""Projection or reconstruction: what shows words that could be exchanged."""

import numpy as np
import scipy.linalg
from sides_shown import sides
from words_shown import ran, typed

from nystheory import kernels, lowrank
from nystheory.chapters.projection_or_reconstruction import experiments

CHAPTER = "projection_or_reconstruction"
RNG = np.random.default_rng(0)
NAMES = {"Nyström": lowrank.nystrom, "Column-sampling": lowrank.column_sampling}


def gram(rank, n):
    X = RNG.standard_normal((rank, n))
    return X.T @ X


# ---- One row

ROW = experiments.one_row()
OFF = {name: np.linalg.norm(ROW.row - row) for name, row in ROW.rebuilt.items()}


def closer(left, right):
    """In the projection, and in the reconstruction."""
    if left == right:
        return False
    return all(
        OFF[f"{near} {way}"] < OFF[f"{far} {way}"]
        for near, far, way in (
            (left, right, "projection"),
            (right, left, "reconstruction"),
        )
    )


# ---- Two things to do with singular vectors


def read(projection, reconstruction):
    """The entries that each asks for, of 30 points and with 4 columns."""
    K = kernels.rbf(np.linspace(0, 3, 30)[:, None], 1.0)
    sizes = {"$n^2$": K.n**2, "$n l$": K.n * 4}
    made = lowrank.nystrom(K, range(4))
    of_columns = K.entries_asked
    made.spectral_reconstruction()
    if K.entries_asked != of_columns or of_columns != sizes[reconstruction]:
        return False
    made.matrix_projection(K)
    return K.entries_asked - of_columns == sizes[projection]


def is_symmetric(word):
    K = gram(3, 6)
    projected = lowrank.nystrom(K, [0, 1]).matrix_projection(K)
    return np.allclose(projected, projected.T) == (word == "symmetric")


def without_factor():
    """Which formulas of the table are right without their factor."""
    K, S = gram(5, 6), [0, 1, 2]
    C, W = K[:, S], K[np.ix_(S, S)]
    inverse = np.linalg.pinv
    formulas = {
        ("Nyström", "projection"): C @ inverse(W @ W) @ C.T @ K,
        ("Nyström", "reconstruction"): C @ inverse(W) @ C.T,
        ("Column-sampling", "projection"): C @ inverse(C.T @ C) @ C.T @ K,
        ("Column-sampling", "reconstruction"): (
            C @ inverse(scipy.linalg.sqrtm(C.T @ C)) @ C.T
        ),
    }
    for (name, way), formula in formulas.items():
        made = NAMES[name](K, S)
        whole = {
            "projection": made.matrix_projection(K),
            "reconstruction": made.spectral_reconstruction(),
        }[way]
        yield (name, way), np.allclose(formula, whole)


WITHOUT = dict(without_factor())


def needs_a_factor(projection, reconstruction):
    asked = [(projection, "projection"), (reconstruction, "reconstruction")]
    others = [({*NAMES} - {name}).pop() for name, _ in asked]
    return all(not WITHOUT[x] for x in asked) and all(
        WITHOUT[other, way] for other, (_, way) in zip(others, asked, strict=True)
    )


# ---- Projections


def condition(word):
    W = np.diag([1.0, 0.1, 1e-3])
    within = np.linalg.cond(np.linalg.inv(W @ W))
    power = {"squared": 2, "by its root": 1 / 2, "as it is": 1}[word]
    return np.isclose(within, np.linalg.cond(W) ** power)


def best_with(word):
    """Column-sampling with all directions of the columns, and with one fewer."""
    K = gram(4, 6)
    C = K[:, [0, 1, 2]]
    best = C @ np.linalg.pinv(C) @ K
    made = {k: lowrank.column_sampling(K, [0, 1, 2], k) for k in (2, 3)}
    told = {k: np.allclose(made[k].matrix_projection(K), best) for k in made}
    return {r"\ge": told[3], "<": told[2]}[word]


def blocks(nystrom, columns):
    """Which of two orthogonal blocks is followed, with a large last entry."""
    K = np.zeros((4, 4))
    K[:2, :2], K[2:, 2:] = [[3, 3], [3, 9]], [[2, 4], [4, 8]]
    places = {"first": slice(0, 2), "second": slice(2, 4)}
    for name, word in (("Nyström", nystrom), ("Column-sampling", columns)):
        (vector,) = NAMES[name](K, [0, 2], 1).eigenvectors.T
        if np.linalg.norm(vector[places[word]]) < 0.99 * np.linalg.norm(vector):
            return False
    return True


def directions(core, columns):
    """The leading ones, of the two diagonal matrices that the page prints."""
    numbers = typed(
        CHAPTER,
        r"core \$W = \\operatorname\{diag\}\((\d+), (\d+)\)\$ has its leading direction"
        r"(?s:.*?)C = \\operatorname\{diag\}\((\d+), (\d+)\)",
    )
    places = {"first": 0, "second": 1}
    return (
        np.argmax(numbers[:2]) == places[core]
        and np.argmax(numbers[2:]) == places[columns]
    )


# ---- Reconstructions

SMALL = np.array([[2.0, 1.0], [1.0, 1.0]])


def exact_in(row, other):
    """The entries of the first column and row that come back, and what is symmetric."""
    made = lowrank.nystrom(SMALL, [0]).spectral_reconstruction()
    projected = lowrank.column_sampling(SMALL, [0]).matrix_projection(SMALL)
    assert np.allclose(made[:, 0], SMALL[:, 0])
    assert np.allclose(projected[:, 0], SMALL[:, 0])
    rows = {"*and* row": True, "only": False}
    return np.allclose(made[0], SMALL[0]) == rows[row] and (
        np.allclose(projected, projected.T) == (other == "symmetric")
    )


def missing(block, complement):
    """Of the identity matrix and one landmark."""
    made = lowrank.nystrom(np.eye(2), [0]).spectral_reconstruction()
    return (made[1, 1], 1 - made[1, 1]) == (int(block[1]), int(complement[1]))


def core_beside(word):
    """The best core less that of Nyström, in the directions of the sample."""
    told = []
    for _ in range(5):
        X = RNG.standard_normal((4, 6))
        U = np.linalg.svd(X[:, :2], full_matrices=False)[0]
        G = X @ X.T
        inner = np.linalg.inv(U.T @ G @ U)
        best = inner @ U.T @ G @ G @ U @ inner
        told.append(np.linalg.eigvalsh(best - np.eye(2)).min() > -1e-9)
    return {"above": all(told), "below": not any(told)}[word]


def numbers_of_one():
    """The best number, and those of the two methods, for one landmark."""
    c = SMALL[:, 0]
    A = np.outer(c, c) / 2
    best = np.sum(A * SMALL) / np.sum(A * A)
    columns = lowrank.column_sampling(SMALL, [0]).spectral_reconstruction()
    return best, 1.0, columns[0, 0] / A[0, 0]


def beside_the_best(nystrom, columns):
    best, own, other = numbers_of_one()
    return (own < best) == (nystrom == "left") and (other > best) == (
        columns == "right"
    )


def above_nystrom(word):
    best, own, _ = numbers_of_one()
    return {"above": best > own, "below": best < own}[word]


def accuracy(l, k, n=400):  # noqa: E741
    """Of Column-sampling on the identity."""
    s = np.sqrt(n / l)
    return np.sqrt((n - k) / (n - k + k * (s - 1) ** 2))


def costs_much(word):
    told = {"small": accuracy(4, 4), "large": accuracy(300, 300)}
    return told[word] == min(told.values())


def on_the_identity():
    made = lowrank.column_sampling(np.eye(40), range(10), 10)
    return made.relative_accuracy(np.eye(40))


assert np.isclose(on_the_identity(), accuracy(10, 10, 40))


def farthest(word):
    """What a pivoted QR takes in each step."""
    X = RNG.standard_normal((4, 9)) * np.arange(1, 10)
    order = scipy.linalg.qr(X, pivoting=True)[2]
    told = []
    for k in range(1, 4):
        Q = np.linalg.qr(X[:, order[:k]])[0]
        away = np.linalg.norm(X - Q @ (Q.T @ X), axis=0)
        rest = [j for j in range(9) if j not in order[:k]]
        pick = {"farthest from": max, "nearest to": min}[word](away[rest])
        told.append(np.isclose(away[order[k]], pick))
    return all(told)


def far_from_optimal(word):
    """The factor over the best reconstruction, for a short and for a long landmark."""
    told = {
        name: experiments.over_optimal(np.array([[a, 1.0], [1.0, 1 + 1 / a]]), [0])
        for name, a in (("short", 0.1), ("long", 10.0))
    }
    return told[word] > 1.1


def rows_of(word):
    """Which rows of the cell are the projection that keeps the sampled columns."""
    hand = ran(CHAPTER, "by_hand =")
    C, S, shown = hand["C"], hand["S"], np.vstack(hand["by_hand"][:2])
    some = {"first": shown[:3], "last": shown[3:]}[word]
    return np.allclose(some[:, S], C)


def score(word):
    """A leverage score beside the quotients of directions."""
    X = RNG.standard_normal((3, 8))
    h = X[:, 0] @ np.linalg.solve(X @ X.T, X[:, 0])
    V = RNG.standard_normal((3, 500))
    told = (V.T @ X[:, 0]) ** 2 / ((V.T @ X) ** 2).sum(axis=1)
    return {"largest": h > told.max(), "smallest": h < told.min()}[word]


def needed(word):
    """The scores of a point that is alone in a direction, and of one that is not."""
    X = np.array([[1.0, 2, 3, 0], [0, 0, 0, 1]])
    scores = np.diag(X.T @ np.linalg.inv(X @ X.T) @ X)
    told = np.isclose(scores, 1)
    alone = np.array([False, False, False, True])
    return (told == {"not in": alone, "in": ~alone}[word]).all()


def of_repeated(word):
    """Vectors whose singular value is zero, where a landmark comes twice."""
    K = kernels.rbf(np.linspace(0, 3, 30)[:, None], 1.0)
    count = lowrank.column_sampling(K, [0, 0, 15]).eigenvectors.shape[1]
    return count == {"left out": 2, "kept": 3}[word]


def rows_of_nystrom(word):
    """Which rows of the cell are the projection of the package by Nyström."""
    hand = ran(CHAPTER, "by_hand =")
    shown = np.vstack(hand["by_hand"][:2])
    made = lowrank.nystrom(hand["K"], hand["S"]).matrix_projection(hand["K"])
    return np.allclose({"first": shown[:3], "last": shown[3:]}[word], made)


def terms(orthogonal, combined):
    """Of the error of a projection, beside the range of the columns."""
    K = gram(5, 6)
    Q = np.linalg.qr(K[:, :2])[0]
    R = np.diag([0.3, 2.0])
    told = {
        "first": K - Q @ Q.T @ K,
        "second": Q @ (np.eye(2) - R) @ Q.T @ K,
    }
    return np.allclose(Q.T @ told[orthogonal], 0) and np.allclose(
        Q @ Q.T @ told[combined], told[combined]
    )


def ones(word):
    """Where the R of Column-sampling has ones, in the order of the singular values."""
    K, S = gram(5, 6), [0, 1, 2]
    U = np.linalg.svd(K[:, S], full_matrices=False)[0]
    V = lowrank.column_sampling(K, S, 2).eigenvectors
    places = {"first": [1, 1, 0], "last": [0, 1, 1]}[word]
    return np.allclose(U.T @ V @ V.T @ U, np.diag(places))



def of_identity(method, k=10):
    """What a method makes of forty axes and ten landmarks."""
    diagonal = np.diag(method(np.eye(40), range(10), k).spectral_reconstruction())
    return diagonal[diagonal > 1e-9]


def scaled_values(columns, orthonormal):
    """The entries that are not zero, of both reconstructions."""
    size = {r"\sqrt{n/l}": 2.0, "n/l": 4.0}
    return np.allclose(of_identity(lowrank.column_sampling), size[columns]) and (
        np.allclose(of_identity(lowrank.orthonormal_nystrom), size[orthonormal])
    )


def count_of_entries(letter):
    return len(of_identity(lowrank.nystrom, 4)) == {"k": 4, "l": 10}[letter]


def left_by_nystrom(formula):
    error = lowrank.nystrom(np.eye(40), range(10), 4).error(np.eye(40), "frobenius")
    return np.isclose(error, {r"\sqrt{n - k}": 6.0, "n - k": 36.0}[formula])


def of_scaling(sign):
    """The accuracy of Column-sampling, by the formula with s = 2."""
    squares = 36 + float(sign + "1") * 4 * (2 - 1) ** 2
    made = lowrank.column_sampling(np.eye(40), range(10), 4)
    return np.isclose(made.relative_accuracy(np.eye(40)), np.sqrt(36 / squares))
# ---- Parts that come back


def keeps_a_part(word):
    """Whether each of the two formulas, with or without a factor, keeps columns."""
    K, S = gram(5, 6), [0, 1, 2]
    told = []
    for (name, way), without in WITHOUT.items():
        made = NAMES[name](K, S)
        whole = {
            "projection": lambda made=made: made.matrix_projection(K),
            "reconstruction": made.spectral_reconstruction,
        }[way]()
        if without == (word == "without"):
            told.append(np.allclose(whole[:, S], K[:, S]))
    return len(told) == 2 and all(told)


COLUMNS = gram(5, 6)[:, [0, 1, 2]]
U_C, S_C, V_C = np.linalg.svd(COLUMNS, full_matrices=False)
INVERSE = np.linalg.inv(scipy.linalg.sqrtm(COLUMNS.T @ COLUMNS).real)


def projects_well(word):
    """The projection of Nyström, of fewer directions than W has, and of more."""
    K = kernels.rbf(np.linspace(0, 3, 60)[:, None], 1.0).dense()
    S = range(0, 60, 2)
    C, W = K[:, S], K[np.ix_(S, S)]
    values, V = (x[..., ::-1] for x in np.linalg.eigh(W))
    rank = np.linalg.matrix_rank(W)
    k = {"below": rank // 2, "above": 29}[word]
    half = C @ (V[:, :k] / values[:k])
    off = np.linalg.norm(K - len(S) / 60 * half @ (half.T @ K)) / np.linalg.norm(K)
    return rank < 20 and off < 0.1


DISTINCT = kernels.rbf(np.arange(8.0)[:, None], 1.0).dense()


def reads_all(words):
    K = kernels.rbf(np.linspace(0, 3, 30)[:, None], 1.0)
    made = lowrank.nystrom(K, range(4))
    before = K.entries_asked
    made.matrix_projection(K)
    return (K.entries_asked - before == 30**2) == (words == "all the")


sides(
    CHAPTER,
    {
        "On the left [Column-sampling|Nyström] is closer, on the right "
        "[Nyström|Column-sampling], which": closer,
        "C^\\top K$ | [$n^2$|$n l$] | | spectral reconstruction | $C W_k^+ C^\\top$ | "
        "$\\sqrt{n/l}\\; C \\bigl((C^\\top C)_k^{1/2}\\bigr)^+ C^\\top$ | [$n "
        "l$|$n^2$] |": read,
        "A projection is also [not symmetric|symmetric], so": is_symmetric,
        "condition number of $W$ enters [squared|by its root|as it is]": condition,
        "which is Column-sampling when $k [\\ge|<] \\rho$": best_with,
        "it is the [Nyström|Column-sampling] formula that needs a factor for the "
        "sample size, in a reconstruction it is the [Column-sampling|Nyström] "
        "formula": (
            needs_a_factor
        ),
        "Nyström chooses the [first|second] block, since $3 > 2$; Column-sampling the "
        "[second|first], since": blocks,
        "has its leading direction at the [first|second] landmark, the columns, with "
        "$C^\\top C = \\operatorname{diag}(4, 10)$, at the [second|first], and": (
            directions
        ),
        "exact in the sampled column [*and* row|only], and symmetric. The projection "
        "is exact in the sampled column, and [not symmetric|symmetric].": exact_in,
        "the block is [$0$|$1$] and the Schur complement [$1$|$0$].": missing,
        "its core $I_k$ is never [above|below] $Z^*$": core_beside,
        "how far the optimal $z$ is [above|below] that of Nyström": above_nystrom,
        "is barely above it on the [left|right], Column-sampling at z = {{ "
        "float(z_col):.2f }} is far up on the [right|left]": beside_the_best,
        "for $k = l$ it costs much if $l$ is [small|large]": costs_much,
        "the image that is [farthest from|nearest to] the span": farthest,
        "The landmark is then a [short|long] point": far_from_optimal,
        "The [first|last] three rows are the Column-sampling projection": rows_of,
        "$h_i$ is the [largest|smallest] value of": score,
        "when $x_i$ is [not in|in] the span of the others": needed,
        "vectors whose singular value is zero are [left out|kept].": of_repeated,
        "The [last|first] three rows are the Nyström projection": rows_of_nystrom,
        "The columns of the [first|second] term are orthogonal to those of $U_C$, the "
        "columns of the [second|first] are combinations": terms,
        "with ones in the [first|last] $\\min(k, \\rho)$ places": ones,
        "For Column-sampling they are $s = [\\sqrt{n/l}|n/l]$, and for orthonormal "
        "Nyström $s = [n/l|\\sqrt{n/l}]$": scaled_values,
        "of the reconstruction has $[k|l]$ entries that are not zero": count_of_entries,
        "they are $1$, the error is $[\\sqrt{n - k}|n - k]$, and": left_by_nystrom,
        "is then $\\sqrt{(n - k) / (n - k [+|-] k (s - 1)^2)}$": of_scaling,
        "The method [without|with] the factor reproduces a part of $K$ exactly where": (
            keeps_a_part
        ),
        r"has the pseudo-inverse $V_{C,k} \Sigma_{C,k}^{[-1|-2]} V_{C,k}^\top$": (
            lambda power: np.allclose(INVERSE, V_C.T * S_C ** float(power) @ V_C)
        ),
        r"and $C V_{C,k} = [U_{C,k} \Sigma_{C,k}|U_{C,k}]$": {
            r"U_{C,k} \Sigma_{C,k}": np.allclose(COLUMNS @ V_C.T, U_C * S_C),
            "U_{C,k}": np.allclose(COLUMNS @ V_C.T, U_C),
        },
        "Choose $k$ well [below|above] the numerical rank of $W$": projects_well,
        "For distinct points it has [full|a lower] rank, so": {
            "full": np.linalg.matrix_rank(DISTINCT) == 8,
            "a lower": np.linalg.matrix_rank(DISTINCT) < 8,
        },
        "But it reads [all the|few] entries that we wanted to avoid": reads_all,
    },
)
