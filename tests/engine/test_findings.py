"""A finding is held to other draws and data, its competitors are tuned alike."""

import dataclasses
import json

import numpy as np
import pytest
from findings_cases import COINS, MORE, coins, guesses, throws, values

from nystheory import style
from nystheory.engine.findings import (
    MEAN,
    Choice,
    Competitor,
    Data,
    Field,
    Finding,
    Series,
)
from nystheory.engine.findings.drawing import one_draw
from nystheory.engine.findings.fields import plot, strays
from nystheory.engine.findings.parts import ROOT

# ---- lines ----


def test_words_and_formula_are_made_from_the_line():
    reads = coins().reads
    line = reads("heads(bent) >= 1.5 * heads(fair)")
    assert line.words == (
        "the number of heads of a bent coin is at least 1.5 times that of a fair coin"
    )
    assert r"\ge 1.5" in line.latex
    assert reads("heads(bent) < 40").words.endswith("is less than 40")
    assert reads("heads(bent) + heads(fair) < 40").words.startswith("$")
    other = reads("heads(bent) <= heads(fair)")
    assert "at most that of a fair coin" in other.words


@pytest.mark.parametrize(
    "line",
    [
        "tails(bent) > heads(fair)",
        "heads(other) > 1",
        "heads > 1",
        "heads(bent) = 1",
        "heads(bent, fair) > 1",
        "import os",
    ],
)
def test_a_line_speaks_of_what_is_measured(line):
    with pytest.raises(ValueError, match="line: expected|named|line"):
        coins(findings={"none": Finding(line, but_on="1000 times", on=("100 times",))})


def test_a_line_is_read_as_it_is_written():
    line = coins().reads("heads(bent) > 2 * heads(fair)")
    assert line.truth({"heads__bent": 5, "heads__fair": 2}) is True
    assert line.truth({"heads__bent": 4, "heads__fair": 2}) is False
    assert line.truth({"heads__bent": np.nan, "heads__fair": 2}) is None
    assert line.sides({"heads__bent": 5, "heads__fair": 2}) == (4, 5)


# ---- outcomes ----


def test_what_is_so_on_each_draw_is_held_and_its_control_falls():
    found = coins().tried()
    assert found and found["more"].outcome == "held" and found["more"].control_failed
    assert found["more"].often == "in all 10 draws on 100 times and 1000 times"
    assert found["more"].row() | {"data": 0} == {
        "id": "nowhere:coins/more",
        "chapter": "nowhere",
        "finding": "heads(bent) > heads(fair)",
        "scope": "in each draw, on each of the data sets",
        "draws": 20,
        "held": 20,
        "data": 0,
        "outcome": "held",
        "controls": {"heads(bent) > 3 * heads(fair)": "failed"},
    }


def test_a_finding_of_the_page_alone_falls_beyond_it():
    """Planted: on the page's data the line is so, elsewhere it is not."""
    planted = coins(
        beyond={"once": Data(throws, 1)},
        findings={"more": Finding("heads(bent) > 60", but={"60": "100"})},
    )
    found = planted.tried()
    assert not found and found["more"].outcome == "failed"
    assert found["more"].on("100 times").outcome == "held"
    assert found["more"].often == "in all 10 draws on 100 times; it failed on once"
    assert "expected held, got failed" in found.complaints()[0]


def test_a_finding_of_one_draw_falls_on_the_others():
    """Planted: a line that is so on the first draw, and was never tried on others."""
    first = one_draw(coins(), "100 times", 0)[0]
    seen = first["fair"]["heads"][0]
    planted = coins(
        findings={"as seen": Finding(f"heads(fair) == {seen}", but={"==": "<"})}
    )
    result = planted.tried()["as seen"]
    assert result.on("100 times").holds[0] is True
    assert result.outcome == "failed" and result.on("100 times").count < 10


def test_a_finding_on_these_data_only_is_tried_on_the_others_too():
    here = Finding("heads(bent) > 60", on=("100 times",), but={"60": "100"})
    once = {"once": Data(throws, 1)}
    result = coins(findings={"many": here}, beyond=once).tried()["many"]
    assert result.outcome == "held" and result.on("once").outcome == "failed"
    assert result.often == "in all 10 draws on 100 times; it failed on once"
    assert "on these data only: 100 times" in result.scope


def test_a_mean_is_decided_by_its_interval_and_may_be_open():
    def mean(line, **more):
        finding = Finding(line, MEAN, but={"heads(fair)": "3 * heads(fair)"}, **more)
        return coins(findings={"mean": finding}).tried()["mean"]

    assert mean("heads(bent) >= heads(fair)").outcome == "held"
    assert mean("heads(bent) <= heads(fair)").outcome == "failed"
    drawn = COINS | {"twin": Competitor("another fair coin", 0.5)}

    def independent(trial):
        rng = np.random.default_rng([trial.known, int(1000 * trial.rng.random())])
        bias = 3 if trial.run == 0.9 else trial.run
        return {"heads": rng.normal(bias, 1)}

    del drawn["fair"]
    even = Finding("heads(twin) >= 0.5", MEAN, but={"0.5": "5"}, expected="open")
    result = coins(
        competitors=drawn, measure=independent, findings={"even": even}
    ).tried()["even"]
    assert result.outcome == "open" and result.good and "open on" in result.often
    low, high = result.on("100 times").margin[1:3]
    assert low < 0 < high


def test_what_cannot_be_told_is_open():
    def blind(trial):
        return {"heads": np.nan}

    result = coins(measure=blind).tried()["more"]
    assert result.outcome == "open" and not result.good


def test_a_control_that_does_not_fall_is_red():
    planted = coins(findings={"more": dataclasses.replace(MORE, but={">": ">="})})
    found = planted.tried()
    assert found["more"].outcome == "held" and not found
    assert "its control does not fail" in found.complaints()[0]
    html = found._repr_html_()
    assert "nys-bad" in html


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "one thing changed"),
        ({"but": {"60": "40"}, "but_on": "once"}, "one thing changed"),
        ({"but": {"60": "0"}}, "a number near 60"),
        ({"but": {"60": "601"}}, "a number near 60"),
        ({"but": {"70": "60"}}, "once in"),
        ({"but": {"heads": "tails"}, "scope": "often"}, "scope"),
        ({"but": {"60": "40"}, "expected": "failed"}, "expected"),
    ],
)
def test_a_finding_has_one_control_that_is_near(changes, words):
    with pytest.raises(ValueError, match=words):
        Finding("heads(bent) > 60", **changes)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"draws": 9}, "at least 10"),
        ({"beyond": {}}, "data that the page does not show"),
        ({"settings": (1, 2)}, "along"),
        ({"findings": {"x": dataclasses.replace(MORE, on=("never",))}}, "name data"),
        (
            {"findings": {"x": Finding(MORE.line, but_on="100 times")}},
            "`but_on` others",
        ),
        (
            {"findings": {"x": Finding("heads(bent) == 1", MEAN, but={"1": "2"})}},
            "a mean is compared",
        ),
    ],
)
def test_an_experiment_is_tried_enough(changes, words):
    with pytest.raises(ValueError, match=words):
        coins(**changes)


# ---- settings ----


def test_a_finding_speaks_of_the_settings_that_it_names():
    def grows(trial):
        return {"heads": trial.run * np.array([1.0, 10.0, 100.0])}

    sizes = Field("size", "throws")
    some = {"along": sizes, "settings": (10, 100, 1000), "measure": grows}

    def outcome(when):
        finding = Finding("heads(bent) > 5", when=when, but={"5": "50"})
        return coins(findings={"x": finding}, **some).tried()["x"].outcome

    assert outcome("") == "failed" and outcome("size >= 100") == "held"
    with pytest.raises(ValueError, match="no setting"):
        outcome("size > 1000")
    with pytest.raises(ValueError, match="one for each setting, of heads of fair"):
        coins(measure=grows).tried()


# ---- what is chosen ----


def test_what_is_chosen_is_chosen_by_one_rule_for_each():
    found = guesses().tried()
    assert set(values(found, "factor", "once")) == {4.0}
    assert set(values(found, "factor", "twice")) == {2.0}


def test_competitors_that_are_tuned_unalike_are_refused():
    """Planted: a rule for one and another rule for the other."""
    rule = guesses().choose
    with pytest.raises(ValueError, match="one Choice, the same for each"):
        guesses(choose={"once": rule, "twice": rule})


def test_a_borrowed_choice_is_said():
    """Planted: one takes what was chosen for another, and does not say so."""
    once = Competitor("once", 1.0)
    silent = Competitor("twice", 2.0, chosen_for="once")
    with pytest.raises(ValueError, match="to say that it takes"):
        guesses({"once": once, "twice": silent})
    said = dataclasses.replace(silent, label="twice, with the factor of once")
    found = guesses({"once": once, "twice": said}).tried()
    assert set(values(found, "factor", "twice")) == {4.0}
    with pytest.raises(ValueError, match="takes what nobody has chosen"):
        guesses({"once": once, "twice": said}, choose=None)


def test_a_rule_never_sees_the_test():
    seen = []

    def watching(run, value, known):
        seen.append(known)
        return 0.0

    usual = guesses().choose
    rule = Choice(usual.what, usual.rule, usual.values, watching)
    judged = []

    def split(drawn, rng):
        judged.append(drawn[1::2])
        return drawn[::2], drawn[1::2]

    one_draw(guesses(choose=rule, prepare=split), "near 4", 0)
    assert seen and not np.isin(np.concatenate(seen), judged[0]).any()


# ---- draws ----


def test_a_draw_depends_on_nothing_beside_it():
    more = {"another": MORE, "more": MORE}
    other = coins(findings=more, beyond={"7 times": Data(throws, 7)}, competitors=COINS)
    for number in (0, 3):
        first, again = (one_draw(x, "100 times", number)[0] for x in (coins(), other))
        assert first == again
    assert one_draw(coins(), "100 times", 0)[0] != one_draw(coins(), "100 times", 1)[0]
    stored, fresh = (
        [one_draw(coins(), "100 times", number, root)[0] for number in range(5)]
        for root in (ROOT, 7)
    )
    assert stored != fresh


def test_competitors_see_the_same_numbers():
    twins = {"bent": Competitor("a coin", 0.4), "fair": Competitor("its twin", 0.4)}
    drawn = one_draw(coins(competitors=twins), "100 times", 5)[0]
    assert drawn["bent"] == drawn["fair"]


def test_only_fields_are_measured():
    with pytest.raises(ValueError, match="measure: expected"):
        coins(measure=lambda trial: {"tails": 1.0}).tried()


# ---- pages ----


def test_the_page_shows_what_was_found_and_unfolds_to_the_draws():
    found = coins().tried()
    html, words = found._repr_html_(), repr(found)
    assert "in all 10 draws on 100 times and 1000 times" in html and "<details>" in html
    assert "1000 times (not on the page)" in html and "control" in html
    assert "held: The number of heads of a bent coin is more than" in words
    assert json.dumps(found["more"].row())
    with pytest.raises(KeyError, match="expected more"):
        found["less"]


# ---- figures ----


def drawn_panel():
    columns, error = Field("columns", "columns"), Field("error", "error", "%", "norm")
    some = [Series(error, [3, 2], "pivots"), Series(error, [4, 3], "uniform")]
    _, (axes,) = style.panels(1)
    for each in some:
        plot(axes, Series(columns, [1, 2]), each, ("blue", "", "-"))
    return axes, columns, some


def test_a_figure_has_label_unit_and_norm_from_its_field():
    axes, columns, some = drawn_panel()
    assert axes.get_ylabel() == "error, norm, %" and strays(axes, columns, some) == []


@pytest.mark.parametrize(
    ("plant", "words"),
    [
        (lambda axes: axes.set_ylabel("error, Frobenius norm"), "is no label of"),
        (lambda axes: axes.set_xlabel("points"), "is no label of"),
        (lambda axes: axes.lines[0].set_label("mean"), "no curve has this label"),
        (lambda axes: axes.lines[0].set_ydata([1.5, 1]), "another one"),
    ],
)
def test_a_label_that_is_not_the_fields_is_seen(plant, words):
    axes, columns, some = drawn_panel()
    plant(axes)
    assert any(words in told for told in strays(axes, columns, some))


def test_legends_that_are_swapped_are_seen():
    axes, columns, some = drawn_panel()
    for line, label in zip(axes.lines, ("uniform", "pivots"), strict=True):
        line.set_label(label)
    assert len(strays(axes, columns, some)) == 2


def test_an_axis_has_one_field():
    axes, columns, _ = drawn_panel()
    other = Series(Field("time", "time", "s"), [1, 2], "pivots")
    with pytest.raises(ValueError, match="axis: expected"):
        plot(axes, Series(columns, [1, 2]), other, ("blue", "", "-"))
