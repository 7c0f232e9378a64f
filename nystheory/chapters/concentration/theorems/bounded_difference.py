"""What one exchanged landmark does to the sampled covariance.

Talwalkar 2010, inequalities (5.4) to (5.6).
"""

from __future__ import annotations

from itertools import product

import numpy as np

from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.concentration import d_max
from nystheory.engine.worlds.quantities import quantity
from nystheory.engine.worlds.worlds import Given

# --- Two samples ---------------------------------------------------------------------


class Exchange(Instance):
    """The columns of one matrix, and another sample of as many of them."""

    # Any numbers are read as landmarks.
    other = Given(axes=("l",))

    @classmethod
    def drawn(cls, instance, rng):
        """The two points exchanged that differ most in the Frobenius norm, or any."""
        other, table = instance.landmarks.astype(float), _differences(instance)[1]
        a, b = np.unravel_index(np.argmax(table), table.shape)
        out, new = (a, b) if rng.random() < 0.5 else (b, a)
        places = np.flatnonzero(instance.landmarks == out)
        if len(places) == 0 or rng.random() < 0.2:
            places, new = [rng.integers(instance.l)], rng.integers(instance.n)
        other[places[0]] = new
        return instance.but(other=other)


def _other(i):
    """The instance with the other sample."""
    rounded = np.floor(np.ravel(i.other) + 0.5).astype(int)
    return i.but(landmarks=rounded % i.n)


@Exchange.quantity(
    r"|\{j : s_j \ne s_j'\}|",
    "number of landmarks in which two samples differ",
    SAMPLE,
    unit=None,
)
def exchanged(i):
    return (_other(i).landmarks != i.landmarks).sum()


@Exchange.quantity(
    r"\|XX^\top-Z'Z'^\top\|_2", "spectral distance of the other sample", SAMPLE
)
def other_distance_2(i):
    return np.abs(_other(i).distance).max()


@Exchange.quantity(
    r"\|XX^\top-Z'Z'^\top\|_F", "Frobenius distance of the other sample", SAMPLE
)
def other_distance_F(i):
    return np.linalg.norm(_other(i).distance)


# --- Two points ----------------------------------------------------------------------


def _differences(i):
    """``|aa' - bb'|`` for all pairs of points, spectral and Frobenius norm, (n, n).

    With ``u = a - b`` and ``v = a + b`` it is ``(uv' + vu') / 2``, which has the
    eigenvalues ``(u.v +- |u| |v|) / 2``.
    """
    a, b = i.points[:, :, None], i.points[:, None, :]
    lengths = np.linalg.norm(a - b, axis=0) * np.linalg.norm(a + b, axis=0)
    inner = ((a - b) * (a + b)).sum(axis=0)
    return (np.abs(inner) + lengths) / 2, np.sqrt((inner**2 + lengths**2) / 2)


@quantity(
    r"\max_{ij} \|x_i x_i^\top - x_j x_j^\top\|_2",
    "largest difference of two points, each times its transpose, spectral norm",
)
def difference_2(i):
    return _differences(i)[0].max()


@quantity(
    r"\max_{ij} \|x_i x_i^\top - x_j x_j^\top\|_F",
    "largest difference of two points, each times its transpose, Frobenius norm",
)
def difference_F(i):
    return _differences(i)[1].max()


@quantity(r"\min_i K_{ii}", "smallest diagonal entry of the matrix")
def K_min(i):
    return np.diag(i.K).min()


# --- Points that attain the bounds, for every R and d --------------------------------


def attaining(R: float, d: float, norm: int | str, equal: bool) -> Exchange:
    """Points twice each, of which an exchange of the second for the first shows most.

    Parameters
    ----------
    R, d : float
        Largest length and largest distance; ``d <= 2 R``.
    norm : {2, "fro"}
    equal : bool
        Whether all points have length R.

    Examples
    --------
    >>> attaining(1.0, 0.5, 2, equal=False).points[:, ::2].tolist()
    [[1.0, 0.5], [0.0, 0.0]]
    """
    if equal or (norm == "fro" and 3 * d > 2 * R):
        distance = min(d, np.sqrt(2) * R)
        b = _on_circle(R, distance)
    else:
        distance = min(d, R)
        b = np.array([R - distance, 0.0])
    points = [np.array([R, 0.0]), b]
    if distance < d:
        # Farther than the worst pair: a third point makes up for that.
        points.append(_on_circle(R, d))
    X = np.repeat(np.column_stack(points), 2, axis=1)
    return Exchange.from_points(X, range(0, X.shape[1], 2), 1, "the worst exchange")


def _on_circle(R, distance):
    """A point of length R at this distance from ``(R, 0)``."""
    angle = 2 * np.arcsin(min(1.0, distance / (2 * R))) if R > 0 else 0.0
    return R * np.array([np.cos(angle), np.sin(angle)])


def _largest_change(i, norm, equal):
    R = np.sqrt(np.diag(i.K).max())
    d = min(d_max(i), 2 * R)
    case = attaining(R, d, norm, equal)
    known = np.array([np.diag(case.K).max(), d_max(case) * R])
    if np.abs(known - [R**2, d * R]).max() > 1e-12 * R**2:
        return None
    after = case.but(landmarks=[0, 1, *case.landmarks[2:]])
    order = 2 if norm == "fro" else np.inf
    before, then = (np.linalg.norm(c.distance, order) for c in (case, after))
    return (then - before) * case.l / case.n


def _attained(name, latex, norm, equal):
    """Enter what the worst exchange changes."""
    meaning = (
        r"change of $\frac ln \|X X^\top - Z Z^\top\|$ by an exchange of points that "
        "attain it"
    )

    @quantity(latex, meaning, name=name)
    def fast(i):
        return _largest_change(i, norm, equal)


_attained("attained_2", r"\Delta_2", 2, equal=False)
_attained("attained_F", r"\Delta_F", "fro", equal=False)
_attained("attained_2_equal", r"\bar\Delta_2", 2, equal=True)
_attained("attained_F_equal", r"\bar\Delta_F", "fro", equal=True)

# --- The theorem ---------------------------------------------------------------------


def _cases(rng):
    """The worst pairs at many distances, and points of one length."""
    far = (1e-3, 0.1, 0.3, 0.5857, 0.6666, 0.6667, 0.8, 1.0, 1.2, 1.5, 1.7, 2.0)
    for d, norm, equal in product(far, (2, "fro"), (False, True)):
        case = attaining(1.0, d, norm, equal)
        yield case.but(other=[0.0, 1.0, *case.landmarks[2:]])
    for size in range(2, 8):
        for _ in range(8):
            X = rng.standard_normal((int(rng.integers(2, 4)), size))
            landmarks = rng.integers(size, size=int(rng.integers(1, size + 1)))
            yield Instance.from_points(X / np.linalg.norm(X, axis=0), landmarks, 1)


# Points twice each, one of each sampled, and another sample.
_ONE_RAY = Exchange.exactly([0, 2], 1, points=[[1, 1, "0.7", "0.7"]], other=[0, 1])
_NEAR = Exchange.exactly([0, 2], 1, points=[[1, 1, "0.99", "0.99"]], other=[0, 1])
_RIGHT_ANGLE = Exchange.exactly(
    [0, 2], 1, points=[[1, 1, 0, 0], [0, 0, 1, 1]], other=[0, 1]
)
_FOUR_TIMES = Exchange.exactly(
    [0, 1, 4, 5], 1, points=[[1] * 4 + [0] * 4, [0] * 4 + [1] * 4], other=[0, 1, 2, 3]
)
_EQUAL = "K_min == K_max"
_LESS = {"<= ": "<= 0.99 * "}
_ROOT_2 = {"g_2": "sqrt(2) * d_max * R"}


def _any_lengths(claim) -> Control:
    return Control(claim, _ONE_RAY, lacks="K_min == K_max")


def _not_attained(claim, on) -> Control:
    return Control(claim, on, {"==": "== 0.99 *"})


BOUNDED_DIFFERENCE = Theorem(
    id="talwalkar2010:eq-5.6",
    kind="inequality",
    status="holds",
    title="One landmark exchanged",
    number="inequalities (5.4) to (5.6)",
    setting=(
        r"Let $K = X^\top X$, let $X_S$ and $X_{S'}$ each be $l$ of the columns $x_i$ "
        r"of $X$, repetitions allowed, $Z = \sqrt{n/l}\, X_S$, $Z' = \sqrt{n/l}\, "
        r"X_{S'}$, and let $d_{\max}$ be the largest distance $\|x_i - x_j\|$."
    ),
    hypotheses={
        "one exchange": Hypothesis(
            "exchanged <= 1", says="the two samples differ in at most one landmark"
        )
    },
    claims={
        "exchange": "abs(other_distance_F - distance_F) <= n / l * g_F",
        "exchange, spectral": "abs(other_distance_2 - distance_2) <= n / l * g_2",
        "pairs": Claim("difference_F <= g_F", says="For all pairs of points"),
        "pairs, spectral": "difference_2 <= g_2",
        "equal lengths": Claim(
            "abs(other_distance_F - distance_F) <= n / l * g_F_equal",
            when=_EQUAL,
            says="Smaller numbers suffice",
        ),
        "equal lengths, spectral": Claim(
            "abs(other_distance_2 - distance_2) <= n / l * g_2_equal", when=_EQUAL
        ),
        "pairs of equal length": Claim("difference_F <= g_F_equal", when=_EQUAL),
        "pairs of equal length, spectral": Claim(
            "difference_2 <= g_2_equal", when=_EQUAL
        ),
        "attained": Claim(
            "attained_F == g_F",
            says=r"None of the four can be replaced by a smaller function of $R$ and "
            r"$d_{\max}$: for all $0 \le d_{\max} \le 2 R$ there are points with these "
            r"numbers, in the last two cases of one length, and an exchange among "
            r"them that changes $\frac ln \|X X^\top - Z Z^\top\|$ by",
        ),
        "attained, spectral": "attained_2 == g_2",
        "attained, equal lengths": "attained_F_equal == g_F_equal",
        "attained, equal lengths, spectral": "attained_2_equal == g_2_equal",
        "as printed": Claim(
            "g_F <= 2 * d_max * sqrt(K_max)",
            says=r"The printed $\frac{2n}{l} d_{\max} K_{\max}^{1/2}$ is at least as "
            "large in all cases:",
        ),
        "as printed, the others": (
            "max(g_2, g_2_equal, g_F_equal) <= 2 * d_max * sqrt(K_max)"
        ),
        "both norms": Claim("g_F <= sqrt(2) * g_2", says="Moreover"),
    },
    world=Exchange,
    cases=_cases,
    controls={
        "two landmarks exchanged": Control(
            "exchange, spectral", _FOUR_TIMES, drops="one exchange"
        ),
        "one percent less": Control("exchange", _RIGHT_ANGLE, _LESS),
        "the root of 2": Control("exchange, spectral", _ONE_RAY, _ROOT_2),
        "two points on one ray": Control("pairs, spectral", _ONE_RAY, _ROOT_2),
        "lengths do not add up": Control(
            "pairs, spectral", _RIGHT_ANGLE, {"g_2": "0.99 * K_max"}
        ),
        "one ray is the worst": Control(
            "pairs", _RIGHT_ANGLE, {"g_F": "d_max * (2 * R - d_max)"}
        ),
        "the same in both norms": Control("pairs", _RIGHT_ANGLE, {"g_F": "g_2"}),
        "any lengths": _any_lengths("equal lengths"),
        "any lengths, spectral": _any_lengths("equal lengths, spectral"),
        "any pairs": _any_lengths("pairs of equal length"),
        "any pairs, spectral": _any_lengths("pairs of equal length, spectral"),
        "less is attained": _not_attained("attained", _ONE_RAY),
        "less is attained, spectral": _not_attained("attained, spectral", _ONE_RAY),
        "less is attained, equal lengths": _not_attained(
            "attained, equal lengths", _RIGHT_ANGLE
        ),
        "less is attained, equal lengths, spectral": _not_attained(
            "attained, equal lengths, spectral", _RIGHT_ANGLE
        ),
        "less than printed": Control("as printed", _NEAR, {"2 *": "1.98 *"}),
        "less than printed, the others": Control(
            "as printed, the others", _NEAR, {"<= 2 *": "<= 1.98 *"}
        ),
        "1.4 in place of the root": Control(
            "both norms", _RIGHT_ANGLE, {"sqrt(2)": "1.4"}
        ),
    },
)
