"""The experiments in small, by a second route."""

import numpy as np
import pytest

from nystheory import kernels, lowrank, sampling
from nystheory.chapters.certificates_afterwards import findings, measured, rounding
from nystheory.engine.findings import Trial

ALL = [
    findings.SIZES,
    findings.INVERSES,
    findings.CUTS,
    findings.FUNCTIONS,
    findings.ROUNDING,
]


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.id)
def test_findings_are_of_ten_draws_and_more_data_than_the_page_shows(experiment):
    assert experiment.draws >= 10 and experiment.beyond
    assert experiment.found().complaints() == []


def tried(measure, run, K, seed=1):
    """What is measured of one competitor on a matrix."""
    return measure(Trial(run, K, None, None, np.random.default_rng(seed)))


def rebuilt(K, S):
    """The approximation, from the nearest points in the span of the landmarks."""
    values, vectors = np.linalg.eigh(K)
    root = np.sqrt(np.maximum(values, 0))[:, None] * vectors.T
    Q = np.linalg.qr(root[:, S])[0]
    return root.T @ Q @ Q.T @ root


def without(K, S, j):
    """What the other landmarks leave of column j."""
    return (K - rebuilt(K, [i for i in S if i != j]))[:, j]


def test_sizes_and_guesses_by_leaving_out():
    K = measured.digits(100, np.random.default_rng(0))
    found, rng = tried(measured.sizes, sampling.uniform, K), np.random.default_rng(1)
    dense = K.dense()
    for at, percent in enumerate(measured.PERCENTS):
        S = sampling.uniform(K, percent, rng).indices
        E = dense - rebuilt(dense, S)
        trace, size = np.trace(E), np.linalg.norm(E)
        told = [found[x][at] for x in ("trace", "frobenius", "spectral", "entry")]
        expected = [trace, size, np.linalg.norm(E, 2), np.diag(E).max()]
        assert told == pytest.approx(np.array(expected) / 100, rel=1e-6)
        assert found["sure"][at] == pytest.approx(100 * (trace / size - 1), rel=1e-6)
        left = [without(dense, S, j) for j in S]
        weight = (100 - len(S) + 1) / len(S)
        square = weight * np.sum(np.square(left))
        off = 100 * abs(np.sqrt(square) / size - 1)
        assert found["guess"][at] == pytest.approx(off, rel=1e-6)
        guess = weight * sum(each[j] for each, j in zip(left, S, strict=True))
        off = 100 * abs(guess / trace - 1)
        assert found["guess_trace"][at] == pytest.approx(off, rel=1e-6)
    assert "guess" not in tried(measured.sizes, sampling.rp_cholesky, K)


def test_inverses_and_their_bounds_by_solving():
    K = measured.patients(60, np.random.default_rng(0))
    found = tried(measured.inverses, sampling.uniform, K)
    S = sampling.uniform(K, measured.COLUMNS, np.random.default_rng(1)).indices
    dense = K.dense()
    near = rebuilt(dense, S)
    norm, trace = np.linalg.norm(dense - near, 2), np.trace(dense - near)
    for at, ratio in enumerate(measured.RATIOS):
        one = ratio * norm * np.eye(60)
        gap = np.linalg.inv(near + one) - np.linalg.inv(dense + one)
        expected = ratio * norm * np.linalg.norm(gap, 2)
        assert found["observed"][at] == pytest.approx(expected, rel=1e-5)
        assert found["by_norm"][at] == pytest.approx(1 / (1 + ratio))
        by_trace = trace / (trace + ratio * norm)
        assert found["by_trace"][at] == pytest.approx(by_trace, rel=1e-6)
        assert found["squared"][at] == pytest.approx(1 / ratio)


def test_cuts_are_those_of_the_core_and_of_the_approximation():
    K = measured.digits(60, np.random.default_rng(0))
    known, _ = measured.sample(K, np.random.default_rng(2))
    dense, S = K.dense(), known[1]
    values = np.linalg.eigvalsh(dense)[::-1]
    core = tried(measured.cuts, "core", known)
    after = tried(measured.cuts, "approximation", known)
    C, W = dense[:, S], dense[np.ix_(S, S)]
    for at, rank in enumerate(measured.RANKS):
        for found, M, rest in ((core, W, C), (after, rebuilt(dense, S), None)):
            large, U = (x[..., -rank:] for x in np.linalg.eigh(M))
            near = (U * large) @ U.T
            if rest is not None:
                near = rest @ (U / large) @ U.T @ rest.T
            E = dense - near
            size = 100 * np.linalg.norm(E) / np.linalg.norm(values[rank:])
            assert found["frobenius"][at] == pytest.approx(size, rel=1e-6)
            norm = 100 * np.linalg.norm(E, 2) / values[rank]
            assert found["spectral"][at] == pytest.approx(norm, rel=1e-6)


def test_functions_of_a_matrix_by_hand():
    """Of K = diag(4, 1, 0, ...) with ten points the first two are drawn."""
    K = kernels.DenseKernel(np.diag([4.0, 1.0] + [0.0] * 8))

    def both(K, count, rng):
        assert count == 2
        return np.array([0, 1])

    found = tried(measured.functions, both, K)
    some = np.log([41, 11])
    assert found["log"] == pytest.approx([0, 100 * some[0] / some.sum(), 100], abs=1e-9)
    assert found["root"] == pytest.approx([0, 200 / 3, 100])
    shares = np.array([4 / 4.1, 1 / 1.1])
    assert found["dimension"] == pytest.approx([0, 100 * shares[0] / shares.sum(), 100])


def test_correct_digits_are_those_of_the_error():
    K = measured.on_line(100, np.random.default_rng(0))
    known, _ = measured.sampled(K, np.random.default_rng(1))
    assert [len(S) for S in known.drawn] == [*measured.COUNTS]
    dense = K.dense()
    assert known.norm == pytest.approx(np.linalg.norm(dense, 2))
    for name in rounding.WAYS:
        found = tried(measured.computed, rounding.WAYS[name], known)
        S = known.drawn[0]
        error = np.linalg.norm(dense - rebuilt(dense, S), 2) / known.norm
        assert found["right"][0] == pytest.approx(-np.log10(error), abs=1e-3)


def test_what_is_written_out_is_what_is_computed():
    """Each way agrees on a core of condition one."""
    K = np.array([[2.0, 0, 1], [0, 2, 1], [1, 1, 3]])
    expected = K[:, :2] @ K[:2] / 2
    for way in rounding.WAYS.values():
        assert way(K, [0, 1]) == pytest.approx(expected, abs=1e-12)


def test_only_the_formed_inverse_stops():
    K = measured.on_line(100, np.random.default_rng(0))
    known, _ = measured.sampled(K, np.random.default_rng(1))
    right = {
        name: tried(measured.computed, way, known)["right"]
        for name, way in rounding.WAYS.items()
    }
    assert max(right[rounding.FORMED]) < 7
    assert min(x[-1] for name, x in right.items() if name != rounding.FORMED) > 9


def test_photographs_are_those_of_a_linear_kernel():
    K = measured.photographs(30, np.random.default_rng(0)).dense()
    assert np.linalg.matrix_rank(K) == 30 and (K >= 0).all()
    near = lowrank.nystrom(K, range(30)).error(K)
    assert near == pytest.approx(0, abs=1e-6)
