"""What the experiments of the chapter measure, by other formulas."""

import numpy as np
import pytest
from scipy.integrate import quad
from sklearn.svm import LinearSVC

from nystheory import sampling
from nystheory.chapters.random_subspaces import experiments, points
from nystheory.chapters.random_subspaces.circle import (
    GRID,
    Circle,
    Geometric,
    Power,
    eigenvalues,
)
from nystheory.chapters.random_subspaces.experiments import (
    LAMBDAS,
    Groups,
    Sample,
)
from nystheory.engine.findings.held_out import Points
from nystheory.kernels import DenseKernel
from nystheory.learners import KernelRidge

DECAYS = [Power(2), Power(4), Geometric(0.8)]
LOSSES = {
    "hinge": lambda y, a: np.maximum(0, 1 - y * a),
    "square": lambda y, a: (y - a) ** 2,
    "wrong": lambda y, a: 1.0 * (y * a < 0),
}


def rng(seed=0):
    return np.random.default_rng(seed)


# ---- the population ----


@pytest.mark.parametrize("decay", DECAYS)
def test_the_kernel_is_the_series_of_its_coefficients(decay):
    t, j = rng().random(20), np.arange(20_000)
    c = decay.coefficients(len(j)) * np.where(j, 2, 1)
    assert decay.profile(t) == pytest.approx(np.cos(2 * np.pi * np.outer(t, j)) @ c)
    assert decay.profile(np.zeros(1)) == pytest.approx(1)


@pytest.mark.parametrize("decay", DECAYS)
def test_eigenvalues_of_even_points_are_the_coefficients(decay):
    c = decay.coefficients(20)
    wanted = np.sort(np.concatenate([c, c[1:]]))[::-1][:30]
    assert eigenvalues(Circle(decay))[:30] == pytest.approx(wanted, abs=5e-6)


@pytest.mark.parametrize("decay", DECAYS)
def test_eigenvalues_of_drawn_points_are_near_those_of_the_law(decay):
    law = Circle(decay, share=0.95)
    t, _ = law.draw(800, rng())
    found = np.linalg.eigvalsh(law.kernel(t, t))[::-1] / len(t)
    assert eigenvalues(law).sum() == pytest.approx(1)
    assert found[:3] == pytest.approx(eigenvalues(law)[:3], abs=0.03)


@pytest.mark.parametrize("decay", DECAYS)
def test_the_effective_dimension_of_even_points_is_that_of_the_coefficients(decay):
    c, alpha = decay.coefficients(100_000), 1e-3
    wanted = 2 * (c / (c + alpha)).sum() - c[0] / (c[0] + alpha)
    assert Circle(decay).effective_dimension(alpha) == pytest.approx(wanted, rel=1e-2)


def test_prescribed_numbers_grow_with_the_powers_of_the_rates():
    law, log = Circle(Power(2)), np.log(20_000 / 0.1) / np.log(2000 / 0.1)
    for loss, power in (("hinge", 1 / 2), ("square", 1 / 3)):
        grown = law.prescribed(loss, 20_000) / law.prescribed(loss, 2000) / log
        assert np.log10(grown) == pytest.approx(power, abs=0.04)


def test_points_and_labels_follow_their_law():
    law = Circle(Power(2), share=0.9, clear=0.6)
    t, y = law.draw(100_000, rng())
    assert np.mean(t < 0.5) == pytest.approx(0.9, abs=0.005)
    top = np.abs(law.mean(t) - 0.6) < 0.01
    assert y[top].mean() == pytest.approx(0.6, abs=0.03)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("share", [0.5, 0.95])
def test_the_excess_risk_is_the_risk_less_that_of_bayes(loss, share):
    law = Circle(Power(2), share=share, waves=2, clear=0.7)

    def learned(t):
        return 1.3 * np.cos(2 * np.pi * t) + 0.2

    def risk(t, a):
        eta, density = (1 + law.mean(t)) / 2, 2 * (share if t < 0.5 else 1 - share)
        of_both = [LOSSES[loss](y, a) for y in (1, -1)]
        return density * (eta * of_both[0] + (1 - eta) * of_both[1])

    def least(t):
        mean = law.mean(t)
        return risk(t, {"square": mean}.get(loss, np.sign(mean)))

    breaks = {"limit": 400, "points": np.arange(1, 8) / 8}
    bayes = quad(least, 0, 1, **breaks)[0]
    whole = quad(lambda t: risk(t, learned(t)), 0, 1, **breaks)[0]
    assert law.bayes(loss) == pytest.approx(bayes, abs=1e-6)
    assert law.excess(loss, learned(GRID)) == pytest.approx(whole - bayes, abs=2e-3)


def test_the_excess_of_the_square_loss_is_that_of_fourier_coefficients():
    law, n = Circle(Power(2)), 30
    t, y = law.draw(n, rng())
    a = np.linalg.solve(law.kernel(t, t) + np.eye(n), y)
    j = np.arange(5000)
    waves = np.exp(-2j * np.pi * np.outer(j, t)) @ a * law.decay.coefficients(len(j))
    waves[law.waves] -= law.clear / 2j
    wanted = np.abs(waves[0]) ** 2 + 2 * (np.abs(waves[1:]) ** 2).sum()
    found = law.excess("square", law.kernel(GRID, t) @ a)
    assert found == pytest.approx(wanted, rel=1e-5)


def test_nothing_is_below_bayes():
    law = Circle(Power(2), share=0.8)
    best = {"hinge": np.sign, "square": lambda x: x, "wrong": np.sign}
    for loss, of in best.items():
        assert law.excess(loss, of(law.mean(GRID))) == pytest.approx(0, abs=1e-12)
        for _ in range(5):
            values = law.mean(GRID) + rng(1).standard_normal() * np.cos(7 * GRID)
            assert law.excess(loss, values) >= 0


# ---- what is learned ----


def some(n=60, count=12, seed=0):
    law, drawn = Circle(Power(2)), rng(seed)
    t, y = law.draw(n, drawn)
    return law.kernel(t, t), y, drawn.choice(n, count, replace=False)


def test_inner_products_of_features_are_those_of_the_nystrom_approximation():
    K, _, chosen = some()
    C, W = K[:, chosen], K[np.ix_(chosen, chosen)]
    (F,) = experiments.embedded(W, C)
    assert F @ F.T == pytest.approx(C @ np.linalg.solve(W, C.T), abs=1e-8)


@pytest.mark.parametrize("ridge", [1e-4, 1e-2, 1])
def test_the_square_loss_is_ridge_regression_on_landmarks(ridge):
    K, y, chosen = some()
    (F,) = experiments.embedded(K[np.ix_(chosen, chosen)], K[:, chosen])
    (w,) = experiments.weights("square", F, y, [ridge])
    options = {"method": "regressors", "kernel": "precomputed", "landmarks": chosen}
    model = KernelRidge(len(y) * ridge, **options).fit(K, y.astype(float))
    assert F @ w == pytest.approx(model.predict(K), abs=1e-6)


@pytest.mark.parametrize("count", [12, 50])
def test_the_hinge_loss_reaches_the_value_of_another_solver(count):
    """With features, and, from as many of them as there are points, their kernel."""
    K, y, chosen = some(count=count)
    (F,) = experiments.embedded(K[np.ix_(chosen, chosen)], K[:, chosen])

    def value(w, ridge):
        return ridge * w @ w + LOSSES["hinge"](y, F @ w).mean()

    for ridge in (1e-2, 1e-1):
        (w,) = experiments.weights("hinge", F, y, [ridge])
        options = {"loss": "hinge", "fit_intercept": False, "max_iter": 100_000}
        other = LinearSVC(C=1 / (2 * len(y) * ridge), tol=1e-6, **options).fit(F, y)
        wanted = value(other.coef_.ravel(), ridge)
        assert value(w, ridge) == pytest.approx(wanted, rel=1e-4)


@pytest.mark.parametrize("loss", ["hinge", "square"])
def test_lambda_has_the_least_loss_on_points_set_aside(loss):
    K, y, chosen = some(n=90)
    (F,) = experiments.embedded(K[np.ix_(chosen, chosen)], K[:, chosen])
    w, ridge = experiments.best(loss, F[:60], y[:60], F[60:], y[60:])
    each = experiments.weights(loss, F[:60], y[:60], LAMBDAS)
    losses = [LOSSES[loss](y[60:], F[60:] @ v).mean() for v in each]
    assert ridge == LAMBDAS[int(np.argmin(losses))]
    assert LOSSES[loss](y[60:], F[60:] @ w).mean() == pytest.approx(min(losses))


def test_points_are_drawn_in_proportion_to_the_scores_of_those_left():
    scores, drawn = np.array([3.0, 2.0, 1.0]), rng()
    orders = np.array([experiments.order(scores, drawn) for _ in range(6000)])
    first = np.bincount(orders[:, 0]) / len(orders)
    assert first == pytest.approx(scores / 6, abs=0.03)
    after = orders[orders[:, 0] == 0][:, 1]
    assert np.mean(after == 1) == pytest.approx(2 / 3, abs=0.03)


def test_scores_of_a_sample_add_up_to_its_effective_dimension():
    sample = Sample.of(Circle(Power(2)), 80, rng())
    K = sample.circle.kernel(sample.t, sample.t)
    for loss in ("hinge", "square"):
        values = np.linalg.eigvalsh(K) / 80
        alpha = sample.circle.alpha(loss, 80)
        assert sample.scores(loss).sum() == pytest.approx(
            (values / (values + alpha)).sum()
        )


def test_all_columns_give_what_is_learned_with_all_of_the_kernel():
    sample = Sample.of(Circle(Power(2)), 50, rng())
    K = sample.circle.kernel(sample.t, sample.t)
    found = sample.whole("square")
    a = np.linalg.solve(K + 50 * found["chosen"] * np.eye(50), sample.y)
    values = sample.circle.kernel(GRID, sample.t) @ a
    wanted = 100 * sample.circle.excess("square", values)
    assert found["excess"] == pytest.approx(wanted, rel=1e-4)


# ---- points with labels and values ----


def test_labels_are_flipped_as_often_as_is_said():
    drawn = points.wave(20_000, rng(), flipped=0.2)
    above = np.where(drawn.X[:, 1] > 0.5 * np.sin(2 * np.pi * drawn.X[:, 0]), 1, -1)
    assert np.mean(above != drawn.y) == pytest.approx(0.2, abs=0.01)


def groups():
    return Groups.of(points.wave(120, rng()), 60, 0.3)


def test_groups_have_no_point_in_common():
    parts = groups()
    rows = np.concatenate([parts.learn.X, parts.aside.X, parts.judged.X])
    assert len(np.unique(rows, axis=0)) == 120


def test_the_map_is_that_of_plain_loops():
    parts, order, counts = groups(), rng().permutation(60), [4, 60]
    found = experiments.error_map(parts, order, counts)
    for place, m in enumerate(counts):
        chosen = order[:m]
        X = parts.learn.X[chosen]
        kernel = [
            np.exp(-parts.gamma * ((Z[:, None] - X) ** 2).sum(axis=2))
            for Z in (X, parts.learn.X, parts.aside.X, parts.judged.X)
        ]
        F, G, H = experiments.embedded(*kernel)
        each = experiments.weights("hinge", F, parts.learn.y, LAMBDAS)
        wrong = [100 * np.mean(np.sign(H @ w) != parts.judged.y) for w in each]
        assert [found[x][place] for x in LAMBDAS] == pytest.approx(wrong, abs=4)
        losses = [LOSSES["hinge"](parts.aside.y, G @ w).mean() for w in each]
        assert found[None][place] == found[LAMBDAS[int(np.argmin(losses))]][place]


def test_the_error_of_a_projection_is_that_of_the_nystrom_approximation():
    drawn = points.circle(100, rng(), share=0.9)
    parts, chosen = Groups.of(drawn, 60, 0.5), np.arange(9)
    K = experiments.gaussian(parts.learn.X, parts.learn.X, parts.gamma)
    C, W = K[:, chosen], K[np.ix_(chosen, chosen)]
    left = np.linalg.norm(K - C @ np.linalg.pinv(W, hermitian=True) @ C.T, 2)
    found = experiments.projected(parts, chosen)
    assert found["error"] == pytest.approx(100 * left / 60, rel=1e-6)
    assert 0 < found["missed"] < 120


def test_what_a_picture_shows_is_what_is_judged():
    parts = groups()
    found = experiments.Classified.of(parts, np.arange(20), parts.judged.X)
    wrong = np.mean((found.scores > 0) != (parts.judged.y > 0))
    assert found.error == pytest.approx(100 * wrong)
    assert np.array_equal(found.chosen, parts.learn.X[:20])


@pytest.mark.parametrize("per", [2, 4])
def test_rare_groups_are_as_many_as_is_said_and_far_off(per):
    drawn = points.rare(1000, rng(), per=per)
    far = np.linalg.norm(drawn.X, axis=1) > 4.6
    assert far.sum() == 10 * per and isinstance(drawn, Points)
    assert np.abs(drawn.y[far]).mean() == pytest.approx(2, abs=0.1)


def test_exact_scores_take_rare_groups_first():
    parts = Groups.of(points.rare(500, rng()), 300, 1.0)
    K = DenseKernel(experiments.gaussian(parts.learn.X, parts.learn.X, parts.gamma))
    chosen = sampling.ridge_leverage(K, 64, rng()).indices
    far = np.linalg.norm(parts.learn.X, axis=1) > 4.6
    assert far[chosen].sum() > 2 * far.sum() * 64 / 300
