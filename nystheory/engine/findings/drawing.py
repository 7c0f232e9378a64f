"""The draws of an experiment: seeds, what is chosen, what is measured."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable

import numpy as np

from nystheory.engine.findings.experiments import one_thread
from nystheory.engine.findings.parts import ROOT, Trial

# Digits that are kept of what was measured.
DIGITS = 5

Draw = dict[str, dict[str, tuple[float, ...]]]
# The seconds of what is prepared for all competitors stand under this name.
PREPARED = ""


def drawn(
    experiment, root: int = ROOT, progress: Callable = lambda: None
) -> tuple[dict[str, list[Draw]], dict[str, float]]:
    """All draws of all data sets, and the median seconds of each competitor."""
    out, seconds = {}, {name: [] for name in (PREPARED, *experiment.competitors)}
    for data in experiment.data:
        out[data] = []
        for number in range(experiment.draws):
            found, took = one_draw(experiment, data, number, root)
            out[data].append(found)
            for name, each in took.items():
                seconds[name].append(each)
            progress()
    medians = {name: np.median(x) for name, x in seconds.items() if x}
    return out, {name: float(f"{x:.1g}") for name, x in medians.items()}


@one_thread
def one_draw(
    experiment, data: str, number: int, root: int = ROOT
) -> tuple[Draw, dict[str, float]]:
    """What is measured in one draw: by competitor and field, one number a setting.

    The seed follows from the id, the data and the number: nothing beside it counts.

    Parameters
    ----------
    experiment : Experiment
    data : str
    number : int
        Of the draw.
    root : int

    Returns
    -------
    dict, dict
        What was measured, and the seconds of each competitor, and of what is prepared
        for all of them.
    """
    points, parts, measuring = _seeds(experiment, data, number, root)
    source = experiment.data[data]
    some = source.draw(source.size, np.random.default_rng(points))
    known, judged = some, None
    seconds = {}
    if experiment.prepare is not None:
        start = time.perf_counter()
        known, judged = experiment.prepare(some, np.random.default_rng(parts))
        seconds[PREPARED] = time.perf_counter() - start
    chosen = {name: None for name in experiment.competitors}
    if experiment.choose is not None:
        for name, each in experiment.competitors.items():
            of = experiment.competitors[each.chosen_for or name]
            chosen[name] = experiment.choose.best(of.run, known)
    out = {}
    for name, each in experiment.competitors.items():
        rng = np.random.default_rng(measuring)
        start = time.perf_counter()
        found = experiment.measure(Trial(each.run, known, judged, chosen[name], rng))
        seconds[name] = time.perf_counter() - start
        out[name] = _kept(experiment, name, dict(found))
        if experiment.choose is not None:
            out[name][experiment.choose.what.name] = (_rounded(chosen[name]),)
    return out, seconds


def _seeds(experiment, data, number, root):
    words = f"{experiment.id} {data} {experiment.data[data].size}"
    key = (zlib.crc32(words.encode()), number)
    return np.random.SeedSequence(root, spawn_key=key).spawn(3)


def _kept(experiment, name, found):
    """Rounded, one number for all settings or one for each."""
    wanted = {each.name for each in experiment.fields}
    if not set(found) <= wanted:
        raise ValueError(
            f"measure: expected {sorted(wanted)} of {name}, got {sorted(found)}"
        )
    out = {}
    for key, value in found.items():
        values = np.atleast_1d(np.asarray(value, dtype=float))
        if len(values) not in {1, len(experiment.settings)}:
            raise ValueError(
                f"measure: expected a number, or one for each setting, of {key} of "
                f"{name}, got {len(values)}"
            )
        out[key] = tuple(map(_rounded, values))
    return out


def _rounded(x) -> float:
    return float(f"{x:.{DIGITS}g}")
