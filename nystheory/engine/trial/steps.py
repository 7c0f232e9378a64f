"""A step of a proof is a line, tried on every instance on which its theorem is tried.

A text defines the letters of a proof and states its steps; here they become claims of a
copy of the theorem, so that the observers of claims look at them: the stress suite, the
theorem's own instances, the search, and without rounding the small instances.
"""

from __future__ import annotations

import ast
import keyword
import re
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import pairwise

from nystheory.engine.language import lines
from nystheory.engine.language.claims import Claim, Where
from nystheory.engine.language.functions import FUNCTIONS
from nystheory.engine.trial import statistics, verification
from nystheory.engine.trial.results import Result
from nystheory.engine.trial.theorem import Theorem
from nystheory.exact.kinds import OVER_SAMPLES

# What most controls fall at: a part of the instances and no search.
GLANCE = verification.Effort(random=25, local=0, exact=3, trials=1200, chances=5)
# For a bound that was nearly reached, a search of its own.
CLOSER = verification.Effort(random=200, local=600, exact=0, trials=0, chances=0)
_LETTER = re.compile(r"(?P<name>\w+)(?: \((?P<latex>.+?)\))? = (?P<line>.+)", re.S)
ATTAINED = 1 - 1e-6
_WHEN, _OVER = " when ", " over "
# What means something else in a line, and so cannot be a letter.
_TAKEN = {*keyword.kwlist, *FUNCTIONS, *OVER_SAMPLES, "when", "over"}
_TURNED = {ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Lt: ast.Gt, ast.Gt: ast.Lt}
_TURNED |= {ast.NotEq: ast.NotEq}


@dataclass
class Proof:
    r"""The letters and the steps of a proof, in the order of its text.

    Parameters
    ----------
    theorem : Theorem
        What is proved: its quantities, its hypotheses, its instances.

    Examples
    --------
    >>> import nystheory
    >>> proof = Proof(nystheory.theorems["talwalkar2010:eq-5.3"])
    >>> proof.letter("D (D) = X @ X.T")
    'D = X X^\\top'
    >>> proof.line("trace(D) == trace_K")
    '\\operatorname{tr} D = \\operatorname{tr} K'
    >>> [str(step.line) for step in proof.steps.values()]
    ['trace(D) == trace_K']
    """

    theorem: Theorem
    letters: dict[str, Where] = field(default_factory=dict)
    steps: dict[str, Claim] = field(default_factory=dict)

    def letter(self, text: str, whole: bool = True) -> str:
        r"""Define ``name (\latex) = line``; return the formula, or the symbol alone.

        Raises
        ------
        ValueError
            If it is of another form, is no line, or the name is known already.
        """
        found = _LETTER.fullmatch(" ".join(text.split()))
        if not found:
            told = r"a letter: expected 'name (\latex) = line', got "
            raise ValueError(f"{self.theorem.id}: {told}{text!r}")
        name, line = found["name"], found["line"]
        if {name} & ({*self.letters} | {*self._known}):
            raise ValueError(f"{self.theorem.id}: {name!r} is defined already")
        if not name.isidentifier() or name in _TAKEN:
            told = f"a letter: expected a name that is free, got {name!r}"
            raise ValueError(f"{self.theorem.id}: {told}")
        if name in lines.names(lines.parse(line)):
            told = f"a letter: expected a line without {name!r} itself, got {line!r}"
            raise ValueError(f"{self.theorem.id}: {told}")
        where = Where(found["latex"] or name, line)
        self._checked(self.letters | {name: where}, {})
        self.letters[name] = where
        told = self._shown(line)
        return f"{where.latex} = {told}" if whole else where.latex

    def line(self, text: str, when: str = "") -> str:
        """State a step, ``a <= b`` or a chain ``a <= b <= c``; return its formula.

        ``a <= b when c`` speaks of the instances with c only, and ``mean(a) <= b over
        law`` says what means are taken over, where the claims have several laws.

        Raises
        ------
        ValueError
            If it is no line, or speaks of what is unknown.
        """
        text, _, own = " ".join(text.split()).partition(_WHEN)
        if (own and when) or _WHEN in own:
            both = " and ".join(filter(None, (when, own)))
            told = f"expected one condition, got {both!r}"
            raise ValueError(f"{self.theorem.id}, {text!r}: {told}")
        text, _, law = text.partition(_OVER)
        when = own or when
        tree, law = lines.parse(text), law or self._law(text)
        if unsaid := [link for link in _links(tree) if not _states(link)]:
            told = f"expected a relation, got {unsaid[0]!r}"
            raise ValueError(f"{self.theorem.id}: a step: {told}")
        some = {
            f"step {len(self.steps) + number}": Claim(line, when=when, law=law)
            for number, line in enumerate(_links(tree), 1)
        }
        self._checked(self.letters, some)
        self.steps |= some
        return self._shown(text)

    def tried(self, work=verification.EFFORTS["quick"]) -> list[Result]:
        """What came of each step; a result is truthy where the step stands."""
        copy = self.stated()
        found = verification.examine(copy, verification.generator(copy), work)
        tests = sum(result.tests for result in found)
        statistics.spend(f"steps of {copy.id}", tests * statistics.LEVEL)
        return found

    def closely(self, found: list[Result]) -> list[Result]:
        """What a search comes to that each bound with a number has for itself.

        The steps of a proof share one search, so that a bound which is wrong by a few
        percent may not be reached there.  What was attained is not looked for again.
        """
        asked = self.with_a_number()
        return [
            result
            for each in found
            if each.name in asked and 0 < each.tightness < ATTAINED
            for result in self._alone(each.name).tried(CLOSER)
        ]

    def with_a_number(self) -> list[str]:
        """The inequalities in which a number stands that may be wrong by a factor."""
        return [
            name
            for name, step in self.steps.items()
            if step.kind == "inequality" and _has_a_number(step.line)
        ]

    def _alone(self, name) -> Proof:
        return Proof(self.theorem, self.letters, {name: self.steps[name]})

    def stated(self) -> Theorem:
        """A copy of the theorem whose claims are the steps."""
        return self._copy(self.letters, self.steps)

    def changed(self) -> Proof:
        """Its controls: each step with one thing changed, which must fall.

        The right side of an identity grows by a hundredth; an inequality and an order
        of matrices are turned round; of a chance the event becomes the opposite one.
        """
        steps = {
            name: replace(step, line=ast.unparse(_Changed().visit(deepcopy(step.tree))))
            for name, step in self.steps.items()
        }
        return Proof(self.theorem, self.letters, steps)

    def unseen(self) -> list[str]:
        """The steps that no observer refutes, not at a glance and not by a search."""
        left = {r.name for r in self.tried(GLANCE) if r.outcome != "refuted"}
        steps = {name: each for name, each in self.steps.items() if name in left}
        if not steps:
            return []
        found = Proof(self.theorem, self.letters, steps).tried()
        return [steps[r.name].line for r in found if r.outcome != "refuted"]

    @property
    def _known(self):
        return {**self.theorem.quantities, **self.theorem.where}

    def _law(self, text) -> str:
        """What the means and chances of a step are taken over: as in its theorem."""
        if Claim(text).kind not in ("probability", "expectation"):
            return ""
        laws = {c.law for c in self.theorem.claims.values() if c.law}
        if len(laws) != 1:
            told = f"one law of samples in its claims, got {sorted(laws)}"
            raise ValueError(f"{self.theorem.id}, {text!r}: expected {told}")
        return laws.pop()

    def _checked(self, letters, steps) -> None:
        """Whether all names are known; what has no step yet lends a true line."""
        self._copy(letters, steps or {"none": Claim("0 == 0")})

    def _copy(self, letters, steps) -> Theorem:
        where = {**self.theorem.where, **letters}
        none = {"controls": {}, "printed": {}, "promises": {}, "derivation": None}
        return self.theorem.but(claims=steps, where=where, **none)

    def _shown(self, text) -> str:
        return self._copy(self.letters, {"none": Claim("0 == 0")}).shown(
            lines.parse(text)
        )


class _Changed(ast.NodeTransformer):
    """What a control has in place of a relation, or of an order of matrices."""

    def visit_Compare(self, tree):
        (op,), (right,) = tree.ops, tree.comparators
        if isinstance(op, ast.Eq):
            grown = ast.BinOp(ast.Constant(1.01), ast.Mult(), right)
            return ast.Compare(tree.left, [op], [grown])
        called = tree.left.func.id if isinstance(tree.left, ast.Call) else ""
        if called == "chance":
            # Trials bound a chance from above only, so the event is turned round.
            (event,) = tree.left.args
            turned = ast.Call(tree.left.func, [ast.UnaryOp(ast.Not(), event)], [])
            return ast.Compare(turned, [op], [right])
        if called == "mean":
            # What is taken over samples stands on the left, so the sign is turned.
            return ast.Compare(tree.left, [_TURNED[type(op)]()], [right])
        return ast.Compare(right, [op], [tree.left])

    def visit_Call(self, tree):
        if tree.func.id != "below":
            return tree
        return ast.Call(tree.func, tree.args[::-1], [])


def _has_a_number(line: str) -> bool:
    """Whether a number other than 0 and 1 stands in a line that speaks of names."""
    tree = lines.parse(line)
    numbers = (x.value for x in ast.walk(tree) if isinstance(x, ast.Constant))
    return bool(lines.names(tree)) and any(x not in (0, 1) for x in numbers)


def _links(tree: ast.AST) -> list[str]:
    """The relations of a chain, and of what `and` joins, one by one."""
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
        return [link for part in tree.values for link in _links(part)]
    if not isinstance(tree, ast.Compare):
        return [ast.unparse(tree)]
    sides = [tree.left, *tree.comparators]
    return [
        ast.unparse(ast.Compare(left, [op], [right]))
        for op, (left, right) in zip(tree.ops, pairwise(sides), strict=True)
    ]


def _states(link: str) -> bool:
    """Whether it says something, and is no bare quantity."""
    tree = lines.parse(link)
    if isinstance(tree, ast.Call):
        return tree.func.id == "below"
    if isinstance(tree, ast.UnaryOp):
        return isinstance(tree.op, ast.Not)
    return isinstance(tree, ast.Compare | ast.BoolOp)
