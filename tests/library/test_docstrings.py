"""What docstrings say in a form that can be run: limits, shapes, entries, theorems."""

import numpy as np
import pytest
from bad_input import world
from bad_input_calls import CALLS
from docstrings import Limit, limits

# Ends that take long are not tried from inside.
LARGEST = 2000


# --- Limits of numbers ----------------------------------------------------------------


def value(limit, given):
    """The number that is written: n, l and p are those of the call."""
    chosen = given.get("landmarks")
    known = {"n": world().n, "l": given.get("n_landmarks", 4), "p": 2}
    if isinstance(given.get("n"), int):
        known["n"] = given["n"]
    if hasattr(chosen, "__len__") and not isinstance(chosen, str):
        known["l"] = len(chosen)
    end = limit.end if limit.end == "n - 1" else limit.end.replace(" ", "")
    return eval(end, {}, known)


def fault(limit, calls=CALLS):
    """What is false of a limit, or None."""
    given = calls[limit.name](world())[1]
    if given.get(limit.argument) is None:
        return None
    end = value(limit, given)
    whole = isinstance(given[limit.argument], int | np.integer)
    step = limit.outwards * (1 if whole else 0.01 if limit.end != "1" else 0.25)
    inside, outside = (end, end + step) if limit.passes else (end - step, end)
    if inside <= LARGEST and (said := refused(limit, inside, calls)):
        return f"{limit.key}, but {inside} is refused: {said}"
    if limit.argument not in refused(limit, outside, calls):
        return f"{limit.key}, but {outside} passes"
    return None


def refused(limit, number, calls):
    """What is said of a number; nothing where it passes."""
    function, given = calls[limit.name](world())
    try:
        function(**given | {limit.argument: number})
    except (ValueError, TypeError) as error:
        return str(error)
    return ""


def test_a_number_in_words_is_the_limit():
    assert len(limits()) > 110
    assert [told for each in limits() if (told := fault(each))] == []


def between(n):
    if not 1 <= n <= 3:
        raise ValueError("n: expected an integer from 1 to 3")


@pytest.mark.parametrize(
    ("end", "passes", "outwards", "false"),
    [
        *(("1", True, -1, False), ("3", True, 1, False), ("0", False, -1, False)),
        *(("0", True, -1, True), ("2", True, -1, True), ("2", True, 1, True)),
        *(("4", True, 1, True), ("1", False, -1, True), ("3", False, 1, True)),
    ],
)
def test_another_limit_is_seen(end, passes, outwards, false):
    limit = Limit("it", "n", "n", end, passes, outwards)
    calls = {"it": lambda w: (between, {"n": 2})}
    assert bool(fault(limit, calls)) == false
