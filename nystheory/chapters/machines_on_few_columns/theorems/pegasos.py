"""What the steps of Pegasos lose against any fixed vector, for any order of the points.

Shalev-Shwartz, Singer, Srebro and Cotter 2011, on the features of the landmarks as
Della Vecchia, De Vito, Mourtada and Rosasco 2024 use it.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from nystheory.engine import Claim, Control, Theorem, Where
from nystheory.engine.language.claims import PRINTED_FORM
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds import laws
from nystheory.engine.worlds.worlds import Draw, Given, Size, World

# A margin so near to one is one: rounding alone has moved it.
TIE = 1e-12


class Steps(World):
    """Points with labels, of which one is visited in each step, and any vector."""

    n = Size("n", "number of points")
    T = Size("T", "number of steps")
    features = Given(
        r"\bar X", "features of the points, a point a column", axes=("d", "n")
    )
    labels = Given(
        "y",
        "labels, 1 or -1",
        axes=("n",),
        range="min(abs(labels)) == 1 and max(abs(labels)) == 1",
        says=r"$y_i = \pm 1$",
    )
    ridge = Given(r"\lambda'", "factor of half of the squared norm", range="ridge > 0")
    reference = Given("u", "any vector", axes=("d",))
    picked = Draw("T", "n", True, meaning="points that are visited, in their order")

    @classmethod
    def drawn(cls, instance, rng):
        """Integer points, so few steps that all sequences can be listed."""
        d, n, T = (int(rng.integers(1, high)) for high in (3, 4, 5))
        features = rng.integers(-3, 4, (d, n)).astype(float)
        labels = rng.choice([-1.0, 1.0], n)
        picked = rng.integers(0, n, T)
        ridge = 2.0 ** rng.integers(-3, 5)
        reference = rng.integers(-4, 5, d) * 2.0 ** rng.integers(-3, 2)
        return cls(**_parts(features, labels, picked, ridge, reference))

    @classmethod
    def on_a_line(cls, points, labels, picked, ridge=1, reference=1):
        """Points on a line, in exact numbers."""
        return cls.exactly(**_parts([points], labels, picked, ridge, [reference]))


def _parts(features, labels, picked, ridge, reference) -> dict:
    parts = {"features": features, "labels": labels, "picked": picked}
    return parts | {"ridge": ridge, "reference": reference}


# --- The steps ------------------------------------------------------------------------


class Run(NamedTuple):
    """Iterates ``w_1, ..., w_{T+1}``, one a row, and the subgradient of each step."""

    iterates: np.ndarray
    slopes: np.ndarray


def _smaller(i, t):
    """The step ``1 / (ridge t)``."""
    return 1 / (float(i.ridge) * t)


def _constant(i, t):
    return 1 / float(i.ridge)


def _into_the_ball(i, w):
    length, radius = np.linalg.norm(w), 1 / np.sqrt(float(i.ridge))
    return w if length <= radius else w * radius / length


@lru_cache(maxsize=64)
def run(i, step=_smaller, project=None) -> Run:
    """Pegasos on the points that are visited, in their order."""
    w, Z = np.zeros(len(i.features)), np.asarray(i.labels) * i.features
    iterates, slopes = [w], []
    for t, j in enumerate(np.asarray(i.picked).astype(int), 1):
        violated = w @ Z[:, j] < 1 - TIE
        slopes.append(float(i.ridge) * w - violated * Z[:, j])
        w = w - step(i, t) * slopes[-1]
        w = project(i, w) if project else w
        iterates.append(w)
    return Run(np.array(iterates), np.array(slopes))


def _losses(i, w, places):
    """``ridge / 2 |w|^2`` and the hinge loss at these points; w is one or one each."""
    Z = (np.asarray(i.labels) * i.features)[:, np.asarray(places).astype(int)]
    margins = w @ Z if w.ndim == 1 else (w * Z.T).sum(axis=1)
    half = float(i.ridge) / 2 * (w**2).sum(axis=-1)
    return half + np.maximum(0, 1 - margins)


# --- Measured -------------------------------------------------------------------------


def _size(i) -> float:
    """How large the losses and their parts may be, which bounds their rounding."""
    ridge, longest = float(i.ridge), np.linalg.norm(i.features, axis=0).max()
    reach = longest / ridge + np.linalg.norm(i.reference)
    if not ridge > 0:
        return np.inf
    return float((1 + ridge * reach**2 + longest * reach + longest**2) * (1 + reach))


_sampled = partial(Steps.quantity, when=SAMPLE, unit=0, condition=_size)
_told = partial(Steps.quantity, unit=0, condition=_size)


def _suffered(i, **how):
    return _losses(i, run(i, **how).iterates[:-1], i.picked).mean()


@_sampled(r"\textstyle\frac1T \sum_t f_t(w_t)", "mean loss along the steps")
def suffered(i):
    return _suffered(i)


@_sampled(
    r"\textstyle\frac1T \sum_t f_t(v_t)", "mean loss along the steps with projection"
)
def suffered_projected(i):
    return _suffered(i, project=_into_the_ball)


@_sampled(
    r"\textstyle\frac1T \sum_t f_t(c_t)", "mean loss along steps of the first length"
)
def suffered_constant(i):
    return _suffered(i, step=_constant)


@_sampled(r"\textstyle\frac1T \sum_t f_t(u)", "mean loss of one vector on these points")
def suffered_by_one(i):
    return _losses(i, np.asarray(i.reference), i.picked).mean()


@_sampled(r"\textstyle\sum_t \frac1t |g_t|^2", "squared subgradients, each over t")
def slopes(i):
    squares = (run(i).slopes ** 2).sum(axis=1)
    return (squares / np.arange(1, len(squares) + 1)).sum()


@_sampled(r"\textstyle\max_t |w_t|", "length of the longest iterate")
def longest(i):
    return np.linalg.norm(run(i).iterates, axis=1).max()


@_sampled("w_{T+1}", "where the last step leads")
def last(i):
    return run(i).iterates[-1]


@_sampled("(w_1, \\dots, w_{T+1})", "the iterates as columns")
def iterates(i):
    return run(i).iterates.T


@_sampled(
    r"(y_{i_1} \bar x_{i_1}, \dots, y_{i_T} \bar x_{i_T})",
    "visited points times their labels, as columns",
)
def visited(i):
    return (np.asarray(i.labels) * i.features)[:, np.asarray(i.picked).astype(int)]


@_sampled(r"F(\bar w)", "objective at the mean of the iterates")
def F_average(i):
    average = run(i).iterates[:-1].mean(axis=0)
    return _losses(i, average, range(i.sizes["n"])).mean()


@_told("F(u)", "objective at the vector", when=CHOSEN)
def F_reference(i):
    return _losses(i, np.asarray(i.reference), range(i.sizes["n"])).mean()


def _repeated_point(i):
    n, T = i.sizes["n"], i.sizes["T"]
    return ((1 / n, i.but(picked=np.full(T, j))) for j in range(n))


laws.enter("repeated_point", "one point, visited in each step", _repeated_point)


# --- The theorem ----------------------------------------------------------------------


def _cases(rng):
    # One point that is never fitted, where the bound along the run is met.
    for T in (1, 2, 3):
        for ridge in (1.0, 2.0, 4.0):
            given = _parts([[1.0]], [1.0], [0] * T, ridge, [1 / ridge])
            yield Steps(**given)
    # Two labels at one point: in turn, or one label followed by the other.
    for T in (2, 4, 6):
        in_turn = [0, 1] * (T // 2)
        for order in (in_turn, sorted(in_turn)):
            yield Steps(**_parts([[1.0, 1]], [1.0, -1], order, 0.25, [0.0]))
        for size in (0.25, 1.0, 2.0):
            points = [[size, size]]
            yield Steps(**_parts(points, [1.0, -1], in_turn, size**2, [0.0]))
    # Two labels that are drawn, of which the mean is lost.
    for ridge in (1.0, 2.0, 8.0):
        yield Steps(**_parts([[1.0, 1]], [1.0, -1], [0, 1] * 2, ridge, [0.0]))


_ONE = Steps.on_a_line([1], [1], [0])
_TWO = Steps.on_a_line([1, 1], [1, -1], [0, 1], reference=0)
_TURNS = Steps.on_a_line([1, 1], [1, -1], [0, 1, 0, 1, 0, 1], reference=0)
_OPPOSITE = Steps.on_a_line([1, 1], [1, -1], [0] * 24, ridge=2, reference=0)
_BOUND = "R**2 * (3 + log(T)) / (2 * ridge * T)"
_PUBLISHED = "(1 + log(T)) / (2 * ridge * T)"

PEGASOS = Theorem(
    id="dellavecchia2024:pegasos",
    kind="expectation",
    status="holds",
    title="What the steps of Pegasos lose",
    number="section 8, with Shalev-Shwartz et al. 2011 that it cites",
    setting=(
        r"Let $\bar x_i$, the columns of $\bar X$, be the features of $n$ points and "
        r"$f_t(w) = \frac{\lambda'}2 |w|^2 + (1 - y_{i_t} w^\top \bar x_{i_t})_+$ for "
        r"any $i_1, \dots, i_T$. Start from zero and let $w_{t+1} = w_t - "
        r"\frac{1}{\lambda' t} g_t$ with $g_t = \lambda' w_t - y_{i_t} \bar x_{i_t}$ "
        r"if $y_{i_t} w_t^\top \bar x_{i_t} < 1$ and $g_t = \lambda' w_t$ otherwise. "
        "Let $v_t$ take the same steps, each followed by the projection onto "
        r"$\{|v| \le 1 / \sqrt{\lambda'}\}$. Let $\bar w$ be the mean of $w_1, \dots, "
        r"w_T$, let $F(w) = \frac{\lambda'}2 |w|^2 + \frac1n \sum_i (1 - y_i w^\top "
        r"\bar x_i)_+$, and let $u$ be any vector."
    ),
    where={"R": Where("R", "sqrt(max(diag(features.T @ features)))")},
    claims={
        "iterates": Claim("longest <= R / ridge", says="No iterate is long:"),
        "along the run": Claim(
            "suffered - suffered_by_one <= slopes / (2 * ridge * T)"
            " - ridge / 2 * norm_2(last - reference)**2",
            says="The subgradients on the way bound what is lost against $u$:",
        ),
        "any sequence": Claim(
            f"suffered - suffered_by_one <= {_BOUND}",
            says="So for every sequence of points, without projections",
        ),
        "projected": Claim(
            f"suffered_projected - suffered_by_one <= {_BOUND}",
            says="and with projections,",
        ),
        "uniform": Claim(
            f"mean(F_average - F_reference) <= {_BOUND}",
            law="picked",
            says="For $i_t$ that are drawn independently and uniformly,",
        ),
        "published": Claim(
            f"suffered - suffered_by_one <= 4 * R**2 * {_PUBLISHED}",
            says="The bounds that were published are, without projections",
        ),
        "published, projected": Claim(
            "suffered_projected - suffered_by_one"
            f" <= (sqrt(ridge) + R)**2 * {_PUBLISHED}",
            says="and with projections",
        ),
    },
    world=Steps,
    cases=_cases,
    loose={
        "published": PRINTED_FORM,
        "published, projected": PRINTED_FORM,
    },
    controls={
        "nine tenths of the length": Control("iterates", _ONE, {"<= R": "<= 0.9 * R"}),
        "nine tenths of the squares": Control(
            "along the run", _ONE, {"<= slopes": "<= 0.9 * slopes"}
        ),
        "two for three": Control("any sequence", _TWO, {"(3 +": "(2 +"}),
        "a constant step": Control(
            "any sequence", _TURNS, {"suffered -": "suffered_constant -"}
        ),
        "two for three, projected": Control("projected", _TWO, {"(3 +": "(2 +"}),
        "one point for all steps": Control("uniform", _OPPOSITE, law="repeated_point"),
        "a constant step, published": Control(
            "published", _TURNS, {"suffered -": "suffered_constant -"}
        ),
        "a fifth": Control(
            "published, projected", _ONE, {"<= (sqrt": "<= 0.2 * (sqrt"}
        ),
    },
)
