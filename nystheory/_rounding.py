"""What is allowed for rounding in numbers that speak of certainty, under names."""

from __future__ import annotations

from typing import TypeVar

Number = TypeVar("Number")


def allowed(name: str, size: Number) -> Number:
    """`size`, by which rounding may move a number that is certain.

    Every such allowance passes through here, so that a test can listen, and leave out
    one at a time: `tests/library/test_allowances.py` has each by hand, and an instance
    where something passes an end without it, or why there is none.

    >>> allowed("a sum", 2.0**-52)
    2.220446049250313e-16
    """
    return size
