"""The room of manifolds: good arguments of its callables, and the kinds of these."""

from functools import partial

import bad_input_kinds as kinds
import numpy as np
from bad_input_world import N
from scipy.spatial.distance import cdist

from nystheory import datasets, manifold

_POINTS = np.random.default_rng(7).standard_normal((N, 2))
_FAR = cdist(_POINTS, _POINTS)
_LABELS = np.arange(N) % 3
# Each embedding, and whether it has a map for new points.
_KINDS = {
    "Isomap": (manifold.Isomap(1, n_neighbors=N - 1, method="exact"), True),
    "LaplacianEigenmaps": (
        manifold.LaplacianEigenmaps(1, method="nystrom", n_landmarks=N),
        True,
    ),
}


def _found(n=5):
    return manifold.neighbours(_POINTS, n)


def _fit(name, w):
    # Signs are free.
    return lambda X: abs(_KINDS[name][0].fit(X).embedding_), dict(X=_POINTS)


def _fit_transform(name, w):
    return lambda X: abs(_KINDS[name][0].fit_transform(X)), dict(X=_POINTS)


def _transform(name, w):
    return _KINDS[name][0].fit(_POINTS).transform, dict(X=_POINTS[:5])


def _mds(method, w):
    model = manifold.LandmarkMDS(1)

    def call(X, landmarks):
        found = getattr(model, method)(X, landmarks=landmarks)
        return abs(found if method == "fit_transform" else found.embedding_)

    return call, dict(X=_FAR[:, [4, 1, 7]], landmarks=[4, 1, 7])


def _mds_transform(w):
    return manifold.LandmarkMDS(1).fit(_FAR[:, :3]).transform, dict(X=_FAR[:5, :3])


CALLS = {
    "manifold.neighbours": lambda w: (
        lambda **given: manifold.neighbours(**given).distances,
        dict(X=_POINTS, n_neighbors=4, search="exact", n_jobs=1),
    ),
    "manifold.neighbours, approximate": lambda w: (
        lambda **given: manifold.neighbours(_POINTS, 4, **given).distances,
        dict(search="approximate", rng=w.rng),
    ),
    "manifold.Neighbours.graph": lambda w: (
        lambda **given: _found().graph(**given).lengths.toarray(),
        dict(n_neighbors=3, limit=9.0, whole=False),
    ),
    "manifold.Neighbours.components": lambda w: (
        lambda **given: [row[2] for row in _found().components(**given).rows],
        dict(n_neighbors=[3, 5], limits=[None, 9.0]),
    ),
    "manifold.NeighbourGraph.geodesics": lambda w: (
        _found().graph().geodesics,
        dict(sources=[0, 2], n_jobs=1, dtype=np.float64),
    ),
    **{f"manifold.{name}.fit": partial(_fit, name) for name in _KINDS},
    **{
        f"manifold.{name}.fit_transform": partial(_fit_transform, name)
        for name in _KINDS
    },
    **{f"manifold.{name}.transform": partial(_transform, name) for name in _KINDS},
    "manifold.LandmarkMDS.fit": partial(_mds, "fit"),
    "manifold.LandmarkMDS.fit_transform": partial(_mds, "fit_transform"),
    "manifold.LandmarkMDS.transform": _mds_transform,
    "manifold.purity": lambda w: (
        manifold.purity,
        dict(labels=_LABELS, clusters=np.arange(N) % 2),
    ),
    "manifold.accuracy": lambda w: (
        manifold.accuracy,
        dict(labels=_LABELS, clusters=np.arange(N) % 2),
    ),
    "manifold.neighbour_error": lambda w: (
        manifold.neighbour_error,
        dict(
            embedding=_POINTS, labels=_LABELS, rng=w.rng, n_neighbors=2, test_share=0.25
        ),
    ),
    "manifold.distance_preservation": lambda w: (
        manifold.distance_preservation,
        dict(K=w.K, embedding=w.near.factor[:, :2], best=w.truncated.factor),
    ),
    "datasets.swiss_roll": lambda w: (
        datasets.swiss_roll,
        dict(n=5, rng=w.rng, noise=0.1),
    ),
    "datasets.scenes": lambda w: (
        lambda **given: datasets.scenes(**given).angles,
        dict(n=5, rng=w.rng, n_people=3, jitter=2.0),
    ),
    "datasets.rendered": lambda w: (
        datasets.rendered,
        dict(shown=datasets.scenes(3, w.rng), size=8, dtype=np.float32),
    ),
    "datasets.poses": lambda w: (
        datasets.poses,
        dict(n=5, rng=w.rng, size=8, n_people=3, jitter=2.0),
    ),
}


# --- Kinds of arguments ---------------------------------------------------------------


def dense(kind, base, w):
    """A sparse array is none."""
    for name, value, want in kind(base, w):
        yield name, value, "clear" if "sparse" in name else want


def distances(base, w=None):
    """Points in a matrix are no distances."""
    for name, value in (
        ("nan", np.full(base.shape, np.nan)),
        ("inf", np.full(base.shape, np.inf)),
        ("negative", -base),
        ("one dimension", base[0]),
        ("empty", base[:0]),
        ("words", base.astype(str)),
        ("complex", base + 0j),
        ("None", None),
    ):
        yield name, value, "clear"
    yield "a list", base.tolist(), "right"
    yield "in Fortran's order", np.asfortranarray(base), "right"


def labels(base, w=None):
    for name, value in (
        ("nan", np.full(N, np.nan)),
        ("two dimensions", np.zeros((N, 2))),
        ("of another size", base[1:]),
        ("nothing", []),
        ("None", None),
        ("a number", 3),
    ):
        yield name, value, "clear"
    yield "a list", base.tolist(), "right"
    yield "words", base.astype(str), "right"


def share(base, w=None):
    yield from kinds.positive(base, w)
    yield "one", 1.0, "clear"


def counts(base, w=None):
    for name, value in (
        ("zero", [0]),
        ("too many", [6]),
        ("a fraction", [2.5]),
        ("a word", ["3"]),
    ):
        yield name, value, "clear"
    yield "an array", np.array(base), "right"


def limits(base, w=None):
    for name, value in (("negative", [-1.0]), ("nan", [np.nan]), ("a word", ["far"])):
        yield name, value, "clear"
    yield "a tuple", tuple(base), "right"


def scenes(base, w=None):
    for name, value in (("None", None), ("pictures", np.zeros((3, 64))), ("3", 3)):
        yield name, value, "clear"


def floats(base, w=None):
    for name, value in (("a word", "double precision"), ("integers", np.int64)):
        yield name, value, "clear"


OVERRIDES = {
    ("manifold.Neighbours.components", "n_neighbors"): counts,
    ("manifold.Neighbours.components", "limits"): limits,
    ("manifold.Neighbours.graph", "whole"): kinds.truth,
    ("manifold.Neighbours.graph", "limit"): kinds.optional(kinds.not_negative),
    ("manifold.Neighbours.graph", "n_neighbors"): kinds.optional(
        lambda base, w: kinds.integer(base, w, 1, 5)
    ),
    ("manifold.NeighbourGraph.geodesics", "sources"): kinds.indices,
    ("manifold.NeighbourGraph.geodesics", "dtype"): floats,
    ("manifold.NeighbourGraph.geodesics", "n_jobs"): kinds.optional(kinds.jobs),
    ("manifold.neighbours", "n_jobs"): kinds.optional(kinds.jobs),
    ("manifold.neighbours", "search"): kinds.choice,
    ("manifold.neighbours, approximate", "search"): kinds.choice,
    ("manifold.LandmarkMDS.fit", "X"): distances,
    ("manifold.LandmarkMDS.fit_transform", "X"): distances,
    ("manifold.LandmarkMDS.transform", "X"): distances,
    ("manifold.neighbour_error", "test_share"): share,
    ("datasets.rendered", "shown"): scenes,
    ("datasets.rendered", "dtype"): floats,
    ("datasets.rendered", "size"): lambda base, w: kinds.integer(base, w, 2),
    ("datasets.poses", "size"): lambda base, w: kinds.integer(base, w, 2),
}
for _name in ("purity", "accuracy", "neighbour_error"):
    OVERRIDES[f"manifold.{_name}", "labels"] = labels
    OVERRIDES[f"manifold.{_name}", "clusters"] = labels
for _argument in ("embedding", "best"):
    OVERRIDES["manifold.neighbour_error", _argument] = kinds.matrix
    OVERRIDES["manifold.distance_preservation", _argument] = kinds.matrix
for _method in ("fit", "fit_transform"):
    OVERRIDES[f"manifold.LandmarkMDS.{_method}", "landmarks"] = kinds.optional(
        kinds.indices
    )
    for _kind in _KINDS:
        OVERRIDES[f"manifold.{_kind}.{_method}", "X"] = partial(
            dense, kinds.features_points
        )
for _kind in _KINDS:
    OVERRIDES[f"manifold.{_kind}.transform", "X"] = partial(
        dense, kinds.new_features_points
    )
KINDS = {"jitter": kinds.not_negative}
HIGHEST = {"n_neighbors": N - 1, "n_people": None}
