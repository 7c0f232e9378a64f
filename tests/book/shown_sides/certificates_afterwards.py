"""What can be certified afterwards: what shows words that could be exchanged."""

import numpy as np
from sides_shown import sides

from nystheory import certificates, kernels, lowrank

CHAPTER = "certificates_afterwards"
RNG = np.random.default_rng(0)
NEAR = 1e-9


def is_below(A, B):
    return np.linalg.eigvalsh(B - A).min() > -NEAR


X = RNG.standard_normal((5, 8))
K = X.T @ X
S = [0, 3]
B = K[:, S] @ np.linalg.inv(K[np.ix_(S, S)])
E = K - B @ K[S]
LEFT = X - X[:, S] @ np.linalg.pinv(X[:, S]) @ X  # the points less their projections
NORM = np.linalg.norm(E, 2)


# ---- The certificate


def over_norm(eigenvalues):
    """The trace over the norm of an error with this spectrum, and its directions."""
    E = np.diag(eigenvalues)
    return np.trace(E) / np.linalg.norm(E, 2), np.linalg.matrix_rank(E)


SPECTRA = {"flat": np.ones(6), "steep": 10.0 ** -np.arange(6)}
A_, B_ = 3.0, 2.0  # two points of the same length
TWO = np.array([[A_, B_], [B_, A_]])
NEAR_TWO = np.outer(TWO[0], TWO[0]) / A_


def leading(one, other):
    """Which matrix has which leading eigenvector."""
    vectors = {"$(1, 1)$": np.ones(2), "$(a, b)$": np.array([A_, B_])}
    told = []
    for M, word in ((TWO, one), (NEAR_TWO, other)):
        v = vectors[word]
        told.append(np.allclose(M @ v, np.linalg.eigvalsh(M)[-1] * v))
    return all(told)


MISSED = np.trace(TWO - NEAR_TWO)
DIFFERENCES = {"$a - b^2/a$": A_ - B_**2 / A_, "$a + b^2/a$": A_ + B_**2 / A_}


def entries(certify):
    G = kernels.rbf(RNG.standard_normal((400, 2)), 1.0)
    certify(G, list(range(20)))
    return G.entries_asked


READ = {
    "leave-one-out": entries(certificates.leave_one_out_trace),
    "the certificate": entries(
        lambda G, S: certificates.trace_certificate(G, lowrank.nystrom(G, S))
    ),
}

# ---- The inverse

ALPHA = 0.3


def off(alpha, missed=1e9):
    """How far the inverses are apart where a huge eigenvalue is missing."""
    return 1 / alpha - 1 / (alpha + missed)


RIDGES = (0.1, 0.3, 3.0, 10.0)
CEILINGS = {r"$1/\alpha$": [1 / a for a in RIDGES], r"$\alpha$": list(RIDGES)}
SHARP = [1 / ALPHA - 1 / (ALPHA + e) for e in (0.01, 1.0, 100.0)]
FACTORS = [e / ALPHA**2 / x for e, x in zip((0.01, 1.0, 100.0), SHARP, strict=True)]
FORMULAS = {
    r"$1 + \|E\|_2 / \alpha$": [1 + e / ALPHA for e in (0.01, 1.0, 100.0)],
    r"$\|E\|_2 / \alpha$": [e / ALPHA for e in (0.01, 1.0, 100.0)],
}


def large_where(size, how):
    """The factor, of a crude and of a good approximation."""
    factor = {"crude": FACTORS[-1], "good": FACTORS[0]}[how]
    return (factor > 10) == (size == "large") and (factor < 1.1) == (size == "small")


INVERSES = [np.linalg.inv(M + ALPHA * np.eye(8)) for M in (K - E, K)]

# ---- Where to truncate


def never_worse(norm, of=400):
    """Whether cutting the approximation is at least as good, on small matrices."""
    rng = np.random.default_rng(1)
    for _ in range(of):
        points = rng.integers(-3, 4, (4, 4)).astype(float)
        points[:, 0] = [1, 0, 0, 0]
        G = points.T @ points
        if np.linalg.det(G[:2, :2]) < 0.5:
            continue
        core, after = (
            lowrank.nystrom(G, [0, 1], 1, truncate=how).error(G, norm)
            for how in ("core", "approximation")
        )
        if after > core * (1 + 1e-6) + 1e-9:
            return False
    return True


CERTAIN = {norm: never_worse(norm) for norm in ("trace", "spectral", "frobenius")}

# ---- Weights


def exchanged(formula, i=5):
    """The determinant with another landmark in place of the first."""
    own = np.linalg.inv(K[np.ix_(S, S)])[0, 0]
    told = {
        r"$B_{ij}^2 + E_{ii} (W^{-1})_{jj}$": B[i, 0] ** 2 + E[i, i] * own,
        r"$B_{ij}^2 - E_{ii} (W^{-1})_{jj}$": B[i, 0] ** 2 - E[i, i] * own,
    }[formula]
    dets = [np.linalg.det(K[np.ix_(x, x)]) for x in ([i, 3], S)]
    return np.isclose(dets[0] / dets[1], told)


def smallest_value(t, landmark):
    """Of the rows of an orthonormal basis, for a landmark of two points on a line."""
    C = np.array([[1.0, t], [t, t * t]])[:, [landmark]]
    return abs(np.linalg.qr(C)[0][landmark, 0])


def breaks_bound(word):
    landmark = {"short": 1, "long": 0}[word]
    return smallest_value(0.5, landmark) < 1 / np.sqrt(1 + 1 * (2 - 1)) - NEAR


WEIGHTS = [1 / smallest_value(t, 1) for t in (0.01, 1.0)]

# ---- Functions, and what a Gaussian process loses

T = np.linspace(0.01, 5, 400)
MONOTONE = [np.sqrt(T), np.log1p(T / ALPHA), T / (T + ALPHA)]
BENDS = max(np.diff(f, 2).max() for f in MONOTONE)
SLOPES = max(np.diff(f / T).max() for f in MONOTONE)
CHORDS = [(f[300] - f[100]) / (T[300] - T[100]) - f[300] / T[300] for f in MONOTONE]
TO_ORIGIN = [f[300] / T[300] - f[100] / T[100] for f in MONOTONE]
CUT = np.minimum(T, 1)
SHAPES = {
    "concave": np.diff(CUT, 2).max() < NEAR,
    "convex": np.diff(CUT, 2).min() > -NEAR,
    "increasing": np.diff(CUT).min() > -NEAR,
    "decreasing": np.diff(CUT).max() < NEAR,
}
RESTS = np.array([r * np.log1p(2.0 / r) for r in range(1, 30)])


def lost(size):
    """The mean loss of a large or small error, over the trace and the variance."""
    m = np.full(3, size)
    return ((m - np.log1p(m)).sum() / 2 + m.sum() / 2) / m.sum()


def ends(one, small, other, large):
    """Which end is approached by which errors."""
    at = {"small": lost(1e-4), "large": lost(1e4)}
    ends = {"lower": 1 / 2, "upper": 1}
    pairs = ((one, small), (other, large))
    return all(np.isclose(at[size], ends[end], rtol=1e-3) for end, size in pairs)


Y = RNG.standard_normal(8)
PARTS = []
for M in (K - E, K):
    A = M + ALPHA * np.eye(8)
    PARTS.append((-np.linalg.slogdet(A)[1], -(Y @ np.linalg.solve(A, Y))))
LIKELIER = [
    {"likelier": with_less > with_all, "less likely": with_less < with_all}
    for with_less, with_all in zip(*PARTS, strict=True)
]

TOPS = [np.linalg.eigvalsh(x).max() for x in INVERSES]

OTHER_WAY = np.array([[2.0, 0, 0], [0, 1, 3], [0, 3, 10]])
CUT_CORE = lowrank.nystrom(OTHER_WAY, [0, 1], 1).spectral_reconstruction()
PLACES = {"first": 0, "second": 1}
QUADRATIC = INVERSES[0] - INVERSES[1]
LAWS = {  # samples of y, each as likely
    "mean zero": np.vstack([np.eye(8), -np.eye(8)]),
    "mean one": np.eye(8),
    "twice": 2 * np.vstack([np.eye(8), -np.eye(8)]),
}
LOSSES = {name: np.mean([y @ QUADRATIC @ y for y in Y]) for name, Y in LAWS.items()}
PLANE = np.eye(64)
RANKS = np.array([4, 16, 36])
FLOORS = [
    certificates.trace_certificate(PLANE, lowrank.nystrom(PLANE, range(k))).error
    for k in RANKS
]
FLOORS = np.array(FLOORS) / (np.finfo(float).eps * np.trace(PLANE))


# ---- Where the factor of the noise is attained

ALL_ONES = np.hstack([np.eye(3), np.ones((3, 5))])  # three landmarks, and their sums
NU = 0.2
MOVED = ALL_ONES.T @ ALL_ONES + NU * np.eye(8)
OF_MOVED = (MOVED - lowrank.nystrom(MOVED, range(3)).spectral_reconstruction())[3:, 3:]
COUNTS = {"l (n-l)": 3 * 5, "n-l": 5}
LEAST = np.linalg.svd(np.linalg.qr(ALL_ONES.T)[0][:3])[1].min()
COMBINED = {  # the columns of Z for the points that are no landmarks
    sign: np.delete(np.eye(8) + size * np.eye(8)[:, S] @ B.T, S, axis=1)
    for sign, size in (("-", -1), ("+", 1))
}
# ---- How small the largest entry can be


def attains(points, block):
    """Whether five points and two landmarks have equality, and this block of E."""
    own = {
        "equal, and orthogonal to the landmarks": np.ones((5, 5)),
        "orthogonal to the landmarks and to each other": np.eye(5),
    }[points]
    K = np.zeros((7, 7))
    K[:2, :2], K[2:, 2:] = np.eye(2), own
    left = (K - lowrank.nystrom(K, [0, 1]).spectral_reconstruction())[2:, 2:]
    told = {"ones": np.ones((5, 5)), "the identity": np.eye(5)}[block]
    return np.allclose(left, told) and np.isclose(
        np.linalg.norm(left, 2), 5 * left.diagonal().max()
    )


LARGEST = E.diagonal().max()


sides(
    CHAPTER,
    {
        "is the inner product of the [columns|rows] $i$ and $j$ of $R$": {
            "columns": np.allclose(LEFT.T @ LEFT, E),
            "rows": np.shape(LEFT @ LEFT.T) == E.shape,
        },
        r"then $\operatorname{tr} E = \|E\|_2 = a [-|+] b^2/a$": {
            "-": np.isclose(MISSED, A_ - B_**2 / A_),
            "+": np.isclose(MISSED, A_ + B_**2 / A_),
        },
        "not zero is its gap [$a + b^2/a$|$a - b^2/a$]": (
            lambda formula: np.isclose(np.trace(NEAR_TWO), DIFFERENCES[formula])
        ),
        r"eigenvectors are [$(1, 1)$|$(a, b)$] for $K$ and [$(a, b)$|$(1, 1)$] for": (
            leading
        ),
        "Use [leave-one-out|the certificate] to decide whether to compute more": (
            lambda word: READ[word] < 20 * 400
        ),
        r"however large, costs at most [$1/\alpha$|$\alpha$]": (
            lambda formula: np.allclose([off(a) for a in RIDGES], CEILINGS[formula])
        ),
        "and inversion [reverses|keeps] the order of positive definite": {
            "reverses": is_below(INVERSES[1], INVERSES[0]),
            "keeps": is_below(INVERSES[0], INVERSES[1]),
        },
        r"differ by a factor [$1 + \|E\|_2 / \alpha$|$\|E\|_2 / \alpha$]": (
            lambda formula: np.allclose(FACTORS, FORMULAS[formula])
        ),
        "which is [large|small] just where the approximation is [crude|good]": (
            large_where
        ),
        "Only in the [trace|spectral|Frobenius] norm is the order certain": (
            lambda word: CERTAIN[word.lower()]
        ),
        r"multiplies $\det W$ by [$B_{ij}^2 + E_{ii} (W^{-1})_{jj}$|"
        r"$B_{ij}^2 - E_{ii} (W^{-1})_{jj}$]": exchanged,
        r"so they are small where $\sigma_{\min}(Q_S)$ is [not|small]": {
            "not": WEIGHTS[1] < 2 < WEIGHTS[0],
            "small": WEIGHTS[0] < 2 < WEIGHTS[1],
        },
        "for two points on a line, with the [short|long] one chosen": breaks_bound,
        "Where the spectrum of $E$ is [flat|steep],": (
            lambda word: np.isclose(*over_norm(SPECTRA[word]))
        ),
        "falls, which makes data look [likelier|less likely], and": (
            LIKELIER[0]
        ),
        "rises, which makes them look [less likely|likelier]": LIKELIER[1],
        r"r \sigma^2}\bigr)$, since the logarithm is [concave]": (
            np.diff(np.log1p(T), 2).max()
        ),
        "The last expression [rises] with $r$": np.diff(RESTS).min(),
        r"with $r$ and stays [below] $\operatorname{tr} E / \sigma^2$": (
            RESTS.max() - 2.0
        ),
        "are approached, the [lower|upper] one for [small|large] and the "
        "[upper|lower] one for [large|small] errors": ends,
        r"function on $[0, \infty)$ is [concave]": BENDS,
        r"to $\lambda_j$, nor is that one, for $j \le k$, [steeper] than": (
            -max(TO_ORIGIN)
        ),
        r"counting(k))` is not [steeper] than the one from $0$": -max(CHORDS),
        "The slope $f(t)/t$ [falls], so": SLOPES,
        r"$\min(t, \alpha)$ is [concave|convex] and [increasing|decreasing] but": (
            lambda bend, way: SHAPES[bend] and SHAPES[way]
        ),
        "It is [generous|exact] for the other norms; the trace it computes": {
            "generous": np.trace(E) > 1.2 * NORM,
            "exact": np.isclose(np.trace(E), NORM),
        },
        r"Inverses lie between 0 and [$1 / \alpha$|$\alpha$], so": {
            r"$1 / \alpha$": max(TOPS) <= 1 / ALPHA + NEAR and min(TOPS) > 0,
            r"$\alpha$": max(TOPS) <= ALPHA,
        },
        "the cut core keeps the [first|second] landmark and misses the last": (
            lambda word: np.isclose(CUT_CORE[PLACES[word], PLACES[word]], 2)
            and np.isclose(CUT_CORE[2, 2], 0)
        ),
        "Only the [second|first] moment of $y$ enters": {
            "second": np.isclose(LOSSES["mean one"], LOSSES["mean zero"]),
            "first": np.isclose(LOSSES["mean zero"], LOSSES["twice"]),
        },
        r"Below about $([\sqrt k|k] + [16|1])\, \varepsilon \operatorname{tr} K$": (
            lambda power, more: np.allclose(
                FLOORS, RANKS ** {r"\sqrt k": 0.5, "k": 1}[power] + int(more)
            )
        ),
        r"of norm $\nu \bigl(1 + \frac{[l (n-l)|n-l]}{1 + \nu}\bigr)$": (
            lambda count: np.isclose(
                np.linalg.norm(OF_MOVED, 2), NU * (1 + COUNTS[count] / (1 + NU))
            )
        ),
        r"so $\sigma_{\min}(Q_S) = 1 / \sqrt{1 + [l (n-l)|n-l]}$": (
            lambda count: np.isclose(LEAST, 1 / np.sqrt(1 + COUNTS[count]))
        ),
        r"\nu \bigl(I [+|-] \frac{l}{1 + \nu} \mathbf 1 \mathbf 1^\top\bigr)$": (
            lambda sign: np.allclose(
                OF_MOVED, NU * (np.eye(5) + float(sign + "1") * 3 / (1 + NU))
            )
        ),
        r"and has the rows of $[-|+]B^\top$ below the identity": (
            lambda sign: np.allclose(
                COMBINED[sign].T @ K @ COMBINED[sign],
                np.delete(np.delete(E, S, 0), S, 1),
            )
        ),
        "let $n - l$ points be [equal, and orthogonal to the landmarks|orthogonal to "
        "the landmarks and to each other]; then $E$ is a block of [ones|the "
        "identity]": attains,
        r"of the landmarks, so at most $[n - l|l]$ diagonal entries are positive": (
            lambda size: (E.diagonal() > NEAR).sum() == {"n - l": 8 - 2, "l": 2}[size]
        ),
        r"$\|E\|_2 \le \operatorname{tr} E \le [(n - l)|l] \max_i E_{ii}": (
            lambda size: np.trace(E) <= {"(n - l)": 8 - 2, "l": 2}[size] * LARGEST
        ),
    },
)
