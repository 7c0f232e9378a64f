"""The experiments of the chapter on ensembles, and its figures."""

import numpy as np
import pytest

from nystheory import datasets, ensemble, kernels, lowrank, style
from nystheory.chapters.ensembles import equal_time as timed
from nystheory.chapters.ensembles import figures, pictured
from nystheory.chapters.ensembles import mixtures as experiments

K = kernels.DenseKernel(kernels.rbf(datasets.digits(120).X).dense())
DENSE = K.dense()


def _draws(seed, draws=2):
    """The experts of each draw of `over_experts`, made once more."""
    for rng in np.random.default_rng(seed).spawn(draws):
        samples = ensemble.samples(K, 4, 8, rng)
        yield samples, ensemble.experts(K, samples, 5)


@pytest.fixture(scope="module")
def errors():
    return experiments.over_experts(K, 2, [2, 4], 8, 5, seed=3)


def test_errors_are_those_of_dense_matrices(errors):
    frobenius, spectral = errors
    for draw, (samples, made) in enumerate(_draws(3)):
        dense = np.array([each.spectral_reconstruction() for each in made])
        for at, p in enumerate((2, 4)):
            joined = np.concatenate([each.indices for each in samples[:p]])
            one = lowrank.nystrom(K, joined).spectral_reconstruction()
            alone = [np.linalg.norm(DENSE - M) for M in dense[:p]]
            wanted = {
                "uniform": np.linalg.norm(DENSE - dense[:p].mean(axis=0)),
                experiments.BEST: min(alone),
                experiments.MEAN: np.mean(alone),
                experiments.ONE: np.linalg.norm(DENSE - one),
                experiments.RESCALED: min(
                    np.linalg.norm(DENSE - (M * DENSE).sum() / (M * M).sum() * M)
                    for M in dense[:p]
                ),
            }
            size = np.linalg.norm(DENSE)
            for name, value in wanted.items():
                found = frobenius.found[name][at, draw]
                assert found == pytest.approx(100 * value / size, rel=1e-6)
            size = np.linalg.norm(DENSE, 2)
            alone = [np.linalg.norm(DENSE - M, 2) for M in dense[:p]]
            wanted = {
                "uniform": np.linalg.norm(DENSE - dense[:p].mean(axis=0), 2),
                experiments.BEST: min(alone),
                experiments.MEAN: np.mean(alone),
            }
            for name, value in wanted.items():
                found = spectral.found[name][at, draw]
                assert found == pytest.approx(100 * value / size, rel=1e-3)


def test_optimal_is_optimal_in_every_draw(errors):
    found = errors[0].found
    for name in (*experiments.MIXTURES, experiments.BEST, experiments.RESCALED):
        assert (found["optimal"] <= found[name] * (1 + 1e-9)).all()
    assert set(errors[1].found) == {
        *experiments.MIXTURES,
        experiments.BEST,
        experiments.MEAN,
    }


def test_results_depend_on_the_seed_alone():
    again = experiments.over_experts(K, 2, [2, 4], 8, 5, seed=3)[0]
    other = experiments.over_experts(K, 2, [2, 4], 8, 5, seed=4)[0]
    first = experiments.over_experts(K, 2, [2, 4], 8, 5, seed=3)[0]
    for name, values in first.found.items():
        np.testing.assert_array_equal(values, again.found[name])
        assert not np.array_equal(values, other.found[name])


def test_truncated_and_validation_errors_are_those_of_dense_matrices():
    found = experiments.over_truncated(K, 2, [2, 4], 8, 5, seed=3).found
    size = np.linalg.norm(DENSE)
    for draw, (samples, made) in enumerate(_draws(3)):
        mean = np.mean([each.spectral_reconstruction() for each in made], axis=0)
        U, s, Vt = np.linalg.svd(mean)
        error = np.linalg.norm(DENSE - (U[:, :5] * s[:5]) @ Vt[:5])
        cut = found[experiments.RANK_K][1, draw]
        assert cut == pytest.approx(100 * error / size, rel=1e-6)
        joined = np.concatenate([each.indices for each in samples])
        single = lowrank.nystrom(K, joined, 5, "approximation").error(K)
        found_single = found[experiments.ONE_RANK_K][1, draw]
        assert found_single == pytest.approx(100 * single / size, rel=1e-6)
    found = experiments.over_validation(K, 2, [3, 9], 4, 8, 5).found
    assert (found["optimal"] <= found["linear"] * (1 + 1e-9)).all()
    assert (found["optimal"] <= found["ridge"] * (1 + 1e-9)).all()
    np.testing.assert_array_equal(found["uniform"][0], found["uniform"][1])


def test_leads_and_gains():
    found = {"a": np.array([[4.0, 5.0], [2.0, 3.0], [1.5, 2.5]])}
    found["b"] = found["a"] + np.array([[1.0, 1.0], [0.0, 2.0], [-1.0, -1.0]])
    errors = experiments.Errors((2, 10, 30), found)
    assert [i.estimate for i in errors.lead("a", "b")] == [1, 1, -1]
    assert errors.lead("a", "b")[0].low == 1
    assert errors.lead("a", "a", slack=0.5)[0].estimate == pytest.approx(2.25)
    assert errors.gain("a", 2, 10, 30).estimate == 1.5
    assert [i.estimate for i in errors.means("a")] == [4.5, 2.5, 2]
    assert experiments.leads({"K": errors}, "a", "b")["K"] == errors.lead("a", "b")


def test_two_experts_show_what_the_chapter_says():
    seen = pictured.two_experts()
    first, second, mean, joined = seen.missing.values()
    np.testing.assert_allclose(mean, (first + second) / 2, atol=1e-12)
    for expert in (first, second):
        assert (joined <= expert + 1e-12).all()
    for landmarks, expert in zip(seen.landmarks, (first, second), strict=True):
        assert np.abs(expert[landmarks]).max() < 1e-12


# equal time


def test_blocks_estimate_the_error_of_the_whole():
    """On every entry of K the estimate is exact, on random ones it covers."""
    made = lowrank.nystrom(K, range(20))
    F = made.factor
    truth = 100 * made.error(K) / np.linalg.norm(DENSE)
    everything = np.arange(120)
    whole = timed.Blocks([(everything, everything)] * 2, [DENSE, DENSE])
    found = whole.percent_error(lambda i, j: F[i] @ F[j].T)
    assert found.estimate == pytest.approx(truth)
    assert found.low == pytest.approx(truth, rel=1e-6)
    hits = 0
    for seed in range(50):
        blocks = timed.random_blocks(K, np.random.default_rng(seed), 20, 30)
        estimate = blocks.percent_error(lambda i, j: F[i] @ F[j].T)
        assert estimate.low <= estimate.estimate <= estimate.high
        hits += estimate.low <= truth <= estimate.high
    assert hits >= 48  # each limit is wrong with about 0.1 percent


def test_limits_of_a_quotient():
    """Fieller's limits solve the equation that defines them."""
    rng = np.random.default_rng(0)
    wrong, true = 1 + rng.random(12), 100 + 10 * rng.random(12)
    found = timed._quotient(wrong, true)
    assert found.estimate == pytest.approx(100 * np.sqrt(wrong.mean() / true.mean()))
    for limit in (found.low, found.high):
        gap = wrong - (limit / 100) ** 2 * true
        t = abs(gap.mean()) / (gap.std(ddof=1) / np.sqrt(12))
        assert t == pytest.approx(timed.scipy.stats.t.isf(timed.LEVEL, 11))
    uneven = timed._quotient(wrong, np.r_[1e6, np.ones(11)])
    assert uneven.high == np.inf and uneven.low == 0


def test_columns_that_fit_into_the_time(monkeypatch):
    """Against a clock that charges a power of the columns."""

    def charged(work):
        count = work()
        return None, 0.001 * count**power

    monkeypatch.setattr(timed, "_timed", charged)
    monkeypatch.setattr(timed, "_makers", lambda *_: {"any": lambda count: count})
    for power in (1, 2):
        trials = timed._trials(None, 50, 10)
        assert trials == {"any": (50, 0.001 * 50**power)}
        seconds = 0.001 * 200**power
        found = timed._affordable(None, trials, seconds, 10, 1000)["any"]
        assert abs(found - 200) <= 1
        assert timed._affordable(None, trials, 1e-9, 10, 1000)["any"] == 10
        assert timed._affordable(None, trials, 1e9, 10, 1000)["any"] == 1000


@pytest.fixture(scope="module")
def race():
    return timed.fixed_time(timed.patches_kernel(2000), 3, 4, 30, 20)


def test_equal_time_never_forms_K(race):
    assert race.n == 2000
    for name, found in race.errors.items():
        assert len(found) == len(race.seconds[name]) == 3
        assert all(0 < interval.estimate < 100 for interval in found)
        assert max(race.columns[name]) <= 4 * 30
    K = timed.patches_kernel(20_000)
    timed.fixed_time(K, 2, 3, 12, 10)
    assert K.entries_asked < K.n**2 / 20


def test_factors_and_table(race):
    same = race.factor("ridge", "ridge")
    assert same[:3] == (1.0, 1.0, 1.0)
    factor = race.factor(timed.MEAN, timed.BEST)
    back = race.factor(timed.BEST, timed.MEAN)
    assert factor.estimate >= 1
    assert factor.estimate * back.estimate == pytest.approx(1)
    assert factor.low * back.high == pytest.approx(1)
    page = race.table()._repr_html_()
    assert "K-means" in page and "nan" not in page


# figures


def test_what_is_drawn(errors, race):
    figure, (axes,) = style.panels(1)
    figures.draw_errors(axes, errors[0], ("uniform", "optimal"))
    assert [line.get_label() for line in axes.lines] == ["uniform", "optimal"]
    np.testing.assert_allclose(
        axes.lines[0].get_ydata(), errors[0].found["uniform"].mean(axis=1)
    )
    whole = figures.draw_all({str(i): errors[1] for i in range(4)})
    assert [panel.get_title() for panel in whole.axes] == list("0123")
    figure, (axes,) = style.panels(1)
    figures.draw_experts(axes, pictured.two_experts(50))
    assert len(axes.lines) == 6
    figure, (axes,) = style.panels(1)
    figures.draw_fixed_time(axes, race)
    assert len(axes.get_yticks()) == len(race.errors)
    assert figure._repr_mimebundle_()[0]["image/png"][:4] == b"\x89PNG"
