"""Random features: their laws, what they state of themselves, and what users asked for.

The statistical tests are of features that were drawn at once: frequencies, blocks of
orthogonal ones and grids are independent, so the terms of an inner product are a sample
of its law.  Limits of their means are exact for bounded numbers, and what each test
spends is added up with that of the others.
"""

import math
import warnings

import flint
import numpy as np
import pytest
from features_cases import NEW, X, gram
from scipy import sparse, stats
from sklearn import config_context
from sklearn.base import clone
from sklearn.gaussian_process.kernels import Matern
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics.pairwise import laplacian_kernel, pairwise_kernels, rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from nystheory import datasets, kernels
from nystheory.engine.trial import statistics
from nystheory.engine.trial.statistics import (
    clopper_pearson,
    fits,
    mean_interval,
    spend,
)
from nystheory.features import (
    NystromFeatures,
    RandomBinningFeatures,
    RandomFourierFeatures,
    _accuracy,
    _draws,
)
from nystheory.features._fourier import _waves
from nystheory.features._spectra import _matern, _orthogonal_covariance, spectrum

KERNELS = ("rbf", "laplacian", "matern", "cauchy")
KINDS = ("pairs", "phases")
GAMMA, NU = 0.3, 2.2
arb_cos, arb_sin = flint.arb.cos, flint.arb.sin


def entries(kernel, A, B, gamma=GAMMA, nu=NU):
    """The kernel, by another route than the package's."""
    if kernel == "matern":
        return Matern(length_scale=1 / np.sqrt(2 * gamma), nu=nu)(A, B)
    if kernel == "cauchy":
        return np.prod(1 / (1 + gamma * (A[:, None] - B) ** 2), axis=2)
    return pairwise_kernels(A, B, metric=kernel, gamma=gamma)


def made(kernel="rbf", n_components=100, **options):
    options = dict(gamma=GAMMA, nu=NU, random_state=0) | options
    return RandomFourierFeatures(kernel, n_components=n_components, **options)


def drawable(kernel, draws):
    return draws != "orthogonal" or kernel in ("rbf", "matern")


EVERY = [
    (kernel, kind, draws)
    for kernel in KERNELS
    for kind in KINDS
    for draws in _draws.DRAWS
    if drawable(kernel, draws)
]

# --- scikit-learn's own checks --------------------------------------------------------


def not_asked(estimator):
    """Checks that set ``n_components=1``."""
    if getattr(estimator, "kind", "") != "pairs":
        return {}
    why = "pairs have an even number of features"
    return dict.fromkeys(
        (
            "check_fit2d_1feature",
            "check_fit2d_1sample",
            "check_methods_sample_order_invariance",
            "check_methods_subset_invariance",
            "check_dont_overwrite_parameters",
            "check_fit2d_predict1d",
        ),
        why,
    )


@parametrize_with_checks(
    [
        RandomFourierFeatures(),
        RandomFourierFeatures(
            "matern", draws="orthogonal", kind="phases", gamma="scale"
        ),
        RandomFourierFeatures("cauchy", draws="quasi-monte-carlo"),
        RandomBinningFeatures(n_grids=10),
    ],
    expected_failed_checks=not_asked,
)
def test_what_scikit_learn_asks_of_an_estimator(estimator, check):
    check(estimator)


def test_in_a_pipeline_and_a_grid_search():
    data = datasets.digits(300)
    model = make_pipeline(made("matern", 200), RidgeClassifier())
    grid = {"randomfourierfeatures__gamma": [1e-4, "scale", 1e2]}
    found = GridSearchCV(model, grid, cv=3).fit(data.X, data.y)
    assert found.best_params_ == {"randomfourierfeatures__gamma": "scale"}
    assert found.best_score_ > 0.85
    names = found.best_estimator_[0].get_feature_names_out()
    assert names[-1] == "randomfourierfeatures199"


# --- The formula ----------------------------------------------------------------------


@pytest.mark.parametrize(("kernel", "kind", "draws"), EVERY)
def test_inner_products_are_means_of_waves(kernel, kind, draws):
    features = made(kernel, kind=kind, draws=draws).fit(X)
    W, b = features.frequencies_, features.phases_
    found = gram(features.transform(NEW), features.transform(X))
    angles = (NEW @ W.T)[:, None], (X @ W.T)[None]
    if kind == "pairs":
        assert len(W) == 50 and b is None
        expected = np.cos(angles[0] - angles[1]).mean(axis=2)
        assert gram(features.transform(NEW)).diagonal() == pytest.approx(1)
    else:
        assert len(W) == len(b) == 100 and 0 <= b.min() < b.max() <= 2 * np.pi
        expected = 2 * (np.cos(angles[0] + b) * np.cos(angles[1] + b)).mean(axis=2)
    assert found == pytest.approx(expected, abs=1e-13)
    assert features.n_features_out_ == 100 == len(features.get_feature_names_out())


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_with_the_same_weights_and_offsets_it_is_that_of_scikit_learn(dtype, form):
    A, B = form(X.astype(dtype)), form(NEW.astype(dtype))
    theirs = RBFSampler(gamma=GAMMA, n_components=80, random_state=0).fit(A)
    ours = made(n_components=80, kind="phases").fit(A)
    ours.frequencies_ = theirs.random_weights_.T.astype(float)
    ours.phases_ = theirs.random_offset_.astype(float)
    digits = 1e-12 if dtype == np.float64 else 1e-5
    found = ours.transform(B)
    assert found.dtype == dtype
    assert found == pytest.approx(theirs.transform(B), abs=digits)


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_kernel_is_that_of_its_name(kernel):
    own = made(kernel).fit(X).kernel_
    assert own.kernel(NEW, X) == pytest.approx(entries(kernel, NEW, X), abs=1e-13)
    assert own.kernel(NEW, X, 2.0) == pytest.approx(entries(kernel, 2 * NEW, 2 * X))
    expected = {"gamma": GAMMA, "nu": NU} if kernel == "matern" else {"gamma": GAMMA}
    assert own.parameters == expected


@pytest.mark.parametrize("nu", [0.1, 0.5, 1.5, 2.5, 3.3, 30.0, 100.0])
def test_a_matern_kernel_is_right_to_the_digits_that_it_states(nu):
    """Against balls, near 0 and far away; `error` counts with these digits."""
    t = np.array([1e-10, 1e-5, 1e-3, 0.03, 0.06, 0.3, 1, 2, 10, 100])
    with flint.ctx.workprec(400):
        order = flint.arb(nu)
        weight = flint.arb(2) ** (1 - order) / order.gamma()
        true = [flint.arb(x).bessel_k(order) * flint.arb(x) ** order for x in t]
        true = np.array([float(weight * each) for each in true])
    allowed = spectrum("matern", 1.0, nu).rounding(1)
    assert np.abs(_matern(t, nu) - true).max() <= allowed / 4
    assert _matern(np.array([0.0, 1e-320, 1e6, 1e300]), nu).tolist() == [1, 1, 0, 0]


def test_a_smooth_matern_kernel_is_nearly_gaussian():
    smooth = made("matern", nu=100.0).fit(X).kernel_.kernel(NEW, X)
    assert np.abs(smooth - rbf_kernel(NEW, X, gamma=GAMMA)).max() < 0.01
    assert np.abs(entries("matern", NEW, X, nu=0.5) - smooth).max() > 0.1


def test_gamma_is_that_of_nystrom_features():
    for kernel in ("rbf", "laplacian"):
        for gamma in (None, "scale", 0.7):
            own = RandomFourierFeatures(kernel, gamma=gamma).fit(X).kernel_
            near = NystromFeatures(kernel, gamma=gamma, n_landmarks=5).fit(X)
            theirs = near.approximation_.kernel.parameters.get("gamma", 1 / 5)
            assert own.gamma == pytest.approx(theirs)
    assert RandomBinningFeatures(gamma="scale").fit(X).kernel_.gamma == pytest.approx(
        1 / (5 * X.var())
    )


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_penalty_is_the_density_at_zero_over_that_at_the_frequency(kernel):
    features = made(kernel, 60).fit(X)
    d = 5
    law = {
        "rbf": stats.multivariate_normal(np.zeros(d), 2 * GAMMA),
        "laplacian": stats.cauchy(scale=GAMMA),
        "matern": stats.multivariate_t(np.zeros(d), 2 * GAMMA * np.eye(d), df=2 * NU),
        "cauchy": stats.laplace(scale=np.sqrt(GAMMA)),
    }[kernel]
    W = features.frequencies_
    logs, at_zero = law.logpdf(W), law.logpdf(np.zeros((1, d)))
    if kernel in ("laplacian", "cauchy"):
        logs, at_zero = logs.sum(axis=1), at_zero.sum()
    expected = np.tile(at_zero - logs, 2)  # a cosine and a sine
    assert features.log_penalty_ == pytest.approx(expected, rel=1e-9)
    assert features.penalty_ == pytest.approx(np.exp(expected), rel=1e-9)


def test_the_penalty_of_the_gaussian_is_that_of_proposition_1():
    features = made(gamma=1 / (2 * 1.7**2), kind="phases").fit(X)
    squares = (features.frequencies_**2).sum(axis=1)
    assert features.penalty_ == pytest.approx(np.exp(1.7**2 * squares / 2))


@pytest.mark.parametrize("near", [0, 1e-9, 1e3, 1e9])
def test_a_wave_from_a_tangent_is_right_everywhere(near):
    """Beside its poles, too, and far away: arguments are given in two radians."""
    quarters = np.arange(-20, 21) * np.pi / 4
    args = np.concatenate([quarters + near, quarters * (1 + near), [5e-324, 1e300]])
    out = np.empty((1, 2 * len(args)))
    _waves(args[None].copy(), False, out)
    with flint.ctx.workprec(2000):
        true = [[float(f(2 * flint.arb(x))) for x in args] for f in (arb_cos, arb_sin)]
    off = out * np.sqrt(len(args)) - np.ravel(true)
    assert np.abs(off).max() < 8 * np.finfo(float).eps


def test_a_penalty_that_overflows_is_not_silent():
    wide = np.zeros((1, 2000))
    features = RandomFourierFeatures(random_state=0).fit(wide)
    assert np.isfinite(features.log_penalty_).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        features._repr_html_()  # as a notebook shows it
    with pytest.raises(
        AttributeError, match="^penalty_: expected .* take log_penalty_"
    ):
        features.penalty_  # noqa: B018 - asked for


# --- Laws -----------------------------------------------------------------------------

TERMS, GRIDS = 40_000, 20_000
LEVEL = statistics.LEVEL / 20  # of each of many tests
PAIRS = [
    (np.zeros((1, 4)), np.array([[0.9, -0.4, 0.2, 0.1]])),
    (np.array([[0.3, 0.1, -0.2, 1.0]]), np.array([[-1.0, 0.8, 0.5, 0.3]])),
]


def terms(features, x, y, size=1):
    """The independent terms of an inner product, of `size` frequencies each."""
    products = (features.transform(x) * features.transform(y)).ravel()
    if features.phases_ is None:
        products = sum(np.split(products, 2))
    return products.reshape(-1, size).mean(axis=1) * len(features.frequencies_)


def told(values, support, what):
    spend(what, 2 * LEVEL)
    found = mean_interval(values, LEVEL, support)
    return found.low, found.high


@pytest.mark.parametrize(("x", "y"), PAIRS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("kernel", "draws"),
    [(kernel, "independent") for kernel in KERNELS]
    + [("rbf", "orthogonal"), ("matern", "orthogonal")],
)
def test_means_and_variances_are_those_that_are_stated(kernel, kind, draws, x, y):
    """Controls: gamma twice as large; the variance of the other kind.

    The frequencies of RBFSampler were of another gamma for three years (pull request
    3656 of scikit-learn), for its test took few draws and no limits.
    """
    size = 4 if draws == "orthogonal" else 1
    total = TERMS // size * size * (2 if kind == "pairs" else 1)
    features = made(kernel, total, kind=kind, draws=draws).fit(x)
    found = terms(features, x, y, size)
    largest = 1.0 if kind == "pairs" else 2.0
    k = entries(kernel, x, y).item()
    low, high = told(found, (-largest, largest), "mean of random features")
    assert low <= k <= high
    assert not low <= entries(kernel, x, y, gamma=2 * GAMMA).item() <= high
    if (kernel, draws) == ("matern", "orthogonal"):
        return
    support = 0, (largest + k) ** 2
    low, high = told((found - k) ** 2, support, "variance of random features")
    assert low <= len(found) * features.variance(x, y).item() <= high
    one = size if kind == "pairs" else 2 * size  # a term of the other kind
    rival = made(kernel, one, kind=KINDS[kind == "pairs"], draws=draws).fit(x)
    assert not low <= rival.variance(x, y).item() <= high


def test_orthogonal_frequencies_have_the_covariance_of_the_closed_form():
    """Against balls; the values that the book tells; never worse only in the plane."""
    t = np.concatenate([10.0 ** np.arange(-8, 0.5, 0.5), [0.2499, 0.2501, 3, 8, 20]])
    for d in (1, 2, 3, 4, 8, 65):
        with flint.ctx.workprec(500):
            true = [
                float(
                    flint.arb(-x).hypgeom_1f1(flint.arb(d), flint.arb(d) / 2)
                    - (-2 * flint.arb(x)).exp()
                )
                for x in t
            ]
        alone = np.expm1(-2 * t) ** 2 / 2
        off = np.abs(_orthogonal_covariance(t, d) - true) / alone
        assert off.max() < 1e-13
    z = np.array([[math.sqrt(12), 0, 0, 0]])
    options = dict(n_components=8, gamma=0.5)
    whole = [
        made(draws=draws, **options).fit(z).variance(z, 0 * z).item()
        for draws in ("orthogonal", "independent")
    ]
    assert whole == pytest.approx([0.12685, 0.12500], abs=5e-6)
    far = np.linspace(0, 30, 3001)
    assert _orthogonal_covariance(far, 2).max() <= 0
    assert all(_orthogonal_covariance(far, d).max() > 1e-4 for d in (3, 4, 5, 8))


def test_blocks_of_orthogonal_frequencies_are_independent():
    """Two whole blocks and a rest: the variance of a mean of three independent ones."""
    x, y = PAIRS[1]

    def variance(m):
        return made(draws="orthogonal", n_components=2 * m).fit(x).variance(x, y).item()

    expected = (2 * 4**2 * variance(4) + 3**2 * variance(3)) / 11**2
    assert variance(11) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("kernel", ["rbf", "matern"])
def test_orthogonal_blocks_are_orthogonal(kernel):
    W = made(kernel, 26, draws="orthogonal").fit(X).frequencies_
    for start in (0, 5, 10):
        inner = gram(W[start : start + 5])
        assert inner - np.diag(inner.diagonal()) == pytest.approx(0, abs=1e-12)
    assert abs(W[0] @ W[5]) > 1e-3


@pytest.mark.parametrize("kernel", KERNELS)
def test_of_a_sequence_each_frequency_and_phase_has_the_law(kernel):
    """The first two frequencies of many sequences; control: a law twice as wide."""
    cdf = {
        "rbf": stats.norm(scale=np.sqrt(2 * GAMMA)).cdf,
        "laplacian": stats.cauchy(scale=GAMMA).cdf,
        "matern": stats.t(df=2 * NU, scale=np.sqrt(2 * GAMMA)).cdf,
        "cauchy": stats.laplace(scale=np.sqrt(GAMMA)).cdf,
    }[kernel]
    rng, W, b = np.random.default_rng(5), [], []
    for _ in range(800):
        drawn = _draws.frequencies(
            spectrum(kernel, GAMMA, NU), "quasi-monte-carlo", 2, 1, True, rng
        )
        W.append(drawn[0][:, 0])
        b.append(drawn[1])
    uniform = {cell: 1 / 8 for cell in range(8)}

    def counts(values):
        cells = np.minimum((8 * values).astype(int), 7)
        return dict(zip(*np.unique(cells, return_counts=True), strict=True))

    for i in range(2):
        w, phase = np.array(W)[:, i], np.array(b)[:, i]
        for values in (cdf(w), phase / (2 * np.pi)):
            spend("law of a sequence", LEVEL)
            assert fits(counts(values), uniform, LEVEL)
        assert not fits(counts(cdf(w / 2)), uniform, LEVEL)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_sequence_has_smaller_errors(kernel):
    """On points of two dimensions with 512 frequencies, in nine of ten draws at least:
    an observation that a wrong inverse of a distribution function would end.
    """
    A = X[:60, :2]
    K = entries(kernel, A, A)

    def error(draws, seed):
        features = made(kernel, 1024, draws=draws, random_state=seed)
        return np.linalg.norm(gram(features.fit_transform(A)) - K)

    wins = [error("quasi-monte-carlo", s) < error("independent", s) for s in range(10)]
    assert sum(wins) >= 9


@pytest.mark.parametrize(("x", "y"), PAIRS)
def test_grids_share_a_bin_as_often_as_the_kernel_says(x, y):
    """Each grid is a trial; control: gamma a tenth more."""
    features = RandomBinningFeatures(gamma=0.3, n_grids=GRIDS, random_state=0)
    Z = features.fit_transform(np.vstack([x, y]))
    shared = np.equal(*Z.indices.reshape(2, -1)).astype(float)
    assert shared.mean() == pytest.approx((Z[[0]] @ Z[[1]].T).toarray().item())
    k = laplacian_kernel(x, y, gamma=0.3).item()
    spend("shared bins", 2 * LEVEL)
    low, high = clopper_pearson(int(shared.sum()), GRIDS, LEVEL)
    assert low <= k <= high and not low <= k**1.1 <= high
    assert features.variance(x, y).item() == pytest.approx(k * (1 - k) / GRIDS)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_likely_holds_as_often_as_it_says(kind):
    """Over 300 draws: the bounds of probability 0.3 fail in 7 of 10 at most."""
    A, failed = X[:6], np.zeros(3)
    for seed in range(300):
        features = made(n_components=30, kind=kind, random_state=seed).fit(A)
        found = features.error(A, probability=0.3)
        E = np.abs(gram(features.transform(A)) - rbf_kernel(A, gamma=GAMMA))
        failed += (
            found.frobenius.value > found.likely_frobenius,
            E[0, 1] > found.likely_entry,
            found.largest.value > found.likely_largest,
        )
    for count in failed:
        spend("likely bounds", LEVEL)
        assert clopper_pearson(int(count), 300, LEVEL)[0] <= 0.7
    assert failed[0] > 0  # it is not so loose that none fails
    assert failed[1] > 0 or kind == "phases"


def test_the_root_mean_square_is_that_over_draws():
    A = X[:6]
    squares = []
    for seed in range(400):
        features = made(n_components=20, draws="orthogonal", random_state=seed).fit(A)
        squares.append(features.error(A).frobenius.value ** 2)
    found = features.error(A)
    assert found.root_mean_square**2 == pytest.approx(features.variance(A).sum())
    low, high = told(squares, (0, 6 * 5 * 4), "mean square error")
    assert low <= found.root_mean_square**2 <= high
    assert high < 20 * found.root_mean_square**2
    assert found.likely_frobenius == pytest.approx(
        found.root_mean_square / math.sqrt(0.05)
    )


def test_what_is_likely_of_one_entry_and_of_all_is_by_hand():
    A = X[:7]
    pairs = made(n_components=200).fit(A).error(A, probability=0.9)
    assert 2 * math.exp(-200 * pairs.likely_entry**2 / 4) == pytest.approx(0.1)
    union = 21 * 2 * math.exp(-200 * pairs.likely_largest**2 / 4)
    assert union == pytest.approx(0.1)
    phases = made(n_components=200, kind="phases").fit(A).error(A, probability=0.9)
    assert 2 * math.exp(-200 * phases.likely_entry**2 / 8) == pytest.approx(0.1)
    union = 28 * 2 * math.exp(-200 * phases.likely_largest**2 / 8)
    assert union == pytest.approx(0.1)
    # Ten blocks of five count as ten draws.
    blocks = made("matern", 100, draws="orthogonal").fit(A).error(A, probability=0.9)
    assert 2 * math.exp(-10 * blocks.likely_entry**2 / 2) == pytest.approx(0.1)
    assert blocks.likely_frobenius is blocks.root_mean_square is None
    nothing = made(draws="quasi-monte-carlo").fit(A).error(A)
    assert nothing.likely_entry is nothing.likely_largest is None
    assert nothing.frobenius.certain and "not known" in nothing._repr_html_()
    alone = made().fit(A).error(A[:1])  # |z| = 1: nothing is random
    assert alone.root_mean_square == 0
    assert alone.largest.value <= alone.likely_largest < 1e-13


@pytest.mark.parametrize(
    ("kernel", "draws"), [("rbf", "quasi-monte-carlo"), ("matern", "orthogonal")]
)
def test_a_variance_that_is_not_known_says_so(kernel, draws):
    features = made(kernel, draws=draws).fit(X)
    with pytest.raises(ValueError, match=f"^draws: expected some .* '{draws}'"):
        features.variance(X)
    in_a_block_of_one = made("matern", draws="orthogonal").fit(X[:, :1])
    alone = made("matern").fit(X[:, :1])
    assert in_a_block_of_one.variance(X[:, :1]) == pytest.approx(
        alone.variance(X[:, :1])
    )


def test_small_variances_keep_their_digits():
    x, y = np.zeros((1, 3)), np.full((1, 3), 1e-6)
    t = GAMMA * 3e-12
    variance = made(n_components=2).fit(x).variance(x, y).item()
    assert variance == pytest.approx(2 * t**2, rel=1e-9)
    both = made(n_components=6, draws="orthogonal").fit(x).variance(x, y).item()
    assert both == pytest.approx(2 * t**2 / 3 * 3 / 5, rel=1e-6)  # 3 / (d + 2)


# --- Bins -----------------------------------------------------------------------------


def test_bins_by_hand():
    features = RandomBinningFeatures(gamma=0.5, n_grids=40, random_state=0)
    Z = features.fit_transform(X)
    pitch, shift = features.pitches_[:, None], features.shifts_[:, None]
    places = np.floor((X - shift) / pitch)  # (P, n, d)
    shared = (places[:, :, None] == places[:, None]).all(axis=3).mean(axis=0)
    assert gram(Z).toarray() == pytest.approx(shared)
    assert Z.shape == (150, features.n_features_out_) and Z.nnz == 150 * 40
    assert Z.has_sorted_indices and (Z.sum(axis=0) > 0).all()
    assert features.n_features_out_ == sum(
        len(np.unique(grid, axis=0)) for grid in places
    )
    assert (features.transform(X) != Z).nnz == 0
    new = np.floor((NEW - shift) / pitch)
    shared = (new[:, :, None] == places[:, None]).all(axis=3).mean(axis=0)
    G = features.transform(NEW)
    assert gram(G, Z).toarray() == pytest.approx(shared)
    assert G.nnz < 40 * 40  # some are alone in their bin
    own = gram(G).toarray().diagonal()
    assert own.max() <= 1 + 1e-12 and own.min() < 1


def test_bins_of_every_type():
    features = RandomBinningFeatures(n_grids=20, random_state=0)
    thin = np.where(X > 0, X, 0)
    Z = features.fit_transform(thin)
    assert (features.fit_transform(sparse.csr_array(thin)) != Z).nnz == 0
    assert (features.transform(sparse.csc_matrix(thin)) != Z).nnz == 0
    single = clone(features).fit_transform(thin.astype(np.float32))
    assert single.dtype == np.float32 and Z.dtype == np.float64
    assert (
        single.shape
        == clone(features)
        .fit(thin.astype(np.float32))
        .transform(thin.astype(np.float32))
        .shape
    )
    assert features.variance(sparse.csr_array(thin)) == pytest.approx(
        features.variance(thin)
    )


def test_codes_of_bins_are_distinct():
    """A quarter of a million bins of one grid."""
    side = np.arange(-250, 250)
    square = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2) + 0.5
    features = RandomBinningFeatures(n_grids=1, random_state=0).fit(square[:1])
    features.pitches_[:], features.shifts_[:] = 1.0, 0.0
    (codes,) = features._codes(square)
    assert len(np.unique(codes)) == len(square)


def test_points_that_are_too_many_bins_away():
    features = RandomBinningFeatures(n_grids=5, random_state=0).fit(X)
    with pytest.warns(UserWarning, match="^X: expected at most .* bins"):
        features.transform(X + 1e14)
    with pytest.raises(ValueError, match="^X: expected at most .* bins"):
        features.transform(X + 1e25)


# --- What loses digits, and other differences from scikit-learn's classes -------------


@pytest.mark.parametrize("gamma", [1e-8, 1e8])
def test_a_kernel_that_is_nearly_one_or_the_identity(gamma):
    """RBFSampler has noise where the kernel is nearly 1, and so have phases."""
    K = rbf_kernel(X, gamma=gamma)
    theirs = RBFSampler(gamma=gamma, n_components=400, random_state=0)
    noise = np.abs(gram(theirs.fit_transform(X)) - K).max()
    for draws in _draws.DRAWS:
        Z = made(n_components=400, gamma=gamma, draws=draws).fit_transform(X)
        assert gram(Z).diagonal() == pytest.approx(1, abs=1e-13)
        most = 1e-6 if gamma < 1 else 0.5
        assert np.abs(gram(Z) - K).max() < most
    assert gamma > 1 or noise > 1e-3


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("kind", KINDS)
def test_float32_stays_and_keeps_its_digits(kernel, kind):
    """Also far from the origin, where a product in float32 knows no turn any more.

    RBFSampler computes it in float32 (pull request 24317 of scikit-learn).
    """
    features = made(kernel, kind=kind).fit(X.astype(np.float32))
    for offset in (0, 1e3, 1e5):
        points = (NEW + offset).astype(np.float32)
        found = features.transform(points)
        true = features.transform(points.astype(np.float64))
        assert found.dtype == np.float32
        assert np.abs(found - true).max() < 2e-5
    again = made(kernel, kind=kind).fit(X)
    assert np.array_equal(features.frequencies_, again.frequencies_)
    if kernel == "rbf":
        theirs = RBFSampler(gamma=GAMMA, random_state=0).fit(points)
        exact = np.cos(
            points.astype(float) @ theirs.random_weights_.astype(float)
            + theirs.random_offset_.astype(float)
        ) * np.sqrt(2 / 100)
        assert np.abs(theirs.transform(points) - exact).max() > 1e-3


def test_digits_that_float64_loses_are_not_lost_silently():
    """Timestamps, say: one warning, and none after the mean was subtracted."""
    features = made().fit(X)
    with pytest.warns(UserWarning, match=r"^X: expected \|w\| \|x\| below 3e\+11"):
        features.transform(X + 1e13)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        features.transform(X + 1e9)
    with pytest.raises(ValueError, match="^X: expected points with finite"):
        features.transform(X + 1e200)
    with pytest.raises(ValueError, match="^X: expected points with finite"):
        features.transform(sparse.csr_array(X + 1e200))
    with pytest.warns(UserWarning, match=r"^X: expected \|w\| \|x\| below"):
        Z = features.transform((X + 1e30).astype(np.float32))
    assert np.isfinite(Z).all()


@pytest.mark.parametrize("kind", KINDS)
def test_repeated_points_have_one_feature_vector(kind):
    many = np.repeat(X[:7], 40, axis=0)
    Z = made(kind=kind, n_components=5000).fit_transform(many)  # several blocks
    assert np.ptp(Z.reshape(7, 40, -1), axis=1).max() < 1e-13
    bins = RandomBinningFeatures(n_grids=10, random_state=0).fit_transform(many)
    own = gram(bins).toarray().reshape(7, 40, 7, 40)
    assert all(own[i, :, i] == pytest.approx(1) for i in range(7))


def test_an_odd_number_of_features():
    with pytest.raises(ValueError, match="^n_components: expected an even number .* 8"):
        made(n_components=7).fit(X)
    assert made(n_components=7, kind="phases").fit_transform(X).shape == (150, 7)


def test_orthogonal_directions_are_for_kernels_of_the_distance():
    for kernel in ("laplacian", "cauchy"):
        with pytest.raises(ValueError, match="^draws: expected .* all directions are"):
            made(kernel, draws="orthogonal").fit(X)


def test_a_sequence_has_so_many_dimensions():
    wide = np.zeros((1, 22_000))
    with pytest.raises(ValueError, match="^draws: expected .* at most 21201"):
        made(draws="quasi-monte-carlo").fit(wide)
    with pytest.raises(ValueError, match="^draws: expected 'independent' in so many"):
        made("laplacian", draws="quasi-monte-carlo").fit(wide)


@pytest.mark.parametrize("nu", [0.01, 101])
def test_smoothness_has_a_range(nu):
    with pytest.raises(ValueError, match="^nu: expected a number from 0.1 to 100"):
        made("matern", nu=nu).fit(X)
    made("rbf", nu=nu).fit(X)  # ignored


def test_the_state_is_a_seed_a_generator_or_a_state():
    one = made(random_state=np.random.default_rng(3)).fit(X).frequencies_
    assert np.array_equal(one, made(random_state=3).fit(X).frequencies_)
    assert not np.array_equal(one, made(random_state=4).fit(X).frequencies_)
    made(random_state=np.random.RandomState(0)).fit(X)


@pytest.mark.parametrize("kernel", KERNELS)
def test_sparse_points(kernel):
    thin = np.where(np.random.default_rng(0).random(X.shape) < 0.5, X, 0)
    dense = made(kernel).fit(thin)
    for given in (sparse.csr_array(thin), sparse.csc_matrix(thin)):
        features = made(kernel).fit(given)
        Z = features.transform(given)
        assert isinstance(Z, np.ndarray)
        assert Z == pytest.approx(dense.transform(thin), abs=1e-13)
        assert features.variance(given, NEW) == pytest.approx(dense.variance(thin, NEW))
        assert features.error(given).frobenius.value == pytest.approx(
            dense.error(thin).frobenius.value
        )
    single = made(kernel).fit_transform(sparse.csr_array(thin.astype(np.float32)))
    assert single.dtype == np.float32
    assert single == pytest.approx(dense.transform(thin), abs=2e-5)


def test_masked_entries_and_other_columns():
    masked = np.ma.masked_array(X, mask=X > 2)
    for features in (made(), RandomBinningFeatures()):
        with pytest.raises(ValueError, match="^X: expected no masked entries"):
            features.fit(masked)
        features.fit(X)
        with pytest.raises(ValueError, match="NaN"):
            features.transform(np.where(X > 2, np.nan, X))
        with pytest.raises(ValueError, match="4 features"):
            features.transform(X[:, :4])
        with pytest.raises(ValueError, match="^Y: expected points, .* 4 features"):
            features.variance(X, X[:, :4])
        with pytest.raises(TypeError, match="^X: expected points, got .* pass its"):
            features.transform(kernels.rbf(X, GAMMA))


def test_the_error_of_a_kernel_matrix_is_that_of_its_points():
    features = made().fit(X)
    assert features.error(kernels.rbf(X, GAMMA)) == features.error(X)
    for other in (kernels.rbf(X, 1.0), kernels.linear(X), kernels.as_kernel(np.eye(3))):
        with pytest.raises(ValueError, match="^X: expected points, or a rbf kernel"):
            features.error(other)
    assert "with probability 0.95" in repr(features.error(X))
    with pytest.raises(ValueError, match="^probability: expected a number between"):
        features.error(X, probability=1.0)


@pytest.mark.parametrize("scale", [1e-10, 1e10])
def test_a_singular_core_of_a_scaled_kernel(scale):
    """Nystroem cuts eigenvalues of W at 1e-12, whatever the size of the kernel."""
    many = np.repeat(X[:30], 3, axis=0)

    def kernel(x, y):
        return scale * np.exp(-0.003 * np.sum((x - y) ** 2))

    K = rbf_kernel(many, gamma=0.003)
    ours = NystromFeatures(kernel, n_landmarks=90, landmarks="uniform", random_state=0)
    Z = ours.fit_transform(many)
    assert Z.shape[1] <= 30 and gram(Z) / scale == pytest.approx(K, abs=1e-9)
    theirs = Nystroem(kernel, n_components=90, random_state=0).fit_transform(many)
    off = np.abs(gram(theirs) / scale - K).max()
    assert scale > 1 or off > 1e-4


# --- What a fit that fails leaves, and what rounding does -----------------------------


@pytest.mark.parametrize(
    ("features", "wrong"),
    [
        (made(), {"n_components": 3}),
        (made(), {"kind": "neither"}),
        (made(), {"draws": "none"}),
        (RandomBinningFeatures(random_state=0), {"n_grids": 0}),
    ],
)
def test_a_fit_that_fails_leaves_what_was_fitted(features, wrong):
    features = clone(features).fit(X)
    before, gamma = features.variance(X), features.gamma
    features.set_params(gamma=50.0, **wrong)
    with pytest.raises(ValueError, match=f"^{next(iter(wrong))}: expected"):
        features.fit(X[:, :2])
    assert (features.variance(X) == before).all()
    assert features.n_features_in_ == X.shape[1] and gamma != 50.0
    nothing = clone(features)
    with pytest.raises(ValueError, match="expected"):
        nothing.fit(X)
    assert not [name for name in vars(nothing) if name.endswith("_")]


@pytest.mark.parametrize("kernel", KERNELS)
def test_near_points_stay_below_what_is_likely(kernel):
    """Their variances are below the rounding of what they are computed from."""
    for z in np.logspace(-6, -3, 12):
        A = np.array([[0.0], [z]])
        features = made(kernel, 10, gamma=1.0, nu=2.5).fit(A)
        found = features.error(A)
        assert found.frobenius.value <= found.likely_frobenius
    assert "over draws, up to rounding" in repr(found)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [1e-4, 0.0, 1.0, 30.0])
def test_what_is_likely_of_float32_has_its_rounding(size, kind):
    rng = np.random.default_rng(0)
    A = (3.0 + rng.normal(size=(80, 5)) * size).astype(np.float32)
    found = made(n_components=1000, kind=kind, gamma=1.0).fit(A).error(A)
    assert found.frobenius.value <= found.likely_frobenius
    assert found.largest.value <= found.likely_largest
    exact = made(n_components=1000, kind=kind, gamma=1.0).fit(A).error(A.astype(float))
    assert 0 < found.likely_entry - exact.likely_entry < 1e-4


def test_data_frames_as_output_are_not_in_the_way():
    """pandas need not be there: what is asked for has no features as output."""
    with config_context(transform_output="pandas"):
        assert made().fit(X).error(X) == made().fit(X).error(X)
        assert RandomBinningFeatures(n_grids=3).fit(X).n_features_out_ > 2


@pytest.mark.parametrize("scale", [1e-160, 1e155])
def test_a_gamma_of_points_without_a_variance_is_told(scale):
    for features in (made(gamma="scale"), RandomBinningFeatures(gamma="scale")):
        with pytest.raises(ValueError, match="^gamma: expected a variance of X of"):
            features.fit(X * scale)


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_kernel_takes_what_arrays_are_made_of(kernel):
    found = made(kernel).fit(X).kernel_
    lists = found.kernel([[0, 1], [2, 3]], [[1, 1]])
    single = np.array([[0, 1], [2, 3]], dtype=np.float32)
    assert (found.kernel(single, np.ones((1, 2))) == lists).all()
    for wrong in ([0.0, 1.0], [[0.0, np.nan]], sparse.csr_array(np.eye(2))):
        with pytest.raises((ValueError, TypeError), match="^X: expected"):
            found.kernel(wrong, [[1.0, 1.0]])


def test_a_kernel_matrix_of_sparse_points_has_none_to_pass():
    thin = sparse.csr_array(X)
    K = NystromFeatures(gamma=GAMMA, n_landmarks=5).fit(thin).approximation_.kernel
    with pytest.raises(ValueError, match="^X: expected points, or a .*; pass the"):
        made().fit(X).error(K)


def test_rough_frequencies_name_their_smoothness():
    features = made("matern", nu=0.1).fit(X)
    features.frequencies_ = features.frequencies_ * 1e15
    with pytest.warns(UserWarning, match="or a larger nu$"):
        features.transform(X)


def test_small_variances_of_bins_keep_their_digits():
    features = RandomBinningFeatures(gamma=1.0, n_grids=5).fit([[0.0]])
    found = features.variance([[0.0]], [[1e-17]]).item()
    assert found == pytest.approx(1e-17 / 5, abs=0)


def test_blocks_of_entries_are_those_of_the_whole_matrix(monkeypatch):
    points = np.random.default_rng(0).standard_normal((50, 3))
    features = RandomFourierFeatures(gamma=0.3, n_components=20, random_state=0)
    Z = features.fit_transform(points)
    E = kernels.rbf(points, 0.3).dense() - Z @ Z.T
    norm, sums = np.linalg.norm(E), np.abs(E).sum(axis=1).max()
    spread = np.sqrt(features.variance(points).sum())
    for side in (7, 50):
        monkeypatch.setattr(_accuracy, "SIDE", side)
        found = features.error(points)
        assert found.frobenius.value == pytest.approx(norm)
        assert found.spectral.value == pytest.approx(min(norm, sums))
        assert found.trace.value == pytest.approx(np.sqrt(50) * norm)
        assert found.root_mean_square == pytest.approx(spread)
