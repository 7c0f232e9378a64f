"""What came of the theorems: the ledger, the errata, boxes and pictures."""

from nystheory.engine.report.ledger import (
    Derivation,
    Errata,
    Ledger,
    bar,
    derivation,
    errata,
    made_with,
    run,
)

__all__ = [
    "Derivation",
    "Errata",
    "Ledger",
    "bar",
    "derivation",
    "errata",
    "made_with",
    "run",
]
