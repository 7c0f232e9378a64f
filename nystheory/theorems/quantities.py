"""The quantities that bounds are written in: one name, symbol and meaning each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import sympy as sp

from nystheory import style
from nystheory.theorems.instance import Instance


@dataclass(frozen=True)
class Quantity:
    """A named number that a formula may use, and how it is measured.

    Parameters
    ----------
    name : str
        Python name, the keyword of a calculator.
    latex : str
        Symbol on the page.
    meaning : str
        One line.
    measure : callable (Instance) -> float
        Its value on an instance.
    of_sample : bool
        Whether it depends on which columns were drawn, not on how many alone.
    chosen : bool
        Whether it is the user's choice, as a ridge is: no matrix tells it.
    """

    name: str
    latex: str
    meaning: str
    measure: Callable[[Instance], float]
    of_sample: bool = False
    chosen: bool = False

    @property
    def symbol(self) -> sp.Symbol:
        """The SymPy symbol; nonnegative, as every quantity of the book is."""
        return sp.Symbol(self.name, nonnegative=True)


class _Table(dict):
    """The quantities by name; a notebook shows them as a table."""

    def __repr__(self):
        return f"{len(self)} quantities"

    def _repr_html_(self) -> str:
        rows = [(f"${q.latex}$", f"`{q.name}`", q.meaning) for q in self.values()]
        return style.table(rows, ("symbol", "keyword", "meaning"))


QUANTITIES: dict[str, Quantity] = _Table()


def quantity(
    name: str, latex: str, meaning: str, *, of_sample: bool = False, chosen=False
):
    """Enter a measuring function into the table; returns its SymPy symbol."""

    def enter(measure):
        if name in QUANTITIES:
            raise ValueError(f"quantity {name!r} is defined twice")
        QUANTITIES[name] = Quantity(name, latex, meaning, measure, of_sample, chosen)
        return QUANTITIES[name].symbol

    return enter


def measure(names, instance: Instance | None, given: Mapping[str, float]):
    """Values of the named quantities: those given, else measured on the instance.

    Raises
    ------
    ValueError
        If a quantity is neither given nor measurable, or is not known at all.

    Examples
    --------
    >>> measure(["n", "l"], Instance(np.eye(3), [0], 1), {"l": 2})
    {'n': 3, 'l': 2}
    """
    unknown = set(given) - set(QUANTITIES)
    if unknown:
        raise ValueError(
            f"unknown quantities {sorted(unknown)}; known: {sorted(QUANTITIES)}"
        )
    missing = [name for name in names if name not in given]
    if missing and instance is None:
        raise ValueError(
            f"the formula needs {missing}: give them by name, or give a matrix"
        )
    return {
        name: given[name] if name in given else QUANTITIES[name].measure(instance)
        for name in names
    }


n = quantity("n", "n", "size of the matrix")(lambda i: i.n)
l = quantity("l", "l", "number of landmarks")(lambda i: i.l)  # noqa: E741
k = quantity("k", "k", "rank of the approximation")(lambda i: i.k)
rank_K = quantity("rank_K", r"\operatorname{rank}K", "rank of the matrix")(
    lambda i: i.rank_K
)
rank_W = quantity(
    "rank_W", r"\operatorname{rank}W", "rank of the core", of_sample=True
)(lambda i: i.rank_W)
norm_F = quantity("norm_F", r"\|K\|_F", "Frobenius norm of the matrix")(
    lambda i: np.linalg.norm(i.K)
)


@quantity("tail_2", r"\sigma_{k+1}(K)", "spectral error of the best rank k")
def tail_2(i: Instance) -> float:
    return float(np.append(np.abs(i.eigen_K[0]), 0.0)[i.k])


@quantity(
    "tail_F",
    r"\textstyle\bigl(\sum_{j>k}\sigma_j(K)^2\bigr)^{1/2}",
    "Frobenius error of the best rank k",
)
def tail_F(i: Instance) -> float:
    return float(np.linalg.norm(i.eigen_K[0][i.k :]))


@quantity(
    "deviation",
    r"\|XX^\top - ZZ^\top\|_2",
    "spectral distance of the covariance of the points and of the scaled sample",
    of_sample=True,
)
def deviation(i: Instance) -> float:
    X, Z = i.points, np.sqrt(i.n / i.l) * i.points[:, i.landmarks]
    return float(np.linalg.norm(X @ X.T - Z @ Z.T, 2))


def failure_probability(i: Instance) -> float:
    """The delta that an instance carries in ``extra``."""
    if "delta" not in i.extra:
        raise ValueError("delta: expected a failure probability by name, got none")
    return float(i.extra["delta"])


delta = quantity(
    "delta", r"\delta", "probability with which a bound may fail", chosen=True
)(failure_probability)
