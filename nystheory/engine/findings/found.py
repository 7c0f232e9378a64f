"""What was found, and how often: findings judged on the draws of an experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nystheory import style
from nystheory.engine.findings.drawing import PREPARED, Draw
from nystheory.engine.findings.measured_lines import joined, puts
from nystheory.engine.findings.parts import MEAN, Finding
from nystheory.engine.trial.statistics import Interval, mean_interval

# Either limit of the interval of a mean is wrong with this probability: two make 95
# percent, for all settings together.
LEVEL = 0.025
HELD, FAILED, OPEN = "held", "failed", "open"
_OF_DRAWS = (
    "data",
    "points",
    "draws that hold",
    "95 % limits of the mean difference",
    "the smaller side over the larger one, draw by draw: at most 1 where it holds",
    "the control",
)


@dataclass(frozen=True, eq=False)
class OnData:
    """A line on one data set.

    Attributes
    ----------
    data : str
    size : int
    shown : bool
        Whether the page shows these data.
    holds : tuple of bool or None, length draws
        Whether it holds, draw by draw, at all of its settings; None if not to be told.
    ratios : tuple of float, length draws
        The side that is to be smaller over the other one, at the setting where it is
        largest; NaN where one of them is not above zero.  Empty where the line is no
        comparison of numbers.
    margin : Interval or None
        For a claim about means: the larger side less the smaller one, at the setting
        where it is least clear that this is above 0.
    outcome : str
        ``held``, ``failed`` or ``open``.
    """

    data: str
    size: int
    shown: bool
    holds: tuple[bool | None, ...]
    ratios: tuple[float, ...]
    margin: Interval | None
    outcome: str

    @property
    def count(self) -> int:
        """The draws in which it holds."""
        return sum(each is True for each in self.holds)

    @property
    def often(self) -> str:
        """How often."""
        return f"{self.count} of {len(self.holds)}"

    @property
    def limits(self) -> str:
        """The interval of the mean difference, empty where no mean is claimed."""
        if not self.margin:
            return ""
        low, high = self.margin.low, self.margin.high
        digits = 3 if abs(high - low) < 0.05 * max(abs(low), abs(high)) else 2
        return f"{low:.{digits}g} to {high:.{digits}g}"


@dataclass(frozen=True, eq=False)
class FindingResult:
    """What came of a finding.

    Attributes
    ----------
    experiment : Experiment
    name : str
    finding : Finding
    parts : dict of str to OnData
        By data set; those of which the finding does not speak, too.
    control : dict of str to str
        What came of the control, by data set.
    """

    experiment: object
    name: str
    finding: Finding
    parts: dict[str, OnData]
    control: dict[str, str]

    @property
    def claimed(self) -> list[OnData]:
        """On the data of which the finding speaks."""
        names = self.finding.on or self.parts
        return [each for name, each in self.parts.items() if name in names]

    @property
    def outcome(self) -> str:
        """``held`` on all of them, ``failed`` on one, or ``open``."""
        found = {each.outcome for each in self.claimed}
        return FAILED if FAILED in found else HELD if found == {HELD} else OPEN

    @property
    def control_failed(self) -> bool:
        """Whether the control fails on some of its data, as it must."""
        return FAILED in self.control.values()

    @property
    def good(self) -> bool:
        """Whether it came out as the page says, and its control fell."""
        return self.outcome == self.finding.expected and self.control_failed

    @property
    def words(self) -> str:
        """The finding in words: its own, or made from its line."""
        if self.finding.says:
            return self.finding.says
        said = self.experiment.reads(self.finding.line).words
        said = said[0].upper() + said[1:]
        if self.finding.when:
            said += f", with {self.experiment.reads(self.finding.when).amount}"
        return said

    @property
    def scope(self) -> str:
        """Its scope in words."""
        data = ", ".join(self.finding.on)
        where = f"on these data only: {data}" if data else "on each of the data sets"
        return f"in {self.finding.scope}, {where}"

    @property
    def often(self) -> str:
        """How often it held: on the data of which it speaks, then on those beside."""
        claimed = self.claimed
        held = [each.data for each in claimed if each.outcome == HELD]
        every = len(held) == len(self.parts) > 3  # the table below names them all
        where = f"all {len(held)} data sets" if every else _listed(held)
        told = [f"{self._draws} on {where}"] if held else []
        told += _others(claimed)
        rest = [each for each in self.parts.values() if each not in claimed]
        also = [each.data for each in rest if each.outcome == HELD]
        told += [f"it also held on {_listed(also)}"] * bool(also) + _others(rest)
        return "; ".join(told)

    @property
    def _draws(self) -> str:
        count = self.experiment.draws
        mean = self.finding.scope == MEAN
        return f"in the mean over {count} draws" if mean else f"in all {count} draws"

    @property
    def said(self) -> str:
        """The finding and how often it held, as a sentence quotes it."""
        return f"{self.words}, {self.often}"

    def puts(self, competitor: str, word: str) -> str:
        """The word, "larger", say, if the line has the competitor on that side."""
        return puts(self.finding.line, competitor, word)

    def on(self, data: str) -> OnData:
        """What came of it on one data set.

        Raises
        ------
        KeyError
            If it was not tried on data of this name.
        """
        if data not in self.parts:
            raise KeyError(f"data: expected {', '.join(self.parts)}, got {data!r}")
        return self.parts[data]

    def row(self) -> dict:
        """As JSON has it."""
        return {
            "id": f"{self.experiment.id}/{self.name}",
            "chapter": self.experiment.chapter,
            "finding": self.finding.line
            + (f" when {self.finding.when}" if self.finding.when else ""),
            "scope": self.scope,
            "draws": sum(len(each.holds) for each in self.claimed),
            "held": sum(each.count for each in self.claimed),
            "data": {name: each.outcome for name, each in self.parts.items()},
            "outcome": self.outcome,
            "controls": {
                self._control: FAILED if self.control_failed else "did not fail"
            },
        }

    @property
    def _control(self) -> str:
        told = f" on {self.finding.but_on}" if self.finding.but_on else ""
        return self.finding.control + told

    def __repr__(self):
        return f"{self.name}: {self.outcome}: {self.words}: {self.often}"


class Found(Mapping):
    """What came of the findings of an experiment, by name.

    Parameters
    ----------
    experiment : Experiment
    results : dict of str to FindingResult
    draws : dict of str to list of dict
        What was measured, by data set.
    seconds : dict of str to float
        Of each competitor, median over the draws.
    """

    def __init__(self, experiment, results, draws, seconds):
        self.experiment, self.results = experiment, results
        self.draws, self.seconds = draws, seconds

    def measured(self, field: str, competitor: str, data: str) -> np.ndarray:
        """What was measured of a competitor on a data set, (draws, settings).

        Raises
        ------
        KeyError
            If there is no such field, competitor or data set.
        """
        return np.array([each[competitor][field] for each in self.draws[data]])

    def __getitem__(self, name: str) -> FindingResult:
        if name not in self.results:
            known = ", ".join(self.results)
            raise KeyError(f"{self.experiment.id}: expected {known}, got {name!r}")
        return self.results[name]

    def __iter__(self):
        return iter(self.results)

    def __len__(self):
        return len(self.results)

    def __bool__(self) -> bool:
        return all(each.good for each in self.results.values())

    def complaints(self) -> list[str]:
        """What did not come out as the page says, and controls that do not fail."""
        told = []
        for each in self.values():
            if each.outcome != each.finding.expected:
                told.append(
                    f"{self.experiment.id}/{each.name}: expected "
                    f"{each.finding.expected}, got {each.outcome}: {each.often}"
                )
            if not each.control_failed:
                told.append(
                    f"{self.experiment.id}/{each.name}: its control does not fail: "
                    f"{each._control}"
                )
        return told

    def __repr__(self):
        head = f"{self.experiment.id}: {self.experiment.question}"
        return "\n".join([head, *(f"  {each!r}" for each in self.values())])

    def _repr_html_(self) -> str:
        rows = [(each.outcome, each.words, each.often) for each in self.values()]
        header = ("outcome", "what was found", "how often")
        drawn = "".join(self._draws_of(each) for each in self.values())
        return (
            f'<div class="nys-verdict nys-{"good" if self else "bad"}">'
            f"{style.table(rows, header, self.experiment.question)}"
            f"<details><summary>draw by draw</summary>{drawn}</details>"
            f"<details><summary>how it was tried</summary>{self._how()}</details></div>"
        )

    @staticmethod
    def _draws_of(result) -> str:
        rows = [
            (
                each.data + ("" if each.shown else " (not on the page)"),
                str(each.size),
                each.often,
                each.limits or "–",
                " ".join(_short(x) for x in each.ratios) or "–",
                result.control.get(each.data, "–"),
            )
            for each in result.parts.values()
        ]
        told = f"`{result.finding.line}`, {result.scope}; control `{result._control}`"
        return style.table(rows, _OF_DRAWS, told)

    def _how(self) -> str:
        of, rows = self.experiment, []
        for name, each in of.competitors.items():
            rows.append((each.label, _seconds(self, name)))
        told = [f"measured: {'; '.join(each.axis for each in of.fields)}"]
        if of.choose:
            told.append(
                f"chosen: {of.choose.what.label}, by {of.choose.rule}, for each"
            )
        beyond = ", ".join(of.beyond)
        told += [f"{of.draws} draws of each data set", f"not on the page: {beyond}"]
        if PREPARED in self.seconds:
            rows.append(("what all of them start from", _seconds(self, PREPARED)))
        header = ("measured", "median seconds a draw")
        lines = "".join(f"<p>{style.text(line)}.</p>" for line in told)
        return lines + style.table(rows, header)


def _seconds(found, name) -> str:
    return style.number(found.seconds.get(name))


def _short(x) -> str:
    return f"{x:.3g}" if np.isfinite(x) else "–"


def _listed(names) -> str:
    """Names as a sentence lists them; one that has an *and* of its own is quoted."""
    some = [f"“{name}”" if " and " in name else name for name in names]
    return " and ".join(filter(None, (", ".join(some[:-1]), *some[-1:])))


def _others(parts) -> list[str]:
    """Where it failed, and where it is open, and in how many draws it holds there."""
    told = []
    for word, outcome in (("it failed on", FAILED), ("it is open on", OPEN)):
        some = [
            f"{x.data} (held in {x.often} draws)" if x.count else x.data
            for x in parts
            if x.outcome == outcome
        ]
        told += [f"{word} {_listed(some)}"] * bool(some)
    return told


def judged(
    experiment,
    draws: Mapping[str, list[Draw]],
    seconds: Mapping[str, float],
) -> Found:
    """Judge every finding, and its control, on what was drawn.

    Parameters
    ----------
    experiment : Experiment
    draws : dict of str to list of dict
        By data set, as `experiment.drawn` gives them.
    seconds : dict of str to float
    """
    results = {}
    for name, finding in experiment.findings.items():
        line = finding.line
        parts = {d: on_data(experiment, finding, line, d, draws) for d in draws}
        results[name] = FindingResult(
            experiment, name, finding, parts, _control(experiment, finding, draws)
        )
    return Found(experiment, results, draws, dict(seconds))


def _control(experiment, finding, draws) -> dict[str, str]:
    """What comes of the line with one thing changed, on its data."""
    some = (finding.but_on,) if finding.but_on else finding.on or tuple(draws)
    line = finding.control
    return {d: on_data(experiment, finding, line, d, draws).outcome for d in some}


def on_data(experiment, finding: Finding, line: str, data: str, draws) -> OnData:
    """Judge a line on one data set, with the scope of a finding."""
    line, places = experiment.reads(line), _settings(experiment, finding)
    holds, sides = [], []
    for each in draws[data]:
        values = [_values(experiment, each, place) for place in places]
        truths = [line.truth(some) for some in values]
        holds.append(False if False in truths else None if None in truths else True)
        if line.is_order:
            sides.append([line.sides(some) for some in values])
    gaps = [mean_interval(x, LEVEL / len(places)) for x in _gaps(sides)]
    in_mean = finding.scope == MEAN
    margin = min(gaps, key=lambda x: x.low) if in_mean else None
    outcome = _of_mean(gaps) if in_mean else _of_draws(holds)
    source = experiment.data[data]
    return OnData(
        data, source.size, data in experiment.shown, tuple(holds), _ratios(sides),
        margin, outcome,
    )  # fmt: skip


def _of_draws(holds) -> str:
    return FAILED if False in holds else OPEN if None in holds else HELD


def _of_mean(gaps) -> str:
    if any(x.high < 0 for x in gaps):
        return FAILED
    return HELD if all(x.low >= 0 for x in gaps) else OPEN


def _gaps(sides):
    """By setting, the larger side less the smaller one, draw by draw."""
    if not sides:
        return []
    table = np.array(sides)
    return (table[:, :, 1] - table[:, :, 0]).T


def _ratios(sides) -> tuple[float, ...]:
    """In each draw the largest ratio of two sides that are both above zero."""
    each = ([a / b for a, b in pairs if a > 0 and b > 0] for pairs in sides)
    return tuple(float(max(some, default=np.nan)) for some in each)


def _settings(experiment, finding) -> list[int]:
    """The places of the settings of which a finding speaks; one if there are none."""
    if not experiment.settings:
        return [0]
    places = range(len(experiment.settings))
    if not finding.when:
        return list(places)
    when, along = experiment.reads(finding.when), experiment.along
    some = [k for k in places if when.truth({along.name: experiment.settings[k]})]
    if not some:
        raise ValueError(f"when: no setting has {finding.when!r}")
    return some


def _values(experiment, draw: Draw, place: int) -> dict[str, float]:
    """By the names of a line, at one setting."""
    out = {}
    if experiment.along:
        out[experiment.along.name] = float(experiment.settings[place])
    for competitor, fields in draw.items():
        for name, values in fields.items():
            out[joined(name, competitor)] = values[place if len(values) > 1 else 0]
    return out
