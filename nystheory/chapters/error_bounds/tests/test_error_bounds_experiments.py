"""The experiments of the chapter on error bounds, and its figures."""

import numpy as np
import pytest

from nystheory import kernels, lowrank, style
from nystheory.chapters import theorems
from nystheory.chapters.error_bounds import error_sweeps, figures
from nystheory.chapters.error_bounds import promised as experiments

Ks = experiments.three_kernels(60)
KNOWN = {name: experiments.know(K) for name, K in Ks.items()}
DIGITS = "digits, RBF"


@pytest.fixture(scope="module")
def sweeps():
    return {
        name: error_sweeps.sweep(
            K, KNOWN[name], (5, 20), 3, np.random.default_rng(1), rank=5
        )
        for name, K in Ks.items()
    }


def test_what_is_known_is_what_theorems_measure():
    """The bounds agree with those that a theorem computes from the matrix."""
    K, known = Ks[DIGITS], KNOWN[DIGITS]
    said = experiments.promises(known, 20, 5, delta=0.1)
    for norm, name in (("2", "spectral"), ("F", "frobenius")):
        theorem = theorems[f"talwalkar2010:thm-5.2-{name}"]
        bound = theorem.bound(K, range(20), 5, delta=0.1)
        assert said[experiments.PROVED, norm] <= bound * (1 + 1e-9)
        best = lowrank.best_rank_k(K, 5).error(K, name)
        assert experiments.best(known, 5)[norm] == pytest.approx(best)
        assert experiments.sizes(known)[norm] == pytest.approx(
            np.linalg.norm(K.dense(), 2 if norm == "2" else "fro")
        )
        assert said[experiments.PRINTED, norm] > said[experiments.PROVED, norm]
    spectral = theorems["talwalkar2010:thm-5.2-spectral"]
    bound = spectral.bound(K, range(20), 5, delta=0.1)
    assert said[experiments.PROVED, "2"] == pytest.approx(bound)


def test_nothing_cut_needs_neither_tail_nor_root_two():
    known = KNOWN[DIGITS]
    whole = experiments.promises(known, 20, 20, delta=0.1)[experiments.PROVED, "F"]
    cut = experiments.promises(known, 20, 5, delta=0.1)[experiments.PROVED, "2"]
    assert cut - experiments.best(known, 5)["2"] == pytest.approx(np.sqrt(2) * whole)


def test_paths_are_the_errors_of_growing_samples():
    K = kernels.DenseKernel(Ks[DIGITS].dense()[:12, :12])
    found = experiments.paths(K, 2, np.random.default_rng(3))
    again = np.random.default_rng(3)
    for draw in range(2):
        order = again.permutation(12)
        for count in range(1, 13):
            made = lowrank.nystrom(K, order[:count])
            for seen, norm in ((found.frobenius, "frobenius"), (found.trace, "trace")):
                error = made.error(K, norm)
                assert seen[draw, count] == pytest.approx(error, abs=1e-9)
        assert found.frobenius[draw, 0] == pytest.approx(np.linalg.norm(K.dense()))


def test_first_is_the_first():
    for answer in range(1, 20):
        assert experiments.first(lambda m, a=answer: m >= a, 19) == answer
    assert experiments.first(lambda m: False, 19) is None


def test_columns_are_asked_for_in_order():
    asked = experiments.columns_asked(Ks, KNOWN, share=0.2, draws=3)
    for name, counts in asked.counts.items():
        best, observed, certified, proved, printed = counts.values()
        assert best <= observed <= certified, name
        assert observed <= proved and printed is None
    page = asked.table()._repr_html_()
    assert "never" in page and "trace certificate" in page


def test_sweeps_observe_what_was_promised(sweeps):
    for name, sweep in sweeps.items():
        for norm, size in experiments.sizes(sweep.known).items():
            observed = sweep.observed[norm]
            tail = sweep.promised[experiments.BEST_RANK, norm][:, None]
            distance = np.sqrt(2) * sweep.distance / size
            assert (tail <= observed * (1 + 1e-9)).all(), name
            assert (observed <= (tail + distance) * (1 + 1e-9)).all()
            assert (observed <= sweep.certificate / size * (1 + 1e-9)).all()


def test_steps_multiply_to_the_whole(sweeps):
    for name, row in error_sweeps.steps(sweeps, 20).items():
        sweep = sweeps[name]
        tail = sweep.promised[experiments.BEST_RANK, "2"][1]
        printed = sweep.promised[experiments.PRINTED, "2"][1] - tail
        assert np.prod(list(row.values())) == pytest.approx(printed)


def test_shares_of_the_distance():
    """Against the four blocks of the matrix."""
    found = error_sweeps.where_it_lies(Ks[DIGITS], 20, np.random.default_rng(0), rank=5)
    assert sum(found.values()) == pytest.approx(1)
    assert min(found.values()) >= 0


def test_worst_flip_is_likely_enough():
    """The flip has more than delta, and the next larger difference has not."""
    from scipy.stats import hypergeom

    for drawn, delta in ((10, 0.1), (25, 0.01)):
        n = 100
        difference = round(experiments.worst_flip(n, drawn, delta) * n)
        small = (n - difference) // 2
        chances = [
            hypergeom(n, b, drawn).sf((drawn + 1) // 2 - 1) for b in (small, small - 1)
        ]
        assert chances[0] > delta >= chances[1]
        bound = experiments.worst_case(n, drawn, delta)[experiments.PROVED]
        assert difference / n < bound


def test_crossed_experts_are_half_right():
    K, samples = experiments.crossed(4)
    half = [lowrank.nystrom(K, S, 2).spectral_reconstruction() for S in samples]
    np.testing.assert_allclose(sum(half) / 2, K / 2, atol=1e-12)


def test_what_is_drawn(sweeps):
    asked = experiments.Asked(60, {DIGITS: {"observed": 7, "printed": None}})
    figure, (axes,) = style.panels(1)
    figures.draw_asked(axes, asked)
    assert axes.lines[0].get_xdata() == pytest.approx([figures.NEVER * 60, 7])
    whole = figures.draw_sweeps(sweeps)
    assert [panel.get_title() for panel in whole.axes[:3]] == list(Ks)
    cases = [experiments.worst_case(1000, count, 0.05) for count in (10, 20, 40)]
    figure, (left, right) = style.panels(2)
    figures.draw_rates(left, (10, 20, 40), cases)
    figures.draw_deltas(right, (0.1, 0.01, 0.001), cases)
    assert len(left.get_legend().get_texts()) == 3
    assert len(right.get_legend().get_texts()) == 2
    assert figure._repr_mimebundle_()[0]["image/png"][:4] == b"\x89PNG"
