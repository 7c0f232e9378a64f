"""What came of the findings on seeds that nobody had seen, kept beside their draws.

``fresh.json`` in the folder of a chapter has, of each experiment, a digest of its
stored draws, and of each finding whether it came out as the page says, seed by seed.
Who changes what is drawn begins again; a finding is kept by all that it claims, so
that one that was changed has not been judged yet.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from nystheory.engine.findings.experiment import Experiment
from nystheory.engine.findings.stored import digest, file_of, module_of, seconds_of

FILE = "fresh.json"


@dataclass(frozen=True)
class Count:
    """How findings fared on unseen seeds.

    Attributes
    ----------
    findings : int
        All of them.
    judged : int
        Those that were judged on so many seeds, in such draws as the page has.
    good : int
        Those of them that came out as the page says, on each seed.
    fell : list of str
        The others, by id.
    """

    findings: int
    judged: int
    good: int
    fell: list[str]


def claimed(finding) -> str:
    """All that a finding claims, and its control, as the key of what came of it."""
    when = f" when {finding.when}" if finding.when else ""
    on = f" on {', '.join(finding.on)}" if finding.on else ""
    control = f"on {finding.but_on}" if finding.but_on else finding.control
    return (
        f"{finding.line}{when}{on}, {finding.scope}: {finding.expected}; not {control}"
    )


def outcomes(experiment: Experiment) -> dict[str, list[bool]]:
    """By name, whether a finding came out as the page says, seed by seed.

    The list is empty where the finding, or what is drawn, was changed since.
    """
    entry = _read(experiment).get(experiment.id, {})
    came = entry.get("came", {}) if entry.get("draws") == digest(experiment) else {}
    return {
        name: list(came.get(claimed(finding), {}).values())
        for name, finding in experiment.findings.items()
    }


def count(experiments: Sequence[Experiment], seeds: int) -> Count:
    """How many were judged on so many unseen seeds, and how many held on each."""
    came = {
        f"{each.id}/{name}": outcome
        for each in experiments
        for name, outcome in outcomes(each).items()
    }
    judged = {id: all(x) for id, x in came.items() if len(x) >= seeds}
    fell = [id for id, good in judged.items() if not good]
    return Count(len(came), len(judged), len(judged) - len(fell), fell)


def wanting(experiment: Experiment, seeds: int) -> int:
    """How many seeds are wanted until each of its findings was judged on so many."""
    return max(0, seeds - min(map(len, outcomes(experiment).values())))


def keep(experiment: Experiment, seeds: int, progress: Callable = lambda: None):
    """Judge it on unseen seeds until each finding was, on so many; store each seed."""
    for _ in range(wanting(experiment, seeds)):
        root = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        _add(experiment, root, experiment.tried(root, progress))


def in_order_of_cost(experiments: Sequence[Experiment]) -> list[Experiment]:
    """The cheapest first, by the seconds that their stored draws took."""
    return sorted(experiments, key=lambda e: sum(seconds_of(e).values()) * _times(e))


def _times(experiment) -> int:
    return experiment.draws * len(experiment.data)


def _add(experiment, root, found):
    entries, key = _read(experiment), digest(experiment)
    before = entries.get(experiment.id, {})
    came = before.get("came", {}) if before.get("draws") == key else {}
    kept = {}
    for result in found.values():
        text = claimed(result.finding)
        kept[text] = came.get(text, {}) | {str(root): result.good}
    entries[experiment.id] = {"draws": key, "came": kept}
    told = json.dumps(dict(sorted(entries.items())), indent=1, ensure_ascii=False)
    _path(experiment).write_text(told + "\n", "utf-8")


def _path(experiment):
    return file_of(module_of(experiment)).with_name(FILE)


def _read(experiment) -> dict:
    path = _path(experiment)
    return json.loads(path.read_text("utf-8")) if path.exists() else {}
