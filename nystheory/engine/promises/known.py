"""A matrix before a sample is drawn: what is measured of it is measured once.

What a bound needs is known from K, the number of columns, the rank and what was chosen;
which of these a quantity depends on is seen while it is measured.  So a tail is
measured once for a rank, whatever the number of columns; the largest ridge leverage
score once for a ridge; an eigendecomposition once.
"""

from __future__ import annotations

import ast
import math
from functools import cached_property

import numpy as np

from nystheory.engine.language import lines
from nystheory.engine.language.functions import semidefinite
from nystheory.engine.language.numbers import Number
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.matrices import GREY_HIGH
from nystheory.engine.worlds.measured import Measured

# What is read off the matrix alone.
OF_K = frozenset(
    ("K", "X", "n", "points", "eigen_K", "norm_K", "spectrum", "diagonal")
    + ("largest_distance", "spread", "leading_scores")
)
# What is kept of one quantity, numbers and arrays, before it is forgotten.
NUMBERS, ARRAYS = 100_000, 64


class Memo:
    """What was measured of a matrix, each with what it was read from."""

    def __init__(self):
        self._found: dict = {}
        self.once: dict = {}
        self._open: list[dict] = []

    def read(self, name, value) -> None:
        """Tell what is being measured that it depends on this."""
        if self._open:
            self._open[-1][name] = value

    def get(self, key, case, compute, beside=()):
        """What was found when all that it was read from was as it is in this case.

        The same reads with the same values end in the same result: nothing else is
        told to a quantity.  `beside` names what a table runs over itself.
        """
        tables = self._found.setdefault(key, {})
        for names, table in tables.items():
            values = tuple(case.told(name) for name in names)
            if all(_plain(x) for x in values) and values in table:
                for name, x in zip(names, values, strict=True):
                    self.read(name, x)
                return table[values]
        self._open.append({})
        try:
            result = compute()
        finally:
            reads = self._open.pop()
        reads = {name: x for name, x in reads.items() if name not in beside}
        for name, x in reads.items():
            self.read(name, x)
        if all(_plain(x) for x in reads.values()):
            names = tuple(sorted(reads, key=str))
            self._keep(tables.setdefault(names, {}), [reads[x] for x in names], result)
        return result

    def depends(self, key, name) -> bool:
        """Whether a quantity was ever seen to depend on this."""
        return any(name in names for names in self._found.get(key, ()))

    @staticmethod
    def _keep(table, values, result) -> None:
        few = np.ndim(getattr(result, "value", 0.0)) > 0 and values
        if len(table) >= (ARRAYS if few else NUMBERS):
            table.clear()
        table[tuple(values)] = result


def _plain(x) -> bool:
    return x is None or isinstance(x, (int, float, str, np.number))


class Known(Measured):
    """An instance before its sample: a matrix, a number of columns, a rank.

    Parameters
    ----------
    matrix : Instance
        Of which K is taken, and not the landmarks.
    count : int
        How many columns, of all experts together.
    rank : int
    chosen : mapping of str to number or array
        Parts of the world by name, and quantities that are told in place of measured.
    world : type, optional
        Of the statement; that of the matrix by default.

    Examples
    --------
    >>> from nystheory.engine import QUANTITIES, Instance
    >>> matrix = Instance(np.diag([4.0, 2.0, 1.0]), [0], 1)
    >>> case = Known(matrix, 2, 1)
    >>> case.measured(QUANTITIES["tail_trace"]).value, case.n, case.l, case.k
    (3.0, 3, 2, 1)
    >>> case.memo is case.but(rank=2).memo  # what depends on K alone is shared
    True
    """

    def __init__(self, matrix, count, rank, chosen=None, world=None):
        self.matrix, self._count, self._rank = matrix, count, rank
        self.chosen = dict(chosen or {})
        of = type(matrix) if isinstance(matrix, Instance) else Instance
        self.world = world or of
        self.memo: Memo = matrix.__dict__.setdefault("_memo", Memo())

    @classmethod
    def of(cls, instance, world=None):
        """What is known of an instance before its sample, in a world."""
        if isinstance(instance, cls):
            args = instance.matrix, instance._count, instance._rank, instance.chosen
            return type(instance)(*args, world or instance.world)
        count, rank = len(instance.landmarks), instance.rank
        return cls(instance, count, rank, instance.given, world)

    def said(self, found) -> float:
        """What a bound says, a `Number`: the upper of two ends, where it has two."""
        return found.value

    def lacks(self, names) -> list[str]:
        """Which of these cannot be known of the matrix."""
        return []

    def told(self, name):
        """The value under which a read is remembered."""
        if name == "count":
            return self._count
        if name == "samples":
            return self.world.samples_of(self)
        return self._rank if name == "rank" else self.chosen.get(name[1])

    def but(self, rank=None, count=None, **chosen):
        """The same matrix with something else chosen."""
        count = self._count if count is None else count
        rank = self._rank if rank is None else rank
        given = {**self.chosen, **chosen}
        return type(self)(self.matrix, count, rank, given, self.world)

    @property
    def bare(self):
        """The same matrix, number of columns and rank, with nothing else chosen."""
        return type(self)(self.matrix, self._count, self._rank, {}, self.world)

    def measured(self, quantity):
        """A quantity, once for all that it depends on.

        On a copy: what a function has kept for this very object would not be seen.
        """
        return self.memo.get(quantity, self, lambda: self.but()._measure(quantity))

    def over_ranks(self, quantity) -> np.ndarray:
        """Its value for every rank from 1 to n, (n,); NaN where it is not known."""

        def compute():
            every = range(1, self.n + 1)
            found = (self.but(rank=k).measured(quantity) for k in every)
            values = [getattr(x, "value", math.nan) for x in found]
            return np.array(values, dtype=float)

        self.measured(quantity)
        if not self.memo.depends(quantity, "rank"):
            return np.asarray(getattr(self.measured(quantity), "value", math.nan))
        return self.memo.get(("ranks", quantity), self, compute, {"rank"})

    def reader(self, where):
        """What evaluates lines on it."""
        return KnownReader(self.quantities, self, self.chosen, where)

    @property
    def quantities(self):
        """What lines speak of."""
        return self.world.quantities

    @property
    def given(self) -> dict:
        """What was chosen by name."""
        for name, value in self.chosen.items():
            self.memo.read(("chosen", name), value)
        return self.chosen

    def brings(self, name: str) -> bool:
        """Whether a part was chosen."""
        self.memo.read(("chosen", name), self.told(("chosen", name)))
        return name in self.chosen

    def _part(self, part):
        """A part as it was chosen, or its default."""
        if self.brings(part.name):
            return self.chosen[part.name]
        return part.__get__(self)

    @property
    def landmarks(self) -> np.ndarray:
        """As many as there are: which ones nobody knows yet."""
        self.memo.read("count", self._count)
        return np.arange(self._count)

    @property
    def l(self) -> int:  # noqa: E741, E743 - the field's letter
        """Number of columns, of each expert if there are several."""
        self.memo.read("count", self._count)
        samples = self.world.samples_of(self)
        # Of another world the same columns may be those of one sample.
        self.memo.read("samples", samples)
        return self._count // samples

    @property
    def k(self) -> int:
        """The rank."""
        self.memo.read("rank", self._rank)
        return self._rank

    rank = k

    @property
    def rank_K(self) -> int:
        """Rank of K: how many singular values of the points are clearly not zero."""
        s = self._singular
        return int((s > GREY_HIGH * s[0]).sum())

    @property
    def rank_is_clear(self) -> bool:
        """Whether float64 can tell the rank of K, whatever the sample."""
        if self.X is not None:
            return self.matrix.rank_is_clear_of_K
        s = self._singular
        return not bool(((s > 0) & (s < GREY_HIGH * s[0])).any())

    @property
    def _singular(self) -> np.ndarray:
        """Singular values of the points; where only K is given, of rounding too."""
        if self.X is not None:
            return self.matrix._singular_X
        return np.sqrt(self.spectrum)

    @property
    def log_elementary(self) -> tuple[float, float]:
        """Of the elementary symmetric polynomials of degrees l and l + 1."""
        every = self._once("elementary", self._elementary)
        return every[self.l], every[self.l + 1]

    def _elementary(self):
        logs = np.full(self.n + 2, -np.inf)
        logs[0] = 0.0
        positive = self.spectrum[self.spectrum > 0]
        for j, log in enumerate(np.log(positive)):
            logs[1 : j + 2] = np.logaddexp(logs[1 : j + 2], log + logs[: j + 1])
        return logs

    def _once(self, name, compute):
        kept = self.memo.once
        if name not in kept:
            kept[name] = compute()
        return kept[name]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name in OF_K:
            return getattr(self.matrix, name)
        if name in self.world.parts:
            return self._part(self.world.parts[name])
        # Something of a sample: it may depend on anything.
        for read in ("count", "rank", *(("chosen", x) for x in self.chosen)):
            self.memo.read(read, self.told(read))
        return getattr(self._sampled, name)

    @cached_property
    def _sampled(self):
        parts = self.world.parts
        given = {name: x for name, x in self.chosen.items() if name in parts}
        known = self.world.of(self.matrix.bare)
        return known.but(landmarks=np.arange(self._count), rank=self._rank, **given)


def asks_for_rank(tree) -> bool:
    """Whether a larger rank of K would meet a condition all the more."""
    if not isinstance(tree, ast.Compare) or len(tree.ops) > 1:
        return False
    small, large = tree.left, tree.comparators[0]
    if isinstance(tree.ops[0], (ast.Gt, ast.GtE)):
        small, large = large, small
    elif not isinstance(tree.ops[0], (ast.Lt, ast.LtE)):
        return False
    return ast.unparse(large) == "rank_K" and "rank_K" not in lines.names(small)


class KnownReader(lines.Reader):
    """Evaluates lines on what is known; a named part once for what it depends on.

    A relation is so where it is for both ends of its sides, however far these are apart
    (by rounding, or because no more is known): it is asked of one matrix, and is not
    evidence for all.
    """

    def __init__(self, quantities, case, given, where):
        super().__init__(quantities, case, given, where)
        # What a line means follows from the names of its world and its theorem.
        self._scope = (case.world, *self.where.items())

    def _read(self, name):
        if name in self.given:
            self.instance.memo.read(("chosen", name), self.given[name])
        elif name in self.where or self._is_line(name):
            return self._once(name, lambda: super(KnownReader, self)._read(name))
        return super()._read(name)

    def truth(self, line):
        """Whether a line is so, once for what it depends on.

        Where float64 tells only a least rank of K, that decides whether it is enough.
        """
        met = self._once(line, lambda: super(KnownReader, self).truth(line))
        if met is None and asks_for_rank(lines.parse(line)):
            least = self.instance.but(rank_K=self.instance.rank_K)
            again = lines.Reader.truth
            met = again(least.reader(self.where), line) or None
        return met

    def _truth(self, tree):
        values = [self.value(part) for part in (tree.left, *tree.comparators)]
        pairs = zip(tree.ops, values, values[1:], strict=False)
        return _all([_decided(lines.RELATIONS[type(op)], a, b) for op, a, b in pairs])

    def _is_line(self, name) -> bool:
        return name in self.quantities and bool(self.quantities[name].line)

    def _call(self, tree):
        if tree.func.id != "below":
            return super()._call(tree)
        said = ast.unparse(tree)
        if said == "below(0, K)" and "K" not in self.given:  # its spectrum is known
            return semidefinite(self._name("K"), float(self.instance.eigen_K[0][-1]))
        return self._once(said, lambda: super(KnownReader, self)._call(tree))

    def _once(self, said, compute):
        # What was read earlier must be seen to be read.
        def afresh():
            self._seen = {}
            return compute()

        return self.instance.memo.get((said, self._scope), self.instance, afresh)


def _all(truths):
    return False if False in truths else None if None in truths else True


def _decided(relation, a, b):
    """Whether a relation holds, None where the ends do not tell.

    >>> one, two = Number(1.0, 0.4, 1.0), Number(2.0, 0.7, 2.0)
    >>> _decided("<", one, two), _decided(">", Number.exact(1.5), one)
    (None, True)
    """
    if relation in (">", ">="):
        relation, a, b = "<" + relation[1:], b, a
    if relation not in ("<", "<=") or not (_number(a) and _number(b)):
        return lines.decide(relation, a, b)
    difference = a - b
    with np.errstate(invalid="ignore"):  # inf - inf decides nothing
        low, high = (difference.value + sign * difference.error for sign in (-1, 1))
    if high < 0 or (high == 0 and relation == "<="):
        return True
    return False if low > 0 else None


def _number(x) -> bool:
    return isinstance(x, Number) and isinstance(x.value, float)
