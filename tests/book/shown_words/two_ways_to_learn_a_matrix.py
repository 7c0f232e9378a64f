"""Two ways to learn a matrix: what shows its words that compare."""

import numpy as np
from words_shown import explained, found, more, never, ran, shown
from work_of_boxes import column_sampling, nystrom

from nystheory import lowrank
from nystheory.chapters import theorems
from nystheory.chapters.two_ways_to_learn_a_matrix import experiments, figures, findings

CHAPTER = "two_ways_to_learn_a_matrix"
SPECTRA = found(f"{CHAPTER}:spectra")
FIELDS = {each.name: each for each in findings.FIELDS}

# ---- Shadows

BY_HAND = ran(CHAPTER, "X = np.array([[2.0, 1.5", "P = np.outer")
LENGTHS, OF_SHADOWS = (
    np.linalg.norm(BY_HAND[name], axis=0) for name in ("X", "shadows")
)
assert np.isclose(LENGTHS[0], OF_SHADOWS[0])
LONGER = (OF_SHADOWS - LENGTHS)[1:]

EXAMPLES = [np.random.default_rng(seed).standard_normal((7, 6)) for seed in range(5)]


def beyond(k, l=3):  # noqa: E741
    """How far the approximations exceed: in forms beside the landmarks, and values."""
    forms, values = [], []
    for X in EXAMPLES:
        K = X.T @ X
        made = lowrank.nystrom(K, range(l), k).spectral_reconstruction()
        assert np.linalg.eigvalsh(K - made)[0] > -1e-12
        forms.append(np.linalg.eigvalsh((made - K)[l:, l:])[-1])
        values += [*(np.linalg.eigvalsh(made) - np.linalg.eigvalsh(K))]
        values += [*(made - K).diagonal(), np.trace(made - K)]
    return max(forms), max(values)


def first_value_of_four_points():
    """Along its vector, though the first Nyström value is too large."""
    K = np.array([[4, 2, 0, 2], [2, 2, 1, 3], [0, 1, 1, 2], [2, 3, 2, 5]])
    values, U = np.linalg.eigh(K)
    made = lowrank.nystrom(K, [0, 1], 1)
    assert made.eigenvalues[0] > values[-1]
    assert np.linalg.norm(made.eigenvectors) < 1
    return U[:, -1] @ made.spectral_reconstruction() @ U[:, -1] - values[-1]


def directions_less_rank(k=2):
    """Of equal landmarks, whose shadows fall on all the directions that there are."""
    X = EXAMPLES[0].copy()
    X[:, 1] = X[:, 0]
    made = lowrank.nystrom(X.T @ X, [0, 1], k)
    P = np.outer(X[:, 0], X[:, 0]) / (X[:, 0] @ X[:, 0])
    assert np.allclose(made.spectral_reconstruction(), X.T @ P @ X)
    return made.rank - k


def rank_of_silent_columns():
    """Less the rank that was chosen, where W has none."""
    return max(
        lowrank.nystrom(np.diag([0.0, 0.0] + [1.0] * ones), [0, 1], k).rank - k
        for ones in (1, 2)
        for k in (1, 2)
    )


REPEATED = [0, 0, 1]


def weight_of_the_repeated():
    """In the leading directions of the sample, over that of the same landmark once."""
    X = np.diag([1.0, 1.2])
    K, once = X.T @ X, [0, 1]
    whole = [lowrank.nystrom(K, S).spectral_reconstruction() for S in (REPEATED, once)]
    first = [
        lowrank.nystrom(K, S, 1).spectral_reconstruction() for S in (REPEATED, once)
    ]
    assert np.allclose(*whole) and np.argmax(np.diag(first[0])) == 0
    assert np.argmax(np.diag(first[1])) == 1
    of_both = [X[0, S] @ X[0, S] for S in (REPEATED, once)]
    return of_both[0] / of_both[1]


COPIES = theorems.get("talwalkar2010:eq-2.3").controls[
    "repeated landmarks"
].on.landmarks.tolist()
FEW = ((400, 100, 10), (400, 50, 5), (800, 40, 4))
WORK_LESS = max(nystrom(*x)[1] - column_sampling(*x[:2])[1] for x in FEW)

# ---- Values and vectors in draws


def accuracy_less_one():
    """Of values too large and too small: the smaller stands above, the larger below."""
    pairs = ((8.0, 4.0), (4.0, 8.0), (1.0, 3.0))
    percent = [
        experiments.value_accuracy([value], np.array([true]))[0]
        for value, true in pairs
    ]
    assert np.allclose(percent, [100 * min(x) / max(x) for x in pairs])
    return max(percent) - 100


def lead(method, data):
    """Of Column-sampling, ten vectors at a time."""
    return figures.mean(SPECTRA, FIELDS["all_spans"], "columns", data) - figures.mean(
        SPECTRA, FIELDS["all_spans"], method, data
    )


DECAYING = SPECTRA["shrinks"].finding.on
SHRINKS = max(lead("straight", data) - lead("nystrom", data) for data in DECAYING)


def columns_ahead(field, method, side):
    """By how much where the figure has points on a side of zero, group by group."""
    ahead = []
    for data in SPECTRA.experiment.shown:
        gaps = figures.gaps(SPECTRA, method, field, data)
        means = [
            SPECTRA.measured(field.name, name, data).mean(axis=0)
            for name in ("columns", method)
        ]
        drawn = [gap.estimate * side > 0 for gap in gaps]
        ahead += [*np.subtract(*means)[drawn]]
    assert len(ahead) > 3
    return np.array(ahead)


def third_way_nearer():
    """Its error of values less that of Column-sampling; each value is too small."""
    highest = max(SPECTRA.measured("factor", "last", x).max() for x in SPECTRA.draws)
    assert highest < 1 + 1e-9
    return -more(f"{CHAPTER}:spectra/third values", "last")


shown(
    CHAPTER,
    {
        "read off from it that it never [exceeds] $K$": never(beyond(3)[0]),
        "or of all of them if there are [fewer]": directions_less_rank(),
        "any eigenvalue of $\\tilde K$ [exceeds] that of $K$": never(beyond(2)[1]),
        "is too large, though $\\tilde K$ never [exceeds] $K$": never(
            first_value_of_four_points()
        ),
        "For $k$ well below $l$ Nyström is the [cheaper] one": WORK_LESS,
        "*A landmark comes [twice].*": REPEATED.count(0),
        "the repeated point counts [twice] when the leading directions are chosen": (
            weight_of_the_repeated()
        ),
        "Without the second the rank is [smaller]": rank_of_silent_columns(),
        "Call the [smaller] of a value and its approximation, over the [larger]": (
            accuracy_less_one(),
            -accuracy_less_one(),
        ),
        "The [smaller] of the value and its approximation over the [larger]": (
            accuracy_less_one(),
            -accuracy_less_one(),
        ),
        "*[More accurate] singular values* is right on average": more(
            f"{CHAPTER}:spectra/values", "columns"
        ),
        "*All singular vectors [better] approximated* is right on the digits and the "
        "patches": more(f"{CHAPTER}:spectra/spans", "columns"),
        "The lead [shrinks], ten at a time to": SHRINKS,
        "another takes one landmark [four times]": len(COPIES) / len(set(COPIES)),
        "The *values* of the third way are not [closer] everywhere, since none is too "
        "large": never(third_way_nearer()),
        "A shadow is never [longer] than its point": never(max(LONGER)),
        "the shadow is [shorter] for the other four points": max(LONGER),
        "below zero Column-sampling is [more accurate]": min(
            columns_ahead(findings.VALUES, "nystrom", -1)
        ),
        "Above zero it is [closer] than Column-sampling": max(
            columns_ahead(findings.SPANS, "last", 1)
        ),
    },
)

explained(
    CHAPTER,
    {"they [fall] on the span of": "of shadows: says where they lie"},
)
