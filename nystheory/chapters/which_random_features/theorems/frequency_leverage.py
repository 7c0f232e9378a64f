"""How many random frequencies ridge regression needs, with all constants.

Avron, Kapralov, Musco, Musco, Velingker and Zandieh 2017.
"""

from __future__ import annotations

from functools import partial
from itertools import islice

import numpy as np
import scipy.stats

from nystheory.engine import Claim, Control, Theorem, Where
from nystheory.engine.language.claims import SUMS
from nystheory.engine.language.quantity import BEFORE, SAMPLE
from nystheory.engine.worlds import laws
from nystheory.engine.worlds.drawn_columns import LISTED, counts
from nystheory.engine.worlds.worlds import Given, Size, World


class DrawnFrequencies(World):
    """A finite law of frequencies, n points, and how often each is drawn.

    What a frequency turns a point by is told by the tangent of half the angle.
    """

    n = Size("n", "number of points")
    m = Given(
        "m",
        "number of drawn frequencies",
        range="1 <= floor(m) == m",
        says=r"$m \ge 1$ be an integer",
    )
    turns = Given(axes=("frequencies", "n"))
    p = Given(
        "p",
        "probabilities of the frequencies in the spectrum",
        axes=("frequencies",),
        range="min(p) > 0 and sum(p) == 1",
        says=r"$p$ have the sum $1$",
    )
    q = Given(
        "q",
        "probabilities with which they are drawn",
        axes=("frequencies",),
        range="min(q) > 0 and sum(q) == 1",
        says=r"$q$ have the sum $1$",
    )
    signal = Given("f", "signal at the points", axes=("n",))
    times = Given(axes=("frequencies",), drawn=True)

    @classmethod
    def drawing(cls, m, turns, p, q=None, **given):
        """So many draws, whichever they are: a law says with what chance."""
        known = {"alpha": 1, "accuracy": "1/2", "delta": 1, "noise": 1} | given
        known.setdefault("signal", [1] * len(turns[0]))
        times = [m, *[0] * (len(p) - 1)]
        return cls.exactly(m=m, turns=turns, p=p, q=q or p, times=times, **known)

    @classmethod
    def drawn(cls, instance, rng):
        """A few frequencies and points, with probabilities that are eighths."""
        size, n, m = (int(x) for x in rng.integers(1, [4, 4, 6]))
        turns = rng.integers(-4, 5, (size, n)) / 2.0 ** rng.integers(0, 2)
        p, q = ((1 + rng.multinomial(8 - size, np.ones(size) / size)) / 8 for _ in "pq")
        if rng.random() < 0.5:
            q = p
        known = {
            "alpha": 2.0 ** rng.integers(-4, 2),
            "accuracy": 2.0 ** rng.integers(-3, 4),
            "delta": 2.0 ** rng.integers(-8, 1),
            "noise": 2.0 ** rng.integers(-2, 3),
        }
        signal = rng.integers(-3, 4, n).astype(float)
        times = rng.multinomial(m, q).astype(float)
        return cls(turns=turns, p=p, q=q, m=m, signal=signal, times=times, **known)


def _waves(i):
    """Cosines and sines of each frequency at the points, (frequencies, n, 2)."""
    angles = 2 * np.arctan(np.asarray(i.turns, dtype=float))
    return np.stack([np.cos(angles), np.sin(angles)], axis=2)


def _summed(i, weights):
    A = _waves(i)
    return np.einsum("j,jac,jbc->ab", np.asarray(weights, dtype=float), A, A)


def _exact(i):
    return _summed(i, i.p)


def _drawn(i):
    times = np.asarray(i.times) * np.asarray(i.p) / (np.asarray(i.q) * float(i.m))
    return _summed(i, times)


def _of_weights(i):
    return 1 + float(np.max(np.asarray(i.p) / np.asarray(i.q)))


def _of_ridge(i):
    return (1 + i.n / float(i.alpha)) ** 2 * _of_weights(i)


_measured = partial(DrawnFrequencies.quantity, unit=0)


@_measured("K", "kernel matrix")
def K(i):
    return _exact(i)


@_measured(
    r"\tilde K", "kernel matrix of the drawn frequencies", SAMPLE, condition=_of_weights
)
def approximation(i):
    return _drawn(i)


def _ridged(i, M):
    return M + float(i.alpha) * np.eye(len(M))


def _scores(i):
    A = _waves(i)
    inverse = np.linalg.inv(_ridged(i, _exact(i)))
    return np.einsum("jac,ab,jbc->j", A, inverse, A)


@_measured(r"\tau", "leverage of each frequency", condition=_of_ridge)
def scores(i):
    return _scores(i)


@_measured(r"d_{\mathrm{eff}}(\alpha)", "effective dimension", condition=_of_ridge)
def d_eff(i):
    values = np.linalg.eigvalsh(_exact(i)).clip(0)
    return np.sum(values / (values + float(i.alpha)))


@_measured(
    r"L",
    "largest leverage of a frequency times the quotient of its probabilities",
    condition=_of_ridge,
)
def largest_ratio(i):
    return np.max(_scores(i) * np.asarray(i.p) / np.asarray(i.q))


@DrawnFrequencies.quantity(
    r"(1-\varepsilon)(K + \alpha I) \preceq \tilde K + \alpha I \preceq "
    r"(1+\varepsilon)(K + \alpha I)",
    "whether the approximation is a spectral one",
    SAMPLE,
    unit=0,
)
def spectral(i):
    """By the eigenvalues of one matrix in terms of the other; None at a tie."""
    values, vectors = np.linalg.eigh(_ridged(i, _exact(i)))
    root = vectors / np.sqrt(values)
    ratios = np.linalg.eigvalsh(root.T @ _ridged(i, _drawn(i)) @ root)
    excess = np.abs(ratios - 1).max() - float(i.accuracy)
    return None if abs(excess) < 1e-11 * _of_ridge(i) else bool(excess < 0)


# --- Ridge regression -----------------------------------------------------------------


def _ceiling(i, M):
    """``(alpha f' (M + alpha I)^-1 f + sigma^2 tr M (M + alpha I)^-1) / n``."""
    f, inverse = np.asarray(i.signal, dtype=float), np.linalg.inv(_ridged(i, M))
    bias = float(i.alpha) * f @ inverse @ f
    return (bias + float(i.noise) * np.trace(M @ inverse)) / i.n


def _of_risk(i):
    return _of_ridge(i) * (1 + float(i.noise) + np.sum(np.square(i.signal)))


_of_regression = partial(DrawnFrequencies.quantity, unit=0, condition=_of_risk)


@_of_regression(r"\bar R(K)", "ceiling of the risk with K", BEFORE)
def ceiling(i):
    return _ceiling(i, _exact(i))


@_of_regression(r"\bar R(\tilde K)", "the same with drawn frequencies", SAMPLE)
def ceiling_drawn(i):
    return _ceiling(i, _drawn(i))


@_of_regression(
    r"R(\tilde K)", "risk of ridge regression with drawn frequencies", SAMPLE
)
def risk_drawn(i):
    """Bias and variance, in eigenvectors."""
    values, vectors = np.linalg.eigh(_drawn(i))
    shrunk, f = values + float(i.alpha), vectors.T @ np.asarray(i.signal, dtype=float)
    bias = np.sum((float(i.alpha) * f / shrunk) ** 2)
    return (bias + float(i.noise) * np.sum((values / shrunk) ** 2)) / i.n


# --- Laws -----------------------------------------------------------------------------


def _by_counts(i):
    size, m = len(i.q), int(i.m)
    found = list(islice(counts((1,) * size, m, repeated=True), LISTED + 1))
    if len(found) > LISTED:
        return None
    chances = scipy.stats.multinomial(m, np.asarray(i.q)).pmf(found)
    return (
        (float(chance), i.but(times=np.array(times, dtype=float)))
        for chance, times in zip(np.atleast_1d(chances), found, strict=True)
    )


def _one(i):
    for j, chance in enumerate(i.q):
        yield float(chance), i.but(times=float(i.m) * np.eye(len(i.q))[j])


laws.enter("frequency_counts", "independent frequencies", _by_counts)
laws.enter("one_frequency", "one frequency, repeated", _one)

# --- The theorem ----------------------------------------------------------------------

# Points and frequencies for which K is the identity.
_OPPOSITE = [[0, 0], [-1, 1]]
_drawing = DrawnFrequencies.drawing


def _cases(rng):
    """Many draws of two and three frequencies."""
    for m in (20, 60, 200):
        for alpha in ("1/64", 1):
            for accuracy in ("3/4", 1, 3):
                given = {"alpha": alpha, "accuracy": accuracy, "delta": "1/2"}
                yield _drawing(m, _OPPOSITE, ["1/2", "1/2"], **given)
    for m in (10, 40):
        for _ in range(6):
            case = DrawnFrequencies.drawn(None, rng)
            yield case.but(m=m, times=float(m) * np.eye(len(case.q))[0])
    for _ in range(12):
        yield _by_leverage(rng)


def _by_leverage(rng):
    """Frequencies drawn by their leverages, which are fractions here."""
    case = DrawnFrequencies.drawn(None, rng)
    turns = np.array(_OPPOSITE, dtype=float)
    p = np.array([1, 3]) / 4
    alpha = float(rng.choice([0.5, 1.5]))
    # In the directions (1, 1) and (1, -1) K is 1/2 and 3/2.
    q = p / (2 * p + alpha)
    q = q / q.sum()
    known = {name: case.given[name] for name in ("accuracy", "delta", "noise")}
    return DrawnFrequencies(
        turns=turns,
        p=p,
        q=q,
        m=8,
        alpha=alpha,
        signal=[1.0, 2.0],
        times=[8.0, 0],
        **known,
    )


_FAILS = "chance(not spectral)"
_BERNSTEIN = (
    "8 * d_eff * (1 + alpha / norm_2(K)) "
    "* exp(-m * accuracy ** 2 / (2 * largest_ratio * (1 + accuracy / 3)))"
)
_ENOUGH = "m >= 8 * largest_ratio / (3 * accuracy ** 2) * log(16 * d_eff / delta)"
_RISK = (
    "ceiling / (1 - accuracy) + accuracy / (1 + accuracy) * noise * min(n, 2 * m) / n"
)

FREQUENCY_LEVERAGE = Theorem(
    id="modern:frequency-leverage",
    kind="probability",
    status="holds",
    title="How many frequencies for ridge regression",
    number="after Avron et al. 2017",
    setting=(
        "Let $K$ be the kernel matrix of $n$ points for frequencies of law $p$, $K "
        r"= \sum_j p_j A_j$, where $A_j$ has the entries $\cos \omega_j^\top (x_a - "
        r"x_b)$. Let $\tau_j = \operatorname{tr} A_j (K + \alpha I)^{-1}$ be the "
        r"leverage of a frequency, and $d_{\mathrm{eff}}(\alpha) = \operatorname{tr} "
        r"K (K + \alpha I)^{-1}$. Draw $m$ frequencies independently with "
        r"probabilities $q_j$, and let $\tilde K$ be the mean of $\frac{p_j}{q_j} "
        r"A_j$ over them, and $L = \max_j \frac{p_j}{q_j} \tau_j$."
    ),
    where={"ceiling_bound": Where("B", _RISK)},
    claims={
        "spectral": Claim(f"{_FAILS} <= {_BERNSTEIN}", law="frequency_counts"),
        "enough": Claim(
            f"{_FAILS} <= delta",
            when=f"accuracy <= 1 and norm_2(K) >= alpha and {_ENOUGH}",
            law="frequency_counts",
            says="So this many frequencies are enough:",
        ),
        "plain": Claim(
            "largest_ratio <= n / alpha",
            when="q == p",
            says="For frequencies drawn from the spectrum itself",
        ),
        "leverage": Claim(
            "largest_ratio == d_eff",
            when="q == p * scores / d_eff",
            says="For frequencies drawn by leverage",
        ),
        "sum": Claim(
            "sum(p * scores) == d_eff",
            says="No probabilities do better, since",
        ),
        "least": "largest_ratio >= d_eff",
        "risk": Claim(
            "ceiling_drawn <= ceiling_bound",
            when="spectral and accuracy < 1",
            says=r"With $\bar R(M) = \frac1n \bigl(\alpha f^\top (M + \alpha I)^{-1} "
            r"f + \sigma^2 \operatorname{tr} M (M + \alpha I)^{-1}\bigr)$,",
        ),
        "ceiling": Claim(
            "risk_drawn <= ceiling_drawn",
            says="The risk of ridge regression does not exceed it:",
        ),
    },
    world=DrawnFrequencies,
    cases=_cases,
    loose={"spectral": SUMS, "enough": SUMS},
    controls={
        "a fifth": Control(
            "spectral",
            _drawing(30, _OPPOSITE, ["1/2", "1/2"], alpha="1/64", accuracy="15/16"),
            {"(2 * largest_ratio": "(0.4 * largest_ratio"},
        ),
        "one frequency repeated": Control(
            "spectral",
            _drawing(60, _OPPOSITE, ["1/2", "1/2"], alpha="1/4", accuracy="1/2"),
            law="one_frequency",
        ),
        "one frequency": Control(
            "enough",
            _drawing(1, _OPPOSITE, ["1/2", "1/2"], alpha="1/4", delta="1/2"),
            lacks=_ENOUGH,
        ),
        "other probabilities": Control(
            "plain",
            _drawing(1, _OPPOSITE, ["1/2", "1/2"], ["1/8", "7/8"]),
            lacks="q == p",
        ),
        "drawn from the spectrum": Control(
            "leverage",
            _drawing(1, _OPPOSITE, ["1/4", "3/4"]),
            lacks="q == p * scores / d_eff",
        ),
        "without the probabilities": Control(
            "sum", _drawing(1, _OPPOSITE, ["1/4", "3/4"]), {"p * scores": "scores"}
        ),
        "twice as much": Control(
            "least", _drawing(1, _OPPOSITE, ["1/2", "1/2"]), {">=": ">= 2 *"}
        ),
        "one frequency for the risk": Control(
            "risk",
            _drawing(
                1,
                _OPPOSITE,
                ["1/2", "1/2"],
                alpha="1/16",
                accuracy="1/8",
                signal=[1, -1],
                noise=0,
            ),
            lacks="spectral",
        ),
        "half of the ceiling": Control(
            "ceiling",
            _drawing(1, _OPPOSITE, ["1/2", "1/2"], signal=[1, -1], noise=0),
            {"<=": "<= 0.5 *"},
        ),
    },
)
