r"""How far the covariance of a sample is from that of all points: the numbers.

With ``K = X'X``, a sample S of l columns and ``Z = sqrt(n/l) X_S``, the bounds of
section 5.1 of the thesis are written in these quantities.

Measured on an instance (entries of ``QUANTITIES``):

==================  ==============================================================
K_max               largest diagonal entry of K, the largest squared length
d_max               largest kernel distance, ``max sqrt(K_ii + K_jj - 2 K_ij)``
spread              ``sum K_ii^2 - |K|_F^2 / n``: n times the variance of x x'
phi (`deviation`)   ``|XX' - ZZ'|_2``, from `nystheory.theorems.quantities`
psi (`deviation_F`) ``|XX' - ZZ'|_F``
deviation_trace     ``|XX' - ZZ'|_*``, the sum of the singular values
==================  ==============================================================

Formulas in them (symbols of `NAMED`, put into a bound by `formula`):

=====================  ===========================================================
u                      ``n - l``, the columns that are not sampled
R                      ``sqrt(K_max)``, the largest length
beta                   ``1 - 1 / (2 max(l, n - l))``, as printed in Theorem 5.2
q                      ``(n - l) / ((n - 1/2) beta)``, the factor under its root
alpha_printed          alpha(l, u) as printed in Theorem 5.1, equal to ``l q``
alpha_of_drawn         ``u^2 sum_{j=u}^{n-1} j^-2``: differences of the l drawn
alpha_of_left          ``l^2 sum_{j=l}^{n-1} j^-2``: differences of the u left
alpha_sharp            the smaller of these two; at most alpha_printed and l
e_l                    root of the mean of psi^2, without replacement
e_l_replaced           root of the mean of psi^2, with replacement
e_l_bound              ``n / sqrt(l) sqrt(1 - l/n) K_max``, at least e_l
g_2, g_F               largest ``|aa' - bb'|`` for lengths <= R, distance <= d_max
g_2_equal, g_F_equal   the same for lengths that are all R (constant diagonal)
=====================  ===========================================================

The bounded-difference constant of psi is ``(n/l) g_F``, that of phi ``(n/l) g_2``.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy.special
import sympy as sp
from scipy.spatial.distance import pdist

from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import deviation, l, n, quantity

# --- Measured on an instance ------------------------------------------------------


def selection_matrix(i: Instance) -> np.ndarray:
    """The matrix S with ``S[s_j, j] = 1`` and zeros elsewhere, (n, l).

    Examples
    --------
    >>> selection_matrix(Instance(np.eye(3), [2, 0], 1)).tolist()
    [[0.0, 1.0], [0.0, 0.0], [1.0, 0.0]]
    """
    S = np.zeros((i.n, i.l))
    S[i.landmarks, np.arange(i.l)] = 1.0
    return S


def covariance_error(i: Instance) -> np.ndarray:
    """``E = XX' - ZZ'`` with ``Z = sqrt(n/l) X_S``, (N, N) for N coordinates.

    Examples
    --------
    >>> covariance_error(Instance.from_points(np.eye(2), [0], 1)).tolist()
    [[-1.0, 0.0], [0.0, 1.0]]
    """
    X, sampled = i.points, i.points[:, i.landmarks]
    return X @ X.T - (i.n / i.l) * (sampled @ sampled.T)


def _largest_distance(i: Instance) -> float:
    """From points where they are given: equal points are then at distance 0."""
    if i.n == 1:
        return 0.0
    if i.X is not None:
        return float(pdist(i.X.T).max())
    diagonal = np.diag(i.K)
    squares = diagonal[:, None] + diagonal - 2 * i.K
    return float(np.sqrt(squares.max(initial=0.0)))


def _spread(i: Instance) -> float:
    """As ``(1 / 2n) sum_ij (K_ii^2 + K_jj^2 - 2 K_ij^2)``, a sum without a sign."""
    squares = np.diag(i.K) ** 2
    pairs = squares[:, None] + squares - 2 * i.K**2
    return float(np.maximum(pairs, 0).sum() / (2 * i.n))


K_max = quantity("K_max", r"K_{\max}", "largest diagonal entry of the matrix")(
    lambda i: float(np.diag(i.K).max())
)
d_max = quantity("d_max", r"d_{\max}", "largest kernel distance of two points")(
    _largest_distance
)
spread = quantity(
    "spread", "V", "sum of K_ii^2 less the squared Frobenius norm over n"
)(_spread)
phi = deviation
psi = quantity(
    "deviation_F",
    r"\|XX^\top - ZZ^\top\|_F",
    "Frobenius distance of the covariance of the points and of the scaled sample",
    of_sample=True,
)(lambda i: float(np.linalg.norm(covariance_error(i))))
deviation_trace = quantity(
    "deviation_trace",
    r"\|XX^\top - ZZ^\top\|_*",
    "the same distance as the sum of its singular values",
    of_sample=True,
)(lambda i: float(np.abs(np.linalg.eigvalsh(covariance_error(i))).sum()))


# --- Formulas, each written once --------------------------------------------------


class InverseSquares(sp.Function):
    r"""``sum_{j=a}^{b} 1 / j^2``, zero for ``a = b + 1``; computed by trigamma.

    Examples
    --------
    >>> Formula(InverseSquares(l, n))(l=1, n=3)
    1.3611...
    """

    nargs = 2

    @staticmethod
    def _imp_(first, last):
        trigamma = scipy.special.polygamma
        return trigamma(1, first) - trigamma(1, last + 1)

    def _latex(self, printer):
        first, last = (printer._print(a) for a in self.args)
        return rf"\sum_{{j={first}}}^{{{last}}} \frac{{1}}{{j^{{2}}}}"


def _name(latex: str) -> sp.Symbol:
    return sp.Symbol(latex, nonnegative=True)


def _times(*factors) -> sp.Expr:
    """A product in the order in which it was written."""
    return sp.Mul(*factors, evaluate=False)


def _plus(*terms) -> sp.Expr:
    return sp.Add(*terms, evaluate=False)


def _over(numerator, *denominator) -> sp.Expr:
    """A fraction; the factors of either side in the order in which they stand."""
    above = numerator if isinstance(numerator, tuple) else (numerator,)
    below = (sp.Pow(factor, -1, evaluate=False) for factor in denominator)
    return _times(*above, *below)


def _root(expr) -> sp.Expr:
    return sp.Pow(expr, sp.Rational(1, 2), evaluate=False)


_HALF = sp.Rational(1, 2)
_LESS = _plus(n, -l)

u, R, beta, q = _name("u"), _name("R"), _name(r"\beta"), _name("q")
alpha_printed, alpha_sharp = _name(r"\alpha"), _name(r"\alpha_\sharp")
alpha_of_drawn, alpha_of_left = _name(r"\alpha_l"), _name(r"\alpha_u")
e_l, e_l_replaced, e_l_bound = _name("e_l"), _name(r"\tilde e_l"), _name(r"\bar e_l")
g_2, g_F = _name("g_2"), _name("g_F")
g_2_equal, g_F_equal = _name(r"g^{=}_2"), _name(r"g^{=}_F")
d_bar = _name(r"\bar d")

NAMED: Mapping[sp.Symbol, sp.Expr] = {
    u: _LESS,
    R: sp.sqrt(K_max),
    beta: _plus(1, -_over(1, 2, sp.Max(l, _LESS, evaluate=False))),
    q: _over(_LESS, _plus(n, -_HALF), beta),
    alpha_printed: _over((l, u), _plus(l, u, -_HALF), beta),
    # 1 + u^2 sum_{j=u+1} instead of u^2 sum_{j=u}: the same, and a number at u = 0.
    alpha_of_drawn: _plus(1, _times(u**2, InverseSquares(_plus(u, 1), _plus(n, -1)))),
    alpha_of_left: _times(l**2, InverseSquares(l, _plus(n, -1))),
    alpha_sharp: sp.Min(alpha_of_drawn, alpha_of_left, evaluate=False),
    e_l: _root(_times(_over((n, _LESS), l, _plus(n, -1)), spread)),
    e_l_replaced: _root(_times(_over(n, l), spread)),
    e_l_bound: _times(_over(n, sp.sqrt(l)), _root(_plus(1, -_over(l, n))), K_max),
    d_bar: sp.Min(d_max, _times(sp.sqrt(2), R), evaluate=False),
    g_2_equal: _times(_over(d_bar, 2), _root(_plus(_times(4, R**2), -(d_bar**2)))),
    g_F_equal: _times(sp.sqrt(2), g_2_equal),
    g_2: _plus(R**2, -(sp.Max(_plus(R, -d_max), 0, evaluate=False) ** 2)),
    # The first is a pair on one ray, the larger for d_max <= 2R/3; the second one of
    # equal lengths.
    g_F: sp.Max(_times(d_max, _plus(_times(2, R), -d_max)), g_F_equal, evaluate=False),
}


def formula(expr: sp.Expr) -> Formula:
    """A formula in the symbols of `NAMED`, with a 'where' for each that it uses.

    Examples
    --------
    >>> formula(alpha_sharp)(n=2, l=1)
    1.0
    >>> formula(e_l_bound)(n=8, l=2, K_max=1)
    4.898...
    >>> formula(q * l).latex().split(r"\\quad")[0]
    'l q '
    """
    return Formula(expr, where={symbol: NAMED[symbol] for symbol in _used(expr)})


def _used(expr) -> list[sp.Symbol]:
    """The named symbols that an expression needs, in the order of `NAMED`."""
    waiting, found = [expr], set()
    while waiting:
        new = (waiting.pop().free_symbols & set(NAMED)) - found
        found |= new
        waiting += [NAMED[symbol] for symbol in new]
    return [symbol for symbol in NAMED if symbol in found]


# --- Extremal cases ---------------------------------------------------------------


def flipped(size: int = 20, gap: float = 0.005) -> Instance:
    """Two orthogonal clusters whose order the sample flips, k = 1.

    ``size`` equal points of length 1 and one of length ``1 + gap``; the sample has
    one of each, so it takes the lone point for the leading direction.  As the gap
    closes, the excess over the best rank one tends to ``size - 1``, which is twice
    ``|XX' - ZZ'|_2`` and sqrt 2 times ``|XX' - ZZ'|_F``.

    Examples
    --------
    >>> case = flipped(3, 0.0)
    >>> case.n, covariance_error(case).tolist()
    (4, [[1.0, 0.0], [0.0, -1.0]])
    """
    X = np.repeat(np.diag([1.0, 1.0 + gap]), (size, 1), axis=1)
    name = "two clusters, order flipped by the sample"
    return Instance.from_points(X, [0, size], 1, name)
