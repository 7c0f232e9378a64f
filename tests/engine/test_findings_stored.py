"""What was found is stored by what it came from; a run repeats one draw of each."""

import dataclasses
import json
import re
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from findings_cases import MORE, coins

import nystheory
from nystheory import __main__, chapters
from nystheory.engine.findings import command, registry, stored, used
from nystheory.engine.findings.drawing import one_draw
from nystheory.engine.findings.found import FAILED, HELD, on_data
from nystheory.engine.findings.parts import EACH, ROOT
from nystheory.engine.trial.store import file_of

EXPERIMENTS = registry.discover(chapters.__name__)
BOOK = Path(__file__).resolve().parents[2] / "book" / "md"
PACKAGE = str(Path(nystheory.__file__).parent)
THEOREM = "nystheory.engine.trial.theorem"
SHORT = "stability_of_learners:afterwards"
# Whose draws hang on rounding, and why: another processor is asked for the same
# findings, draw by draw, and not for the same numbers.
ROUNDED = {
    "a_million_points:grown": "an index learns its cells in float32",
    "a_million_points:index": "an index learns its cells in float32",
    "a_million_points:worth": "clusters of k-means, from a random start",
    "certificates_afterwards:rounding": "digits that rounding leaves are measured",
    "certificates_afterwards:sizes": "what is missed is near the rounding of K",
    "coherence:coherent": "singular vectors of values that nearly agree",
    "newton_with_few_columns:forms": "a form that diverges multiplies what is rounded",
    "newton_with_few_columns:shorter": "short steps of a form that diverges, too",
    "ridge_and_preconditioning:solves": "steps are counted until a tolerance is met",
    "solving_with_few_columns:conditions": "steps, until a tolerance is met",
    "solving_with_few_columns:race": "steps, until a tolerance is met",
    "stability_of_learners:graph-moves": "a bound over a change near rounding",
    "what_to_use:rare-group": "a promise of what is missed, near rounding",
}
# The words of numbers between 0 and 1; percentages have a unit.
SHARE = re.compile("share|cosine|correlation")


# ---- gates ----


@pytest.mark.parametrize("id", EXPERIMENTS)
def test_what_is_stored_came_out_as_the_page_says(id):
    """An error that names the command, if it is stale."""
    assert EXPERIMENTS[id].found().complaints() == []


@pytest.mark.parametrize("id", EXPERIMENTS)
def test_one_draw_is_repeated(id):
    """Which one follows from the code: another change, another draw."""
    experiment = EXPERIMENTS[id]
    chance = zlib.crc32(stored.contents(experiment).encode())
    data = sorted(experiment.data)[chance % len(experiment.data)]
    number = chance % experiment.draws
    again = one_draw(experiment, data, number)[0]
    kept = stored.draws_of(experiment)[data][number]
    if id in ROUNDED:
        assert truths(experiment, data, again) == truths(experiment, data, kept)
    else:
        assert apart(again, kept) == []


def truths(experiment, data, draw):
    """Which findings hold in one draw, which stands twice: an interval wants two."""
    return {
        name: on_data(experiment, each, each.line, data, {data: [draw, draw]}).holds
        for name, each in experiment.findings.items()
        if each.scope == EACH
    }


def apart(again, kept):
    """The fields in which two draws differ."""
    return [
        f"{field}({name})"
        for name, fields in again.items()
        for field, values in fields.items()
        if not stored.same({field: kept[name][field]}, {field: values})
    ]


@pytest.mark.parametrize("id", EXPERIMENTS)
def test_the_page_prints_what_was_found(id):
    """From the object, below what it speaks of."""
    experiment = EXPERIMENTS[id]
    module = __import__(stored.module_of(experiment), fromlist=["*"])
    names = [name for name, each in vars(module).items() if each is experiment]
    text = (BOOK / f"{experiment.chapter}.md").read_text("utf-8")
    assert any(f"findings.{name}.found()" in text for name in names)


@pytest.mark.parametrize("chapter", sorted({e.chapter for e in EXPERIMENTS.values()}))
def test_a_chapter_stores_its_own_experiments(chapter):
    own = [e for e in EXPERIMENTS.values() if e.chapter == chapter]
    path = file_of(stored.module_of(own[0])).with_name(stored.FILE)
    entries = json.loads(path.read_text("utf-8"))
    assert set(entries) == {e.id for e in own}
    assert path.read_text("utf-8") == stored._written(entries)


# ---- controls that could hold ----


def shares(experiment, draws):
    """The fields that are shares, with their largest value.

    A percentage that leaves 0 to 100 in some draw is none.
    """
    found = {}
    drawn = [each for some in draws.values() for one in some for each in one.values()]
    for name, field in experiment.measured.items():
        most = 100.0 if field.unit.startswith("%") else 1.0
        values = [x for each in drawn for x in each.get(name, ())]
        worded = most == 100.0 or SHARE.search(field.label)
        if worded and min(values) >= 0 and max(values) <= most:
            found[name] = most
    return found


def could_hold(experiment, finding, data, draws):
    """Whether its control holds there, with its first number as good as it can be.

    The other numbers stay as they were drawn.  A first number that is no share has no
    limit.
    """
    first = re.match(r"(\w+)\((\w+)\)", finding.control)
    field, competitor = first.groups() if first else ("", "")
    most = shares(experiment, draws).get(field)
    if most is None:
        return True
    for end in (0.0, most):
        moved = [
            {**draw, competitor: {**draw[competitor], field: (end,)}}
            for draw in draws[data]
        ]
        line = finding.control
        if on_data(experiment, finding, line, data, {data: moved}).outcome == HELD:
            return True
    return False


@pytest.mark.parametrize("id", EXPERIMENTS)
def test_a_control_fails_where_it_could_hold(id):
    """Else it asks for an accuracy above 100 percent, and proves nothing."""
    experiment, draws = EXPERIMENTS[id], stored.draws_of(EXPERIMENTS[id])
    for name, result in experiment.found().items():
        failed = [data for data, told in result.control.items() if told == FAILED]
        assert any(
            could_hold(experiment, result.finding, data, draws) for data in failed
        ), f"{name}: {result.finding.control} on {failed}"


@pytest.mark.parametrize(("more", "could"), [("+ 2", True), ("+ 9", False)])
def test_a_control_that_cannot_hold_is_seen(more, could):
    """Planted: more than 100 percent, beside a number that was drawn."""
    experiment = EXPERIMENTS["pivots_and_volumes:schemes"]
    finding = dataclasses.replace(experiment.findings["dpp"], but={"- 5": more})
    draws = stored.draws_of(experiment)
    assert could_hold(experiment, finding, "linear patches", draws) is could


# ---- a stale store, planted ----


def test_a_stale_store_is_an_error_that_names_the_command(monkeypatch):
    monkeypatch.setattr(stored, "code", lambda module: f"another {module}")
    with pytest.raises(stored.StaleError, match=f"{stored.COMMAND} {SHORT}"):
        EXPERIMENTS[SHORT].found()
    assert not stored.is_fresh(EXPERIMENTS[SHORT])


@pytest.mark.parametrize(
    ("module", "counts"),
    [
        ("nystheory.chapters.stability_of_learners.findings", True),
        ("nystheory.chapters.stability_of_learners.experiments", True),
        ("nystheory.chapters.stability_of_learners.theorems.ridge_stability", True),
        ("nystheory.sampling._pivoted", True),
        ("nystheory.engine.findings.drawing", True),
        ("nystheory.engine.findings.found", False),
        ("nystheory.chapters.stability_of_learners.figures", False),
        ("nystheory.chapters.manifolds.experiments", False),
    ],
)
def test_the_key_is_that_of_what_measures(module, counts, monkeypatch):
    """The theorems whose bounds are drawn are among it; what shows it is not."""
    before, honest = stored.contents(EXPERIMENTS[SHORT]), stored.code
    monkeypatch.setattr(
        stored, "code", lambda name: "changed" if name == module else honest(name)
    )
    assert (stored.contents(EXPERIMENTS[SHORT]) != before) is counts


def called(experiment):
    """The modules of the package whose functions one draw calls."""
    files = set()

    def note(frame, event, _):
        if event == "call":
            files.add(frame.f_code.co_filename)

    data = min(experiment.data)
    sys.setprofile(note)
    try:
        one_draw(experiment, data, 0)
    finally:
        sys.setprofile(None)
    inside = (Path(file).relative_to(PACKAGE) for file in files if PACKAGE in file)
    return {".".join(("nystheory", *path.with_suffix("").parts)) for path in inside}


def cheapest():
    """Of each chapter the experiment with the shortest draw."""
    seconds = {id: sum(stored.seconds_of(e).values()) for id, e in EXPERIMENTS.items()}
    chapters = {e.chapter for e in EXPERIMENTS.values()}
    return [
        min((id for id in EXPERIMENTS if id.startswith(f"{each}:")), key=seconds.get)
        for each in sorted(chapters)
    ]


@pytest.mark.parametrize("id", cheapest())
def test_what_a_draw_calls_is_in_its_key(id):
    """Else a change there would leave stale draws in the book."""
    module = stored.module_of(EXPERIMENTS[id])
    stated = stored._stated(module.rpartition(".")[0], stored.imported(module))
    found = {name.removesuffix(".__init__") for name in called(EXPERIMENTS[id])}
    assert found <= {*used.used(module, stated), *used.READERS}


def test_a_name_that_a_folder_passes_on_leads_to_its_module():
    assert used._defined("nystheory.engine", "Theorem") == THEOREM
    assert used._defined("nystheory", "sampling") == "nystheory.sampling"
    assert used._defined(THEOREM, "Theorem") == THEOREM
    found = used.followed("nystheory.engine.findings.drawing")
    assert "nystheory.engine" not in found


def test_what_was_changed_by_hand_is_seen():
    """Planted: a stored number that no draw has."""
    experiment = EXPERIMENTS[SHORT]
    kept = stored.draws_of(experiment)["patients"][0]
    again = one_draw(experiment, "patients", 0)[0]
    kept["norm"]["bound"] = (1.1 * kept["norm"]["bound"][0],)
    assert apart(again, kept) == ["bound(norm)"]


def test_an_experiment_of_no_chapter_is_not_stored():
    with pytest.raises(LookupError, match="stands in no chapter"):
        coins().found()


def test_storing_twice_gives_the_same_file(tmp_path, monkeypatch):
    """With its seconds, too, as long as the draws are the same."""
    path = tmp_path / stored.FILE
    monkeypatch.setattr(stored, "_path", lambda experiment: path)
    texts = []
    for _ in range(2):
        stored.keep(EXPERIMENTS[SHORT])
        texts.append(path.read_text("utf-8"))
    assert texts[0] == texts[1] and f'"{SHORT}"' in texts[0]
    assert EXPERIMENTS[SHORT].found()


def test_what_other_processors_round_is_not_stored_anew(tmp_path, monkeypatch):
    """Planted: draws apart by less, and by more, than the test of draws allows."""
    path = tmp_path / stored.FILE
    monkeypatch.setattr(stored, "_path", lambda experiment: path)
    stored.keep(EXPERIMENTS[SHORT])
    kept, honest = path.read_text("utf-8"), stored.drawn
    for factor, same in ((1 + 1e-5, True), (1.01, False)):

        def rounded(experiment, by=factor, **options):
            found, seconds = honest(experiment, **options)
            for draw in found["patients"]:
                draw["norm"]["bound"] = (by * draw["norm"]["bound"][0],)
            return found, seconds

        monkeypatch.setattr(stored, "drawn", rounded)
        stored.keep(EXPERIMENTS[SHORT])
        assert (path.read_text("utf-8") == kept) is same


# ---- the registry ----


def test_an_id_means_an_experiment_a_finding_or_a_chapter():
    assert [e.id for e in registry.chosen(EXPERIMENTS, SHORT)] == [SHORT]
    assert [e.id for e in registry.chosen(EXPERIMENTS, f"{SHORT}/norm")] == [SHORT]
    several = registry.chosen(EXPERIMENTS, "what_to_use")
    assert len(several) > 1 and {e.chapter for e in several} == {"what_to_use"}


@pytest.mark.parametrize("module", ["nystheory.chapters.elsewhere.findings"])
def test_an_id_begins_with_its_chapter(module):
    with pytest.raises(ValueError, match="begins with its chapter"):
        registry._enter({}, EXPERIMENTS[SHORT], module)
    with pytest.raises(ValueError, match="one experiment of this id"):
        registry._enter(
            dict(EXPERIMENTS), EXPERIMENTS[SHORT], stored.module_of(EXPERIMENTS[SHORT])
        )


# ---- the command ----


def test_the_command_prints_rows(capsys, monkeypatch):
    monkeypatch.setattr(stored, "keep", lambda *_: pytest.fail("nothing is stale"))
    assert __main__.main(["findings", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [*rows[0]] == [
        *("id", "chapter", "finding", "scope", "draws", "held", "data"),
        *("outcome", "controls"),
    ]
    assert {row["outcome"] for row in rows} == {"held", "open"}
    assert all(set(row["controls"].values()) == {"failed"} for row in rows)


def test_fresh_draws_are_others_and_are_not_stored(capsys, monkeypatch):
    monkeypatch.setattr(stored, "keep", lambda *_: pytest.fail("stored"))
    assert __main__.main(["findings", SHORT, "--fresh", "1"]) == 0
    told = capsys.readouterr().out
    assert "1 of 1 as the pages say" in told
    fresh, kept = EXPERIMENTS[SHORT].tried(ROOT + 1), EXPERIMENTS[SHORT].found()
    both = (each.measured("bound", "norm", "patients") for each in (fresh, kept))
    assert not np.array_equal(*both)


def test_the_command_says_what_it_does_not_know(capsys):
    assert __main__.main(["findings", "what_to_eat:few-columns"]) == 2
    assert "did you mean what_to_use:few-columns" in capsys.readouterr().err


def test_the_command_is_red_when_a_finding_falls(capsys):
    planted = dataclasses.replace(MORE, expected="open")
    found = coins(findings={"more": planted}).tried()
    assert command._told([found], as_json=False) == 1
    assert "NOT AS THE PAGE SAYS" in capsys.readouterr().out
