r"""Formulas between numbers alone, as ``\frac{0.75}{\sqrt{100}} = 0.075``, computed.

A small reader of the LaTeX of the texts.  What has a letter in it has no value and is
left out; of a chain of relations each link is computed that has numbers on both sides.
"""

import math
import re

FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\\$])\$([^$]+)\$", re.DOTALL)
RELATION = re.compile(r"(\\approx|\\le(?:q)?(?![a-z])|\\ge(?:q)?(?![a-z])|=|<|>)")
NAMES = {r"\pi": math.pi, "e": math.e}
FUNCTIONS = {
    r"\log": math.log,
    r"\ln": math.log,
    r"\sqrt": math.sqrt,
    r"\cos": math.cos,
    r"\sin": math.sin,
    r"\exp": math.exp,
}
OPENS = {"(": ")", "{": "}", "[": "]"}
TOKEN = re.compile(
    r"\d+(?:(?:\\,|\{,\})\d{3})*(?:\.\d+)?|\\[a-zA-Z]+|[-+*/^_!(){}\[\]e]"
)
ERROR = re.compile(r"\s*e(\^\d)?\s*$")  # alone, the letter is an error
SILENT = re.compile(
    r"\\(?:left|right|[bB]igg?[lr]?)(?![a-zA-Z])|\\[ ;:!]|(?<!\d)\\,|\\,(?!\d)|[&~]"
)


class NotANumber(Exception):
    """A formula with letters, or one that this reader does not know."""


def tokens(formula):
    r"""The tokens of a formula, ``\frac12`` with its two digits apart."""
    found, at = [], 0
    formula = SILENT.sub(" ", formula).replace(r"\cdot", "*").replace(r"\times", "*")
    formula = formula.replace(r"\tfrac", r"\frac").replace(r"\dfrac", r"\frac")
    while at < len(formula):
        if formula[at].isspace():
            at += 1
            continue
        one = TOKEN.match(formula, at)
        if not one:
            raise NotANumber(formula)
        text = one[0]
        bare = found and found[-1] in (r"\frac", r"\sqrt", "^", r"\binom")
        second = len(found) > 1 and found[-2] in (r"\frac", r"\binom")
        if (
            text[0].isdigit()
            and len(text) > 1
            and (bare or second and found[-1] != "{")
        ):
            text = text[0]  # TeX takes one digit
        found.append(text)
        at += len(text)
    return found


class Reader:
    """Sums of products of powers, from the left to the right."""

    def __init__(self, formula):
        self.left = tokens(formula)

    def peek(self):
        return self.left[0] if self.left else ""

    def take(self):
        return self.left.pop(0)

    def whole(self):
        found = self.sum()
        if self.left:
            raise NotANumber(self.left)
        return found

    def sum(self):
        found = self.product()
        while self.peek() in ("+", "-"):
            sign = 1 if self.take() == "+" else -1
            found += sign * self.product()
        return found

    def product(self):
        sign = 1
        while self.peek() in ("-", "+"):
            sign *= -1 if self.take() == "-" else 1
        found = sign * self.power()
        while self.peek() and self.peek() not in "+-)}]":
            if self.peek() == "/":
                self.take()
                found /= self.power()
            else:
                if self.peek() == "*":
                    self.take()
                found *= self.power()
        return found

    def power(self):
        found = self.atom()
        while self.peek() in ("^", "!"):
            if self.take() == "^":
                found **= self.argument()
            else:
                found = math.factorial(int(found))
        return found

    def argument(self):
        sign = -1 if self.peek() == "-" else 1
        if sign < 0:
            self.take()
        return sign * self.atom()

    def atom(self):
        if not self.left:
            raise NotANumber("nothing")
        one = self.take()
        if one in OPENS:
            found = self.sum()
            if not self.left or self.take() != OPENS[one]:
                raise NotANumber(one)
            return found
        if one[0].isdigit():
            return float(re.sub(r"\\,|\{,\}", "", one))
        if one == r"\frac":
            return self.atom() / self.atom()
        if one == r"\binom":
            return float(math.comb(int(self.atom()), int(self.atom())))
        if one in NAMES:
            return NAMES[one]
        if one in FUNCTIONS:
            return self.function(one)
        raise NotANumber(one)

    def function(self, one):
        if one == r"\log" and self.peek() == "_":
            self.take()
            base = self.atom()
            return math.log(self.power()) / math.log(base)
        if one == r"\sqrt":
            return math.sqrt(self.atom())
        squared = 1.0
        if self.peek() == "^":
            self.take()
            squared = self.argument()
        return FUNCTIONS[one](self.power()) ** squared


def value(formula):
    r"""The number that a formula is; `NotANumber` where it has letters.

    Examples
    --------
    >>> value(r"\frac{0.75}{\sqrt{100}}")
    0.075
    """
    try:
        return Reader(formula).whole()
    except (ValueError, ZeroDivisionError, OverflowError) as wrong:
        raise NotANumber(formula) from wrong


def unit(formula):
    """Half of the last digit that is shown, 0 where the formula is no decimal."""
    shown = re.fullmatch(r"\s*-?\d+\.(\d+)\s*", formula)
    return 0.5000001 * 10.0 ** -len(shown[1]) if shown else 0.0


def holds(left, relation, right):
    """Whether a link is true to the digits that it shows."""
    a, b = value(left), value(right)
    rounding = 1e-9 * max(abs(a), abs(b))
    loose = max(unit(left), unit(right)) + rounding
    if relation == r"\approx":
        return abs(a - b) <= max(0.05 * abs(b), loose)
    if relation == "=":
        return abs(a - b) <= loose
    if relation in "<>":
        return a < b if relation == "<" else a > b
    return a - b <= rounding if relation[:3] == r"\le" else b - a <= rounding


def parts(formula):
    """What commas and words part, outside all brackets."""
    depth, found = 0, [""]
    text = re.sub(
        r"\\q?quad|\\text\{[^}]*\}|\\\\|\\begin\{\w+\}|\\end\{\w+\}", ";", formula
    )
    text = re.sub(r"(\d)\{,\}(\d)", r"\1\2", text)
    for place, letter in enumerate(text):
        depth += (letter in "({[") - (letter in ")}]")
        apart = letter == "," and text[place - 1 : place] != "\\"
        if (apart or letter == ";") and depth <= 0:
            found.append("")
        else:
            found[-1] += letter
    return found


def links(text):
    """The links between two numbers in the formulas of a text."""
    for one in FORMULA.finditer(text):
        for part in parts(one[1] or one[2]):
            pieces = RELATION.split(part)
            for left, relation, right in zip(
                pieces[::2], pieces[1::2], pieces[2::2], strict=False
            ):
                if known(left) and known(right):
                    yield left.strip(), relation, right.strip()


def known(formula):
    """Whether a formula is a number to this reader."""
    try:
        value(formula)
    except NotANumber:
        return False
    return True


def numbers(text):
    """The formulas of a text that are numbers, each side of a chain alone."""
    for one in FORMULA.finditer(text):
        for part in parts(one[1] or one[2]):
            sides = RELATION.split(part)[::2]
            yield from (side for side in sides if known(side) and not ERROR.match(side))
