"""Measurements count what they say, figures show what was measured."""

from dataclasses import replace

import numpy as np
import pytest

from nystheory import datasets, kernels, lowrank
from nystheory.chapters import theorems
from nystheory.chapters.kernel_matrices import experiments as experiment
from nystheory.chapters.kernel_matrices import figures
from nystheory.engine.trial.compare import compare, reader
from nystheory.engine.trial.verification import verify
from nystheory.engine.worlds.low_rank_pair import LowRankPair

SMALL = tuple(replace(task, sizes=(200, 400)) for task in experiment.TASKS)


@pytest.fixture(scope="module")
def costs():
    """Return the costs of all tasks at small sizes."""
    return experiment.measure_costs(SMALL)


def test_by_class_takes_the_first_of_each():
    """A class with too few points gives all it has; the order is that of the labels."""
    y = np.array([3, 1, 3, 3, 2, 1])
    assert experiment.by_class(y, 2).tolist() == [1, 5, 4, 0, 2]


def test_three_ways_agree_on_every_matrix():
    """The three tests give the same answer on all 729 matrices, and can say no."""
    tests = experiment.semidefinite_three_ways()
    assert tests.shape == (3**6, 3)
    assert (tests == tests[:, :1]).all()
    assert 0 < tests[:, 0].sum() < len(tests)


def test_costs_are_those_that_were_counted(costs):
    """Bytes kept and entries asked follow n^2 or l n exactly; times are positive."""
    for task in SMALL:
        assert [cost.n for cost in costs[task.name]] == [200, 400]
        for cost in costs[task.name]:
            width = experiment.FEW if task.exponent == 1 else cost.n
            assert cost.entries_asked == width * cost.n
            assert cost.kept == 8 * task.words(cost.n)
            assert cost.seconds > 0


def test_larger_sizes_can_be_left_out():
    """A limit on the size leaves the smaller ones."""
    (only,) = experiment.measure_costs(SMALL[:1], largest=300)["all of $K$"]
    assert only.n == 200


def test_extrapolation_starts_at_what_was_measured(costs):
    """At the largest size it is the measurement; ten times n costs a power of ten."""
    for task in SMALL:
        last = costs[task.name][-1]
        times = [
            experiment.extrapolated_seconds(task, costs[task.name], last.n * factor)
            for factor in (1, 10)
        ]
        assert times[0] == last.seconds
        assert times[1] / times[0] == pytest.approx(10**task.exponent)


def test_figure_of_costs_ends_at_a_million(costs):
    """Measured marks are solid; dashed lines go on from the last mark."""
    memory, time = figures.plot_costs(costs).axes
    for axes in (memory, time):
        lines = [line for line in axes.lines if len(line.get_xdata()) == 2]
        dashed = [line for line in lines if line.get_linestyle() == "--"]
        solid = [line for line in lines if line.get_marker() not in ("None", None, "")]
        assert {line.get_xdata()[1] for line in dashed} == {10**6}
        starts = {tuple(line.get_xydata()[0]) for line in dashed}
        assert starts == {tuple(line.get_xydata()[-1]) for line in solid}
    assert max(line.get_ydata()[-1] for line in memory.lines) == 8 * 10**12


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (1e-5, "0 milliseconds"),
        (1.4, "1.4 seconds"),
        (4.04, "4.0 seconds"),
        (80, "80 seconds"),
        (5400, "90 minutes"),
        (10_000, "3 hours"),
        (3e8, "10 years"),
    ],
)
def test_duration(seconds, said):
    """Seconds are used from one on, larger units from two on."""
    assert experiment.duration(seconds) == said


def test_holding_at_the_edges():
    """All of the sum takes the values that are not zero; a tie counts as reached."""
    values = np.array([5.0, 3.0, 2.0, 0.0])
    assert [experiment.holding(values, share) for share in (0.1, 0.5, 0.8, 1)] == [
        1,
        1,
        2,
        3,
    ]


def test_figure_of_spectra_marks_the_share():
    """The dot stands where the curve first reaches the share."""
    values = np.array([4.0, 3.0, 2.0, 1.0])
    figure = figures.plot_spectra({"digits, RBF": values}, share=0.8)
    (dot,) = [line for line in figure.axes[1].lines if line.get_marker() == "o"]
    assert dot.get_xydata().tolist() == [[3, 0.9]]


def test_computed_errors_lie_on_the_curves():
    """The marks, from approximations, meet the lines, from eigenvalues."""
    K = kernels.rbf(datasets.digits(60).X).dense()
    ranks = [1, 5, 20]
    (axes,) = figures.plot_errors(K, ranks).axes
    for line, marks in zip(axes.lines[::2], axes.lines[1::2], strict=True):
        on_line = np.interp(ranks, line.get_xdata(), line.get_ydata())
        assert marks.get_ydata() == pytest.approx(on_line, rel=1e-9)


def test_pictures_have_the_panels_that_were_asked_for():
    """One panel for K and one for each rank; two orders of the same points."""
    K = np.diag([3.0, 2.0, 1.0])
    figure = figures.plot_best_ranks(K, [1, 2])
    titles = [axes.get_title() for axes in figure.axes[:3]]
    assert titles == ["$K$", "rank 1: error 60 %", "rank 2: error 27 %"]
    digits = datasets.digits(100)
    order = experiment.by_class(digits.y, 3)
    figure = figures.plot_two_orders(kernels.linear(digits.X), order, digits.y)
    assert [text.get_text() for text in figure.axes[1].get_xticklabels()] == list(
        "0123456789"
    )


def test_largest_entry_is_false_and_the_search_knows():
    """The claim of the exercise fails on a 2 x 2 matrix and under verification."""
    half = np.full((2, 1), np.sqrt(0.5))
    case = LowRankPair(np.diag([1.01, 1.0]), [0], 1, left=half, right=half.T)
    definition = theorems["talwalkar2010:def-2.1"]
    theorem = definition.asserting(largest=experiment.LARGEST_ENTRY)
    found = compare(theorem.claims["largest"], reader(theorem, case))
    assert found.violated and found.bound == pytest.approx(1)
    assert verify(theorem).outcome == "refuted"


def test_gallery_is_made_of_semidefinite_matrices():
    """No eigenvalue is negative beyond rounding, on the first 200 points of each."""
    for name, K in experiment.gallery().items():
        block = K[:200, :200]
        kernels.as_kernel((block + block.T) / 2)
        assert ", " in name
        assert lowrank.best_rank_k(block, 1).eigenvalues[0] > 0
