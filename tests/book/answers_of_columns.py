"""Second routes to answers: what kernel matrices are, columns, schemes, bounds.

Fractions, sums over all cases, integers: nothing of the package.
"""
# ruff: noqa: E741

import math
from fractions import Fraction
from itertools import count, product

import numpy as np
from second_routes import answer

DOUBLE, SINGLE = 8, 4  # bytes


def first_column(K):
    """The approximation of a small matrix from its first column, in fractions."""
    size = range(len(K))
    return [[Fraction(K[i][0] * K[j][0], K[0][0]) for j in size] for i in size]


# ---- a_few_columns


@answer("ex-fill-by-hand", "first column, $(<a>, <b>, <c>)$, of a positive semidef")
def _(a, b, c):
    known = [(i, j) for i in range(3) for j in range(3) if 0 in (i, j)]
    filled = first_column([[a, b, c], [b], [c]])
    return {"filled": filled, "computed": 3, "guessed": 9 - len(known)}


@answer("ex-million-columns", "You have a <n> points and compute <l> columns")
def _(n, l):
    share = Fraction(l, n)
    billion = Fraction(DOUBLE, 10**9)
    return {"share": share, "gigabytes": (l * n * billion, n * n * billion)}


@answer("ex-chance-of-missing", "Of <n> points <m> form a small group")
def _(n, m):
    def missing(drawn):
        return math.prod((n - drawn - i) / (n - i) for i in range(m))

    return {"enough": next(l for l in count() if missing(l) < 0.01), "missing": missing}


@answer("ex-exact-nodes", r"largest eigenvalue of $\frac1l W$ for $l = <l>$, and by wh")
def _(l):
    def largest(size):
        x = np.ones(size)  # the power method
        for _ in range(60):
            ends = np.cumsum(x[::-1])[::-1]  # min(i, j) - 1/2, by parts
            y = (np.cumsum(ends) - ends[0] / 2) / size**2
            x = y / np.linalg.norm(y)
        return np.linalg.norm(y) / 1.0

    true = (2 / math.pi) ** 2
    factor = (largest(l) - true) / (largest(2 * l) - true)
    return {"eigenvalue": largest(l), "factor": factor}


# ---- a_million_points

OF_THE_THESIS = 18_200_000


@answer("ex-fits", "million points fit into <size> GB of float32, if the columns are a")
def _(size):
    most = [size * 10**9 // (SINGLE * n) for n in (OF_THE_THESIS, 10**6)]
    return dict(zip(("most_of_thesis", "most_of_million"), most, strict=True))


@answer(
    "ex-slope", "takes <few> seconds for a hundred thousand points and <many> for a mi"
)
def _(few, many):
    return {"power": math.log10(many / few), "hours": many * many / few / 3600}


@answer("ex-cells", "Which $c$ is it for $r = <r>$, $p = <p>$ and")
def _(r, p):
    m = OF_THE_THESIS

    def distances_of(cells):
        return m * (r * cells + m * p / cells)

    low, high = 1.0, float(m)  # the slope changes its sign
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if r * middle**2 < m * p else (low, middle)
    return {"best_cells": low, "distances_of": distances_of, "m": m}


# ---- adaptive_sampling


@answer(
    "ex-first-round",
    r"Let $K = \operatorname{diag}(<a>, <b>, <c>)$ and $R = \{1\}$.",
)
def _(a, b, c):
    squares = [0, b**2, c**2]
    by_full_pass = [Fraction(each, sum(squares)) for each in squares]
    return {"by_full_pass": by_full_pass, "by_columns": [0, 1 / 2, 1 / 2]}


@answer("ex-entries-of-schemes", "You want <l> landmarks of <n> points. How many ent")
def _(l, n):
    asked = {
        "Adapt-Full": n * n,
        "ICL": n + sum(n for _ in range(l)),
        "SGMA": n + sum(60 * n for _ in range(l)),  # its candidates in each step
    }
    more = {name for name, entries in asked.items() if entries >= n * n}
    return {"by_scheme": [*asked.values()], "better_all_of_K": more}


@answer("ex-blind", "misses the smallest cluster, of <m> points among <n>? Change")
def _(m, n):
    return {"chance": Fraction(n - m, n) * Fraction(n - m - 1, n - 1)}


# ---- certificates_afterwards


@answer(
    "ex-certificate-of-one",
    r"$K = \begin{pmatrix} <a> & <b> \\ <b2> & <c> \end{pmatrix}$, and the first",
)
def _(a, b, b2, c):
    left = []
    for K in ([[a, b], [b2, c]], [[c, b], [b2, a]]):
        missed = [K[i][i] - first_column(K)[i][i] for i in (0, 1)]
        left.append((sum(missed), max(missed)))
    by_trace, by_entry = left[0]
    equal = all(x == y for x, y in left)
    return {"by_trace": by_trace, "by_entry": by_entry, "always_equal": equal}


@answer("ex-which-number", "You have drawn <l> uniform landmarks of a <n> points")
def _(l, n):
    among = sum(1 for _ in product(range(l), repeat=2))
    return {"entries_before": among, "share_after": Fraction(n, n)}


@answer("ex-small-diagonal", "Check the matrix for $n = <n>$ and <l> landmarks.")
def _(n, l):
    E = [[int(i >= l and j >= l) for j in range(n)] for i in range(n)]
    largest = max(sum(row) for row in E)  # rows with equal sums
    return {"norm_over_entry": Fraction(largest, max(E[i][i] for i in range(n)))}


# ---- choosing_the_kernel


@answer("ex-identity-matrix", r"$n = <n>$ and $\mu = <mu>$? ... from <l> of these col")
def _(n, mu, l):
    ridge = n * mu
    forms = [ridge / (k + ridge) for k in [1] * l + [0] * (n - l)]
    return {"narrowest": forms[0], "from_forty": sum(forms) / n}


@answer(
    "ex-how-many-unknowns",
    "With $n = <n>$ points, $l = <l>$ columns and $k = <k>$, ... for <many> kernels?",
)
def _(n, l, k, many):
    return {"unknowns": min(k, l), "entries": sum(n * l for _ in range(many))}


# ---- coherence


@answer("ex-groups-of-forty", "Take the <r> groups of <m> equal points of")
def _(r, m):
    score = Fraction(1, m)  # the square of each of m equal entries of length one
    return {"score": score, "M_of_groups": r * m * score, "M_alone": r * m}


@answer(
    "ex-columns-of-a-score",
    "A matrix of <n> points has rank <r>, and its largest leverage score of that rank "
    "is <score>. How many uniform columns recover it with probability <sure>, by",
)
def _(n, r, score, sure):
    fails = (r * math.exp(-l / (n * score)) for l in count())
    return {"columns_asked": next(l for l, x in enumerate(fails) if x <= 1 - sure)}


def chance_that_all_are_met(size, groups, drawn):
    """By inclusion and exclusion over the groups that are missed."""
    whole = math.comb(size * groups, drawn)
    ways = sum(
        (-1) ** j * math.comb(groups, j) * math.comb(size * (groups - j), drawn)
        for j in range(groups + 1)
    )
    return Fraction(ways, whole)


@answer(
    "ex-half-of-all",
    "matrix of <many> groups of <large> points in <half> of ... groups have <small> po",
)
def _(many, large, half, small):
    enough = {}
    for size in (large, small):
        low, high = many - 1, many * min(size, 8)
        while high - low > 1:
            middle = (low + high) // 2
            met = chance_that_all_are_met(size, many, middle) >= half
            low, high = (low, middle) if met else (middle, high)
        enough[size] = high
    return {"enough": enough}


# ---- concentration


@answer("ex-all-but-one-drawn", "Of <n> points <l> are drawn. By what factor is the me")
def _(n, l):
    x = [Fraction(i) for i in range(n)]
    whole, square = sum(x), sum(each**2 for each in x)

    def without(drawn):
        """All but one are drawn, or one: the mean over which one that is."""
        sums = [whole - each if drawn > 1 else each for each in x]
        return sum((Fraction(n, drawn) * s - whole) ** 2 for s in sums) / n

    replaced = [(n * square - whole**2) / drawn for drawn in (l, 1)]
    assert l == n - 1
    return {"factors": [without(d) / w for d, w in zip((l, 1), replaced, strict=True)]}


@answer(
    "ex-right-angles", "<n> points of length one, any two at a right ... or equal; <l>"
)
def _(n, l):
    a, b = np.eye(2)
    change = n / l * np.linalg.norm(np.outer(a, a) - np.outer(b, b))
    longest = np.linalg.norm(a - b)
    return {"bounds": {"g_F": change, "printed": 2 * n / l * longest}}


@answer("ex-shorter", "do the two candidates for the worst pair change places in the F")
def _():
    low, high = 0.1, 1.9
    for _ in range(100):
        d = (low + high) / 2
        a, b = [1.0, 0.0], [1 - d, 0.0]  # on one ray
        ray = np.linalg.norm(np.outer(a, a) - np.outer(b, b))
        c = [1 - d * d / 2, math.sqrt(max(0, 1 - (1 - d * d / 2) ** 2))]  # as long
        equal = np.linalg.norm(np.outer(a, a) - np.outer(c, c))
        low, high = (d, high) if ray > equal else (low, d)
    return {"share_of_R": low}


@answer("ex-worth", "What is the answer for $l' = n$, and for")
def _():
    n = 400
    gap = {l: abs(Fraction(n - l, l * (n - 1)) - Fraction(1, n)) for l in range(1, n)}
    return {"half": min(gap, key=gap.get)}


@answer("ex-quarter", 'without replacement than with." <n> elements are enough.')
def _(n):
    ordered = [*product(range(n), repeat=2)]
    apart = [pair for pair in ordered if pair[0] != pair[1]]
    both = (apart, ordered)
    meets = [Fraction(sum(0 in pair for pair in some), len(some)) for some in both]
    return {"kept_out": meets[0], "put_back": meets[1]}


# ---- eigengap_and_rate


@answer("ex-asked-by-the-gap", r"if $\Delta = <wide>$, and if $\Delta = <narrow>$?")
def _(wide, narrow):
    def root(right):
        low, high = 0.0, 1.0
        for _ in range(100):
            u = (low + high) / 2
            low, high = (u, high) if u * u + u < right else (low, u)
        return low

    return {"u": [root(wide / 3), root(narrow / 3)]}


@answer("ex-no-gap-at-all", "Let $K = I$ of size <n>, and let the first column be the")
def _(n):
    left = [1 - n if i == 0 else 1 for i in range(n)]
    return {"missed": max(int(i > 0) for i in range(n)), "allowed": max(left)}


# ---- ensembles


@answer(
    "ex-ensemble-entries",
    "You have $n = <n>$ points, <p> experts of $l = <l>$ columns and rank $k = <k>$, "
    "and $s = s' = <s>$.",
)
def _(n, p, l, k, s):
    asked = {"uniform": 0, "ridge": n * (s + s), "optimal": n * n}
    return {"by_experts": p * l * n, "asked": asked, "largest_rank": p * k}


@answer("ex-two-errors", "Two experts miss <a> and <b> in the Frobenius norm.")
def _(a, b):
    least = math.sqrt(Fraction(a, 2) ** 2 + Fraction(b, 2) ** 2)
    # diag(5, 3) seen through one column each: errors diag(0, 3) and diag(5, 0).
    reached = math.hypot(5 / 2, 3 / 2)
    return {"least": least, "most": Fraction(a + b, 2), "reached": reached}


@answer("ex-angle", r"is better than one of them by a factor below $\sqrt p$.' Break i")
def _():
    better = []
    for p in (2, 5, 20):
        mean = [Fraction(1, p)] * p  # the mean of the projectors on e_1, ..., e_p
        better.append(1 / math.sqrt(sum(each**2 for each in mean)))
    return {"better_by": better}


# ---- error_bounds


@answer("ex-sure-or-likely", "<l> columns of a matrix of trace <whole>, and the approx")
def _(l, whole):
    return {"at_most": whole - 990}


@answer("ex-half-the-promise", "many times as many columns does <share> the promised e")
def _(share):
    return {"times": next(t for t in count(1) if t**-0.5 <= share)}


@answer("ex-one-is-enough", "Which constants can you break with three points?")
def _():
    longer = 1 + 1e-6
    X = np.array([[1, 1, 0], [0, 0, longer]])
    Z = math.sqrt(3 / 2) * X[:, [0, 2]]
    error = X.T @ X - np.diag([0, 0, longer**2])  # the lone point is kept
    excess = np.linalg.norm(error, 2) - longer**2
    return {"largest": excess / np.linalg.norm(X @ X.T - Z @ Z.T)}


@answer(
    "ex-which-road",
    r"identity of size <n>, seen through <l> columns with $k = <k>$, the tail is "
    r"$\|K - K_1\|_F = <tail>$",
)
def _(n, l, k, tail):
    distance = math.sqrt(l * (1 - n / l) ** 2 + (n - l))
    squares = math.sqrt(tail**2 + 2 * math.sqrt(2) * distance)
    lemma = tail + math.sqrt(2) * distance
    return {"found": math.sqrt(n - k), "by_squares": squares, "by_lemma": lemma}


@answer("ex-thirty-columns", "Find one with at most <most>, and let `verify` grade it.")
def _(most):
    fails = (
        n
        for n in range(2, most + 1)
        for l in range(1, n)
        if n % l == 0 and (n - l) ** 2 * l > 4 * n**2
    )
    return {"smallest": min(fails)}


# ---- how_to_read_this_book, kernel_matrices


@answer(
    "ex-wrong-cluster",
    "Take <m> equal points of length 1 and a fourth at a right angle to them, with "
    "squared length <square>.",
)
def _(m, square):
    return {"errors": [max(m, 0 * square), min(m, square)]}


@answer(
    "ex-count-entries",
    "reads the diagonal and <l> columns of a kernel matrix of <n> points",
)
def _(l, n):
    asked = [1 for _ in range(n)] + [n for _ in range(l)]
    return {"number": sum(asked), "percent": Fraction(100 * sum(asked), n * n)}


@answer("ex-read-errors", "has the eigenvalues <a>, <b>, <c> and <d>. What is the err")
def _(a, b, c, d):
    s = [a, b, c, d, 0]
    left = s[2:4]
    errors = [max(left), math.sqrt(sum(x * x for x in left)), sum(left)]
    ties = {k for k in range(1, 5) if s[k - 1] == s[k] > 0}
    return {
        "errors": errors,
        "choice_in_frobenius": ties,
        "choice_in_spectral": {k for k in range(1, 5) if sum(x > 0 for x in s) > k},
    }


@answer("ex-constants-of-memory", "You have <size> gigabytes. How many points can you ")
def _(size):
    memory = size * 10**9
    halves = [(DOUBLE, 1), (DOUBLE, 2), (SINGLE, 2)]
    points = [math.isqrt(memory * part // bytes_) for bytes_, part in halves]
    return {"points": points, "columns": memory // (DOUBLE * 10**6)}


@answer("ex-bandwidth", "hold 90 % of the trace for the RBF kernel of <n> digits, for ")
def _(n):
    return {"ends": (1, -(-9 * n // 10))}  # of the ones, and of the identity
