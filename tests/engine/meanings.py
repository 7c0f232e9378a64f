r"""What the meaning of a symbol says, computed in NumPy from the parts of a world.

`READINGS` has patterns of meanings, each with what it says of the matrices that an
instance brings: ``(spectral|Frobenius) norm of THING`` is a norm of that matrix, and
``eigenvalue after the q largest`` is entry q of the eigenvalues, counted from 0.  A
word that is exchanged in a meaning is read as it then stands, and gives another number.
"""

import re

import numpy as np

from nystheory.engine.language import lines
from nystheory.engine.trial.compare import reader

READINGS = []

# What a meaning may speak of, as lines.
THINGS = {
    **dict.fromkeys(("the matrix", "K"), "K"),
    "the core": "W",
    "E": "E",
    **dict.fromkeys(("the sampled columns", "C"), "C"),
    "the approximation": "approximation",
    **dict.fromkeys(
        ("the error", "the error of the approximation"), "K - approximation"
    ),
    "the centred matrix": "centred",
    "the centred core": "landmark_core",
    "the bordered matrix": "bordered",
    "the Laplacian": "laplacian",
    "the other Laplacian": "other_laplacian",
    "the change of the Laplacian": "other_laplacian - laplacian",
    "the change of the kernel matrix": "other - K",
    "the kernel matrix of the sample": "W",
    "K~": "between",
    "the sampled points": "X_S",
    "the sampled rows": "V_S",
    "the covariances": "X @ X.T - Z @ Z.T",
    "the orthonormal columns": "U",
    "the other columns": "rest",
    "the vector of observations": "y",
}


def mixed(i):
    """The tail that a sample mixes into the head, in orthonormal coordinates."""
    values, U = np.linalg.eigh(i.K)
    values, U = np.maximum(values[::-1], 0), U[i.landmarks, ::-1]
    head, tail = U[:, : i.k], U[:, i.k :]
    return np.sqrt(values[i.k :])[:, None] * (tail.T @ np.linalg.pinv(head.T))


def root(A):
    """A root of a semidefinite matrix."""
    values, vectors = np.linalg.eigh(A)
    return vectors * np.sqrt(np.maximum(values, 0))


def ridge_scores(K, ridge):
    return np.diag(K @ np.linalg.inv(K + ridge * np.eye(len(K))))


# What no line has, of an instance.
PARTS = {
    **dict.fromkeys(("G", "the tail that the sample mixes into the head"), mixed),
    "the Gram matrix of G": lambda i: mixed(i).T @ mixed(i),
    "the change of the covariance": lambda i: (
        i.other_points @ i.other_points.T - i.points @ i.points.T
    ),
    "the factor of the approximation": lambda i: root(
        i.C @ np.linalg.pinv(i.W) @ i.C.T
    ),
    "points": lambda i: i.points,
    "x": lambda i: i.x,
    "labels": lambda i: i.y,
    "q": lambda i: np.ceil(1.5 * ridge_scores(i.K, i.alpha).sum()),
}


class Seen:
    """An instance of a theorem: its parts, and the values of lines."""

    def __init__(self, theorem, instance):
        self.instance, self.reader = instance, reader(theorem, instance)

    def __call__(self, line):
        if line in PARTS:
            return np.asarray(PARTS[line](self.instance), float)
        return np.asarray(self.reader.value(lines.parse(line)).value, float)


def reading(pattern):
    """Enter what a meaning of this pattern says; NAME is a letter, THING a matrix."""
    things = "|".join(map(re.escape, {**THINGS, **PARTS}))
    pattern = pattern.replace("NAME", r"(\w+)").replace("THING", f"({things})")

    def enter(function):
        READINGS.append((re.compile(pattern), function))
        return function

    return enter


def read(meaning):
    """What computes a meaning, given what reads the lines of an instance, or None."""
    for pattern, function in READINGS:
        if found := pattern.fullmatch(meaning):
            return lambda see, function=function: function(see, *found.groups())
    return None


def matrix(see, thing):
    return see(THINGS.get(thing, thing))


def spectrum(see, thing="the matrix"):
    """Eigenvalues, the largest first."""
    return np.linalg.eigvalsh(matrix(see, thing))[::-1]


def count(see, name):
    """A size: "q", "2q"."""
    times, name = re.fullmatch(r"(\d*)(\w+)", name).groups()
    return int(times or 1) * int(see(name))


def after(values, k):
    """What stands after the k first, and zeros beyond the last."""
    return np.append(values[k:], 0.0)


def norm(kind, A):
    kinds = {"spectral": 2, "Frobenius": "fro", "trace": "nuc", "nuclear": "nuc"}
    return np.linalg.norm(np.atleast_2d(A), kinds[kind])


# --- Norms, ranks, entries ------------------------------------------------------------


@reading(r"(spectral|Frobenius|nuclear) norm of THING")
def _(see, kind, thing):
    return norm(kind, matrix(see, thing))


@reading(r"(spectral|Frobenius|nuclear) norm of the best rank k")
def _(see, kind):
    return norm(kind, np.diag(spectrum(see)[: count(see, "k")]))


@reading(r"(spectral|Frobenius|trace) error of the best rank k")
def _(see, kind):
    return norm(kind, np.diag(after(spectrum(see), count(see, "k"))))


@reading(r"(spectral|Frobenius) error of (the approximation|the whole core)")
def _(see, kind, what):
    return norm(kind, matrix(see, "E" if what == "the whole core" else "the error"))


@reading(r"(nuclear|spectral) error of B")
def _(see, kind):
    return norm(kind, see("K - B"))


@reading(r"(squared Frobenius|trace|spectral) distance of the covariances")
def _(see, kind):
    power = 2 if "squared" in kind else 1
    return norm(kind.removeprefix("squared "), matrix(see, "the covariances")) ** power


@reading(r"trace of (the matrix|E|the error of the approximation)")
def _(see, thing):
    return np.trace(matrix(see, thing))


@reading(r"(?:all )?Ky Fan norms of THING")
def _(see, thing):
    return np.cumsum(np.linalg.svd(matrix(see, thing), compute_uv=False))


@reading(r"Ky Fan norms of the error of the best rank k")
def _(see):
    values, k = spectrum(see), count(see, "k")
    return np.cumsum(np.append(values[k:], np.zeros(k)))


@reading(r"rank of THING")
def _(see, thing):
    return np.linalg.matrix_rank(matrix(see, thing), tol=1e-7)


@reading(r"(largest|smallest) (diagonal )?entry of (the matrix|the error|E)")
def _(see, end, diagonal, thing):
    A = matrix(see, thing)
    entries = np.diag(A) if diagonal else np.abs(A)
    return entries.max() if end == "largest" else entries.min()


@reading(r"(largest|smallest) label in modulus")
def _(see, end):
    labels = np.abs(see("labels"))
    return labels.max() if end == "largest" else labels.min()


@reading(r"(squared )?length of the (vector of observations|point x)")
def _(see, squared, of):
    length = np.linalg.norm(see("y" if of.endswith("s") else "x"))
    return length**2 if squared else length


# --- Eigenvalues and singular values --------------------------------------------------


@reading(r"eigenvalues of (the matrix|the approximation)")
def _(see, thing):
    return spectrum(see, thing)


@reading(r"eigenvalue after the NAME largest")
def _(see, name):
    return after(spectrum(see), count(see, name))[0]


@reading(r"(?:the )?NAME-th (?:largest )?eigenvalue(?: of THING)?")
def _(see, name, thing):
    return after(spectrum(see, thing or "the matrix"), count(see, name) - 1)[0]


@reading(r"(second )?(largest|smallest) eigenvalue of THING")
def _(see, second, end, thing):
    values = spectrum(see, thing)
    place = 1 if second else 0
    return values[place if end == "largest" else -1 - place]


@reading(r"(last|first) (?:eigen|singular )value that rank k (keeps|leaves out)")
def _(see, which, part):
    return end_of(spectrum(see), count(see, "k"), which, part == "keeps")


@reading(r"(last|first) eigenvalue of the core that is (kept|left out)")
def _(see, which, part):
    return end_of(spectrum(see, "the core"), count(see, "k"), which, part == "kept")


def end_of(values, k, which, kept):
    part = values[:k] if kept else after(values, k)
    return part[0] if which == "first" else part[-1]


@reading(r"sum of the eigenvalues after NAME")
def _(see, name):
    return after(spectrum(see), count(see, name)).sum()


@reading(
    r"root of the sum of the squared singular values that rank k (keeps|leaves out)"
)
def _(see, part):
    values, k = spectrum(see), count(see, "k")
    return np.linalg.norm(values[:k] if part == "keeps" else values[k:])


@reading(
    r"stable rank of the tail: the sum of the eigenvalues after k over the (first|last)"
)
def _(see, which):
    tail = spectrum(see)[count(see, "k") :]
    return tail.sum() / tail[0 if which == "first" else -1]


@reading(
    r"(half of the )?gap of the eigenvalues"
    r"(?: of THING)?(?: after the k-th)?(, over n)?"
)
def _(see, half, thing, over):
    values, k = spectrum(see, thing or "the matrix"), count(see, "k")
    gap = values[k - 1] - after(values, k)[0]
    return gap / (2 if half else 1) / (see("n") if over else 1)


@reading(r"largest difference of two points, each times its transpose, (\w+) norm")
def _(see, kind):
    X = see("points").T
    products = [np.outer(x, x) for x in X]
    return max(norm(kind, A - B) for A in products for B in products)


# --- Sums over points -----------------------------------------------------------------


@reading(r"sum of the (squares|fourth powers) of the (diagonal|lengths of the columns)")
def _(see, power, of):
    K = see("K")
    entries = np.diag(K) if of == "diagonal" else np.linalg.norm(K, axis=0)
    return (entries ** (2 if power == "squares" else 4)).sum()


@reading(r"sum of the squared diagonal less one n-th of the squared Frobenius norm")
def _(see):
    K = see("K")
    return (np.diag(K) ** 2).sum() - (K**2).sum() / len(K)


@reading(r"effective dimension: the trace of K times the inverse of K plus the ridge")
def _(see):
    return ridge_scores(see("K"), see("alpha")).sum()


@reading(r"(n times the )?(largest|smallest) ridge leverage score")
def _(see, times, end):
    scores = ridge_scores(see("K"), see("alpha"))
    found = scores.max() if end == "largest" else scores.min()
    return found * (len(scores) if times else 1)


@reading(r"(largest|smallest) leverage score of rank k over the mean of all")
def _(see, end):
    k = count(see, "k")
    U = np.linalg.eigh(see("K"))[1][:, ::-1][:, :k]
    scores = (U**2).sum(axis=1)
    return (scores.max() if end == "largest" else scores.min()) / scores.mean()


@reading(
    r"n times the (largest|smallest) squared row length of the orthonormal columns"
)
def _(see, end):
    rows = (see("U") ** 2).sum(axis=1)
    return len(rows) * (rows.max() if end == "largest" else rows.min())


@reading(r"(largest|smallest) (kernel distance of two points|length of a point)")
def _(see, end, of):
    squares = np.diag(see("K")) if of.startswith("length") else apart(see("K"))
    return np.sqrt(squares.max() if end == "largest" else squares.min())


@reading(r"squared distances of the points")
def _(see):
    return apart(see("K"))


def apart(K):
    """The squared distances of points with these inner products."""
    d = np.diag(K)
    return np.maximum(d[:, None] + d - 2 * K, 0)
