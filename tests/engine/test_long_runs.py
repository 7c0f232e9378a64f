"""Runs of hours are whole and of the code at hand; small ones are run again."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from nystheory import __main__, chapters
from nystheory.chapters.eigengap_and_rate import two_balls
from nystheory.engine.findings import runs
from nystheory.engine.trial.store import StaleError

RUNS = runs.discover(chapters.__name__)
# What experiments keep is theirs: `test_findings_stored.py`, `test_findings_afresh.py`.
OTHERS = ("found.json", "fresh.json")


def test_each_stored_result_is_a_long_run():
    stored = Path(chapters.__file__).parent.glob("*/*.json")
    expected = {path for path in stored if path.name not in OTHERS}
    assert {each.path for each in RUNS.values()} == expected


@pytest.mark.parametrize("id", RUNS)
def test_a_run_is_whole_and_of_the_code_at_hand(id):
    assert RUNS[id].read()
    assert RUNS[id].is_fresh(), f"run {runs.COMMAND}"


@pytest.mark.parametrize("id", RUNS)
def test_a_small_one_comes_out_as_before(id):
    assert RUNS[id].stands(), f"run python -m {RUNS[id].module}"


@pytest.fixture
def copy(tmp_path):
    """A run that may be spoiled."""
    path = tmp_path / "two_balls.json"
    path.write_text(two_balls.PATH.read_text("utf-8"), "utf-8")
    return replace(two_balls.KEPT, path=path)


def _spoil(kept, **parts):
    told = json.loads(kept.path.read_text("utf-8"))
    kept.path.write_text(json.dumps(told | parts), "utf-8")


def test_a_number_that_is_changed_by_hand_is_seen(copy):
    told = copy.read()
    told["values"][0] *= 1.01
    _spoil(copy, run=told)
    with pytest.raises(StaleError, match="changed by hand"):
        copy.read()


def test_other_code_is_stale_until_the_small_run_stands(copy, capsys):
    _spoil(copy, code="that of yesterday")
    assert not copy.is_fresh()
    assert runs.renew({copy.id: copy}) == 0
    assert copy.is_fresh()
    assert capsys.readouterr().out.strip() == f"{copy.id}: as before"


def test_a_small_run_that_comes_out_otherwise_asks_for_the_long_one(copy, capsys):
    def slightly(by=1.01):
        return {"values": by * two_balls.small()["values"]}

    other = replace(copy, small=slightly)
    _spoil(other, code="that of yesterday")
    assert not other.stands()
    assert runs.renew({other.id: other}) == 1
    assert not other.is_fresh()
    assert f"run python -m {two_balls.__name__}" in capsys.readouterr().out


def test_the_command_says_nothing_where_nothing_is_stale(capsys):
    assert __main__.main(["runs"]) == 0
    assert capsys.readouterr().out == ""
