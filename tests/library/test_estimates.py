"""What an approximation tells of a matrix: every quantity lies between its two ends."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from of_promises import world_of

from nystheory import ensemble, guarantees, lowrank, sampling
from nystheory.engine.promises.known import Known
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.quantities import QUANTITIES
from nystheory.guarantees._ends import ENDS
from nystheory.kernels import DenseKernel, pairwise

N = 40
CHOSEN = {"alpha": 0.7, "block_size": 3}
# Least ends that say only that nothing is below zero.
LOOSE = {"symmetric_ratio", "trace_after_pivots", "trace_after_blocks"}


def kernels():
    """Spectra that fall fast and slowly, one group, a varying diagonal, rank 9."""
    rng = np.random.default_rng(5)
    X = rng.standard_normal((N, 3))
    Z = rng.standard_normal((N, 9))
    return {
        "fast": pairwise(X, "rbf", gamma=0.05),
        "slow": pairwise(X, "rbf", gamma=2.0),
        "falling": DenseKernel(np.diag(0.5 ** np.arange(N) + 1e-3)),
        "rank 9": DenseKernel(Z @ Z.T),
        "one group": DenseKernel(np.eye(N) + 5.0),
    }


KERNELS = kernels()


def approximated(K, l, seed):  # noqa: E741
    rng = np.random.default_rng(seed)
    return lowrank.nystrom(K, sampling.rp_cholesky(K, l, rng=rng))


def ends(known, name):
    world = world_of(name)
    found = Known.of(known, world).measured(world.quantities[name])
    return found if isinstance(found, bool) else (found.value, found.error)


@pytest.mark.parametrize("name", sorted(ENDS))
@pytest.mark.parametrize("kernel", KERNELS)
def test_every_quantity_lies_between_its_ends(kernel, name):
    K = KERNELS[kernel]
    exact = Known(Instance(K.dense(), [0], 1), 1, 1)
    for size in (1, 4, 15, 30):
        approximation = approximated(K, size, size)
        known = guarantees.estimate(K, approximation)
        for count, rank in ((3, 1), (6, 2), (12, 5), (21, 12), (39, 30)):
            given = {**CHOSEN, "scores": None}
            some = known.but(count=count, rank=rank, **given)
            scores = exact.but(**CHOSEN).measured(QUANTITIES["ridge_scores"]).value
            given["scores"] = scores
            world = world_of(name)
            case = Known.of(exact.but(count=count, rank=rank, **given), world)
            true = case.measured(world.quantities[name])
            found = ends(some, name)
            if isinstance(found, bool):
                assert found is true
            elif not np.isnan(found[0]) and not np.isnan(true.value):
                middle, error = found
                assert abs(true.value - middle) <= error + true.error


@pytest.mark.parametrize("name", sorted(set(ENDS) - LOOSE))
def test_an_approximation_that_misses_nothing_tells_all(name):
    """Control: the ends are as far apart as what is missed, and no farther."""
    K = KERNELS["rank 9"]
    known = guarantees.estimate(K, approximated(K, 12, 0))
    found = ends(known.but(count=4, rank=3, **CHOSEN, scores=None), name)
    if not isinstance(found, bool) and name != "d_max":  # a triangle's inequality
        assert found[1] <= 1e-6 * max(found[0], 1) or name == "leading_coherence"


def test_ends_of_a_kernel_that_misses_more_are_farther_apart():
    K = KERNELS["slow"]
    few, many = (guarantees.estimate(K, approximated(K, l, 1)) for l in (4, 25))  # noqa: E741
    width = [ends(known.but(rank=3), "tail_trace")[1] for known in (few, many)]
    assert width[0] > 2 * width[1]


@pytest.mark.parametrize("kernel", KERNELS)
def test_no_promise_is_better_than_that_of_the_matrix(kernel):
    """The less is known of a matrix, the less is promised of it."""
    K = KERNELS[kernel]
    more = {"block_size": 2, "experts": 2, "mu_max": 0.5}
    exact = guarantees.promises(K, 8, **more)
    known = guarantees.estimate(K, approximated(K, 20, 3))
    found = guarantees.promises(known, 8, **more)
    assert found.rows and {row.id for row in found.rows} <= {x.id for x in exact.rows}
    true = {(x.id, x.norm, x.scheme): x.share for x in exact.rows}
    for row in found.rows:
        assert row.share >= true[row.id, row.norm, row.scheme] * (1 - 1e-4)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 20), st.integers(0, 10**6), st.floats(0.05, 3))
def test_the_spectrum_is_enclosed(size, seed, gamma):
    rng = np.random.default_rng(seed)
    K = pairwise(rng.standard_normal((25, 2)), "rbf", gamma=gamma)
    known = guarantees.estimate(K, approximated(K, size, seed)).matrix
    true = np.linalg.eigvalsh(K.dense())[::-1]
    assert (true <= known.leading + 1e-12).all()
    low = np.pad(known.values, (0, 25 - len(known.values)))
    assert (true >= low - known.blur - 1e-12).all()
    level = known.levelled
    assert (level >= low - 1e-12).all()
    assert level.sum() == pytest.approx(low.sum() + known.missed)
    # More even than the truth: no sum of the k largest is above the true one.
    assert (np.cumsum(level) <= np.cumsum(true) + known.missed * 1e-9 + 1e-9).all()


def test_an_ensemble_tells_as_well():
    K = KERNELS["fast"]
    experts = [lowrank.nystrom(K, some) for some in (range(10), range(10, 20))]
    mixed = ensemble.combine(K, experts, rng=np.random.default_rng(0))
    known = guarantees.estimate(K, mixed)
    assert guarantees.promises(known, 5).best("trace").says


def test_columns_from_an_estimate_are_enough():
    K = KERNELS["fast"]
    known = guarantees.estimate(K, approximated(K, 20, 3))
    some, exact = (guarantees.columns(x, 0.05) for x in (known, K))
    for row in some.rows:
        if row.count is not None:
            assert row.count >= exact.of(row.at.id).count


@pytest.mark.parametrize("norm", ["trace", "spectral", "Frobenius"])
def test_what_an_estimate_does_not_know_is_not_more_than_there_are(norm):
    """Where the matrix itself answers, an estimate answers or does not know."""
    K = KERNELS["fast"]
    known = guarantees.estimate(K, approximated(K, 6, 3))
    found = guarantees.columns(known, 0.05, norm)
    assert all(row.why for row in found.rows if row.count is None)
    assert not any(row.why for row in found.rows if row.count is not None)
    for told in (str(found), found._repr_html_()):
        assert "More columns than there are" not in told
        assert "not known from this estimate" in told
        assert "An approximation that misses less" in told


def test_a_rank_that_an_estimate_does_not_tell_is_named():
    K = pairwise(np.random.default_rng(0).standard_normal((40, 4)), "rbf", gamma=1.0)
    known = guarantees.estimate(K, approximated(K, 5, 3))
    row = guarantees.columns(known, 0.4).of("modern:k-dpp-expectation")
    assert row.count is None and "l <= rank_K" in row.why and "at least 5" in row.why
    above = guarantees.promises(known, 12).of("modern:k-dpp-expectation", "trace")
    assert not above.says and "at least 5" in above.why
    assert guarantees.columns(K, 0.4).of("modern:k-dpp-expectation").count > 5
    told = guarantees.required_landmarks("modern:k-dpp-expectation", 0.4 * 40, K=known)
    assert told.count is None and "vacuous" not in repr(told)
    assert "not known: not from this estimate" in repr(told)


def test_required_landmarks_of_an_estimate():
    K = KERNELS["fast"]
    known = guarantees.estimate(K, approximated(K, 20, 3))
    some, exact = (
        guarantees.required_landmarks("modern:k-dpp-expectation", 0.5, K=x)
        for x in (known, K)
    )
    assert some.count >= exact.count


def test_what_an_approximation_does_not_tell_is_listed():
    K = KERNELS["rank 9"]
    found = guarantees.promises(guarantees.estimate(K, approximated(K, 5, 0)), 5)
    assert "not known" in found.unasked["talwalkar2010:thm-5.5"]


def test_bad_input():
    K = KERNELS["fast"]
    below = approximated(K, 5, 0)
    with pytest.raises(ValueError, match="got another one"):
        guarantees.estimate(KERNELS["slow"], below)
    with pytest.raises(TypeError, match="approximation"):
        guarantees.estimate(K, 3)
    with pytest.raises(ValueError, match="below|between"):
        guarantees.estimate(K, lowrank.column_sampling(K, [0, 1, 2]))


def test_what_is_printed_tells_how_much_is_not_known():
    K = KERNELS["fast"]
    known = guarantees.estimate(K, approximated(K, 12, 3))
    for found in (guarantees.promises(known, 8), guarantees.columns(known, 0.05)):
        assert 0 < found.missed < 1
        assert "that misses" in str(found) and "that misses" in found._repr_html_()
        table = str(found).split("not known from this estimate")[0].splitlines()
        assert len(table) == sum(found._kept(row) for row in found.rows) + 3
    exact = guarantees.promises(K, 8)
    assert exact.missed == 0 and "that misses" not in str(exact)


def test_what_takes_long_counts(monkeypatch):
    """A bar for the claims, as for every loop of seconds."""
    seen = []

    class Bar:
        def __init__(self, what, total):
            seen.append([what, total, 0])

        def __enter__(self):
            return self

        def __exit__(self, *error):
            return None

        def update(self, count):
            seen[-1][2] += count

    monkeypatch.setattr("nystheory._progress.counter", Bar)
    known = guarantees.estimate(KERNELS["fast"], approximated(KERNELS["fast"], 6, 3))
    guarantees.promises(known, 5)
    guarantees.columns(known, 0.05)
    assert [what for what, _, _ in seen] == ["promises", "promises"]
    assert all(total == count > 5 for _, total, count in seen)
