"""What docstrings of data sets say of units and scales, and whether it is true."""

from functools import cache

import numpy as np
import sklearn.datasets
from words_of_docstrings import says

from nystheory import datasets


def made(call, *given, seed=0, **options):
    return call(*given, np.random.default_rng(seed), **options)


# ---- Real data


@cache
def raw(name):
    return getattr(sklearn.datasets, f"load_{name}")()


@says("datasets.digits", "pixels divided by [16]", "255")
def pixels(word):
    return np.allclose(datasets.digits(50).X * float(word), raw("digits").data[:50])


@says("datasets.digits", "y the [digit], 0 to 9", "picture's number")
def of_digits(word):
    own = datasets.digits(200)
    named = {"digit": raw("digits").target[:200], "picture's number": np.arange(200)}
    return np.array_equal(own.y, named[word]) and {*own.y} == {*range(10)}


def scaled(name, rows, mean, variance):
    """Of the first fifty, as a part of all rows; or of so many of them."""
    X, few = raw(name).data, getattr(datasets, name)(50).X
    part = X[: int(rows)]
    shifted = (X[:50] - part.mean(axis=0)) / part.std(axis=0)
    own = float(mean) + np.sqrt(float(variance)) * shifted
    return np.allclose(few, own)


@says(
    "datasets.breast_cancer",
    "each column of all [569] rows scaled to mean [0] and variance [1]",
    "50", "1", "2",
)
def cancer(*words):
    return scaled("breast_cancer", *words)


@says(
    "datasets.diabetes",
    "each column of all [442] rows scaled to mean [0] and variance [1]",
    "50", "1", "2",
)
def sugar(*words):
    return scaled("diabetes", *words)


@says("datasets.breast_cancer", "y 0 ([malignant]) or 1 ([benign])",
      "benign", "malignant")
def labels(*words):
    return [*words] == [*raw("breast_cancer").target_names]


@says("datasets.diabetes", "the progression after a year, [25] to [346]", "20", "350")
def progression(low, high):
    y = datasets.diabetes().y
    return (float(low), float(high)) == (y.min(), y.max())


# ---- Made data


@says("datasets.robot_arm", "the angles of the joints in [radians]", "degrees")
@says("datasets.robot_arm", "link j points at the [sum] of the first j angles", "mean")
@says("datasets.robot_arm", "every link has the length [1/8]", "1/4")
@says("datasets.robot_arm", "and the point is ([1/2], [1/2])", "0", "0")
def arm(*words):
    """Its distances are those of an arm that is built as the words say."""
    own = made(datasets.robot_arm, 30, noise=0.0)
    X = np.deg2rad(own.X) if words == ("degrees",) else own.X
    angles = np.cumsum(X, axis=1)
    if words == ("mean",):
        angles = angles / np.arange(1, 9)
    length = 1 / 4 if words == ("1/4",) else 1 / 8
    point = np.array([0.5, 0.5])
    if len(words) == 2:
        point = np.array([0.0 if word == "0" else 0.5 for word in words])
    hand = length * np.exp(1j * angles).sum(axis=1)
    return np.allclose(own.y, abs(hand - point @ [1, 1j]))


@says("datasets.robot_arm", "[Standard deviation] of the error of a measured",
      "Variance")
def error_of_distances(word):
    own, exact = (made(datasets.robot_arm, 4000, noise=z).y for z in (0.25, 0.0))
    size = {"Standard deviation": np.std, "Variance": np.var}[word](own - exact)
    return np.isclose(size, 0.25, rtol=0.05)


@says("datasets.robot_arm", "each [uniform] between -[pi/2] and [pi/2]",
      "normal", "pi", "pi")
def angles(law, *ends):
    """The variance of that law, in a large sample, and its ends."""
    X = made(datasets.robot_arm, 4000).X
    low, high = (np.pi / (2 if end == "pi/2" else 1) for end in ends)
    near = np.allclose([-X.min(), X.max()], [low, high], atol=0.01)
    shares = [(abs(X) < c * high).mean() for c in (0.25, 0.5, 0.75)]
    even = np.allclose(shares, [0.25, 0.5, 0.75], atol=0.02)
    return near and even == (law == "uniform")


@says("datasets.gaussian_clusters", "[standard deviation] 0.5 around the centres",
      "variance")
@says("datasets.gaussian_clusters", "centres on a circle of [radius] 3", "diameter")
def around(word):
    own = made(datasets.gaussian_clusters, 8000)
    centres = np.array([own.X[own.y == c].mean(axis=0) for c in range(4)])
    left = own.X - centres[own.y]
    size = {
        "standard deviation": left.std() / 0.5, "variance": left.var() / 0.5,
        "radius": np.linalg.norm(centres, axis=1).mean() / 3,
        "diameter": 2 * np.linalg.norm(centres, axis=1).mean() / 3,
    }[word]
    return np.isclose(size, 1, rtol=0.05)


@says(
    "datasets.two_balls",
    "uniform in the discs of [radius] 1/2 around ([-1/2], 1/2) and ([1/2], 1/2)",
    "diameter", "1/2", "-1/2",
)
def discs(word, *places):
    """Of a uniform point of a disc the mean squared distance is half r^2."""
    own, told = made(datasets.two_balls, 8000, n_redundant=0), []
    r = {"radius": 0.5, "diameter": 0.25}[word]
    for label, place in zip((-1, 1), places, strict=True):
        centre = np.array([-0.5 if place == "-1/2" else 0.5, 0.5])
        far = np.linalg.norm(own.X[own.y == label] - centre, axis=1)
        told.append(far.max() <= r and np.isclose((far**2).mean(), r**2 / 2, rtol=0.05))
    return all(told)


@says("datasets.documents", "rows of [length] 1", "sum")
def lengths(word):
    X = made(datasets.documents, 20, 60).X
    sizes = {"length": np.linalg.norm(X, axis=1), "sum": X.sum(axis=1)}[word]
    return np.allclose(sizes, 1)


@says("datasets.documents", "a frequency [proportional] to 1/(j + 10)", "inverse")
def frequent(word):
    """The later a term, the fewer documents have it, and the more it weighs."""
    X = made(datasets.documents, 400, 60).X
    has = (X > 0).mean(axis=0)
    return (has[:20].mean() > has[-20:].mean()) == (word == "proportional")


@says("datasets.documents", "the logarithm of the [inverse] document frequency",
      "plain")
def weights(word):
    """Divided by them, what is left of a document are whole numbers of words."""
    X = made(datasets.documents, 40, 4000).X
    logs = np.log((len(X) + 2) / (1 + (X > 0).sum(axis=0)))
    counts = X / logs if word == "inverse" else X * logs
    shares = [row[row > 0] / row[row > 0].min() for row in counts]
    return all(np.allclose(each, each.round()) for each in shares)


@says("datasets.clusters", "blocks of [ones]", "halves")
def blocks(word):
    K = datasets.clusters([2, 3]).X
    size = {"ones": 1.0, "halves": 0.5}[word]
    own = np.kron(np.eye(2), np.ones((3, 3)))[1:, 1:]
    return np.array_equal(K @ K.T, size * own)


@says("datasets.low_rank", "Points X for which X X^T has [exactly] the given rank",
      "at most")
def ranks(word):
    """Of small ranks each draw has it, where random integers need not."""
    some = [made(datasets.low_rank, 4, 3, seed=s, integer=True).X for s in range(40)]
    found = {int(np.linalg.matrix_rank(x)) for x in some}
    return (found == {3}) == (word == "exactly")
