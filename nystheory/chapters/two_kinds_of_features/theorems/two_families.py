"""One family on which columns win by far, one on which nothing wins.

Both are this book's; the points are those of a lattice, the frequencies its own.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from nystheory.chapters.two_kinds_of_features.theorems.drawn_counts import multinomial
from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem, Where
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds import laws
from nystheory.engine.worlds.matrices import diagonal
from nystheory.engine.worlds.worlds import Draw, Given, World

# --- A rare frequency -----------------------------------------------------------------


class RareFrequency(World):
    """A lattice, frequencies of which one is rare, and columns."""

    n = Given("n", "number of points", range="3 <= floor(n) == n")
    m = Given(
        "m",
        "number of frequencies that are drawn",
        range="1 <= floor(m) == m",
        says=r"$m \ge 1$ be an integer",
    )
    l = Given(  # noqa: E741 - the field's letter
        "l",
        "number of landmarks",
        range="1 <= floor(l) == l",
        says=r"$l \ge 1$ be an integer",
    )
    # One of n sides is the rare frequency, the others are the frequency zero.
    picked = Draw("m", "n", True, meaning="frequencies that are drawn")
    columns = Draw("l", "n", False, meaning="landmarks")

    @classmethod
    def drawn(cls, instance, rng):
        """A few points, a few draws of which some are rare, and three columns."""
        n, m = int(rng.integers(3, 9)), int(rng.integers(1, 9))
        rare = rng.integers(min(m, 3) + 1)
        alpha, delta = 2.0 ** rng.integers(-4, 3), 2.0 ** rng.integers(-8, 1)
        columns = rng.permutation(n)[:3]
        case = cls.of_hits(n, m, rare, alpha=alpha, delta=delta)
        return case.but(columns=columns)

    @classmethod
    def of_hits(cls, n, m, rare, **given):
        """The draws of which so many are rare; columns 0, 1 and 2."""
        return cls(**_lattice(n, m, rare), **given)

    @classmethod
    def exactly_of(cls, n, m, rare, columns=(0, 1, 2), **given):
        """The same in exact numbers, with the columns that are told."""
        parts = _lattice(n, m, rare, list(columns))
        return cls.exactly(**parts, **{"alpha": 1, "delta": "1/2"} | given)


def _lattice(n, m, rare, columns=(0, 1, 2)) -> dict:
    picked = [0] * rare + [1] * (m - rare)
    return {"n": n, "m": m, "l": len(columns), "picked": picked, "columns": columns}


def _angles(i):
    return 2 * np.pi * np.arange(int(i.n)) / int(i.n)


def _places(i):
    return np.asarray(i.columns).astype(int)


quantity = partial(RareFrequency.quantity, unit=0)
sampled = partial(quantity, when=SAMPLE)


@quantity("K", "kernel matrix of the lattice")
def K(i):
    x = _angles(i)
    return 1 - 1 / i.n + np.cos(x[:, None] - x) / i.n


@quantity(r"\mathbf 1", "ones")
def ones(i):
    return np.ones(int(i.n))


@quantity("Q", "cosine and sine of one period at the points, as columns")
def waves(i):
    return np.column_stack([np.cos(_angles(i)), np.sin(_angles(i))])


@RareFrequency.quantity("h", "how often the rare frequency is drawn", SAMPLE, unit=None)
def hits(i):
    return int((np.asarray(i.picked) == 0).sum())


@sampled(r"\hat K", "inner products of the random Fourier features")
def K_hat(i):
    """From the features, a cosine and a sine of each frequency."""
    frequencies = (np.asarray(i.picked) == 0).astype(float)
    angles = np.outer(_angles(i), frequencies)
    Z = np.hstack([np.cos(angles), np.sin(angles)]) / np.sqrt(i.m)
    return Z @ Z.T


@sampled("C", "sampled columns")
def C(i):
    return K(i)[:, _places(i)]


@sampled("W", "core")
def W(i):
    return K(i)[np.ix_(_places(i), _places(i))]


def _rare_counts(i):
    n, m = int(i.n), int(i.m)
    found = multinomial([1 / n, 1 - 1 / n], m)
    return ((p, i.but(picked=S)) for p, S in found)


laws.enter("rare_counts", "draws by how often the rare frequency comes", _rare_counts)

# The error beside the ridge: both matrices commute, so that the order plays no part.
_RELATIVE = "norm_2((K - K_hat) @ inv(K + alpha * identity(n)))"
_FEW = "(n - 1) * log(1 / delta)"
_ENOUGH = "n * log(1 / delta)"


def _rare_cases(rng):
    for n, m in ((30, 15), (30, 60), (100, 20)):
        for rare in (0, 1, 3):
            yield RareFrequency.of_hits(n, m, rare, alpha=0.25, delta=0.1)
    for n in (3, 10, 100, 1000):
        for delta in (0.5, 0.1, 0.001):
            m = int(np.ceil((n - 1) * np.log(1 / delta))) - 1
            case = partial(RareFrequency.of_hits, 6, rare=0, alpha=0.25, delta=delta)
            if m > 0 and n < 1000:
                yield case(m=m).but(n=n, columns=[0, 1, 2])


_FOUR = RareFrequency.exactly_of(4, 4, 1)
_MISSED = RareFrequency.exactly_of(4, 4, 0)
_TWICE = RareFrequency.exactly_of(4, 2, 0)
_RARELY = RareFrequency.exactly_of(3, 2, 0)
_PAIR = RareFrequency.exactly_of(4, 4, 1, columns=(0, 1))
_SIX = RareFrequency.exactly_of(6, 6, 1)

RARE_FREQUENCY = Theorem(
    id="modern:rare-frequency",
    kind="probability",
    status="new",
    title="A rare frequency",
    number="this book",
    setting=(
        r"Let the points be $0, 1, \dots, n - 1$ and let the frequency be $0$ with "
        r"probability $1 - \frac1n$ and $\frac{2\pi}n$ with probability $\frac1n$, so "
        r"that $K_{xy} = 1 - \frac1n + \frac1n \cos \frac{2\pi (x - y)}n$. Draw $m$ "
        r"independent frequencies, let the rare one occur $h$ times, and let $\hat K$ "
        r"have the inner products of the random Fourier features. Let the columns of "
        r"$Q$ be the cosine and the sine of one period at the points, and let $C$ and "
        r"$W$ be those of any $l$ distinct columns of $K$."
    ),
    claims={
        "chance": Claim("chance(hits == 0) == (1 - 1 / n)**m", law="rare_counts"),
        "not learned": Claim(
            "(K_hat - n * hits / (2 * m) * identity(n)) @ waves == 0",
            says="The features weight the rare waves by how often these are drawn:",
        ),
        "error": Claim(
            f"{_RELATIVE} >= 1 / (1 + 2 * alpha)",
            when="hits == 0 or 2 * m <= n",
            says="Relative to the ridge the error is large:",
        ),
        "found": Claim(
            "K_hat @ pinv(K_hat) @ K == K",
            when="hits > 0 and hits < m",
            says="The features span the columns of $K$",
        ),
        "necessary": Claim(
            "(1 - 1 / n)**m > delta",
            when=f"m < {_FEW}",
            says=r"Few draws miss the rare frequency with more than the probability "
            r"$\delta$:",
        ),
        "enough": Claim(
            "(1 - 1 / n)**m <= delta", when=f"m >= {_ENOUGH}", says="Many draws do not:"
        ),
        "three columns": Claim(
            "C @ inv(W) @ C.T == K", when="l == 3", says="Three columns are exact"
        ),
        "constant": Claim(
            "(K - (n - 1) * identity(n)) @ ones == 0",
            says="The eigenvalues of $K$ above zero are $n - 1$ and twice $\\frac12$:",
        ),
        "waves": "(K - 1 / 2 * identity(n)) @ waves == 0",
        "trace": "trace(K) == n",
    },
    world=RareFrequency,
    cases=_rare_cases,
    controls={
        "one draw less": Control("chance", _FOUR, {"**m": "**(m + 1)"}),
        "twice as often": Control("not learned", _FOUR, {"(2 * m)": "m"}),
        "one percent more": Control("error", _MISSED, {">= 1 /": ">= 1.01 /"}),
        "as often as it should be": Control(
            "error", _FOUR, lacks="hits == 0 or 2 * m <= n"
        ),
        "one frequency alone": Control("found", _MISSED, lacks="hits > 0"),
        "n for n - 1": Control("necessary", _RARELY, lacks=f"m < {_FEW}"),
        "fewer": Control("enough", _TWICE, lacks=f"m >= {_ENOUGH}"),
        "two columns": Control("three columns", _PAIR, lacks="l == 3"),
        "n for n - 1 times": Control("constant", _FOUR, {"(n - 1)": "n"}),
        "whole waves": Control("waves", _FOUR, {"1 / 2 *": "1 *"}),
        "one less": Control("trace", _FOUR, {"== n": "== n - 1"}),
    },
)

# --- All frequencies alike ------------------------------------------------------------


class FunctionSpan(Instance):
    """A matrix that is a multiple of the identity, and functions at its points."""

    functions = Given("U", "functions at the points, as columns", axes=("n", "count"))

    @classmethod
    def drawn(cls, instance, rng):
        """The identity of this size times a power of two, and integers."""
        n, size = instance.n, 2.0 ** rng.integers(-3, 4)
        U = rng.integers(-2, 3, (n, int(rng.integers(1, n + 1)))).astype(float)
        flat = cls(size * np.eye(n), instance.landmarks, instance.rank)
        return flat.but(functions=U)


@FunctionSpan.quantity("r", "dimension of the span", SAMPLE, unit=None)
def r(i):
    s = np.linalg.svd(i.functions, compute_uv=False)
    share = s / (s.max(initial=0.0) or 1.0)
    if ((share > 1e-13) & (share < 1e-9)).any():
        return None
    return int((share > 1e-9).sum())


@FunctionSpan.quantity(
    r"\textstyle\bigl[\frac1n \sum_{j=0}^{n-1} \cos \frac{2\pi j (x - y)}n\bigr]",
    "kernel matrix of a lattice with all its frequencies alike",
    unit=0,
)
def all_frequencies(i):
    x = np.arange(i.n)
    phases = 2 * np.pi * np.multiply.outer(x[:, None] - x, x) / i.n
    return np.cos(phases).mean(axis=2)


def _flat(size, landmarks, U, n=2) -> FunctionSpan:
    return FunctionSpan.exactly(landmarks, 1, matrix=diagonal([size] * n), functions=U)


_HALF = _flat(2, [0], [[1], [1]])
_STEEP = FunctionSpan.exactly([0], 1, matrix=diagonal([2, 1]), functions=[[1], [0]])
_ALL = _flat(1, [0, 1], [[1, 0], [0, 1]])
_SPAN = "functions @ pinv(functions.T @ inv(K) @ functions) @ functions.T"

FLAT_SPECTRUM = Theorem(
    id="modern:flat-spectrum",
    kind="identity",
    status="new",
    title="All frequencies alike",
    number="this book",
    setting=(
        r"Let $K_U$ be the largest matrix below $K$ whose columns are combinations of "
        r"the columns of $U$, functions at the points, of which $r$ are independent; "
        r"let $E = K - C W^+ C^\top$ with $|S|$ distinct landmarks, and let "
        r"$K_{\max}$ be the largest diagonal entry of $K$."
    ),
    hypotheses={
        "flat": Hypothesis("K == K_max * identity(n)"),
        "not zero": Hypothesis("K_max > 0", domain=True),
    },
    claims={
        "trace": Claim(
            "trace(K - span) == (n - r) * K_max",
            says="The error from functions depends on their number alone:",
        ),
        "norm": Claim("norm_2(K - span) == K_max", when="r < n"),
        "columns": Claim(
            "trace_E == (n - different) * K_max", says="The error from columns is the "
                "same,"
        ),
        "columns, norm": Claim("norm_E == K_max", when="different < n"),
        "best": Claim(
            "tail_trace == (n - k) * K_max",
            says="and so is that of a best approximation of rank $k$:",
        ),
        "lattice": Claim(
            "all_frequencies == identity(n)",
            says="A lattice with its $n$ frequencies, all equally likely, has the "
            "matrix",
        ),
    },
    where={"span": Where("K_U", _SPAN)},
    world=FunctionSpan,
    controls={
        "eigenvalues 2 and 1": Control("trace", _STEEP, drops="flat"),
        "one function less": Control("trace", _HALF, {"(n - r)": "(n - 2 * r)"}),
        "all functions": Control("norm", _ALL, lacks="r < n"),
        "one column less": Control("columns", _HALF, {"different)": "2 * different)"}),
        "all columns": Control("columns, norm", _ALL, lacks="different < n"),
        "one percent less": Control("best", _HALF, {"== (n": "== 0.99 * (n"}),
        "one percent more": Control(
            "lattice", _HALF, {"== identity": "== 1.01 * identity"}
        ),
    },
)
