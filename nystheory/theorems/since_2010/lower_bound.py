"""Part III: matrices on which no choice of columns does well.

Wang and Zhang 2013.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import sympy as sp

from nystheory.theorems.base import Claim, Control, Hypothesis, Theorem
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import k, l, n, quantity
from nystheory.theorems.since_2010._first_form import error_eigenvalues, residual
from nystheory.theorems.subsets import fractions_of


def blocks(n: int, k: int, a: float, landmarks) -> Instance:
    """K of k blocks ``(1 - a) I + a 1 1^T`` of size n/k.

    The points are given: in each block orthogonal vectors of length ``sqrt(1 - a)``
    plus a common one of length ``sqrt(a)``.

    Examples
    --------
    >>> blocks(4, 2, 0.25, [0, 2]).K[0].tolist()
    [1.0, 0.25, 0.0, 0.0]
    """
    if n % k:
        raise ValueError(f"k: expected a divisor of n = {n}, got {k}")
    common = np.repeat(np.eye(k), n // k, axis=1)
    X = np.vstack([np.sqrt(1 - a) * np.eye(n), np.sqrt(a) * common])
    K = np.kron(np.eye(k), np.full((n // k, n // k), a))
    np.fill_diagonal(K, 1.0)
    return Instance(K, landmarks, k, X=X, name="blocks", extra={"similarity": a})


def balanced(n: int, k: int, n_landmarks: int) -> list[int]:
    """As many landmarks from each of the k blocks.

    Examples
    --------
    >>> balanced(6, 2, 4)
    [0, 1, 3, 4]
    """
    size, each = n // k, n_landmarks // k
    return [b * size + j for b in range(k) for j in range(each)]


def _within(i: Instance) -> float:
    """The entry off the diagonal of a block; NaN where K has no such blocks."""
    size, rest = divmod(i.n, i.k)
    if rest or size < 2:
        return np.nan
    a = float(i.K[0, 1])
    expected = np.kron(np.eye(i.k), np.full((size, size), a))
    np.fill_diagonal(expected, 1.0)
    return a if np.array_equal(i.K, expected) else np.nan


# The symbol and its measure; only matrices of such blocks have one.
similarity = quantity(
    "similarity", "a", "entry off the diagonal within a block of the worst case"
)(_within)

_BLOCKS = Hypothesis(
    r"$K$ consists of $k$ blocks $(1-a) I + a \mathbf 1 \mathbf 1^\top$, $0 < a < 1$",
    ("similarity",),
    lambda similarity: 0 < similarity < 1,
)
_FEWER = Hypothesis(r"$l < n$", ("l", "n"), lambda l, n: l < n)  # noqa: E741

# --- The three ratios -------------------------------------------------------------

_EXCESS = sp.Symbol("q", nonnegative=True)
_WHERE = {
    _EXCESS: sp.Mul(
        sp.Mul(similarity, sp.Add(n, sp.Mul(-1, l), evaluate=False), evaluate=False),
        sp.Pow(
            sp.Add(
                sp.Mul(k, sp.Add(1, -similarity, evaluate=False), evaluate=False),
                sp.Mul(similarity, l, evaluate=False),
                evaluate=False,
            ),
            -1,
            evaluate=False,
        ),
        evaluate=False,
    )
}
_ALL_BUT_K = sp.Pow(sp.Add(n, -k, evaluate=False), -1, evaluate=False)
SPECTRAL = Formula(sp.Add(1, _EXCESS, evaluate=False), where=_WHERE)
FROBENIUS = Formula(
    sp.Mul(
        sp.Add(
            n,
            -l,
            -k,
            sp.Mul(k, sp.Pow(sp.Add(1, _EXCESS, evaluate=False), 2), evaluate=False),
            evaluate=False,
        ),
        _ALL_BUT_K,
        evaluate=False,
    ),
    where=_WHERE,
)
TRACE = Formula(
    sp.Mul(
        sp.Add(n, -l, sp.Mul(k, _EXCESS, evaluate=False), evaluate=False),
        _ALL_BUT_K,
        evaluate=False,
    ),
    where=_WHERE,
)


def _left(i: Instance) -> float:
    """The eigenvalue that every direction but k has."""
    return 1 - _within(i)


def _spectral(i: Instance, _) -> float:
    return float(error_eigenvalues(i)[0]) / _left(i)


def _frobenius(i: Instance, _) -> float:
    squares = float((error_eigenvalues(i) ** 2).sum())
    return squares / ((i.n - i.k) * _left(i) ** 2)


def _trace(i: Instance, _) -> float:
    return float(np.trace(residual(i))) / ((i.n - i.k) * _left(i))


_RATIOS = ((_spectral, SPECTRAL), (_frobenius, FROBENIUS), (_trace, TRACE))


def _best_choice(observe):
    """The smallest ratio over all choices of l columns."""

    def smallest(i: Instance, rng) -> float:
        choices = combinations(range(i.n), i.l)
        return min(observe(i.but(landmarks=list(S)), rng) for S in choices)

    return smallest


def _is_balanced(i: Instance) -> bool:
    counts = np.bincount(i.landmarks // (i.n // i.k), minlength=i.k)
    distinct = len(set(i.landmarks.tolist())) == i.l
    return distinct and len(set(counts.tolist())) == 1


def _is_listed(i: Instance) -> bool:
    return i.n <= 8


def _condition(i: Instance) -> float:
    """An error of size 1 - a in a matrix of size 1 + a (n/k - 1), squared at most."""
    return i.norm_K / _left(i) * i.n / i.l


def _ratio(i: Instance) -> float:
    return (i.n / i.l) ** 2


def _exactly(i: Instance, _) -> bool:
    """Trace and Frobenius ratio of every choice of l columns, in fractions.

    For K times the denominator of a, by elimination; and the smallest of both is at
    the choice with the most even counts, with the value of the formula if these are
    equal.
    """
    a = Fraction(i.extra["similarity"]).limit_denominator(10**6)
    K = fractions_of(np.round(i.K * a.denominator)) / a.denominator
    found = {}
    for S in combinations(range(i.n), i.l):
        E = _eliminate(K, S)
        counts = np.bincount(np.array(S) // (i.n // i.k), minlength=i.k)
        tail = (i.n - i.k) * (1 - a)
        value = (np.trace(E) / tail, (E**2).sum() / (tail * (1 - a)))
        if found.setdefault(tuple(sorted(counts.tolist())), value) != value:
            return False
    even = min(found, key=lambda counts: counts[-1] - counts[0])
    q = a * (i.n - i.l) / (i.k * (1 - a) + a * i.l)
    trace = (i.n - i.l + i.k * q) / (i.n - i.k)
    squares = (i.n - i.l - i.k + i.k * (1 + q) ** 2) / (i.n - i.k)
    if even[0] == even[-1] and found[even] != (trace, squares):
        return False
    return all(v[0] >= trace and v[1] >= squares for v in found.values())


def _eliminate(K, S):
    for j in S:
        if K[j, j] != 0:
            K = K - np.outer(K[:, j], K[j]) / K[j, j]
    return K


def _cases(rng):
    shapes = ((4, 1, 2), (6, 2, 2), (6, 2, 4), (6, 3, 3), (8, 2, 4), (8, 1, 3))
    for n_, k_, l_ in (*shapes, (6, 2, 3), (6, 3, 2), (7, 1, 6), (8, 4, 5)):
        for a in (0.1, 0.5, 0.9, 0.999):
            S = balanced(n_, k_, l_)
            if len(S) < l_:
                S = rng.choice(n_, l_, replace=False)
            yield blocks(n_, k_, a, S)
    for n_, k_, l_ in ((20, 1, 4), (40, 2, 8), (60, 5, 30)):
        for a in (0.5, 0.99, 1 - 1e-6):
            yield blocks(n_, k_, a, balanced(n_, k_, l_))


def _following(i: Instance, _) -> np.ndarray:
    """All eigenvalues of K after the k-th."""
    return i.eigen_K[0][i.k :]


def _rises(ratio):
    """Whether a ratio rises with a, and to its value at 1."""

    def rises(i: Instance, _) -> bool:
        a, sizes = _within(i), {"n": i.n, "k": i.k, "l": i.l}
        nearer = 1 - (1 - a) * 10.0 ** -np.arange(9.0)
        values = [ratio(similarity=s, **sizes) for s in (*nearer, 1.0)]
        return bool(
            (np.diff(values) > 0).all() and values[-1] < values[-2] * (1 + 1e-5)
        )

    return rises


def _equal(says: str, observe, formula, applies=_is_balanced) -> Claim:
    return Claim(
        says,
        observe=observe,
        formula=formula,
        scale=_ratio,
        condition=_condition,
        applies=applies,
    )


def _at_least(says: str, observe, formula, **changes) -> Claim:
    return Claim(
        says,
        **{
            "observe": _best_choice(observe),
            "formula": formula,
            "relation": ">=",
            "scale": _ratio,
            "condition": _condition,
            "applies": _is_listed,
            **changes,
        },
    )


# --- Algebra ----------------------------------------------------------------------


def _schur_complement(p: int, m: int):
    """What p of m points of a block leave, symbolically, twice."""
    a = similarity
    block = (1 - a) * sp.eye(m) + a * sp.ones(m, m)
    W, C = block[:p, :p], block[p:, :p]
    left = block[p:, p:] - C * W.inv() * C.T
    share = a / (1 - a + p * a)
    return left, (1 - a) * (sp.eye(m - p) + share * sp.ones(m - p, m - p))


def _derive():
    left, form = _schur_complement(2, 4)
    ratios = [SPECTRAL.flat, FROBENIUS.flat, TRACE.flat]
    cubes = (n**2 * k - l**3) / (l**2 * (n - k))
    limits = [n / l, 1 + cubes, (n - l) * (1 + k / l) / (n - k)]
    # The formulas are continuous at a = 1, so the limit is their value there.
    at_one = [ratio.subs(similarity, 1) for ratio in ratios]
    return (
        Step(
            sp.Matrix([*left, *at_one]),
            r"the Schur complement of two of four points; and the three ratios as "
            r"$a \to 1$",
        ),
        Step(
            sp.Matrix([*form, *limits]),
            r"$(1-a) \bigl(I + \frac{a}{1 - a + p a} \mathbf 1 \mathbf 1^\top\bigr)$ "
            r"with $p = 2$; and $n/l$, $1 + \frac{n^2 k - l^3}{l^2 (n-k)}$, "
            r"$\frac{(n-l)(1 + k/l)}{n-k}$",
        ),
    )


LOWER_BOUND = Theorem(
    id="modern:lower-bound",
    part="III",
    kind="identity",
    status="holds",
    title="What no choice of columns can beat",
    number="after Wang and Zhang 2013",
    statement=(
        r"Let $K$ consist of $k$ blocks $(1-a) I + a \mathbf 1 \mathbf 1^\top$ of size "
        r"$n/k \ge 2$ with $0 < a < 1$, so that $\lambda_{k+1} = \dots = \lambda_n = "
        r"1 - a$, let $l < n$, $q = \frac{a (n-l)}{k (1-a) + a l}$ and $E = K - C W^+ "
        r"C^\top$. For every choice of $l$ columns $\frac{\|E\|_2}{\lambda_{k+1}} \ge "
        r"1 + q$, $\frac{\|E\|_F^2}{\|K - K_k\|_F^2} \ge \frac{n - l - k + k (1+q)^2}"
        r"{n-k}$ and $\frac{\operatorname{tr} E}{\sum_{j>k} \lambda_j} \ge "
        r"\frac{n - l + k q}{n-k}$, with equality for $l/k$ columns from every block. "
        r"As $a \to 1$ these numbers rise to $\frac nl$, $1 + \frac{n^2 k - l^3}"
        r"{l^2 (n-k)}$ and $\frac{(n-l)(1 + k/l)}{n-k}$."
    ),
    hypotheses=(_BLOCKS, _FEWER),
    claims=(
        _equal(r"$\|E\|_2 / \lambda_{k+1}$, as many from every block", *_RATIOS[0]),
        _equal(r"$\|E\|_F^2 / \|K - K_k\|_F^2$, the same", *_RATIOS[1]),
        _equal(r"$\operatorname{tr} E / \sum_{j>k} \lambda_j$, the same", *_RATIOS[2]),
        _at_least(r"$\|E\|_2 / \lambda_{k+1}$ for the best columns", *_RATIOS[0]),
        _at_least(r"$\|E\|_F^2 / \|K - K_k\|_F^2$, the same", *_RATIOS[1]),
        _at_least(
            r"$\operatorname{tr} E / \sum_{j>k} \lambda_j$, the same", *_RATIOS[2]
        ),
        Claim(
            "trace and Frobenius norm for every choice of columns, in fractions",
            observe=_exactly,
            applies=lambda i: i.n <= 6,
        ),
        Claim(
            r"$\lambda_{k+1} = \dots = \lambda_n = 1 - a$",
            observe=_following,
            expected=lambda i, _: np.full(i.n - i.k, _left(i)),
        ),
        *(
            Claim(rf"the number for {size} rises with $a$, to its limit", _rises(ratio))
            for size, ratio in (
                (r"$\|E\|_2$", SPECTRAL),
                (r"$\|E\|_F^2$", FROBENIUS),
                (r"$\operatorname{tr} E$", TRACE),
            )
        ),
    ),
    instances=_cases,
    own_suite=True,
    derivation=_derive,
    controls=(
        Control(
            _equal(
                "every choice of columns attains it",
                _spectral,
                SPECTRAL,
                applies=None,
            ),
            blocks(4, 2, 0.5, [0, 1]),
            drops="$l / k$ columns from every block",
        ),
        # The limit is not reached: 1 + q = 1.99 for a = 0.99.
        Control(
            _at_least(
                r"$\|E\|_2 \ge \frac nl \lambda_{k+1}$ for $a < 1$",
                _spectral,
                Formula(n / l),
            ),
            blocks(4, 1, 0.99, [0, 1]),
        ),
        # Not of every matrix: two landmarks are all of one that has rank 2.
        Control(
            _at_least(
                r"$\|E\|_2 \ge \frac nl \sigma_{k+1}$ for every matrix",
                lambda i, _: float(error_eigenvalues(i)[0]),
                None,
                expected=lambda i, _: i.n / i.l * float(i.eigen_K[0][i.k]),
                condition=None,
                scale=None,
            ),
            Instance(np.eye(3), [0, 1], 1),
            drops=_BLOCKS.says,
        ),
        Control(
            _at_least(r"$\|E\|_2 / \lambda_{k+1}$ for all the columns", *_RATIOS[0]),
            blocks(4, 1, 0.5, [0, 1, 2, 3]),
            drops=_FEWER.says,
        ),
        Control(
            _at_least(
                r"the trace loses as much as the spectral norm",
                _trace,
                SPECTRAL,
            ),
            blocks(4, 1, 0.5, [0, 1]),
        ),
    ),
)
