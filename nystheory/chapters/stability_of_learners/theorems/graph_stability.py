"""Labels spread over a graph, and over another one: Proposition 5.3."""

from __future__ import annotations

import numpy as np

from nystheory.chapters.stability_of_learners.theorems import labels  # noqa: F401
from nystheory.engine import Claim, Control, Hypothesis, Instance, Printed, Theorem
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds.worlds import Given


class TwoGraphs(Instance):
    """Two weighted graphs on the same vertices, of which the sampled are labelled.

    K is the Laplacian of the first one, unless its edges are given.
    """

    y = Given("y", "labels", axes=("l", "one"))
    label_weight = Given(
        "C_0", "weight of the labels beside smoothness", range="label_weight > 0"
    )
    # Weights of edges, above the diagonal and in modulus; or the second Laplacian.
    edges = Given(axes=("n", "n"))
    other_edges = Given(axes=("n", "n"))
    other_laplacian = Given(axes=("n", "n"))

    @classmethod
    def drawn(cls, instance, rng):
        """Two graphs on as many vertices, of which the landmarks are labelled."""
        n, S = instance.n, np.unique(instance.landmarks)
        if n < 2:
            return None
        edges = rng.integers(0, 4, (n, n)) * 2.0 ** rng.integers(-3, 4)
        moved = edges * 2.0 ** rng.integers(-2, 3)
        if rng.random() < 0.6:
            moved = edges + rng.integers(0, 3, (n, n)) * 2.0 ** rng.integers(-6, 3)
        y = rng.integers(-2, 3, (len(S), 1)).astype(float)
        if not y.any():
            y[0] = 1.0
        more = {"label_weight": 4.0 ** rng.integers(-5, 6), "y": y}
        return instance.but(landmarks=S, rank=1, edges=edges, other_edges=moved, **more)

    @classmethod
    def complete(cls, n, weight, other, **given):
        """All vertices joined and labelled, half of them +1 and half -1."""
        ones = np.triu(np.ones((n, n)), 1)
        y = np.where(np.arange(n) % 2, -1.0, 1.0)[:, None]
        known = {"edges": weight * ones, "other_edges": other * ones, "y": y, **given}
        K = laplacian_of(weight * ones)
        return cls(K, range(n), 1, name="complete graph", **known)


def laplacian_of(weights) -> np.ndarray:
    """The Laplacian of a graph, from its weights above the diagonal, in modulus.

    Examples
    --------
    >>> laplacian_of(np.array([[0, 2.0], [0, 0]]))
    array([[ 2., -2.],
           [-2.,  2.]])
    """
    upper = np.triu(np.abs(weights), 1)
    both = upper + upper.T
    return np.diag(both.sum(axis=1)) - both


def _size(L):
    return float(np.linalg.norm(L)) or 1.0


@TwoGraphs.quantity(
    "L",
    "Laplacian of a graph",
    CHOSEN,
    unit=0,
    condition=lambda i: _size(laplacian(i)),
)
def laplacian(i):
    return laplacian_of(i.edges) if i.brings("edges") else i.K


@TwoGraphs.quantity(
    "L'",
    "Laplacian of another graph on the same vertices",
    CHOSEN,
    unit=0,
    condition=lambda i: _size(other_laplacian(i)),
)
def other_laplacian(i):
    if i.brings("other_edges"):
        return laplacian_of(i.other_edges)
    return i.other_laplacian


def _second_smallest(L):
    return float(np.linalg.eigvalsh(L)[1]) if len(L) > 1 else None


@TwoGraphs.quantity(
    r"\lambda_2",
    "second smallest eigenvalue of the Laplacian",
    CHOSEN,
    unit=0,
    condition=lambda i: _size(laplacian(i)),
)
def lambda_2(i):
    return _second_smallest(laplacian(i))


@TwoGraphs.quantity(
    r"\lambda_2'",
    "second smallest eigenvalue of the other Laplacian",
    CHOSEN,
    unit=0,
    condition=lambda i: _size(other_laplacian(i)),
)
def other_lambda_2(i):
    return _second_smallest(other_laplacian(i))


@TwoGraphs.quantity(
    r"\|L'-L\|_2",
    "spectral norm of the change of the Laplacian",
    CHOSEN,
    unit=0,
    condition=lambda i: _size(laplacian(i)) + _size(other_laplacian(i)),
)
def laplacian_change(i):
    return np.linalg.norm(other_laplacian(i) - laplacian(i), 2)


def spread_labels(L, labelled, y, weight: float) -> np.ndarray:
    """Graph-Laplacian regularisation: labels of some vertices, spread over all.

    The minimiser of ``h.T L h + C_0 / l * sum_S (h_i - y_i)^2`` among the h that add
    up to zero.

    Parameters
    ----------
    L : ndarray (n, n)
    labelled : sequence of int, length l
    y : ndarray (l,)
    weight : float
        C_0.

    Returns
    -------
    ndarray (n,)

    Examples
    --------
    >>> spread_labels(np.array([[1.0, -1], [-1, 1]]), [0, 1], np.array([1, -1]), 4.0)
    array([ 0.5, -0.5])
    """
    n, seen = len(L), np.zeros(len(L))
    seen[labelled] = 1.0
    right = np.zeros(n)
    right[labelled] = y
    # An orthonormal basis of the vectors that add up to zero.
    basis = np.linalg.qr(np.column_stack([np.ones(n), np.eye(n)[:, : n - 1]]))[0][:, 1:]
    A = basis.T @ (len(labelled) / weight * L + np.diag(seen)) @ basis
    return basis @ np.linalg.solve(A, basis.T @ right)


@TwoGraphs.quantity("y_S", "labels, and zero at the other vertices", SAMPLE, unit=None)
def label_vector(i):
    padded = np.zeros((i.n, 1))
    padded[i.landmarks] = i.y
    return padded


def _of_spread(i):
    """Rounding in both, as the flattest direction of a graph amplifies it."""
    y, ratio = np.linalg.norm(i.y), float(i.label_weight) / i.l
    found = 0.0
    for L in (laplacian(i), other_laplacian(i)):
        flat = _second_smallest(L) or 0.0
        if flat <= 0:
            return np.inf
        found += y * ratio / flat * (1 + (np.linalg.norm(L, 2) + ratio) / flat)
    return found


@TwoGraphs.quantity(
    r"\|h'-h\|",
    "how far the predictions of all vertices move",
    SAMPLE,
    unit=0,
    condition=_of_spread,
)
def graph_change(i):
    y, weight = np.ravel(i.y), float(i.label_weight)
    both = (
        spread_labels(L, i.landmarks, y, weight)
        for L in (laplacian(i), other_laplacian(i))
    )
    one, two = both
    return float(np.linalg.norm(two - one))


# --- Instances ------------------------------------------------------------------------


def _cases(rng):
    """Random graphs, and those that come close."""
    for _ in range(150):
        n = int(rng.integers(2, 8))
        S = rng.permutation(n)[: rng.integers(1, n + 1)]
        found = TwoGraphs.drawn(TwoGraphs(np.eye(n), S, 1, name="random graph"), rng)
        yield found.but(K=laplacian_of(found.edges))
    for n in (2, 4, 6):
        for other in (0.5, 2.0, 8.0):
            for power in range(-5, 6):
                yield TwoGraphs.complete(n, 1.0, other, label_weight=4.0**power)


def _graph(count, edges, other, **given) -> TwoGraphs:
    """A graph from its weighted edges, and another one; the first two are labelled."""

    def matrix(weights):
        L = [[0] * count for _ in range(count)]
        for (i, j), weight in weights.items():
            L[i][i] += weight
            L[j][j] += weight
            L[i][j] -= weight
            L[j][i] -= weight
        return L

    known = {"other_laplacian": matrix(other), "y": [[1], [-1]], **given}
    return TwoGraphs.exactly([0, 1], 1, matrix=matrix(edges), **known)


_TRIANGLE = _graph(
    3,
    dict.fromkeys([(0, 1), (0, 2), (1, 2)], 1),
    dict.fromkeys([(0, 1), (0, 2), (1, 2)], 10),
    label_weight=2,
)
_CYCLE = [(0, 2), (1, 2), (1, 3)]
_FOUR_CYCLE = _graph(
    4,
    dict.fromkeys([*_CYCLE, (0, 3)], 1),
    {**dict.fromkeys(_CYCLE, 1), (0, 3): 3},
    label_weight=200,
)
_TWO = _graph(2, {(0, 1): 1}, {(0, 1): 2}, label_weight="1/10")

_BOUND = (
    "label_weight * largest_label / (sqrt(l) * lambda_2 * other_lambda_2) "
    "* laplacian_change"
)
_PRINTED = (
    "l ** (3 / 2) * largest_label / label_weight "
    "/ (l / label_weight * {}(lambda_2, other_lambda_2) - 1) ** 2 * laplacian_change"
)
# The end of the printed proof.
_PRODUCT = (
    "l ** (3 / 2) * largest_label / label_weight / ((l / label_weight * lambda_2 - 1) "
    "* (l / label_weight * other_lambda_2 - 1)) * laplacian_change"
)
_LETTERS = "(in the book's letters: the thesis's $n$ is $l$)"

GRAPH_STABILITY = Theorem(
    id="talwalkar2010:prop-5.3",
    kind="inequality",
    status="corrected",
    title="Stability of labels on a graph",
    number="Proposition 5.3",
    setting=(
        "Let $L$ and $L'$ be the Laplacians of two weighted graphs on the same "
        "vertices, of which the $l$ in $S$ have labels with $|y_i| \\le M$. Let $h$ "
        r"minimise $h^\top L h + \frac{C_0}{l} \sum_{i \in S} (h_i - y_i)^2$ among "
        r"the vectors that add up to zero, and $h'$ the same with $L'$; let "
        r"$\lambda_2$ and $\lambda_2'$ be the second smallest eigenvalues."
    ),
    hypotheses={
        # Otherwise the bound is divided by zero.
        "connected": Hypothesis(
            "lambda_2 > 0 and other_lambda_2 > 0",
            says="both graphs be connected",
            domain=True,
        ),
    },
    claims={
        "bound": f"graph_change <= {_BOUND}",
        "smaller eigenvalue": Claim(
            f"graph_change <= {_PRINTED.format('min')}",
            when="l / label_weight * min(lambda_2, other_lambda_2) > 1",
            says="As printed, but with the smaller eigenvalue,",
        ),
        "approached": Claim(
            "graph_change * (1 + label_weight / (l * lambda_2)) "
            f"* (1 + label_weight / (l * other_lambda_2)) == {_BOUND}",
            when="l == n and laplacian @ label_vector == lambda_2 * label_vector "
            "and other_laplacian @ label_vector == other_lambda_2 * label_vector "
            "and laplacian_change == abs(other_lambda_2 - lambda_2) "
            "and norm_2(y) ** 2 == l * largest_label ** 2",
            says=r"The bound above is approached with all labels $\pm M$,",
        ),
    },
    world=TwoGraphs,
    cases=_cases,
    suite=False,
    controls={
        "nine tenths": Control("bound", _TWO, {"<= label": "<= 0.9 * label"}),
        "the larger eigenvalue": Control(
            "bound",
            _TRIANGLE,
            {"lambda_2 * other_lambda_2": "max(lambda_2, other_lambda_2) ** 2"},
        ),
        "the larger eigenvalue, as printed": Control(
            "smaller eigenvalue", _TRIANGLE, {"min(": "max("}
        ),
        "half of the weight": Control(
            "approached",
            _TWO,
            {"(1 + label_weight / (l * lambda_2))": "(1 + label_weight / lambda_2)"},
        ),
    },
    printed={
        "max": Printed(
            f"graph_change <= {_PRINTED.format('max')}",
            "misprint",
            "The printed proof ends with the product "
            r"$(\frac l{C_0} \lambda_2 - 1)(\frac l{C_0} \lambda_2' - 1)$, which is at "
            "least the square with the smaller eigenvalue: the maximum is a slip for "
            r"the minimum. A triangle shows it, two vertices labelled $1$ and $-1$, "
            r"$C_0 = 2$, with all weights 1 and with all weights 10: $\frac l{C_0} "
            r"\lambda_2 = 3$, and the change is $\frac{27}{124} \sqrt 2$, larger than "
            r"the printed $\frac{27}{841} \sqrt 2$. With every edge counted twice in "
            r"$h^\top L h$, as a sum over all pairs $i, j$ does, the excess is larger.",
            _TRIANGLE,
            says=r"$\|h' - h\| \le \frac{l^{3/2} M / C_0}{(\frac l{C_0} \hat\lambda_2 "
            r"- 1)^2} \|L' - L\|$, where $\hat\lambda_2 = \max\{\lambda_2, "
            rf"\lambda_2'\}}$ {_LETTERS}",
        ),
        "no condition": Printed(
            f"graph_change <= {_PRODUCT}",
            "missing hypothesis",
            "The end of the printed proof. It divides by $\\frac l{C_0} \\lambda_2 - "
            r"1$, and by the same with $\lambda_2'$, as by positive numbers; that they "
            "are is not stated. Otherwise this bound fails, and so does that of the "
            "statement, with the minimum, too: on a cycle of four "
            r"vertices with weights 1, two opposite ones labelled $1$ and $-1$ and "
            r"$C_0 = 200$, let the weight of one edge become 3. Then $\frac l{C_0} "
            r"\lambda_2 = \frac1{50}$. The bound of the book needs no such condition.",
            _FOUR_CYCLE,
            says=r"$\|h - h'\| \le \frac{l^{3/2} M / C_0}{(\frac l{C_0} \lambda_2 - 1)"
            r"(\frac l{C_0} \lambda_2' - 1)} \|L' - L\|$ " + _LETTERS,
        ),
    },
)
