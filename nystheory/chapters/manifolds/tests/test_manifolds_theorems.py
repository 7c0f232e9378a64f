"""Coordinates, centring and eigenmaps, by hand."""

import numpy as np
import pytest

from nystheory import exact
from nystheory.chapters.manifolds.theorems import quantities as q
from nystheory.chapters.manifolds.theorems.coordinates import STRAIN
from nystheory.chapters.manifolds.theorems.eigenmaps import EIGENMAPS
from nystheory.chapters.manifolds.theorems.embeddings import COLUMN_SAMPLING
from nystheory.chapters.manifolds.theorems.errors import ERRORS
from nystheory.chapters.manifolds.theorems.landmarks import CENTRING, MDS
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import reader
from nystheory.engine.trial.verification import verify
from nystheory.engine.worlds.instances import Instance


def measured(theorem, case, *lines):
    reading = reader(theorem, case)
    return [reading.value(parse(line)).value for line in lines]


def printed(theorem, name):
    """What the two sides of a printed form are on its instance, exactly."""
    form = theorem.printed[name]
    case = exact.Case.of(**form.instance.in_fractions())
    return exact.prove(form.line, case, theorem.where_lines)


def test_the_corners_of_a_rectangle():
    # Four corners (+-2, +-1): eigenvalues 16 and 4; one coordinate keeps the width.
    case = STRAIN.controls["one percent less"].on
    strain, kept, near = measured(
        STRAIN, case, "norm_F(centred - gram_Y)", "norm_F(gram_Y)", "sum(squares_Y)"
    )
    assert (strain, kept) == (pytest.approx(4), pytest.approx(16))
    assert near == pytest.approx(8 * 16)


def test_the_printed_sum_is_zero_at_the_solution_and_less_elsewhere():
    found = printed(STRAIN, "least sum")
    assert (float(found.left), float(found.right)) == (0, -2)


def test_the_path_of_four():
    # The thesis's (3.3) gives sqrt(2) - 2/3, and (5, 3, -3, -5) gives less.
    case = EIGENMAPS.printed["another sum"].instance
    ours, theirs = measured(EIGENMAPS, case, "printed_sum_Y", "printed_sum_V")
    assert ours == pytest.approx(2**0.5 - 2 / 3)
    assert theirs == pytest.approx(0.696, abs=1e-3)
    v = np.array([5.0, 3, -3, -5])
    degrees = np.array([1.0, 2, 2, 1])
    assert [v @ w for w in (np.ones(4), np.sqrt(degrees), degrees)] == [0, 0, 0]


def test_each_edge_of_a_path_counts_there_and_back():
    # Degrees 1, 2, 1 and coordinates 1, 0, -1: each of two edges has the length 1.
    case = EIGENMAPS.controls["five percent less"].on
    line = "trace(placed @ normalised_laplacian @ placed.T)"
    assert measured(EIGENMAPS, case, "edge_sum", line) == pytest.approx([4, 2])


def test_one_column_of_a_matrix_with_both_signs():
    case = Instance(np.array([[0.0, 1], [1, 0]]), [0], 1)
    both = measured(COLUMN_SAMPLING, case, "K_col", "embedded.T @ embedded")
    for gram in both:
        assert gram == pytest.approx(np.diag([0, 2**0.5]))


def test_a_negative_eigenvalue_comes_back_as_a_positive_one():
    case = COLUMN_SAMPLING.controls["a negative eigenvalue"].on
    (gram,) = measured(COLUMN_SAMPLING, case, "embedded.T @ embedded")
    assert case.K == pytest.approx(np.diag([2.0, -1]))
    assert gram == pytest.approx(np.diag([2.0, 1]))


def test_single_centring_adds_a_dimension():
    case = CENTRING.controls["singly centred"].on
    assert measured(CENTRING, case, "rank_single", "rank_double") == [2, 1]
    single, double = q.single(case), q.double(case)
    # Points 0, 1 and 3: means over landmarks 0 and 1 are taken off the rows.
    assert single == pytest.approx(
        np.array([[0.25, -0.25], [-0.25, 0.25], [-4.25, -1.75]])
    )
    assert double == pytest.approx(
        np.array([[0.25, -0.25], [-0.25, 0.25], [-1.25, 1.25]])
    )


def test_landmark_mds_of_three_points_on_a_line():
    case = CENTRING.controls["singly centred"].on
    (Y,) = measured(MDS, case, "landmarks_placed")
    # At -1/2, 1/2 and 5/2 about the mean of the landmarks, up to the sign.
    assert np.abs(Y[0]) == pytest.approx([0.5, 0.5, 2.5])
    (near,) = measured(MDS, case, "squares_from_landmarks")
    assert near == pytest.approx(q.squares(case))


def test_the_bound_for_any_coordinates_is_attained():
    # Unit length before, squared length sqrt(2) - 1 and a right angle after.
    case = ERRORS.controls["two percent more below the root"].on
    moved, bound = measured(
        ERRORS,
        case,
        "moved_Z",
        "norm_F(placed.T @ placed - gram_Y) / sqrt(2 * (sqrt(2) - 1) * centred_last)",
    )
    assert 0.999 < moved / bound < 1
    assert moved**2 == pytest.approx(2 + 6 * (3 / 8) ** 2)


def test_a_distance_twice_as_long_errs_by_its_own_length():
    case = ERRORS.controls["without the square"].on
    assert measured(ERRORS, case, "distance_share") == [1]
    told = exact.Case.of(**case.in_fractions())
    assert exact.ROUTES["distance_share"](told) == 1


def test_an_error_that_is_planted_is_found():
    claim = "norm_F(other_centred - centred) <= norm_F(other_squares - squares) / 2.1"
    verdict = verify(ERRORS.but(claims={"kernel": claim}, controls={}))
    assert verdict.outcome == "refuted"
