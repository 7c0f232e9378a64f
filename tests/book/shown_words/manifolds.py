"""Manifolds: what shows its words that compare."""

import warnings
from inspect import signature

import numpy as np
from words_shown import explained, found, never, ran, shown, typed

from nystheory import datasets, manifold
from nystheory.chapters.fixed_sampling import tables
from nystheory.chapters.manifolds import experiments, figures, findings, measures
from nystheory.engine.findings.experiments import Sweep
from nystheory.manifold import NegativeEigenvalues

CHAPTER = "manifolds"

# ---- Around a hole


def on_circle(count=12):
    angle = 2 * np.pi * np.arange(count) / count
    return np.column_stack([np.cos(angle), np.sin(angle)])


def around_less_across():
    """The walks around a circle, beyond the nearest, less the distances across."""
    X = on_circle()
    walks = manifold.neighbours(X, 2).graph().geodesics(range(len(X)))
    across = np.linalg.norm(X[:, None] - X, axis=2)
    beyond = across > 1.5 * across[0, 1]
    return (walks - across)[beyond].min()


def is_refused(asked):
    try:
        manifold.Isomap(asked, n_neighbors=2).fit(on_circle())
    except ValueError:
        return True
    return False


def above_zero_less_refused():
    """Eigenvalues for a circle, less the fewest coordinates that are refused."""
    X = on_circle()
    D = manifold.neighbours(X, 2).graph().geodesics(range(len(X)), dtype=float) ** 2
    with warnings.catch_warnings(action="ignore", category=NegativeEigenvalues):
        refused = next(asked for asked in range(1, len(X)) if is_refused(asked))
    return above_zero(D) * len(X) - refused


def above_zero(D):
    """The share of eigenvalues above zero, for squared distances."""
    H = np.eye(len(D)) - 1 / len(D)
    return (np.linalg.eigvalsh(-H @ D @ H / 2) > 1e-6).mean()


# ---- Edges of rolls


def edges(noise, neighbours):
    """The lengths of wrong edges, those of edges to all neighbours, and the limit."""
    data = datasets.swiss_roll(1500, np.random.default_rng(0), noise=noise)
    lengths = manifold.neighbours(data.X, neighbours).distances
    ends = data.X[figures.between_windings(data, neighbours)]
    wrong = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
    return wrong, lengths, np.quantile(lengths, measures.QUANTILE)


QUIET, NOISY, NOISIEST = (edges(noise, 20) for noise in (0.0, 0.6, 1.0))


def shortest_wrong():
    """Beyond the limit, on the two rolls of the page."""
    return min(wrong.min() - limit for wrong, _, limit in (QUIET, NOISY))


def longer_where_found():
    """Wrong edges are longer than most where they are found, else they need not be."""
    wrong, lengths, limit = NOISIEST
    kept = wrong[wrong <= limit].min() - np.median(lengths)
    left_out = min(
        wrong[wrong > limit].min() - np.median(lengths)
        for wrong, lengths, limit in (QUIET, NOISY, NOISIEST)
    )
    return min(left_out, -kept)


# ---- What experiments measured

PIECES, BRIDGES = found(f"{CHAPTER}:pieces"), found(f"{CHAPTER}:bridges")
CENTRING, JUDGES = found(f"{CHAPTER}:centring"), found(f"{CHAPTER}:judges")
(HEADS,) = typed(CHAPTER, r"seen = experiments\.heads\((\d+)\)")
(SIZE, KEPT) = typed(CHAPTER, r"size, dimensions, draws = (\d+), (\d+), \d+")


def with_too_few():
    """The points that one neighbour joins, less all of them."""
    return max(
        PIECES.measured("joined", "free", data)[:, 0].max() - 100
        for data in PIECES.draws
    )


def loses_less(data):
    """The loss by the Nyström method less that by Column-sampling."""
    ways = (CENTRING.measured("lost", way, data) for way in ("nystrom", "doubly"))
    return np.subtract(*ways).mean(axis=0)


def changes_sides():
    """Of the fewest coordinates times that of the most: below zero."""
    return max(loses_less(data)[0] * loses_less(data)[-1] for data in CENTRING.draws)


def gained_by_five():
    """Of principal components, on sets without noise."""
    quiet = set(JUDGES.draws) - {"noise in the pixels"}
    return max(
        (
            JUDGES.measured("error", "components", data)
            - JUDGES.measured("error_5", "components", data)
        ).mean()
        for data in quiet
    )


def largest(experiment):
    return max(data.size for data in experiment.data.values())


# ---- Half of the landmarks


def of_heads(drawn=400):
    """The same share, of landmarks among heads."""
    seen = measures.heads(drawn, np.random.default_rng(0))
    return above_zero(seen.graph.geodesics(seen.own, dtype=float)[seen.own] ** 2)


def half_of_landmarks():
    coordinates, landmarks = typed(
        CHAPTER, r"n, k, columns = len\(seen\.X\), (\d+), (\d+)"
    )
    share = coordinates / landmarks
    assert share < of_heads() < 1.3 * share
    return share


def held_out():
    """The share of points, where a call says nothing of it."""
    return signature(manifold.neighbour_error).parameters["test_share"].default


# ---- Distances of kernel matrices

COUNTS = (10, 100)
LEADS = {
    name: [
        gap.estimate
        for gap in experiments.preserved(K, int(KEPT), COUNTS, 4).difference(
            experiments.NYSTROM, experiments.COLUMNS
        )
    ]
    for name, K in experiments.five_matrices(int(SIZE)).items()
}
ALL = np.array(list(LEADS.values()))


def best_less_worse():
    """What is drawn where the Nyström method keeps distances and the other does not."""
    X = np.random.default_rng(0).standard_normal((8, 2))
    kept = (
        manifold.distance_preservation(X @ X.T + np.eye(8), places, X)
        for places in (X, X / 2)
    )
    both = zip((experiments.NYSTROM, experiments.COLUMNS), kept, strict=True)
    sweep = Sweep((1,), {name: np.full((1, 2), value) for name, value in both})
    (gap,) = sweep.difference(experiments.NYSTROM, experiments.COLUMNS)
    return gap.estimate


def thesis_less_ours():
    """Points of the smaller of the sets that the thesis names by their sizes."""
    sizes = (name.partition("-")[2] for name in tables.PRINTED_GAINS)
    return min(1000 * float(size.rstrip("K")) for size in sizes if size) - SIZE


PRINTED = ran(CHAPTER, "def printed_sum", "equal, other =")
SUMS = [
    PRINTED["printed_sum"](PRINTED["equal"], y)
    for y in (PRINTED["eigenvector"](PRINTED["equal"]), PRINTED["other"])
]

shown(
    CHAPTER,
    {
        "walks around a hole are [longer] than distances in a plane": (
            around_less_across()
        ),
        "the wrong edges are among the [longest]": shortest_wrong(),
        "Hold out [half] of the points": held_out(),
        "Too few, and the graph [falls] apart": with_too_few(),
        "only while they are [longer] than most of the others": longer_where_found(),
        "[Fewer] eigenvalues than coordinates": above_zero_less_refused(),
        "The vector $(5, 3, -3, -5)$ meets the constraints, and its printed sum is "
        "[smaller] than that of the eigenvector": (
            SUMS[1] - SUMS[0]
        ),
        "Which of the two [loses] less of the distances depends": changes_sides(),
        "[Half] as many coordinates as landmarks are thus nearly all that the Nyström "
        "method has": half_of_landmarks(),
        "On [smaller] sets without noise they [hurt] principal components, too": (
            largest(findings.JUDGES) - HEADS,
            gained_by_five(),
        ),
        "neither [wins] on all matrices": never(max(ALL.min(), (-ALL).min())),
        "Its matrices are [larger], and its $k$ is [ten times] ours": (
            thesis_less_ours(),
            typed(CHAPTER, r"The thesis has \$k = (\d+)\$")[0] / KEPT,
        ),
        "The differences [shrink] there as columns are added": (
            np.abs(ALL[:, -1]) - np.abs(ALL[:, 0])
        ).max(),
        "columns and [fewer] points": largest(findings.NUMBERS) - SIZE,
        "Above zero Nyström is [better]": best_less_worse(),
    },
)

explained(CHAPTER, {"We confirm [half] of this": "of what a sentence says"})
