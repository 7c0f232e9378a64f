"""Kinds of arguments that are no arrays; those of arrays are here by name as well."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
from bad_input_arrays import *  # noqa: F403 - kinds, as these are
from bad_input_arrays import indices, kernel, other_points

from nystheory import ensemble, lowrank, sampling


def integer(base, w, low=1, high=None):
    yield from number(base, w)
    yield "a float", float(base), "clear"
    yield "a fraction", Fraction(base), "clear"
    yield "below", low - 1, "clear"
    yield "negative", -3, "clear"
    yield "400 digits", 10**400, "clear"
    yield "5000 digits", 10**5000, "clear"
    yield "an int of NumPy's", np.int32(base), "right"
    yield "a small int", np.uint8(base), "right"
    if high is not None:
        yield "beyond", high + 1, "clear"
        yield "huge", 2**70, "clear"


def number(base, w=None):
    """What is no single number."""
    yield "a truth", True, "clear"
    yield "a truth of NumPy's", np.True_, "clear"
    yield "a word", str(base), "clear"
    yield "bytes", b"3", "clear"
    yield "None", None, "clear"
    yield "nan", np.nan, "clear"
    yield "inf", np.inf, "clear"
    yield "-inf", -np.inf, "clear"
    yield "complex", complex(base), "clear"
    yield "a list", [base], "clear"
    yield "an array", np.array([base, base]), "clear"
    yield "a dict", {}, "clear"
    yield "a function", np.sum, "clear"


def positive(base, w=None, zero="clear"):
    yield from number(base, w)
    yield "negative", -base, "clear"
    yield "huge", 10**400, "clear"
    if zero == "clear":
        yield "the smallest number", 5e-324, "clear"
        yield "the largest number", 1.7e308, "clear"
    if zero == "clear":
        yield "zero", 0, "clear"
    yield "an int or float of NumPy's", np.float64(base), "right"
    yield "without dimensions", np.array(base), "right"
    if zero != "no exact":
        yield "a fraction", Fraction(base), "right"
        yield "a decimal", Decimal(base), "right"


def not_negative(base, w=None):
    yield from positive(base, w, zero="allowed")


def choice(base, w=None):
    for name, value in (
        ("unknown", "nope"),
        ("no word", ""),
        ("upper case", base.upper() + " "),
        ("None", None),
        ("a number", 3),
        ("nan", np.nan),
        ("a list", [base]),
        ("bytes", base.encode()),
        ("a truth", True),
        ("an array", np.array([base, base])),
        ("a dict", {}),
        ("a function", np.sum),
    ):
        yield name, value, "clear"
    yield "a word of NumPy's", np.str_(base), "right"


def truth(base, w=None):
    for name, value in (
        ("a number", 1),
        ("zero", 0),
        ("a word", "yes"),
        ("None", None),
        ("a float", 1.0),
        ("nan", np.nan),
        ("a list", [base]),
        ("an array", np.array([True, False])),
    ):
        yield name, value, "clear"
    yield "of NumPy's", np.bool_(base), "right"


def generator(base, w=None):
    for name, value in (
        ("None", None),
        ("a seed", 0),
        ("RandomState", np.random.RandomState(0)),
        ("the module", np.random),
        ("a word", "seed"),
        ("the class", np.random.Generator),
        ("bits", np.random.PCG64(0)),
        ("a sequence of seeds", np.random.SeedSequence(0)),
        ("a truth", True),
        ("a list", [base]),
    ):
        yield name, value, "clear"


def approximation(base, w, mixture="either"):
    of_other = lowrank.nystrom(2 * np.asarray(w.K), w.S)
    for name, value in (
        ("None", None),
        ("a word", "nystrom"),
        ("K itself", w.K),
        ("its entries", base.spectral_reconstruction()),
        ("landmarks", w.drawn),
        ("a list", [base]),
        ("a number", 3),
        ("of another kernel", of_other),
        ("of another size", lowrank.nystrom(np.eye(w.n + 1), w.S)),
        ("not below K", lowrank.column_sampling(w.K, w.S)),
        ("a kernel", w.kernel),
    ):
        yield name, value, "clear"
    if mixture == "clear":
        yield "an ensemble", w.mixture, "clear"
    else:
        # Alone, with the weight 1: the same approximation.
        yield "an ensemble of it", ensemble.Ensemble([base], [1.0]), "right"


def experts(base, w):
    base = list(base)
    of_other = lowrank.nystrom(2 * np.asarray(w.K), w.S)
    for name, value in (
        ("None", None),
        ("a word", "nystrom"),
        ("one approximation", base[0]),
        ("an ensemble", w.mixture),
        ("none", []),
        ("Nones", [None, None]),
        ("an ensemble among them", [base[0], w.mixture]),
        ("arrays", [np.eye(w.n)] * len(base)),
        ("of another kernel", [base[0], of_other]),
        ("of another size", [base[0], lowrank.nystrom(np.eye(w.n + 1), w.S)]),
        ("a number", 3),
        ("K", w.K),
        ("a function", np.sum),
        ("landmarks", [w.drawn] * len(base)),
    ):
        yield name, value, "clear"
    yield "a tuple", tuple(base), "right"
    yield "a generator", (each for each in base), "right"


def samples(base, w):
    """Sequences of landmarks."""
    for name, value in (
        ("None", None),
        ("a word", "uniform"),
        ("a number", 3),
        ("none", []),
        ("indices", [0, 1]),
        ("words", ["a", "b"]),
        ("Nones", [None, None]),
        ("empty ones", [[], []]),
        ("floats", [[0.0, 1.0]]),
        ("negative", [[0, 1, 2], [0, 1, -1]]),
        ("beyond n", [[0, 1, 2], [0, 1, w.n]]),
        ("landmarks", w.drawn),
        ("a function", np.sum),
    ):
        yield name, value, "clear"
    yield "an array", np.array(base), "right"
    yield "a tuple", tuple(base), "right"
    yield "a generator", (each for each in base), "right"


def sizes(base, w=None):
    for name, value in (
        ("None", None),
        ("a word", "two"),
        ("a number", 3),
        ("none", []),
        ("floats", [2.0, 3.0]),
        ("nan", [2, np.nan]),
        ("words", ["2", "3"]),
        ("truths", [True, True]),
        ("zero", [2, 0]),
        ("negative", [2, -1]),
        ("nested", [[2, 1]]),
        ("a function", np.sum),
    ):
        yield name, value, "clear"
    yield "an array", np.array(base), "right"
    yield "a tuple", tuple(base), "right"


def pair(base, w=None):
    for name, value in (
        ("None", None),
        ("a number", 2.0),
        ("a word", "ab"),
        ("one", (2.0,)),
        ("three", (2.0, 3.0, 4.0)),
        ("nan", (2.0, np.nan)),
        ("zero", (0.0, 8.0)),
        ("negative", (2.0, -8.0)),
        ("words", ("2", "8")),
        ("Nones", (None, None)),
        ("truths", (True, True)),
        ("a dict", {}),
    ):
        yield name, value, "clear"
    yield "a list", list(base), "right"
    yield "an array", np.array(base), "right"


def best(base, w):
    for name, value in (
        ("a word", "best"),
        ("K", w.K),
        ("a Nystrom approximation", w.near),
        ("an ensemble", w.mixture),
        ("of another rank", lowrank.best_rank_k(w.K, 3)),
        ("of another kernel", lowrank.best_rank_k(2 * np.asarray(w.K), 2)),
        ("of another size", lowrank.best_rank_k(np.eye(w.n + 1), 2)),
        ("a number", 2.0),
    ):
        yield name, value, "clear"
    yield "None", None, "right"


def validation(base, w):
    alone = ensemble.validate(w.K, w.made[:1], w.V)
    for name, value in (
        ("None", None),
        ("a word", "all"),
        ("a number", 1.0),
        ("its products", base.products),
        ("experts", w.made),
        ("of one expert", alone),
    ):
        yield name, value, "clear"


def kernel_matrix(base, w):
    """A kernel matrix, and no array."""
    for name, value in (
        ("None", None),
        ("a word", "rbf"),
        ("an array", np.asarray(w.K)),
        ("a number", 1.0),
        ("an approximation", w.near),
    ):
        yield name, value, "clear"
    yield "of points", w.kernel, "right"


def seed(base, w=None):
    """What scikit-learn takes, in its words."""
    for name, value in (
        ("a word", "seed"),
        ("a float", 1.5),
        ("a list", [base]),
        ("the class", np.random.Generator),
    ):
        yield name, value, "clear"
    yield "an int of NumPy's", np.int64(base), "right"


def own_landmarks(base, w):
    """Of the features: a scheme's name, indices, or points."""
    for name, value, want in indices(base, w):
        if name not in ("two dimensions", "sparse"):
            yield name, value, want
    yield "a coordinate more", np.zeros((2, 3)), "clear"
    yield "nan points", np.full((2, 2), np.nan), "clear"
    yield "a scheme that needs more", "user", "clear"


def optional(kind):
    """None is another good value, which another test looks at."""

    def values(base, w):
        return (each for each in kind(base, w) if each[0] != "None")

    return values


def ridge_of_bless(base, w):
    yield from positive(base, w)
    yield "rounding", 1e-17 * w.unit, "clear"


def degree(base, w):
    for name, value, want in integer(base, w):
        if name not in ("a float", "a fraction"):  # 2.0 is a whole number
            yield name, value, want
    yield "not whole", 1.5, "clear"


def with_factor(base, w):
    """Landmarks of a scheme that keeps its factor."""
    uniform = sampling.uniform(w.K, 4, np.random.default_rng(0))
    for name, value in (
        ("None", None),
        ("indices", [0, 1]),
        ("a word", "rp_cholesky"),
        ("without a factor", uniform),
        ("an approximation", w.near),
        ("an ensemble", w.mixture),
        ("a factor", base.factor),
    ):
        yield name, value, "clear"


def point_kernel(base, w):
    """K of points: no array will do."""
    for name, value, _ in kernel(np.asarray(w.K), w):
        yield name, value, "right" if name == "a kernel of points" else "clear"


def other_features(base, w):
    """Rows of features, to be turned back into points."""
    for name, value, want in other_points(base, w):
        if name != "scale 1e200":
            yield name, value, want


def jobs(base, w=None):
    yield from number(base, w)
    yield "zero", 0, "clear"
    yield "400 digits", 10**400, "clear"
    yield "a million", 10**6, "clear"
    yield "a fraction", Fraction(base), "clear"
    yield "an int of NumPy's", np.int32(base), "right"
