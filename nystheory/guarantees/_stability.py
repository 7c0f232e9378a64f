"""How far do predictions move with the kernel matrix?  And how many columns until less.

The bounds are the lines of the theorems on each learner; nothing is computed here but
what they speak of.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from nystheory import _checks, style
from nystheory.chapters import theorems
from nystheory.engine.worlds.instances import Instance
from nystheory.guarantees._change import (
    ABOVE,
    NO_COLUMNS,
    change_of,
    graphs,
    is_matrix,
    laplacian,
    of_columns,
)
from nystheory.guarantees._estimate import Estimated
from nystheory.guarantees._inverse import Demands, columns
from nystheory.guarantees._known import DELTA, know, known_norm
from nystheory.guarantees._own import at_points, unseen
from nystheory.guarantees._rules import BY_FEATURES, RULES, rule_of
from nystheory.guarantees._table import held
from nystheory.kernels import DenseKernel, as_kernel
from nystheory.learners import LaplacianRegression


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
    given : tuple of str
        What nobody checked, in words: a number that was given as the change, or that K
        is the matrix of a kernel whose points are not known.
    where : str
        At which points the bound holds, in words; empty where it holds at all of them.
    size : float
        The largest target in modulus, 1 for two classes; of a graph times the root of
        the number of vertices.

    Examples
    --------
    >>> at = {"C_0": 2.0, "n": 2, "point_bound": 1.0, "change_2": 0.5}
    >>> told = 0.5, "from both matrices", "talwalkar2010:prop-5.2", "sharper", at
    >>> Stability(0.75, *told)
    Stability(predictions move by at most 0.75, surely: prop-5.2, change 0.5)
    >>> Stability(0.75, *told, given=("the change is at most 0.5",)).holds
    'if the change is at most 0.5, as given'
    """

    bound: float
    change: float
    source: str
    id: str
    claim: str
    at: Mapping[str, float]
    fails: float | None = 0.0
    given: tuple[str, ...] = ()
    where: str = ""
    size: float = math.inf

    @property
    def holds(self) -> str:
        """In words: surely, on average, with what probability, or if what was given is.

        *Surely* is what was computed here; what nobody checked comes after an *if*.
        """
        told = "" if self.given and self.fails == 0 else held(self.fails)
        told = " ".join(filter(None, (told, self.where)))
        assumed = f"if {' and '.join(self.given)}, as given" if self.given else ""
        return ", ".join(filter(None, (told, assumed)))

    @property
    def says(self) -> bool:
        """Whether the bound is below the size of the targets, or zero as they are."""
        return self.bound < self.size or self.bound == 0

    def _beside(self) -> str:
        """What stands beside a bound that says nothing."""
        if self.says:
            return ""
        return f" (says nothing: targets are up to {self.size:.6g})"

    def __repr__(self) -> str:
        theorem = self.id.partition(":")[2]
        return (
            f"Stability(predictions move by at most {self.bound:.6g}{self._beside()}, "
            f"{self.holds}: {theorem}, change {self.change:.6g})"
        )

    def _repr_html_(self) -> str:
        bound = style.number(self.bound) + self._beside()
        row = (bound, self.holds, self.change, self.source)
        header = ("predictions move by at most", "holds", r"$\|K' - K\|_2$ at most")
        return style.table(
            [(*row, theorems[self.id].linked)], (*header, "known", "theorem")
        )


def stability(learner, K, known, y, *, point_bound: float | None = None) -> Stability:
    """By how much predictions move where K is replaced, before the learner is fitted.

    Parameters
    ----------
    learner : KernelRidge, GaussianProcess, KernelSVC, KernelSVR or LaplacianRegression
        Fitted or not, and K must be its matrix: the one that it was fitted on, or that
        of its kernel, where `kernel`, gamma or other parameters were chosen.  Where
        they were not it takes K itself, as ``fit(K, y)`` does.  What is seen to differ
        is an error, and `Stability.given` says what was not seen.  Of a Gaussian
        process the mean is told.  Support vectors must predict with the kernel itself,
        ``predict_with="kernel"``, as the theorems have it; the first two may also
        predict with features of columns, as they do by default, and of those another
        theorem gives.
    K : KernelMatrix or array_like (n, n)
        Positive semidefinite; of `LaplacianRegression` the Laplacian.
    known : float, array_like, KernelMatrix, LowRank, Ensemble, Guarantee or Guarantees
        What is known of the other matrix K', which must be positive semidefinite, or of
        another graph: a number that the spectral norm of ``K' - K`` does not exceed,
        which nobody checks, nor whether such a K' is semidefinite: then the answer
        holds *if* that is so; K' itself, (n, n); an approximation below K, whose trace
        certificate is asked; or what `promises` says before a column is drawn, a row
        or the best of all.  Of predictions with features K' is ``K~ = C W^+ C'``, and a
        number, an approximation of full rank or promises for columns are asked.  Of a
        Laplacian a number, or the other one.
    y : array_like (n,)
        Targets, or labels of two classes; of a graph those of the labelled vertices.
    point_bound : float, optional
        The largest K(x, x) of a point x where predictions are made; by default that of
        the points of the fit.  `Stability.where` says so, unless the kernel is one
        whose K(x, x) is never above 1.  A graph has no such points.

    Returns
    -------
    Stability
        The smallest bound that the claims of the learner's theorem give.

    Raises
    ------
    TypeError
        If no theorem covers the learner, or `known` or y is none of these.
    ValueError
        If K is not the matrix of the learner, the ridge is zero, the learner solves or
        predicts otherwise than a theorem says, an approximation is not known to be
        below K or not of columns where it must be, a promise says nothing or is for
        another matrix, K or K' is seen not to be semidefinite, the other graph need not
        be connected, or a number is out of its range.

    Notes
    -----
    The lines are those of ``theorems["talwalkar2010:prop-5.1"]``, claims "bound" and
    "small ridge", of ``theorems["talwalkar2010:prop-5.2"]``, claim "sharper", of
    ``theorems["talwalkar2010:cor-5.2"]``, claim "sharper", of
    ``theorems["talwalkar2010:prop-5.3"]``, claim "bound", and of
    ``theorems["modern:gp-inducing"]``, claim "mean, everywhere".  A bound on average
    stays one, since the lines are concave in the change.

    What rounding may do to the norm of ``K' - K`` is part of `change`.  Not checked,
    but for K' itself, is that K is semidefinite.  The answer is about predictions
    without rounding, and without what ``"falkon"`` leaves by its `tol`.

    A number costs the diagonal of K; an approximation of rank k besides 2 n k
    operations; a matrix, or a graph, ``O(n^3)``.  Where K must be compared with the
    matrix of the learner 32 of its rows are, all of two stored ones.  For few points
    more than the certificate is told by K' itself,
    ``approximation.spectral_reconstruction()``, or of predictions with features by the
    spectral norm of the difference, a number.

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
    rule = rule_of(learner)
    if isinstance(learner, LaplacianRegression):
        if point_bound is not None:
            raise ValueError(
                "point_bound: expected none with a graph, which has no other points, "
                f"got {point_bound!r}"
            )
        L = laplacian(K, "K")
        told, change = graphs(L, known)
        told |= rule.read(learner, y, len(L))
        return _told(rule, told, change, (), "", rule.size(y, len(L)))
    K = as_kernel(K)
    longest = _longest(K.diagonal(), point_bound)
    told = {"n": K.n, "point_bound": longest}
    told |= rule.read(learner, y, K.n)
    known = of_columns(learner, known) if rule is BY_FEATURES else known
    change = change_of(K, known)
    told[rule.change] = change.size
    given = unseen(learner, K, as_kernel(known) if is_matrix(known) else None)
    where = at_points(learner, K, longest)
    return _told(rule, told, change, given, where, rule.size(y, K.n))


def _told(rule, told, change, given, where, size) -> Stability:
    bound, claim = rule.best(told)
    how = change.size, change.source, rule.id, claim, told, change.fails
    return Stability(bound, *how, (*change.given, *given), where, size)


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
    """How many columns each theorem requires until predictions move by little.

    Parameters
    ----------
    learner : KernelRidge, GaussianProcess, KernelSVC or KernelSVR
        As for `stability`.
    K : KernelMatrix or array_like (n, n), or Instance
        Positive semidefinite; or what `know` has measured of it, or `estimate` knows.
    change : float
        Predictions are to move by at most this, in the units of y, surely, on average
        or with the probability that its row gives; above 0, and below what is known
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
        If no theorem covers the learner.
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
    rule = rule_of(learner, [kind for kind in RULES if kind is not LaplacianRegression])
    _checks.choice(norm, "norm", ABOVE)
    aim = _checks.positive(change, "change")
    case = know(K)
    longest = _longest(case.diagonal, point_bound)
    told = {"n": case.n, "point_bound": longest}
    told |= rule.read(learner, y, case.n)
    given = unseen(learner, _as_matrix(K))
    where = at_points(learner, _as_matrix(K), longest)
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
    found = replace(found, given=given, where=where)
    if rule is not BY_FEATURES:
        return found
    rows = (row for row in found.rows if row.at.scheme not in NO_COLUMNS)
    return replace(found, rows=tuple(rows))


def _as_matrix(K):
    """K, or the matrix that was measured; an estimate as it is."""
    if isinstance(K, Instance):
        return DenseKernel(K.K)
    return K if isinstance(K, Estimated) else as_kernel(K)


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
