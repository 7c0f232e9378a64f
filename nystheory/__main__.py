"""Command line: ``python -m nystheory COMMAND``; ``--help`` lists the commands."""

from __future__ import annotations

import argparse
import json
import sys

import numpy as np

from nystheory import report
from nystheory.engine import mutants
from nystheory.engine.refutations import refutations
from nystheory.engine.verification import verify
from nystheory.theorems import theorems


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit code is 1 when anything is red."""
    options = _parser().parse_args(arguments)
    return options.run(options)


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
    commands = parser.add_subparsers(required=True, metavar="command")
    ledger = commands.add_parser(
        "ledger", help="verify the theorems, list the verdicts"
    )
    ledger.add_argument("--json", action="store_true", help="print JSON")
    ledger.add_argument("--quick", action="store_true", help="a smaller search")
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
    again = commands.add_parser("verify", help="verify all with seeds nobody has seen")
    again.add_argument("--fresh", type=_count, metavar="N", required=True, help="seeds")
    again.add_argument("--full", action="store_true", help="the larger search")
    again.set_defaults(run=_verify)
    changed = commands.add_parser("mutants", help="change statements, see who notices")
    changed.add_argument("--store", action="store_true", help="keep it for the book")
    changed.set_defaults(run=_mutants)
    return parser


def _ledger(options) -> int:
    effort = "quick" if options.quick else "full"
    ledger = report.run(seed=options.seed, effort=effort, progress=True)
    print(ledger.to_json() if options.json else ledger.to_text())
    return 0 if ledger else 1


def _explain(options) -> int:
    try:
        theorem = theorems[options.id]
    except KeyError as error:
        print(error.args[0], file=sys.stderr)
        return 2
    print(report.explain(theorem))
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


def _verify(options) -> int:
    effort, bad = "full" if options.full else "quick", 0
    root = np.random.SeedSequence()
    for number in report.bar(range(1, options.fresh + 1)):
        (seed,) = root.spawn(1)
        for theorem in theorems.values():
            verdict = verify(theorem, np.random.default_rng(seed), effort)
            if not verdict:
                bad += 1
                print(f"seed {number}, entropy {seed.entropy}, key {seed.spawn_key}:")
                print(verdict.complaint())
    total = options.fresh * len(theorems)
    print(f"{total - bad} of {total} verdicts good, {options.fresh} fresh seeds")
    return 1 if bad else 0


def _mutants(options) -> int:
    run = mutants.keep if options.store else mutants.run
    score = run(theorems.values(), progress=report.bar)
    for mutant in score.survivors:
        print(f"survived: {mutant.id}, {mutant.claim}: {mutant.change} ({mutant.by})")
    print(score)
    return 0


if __name__ == "__main__":
    sys.exit(main())
