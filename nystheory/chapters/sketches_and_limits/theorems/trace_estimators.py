"""The trace from a few products, an approximation taking the larger part.

Persson, Cortinovis and Kressner 2022; Epperly, Tropp and Webber 2024.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory.chapters.sketches_and_limits.theorems.sketches import Sketched
from nystheory.engine import Claim, Control, Hypothesis, Instance, Rate, Theorem, Where
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.sketched import of_seen


class IntegerSketch(Sketched):
    """A matrix and test vectors of small integers."""

    @classmethod
    def drawn(cls, instance, rng):
        """Up to 3, of either sign."""
        entries = rng.integers(-3, 4, (instance.n, instance.l))
        return instance.but(omega=entries.astype(float))


def left_by(K, vectors):
    """``K - K~`` for the sketch with these vectors; what sees nothing is skipped."""
    smallest = 1e-12 * np.abs(K).max(initial=0.0)
    for v in vectors.T:
        seen = K @ v
        size = v @ seen
        if size > smallest * (v @ v):
            K = K - np.outer(seen, seen) / size
    return K


def exchangeable_by_inverse(values: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """The same for a diagonal K, from one inverse, for many test matrices at once.

    ``tr K~ + mean of (1 - norm(Y H^-1 e_j)^2) / (H^-1)_jj`` with ``Y = K omega`` and
    ``H = omega' Y``: all l approximations at the price of one.

    Parameters
    ----------
    values : array (n,)
        The diagonal of K.
    omega : ndarray (..., n, l)

    Examples
    --------
    >>> exchangeable_by_inverse(np.ones(2), np.ones((1, 2, 1))).tolist()
    [2.0]
    """
    Y = values[:, None] * omega
    inverse = np.linalg.inv(np.swapaxes(omega, -1, -2) @ Y)
    weights = Y @ inverse
    diagonal = np.diagonal(inverse, axis1=-2, axis2=-1)
    excess = (1 - (weights**2).sum(axis=-2)) / diagonal
    return (weights * Y).sum(axis=(-2, -1)) + excess.mean(axis=-1)


def girard_hutchinson(values, omega):
    """The mean of ``w' K w`` for a diagonal K: no approximation at all."""
    return (values[:, None] * omega**2).sum(axis=-2).mean(axis=-1)


def _of_vectors(i):
    return np.sum(i.omega**2) * of_seen(i, i.omega)


def _estimate(i, seeing, testing) -> float:
    """The trace of the approximation, and what the other vectors find of the rest."""
    omega = i.omega
    rest = left_by(i.K, omega[:, seeing])
    found = np.mean([w @ rest @ w for w in omega[:, testing].T])
    return np.trace(i.K) - np.trace(rest) + found


_estimated = partial(IntegerSketch.quantity, when=SAMPLE, condition=_of_vectors)


@_estimated(r"\hat T", "exchangeable estimate of the trace")
def exchangeable(i):
    every = range(i.l)
    return np.mean([_estimate(i, [m for m in every if m != j], [j]) for j in every])


@_estimated("T", "estimate of the trace by two halves of the vectors")
def half_and_half(i):
    half = i.l // 2
    return _estimate(i, slice(half), slice(half, None))


# --- The decay ------------------------------------------------------------------------

IntegerSketch.quantity(
    r"\bigl(\mathbb E\,(\hat T - \operatorname{tr} K)^2\bigr)^{1/2}",
    "root mean square error of the exchangeable estimate",
    name="mean_square_error",
    inexact="a mean over a continuous law",
)(lambda i: None)
IntegerSketch.quantity(
    "c", "a constant", name="some_constant", inexact="no number is claimed"
)(lambda i: None)
_EXPONENT = -1


def root_mean_square(estimator, n: int, columns: int, rng, draws: int) -> float:
    """Error for the eigenvalues 1, 1/2, ..., 1/n and Gaussian vectors.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> root_mean_square(exchangeable_by_inverse, 40, 20, rng, 100) < 0.3
    True
    """
    values = 1 / np.arange(1.0, n + 1)
    omega = rng.standard_normal((draws, n, columns))
    errors = estimator(values, omega) - values.sum()
    return float(np.sqrt(np.mean(errors**2)))


# l + 1, in the measurement.
_SIZES = (5, 9, 17, 33)


def _decay(estimator) -> Rate:
    """Measured against l + 1."""

    def measure(size, rng):
        columns = size - 1
        return root_mean_square(estimator, 4 * columns, columns, rng, draws=50)

    return Rate(_SIZES, measure, _EXPONENT, -0.5, width=0.15, repeats=80)


# --- Instances ------------------------------------------------------------------------


def _cases(rng):
    for size, columns in ((1, 1), (2, 1), (3, 1), (2, 2), (3, 2), (4, 2), (2, 3)):
        for name, X in (
            ("general", rng.standard_normal((size, size))),
            ("integers", rng.integers(-2, 3, (size, size)).astype(float)),
            ("rank 1", np.ones((1, size))),
            ("unequal", np.diag(10.0 ** -np.arange(size))),
        ):
            yield Instance.from_points(X, [0] * columns, 1, name)


_NOT_LEFT_OUT = "trace(sketch) + trace(omega.T @ (K - sketch) @ omega) / l"
_IDENTITY = [[1, 0], [0, 1]]
_ONE = IntegerSketch.exactly([0], 1, matrix=_IDENTITY, omega=[[1], [0]])
_TWO = IntegerSketch.exactly([0, 0], 1, matrix=_IDENTITY, omega=[[1, 1], [0, 1]])

TRACE_ESTIMATORS = Theorem(
    id="modern:nystrom-plus-plus",
    kind="expectation",
    status="to-confirm",
    title="Estimates of a trace",
    number="Persson et al. 2022; Epperly, Tropp and Webber 2024",
    setting=(
        r"Let the columns $\omega_1, \dots, \omega_l$ of $\Omega$ be independent "
        r"vectors with $\mathbb E\, \omega_j \omega_j^\top = I$, and let $\tilde K_J$ "
        r"be the Nyström approximation from the sketch by the vectors in $J$. With $J$ "
        r"the first half and $m$ vectors in the other half $J'$, let $T = "
        r"\operatorname{tr} \tilde K_J + \frac1m \sum_{j \in J'} \omega_j^\top (K - "
        r"\tilde K_J)\, \omega_j$. With $(j)$ for all but $j$, let $\hat T = \frac1l "
        r"\sum_j \bigl(\operatorname{tr} \tilde K_{(j)} + \omega_j^\top (K - \tilde "
        r"K_{(j)})\, \omega_j\bigr)$ be the exchangeable estimate."
    ),
    hypotheses={
        # The mean over one vector, given the others, uses only independence.
        "semidefinite": Hypothesis(
            "below(0, K)", says="$K$ be positive semidefinite", necessary="not known"
        )
    },
    where={
        "Y": Where("Y", "K @ omega"),
        "H": Where("H", "omega.T @ Y"),
        "sketch": Where(r"\tilde K", "Y @ pinv(H) @ Y.T"),
        "lengths": Where(
            r"\|Y H^{-1} e_j\|^2", "diag(inv(H) @ Y.T @ Y @ inv(H))", False
        ),
        "inverse_diag": Where("(H^{-1})_{jj}", "diag(inv(H))", False),
    },
    claims={
        "exchangeable": Claim("mean(exchangeable) == trace_K", law="signs"),
        "halves": Claim("mean(half_and_half) == trace_K", when="l >= 2", law="signs"),
        "unlike vectors": Claim(
            "mean(exchangeable) == trace_K",
            law="signs_and_axes",
            says="The vectors may have different laws, such as signs and multiples of "
            "axes:",
        ),
        "unlike halves": Claim(
            "mean(half_and_half) == trace_K", when="l >= 2", law="signs_and_axes"
        ),
        "one inverse": Claim(
            "exchangeable == trace(sketch) + 1 / l * sum((1 - lengths) / inverse_diag)",
            when="det(H) != 0",
            says="One inverse is enough",
        ),
        "decay": Claim(
            f"mean_square_error == some_constant * (l + 1)**({_EXPONENT})",
            rate=_decay(exchangeable_by_inverse),
            says=r"For the eigenvalues $1, \frac12, \dots, \frac1n$ with $n = 4l$ and "
            f"Gaussian vectors, measured from $l = {_SIZES[0] - 1}$ to "
            f"${_SIZES[-1] - 1}$, the error falls like",
        ),
    },
    world=IntegerSketch,
    cases=_cases,
    suite=False,
    controls={
        "no vector left out": Control(
            "exchangeable", _ONE, {"exchangeable": _NOT_LEFT_OUT}
        ),
        "half of the tests see all": Control(
            "exchangeable", _ONE, {"exchangeable": "(exchangeable + trace(sketch)) / 2"}
        ),
        "signs times 3/2 and 1/2": Control("exchangeable", _ONE, law="scaled_signs"),
        "the same vector twice": Control("exchangeable", _TWO, law="repeated_signs"),
        "halves of the same vector": Control("halves", _TWO, law="repeated_signs"),
        "scaled vectors": Control("unlike vectors", _ONE, law="scaled_signs"),
        "halves of scaled vectors": Control("unlike halves", _TWO, law="scaled_signs"),
        "two for one": Control("one inverse", _TWO, {"(1 - lengths": "(2 - lengths"}),
        "without an approximation": Control(
            "decay",
            _decay(girard_hutchinson),
            lacks="an approximation",
            inexact="a slope is measured, not proved",
        ),
    },
)
