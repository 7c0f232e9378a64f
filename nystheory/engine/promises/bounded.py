"""What a theorem computes: its bound on a matrix, or from given numbers."""

from __future__ import annotations

import ast
import difflib
import math
import numbers

import numpy as np

from nystheory.engine.language import lines
from nystheory.engine.language.numbers import Number
from nystheory.engine.language.quantity import CHOSEN
from nystheory.engine.promises.known import Known
from nystheory.engine.worlds.instances import Instance
from nystheory.kernels import as_kernel
from nystheory.sampling import as_indices


class Bounded:
    """How the bound of a theorem is evaluated."""

    def unmet(self, instance) -> dict[str, str]:
        """The hypotheses that an instance does not meet: name and sentence.

        Outside of a range nothing else is asked: it may have no value there.
        """
        reader = lines.Reader(self.quantities, instance, where=self.where_lines)
        asked = self.asked({*instance.given})
        outside = self._unmet(reader, filter(self.is_range, asked))
        return outside or self._unmet(reader, asked)

    def asked(self, spoken) -> list[str]:
        """The hypotheses, without ranges of parts of which nothing is said."""
        return [x for x in self.hypotheses if x in spoken or not self.is_range(x)]

    def is_range(self, name: str) -> bool:
        """Whether a hypothesis says no more than which values a part may have."""
        known = self.quantities.get(name)
        return bool(known) and known.range[0] == self.hypotheses[name].line

    def _unmet(self, reader, names) -> dict[str, str]:
        chosen = ((name, self.hypotheses[name]) for name in names)
        return {
            name: f"the hypothesis '{h.line}' fails: {self._values(h, reader)}"
            for name, h in chosen
            if reader.value(lines.parse(h.line)) is not True
        }

    @staticmethod
    def _values(hypothesis, reader) -> str:
        told = []
        for name in lines.names(lines.parse(hypothesis.line)):
            value = reader.value(ast.Name(name))
            if not isinstance(value, bool) and isinstance(value.value, float):
                number = f"{value.value:.6g}"
                told.append(f"{name} = {'not known' if value.unknown else number}")
        return ", ".join(told) or "it is not met"

    @property
    def main(self) -> str:
        """The name of the first claim that has a bound to compute."""
        return next((n for n in self.claims if self.bounding(n) is not None), "")

    def bounding(self, claim: str):
        """The tree of the number that a claim promises; None where it has none."""
        return self._claim(claim).bounding(self.quantities)

    def bound(self, K=None, landmarks=None, rank=None, claim: str = "", **quantities):
        """The number that a claim promises, or an error that says why there is none.

        Parameters
        ----------
        K : array (n, n) or KernelMatrix, optional
            Not needed when `quantities` hold all that the bound uses.
        landmarks : Landmarks or sequence of int, optional
        rank : int, optional
            The number of landmarks by default.
        claim : str
            The first claim with a bound by default.
        **quantities : float
            Known quantities by name; they take precedence over measured ones.

        Raises
        ------
        TypeError
            If the theorem has no bound.
        ValueError
            If a hypothesis fails (with the measured values), or a quantity is
            missing or unknown.

        Notes
        -----
        A hypothesis about the matrix cannot be tested without the matrix; then it
        is the caller's word that counts.
        """
        instance = None if K is None else _user_instance(K, landmarks, rank)
        return self.bound_on(instance, claim, **quantities)

    def bound_on(self, instance, claim: str = "", **quantities) -> float:
        """`bound` on an instance at hand, or on none."""
        name = claim or self.main
        if not name:
            raise TypeError(f"{self.id} states {self.kind} without a number to compute")
        quantities = self._known(quantities)
        if instance is not None:
            instance = self._with(instance, quantities)
        tree = self.bounding(name)
        if tree is None:
            raise TypeError(f"{self.id}: the claim {name!r} has no bound to compute")
        for symbol in self.needed(tree):
            known = self.quantities[symbol]
            if known.when == CHOSEN and symbol not in quantities:
                meaning = known.meaning
                raise ValueError(
                    f"{symbol}: expected {meaning}, which no matrix tells; "
                    f"pass {symbol}=..."
                )
        known = isinstance(instance, Known)
        if known:
            reader = instance.reader(self.where_lines)
        else:
            args = self.quantities, instance, quantities, self.where_lines
            reader = lines.Reader(*args)
        for asked in self.asked({*quantities, *self.needed(tree)}):
            hypothesis = self.hypotheses[asked]
            needed = self.needed(lines.parse(hypothesis.line))
            if instance is None and not set(needed) <= set(quantities):
                continue
            if reader.truth(hypothesis.line) is not True:
                told = f"{self.id}: the hypothesis '{hypothesis.line}' fails: "
                raise ValueError(told + self._values(hypothesis, reader))
        found = reader.value(tree)
        value = instance.said(found) if known else found.value
        if not isinstance(value, float):
            raise TypeError(f"{self.id} states {self.kind} without a number to compute")
        if math.isnan(value):
            given = ", ".join(f"{name} = {x!r}" for name, x in quantities.items())
            raise ValueError(f"{self.id}: {name!r} has no value at {given or 'this K'}")
        return value

    def _with(self, instance, quantities):
        """An instance with what is chosen, and what is measured told in its place."""
        if isinstance(instance, Known):
            return Known.of(instance, self.world).bare.but(**quantities)
        parts = {n: x for n, x in quantities.items() if n in self.world.parts}
        return self.world.of(instance.bare).but(**parts)

    def right_side(self, claim: str, **quantities) -> float:
        """The bound of a claim from given quantities, hypotheses or not.

        NaN where it has no value there.
        """
        quantities = self._known(quantities)
        reader = lines.Reader(self.quantities, None, quantities, self.where_lines)
        return float(reader.value(self.bounding(claim)).value)

    def meets(self, hypothesis: str, **quantities) -> bool:
        """Whether given quantities meet a hypothesis."""
        quantities = self._known(quantities)
        reader = lines.Reader(self.quantities, None, quantities, self.where_lines)
        return reader.value(lines.parse(self.hypotheses[hypothesis].line)) is True

    def needed(self, tree) -> list[str]:
        """Names of the measured quantities below an expression."""
        found = []
        for name in lines.names(tree):
            inner = self.where_lines.get(name) or self.quantities[name].line
            found += self.needed(lines.parse(inner)) if inner else [name]
        return list(dict.fromkeys(found))

    def _known(self, quantities) -> dict:
        """Values by name, lists as arrays; an error if one is no quantity or number."""
        out = {}
        for name, value in quantities.items():
            if name not in self.quantities:
                near = difflib.get_close_matches(name, [*self.quantities], 3)
                hint = (
                    f"did you mean {' or '.join(near)}?" if near else "such as n or l"
                )
                raise ValueError(
                    f"unknown quantity {name!r}: expected one of the world "
                    f"{self.world.__name__}; {hint}"
                )
            out[name] = np.asarray(value) if isinstance(value, (list, tuple)) else value
            number = isinstance(value, (numbers.Real, Number))
            numeric = getattr(out[name], "dtype", np.dtype(object)).kind in "iuf"
            if isinstance(value, bool) or not (number or numeric):
                raise TypeError(f"{name}: expected a number, got {value!r}")
        return out


def _user_instance(K, landmarks, rank):
    kernel = as_kernel(K)
    if landmarks is None:
        raise ValueError("landmarks: expected the sampled columns, got None")
    indices = as_indices(landmarks, kernel.n)
    return Instance(kernel.dense(), indices, len(indices) if rank is None else rank)
