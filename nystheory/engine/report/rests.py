"""Which result rests on which?  The map of the theorems.

What one rests on is read where it is proved: in the proof that follows its box in the
text of its chapter.  A proof that names another result of the book, by its label,
rests on it.  A theorem object does not know its proof, so this is known where the texts
of the book are at hand, in a clone; what a proof uses without naming it is not seen.
"""

from __future__ import annotations

import base64
import html
import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from nystheory import style
from nystheory.engine.trial.theorem import Theorem

_OPENED = re.compile(r"^(?P<fence>:{3,})\{(?P<name>[\w:-]+)\} *(?P<argument>.*)$")
_NAMED = re.compile(r"\{ref\}`(?:[^`<]*<)?(?P<label>[^`<>]+)>?`")


def proofs(text: str, ids: Iterable[str]) -> dict[str, str]:
    """The proofs of a text by the result whose box stands before each.

    Examples
    --------
    >>> page = '''
    ... :::{lemma} a:1
    ... :::
    ... :::{proof}
    ... Obvious.
    ... :::
    ... '''
    >>> proofs(page, ["a:1"])
    {'a:1': 'Obvious.'}
    """
    known, found = set(ids), {}
    last, fence, lines = "", "", []
    for line in text.splitlines():
        opened = _OPENED.match(line)
        if opened and opened["argument"].strip() in known:
            last = opened["argument"].strip()
        elif opened and opened["name"] == "proof" and last:
            fence, lines = opened["fence"], []
        elif fence and line.strip() == fence:
            found[last] = "\n".join([found[last], *lines] if last in found else lines)
            fence = ""
        elif fence:
            lines.append(line)
    return found


@dataclass(frozen=True, eq=False)
class Map:
    """The results of the book and what each rests on; a notebook draws it.

    Attributes
    ----------
    theorems : mapping of str to Theorem
    rests_on : mapping of str to tuple of str
        The results that the proof of each names, by id; without those that name none.
    """

    theorems: Mapping[str, Theorem]
    rests_on: Mapping[str, tuple[str, ...]]

    @cached_property
    def carries(self) -> dict[str, tuple[str, ...]]:
        """The results whose proofs name each."""
        found: dict[str, list[str]] = {}
        for id, others in self.rests_on.items():
            for other in others:
                found.setdefault(other, []).append(id)
        return {id: tuple(found[id]) for id in self.theorems if id in found}

    @property
    def arrows(self) -> int:
        """How many times a proof names a result."""
        return sum(map(len, self.rests_on.values()))

    def __repr__(self) -> str:
        return f"Map of {len(self.theorems)} results, {self.arrows} times named"

    def _repr_html_(self) -> str:
        """A picture, which every viewer shows; the site draws it with its links."""
        encoded = base64.b64encode(_drawn(self).encode()).decode()
        alt = "Map of the theorems; the list below says the same in words"
        return (
            f'<div class="nys-map" role="group" aria-label="{alt}">'
            f'<img alt="{alt}" src="data:image/svg+xml;base64,{encoded}"></div>'
        )

    @cached_property
    def by_chapter(self) -> dict[str, list[str]]:
        """The results of each chapter, by its number and name."""
        found: dict[str, list[str]] = {}
        for id, theorem in self.theorems.items():
            name = theorem.chapter.replace("_", " ").capitalize()
            found.setdefault(f"{_order(theorem)[0]}. {name}", []).append(id)
        return found

    def in_words(self) -> str:
        """The same as lists, in HTML: for a phone, and without the drawing."""
        parts = []
        for title, ids in self.by_chapter.items():
            items = "".join(f"<li>{style.text(self._told(id))}</li>" for id in ids)
            parts.append(f"<h3>{html.escape(title)}</h3><ul>{items}</ul>")
        return f'<div class="nys-list tex2jax_process">{"".join(parts)}</div>'

    def _told(self, id) -> str:
        theorem = self.theorems[id]
        told = [
            f"{verb} {', '.join(self.theorems[other].linked for other in some)}"
            for verb, some in (
                ("rests on", self.rests_on.get(id, ())),
                ("carries", self.carries.get(id, ())),
            )
            if some
        ]
        said = f"{theorem.linked}, {theorem.title}"
        return f"{said}: {'; '.join(told)}." if told else f"{said}."


def map_of(theorems: Mapping[str, Theorem]) -> Map:
    """The results that have a box in the book, and what their proofs name.

    Parameters
    ----------
    theorems : mapping of str to Theorem

    Returns
    -------
    Map
    """
    stated = {id: theorem for id, theorem in theorems.items() if theorem.book_number}
    stated = dict(sorted(stated.items(), key=lambda pair: _order(pair[1])))
    found: dict[str, tuple[str, ...]] = {}
    for text in dict.fromkeys(t.text for t in stated.values() if t.text):
        for id, proof in proofs(Path(text).read_text("utf-8"), stated).items():
            named = dict.fromkeys(m["label"].strip() for m in _NAMED.finditer(proof))
            others = tuple(x for x in named if x in stated and x != id)
            if others:
                found[id] = others
    return Map(stated, found)


def _order(theorem) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", theorem.book_number)))


# ---- The drawing: a row of boxes for each chapter, a line for each name in a proof

# What a picture needs on a dark page, and a drawing of the page does not.
GROUND = '<rect width="100%" height="100%" fill="white"/>'
_WIDTH, _HEIGHT, _GAP, _ROW = 172, 60, 12, 108
_LEFT, _IN_A_ROW = 8, 5
_SIGNS, _LINES, _LEADING = 28, 3, 13  # of a title in its box
_SHORT = {"Proposition": "Prop.", "Observation": "Obs.", "Definition": "Def."}


def _drawn(chart: Map) -> str:
    places: dict[str, tuple[float, float]] = {}
    titles: list[tuple[float, str]] = []
    y = 24.0
    for title, ids in chart.by_chapter.items():
        titles.append((y - 8, title))
        for place, id in enumerate(ids):
            row, column = divmod(place, _IN_A_ROW)
            at = y + row * (_HEIGHT + 28)
            places[id] = (_LEFT + column * (_WIDTH + _GAP), at)
        y = at + _ROW
    y -= _ROW
    width = 2 * _LEFT + _IN_A_ROW * (_WIDTH + _GAP)
    height = y + _HEIGHT + 40  # room for the lines of the last row
    lines = [
        _line(places[other], places[id], other, id)
        for id, others in chart.rests_on.items()
        for other in others
    ]
    boxes = [_box(chart, id, *place) for id, place in places.items()]
    words = [
        f'<text class="nys-chapter" x="{_LEFT}" y="{at:g}" fill="currentColor" '
        f'font-size="13" font-weight="600">{html.escape(title)}</text>'
        for at, title in titles
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" '
        f'height="{height:g}" viewBox="0 0 {width:g} {height:g}" '
        'font-family="sans-serif">'
        f"{GROUND}{''.join(lines)}{''.join(words)}{''.join(boxes)}</svg>"
    )


def _line(lower, upper, of, to) -> str:
    """From the foot of what rests, or its side, to what it rests on."""
    (x0, y0), (x1, y1) = lower, upper
    middle = _WIDTH / 2
    if y0 == y1:  # an arc under the row
        start, end = (x0 + middle, y0 + _HEIGHT), (x1 + middle, y1 + _HEIGHT)
        bend = y0 + _HEIGHT + 22
        path = f"M{start[0]:g},{start[1]:g} C{start[0]:g},{bend:g} {end[0]:g},{bend:g} "
        path += f"{end[0]:g},{end[1]:g}"
    else:
        down = y0 < y1
        start = (x0 + middle, y0 + (_HEIGHT if down else 0))
        end = (x1 + middle, y1 + (0 if down else _HEIGHT))
        half = (start[1] + end[1]) / 2
        path = f"M{start[0]:g},{start[1]:g} C{start[0]:g},{half:g} {end[0]:g},{half:g} "
        path += f"{end[0]:g},{end[1]:g}"
    return (
        f'<path d="{path}" fill="none" stroke="#767676" stroke-opacity="0.75" '
        f'data-from="{html.escape(of)}" data-to="{html.escape(to)}"/>'
    )


def _box(chart, id, x, y) -> str:
    theorem = chart.theorems[id]
    kind, _, number = theorem.book_number.partition(" ")
    label = f"{_SHORT.get(kind, kind)} {number}"
    title = re.sub(r"\\sqrt (\w)", r"√\1", theorem.title)  # a drawing sets no formula
    title = re.sub(r"[$\\]", "", title)
    says = f"{theorem.book_number}: {title}"
    told = textwrap.wrap(
        title, _SIGNS, max_lines=_LINES, placeholder=" …", break_on_hyphens=False
    )
    middle = x + _WIDTH / 2
    first = y + _HEIGHT / 2 + 4 - _LEADING * len(told) / 2
    words = "".join(
        f' <text x="{middle:g}" y="{first + _LEADING * (line + 1):g}" font-size="11" '
        'text-anchor="middle" fill="currentColor" class="nys-title">'
        f"{html.escape(each)}</text>"
        for line, each in enumerate(told)
    )
    return (
        f'<a href="{theorem.address}" data-node="{html.escape(id)}" '
        f'aria-label="{html.escape(label)}, {html.escape(title)}">'
        f"<title>{html.escape(says)}</title>"
        f'<rect x="{x:g}" y="{y:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="4" '
        'fill="#f2f2f2" stroke="#767676"/>'
        f'<text x="{middle:g}" y="{first:g}" text-anchor="middle" fill="currentColor" '
        f'font-size="12" font-weight="600">{html.escape(label)}</text>{words}</a>'
    )
