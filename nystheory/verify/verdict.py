"""What verification found, and how it shows."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nystheory import style

GOOD = ("verified", "certified", "consistent")
# Columns of the ledger; the first five are the theorem's, the others the verdict's.
FIELDS = (
    *("id", "source", "number", "kind", "status"),
    *("outcome", "evidence", "observed", "bound", "tightness"),
    *("control_refuted", "printed_refuted", "seconds"),
)


@dataclass(frozen=True, eq=False)
class Finding:
    """The outcome of checking one claim.

    Parameters
    ----------
    says : str
        The claim.
    outcome : str
        ``verified`` (no violation on anything that was tried), ``certified``,
        ``consistent`` (statistics, see `nystheory.verify`), ``refuted`` or
        ``undecided``.
    evidence : tuple of str
        Grades of evidence, strongest first.
    observed, bound, tightness : float
        At the worst case; tightness is the largest observed / bound that was met,
        NaN for an identity or a property.
    tried, blurred : int
        Comparisons made, and those that float64 could not decide.
    ratios : ndarray
        Observed / bound over everything tried, where it has a meaning.
    worst : instance or None
        Where the claim came closest to failing, or failed.
    tests : int
        Statistical tests made, each with the false-alarm level of
        `nystheory.verify.statistics`.
    """

    says: str
    outcome: str
    evidence: tuple[str, ...] = ()
    observed: float = math.nan
    bound: float = math.nan
    tightness: float = math.nan
    tried: int = 0
    blurred: int = 0
    ratios: np.ndarray = field(default_factory=lambda: np.array([]))
    worst: Any = None
    tests: int = 0

    def __bool__(self) -> bool:
        return self.outcome in GOOD

    @property
    def came_out(self) -> str:
        """What the errata say of a printed form that ran."""
        return f"When run: {self.outcome}."


@dataclass(frozen=True, eq=False)
class Verdict:
    """Whether a theorem holds, on what evidence, and whether the check can fail.

    Truthy only when every claim holds, every control was refuted and every printed
    form that is called false was refuted, so that ``assert verdict`` reads as it
    should.
    """

    theorem: Any
    findings: tuple[Finding, ...]
    controls: tuple[Finding, ...]
    printed: tuple[Finding, ...]
    derivation: str
    seed: str
    seconds: float

    def __bool__(self) -> bool:
        return self.outcome in GOOD

    @property
    def outcome(self) -> str:
        """One word for the whole: the first thing that is wrong, else the weakest."""
        if self.derivation.startswith("broken"):
            return "derivation broken"
        for bad in ("refuted", "undecided"):
            if any(finding.outcome == bad for finding in self.findings):
                return bad
        if not self.control_refuted:
            return "control not refuted"
        if self.printed_refuted is False:
            return "printed form not refuted"
        outcomes = {finding.outcome for finding in self.findings}
        return next(o for o in ("consistent", "certified", "verified") if o in outcomes)

    @property
    def control_refuted(self) -> bool:
        """Whether the same code refuted every control."""
        return bool(self.controls) and all(
            finding.outcome == "refuted" for finding in self.controls
        )

    @property
    def printed_refuted(self) -> bool | None:
        """Whether every printed form that differs was refuted; None without one."""
        if not self.printed:
            return None
        return all(finding.outcome == "refuted" for finding in self.printed)

    @property
    def evidence(self) -> str:
        """Grades of evidence that every claim has, and 'symbolic' for a derivation."""
        grades = [*(["symbolic"] if self.derivation == "checked" else [])]
        for finding in self.findings:
            grades += [grade for grade in finding.evidence if grade not in grades]
        return ", ".join(grades)

    @property
    def worst(self) -> Finding:
        """The finding that came closest to failing."""

        def rank(finding):
            tight = -1.0 if math.isnan(finding.tightness) else finding.tightness
            return (not finding, tight)

        return max(self.findings, key=rank)

    @property
    def observed(self) -> float:
        """Observed value at the worst case."""
        return self.worst.observed

    @property
    def bound(self) -> float:
        """Bound at the worst case."""
        return self.worst.bound

    @property
    def tightness(self) -> float:
        """Largest observed / bound met; NaN without a bound."""
        return self.worst.tightness

    @property
    def tried(self) -> int:
        """Comparisons made over all claims."""
        return sum(finding.tried for finding in self.findings)

    @property
    def tests(self) -> int:
        """Statistical tests made."""
        return sum(f.tests for f in (*self.findings, *self.controls, *self.printed))

    def row(self) -> dict:
        """Its line in the ledger, with the keys of `FIELDS`; NaN becomes None."""
        values = {key: getattr(self.theorem, key) for key in FIELDS[:5]}
        values |= {key: getattr(self, key) for key in FIELDS[5:]}
        return {key: _finite(value) for key, value in values.items()}

    def to_json(self) -> str:
        """The row as JSON; a number that has no meaning is null."""
        return json.dumps(self.row(), ensure_ascii=False)

    def __repr__(self):
        return f"Verdict({self.theorem.id}: {self.outcome}, {self.evidence})"

    def _repr_html_(self) -> str:
        rows = [_row("", f) for f in self.findings]
        rows += map(_control_row, self.theorem.controls, self.controls)
        rows += [_row("as printed: ", f) for f in self.printed]
        if self.derivation == "checked":
            rows.append(("derivation, line by line", "verified", "", "symbolic", ""))
        header = ("claim", "outcome", "tried", "evidence", "tightness")
        if not any(row[-1] != "" for row in rows):
            rows, header = [row[:-1] for row in rows], header[:-1]
        caption = f"{self.theorem.title} ({self.theorem.number}): {self.outcome}"
        mark = "good" if self else "bad"
        return (
            f'<div class="nys-verdict nys-{mark}">'
            f"{style.table(rows, header, caption)}{self._not_known()}"
            f"{self._closest()}</div>"
        )

    def _closest(self) -> str:
        """The worst instance of each claim with a bound, folded."""
        met = [f for f in self.findings if f.worst is not None and f.tightness > 0]
        lines = [
            f"{f.says}: {style.number(f.observed)} where {style.number(f.bound)} is "
            f"claimed. {in_words(f.worst)}"
            for f in met
        ]
        if not lines:
            return ""
        items = "".join(f"<li>{style.text(line)}</li>" for line in lines)
        summary = "<summary>Where it came closest to failing</summary>"
        return f"<details>{summary}<ul>{items}</ul></details>"

    def _not_known(self) -> str:
        """The line on hypotheses without which no violation is known."""
        says = "; ".join(self.theorem.not_known_necessary)
        line = style.text(f"Not known to be necessary: {says}")
        return f"<p>{line}</p>" if says else ""

    def plot(self, bins: int = 40):
        """Observed / bound over everything that was tried: one figure for tightness.

        Returns
        -------
        matplotlib Figure

        Raises
        ------
        ValueError
            If no claim compares an observed number with a bound.
        """
        shown = [f for f in self.findings if len(f.ratios)]
        if not shown:
            raise ValueError(f"{self.theorem.id} has no bound, so no tightness to plot")
        figure, (axes,) = style.panels(1, height=2.8)
        edges = np.linspace(0, max(1.05, max(f.ratios.max() for f in shown)), bins)
        for finding, colour in zip(shown, style.COLOURS.values(), strict=False):
            label = f"{_plain(finding.says)}; largest {finding.tightness:.3g}"
            axes.hist(finding.ratios, edges, alpha=0.65, color=colour, label=label)
        axes.axvline(1, color="black", linewidth=1)
        axes.set(
            xlabel="observed / bound (above 1 the statement would be false)",
            ylabel="comparisons",
            yscale="log",
            title=f"{self.theorem.number}: {len(shown)} claim(s), {self.tried} tried",
        )
        axes.legend(loc="upper left", fontsize=8)
        return figure


# A matrix with more rows is told in words.
LARGEST_SHOWN = 5


def in_words(case, largest: int = LARGEST_SHOWN) -> str:
    r"""An instance as a formula, columns counted from 1; a large one by its sizes.

    Examples
    --------
    >>> from nystheory.theorems import Instance
    >>> in_words(Instance(np.diag([2.0, 1.0]), [1], 1))
    '$K = \\begin{pmatrix}2 & 0\\\\0 & 1\\end{pmatrix}$, columns 2, $k = 1$.'
    >>> in_words(Instance(np.eye(9), [0, 1], 1, name="flat"))
    '$n = 9$, $l = 2$, $k = 1$ (flat).'
    """
    K = getattr(case, "K", ())
    if len(K) not in range(1, largest + 1):
        sizes = [(s, getattr(case, s, None)) for s in "nlkr"]
        known = ", ".join(f"${s} = {x}$" for s, x in sizes if isinstance(x, int))
        name = getattr(case, "name", "")
        return f"{known}{f' ({name})' if name else ''}."
    lines = [" & ".join(style.number(x) for x in line) for line in K]
    matrix = r"\begin{pmatrix}" + r"\\".join(lines) + r"\end{pmatrix}"
    columns = ", ".join(str(j + 1) for j in case.landmarks)
    return f"$K = {matrix}$, columns {columns}, $k = {case.k}$."


def _control_row(control, finding):
    row = _row("control: ", finding)
    return (f"control: {style.without(control)}", *row[1:])


def _row(prefix, finding):
    outcome = finding.outcome
    if prefix and outcome == "refuted":
        outcome = "rightly refuted"
    evidence = ", ".join(finding.evidence)
    tight = shown_tightness(finding)
    return (prefix + finding.says, outcome, finding.tried, evidence, tight)


# A chance of failure of zero is no ratio that one could read.
_CHANCES = {"binomial interval", "enumerated"}


def shown_tightness(finding) -> float | str:
    """Observed over bound for a table: empty where there is none."""
    if math.isnan(finding.tightness):
        return ""
    if finding.tightness == 0 and _CHANCES & set(finding.evidence):
        return "no failure"
    return finding.tightness


def _finite(value):
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _plain(markdown: str) -> str:
    """Drop the marks of code; matplotlib typesets the formulas itself."""
    return markdown.replace("`", "")
