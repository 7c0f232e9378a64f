"""The experiments in small, by a second route, and the figure read back."""

import numpy as np
import pytest

from nystheory import kernels, lowrank, style
from nystheory.chapters.error_bounds import figures, findings, voices
from nystheory.engine.findings import Series, Trial
from nystheory.engine.findings.fields import strays

ALL = [findings.VOICES, findings.LOST, findings.WHERE]
SIZE = 240


def matrix():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((SIZE, SIZE)) * 0.95 ** np.arange(SIZE)
    return kernels.DenseKernel(X @ X.T)


def approximated(K, order, rank=None):
    """The approximation as a matrix."""
    F = lowrank.nystrom(K, order, rank).factor
    return F @ F.T


def measured(experiment, K):
    known, judged = experiment.prepare(K, np.random.default_rng(2))
    return known, {
        name: experiment.measure(
            Trial(each.run, known, judged, None, np.random.default_rng(3))
        )
        for name, each in experiment.competitors.items()
    }


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_findings_are_of_ten_draws_and_more_data_than_the_page_shows(experiment):
    assert experiment.draws >= 10 and experiment.beyond
    assert experiment.found().complaints() == []


@pytest.mark.parametrize("make", [*findings.SHOWN.values(), *findings.BEYOND.values()])
def test_every_draw_is_another_matrix(make):
    one, other = (make.draw(60, np.random.default_rng(seed)).dense() for seed in (0, 1))
    assert one.shape == (60, 60) and not np.allclose(one, other)
    assert np.linalg.eigvalsh(one)[0] > -1e-6 * np.linalg.norm(one)


def test_what_is_said_is_of_the_same_sample():
    """Errors from the approximation itself, not from one decomposition for all."""
    K = matrix()
    seen, found = measured(findings.VOICES, K)
    size = np.linalg.norm(K.dense())
    for at, count in enumerate(voices.COUNTS):
        left = K.dense() - approximated(K, seen.order[:count])
        error, trace = np.linalg.norm(left), np.trace(left)
        assert found["observed"]["said"][at] == pytest.approx(100 * error / size)
        assert found["certificate"]["said"][at] == pytest.approx(100 * trace / size)
        assert found["certificate"]["missed"][at] == pytest.approx((trace / error) ** 2)
    said = np.array(found["observed"]["said"])
    assert (said <= found["proved"]["said"]).all()
    assert (said <= found["certificate"]["said"]).all()


def test_columns_are_counted_until_the_error_is_small():
    K = matrix()
    seen, found = measured(findings.VOICES, K)
    size = np.linalg.norm(K.dense())
    count = round(found["observed"]["asked"] * SIZE / 100)
    few, enough = (
        np.linalg.norm(K.dense() - approximated(K, seen.order[:m]))
        for m in (count - 1, count)
    )
    assert enough <= voices.SMALL * size < few
    assert found["observed"]["asked"] <= found["certificate"]["asked"]
    assert "asked" not in found["left"]


def test_leaving_one_out_is_the_mean_of_smaller_samples():
    """From its definition: each column is left out and predicted by the rest."""
    K, count = matrix(), 25
    seen, _ = voices.growing(K, np.random.default_rng(2))
    drawn, squares = seen.order[:count], []
    for out in range(count):
        rest = np.delete(drawn, out)
        left = K.dense() - approximated(K, rest)
        squares.append(np.sum(left[:, drawn[out]] ** 2))
    # Of the n - l + 1 columns that are not zero, one is drawn.
    told = np.sqrt((SIZE - count + 1) * np.mean(squares))
    assert voices.left_out(seen, count) == pytest.approx(told, rel=1e-6)


def test_the_steps_lie_between_the_error_and_the_print():
    K = matrix()
    (_, _, order), found = measured(findings.LOST, K)
    values = np.linalg.eigvalsh(K.dense())[::-1]
    for at, count in enumerate(voices.CUT_COUNTS):
        made = approximated(K, order[:count], 25)
        left = np.linalg.eigvalsh(K.dense() - made)[-1]
        told = 100 * (left - values[25]) / values[0]
        excess = {name: found[name]["excess"][at] for name in found if name != "best"}
        assert excess["observed"] == pytest.approx(told, rel=1e-3)
        assert excess["observed"] <= excess["lemma"]
        assert excess["proved"] < excess["printed"]
    best = 100 * np.linalg.norm(values[25:]) / np.linalg.norm(values)
    assert found["best"]["error"] == pytest.approx([best] * len(voices.CUT_COUNTS))


def test_the_lemma_is_the_distance_of_two_covariances():
    K = matrix()
    values, V = np.linalg.eigh(K.dense())
    X = np.sqrt(np.maximum(values, 0))[:, None] * V.T
    (_, _, order), found = measured(findings.LOST, K)
    for at, count in enumerate(voices.CUT_COUNTS):
        Z = np.sqrt(SIZE / count) * X[:, order[:count]]
        far = np.linalg.norm(X @ X.T - Z @ Z.T)
        told = 100 * np.sqrt(2) * far / values[-1]
        assert found["lemma"]["excess"][at] == pytest.approx(told)


def test_shares_are_of_the_whole():
    _, found = measured(findings.WHERE, matrix())
    assert sum(each["share"] for each in found.values()) == pytest.approx(100)


def test_the_figure_shows_medians_of_what_was_measured():
    found, data = findings.VOICES.found(), [*findings.SHOWN]
    _, panels = style.panels(len(data))
    figures.draw_afterwards(panels, found, data)
    for axes, name in zip(panels, data, strict=True):
        drawn = [
            Series(
                findings.SAID,
                np.median(found.measured("said", voice, name), axis=0),
                findings.VOICES.competitors[voice].label,
            )
            for voice in figures.VOICES
        ]
        assert strays(axes, findings.COLUMNS, drawn) == []
