"""What came of each claim and of each control, and how a case is told in words."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nystheory import style

GOOD = ("verified", "certified", "consistent")
# Fewer decided cases, or a larger share that rounding hides, are no evidence.
ENOUGH, BLURRED_SHARE = 50, 0.25
# How strong a grade of evidence is; the row of a theorem shows the weakest claim's.
STRENGTH = (
    "own instances",
    "slope interval",
    "mean interval (Student)",
    "mean interval (Hoeffding)",
    "mean interval (empirical Bernstein)",
    "binomial interval",
    "stress suite",
    "worst-case search",
    "to 30 digits",
    "enumerated",
    "enclosed",
    "exact",
    "symbolic for scalars",
    "symbolic for 2 x 2",
    "symbolic for every n",
)


@dataclass(frozen=True)
class Refutation:
    """What came of a control or of a printed form.

    Parameters
    ----------
    name, line, latex : str
    of : str
        The claim of a control; empty for a printed form.
    refuted : bool
        By the observers of the theorem, on finite numbers.
    by : str
        ``exact``, ``enclosed``, ``enumerated``: proved false; ``float`` where only the
        float64 observers refute it.
    left, right : str
        Both sides, as fractions or balls; as floats where `by` is ``float``.
    reason : str
        Why there is no proof, where there is none.
    drops : str
        The hypothesis that is left out.
    factor : float
        The bound of a control over that of its claim, on its instance; NaN where both
        are not numbers above zero.
    """

    name: str
    line: str
    latex: str
    refuted: bool
    by: str
    left: str
    right: str
    of: str = ""
    reason: str = ""
    drops: str = ""
    factor: float = math.nan

    @property
    def outcome(self) -> str:
        return "refuted" if self.refuted else "not refuted"

    @property
    def came_out(self) -> str:
        """What the errata say of it: both sides, and how sure that is."""
        sides = f"{self.left} on the left, {self.right} on the right, "
        return f"When run: {sides if self.left else ''}{self.outcome} ({self.by})."


@dataclass(frozen=True, eq=False)
class Result:
    """The outcome of checking one claim.

    Parameters
    ----------
    name, latex, kind : str
        Of the claim.
    outcome : str
        ``verified`` (no violation on anything that was tried), ``certified``,
        ``consistent`` (statistics), ``refuted`` or ``undecided``.
    evidence : tuple of str
        Everything in which a case of it was decided, strongest first.
    decided, undecided : int
        Cases that could be decided, and not.
    observed, bound : float
        At the worst case.
    tightness : float
        Largest observed / bound met; NaN for an identity or a property.  For a chance
        the smallest factor for the bound at which the check does not refute the claim.
    reason : str
        Why few cases are enough, in the words of the claim.
    excess : float
        For a chance: the largest chance of failure over the one allowed, where less
        than 1 is allowed; for one that is bounded from below, the largest bound over
        the chance.
    from_below : bool
        Whether the bound is a lower one.
    """

    name: str
    latex: str
    kind: str
    outcome: str
    evidence: tuple[str, ...] = ()
    decided: int = 0
    undecided: int = 0
    observed: float = math.nan
    bound: float = math.nan
    tightness: float = math.nan
    excess: float = math.nan
    ratios: np.ndarray = field(default_factory=lambda: np.array([]))
    worst: Any = None
    tests: int = 0
    reason: str = ""
    controls: tuple[Refutation, ...] = ()
    from_below: bool = False

    def __bool__(self) -> bool:
        return self.outcome in GOOD

    @property
    def says(self) -> str:
        """The claim as the ledger names it: its name and its formula."""
        return f"{self.name}: ${self.latex}$"

    @property
    def tried(self) -> int:
        return self.decided + self.undecided

    @property
    def blurred(self) -> int:
        return self.undecided

    @property
    def lacking(self) -> str:
        """What is too little without a reason; empty where nothing is."""
        if self.decided < ENOUGH:
            return "few cases"
        many = self.undecided >= BLURRED_SHARE * max(self.tried, 1)
        return "many undecided" if many else ""

    @property
    def excuse(self) -> str:
        """Why a good word is said of little, as it stands beside the word."""
        if not (self and self.lacking and self.reason):
            return ""
        return f"{self.lacking} of {self.name}: {self.reason}"

    @property
    def cases(self) -> str:
        """The cases as a row shows them, with the reason where they are too few."""
        told = style.cases(self.decided, self.undecided)
        return f"{told}\n{self.reason}" if self.excuse else told

    def row(self) -> dict:
        """Its entry in the ``claims`` of a ledger row."""
        controls = [
            {"name": c.name, "refuted": c.refuted, "by": c.by} for c in self.controls
        ]
        values = {
            "name": self.name,
            "latex": self.latex,
            "kind": self.kind,
            "evidence": list(self.evidence),
            "decided": self.decided,
            "undecided": self.undecided,
            "tightness": finite(self.tightness),
            "outcome": self.outcome,
            "controls": controls,
            "reason": self.reason or None,
        }
        return values


def strength(grade: str) -> int:
    return STRENGTH.index(grade) if grade in STRENGTH else -1


# A matrix with more rows is told in words.
LARGEST_SHOWN = 5
MOST_TOLD = 12


def in_words(case, largest: int = LARGEST_SHOWN) -> str:
    r"""An instance as a formula, columns counted from 1; a large one by its sizes.

    Columns that are drawn again are named once, with how often they are.

    Examples
    --------
    >>> from nystheory.engine.worlds.instances import Instance
    >>> in_words(Instance(np.diag([2.0, 1.0]), [1], 1))
    '$K = \\begin{pmatrix}2 & 0\\\\0 & 1\\end{pmatrix}$, columns 2, $k = 1$.'
    >>> in_words(Instance(np.eye(1), [0, 0, 0], 1))
    '$K = \\begin{pmatrix}1\\end{pmatrix}$, columns 1 (3 times), $k = 1$.'
    >>> in_words(Instance(np.eye(9), [0, 1], 1, name="flat"))
    '$n = 9$, $l = 2$, $k = 1$ (flat).'
    """
    K = getattr(case, "K", ())
    beside = "".join(f", ${symbol} = {x}$" for symbol, x in _beside(case, _pmatrix))
    if len(K) not in range(1, largest + 1):
        sizes = [(s, getattr(case, s, None)) for s in "nlkr"]
        known = ", ".join(f"${s} = {x}$" for s, x in sizes if isinstance(x, int))
        name = getattr(case, "name", "")
        told = (known + beside).removeprefix(", ")
        return f"{told}{f' ({name})' if name else ''}."
    matrix = _pmatrix(K)
    times = Counter(int(j) + 1 for j in case.landmarks)
    columns = ", ".join(
        f"{j} ({count} times)" if count > 1 else str(j) for j, count in times.items()
    )
    told = f"columns {columns}" if len(times) <= MOST_TOLD else f"$l = {case.l}$"
    return f"$K = {matrix}$, {told}, $k = {case.k}${beside}."


def _pmatrix(values) -> str:
    """Numbers as a formula: a vector is a column."""
    if not np.ndim(values):
        return style.number(values)
    rows = np.reshape(values, (len(values), -1))
    lines = [" & ".join(style.number(x) for x in row) for row in rows]
    return r"\begin{pmatrix}" + r"\\".join(lines) + r"\end{pmatrix}"


def _beside(case, written, largest: int = LARGEST_SHOWN):
    """What an instance brings besides, under its symbol, where it is small.

    What is as it is by default is not told.
    """
    parts = getattr(case, "parts", {})
    for name, value in getattr(case, "given", {}).items():
        part = parts[name]
        if part.default is not None and np.array_equal(value, part.default(case)):
            continue
        if max(np.shape(value), default=1) in range(1, largest + 1):
            told = name.replace("_", " ")
            yield part.latex or rf"\text{{{told}}}", written(value)


def in_plain(case, largest: int = LARGEST_SHOWN) -> str:
    """An instance as one would type it, landmarks from 0; a large one by its sizes.

    Examples
    --------
    >>> from nystheory.engine.worlds.instances import Instance
    >>> in_plain(Instance(np.diag([2.0, 1.0]), [1], 1))
    'K = [[2, 0], [0, 1]], landmarks [1], k = 1'
    >>> in_plain(Instance(np.eye(9), [0, 1], 1, name="flat"))
    'n = 9, l = 2, k = 1 (flat)'
    """
    K, given = getattr(case, "K", None), getattr(case, "given", {})
    beside = [f"{name} = {typed(x)}" for name, x in given.items()]
    if K is None and beside:
        return ", ".join(beside)
    if K is None or len(K) not in range(1, largest + 1):
        return in_words(case, largest).replace("$", "").removesuffix(".")
    chosen = ", ".join(str(j) for j in case.landmarks)
    told = f"K = {typed(K)}, landmarks [{chosen}], k = {case.k}"
    return ", ".join([told, *beside])


def typed(values) -> str:
    """Numbers with all of their digits, so that who types them has the same ones.

    >>> typed([[0.493827156, 2.0], [1e-13, 0.0]]), typed(0.1)
    ('[[0.493827156, 2], [1e-13, 0]]', '0.1')
    """
    if np.ndim(values):
        return f"[{', '.join(map(typed, values))}]"
    return repr(float(values)).removesuffix(".0")


def finite(value):
    return None if isinstance(value, float) and not math.isfinite(value) else value
