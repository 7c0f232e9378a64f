"""The parts of an experiment: competitors, data, the rule of choice, findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nystheory.engine.findings.fields import Field

# The scopes of a finding: what it claims of the draws of one data set.
EACH, MEAN = "each draw", "the mean over draws"
FEWEST_DRAWS = 10
# The seed of the stored draws; others are fresh.
ROOT = 2010


@dataclass(frozen=True)
class Competitor:
    """One of those that an experiment compares.

    Parameters
    ----------
    label : str
        In words, for legends.
    run : Any
        What `measure` calls, or reads.
    said : str
        In sentences, with its article; the label by default.
    chosen_for : str
        Another competitor, whose choice it takes in place of its own; its label then
        has to say so.
    """

    label: str
    run: Any = None
    said: str = ""
    chosen_for: str = ""

    @property
    def words(self) -> str:
        """In a sentence."""
        return self.said or self.label


@dataclass(frozen=True)
class Data:
    """Points of which every draw is another one.

    Parameters
    ----------
    draw : callable (size, rng) -> Any
    size : int
        The number of points.
    """

    draw: Callable[[int, np.random.Generator], Any]
    size: int


@dataclass(frozen=True)
class Choice:
    """The one rule by which a number is chosen for every competitor.

    Parameters
    ----------
    what : Field
    rule : str
        In words.
    values : callable (known) -> sequence of float
        Those that are tried, for each competitor the same.
    loss : callable (run, value, known) -> float
        The smallest is best.  It gets what is known before the test, and no more.
    """

    what: Field
    rule: str
    values: Callable[[Any], Sequence[float]]
    loss: Callable[[Any, float, Any], float]

    def best(self, run, known) -> float:
        """The value of smallest loss; the first of several."""
        losses = {float(x): self.loss(run, x, known) for x in self.values(known)}
        nothing = [x for x, loss in losses.items() if np.isnan(loss)]
        if nothing:
            raise ValueError(f"loss: expected a number at {nothing[0]:g}, got nan")
        return min(losses, key=losses.get)


@dataclass(frozen=True)
class Trial:
    """What `measure` gets: one competitor on one draw.

    Attributes
    ----------
    run : Any
        What is called.
    known, judged : Any
        What it may learn from, and what it is judged by.
    chosen : float or None
    rng : numpy.random.Generator
        The same numbers for each competitor.
    """

    run: Any
    known: Any
    judged: Any
    chosen: float | None
    rng: np.random.Generator


@dataclass(frozen=True)
class Finding:
    """A line in what an experiment measures, with its scope and a control.

    Parameters
    ----------
    line : str
        ``"missed(pivots) <= 0.5 * missed(uniform)"``.
    scope : str
        `EACH`: in each draw.  `MEAN`: in the mean over draws, beyond its interval.
    on : tuple of str
        The data sets of which alone it speaks; all of them by default.
    when : str
        A line in the setting, ``"columns >= 20"``; all settings by default.
    but : mapping of str to str
        The control: one piece of the line exchanged.  That line must fall.
    but_on : str
        The control in place of that: a data set on which the line must fall.
    expected : str
        What the page says that comes of it, ``held`` or ``open``.
    says : str
        The line in words, where those made from it are no good sentence.  A number in
        them stands in the line, too, or in `when`.
    """

    line: str
    scope: str = EACH
    on: tuple[str, ...] = ()
    when: str = ""
    but: Mapping[str, str] = field(default_factory=dict)
    but_on: str = ""
    expected: str = "held"
    says: str = ""

    def __post_init__(self):
        if self.scope not in (EACH, MEAN):
            raise ValueError(f"scope: expected EACH or MEAN, got {self.scope!r}")
        if self.expected not in ("held", "open"):
            raise ValueError(f"expected: expected held or open, got {self.expected!r}")
        if len(self.but) + bool(self.but_on) != 1:
            raise ValueError(
                f"control: expected one thing changed, `but` or `but_on`, got "
                f"{dict(self.but)} and {self.but_on!r} for {self.line!r}"
            )
        known = _numbers(f"{self.line} {self.when}")
        told = [x for x in _numbers(self.says) if x not in known]
        if told:
            raise ValueError(f"says: expected numbers of {self.line!r}, got {told[0]}")
        for old, new in self.but.items():
            if self.line.count(old) != 1:
                raise ValueError(f"but: expected {old!r} once in {self.line!r}")
            _near(old, new)

    @property
    def control(self) -> str:
        """The line of the control."""
        line = self.line
        for old, new in self.but.items():
            line = line.replace(old, new)
        return line


def _numbers(words) -> list[float]:
    return [float(x) for x in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", words)]


def _near(old, new):
    """A number changes by a factor of at most ten, and not to 0."""
    for x, y in zip(_numbers(old), _numbers(new), strict=False):
        if x and not x / 10 <= y <= x * 10:
            raise ValueError(f"but: expected a number near {x:g}, got {y:g}")
