"""A line in what an experiment measures: ``missed(pivots) <= 0.5 * missed(uniform)``.

It is a line of the language, in names such as ``missed(pivots)``, a field of a
competitor; so its value, its formula and its words are made from it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from nystheory.engine.language.latex import latex
from nystheory.engine.language.lines import Reader, as_truth, names, parse, relation

# Words for the larger and for the smaller side of a line.
MORE = "larger longer more higher rises grows gains above farther".split()
LESS = "smaller shorter fewer less lower falls shrinks loses below nearer".split()
_IN_WORDS = {"<=": "at most", "<": "less than", ">=": "at least", ">": "more than"}


def joined(field: str, competitor: str) -> str:
    """The name of a field of a competitor."""
    return f"{field}__{competitor}"


def puts(line: str, competitor: str, word: str) -> str:
    """A word that compares, where a line has this competitor on that side.

    Parameters
    ----------
    line : str
    competitor : str
        Its name in the line.
    word : str
        One of `MORE` or of `LESS`.

    Returns
    -------
    str
        The word.

    Raises
    ------
    ValueError
        If the line does not compare two sides, or has it on the other one.

    Examples
    --------
    >>> "its heads are " + puts("heads(bent) > heads(fair)", "fair", "fewer")
    'its heads are fewer'
    """
    sides = re.split(r"([<>]=?)", line)
    there = [competitor in re.findall(r"\w+", side) for side in sides[::2]]
    if len(sides) != 3 or sum(there) != 1 or word not in (*MORE, *LESS):
        raise ValueError(f"word: expected one that {line!r} has, got {word!r}")
    if (there[0] == sides[1].startswith(">")) != (word in MORE):
        raise ValueError(f"word: {competitor} is on the other side, got {word!r}")
    return word


@dataclass(frozen=True, eq=False)
class MeasuredLine:
    """A line, parsed in the fields and competitors of an experiment.

    Parameters
    ----------
    line : str
    fields : mapping of str to Field
    competitors : mapping of str to Competitor
    along : Field, optional
        What is measured over; its name stands for the setting.

    Raises
    ------
    ValueError
        If it is no line, or speaks of something that is not measured.
    """

    line: str
    fields: Mapping
    competitors: Mapping
    along: object = None

    def __post_init__(self):
        known = {
            joined(f, c): (f, c) for f in self.fields for c in self.competitors
        } | ({self.along.name: (self.along.name, "")} if self.along else {})
        tree = parse(ast.unparse(_Named(self).visit(_read(self.line))))
        strange = [name for name in names(tree) if name not in known]
        if strange:
            told = sorted(f"{f}({c})" if c else f for f, c in known.values())
            raise ValueError(
                f"line: expected {', '.join(told)}, got {strange[0]!r} in {self.line!r}"
            )
        object.__setattr__(self, "tree", tree)
        object.__setattr__(self, "known", known)

    def truth(self, values: Mapping[str, float]) -> bool | None:
        """Whether it is so, at one setting of one draw; None if not to be told."""
        return as_truth(Reader({}, None, values).value(self.tree))

    def sides(self, values: Mapping[str, float]) -> tuple[float, float]:
        """The smaller side, as it claims, and the larger one."""
        reader = Reader({}, None, values)
        left, right = self.tree.left, self.tree.comparators[0]
        pair = float(reader.value(left).value), float(reader.value(right).value)
        return pair if relation(self.tree) in ("<=", "<") else pair[::-1]

    @property
    def is_order(self) -> bool:
        """Whether it compares two numbers by their order."""
        return relation(self.tree) in _IN_WORDS

    @property
    def latex(self) -> str:
        """The formula."""
        symbols = {}
        for name, (field, competitor) in self.known.items():
            label = competitor and self.competitors[competitor].label
            told = self.fields[field].label if competitor else self.along.label
            symbols[name] = rf"\text{{{told}}}" + (
                rf"(\text{{{label}}})" if label else ""
            )
        return latex(self.tree, symbols)

    @property
    def words(self) -> str:
        """The sentence, where it compares two fields or a field with a number."""
        if self.is_order and isinstance(self.tree.left, ast.Name):
            right = self._right(self.tree.left.id, self.tree.comparators[0])
            if right:
                how = _IN_WORDS[relation(self.tree)]
                return f"{self._name(self.tree.left.id)} is {how} {right}"
        return f"${self.latex}$"

    @property
    def amount(self) -> str:
        """A line in the setting as an amount: at least 200 columns."""
        how, number = _IN_WORDS[relation(self.tree)], self.tree.comparators[0]
        return f"{how} {ast.unparse(number)} {self.along.label}"

    def _right(self, left, tree) -> str:
        if isinstance(tree, ast.Constant):
            unit = self._field(left).unit
            return f"{tree.value} {unit}".strip()
        if isinstance(tree, ast.Name):
            return self._name(tree.id, left)
        match tree:
            case ast.BinOp(ast.Constant(factor), ast.Mult(), ast.Name(name)):
                return f"{factor} times {self._name(name, left)}"
            case ast.BinOp(ast.Name(name), ast.Add(), ast.Constant(more)):
                return f"{self._name(name, left)} plus {more}"
        return ""

    def _field(self, name):
        field, competitor = self.known[name]
        return self.fields[field] if competitor else self.along

    def _name(self, name, before="") -> str:
        field, (_, competitor) = self._field(name), self.known[name]
        if not competitor:
            return f"the {field.label}"
        label = self.competitors[competitor].words
        if not field.by:
            return label
        if before and self._field(before) == field:
            return f"that {field.by} {label}"
        return f"the {field.label} {field.by} {label}"


def _read(line) -> ast.expr:
    try:
        return ast.parse(line.strip(), mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"line: expected a comparison, got {line!r}") from error


class _Named(ast.NodeTransformer):
    """``missed(pivots)`` as one name."""

    def __init__(self, comparison):
        self.comparison = comparison

    def visit_Call(self, node):
        plain = len(node.args) == 1 and isinstance(node.args[0], ast.Name)
        called = ast.unparse(node.func)
        if called in self.comparison.fields and plain:
            return ast.Name(joined(called, node.args[0].id), ast.Load())
        return self.generic_visit(node)
