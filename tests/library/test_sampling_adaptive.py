"""The probabilities of adaptive sampling say what they cannot do."""

import numpy as np
import pytest

from nystheory import sampling


def test_update_probabilities_are_checked():
    K = np.eye(3)
    with pytest.raises(ValueError, match="fewer than all 3 columns"):
        sampling.update_probability_partial(K, [0, 1, 2])
    with pytest.raises(ValueError, match="rank: .* from 1 to 1"):
        sampling.update_probability_partial(K, [0], rank=2)
