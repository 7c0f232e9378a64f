"""What was certified stays what it was: copies, arrays that cannot be written to."""

import os
import subprocess
import sys

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.linear_model import Ridge

import nystheory
from nystheory import certificates, coherence, ensemble, kernels, lowrank, sampling
from nystheory.engine import report
from nystheory.engine.language.lines import parse
from nystheory.features import NystromFeatures
from nystheory.guarantees import estimate
from nystheory.kernels import _blocks


def points(n=40, d=3, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


MAKERS = {
    "rbf": lambda X: kernels.rbf(X, 0.5),
    "linear": kernels.linear,
    "laplacian": lambda X: kernels.pairwise(X, "laplacian"),
}


@pytest.mark.parametrize("name", MAKERS)
def test_points_that_are_changed_afterwards(name):
    X, P = points(), points(5, seed=1)
    K = MAKERS[name](X)
    near = lowrank.nystrom(K, [0, 1, 2])
    before = K.dense(), near.transform(P), K.between(P, [0]), near.error(K)
    X *= 3
    after = K.dense(), near.transform(P), K.between(P, [0]), near.error(K)
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(ValueError, match="another one"):
        near.error(MAKERS[name](X))


def test_points_are_not_made_read_only_for_their_owner():
    X = points()
    kernels.rbf(X)
    X[0] = 0.0


def test_landmarks_that_are_changed_afterwards():
    X, P = points(), points(6, seed=1)
    made = NystromFeatures(landmarks=P).fit(X)
    before = made.transform(X)
    P *= 3
    np.testing.assert_array_equal(made.transform(X), before)


@pytest.mark.parametrize("truncate", ["core", "approximation"])
@pytest.mark.parametrize("rank", [None, 2])
def test_what_is_computed_cannot_be_written_to(truncate, rank):
    K = kernels.rbf(points(), 0.5)
    near = lowrank.nystrom(K, range(5), rank=rank, truncate=truncate)
    for array in (near.factor, near.eigenvectors, near.eigenvalues):
        with pytest.raises(ValueError, match="read-only"):
            array *= 2
    drawn = sampling.incomplete_cholesky(K, 5)
    with pytest.raises(ValueError, match="read-only"):
        lowrank.from_factor(drawn).factor[0] = 0


def test_a_mixture_has_features_of_new_points():
    X, new = points(), points(7, seed=3)
    K = kernels.rbf(X, 0.5)
    experts = [lowrank.nystrom(K, S) for S in ([0, 1, 2], [5, 6])]
    mixed = ensemble.Ensemble(experts, [0.25, 0.75])
    found = mixed.transform(new)
    parts = [expert.transform(new) for expert in experts]
    wanted = 0.25 * parts[0] @ parts[0].T + 0.75 * parts[1] @ parts[1].T
    np.testing.assert_allclose(found @ found.T, wanted, atol=1e-13)
    np.testing.assert_allclose(mixed.transform(X), mixed.factor, atol=1e-12)
    with pytest.raises(ValueError, match="weights"):
        ensemble.Ensemble(experts, [1.5, -0.5]).transform(new)


def test_logdet_against_the_whole_matrix():
    K = kernels.rbf(points(), 0.5)
    near = lowrank.nystrom(K, range(9))
    for alpha in (0.3, 1.0, 7.0):
        whole = near.spectral_reconstruction() + alpha * np.eye(40)
        assert near.logdet(alpha) == pytest.approx(np.linalg.slogdet(whole)[1])


@pytest.mark.parametrize("alpha", [1e-6, 0.3, 7.0, 1e8])
@pytest.mark.parametrize("size", [1, 9, 40])
def test_inverse_diagonal_against_the_whole_matrix(size, alpha):
    near = lowrank.nystrom(kernels.rbf(points(), 0.5), range(size))
    values, vectors = np.linalg.eigh(near.spectral_reconstruction())
    wanted = (vectors**2) @ (1 / (values.clip(0) + alpha))
    found = near.inverse_diagonal(alpha)
    np.testing.assert_allclose(found, wanted, atol=1e-12 / alpha)
    assert (found >= 1 / (alpha + near.diagonal())).all()
    assert (found <= 1 / alpha).all()


def test_inverse_diagonal_tells_what_a_point_left_out_does():
    """The residual of ridge regression over its entry is that without the point."""
    near = lowrank.nystrom(kernels.rbf(points(), 0.5), range(9))
    y, alpha = np.sin(np.arange(40.0)), 0.3
    left = alpha * near.solve(y, alpha)
    alone = left / (alpha * near.inverse_diagonal(alpha))
    F = np.delete(near.factor, 4, axis=0)
    w = np.linalg.solve(F.T @ F + alpha * np.eye(9), F.T @ np.delete(y, 4))
    assert alone[4] == pytest.approx(y[4] - near.factor[4] @ w)


def test_inverse_diagonal_of_nothing_and_of_a_mixture():
    K = kernels.rbf(points(), 0.5)
    nothing = lowrank.nystrom(np.zeros((3, 3)), [0])
    assert nothing.inverse_diagonal(2.0).tolist() == [0.5, 0.5, 0.5]
    experts = [lowrank.nystrom(K, S) for S in ([0, 1, 2], [5, 6])]
    mixed = ensemble.Ensemble(experts, [0.25, 0.75])
    whole = mixed.spectral_reconstruction() + 0.3 * np.eye(40)
    wanted = np.linalg.inv(whole).diagonal()
    np.testing.assert_allclose(mixed.inverse_diagonal(0.3), wanted, rtol=1e-10)
    with pytest.raises(ValueError, match="^weights"):
        ensemble.Ensemble(experts, [1.5, -0.5]).inverse_diagonal(0.3)


def test_the_operator_has_the_digits_of_the_factor():
    K = kernels.rbf(points(), 0.5)
    operator = lowrank.nystrom(K, range(9)).to_linear_operator()
    assert operator.dtype == np.float64


def test_a_factor_that_rounding_has_spoiled_is_not_handed_on(monkeypatch):
    from nystheory.sampling import _pivoted

    K = kernels.rbf(points(), 0.5)
    assert sampling.rp_cholesky(K, 5, np.random.default_rng(0)).factor is not None
    monkeypatch.setattr(
        _pivoted.Factor,
        "_contradicted",
        lambda self: setattr(self, "_blurred", True),
    )
    drawn = sampling.rp_cholesky(K, 5, np.random.default_rng(0))
    assert drawn.factor is None
    certificates.trace_certificate(K, lowrank.nystrom(K, drawn))


def test_half_of_the_memory_counts_all_copies(monkeypatch):
    K = kernels.rbf(points(300), 0.5)
    monkeypatch.setattr(sampling._costs, "_memory", lambda: 4.0 * 8 * 300**2)
    with pytest.warns(sampling.Costly, match="k_dpp"):
        sampling.k_dpp(K, 5, np.random.default_rng(0))


def test_the_inverse_is_a_ridge_regression():
    X = points(60)
    made = NystromFeatures(n_landmarks=10, fit_inverse=True, random_state=0).fit(X)
    F = made.transform(X)
    centred = F - F.mean(axis=0)
    ridge = made.alpha * (centred**2).sum() / F.shape[1]
    there = Ridge(alpha=ridge).fit(F, X).predict(F)
    np.testing.assert_allclose(made.inverse_transform(F), there, atol=1e-9)


def test_rows_of_a_transform_are_in_order(monkeypatch):
    X = points(200)
    made = NystromFeatures(n_landmarks=10, random_state=0).fit(X)
    whole = made.transform(X)
    monkeypatch.setattr(_blocks, "BLOCK_BYTES", 8 * 10 * 7)
    np.testing.assert_allclose(made.transform(csr_array(X)), whole, atol=1e-13)


def test_an_estimate_assumes_no_other_order_of_matrices():
    K = kernels.rbf(points(), 0.5)
    known = estimate(K, lowrank.nystrom(K, range(9)))
    assert known.reader({}).value(parse("below(0, K)")) is True
    assert known.reader({}).value(parse("below(K, 0)")) is not True


SLOW = (
    "import time, nystheory; from nystheory._progress import counter\n"
    "{}\n"
    "with counter('columns', 3) as bar:\n"
    "    for _ in range(3): time.sleep({}); bar.update(1)\n"
)


def seen(said="", seconds=0.45, off="", terminal=True):
    """What a loop shows on the error stream, a terminal or a pipe."""
    world = {**os.environ, "TQDM_DISABLE": off}
    run = [sys.executable, "-c", SLOW.format(said, seconds)]
    if not terminal:
        done = subprocess.run(run, env=world, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stderr
    ours, theirs = pytest.importorskip("pty").openpty()
    pytest.importorskip("termios").tcsetwinsize(theirs, (24, 80))
    done = subprocess.run(run, env=world, stderr=theirs)
    os.set_blocking(ours, False)
    try:
        shown = os.read(ours, 2**16).decode()
    except BlockingIOError:
        shown = ""
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 0, shown
    return shown


def test_bars_appear_after_a_second_and_can_be_switched_off():
    assert "columns" in seen()
    assert seen(seconds=0.0) == ""
    assert seen(off="1") == seen("nystheory.progress(False)") == ""
    assert seen("nystheory.progress()", off="1") == ""


def test_bars_are_for_terminals_unless_they_are_asked_for():
    assert seen(terminal=False) == ""
    assert "columns" in seen("nystheory.progress(True)", terminal=False)
    back = "nystheory.progress(True); nystheory.progress(None)"
    assert seen(back, terminal=False) == ""


def test_the_ledger_has_the_same_bars(monkeypatch):
    told = []

    class Bar:
        def __init__(self, what, total):
            told.append((what, total))

        def __enter__(self):
            return self

        def __exit__(self, *error):
            return None

        def update(self, count):
            told.append(count)

    monkeypatch.setattr("nystheory.engine.report.ledger.counter", Bar)
    assert list(report.bar(["a", "b"])) == ["a", "b"]
    assert told == [("theorems", 2), 1, 1]


def test_a_switch_is_true_or_false():
    with pytest.raises(TypeError, match="^show: expected True, False or None"):
        nystheory.progress("no")


def test_a_ridge_needs_no_more_than_the_diagonal_tells():
    """tr K (K + alpha)^-1 is at most the sum over the diagonal."""
    found = coherence.approximate_effective_dimension(
        np.eye(10), lowrank.nystrom(np.eye(10), [0]), 1.0
    )
    assert found.high == 5.0 and found.advice
