"""Is the promise kept? From a theorem and instances to a verdict."""

from nystheory.verify.engine import verify
from nystheory.verify.verdict import Finding, Verdict

__all__ = ["Finding", "Verdict", "verify"]
