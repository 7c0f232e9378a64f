"""What ``python -m nystheory findings`` does: try experiments, print what was found."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import numpy as np

from nystheory._progress import counter
from nystheory.engine.findings import afresh, stored
from nystheory.engine.findings.experiment import Experiment
from nystheory.engine.findings.found import Found


def run(experiments: Sequence[Experiment], again: bool, as_json: bool) -> int:
    """Draw what is stale, store it, and print what was found.

    Parameters
    ----------
    experiments : sequence of Experiment
    again : bool
        Draw all of them anew.
    as_json : bool
        Print rows, for other programs.

    Returns
    -------
    int
        1 where something did not come out as the page says.
    """
    stale = [e for e in experiments if again or not stored.is_fresh(e)]
    with counter("draws", sum(e.draws * len(e.data) for e in stale)) as bar:
        for each in stale:
            stored.keep(each, bar.update)
    return _told([each.found() for each in experiments], as_json)


def run_afresh(experiments: Sequence[Experiment], seeds: int, as_json: bool) -> int:
    """Try experiments in draws that nobody has seen; nothing is stored."""
    roots = np.random.SeedSequence().generate_state(seeds, np.uint64)
    total = seeds * sum(e.draws * len(e.data) for e in experiments)
    found = []
    with counter("draws", total) as bar:
        for root in map(int, roots):
            found += [(root, e.tried(root, bar.update)) for e in experiments]
    for root, each in found:
        for complaint in each.complaints():
            print(f"seed {root}: {complaint}", file=sys.stderr)
    code = _told([each for _, each in found], as_json)
    if not as_json:
        good = sum(r.good for _, each in found for r in each.values())
        print(f"{good} of {sum(len(each) for _, each in found)} as the pages say")
    return code


def keep_afresh(experiments: Sequence[Experiment], seeds: int) -> int:
    """Judge each finding on unseen seeds until it was on so many; store what came.

    It may be stopped and begun again: each seed of an experiment is stored when it is
    done, the cheap experiments first.

    Returns
    -------
    int
        1 where a finding did not come out as the page says.
    """
    rest = {each.id: afresh.wanting(each, seeds) for each in experiments}
    total = sum(rest[e.id] * e.draws * len(e.data) for e in experiments)
    with counter("draws", total) as bar:
        for each in afresh.in_order_of_cost(experiments):
            afresh.keep(each, seeds, bar.update)
    came = afresh.count(experiments, seeds)
    for id in came.fell:
        print(f"NOT AS THE PAGE SAYS  {id}")
    print(f"{came.good} of {came.judged} as the pages say, on {seeds} seeds each")
    return 1 if came.fell else 0


def _told(found: Sequence[Found], as_json) -> int:
    rows = [result.row() for each in found for result in each.values()]
    if as_json:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    else:
        print("\n".join(map(repr, found)))
    for each in found if not as_json else ():
        for complaint in each.complaints():
            print(f"NOT AS THE PAGE SAYS  {complaint}")
    return 0 if all(found) else 1
