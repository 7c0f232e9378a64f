"""The experiments of chapter 4: accuracies, intervals, counts and what is drawn."""

from itertools import product

import numpy as np
import pytest

from nystheory import datasets, kernels, lowrank, style
from nystheory.chapters import theorems
from nystheory.chapters.projection_or_reconstruction import experiments, figures
from nystheory.engine import report
from nystheory.engine.findings import experiments as shared
from nystheory.engine.trial.statistics import Interval

K = kernels.rbf(datasets.digits(40).X).dense()


def textbook(K, S, k):
    """All six approximations by the formulas of the chapter, with numpy alone."""
    n, l = len(K), len(S)  # noqa: E741
    C = K[:, S]
    w, U = np.linalg.eigh(C[S])
    w, U = w[::-1][:k], U[:, ::-1][:, :k]
    nystrom = np.sqrt(l / n) * C @ U / w
    columns, s, _ = np.linalg.svd(C)
    columns = columns[:, :k]
    orthonormal = np.linalg.qr(nystrom)[0]
    pairs = {
        "Nyström": (nystrom, n / l * w),
        "Column-sampling": (columns, np.sqrt(n / l) * s[:k]),
        "Orthonormal Nyström": (orthonormal, n / l * w),
    }
    found = {f"{name} projection": V @ V.T @ K for name, (V, _) in pairs.items()}
    for name, (V, values) in pairs.items():
        found[f"{name} reconstruction"] = (V * values) @ V.T
    return found


@pytest.mark.parametrize("k", [3, 8])
def test_accuracies_are_those_of_the_textbook(k):
    S = [3, 14, 15, 9, 26, 5, 35, 8]
    tail = np.linalg.norm(np.linalg.eigvalsh(K)[:-k])
    expected = [tail / np.linalg.norm(K - M) for M in textbook(K, S, k).values()]
    found = experiments.accuracies(K, S, lowrank.best_rank_k(K, k))
    assert tuple(textbook(K, S, k)) == experiments.ALL
    np.testing.assert_allclose(found, expected, rtol=1e-8)


def test_the_identity_matrix_as_in_the_exercise():
    n, k, counts = 60, 6, (6, 12, 30)
    sweep = experiments.over_landmarks(np.eye(n), k, counts, draws=2)
    s = np.sqrt(n / np.array(counts))
    for name, scale in (("Column-sampling", s), ("Orthonormal Nyström", s**2)):
        expected = np.sqrt((n - k) / (n - k + k * (scale - 1) ** 2))
        found = sweep.accuracy[f"{name} reconstruction"]
        np.testing.assert_allclose(found, np.outer(expected, [1, 1]))
    np.testing.assert_allclose(sweep.accuracy["Nyström reconstruction"], 1)


def test_methods_see_the_same_landmarks():
    """At k = l the two orthonormal projections agree in every single draw."""
    found = experiments.over_landmarks(K, 5, [5], draws=6).accuracy
    column = found["Column-sampling projection"]
    np.testing.assert_allclose(found["Orthonormal Nyström projection"], column)
    assert np.ptp(column) > 0


def test_gaps_are_paired_and_turn():
    sweeps = {"K": experiments.over_landmarks(K, 4, [4, 8], draws=5)}
    pair = "Nyström reconstruction", "Column-sampling reconstruction"
    gaps = shared.gaps(sweeps, *pair)
    accuracy = sweeps["K"].accuracy
    means = (accuracy[pair[0]] - accuracy[pair[1]]).mean(axis=1)
    np.testing.assert_allclose([i.estimate for i in gaps["K"]], means)
    back = shared.gaps(sweeps, *pair[::-1])["K"]
    turned = shared.turned(gaps)["K"]
    for one, other in zip(turned, back, strict=True):
        np.testing.assert_allclose(one[:3], other[:3])


def test_columns_needed_is_the_first_that_suffices():
    K = kernels.linear(datasets.digits(60).X)
    best, order = lowrank.best_rank_k(K, 5), np.random.default_rng(1).permutation(60)
    needed = experiments.columns_needed(K, order, best)

    def accuracy(count):
        return lowrank.nystrom(K, order[:count], 5).relative_accuracy(K, best=best)

    assert accuracy(needed) >= 0.75 > accuracy(int(needed / 1.05) - 1)


def test_columns_needed_at_the_ends():
    best = lowrank.best_rank_k(np.eye(20), 4)
    assert experiments.columns_needed(np.eye(20), np.arange(20), best) == 4
    hidden = np.diag([1.0] * 19 + [100.0])
    best = lowrank.best_rank_k(hidden, 1)
    assert experiments.columns_needed(hidden, np.arange(20), best) == 20


def test_recovery_needs_every_column_of_the_identity():
    X = datasets.identity_block(6, 2).X
    shares = experiments.recovery_share(X, [1, 6], draws=20)
    assert shares.tolist() == [0, 1]


def test_chance_that_nothing_is_dark_by_enumeration():
    """Exact for features that share no point."""
    X = np.array([[1, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 0]])
    share = 0.3
    total = 0.0
    for taken in product([0, 1], repeat=4):
        lit = X[np.array(taken, dtype=bool)].any(axis=0)
        weight = np.prod([share if t else 1 - share for t in taken])
        total += weight * lit[:2].all()
    assert experiments.chance_nothing_is_dark(X, [share])[0] == pytest.approx(total)


def test_one_row_shows_what_the_chapter_says():
    seen = experiments.one_row()
    errors = {name: row - seen.row for name, row in seen.rebuilt.items()}
    sizes = {name: np.linalg.norm(error) for name, error in errors.items()}
    assert sizes["Column-sampling projection"] < sizes["Nyström projection"]
    assert sizes["Nyström reconstruction"] < sizes["Column-sampling reconstruction"]
    assert np.abs(errors["Nyström reconstruction"][seen.landmarks]).max() < 1e-12


def test_what_is_drawn():
    _, (left,) = style.panels(1)
    figures.draw_row(left, experiments.one_row(), "projection")
    assert [line.get_label() for line in left.lines] == [
        "row of $K$",
        "Nyström",
        "Column-sampling",
        "landmarks",
    ]


def test_reading_tells_yes_no_open_and_leaves_out_the_same():
    yes, no = Interval(2, 1, 3, ""), Interval(-2, -3, -1, "")
    unclear, same = Interval(0.5, -1, 2, ""), Interval(1e-9, -1e-9, 3e-9, "")
    text = shared.reading([yes, no, unclear, same])
    assert text == "yes at 1 of 3, the opposite at 1, open at 1 (-2.000 to 2.000)"
    page = shared.claims_table({"a claim": {"digits, RBF": [yes]}})._repr_html_()
    assert "a claim" in page and "yes at 1 of 1" in page


@pytest.mark.parametrize(
    "id",
    [t.id for t in theorems.values() if t.derivation is not None],
)
def test_every_derivation_can_be_shown(id):
    shown, derived = report.derivation(theorems[id]), theorems[id].derivation
    steps = derived.steps
    assert [why for why, _ in shown.lines] == [why for _, why in steps]
    assert 2 <= len(shown.lines) <= len(steps)
    page = shown._repr_html_()
    assert page.count(r"\[") == len(shown.lines)


def test_a_theorem_without_a_derivation_says_so():
    with pytest.raises(TypeError, match=r"talwalkar2010:eq-2.24: expected"):
        report.derivation(theorems["talwalkar2010:eq-2.24"])
