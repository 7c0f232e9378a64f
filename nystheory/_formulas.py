"""Formulas that are wider than a page or a cell, and where they may break."""

from __future__ import annotations

import re

# How many signs fit into a line of a box, and into one that need not break.
LINE, SHORT = 44, 14
_RELATIONS = r"\le \ge \lt \gt \ne \preceq \succeq \in = < >".split() + [
    r"\quad\Longleftrightarrow\quad",
    r"\quad\Longrightarrow\quad",
]
_WORDS = re.compile(r"((?:\\ )?\\text\{[^{}$]*\}(?:\\ )?)")
_SIGN = re.compile(r"\\quad\\[A-Za-z]+\\quad|\\[A-Za-z]+|\\.|.", re.S)
_OPEN = ("{", "(", r"\{", r"\left", r"\begin", r"\lfloor", r"\lceil", r"\langle")
_SHUT = ("}", ")", r"\}", r"\right", r"\end", r"\rfloor", r"\rceil", r"\rangle")
_NO_SIGN = re.compile(r"\\(?:left|right|[bB]ig[lr]?|tilde|bar|hat|mathbb|textstyle)\b")
_CHANCE = re.compile(r"(\\Pr)\\left\[(.*)\\right\](.*)", re.S)
_NOT_BOTH = re.compile(r"\\text\{not \} \((.*)\)", re.S)


def width(latex: str) -> int:
    r"""About how many signs stand beside one another; a fraction counts whole.

    >>> width(r"\|K - \tilde K\|_2"), width(r"\text{ and } x")
    (6, 4)
    """
    plain = re.sub(r"\\text\{([^{}]*)\}", r"\1", _NO_SIGN.sub("", latex))
    plain = re.sub(r"\\[A-Za-z]+|\\.", "x", plain)
    return len(re.sub(r"[{}^_\s]", "", plain))


def parts(latex: str, within: bool = False) -> list[str]:
    r"""A formula cut before what joins two sides outside of all brackets.

    That is words, relations, plus and minus; with ``within`` in square ones, too.

    >>> parts(r"a + (b - c) \le d \text{ or } e")
    ['a ', '+ (b - c) ', '\\le d ', '\\text{ or } e']
    """
    found, depth, square, bars, before = [""], 0, 0, 0, ""
    for sign in _signs(latex):
        joins = (
            _WORDS.fullmatch(sign)
            or sign in _RELATIONS
            or (sign in "+-" and before not in ("", *_RELATIONS, *_OPEN, ","))
        ) and before not in ("^", "_")
        free = not depth and not bars % 2 and (within or not square)
        if joins and free and found[-1].strip():
            found.append("")
        depth += (sign in _OPEN) - (sign in _SHUT)
        square += (sign == "[") - (sign == "]")
        bars += sign == r"\|"
        found[-1] += sign
        before = sign if sign.strip() else before
    return found


def _signs(latex):
    for piece in _WORDS.split(latex):
        yield from [piece] if _WORDS.fullmatch(piece) else _SIGN.findall(piece)


def displayed(latex: str) -> str:
    r"""A formula on a line of its own, on several if it is too wide for one.

    >>> displayed("a = b")
    'a = b'
    >>> displayed("a" * 40 + r" \le " + "b" * 40).count(r"\\")
    1
    """
    if width(latex) <= LINE:
        return latex
    if chance := _CHANCE.fullmatch(latex):
        inside, opened, closed = chance[2], r"\left[", r"\right]"
        if both := _NOT_BOTH.fullmatch(inside):
            inside, opened = both[1], r"\left[\text{not}\left("
            closed = r"\right)\right]"
        found = [each for each in _alternatives(inside) if each.strip()]
        if len(found) == 1:
            found = _joined(parts(inside, within=True), LINE)
        if len(found) > 1:
            return f"{chance[1]}{opened}{_lines(found)}{closed}{chance[3]}"
    rows = _joined(parts(latex), LINE)
    return latex if len(rows) == 1 else _lines(rows, indent=r"\quad ")


def _joined(found, most) -> list[str]:
    """Neighbours together as long as they fit."""
    rows = [""]
    for part in found:
        if rows[-1] and width(rows[-1] + part) > most:
            rows.append("")
        rows[-1] += part
    return rows


def _alternatives(latex):
    """Cut before words, and before what follows from what, only."""
    rows = [""]
    for part in parts(latex, within=True):
        if (_WORDS.match(part) or part.startswith(r"\quad")) and rows[-1]:
            rows.append("")
        rows[-1] += part
    return rows


def _lines(rows, indent="") -> str:
    first, *others = (row.strip() for row in rows)
    told = [f"&{first}", *(f"&{indent}{{}}{other}" for other in others)]
    return r"\begin{aligned}" + r" \\ ".join(told) + r"\end{aligned}"


def inline(latex: str) -> str:
    r"""A formula in a text or a cell, as several with spaces between where it is wide.

    >>> inline("a = b")
    '$a = b$'
    >>> inline(r"\|K - \tilde K\|_F \le \|K - K_k\|_F + \varepsilon \text{ if } k = 1")
    '$\\|K - \\tilde K\\|_F \\le \\|K - K_k\\|_F$ ${}+ \\varepsilon$ if $k = 1$'
    """
    if width(latex) <= SHORT:
        return f"${latex}$"
    told = []
    for part in _alternatives(_CHANCE.sub(r"\1[\2]\3", latex)):
        if words := _WORDS.match(part):
            told.append(words[1].replace("\\ ", "")[6:-1].strip())
            part = part[words.end() :]
        pieces = _joined(parts(part, within=True), SHORT)
        for piece in (item for each in pieces for item in _items(each)):
            if piece := piece.strip():
                told.append(f"${{}}{piece}$" if piece[0] in "+-" else f"${piece}$")
    return " ".join(told)


def _items(latex) -> list[str]:
    r"""A wide set cut after its commas.

    >>> _items(r"\min\{" + "a" * 20 + ", " + "b" * 20 + r"\}")
    ['\\min\\{aaaaaaaaaaaaaaaaaaaa,', ' bbbbbbbbbbbbbbbbbbbb\\}']
    """
    if width(latex) <= LINE // 2 or r"\{" not in latex:
        return [latex]
    found, depth, sets = [""], 0, 0
    for sign in _signs(latex):
        depth += (sign in _OPEN) - (sign in _SHUT)
        sets += (sign == r"\{") - (sign == r"\}")
        found[-1] += sign
        if sign == "," and sets == depth == 1:
            found.append("")
    return found
