"""Command line: ``python -m nystheory COMMAND``; ``--help`` lists the commands."""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
from functools import partial

import numpy as np

from nystheory import chapters
from nystheory.chapters import theorems
from nystheory.engine import report
from nystheory.engine.findings import command, registry, runs
from nystheory.engine.report import words
from nystheory.engine.trial import mutants
from nystheory.engine.trial.refutations import refutations
from nystheory.engine.trial.verification import verify


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit code is 1 when anything is red."""
    options = _parser().parse_args(arguments)
    try:
        code = options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough: `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def _count(text: str) -> int:
    """At least one."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number above 0, got {text!r}")
    return int(text)


def _seed(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a number from 0 on, got {text!r}")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m nystheory", description=__doc__, allow_abbrev=False
    )
    whole = partial(argparse.ArgumentParser, allow_abbrev=False)
    commands = parser.add_subparsers(
        required=True, metavar="command", parser_class=whole
    )
    ledger = commands.add_parser(
        "ledger", help="verify the theorems, list the verdicts"
    )
    ledger.add_argument("--json", action="store_true", help="print JSON")
    _add_effort(ledger)
    ledger.add_argument("--seed", type=_seed, default=2010, help="default: 2010")
    ledger.set_defaults(run=_ledger)
    explain = commands.add_parser("explain", help="a theorem in words")
    explain.add_argument("id", metavar="ID", help="for example talwalkar2010:thm-2.3")
    explain.set_defaults(run=_explain)
    false = commands.add_parser(
        "refutations", help="every false claim with its proof, in exact arithmetic"
    )
    false.add_argument("--json", action="store_true", help="print JSON")
    false.set_defaults(run=_refutations)
    where = commands.add_parser("where", help="file, text and check of a theorem")
    where.add_argument("words", nargs="+", help="id, number or title: Theorem 5.2")
    where.set_defaults(run=_where)
    symbols = commands.add_parser("symbols", help="every quantity, as CSV")
    symbols.set_defaults(run=_symbols)
    conditions = commands.add_parser(
        "conditions", help="when each theorem speaks: ranges, hypotheses, as CSV"
    )
    conditions.set_defaults(run=_conditions)
    again = commands.add_parser("verify", help="verify some theorems, or all anew")
    again.add_argument("ids", nargs="*", metavar="ID", help="default: all")
    again.add_argument("--fresh", type=_count, metavar="N", help="with N unseen seeds")
    _add_effort(again)
    again.set_defaults(run=_verify)
    tried = commands.add_parser(
        "findings", help="what the experiments found, and how often"
    )
    tried.add_argument("id", nargs="?", metavar="ID", help="draw this one anew")
    tried.add_argument("--fresh", type=_count, metavar="N", help="with N unseen seeds")
    tried.add_argument("--json", action="store_true", help="print JSON")
    tried.add_argument(
        "--store", action="store_true", help="with --fresh: keep what came, go on later"
    )
    tried.set_defaults(run=_findings)
    long = commands.add_parser(
        "runs", help="runs of hours: is the code that made them still what it was?"
    )
    long.set_defaults(run=_runs)
    changed = commands.add_parser("mutants", help="change statements, see who notices")
    changed.add_argument("--store", action="store_true", help="keep it for the book")
    changed.set_defaults(run=_mutants)
    return parser


def _add_effort(command) -> None:
    """What a push verifies, or all of it."""
    either = command.add_mutually_exclusive_group()
    told = {"action": "store_const", "dest": "effort", "default": "quick"}
    either.add_argument("--quick", const="quick", help="as a push does (usual)", **told)
    either.add_argument("--full", const="full", help="as a scheduled run does", **told)


def _ledger(options) -> int:
    chosen, usual = theorems.values(), {"progress": True, "workers": _cores()}
    ledger = report.run(chosen, options.seed, options.effort, **usual)
    print(ledger.to_json() if options.json else ledger.to_text())
    return 0 if ledger else 1


def _cores() -> int:
    """How many there are for this process."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count()


def _explain(options) -> int:
    try:
        theorem = theorems[options.id]
    except KeyError as error:
        print(error.args[0], file=sys.stderr)
        return 2
    print(words.explain(theorem))
    return 0


def _refutations(options) -> int:
    entries = refutations(theorems.values())
    if options.json:
        rows = [entry.row() for entry in entries]
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    else:
        for entry in entries:
            print(entry)
        counts = sum(e.confirmed for e in entries), len(entries)
        other = sum(bool(e.inexact) for e in entries)
        print(f"{counts[0]} of {counts[1]} proved false, {other} by other means")
    return 0 if all(e.confirmed or e.inexact for e in entries) else 1


def _symbols(options) -> int:
    csv.writer(sys.stdout, lineterminator="\n").writerows(theorems.symbols)
    return 0


def _conditions(options) -> int:
    csv.writer(sys.stdout, lineterminator="\n").writerows(theorems.conditions)
    return 0


def _where(options) -> int:
    asked = " ".join(options.words)
    found = theorems.find(asked)
    for theorem in found:
        print(words.where(theorem))
    if not found:
        print(f"no theorem has the words {asked!r}", file=sys.stderr)
    return 0 if found else 2


def _verify(options) -> int:
    try:
        chosen = [theorems[id] for id in options.ids] or list(theorems.values())
    except KeyError as error:
        print(error.args[0], file=sys.stderr)
        return 2
    if not options.fresh:
        many = len(chosen) > 1
        workers = _cores() if many else 1
        ledger = report.run(
            chosen, effort=options.effort, progress=many, workers=workers
        )
        print(ledger.to_text())
        for verdict in ledger.red:
            print(verdict.complaint())
        return 0 if ledger else 1
    return _verify_afresh(chosen, options.fresh, options.effort)


def _verify_afresh(chosen, seeds, effort) -> int:
    """With seeds that nobody has seen; what is red is reported with its seed."""
    bad, root = 0, np.random.SeedSequence()
    for number in report.bar(range(1, seeds + 1)):
        (seed,) = root.spawn(1)
        for theorem in chosen:
            verdict = verify(theorem, np.random.default_rng(seed), effort)
            if not verdict:
                bad += 1
                print(f"seed {number}, entropy {seed.entropy}, key {seed.spawn_key}:")
                print(verdict.complaint())
    total = seeds * len(chosen)
    print(f"{total - bad} of {total} verdicts good, {seeds} fresh seeds")
    return 1 if bad else 0


def _findings(options) -> int:
    """Those whose draws are stale, one that is named, or all with unseen seeds."""
    if options.store and not options.fresh:
        print("--store: expected --fresh N beside it, got none", file=sys.stderr)
        return 2
    known = registry.discover(chapters.__name__)
    try:
        every = options.id is None
        some = [*known.values()] if every else registry.chosen(known, options.id)
    except KeyError as error:
        print(error.args[0], file=sys.stderr)
        return 2
    if options.fresh and options.store:
        return command.keep_afresh(some, options.fresh)
    if options.fresh:
        return command.run_afresh(some, options.fresh, options.json)
    return command.run(some, bool(options.id), options.json)


def _runs(options) -> int:
    return runs.renew(runs.discover(chapters.__name__))


def _mutants(options) -> int:
    run = mutants.keep if options.store else mutants.run
    score = run(theorems.values(), progress=report.bar)
    for mutant in score.survivors:
        print(f"survived: {mutant.id}, {mutant.claim}: {mutant.change} ({mutant.by})")
    print(score)
    return 0


if __name__ == "__main__":
    sys.exit(main())
