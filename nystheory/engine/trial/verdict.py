"""What verification found, claim by claim, and how it shows."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nystheory import style
from nystheory.engine.trial.results import (
    GOOD,
    Refutation,
    Result,
    finite,
    in_plain,
    in_words,
    strength,
)

# Columns of the ledger; the first five are the theorem's, the others the verdict's.
FIELDS = (
    *("id", "source", "number", "kind", "status"),
    *("outcome", "evidence", "observed", "bound", "tightness"),
    *("control_refuted", "printed_refuted"),
    *("effort", "seconds", "reason", "claims"),
)


@dataclass(frozen=True, eq=False)
class Verdict:
    """Whether a theorem holds, on what evidence, and whether the check can fail.

    Truthy only when every claim holds, every control was refuted and every printed
    form that is called false was refuted, so that ``assert verdict, verdict.complaint``
    reads as it should.
    """

    theorem: Any
    results: tuple[Result, ...]
    printed: tuple[Refutation, ...]
    derivation: str
    seed: str
    seconds: float
    effort: str = "quick"

    def __bool__(self) -> bool:
        return self.outcome in GOOD

    @property
    def good(self) -> bool:
        return bool(self)

    def of(self, theorem) -> Verdict:
        """The same verdict with another object for its theorem, or none."""
        return replace(self, theorem=theorem)

    def complaint(self) -> str:
        """Which claim fell, on what instance, observed and bound; empty if none did."""
        lines = [f"{self.theorem.id} is {self.outcome}"]
        for f in self.results:
            if not f:
                where = f" on {in_plain(f.worst)}" if f.worst is not None else ""
                lines.append(f"claim {f.name!r} is {f.outcome}{where}: {_seen(f)}")
        lines += [f"no control of {f.name!r}" for f in self.results if not f.controls]
        for c in (*self.controls, *self.printed):
            if not c.refuted:
                lines.append(f"not refuted: {c.name!r}, {c.line} ({c.reason})")
        return "\n".join(lines) if self.outcome not in GOOD else ""

    @property
    def controls(self) -> tuple[Refutation, ...]:
        """The controls of all claims, in the order of the theorem."""
        found = {c.name: c for f in self.results for c in f.controls}
        return tuple(found[name] for name in self.theorem.controls)

    @property
    def outcome(self) -> str:
        """One word for the whole: the first thing that is wrong, else the weakest."""
        if self.derivation.startswith("broken"):
            return "derivation broken"
        for bad in ("refuted", "undecided"):
            if any(result.outcome == bad for result in self.results):
                return bad
        if not self.control_refuted:
            return "control not refuted"
        if self.printed_refuted is False:
            return "printed form not refuted"
        outcomes = {result.outcome for result in self.results}
        return next(o for o in ("consistent", "certified", "verified") if o in outcomes)

    @property
    def control_refuted(self) -> bool:
        """Whether every claim has controls, and the same observers refuted them all."""
        return all(
            f.controls and all(c.refuted for c in f.controls) for f in self.results
        )

    @property
    def printed_refuted(self) -> bool | None:
        """Whether every printed form that differs was refuted; None without one."""
        return all(p.refuted for p in self.printed) if self.printed else None

    @property
    def evidence(self) -> str:
        """The grades that every claim has; else the strongest of the weakest claim."""
        shared = set.intersection(*(set(f.evidence) for f in self.results))
        if not shared:
            weakest = min(
                self.results, key=lambda f: max(map(strength, f.evidence), default=-1)
            )
            shared = set(weakest.evidence[:1])
        return ", ".join(sorted(shared, key=strength, reverse=True))

    @property
    def mark(self) -> str:
        """The grades of a box: those that every claim has, then those of some."""
        every = [set(result.evidence) for result in self.results]
        found = sorted(set.union(*every), key=strength, reverse=True)
        shared = [grade for grade in found if all(grade in each for each in every)]
        partly = ", ".join(grade for grade in found if grade not in shared)
        parts = (", ".join(shared), f"in part {partly}" if partly else "", self.reason)
        return "; ".join(part for part in parts if part)

    @property
    def reason(self) -> str | None:
        """Why the few cases of some claims are enough; none where none has few."""
        return "; ".join(f.excuse for f in self.results if f.excuse) or None

    @property
    def grounds(self) -> str:
        """What stands beside the outcome in a line: the grades, and the reason."""
        return "; ".join(part for part in (self.evidence, self.reason) if part)

    @property
    def worst(self) -> Result:
        """The claim that fell, else the one whose bound is farthest from attained."""

        def rank(result):
            tight = result.tightness
            return bool(result), 2.0 if math.isnan(tight) else tight

        return min(self.results, key=rank)

    @property
    def observed(self) -> float:
        return self.worst.observed

    @property
    def bound(self) -> float:
        return self.worst.bound

    @property
    def tightness(self) -> float:
        """The smallest tightness of a claim that has one; NaN without a bound."""
        return self.worst.tightness

    @property
    def tried(self) -> int:
        """Cases over all claims."""
        return sum(result.tried for result in self.results)

    @property
    def tests(self) -> int:
        """Statistical tests made."""
        return sum(result.tests for result in self.results)

    def row(self) -> dict:
        """Its line in the ledger, with the keys of `FIELDS`; NaN becomes None."""
        values = {key: getattr(self.theorem, key) for key in FIELDS[:5]}
        values |= {key: getattr(self, key) for key in FIELDS[5:-1]}
        values = {key: finite(value) for key, value in values.items()}
        return values | {"claims": [result.row() for result in self.results]}

    def to_json(self) -> str:
        """The row as JSON; a number that has no meaning is null."""
        return json.dumps(self.row(), ensure_ascii=False)

    def __repr__(self):
        return f"Verdict({self.theorem.id}: {self.outcome}, {self.grounds})"

    def _repr_html_(self) -> str:
        rows = [_row(f) for f in self.results]
        rows += [_refutation("control: ", c) for c in self.controls]
        rows += [_refutation("as printed: ", p) for p in self.printed]
        if self.derivation != "none":
            rows.append(self._derived())
        header = ("outcome", "claim", "cases", "evidence", "tightness")
        of = self.theorem
        said = f"{self.outcome} ({self.reason})" if self.reason else self.outcome
        caption = f"{of.linked} ({of.cited}), {of.title}: {said}"
        mark = "good" if self.good else "bad"
        return (
            f'<div class="nys-verdict nys-{mark}">'
            f"{style.table(rows, header, caption)}{self._chances()}{self._reasons()}"
            f"{self._not_known()}{self._standing()}{self._closest()}</div>"
        )

    def _derived(self):
        """The row of the derivation: the word for it, its claim and its sizes."""
        word = "checked" if self.derivation.startswith("checked") else "broken"
        grade = f"symbolic for {self.derivation.removeprefix('checked, ')}"
        of = [f" of {f.name}" for f in self.results if grade in f.evidence]
        told = self.derivation.removeprefix(word).lstrip(",: ")
        return word, f"derivation{''.join(of)}: {told}", "", "", ""

    def _loose(self) -> list[tuple[str, list[str]]]:
        """Why bounds are loose, each reason once with the claims that have it."""
        by = {}
        for name, why in self.theorem.loose.items():
            by.setdefault(why, []).append(name)
        return list(by.items())

    def _chances(self) -> str:
        """How loose each claim about a chance is."""
        some = [f for f in self.results if f and f.kind == "probability"]
        told = [_looseness(f) for f in some if math.isfinite(f.excess)]
        told += [f"{', '.join(x)}: loose, because {why}." for why, x in self._loose()]
        return "".join(f"<p>{style.text(line)}</p>" for line in told)

    def _reasons(self) -> str:
        """Why little is enough, where the row does not say it, and what is no proof."""
        spare = [f for f in self.results if f.reason and not f.excuse]
        told = [f"{f.name}: {f.reason}" for f in spare]
        told += [f"{c.name}: {c.reason}" for c in self.controls if c.reason]
        return "".join(f"<p>{style.text(line)}</p>" for line in told)

    def _not_known(self) -> str:
        """The line on hypotheses without which no violation is known."""
        known = self.theorem.hypotheses.values()
        unknown = [self.theorem.worded(h) for h in known if h.necessary]
        line = style.text(f"Not known to be necessary: {'; '.join(unknown)}")
        return f"<p>{line}</p>" if unknown else ""

    @property
    def standing(self) -> list[tuple[str, str, str, str]]:
        """Of each claim with a bound: its proof, what was reached, what is refuted.

        Between what was reached and what is refuted no check would see a difference.
        """
        return [
            (f.name, self._proved(f), _reached(f), _falls(f))
            for f in self.results
            if f and f.kind != "identity" and math.isfinite(_share(f))
        ]

    def _proved(self, f: Result) -> str:
        if not f.controls:  # a line that somebody asserts, and no theorem
            return "none is given"
        own = "" if self.theorem.status == "holds" else "ours, "
        told = f"{own}after {self.theorem.cited}"
        grades = [grade for grade in f.evidence if grade.startswith("symbolic")]
        return "; ".join([told, *grades])

    def _standing(self) -> str:
        """A table of what was proved, what was reached and what falls, folded."""
        if not self.standing:
            return ""
        header = ("claim", "proof", "the most that was reached", "refuted")
        summary = "<summary>Proved, reached, refuted</summary>"
        return f"<details>{summary}{style.table(self.standing, header)}</details>"

    def _closest(self) -> str:
        """The worst instance of each claim with a bound, folded."""
        lines = [
            f"{f.name}: {style.number(f.observed)} where {style.number(f.bound)} is "
            f"claimed. {in_words(f.worst)}"
            for f in self.results
            if f.worst is not None and f.tightness > 0
        ]
        if not lines:
            return ""
        items = "".join(f"<li>{style.text(line)}</li>" for line in lines)
        summary = "<summary>Where it came closest to failing</summary>"
        return f"<details>{summary}<ul>{items}</ul></details>"

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
        shown = [f for f in self.results if len(f.ratios)]
        if not shown:
            raise ValueError(f"{self.theorem.id} has no bound, so no tightness to plot")
        theorem, (figure, (axes,)) = self.theorem, style.panels(1, height=2.8)
        edges = np.linspace(0, max(1.05, max(f.ratios.max() for f in shown)), bins)
        for result, colour in zip(shown, style.COLOURS.values(), strict=False):
            label = f"{result.name}; largest {result.ratios.max():.3g}"
            width = 4 - 3 * len(axes.patches) / len(shown)  # equal ones are seen
            outline = {"histtype": "step", "color": colour, "linewidth": width}
            axes.hist(result.ratios, edges, label=label, **outline)
        axes.axvline(1, color="black", linewidth=1)
        axes.set(
            xlabel="observed / bound (above 1 the statement would be false)",
            ylabel="comparisons",
            yscale="log",
            title=f"{theorem.book_number or theorem.cited}: {self.tried} cases tried",
        )
        figure.legend(loc="outside lower center", fontsize=8, ncol=2)
        return figure


class VerdictError(AssertionError):
    """A theorem fell: which claim, on what instance, observed and bound."""


@dataclass(frozen=True)
class Verdicts:
    """Good verdicts of several theorems, a line for each.

    Attributes
    ----------
    verdicts : tuple of Verdict
    """

    verdicts: tuple[Verdict, ...]

    def __iter__(self):
        return iter(self.verdicts)

    def __repr__(self):
        lines = [
            f"{v.theorem.id}: {v.outcome} ({v.grounds}); "
            f"{len(v.controls)} of {len(v.controls)} controls refuted"
            for v in self.verdicts
        ]
        return "\n".join(lines)


def _seen(f: Result) -> str:
    """Both sides, and how many cases were decided."""
    if not f.tried:
        return "no instance met all hypotheses and conditions"
    sides = f"observed {f.observed:.6g}, bound {f.bound:.6g}"
    return f"{sides}; {f.decided} cases decided, {f.undecided} not"


def _share(f: Result) -> float:
    """What was reached: of the bound, or of the chance that is allowed."""
    return f.excess if f.kind == "probability" else f.tightness


def _reached(f: Result) -> str:
    """What was reached, in words."""
    share = style.number(_share(f))
    if f.kind != "probability":
        return f"{share} of the bound"
    if f.from_below:
        return f"the bound was {share} of the chance"
    if not f.excess:
        return "no case failed"
    return f"failed with {share} of the chance that is allowed"


def _falls(f: Result) -> str:
    """The controls, and how large their bounds are beside that of the claim."""
    return "; ".join(
        f"{c.name} ({style.number(c.factor)} of the bound)"
        if math.isfinite(c.factor) and c.factor != 1
        else c.name
        for c in f.controls
    )


def _looseness(f: Result) -> str:
    """Of the chance that is allowed, how much was met, and how far the bound can go."""
    if f.from_below:
        times = style.number(1 / f.excess) if f.excess else "infinitely many"
        return (
            f"{f.name}: the chance was never less than {times} times its bound, which "
            "could be multiplied by no more before the check refuted the claim."
        )
    told = f"{f.name}: no case failed"
    if f.excess:
        share = style.number(f.excess)
        told = f"{f.name}: failed with at most {share} of the chance that is allowed"
    if math.isnan(f.tightness):
        return f"{told}."
    if not f.tightness:
        return f"{told}; the check would pass with any bound above zero."
    least = style.number(f.tightness)
    return f"{told}; the check would still pass with {least} times the bound."


def _row(f: Result):
    tight = "" if math.isnan(f.tightness) else f.tightness
    return f.outcome, f.says, f.cases, ", ".join(f.evidence), tight


def _refutation(prefix, c: Refutation):
    outcome = "rightly refuted" if c.refuted else "not refuted"
    lacking = f"without {c.drops}: " if c.drops else ""
    shown = f"{prefix}{c.name}: {lacking}${c.latex}$"
    return outcome, shown, "", c.by, ""
