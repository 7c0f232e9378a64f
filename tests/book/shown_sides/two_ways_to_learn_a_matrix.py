"""Two ways to learn a matrix: what shows words that could be exchanged."""

from itertools import combinations

import numpy as np
from sides_shown import sides

from nystheory import datasets, kernels, lowrank
from nystheory.chapters.two_ways_to_learn_a_matrix import experiments

CHAPTER = "two_ways_to_learn_a_matrix"
RNG = np.random.default_rng(0)


def gram(rank, n):
    X = RNG.standard_normal((rank, n))
    return X.T @ X


K, S = gram(6, 9), [0, 3, 5]
C, W = K[:, S], K[np.ix_(S, S)]
EXACT = np.linalg.eigvalsh(K)[::-1]
NYSTROM, COLUMNS = lowrank.nystrom(K, S), lowrank.column_sampling(K, S)

# ---- What each decomposes


def decomposes(nystrom, columns):
    """Whose singular values each method scales."""
    blocks = {"small block $W$": W, "tall block $C$": C}
    scales = {NYSTROM: 9 / 3, COLUMNS: np.sqrt(9 / 3)}
    return nystrom != columns and all(
        np.allclose(
            made.eigenvalues, scale * np.linalg.svd(blocks[word], compute_uv=False)
        )
        for (made, scale), word in zip(scales.items(), (nystrom, columns), strict=True)
    )


def scaled(formula):
    size = {r"\frac nl": 9 / 3, r"\frac ln": 3 / 9, r"\sqrt{n/l}\,": np.sqrt(9 / 3)}
    return np.allclose(NYSTROM.eigenvalues, size[formula] * np.linalg.eigvalsh(W)[::-1])


def scalars(values, vectors):
    """Those of values and of vectors, which cancel in the product."""
    size = {"$n/l$": 3, "$l/n$": 1 / 3}
    root = {r"$\sqrt{l/n}$": np.sqrt(1 / 3), r"$\sqrt{n/l}$": np.sqrt(3)}
    own, U = np.linalg.eigh(W)
    made = root[vectors] * C @ U / own * np.sqrt(size[values] * own)
    given = NYSTROM.eigenvectors * np.sqrt(NYSTROM.eigenvalues)
    return np.allclose(made @ made.T, given @ given.T) and np.allclose(
        NYSTROM.eigenvalues, size[values] * own[::-1]
    )


# ---- Values


def third_way(word):
    """Its values beside the exact ones."""
    made = lowrank.nystrom(K, S, 2, truncate="approximation")
    off = made.eigenvalues - EXACT[:2]
    return {"too large": (off > 1e-9).any(), "too small": (off < -1e-9).any()}[word]


def on_documents(word, more):
    """Both methods on sparse documents, by values after the first."""
    X = datasets.documents(300, 400, np.random.default_rng(0)).X
    D, some = kernels.linear(X), range(0, 300, 10)
    exact = np.linalg.eigvalsh(D.dense())[::-1][1:30]
    own = {
        "Nyström": lowrank.nystrom(D, some).eigenvalues[1:30],
        "Column-sampling": lowrank.column_sampling(D, some).eigenvalues[1:30],
    }
    signs = {"too large": 1, "too small": -1}
    mean = {name: (values - exact).mean() for name, values in own.items()}
    return all(signs[word] * x > 0 for x in mean.values()) and (
        max(mean, key=lambda name: abs(mean[name])) == more
    )


def sums(trace, squares):
    """The means over all samples, of the sum of the values and of that of squares."""
    told = np.mean(
        [
            (
                lowrank.nystrom(K, some).eigenvalues.sum(),
                (lowrank.column_sampling(K, some).eigenvalues ** 2).sum(),
            )
            for some in map(list, combinations(range(9), 3))
        ],
        axis=0,
    )
    size = {r"\operatorname{tr} K": 1, r"n \operatorname{tr} K": 9}
    size = {name: times * np.trace(K) for name, times in size.items()}
    size |= {"^2$": np.linalg.norm(K) ** 2, "$": np.linalg.norm(K)}
    return np.allclose(told, [size[trace], size[squares]])


def constants(nystrom, which, columns):
    """The worst overshoot of each, by a diagonal matrix of which these are sampled."""
    D = np.diag([5.0, 4.0, 1, 1, 1, 1, 1, 1])
    some = {"largest": [0, 1], "smallest": [6, 7]}[which]
    own = [
        method(D, some).eigenvalues[0] / 5
        for method in (lowrank.nystrom, lowrank.column_sampling)
    ]
    size = {"$n/l$": 8 / 2, r"$\sqrt{n/l}$": np.sqrt(8 / 2)}
    return np.allclose(own, [size[nystrom], size[columns]])


def accuracy(over, under):
    """In the place of which the smaller of two numbers stands, in percent."""
    picks = {"smaller": min, "larger": max}
    told = experiments.value_accuracy(np.array([8.0, 1.0]), np.array([4.0, 2.0]))
    pairs = ((8.0, 4.0), (1.0, 2.0))
    return np.allclose(told, [100 * picks[over](x) / picks[under](x) for x in pairs])


def unit(values, vectors):
    """What becomes of both, if the matrix is multiplied by four."""
    told = []
    for method in (lowrank.nystrom, lowrank.column_sampling):
        before, after = method(K, S), method(4 * K, S)
        ratio = after.eigenvalues / before.eigenvalues
        same = np.abs(after.eigenvectors / before.eigenvectors)
        told += [*ratio, *same.ravel()]
        size = {"multiplied by 4": 4, "divided by 4": 1 / 4}[values]
        times = {"stay": 1, "are halved": 1 / 2}[vectors]
        if not (np.allclose(ratio, size) and np.allclose(same, times)):
            return False
    return True


# ---- Vectors


def first_by_qr(word):
    """Which of the Nyström vectors keeps its direction."""
    made = lowrank.orthonormal_nystrom(K, S).eigenvectors
    own = NYSTROM.eigenvectors
    at = {"largest": 0, "smallest": -1}[word]
    cosine = np.abs(made[:, 0] @ own[:, at]) / np.linalg.norm(own[:, at])
    return np.isclose(cosine, 1)


def tie(best, worst):
    """The trace that is missed, by the sign of the second entry."""
    points = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    both = points.T @ points
    columns = both[:, :2]
    told = [
        4 - np.linalg.norm(columns @ np.array([1, sign]) / np.sqrt(2)) ** 2
        for sign in (1, -1)
    ]
    return np.allclose(told, [int(best), int(worst)])


def off_the_diagonal(word):
    """Whether an entry there, and one on the diagonal, can be exceeded."""
    points = np.array([[1.0, 1, 1], [0, 1, -1]])
    exact = points.T @ points
    made = lowrank.nystrom(exact, [0]).spectral_reconstruction()
    beyond = made > exact + 1e-9
    inside = np.eye(3, dtype=bool)
    spoken = {"the diagonal": inside, "each entry": np.ones((3, 3), bool)}[word]
    return not beyond[spoken].any()


def spreads(word):
    """Whether rows are as strong on the others, point for point, as on the sample."""
    told = []
    for own in (np.eye(2), 2 * np.eye(2)):
        block = np.vstack([np.eye(2), own])
        whole = np.block([[np.eye(2), own.T], [own, own @ own.T + np.eye(2)]])
        vectors = lowrank.nystrom(whole, [0, 1]).eigenvectors
        assert np.allclose(whole[:, :2], block)
        told.append(np.allclose(vectors.T @ vectors, np.eye(2)))
    return told == {"as strong on the other points as": [True, False],
                    "twice as strong on the other points as": [False, True]}[word]


def inverted(before, after):
    """A singular value that is a rounding error, and its inverse."""
    values = np.linalg.svd(
        np.exp(-((np.subtract.outer(*[np.linspace(0, 0.1, 12)] * 2)) ** 2)),
        compute_uv=False,
    )
    sizes = {"small": values[-1] < 1e-12, "large": values[-1] > 1e-12}
    turned = {"large": 1 / values[-1] > 1e12, "small": 1 / values[-1] < 1e12}
    return sizes[before] and turned[after]


def decay(word):
    """Of the singular values of documents, beside those of pictures."""
    values = [
        np.linalg.eigvalsh(kernels.linear(X).dense())[::-1]
        for X in (
            datasets.documents(200, 400, np.random.default_rng(0)).X,
            datasets.digits(200).X,
        )
    ]
    documents, pictures = (x[50] / x[1] for x in values)
    return {"slowly": documents > 3 * pictures, "fast": documents < pictures / 3}[word]



# ---- How long the vectors of Nyström are


def squares_of_columns(formula):
    others = np.delete(C, S, axis=0)
    power = {"W^2": W @ W, "W": W}[formula]
    return np.allclose(C.T @ C, power + others.T @ others)


def lengths_of_vectors(formula):
    own, U = np.linalg.eigh(W)
    within = (U / own).T @ C.T @ C @ (U / own)
    size = {r"\frac ln": 3 / 9, r"\frac nl": 9 / 3}[formula]
    vectors = NYSTROM.eigenvectors
    return np.allclose(
        np.linalg.eigvalsh(vectors.T @ vectors), np.linalg.eigvalsh(size * within)
    )


def within_core(formula):
    own, U = np.linalg.eigh(W)
    power = {r"\Sigma_k^2": 2, r"\Sigma_k": 1}[formula]
    return np.allclose(U.T @ W @ W @ U, np.diag(own**power))


sides(
    CHAPTER,
    {
        "The {term}`Nyström method` decomposes the [small block $W$|tall block $C$] "
        "and extends the result to all rows. {term}`Column-sampling` decomposes the "
        "[tall block $C$|small block $W$],": decomposes,
        "$\\tilde\\Sigma = [\\frac nl|\\frac ln|\\sqrt{n/l}\\,] \\Sigma_{W,k}$, and": (
            scaled
        ),
        "The scalars [$n/l$|$l/n$] and [$\\sqrt{l/n}$|$\\sqrt{n/l}$] compensate": (
            scalars
        ),
        "so it speaks of [the diagonal|each entry] and not of": off_the_diagonal,
        "both methods are [too large|too small], and [Nyström|Column-sampling] more "
        "so": (
            on_documents
        ),
        "whose mean over all samples is $[\\operatorname{tr} K|n \\operatorname{tr} "
        "K]$. So $l$ values share the trace that in truth belongs to $n$. The squares "
        "of the Column-sampling values add up to $\\frac nl \\|C\\|_F^2$, whose mean "
        "is $\\|K\\|_F[^2$|$]. So": sums,
        "and the constant is [$n/l$|$\\sqrt{n/l}$]. It is attained by a diagonal "
        "matrix whose $l$ [largest|smallest] entries were sampled. $C$ is a block, "
        "too, so $\\sigma_j(C) \\le \\sigma_j(K)$, and the constant for "
        "Column-sampling is [$\\sqrt{n/l}$|$n/l$],": constants,
        "The [smaller|larger] of the value and its approximation over the "
        "[larger|smaller], in percent": accuracy,
        "by the master identity no value is [too large|too small]. The": (
            lambda word: not third_way(word)
        ),
        "are not closer everywhere, since none is [too large|too small].": (
            lambda word: not third_way(word)
        ),
        "means Gram-Schmidt, the [largest|smallest] singular value first": first_by_qr,
        "is [as strong on the other points as|twice as strong on the other points as] "
        "on the sample itself": spreads,
        "the approximation and the values are [multiplied by 4|divided by 4], and the "
        "vectors [stay|are halved].": unit,
        "from [1|3] for $v = (1, 1)/\\sqrt 2$ to [3|1] for": tie,
        "a core whose [small|large] singular values are rounding errors, and an "
        "inverse turns them into [large|small] ones": inverted,
        "sparse, and with singular values that decay [slowly|fast]": decay,
        r"so $C^\top C = [W^2|W] + K_{21}^\top K_{21}$, and": squares_of_columns,
        r"Then $\tilde U^\top \tilde U = [\frac ln|\frac nl] \Sigma_k^{-1} U_k^\top "
        r"C^\top C": lengths_of_vectors,
        r"and $U_k^\top W^2 U_k = [\Sigma_k^2|\Sigma_k]$": within_core,
    },
)
