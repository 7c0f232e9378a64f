"""Pictures of landmarks are those of the schemes."""

import numpy as np
import pytest

from nystheory import kernels, lowrank, sampling
from nystheory.engine.findings import schemes
from nystheory.engine.findings.experiments import uneven_clusters
from nystheory.engine.report import pictures

PICTURED = ("uniform", "incomplete_cholesky", "kmeans", "rp_cholesky")


def test_picks_are_those_of_the_schemes():
    X = uneven_clusters((30, 10))
    assert X.shape == (40, 2)
    plane = kernels.rbf(X, gamma=0.5)
    picks = pictures.picks(plane, PICTURED, 4, seed=0, draws=2)
    assert [pick.name for pick in picks] == [schemes.ALL[name] for name in PICTURED]
    pivots = sampling.incomplete_cholesky(plane, 4)
    icl = next(pick for pick in picks if pick.name == "ICL")
    np.testing.assert_array_equal(icl.places, X[pivots.indices])
    share = lowrank.nystrom(plane, pivots).error(plane, "trace") / 40
    assert icl.missed == pytest.approx(share)


def test_what_is_drawn():
    X = uneven_clusters((20, 5))
    one = pictures.Pick("Uniform", X[:3], 0.25)
    panel = pictures.draw_picks(X, [one]).axes[0]
    assert panel.get_title() == "Uniform: 25 %"
    assert [len(part.get_offsets()) for part in panel.collections] == [25, 3]
