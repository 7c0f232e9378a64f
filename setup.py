"""Stop at once where the pins have no wheels; all the rest is in pyproject.toml.

pip looks at Requires-Python only after it has tried to build what it found no wheel of,
which takes minutes and fails with another message.
"""

import sys

from setuptools import setup

OLDEST, NEWEST = (3, 11), (3, 15)


def version(numbers):
    """The version as one writes it, from its first two numbers."""
    return ".".join(map(str, numbers[:2]))


if not OLDEST <= sys.version_info[:2] <= NEWEST:
    sys.exit(
        f"Python: expected {version(OLDEST)} to {version(NEWEST)}, for which there are "
        f"wheels of what nystheory needs, got {version(sys.version_info)}; make the "
        "environment with one of these, such as python3.13 -m venv .venv"
    )
setup()
