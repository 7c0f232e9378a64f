"""How landmarks show: as a row of a table and as a picture."""

import numpy as np
import pytest
from sampling_cases import run

from nystheory import datasets, kernels


@pytest.fixture(scope="module")
def digits():
    return kernels.rbf(datasets.digits(300).X)


@pytest.mark.parametrize("name", ["uniform", "kmeans", "rp_cholesky"])
def test_landmarks_show_as_a_row_and_as_a_picture(name, digits):
    drawn = run(name, digits, 7)
    assert name in drawn._repr_html_() and "factor" * (name[0] == "r") in repr(
        drawn._repr_html_()
    )
    axes = drawn.plot(digits).axes[0]
    points, chosen = (c.get_offsets() for c in axes.collections)
    assert len(points) == 300 and len(chosen) == 7
    assert "principal component" in axes.get_xlabel()


def test_pictures_without_points_and_in_the_plane(digits):
    stored = kernels.DenseKernel(digits.dense())
    drawn = run("uniform", stored, 7)
    assert "singular vector 1" in drawn.plot(stored).axes[0].get_xlabel()
    line = kernels.rbf(np.linspace(0, 1, 300)[:, None])
    assert run("uniform", line, 7).plot(line).axes[0].get_xlabel() == "$x_1$"
    with pytest.raises(ValueError, match="K: expected the matrix of 300 points"):
        drawn.plot(np.eye(5))
