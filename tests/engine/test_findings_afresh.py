"""What came of findings on unseen seeds is kept, and belongs to what was drawn."""

import copy
import json

import pytest

from nystheory import __main__, chapters
from nystheory.engine.findings import afresh, registry, stored

EXPERIMENTS = registry.discover(chapters.__name__)
SHORT = EXPERIMENTS["stability_of_learners:afterwards"]
SEED = "7"


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A file of its own in place of that of the chapter."""
    path = tmp_path / afresh.FILE
    monkeypatch.setattr(afresh, "_path", lambda experiment: path)
    return path


def entry(path):
    return json.loads(path.read_text("utf-8"))[SHORT.id]


@pytest.mark.parametrize("id", EXPERIMENTS)
def test_no_finding_of_the_book_fell_on_unseen_seeds(id):
    """Who sees one fall narrows it or takes it back, and has it judged again."""
    outcomes = afresh.outcomes(EXPERIMENTS[id])
    assert [name for name, came in outcomes.items() if not all(came)] == []


def test_what_was_judged_is_not_judged_again(path, capsys, monkeypatch):
    assert afresh.wanting(SHORT, 2) == 2
    assert __main__.main(["findings", SHORT.id, "--fresh", "2", "--store"]) == 0
    assert "1 of 1 as the pages say, on 2 seeds each" in capsys.readouterr().out
    (came,) = entry(path)["came"].values()
    assert len(came) == 2 and all(came.values())
    monkeypatch.setattr(type(SHORT), "tried", lambda *_: pytest.fail("drawn again"))
    assert __main__.main(["findings", SHORT.id, "--fresh", "2", "--store"]) == 0


def test_to_keep_what_came_needs_unseen_seeds(capsys, monkeypatch):
    """Without them everything stale would be drawn, and nothing be kept."""
    monkeypatch.setattr(__main__.command, "run", lambda *_: pytest.fail("drawn"))
    assert __main__.main(["findings", SHORT.id, "--store"]) == 2
    assert "--store: expected --fresh N" in capsys.readouterr().err


def test_a_finding_that_fell_once_is_told_until_it_is_changed(path, monkeypatch):
    """Planted: one seed of three on which it did not come out."""
    afresh.keep(SHORT, 1)
    entries = json.loads(path.read_text("utf-8"))
    (came,) = entries[SHORT.id]["came"].values()
    came |= {SEED: False, "8": True}
    path.write_text(json.dumps(entries), "utf-8")
    counted = afresh.count([SHORT], 3)
    assert (counted.findings, counted.judged, counted.good) == (1, 1, 0)
    assert counted.fell == [f"{SHORT.id}/norm"] and afresh.wanting(SHORT, 3) == 0
    monkeypatch.setattr(afresh, "claimed", lambda finding: "another line")
    assert afresh.count([SHORT], 3).judged == 0 and afresh.wanting(SHORT, 3) == 3


def test_of_other_draws_nothing_was_judged(path, monkeypatch):
    afresh.keep(SHORT, 1)
    assert afresh.count([SHORT], 1).judged == 1
    monkeypatch.setattr(afresh, "digest", lambda experiment: "other draws")
    assert afresh.count([SHORT], 1).judged == 0
    afresh.keep(SHORT, 1)
    assert entry(path)["draws"] == "other draws"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("line", "bound(norm) < 2 * moved(norm)"),
        ("scope", "the mean over draws"),
        ("on", ("patients",)),
        ("when", "points > 3"),
        ("but", {"bound": "moved"}),
        ("expected", "open"),
    ],
)
def test_all_that_a_finding_claims_is_in_its_key(field, value):
    before = SHORT.findings["norm"]
    changed = copy.copy(before)
    object.__setattr__(changed, field, value)
    assert afresh.claimed(changed) != afresh.claimed(before)


def test_the_digest_is_that_of_the_stored_draws(monkeypatch):
    before = stored.digest(SHORT)
    kept = stored._entry(SHORT)
    monkeypatch.setattr(stored, "_entry", lambda _: kept | {"key": "another"})
    assert stored.digest(SHORT) == before
    monkeypatch.setattr(stored, "_entry", lambda _: kept | {"drawn": {}})
    assert stored.digest(SHORT) != before


def test_the_cheapest_is_judged_first(monkeypatch):
    some = [*EXPERIMENTS.values()][:3]
    seconds = {each.id: {"run": 3.0 - place} for place, each in enumerate(some)}
    monkeypatch.setattr(afresh, "seconds_of", lambda each: seconds[each.id])
    monkeypatch.setattr(afresh, "_times", lambda each: 1)
    assert afresh.in_order_of_cost(some) == some[::-1]
