"""An experiment, and its findings: claims about what it measures.

Its parts are apart, as objective, data and solver are in benchopt: the data are drawn,
what is chosen for a competitor is chosen by one rule for all of them, which never sees
the points of the test, and each is measured alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nystheory.engine.findings.drawing import drawn
from nystheory.engine.findings.fields import Field
from nystheory.engine.findings.found import Found, judged
from nystheory.engine.findings.measured_lines import MeasuredLine
from nystheory.engine.findings.parts import (
    FEWEST_DRAWS,
    MEAN,
    ROOT,
    Choice,
    Competitor,
    Data,
    Finding,
    Trial,
)
from nystheory.engine.findings.stored import draws_of, seconds_of


@dataclass(frozen=True, eq=False)
class Experiment:
    """A question, who competes, on which data, what is measured, and what is found.

    Parameters
    ----------
    id : str
        ``chapter:name``.
    question : str
    competitors : mapping of str to Competitor
    fields : sequence of Field
        What `measure` returns.
    measure : callable (Trial) -> dict of str to float or array
        A number for each field, or one for each setting.  It stands in a module of the
        chapter.
    shown, beyond : mapping of str to Data
        Those of the page, and those that the page does not show: other data, sizes or
        kernels.
    findings : mapping of str to Finding
    prepare : callable (drawn, rng) -> (known, judged)
        What competitors may learn from, and what they are judged by; they share it.
        By default all is known.
    choose : Choice, optional
        One rule, for each competitor the same.
    along : Field, optional
        What varies between the settings, columns for example.
    settings : sequence of float
        Its values.
    draws : int
        At least ten, of each data set.

    Raises
    ------
    ValueError
        If it is tried too little, if competitors are tuned unalike, or if a finding
        speaks of what is not measured or has no control.

    Examples
    --------
    >>> def heads(trial):
    ...     return {"heads": trial.rng.binomial(trial.known, trial.run)}
    >>> coins = Experiment(
    ...     id="nowhere:coins",
    ...     question="Which coin falls on heads more often?",
    ...     competitors={
    ...         "fair": Competitor("a fair coin", 0.5),
    ...         "bent": Competitor("a bent coin", 0.9),
    ...     },
    ...     fields=[Field("heads", "number of heads")],
    ...     measure=heads,
    ...     shown={"100 times": Data(lambda size, rng: size, 100)},
    ...     beyond={"1000 times": Data(lambda size, rng: size, 1000)},
    ...     findings={
    ...         "more": Finding("heads(bent) > heads(fair)", but={">": "> 3 *"})
    ...     },
    ... )
    >>> coins.tried()["more"].often
    'in all 10 draws on 100 times and 1000 times'
    """

    id: str
    question: str
    competitors: Mapping[str, Competitor]
    fields: Sequence[Field]
    measure: Callable[[Trial], Mapping[str, Any]]
    shown: Mapping[str, Data]
    beyond: Mapping[str, Data]
    findings: Mapping[str, Finding]
    prepare: Callable[[Any, np.random.Generator], tuple] | None = None
    choose: Choice | None = None
    along: Field | None = None
    settings: Sequence[float] = ()
    draws: int = FEWEST_DRAWS

    def __post_init__(self):
        if self.draws < FEWEST_DRAWS:
            raise ValueError(
                f"draws: expected at least {FEWEST_DRAWS}, got {self.draws}"
            )
        if not self.beyond or not self.shown or set(self.beyond) & set(self.shown):
            raise ValueError(
                "beyond: expected data that the page does not show, got none"
            )
        for name in ("competitors", "findings"):
            if not getattr(self, name):
                raise ValueError(f"{name}: expected one at least, got none")
        for name, told in (
            ("fields", [each.name for each in self.fields]),
            ("competitors", [each.label for each in self.competitors.values()]),
        ):
            if len(set(told)) < len(told):
                raise ValueError(f"{name}: expected different names, got {told}")
        if bool(self.along) != bool(self.settings):
            raise ValueError("settings: expected values with `along`, and none without")
        self._check_choice()
        self._check_findings()

    def _check_choice(self):
        if self.choose is not None and not isinstance(self.choose, Choice):
            raise ValueError(
                "choose: expected one Choice, the same for each competitor, got "
                f"{type(self.choose).__name__}"
            )
        for name, each in self.competitors.items():
            other = each.chosen_for
            if not other:
                continue
            if self.choose is None or other not in self.competitors:
                raise ValueError(f"chosen_for: {name} takes what nobody has chosen")
            if self.competitors[other].label not in each.label:
                raise ValueError(
                    f"label: expected {name} to say that it takes what was chosen for "
                    f"{self.competitors[other].label!r}, got {each.label!r}"
                )

    def _check_findings(self):
        for name, finding in self.findings.items():
            for line in {finding.line, finding.control}:
                order = self.reads(line).is_order
                if finding.scope == MEAN and not order:
                    raise ValueError(
                        f"{name}: a mean is compared by <= or >=: {line!r}"
                    )
            if finding.when:
                MeasuredLine(finding.when, {}, {}, self.along)
            strange = {*finding.on, finding.but_on} - {"", *self.data}
            if (
                strange
                or finding.but_on in (finding.on or self.data)
                and finding.but_on
            ):
                raise ValueError(
                    f"{name}: expected `on` to name data, and `but_on` others, got "
                    f"{finding.on} and {finding.but_on!r}"
                )

    @property
    def data(self) -> dict[str, Data]:
        """All data sets, those of the page first."""
        return {**self.shown, **self.beyond}

    @property
    def chapter(self) -> str:
        """The name of the folder."""
        return self.id.partition(":")[0]

    @property
    def measured(self) -> dict[str, Field]:
        """What lines may speak of, by name; what was chosen is measured, too."""
        some = [*self.fields, *([self.choose.what] if self.choose else [])]
        return {each.name: each for each in some}

    def reads(self, line: str) -> MeasuredLine:
        """A line in what this experiment measures."""
        return MeasuredLine(line, self.measured, self.competitors, self.along)

    def found(self) -> Found:
        """What was found in the stored draws.

        Returns
        -------
        Found

        Raises
        ------
        StaleError
            If they were drawn by other code than is at hand.
        """
        return judged(self, draws_of(self), seconds_of(self))

    def tried(self, root: int = ROOT, progress: Callable = lambda: None) -> Found:
        """What is found now, in draws of another seed if there is one.

        Parameters
        ----------
        root : int
            The seed.
        progress : callable ()
            Is called after each draw.

        Returns
        -------
        Found
        """
        return judged(self, *drawn(self, root, progress))
