"""Newton's method with few columns: what shows words that could be exchanged."""

import numpy as np
from sides_shown import sides

from nystheory import kernels, learners, theorems

CHAPTER = "newton_with_few_columns"
RNG = np.random.default_rng(0)
X = RNG.standard_normal((25, 2))
Y = (X[:, 0] + 0.3 * RNG.standard_normal(25) > 0).astype(float)
K = kernels.rbf(X, 0.5).dense()
ALPHA = 0.5


def sigmoid(t):
    return 1 / (1 + np.exp(-t))


# ---- Penalties and the loss

GRADIENTS = {
    "$w^\\top w$": lambda w: ALPHA * w - K @ (Y - sigmoid(K @ w)),
    "$w^\\top K w$": lambda w: ALPHA * K @ w - K @ (Y - sigmoid(K @ w)),
}


def penalties(here, commonly):
    """Whose gradient is zero at the minimum of the chapter, and at the usual one."""
    own = learners.newton(K, Y, ALPHA, tol=1e-12).w
    usual = learners.KernelLogistic(ALPHA, gamma=0.5, tol=1e-12).fit(X, Y)
    other = usual.dual_coef_
    return (
        np.abs(GRADIENTS[here](own)).max() < 1e-4
        and np.abs(GRADIENTS[commonly](other)).max() < 1e-4
    )


def loss(w, ridge=0.0):
    t = K @ w
    return (np.log1p(np.exp(t)) - Y * t).sum() + ridge / 2 * w @ w


def curved(word):
    """The loss without its penalty, between two weights."""
    bulge = []
    for _ in range(10):
        v, w = RNG.standard_normal((2, 25))
        bulge.append((loss(v) + loss(w)) / 2 - loss((v + w) / 2))
    return {"convex": min(bulge) > 0, "concave": max(bulge) < 0}[word]


def logarithms(word):
    s = sigmoid(np.linspace(-5, 5, 50))
    told = np.log([s, 1 - s])
    return {"below": told.max() < 0, "above": told.min() > 0}[word]


def flat(ridge, slope):
    """How much the loss may fall, by the certificate, and how far a slope leads."""
    left = {"small": 0.1**2 / (2 * 0.01), "large": 0.1**2 / (2 * 1.0)}
    away = {"far": 0.1 / 0.01 > 1, "not far": 0.1 / 0.01 < 1}
    return left[ridge] == max(left.values()) and away[slope]


# ---- The Hessian

R = np.diag(sigmoid(K @ RNG.standard_normal(25)))
R = R @ (np.eye(25) - R)
T = K @ R @ K
NEAR = T[:, :4] @ np.linalg.pinv(T[:4, :4]) @ T[:4]
VALUES = np.linalg.eigvalsh(T)[::-1]
OF_K = np.linalg.eigvalsh(K)[::-1]


def most(formula):
    """Of the eigenvalues of K R K; attained where all chances are one half."""
    size = {
        r"\frac14 \lambda_j(K)^2": OF_K**2 / 4,
        r"\frac14 \lambda_j(K)": OF_K / 4,
        r"\frac12 \lambda_j(K)^2": OF_K**2 / 2,
    }[formula]
    at_zero = np.linalg.eigvalsh(K @ K / 4)[::-1]
    return (VALUES <= size + 1e-9).all() and np.isclose(at_zero[0], size[0])


def of_inverse(word):
    """Eigenvalues of the inverse, less the number of the proof."""
    inverse = np.linalg.eigvalsh(np.linalg.inv(ALPHA * np.eye(25) + NEAR))
    off = inverse - 1 / (ALPHA + np.linalg.norm(NEAR, 2))
    return {"below": off.min() > -1e-9, "above": off.max() < 1e-9}[word]


def at_zero(word):
    """What the matrix is at w = 0."""
    s = sigmoid(np.zeros(25))
    own = K @ np.diag(s * (1 - s)) @ K
    ratio = own / {"K^2": K @ K, "K": K}[word]
    return np.allclose(ratio, ratio[0, 0])


def reads(way):
    """The entries of the kernel that a machine asks for, over all of them."""
    given = {"penalty": "coefficients"} if way == "exact" else {"landmarks": range(4)}
    counted = kernels.rbf(X, 0.5)
    machine = learners.KernelLogistic(ALPHA, kernel="precomputed", method=way, **given)
    machine.fit(counted, Y)
    return counted.entries_asked / 25**2


def fits(hessian, landmarks):
    """Whether all of the kernel matrix is at hand: its Hessian needs it."""
    words = {"fits into memory": True, "does not fit": False}
    told = [reads("exact") >= 1, reads("nystrom") >= 1]
    return told == [words[hessian], words[landmarks]]


def divided(word):
    """The likelihood of labels that a line divides, with longer weights."""
    t = np.array([1.0, 2.0, -1.0])
    y = np.array([1.0, 1.0, 0.0])
    told = [(y * size * t - np.log1p(np.exp(size * t))).sum() for size in (1, 2, 10)]
    return {"longer": min(np.diff(told)) > 0, "shorter": max(np.diff(told)) < 0}[word]


def turns(sign, word):
    """What a whole step leaves of the error, for an eigenvalue of 1.99."""
    left = 1 - 1.99
    return np.isclose(abs(left), int(sign) / 100) and (left < 0) == (word == "round")


def sizes_in_the_middle(word):
    """Of the unit matrix in the inverse."""
    line = theorems["talwalkar2010:eq-3.16"].claims["inverse"].line
    size = {"$l$": "l", "$N$": "feature_count"}[word]
    return f"inv(alpha * identity({size}) +" in line.partition("==")[2]


def likely(word):
    """Of three equal points with two labels: the weights chosen, beside others."""
    alike, y = np.ones((3, 3)), np.array([1.0, 0, 1])
    w = learners.newton(alike, y, 1e-6, tol=1e-9).w
    scores = [(alike @ v)[0] for v in (w, w - 0.2, w + 0.2)]
    own, *others = [2 * t - 3 * np.log1p(np.exp(t)) for t in scores]
    return {"likely": own > max(others), "unlikely": own < min(others)}[word]


def goes_to(word):
    """The parabola at the end of the step, beside other places."""
    w = 0.1 * RNG.standard_normal(25)
    g, s = ALPHA * w - K @ (Y - sigmoid(K @ w)), sigmoid(K @ w)
    H = ALPHA * np.eye(25) + K @ np.diag(s * (1 - s)) @ K
    step = -np.linalg.solve(H, g)
    own = g @ step + step @ H @ step / 2
    told = [g @ v + v @ H @ v / 2 for v in step + RNG.standard_normal((10, 25))]
    return {"lowest": own < min(told), "highest": own > max(told)}[word]


def third(formula):
    """The largest modulus of the second derivative of the chances."""
    s = np.linspace(0, 1, 100001)
    most = np.abs(s * (1 - s) * (1 - 2 * s)).max()
    size = {r"$\frac{1}{6 \sqrt 3}$": 6, r"$\frac{1}{4 \sqrt 3}$": 4}[formula]
    return np.isclose(most, 1 / (size * np.sqrt(3)), rtol=1e-6)


def from_zero(word):
    """The step of one point with a large feature, and how far the minimum is."""
    x, y, ridge = np.array([[10.0]]), np.array([1.0]), 0.01
    w = learners.newton(x, y, ridge, tol=1e-12).w.item()
    step = 5 / (ridge + 25)
    return {"short": w > 2 * step, "long": w < step}[word]


def penalty(middle, end):
    """Beside the mean of its values, and beside its tangent."""
    v, w = RNG.standard_normal((2, 5))
    half = lambda x: ALPHA / 2 * x @ x  # noqa: E731
    off = {
        "middle": half((v + w) / 2) - (half(v) + half(w)) / 2,
        "end": half(v) - half(w) - ALPHA * w @ (v - w),
    }
    sign = {"below": -1, "above": 1}
    return sign[middle] * off["middle"] > 0 and sign[end] * off["end"] > 0


def keep(word):
    """What two matrices in order do to their eigenvalues."""
    A = RNG.standard_normal((5, 5))
    A = A @ A.T
    B = RNG.standard_normal((5, 2))
    off = np.linalg.eigvalsh(A + B @ B.T) - np.linalg.eigvalsh(A)
    return {"keep": off.min() > -1e-9, "reverse": off.max() < 1e-9}[word]


def grows(word):
    told = [-loss(w) for w in RNG.standard_normal((20, 25))]
    return {"negative": max(told) < 0, "positive": min(told) > 0}[word]


def rests(right, wrong):
    """Where the printed form ends, of two features with the labels one."""
    w = goal = np.zeros(2)
    for _ in range(400):
        s = sigmoid(w)
        R = s * (1 - s)
        near = np.array([R[0], 0.0])
        w = R * (w + (1 - s) / R) / (1 + near)
        s = sigmoid(goal)
        goal = goal - (goal - (1 - s)) / (1 + s * (1 - s))
    same = np.isclose(w, goal, atol=1e-6)
    places = {"first": 0, "second": 1}
    return bool(same[places[right]]) and not same[places[wrong]]


def printed(word):
    says = theorems["talwalkar2010:eq-3.12"].printed["concave"].says
    return f"is {word}, a unique minimum" in says


# ---- Landmarks of the wrong matrix


def columns_of(name):
    """Whether the approximation of T is made of columns of this matrix."""
    C = {"T": T, "K": K}[name][:, :4]
    Q = np.linalg.qr(C)[0]
    return np.allclose(Q @ Q.T @ NEAR, NEAR, atol=1e-9)


def pivots(A, count=6):
    """Greedy ones: the largest diagonal entry of what is left."""
    A, told = A.copy(), []
    for _ in range(count):
        j = int(A.diagonal().argmax())
        told.append(j)
        A = A - np.outer(A[:, j], A[j]) / A[j, j]
    return told


def chosen_by(name):
    """The pivots of T at w = 0, beside those of this matrix."""
    own = {"K^2": K @ K, "K": K}[name]
    return pivots(K @ K / 4) == pivots(own)


sides(
    CHAPTER,
    {
        "This chapter penalises [$w^\\top w$|$w^\\top K w$]. What is commonly called "
        "kernel logistic regression penalises [$w^\\top K w$|$w^\\top w$], the": (
            penalties
        ),
        "Both logarithms are [below|above] zero, so": logarithms,
        "Therefore $E(w) - \\frac{\\alpha}{2} \\|w\\|^2$ is [convex|concave].": curved,
        "A [small|large] ridge lets the loss be flat, and then a small slope leads "
        "[far|not far].": flat,
        "so that its eigenvalues are at most $[\\frac14 \\lambda_j(K)^2|\\frac14 "
        "\\lambda_j(K)|\\frac12 \\lambda_j(K)^2]$. Few": most,
        "the unit matrix in the middle has the size [$l$|$N$] of its": (
            sizes_in_the_middle
        ),
        "no eigenvalue of the inverse is [below|above] $(\\alpha": of_inverse,
        "If some weights predict all labels correctly, [longer|shorter] weights make "
        "them more likely still": divided,
        "turns that part of the error [round|on] and leaves [99|1] percent of it": (
            lambda word, share: turns(share, word)
        ),
        "Use few columns of the Hessian where $K$ [fits into memory|does not fit], its "
        "answer is wanted and a trial shows that they save operations; use few "
        "landmarks of $K$ where it [does not fit|fits into memory].": fits,
        "on $[K^2|K]$, which is $T$ at $w = 0$ up to a factor": at_zero,
        "labels that were seen as [likely|unlikely] as possible": likely,
        "Newton's method goes to its [lowest|highest] point. The": goes_to,
        "has its largest modulus, [$\\frac{1}{6 \\sqrt 3}$|$\\frac{1}{4 \\sqrt 3}$],": (
            third
        ),
        "Newton's step from zero is [short|long]: it goes": from_zero,
        "in the middle it is [below|above] the mean by {line}`(alpha / 2 * "
        "norm_2(other_w) ** 2 + alpha / 2 * norm_2(w) ** 2) / 2 - alpha / 2 * "
        "norm_2((other_w + w) / 2) ** 2 == alpha / 8 * norm_2(other_w - w) ** 2`, and "
        "at $v$ [above|below] its tangent": penalty,
        "and eigenvalues [keep|reverse] the order of matrices": keep,
        "since the log-likelihood is [negative|positive], so": grows,
        "The [first|second] weight is right. The [second|first], of which no": rests,
        "It writes '[concave|convex]' where it says that the minimum": printed,
        "columns of $K$ [are not|serve as] columns of $T$": {
            "are not": not columns_of("K"),
            "serve as": columns_of("K"),
        },
        "The columns are those of $[T|K]$. They may": columns_of,
        "They may be chosen once, by $[K^2|K]$, as in": chosen_by,
    },
)
