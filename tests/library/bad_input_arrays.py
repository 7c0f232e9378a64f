"""What a user may pass for each kind of argument, and what is then to happen.

A kind is a function of a good value and of the `World` that it belongs to; it gives
triples: what it is called, the value, and what is wanted of it.  "right" is the answer
on the good value, "clear" an error, "either" one of the two.
"""

import warnings

import numpy as np
import scipy.sparse

from nystheory import kernels, lowrank, sampling

# Powers of two next to 1e150 and 1e-150: scaling by them rounds nothing.
SCALES = {"1e-150": 2.0**-498, "1e-30": 2.0**-100, "1e30": 2.0**100, "1e150": 2.0**498}


class ArrayLike:
    """What pandas has: an object that becomes an array when it is asked."""

    def __init__(self, array):
        self._array = np.asarray(array)
        self.shape = self._array.shape

    def __array__(self, dtype=None, copy=None):
        return self._array.astype(self._array.dtype if dtype is None else dtype)

    def __len__(self):
        return len(self._array)


def changed(array, value):
    """A copy with another last entry."""
    out = np.array(array, dtype=np.result_type(array, type(value)))
    out[(-1,) * out.ndim] = value
    return out


def masked(array):
    mask = np.zeros(np.shape(array), bool)
    mask[(-1,) * mask.ndim] = True
    return np.ma.array(array, mask=mask)


def strided(array):
    """The same numbers with others between them in memory."""
    wide = np.full([2 * k for k in array.shape], 7, array.dtype)
    view = wide[(slice(None, None, 2),) * array.ndim]
    view[...] = array
    return view


def frozen(array):
    out = np.array(array)
    out.flags.writeable = False
    return out


def no_array(base):
    """What is no array of numbers at all."""
    ragged = [[1.0, 2.0], [3.0]] if base.ndim > 1 else [1.0, [2.0, 3.0]]
    yield "None", None, "clear"
    yield "a word", "rbf", "clear"
    yield "ragged", ragged, "clear"
    yield "strings", base.astype(str), "clear"
    yield "strings as objects", base.astype(str).astype(object), "clear"
    yield "objects", np.full(base.shape, object()), "clear"
    yield "Nones", np.full(base.shape, None), "clear"
    yield "dates", np.zeros(base.shape, "datetime64[D]"), "clear"
    yield "a dict", {"a": 1}, "clear"
    yield "a function", np.sum, "clear"
    yield "a number", 2.5, "clear"
    yield "a dimension more", base[None], "clear"
    yield "empty", np.empty((0,) * base.ndim), "clear"
    yield "nothing", [], "clear"
    yield "masked", masked(base), "clear"
    yield "400 digits", changed(base.astype(object), 10**400), "clear"


def real(base, w=None, sparse="clear"):
    """Real arrays."""
    base = np.asarray(base, dtype=float)
    yield from no_array(base)
    for name, value in (("nan", np.nan), ("inf", np.inf), ("-inf", -np.inf)):
        yield name, changed(base, value), "clear"
    yield "complex", base + 1j, "clear"
    yield "complex without imaginary part", base + 0j, "clear"
    yield "sparse", scipy.sparse.csr_matrix(np.atleast_2d(base)), sparse
    yield "a list", base.tolist(), "right"
    yield "Fortran order", np.asfortranarray(base), "right"
    yield "not contiguous", strided(base), "right"
    yield "read-only", frozen(base), "right"
    yield "like an array", ArrayLike(base), "right"
    yield "masked nowhere", np.ma.array(base), "right"
    yield "numbers as objects", base.astype(object), "right"
    yield "long doubles", base.astype(np.longdouble), "right"
    yield "backwards", base[::-1].copy()[::-1], "right"


def vector(base, w=None):
    yield from real(base, w)
    base = np.asarray(base, dtype=float)
    yield "one more", np.append(base, base[-1]), "clear"
    yield "one less", base[:-1], "clear"


def loose_vector(base, w=None):
    """Of any length."""
    yield from real(base, w)


def matrix(base, w=None):
    yield from real(base, w)
    base = np.asarray(base, dtype=float)
    yield "a dimension less", base[0], "clear"


def square(base, w=None):
    """Symmetric, semidefinite matrices."""
    yield from matrix(base, w)
    base = np.asarray(base, dtype=float)
    n, one = len(base), np.eye(len(base))
    yield "not square", base[:, :-1], "clear"
    yield "not symmetric", base + np.triu(np.full((n, n), 0.5), 1), "clear"
    yield "indefinite", base - 3 * np.trace(base) * one, "clear"
    yield "a negative entry on the diagonal", changed(base, -1.0), "clear"
    yield "scale 1e200", base / np.abs(base).max() * 1e200, "clear"
    yield "scale 1e-200", base / np.abs(base).max() * 1e-200, "clear"


def kernel(base, w):
    """K: an array, or a kernel matrix."""
    yield from square(base, w)
    n = len(base)
    grown = np.eye(n + 1)
    grown[:n, :n] = base
    yield "a point more", grown, "other"
    yield "a point less", base[:-1, :-1].copy(), "other"
    yield "1x1", [[1.0]], "other"
    yield "a kernel's name", "linear", "clear"
    yield "the function that makes one", kernels.rbf, "clear"
    yield "a class", kernels.PointKernel, "clear"
    yield "an approximation", lowrank.nystrom(base, [0, 1]), "clear"
    yield "a kernel matrix", kernels.DenseKernel(base.copy()), "right"
    yield "a kernel of points", w.kernel, "right"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy advises against it
        old = np.asmatrix(base)
    yield "a matrix of NumPy's", old, "right"


def points(base, w):
    yield from matrix(base, w)
    yield "scale 1e200", np.sign(base) * 1e200, "clear"
    yield "no column", np.empty((3, 0)), "clear"


def other_points(base, w):
    """Points beside those of a kernel: as many coordinates."""
    yield from matrix(base, w)
    yield "a coordinate more", np.hstack([base, base[:, :1]]), "clear"
    yield "a coordinate less", base[:, :-1], "clear"
    yield "scale 1e200", np.sign(base) * 1e200, "clear"


def rows_of_entries(base, w):
    """Entries between new points and those of a stored K."""
    for name, value, want in other_points(base, w):
        if name != "scale 1e200":
            yield name, value, want


def features_points(base, w):
    """What scikit-learn checks, in its words."""
    told = {"sparse": "right", "a list": "right", "empty": "clear"}
    for name, value, want in matrix(base, w):
        yield name, value, told.get(name, want)


def new_features_points(base, w):
    yield from features_points(base, w)
    yield "a coordinate more", np.hstack([base, base[:, :1]]), "clear"


def indices(base, w, high=None, repeated="right"):
    n = w.n if high is None else high
    base = [int(i) for i in base]
    array = np.array(base)
    yield "None", None, "clear"
    yield "a word", "first", "clear"
    yield "words", ["0", "1"], "clear"
    yield "ragged", [0, [1, 2]], "clear"
    yield "nothing", [], "clear"
    yield "a number", 1, "clear"
    yield "a float", 1.5, "clear"
    yield "floats", [0.0, 1.0], "clear"
    yield "nan", [0.0, np.nan], "clear"
    yield "complex", array + 0j, "clear"
    yield "truths", [True, False], "clear"
    yield "Nones", [None, 0], "clear"
    yield "two dimensions", array[None], "clear"
    yield "negative", [0, -1], "clear"
    yield "n", [0, n], "clear"
    yield "huge", [0, 2**70], "clear"
    yield "400 digits", [0, 10**400], "clear"
    yield "masked", masked(array), "clear"
    yield "sparse", scipy.sparse.csr_matrix(array[None]), "clear"
    yield "a dict", dict.fromkeys(base), "clear"
    yield "a set", set(base), "clear"
    yield "a function", np.sum, "clear"
    yield "a list", list(base), "right"
    yield "a tuple", tuple(base), "right"
    yield "small integers", array.astype(np.uint8), "right"
    yield "not contiguous", strided(array), "right"
    yield "read-only", frozen(array), "right"
    yield "like an array", ArrayLike(array), "right"
    if repeated == "clear":
        yield "repeated", [base[0], *base[:-1]], "clear"


def columns(base, w):
    yield from indices(base, w)


def landmarks(base, w, repeated="right"):
    yield from indices(base, w, repeated=repeated)

    def by_hand(indices):
        return sampling.Landmarks(indices, None, None, 0, 0.0, "by hand")

    own = sampling.kmeans(w.kernel, 3, np.random.default_rng(0))
    yield "landmarks", by_hand(np.array(base)), "right"
    yield "landmarks beyond n", by_hand(np.array([0, w.n])), "clear"
    yield "landmarks that are floats", by_hand(np.array([0.0, 1.0])), "clear"
    yield "landmarks that are points", own, "clear"
    yield "an approximation", w.near, "clear"
    yield "points of K", np.asarray(w.X[:3]), "clear"
