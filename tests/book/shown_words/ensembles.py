"""Ensembles: what shows its words that compare."""

import numpy as np
from words_shown import explained, found, more, never, ran, shown, typed

from nystheory import ensemble, lowrank
from nystheory.chapters.ensembles import findings, mixtures

CHAPTER = "ensembles"
EXPERTS, VALIDATION, WORK = (
    found(f"{CHAPTER}:{name}") for name in ("experts", "validation", "work")
)


def errors(of, who, data, field="frobenius"):
    """Mean percent errors, for each number of experts or of columns."""
    return of.measured(field, who, data).mean(axis=0)


# ---- By hand

SMALL = np.minimum.outer(range(1, 6), range(1, 6)).astype(float)


def triangle_of_ones():
    """Columns less rows, where the triangle has an entry."""
    L = np.linalg.cholesky(SMALL)
    rows, columns = np.nonzero(L)
    assert (L[rows, columns] == 1).all() and len(rows) == 15
    return (columns - rows).sum()


BY_HAND = ran(CHAPTER, "small = np.minimum", "true = small[:, 3]")


def lead_of_second():
    """On the fourth column, and on all."""
    each = BY_HAND["errors"], BY_HAND["missed"]
    return min(first - second for first, second, *_ in each)


# ---- Means


def mixed(K, samples):
    """The errors of experts, and that of their mean."""
    experts = ensemble.experts(K, samples)
    mean = ensemble.combine(K, experts, np.random.default_rng(0))
    return [expert.error(K) for expert in experts], mean.error(K)


def in_different_places():
    """The most by which the mean errs above the best of experts who miss others."""
    each = (mixed(np.eye(p), [[r] for r in range(p)]) for p in (2, 3, 5))
    return max(mean - min(alone) for alone, mean in each)


def where_they_agree():
    """Experts that have seen the same direction agree in it, and so does the mean."""
    alone, mean = mixed(np.ones((4, 4)), [[0], [1], [3]])
    assert np.allclose([*alone, mean], 0)
    return in_different_places()


def gained_by_regression():
    """The least, from all columns without a ridge, on any expert or equal weights."""
    gains = []
    for seed in range(5):
        X = np.random.default_rng(seed).standard_normal((6, 6))
        K = X.T @ X
        experts = ensemble.experts(K, [[0, 1], [2, 3], [4, 5]])
        seen = ensemble.validate(K, experts, slice(None))
        fitted, _ = ensemble.choose_weights("optimal", seen)
        rivals = [*np.eye(3), np.full(3, 1 / 3)]
        gains.append(min(map(seen.error, rivals)) - seen.error(fitted))
    return min(gains)


def squares_with_a_ridge():
    """The largest change of the sum of the squared weights from ridge to ridge."""
    rng, changes = np.random.default_rng(0), []
    for seen, samples in ((2, [[0, 1], [0]]), (6, [[0, 1], [2, 3], [4, 5]])):
        X = rng.standard_normal((6, seen))
        experts = ensemble.experts(X.T @ X, samples)
        equations = ensemble.validate(X.T @ X, experts, slice(None)).normal_equations
        weights = [ensemble.ridge_weights(*equations, 10.0**k) for k in range(-3, 4)]
        changes += list(np.diff([x @ x for x in weights]))
    return max(changes)


def gained_on_mean():
    """The least that equal weights gain, on all data, in any draw."""
    return min(
        (
            EXPERTS.measured("frobenius", "mean", data)
            - EXPERTS.measured("frobenius", "uniform", data)
        ).min()
        for data in EXPERTS.draws
    )


# ---- Experiments


def of_the_same_points(**kernel):
    """The mean entry of a kernel matrix of digits."""
    return mixtures.digits(100, np.random.default_rng(0), **kernel).K.dense().mean()


def narrower():
    (factor,) = {
        data.draw.keywords["narrower"]
        for name, data in EXPERTS.experiment.beyond.items()
        if "narrow" in name
    }
    return of_the_same_points(narrower=factor) - of_the_same_points()


def above(of, who, other, data, some=slice(None)):
    """The largest excess of an error over another one."""
    excess = [(errors(of, who, x) / errors(of, other, x) - 1)[some] for x in data]
    return max(map(max, excess))


def gained(who, on):
    """By two experts, on the documents."""
    at_two = (errors(EXPERTS, x, "documents, linear")[0] for x in (on, who))
    return np.subtract(*at_two)


def gained_by_scale():
    """Beyond half of what either regression gains on equal weights; the least."""
    equal, scaled, *fitted = (
        errors(EXPERTS, who, "documents, linear")
        for who in ("uniform", "scaled", "ridge", "optimal")
    )
    gains = [equal - x for x in fitted]
    assert min(map(min, gains)) > 0
    return min((equal - scaled - gain / 2).min() for gain in gains)


def of_all_columns():
    (share,) = {
        mixtures.SIZES[-1] / each.size for each in VALIDATION.experiment.data.values()
    }
    return share


def points_in_race():
    (thousands,) = typed(CHAPTER, r"patches_kernel\((\d+)_000, gamma")
    return 1000 * thousands


def below_the_rank():
    """Where an expert of that rank is missing, the bound from below fails."""
    zero = lowrank.nystrom(np.diag([1.0, 0.0]), [1], rank=1)
    (made,) = ensemble.experts(np.diag([1.0, 0.0]), [[1]], rank=1)
    assert made.rank == zero.rank
    return zero.rank - zero.rank_requested


shown(
    CHAPTER,
    {
        "Its points are the rows of a [lower] triangle of ones": triangle_of_ones(),
        "Where they err in different places the errors [shrink]": where_they_agree(),
        "Without a ridge and with all columns regression is never [worse] than the "
        "best expert or equal weights": never(gained_by_regression()),
        "The second expert is the [better] one, on this column and on all of them "
        "together": lead_of_second(),
        "the digits with a [narrower] kernel, and more": narrower(),
        "*Equal weights beat the mean expert*: {ref}`talwalkar2010:eq-4.1` promises "
        "that they are never [worse]": never(gained_on_mean()),
        "their error is at most [five percent] above that of the optimal weights": (
            above(EXPERTS, "ridge", "optimal", findings.NOT_PATCHES, slice(2))
        ),
        "in the spectral norm, the best of many experts is [better] than their mean": (
            -more(f"{CHAPTER}:experts/spectral", "best")
        ),
        "there may be many best weights, and a ridge [shrinks] the sum of their "
        "squares": squares_with_a_ridge(),
        "need not sum to one, and this matters: on the documents most of their [gain] "
        "comes from it": gained_by_scale(),
        "experts ridge [gains] {{": gained("ridge", "mean"),
        "on the documents, and equal weights [gain] {{": gained("uniform", "mean"),
        "of what the optimal weights [gain] on equal ones": (
            gained("optimal", "uniform")
        ),
        "At [ten percent] it is, with an error at most [five percent] above that with "
        "a ridge": (
            of_all_columns(),
            above(VALIDATION, "linear", "ridge", VALIDATION.draws, slice(-1, None)),
        ),
        "the same ten experts on [fewer] points": (
            max(each.size for each in WORK.experiment.data.values()) - points_in_race()
        ),
        "The [lower] one needs a condition": below_the_rank(),
    },
)

explained(
    CHAPTER,
    {"core $I$) is [a third] way": "counts ways: no share"},
)
