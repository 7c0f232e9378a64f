"""Coordinates from landmarks, by hand."""

import numpy as np
import pytest

from nystheory.chapters.a_million_points.theorems.landmark_coordinates import (
    COORDINATES,
)
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import reader
from nystheory.engine.worlds.instances import Instance


def measured(case, *lines):
    reading = reader(COORDINATES, case)
    return [reading.value(parse(line)).value for line in lines]


def test_a_direction_that_is_missed_is_what_coordinates_move_by():
    case = Instance(np.diag([4.0, 1]), [0], 1)
    moved, trace = measured(case, "moved_by_landmarks", "trace_E")
    assert (moved, trace) == (pytest.approx(1, abs=1e-6), pytest.approx(1))


def test_one_landmark_on_a_line_misses_nothing():
    case = Instance.from_points(np.array([[1.0, 2, -3]]), [1], 1)
    assert measured(case, "moved_by_landmarks", "trace_E") == pytest.approx(
        [0, 0], abs=1e-6
    )


def test_distances_of_two_points_at_a_right_angle():
    # With the first as landmark the second falls on the origin.
    case = Instance(np.eye(2), [0], 1)
    before, after = measured(case, "squares_of_K", "squares_of_landmarks")
    assert (before[0, 1], after[0, 1]) == (2, 1)


def test_one_coordinate_of_two_keeps_the_longer_axis():
    case = Instance(np.diag([4.0, 1]), [0, 1], 1)
    (kept,) = measured(case, "cut_to_k")
    assert kept == pytest.approx(np.diag([4.0, 0]))
