"""What grades must refuse a wrong answer: it is tried on spoiled ones."""

from collections import namedtuple
from fractions import Fraction

import numpy as np
import pytest

from nystheory.engine.report.spoiling import unfailing

ANSWERS = {
    "number": 510_000,
    "percent": 0.51,
    "apart": 0.3,
    "shape": (10_000, 20),
    "names": {"ICL"},
    "by_size": {80: 3},
    "gap": np.eye(2),
    "square": lambda x: x**2,
    "found": namedtuple("Found", "observed bound")(0.7, 0.5),
    "share": Fraction(2, 3),
    "more": [object()] * 60,
    "np": np,
}


@pytest.mark.parametrize(
    ("assertion", "needs"),
    [
        ("assert number == 510_000", ["number"]),
        ("assert np.isclose(percent, 0.51)", ["percent"]),
        ("assert shape == (10_000, 20)", ["shape"]),
        ("assert set(names) == {'ICL'}", ["names"]),
        ("assert by_size[80] == 3", ["by_size"]),
        ("assert np.linalg.eigvalsh(gap)[0] > -1e-9", ["gap"]),
        ("assert np.shape(gap) == (2, 2)", ["gap"]),
        # Only one entry that is another than the rest gives this away.
        ("assert np.ptp(np.diag(gap)) == 0", ["gap"]),
        ("assert square(3) == 9", ["square"]),
        ("assert found.observed > 1.3 * found.bound", ["found"]),
        ("assert share > percent", ["share", "percent"]),
        ("assert len(more) >= 60", ["more"]),
    ],
)
def test_what_can_fail(assertion, needs):
    assert unfailing(ANSWERS, assertion, needs) == []


@pytest.mark.parametrize(
    ("assertion", "needs", "seen"),
    [
        ("assert number > -510_000", ["number"], "number"),
        ("assert percent != -0.51", ["percent"], "percent"),
        ("assert abs(apart) < 6", ["apart"], "apart"),
        ("assert shape == (10_000, 20) or 1 < 2", ["shape"], "shape"),
        ("assert number == 510_000 and percent", ["number"], ""),
        ("assert share > 0.1 or number", ["share", "number"], "share"),
        ("assert isinstance(names, set)", ["names"], "names"),
        # What cannot be computed refuses no answer.
        ("assert 1 / number > -9 or 1", ["number"], "number"),
    ],
)
def test_what_cannot_fail_is_seen(assertion, needs, seen):
    found = unfailing(ANSWERS, assertion, needs)
    assert found[:1] == ([seen] if seen else [])


def test_each_assertion_is_asked():
    """One that holds whatever is handed in hides behind another."""
    both = "assert number == 510_000\nassert number > -1"
    assert unfailing(ANSWERS, both, ["number"]) == ["assert number > -1"]
