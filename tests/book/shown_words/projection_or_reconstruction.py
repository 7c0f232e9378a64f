"""Projection or reconstruction: what shows its words that compare."""

import numpy as np
from words_shown import explained, found, more, shown

from nystheory import datasets, kernels, lowrank
from nystheory.chapters.projection_or_reconstruction import (
    experiments,
    figures,
    findings,
)

CHAPTER = "projection_or_reconstruction"
ROW, METHOD = found(f"{CHAPTER}:row"), found(f"{CHAPTER}:methods")
SIZED, RECOVERY = found(f"{CHAPTER}:sizes"), found(f"{CHAPTER}:recovery")
RANKED = found(f"{CHAPTER}:ranks")
SHOWN = list(METHOD.experiment.shown)

# ---- One row

SEEN = experiments.one_row()
OFF = {name: np.linalg.norm(SEEN.row - row) for name, row in SEEN.rebuilt.items()}
PROJECTED, REBUILT = (
    OFF[f"Column-sampling {what}"] - OFF[f"Nyström {what}"]
    for what in ("projection", "reconstruction")
)
# Of other draws: whose error is on the smaller side.
EACH_WINS = min(
    -more(f"{CHAPTER}:row/projected", "column"),
    -more(f"{CHAPTER}:row/rebuilt", "nystrom"),
)
OVERSHOOT = SEEN.rebuilt["Nyström projection"].max() - SEEN.row.max()

# ---- A few columns of a small matrix

X = np.random.default_rng(0).standard_normal((5, 9))
K, S = X.T @ X, [0, 1, 2]
METHODS = {"nystrom": lowrank.nystrom, "orthonormal": lowrank.orthonormal_nystrom}


def misses(name):
    """Where a reconstruction is not exact."""
    error = K - METHODS[name](K, S).spectral_reconstruction()
    return np.abs(error) > 1e-9 * np.abs(K).max()


def height_of_the_missed():
    """Landmarks first, rows and columns that are not exact are below all of theirs."""
    return max(S) - min(np.argwhere(misses("nystrom")).ravel())


# Exact entries of the one less those of the other.
EXACT = np.sum(misses("nystrom")) - np.sum(misses("orthonormal"))


def most_that_fail(n=6):
    """Of the columns of a Gaussian kernel, less all of them."""
    G = kernels.rbf(np.arange(n, dtype=float)[:, None], 0.5).dense()
    errors = [lowrank.nystrom(G, range(count)).error(G) for count in range(1, n + 1)]
    return max(np.flatnonzero(np.array(errors) > 1e-9) + 1) - n


def kept_without_copies():
    """The error of Column-sampling on copies of a block, less that on others."""
    copies = np.kron(np.ones((3, 3)), [[2.0, 1.0], [1.0, 1.0]])
    outer = np.outer([1.0, 2.0], [1.0, 2.0])
    cases = (copies, [0, 1]), (outer, [0])
    on_copies, on_outer = (lowrank.column_sampling(M, S).error(M) for M, S in cases)
    assert on_copies < 1e-9
    return on_copies - on_outer


def chosen_less_drawn():
    """As many images as the rank, less those of which half of the samples do."""
    digits = datasets.digits().X
    exact = RECOVERY.measured("exact", "uniform", "all digits").mean(axis=0)
    enough = np.array(RECOVERY.experiment.settings)[exact >= 50].min() / 100
    return np.linalg.matrix_rank(digits) - enough * len(digits)


# ---- Leads, draw by draw


def lead(field, first, second, data, at=METHOD):
    """By how much one method is ahead of another in the mean, at each setting."""
    ones, others = (at.measured(field.name, x, data) for x in (first, second))
    return ones.mean(axis=0) - others.mean(axis=0)


def drawn_on_the_side(sign, field, second):
    """The lead of the method that the caption names, where the curve is on its side."""
    drawn, true = [], []
    for data in SHOWN:
        drawn += figures.ahead(METHOD, field, "nystrom", second, data)
        true += list(lead(field, "nystrom", second, data))
    signed = [sign * x for line, x in zip(drawn, true, strict=True)
              if sign * line.estimate > 0]
    return min(signed)


def lower_less_upper():
    limits = figures.ahead(METHOD, findings.RECONSTRUCTION, "nystrom", "column",
                           SHOWN[0])
    return max(each.low - each.high for each in limits)


WINS = min(
    lead(findings.RECONSTRUCTION, "nystrom", "column", data).min() for data in SHOWN
)


def deficit_of_larger_samples():
    """What orthonormal vectors lack, less what they lack with as few as the rank."""
    lacks = [lead(findings.PROJECTION, "column", "orthonormal", x) for x in SHOWN]
    return min((each[1:] - each[0]).min() for each in lacks)


def lowest_start():
    starts = sorted(
        lead(findings.RECONSTRUCTION, "nystrom", "column", data, at=RANKED)[0]
        for data in SHOWN
    )
    return starts[0] - starts[1]


# ---- More and more points

SIZES = np.array(SIZED.experiment.settings)


def along_sizes(field, data="patches, linear"):
    return SIZED.measured(field, "nystrom", data).mean(axis=0)


def closer_vectors(k=2, draws=3):
    """How far leading vectors of columns are from those of K, less those of the core.

    On the documents, where the page has its reason from.
    """
    data, apart = METHOD.experiment.shown["documents, linear"], []
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        M = data.draw(data.size, rng)
        landmarks = rng.choice(M.n, M.n // 5, replace=False)
        best = np.linalg.eigh(M.dense())[1][:, -k:]
        far = [
            np.linalg.norm(best - Q @ (Q.T @ best))
            for method in (lowrank.column_sampling, lowrank.orthonormal_nystrom)
            for Q in [np.linalg.qr(method(M, landmarks, k).eigenvectors)[0]]
        ]
        apart.append(far[0] - far[1])
    return np.mean(apart)


FEWER_PERCENT = np.diff(along_sizes("share")).max()
GROWTH = np.diff(along_sizes("needed")).min()

shown(
    CHAPTER,
    {
        "and Nyström [rises] to": OVERSHOOT,
        "Now Nyström comes [closer], and it passes": -REBUILT,
        "which method [wins] at each": EACH_WINS,
        "What it misses of the [lower] right block": height_of_the_missed(),
        "Here choosing images needs [fewer] of them than": chosen_less_drawn(),
        "reaches from its [lower] to its upper limit": lower_less_upper(),
        "Orthonormal vectors make the reconstruction [worse]: they [lose] the exact": (
            more(f"{CHAPTER}:methods/hurts", "orthonormal"),
            EXACT,
        ),
        "recovered exactly from [fewer] columns than there are points": (
            most_that_fail()
        ),
        "The [lower] right block reads": height_of_the_missed(),
        "shows on which matrices it [wins]": WINS,
        "not much else is needed to [lose] it": kept_without_copies(),
        "the leading vectors of $C$ remain [closer] to those of $K$ than those of": (
            closer_vectors()
        ),
        "[Fewer] percent of the columns are needed as $n$ [grows], if the number of "
        "columns [grows] by a factor below two where $n$ [doubles]": (
            FEWER_PERCENT,
            np.diff(SIZES).min(),
            GROWTH,
            (SIZES[1:] / SIZES[:-1]).mean(),
        ),
        "The *number* of columns does [grow]": GROWTH,
        "while $n$ [grows] by a factor": np.diff(SIZES).min(),
        "for [larger] samples a deficit remains": deficit_of_larger_samples(),
        "On the left Column-sampling is [closer], on the right Nyström": max(
            PROJECTED, -REBUILT
        ),
        "Above zero Nyström is [ahead]": drawn_on_the_side(
            1, findings.RECONSTRUCTION, "column"
        ),
        "start near zero, the [lowest] at": lowest_start(),
        "Below zero Column-sampling is [ahead]": drawn_on_the_side(
            -1, findings.PROJECTION, "column"
        ),
    },
)

explained(
    CHAPTER,
    {
        "The second [half] of the theorem": "names a part of a statement",
    },
)
