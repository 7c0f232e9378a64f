"""What docstrings of promises, columns and rates say, and whether it is true."""

import math
from functools import cache

import numpy as np
from words_of_decays import K, X
from words_of_docstrings import NORMS, holds, says

from nystheory import guarantees, kernels, learners, lowrank, sampling
from nystheory.guarantees import _inverse

KNOWN = guarantees.know(K)
Y = np.sin(np.arange(30.0))


@cache
def table(size=6):
    return guarantees.promises(KNOWN, size)


@cache
def demands(share=0.3, norm="spectral"):
    return guarantees.columns(KNOWN, share, norm=norm)


# ---- Rows


@says(
    "guarantees.Guarantees.best",
    "The row with the [smallest] promise in a norm",
    "largest",
)
@says("guarantees.Guarantees.of", "The [best] row of one theorem in a norm", "worst")
@says("guarantees.Guarantees", "By norm, the [best] promise first", "worst")
@says(
    "guarantees.promises",
    "One row for each theorem, norm and scheme, the [best] promise first",
    "worst",
)
def best(word):
    end = min if word in ("smallest", "best") else max
    told = []
    for norm in ("trace", "spectral", "Frobenius", "largest entry"):
        rows = [row for row in table().rows if row.norm == norm]
        shares = [row.share for row in rows]
        told.append(table().best(norm).share == end(shares))
        told.append(shares[0] == end(shares))
        for row in rows:
            own = [r.share for r in rows if r.id == row.id]
            told.append(table().of(row.id, norm).share == end(own))
    return all(told)


@says(
    "guarantees.Guarantee",
    "The error is [at most] this share of the [trace] of K",
    "at least", "spectral",
)
def shares(word, norm):
    """Of the mean over pivots that are drawn in proportion to their residuals."""
    rng, told = np.random.default_rng(0), []
    for size in (4, 6):
        rows = [row for row in table(size).rows if row.scheme == "RPCholesky"]
        drawn = [sampling.rp_cholesky(K, size, rng).factor for _ in range(40)]
        left = np.mean([K.trace() - (F**2).sum() for F in drawn])
        told += [(left, row.share * NORMS[norm](K)) for row in rows]
    return len(told) == 2 and holds(word, *np.array(told).T)


@says("guarantees.Guarantee", "None where it is one on [average]", "most")
def on_average(word):
    """Rows without a probability speak of means, and the others of chances."""
    told = [row for row in table().rows if row.fails is None]
    return bool(told) == (word == "average")


@says(
    "guarantees.Demands.of",
    "The row of one theorem with the [fewest] columns",
    "most",
)
@says(
    "guarantees.Demands",
    "The [fewest] columns first; those that [never] reach the share last",
    "most", "always",
)
@says(
    "guarantees.columns",
    "One row for each theorem and scheme, the [fewest] columns first",
    "most",
)
def fewest(word, last="never"):
    rows = demands().rows
    counts = [row.count for row in rows if row.count is not None]
    ends = [row.count is None for row in rows]
    ordered = counts == sorted(counts, reverse=word == "most")
    told = [demands().of(row.at.id).count for row in rows]
    some = [[r.count or 99 for r in rows if r.at.id == row.at.id] for row in rows]
    end = {"fewest": min, "most": max}[word]
    own = all((a or 99) == end(b) for a, b in zip(told, some, strict=True))
    right = ends == sorted(ends) if last == "never" else ends == sorted(ends)[::-1]
    return ordered and own and right and len(set(counts)) > 1


# ---- How many columns


@says(
    "guarantees.columns",
    "The error is to be [at most] this share of the [trace] of K",
    "at least", "spectral",
)
@says(
    "guarantees.Demands",
    "The error is to be [at most] this share of the [trace] of K",
    "at least", "spectral",
)
@says(
    "guarantees.columns",
    "and with one [less] (one block less) [no] choice does",
    "more", "each",
)
@says(
    "guarantees.Demand",
    "and one [less] (for blocks: one block less) is [not]",
    "more", "surely",
)
def enough(word, other):
    """Each row, asked of the promises for that number and for its neighbours."""
    share = 0.3
    rows = demands(share).rows + demands(share, "trace").rows
    size = share * (np.linalg.norm(K, 2) / K.trace() if other == "spectral" else 1)
    told = []
    for row in rows:
        if row.count is None or "block" in row.at.scheme or not row.falls:
            continue
        sizes = {step: row.count + step for step in (0, -1, 1)}
        at = {t: share_at(row, n) for t, n in sizes.items() if 1 <= n < 30}
        if word in ("at most", "at least"):
            told.append((at[0] <= size) == (word == "at most"))
            continue
        beside = at.get(-1 if word == "less" else 1, math.inf)
        told.append((beside > share) == (other in ("no", "not")))
    return len(told) > 3 and all(told)


@says(
    "guarantees.columns",
    "That no [smaller] number is enough follows where a promise [never] gets "
    "[worse] with more columns",
    "larger", "always", "better",
)
def follows(size, count, grade):
    """Of rows whose shares over all numbers of columns go one way, if there are any."""
    told = []
    for row in demands().rows:
        at = {n: share_at(row, n) for n in range(1, 30)}
        shares = np.array([x for x in at.values() if math.isfinite(x)])
        steps = np.diff(shares)
        worse = steps > 1e-12 if grade == "worse" else steps < -1e-12
        if row.count is None or not (
            ~worse if count == "never" else worse
        ).all():
            continue
        if size == "smaller":
            told.append(all(at[n] > 0.3 for n in range(1, row.count)))
        else:
            told.append(all(at[n] > 0.3 for n in range(row.count + 1, 30)))
    return bool(told) and all(told)


def share_at(row, size):
    """What a claim promises with another number of columns."""
    at = row.at
    return min(
        (r.share for r in table(size).rows if (r.id, r.scheme, r.norm) == (
            at.id, at.scheme, at.norm)),
        default=math.inf,
    )


@says(
    "guarantees.columns",
    "such as ``2^k`` times a tail at k = l [falls] and [rises]",
    "rises", "falls",
)
def bends(first, then):
    s = np.linalg.eigvalsh(np.diag(np.r_[8.0, 1, np.full(10, 0.1)]))[::-1]
    bound = np.array([2.0**k * s[k:].sum() for k in range(11)])
    steps = np.sign(np.diff(bound))
    up = steps.tolist().index(1)
    whole = (steps[:up] < 0).all() and up > 0
    return whole and (first, then) == ("falls", "rises")


@says("guarantees.columns", "So [40] numbers of columns are looked at", "30")
def numbers(count):
    return int(count) == _inverse.GRID


@says(
    "guarantees.required_landmarks",
    "The [smallest] number of columns for which a theorem promises a target",
    "largest",
)
@says(
    "guarantees.Columns",
    "The [smallest] number with which the theorem promises the target",
    "largest",
)
def required(word):
    found = demands().rows[0]
    asked = guarantees.required_landmarks(
        found.at.id, 0.3 * K.trace(), K=KNOWN, claim=found.at.claim
    )
    before = [
        r.share
        for size in range(1, asked.count)
        for r in table(size).rows
        if (r.id, r.claim) == (found.at.id, found.at.claim)
    ]
    return (min(before, default=math.inf) > 0.3) == (word == "smallest")


@says(
    "guarantees.columns_for_change",
    "none of these is [below] the [spectral] norm",
    "above", "trace",
)
def norms(word, norm):
    rng = np.random.default_rng(0)
    some = [A + A.T for A in rng.standard_normal((20, 5, 5))] + [np.diag([1.0, 0, 0])]
    pairs = [(NORMS[name](A), NORMS[norm](A)) for A in some for name in NORMS]
    return holds("at least" if word == "below" else "at most", *np.array(pairs).T)


@says(
    "guarantees.columns_for_change",
    "Predictions are to move by [at most] this",
    "at least",
)
@says(
    "guarantees.columns_for_change",
    "The line of `stability` [grows] with the change of K; the [largest] change "
    "that it allows is found",
    "falls", "smallest",
)
def allowed(word, end=None):
    model = learners.KernelRidge(ridge=3.0, method="exact", predict_with="kernel")
    P = kernels.rbf(X, 0.4)
    bounds = [
        guarantees.stability(model, P, change, Y, point_bound=1.0).bound
        for change in (0.1, 0.5, 1.0, 2.0)
    ]
    rows = guarantees.columns_for_change(model, P, bounds[2], Y, point_bound=1.0)
    # The share of the trace for which columns are asked is that of the change 1.
    right = np.isclose(rows.share, 1.0 / 30, rtol=1e-4)
    up = bool((np.diff(bounds) > 0).all())
    if end is None:
        return right and up == (word == "at most")
    least = guarantees.stability(model, P, 30 * rows.share * 1.01, Y, point_bound=1.0)
    beyond = least.bound > bounds[2]
    return right and up == (word == "grows") and beyond == (end == "largest")


# ---- How far predictions move


@says(
    "guarantees.Stability",
    "[No] prediction at a point x with ``K(x, x) [<=] point_bound`` moves by "
    "[more]",
    "Each", ">=", "less",
)
@says(
    "guarantees.Stability",
    "What the [spectral] norm of ``K' - K``, or of ``K - K~``, is [at most]",
)
def moved(count, side, word=None):
    model = learners.KernelRidge(ridge=1.0, kernel="precomputed", method="exact")
    rng, told = np.random.default_rng(0), []
    for size in (0.02, 0.3):
        A = rng.standard_normal((30, 30))
        other = K + size * A @ A.T / 30
        found = guarantees.stability(model, K, other, Y, point_bound=1.0)
        if word is None:
            near = lowrank.nystrom(K, range(8))
            below = guarantees.stability(model, K, near, Y, point_bound=1.0)
            own = NORMS["spectral"](K - near.spectral_reconstruction())
            told.append(np.isclose(NORMS[count](other - K), found.change))
            told.append(holds(side, own, below.change))
            continue
        a, b = (np.linalg.solve(M + np.eye(30), Y) for M in (K, other))
        # At new points of the same rows: K(x, x) is 1, or far above it.
        rows = K if side == "<=" else 1e4 * K
        off = abs(rows @ a - rows @ b)
        beyond = off > found.bound if word == "more" else off < found.bound
        told.append(not beyond.any() if count == "No" else beyond.all())
    return all(told)


@says(
    "guarantees.Stability",
    "The [largest] target in modulus, [1] for two classes",
    "smallest", "2",
)
def size_of_targets(end, one):
    y = Y + 0.01
    model = learners.KernelRidge(ridge=1.0, kernel="precomputed", method="exact")
    found = guarantees.stability(model, K, 0.1, y, point_bound=1.0)
    machine = learners.KernelSVC(
        kernel="precomputed", method="exact", predict_with="kernel"
    )
    labels = guarantees.stability(machine, K, 0.1, (Y > 0) * 3, point_bound=1.0)
    own = {"largest": np.max, "smallest": np.min}[end](abs(y))
    return np.isclose(found.size, own) and labels.size == float(one)


@says(
    "guarantees.stability",
    "The [largest] K(x, x) of a point x where predictions are made; by default "
    "that of the points of the fit",
)
@says("guarantees.stability", "one whose K(x, x) is [never] above 1", "always")
def bound_of_points(word):
    model = learners.KernelRidge(ridge=1.0, method="exact", kernel="linear")
    P = kernels.linear(X)
    end = {"largest": np.max, "smallest": np.min}.get(word, np.max)(P.diagonal())
    if word in ("never", "always"):
        own = kernels.rbf(X, 0.4)
        model = learners.KernelRidge(ridge=1.0, method="exact", kernel="rbf", gamma=0.4)
        where = guarantees.stability(model, own, 0.1, Y).where
        return (where == "") == (word == "never")
    usual, given = (
        guarantees.stability(model, P, 0.1, Y, **more).bound
        for more in ({}, {"point_bound": float(end)})
    ) if end == P.diagonal().max() else (0.0, 1.0)
    return np.isclose(usual, given)
