"""What docstrings of systems say in words, and whether it is true."""

import math
from unittest import mock

import numpy as np
from words_of_docstrings import ROUNDING, cases, everywhere, holds, says
from words_of_learners import RIDGE, Y, quietly

from nystheory import learners, lowrank
from nystheory.learners import _system
from nystheory.learners._system import conjugate_gradients

# ---- Systems


def systems():
    """Small ones, and one that rounding does not spoil though its matrix is extreme."""
    yield from ((K, near, RIDGE, Y) for K, near, _ in cases())
    rng = np.random.default_rng(31)
    s = 10.0 ** -rng.uniform(0, 6, 8)
    V = np.linalg.qr(rng.standard_normal((8, 8)))[0]
    K = V * s @ V.T
    K = (K + K.T) / 2 + 1e-12 * np.eye(8)
    near = lowrank.nystrom(K, sorted(rng.choice(8, rng.integers(1, 5), replace=False)))
    ridge = 10.0 ** rng.uniform(-6, 0)
    first, *_, last = np.linalg.eigh(K)[1].T
    yield K, near, ridge, first + 1e-2 * last
    # Two eigenvalues at the ends of the bound.
    K = np.diag([1e4, 1, 1, 1, 1, 1, 1, 1.0])
    yield K, lowrank.nystrom(K, [1]), RIDGE, Y


@says(
    "learners.conjugate_gradients",
    "is [at most] ``[2] ((sqrt(c) - 1) / (sqrt(c) + 1))^t`` times that of x = 0",
    "at least", "1 / 2",
)
@says(
    "learners.conjugate_gradients",
    "and the relative residual [at most] this times the [root] of the condition "
    "number",
    "at least", "fourth root",
)
def steps(word, by):
    front = {"1 / 2": 0.5}.get(by, 2.0)
    power = {"root": 0.5, "fourth root": 0.25}.get(by)
    told = []
    for K, near, ridge, b in systems():
        A, P = K + ridge * np.eye(8), learners.Preconditioner(near, ridge)
        x, root, s = np.linalg.solve(A, b), P.condition(K) ** 0.5, np.linalg.eigvalsh(A)
        for t in (1, 2, 3):
            own = quietly(
                *(conjugate_gradients, K, b, ridge, P), tol=1e-14, max_iterations=t
            ).x
            end = front * ((root - 1) / (root + 1)) ** t
            if power is None:
                off = x - own
                told.append((math.sqrt(off @ A @ off), end * math.sqrt(x @ A @ x)))
            else:
                left = np.linalg.norm(b - A @ own) / np.linalg.norm(b)
                told.append((left, end * (s[-1] / s[0]) ** power))
    return holds(word, *np.array(told).T)


@says(
    "learners.conjugate_gradients",
    "the iteration begins again, [at most] three times",
)
def begins_again(word):
    """Where each run leaves half of the residual."""
    seen = []

    def half(times, r, *_):
        seen.append(1)
        return r / 2, 1, False

    with mock.patch.object(_system, "_run", half):
        quietly(_system.iterated, lambda x: x, Y, None, 1e-9, 100)
    return len(seen) == {"at most": 4, "at least": 5}[word]


@says(
    "learners.Solution",
    "``|b - A x| / |b|``, the [largest] of the q, computed anew from x; [0] for b"
    " = 0",
    "smallest", "1",
)
def relative(word, zero):
    K = cases()[1][0]
    B = np.column_stack([Y, np.arange(8.0)])
    found = quietly(conjugate_gradients, K, B, RIDGE, max_iterations=3)
    left = np.linalg.norm(B - (K + RIDGE * np.eye(8)) @ found.x, axis=0)
    left /= np.linalg.norm(B, axis=0)
    own = {"largest": np.max, "smallest": np.min}[word](left)
    nothing = quietly(conjugate_gradients, K, 0 * Y, RIDGE).residual
    return np.isclose(found.residual, own, rtol=1e-6) and nothing == float(zero)


@says(
    "learners.tolerated_error",
    "``(condition - 1) ridge delta`` for K~ [below] K",
    "above",
)
@says(
    "learners.tolerated_error",
    "else ``([sqrt(condition)] - 1) ridge delta``",
    "condition",
)
def formula_of_error(word):
    below, other = (learners.tolerated_error(0.5, 9.0, below=x) for x in (True, False))
    return {
        "below": np.isclose(below, 8 * 0.5),
        "above": np.isclose(other, 8 * 0.5),
        "sqrt(condition)": np.isclose(other, 2 * 0.5),
        "condition": np.isclose(other, 8 * 0.5),
    }[word]


def of_any(K, near):
    """P of an approximation above or below K, and the system."""
    e = np.linalg.norm(K - near, 2)
    eye = np.eye(len(K))
    A, P = K + RIDGE * eye, near + RIDGE * eye
    return e, A, P, 1 + e / RIDGE


@says(
    "learners.tolerated_error",
    "``K + ridge I`` is [at most] ``K~ + (ridge + e) I``, hence [at most] c P, "
    "and P [as much of] ``K + ridge I``",
    "at least", "at least", "less than",
)
def between(first, second, third):
    some = []
    for K, _, E in cases():
        some += [(K, K - E), (K, K + E / 2), (K - E, K)]
    for K, near in some:
        e, A, P, c = of_any(K, near)
        ends = (
            (first, near + (RIDGE + e) * np.eye(8) - A),
            (second, c * P - A),
            ("at most" if third == "as much of" else "at least", c * A - P),
        )
        for word, M in ends:
            least = np.linalg.eigvalsh(M if word == "at most" else -M)[0]
            if least < -ROUNDING * 10:
                return False
    return True


@says(
    "learners.tolerated_error",
    "[Both] are attained, by diagonal matrices",
    "Neither",
)
def attained(word):
    told = []
    for K, near, below in (
        (np.diag([2.0, 0]), np.diag([0.0, 0]), True),
        (np.diag([1.0, 0]), np.diag([0.0, 1]), False),
    ):
        e, A, P, c = of_any(K, near)
        s = np.linalg.eigvals(np.linalg.solve(P, A)).real
        condition = s.max() / s.min()
        error = learners.tolerated_error(RIDGE, condition, below=below)
        told.append(np.isclose(error, e))
    return all(told) if word == "Both" else not any(told)


@says(
    "learners.tolerated_error",
    "With [less] it is met with probability ``1 - delta`` if the [mean] of ``|K -"
    " K~|_2``",
    "more", "largest",
)
def by_markov(word, take):
    """An error of e times 0 or 2 with the chances 1/2: delta = 1/2 is attained."""
    end = learners.tolerated_error(RIDGE, 3.0)
    mean = learners.tolerated_error(RIDGE, 3.0, delta=0.5)
    errors = np.array([0.0, 2 * mean])
    own = {"mean": np.mean, "largest": np.max}[take](errors)
    met = np.mean(errors <= end) >= 0.5
    return np.isclose(own, mean) and met and (mean < end) == (word == "less")


@says(
    "learners.Preconditioner.condition",
    "lies between ``[min](1, ridge / r)`` and ``[max](1, ridge / r)`` times ``K +"
    " r I``",
    "max", "min",
)
@says(
    "learners.Preconditioner.condition",
    "times ``[max](ridge / r, [r / ridge])`` where",
    "min", "1",
)
def another_ridge(one, other):
    K, near, _ = cases()[2]
    eye, own = np.eye(8), {"min": min, "max": max}
    P = learners.Preconditioner(near, 0.5)
    for ridge in (0.1, 2.0):
        t = ridge / 0.5
        if other in own:
            low, high = own[one](1, t), own[other](1, t)
            A, B = K + ridge * eye, K + 0.5 * eye
            if min(np.linalg.eigvalsh([A - low * B, high * B - A])[:, 0]) < -ROUNDING:
                return False
        else:
            by = own[one](t, 1 / t if other == "r / ridge" else 1.0)
            if not np.isclose(P.condition(K, ridge), by * P.condition(K)):
                return False
    return True


# ---- Landmarks with coefficients


@says(
    "learners.restricted",
    "the least squares fit, the limit for a ridge that [falls] to 0",
    "rises",
)
def limit(word):
    def claim(K, near, E):
        S = near.landmarks
        C = K[:, S]
        fit = C @ np.linalg.lstsq(C, Y, rcond=None)[0]
        gaps = [
            np.linalg.norm(C @ learners.restricted(K, S, Y, r).x - fit)
            for r in (1e-1, 1e-3, 1e-6, 0)
        ]
        falling = gaps[0] > gaps[1] > gaps[2] and gaps[3] < 1e-5
        return falling if word == "falls" else not falling

    return everywhere(claim)


@says(
    "learners.restricted",
    "condition number ``((1 + e) / (1 - e))^[2]`` [at most]",
    "1", "at least",
)
def embedded(power, word):
    """Scaled by 1 + e and 1 - e along two orthogonal directions it is attained."""
    rng, told = np.random.default_rng(0), []
    for e in (0.1, 0.5):
        F = np.linalg.qr(rng.standard_normal((12, 3)))[0]
        for ridge in (1e-9, 1.0):
            for D in (np.diag([1 + e, 1 - e, 1]), np.diag([1 + e / 2, 1, 1 - e])):
                A, P = F.T @ F + ridge * np.eye(3), D @ D + ridge * np.eye(3)
                s = np.linalg.eigvals(np.linalg.solve(P, A)).real
                told.append((s.max() / s.min(), ((1 + e) / (1 - e)) ** int(power)))
    return holds(word, *np.array(told).T)


@says("learners.restricted", "The sketch has [8] signs a column", "4")
def signs(count):
    from nystheory.learners import _restricted

    return int(count) == _restricted.SIGNS


@says(
    "learners.falkon",
    "and D = [n / l] for landmarks without weights of their own",
    "l / n",
)
def scaled_core(words):
    """In the mean over all samples the landmarks then stand for all points."""
    F = np.arange(1.0, 5)[:, None]
    by = {"n / l": 2.0, "l / n": 0.5}[words]
    some = [(i, j) for i in range(4) for j in range(i)]
    return np.isclose(np.mean([by * (F[[*p]] ** 2).sum() for p in some]), (F**2).sum())


@says(
    "learners.falkon",
    "no singular value of ``F (F^T F + ridge I)^-1`` is [above] ``1 / ([2] "
    "sqrt(ridge))``",
    "below", "4",
)
def singular_values(word, by):
    end = 1 / (float(by) * math.sqrt(RIDGE))
    some = [near.factor for _, near, _ in cases()]
    some.append(np.array([[math.sqrt(RIDGE)]]))
    return all(
        holds("at most" if word == "above" else "at least", np.linalg.svd(
            F @ np.linalg.inv(F.T @ F + RIDGE * np.eye(F.shape[1])))[1], end)
        for F in some
    )
