"""Second routes to answers: what features are, and the two ways to learn a matrix.

Quadrature, SymPy, sums over all cases: nothing of the package.
"""
# ruff: noqa: E741

import math
from fractions import Fraction

import numpy as np
import sympy
from second_routes import answer

# ---- features


@answer("ex-one-entry", "have the Gaussian kernel value $<kernel>$. What is the standa")
def _(kernel):
    # With a normal frequency of the angle: cos(a) and cos(b) cos(c) by quadrature.
    far = math.sqrt(-2 * math.log(kernel))
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    weights = weights / weights.sum()
    wave = np.cos(far * nodes)
    pairs = weights @ wave**2 - (weights @ wave) ** 2
    shift = 2 * np.pi * (np.arange(64) + 0.5) / 64
    both = 2 * np.cos(shift) * np.cos(far * nodes[:, None] + shift)
    phases = weights @ (both**2).mean(axis=1) - kernel**2
    return {"in_pairs": math.sqrt(pairs / 50), "with_phases": math.sqrt(phases / 100)}


@answer("ex-how-many-frequencies", "with <n> points, what is the least number of frequ")
def _(n):
    missed, first = 1.0, 0
    while missed > 0.01:
        missed, first = missed * (n - 1) / n, first + 1
    return {"least": first, "columns_exact": 3}


@answer("ex-weighted-kernel", r"Call it `limit(z)` for $\sigma = <sigma>$, $d = <d>$ a")
def _(sigma, d):
    nodes, weights = np.polynomial.hermite_e.hermegauss(100)
    weights = weights / weights.sum()

    def limit(z):
        return float(weights @ (np.exp(-(nodes**2) / 2) * np.cos(nodes * z)))

    return {"limit": limit}


@answer("ex-diagonal-of-phases", "variance of the inner product of a point with itself")
def _():
    shift = 2 * np.pi * (np.arange(360) + 0.5) / 360
    wave = 2 * np.cos(shift) ** 2
    pair = np.cos(shift) ** 2 + np.sin(shift) ** 2
    return {"of_phases": wave.var(), "of_pairs": pair.var()}


@answer("ex-one-bin", "has the pitch <pitch> on both axes and a uniform shift. Two poi")
def _(pitch):
    alike = Fraction(pitch - Fraction(1, 2), pitch)
    return {"in_one_bin": float(alike**2)}


@answer("ex-stretched-exponentials", "for the kernels $e^{-z^p}$ with $1 \\le p \\le 2")
def _():
    # Phases win at t where (2 - 2^p) t > log 2, for large t, so where 2^p < 2.
    p = sympy.Symbol("p", real=True)
    return {"critical": float(sympy.solve(2**p - 2, p)[0])}


# ---- two_ways_to_learn_a_matrix, what_to_use


@answer("ex-sizes", "Let $n = <n>$, $l = <l>$ and $k = <k>$. What are the sizes of")
def _(n, l, k):
    return {"shape": (n, k), "asked": n * l, "share": Fraction(l, n)}


@answer("ex-change-of-unit", "Multiply $K$ by <c>. What becomes of the Nyström approxi")
def _(c):
    def parts(K):
        """By both methods from two columns, with rank one: the matrix and its norm."""
        C = K[:, :2]
        values, vectors = np.linalg.eigh(K[:2, :2])
        made = C @ vectors[:, -1:] / math.sqrt(values[-1])
        left, s, right = np.linalg.svd(C, full_matrices=False)
        stretched = math.sqrt(len(K) / 2) * s[0]
        return [
            [np.linalg.norm(made @ made.T), values[-1], 1.0],
            [stretched * np.linalg.norm(left[:, :1]) ** 2, s[0], 1.0],
        ]

    K = np.array([[4.0, 2, 0, 2], [2, 2, 1, 3], [0, 1, 1, 2], [2, 3, 2, 5]])
    by_nystrom, by_columns = np.divide(parts(c * K), parts(K))
    return {"by_nystrom": by_nystrom, "by_columns": by_columns}


@answer("ex-overshoot", "Hand in both constants for $n = <n>$ and $l = <l>$.")
def _(n, l):
    # Of a diagonal matrix whose largest entries are sampled, in fractions.
    nystrom = Fraction(n, l)
    return {"constants": [nystrom, math.sqrt(nystrom)]}


@answer("ex-tie", r"gives a Nyström approximation of rank 1, $\tilde K_v = C v v^\top ")
def _():
    angle = sympy.Symbol("angle", real=True)
    C = sympy.Matrix([[1, 0], [0, 1], [1, 1]])
    v = sympy.Matrix([sympy.cos(angle), sympy.sin(angle)])
    left = 4 - (v.T * C.T * C * v)[0]
    ends = [float(left.subs(angle, sign * sympy.pi / 4)) for sign in (1, -1)]
    values = (C * C.T).eigenvals()  # K itself, as the columns recover it
    rest = float(4 - max(values, key=float))
    return {"best_choice": ends[0], "worst_choice": ends[1], "truncated_last": rest}


@answer("ex-share-of-entries", "How many of the entries of $K$ do <l> columns hold, in")
def _(l):
    percent = Fraction(100 * l * 20_000, 20_000**2)
    return {"percent": percent, "percent_more": percent}
