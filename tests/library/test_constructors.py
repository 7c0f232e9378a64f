"""What a careless person passes to constructors, and messages that name no argument."""

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.neighbors import NearestNeighbors, kneighbors_graph

from nystheory import (
    certificates,
    datasets,
    ensemble,
    guarantees,
    kernels,
    learners,
    lowrank,
    manifold,
    sampling,
)
from nystheory.features import NystromFeatures

N = 12
X = np.random.default_rng(0).standard_normal((N, 2))
K = kernels.rbf(X)
NEAR = manifold.neighbours(X, 4)
LENGTHS = NEAR.graph().lengths


def given(**changed):
    return manifold.Neighbours(**dict(vars(NEAR)) | changed)


def changed_at(array, place, value):
    array = array.copy()
    array[place] = value
    return array


@pytest.mark.parametrize(
    "changed, kind, told",
    [
        ({"indices": None}, TypeError, "indices: expected"),
        ({"indices": NEAR.distances}, TypeError, "indices: expected integers"),
        ({"indices": NEAR.indices[0]}, ValueError, "indices: expected a row a point"),
        ({"indices": NEAR.indices[:, :0]}, ValueError, "indices: expected a row"),
        (
            {"indices": changed_at(NEAR.indices, (3, 1), N)},
            IndexError,
            f"indices: expected indices from 0 to {N - 1}, got {N}",
        ),
        (
            {"indices": changed_at(NEAR.indices, (3, 1), 3)},
            ValueError,
            "indices: expected the point itself to be left out, got it .* in row 3",
        ),
        ({"distances": "far"}, TypeError, "distances: expected"),
        ({"distances": NEAR.distances[:, :2]}, ValueError, "distances: expected shape"),
        ({"distances": -NEAR.distances}, ValueError, "distances: expected numbers"),
        (
            {"distances": changed_at(NEAR.distances, (2, 0), np.nan)},
            ValueError,
            "distances: expected numbers of at least 0",
        ),
        (
            {"distances": NEAR.distances[:, ::-1]},
            ValueError,
            "distances: expected the nearest first",
        ),
        ({"recall": 1.5}, ValueError, "recall: expected a share"),
        ({"recall": "all"}, TypeError, "recall: expected a number"),
        ({"recall_of": -1}, ValueError, "recall_of: expected an integer"),
    ],
)
def test_neighbours_that_are_none(changed, kind, told):
    with pytest.raises(kind, match=f"^{told}"):
        given(**changed)


def test_neighbours_from_elsewhere():
    far, near = NearestNeighbors(n_neighbors=5).fit(X).kneighbors(X)
    with pytest.raises(ValueError, match="left out.*first column"):
        manifold.Neighbours(near, far)
    found = manifold.Neighbours(near[:, 1:].tolist(), far[:, 1:].tolist()).graph()
    D, places = found.lengths.toarray(), np.argsort(cdist(X, X), axis=1)[:, 1:5]
    joined = np.zeros((N, N), bool)
    np.put_along_axis(joined, places, True, axis=1)
    joined |= joined.T
    assert ((D > 0) == joined).all()
    assert D[joined] == pytest.approx(cdist(X, X)[joined])


def test_fewer_neighbours_than_asked_for_are_no_edges():
    """As faiss returns them: -1, infinitely far."""
    far = [[1.0, 2.0], [1.0, np.inf], [2.0, np.inf]]
    found = manifold.Neighbours([[1, 2], [0, -1], [0, -1]], far).graph()
    assert found.lengths.toarray().tolist() == [[0, 1, 2], [1, 0, 0], [2, 0, 0]]


def graph(**changed):
    own = dict(lengths=LENGTHS, kept=np.arange(N), n=N, sizes=[N])
    return manifold.NeighbourGraph(**own | changed)


TWO = sparse.block_array([[LENGTHS, None], [None, LENGTHS]], format="csr")


@pytest.mark.parametrize(
    "changed, kind, told",
    [
        ({"lengths": LENGTHS.toarray()}, TypeError, "lengths: expected a sparse array"),
        ({"lengths": LENGTHS[:3]}, ValueError, "lengths: expected a square"),
        ({"lengths": LENGTHS * 1j}, TypeError, "lengths: expected real numbers"),
        ({"lengths": -LENGTHS}, ValueError, "lengths: expected finite numbers"),
        ({"lengths": LENGTHS * np.inf}, ValueError, "lengths: expected finite"),
        (
            {"lengths": kneighbors_graph(X, 4, mode="distance")},
            ValueError,
            "lengths: expected a symmetric array",
        ),
        (
            {"lengths": LENGTHS + sparse.eye_array(N)},
            ValueError,
            "lengths: expected edges between two points, got a loop",
        ),
        (
            {"lengths": TWO, "n": 2 * N, "kept": range(2 * N), "sizes": [N, N]},
            ValueError,
            "lengths: expected one component of 12 points, or parts, got 2 components",
        ),
        (
            {"lengths": TWO, "n": 2 * N, "kept": range(2 * N), "sizes": [2 * N]},
            ValueError,
            "lengths: expected one component of 24 points, or parts, got 2 components",
        ),
        ({"n": 1.5}, TypeError, "n: expected an integer"),
        ({"kept": range(N - 1)}, ValueError, "kept: expected 12 distinct points"),
        ({"kept": [*range(1, N), 0]}, ValueError, "kept: expected .* ascending"),
        ({"kept": [*range(N - 1), 40]}, IndexError, "kept: expected indices"),
        ({"sizes": [N - 1]}, ValueError, "sizes: expected sizes of components of 12"),
        ({"sizes": [4, 8]}, ValueError, "sizes: expected sizes"),
        ({"parts": [0] * 5 + [1] * 7, "sizes": [7, 5]}, ValueError, "parts: expected"),
        ({"parts": "all"}, ValueError, "parts: expected"),
        ({"links": [1, 2]}, ValueError, "links: expected pairs"),
    ],
)
def test_a_graph_that_does_not_agree_with_itself(changed, kind, told):
    with pytest.raises(kind, match=f"^{told}"):
        graph(**changed)


def test_a_graph_from_elsewhere():
    far = kneighbors_graph(X, 4, mode="distance")
    for form in ("csr", "csc"):
        found = graph(lengths=far.maximum(far.T).asformat(form), kept=range(N))
        assert found.geodesics([0]).T == pytest.approx(NEAR.graph().geodesics([0]).T)
    parts = np.repeat([0, 1], N)
    twice = graph(lengths=TWO, n=2 * N, kept=range(2 * N), sizes=[N, N], parts=parts)
    assert np.isinf(twice.geodesics([0])[N:]).all()


@pytest.mark.parametrize("rows", [None, 3, [3], [(1, 2)], ["word"]])
def test_rows_of_components(rows):
    with pytest.raises(TypeError, match="^rows: expected a list of"):
        manifold.Components(rows)


def test_a_kernel_matrix_is_no_landmarks():
    """It has points, too, and all of them would be landmarks."""
    for method in (lowrank.nystrom, lowrank.optimal_reconstruction):
        with pytest.raises(TypeError, match="^landmarks: expected integer indices"):
            method(K, K)
    with pytest.raises(TypeError, match="^landmarks: expected integer indices"):
        learners.falkon(K, K, X[:, 0], 1.0)
    none = sampling.Landmarks(None, None, None, 0, 0.0, "own", points=X[:0])
    with pytest.raises(ValueError, match="^landmarks: expected at least one point"):
        lowrank.nystrom(K, none)


ARRAY = np.array(3)


@pytest.mark.parametrize(
    "call, kind, told",
    [
        (lambda: datasets.clusters(ARRAY), TypeError, "sizes: expected a sequence"),
        (lambda: ensemble.experts(K, ARRAY), TypeError, "samples: expected a sequence"),
        (
            lambda: ensemble.best_learner(K, ARRAY),
            TypeError,
            "experts: expected a sequence",
        ),
        (
            lambda: ensemble.experts(K, [[1]], n_jobs=10**9),
            ValueError,
            "n_jobs: expected an integer from -32768 to 1024, got 1000000000",
        ),
        (lambda: lowrank.nystrom(K, {1}), TypeError, "landmarks: expected integer"),
        (
            lambda: guarantees.required_landmarks("modern:rpcholesky", 10**400),
            ValueError,
            "target: expected a finite number, got an integer of 1329 bits",
        ),
        (
            lambda: guarantees.stability(learners.KernelRidge(), K, None, X[:, 0]),
            TypeError,
            "known: expected a number, an approximation below K, a matrix or promises",
        ),
        (
            lambda: guarantees.stability(learners.KernelPCA(), K, 1.0, X[:, 0]),
            TypeError,
            "learner: expected KernelRidge.* for which a theorem bounds how far",
        ),
        (
            lambda: learners.newton(X, np.sign(X[:, 0]), 1.0),
            ValueError,
            "y: expected labels 0 and 1, got -1 among them",
        ),
        (
            lambda: NystromFeatures().fit(np.array([["a"], [1]], object)),
            (TypeError, ValueError),
            "X: expected",
        ),
    ],
)
def test_messages_name_the_argument(call, kind, told):
    with pytest.raises(kind, match=f"^{told}"):
        call()


class Table:
    """A container of words with columns, as pandas has them."""

    def __array__(self, dtype=None, copy=None):
        return np.array([["a"], ["b"]], dtype or object)


def test_words_in_a_table():
    with pytest.raises(ValueError, match="^X: expected an array of numbers"):
        NystromFeatures().fit(Table())


def test_a_long_value_is_told_shortly():
    landmarks = sampling.rp_cholesky(K, 3, np.random.default_rng(0))
    with pytest.raises(ValueError, match="^truncate: expected one of") as told:
        lowrank.from_factor(landmarks, truncate="core" * 100)
    assert len(str(told.value)) < 200


def test_a_rank_without_dimensions():
    drawn = sampling.leverage(K, 3, np.random.default_rng(0), rank=np.array(2))
    assert drawn == sampling.leverage(K, 3, np.random.default_rng(0), rank=2)


@pytest.mark.parametrize("size", [1e-160, 1e160])
def test_points_that_have_no_squares(size):
    maps = manifold.LaplacianEigenmaps(method="nystrom")
    with pytest.raises(ValueError, match="^X: expected coordinates of size"):
        maps.fit(X * size)


def test_what_was_passed_for_a_kernel_matrix():
    near = lowrank.nystrom(K, [0, 1, 2])
    with pytest.raises(ValueError, match=r"^K: .* kernels.rbf\(X\) makes one"):
        lowrank.nystrom(X, [0])
    for ask in (guarantees.promises, guarantees.columns):
        with pytest.raises(TypeError, match="^K: expected .* guarantees.estimate"):
            ask(near, 1)


def test_an_id_is_one_of_those_that_are_told():
    promised, demanded = guarantees.promises(K, 6), guarantees.columns(K, 0.1)
    with pytest.raises(ValueError, match="^id: .* modern:rpcholesky.*, got .x."):
        promised.of("x", "trace")
    with pytest.raises(ValueError, match="^id: .* modern:rpcholesky.*, got .x."):
        demanded.of("x")


def test_kernels_whose_names_are_alike():
    """The default of the learner is 1 / d, that of `rbf` the spread of the points."""
    near = kernels.rbf(X, 0.5001)
    fitted = learners.KernelRidge().fit(X, X[:, 0])
    with pytest.raises(ValueError, match="gamma is 0.5001 and not 0.5$"):
        guarantees.stability(fitted, near, 0.1, X[:, 0])


def test_an_estimate_is_told_what_would_do():
    found = certificates.trace_certificate(K, lowrank.nystrom(K, [0, 1]))
    with pytest.raises(TypeError, match="^known: expected .*, got Estimate"):
        guarantees.stability(learners.KernelRidge(), K, found, X[:, 0])
