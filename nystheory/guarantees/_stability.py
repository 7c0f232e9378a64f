"""How far do predictions move with the kernel matrix?  And how many columns until less.

The bounds are the lines of the theorems on each learner; nothing is computed here but
what they speak of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg

from nystheory import _checks, _semidefinite, certificates, style
from nystheory.chapters import theorems
from nystheory.guarantees._inverse import Demands, columns
from nystheory.guarantees._known import DELTA, know, known_norm
from nystheory.guarantees._table import Guarantee, Guarantees, held
from nystheory.kernels import KernelMatrix, as_kernel
from nystheory.learners import (
    GaussianProcess,
    KernelRidge,
    KernelSVC,
    KernelSVR,
    LaplacianRegression,
)
from nystheory.learners._learner import PREDICT_WITH, targets, two_classes
from nystheory.lowrank import Factored

# The norms of an error that its spectral norm does not exceed.
ABOVE = ("trace", "spectral", "Frobenius")
# What is drawn where the approximation is not C W^+ C' of some columns.
NO_COLUMNS = ("uniform, in disjoint groups", "Gaussian sketch")


@dataclass(frozen=True)
class Stability:
    """By how much predictions move where a learner gets another kernel matrix.

    Attributes
    ----------
    bound : float
        No prediction at a point x with ``K(x, x) <= point_bound`` moves by more, in the
        units of y; of a graph the vector of all vertices, in its Euclidean length.
    change : float
        What the spectral norm of ``K' - K``, or of ``K - K~``, is at most, in the units
        of K.
    source : str
        How that is known.
    id, claim : str
        The theorem and the claim whose line was evaluated.
    at : mapping of str to float
        What stands in the line, by the names of quantities.
    fails : float or None
        With what probability the bound may fail; None where it is one on average.

    Examples
    --------
    >>> at = {"C_0": 2.0, "n": 2, "point_bound": 1.0, "change_2": 0.5}
    >>> found = Stability(1.0, 0.5, "as given", "talwalkar2010:prop-5.2", "sharper", at)
    >>> found, found.holds
    (Stability(predictions move by at most 1, surely: prop-5.2, change 0.5), 'surely')
    """

    bound: float
    change: float
    source: str
    id: str
    claim: str
    at: Mapping[str, float]
    fails: float | None = 0.0

    @property
    def holds(self) -> str:
        """In words: surely, on average or with what probability."""
        return held(self.fails)

    def __repr__(self) -> str:
        theorem = self.id.partition(":")[2]
        return (
            f"Stability(predictions move by at most {self.bound:.6g}, {self.holds}: "
            f"{theorem}, change {self.change:.6g})"
        )

    def _repr_html_(self) -> str:
        row = (self.bound, self.holds, self.change, self.source)
        header = ("predictions move by at most", "holds", r"$\|K' - K\|_2$ at most")
        return style.table(
            [(*row, theorems[self.id].linked)], (*header, "known", "theorem")
        )


# --- Learners -------------------------------------------------------------------------


@dataclass(frozen=True)
class _Rule:
    """Where the bound of a learner stands, and what of it and of y the lines name."""

    id: str
    claims: tuple[str, ...]
    read: Callable[..., dict[str, float]]
    change: str = "change_2"

    def best(self, told: Mapping[str, float]) -> tuple[float, str]:
        """The smallest bound of its claims, and the name of that."""
        theorem = theorems[self.id]
        return min((theorem.right_side(name, **told), name) for name in self.claims)


def _of_ridge(learner, y, n):
    y = targets(y, n, several=not isinstance(learner, GaussianProcess))
    return {"alpha": _ridge(learner), "largest_label": float(np.abs(y).max())}


def _of_features(learner, y, n):
    y = targets(y, n, several=not isinstance(learner, GaussianProcess))
    # By BLAS, which scales: no square overflows.
    longest = max(float(scipy.linalg.norm(column)) for column in y.reshape(n, -1).T)
    return {"noise": _ridge(learner), "norm_y": longest}


def _ridge(learner) -> float:
    """What is added to the diagonal of K."""
    if isinstance(learner, GaussianProcess):
        return _checks.positive(learner.noise, "noise")
    ridge = _checks.not_below_zero(learner.ridge, "ridge")
    if not ridge:
        raise ValueError(
            "ridge: expected a number above 0, by which the bound is divided, got 0"
        )
    return ridge


def _of_machine(learner, y, n):
    two_classes(y, n)
    return {"C_0": n * _checks.positive(learner.C, "C")}


def _of_regression(learner, y, n):
    targets(y, n, several=False)
    _checks.not_below_zero(learner.epsilon, "epsilon")
    return {"C_0": n * _checks.positive(learner.C, "C")}


def _of_graph(learner, y, n):
    y = np.asarray(y)
    y = targets(y, len(y) if y.ndim else 1, several=False)
    if len(y) > n:
        raise ValueError(f"y: expected labels of at most {n} vertices, got {len(y)}")
    weight = _checks.positive(learner.C0, "C0")
    largest = float(np.abs(y - y.mean()).max())
    return {"label_weight": weight, "largest_label": largest, "l": len(y)}


WITH_KERNEL = _Rule("talwalkar2010:prop-5.1", ("bound", "small ridge"), _of_ridge)
BY_FEATURES = _Rule("modern:gp-inducing", ("mean, everywhere",), _of_features, "norm_E")
RULES = {
    KernelRidge: WITH_KERNEL,
    GaussianProcess: WITH_KERNEL,
    KernelSVC: _Rule("talwalkar2010:prop-5.2", ("sharper",), _of_machine),
    KernelSVR: _Rule("talwalkar2010:cor-5.2", ("sharper",), _of_regression),
    LaplacianRegression: _Rule("talwalkar2010:prop-5.3", ("bound",), _of_graph),
}
# Those that solve with K~ for K; "preconditioned" solves the system of K itself.
METHODS = {
    KernelRidge: ("auto", "exact", "nystrom", "regressors"),
    GaussianProcess: ("auto", "exact", "nystrom", "inducing"),
    KernelSVC: ("auto", "exact", "nystrom"),
    KernelSVR: ("auto", "exact", "nystrom"),
}


def _rule(learner, kinds=RULES) -> _Rule:
    """The rule of a learner that predicts as its theorem says."""
    kind = next((kind for kind in kinds if isinstance(learner, kind)), None)
    if kind is None:
        *most, last = (each.__name__ for each in kinds)
        raise TypeError(
            f"learner: expected {', '.join(most)} or {last}, of which a theorem tells "
            f"how far its predictions move, got {learner!r}"
        )
    if kind is LaplacianRegression:
        if learner.graph != "laplacian":
            raise ValueError(
                "graph: expected 'laplacian', since the theorem compares Laplacians, "
                f"got {learner.graph!r}"
            )
        return RULES[kind]
    _checks.choice(learner.method, "method", METHODS[kind])
    _checks.choice(learner.predict_with, "predict_with", PREDICT_WITH)
    with_kernel = learner.method == "exact" or learner.predict_with == "kernel"
    if with_kernel and learner.method != "regressors":
        return RULES[kind]
    if RULES[kind] is WITH_KERNEL:
        return BY_FEATURES
    raise ValueError(
        "predict_with: expected 'kernel', since the theorem speaks of predictions "
        f"with the kernel itself, got {learner.predict_with!r}"
    )


# --- What is known of the change ------------------------------------------------------


def _change_of(K, known) -> tuple[float, str, float | None]:
    """What ``|K' - K|_2`` is at most, how that is known, and how often it fails."""
    if isinstance(known, Guarantees):
        if known.n != K.n:
            raise ValueError(
                f"known: expected promises for {K.n} points, got some for {known.n}"
            )
        rows = [row for row in known.rows if row.says and row.norm in ABOVE]
        if not rows:
            raise ValueError("known: expected promises that say something, got none")
        known = min(rows, key=lambda row: row.share)
    if isinstance(known, Guarantee):
        if not known.says or known.norm not in ABOVE:
            raise ValueError(
                f"known: expected a promise on one of {ABOVE} that says something, got "
                f"{known!r}"
            )
        change = known.share * float(K.diagonal().sum())
        return change, f"promise of {known.id} for {known.scheme}", known.fails
    if isinstance(known, Factored):
        with _checks.told_as("approximation", "known"):
            found = certificates.trace_certificate(K, known)
        # What rounding may have hidden counts.
        return found.value + found.error, "trace of what the approximation misses", 0.0
    if _is_matrix(known):
        with _checks.told_as("K", "known"):
            other = as_kernel(known).dense()
        if other.shape != (K.n, K.n):
            raise ValueError(f"known: expected shape {(K.n, K.n)}, got {other.shape}")
        moved = float(np.linalg.norm(other - K.dense(), 2))
        return moved, "from both matrices", 0.0
    return _checks.not_below_zero(known, "known"), "as given", 0.0


def _is_matrix(known) -> bool:
    if isinstance(known, (list, tuple)):
        known = _checks.as_array(known, "known")
    return isinstance(known, KernelMatrix) or np.ndim(known) == 2


def _of_columns(learner, known):
    """What is known of K~ = C W^+ C', whose features the learner predicts with."""
    if isinstance(known, Guarantees):
        rows = tuple(row for row in known.rows if row.scheme not in NO_COLUMNS)
        if known.rows and not rows:
            raise ValueError(
                "known: expected promises for columns, got some for "
                + " and ".join(sorted({row.scheme for row in known.rows}))
            )
        return replace(known, rows=rows)
    if isinstance(known, Guarantee):
        told = known.scheme not in NO_COLUMNS
    elif isinstance(known, Factored):
        chosen = getattr(known, "landmarks", None) if known.below else None
        told = chosen is not None and known.rank_requested >= len(np.unique(chosen))
    else:
        told = not _is_matrix(known)
    if not told:
        raise ValueError(
            "known: expected a number, what `promises` tells of columns, or "
            "lowrank.nystrom(K, landmarks) with indices and no smaller rank, since the "
            f"theorem speaks of features of columns, got {_checks.shown(known)}"
            + "; with predict_with='kernel' any K' will do"
            * (learner.method != "regressors")
        )
    return known


def _graphs(L, known) -> tuple[dict[str, float], str]:
    """The change of a Laplacian, and the second smallest eigenvalues."""
    second = _second(L)
    if _is_matrix(known):
        other = _laplacian(known, "known")
        if other.shape != L.shape:
            raise ValueError(f"known: expected shape {L.shape}, got {other.shape}")
        change, source = float(np.linalg.norm(other - L, 2)), "from both Laplacians"
        smallest = _second(other)
    else:
        change = _checks.not_below_zero(known, "known")
        source, smallest = "as given", second - change
    for name, value in (("K", second), ("known", smallest)):
        if value <= 0:
            raise ValueError(
                f"{name}: expected a graph that is surely connected, got a second "
                f"smallest eigenvalue that may be {value:.3g}"
            )
    told = {"lambda_2": second, "other_lambda_2": smallest, "laplacian_change": change}
    return told, source


def _laplacian(L, name):
    L = L.dense() if isinstance(L, KernelMatrix) else L
    L = _checks.real_array(L, name, 2).astype(float)
    size = max(1.0, float(np.abs(L).max(initial=0.0)))
    if (
        L.shape[0] != L.shape[1]
        or len(L) < 2
        or np.abs(L.sum(axis=1)).max() > 1e-9 * size
    ):
        raise ValueError(
            f"{name}: expected a Laplacian of two vertices or more, (N, N) with rows "
            f"that sum to 0, got shape {L.shape}"
        )
    return _semidefinite.symmetric(L, name)


def _second(L) -> float:
    """The second smallest eigenvalue, less what rounding may have added."""
    values = scipy.linalg.eigvalsh(L)
    return float(values[1] - len(L) * np.finfo(float).eps * values[-1])


def _longest(diagonal, point_bound) -> float:
    """The bound on K(x, x), at least its largest value at the points of the fit."""
    largest = float(np.max(diagonal))
    if point_bound is None:
        return largest
    point_bound = _checks.positive(point_bound, "point_bound")
    if point_bound < largest * (1 - 1e-12):
        raise ValueError(
            f"point_bound: expected at least the largest K_ii, {largest:.6g}, got "
            f"{point_bound:.6g}"
        )
    return point_bound


# --- The calculators ------------------------------------------------------------------


def stability(learner, K, known, y, *, point_bound: float | None = None) -> Stability:
    """By how much predictions move where K is replaced, before the learner is fitted.

    Parameters
    ----------
    learner : KernelRidge, GaussianProcess, KernelSVC, KernelSVR or LaplacianRegression
        Fitted or not; of a Gaussian process the mean is told.  Support vectors must
        predict with the kernel itself, ``predict_with="kernel"``, as the theorems have
        it; the first two may also predict with features of columns, as they do by
        default, and of those another theorem tells.
    K : KernelMatrix or array_like (n, n)
        Positive semidefinite; of `LaplacianRegression` the Laplacian.
    known : float, array_like, KernelMatrix, LowRank, Ensemble, Guarantee or Guarantees
        What is known of the other matrix K', which must be positive semidefinite (a
        number is not checked for that), or of another graph: a number that the spectral
        norm of ``K' - K`` does not exceed; K' itself, (n, n); an approximation below K,
        whose trace certificate is asked; or what `promises` tells before a column is
        drawn, a row or the best of all.  Of predictions with features K' is
        ``K~ = C W^+ C'``, and a number, an approximation of full rank or promises for
        columns are asked.  Of a Laplacian a number, or the other one.
    y : array_like (n,)
        Targets, or labels of two classes; of a graph those of the labelled vertices.
    point_bound : float, optional
        The largest K(x, x) of a point x where predictions are made; by default that of
        the points of the fit.  A graph has no such points.

    Returns
    -------
    Stability
        The smallest bound that the claims of the learner's theorem give.

    Raises
    ------
    TypeError
        If no theorem tells of the learner, or `known` or y is none of these.
    ValueError
        If the ridge is zero, the learner solves or predicts otherwise than a theorem
        says, an approximation is not known to be below K or not of columns where it
        must be, a promise says nothing or is of other points, the other graph need not
        be connected, or a number is out of its range.

    Notes
    -----
    The lines are those of ``theorems["talwalkar2010:prop-5.1"]``, claims "bound" and
    "small ridge", of ``theorems["talwalkar2010:prop-5.2"]``, claim "sharper", of
    ``theorems["talwalkar2010:cor-5.2"]``, claim "sharper", of
    ``theorems["talwalkar2010:prop-5.3"]``, claim "bound", and of
    ``theorems["modern:gp-inducing"]``, claim "mean, everywhere".  A bound on average
    stays one, since the lines are concave in the change.

    A number costs the diagonal of K; an approximation of rank k besides 2 n k
    operations; a matrix, or a graph, ``O(n^3)``.  For few points more than the
    certificate is told by K' itself, ``approximation.spectral_reconstruction()``, or of
    predictions with features by the spectral norm of the difference, a number.

    Examples
    --------
    >>> from nystheory import kernels, lowrank
    >>> from nystheory.learners import KernelRidge
    >>> K = kernels.rbf(np.linspace(0, 1, 50)[:, None], gamma=1.0)
    >>> near = lowrank.nystrom(K, [5, 25, 45])
    >>> for way in ("kernel", "approximation"):
    ...     found = stability(KernelRidge(10.0, predict_with=way), K, near, np.ones(50))
    ...     print(found.id, found.holds, found.bound < 0.25)
    talwalkar2010:prop-5.1 surely True
    modern:gp-inducing surely True
    """
    rule = _rule(learner)
    if isinstance(learner, LaplacianRegression):
        if point_bound is not None:
            raise ValueError(
                "point_bound: expected none with a graph, which has no other points, "
                f"got {point_bound!r}"
            )
        L = _laplacian(K, "K")
        told, source = _graphs(L, known)
        told |= rule.read(learner, y, len(L))
        bound, claim = rule.best(told)
        change = told["laplacian_change"]
        return Stability(bound, change, source, rule.id, claim, told)
    K = as_kernel(K)
    told = {"n": K.n, "point_bound": _longest(K.diagonal(), point_bound)}
    told |= rule.read(learner, y, K.n)
    known = _of_columns(learner, known) if rule is BY_FEATURES else known
    change, source, fails = _change_of(K, known)
    told[rule.change] = change
    bound, claim = rule.best(told)
    return Stability(bound, change, source, rule.id, claim, told, fails)


def columns_for_change(
    learner,
    K,
    change: float,
    y,
    *,
    norm: str = "trace",
    delta: float = DELTA,
    point_bound: float | None = None,
    **chosen: float,
) -> Demands:
    """How many columns each theorem asks for until predictions move by little.

    Parameters
    ----------
    learner : KernelRidge, GaussianProcess, KernelSVC or KernelSVR
        As for `stability`.
    K : KernelMatrix or array_like (n, n), or Instance
        Positive semidefinite; or what `know` has measured of it, or `estimate` knows.
    change : float
        Predictions are to move by at most this, in the units of y, surely, on average
        or with the probability that its row tells; above 0, and below what is known
        without any column.
    y : array_like (n,)
        Targets, or labels of two classes.
    norm : {"trace", "spectral", "Frobenius"}
        The norm whose promises are asked; none of these is below the spectral norm.
    delta : float
        The probability with which a promise may fail, as for `promises`.
    point_bound : float, optional
        As for `stability`.
    **chosen : float
        What some theorems need besides, by name, as for `promises`.

    Returns
    -------
    Demands
        As `columns` gives them, for the share of the trace that the error may have; of
        predictions with features those that draw columns.

    Raises
    ------
    TypeError
        If no theorem tells of the learner.
    ValueError
        As for `stability` and `columns`; or if predictions move by less whatever
        columns are drawn.

    Notes
    -----
    The line of `stability` grows with the change of K; the largest change that it
    allows is found by bisection, and `columns` is asked for that: the search is the
    book's own.  With ``norm="spectral"``, of ridge regression that predicts with the
    kernel itself and uniform columns, this is the bound of
    ``theorems["talwalkar2010:thm-5.9"]``, claims "bound" and "small ridge", solved for
    l.  Costs what `columns` costs: ``O(n^3)`` operations, once with `know`.

    Examples
    --------
    >>> from nystheory.learners import KernelRidge
    >>> K = np.diag([1000.0, 500.0, *np.ones(98)])
    >>> learner = KernelRidge(1e4, predict_with="kernel")
    >>> found = columns_for_change(learner, K, 0.1, np.ones(100))
    >>> found.norm, found.rows[0].at.scheme
    ('trace', 'k-DPP')
    """
    rule = _rule(learner, [kind for kind in RULES if kind is not LaplacianRegression])
    _checks.choice(norm, "norm", ABOVE)
    aim = _checks.positive(change, "change")
    case = know(K)
    told = {"n": case.n, "point_bound": _longest(case.diagonal, point_bound)}
    told |= rule.read(learner, y, case.n)
    most = known_norm(norm, case, end=1)
    without = rule.best({**told, rule.change: most})[0]
    if not without:
        raise ValueError("y: expected targets that are not all 0, got zeros only")
    if aim >= without:
        raise ValueError(
            f"change: expected less than {without:.6g}, by which predictions move at "
            f"most without any column, got {change!r}"
        )
    low, high = 0.0, most
    for _ in range(100):
        middle = (low + high) / 2
        within = rule.best({**told, rule.change: middle})[0] <= aim
        low, high = (middle, high) if within else (low, middle)
    share = low / float(case.diagonal.sum())
    if share < np.finfo(float).eps:
        raise ValueError(
            f"change: expected one that an error of {np.finfo(float).eps:.2g} of the "
            f"trace of K allows, got {change!r}"
        )
    found = columns(case, share, norm, delta, **chosen)
    if rule is not BY_FEATURES:
        return found
    rows = (row for row in found.rows if row.at.scheme not in NO_COLUMNS)
    return replace(found, rows=tuple(rows))
