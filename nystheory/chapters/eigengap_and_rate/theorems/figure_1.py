"""The synthetic experiment of figure 1, in small.

Yang et al. 2012, section 2 and figure 1(c).  The page has it at full size.
"""

from __future__ import annotations

import numpy as np

from nystheory.engine import Claim, Control, Theorem
from nystheory.engine.worlds.laws import enter
from nystheory.engine.worlds.worlds import Given, World

# Of every point; the accuracies of the small world do not turn on it.
RIDGE = 1e-3
REDUNDANT = 100


def _share(symbol, of) -> Given:
    meaning = f"share of right labels with {of}"
    return Given(symbol, meaning, drawn=True)


class Repetition(World):
    """Two balls with redundant features, and how often labels are right."""

    learned = Given("N", "points to learn from", range="learned > 0")
    judged = Given("M", "points of the test", range="judged > 0")
    samples = Given("m", "landmarks, and frequencies", range="samples > 0")
    width = Given(r"\sigma", "width of the kernel", range="width > 0")
    landmarks_right = _share(r"a_{\text{N}}", "Nyström features")
    waves_right = _share(r"a_{\text{F}}", "random Fourier features")
    fast_right = _share(r"a_{\text{1}}", "standard normal frequencies")

    # A repetition leaves three shares, which do not round with the points.
    n = 1
    # Nothing of it is a number that a search may change.
    moves = False


def repeated(i: Repetition, rng: np.random.Generator) -> Repetition:
    """One repetition: points, landmarks and frequencies anew."""
    X, y = two_balls(int(i.learned + i.judged), rng)
    fast = X @ rng.standard_normal((X.shape[1], int(i.samples)), np.float32)
    maps = nystrom_map(X, int(i.samples), i.width), waves_map(fast / i.width)
    shares = [_right(Z, y, int(i.learned)) for Z in (*maps, waves_map(fast))]
    names = ("landmarks_right", "waves_right", "fast_right")
    return i.but(**dict(zip(names, shares, strict=True)))


enter("repetition", "points, landmarks and frequencies anew", lambda i: None, repeated)


def two_balls(n: int, rng) -> tuple[np.ndarray, np.ndarray]:
    """As `datasets.two_balls`, in float32, which is faster: points and labels.

    Examples
    --------
    >>> X, y = two_balls(4, np.random.default_rng(0))
    >>> X.shape, y.tolist()
    ((4, 102), [-1.0, 1.0, -1.0, 1.0])
    """
    y = np.where(np.arange(n) % 2, 1, -1).astype(np.float32)
    radius = np.sqrt(rng.random(n, np.float32)) / 2
    angle = np.float32(2 * np.pi) * rng.random(n, np.float32)
    X = np.empty((n, 2 + REDUNDANT), np.float32)
    X[:, 0] = y / 2 + radius * np.cos(angle)
    X[:, 1] = radius * np.sin(angle) + np.float32(0.5)
    X[:, 2:] = rng.random((n, REDUNDANT), np.float32)
    return X, y


def nystrom_map(X: np.ndarray, m: int, width: float) -> np.ndarray:
    """Nyström features of the first m points, which are as random as any.

    Examples
    --------
    >>> Z = nystrom_map(np.eye(3, dtype=np.float32), 3, 1.0)
    >>> (Z @ Z.T).round(3).tolist()[0]
    [1.0, 0.368, 0.368]
    """
    squares = np.einsum("ij,ij->i", X, X)
    apart = squares[:, None] + squares[:m] - 2 * X @ X[:m].T
    C = np.exp(apart / (-2 * width**2)).astype(float)
    values, vectors = np.linalg.eigh(C[:m])
    return C @ (vectors / np.sqrt(np.maximum(values, 1e-9)))


def waves_map(arguments: np.ndarray) -> np.ndarray:
    """Cosines and sines of the products with frequencies, (n, m).

    Examples
    --------
    >>> waves_map(np.zeros((1, 2))).round(3).tolist()
    [[0.707, 0.707, 0.0, 0.0]]
    """
    both = np.concatenate([np.cos(arguments), np.sin(arguments)], axis=1)
    return both / np.sqrt(arguments.shape[1])


def _right(Z, y, n) -> float:
    """Ridge regression on the first n rows: the share of right signs in the others."""
    G = Z[:n].T @ Z[:n] + RIDGE * n * np.eye(Z.shape[1])
    told = Z[n:] @ np.linalg.solve(G, Z[:n].T @ y[:n])
    return float(np.mean(told * y[n:] > 0))


_SIZES = "learned == 100 and judged == 100 and samples == 10 and width == 6"
_SMALL = Repetition("two balls", learned=100, judged=100, samples=10, width=6)
_DRAWN = "points and frequencies have continuous laws: nothing to list"


def _mean(line, says="") -> Claim:
    return Claim(line, when=_SIZES, law="repetition", says=says, support=("0", "1"))


def _control(of, old, new) -> Control:
    return Control(of, _SMALL, {old: new}, inexact=_DRAWN)


FIGURE_1 = Theorem(
    id="yang2012:fig-1",
    kind="experiment",
    status="not-reproduced",
    title="Two balls",
    number="figure 1",
    setting=(
        "Draw $N + M$ points with labels $-1$ and $1$ in turn: two coordinates "
        r"uniform in the ball of the label, of radius $1/2$ around $(\mp \tfrac12, "
        r"\tfrac12)$, and a hundred uniform in $[0, 1]$. Learn from $N$ of them by "
        "ridge regression, with a thousandth of $N$ as the ridge: on Nyström "
        r"features of $m$ landmarks with the kernel $\exp(-\|x - y\|^2 / 2 "
        r"\sigma^2)$, on the sines and cosines of $m$ frequencies from its spectrum "
        r"$N(0, \sigma^{-2} I)$, or on those of $m$ standard normal ones. Let "
        r"$a_{\text{N}}$, $a_{\text{F}}$ and $a_{\text{1}}$ be their shares of "
        "correct signs on the other $M$ points."
    ),
    claims={
        "landmarks": _mean(
            "mean(landmarks_right) >= 3 / 4",
            "With Nyström features most signs are right:",
        ),
        "frequencies": _mean(
            "mean(waves_right) <= 3 / 4",
            "Random Fourier features do not exceed this share, so Nyström features do "
            "at least as well:",
        ),
        "no guess": _mean(
            "mean(waves_right) >= 3 / 5", "Random Fourier features beat a guess "
            "clearly:"
        ),
        "standard normal": _mean(
            "mean(fast_right) <= 3 / 5",
            "Standard normal frequencies do not exceed the same share:",
        ),
    },
    world=Repetition,
    cases=lambda rng: [_SMALL],
    suite=False,
    controls={
        "with frequencies": _control("landmarks", "landmarks_right", "waves_right"),
        "with landmarks": _control("frequencies", "waves_right", "landmarks_right"),
        "standard normal ones": _control("no guess", "waves_right", "fast_right"),
        "those of the spectrum": _control(
            "standard normal", "fast_right", "waves_right"
        ),
    },
)
