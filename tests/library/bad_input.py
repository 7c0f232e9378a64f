"""The table of bad input: one argument bad at a time, the others good.

``python tests/library/bad_input.py`` prints the counts by outcome and by callable; with
``-v`` also every case that is neither right nor clear.

right     the answer on the clean input that means the same (or, for another scale, the
          scaled answer)
clear     ValueError, TypeError or IndexError that has the argument's name and says what
          was expected
unclear   another exception, or a warning of NumPy's on the way, or good input refused
silent    an answer that is not right
lenient   accepted although no documentation says so, and harmless: `LENIENT`
modified  an input was changed
"""

import inspect
import re
import sys
import warnings
from collections import Counter
from dataclasses import dataclass
from functools import cache

import bad_input_kinds as kinds
import bad_input_learners
import bad_input_selection
import numpy as np
from bad_input_calls import CALLS
from bad_input_table import HIGHEST, KINDS, LOWEST, OVERRIDES
from bad_input_told import LENIENT, WANTED
from bad_input_world import N, World

from nystheory import kernels
from nystheory.certificates import Estimate
from nystheory.coherence import Enclosure
from nystheory.datasets import Dataset
from nystheory.ensemble import Ensemble, Validation
from nystheory.features import (
    Accuracy,
    NystromFeatures,
    RandomBinningFeatures,
    RandomFourierFeatures,
)
from nystheory.learners import Solution
from nystheory.lowrank import LowRank
from nystheory.sampling import Landmarks
from nystheory.selection import KernelSelector

# Called to be made and fitted at once.
FITTED = {
    kind.__name__: kind
    for kind in (
        NystromFeatures,
        RandomBinningFeatures,
        RandomFourierFeatures,
        KernelSelector,
    )
}
OUTCOMES = ("right", "clear", "lenient", "unclear", "silent", "modified")


@dataclass
class Case:
    """One call with one bad argument."""

    name: str  # of the callable
    argument: str
    label: str
    call: object  # makes the function and its arguments
    clean: object  # the same for the answer that is right; None where there is none
    want: str
    unit: float = 1.0  # K times this
    digits: float = 1e-8

    @property
    def key(self):
        return self.name, self.argument, self.label


# --- What an answer says, as numbers --------------------------------------------------


def told(answer):
    """The numbers of an answer, and the power of the unit that each has."""
    if isinstance(answer, LowRank):
        # All that is computed when asked for is asked for here.
        _ = answer.eigenvalues, answer.eigenvectors
        return [(answer.spectral_reconstruction(), 1), (answer.rank, 0)]
    if isinstance(answer, Ensemble):
        return [(answer.spectral_reconstruction(), 1), (answer.weights, 0)]
    if isinstance(answer, Landmarks):
        parts = answer.indices, answer.probabilities, answer.weights, answer.points
        return [*((part, 0) for part in parts), (answer.factor, 0.5)]
    if isinstance(answer, Estimate):
        power = 2 if "squared" in answer.meaning else 1
        return [(answer.value, power), (answer.error, power), (answer.floor, power)]
    if isinstance(answer, Enclosure):
        return [(answer.low, 0), (answer.high, 0)]
    if isinstance(answer, Validation):
        return [(answer.products, 2)]
    if isinstance(answer, Solution):
        return [(answer.x, None)]
    if isinstance(answer, Dataset):
        return [(answer.X, 0), (answer.y, 0)]
    if isinstance(answer, NystromFeatures):
        return [(answer.transform(answer.components_), 0.5)]
    if isinstance(answer, RandomFourierFeatures | RandomBinningFeatures):
        return [(answer.transform(np.eye(answer.n_features_in_)), 0)]
    if isinstance(answer, Accuracy):
        return [(answer.frobenius.value, 0), (answer.likely_largest, 0)]
    if isinstance(answer, bad_input_selection.TOLD):
        return bad_input_selection.told(answer)
    if isinstance(answer, kernels.KernelMatrix):
        return [(answer.dense(), 1), (answer.diagonal(), 1)]
    if isinstance(answer, tuple | list):
        return [pair for each in answer for pair in told(each)]
    if hasattr(answer, "axes"):  # a picture
        return [(len(answer.axes), 0)]
    if isinstance(answer, slice):
        return [((answer.start, answer.stop), 0)]
    return [(answer, None)]


def same(found, right, case):
    """Whether two answers agree, up to the unit and the digits of the case."""
    if case.label == "float32" and isinstance(right, Enclosure):  # a wider one
        return bool(np.all(found.low <= right.low + 2e-4))
    if case.label == "float32" and isinstance(right, Estimate):  # a higher floor
        return abs(found.value - right.value) <= found.floor + 2e-4
    if case.label == "a kernel of points" and isinstance(right, Estimate):
        # A kernel of points knows of more roundings than an array of its entries.
        alike = _alike(found.value, right.value, 1, case)
        return alike and found.error >= right.error and found.floor >= right.floor
    one, other = told(found), told(right)
    return len(one) == len(other) and all(
        _alike(a, b, power, case) for (a, power), (b, _) in zip(one, other, strict=True)
    )


def _alike(a, b, power, case):
    if a is None or b is None or isinstance(b, str):
        return a is b or a == b
    if hasattr(b, "toarray"):
        a, b = a.toarray(), b.toarray()
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if a.shape != b.shape or not np.isfinite(a).all():
        return a.shape == b.shape and np.array_equal(a, b, equal_nan=False)
    if power is None:
        power = POWERS.get(case.name, 0)
    b = b * case.unit**power
    size = np.abs(b).max(initial=0.0) + (case.unit**power if case.digits > 1e-8 else 0)
    return bool((np.abs(a - b) <= case.digits * size).all())


# Plain numbers and arrays that grow with K, by their power.
POWERS = {
    "lowrank.LowRank.error": 1,
    "lowrank.LowRank.matrix_projection": 1,
    "ensemble.Ensemble.error": 1,
    "ensemble.mean_error": 1,
    "ensemble.normal_equations": 2,
    **bad_input_learners.POWERS,
}


# --- The cases ------------------------------------------------------------------------

POINTS = np.random.default_rng(1).standard_normal((N, 3))


@cache
def world(kind="plain"):
    """Good arguments: of ordinary entries, of single precision, of integers."""
    if kind == "integers":
        A = np.random.default_rng(2).integers(-2, 3, (N, 5))
        return World((A @ A.T + 5 * np.eye(N, dtype=int)).astype(float))
    kernel = kernels.rbf(POINTS, 0.3)
    K = kernel.dense()
    if kind == "plain":
        return World(K, kernel)
    if kind == "100 points":
        return World(_rotated(np.linspace(1, 2, 100)))
    return World(K * kinds.SCALES[kind], unit=kinds.SCALES[kind])


def _rotated(values):
    Q = np.linalg.qr(np.random.default_rng(4).standard_normal((len(values),) * 2))[0]
    K = (Q * values) @ Q.T
    return (K + K.T) / 2


def kind_of(name, argument):
    """What generates the values of an argument."""
    if (name, argument) in OVERRIDES:
        return OVERRIDES[name, argument]
    if argument in KINDS:
        return KINDS[argument]
    low, high = LOWEST.get(argument, 1), HIGHEST[argument]
    return lambda base, w: kinds.integer(base, w, low, high)


def may_be_none(name, argument):
    """Whether None is a good value: another test looks at it."""
    function = CALLS[name](world())[0]
    kind = name.split(",")[0].partition(".")[2]
    if kind in FITTED:
        function = FITTED[kind]
    found = inspect.signature(function).parameters.get(argument)
    return found is not None and found.default is None


def _made(name, argument, value, of="plain"):
    def call():
        function, given = CALLS[name](world(of))
        return function, given | {argument: value}

    return call


def _good(name, of="plain"):
    return lambda: CALLS[name](world(of))


def cases():
    """All cases of all callables."""
    w = world()
    for name, make in CALLS.items():
        given = make(w)[1]
        for argument, base in given.items():
            if base is None:  # left out beside another one
                continue
            for label, value, want in kind_of(name, argument)(base, w):
                want = WANTED.get((name, argument, label), want)
                if label == "None" and may_be_none(name, argument):
                    continue
                call, clean = _made(name, argument, value), _good(name)
                if want == "other":
                    clean = _made(name, argument, kernels.as_kernel(np.array(value)))
                if want == "itself":
                    clean = _made(name, argument, value)
                yield Case(name, argument, label, call, clean, want)
        if "K" in given or "array" in given:
            yield from _of_types(name, "K" if "K" in given else "array")


def _of_types(name, argument):
    """Other types and scales of K, with approximations of the same."""
    if name == "sampling.kmeans":
        return
    for label in kinds.SCALES:
        call, clean = _good(name, label), _good(name)
        unit = kinds.SCALES[label]
        yield Case(name, argument, f"scale {label}", call, clean, "right", unit)

    def of(K):
        return lambda: CALLS[name](World(K))

    single = world().K.astype(np.float32)
    call, clean = of(single), of(single.astype(float))
    yield Case(name, argument, "float32", call, clean, "right", digits=2e-4)
    whole = world("integers").K
    for label, K in {
        "integers": whole.astype(int),
        "small integers": whole.astype(np.int16),
    }.items():
        yield Case(name, argument, label, of(K), of(whole), "right")
    values = np.linspace(1, 2, 100)
    values[0] = -1.0
    for label, dtype in {"float32": np.float32, "float64": np.float64}.items():
        K = _rotated(values).astype(dtype)
        call = _made(name, argument, K, "100 points")
        label = f"eigenvalue -1, {label}"
        want = WANTED.get((name, argument, label), "clear")
        yield Case(name, argument, label, call, call, want)
    zero = np.zeros((N, N))
    call = of_zero(name, argument, zero)
    yield Case(name, argument, "zero", call, call, "either")


def of_zero(name, argument, zero):
    """K = 0; what is not made of it is good for another kernel, or of it."""

    def call():
        try:
            return CALLS[name](World(zero, kernels.linear(np.zeros((N, 2)))))
        except (ValueError, TypeError):  # no such approximation
            return _made(name, argument, zero)()

    return call


# --- Outcomes -------------------------------------------------------------------------


def outcome(case):
    """The outcome of a case, and the message or the answer."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        function, given = case.call()
        heard.clear()
        before = {name: _seen(value) for name, value in given.items()}
        try:
            answer = function(**given)
            told(answer)
            error = None
        except Exception as raised:  # all of them are judged
            answer, error = None, raised
        numpy = [str(h.message) for h in heard if not _ours(h)]
    if any(_seen(given[name]) != seen for name, seen in before.items()):
        return "modified", ""
    if error is not None:
        said = f"{type(error).__name__}: {error}"
        if case.want == "right" or not _clear(error, case, given):
            return "unclear", said
        return ("unclear", numpy[0]) if numpy else ("clear", said)
    if numpy:
        return "unclear", numpy[0]
    if case.want != "clear" and _right(case, answer):
        return "right", ""
    return ("lenient" if case.key in LENIENT else "silent"), repr(answer)[:80]


def _right(case, answer):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        function, given = case.clean()
        return same(answer, function(**given), case)


def _ours(heard):
    return issubclass(heard.category, UserWarning)


# Rooms whose errors of points and labels may be in scikit-learn's words.
OF_SKLEARN = (
    "features.",
    "learners.",
    "manifold.",
    "selection.KernelSelector",
    "selection.select",
)
# Good in themselves, and of another size than the other arguments.
MISFITS = (
    "landmarks that are points",
    "of another kernel",
    "of another size",
    "of one expert",
    "zero",
    "1x1",
)


def _clear(error, case, given):
    """The right type, the name of the argument, and what was expected.

    Where a K or an approximation is good in itself and of another size or matrix, the
    argument that it does not fit may be named.
    """
    message = str(error)
    names = [case.argument]
    if case.want == "other" or case.label in MISFITS:
        names = list(given)
    if case.argument == "K" and {"experts", "approximation"} & set(given):
        names = list(given)
    # A single letter may be anywhere in a message: it has to come first.
    named = any(
        re.match(rf"(K\[\.\.\.\] )?{re.escape(name)}(?!\w)", message)
        or (len(name) > 1 and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", message))
        for name in names
    )
    expected = re.search(r"expect", message, re.IGNORECASE)
    if case.name.startswith(OF_SKLEARN) and case.argument in ("X", "y", "random_state"):
        # scikit-learn's own words, which its `check_estimator` asks for.
        named = expected = re.search(
            r"X\b|y\b|array|sparse|Complex|convert|random_state|RandomState|seed|dtype",
            message,
        )
    told_so = (ValueError, TypeError, IndexError)
    if case.name == "datasets.from_folder":  # as documented
        told_so = (*told_so, FileNotFoundError)
    kind = isinstance(error, told_so)
    return bool(kind and named and expected)


def _seen(value):
    """What may not change."""
    if isinstance(value, np.ma.MaskedArray):
        return value.filled(0).tobytes(), np.ma.getmaskarray(value).tobytes()
    if isinstance(value, np.ndarray):
        return repr(value.tolist()) if value.dtype.kind == "O" else value.tobytes()
    if isinstance(value, kinds.ArrayLike):
        return _seen(value._array)
    if isinstance(value, list | tuple | dict):
        return repr(value)
    if isinstance(value, LowRank):
        return value.factor.tobytes()
    return None


@cache
def outcomes():
    """All cases with their outcomes."""
    return [(case, *outcome(case)) for case in cases()]


def main(loud):
    counts = {name: Counter() for name in CALLS}
    for case, found, _ in outcomes():
        counts[case.name][found] += 1
    width = max(map(len, counts))
    print(" " * width, *(f"{name:>8}" for name in OUTCOMES))
    for name, found in counts.items():
        print(f"{name:{width}}", *(f"{found[each]:8}" for each in OUTCOMES))
    total = sum(counts.values(), Counter())
    print(f"{'all':{width}}", *(f"{total[each]:8}" for each in OUTCOMES))
    print(f"{total.total()} cases")
    for case, found, said in outcomes():
        if loud and found in ("unclear", "silent", "modified", "lenient"):
            print(found, *case.key, said.replace("\n", " ")[:200], sep=" | ")


if __name__ == "__main__":
    main("-v" in sys.argv)
