"""Second routes to answers: rates, learners, preconditioners, sketches.

SymPy, integrals, sums over all cases: nothing of the package.
"""
# ruff: noqa: E741

import math
from fractions import Fraction
from itertools import combinations, count, product

import numpy as np
import sympy
from second_routes import answer


def least(what, low, high):
    """Where an increasing function passes zero."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if what(middle) < 0 else (low, middle)
    return low


# ---- fast_and_slow_rates


@answer("ex-halve-the-error", "grow to <halve> a bound of order $n^{-1/2}$, and one of")
def _(halve):
    def factor(power):
        return least(lambda x: 0.5 - x**power, 1.0, 100.0)

    return {"slow": factor(-1 / 2), "fast": factor(-2 / 3)}


@answer("ex-columns-of-a-million", r"Let $p = <p>$, $r = \theta = 1$ and $n = <n>$.")
def _(p, n):
    p = Fraction(p)
    powers = (2 * p / (1 + p), p / (1 + p))
    hinge, square = (math.exp(float(each) * math.log(n)) for each in powers)
    return {"for_hinge": hinge, "for_square": square}


@answer("ex-no-variance-bound", r"Bind `rate` and `columns_exponent` for $p = <p>$.")
def _(p):
    p = Fraction(p)
    q = (2 - p) + p  # r = 1, theta = 0
    return {"rate": min(1, 1 / q), "columns_exponent": min(2 * p, p)}


@answer(
    "ex-dimension-of-a-kernel",
    r"has the eigenvalues $<gamma> j^{-4}$ for $j$ up to $10^5$. Compute the effective "
    r"dimension for $\alpha = <alpha>$",
)
def _(gamma, alpha):
    step = 1e-3
    t = (np.arange(200_000) + 0.5) * step  # the integral of 1 / (1 + t^4)
    integral = math.fsum(step / (1 + t**4)) + 1 / (3 * 200.0**3)
    return {"limit": (gamma / alpha) ** (1 / 4) * integral}


@answer(
    "ex-hinge-or-square",
    r"For a classification problem with $p = <p>$, $r = <r>$ and $\gamma = <gamma>$,",
)
def _(p, r, gamma):
    p, r, gamma, rho = map(Fraction, (p, r, gamma, "1/20"))
    hinge, square = p * (r + 1) * rho / r, p * (2 - gamma) * rho / r
    return {"with_hinge": hinge, "with_square": square}


# ---- fixed_sampling


@answer(
    "ex-weights-by-hand",
    "probabilities $<a>, <b>, <c>, <d>$. Two are drawn with replacement, and the first",
)
def _(a, b, c, d):
    p, f = [Fraction(x) for x in (a, b, c, d)], (3, 1, 4, 0)
    weights = [1 / (2 * x) if x else 0 for x in p]
    mean = sum(
        p[i] * p[j] * (weights[i] * f[i] + weights[j] * f[j])
        for i, j in product(range(4), repeat=2)
    )
    return {"weight": weights[0], "mean": mean}


@answer("ex-constant", r"the largest $\delta = \tilde d / <tau>$ in")
def _(tau):
    small = 1 / (2 * tau)  # the largest delta, with the dimension one half
    constant = least(lambda c: small - math.exp(-c / 2 * math.log(tau)), 0.1, 10.0)
    return {"limiting_constant": constant}


@answer("ex-coupling", "How many columns do the paired samples share on the patches, a")
def _():
    return {"shared_if_independent": Fraction(1, 1000)}


# ---- kernel_principal_components


@answer(
    "ex-two-residuals",
    r"Let $K = \operatorname{diag}(<a>, <b>, <c>)$ and $k = <k>$. What is its residual",
)
def _(a, b, c, k):
    def residual(values):
        return Fraction(sum(sorted(values)[: 3 - k]), 3)

    before, after = residual([a, b, c]), residual([a + 1, b + 1, c + 1])
    allowed = (1 - Fraction(k, 3)) * 1
    return {"residual_before": before, "residual_after": after, "allowed": allowed}


@answer("ex-farthest-subspaces", "of their projectors, and what is that for $k = <k>$")
def _(k):
    P, Q = np.zeros((2, 2 * k, 2 * k))
    P[:k, :k], Q[k:, k:] = np.eye(k), np.eye(k)
    return {"farthest_of_two": np.linalg.norm(P - Q)}


# ---- machines_on_few_columns


@answer(
    "ex-how-much-memory",
    "does the kernel matrix of <n> points have in double precision, ... do its "
    "features from <l> columns?",
)
def _(n, l):
    return {"whole": Fraction(n * n, 10**9) * 8, "few": Fraction(n * l, 10**9) * 8}


@answer(
    "ex-which-score-is-certain",
    r"With $\lambda' = <ridge>$ and a Gaussian ... the gap is $<five> \cdot <power>$.",
)
def _(ridge, five, power):
    # The excess is at least ridge / 2 times the squared distance.
    gap = five * power
    return {"score": least(lambda far: ridge / 2 * far**2 - gap, 0.0, 10.0)}


@answer(
    "ex-steps-of-falkon",
    r"Let $\kappa = <kappa>$. ... excess of at most $<rest>$ of ... $\kappa = <half>$.",
)
def _(kappa, rest, half):
    def needed(kappa):
        """One over the square of a Chebyshev polynomial beyond its interval."""
        x = (kappa + 1) / (kappa - 1)
        before, now = 1.0, x
        for steps in count(1):
            if now**-2 <= rest:
                return steps
            before, now = now, 2 * x * now - before

    return {"steps": needed(kappa), "halved": needed(half)}


# ---- manifolds


@answer("ex-two-centrings", "Points $<a>$, $<b>$ and $<c>$ on a line, of which the fir")
def _(a, b, c):
    points = [a, b, c]
    D = sympy.Matrix(3, 2, lambda i, j: (points[i] - points[j]) ** 2)
    W = D[:2, :]
    means = [(W[0, j] + W[1, j]) / sympy.Integer(2) for j in (0, 1)]
    single = sympy.Matrix(3, 2, lambda i, j: means[j] - D[i, j])
    rows = [(single[i, 0] + single[i, 1]) / 2 for i in range(3)]
    double = sympy.Matrix(3, 2, lambda i, j: single[i, j] - rows[i])
    return {"rank_single": single.rank(), "rank_double": double.rank()}


@answer("ex-circle", "<n> points on a circle are joined to a ring, `ring`, with edges ")
def _(n):
    D = sympy.Matrix(n, n, lambda i, j: min((i - j) % n, (j - i) % n) ** 2)
    H = sympy.eye(n) - sympy.ones(n, n) / n
    values = (-H * D * H / 2).eigenvals()
    moduli = sum(abs(x) * many for x, many in values.items())
    negative = sum(-x * many for x, many in values.items() if x < 0)
    return {"share_of_ring": float(negative / moduli)}


# ---- newton_with_few_columns


@answer("ex-first-step", "feature $<x>$ and the label $<y>$, and ... is $<alpha>$")
def _(x, y, alpha):
    w = sympy.Symbol("w")
    objective = sympy.log(1 + sympy.exp(-y * w * x)) + sympy.Rational(alpha) * w**2 / 2
    height, slope, bent = (sympy.diff(objective, w, k).subs(w, 0) for k in range(3))
    found = {"height": height, "gradient_0": slope, "hessian_0": bent}
    return {name: float(x) for name, x in (found | {"after": -slope / bent}).items()}


@answer("ex-how-far", "with a gradient of length $<slope>$ at a ridge of $<alpha>$. Ho")
def _(slope, alpha):
    # A parabola with the least bend: how far is its lowest point, and how deep?
    far = Fraction(slope, alpha)
    return {"farthest": far, "fall": slope * far - alpha * far**2 / 2}


# ---- pivots_and_volumes


@answer("ex-one-pivot", r"Let $K = \operatorname{diag}(<a>, <b>)$. With what probabili")
def _(a, b):
    return {"mean": Fraction(a, a + b) * b + Fraction(b, a + b) * a}


@answer("ex-which-pairs", "of length 1; the third has length <long> and is at a right ")
def _(long):
    points = [(1, 0), (1, 0), (0, long)]
    areas = [(p[0] * q[1] - p[1] * q[0]) ** 2 for p, q in combinations(points, 2)]
    return {"of_pairs": [Fraction(each, sum(areas)) for each in areas]}


@answer("ex-which-factor", "brings it within a percent of $l + 1$ for $l = <l>$?")
def _(l):
    values = [1198] * l + [1]
    volumes = [math.prod(each) for each in combinations(values, l)]
    larger = math.prod(values)  # of l + 1 columns
    return {"factor": [Fraction((l + 1) * larger, sum(volumes))]}


# ---- projection_or_reconstruction


@answer("ex-count-entries-projection", "a matrix of $n = <n>$ points you have vectors")
def _(n):
    return {"for_all": (0, n * n), "for_one_row": (0, sum(n for _ in range(n)))}


@answer(
    "ex-which-entries-are-exact",
    r"Take $K = \begin{pmatrix} <a> & <b> \\ <b2> & <c> \end{pmatrix}$ and its first",
)
def _(a, b, b2, c):
    K = sympy.Matrix([[a, b], [b2, c]])
    C = K[:, :1]
    projected = C * (C.T * C).inv() * C.T * K
    return {
        "reconstructed": np.array(C * C.T / a, float),
        "projected_on_c": np.array(projected, float),
    }


# ---- random_subspaces, ridge_and_preconditioning


@answer(
    "ex-largest-leverage", r"For $n = <n>$ points with ... and $\alpha = <alpha>$"
)
def _(n, alpha):
    # Orthogonal points: each eigenvalue is one, beside the ridge n alpha.
    return {"largest": 1 / (1 + n * Fraction(str(alpha)))}


@answer("ex-directions-missed", "Let all $r = <r>$ directions ... of at most $<loss>$ ")
def _(r, loss):
    loss = Fraction(str(loss))
    return {"least": next(m for m in range(r + 1) if Fraction(r - m, r) <= loss)}


@answer("ex-a-tenth", "of an approximation is a <share> of ... And if it is <times> ti")
def _(share, times):
    # Bias only, on one point that the approximation sees as zero.
    def grows(error):
        before = 1 / (1 + error) ** 2  # of the signal one, with the ridge one
        return 1 / before

    return {"of_a_fifth": grows(share), "of_ten": grows(times)}


@answer(
    "ex-whole-preconditioner",
    r"$K = \begin{pmatrix} <a> & <b> \\ <b2> & <c> ... and $\alpha = <alpha>$",
)
def _(a, b, b2, c, alpha):
    smallest = min(sympy.Matrix([[a, b], [b2, c]]).eigenvals(), key=float)
    product_ = (float(smallest) + alpha) * np.eye(2)
    return {"product": product_, "steps_needed": 1}


# ---- sketches_and_limits, solving_with_few_columns


@answer("ex-cost-of-a-sketch", "with $l = <l>$ vectors read if $n = <n>$, and how many")
def _(l, n):
    return {"by_sketch": n * n, "by_columns": sum(n for _ in range(l))}


@answer("ex-read-the-bound", "for $k = <k>$ and $l = <l>$? And for $l = <more>$?")
def _(k, l, more):
    def promised(columns):
        return 1 + Fraction(k, columns - k - 1)  # of a tail with the sum one

    return {"at_21": promised(l), "at_111": promised(more)}


@answer("ex-five-times", "Refute it for every choice of columns. How many points do yo")
def _():
    def ratio(n, l=10, close=0.999):
        K = np.full((n, n), close) + (1 - close) * np.eye(n)
        left = K[l:, l:] - K[l:, :l] @ np.linalg.solve(K[:l, :l], K[:l, l:])
        return np.linalg.eigvalsh(left)[-1] / np.linalg.eigvalsh(K)[-2]

    return {"points_needed": next(n for n in range(11, 99) if ratio(n) > 5)}


@answer("ex-woodbury-cost", "A system has <n> points and <l> landmarks. How many times")
def _(n, l):
    fewer = Fraction(n**3, 3) / (2 * n * l**2)
    return {"fewer_operations": fewer, "less_memory": Fraction(n * n, n * l)}


@answer("ex-half-of-the-ridge", "The trace of the error is <share> of the ridge. How l")
def _(share):
    x = sympy.Symbol("x")
    t = sympy.Rational(share)
    roots = sympy.solve(x + 1 / x - 2 - t, x)
    return {"condition_at_most": 1 + share, "factor_at_most": float(max(roots))}


# ---- stability_of_learners, surely_worse_kernels


@answer("ex-larger-ridge", "With a <times> times the ridge, by which factor is the pri")
def _(times):
    return {"factors": [times * times, times * math.isqrt(times)]}


@answer("ex-one-point", "point of length <x>, label <y>, $K' = <other>$ and ridge <a>.")
def _(x, y, other, a):
    dual, other_dual = Fraction(y, x * x + a), Fraction(y, other + a)
    residual = y - (x * x + a) * other_dual
    bounds = [Fraction(1, a**2), Fraction(1, 2), abs(residual) / 2]
    return {"moves_by": abs(dual - other_dual) * x, "three": bounds}


@answer(
    "ex-three-intervals",
    "the ends $[<a>, <A>]$, $[<b>, <B>]$ and $[<c>, <C>]$. Which are certainly worse",
)
def _(a, A, b, B, c, C):
    ends = [(a, A), (b, B), (c, C)]
    worse = [k for k, (low, _) in enumerate(ends, 1) if any(low > x[1] for x in ends)]
    return {"worse": worse}


@answer("ex-no-columns", r"and $|y|^2 = n$? Call the pair for $\mu = <mu>$ `no_columns")
def _(mu):
    n = 1000
    ridge = mu * n
    return {"no_columns": (ridge / (ridge + n), ridge * n / (n * ridge))}
