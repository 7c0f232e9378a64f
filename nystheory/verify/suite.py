"""Matrices that are known to be awkward; see `nystheory.engine.suite`."""

from nystheory.engine.suite import (
    integer_instances,
    perturbed,
    random_instance,
    stress_suite,
)

__all__ = ["integer_instances", "perturbed", "random_instance", "stress_suite"]
