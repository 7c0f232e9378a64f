"""What docstrings say in a form that can be run: limits, shapes, entries, theorems."""

import ast
import inspect
import math
import re
import warnings
from functools import cache

import numpy as np
import pytest
from bad_input import world
from bad_input_calls import CALLS
from docstrings import (
    LENGTHS,
    NUMBERS,
    OF_CALLS,
    Limit,
    asked,
    entries,
    fits,
    free,
    heads,
    limits,
    of_call,
    of_object,
    read,
    returned,
    shape_of,
    shapes,
    told,
)
from test_public_face import CITED, ROOMS, classes, functions, modules, public

from nystheory.kernels import rbf
from nystheory.kernels._base import Counted
from nystheory.learners import KernelRidge, Learner

# Ends that take long are not tried from inside.
LARGEST = 2000


# --- Limits of numbers ----------------------------------------------------------------


def value(limit, given):
    """The number that is written: n, l and p are those of the call."""
    chosen = given.get("landmarks")
    known = {"n": world().n, "l": given.get("n_landmarks", 4), "p": 2}
    if isinstance(given.get("n"), int):
        known["n"] = given["n"]
    if hasattr(chosen, "__len__") and not isinstance(chosen, str):
        known["l"] = len(chosen)
    end = limit.end if limit.end == "n - 1" else limit.end.replace(" ", "")
    return eval(end, {}, known)


def fault(limit, calls=CALLS):
    """What is false of a limit, or None."""
    given = calls[limit.name](world())[1]
    if given.get(limit.argument) is None:
        return None
    end = value(limit, given)
    whole = isinstance(given[limit.argument], int | np.integer)
    step = limit.outwards * (1 if whole else 0.01 if limit.end != "1" else 0.25)
    inside, outside = (end, end + step) if limit.passes else (end - step, end)
    if inside <= LARGEST and (said := refused(limit, inside, calls)):
        return f"{limit.key}, but {inside} is refused: {said}"
    if limit.argument not in refused(limit, outside, calls):
        return f"{limit.key}, but {outside} passes"
    return None


def refused(limit, number, calls):
    """What is said of a number; nothing where it passes."""
    function, given = calls[limit.name](world())
    try:
        function(**given | {limit.argument: number})
    except (ValueError, TypeError) as error:
        return str(error)
    return ""


def test_a_number_in_words_is_the_limit():
    assert len(limits()) > 110
    assert [told for each in limits() if (told := fault(each))] == []


def between(n):
    if not 1 <= n <= 3:
        raise ValueError("n: expected an integer from 1 to 3")


@pytest.mark.parametrize(
    ("end", "passes", "outwards", "false"),
    [
        *(("1", True, -1, False), ("3", True, 1, False), ("0", False, -1, False)),
        *(("0", True, -1, True), ("2", True, -1, True), ("2", True, 1, True)),
        *(("4", True, 1, True), ("1", False, -1, True), ("3", False, 1, True)),
    ],
)
def test_another_limit_is_seen(end, passes, outwards, false):
    limit = Limit("it", "n", "n", end, passes, outwards)
    calls = {"it": lambda w: (between, {"n": 2})}
    assert bool(fault(limit, calls)) == false


# --- Shapes ---------------------------------------------------------------------------


def varied(given, kinds):
    """With one more of m points, and of b columns, so that few sizes are the same."""
    given = dict(given)
    for name, kind, _ in kinds:
        value, first = given.get(name), [shape[0] for shape in shapes(kind)][:1]
        if first == ["m"] and isinstance(value, np.ndarray):
            given[name] = np.concatenate([value, value[:1]])
        if first == ["b"] and isinstance(value, list):
            given[name] = value + value[:1]
    return given


@cache
def answers():
    """Each call of the table: its arguments, its object, and what it returned."""
    found = []
    for name, make in CALLS.items():
        if of_call(name) is not None:
            function, given = make(world())
            section = told().get(name.partition(",")[0], told()[of_call(name)])
            kinds = [*heads(section.get("Parameters", ""))]
            given = varied(given, kinds)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                answer = function(**given)
            own = getattr(function, "__self__", None)
            own = None if inspect.isclass(own) else own
            found.append((name, kinds, given, own, answer))
    return found


def letters_of(kinds, given, own):
    """The letters that the arguments of a call bind, and what does not fit."""
    pairs = [(name, kind, given[name]) for name, kind, _ in kinds if name in given]
    letters, faults = read({}, pairs)
    more = [of_object(own)] if own is not None else []
    more += [of_object(each) for each in given.values() if hasattr(each, "__dict__")]
    numbers = {k: v for k, v in given.items() if isinstance(v, int)}
    more += [{x: numbers[a] for x, a in OF_CALLS.items() if a in numbers}, numbers]
    for each in more:
        letters = each | letters
    return letters, faults


def test_what_is_returned_has_the_shape_that_is_written():
    faults, held = [], 0
    for name, kinds, given, own, answer in answers():
        letters, more = letters_of(kinds, given, own)
        faults += [f"{name}: {each}" for each in more]
        for kind, value in returned(name, answer):
            if not shapes(kind) or shape_of(value) in (None, ()):
                continue
            held += 1
            if not name.endswith("fit_transform"):  # k is found in the fit
                faults += [f"{name}: nothing binds {x}" for x in free(kind, letters)]
            faults += [f"{name}: {x}" for x in read(letters, [("it", kind, value)])[1]]
    assert faults == []
    assert held > 60


def names_of_classes():
    """The public classes, with the names that a user writes."""
    return {
        each: f"{room}.{name}"
        for room in ROOMS
        for name, each in public(room).items()
        if inspect.isclass(each)
    }


def test_attributes_have_the_shapes_that_are_written():
    kinds, seen, faults = names_of_classes(), set(), []
    for _, _, _, own, answer in answers():
        for each in (own, *(answer if isinstance(answer, tuple) else (answer,))):
            name = kinds.get(type(each))
            section = told()[name].get("Attributes", "") if name else ""
            pairs = [(x, kind, getattr(each, x, None)) for x, kind, _ in heads(section)]
            faults += [f"{name}: {x}" for x in read(of_object(each), pairs)[1]]
            seen |= {f"{name}.{x}" for x, kind, _ in pairs if shapes(kind)}
    assert faults == []
    assert len(seen) > 60


@pytest.mark.parametrize(
    ("wanted", "found", "letters", "fit"),
    [
        (["n", "l"], (3, 2), {"n": 3}, True),
        (["l", "n"], (3, 2), {"n": 3, "l": 2}, False),
        (["n"], (3, 2), {"n": 3}, False),
        (["n", ...], (3, 2), {"n": 3}, True),
        (["n", "n"], (3, 2), {}, False),
        (["r + 1", "size^2"], (3, 4), {"r": 2, "size": 2}, True),
        (["r + 1"], (3,), {"r": 3}, False),
    ],
)
def test_another_shape_is_seen(wanted, found, letters, fit):
    assert (fits(wanted, found, letters) is not None) == fit


# --- Entries that are asked for -------------------------------------------------------


def asked_for(name, kinds, monkeypatch):
    """How many entries a call asks for, of whatever kernel matrix."""
    asked, count = [], Counted._count
    function, given = CALLS[name](world())
    given = varied(given, kinds)

    def heard(self, entries):
        asked.append(entries)
        count(self, entries)

    with monkeypatch.context() as patch:
        patch.setattr(Counted, "_count", heard)
        function(**given)
    return sum(asked)


def test_so_many_entries_are_asked_for(monkeypatch):
    held, faults = 0, []
    for name, kinds, given, own, _ in answers():
        if "," in name:
            continue
        letters = letters_of(kinds, given, own)[0]
        letters |= {x: len(given[a]) for x, a in LENGTHS.items() if a in given}
        letters |= {x: given[a] for x, a in NUMBERS.items() if a in given}
        for stated in entries(name):
            known = [x for x in stated if {*re.findall("[a-zA-Z]_?", x)} <= {*letters}]
            if known:
                held += 1
                found = asked_for(name, kinds, monkeypatch)
                if found not in [eval(x, {}, dict(letters)) for x in known]:
                    faults.append(f"{name}: {known} is not {found} with {letters}")
    assert faults == []
    assert held >= 28


def test_schemes_ask_for_so_many_entries():
    """What stands where they tell what they return; *about* allows a factor of two."""
    held, faults = 0, []
    for name, kinds, given, own, answer in answers():
        for ends in asked(told().get(name, {}).get("Returns", "")):
            letters = letters_of(kinds, given, own)[0]
            if {*re.findall("[a-z]+", " ".join(ends))} <= {*letters}:
                held += 1
                least, most = (eval(end, {}, letters) for end in ends)
                if not least <= answer.entries_asked <= most:
                    faults.append(f"{name}: {ends}, not {answer.entries_asked}")
    assert faults == []
    assert held >= 17


@pytest.mark.parametrize(
    ("words", "least", "most"),
    [
        ("n (l + 1) entries.", "n*(l + 1)", "n*(l + 1)"),
        ("no entry of K.", "0", "0"),
        ("all n^2 entries, once.", "n**2", "n**2"),
        ("about 2 n l entries.", "2*n*l / 2", "2*n*l * 2"),
        ("n (l (k + 1) + 1) entries at most.", "0", "n*(l*(k + 1) + 1)"),
        ("n l entries, and for at most n more of proposals", "n*l", "n*l + n"),
    ],
)
def test_entries_of_a_scheme_are_read(words, least, most):
    assert [*asked(f"Asks for {words}")] == [(least, most)]


# --- Theorems -------------------------------------------------------------------------


def stems(words):
    return {word[:4] for word in re.findall(r"[a-z]+", words.lower()) if len(word) > 3}


def misnamed(doc, evaluated=()):
    """Claims that are cited where nothing else is said of what they say.

    A word of the claim's name is in the docstring, or code of the room evaluates it.
    """
    doc_of = CITED.sub("", doc).replace("|_2", " spectral").replace("|_F", " frobenius")
    told = stems(doc_of)
    for _, claims in CITED.findall(doc):
        for claim in re.findall('"([^"]+)"', claims):
            if not stems(claim) & told and claim not in evaluated:
                yield claim


def constants(room):
    """Strings in the code of a room, but for docstrings."""
    found = set()
    for module in modules(room):
        tree = ast.parse(inspect.getsource(module))
        found |= {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)}
    return {each for each in found if isinstance(each, str) and "\n" not in each}


@pytest.mark.parametrize("room", ROOMS)
def test_a_claim_that_is_cited_is_of_what_the_docstring_speaks(room):
    evaluated = constants(room) if room == "guarantees" else ()
    for name, thing in [*functions(room), *classes(room)]:
        doc = inspect.getdoc(thing) or ""
        assert [*misnamed(doc, evaluated)] == [], name


def test_another_claim_is_seen():
    doc = 'The largest entry; ``theorems["modern:error-chain"]``, claims "entries" and '
    assert [*misnamed(doc + '"diagonal".')] == ["diagonal"]
    assert [*misnamed(doc + '"angle".')] == ["angle"]
    assert [*misnamed(doc + '"entries".')] == []


# --- Defaults that are filled in, and attributes that are formulas --------------------

FILLED_IN = re.compile(r"(\d+), or all [\w ]+, by default|(\d+) by default")


def filled_in():
    """Estimators, and the number of landmarks that their words say is the default."""
    for room in ROOMS:
        for name, kind in classes(room):
            section = told().get(name, {}).get("Parameters", "")
            for argument, _, words in heads(section):
                found = FILLED_IN.search(words)
                if argument == "n_landmarks" and found and hasattr(kind, "fit"):
                    yield kind, int(found[1] or found[2])


def test_a_default_that_is_filled_in_is_the_one_that_is_told():
    """Where None stands in the signature the number in words is what is taken."""
    seen = [*filled_in()]
    for kind, number in seen:
        points = np.random.default_rng(0).standard_normal((number + 60, 2))
        kind = KernelRidge if kind is Learner else kind
        given = {"method": "nystrom"} if "method" in vars(kind()) else {}
        model = kind(landmarks="uniform", random_state=0, **given)
        model.fit(points, points[:, 0])
        own = getattr(model, "landmarks_", None)
        own = model.approximation_.landmarks if own is None else own
        assert len(own) == number, kind
    assert len(seen) >= 3


# Parts, numbers that follow from n and l, and what is taken of two.
PARTS = {"half": 2, "a third": 3, "a quarter": 4, "a fifth": 5, "a tenth": 10}
PART = re.compile(rf"({'|'.join(PARTS)}) (?:of )?(l|``\|[IR]\|``), rounded (up|down)")
OF_TWO = re.compile(
    r"default the (smallest|largest) of l/(\d+) \(rounded (up|down)\) and the root of n"
)
LESS = re.compile(r"; l, or n where that is (less|more), by default")
ROUND = {"up": math.ceil, "down": math.floor}
END = {"smallest": min, "largest": max, "less": min, "more": max}


def by_default(words, n, size):
    """What words say that an argument is by default; None where they do not."""
    if found := PART.search(words):
        return ROUND[found[3]](size / PARTS[found[1]])
    if found := OF_TWO.search(words):
        part = ROUND[found[3]](size / int(found[2]))
        return END[found[1]](part, math.isqrt(n))
    return END[found[1]](n, size) if (found := LESS.search(words)) else None


def counts():
    """Functions, arguments and words of a default that is counted from n and l."""
    for name, thing in functions("sampling"):
        for argument, _, words in heads(told()[name].get("Parameters", "")):
            if by_default(words, 9, 4) is not None:
                yield thing, argument, words


def drawn(function, n, size, **given):
    """What a function of the sampling schemes returns, as an array."""
    rng = np.random.default_rng(0)
    K = rbf(rng.standard_normal((n, 3)), 0.5)
    takes = inspect.signature(function).parameters
    more = {"rng": rng} if "rng" in takes else {}
    more |= {"y": K.points[:, 0]} if "y" in takes else {}
    chosen = size if "n_landmarks" in takes else range(size)
    found = function(K, chosen, **more, **given)
    return np.asarray(getattr(found, "indices", found))


def test_a_default_that_is_counted_is_the_one_that_is_told():
    """At two sizes the number in words gives what no number gives."""
    seen = [*counts()]
    for function, argument, words in seen:
        for n, size in ((60, 23), (120, 97)):
            number = by_default(words, n, size)
            usual = drawn(function, n, size)
            same = drawn(function, n, size, **{argument: number})
            np.testing.assert_array_equal(usual, same, f"{function}, {words}")
        other = drawn(function, n, size, **{argument: number - 1})
        assert not np.array_equal(usual, other), f"{function}: {argument} does nothing"
    assert len(seen) >= 6


ROOTS = re.compile(
    r"((?:``\"\w+\"``(?: and |; )?)+) takes? ``(\d+) sqrt\(n\)`` landmarks where no"
)


def test_so_many_landmarks_are_taken_by_a_method():
    """Where no number is given, at two sizes whose roots are whole."""
    seen = 0
    for name, kind in classes("learners"):
        words = " ".join(told().get(name, {}).get("Parameters", "").split())
        for methods, number in ROOTS.findall(words):
            for method in re.findall(r'"(\w+)"', methods):
                for n in (196, 400):
                    X = np.random.default_rng(0).standard_normal((n, 2))
                    y = np.where(X[:, 0] > 0, 1, -1)
                    model = kind(method=method, landmarks="uniform", random_state=0)
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        model.fit(X, y)
                    known = model.approximation_
                    own = model.dual_coef_ if known is None else known.landmarks
                    assert len(own) == int(number) * math.isqrt(n), (name, method)
                    seen += 1
    assert seen >= 6


FORMULA = re.compile(
    r"``(-?[\w.()\[\]]*_[\w.()\[\]]*|[a-z]+\([a-z]+\)|[a-z]+ / 2 \+ [a-z]+ / 2)``"
)


def test_attributes_are_the_formulas_that_they_begin_with():
    kinds, seen = names_of_classes(), set()
    for _, _, _, own, answer in answers():
        for each in (own, *(answer if isinstance(answer, tuple) else (answer,))):
            name = kinds.get(type(each))
            section = told().get(name, {}).get("Attributes", "")
            for attribute, _, words in heads(section):
                code = FORMULA.match(words)
                if code and getattr(each, attribute, None) is not None:
                    names = {x: getattr(each, x) for x in vars(each)}
                    value = eval(code[1], {"len": len, "sum": np.sum}, names)
                    found = getattr(each, attribute)
                    np.testing.assert_allclose(found, value, err_msg=name + code[0])
                    seen.add(f"{name}.{attribute}")
    assert len(seen) >= 4, seen
