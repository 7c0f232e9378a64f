"""Matrices on which no choice of columns does well.

Wang and Zhang 2013.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations

import numpy as np

from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem, Where
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.trial.derivation import Derivation
from nystheory.engine.worlds.quantities import quantity

_exact = partial(quantity, unit=None)


def blocks(n: int, k: int, a: float | str, landmarks) -> Instance:
    """K of k blocks ``(1 - a) I + a 1 1^T`` of size n/k.

    Examples
    --------
    >>> blocks(4, 2, "1/4", [0, 2]).K[0].tolist()
    [1.0, 0.25, 0.0, 0.0]
    """
    if n % k:
        raise ValueError(f"k: expected a divisor of n = {n}, got {k}")
    size = n // k
    matrix = [
        [1 if i == j else a if i // size == j // size else 0 for j in range(n)]
        for i in range(n)
    ]
    return Instance.exactly(landmarks, k, matrix=matrix, name="blocks")


@_exact("a", "similarity of the first two points, in the worst case of all")
def similarity(i):
    return i.K[0, 1] if i.n > 1 else None


@_exact("K_a", "the matrix of k blocks with the similarity a")
def worst_case(i):
    size, rest = divmod(i.n, i.k)
    if rest or size < 2:
        return None
    a = i.K[0, 1]
    return np.kron(np.eye(i.k), np.full((size, size), a)) + (1 - a) * np.eye(i.n)


@_exact(r"\min_b l_b", "fewest different landmarks from one of k blocks", SAMPLE)
def fewest(i):
    if i.n % i.k:
        return None
    different = np.unique(i.landmarks)
    return np.bincount(different // (i.n // i.k), minlength=i.k).min()


def _cases(rng):
    """All choices of columns for small matrices, some for larger ones."""
    small = [
        (n, k, a, S)
        for n, k, count in ((4, 1, 2), (6, 2, 2), (6, 2, 3), (6, 3, 3))
        for a in ("1/10", "1/2", "9/10", "999/1000")
        for S in combinations(range(n), count)
    ]
    for index in rng.permutation(len(small)):
        yield blocks(*small[index])
    for n, k, count in ((7, 1, 6), (8, 4, 5), (8, 2, 6)):
        for a in (0.1, 0.5, 0.9, 0.999):
            yield blocks(n, k, a, rng.choice(n, count, replace=False))
    for n, k, count in ((8, 2, 4), (8, 1, 3), (20, 1, 4), (40, 2, 8), (60, 5, 30)):
        as_many = [b * n // k + j for b in range(k) for j in range(count // k)]
        for a in (0.5, 0.99, 1 - 1e-6):
            yield blocks(n, k, a, as_many)


_SPECTRAL, _FROBENIUS = "norm_E / tail_2", "norm_F(E)**2 / tail_F**2"
_TRACE = "trace_E / tail_trace"
_RATIOS = {
    "spectral": (_SPECTRAL, "1 + q"),
    "Frobenius": (_FROBENIUS, "(n - l - k + k * (1 + q)**2) / (n - k)"),
    "trace": (_TRACE, "(n - l + k * q) / (n - k)"),
}
_BALANCED = "k * fewest == l"
_Q = "similarity * (n - l) / (k * (1 - similarity) + similarity * l)"
_LIMIT = "(n - l - k + k * (1 + (n - l) / l)**2) / (n - k)"
_ITS_VALUE = "1 + (n**2 * k - l**3) / (l**2 * (n - k))"

_HALF = blocks(4, 1, "1/2", [0, 1])
_UNEVEN = blocks(4, 2, "1/2", [0, 1])
_NEARLY = blocks(4, 1, "99/100", [0, 1])
_QUARTER = blocks(4, 1, "1/4", [0])
_ALL_COLUMNS = blocks(4, 1, "1/2", [0, 1, 2, 3])
_NO_BLOCKS = Instance.exactly(
    [0, 1], 1, matrix=[[1, "1/2", 0, 0], ["1/2", 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
)

LOWER_BOUND = Theorem(
    id="modern:lower-bound",
    kind="identity",
    status="holds",
    title="What no choice of columns can beat",
    number="after Wang and Zhang 2013",
    setting=(
        r"Let $\tilde K = C W^+ C^\top$ be an approximation from any choice of $l$ "
        r"columns, $E = K - \tilde K$, and let $l_b$ be the number of columns that are "
        "chosen from block $b$."
    ),
    hypotheses={
        "similarity": Hypothesis("0 < similarity < 1", domain=True),
        "blocks": Hypothesis(
            "K == worst_case",
            says=r"$K$ consist of $k$ blocks $(1-a) I + a \mathbf 1 \mathbf 1^\top$ of "
            r"size $n/k \ge 2$",
        ),
        "fewer": Hypothesis("l < n"),
    },
    where={"q": Where("q", _Q)},
    claims={
        **{name: f"{ratio} >= {bound}" for name, (ratio, bound) in _RATIOS.items()},
        **{
            f"{name}, attained": Claim(f"{ratio} == {bound}", when=_BALANCED)
            for name, (ratio, bound) in _RATIOS.items()
        },
        "next eigenvalue": Claim(
            "tail_2 == 1 - similarity",
            says=r"Here $\lambda_{k+1}, \dots, \lambda_n$ are all the same,",
        ),
        "other eigenvalues": "tail_trace == (n - k) * (1 - similarity)",
        "rise": Claim(
            "q == (n - l) / (l + k * (1 - similarity) / similarity)",
            says=r"As $a \to 1$, $q$ rises to $(n - l) / l$,",
        ),
        "limit, spectral": Claim(
            "1 + (n - l) / l == n / l", says="and the three lower bounds tend to"
        ),
        "limit, Frobenius": f"{_LIMIT} == {_ITS_VALUE}",
        "limit, trace": (
            "(n - l + k * ((n - l) / l)) / (n - k) == (n - l) * (1 + k / l) / (n - k)"
        ),
    },
    cases=_cases,
    suite=False,
    derivation=Derivation(
        "limit, Frobenius",
        (
            (_LIMIT, r"the bound at $q = (n - l) / l$"),
            ("(n - k - l + k * n**2 / l**2) / (n - k)", r"$1 + q = n / l$"),
            (_ITS_VALUE, "one for the first two terms"),
        ),
    ),
    controls={
        "the limit is not reached": Control("spectral", _NEARLY, {"1 + q": "n / l"}),
        "no blocks": Control("spectral", _NO_BLOCKS, drops="blocks"),
        "all the columns": Control("spectral", _ALL_COLUMNS, drops="fewer"),
        "1.01 for Frobenius": Control("Frobenius", _HALF, {">=": ">= 1.01 *"}),
        "the trace like the norm": Control(
            "trace", _HALF, {_RATIOS["trace"][1]: "1 + q"}
        ),
        **{
            f"every choice, {name}": Control(
                f"{name}, attained", _UNEVEN, lacks="k * fewest == l"
            )
            for name in _RATIOS
        },
        "a for 1 - a": Control("next eigenvalue", _QUARTER, {"1 - ": ""}),
        "all eigenvalues": Control("other eigenvalues", _HALF, {"(n - k)": "n"}),
        "k for l": Control("rise", _HALF, {"(l + k": "(k + k"}),
        "the other quotient": Control("limit, spectral", _HALF, {"n / l": "l / n"}),
        "n for its square": Control("limit, Frobenius", _HALF, {"n**2 * k": "n * k"}),
        "k for its share": Control("limit, trace", _HALF, {"k / l": "k"}),
    },
)
