"""How far support vector machines and regression move with their kernel matrix.

Proposition 5.2 with its printed proof, and Corollaries 5.1 and 5.2.  Without offset the
two dual problems compare directly, whatever optimum of theirs is taken.
"""

from __future__ import annotations

import numpy as np

from nystheory.chapters.stability_of_learners.theorems.dual_optima import (
    MOST,
    machine,
    pair,
    power_of_two,
    some_points,
    with_machine,
)
from nystheory.engine import (
    Claim,
    Control,
    Hypothesis,
    Instance,
    Printed,
    Theorem,
)
from nystheory.engine.matrices import diagonal
from nystheory.engine.quantities import CHOSEN, QUANTITIES, SAMPLE, chosen, quantity
from nystheory.engine.two_kernels import of_other, other, with_other

# Points of which the bordered matrices are tried.
SEVERAL = 8

chosen("label", "y", "label of the point x")

# --- At a point x ---------------------------------------------------------------------


def _x(i):
    return np.asarray(i.extra["x"], dtype=float)


@quantity("K(x, x)", "square of the point x", CHOSEN, unit=0)
def K_xx(i):
    return float((_x(i) ** 2).sum())


def k_x(i) -> np.ndarray:
    """The K(x_i, x), (n, 1)."""
    return i.points.T @ _x(i)


def _of_value(i):
    found = pair(i, machine)
    return np.inf if found is None else np.linalg.norm(k_x(i)) * found.error


@quantity(
    "h(x)", "value of the support vector machine", SAMPLE, unit=0, condition=_of_value
)
def machine_at_x(i):
    found = pair(i, machine)
    return None if found is None else float(found.here @ k_x(i)[:, 0])


@quantity(
    "h'(x)",
    "value with K', of several the one that is farthest",
    SAMPLE,
    unit=0,
    condition=_of_value,
)
def other_machine_at_x(i):
    """The larger one at a tie."""
    found = pair(i, machine)
    if found is None:
        return None
    here, values = machine_at_x(i), found.there @ k_x(i)[:, 0]
    far = np.abs(values - here)
    size = far[found.sure].max()
    if far.max() > size * (1 + 1e-9) + 1e-300:
        return None
    farthest = found.sure & (far >= size * (1 - 1e-9))
    return float(values[farthest].max())


def _of_bordered(i):
    return of_other(i) * (1 + (np.linalg.norm(other(i)) + K_xx(i)) / (i.norm_K or 1.0))


@quantity(
    r"\begin{pmatrix} K' & k_x \\ k_x^\top & K(x, x) \end{pmatrix}",
    "K' with a row and a column of K at x",
    SAMPLE,
    condition=_of_bordered,
)
def bordered(i):
    return np.block([[other(i), k_x(i)], [k_x(i).T, np.full((1, 1), K_xx(i))]])


@quantity(
    r"\lambda_{\min}(x)",
    "smallest eigenvalue of the bordered matrix",
    SAMPLE,
    condition=_of_bordered,
)
def lowest_bordered(i):
    return float(np.linalg.eigvalsh(bordered(i))[0])


# Relative eigenvalues of K' between these may be zero or not.
GREY = 1e-13, 1e-9


def _range(i):
    """Relative eigenvalues of K', and its eigenvectors off the kernel."""
    values, vectors = np.linalg.eigh(other(i))
    relative = np.abs(values) / (np.abs(values).max() or 1.0)
    return relative, vectors[:, relative > GREY[1]]


def _of_range(i):
    relative = _range(i)[0]
    if ((relative > GREY[0]) & (relative <= GREY[1])).any():
        return np.inf
    least = relative[relative > GREY[1]].min(initial=1.0)
    return of_other(i) * np.sqrt(K_xx(i)) / least


@quantity(
    r"\|k_x - P_{K'} k_x\|",
    "length of the part of $k_x$ that is not in the range of K'",
    SAMPLE,
    unit=0.5,
    condition=_of_range,
)
def outside(i):
    basis, k = _range(i)[1], k_x(i)
    return float(np.linalg.norm(k - basis @ (basis.T @ k)))


@quantity(
    r"\min_i \lambda_{\min}(\tfrac9{10} x_i)",
    "smallest eigenvalue of the approximation, bordered at nine tenths of some point",
    SAMPLE,
    condition=lambda i: 10 * QUANTITIES["norm_E"].condition(i),
)
def lowest_of_all(i):
    return min(_at_nine_tenths(i, j) for j in range(i.n))


def _at_nine_tenths(i, j) -> float:
    k = 0.9 * i.K[:, [j]]
    corner = np.full((1, 1), 0.81 * i.K[j, j])
    near = np.block([[i.full.approximation, k], [k.T, corner]])
    return float(np.linalg.eigvalsh(near)[0])


# --- Instances ------------------------------------------------------------------------


def _with_x(i, rng):
    """A point x along the change of the predictions, or any, and its label."""
    i = with_machine(i, rng)
    if i is None:
        return None
    found = pair(i, machine) if rng.random() < 0.7 else None
    if found is not None:
        x = i.points @ (found.there[found.sure][-1] - found.here)
        x = np.round(x / power_of_two(np.abs(x).max(initial=0.0)) * 64) / 64
    else:
        x = rng.integers(-2, 3, len(i.points)).astype(float)
    x = x[:, None] * np.sqrt(power_of_two(i.norm_K) ** 2) ** 0.5
    return i.but(x=x, label=rng.choice([-1.0, 1.0]))


def with_bordering(i, rng):
    """Another kernel matrix, and a point x near one of the others, or any."""
    if i.n > SEVERAL:
        return None
    x = i.points[:, [rng.integers(i.n)]] * 2.0 ** rng.integers(-3, 2)
    if rng.random() < 0.5:
        x = (
            x
            + rng.integers(-1, 2, x.shape) * np.sqrt(power_of_two(i.norm_K) ** 2) ** 0.5
        )
    return with_other(i, rng).but(x=x)


def _with_targets(i, rng):
    """Observations of any size, and a tube or none."""
    i = with_machine(i, rng)
    if i is None:
        return None
    reach = float(i.extra["C_0"]) * i.diagonal.max() or 1.0
    y = rng.integers(-4, 5, (i.n, 1)) * power_of_two(reach) * 2.0 ** rng.integers(-6, 1)
    tube = rng.integers(2) * power_of_two(np.abs(y).max()) * 2.0 ** rng.integers(-4, 1)
    return i.but(y=y, tube=tube)


def _alike(n, weight, square=1.0) -> Instance:
    """Points that are all alike, of one class, which the other matrix has lost."""
    X = np.full((1, n), np.sqrt(square))
    extra = {"other_points": 0 * X, "y": np.ones((n, 1)), "C_0": weight}
    extra |= {"x": X[:, :1], "label": 1.0}
    return Instance.from_points(X, [0], 1, "alike", **extra)


def _cases(rng):
    yield from some_points(rng)
    for n in range(1, MOST + 1):
        for power in range(20):
            yield _alike(n, 2.0**power, 1.0)
            yield _alike(n, 2.0**power, 4.0)


# --- Proposition 5.2 ------------------------------------------------------------------

_LABELS = Hypothesis("abs(y) == 1", says=r"$y_i \in \{-1, 1\}$")
_WEIGHT = Hypothesis("C_0 > 0", domain=True)
_SQUARE = "sqrt(2) * {0} ** (3 / 4) * C_0 * change_2 ** (1 / 4)"
_PRINTED = f"{_SQUARE} * (1 + (change_2 / (4 * {{0}})) ** (1 / 4))"
_SHARP = "C_0 * sqrt({0} * change_2 / n)"
_OVER_X = (
    r"and let the maximum be over all points $x$ of the feature space with $K(x, x) "
    r"\le \kappa$"
)
_MACHINE = (
    r"Let $K$ and $K'$ be positive semidefinite. Let $\alpha$ minimise $\frac12 "
    r"\sum_{ij} \alpha_i \alpha_j y_i y_j K_{ij} - \sum_i \alpha_i$ over $0 \le "
    r"\alpha_i \le C_0 / n$, let $\alpha'$ do so with $K'$, each any of several "
    r"minima, and let $h(x) = \sum_i \alpha_i y_i K(x_i, x)$, $h'(x) = \sum_i "
    r"\alpha_i' y_i K(x_i, x)$"
)


def _one(C_0, **given) -> Instance:
    """Points that are alike, one if there are no more labels, and lost in K'."""
    known = {"y": [[1]], "C_0": C_0, "x": [[1]], "label": -1} | given
    n = len(known["y"])
    return Instance.exactly([0], 1, points=[[1] * n], other=[[0] * n] * n, **known)


_ONE = _one(100)
_HALF = {"sqrt(2) * ": "0.5 * "}
_LESS = {"<= C_0": "<= 0.98 * C_0"}

SVM_STABILITY = Theorem(
    id="talwalkar2010:prop-5.2",
    kind="inequality",
    status="holds",
    title="Stability of support vector machines",
    number="Proposition 5.2",
    setting=f"{_MACHINE}, {_OVER_X}.",
    hypotheses={"labels": _LABELS, "weight": _WEIGHT},
    claims={
        "sharper": f"machine_change <= {_SHARP.format('point_bound')}",
        "printed": Claim(
            f"machine_change <= {_PRINTED.format('point_bound')}",
            says="The printed bound follows,",
        ),
        "ratio": Claim(
            f"{_SHARP.format('point_bound')} <= {_PRINTED.format('point_bound')} "
            "/ sqrt(n)",
            says=r"since it is larger by $\sqrt n$ and more:",
        ),
        "approached": Claim(
            f"machine_change == {_SHARP.format('point_bound')} - 1",
            when="C_0 * norm_2(other) == 0 and y == 1 and max(K) == min(K) "
            "and max(K) == point_bound and C_0 * point_bound >= 1",
            says=r"If $K' = 0$, all labels are $1$, all $K_{ij} = \kappa$ and $C_0 "
            r"\kappa \ge 1$, then",
        ),
    },
    complete=with_machine,
    cases=_cases,
    controls={
        "98 percent": Control("sharper", _ONE, _LESS),
        "labels 2": Control("sharper", _one(100, y=[[2]]), drops="labels"),
        "a half for the root of two": Control("printed", _ONE, _HALF),
        "larger by the root of 6 n": Control("ratio", _ONE, {"sqrt(n)": "sqrt(6 * n)"}),
        "2 for 1": Control("approached", _ONE, {"- 1": "- 2"}),
    },
)

# --- The printed proof ----------------------------------------------------------------

_BORDERED = Instance.exactly(
    [0], 1, points=[[1, 0], [0, 1]], other=[[1, 0], [0, 0]], x=[[0], ["9/10"]]
)
_NOTHING_MISSED = Instance.exactly([0], 1, points=[[1]])

_INDEFINITE = Printed(
    "below(0, bordered)",
    "gap in the proof",
    "Up to the thesis's (5.43) the proof is right: there $K'_{n+1}$ is the Gram matrix "
    "of a kernel. The step after it sets $K'(x, x_i) = K(x, x_i)$, that is, it takes "
    "$K'$ bordered with a row and a column of $K$ for that matrix, of which (5.43) "
    r"needs a square root. This need not be semidefinite: for $K = I$ of two points, "
    r"$K' = \operatorname{diag}(1, 0)$ and $x = \frac9{10} x_2$ its smallest "
    "eigenvalue is about $-0.58$. The statement is not touched, and where the bordered "
    "matrix is semidefinite the proof is complete.",
    _BORDERED,
    says=r"$K'_{n+1}$, of which the thesis's (5.43) has the root, is $\begin{pmatrix} "
    r"K' & k_x \\ k_x^\top & K(x, x) \end{pmatrix}$",
)

SVM_PROOF = Theorem(
    id="talwalkar2010:prop-5.2-proof",
    kind="claim",
    status="gap",
    title="The bordered kernel matrix",
    number="the proof of Proposition 5.2, after its equation (5.43)",
    setting=(
        r"Let $K$ and $K'$ be positive semidefinite, $k_x$ the column of the $K(x_i, "
        r"x)$, $P_{K'}$ the projector on the range of $K'$, and $\lambda_{\min}(x)$ "
        r"the smallest eigenvalue of $K'$ bordered with $k_x$, $k_x^\top$ and $K(x, x)$. "
        r"For a Nyström approximation let $E = K - \tilde K$."
    ),
    claims={
        "indefinite": Claim(
            "lowest_bordered <= (K_xx - sqrt(K_xx ** 2 + 4 * outside ** 2)) / 2",
            when="outside > 0",
            says=r"If $k_x$ is not in the range of $K'$, this is negative:",
        ),
        "lossy": Claim(
            "lowest_of_all < 0",
            when="norm_E > 0",
            says=r"If $K' = \tilde K$ misses something, it is so at nine tenths of "
            "some $x_i$:",
        ),
    },
    complete=with_bordering,
    controls={
        "five for four": Control("indefinite", _BORDERED, {"4 *": "5 *"}),
        "nothing missed": Control(
            "lossy",
            _NOTHING_MISSED,
            lacks=r"$E \ne 0$",
            unseen="the eigenvalue is zero, and rounding hides its sign",
        ),
    },
    printed={"bordered": _INDEFINITE},
)

# --- Corollary 5.1 --------------------------------------------------------------------

_HINGE = (
    "abs(max(0, 1 - label * other_machine_at_x) - max(0, 1 - label * machine_at_x))"
)

HINGE = Theorem(
    id="talwalkar2010:cor-5.1",
    kind="inequality",
    status="holds",
    title="The hinge loss moves no further",
    number="Corollary 5.1",
    setting=f"{_MACHINE} for a point $x$ of the feature space.",
    hypotheses={
        "labels": _LABELS,
        "weight": _WEIGHT,
        "label": Hypothesis("abs(label) == 1", says=r"$y \in \{-1, 1\}$"),
    },
    claims={
        "sharper": f"{_HINGE} <= {_SHARP.format('K_xx')}",
        "printed": Claim(f"{_HINGE} <= {_PRINTED.format('K_xx')}", says="As printed,"),
    },
    complete=_with_x,
    cases=_cases,
    controls={
        "98 percent": Control("sharper", _ONE, _LESS),
        "labels 2": Control("sharper", _one(100, y=[[2]]), drops="labels"),
        "label -2": Control("sharper", _one(100, label=-2), drops="label"),
        "a half for the root of two": Control("printed", _ONE, _HALF),
    },
)

# --- Corollary 5.2 --------------------------------------------------------------------

_CONSTANT = "8 / (3 * sqrt(3))"
_REGRESSION = f"C_0 * sqrt({_CONSTANT} * point_bound * change_2 / n)"


@quantity(
    r"K = \beta v v^\top,\ K' = 6 \beta e_1 e_1^\top,\ y = 2 \beta C_0 e_1,\ "
    r"\epsilon = 0,\ v = (2, -1, -1)^\top",
    "whether three points of a line are those that move most",
    CHOSEN,
)
def three_points(i):
    if i.n != 3 or float(i.extra["tube"]):
        return False
    beta, axis, v = i.K[1, 1], np.diag([1.0, 0, 0]), np.array([2.0, -1, -1])
    y = 2 * beta * float(i.extra["C_0"]) * axis[:, :1]
    told = (i.K, beta * np.outer(v, v)), (other(i), 6 * beta * axis), (i.extra["y"], y)
    return all(np.array_equal(*each) for each in told)


def _three(C_0, square=1, **given) -> Instance:
    """Of three points of a line the other matrix keeps the longest, as long as all."""
    at = [[2, -1, -1]]
    long = diagonal([6 * square**2, 0, 0])
    y = [[2 * square**2 * C_0], [0], [0]]
    points = [[square * a for a in at[0]]]
    known = {"y": y, "C_0": C_0, "tube": 0, "other": long} | given
    return Instance.exactly([0], 1, points=points, **known)


def _lines(rng):
    yield from some_points(rng)
    for power in range(8):
        for length in range(1, 9):
            yield _three(3 * 2**power, length)


SVR_STABILITY = Theorem(
    id="talwalkar2010:cor-5.2",
    kind="inequality",
    status="holds",
    title="Stability of support vector regression",
    number="Corollary 5.2",
    setting=(
        r"Let $K$ and $K'$ be positive semidefinite. Let $\beta$ minimise $\frac12 "
        r"\beta^\top K \beta - y^\top \beta + \epsilon \sum_i |\beta_i|$ over "
        r"$|\beta_i| \le C_0 / n$, let $\beta'$ do so with $K'$, each any of several "
        r"minima, and let $h(x) = \sum_i \beta_i K(x_i, x)$, $h'(x) = \sum_i \beta_i' "
        rf"K(x_i, x)$, {_OVER_X}."
    ),
    hypotheses={"weight": _WEIGHT, "tube": Hypothesis("tube >= 0", domain=True)},
    claims={
        "sharper": f"regression_change <= {_REGRESSION}",
        "printed": Claim(
            f"regression_change <= {_PRINTED.format('point_bound')}",
            says="As printed,",
        ),
        "attained": Claim(
            f"regression_change == {_REGRESSION}",
            when="three_points",
            says="The constant is attained by three points of a line,",
        ),
    },
    complete=_with_targets,
    cases=_lines,
    controls={
        "1.5 for 1.54": Control("sharper", _three(3), {_CONSTANT: "1.5"}),
        "a fifth": Control("printed", _three(3), {"sqrt(2) * ": "0.2 * "}),
        "attained, 1.5": Control("attained", _three(3), {_CONSTANT: "1.5"}),
    },
)
