"""Kernel principal components: what shows words that could be exchanged."""

import numpy as np
from sides_shown import sides
from words_shown import typed

from nystheory import kernels
from nystheory.chapters.kernel_principal_components import experiments
from nystheory.engine.findings.experiments import digits_kernel

CHAPTER = "kernel_principal_components"
NEAR = 1e-9
RNG = np.random.default_rng(0)
X = RNG.standard_normal((6, 12)) * np.array([4, 3, 2, 1, 1, 0.5])[:, None]
K = X.T @ X
SIGMA, U = (x[..., ::-1] for x in np.linalg.eigh(K))
COMPONENT = X @ U[:, 0]
OWN = [0, 4, 7]
Q = np.linalg.qr(X[:, OWN])[0]
MADE = X.T @ Q @ Q.T @ X
THEIRS = np.linalg.eigvalsh(MADE)[::-1]


def leading(A, k):
    V = np.linalg.eigh(A)[1][:, -k:]
    return V @ V.T


# ---- Residuals

FOUND = experiments.residuals(digits_kernel(150), 5, [10, 20, 40, 80])
CURVES = {"lower": FOUND.own, "upper": FOUND.true}
LARGEST = np.linalg.svd(X, full_matrices=False)[0][:, 0]
ANY = [x @ X / np.linalg.norm(x) for x in RNG.standard_normal((200, 6))]
ALONG = np.linalg.norm(ANY, axis=1)
H = np.eye(12) - 1 / 12
E = K - MADE
CENTRED = np.trace(E) - np.trace(H @ E @ H)

# ---- How far components turn

A = X @ X.T
P = leading(A, 2)
VALUES = np.linalg.eigvalsh(A)[::-1]


def on_ranges(first, second):
    """The quotients on the range of the projector, and on the rest."""
    rng = np.random.default_rng(2)
    told = []
    for projector in (P, np.eye(6) - P):
        v = projector @ rng.standard_normal((6, 60))
        told.append((v * (A @ v)).sum(axis=0) / (v * v).sum(axis=0))
    holds = {
        "least": lambda x, end: (x >= end - NEAR).all(),
        "most": lambda x, end: (x <= end + NEAR).all(),
    }
    return holds[first](told[0], VALUES[1]) and holds[second](told[1], VALUES[2])


CHANGES = np.linalg.norm(K) ** 2 - np.linalg.norm(MADE) ** 2
FROM_IT = np.linalg.norm(E) ** 2 - CHANGES
TRACE = 2 * np.trace(E @ MADE)


def tilted(tilt):
    """Four points, and their projections on the first: changes, and the turn."""
    points = np.array([[1, 1, -1, -1], [0, tilt, 0, -tilt]])
    flat = points * [[1], [0]]
    kernel = np.linalg.norm(flat.T @ flat - points.T @ points)
    covariance = np.linalg.norm(flat @ flat.T - points @ points.T)
    values, vectors = np.linalg.eigh(points @ points.T)
    first = np.outer(vectors[:, 1], vectors[:, 1])
    turn = np.linalg.norm(first - np.diag([1.0, 0]))
    return kernel, covariance, turn, 2 * kernel / (values[1] - values[0])


POWERS = np.log10(np.divide(tilted(1e-2), tilted(1e-3)))
OF_TILT = {"square": 2, "first power": 1, "root": 1 / 2}
PRINTED = tilted(0.1)[3] - tilted(0.1)[2]


def contains(kernel, covariance):
    told = OF_TILT[kernel], OF_TILT[covariance]
    return np.allclose(POWERS[:2], told, atol=0.02)


APART = np.linalg.norm(np.diag([1, 1, 0, 0]) - np.diag([0, 0, 1, 1])) ** 2


def attained(second):
    """The distance over the bound, for diag(1, 0) and a matrix with these values."""
    other = np.diag([1 / 2, 1 / 2 + 1e-9]) if second == "equal" else np.diag([0, 1.0])
    change = np.linalg.norm(other - np.diag([1.0, 0]))
    turn = np.linalg.norm(leading(other, 1) - np.diag([1.0, 0]))
    return np.isclose(turn, change / (1 / 2), rtol=1e-6)


def holds_without(condition, tries=300):
    """Whether the bound for square roots holds where a condition is not met."""
    rng, ratios, met = np.random.default_rng(3), [], 0
    for _ in range(tries):
        B = rng.standard_normal((4, 4))
        B = B @ B.T
        gap = (np.linalg.eigvalsh(B)[1] - np.linalg.eigvalsh(B)[0]) / 2
        M = rng.standard_normal((4, 4))
        size = 3 * gap if condition == "small change" else gap / 4
        if condition == "simple":
            values, V = np.linalg.eigh(B)
            B = V @ np.diag([values[0], values[-1], values[-1], values[-1]]) @ V.T
            gap = (values[-1] - values[0]) / 2
            size = gap / 4
        M = size * (M + M.T) / np.linalg.norm(M + M.T)
        other = B + M
        if np.linalg.eigvalsh(other)[0] < 0:
            continue
        met += 1
        ratios.append(np.linalg.norm(leading(B, 3) - leading(other, 3)) * gap / size)
    return met > 20 and max(ratios) <= 1 + NEAR


FREE = holds_without("small change"), holds_without("simple")

# ---- The bound from the residual

TURNS = experiments.turns(kernels.linear(X.T), OWN, 2)
FEATURES = Q @ Q.T @ X
V = np.linalg.eigh(FEATURES @ FEATURES.T)[1][:, ::-1][:, :2]
LEFT = np.linalg.norm(A @ V - V * THEIRS[:2])


def divided_by(first, second):
    ends = {
        r"$\sigma_k(K')$": THEIRS[1],
        r"$\sigma_k(K)$": SIGMA[1],
        r"$\sigma_{k+1}(K)$": SIGMA[2],
        r"$\sigma_{k+1}(K')$": THEIRS[2],
    }
    told = np.sqrt(2) * LEFT / (ends[first] - ends[second])
    return np.isclose(TURNS.by_residual[1], told)

SHOWN = -np.diff(typed(CHAPTER, r"A = np\.diag\(\[([\d.]+), ([\d.]+), ([\d.]+)\]\)"))


CENTRED_ERROR = np.linalg.eigvalsh(H @ E @ H)
SUM = E.sum() / 12
# ---- Gaps of means

CLOUD = RNG.standard_normal((4, 200)) + np.array([[20.0], [0], [0], [0]])
OF_MEAN = {"left in": CLOUD, "subtracted": CLOUD - CLOUD.mean(axis=1, keepdims=True)}


def gap_is_of_structure(words):
    """Whether a cloud without directions has no wide gap, as it should."""
    values = np.linalg.eigvalsh(OF_MEAN[words] @ OF_MEAN[words].T)[::-1]
    return values[0] - values[1] < values[1]


def first_is(word):
    """The first component of the cloud with its mean, beside this direction."""
    first = leading(CLOUD @ CLOUD.T, 1)
    mean = CLOUD.mean(axis=1)
    last = np.linalg.eigh(np.cov(CLOUD))[1][:, -1]
    own = {"mean": mean / np.linalg.norm(mean), "widest direction": last}[word]
    return np.isclose(own @ first @ own, 1, atol=1e-3)


def turned_by(values, k, change=1e-2):
    """How far the leading k directions turn, by a small change of the first two."""
    other = np.diag(np.array(values, float))
    other[0, 1] = other[1, 0] = change
    return np.linalg.norm(leading(np.diag(values), k) - leading(other, k), 2)


TURNS_OF = {
    "nearly equal": turned_by([1.001, 1.0, 0.1], 1),
    "far apart": turned_by([2.0, 1.0, 0.1], 1),
}
SPANS = {"together": turned_by([1.001, 1.0, 0.1], 2), "apart": TURNS_OF["nearly equal"]}


sides(
    CHAPTER,
    {
        "the directions along which the points are [longest|shortest]": {
            "longest": np.linalg.norm(LARGEST @ X) >= ALONG.max(),
            "shortest": np.linalg.norm(LARGEST @ X) <= ALONG.min(),
        },
        r"the component is $v = X u / [\sqrt\sigma|\sigma]$": {
            r"\sqrt\sigma": np.isclose(np.linalg.norm(COMPONENT), np.sqrt(SIGMA[0])),
            r"\sigma": np.isclose(np.linalg.norm(COMPONENT), SIGMA[0]),
        },
        "The [lower|upper] curve is not a success": (
            lambda word: (CURVES[word] < FOUND.best).all()
        ),
        "and $R_k(K)$ lies [between|above] the two curves": {
            "between": ((FOUND.own <= FOUND.best) & (FOUND.best <= FOUND.true)).all(),
            "above": (FOUND.best > FOUND.true).all(),
        },
        r"then $\sigma_i(K') [\le|\ge] \sigma_i(K)$ for every $i$": {
            r"\le": (THEIRS <= SIGMA + NEAR).all(),
            r"\ge": (THEIRS >= SIGMA - NEAR).all(),
        },
        r"On its range $A$ is at [least|most] $\sigma_k$, and at [most|least] "
        r"$\sigma_{k+1}$ on the rest": on_ranges,
        r"$\|K - K'\|_F^2$ is [less|more] by $2 \operatorname{tr}": {
            "less": np.isclose(FROM_IT, -TRACE) and TRACE > 0,
            "more": np.isclose(FROM_IT, TRACE),
        },
        "on the span of the landmarks, it can be [too small]": PRINTED,
        "so $K' - K$ contains only its [square|first power]. The change in the "
        "covariance contains its [first power|square]": contains,
        "turns in proportion to it, and $K' - K$ has its [square|root]": (
            lambda word: np.isclose(POWERS[0], OF_TILT[word], atol=0.02)
            and np.isclose(POWERS[2], 1, atol=0.02)
        ),
        r"where it exceeds $\sqrt{[2k|k]}$, which no two subspaces": {
            "2k": np.isclose(APART, 2 * 2),
            "k": np.isclose(APART, 2),
        },
        "It is [too small], and the fewer the columns": (FOUND.own - FOUND.best).max(),
        r"tr} E$ is an [upper|lower] bound, because": CENTRED,
        "with equality for [orthogonal|equal] subspaces": {
            "orthogonal": np.isclose(APART, 2 * 2),
            "equal": np.isclose(np.linalg.norm(P - P), 2),
        },
        r"\Delta_k / 2$; [neither is|only the second is|only the first is] needed": {
            "neither is": all(FREE),
            "only the second is": FREE == (False, True),
            "only the first is": FREE == (True, False),
        },
        r"divided by the gap between [$\sigma_k(K')$|$\sigma_k(K)$] and "
        r"[$\sigma_{k+1}(K)$|$\sigma_{k+1}(K')$]": divided_by,
        "and a matrix with two nearly [equal|opposite] eigenvalues the bound": attained,
        "The gap after it is [tiny|wide], so it can be mixed with the second": {
            "tiny": SHOWN[0] < SHOWN[1] / 100,
            "wide": SHOWN[0] > SHOWN[1],
        },
        "The gap after the second is [wide|tiny]": {
            "wide": SHOWN[1] > 100 * SHOWN[0],
            "tiny": SHOWN[1] < SHOWN[0],
        },
        "Of the points they cannot; their own features are [shorter]": (
            np.diag(MADE) - np.diag(K)
        ).sum(),
        r"$\operatorname{tr} E / n$ it is never [below|above] that of $K$": {
            "below": (FOUND.true >= FOUND.best - NEAR).all(),
            "above": (FOUND.true <= FOUND.best + NEAR).all(),
        },
        "is a projector, so neither factor [lengthens|shortens] a vector": {
            "lengthens": np.linalg.norm(H, 2) <= 1 + NEAR,
            "shortens": np.linalg.eigvalsh(H)[0] >= 1 - NEAR,
        },
        r"\operatorname{tr} E [-|+] \frac1n \mathbf 1^\top E \mathbf 1$": (
            lambda sign: np.isclose(
                np.trace(H @ E @ H), np.trace(E) + float(sign + "1") * SUM
            )
        ),
        r"$H \tilde K H [\preceq|\succeq] H K H$, so the certificate": {
            r"\preceq": CENTRED_ERROR.min() > -NEAR,
            r"\succeq": CENTRED_ERROR.max() < NEAR,
        },
        r"Show that $\|H (K' - K) H\|_2 [\le|\ge] \|K' - K\|_2$": {
            r"\le": CENTRED_ERROR.max() <= np.linalg.norm(E, 2) + NEAR,
            r"\ge": CENTRED_ERROR.max() >= np.linalg.norm(E, 2) - NEAR,
        },
        "So choose $k$ at a wide gap, of points whose mean was [subtracted|left in]": (
            gap_is_of_structure
        ),
        "the first component is nearly the [mean|widest direction] of the points": (
            first_is
        ),
        "Between two eigenvalues that are [nearly equal|far apart] no component is "
        "stable": lambda words: TURNS_OF[words] > 1 / 2,
        "What they span [together|apart] may be stable": (
            lambda word: SPANS[word] < 0.01
        ),
    },
)
