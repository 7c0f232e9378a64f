"""Embeddings: beside scikit-learn's, by hand, of new points, and without n x n."""

import tracemalloc
import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial import procrustes
from scipy.spatial.distance import cdist
from sklearn.datasets import make_moons
from sklearn.manifold import Isomap as TheirIsomap
from sklearn.manifold import SpectralEmbedding
from sklearn.metrics import euclidean_distances
from sklearn.utils.estimator_checks import parametrize_with_checks

from nystheory import datasets, manifold
from nystheory.manifold import Isomap, LandmarkMDS, LaplacianEigenmaps

ROLL = datasets.swiss_roll(600, np.random.default_rng(0))
NEW = datasets.swiss_roll(40, np.random.default_rng(1)).X
PLANE = np.random.default_rng(2).standard_normal((50, 3))
FAR = cdist(PLANE, PLANE)

pytestmark = pytest.mark.filterwarnings(
    "ignore::nystheory.manifold.NegativeEigenvalues"
)


def turned(found, wanted):
    """With the signs of the other, column by column."""
    return found * np.sign((found * wanted).sum(axis=0))


# --- Beside scikit-learn's ------------------------------------------------------------


@pytest.mark.parametrize("k", [2, 3])
def test_exact_isomap_is_that_of_scikit_learn(k):
    ours = Isomap(k, n_neighbors=8, method="exact").fit(ROLL.X)
    theirs = TheirIsomap(n_neighbors=8, n_components=k).fit(ROLL.X)
    size = np.abs(ours.embedding_).max()
    found = turned(theirs.embedding_, ours.embedding_)
    assert np.allclose(found, ours.embedding_, atol=1e-9 * size)
    new = ours.transform(NEW)
    assert np.allclose(turned(theirs.transform(NEW), new), new, atol=1e-9 * size)


# --- Far from the origin, large and small ---------------------------------------------

WIDE = np.random.default_rng(3).standard_normal((300, 20))


@pytest.mark.parametrize("search", ["exact", "approximate"])
@pytest.mark.parametrize("place", [1e4, 1e8])
def test_points_far_from_the_origin_keep_their_neighbours(search, place):
    if search == "approximate":
        pytest.importorskip("faiss")
    wanted = manifold.neighbours(WIDE, 5)
    found = manifold.neighbours(
        WIDE + place, 5, search=search, rng=np.random.default_rng(0)
    )
    assert np.array_equal(found.indices, wanted.indices)
    assert np.allclose(found.distances, wanted.distances, rtol=1e-7)
    assert found.recall in (None, 1.0)
    model, moved = Isomap(2, n_neighbors=9), Isomap(2, n_neighbors=9)
    new = model.fit(WIDE).transform(WIDE[:20] + 0.1)
    again = moved.fit(WIDE + place).transform(WIDE[:20] + place + 0.1)
    assert np.allclose(again, new, atol=1e-5)
    labels = WIDE[:, 0] > 0
    errors = [
        manifold.neighbour_error(X, labels, np.random.default_rng(0))
        for X in (WIDE, WIDE + place)
    ]
    assert errors[0] == errors[1]


@pytest.mark.parametrize("scale", [1e-140, 1e-30, 1e20, 1e140])
def test_the_index_takes_points_of_any_size(scale):
    """Squares that overflow in float32 would end the process."""
    pytest.importorskip("faiss")
    wanted = manifold.neighbours(WIDE, 5).distances
    found = manifold.neighbours(
        scale * WIDE, 5, search="approximate", rng=np.random.default_rng(0)
    )
    assert np.allclose(found.distances / scale, wanted) and found.recall == 1


def test_copies_are_at_distance_zero_in_many_dimensions_too():
    found = manifold.neighbours(np.repeat(WIDE, 2, axis=0), 3)
    assert (found.distances[:, 0] == 0).all() and (found.distances[:, 1] > 0).all()
    assert (np.diff(found.distances, axis=1) >= 0).all()


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("scale", [1e-45, 1e38, 1e77, 1e140])
def test_distances_that_cannot_be_squared_are_told(scale):
    message = r"X: expected distances whose largest is from 1e-30 to 1e\+30"
    for model in (
        Isomap(2, n_neighbors=8),
        Isomap(2, n_neighbors=8, n_landmarks=9, method="column-sampling"),
    ):
        with pytest.raises(ValueError, match=message):
            model.fit(scale * PLANE)
    with pytest.raises(ValueError, match=message):
        LandmarkMDS(2).fit(scale * FAR[:, :9])
    graph = manifold.neighbours(scale * PLANE, 8).graph()
    if scale > 1:
        with pytest.raises(ValueError, match="dtype: expected float64 for paths"):
            graph.geodesics([0])
        message = r"X: expected distances whose largest is from 0e\+00 to 1e\+30"
        with pytest.raises(ValueError, match=message):
            LandmarkMDS(2).fit(FAR[:, :9]).transform(scale * FAR[:2, :9])
        with pytest.raises(ValueError, match=message):
            Isomap(2, n_neighbors=8).fit(PLANE).transform(scale * PLANE)
    assert np.isfinite(graph.geodesics([0], dtype=np.float64)).all()


def test_differences_of_squares_are_distances():
    """scikit-learn's are not zero between a point and itself among others."""
    far = euclidean_distances(WIDE + 10, WIDE[:9] + 10)
    assert far.diagonal().any()
    found = LandmarkMDS(3).fit(far).embedding_
    wanted = LandmarkMDS(3).fit(cdist(WIDE, WIDE[:9])).embedding_
    assert np.allclose(found, wanted, atol=1e-5)


# --- More beside scikit-learn's -------------------------------------------------------


def test_many_points_take_the_other_way_to_eigenvalues(monkeypatch):
    whole = Isomap(3, n_neighbors=8, method="exact").fit(ROLL.X)
    monkeypatch.setattr("nystheory.manifold._embedding.SMALL", 100)
    part = Isomap(3, n_neighbors=8, method="exact").fit(ROLL.X)
    found = turned(part.embedding_, whole.embedding_)
    assert np.allclose(found, whole.embedding_, atol=1e-6)
    assert np.allclose(part.eigenvalues_, whole.eigenvalues_)
    # Of 100 points in place of all of them.
    assert 0.3 < part.negative_share_ / whole.negative_share_ < 3
    rows = np.linspace(0, 599, 100).astype(int)
    between = LandmarkMDS(2).fit(whole.geodesics_[np.ix_(rows, rows)])
    assert np.isclose(part.negative_share_, between.negative_share_)


@pytest.mark.parametrize("divided", [True, False])
@pytest.mark.parametrize("n", [150, 600])
def test_eigenmaps_are_those_of_scikit_learn(n, divided):
    graph = manifold.neighbours(ROLL.X[:n], 10).graph()
    ours = LaplacianEigenmaps(3, divided=divided).fit(graph)
    W = graph.lengths.toarray()
    W = np.where(W > 0, np.exp(-((W / ours.width_) ** 2)), 0)
    theirs = SpectralEmbedding(3, affinity="precomputed", random_state=0).fit(W)
    found = theirs.embedding_
    if not divided:
        found = found * np.sqrt(W.sum(axis=1))[:, None]
    assert np.allclose(turned(found, ours.embedding_), ours.embedding_, atol=1e-9)


def test_eigenmaps_of_all_pairs_with_all_landmarks_are_exact():
    X = PLANE
    ours = LaplacianEigenmaps(
        3, method="nystrom", width=2.0, landmarks=np.arange(50), divided=False
    ).fit(X)
    W = np.exp(-(cdist(X, X) ** 2) / 4)
    half = np.sqrt(W.sum(axis=1))
    values, U = np.linalg.eigh(W / np.outer(half, half))
    assert np.allclose(ours.eigenvalues_, 1 - values[::-1][1:4], atol=1e-9)
    U = U[:, ::-1][:, 1:4]
    assert np.allclose(turned(ours.embedding_, U), U, atol=1e-7)


@pytest.mark.parametrize("divided", [True, False])
def test_eigenmaps_leave_points_of_the_fit_where_they_were(divided):
    model = LaplacianEigenmaps(2, method="nystrom", n_landmarks=20, divided=divided)
    assert np.allclose(model.fit_transform(PLANE), model.transform(PLANE))


def test_the_width_is_the_root_mean_square_of_edges():
    line = [[0.0], [1.0], [3.0]]
    assert np.isclose(LaplacianEigenmaps(1, n_neighbors=1).fit(line).width_, 2.5**0.5)


# --- Landmarks ------------------------------------------------------------------------


def test_all_points_as_landmarks_are_the_exact_method():
    exact = Isomap(2, n_neighbors=8, method="exact").fit(ROLL.X)
    every = Isomap(2, n_neighbors=8, landmarks=np.arange(600)).fit(ROLL.X)
    assert every.method_ == "nystrom"
    size = np.abs(exact.embedding_).max()
    found = turned(every.embedding_, exact.embedding_)
    assert np.allclose(found, exact.embedding_, atol=1e-5 * size)  # of float32
    assert np.allclose(every.eigenvalues_, exact.eigenvalues_, rtol=1e-5)


@pytest.mark.parametrize("landmarks", ["uniform", "farthest_point", "rp_cholesky"])
@pytest.mark.parametrize("method", ["nystrom", "column-sampling"])
def test_a_few_landmarks_are_next_to_the_exact_method(method, landmarks):
    exact = Isomap(2, n_neighbors=8, method="exact").fit(ROLL.X)
    few = Isomap(
        2,
        n_neighbors=8,
        method=method,
        landmarks=landmarks,
        n_landmarks=60,
        random_state=0,
    ).fit(ROLL.X)
    assert procrustes(exact.embedding_, few.embedding_)[2] < 0.02


def test_columns_do_not_tell_negative_eigenvalues_from_positive_ones():
    """The third and fourth of the roll by modulus are such."""
    exact = Isomap(6, n_neighbors=8, method="exact").fit(ROLL.X)
    every = np.arange(600)
    columns = Isomap(6, n_neighbors=8, method="column-sampling", landmarks=every).fit(
        ROLL.X
    )
    H = np.eye(600) - 1 / 600
    K = -0.5 * H @ exact.geodesics_**2 @ H
    moduli = np.sort(np.abs(np.linalg.eigvalsh(K)))[::-1]
    assert np.allclose(columns.eigenvalues_, moduli[:6], rtol=1e-4)
    assert not np.allclose(exact.eigenvalues_, moduli[:6], rtol=0.01)


@pytest.mark.parametrize("method", ["nystrom", "column-sampling"])
@pytest.mark.parametrize("isomap", [True, False])
def test_points_of_the_fit_are_where_they_were(method, isomap):
    if isomap:
        model = Isomap(2, n_neighbors=8, method=method, n_landmarks=50, random_state=0)
        assert np.allclose(
            model.fit_transform(ROLL.X), model.transform(ROLL.X), atol=1e-4
        )
    else:
        model = LandmarkMDS(2, method=method)
        found = model.fit_transform(FAR[:, :9])
        assert np.allclose(found, model.transform(FAR[:, :9]))


def test_landmark_mds_of_points_finds_the_points():
    model = LandmarkMDS(3).fit(FAR[:, [4, 9, 2, 30]], landmarks=[4, 9, 2, 30])
    assert np.allclose(cdist(model.embedding_, model.embedding_), FAR)
    assert model.negative_share_ == 0 and abs(model.residual_) < 1e-12
    columns = LandmarkMDS(3, method="column-sampling").fit(FAR[:, :20])
    assert procrustes(columns.embedding_, PLANE)[2] < 0.1


@pytest.mark.parametrize("method", ["nystrom", "column-sampling"])
def test_eigenvalues_are_those_of_all_points(method):
    """All points twice, once as landmarks: nothing is lost but the size."""
    model = LandmarkMDS(3, method=method).fit(np.tile(FAR, (2, 1)))
    shift = PLANE - PLANE.mean(axis=0)
    values = np.linalg.eigvalsh(2 * shift.T @ shift)[::-1]
    assert np.allclose(model.eigenvalues_, values)


def test_landmark_mds_is_nystrom_of_the_kernel_centred_at_the_landmarks():
    S = np.array([3, 11, 20, 40, 41])
    model = LandmarkMDS(2).fit(FAR[:, S], landmarks=S)
    shift = PLANE - PLANE[S].mean(axis=0)
    K = shift @ shift.T
    values, U = np.linalg.eigh(K[np.ix_(S, S)])
    C = K[:, S] @ U[:, -2:] / np.sqrt(values[-2:])
    assert np.allclose(model.embedding_ @ model.embedding_.T, C @ C.T)
    assert np.isclose(model.residual_, 1 - (C**2).sum() / np.trace(K))


def test_column_sampling_is_that_of_the_doubly_centred_columns():
    S = np.arange(10)
    model = LandmarkMDS(2, method="column-sampling").fit(FAR[:, S])
    C = -0.5 * (FAR[:, S] ** 2 - (FAR[np.ix_(S, S)] ** 2).mean(axis=0))
    C -= C.mean(axis=1, keepdims=True)
    U, sizes, _ = np.linalg.svd(C, full_matrices=False)
    wanted = U[:, :2] * np.sqrt(np.sqrt(50 / 10) * sizes[:2])
    assert np.allclose(turned(model.embedding_, wanted), wanted)
    single = -0.5 * (FAR[:, S] ** 2 - (FAR[np.ix_(S, S)] ** 2).mean(axis=0))
    U, sizes, _ = np.linalg.svd(single, full_matrices=False)
    wrong = U[:, :2] * np.sqrt(np.sqrt(50 / 10) * sizes[:2])
    assert not np.allclose(turned(model.embedding_, wrong), wrong, atol=0.01)


# --- Graphs ---------------------------------------------------------------------------

TWO = np.concatenate([PLANE[:20], PLANE[20:30] + 100])


def test_copies_are_neighbours_at_distance_zero():
    X = np.repeat(PLANE[:15], 4, axis=0)
    graph = manifold.neighbours(X, 5).graph()
    far = graph.geodesics(np.arange(4))
    assert np.abs(np.diff(far[:4].astype(float), axis=1)).max() < 1e-6
    assert np.abs(far[:4]).max() < 1e-6 and np.isfinite(far).all()


@pytest.mark.parametrize(
    "model",
    [
        Isomap(1, n_neighbors=3),
        Isomap(1, n_neighbors=3, n_landmarks=4),
        LaplacianEigenmaps(1),
        LaplacianEigenmaps(1, method="nystrom"),
        LandmarkMDS(1),
    ],
)
def test_equal_points_have_no_coordinates(model):
    """Neither coordinates of rounding, nor of a graph of ties."""
    X = np.zeros((20, 9)) if isinstance(model, LandmarkMDS) else np.full((20, 2), 0.3)
    with pytest.raises(ValueError, match="^X: expected .* that are not all equal, got"):
        model.fit(X)


def test_a_range_with_nothing_in_it_is_told():
    with pytest.raises(ValueError, match="^n_components: .* of which there is none"):
        LaplacianEigenmaps(1, method="nystrom", n_landmarks=1).fit(PLANE)


def test_neighbours_that_are_copies_tell_no_coordinates():
    X = np.repeat([[0.0], [1.0]], 10, axis=0)
    told = pytest.raises(ValueError, match="^X: .*copies")
    with pytest.warns(manifold.InParts), told:
        LaplacianEigenmaps(1).fit(X)


def test_geodesics_are_shortest_paths():
    graph = manifold.neighbours(PLANE, 6).graph()
    lengths = np.where(graph.lengths.toarray() > 0, graph.lengths.toarray(), np.inf)
    np.fill_diagonal(lengths, 0)
    for middle in range(50):  # Floyd and Warshall's
        through = lengths[:, middle, None] + lengths[middle]
        lengths = np.minimum(lengths, through)
    found = graph.geodesics(np.arange(50), dtype=np.float64)
    assert np.allclose(found, lengths)
    assert np.array_equal(graph.geodesics([7, 3]), found[:, [7, 3]].astype(np.float32))
    assert np.array_equal(found, graph.geodesics(np.arange(50), n_jobs=2, dtype=float))


@pytest.mark.parametrize("kind", [Isomap, LaplacianEigenmaps])
def test_a_graph_that_falls_apart_is_told(kind):
    with pytest.raises(ValueError, match="2 components, of 20 and 10 points"):
        kind(n_neighbors=3, disconnected="error").fit(TWO)
    with pytest.raises(ValueError, match="^disconnected: expected one of '(c|p)"):
        kind(n_neighbors=3, disconnected="join").fit(TWO)


def test_the_largest_component_may_be_enough():
    model = Isomap(n_neighbors=3, disconnected="largest")
    with pytest.warns(manifold.LeftOut, match="10 points outside of the largest"):
        found = model.fit_transform(TWO)
    assert found.shape == (30, 2) and np.isnan(found[20:]).all()
    assert np.isfinite(found[:20]).all()
    assert np.allclose(found[:20], Isomap(n_neighbors=3).fit_transform(TWO[:20]))
    with pytest.raises(ValueError, match="largest component, got 25"):
        Isomap(n_neighbors=3, disconnected="largest", landmarks=[0, 1, 25]).fit(TWO)
    with (
        pytest.warns(manifold.LeftOut),
        pytest.raises(
            ValueError, match="1 to 20 .the points in the largest comp.*got 21"
        ),
    ):
        Isomap(n_neighbors=3, disconnected="largest", n_landmarks=21).fit(TWO)


# --- In parts -------------------------------------------------------------------------

# Sizes 20, 15, 9: PLANE has 50 points.
THREE = np.concatenate([PLANE[:15], PLANE[15:35] + 100, PLANE[35:44] - 70])
SIZES, PART = [20, 15, 9], np.repeat([1, 0, 2], [15, 20, 9])


def moons(n=100, seed=0):
    X, labels = make_moons(2 * n, noise=0.03, random_state=seed)
    return X, labels


@pytest.mark.parametrize("divided", [True, False])
@pytest.mark.parametrize("k", [1, 2, 4, 7, 43])
def test_eigenmaps_of_a_graph_in_parts_are_eigenvectors(k, divided):
    """The k smallest eigenvalues after that of the constant; orthonormal vectors."""
    model = LaplacianEigenmaps(k, n_neighbors=4, divided=divided)
    with pytest.warns(manifold.InParts, match="3 components, of 20, 15 and 9 points"):
        found = model.fit_transform(THREE)
    weights = model.graph_.lengths.toarray()
    edges = model.graph_.lengths.copy()
    edges.data[:] = 1
    W = np.where(edges.toarray() > 0, np.exp(-((weights / model.width_) ** 2)), 0)
    degrees = W.sum(axis=1)
    L = np.eye(44) - W / np.sqrt(degrees) / np.sqrt(degrees)[:, None]
    U = found * np.sqrt(degrees)[:, None] if divided else found
    values = np.linalg.eigvalsh(L)
    assert np.allclose(model.eigenvalues_, values[1 : k + 1], atol=1e-12)
    assert np.allclose(L @ U, U * model.eigenvalues_, atol=1e-12)
    assert np.allclose(U.T @ U, np.eye(k), atol=1e-12)
    assert np.allclose(np.sqrt(degrees) @ U, 0, atol=1e-12)


def test_components_of_one_size_are_in_the_order_of_their_points():
    X = [[0.0], [5.0], [20.0], [20.5], [21.0], [0.5], [5.5]]
    graph = manifold.neighbours(X, 1).graph(whole=True)
    assert graph.parts.tolist() == [1, 2, 0, 0, 0, 1, 2]


def test_the_first_coordinates_tell_components_apart():
    with pytest.warns(manifold.InParts, match="first 2 coordinates tell them apart"):
        model = LaplacianEigenmaps(4, n_neighbors=4).fit(THREE)
    found = model.embedding_
    assert model.eigenvalues_[:2].tolist() == [0, 0] and model.eigenvalues_[2] > 0.01
    # The largest from the others, then these, where it is 0.
    assert np.ptp(found[PART == 0, 0]) < 1e-15 > np.ptp(found[PART > 0, 0])
    assert found[PART == 0, 0][0] * found[PART > 0, 0][0] < 0
    assert not found[PART == 0, 1].any()
    assert found[PART == 1, 1][0] * found[PART == 2, 1][0] < 0
    # Each of the others is of one component.
    for column in found.T[2:]:
        assert len(set(PART[column != 0])) == 1
    # Whatever the order of the points.
    order = np.random.default_rng(0).permutation(44)
    with pytest.warns(manifold.InParts):
        again = LaplacianEigenmaps(4, n_neighbors=4).fit_transform(THREE[order])
    assert np.allclose(turned(again, found[order]), found[order], atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_two_moons_are_told_apart(seed):
    X, labels = moons(seed=seed)
    with pytest.warns(manifold.InParts, match="100 and 100 points: the first coord"):
        found = LaplacianEigenmaps().fit_transform(X)
    assert found.shape == (200, 2) and np.isfinite(found).all()
    assert {*(found[:, 0] > 0)} == {True, False}
    assert len({*zip(found[:, 0] > 0, labels, strict=True)}) == 2
    assert len(np.unique(found[:, 0].round(12))) == 2


def test_fewer_coordinates_than_components_are_told():
    with pytest.warns(manifold.InParts, match="1 coordinate tells .*n_components=2"):
        found = LaplacianEigenmaps(1, n_neighbors=4).fit_transform(THREE)
    assert len(np.unique(found.round(12))) == 2


def test_a_point_without_an_edge_is_a_component():
    X = np.append(PLANE[:20], [[50.0, 0, 0]], axis=0)
    with pytest.warns(manifold.InParts, match="20 and 1 points"):
        found = LaplacianEigenmaps(2, n_neighbors=5, limit=3.0).fit_transform(X)
    assert np.isfinite(found).all() and len(np.unique(found[:, 0].round(12))) == 2
    assert found[20, 1] == 0


def test_a_component_that_falls_apart_is_told():
    with (
        pytest.warns(manifold.InParts),
        pytest.raises(ValueError, match="^width: .*hold the graph together"),
    ):
        LaplacianEigenmaps(3, n_neighbors=4, width=0.1).fit(THREE)


@pytest.mark.parametrize("make", [lambda: THREE, lambda: moons()[0], lambda: TWO])
def test_isomap_of_a_graph_in_parts_is_that_of_scikit_learn(make):
    X = make()
    with pytest.warns(manifold.InParts, match="distances across are those of these"):
        ours = Isomap(2, n_neighbors=4).fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = TheirIsomap(n_neighbors=4, n_components=2).fit(X)
    size = np.abs(ours.embedding_).max()
    assert np.allclose(ours.geodesics_, theirs.dist_matrix_, rtol=1e-9, atol=1e-12)
    found = turned(theirs.embedding_, ours.embedding_)
    assert np.allclose(found, ours.embedding_, atol=1e-8 * size)
    new = ours.transform(X + 0.01)
    assert np.allclose(turned(theirs.transform(X + 0.01), new), new, atol=1e-8 * size)


@pytest.mark.parametrize("scale", [1.0, 1e-20, 1e20])
def test_components_are_joined_at_their_nearest_points(scale, monkeypatch):
    monkeypatch.setattr("nystheory.kernels._blocks.BLOCK_BYTES", 8 * 50)  # rows
    with pytest.warns(manifold.InParts) as told:
        model = Isomap(2, n_neighbors=4, method="exact").fit(scale * (THREE + 1e3))
    graph, far = model.graph_, scale * cdist(THREE, THREE)
    assert repr(graph).startswith("NeighbourGraph(n=44, connected by 3 added edges")
    added = []
    for a, b in [(0, 1), (0, 2), (1, 2)]:
        among = np.where(np.outer(PART == a, PART == b), far, np.inf)
        added.append(tuple(sorted(np.unravel_index(among.argmin(), among.shape))))
        assert model.geodesics_[PART == a][:, PART == b].min() == pytest.approx(
            among.min()
        )
    assert {*map(tuple, graph.links.tolist())} == {*added}
    lengths = [far[link] for link in added]
    message = str(told[0].message)
    assert f"{min(lengths):.4g} to {max(lengths):.4g}" in message


def test_what_takes_too_long_to_join_is_told(monkeypatch):
    monkeypatch.setattr("nystheory.manifold._graph.MOST_PAIRS", 100)
    with pytest.raises(ValueError, match="^X: .*disconnected='largest'"):
        Isomap(n_neighbors=4).fit(THREE)
    monkeypatch.setattr("nystheory.manifold._graph.MOST_PAIRS", 10**6)
    monkeypatch.setattr("nystheory.manifold._graph.MOST_PARTS", 2)
    with pytest.raises(ValueError, match="^X: .* of at most 2 components"):
        Isomap(n_neighbors=4).fit(THREE)


def test_a_graph_in_parts_may_be_given():
    near = manifold.neighbours(THREE, 4)
    whole, largest = near.graph(whole=True), near.graph()
    assert "3 components: 20, 15 and 9 points" in repr(whole)
    assert whole.sizes.tolist() == largest.sizes.tolist() == SIZES
    assert np.array_equal(whole.parts, PART)
    assert not np.isfinite(whole.geodesics([0])[PART != 1]).any()
    with pytest.warns(manifold.InParts):
        found = LaplacianEigenmaps(3).fit_transform(whole)
    with pytest.warns(manifold.InParts):
        wanted = LaplacianEigenmaps(3, n_neighbors=4).fit_transform(THREE)
    assert np.array_equal(found, wanted)
    for kind in (Isomap, LaplacianEigenmaps):
        with pytest.raises(ValueError, match=r"^X: expected a graph with all compo"):
            kind().fit(largest)
        model = kind(disconnected="largest")
        with pytest.warns(manifold.LeftOut):
            found = model.fit_transform(whole)
        with pytest.warns(manifold.LeftOut):
            wanted = model.fit_transform(largest)
        assert np.allclose(found, wanted, equal_nan=True)
    with pytest.raises(ValueError, match="^X: expected points for disconnected='conn"):
        Isomap().fit(whole)


def test_a_limit_cuts_long_edges_and_new_points_off():
    near = manifold.neighbours(TWO, 25)
    assert len(near.graph().sizes) == 1
    graph = near.graph(limit=50.0)
    assert graph.sizes.tolist() == [20, 10] and graph.kept.tolist() == list(range(20))
    assert graph.lengths.data.max() <= 50
    model = Isomap(1, n_neighbors=5, limit=50.0).fit(TWO[:20])
    with pytest.raises(
        ValueError, match="X: expected points with a neighbour within 50"
    ):
        model.transform(TWO[-1:])
    line = np.array([[0.0], [1.0], [2.0], [100.0], [200.0], [300.0]])
    model = Isomap(1, n_neighbors=5, limit=5.0, disconnected="largest")
    with pytest.warns(manifold.LeftOut):
        found = model.fit(line).transform([[1.0], [0.0]])
    assert np.allclose(np.abs(found).T, [[0, 1]], atol=1e-6)


def test_new_points_take_no_way_that_is_longer_than_the_limit():
    arms = [(i, y) for i in range(10) for y in (0.0, 1.5)]
    hook = np.array([*arms, (10, 0.75)])
    model = Isomap(1, n_neighbors=6, limit=1.3)
    assert np.allclose(model.fit_transform(hook), model.transform(hook))


def test_a_point_without_neighbours_is_a_component():
    found = manifold.neighbours([[0.0], [1.0], [9.0]], 2).components([1, 2], [5.0])
    assert found.rows == [(1, 5.0, 2, 2 / 3), (2, 5.0, 2, 2 / 3)]


def test_components_are_a_table():
    told = manifold.neighbours(TWO, 25).components([2, 3, 25], [None, 50.0])
    assert [row[0] for row in told.rows] == [2, 2, 3, 3, 25, 25]
    assert told.rows[-2][2:] == (1, 1.0) and told.rows[-1][2:] == (2, 20 / 30)
    for wrong in (3, None, "23"):
        with pytest.raises(TypeError, match="n_neighbors: expected a sequence"):
            manifold.neighbours(TWO, 25).components(wrong)
        with pytest.raises(TypeError, match="limits: expected a sequence"):
            manifold.neighbours(TWO, 25).components([2], wrong)
    assert "<table" in told._repr_html_() and "t = 25 within 50" in repr(told)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_points_whose_squares_no_float_holds_are_told(scale):
    with pytest.raises(ValueError, match="X: expected a largest entry from 1e-150"):
        Isomap(n_neighbors=5).fit(scale * PLANE)


def test_too_many_neighbours_are_told():
    with pytest.raises(
        ValueError, match="n_neighbors: expected an integer from 1 to 49"
    ):
        manifold.neighbours(PLANE, 50)
    with pytest.raises(ValueError, match="n_neighbors: .*1 to 4 .the neighbours that"):
        manifold.neighbours(PLANE, 4).graph(5)


def test_an_approximate_search_tells_its_recall():
    pytest.importorskip("faiss")
    X = ROLL.X
    exact = manifold.neighbours(X, 5)
    for at_once in (X, X.astype(np.float32)):
        found = manifold.neighbours(
            at_once, 5, search="approximate", rng=np.random.default_rng(0)
        )
        # 600 points are ten cells: all are looked through.
        assert found.recall == 1 and found.recall_of == 600
        assert np.allclose(found.distances, exact.distances, rtol=1e-3, atol=1e-4)
    wide = np.random.default_rng(0).standard_normal((20_000, 20))
    found = manifold.neighbours(
        wide, 5, search="approximate", rng=np.random.default_rng(0)
    )
    true = manifold.neighbours(wide, 5).indices
    share = np.mean(
        [np.isin(a, b).mean() for a, b in zip(found.indices, true, strict=True)]
    )
    assert 0.2 < found.recall < 0.95 and abs(found.recall - share) < 0.05
    assert f"recall {found.recall:.3f} of 1000" in repr(found)


def test_copies_do_not_hide_a_point_from_its_neighbours():
    pytest.importorskip("faiss")
    X = np.concatenate([np.zeros((40, 2)), PLANE[:, :2]])
    found = manifold.neighbours(
        X, 5, search="approximate", rng=np.random.default_rng(0)
    )
    own = found.indices == np.arange(90)[:, None]
    assert not own.any() and (found.distances[:40] == 0).all()


def test_no_step_makes_all_pairs():
    """4,000 points, 50 landmarks: a matrix of all pairs would be 64 MB of float32."""
    X = datasets.swiss_roll(4000, np.random.default_rng(0)).X
    model = Isomap(2, n_neighbors=8, n_landmarks=50, random_state=0)
    model.fit(X[:500])  # what is loaded once
    tracemalloc.start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6


# --- Evaluation -----------------------------------------------------------------------


def test_purity_and_accuracy_by_hand():
    labels, clusters = list("aaabbbcc"), [0, 0, 1, 1, 1, 1, 1, 1]
    assert manifold.purity(labels, clusters) == 5 / 8  # 2 a of 2, 3 b of 6
    assert manifold.accuracy(labels, clusters) == 7 / 8  # 2 of 3, 3 of 3, 2 of 2
    assert manifold.accuracy(labels, np.zeros(8)) == 1
    assert manifold.purity(labels, np.arange(8)) == 1
    for wrong in ([0] * 7, [], [[0]] * 8, [np.nan] * 8):
        with pytest.raises(ValueError, match="clusters: expected"):
            manifold.purity(labels, wrong)


def test_labels_are_looked_at():
    for wrong in (["a", None, "b"], [[1], [1, 2], 3], np.ma.masked_less([1, 2, 3], 2)):
        with pytest.raises((TypeError, ValueError), match="labels: expected .*"):
            manifold.purity(wrong, [0, 0, 1])
        with pytest.raises((TypeError, ValueError), match="labels: expected .*"):
            manifold.neighbour_error(PLANE[:3], wrong, np.random.default_rng(0))
    labels = np.repeat([0.25, 0.75], 25)
    assert manifold.neighbour_error(FAR[:, :1] * 0, labels, np.random.default_rng(0))


def test_a_cluster_for_each_point_makes_no_table_of_all_pairs():
    each = np.arange(20_000)
    tracemalloc.start()
    assert manifold.purity(each, each) == manifold.accuracy(each, each) == 1
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6


def test_neighbours_tell_what_is_apart_and_guess_what_is_not():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 200)
    apart = rng.standard_normal((400, 2)) + 20 * labels[:, None]
    assert manifold.neighbour_error(apart, labels, rng) == 0
    mixed = manifold.neighbour_error(rng.standard_normal((400, 2)), labels, rng, 3)
    assert 0.35 < mixed < 0.65
    with pytest.raises(ValueError, match="test_share: expected"):
        manifold.neighbour_error(apart, labels, rng, test_share=1.0)
    with pytest.raises(ValueError, match="labels: expected 400"):
        manifold.neighbour_error(apart, labels[:9], rng)


@pytest.mark.parametrize("scale", [2.0**-200, 2.0**200])
def test_distance_preservation_has_no_units(scale):
    K, some, best = np.diag([4.0, 1, 1]), np.eye(3)[:, :2], np.diag([2.0, 1, 0])
    wanted = manifold.distance_preservation(K, some, best)
    found = manifold.distance_preservation(scale**2 * K, scale * some, scale * best)
    assert found == wanted


def test_the_part_that_is_held_out_is_as_large_as_asked_for():
    """One of ten points is known: the five of the other label are told wrong."""
    labels = np.repeat([0, 1], 5)
    places, rng = labels[:, None] + 0.0, np.random.default_rng(0)
    told = manifold.neighbour_error(places, labels, rng, test_share=0.9)
    assert told == 5 / 9


def test_distance_preservation_by_hand():
    K = PLANE @ PLANE.T
    values, U = np.linalg.eigh(K)
    best = U[:, -2:] * np.sqrt(values[-2:])
    some = PLANE[:, :2]
    D, Dk, Ds = (cdist(Y, Y) ** 2 for Y in (PLANE, best, some))
    wanted = np.linalg.norm(D - Dk) / np.linalg.norm(D - Ds)
    assert np.isclose(manifold.distance_preservation(K, some, best), wanted)
    assert manifold.distance_preservation(K, best, best) == 1
    with pytest.raises(ValueError, match="embedding: expected 50 rows"):
        manifold.distance_preservation(K, some[:9], best)


# --- Conventions ----------------------------------------------------------------------

DISTANCES = "X are distances to landmarks; those of this check are points"
OF_DISTANCES = (
    "check_estimators_overwrite_params",
    "check_estimators_fit_returns_self",
    "check_readonly_memmap_input",
    "check_positive_only_tag_during_fit",
    "check_pipeline_consistency",
    "check_estimators_pickle",
    "check_transformer_data_not_an_array",
    "check_transformer_general",
    "check_transformer_preserve_dtypes",
    "check_fit_check_is_fitted",
    "check_fit_score_takes_y",
    "check_dont_overwrite_parameters",
    "check_n_features_in_after_fitting",
    "check_estimators_dtypes",
    "check_dtype_object",
    "check_estimators_nan_inf",
    "check_f_contiguous_array_estimator",
    "check_methods_sample_order_invariance",
    "check_methods_subset_invariance",
    "check_fit2d_1sample",
    "check_fit2d_1feature",
    "check_dict_unchanged",
    "check_fit_idempotent",
    "check_n_features_in",
    "check_fit2d_predict1d",
)


def excused(estimator):
    known = isinstance(estimator, LandmarkMDS)
    return dict.fromkeys(OF_DISTANCES, DISTANCES) if known else {}


@parametrize_with_checks(
    [
        Isomap(),
        Isomap(n_neighbors=3),
        LaplacianEigenmaps(),
        LaplacianEigenmaps(n_neighbors=3),
        LaplacianEigenmaps(1, method="nystrom"),
        LandmarkMDS(),
    ],
    expected_failed_checks=excused,
)
def test_the_conventions_of_scikit_learn(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


def test_a_graph_stands_for_its_points():
    graph = manifold.neighbours(ROLL.X, 8).graph()
    for kind in (Isomap, LaplacianEigenmaps):
        found = kind(2, n_neighbors=8).fit(ROLL.X).embedding_
        assert np.array_equal(kind(2).fit(graph).embedding_, found)
        with pytest.raises(ValueError, match="n_neighbors: expected the default 5"):
            kind(2, n_neighbors=8).fit(graph)
    with pytest.raises(ValueError, match="no new points for a graph"):
        Isomap(2).fit(graph).transform(NEW)
    with pytest.raises(ValueError, match="landmarks: expected 'uniform' or indices"):
        Isomap(2, landmarks="rp_cholesky", n_landmarks=9).fit(graph)


def test_what_has_no_use_is_an_error():
    for given in ({"n_landmarks": 9}, {"landmarks": [0, 1, 2]}):
        with pytest.raises(ValueError, match=f"{[*given][0]}: expected"):
            Isomap(n_neighbors=8, method="exact", **given).fit(ROLL.X)
        with pytest.raises(ValueError, match=f"{[*given][0]}: expected"):
            LaplacianEigenmaps(n_neighbors=8, **given).fit(ROLL.X)
    with pytest.raises(ValueError, match="n_neighbors: expected the default"):
        LaplacianEigenmaps(method="nystrom", n_neighbors=8).fit(ROLL.X)
    assert not hasattr(LaplacianEigenmaps(), "transform")
    with pytest.raises(ValueError, match="width: expected one with which"):
        LaplacianEigenmaps(n_neighbors=8, width=1e-3).fit(ROLL.X)
    graph = manifold.neighbours(ROLL.X, 8).graph()
    with pytest.raises(TypeError, match="X: expected points for method='nystrom'"):
        LaplacianEigenmaps(method="nystrom").fit(graph)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("width", [0.4, 0.6, 1e-100])
def test_weights_that_let_the_graph_fall_apart_are_told(width):
    """Of two clusters the long edges between them weigh nothing."""
    two = np.concatenate([PLANE[:20], PLANE[20:40] + 20])
    with pytest.raises(ValueError, match="width: expected one with which"):
        LaplacianEigenmaps(n_neighbors=25, width=width).fit(two)


def test_a_width_whose_square_no_float_holds_is_told():
    for method in ("exact", "nystrom"):
        with pytest.raises(ValueError, match="width: expected a number from 1e-150"):
            LaplacianEigenmaps(method=method, width=1e-200).fit(PLANE)


def test_points_too_far_for_a_degree_are_told():
    model = LaplacianEigenmaps(1, method="nystrom").fit(PLANE)
    with pytest.raises(ValueError, match="X: expected points whose approximate degree"):
        model.transform(PLANE + 1000)


def test_landmarks_are_looked_at_before_the_search(monkeypatch):
    def late(*given, **more):
        raise AssertionError("a search for neighbours")

    monkeypatch.setattr("nystheory.manifold._on_graph.neighbours", late)
    for given, message in (
        ({"n_components": 0}, "n_components: expected"),
        ({"n_landmarks": 0}, "n_landmarks: expected"),
        ({"landmarks": [0, 1, 2], "n_landmarks": 9}, "n_landmarks: expected None or 3"),
        ({"landmarks": "kmeans"}, "landmarks: expected a scheme that draws"),
        ({"landmarks": "nearest"}, "landmarks: expected one of 'uniform'"),
        ({"landmarks": "bless"}, "landmarks: expected a scheme that needs no more"),
    ):
        with pytest.raises(ValueError, match=message):
            Isomap(**given).fit(PLANE)


def test_a_scheme_by_name_is_no_exact_method():
    model = Isomap(2, n_neighbors=8, landmarks="farthest_point").fit(PLANE)
    assert model.method_ == "nystrom"


@pytest.mark.parametrize("kind", [Isomap, LaplacianEigenmaps])
def test_parameters_that_change_after_the_fit_change_no_map(kind):
    nystrom = {"method": "nystrom", "n_landmarks": 20, "random_state": 0}
    model = kind(2, **nystrom).fit(PLANE)
    found, later = model.transform(PLANE[:4] + 0.1), {"n_components": 3}
    later |= {"limit": 1e-9, "n_neighbors": 2} if kind is Isomap else {"divided": False}
    assert np.array_equal(model.set_params(**later).transform(PLANE[:4] + 0.1), found)


def test_warnings_name_the_line_of_the_user():
    for kind in (Isomap, LaplacianEigenmaps):
        with pytest.warns(manifold.LeftOut) as told:
            kind(n_neighbors=3, disconnected="largest").fit(TWO)
        assert {warning.filename for warning in told} == {__file__}


def test_distances_of_landmark_mds_are_looked_at():
    with pytest.raises(ValueError, match="X: expected distances of at least 0, got -1"):
        LandmarkMDS(1).fit(-np.ones((3, 2)))
    with pytest.raises(ValueError, match="X: expected the distance 0 of each landmark"):
        LandmarkMDS(1).fit(np.ones((3, 2)))
    with pytest.raises(
        ValueError, match="X: expected symmetric distances .* differ by 1"
    ):
        LandmarkMDS(1).fit([[0.0, 1.0], [2.0, 0.0], [1.0, 1.0]])
    with pytest.raises(ValueError, match="landmarks: expected 2, one for each column"):
        LandmarkMDS(1).fit(FAR[:, :2], landmarks=[0, 1, 2])
    with pytest.raises(
        ValueError, match="n_components: expected an integer from 1 to 2"
    ):
        LandmarkMDS(3).fit(FAR[:, :2])
    with pytest.raises(TypeError):
        LandmarkMDS(1).fit(sparse.csr_array(FAR))


def test_negative_eigenvalues_are_told_with_their_share():
    star = np.array([[0, 1, 1, 1], [1, 0, 2, 2], [1, 2, 0, 2], [1, 2, 2, 0.0]])
    model = LandmarkMDS(2)
    with pytest.warns(manifold.NegativeEigenvalues, match="percent.*are discarded"):
        model.fit(star)
    H = np.eye(4) - 0.25
    values = np.linalg.eigvalsh(-0.5 * H @ star**2 @ H)
    share = -values[values < 0].sum() / np.abs(values).sum()
    assert share > 0 and np.isclose(model.negative_share_, share)
    with pytest.warns(manifold.NegativeEigenvalues, match="do not tell from positive"):
        LandmarkMDS(2, method="column-sampling").fit(star)
    with pytest.raises(ValueError, match="expected at most 2, the eigenvalues above"):
        LandmarkMDS(3).fit(star)


@pytest.mark.parametrize("kind", [manifold.LaplacianEigenmaps, manifold.Isomap])
def test_a_warning_of_parts_is_at_the_line_that_asked(kind):
    X = np.array([[0.0], [1.0], [9.0], [11.0]])
    with pytest.warns(manifold.InParts) as told:
        kind(1, n_neighbors=1).fit_transform(X)
    assert {each.filename for each in told} == {__file__}


def test_a_limit_that_leaves_no_edge_is_said():
    with pytest.warns(manifold.InParts), pytest.raises(ValueError, match="^limit: "):
        manifold.LaplacianEigenmaps(1, limit=0.1).fit(np.arange(9.0)[:, None])
