"""All schemes by name, with what they ask of K."""

from __future__ import annotations

from nystheory import style
from nystheory.sampling._adaptive import adaptive_full, adaptive_partial
from nystheory.sampling._determinantal import dpp, k_dpp, volume
from nystheory.sampling._driven import criterion_driven
from nystheory.sampling._estimated_leverage import bless, recursive_rls
from nystheory.sampling._fixed import column_norm, diagonal, uniform, user
from nystheory.sampling._greedy import (
    farthest_point,
    incomplete_cholesky,
    kmeans,
    sgma,
)
from nystheory.sampling._leverage import leverage, ridge_leverage
from nystheory.sampling._pivoted import rp_cholesky

# Entries read, operations.
_COSTS = {
    uniform: ("0", "$n$"),
    diagonal: ("$n$", "$nl$"),
    column_norm: ("$n^2$", "$n^2$"),
    user: ("0", "$l$"),
    leverage: ("$n^2$", "$n^3$"),
    ridge_leverage: ("$n^2$", "$n^3$"),
    recursive_rls: ("about $2nl$", "$nl^2$"),
    bless: ("$O(nl)$", "$nl^2$"),
    adaptive_full: ("$n^2$", "$n^2 l$"),
    adaptive_partial: ("$nl$", "$nl^2$ in each round"),
    criterion_driven: ("$nl$", "$nl^2$ in each round"),
    sgma: ("$60nl$", "$59nl^2$"),
    incomplete_cholesky: ("$n(l + 1)$", "$nl^2$"),
    kmeans: ("0", "$nld$ in each round"),
    farthest_point: ("$n(l + 1)$", "$nl$"),
    dpp: ("$n^2$", "$n^3$"),
    k_dpp: ("$n^2$", "$n^3$"),
    volume: ("$n^2$", "$n^3$"),
    rp_cholesky: ("$n(l + 1)$", "$nl^2$"),
}


class _Table(dict):
    """The schemes by name; a notebook shows them as a table."""

    def __missing__(self, name):
        raise KeyError(f"no scheme is called {name!r}; expected one of {[*self]}")

    def only(self, *names: str) -> _Table:
        """The table of some of them."""
        return _Table({name: self[name] for name in names})

    def __repr__(self):
        return f"{len(self)} sampling schemes: {', '.join(self)}"

    def _repr_html_(self) -> str:
        rows = [
            (f"`{name}`", _first_line(scheme), *_COSTS[scheme])
            for name, scheme in self.items()
        ]
        header = ("scheme", "what it draws", "entries of $K$", "operations")
        return style.table(rows, header)


# What is code in a docstring, and a formula in a table.
_FORMULAS = {
    "``K[i, i]``": "$K_{ii}$",
    "``det K[S, S]``": r"$\det K_{SS}$",
    "``det(K[S, S] / alpha)``": r"$\det(K_{SS} / \alpha)$",
    " set S ": " set $S$ ",
    "rank k": "rank $k$",
    "of l c": "of $l$ c",
    " l times": " $l$ times",
    "of X": "of $X$",
}


def _first_line(scheme) -> str:
    """Its summary, with formulas set as such."""
    told = scheme.__doc__.partition("\n")[0]
    for code, formula in _FORMULAS.items():
        told = told.replace(code, formula)
    return told


SCHEMES = _Table((scheme.__name__, scheme) for scheme in _COSTS)
