"""Coherence and what it costs: by hand, and exact laws against lists of samples."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from nystheory.chapters import theorems
from nystheory.chapters.coherence.theorems.clusters import (
    far_from_isometry,
    missed,
    one_group,
    within,
)
from nystheory.chapters.coherence.theorems.exact_recovery import LowRank
from nystheory.chapters.coherence.theorems.leverage import draws_for
from nystheory.chapters.coherence.theorems.quantities import Orthonormal
from nystheory.chapters.coherence.theorems.rank_remark import SignColumns
from nystheory.chapters.coherence.theorems.sampled_rows import group_with
from nystheory.chapters.coherence.theorems.synthetic_coherence import columns_with
from nystheory.chapters.coherence.theorems.uniform_columns import (
    UniformColumns,
    columns_for,
)
from nystheory.engine.language.lines import parse
from nystheory.engine.trial.compare import reader
from nystheory.engine.trial.over_samples import over_samples
from nystheory.engine.worlds.clusters import Clusters
from nystheory.engine.worlds.instances import Instance

RECOVERY = theorems["talwalkar2010:thm-5.5"]
ISOMETRY = theorems["talwalkar2010:thm-5.4"]
STRUCTURAL = theorems["modern:structural"]
UNIFORM = theorems["modern:uniform-coherence"]
LEVERAGE = theorems["modern:leverage"]


def measured(name, instance, world=Orthonormal):
    return instance.measured(world.quantities[name]).value


# --- Exact laws -------------------------------------------------------------------


@pytest.mark.parametrize("sizes", [(2, 3), (1, 2, 4), (3, 3, 3)])
@pytest.mark.parametrize("origin", [0, 2])
def test_exact_laws_agree_with_a_list_of_all_samples(sizes, origin):
    label = np.repeat(np.arange(len(sizes) + 1), (*sizes, origin))
    for size in range(1, len(label) + 1):
        case = Clusters.of_ones(sizes, size, origin)
        counts = np.array(
            [
                np.bincount(label[list(s)], minlength=len(sizes) + 1)[:-1]
                for s in combinations(range(len(label)), size)
            ]
        )
        share = counts * len(label) / size / np.array(sizes)
        far = (np.abs(share - 1) >= 0.5).any(axis=1).mean()
        assert missed(case) == pytest.approx((counts == 0).any(axis=1).mean())
        assert far_from_isometry(case) == pytest.approx(far, abs=1e-12)


def test_two_ways_to_miss_a_cluster():
    case = Clusters.of_ones((30,) * 10, 40)
    assert missed(case) == pytest.approx(1 - within(case, [1] * 10, [30] * 10))


@pytest.mark.parametrize("claim", ["chance", "columns", "one group"])
def test_one_group_is_the_instance_that_it_stands_for(claim):
    X = np.append(np.ones(3), np.zeros(5))[None]
    whole = LowRank.from_points(X, range(4), 1, delta=0.5)
    rng, named = np.random.default_rng(0), RECOVERY.claims[claim]
    for case in (whole, one_group(3, 8, 4, 0.5)):
        part = over_samples(RECOVERY, named, case, rng, 10)
        assert part.by == "enumerated"
        alone = Clusters.of_ones((3,), 4, origin=5)
        assert part.comparison.observed == pytest.approx(missed(alone))


def test_rows_of_one_group_are_those_of_its_basis():
    basis = np.append(np.ones(4), np.zeros(4))[:, None]
    whole = Orthonormal.of_basis(basis, range(3), delta=0.5)
    listed = [measured("isometry_defect", o) for _, o in whole.outcomes("uniform")]
    short = one_group(4, 8, 3).outcomes("uniform")
    for value in set(listed):
        chance = sum(p for p, o in short if measured("isometry_defect", o) == value)
        assert chance == pytest.approx(listed.count(value) / len(listed))


def test_the_constant_6_is_too_small_in_integers():
    """The control without a matrix: its samples are counted exactly."""
    case = ISOMETRY.controls["the constant 6"].on
    m, n, l, delta = case.sizes[0], case.n, case.l, Fraction(1, 10_000)  # noqa: E741
    assert float(delta) == case.delta
    assert 6 * n / m * math.log(2 / delta) <= l < 6.01 * n / m * math.log(2 / delta)
    ways, far = math.comb(n - m, l), 0
    for drawn in range(200):
        far += ways if abs(Fraction(n * drawn, l * m) - 1) >= Fraction(1, 2) else 0
        ways = (
            ways * (m - drawn) * (l - drawn) // ((drawn + 1) * (n - m - l + drawn + 1))
        )
    assert far > delta * math.comb(n, l)


def test_random_directions_are_those_of_the_data_set():
    """The law keeps the target, and draws the others anew."""
    rng = np.random.default_rng(0)
    case = Orthonormal.of_basis(columns_with(20, 3, 2.5, rng), range(3), delta=0.5)
    other = case.draw("random_directions", rng)
    for each in (case, other):
        assert measured("target_coherence", each) == pytest.approx(2.5)
    assert measured("rest_coherence", case) != measured("rest_coherence", other)


# --- By hand ----------------------------------------------------------------------


def test_coherence_of_the_plane_by_hand():
    turned = np.array([[1.0, 1], [1, -1]])
    for B, mu in ((np.eye(2), np.sqrt(2)), (turned, 1.0)):
        case = Orthonormal.of_basis(B)
        assert measured("coherence", case) == pytest.approx(mu)
        assert measured("basis_free_coherence", case) == pytest.approx(2)


def test_exponents_by_hand():
    lower, upper = (reader(ISOMETRY, None).value(parse(x)).value for x in "ab")
    assert (lower, upper) == pytest.approx((0.15342640972, 0.10819766216))
    assert upper < 0.1082  # four digits round it up
    assert 1 / upper < 9.25 and 1 / lower < 6.52


def test_bounds_from_numbers_alone():
    numbers = {"r": 50, "l": 346, "k": 50, "basis_free_coherence": 50}
    assert RECOVERY.bound(**numbers) == pytest.approx(50 * math.exp(-6.92))
    both = 50 * math.exp(-0.15342640972 * 6.92) + 50 * math.exp(-0.10819766216 * 6.92)
    assert ISOMETRY.bound(**numbers) == pytest.approx(both)
    bound = UNIFORM.bound(n=1000, l=100, kept_share=0.5, tail_2=2)
    assert bound == pytest.approx(42)
    assert LEVERAGE.bound(tail_2=2, tail_trace=10, accuracy=0.5) == pytest.approx(4.5)
    assert STRUCTURAL.bound(claim="spectral", tail_2=1, G_2=3) == pytest.approx(10)


def test_bound_names_the_hypothesis_that_fails():
    K = np.diag([2.0, 1.0])
    with pytest.raises(ValueError, match="head_seen > 0"):
        STRUCTURAL.bound(K, [1], rank=1, claim="spectral")
    with pytest.raises(ValueError, match="r = 2, k = 1"):
        RECOVERY.bound(K, [0, 1], rank=1)
    few = {"kept_share": 0.5, "delta": 0.1}
    with pytest.raises(ValueError, match="leading_coherence = 2"):
        UNIFORM.bound(K, [0], rank=1, **few)


def test_structural_by_hand():
    # K = [[2, 1], [1, 1]] from its first column: what is left is 1 - 1/2.
    case = Instance(np.array([[2.0, 1], [1, 1]]), [0], 1)
    assert measured("ky_fan_E", case) == pytest.approx([0.5, 0.5])


def test_published_numbers_of_columns():
    assert math.ceil(50 * math.log(50 / 0.05)) == 346
    many = {"size": 1024.0, "group_count": 64.0}
    sizes = SignColumns.of_basis(np.ones((1, 1)), delta=0.01, **many)
    assert measured("fewest_columns", sizes, SignColumns) == 429
    chances = [missed(Clusters.of_ones((16,) * 64, count)) for count in (429, 428)]
    assert chances[0] <= 0.01 < chances[1]
    assert draws_for(5, 0.1, 1.0, 0.7) == 205
    assert group_with(9.25, 10_000, 0.01).l == 701
    case = UniformColumns(np.eye(4), [0], 2, kept_share=0.5, delta=0.1)
    wanted = 4 * math.log(20) / (0.5 + 0.5 * math.log(0.5))
    assert columns_for(case) == pytest.approx(wanted)
