"""Command line: ``python -m nystheory`` with ``ledger``, ``explain`` or ``mutants``."""

from __future__ import annotations

import argparse
import sys

from nystheory import report
from nystheory.theorems import theorems
from nystheory.verify import mutants


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit code is 1 when anything in the ledger is red."""
    options = _parser().parse_args(arguments)
    return options.run(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m nystheory", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")
    ledger = commands.add_parser(
        "ledger", help="verify the theorems, list the verdicts"
    )
    ledger.add_argument("--json", action="store_true", help="print JSON")
    ledger.add_argument("--quick", action="store_true", help="a smaller search")
    ledger.add_argument("--seed", type=int, default=2010, help="default: 2010")
    ledger.set_defaults(run=_ledger)
    explain = commands.add_parser("explain", help="a theorem in words")
    explain.add_argument("id", metavar="ID", help="for example talwalkar2010:thm-2.3")
    explain.set_defaults(run=_explain)
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


def _mutants(options) -> int:
    score = mutants.run(theorems.values(), progress=report.bar)
    for mutant in score.survivors:
        print(f"survived: {mutant.id}, claim {mutant.claim + 1}: {mutant.change}")
    print(score)
    if options.store:
        mutants.STORED.write_text(score.to_json(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
