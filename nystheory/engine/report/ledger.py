"""How does one see it? The ledger of theorems, the errata, a theorem in words."""

from __future__ import annotations

import json
import math
import multiprocessing
import platform
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from threadpoolctl import threadpool_limits

from nystheory import style
from nystheory._progress import counter
from nystheory.engine.language.claims import WEIGHTS
from nystheory.engine.language.lines import parse
from nystheory.engine.promises.promises import Promise
from nystheory.engine.trial.results import in_words
from nystheory.engine.trial.statistics import FALSE_ALARMS, LEVEL
from nystheory.engine.trial.theorem import Theorem
from nystheory.engine.trial.verdict import Verdict
from nystheory.engine.trial.verification import SEED, generator, refute_printed, verify


@dataclass(frozen=True, eq=False)
class Ledger:
    """Verdicts in the order of the book: what was promised and whether it is kept.

    Truthy when every verdict is good and the joint false-alarm probability of all
    statistical tests stays within the budget.

    Examples
    --------
    >>> from nystheory.chapters import theorems
    >>> ledger = run([theorems["talwalkar2010:eq-2.7"]])
    >>> [row["outcome"] for row in ledger.rows()], bool(ledger)
    (['verified'], True)
    """

    verdicts: tuple[Verdict, ...]

    def __bool__(self) -> bool:
        return all(self.verdicts) and self.false_alarms <= FALSE_ALARMS

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.verdicts)

    def __len__(self) -> int:
        return len(self.verdicts)

    def __repr__(self):
        return f"Ledger of {len(self)} theorems, {len(self.red)} red"

    @property
    def red(self) -> list[Verdict]:
        """The verdicts that are not good."""
        return [verdict for verdict in self.verdicts if not verdict]

    @property
    def false_alarms(self) -> float:
        """Union bound for the probability that chance alone turns the run red."""
        return LEVEL * sum(verdict.tests for verdict in self.verdicts)

    @property
    def tried(self) -> int:
        """Comparisons made."""
        return sum(verdict.tried for verdict in self.verdicts)

    @property
    def controls(self) -> int:
        """Controls and printed forms that were refuted, as they must be."""
        results = (f for v in self.verdicts for f in (*v.controls, *v.printed))
        return sum(result.outcome == "refuted" for result in results)

    def __add__(self, other: Ledger) -> Ledger:
        """The verdicts of two runs as one ledger."""
        return Ledger(self.verdicts + other.verdicts)

    def rows(self) -> list[dict]:
        """One mapping for each verdict, see `Verdict.row`."""
        return [verdict.row() for verdict in self.verdicts]

    def to_json(self) -> str:
        """The rows as JSON; a number that has no meaning is null."""
        return json.dumps(self.rows(), indent=1, ensure_ascii=False)

    def to_text(self) -> str:
        """The rows as an aligned table for a terminal."""
        keys = ("id", "kind", "outcome", "evidence", "tightness", "seconds", "reason")
        cells = [[style.number(row[key]) for key in keys] for row in self.rows()]
        widths = [max(map(len, column)) for column in zip(keys, *cells, strict=True)]
        lines = [
            "  ".join(
                cell.ljust(width) for cell, width in zip(line, widths, strict=True)
            )
            for line in (keys, *cells)
        ]
        efforts = " and ".join(dict.fromkeys(v.effort for v in self.verdicts))
        told = f"{self.summary()}; {efforts} search"
        return "\n".join(line.rstrip() for line in (*lines, told))

    def summary(self) -> str:
        """One sentence for the whole run."""
        return (
            f"{len(self) - len(self.red)} of {len(self)} theorems green; "
            f"{self.controls} false claims refuted; {self.tried} comparisons; "
            f"{self._alarms()}"
        )

    def _alarms(self) -> str:
        if self.false_alarms == 0:
            return "no statistical test, so no false alarm by chance"
        return f"false alarm by chance with probability below {self.false_alarms:.0e}"

    def totals(self) -> style.Table:
        """What is the same on every machine: how much is claimed, and refuted."""
        stated = [verdict.theorem for verdict in self.verdicts]
        results = [result for v in self.verdicts for result in v.results]
        rows = [
            ("results", len(self)),
            ("of these green", len(self) - len(self.red)),
            ("claims", len(results)),
            ("false claims refuted: controls and printed forms", self.controls),
            ("results with a derivation that SymPy checks", _count_derived(stated)),
            ("results that promise an error before sampling", _count_promising(stated)),
        ]
        return style.Table(("in this book", "number"), rows)

    def _repr_html_(self) -> str:
        left = style.LEFT
        head = "".join(f'<th scope="col"{left}>{name}</th>' for name in LEDGER_HEADER)
        body = "".join(map(_ledger_rows, self.verdicts))
        told = f"{self.summary()}. {made_with()}"
        return (
            f"<p>{style.text(told[0].upper() + told[1:])}</p>"
            '<div class="nys-table nys-ledger tex2jax_process"><table>'
            "<caption>Every result of the book</caption>"
            f"<thead><tr>{head}</tr></thead>{body}</table></div>"
        )

    def plot(self):
        """How close each statement came to failing, over all its claims.

        Returns
        -------
        matplotlib Figure
        """
        shown = [v for v in self.verdicts if math.isfinite(v.tightness)]
        columns = 1 if len(shown) <= IN_ONE_PANEL else 3
        most = -(-len(shown) // columns)
        figure, panels = style.panels(columns, height=0.7 + 0.13 * most)
        for place, axes in enumerate(panels):
            _bars(axes, shown[place * most :][:most])
            axes.set_ylim(most - 0.4, -0.6)
        return figure


def _bars(axes, verdicts) -> None:
    names = [v.theorem.book_number or v.theorem.cited for v in verdicts]
    lengths = [v.tightness for v in verdicts]
    axes.barh(range(len(names)), lengths, color=style.COLOURS["blue"])
    axes.set_yticks(range(len(names)), names, fontsize=8)
    for row, length in enumerate(lengths):
        if length < SHORTEST_BAR:
            axes.text(length + 0.01, row, style.number(length), va="center", fontsize=8)
    axes.axvline(1, color="black", linewidth=1)
    axes.set(xlabel="tightness", xlim=(0, 1.1))


def run(
    statements: Iterable[Theorem],
    seed: int = SEED,
    effort: str = "quick",
    progress: bool = False,
    workers: int = 1,
) -> Ledger:
    """Verify theorems, each with a generator of its own.

    Parameters
    ----------
    statements : iterable of Theorem
    seed : int
        Together with a theorem's id it seeds the generator, so a verdict does not
        depend on what else runs; verdicts of the usual seed and of this effort are read
        from the store of a run, where there is one.
    effort : {"quick", "full"}
    progress : bool
        Show a progress bar, as all long work does.
    workers : int
        Processes that share the theorems; where one stands in no chapter it is one.

    Returns
    -------
    Ledger
    """
    chosen = list(statements)
    alone = workers == 1 or not all(theorem.module for theorem in chosen)
    with _processes(1 if alone else workers) as each:
        found = each(partial(_verdict, seed=seed, effort=effort), chosen)
        found = bar(found, len(chosen)) if progress else found
        verdicts = [v.of(t) for v, t in zip(found, chosen, strict=True)]
    return Ledger(tuple(verdicts))


def _verdict(theorem: Theorem, seed: int, effort: str) -> Verdict:
    """Without the theorem, which a process has already that waits for the verdict."""
    rng = None if seed == SEED else generator(theorem, seed)
    return verify(theorem, rng, effort).of(None)


@contextmanager
def _processes(workers: int) -> Iterator[Callable]:
    """A `map` in so many processes, each of which computes with one thread."""
    if workers == 1:
        yield map
        return
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, fresh, threadpool_limits, (1,)) as pool:
        yield pool.map


def bar(items: Iterable, total: int | None = None) -> Iterator:
    """Items with a progress bar."""
    total = len(items) if total is None else total
    with counter("theorems", total) as shown:
        for item in items:
            yield item
            shown.update(1)


# A tightness below this is too short for a bar, and is told as a number; more bars than
# this stand in three panels.
SHORTEST_BAR, IN_ONE_PANEL = 0.02, 25
LEDGER_HEADER = (
    "result",
    "title",
    "source",
    "kind",
    "printed form",
    "outcome",
    "evidence",
    "tightness",
    "refuted",
)
# What a verdict depends on besides the book.
LIBRARIES = ("nystheory", "numpy", "scipy", "sympy", "python-flint", "scikit-learn")


def made_with() -> str:
    """The day, and the versions of what computed."""
    told = [f"Python {platform.python_version()}"]
    for name in LIBRARIES:
        try:
            told.append(f"{name} {version(name)}")
        except PackageNotFoundError:  # run from a clone that is not installed
            told.append(f"{name} (not installed)")
    return f"Made on {date.today().isoformat()} with {', '.join(told)}."


def _count_derived(theorems) -> int:
    return sum(theorem.derivation is not None for theorem in theorems)


def _count_promising(theorems) -> int:
    return sum(
        any(isinstance(promise, Promise) for promise in theorem.promises.values())
        for theorem in theorems
    )


def _ledger_rows(verdict) -> str:
    """A result, and under it its claims, folded: a body of the table for each."""
    theorem, tight = verdict.theorem, verdict.tightness
    refuted = ["control"] * verdict.control_refuted
    refuted += ["printed form"] * bool(verdict.printed_refuted)
    row = (
        theorem.linked,
        theorem.title,
        f"{theorem.cited}\n`{theorem.id}`",
        theorem.kind,
        theorem.status,
        verdict.outcome,
        "\n".join(filter(None, (verdict.evidence, verdict.reason))),
        f"{tight:.2f}" if math.isfinite(tight) else "-",
        "\n".join(refuted),
    )
    header = ("claim", "outcome", "cases", "evidence", "tightness", "controls")
    claims = [_claim_row(result) for result in verdict.results]
    count = f"{len(claims)} claims" if len(claims) > 1 else "1 claim"
    folded = style.Folded(f"{count} of {theorem.book_number}", header, claims)
    first, *others = style.cells(row, LEDGER_HEADER)
    first = first.replace("<td", '<th scope="row"').replace("</td>", "</th>")
    return (
        f"<tbody><tr>{first}{''.join(others)}</tr><tr>"
        f'<td colspan="{len(row)}"{style.LEFT}>{folded._repr_html_()}</td></tr></tbody>'
    )


def _claim_row(result):
    """A claim of a theorem under its row of the ledger."""
    by = sorted({control.by for control in result.controls})
    tight = result.tightness
    return (
        result.says,
        result.outcome,
        result.cases,
        ", ".join(result.evidence),
        f"{tight:.2f}" if math.isfinite(tight) else "-",
        f"{len(result.controls)} refuted ({', '.join(by)})",
    )


@dataclass(frozen=True, eq=False)
class Errata:
    """What was printed and does not hold as it stands, with the counterexample run.

    Examples
    --------
    >>> from nystheory.chapters import theorems
    >>> slips = errata([theorems["talwalkar2010:eq-2.13"]])
    >>> [(printed.weight, result.outcome) for _, printed, result in slips.entries]
    [('misprint', 'refuted'), ('misprint', 'refuted')]
    """

    entries: tuple[tuple, ...]

    def weight(self, weight: str) -> Errata:
        """The entries of one weight."""
        return Errata(tuple(e for e in self.entries if e[1].weight == weight))

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self):
        return f"Errata of {len(self)} entries"

    def _repr_html_(self) -> str:
        parts = []
        for weight, meaning in WEIGHTS.items():
            entries = self.weight(weight).entries
            if entries:
                parts.append(f"<h2>{weight.capitalize()}: {meaning}</h2>")
                parts += [_erratum(*entry) for entry in entries]
        return "".join(parts)


# A counterexample with more rows is told in words.
LARGEST_SHOWN = 10


def _erratum(theorem, printed, result):
    words = [
        ("As printed", theorem.worded(printed)),
        ("Why it differs", printed.why),
        ("Counterexample", f"{_matrix(printed.instance)} {result.came_out}"),
        ("As proved", f"{theorem.linked}: {theorem.title}"),
        ("In this list since", f"version {printed.since} of the book"),
    ]
    parts = [(name, style.text(content)) for name, content in words]
    note = f"{theorem.linked} ({theorem.cited})"
    anchor = f"erratum-{theorem.anchor}-{'-'.join(result.name.split())}"
    return style.card(theorem.title, note, parts, re.sub(r"[^\w-]", "", anchor))


def _matrix(case) -> str:
    """A counterexample as a formula, columns counted from 1; a large one in a word."""
    if len(getattr(case, "K", ())) not in range(1, LARGEST_SHOWN + 1):
        return "The case described above."
    return in_words(case, LARGEST_SHOWN)


def errata(statements: Iterable[Theorem]) -> Errata:
    """Run every printed form that differs on its counterexample."""
    entries = []
    for theorem in statements:
        if theorem.printed:
            entries += _entries(theorem)
    return Errata(tuple(entries))


def _entries(theorem):
    """Printed forms with what came of them; no search is needed."""
    return [
        (theorem, printed, refute_printed(theorem, name))
        for name, printed in theorem.printed.items()
    ]


@dataclass(frozen=True)
class DerivationTable:
    """A derivation, line by line, shown as a card in a notebook.

    Attributes
    ----------
    title, number : str
        Of the theorem.
    lines : list of (str, str)
        The reason in words and the line in LaTeX.
    """

    title: str
    number: str
    lines: list[tuple[str, str]]

    def _repr_html_(self) -> str:
        parts = [(why, style.text(f"$${line}$$")) for why, line in self.lines]
        return style.card(self.title, self.number, parts)


def derivation(theorem) -> DerivationTable:
    """The derivation of a theorem, as SymPy checked it.

    Parameters
    ----------
    theorem : Theorem
        With a derivation.

    Returns
    -------
    DerivationTable

    Raises
    ------
    TypeError
        If the theorem has no derivation.

    Examples
    --------
    >>> from nystheory.chapters import theorems
    >>> for why, line in derivation(theorems["talwalkar2010:eq-2.7"]).lines:
    ...     print(why)
    the projection
    by definition
    the Nyström singular vectors
    $(U_{W,k} \\Sigma_{W,k}^+ U_{W,k}^\\top)^2 = (W_k^+)^2$
    """
    if theorem.derivation is None:
        raise TypeError(f"{theorem.id}: expected a theorem with a derivation, got none")
    steps = [
        (why, theorem.shown(parse(line))) for line, why in theorem.derivation.steps
    ]
    source = theorem.book_number or theorem.cited
    return DerivationTable(theorem.title, source, steps)
