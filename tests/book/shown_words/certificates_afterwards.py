"""Certificates afterwards: what shows its words that compare."""

import numpy as np
from words_shown import bound, found, never, ran, shown, sides, typed

from nystheory import lowrank, theorems
from nystheory.chapters.certificates_afterwards import measured, rounding
from nystheory.engine.findings.experiments import digits_kernel

CHAPTER = "certificates_afterwards"
EVIDENCE = "modern:log-determinant"
PROCESS = theorems[EVIDENCE].world
SAMPLE = range(0, 60, 4)
K = digits_kernel(60)
NEAR = lowrank.nystrom(K, SAMPLE).spectral_reconstruction()
K = K.dense()


def spectrum(A):
    return np.maximum(np.linalg.eigvalsh(A)[::-1], 0)


def flat():
    """The trace less the norm; over it the trace is the number of directions."""
    each = []
    for directions in (2, 3, 7):
        matrix = np.diag([1.0] + directions * [0.3])
        E = matrix - lowrank.nystrom(matrix, [0]).spectral_reconstruction()
        norm = np.linalg.norm(E, 2)
        assert np.isclose(np.trace(E) / norm, directions)
        each.append(np.trace(E) - norm)
    return min(each)


# ---- Angles


def angle_over_bound(b, a=200.0):
    """Of two points of one length: the angle, over the bound with the plain sine."""
    pair = np.array([[a, b], [b, a]])
    near = lowrank.nystrom(pair, [0]).spectral_reconstruction()
    (exact, seen) = (np.linalg.eigh(each)[1][:, -1] for each in (pair, near))
    apart = np.arccos(min(abs(exact @ seen), 1))
    values = spectrum(near)
    ratio = np.linalg.norm(pair - near, 2) / (values[0] - values[1])
    return apart / np.arcsin(ratio)


TURNED = ran(CHAPTER, "ratio, sine = ")

# ---- Determinants


def changes(noise):
    """Of the log determinant and of a quadratic form, the approximation less K."""
    one, y = np.eye(len(K)), np.arange(len(K)) % 3 - 1.0
    ours, exact = NEAR + noise * one, K + noise * one
    logs = np.subtract(*(np.linalg.slogdet(each)[1] for each in (ours, exact)))
    return logs, np.subtract(*(y @ np.linalg.solve(each, y) for each in (ours, exact)))


LOGS, FORMS = zip(*map(changes, (0.01, 0.1, 1.0)), strict=True)


def in_the_mean(claim, size):
    """What is lost, and the bound, in units of the trace over the noise."""
    case = PROCESS.orthogonal(1, size, size, noise=1, y=[[0], [0], [0]])
    return np.divide(sides(EVIDENCE, claim, case), 2 * float(size))


def at_the_lower_bound():
    """The loss of small errors less that of large ones, which is near the upper one."""
    small, least = in_the_mean("mean, below", 0.001)
    large, most = in_the_mean("mean, above", 100_000.0)
    assert small < 1.01 * least and large > 0.99 * most
    return small - large


MEANS = [
    bound(EVIDENCE, f"mean, {side}", trace_E=1, noise=1) for side in ("below", "above")
]

# ---- Functions

FUNCTIONS = (np.sqrt, np.log1p, lambda t: t / (t + 1))


def rise():
    """The least step; the steps get smaller."""
    t = np.linspace(0, 20, 200)
    steps = [np.diff(f(t)) for f in FUNCTIONS]
    assert max(np.diff(each).max() for each in steps) < 0
    return min(each.min() for each in steps)


def gained_by_truncation(f):
    """Of the trace of a function, in the best case; and what the rest misses."""
    values = spectrum(NEAR)[: len(SAMPLE)]
    whole = f(values).sum()
    cut = max(f(values[:k]).sum() for k in range(1, len(values)))
    return cut - whole, whole - f(spectrum(K)).sum()


CUT, BELOW = np.max([gained_by_truncation(f) for f in FUNCTIONS], axis=0)
KEPT = found(f"{CHAPTER}:functions")
LEFT = KEPT.measured("log", "pivots", "digits").mean(axis=0)
HALF, ALL = KEPT.experiment.settings[1:]
assert (HALF, ALL) == measured.KEPT[1:]


def by_formed_inverse(count):
    """The condition of the core, and the error of the formed inverse."""
    line = rounding.line(20, 0.5).dense()
    stable = rounding.largest_volume(20, 0.5, count)
    made, _ = rounding.inverted_and_solved(line, stable.landmarks)
    assert stable.weight <= 1
    return stable.condition, made - stable.error


FEW, MANY = map(by_formed_inverse, (8, 10))
ROUNDED = np.log(MANY[1] / FEW[1]) / np.log(MANY[0] / FEW[0])

shown(
    CHAPTER,
    {
        "60 uniform columns [twenty times]": typed(CHAPTER, r"n_far, draws=(\d+)\)"),
        "$\\operatorname{tr} E$ [exceeds] $\\|E\\|_2$ by as many times": flat(),
        "and the sine, {{ sine:.3f }}, is [larger]": TURNED["sine"] - TURNED["ratio"],
        "but for small angles the bound of {ref}`modern:error-chain` is [half] as "
        "large": (
            angle_over_bound(199)
        ),
        "Replace $K$ by $\\tilde K$ and two things go wrong: the determinant [falls], "
        "which makes data look likelier, and the quadratic form [rises]": (
            max(LOGS),
            min(FORMS),
        ),
        "on average between one [half] and [one times] $\\operatorname{tr} E / "
        "\\sigma^2$ is lost": MEANS,
        "both of their bounds are approached, the [lower] one for small "
        "and the upper one for large errors": (
            at_the_lower_bound()
        ),
        "three are functions of $K$ that [rise] and flatten": rise(),
        "But truncation never [helps]": never(CUT),
        "$f(\\tilde K)$, without truncation, is the [larger] [lower] bound": (
            -CUT,
            BELOW,
        ),
        "[a fifth] of the columns": 1 / measured.PIVOTS,
        "all eigenvalues of the approximation, a [half] or [a quarter]": (
            tuple(np.divide(measured.KEPT[1::-1], ALL))
        ),
        "and with [half] of the eigenvalues": HALF / ALL,
        "percent: a [lower] bound, but with this ridge": LEFT[-1] - 100,
        "formed inverse [grow] with the condition of $W$": ROUNDED,
        "the bound of one [half].": bound(
            "modern:resolvent", "spectral", norm_E=1, alpha=1
        ),
    },
)
