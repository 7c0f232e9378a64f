"""What a theorem is and how one is broken; CONTRIBUTING.md shows how to write one."""

from nystheory.engine.language.claims import (
    Claim,
    Control,
    Hypothesis,
    Printed,
    Rate,
    Where,
)
from nystheory.engine.promises.promises import Promise, kept
from nystheory.engine.trial.theorem import Theorem
from nystheory.engine.trial.verification import verify
from nystheory.engine.worlds import (  # quantities
    columns,
    concentration,
    experts,
    two_kernels,
    volumes,
)
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.quantities import QUANTITIES, value

__all__ = [
    "QUANTITIES",
    "Claim",
    "Control",
    "Hypothesis",
    "Instance",
    "Printed",
    "Promise",
    "Rate",
    "Theorem",
    "Where",
    "columns",
    "concentration",
    "experts",
    "kept",
    "two_kernels",
    "value",
    "verify",
    "volumes",
]
