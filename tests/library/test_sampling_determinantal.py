"""Determinantal schemes say what they cannot do."""

import numpy as np
import pytest

from nystheory import sampling


def test_a_mean_number_below_the_rank_is_needed():
    with pytest.raises(ValueError, match="below the rank of K, which is 3, got 3"):
        sampling.dpp(np.eye(3), 3, np.random.default_rng(0))
    with pytest.raises(ValueError, match="expected n_landmarks or alpha, got neither"):
        sampling.dpp(np.eye(3), None, np.random.default_rng(0))
