"""Data sets: what they promise, at any size, from the same seed the same points."""

import builtins
import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nystheory import datasets
from nystheory.datasets import _real


def _rng(seed=0):
    return np.random.default_rng(seed)


MADE = {
    "digits": lambda: datasets.digits(),
    "breast_cancer": lambda: datasets.breast_cancer(),
    "diabetes": lambda: datasets.diabetes(),
    "patches": lambda: datasets.patches(50),
    "spectrum": lambda: datasets.spectrum([3, 2, 1, 0], _rng()),
    "low_rank": lambda: datasets.low_rank(7, 3, _rng()),
    "clusters": lambda: datasets.clusters([3, 1]),
    "gaussian_clusters": lambda: datasets.gaussian_clusters(9, _rng()),
    "identity_block": lambda: datasets.identity_block(4, 2),
    "two_balls": lambda: datasets.two_balls(9, _rng()),
    "documents": lambda: datasets.documents(20, 100, _rng()),
    "robot_arm": lambda: datasets.robot_arm(9, _rng()),
    "swiss_roll": lambda: datasets.swiss_roll(9, _rng()),
    "poses": lambda: datasets.poses(9, _rng(), 8),
}


@pytest.mark.parametrize("name", MADE)
def test_what_every_data_set_is(name):
    data, again = MADE[name](), MADE[name]()
    assert data.name == name
    assert data.X.ndim == 2 and data.X.dtype == np.float64
    assert data.X.flags.c_contiguous and np.isfinite(data.X).all()
    assert data.y is None or data.y.shape == (len(data.X),)
    assert np.array_equal(data.X, again.X)
    assert not np.shares_memory(data.X, again.X)
    for line in (data.description, data.source):
        assert line and "\n" not in line
    assert repr(data).startswith(f"Dataset({name}, X ({len(data.X)}, ")
    assert f">{name}<" in data._repr_html_()
    if data.name in ("digits", "breast_cancer", "diabetes"):
        row = next(row for row in datasets.table().rows if row[0] == name)
        assert row[1] == " x ".join(map(str, data.X.shape))


def test_the_table_lists_every_data_set():
    not_sets = {"Dataset", "Table", "table", "Scenes", "scenes", "rendered"}
    names = [row[0] for row in datasets.table().rows]
    assert set(names) == set(datasets.__all__) - not_sets
    assert set(names) == set(MADE) | {"from_folder"}
    assert all(name in repr(datasets.table()) for name in names)
    assert datasets.table()._repr_html_().count("<tr>") == len(names) + 1
    for name in names:
        assert inspect.getdoc(getattr(datasets, name))


@pytest.mark.parametrize("name", ["digits", "breast_cancer", "diabetes"])
def test_real_data_sets_give_their_first_rows(name):
    make = getattr(datasets, name)
    whole, part = make(), make(10)
    assert np.array_equal(part.X, whole.X[:10])
    assert np.array_equal(part.y, whole.y[:10])
    if name == "digits":
        assert whole.X.min() == 0 and whole.X.max() == 1
    else:
        assert np.allclose(whole.X.mean(axis=0), 0)
        assert np.allclose(whole.X.std(axis=0), 1)
    with pytest.raises(ValueError, match=rf"n: .*from 1 to {len(whole.X)} .*got 9999"):
        make(9999)
    with pytest.raises(TypeError, match="n: expected an integer"):
        make(1.5)


@pytest.mark.parametrize("n", [1, 2, 3, 101, 5000])
@pytest.mark.parametrize("size", [1, 8])
def test_patches_of_any_number(n, size):
    data = datasets.patches(n, size)
    assert data.X.shape == (n, size**2)
    assert data.X.min() >= 0 and data.X.max() <= 1
    assert abs((data.y == 0).sum() - (data.y == 1).sum()) <= 1


def test_patches_are_parts_of_the_photographs():
    data = datasets.patches(20, 5)
    for row, label in zip(data.X, data.y, strict=True):
        picture = _real._photographs()[label]
        windows = np.lib.stride_tricks.sliding_window_view(picture, (5, 5))
        assert (windows == row.reshape(5, 5)).all(axis=(2, 3)).any()
    assert len(np.unique(datasets.patches(20_000).X, axis=0)) > 19_000


def test_patches_without_pillow(monkeypatch):
    def without(name, *args, **kwargs):
        if name.split(".")[0] == "PIL":
            raise ImportError("no PIL")
        return importer(name, *args, **kwargs)

    importer = builtins.__import__
    monkeypatch.setattr(builtins, "__import__", without)
    _real._photographs.cache_clear()
    with pytest.raises(ImportError, match="patches: .*pillow; install"):
        datasets.patches(3)
    with pytest.raises(ValueError, match="n: expected an integer from 1 to 200000"):
        datasets.patches(200_001)


@settings(deadline=None, derandomize=True, max_examples=40)
@given(
    st.lists(st.floats(0, 1e6), min_size=1, max_size=12),
    st.one_of(st.none(), st.floats(0, 1)),
    st.integers(0, 9),
)
def test_spectrum_has_the_eigenvalues_and_the_spike(values, position, seed):
    n = len(values)
    coherence = None if position is None else n ** (position / 2)
    X = datasets.spectrum(values, _rng(seed), coherence).X
    expected = np.sort(values)
    found = np.linalg.eigvalsh(X @ X.T)
    assert np.allclose(found, expected, atol=1e-12 * max(1, expected[-1]))
    assert X.shape == (n, max(1, (expected > 0).sum()))
    if coherence is not None and expected[-1] > 0:
        top = np.abs(X[:, 0]).max() / np.sqrt(expected[-1])
        assert np.isclose(top * np.sqrt(n), coherence)


def test_low_rank_is_of_that_rank_exactly():
    for seed in range(20):
        for integer in (False, True):
            X = datasets.low_rank(9, 4, _rng(seed), integer).X
            assert X.shape == (9, 4) and np.linalg.matrix_rank(X) == 4
        assert np.array_equal(X, X.round()) and np.abs(X).max() <= 2


def test_clusters_are_blocks_of_ones():
    data = datasets.clusters([2, 1])
    assert (data.X @ data.X.T).tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    assert data.y.tolist() == [0, 0, 1]


def test_identity_block_is_equation_5_1():
    X = datasets.identity_block(4, 2).X
    assert np.array_equal(X @ X.T, np.diag([1, 1, 0, 0]))


def test_two_balls_touch_in_the_plane():
    data = datasets.two_balls(2000, _rng(), n_redundant=3)
    centres = np.column_stack([0.5 * data.y, np.full(2000, 0.5)])
    radii = np.linalg.norm(data.X[:, :2] - centres, axis=1)
    assert radii.max() <= 0.5 and data.y.sum() == 0
    assert abs(np.mean(radii**2) - 1 / 8) < 0.005  # uniform in the disc
    assert data.X.shape == (2000, 5)
    assert data.X[:, 2:].min() >= 0 and data.X[:, 2:].max() <= 1
    assert datasets.two_balls(3, _rng(), n_redundant=0).X.shape == (3, 2)


def test_documents_are_sparse_with_a_slow_spectrum():
    X = datasets.documents(200, 2000, _rng()).X
    assert X.min() >= 0 and (X == 0).mean() > 0.9
    assert np.allclose(np.linalg.norm(X, axis=1), 1)
    values = np.linalg.eigvalsh(X @ X.T)[::-1]
    assert values[100] > 0.1 * values[1]
    assert datasets.documents(1, 1, _rng()).X.tolist() == [[1.0]]


def test_a_robot_arm_by_hand():
    arm = datasets.robot_arm(500, _rng(), noise=0)
    x, y = 0.0, 0.0
    for j in range(1, 9):
        x += np.cos(arm.X[7, :j].sum()) / 8
        y += np.sin(arm.X[7, :j].sum()) / 8
    assert arm.y[7] == pytest.approx(np.hypot(x - 0.5, y - 0.5))
    # Stretched out it reaches 1, and the point is at 0.707 from its foot.
    assert arm.y.min() >= 0 and arm.y.max() <= 1 + np.sqrt(0.5)
    noisy = datasets.robot_arm(500, _rng(), noise=0.1)
    assert np.array_equal(arm.X, noisy.X)
    assert np.std(noisy.y - arm.y) == pytest.approx(0.1, rel=0.2)


def test_gaussian_clusters_are_apart():
    data = datasets.gaussian_clusters(400, _rng(), 3)
    means = np.array([data.X[data.y == c].mean(axis=0) for c in range(3)])
    assert np.allclose(np.linalg.norm(means, axis=1), 3, atol=0.2)


def test_from_folder(tmp_path, monkeypatch):
    monkeypatch.delenv(datasets._base.FOLDER_VARIABLE, raising=False)
    with pytest.raises(FileNotFoundError, match="NYSTHEORY_DATA .*a.npz.*export"):
        datasets.from_folder("a")
    monkeypatch.setenv(datasets._base.FOLDER_VARIABLE, str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"\(none\), got 'a'"):
        datasets.from_folder("a")
    bytes_ = np.array([[255, 1]], dtype=np.uint8)
    np.savez(tmp_path / "a.npz", X=bytes_, y=[1])
    np.savez(tmp_path / "b.npz", X=bytes_)
    data = datasets.from_folder("a")
    assert data.X.dtype == np.float64 and data.X.tolist() == [[255.0, 1.0]]
    assert data.y.tolist() == [1] and data.name == "a"
    assert datasets.from_folder("b").y is None
    with pytest.raises(FileNotFoundError, match=r"\(a, b\), got 'c'"):
        datasets.from_folder("c")


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (
            lambda: datasets.spectrum([-1], _rng()),
            ValueError,
            "eigenvalues: .* least 0",
        ),
        (lambda: datasets.spectrum([], _rng()), ValueError, "eigenvalues: .* least 0"),
        (lambda: datasets.spectrum([1], 0), TypeError, "rng: expected a numpy.random"),
        (
            lambda: datasets.spectrum([1, 1], _rng(), 1.5),
            ValueError,
            r"coherence: .*from 1 to sqrt\(n\) = 1.41421, got 1.5",
        ),
        (lambda: datasets.spectrum([1], _rng(), 0.5), ValueError, "coherence: .*0.5"),
        (lambda: datasets.low_rank(2, 3, _rng()), ValueError, r"rank: .*\(n\), got 3"),
        (lambda: datasets.clusters([]), ValueError, "sizes: expected at least one"),
        (lambda: datasets.clusters([0]), ValueError, "sizes: .*got 0"),
        (lambda: datasets.identity_block(2, 3), ValueError, "rank: .*got 3"),
        (lambda: datasets.two_balls(0, _rng()), ValueError, "n: .*got 0"),
        (
            lambda: datasets.two_balls(1, _rng(), -1),
            ValueError,
            "n_redundant: .*got -1",
        ),
        (lambda: datasets.documents(1, 0, _rng()), ValueError, "n_terms: .*got 0"),
        (lambda: datasets.robot_arm(1, _rng(), -1), ValueError, "noise: .*got -1"),
        (lambda: datasets.gaussian_clusters(1, _rng(), 0), ValueError, "n_clusters"),
        (lambda: datasets.patches(1, 0), ValueError, "size: .*got 0"),
    ],
)
def test_data_sets_say_what_is_wrong(call, error, says):
    with pytest.raises(error, match=says):
        call()


# --- Heads ----------------------------------------------------------------------------


def test_a_head_is_drawn_as_a_ball_is_lit():
    """One ball, lit from the front: the law of Lambert, by hand."""
    scene = datasets.scenes(1, _rng(), jitter=0.0)
    front = datasets.Scenes(
        np.array([[0.0, -90.0]]), np.zeros((1, 2)), np.zeros((1, 6)), scene.pose
    )
    # From straight below hair and face are hidden behind the chin in the middle only.
    picture = datasets.rendered(front, 33).reshape(33, 33)
    assert picture[0, 0] == 0 and picture.max() <= 1
    assert np.allclose(picture, picture[:, ::-1], atol=1e-6)  # both sides are alike


def test_a_turn_to_the_other_side_is_a_mirror():
    angles = np.array([[35.0, 10.0], [-35.0, 10.0]])
    light = np.array([[20.0, 5.0], [-20.0, 5.0]])
    scene = datasets.Scenes(angles, light, np.ones((2, 6)), np.zeros(2, int))
    one, other = datasets.rendered(scene, 32).reshape(2, 32, 32)
    assert np.allclose(one, other[:, ::-1], atol=1e-5)
    assert not np.allclose(one, other, atol=0.1)


def test_pictures_do_not_depend_on_blocks_nor_on_their_type():
    scene = datasets.scenes(600, _rng())
    whole = datasets.rendered(scene, 16)
    parts = [datasets.rendered(scene[k : k + 7], 16) for k in range(0, 600, 7)]
    assert np.array_equal(whole, np.concatenate(parts))
    assert np.array_equal(
        whole.astype(np.float32), datasets.rendered(scene, 16, np.float32)
    )
    assert datasets.rendered(scene, 16, np.float32).dtype == np.float32


def test_poses_are_near_their_pose_and_people_come_again():
    scene = datasets.scenes(4000, _rng(), n_people=5)
    assert set(scene.pose) == set(range(13))
    assert len(np.unique(scene.traits, axis=0)) == 5
    assert len(scene) == 4000 and len(scene[:10]) == 10
    still = datasets.scenes(50, _rng(), jitter=0.0)
    assert len(np.unique(still.angles, axis=0)) <= 13
    with pytest.raises(TypeError, match="shown: expected Scenes"):
        datasets.rendered(np.zeros((3, 3)))
