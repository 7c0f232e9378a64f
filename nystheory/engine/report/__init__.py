"""What came of the theorems: the ledger, the errata, boxes and pictures."""

from nystheory.engine.report.ledger import (
    DerivationTable,
    Errata,
    Ledger,
    bar,
    derivation,
    errata,
    made_with,
    run,
)

__all__ = [
    "DerivationTable",
    "Errata",
    "Ledger",
    "bar",
    "derivation",
    "errata",
    "made_with",
    "run",
]
