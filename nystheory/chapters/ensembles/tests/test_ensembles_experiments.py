"""The experiments of the chapter on ensembles, and its figures."""

import numpy as np
import pytest

from nystheory import datasets, kernels, lowrank, style
from nystheory.chapters.ensembles import equal_time as timed
from nystheory.chapters.ensembles import figures, mixtures, pictured

LAZY = kernels.rbf(datasets.digits(120).X)
K = kernels.DenseKernel(LAZY.dense())
DENSE = K.dense()
SIZE, SIZE_2 = np.linalg.norm(DENSE), np.linalg.norm(DENSE, 2)


@pytest.fixture(scope="module")
def given():
    drawn = mixtures.Drawn(K, LAZY, 8, 5)
    return mixtures.Given.of(drawn, np.random.default_rng(3), 4)


def dense(given, p):
    """The first p experts, from their definition."""
    found = []
    for S in given.columns[:p]:
        values, U = np.linalg.eigh(DENSE[np.ix_(S, S)])
        B = DENSE[:, S] @ U[:, -5:]
        found.append(B / values[-5:] @ B.T)
    return np.array(found)


def rescaled(M):
    """The error of the best multiple of a matrix."""
    return np.linalg.norm(DENSE - (M * DENSE).sum() / (M * M).sum() * M)


def projected(S):
    """The error of one approximation from columns S, of full rank."""
    C, W = DENSE[:, S], DENSE[np.ix_(S, S)]
    return np.linalg.norm(DENSE - C @ np.linalg.pinv(W, rcond=1e-13) @ C.T)


@pytest.mark.parametrize("p", [2, 4])
def test_errors_are_those_of_dense_matrices(given, p):
    made = dense(given, p)
    mean, joined = made.mean(axis=0), np.concatenate(given.columns[:p])
    values, U = np.linalg.eigh(mean)
    cut = np.linalg.norm(DENSE - (U[:, -5:] * values[-5:]) @ U[:, -5:].T)
    alone = [np.linalg.norm(DENSE - M) for M in made]
    fewer = joined[: int(np.sqrt(p) * 8)]
    wanted = {
        mixtures.weighted("uniform"): np.linalg.norm(DENSE - mean),
        mixtures.best_expert: min(alone),
        mixtures.mean_expert: np.mean(alone),
        mixtures.rescaled_mean: rescaled(mean),
        mixtures.cut_mean: cut,
        mixtures.one_sample: projected(joined),
        mixtures.fewer_columns: projected(fewer),
    }
    for run, value in wanted.items():
        found = run(given, p)["frobenius"]
        assert found == pytest.approx(100 * value / SIZE, rel=1e-4)
    alone = [np.linalg.norm(DENSE - M, 2) for M in made]
    wanted = {
        mixtures.weighted("uniform"): np.linalg.norm(DENSE - mean, 2),
        mixtures.best_expert: min(alone),
        mixtures.mean_expert: np.mean(alone),
    }
    for run, value in wanted.items():
        found = run(given, p)["spectral"]
        assert found == pytest.approx(100 * value / SIZE_2, rel=1e-3)


def test_weights_are_chosen_on_columns_of_no_expert_and_judged_on_all(given):
    assert len(given.unseen) == 120 - 4 * 8
    assert not set(given.unseen) & set(given.joined(4))
    made = dense(given, 3)
    V, H = given.unseen[:20], given.unseen[20:40]
    A = made[:, :, V].reshape(3, -1).T
    G, g = A.T @ A, A.T @ DENSE[:, V].ravel()
    ridges = 10.0 ** np.arange(-12, 0.5, 0.5) * np.trace(G) / 3
    some = [np.linalg.solve(G + x * np.eye(3), g) for x in ridges]
    left = [np.linalg.norm((DENSE - np.tensordot(mu, made, 1))[:, H]) for mu in some]
    mu = some[int(np.argmin(left))]
    error = 100 * np.linalg.norm(DENSE - np.tensordot(mu, made, 1)) / SIZE
    found = mixtures.weighted("ridge")(given, 3)["frobenius"]
    assert found == pytest.approx(error, rel=1e-4)


def test_optimal_is_optimal(given):
    least = mixtures.weighted("optimal")(given, 4)["frobenius"]
    others = [mixtures.weighted(name) for name in ("uniform", "ridge", "nonnegative")]
    others += [mixtures.best_expert, mixtures.rescaled_mean]
    for run in others:
        assert least <= run(given, 4)["frobenius"] * (1 + 1e-9)


def test_linear_regression_fits_its_columns_best(given):
    seen = given.validated(40, 46)
    linear, ridge = (mixtures.fitted(name)(given, 6) for name in ("linear", "ridge"))
    assert seen.error(linear) <= seen.error(ridge) * (1 + 1e-9)
    assert mixtures.fitted("uniform")(given, 6).tolist() == [1 / 4] * 4


def test_one_sample_has_the_work_of_the_experts(given):
    """A matrix of m columns takes n m^2 operations, the experts n p l^2."""
    for p in (1, 4):
        m = mixtures.affordable(given, p)
        assert m**2 <= p * 8**2 < (m + 1) ** 2
    assert 0 < mixtures.centroids(given, 4)["frobenius"] < 100


def test_draws_are_other_points_each_time():
    for draw in (mixtures.digits, mixtures.cells, mixtures.photographs):
        some = [draw(60, np.random.default_rng(seed)).K.dense() for seed in (0, 0, 1)]
        assert np.array_equal(some[0], some[1])
        assert not np.array_equal(some[0], some[2])
    wide, narrow = (
        mixtures.digits(60, np.random.default_rng(0), narrower=x) for x in (1.0, 4.0)
    )
    assert np.allclose(wide.K.dense() ** 4, narrow.K.dense())


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


def test_table(race):
    page = race.table()._repr_html_()
    assert "K-means" in page and "nan" not in page


# figures


def test_a_figure_of_fixed_time_is_a_picture(race):
    figure, (axes,) = style.panels(1)
    figures.draw_fixed_time(axes, race)
    assert len(axes.get_yticks()) == len(race.errors)
    assert figure._repr_mimebundle_()[0]["image/png"][:4] == b"\x89PNG"
