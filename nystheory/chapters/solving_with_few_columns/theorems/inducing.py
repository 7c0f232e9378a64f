"""Prediction with inducing points: how far mean and variance are from the exact ones.

The approximate posterior is that of Titsias 2009; after Burt, Rasmussen and van der
Wilk 2019, who bound its divergence from the exact one.
"""

from __future__ import annotations

import numpy as np

from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem
from nystheory.engine.language.claims import Where
from nystheory.engine.language.quantity import CHOSEN
from nystheory.engine.worlds.between import SEMIDEFINITE
from nystheory.engine.worlds.worlds import Given


class Prediction(Instance):
    """The columns of one matrix, observations with noise, and a new point."""

    at_new = Given(
        "w", "coefficients of a new point in the points, n x 1", axes=("n", "one")
    )
    beyond = Given("r", "squared length of its part beyond them", range="beyond >= 0")

    @classmethod
    def drawn(cls, instance, rng):
        """Noise of any size, observations, and a new point that may be a landmark."""
        i, unit = instance, 2.0 ** np.round(np.log2(instance.norm_K or 1.0))
        noise = unit * 2.0 ** rng.integers(-4, 3)
        y, w = rng.integers(-3, 4, (2, i.n, 1)).astype(float)
        way = rng.random()
        if way < 0.4:  # a combination of the landmarks
            w[i.others] = 0.0
        elif way < 0.7:  # what is missed most
            w = np.linalg.eigh(i.full.error)[1][:, [-1]]
        beyond = 0.0 if way < 0.6 else unit * 2.0 ** rng.integers(-3, 2)
        return i.but(noise=noise, y=y, at_new=w, beyond=beyond).with_room()

    def with_room(self):
        """A bound on k(x, x) a little above that of the new point: rounding decides."""
        own = float(np.sum(self.at_new * (self.K @ self.at_new))) + self.beyond
        return self.but(bound_of_points=own * 1.0625)


@Prediction.quantity(
    r"w_i = 0 \text{ for all } i \notin S \text{ and } r = 0",
    "whether a new point is a combination of the landmarks",
    CHOSEN,
)
def spanned(i):
    return bool(i.beyond == 0 and not np.any(i.at_new[i.others]))


def _leaning(size: float, missed: float):
    """A landmark, and a long point that leans out of its span."""
    return np.array([[0.5, size], [0.0, np.sqrt(missed)]])


def _cases(rng):
    """One missed direction of every size, where the bounds are attained; others."""
    for _ in range(80):
        n = int(rng.integers(3, 7))
        X = rng.integers(-2, 3, (n, n)) + 2.0 * np.eye(n)
        yield Prediction.from_points(X, range(rng.integers(1, n - 1)), 1, "integers")
    for missed in 4.0 ** np.arange(-6, 4):
        for size in (0.25, 1.0, 8.0):
            K, axis = np.diag([1.0, missed]), np.array([[0.0], [size]])
            given = {"noise": 1.0, "y": axis, "beyond": 0.0}
            case = Prediction(K, [0], 1, name="one missed", at_new=axis, **given)
            yield case.with_room()
            X = _leaning(2 * size, missed)
            for new in ([[1.0], [0.0]], [[1.0], [0.5]], [[-2.0], [0.5]]):
                w = np.linalg.solve(X, new)
                case = Prediction.from_points(X, [0], 1, "leaning", at_new=w, **given)
                yield case.with_room()


_R, _RT = (
    "inv(K + noise * identity(n))",
    "inv(full_approximation + noise * identity(n))",
)
_KX, _QX = "K @ at_new", "full_approximation @ at_new"
_OWN = "trace(at_new.T @ K @ at_new) + beyond"
_FIT = "trace(y.T @ inverse_near @ y) - trace(y.T @ inverse @ y)"
_BY_NORM = "norm_E * norm_y**2 / (noise * (noise + norm_E))"

_ONE_MISSED = {"y": [[0], [1]], "at_new": [[0], [1]], "noise": 1}
_MISSED = Prediction.orthogonal(1, 1, beyond=0, **_ONE_MISSED)
_LARGE = Prediction.orthogonal(1, 4, beyond=0, **_ONE_MISSED)
_LITTLE = Prediction.orthogonal(
    1, "1/4", beyond=0, bound_of_points="1/4", **_ONE_MISSED
)
_LONGER = Prediction.orthogonal(1, 1, beyond=0, bound_of_points="1/4", **_ONE_MISSED)
_NEGATIVE = Prediction.orthogonal(1, 1, beyond="-1/4", **_ONE_MISSED)
_INDEFINITE = Prediction.orthogonal(1, "-1/2", beyond="3/4", **_ONE_MISSED)
_UNLIKE = Prediction.orthogonal(
    1, 1, 4, noise=1, y=[[0], [1], [1]], at_new=[[0], [1], [1]], beyond=0
)


def _beside(w) -> Prediction:
    """A short landmark and a long point that leans out of its span; t = 1."""
    return Prediction.exactly(
        [0],
        1,
        points=[["1/2", 10], [0, 1]],
        noise=1,
        y=[[0], [1]],
        at_new=w,
        beyond=0,
    )


# The new point: the landmark twice, the other point, and one on either side of it.
_LANDMARK, _OTHER = _beside([[2], [0]]), _beside([[0], [1]])
_AHEAD, _ACROSS = _beside([[-8], [1]]), _beside([[-52], [1]])

INDUCING = Theorem(
    id="modern:gp-inducing",
    kind="inequality",
    status="new",
    title="Mean and variance with inducing points",
    number="after Burt, Rasmussen and van der Wilk 2019",
    setting=(
        r"Let $K$ be positive semidefinite, $\tilde K = C W^+ C^\top$ and $E = K - "
        r"\tilde K$. A new point has the kernel values $k_x = K w$ with the points "
        r"and $k_{xx} = w^\top K w + r$ with itself, $r \ge 0$; $q_x = \tilde K w$ is "
        "their approximation from the landmarks. A Gaussian process with noise "
        r"$\sigma^2$ predicts it from $y$ with the mean $m = k_x^\top R\, y$ and the "
        r"variance $v = k_{xx} - k_x^\top R\, k_x$, with inducing points $m' = "
        r"q_x^\top \tilde R\, y$ and $v' = k_{xx} - q_x^\top \tilde R\, q_x$."
    ),
    hypotheses={
        "noise": Hypothesis("noise > 0", domain=True),
        "not zero": Hypothesis("own > 0", domain=True),
    },
    where={
        "own": Where("k_{xx}", _OWN, told=False),
        "inverse": Where("R", _R),
        "inverse_near": Where(r"\tilde R", _RT),
        "mean_all": Where("m", f"trace(({_KX}).T @ inverse @ y)", told=False),
        "mean_near": Where("m'", f"trace(({_QX}).T @ inverse_near @ y)", told=False),
        "variance_all": Where(
            "v", f"own - trace(({_KX}).T @ inverse @ {_KX})", told=False
        ),
        "variance_near": Where(
            "v'", f"own - trace(({_QX}).T @ inverse_near @ {_QX})", told=False
        ),
        "variance_mixed": Where(
            "v''", f"own - trace(({_KX}).T @ inverse_near @ {_KX})"
        ),
        "unseen": Where(r"\rho", "trace(at_new.T @ E @ at_new) + beyond"),
        "t": Where("t", "norm_E / noise"),
        "factor": Where(r"\theta", "1 + t / 2 + sqrt(t + t**2 / 4)"),
    },
    claims={
        "mean": Claim(
            f"(mean_all - mean_near)**2 <= variance_all * ({_FIT})", says="Mean:"
        ),
        "mean, norm": f"{_FIT} <= {_BY_NORM}",
        "mean, average": Claim(
            "mean((mean_all - mean_near)**2 / variance_all) <= trace_E / noise",
            law="second_moment",
            says=r"If $\mathbb E\, y y^\top = K + \sigma^2 I$, then",
        ),
        "mean, everywhere": Claim(
            "abs(mean_all - mean_near) <= norm_y * sqrt(point_bound / noise) "
            "* sqrt(norm_E / (noise + norm_E))",
            when="own <= point_bound",
            says="A bound that is known before anything is solved:",
        ),
        "mean, attained": Claim(
            f"(mean_all - mean_near)**2 == variance_all * {_BY_NORM}",
            when="C.T @ y == 0 and at_new == y and beyond == 0 and E @ y == norm_E * y",
            says="Both inequalities for the mean are attained if $y$ is an "
            r"eigenvector of $E$ for $\|E\|_2$ that the landmarks do not see, and $w "
            "= y$, that is",
            reason="only the pairs of points that this theorem brings along meet the "
            "condition; they have one missed direction",
        ),
        "variance, above": Claim(
            "variance_near - variance_all <= unseen", says="Variance:"
        ),
        "variance, ratio": "variance_near / variance_all <= factor",
        "variance, below": "variance_all / variance_near <= factor",
        "overconfident": Claim(
            "variance_near <= variance_all",
            when="spanned",
            says="At a combination of the landmarks, that is",
        ),
        "overconfident, ratio": Claim(
            "variance_all / variance_near <= 1 + t", when="spanned"
        ),
        "mixed": Claim(
            "variance_mixed <= variance_all",
            says=r"With $\tilde R$ and the true $k_x$ the variance is too small,",
        ),
        "mixed, below": f"variance_all - norm_F({_KX})**2 * norm_E "
        "/ (noise * (noise + norm_E)) <= variance_mixed",
    },
    world=Prediction,
    cases=_cases,
    controls={
        "0.9 of the mean": Control(
            "mean", _MISSED, {"<= variance_all": "<= 0.9 * variance_all"}
        ),
        "the noise twice": Control(
            "mean, norm",
            _MISSED,
            {"(noise * (noise + norm_E))": "(noise + norm_E)**2"},
        ),
        "0.9 of the trace": Control("mean, average", _MISSED, {"<=": "<= 0.9 *"}),
        "0.8 of the root": Control("mean, everywhere", _LITTLE, {"<=": "<= 0.8 *"}),
        "a longer point": Control(
            "mean, everywhere", _LONGER, lacks="own <= point_bound"
        ),
        "errors of unlike size": Control(
            "mean, attained", _UNLIKE, lacks="E @ y == norm_E * y"
        ),
        "0.99 of what is unseen": Control(
            "variance, above", _OTHER, {"<=": "<= 0.99 *"}
        ),
        "indefinite": Control("variance, above", _INDEFINITE, lacks=SEMIDEFINITE),
        "without the root": Control("variance, ratio", _AHEAD, {"factor": "1 + t"}),
        "0.99 of the factor": Control(
            "variance, ratio", _AHEAD, {"factor": "0.99 * factor"}
        ),
        "a negative square": Control("variance, ratio", _NEGATIVE, drops="beyond"),
        "without the root, below": Control(
            "variance, below", _ACROSS, {"factor": "1 + t"}
        ),
        "0.95 of the factor": Control(
            "variance, below", _ACROSS, {"factor": "0.95 * factor"}
        ),
        "a point that is not spanned": Control(
            "overconfident", _AHEAD, lacks="spanned"
        ),
        "0.95 at a landmark": Control(
            "overconfident, ratio", _LANDMARK, {"1 + t": "0.95 * (1 + t)"}
        ),
        "never negative": Control("mixed", _LARGE, {"<= variance_all": ">= 0"}),
        "0.9 of the norm": Control(
            "mixed, below", _LARGE, {"* norm_E": "* 0.9 * norm_E"}
        ),
    },
)
