"""The largest error of random Fourier features over a domain.

Rahimi and Recht 2007; Sutherland and Schneider 2015.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import islice

import numpy as np

from nystheory.engine import Claim, Control, Hypothesis, Theorem
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds import laws
from nystheory.engine.worlds.drawn_columns import LISTED, counts
from nystheory.engine.worlds.worlds import Given, World


class Cube(World):
    """Frequencies of equal chance along the axes, and all points of a cube.

    Then the error is a sum over the axes, and its largest value is found on each.
    """

    D = Given(
        "D",
        "number of features",
        range="2 <= 2 * floor(D / 2) == D",
        says="$D$ be an even number",
    )
    d = Given(
        "d",
        "dimension",
        range="1 <= floor(d) == d",
        says=r"$d \ge 1$ be an integer",
    )
    epsilon = Given(r"\epsilon", "deviation", range="epsilon > 0")
    ell = Given(r"\ell", "diameter of the domain", range="ell > 0")
    w = Given(axes=("frequencies",))
    # Which axis each frequency lies on, from 0.
    axis = Given(axes=("frequencies",))
    # How often each is drawn without a phase, and with a quarter of a turn.
    times = Given(axes=("frequencies", "phases"), drawn=True)

    @property
    def n(self) -> int:
        """Rounding grows with the number of waves that are added up, not of draws."""
        return len(self.w)

    @classmethod
    def along(cls, w, D, epsilon, ell, axis=None, d=1):
        """All draws at the first frequency, until a law draws them."""
        times = [[D if j == 0 else 0, 0] for j in range(len(w))]
        known = {"D": D, "d": d, "epsilon": epsilon, "ell": ell}
        return cls.exactly(w=w, axis=axis or [0] * len(w), times=times, **known)

    @classmethod
    def drawn(cls, instance, rng):
        """One or two frequencies in one or two dimensions, two or four features."""
        d, N = (int(x) for x in rng.integers(1, 3, 2))
        D = int(2 * rng.integers(1, 3)) if N == 1 else 2
        w = rng.integers(0, 4, N).astype(float)
        axis = rng.integers(0, d, N).astype(float)
        times = np.zeros((N, 2))
        times[0, 0] = D
        epsilon = rng.integers(1, 64) / 32 * 63 / 64  # no value that occurs
        ell = rng.integers(1, 7) / 2
        known = {"D": D, "d": d, "epsilon": epsilon, "ell": ell}
        return cls(w=w, axis=axis, times=times, **known)


def _side(i) -> float:
    """Of the cube with this diameter."""
    return float(i.ell) / math.sqrt(float(i.d))


def _on_axes(i):
    """The frequencies of each axis, by places."""
    axis = np.rint(np.ravel(i.axis)).astype(int)
    return [np.flatnonzero(axis == k) for k in np.unique(axis)]


def _shares(i):
    """Shares less those of the spectrum, and signs of the sums, for each frequency."""
    times = np.asarray(i.times, dtype=float)
    whole = times.sum()
    return times.sum(axis=1) / whole - 1 / len(times), times @ [1, -1] / whole


GRID, STEPS = 256, 6


def _tops(values, most=3):
    """Places of the largest values that no neighbour exceeds."""
    padded = np.pad(values, 1, constant_values=-np.inf)
    top = (values >= padded[:-2]) & (values >= padded[2:])
    places = np.flatnonzero(top)
    return places[np.argsort(-values[places])[:most]]


def _waves(terms, t):
    """``sum a cos(w t + b)``."""
    a, w, b = terms
    return a @ np.cos(
        np.multiply.outer(w, t) + np.reshape(b, (-1,) + (1,) * np.ndim(t))
    )


def _risen(terms, t, low, high):
    """Where a sum of cosines is largest near a point, by Newton's steps."""
    told = list(zip(*(x.tolist() for x in terms), strict=True))
    for _ in range(STEPS):
        slope = -sum(a * w * math.sin(w * t + b) for a, w, b in told)
        bend = -sum(a * w * w * math.cos(w * t + b) for a, w, b in told)
        if not bend < 0:
            break
        t = min(max(t - slope / bend, low), high)
    return t


def _peak(terms, high):
    """The largest value of a sum of cosines on ``[0, high]``."""
    t = np.linspace(0, high, GRID)
    values = _waves(terms, t)
    risen = [_risen(terms, float(t[j]), 0.0, high) for j in _tops(values)]
    return max(values.max(), _waves(terms, np.array(risen)).max())


def _peak_of_both(A, B, side):
    """The largest value of ``A(x - y) + B(x + y)`` on a square.

    For each sum the difference may be as large as the square allows: the largest value
    is one inside, where both are largest, or on an edge.
    """
    t = np.linspace(0, side, GRID)
    values = _waves(A, t)
    so_far = np.maximum.accumulate(values)
    first = np.maximum.accumulate(np.where(so_far == values, np.arange(GRID), 0))
    u, steps = np.linspace(0, 2 * side, 2 * GRID - 1), np.arange(2 * GRID - 1)
    room = np.minimum(steps, steps[::-1])
    found = _waves(B, u) + so_far[room]
    best = found.max()
    for j in _tops(found):
        place = first[room[j]]
        if place < room[j]:
            total = _risen(B, float(u[j]), 0.0, 2 * side)
            free = min(total, 2 * side - total)
            difference = _risen(A, float(t[place]), 0.0, free)
            best = max(best, _waves(A, difference) + _waves(B, total))
            continue
        # On an edge, y = 0 or x at the other end, there is one number to choose.
        other = B if u[j] <= side else (B[0], -B[1], B[2] + 2 * side * B[1])
        edge = tuple(map(np.concatenate, zip(A, other, strict=True)))
        best = max(best, _waves(edge, _risen(edge, float(t[place]), 0.0, side)))
    return best


def _sup(i, near, far):
    """The largest modulus of the error, axis by axis."""
    w, side = np.asarray(i.w, dtype=float), _side(i)
    sums = np.zeros(2)
    for some in _on_axes(i):
        a, b, v, still = near[some], far[some], w[some], np.zeros(len(some))
        for k, sign in enumerate((1, -1)):
            A, B = (sign * a, v, still), (sign * b, v, still)
            if not b.any():
                sums[k] += _peak(A, side)
            elif not a.any():
                sums[k] += _peak(B, 2 * side)
            else:
                sums[k] += _peak_of_both(A, B, side)
    return sums.max()


def _of_peaks(i):
    return 1e3


_observed = partial(Cube.quantity, when=SAMPLE, unit=0, condition=_of_peaks)


@_observed(r"\sup |s - \kappa|", "largest error of pairs")
def pair_error(i):
    near, far = _shares(i)
    return _sup(i, near, 0 * far)


@_observed(r"\sup |\breve s - \kappa|", "largest error of waves with phases")
def phase_error(i):
    return _sup(i, *_shares(i))


@_observed(r"\sup \|\nabla (s - \kappa)\|", "largest slope of the error of pairs")
def pair_slope(i):
    """A sine is a cosine, a quarter of a turn later."""
    w, near = np.asarray(i.w, dtype=float), _shares(i)[0]
    total = 0.0
    for some in _on_axes(i):
        quarter = np.full(len(some), np.pi / 2)
        slopes = [
            _peak((sign * near[some] * w[some], w[some], quarter), _side(i))
            for sign in (1, -1)
        ]
        total += max(slopes) ** 2
    return math.sqrt(total)


@Cube.quantity(r"\sigma_p", "root of the mean squared length of frequencies", unit=0)
def sigma(i):
    return np.sqrt(np.mean(np.square(i.w)))


@Cube.quantity(
    r"\mathbb E\, \omega \omega^\top = \tfrac{\sigma_p^2}d I",
    "whether frequencies are as large in all directions",
    unit=None,
)
def isotropic(i):
    axis = np.rint(np.ravel(i.axis)).astype(int)
    squares = np.bincount(axis, np.square(i.w), int(i.d))
    return bool((squares == squares[0]).all())


# --- Laws -----------------------------------------------------------------------------


def _listed(i, size, draws, rows):
    found = list(islice(counts((1,) * size, draws, repeated=True), LISTED + 1))
    if len(found) > LISTED:
        return None
    logs = (
        math.lgamma(draws + 1)
        - sum(math.lgamma(t + 1) for t in times)
        - draws * math.log(size)
        for times in found
    )
    return (
        (math.exp(x), i.but(times=rows(np.array(times, dtype=float))))
        for x, times in zip(logs, found, strict=True)
    )


def _pairs(i):
    return _listed(i, len(i.w), int(i.D) // 2, lambda t: np.column_stack([t, 0 * t]))


def _phases(i):
    return _listed(i, 2 * len(i.w), int(i.D), lambda t: t.reshape(-1, 2))


def _same(i):
    for j in range(len(i.w)):
        times = np.zeros((len(i.w), 2))
        times[j, 0] = float(i.D)
        yield 1 / len(i.w), i.but(times=times)


def _draw_phases(i, rng):
    size = 2 * len(i.w)
    times = rng.multinomial(int(i.D), np.full(size, 1 / size))
    return i.but(times=times.reshape(-1, 2).astype(float))


_WITH = "frequencies, each without or with a quarter turn"
laws.enter("pair_counts", "independent frequencies", _pairs)
laws.enter("quarter_counts", _WITH, _phases, _draw_phases)
laws.enter("same_frequency", "one frequency, repeated", _same)

# --- The theorem ----------------------------------------------------------------------

_along = Cube.along
_FINE = "63/64"


def _cases(_):
    """So many features that the bounds are below 1."""
    yield _along([0, 1], 240, _FINE, 4)
    yield _along([2, 2], 300, _FINE, 3, [0, 1], 2)
    yield _along([0, 1], 400, _FINE, 6, d=4)
    for D in (400, 640):
        yield _along([1], D, _FINE, 1)
    yield _along([1], 1200, _FINE, 2, d=4)


def _bound(count, factor, rest):
    return (
        f"{count} * (sigma * ell / epsilon) ** 2 "
        f"* exp(-D * epsilon ** 2 / ({factor} * (d + {rest})))"
    )


_PAIRS, _PHASES = "chance(pair_error >= epsilon)", "chance(phase_error >= epsilon)"
_REACH = "epsilon <= sigma * ell"
_TWO = _along([0, 1], 160, _FINE, 4)
_ONE = _along([1], 640, _FINE, 1)
_LOOSE = (
    "a union over a net and Hoeffding's inequality are far from the law of one largest "
    "error"
)

UNIFORM = Theorem(
    id="rahimi2007:uniform",
    kind="probability",
    status="holds",
    title="The largest error over a domain",
    number="after Rahimi and Recht 2007; Sutherland and Schneider 2015",
    setting=(
        r"Let $\kappa(x - y)$ be the mean of $\cos \omega^\top (x - y)$ over a law of "
        r"frequencies with $\sigma_p^2 = \mathbb E\, \|\omega\|^2 < \infty$, and $X$ a "
        r"compact set of diameter $\ell$ in $d$ dimensions. Let $s$ be the kernel from "
        r"pairs of $D/2$ independent frequencies, $\breve s$ that from $D$ waves with "
        "independent phases $b$, uniform ones for instance or others for which "
        r"$e^{2ib}$ has the mean $0$, and take all suprema over $x, y \in X$."
    ),
    hypotheses={"reach": Hypothesis(_REACH)},
    claims={
        "pairs": Claim(
            f"{_PAIRS} <= {_bound(66, 8, 2)}",
            when="isotropic",
            law="pair_counts",
        ),
        "phases": Claim(
            f"{_PHASES} <= {_bound(98, 32, 1)}",
            when="isotropic",
            law="quarter_counts",
        ),
        "pairs, any spectrum": Claim(
            f"{_PAIRS} <= {_bound(83, 8, 2)}",
            law="pair_counts",
            says="For every law of frequencies",
        ),
        "phases, any spectrum": Claim(
            f"{_PHASES} <= {_bound(116, 32, 1)}", law="quarter_counts"
        ),
        "slope": Claim(
            "mean(pair_slope ** 2) <= 4 * sigma ** 2",
            law="pair_counts",
            says="The proof needs the mean of the largest squared slope:",
        ),
    },
    world=Cube,
    cases=_cases,
    loose={
        "pairs": _LOOSE,
        "phases": _LOOSE,
        "pairs, any spectrum": _LOOSE,
        "phases, any spectrum": _LOOSE,
        "slope": "it is approached by many frequencies of one length on a large domain",
    },
    controls={
        "a tenth of 24": Control("pairs", _TWO, {"(8 * (d + 2))": "(0.8 * (d + 2))"}),
        "one frequency repeated": Control("phases", _ONE, law="same_frequency"),
        "a small domain": Control(
            "phases, any spectrum", _along([1], 2, "1/2", "1/100"), drops="reach"
        ),
        "a tenth of it": Control(
            "pairs, any spectrum", _TWO, {"(8 * (d + 2))": "(0.8 * (d + 2))"}
        ),
        "one frequency, any spectrum": Control(
            "phases, any spectrum", _ONE, law="same_frequency"
        ),
        "the mean square": Control(
            "slope", _along([5, 7, 9], 2, 1, 4), {"4 * sigma": "sigma"}
        ),
    },
)
