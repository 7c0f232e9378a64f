"""Bad input: every case of the table has the right answer or an error that tells.

``python tests/library/bad_input.py`` prints the counts by outcome and by callable.
"""

import inspect
import re
import warnings
from collections import Counter

import numpy as np
import pytest
import scipy.sparse
from advice import VALUES, followed
from bad_input import Case, outcome, outcomes
from bad_input_calls import CALLS
from bad_input_told import LENIENT
from docstrings import errors, of_call
from docstrings import told as docstrings
from raised_elsewhere import ELSEWHERE
from test_public_face import functions

ROOMS = (
    *("kernels", "sampling", "lowrank", "ensemble", "coherence"),
    *("certificates", "features", "learners", "manifold", "selection"),
    "datasets",
)
# What takes arguments and is not in the table, and why.
LEFT_OUT = {
    "kernels.KernelMatrix": "a protocol: its methods are those of the kinds of kernel",
    "lowrank.Factored": "a base class: its methods are those of LowRank and Ensemble",
}
FEW = 12  # cases told of a failure
FOLLOWED = (np.ndarray, list, scipy.sparse.sparray, scipy.sparse.spmatrix)


def told(wanted):
    """The cases of an outcome, as a failure shows them."""
    return [(*c.key, said) for c, found, said in outcomes() if found == wanted][:FEW]


@pytest.mark.parametrize("wrong", ["silent", "unclear", "modified"])
def test_no_case_is(wrong):
    assert told(wrong) == []


def test_there_are_enough_cases_and_few_are_lenient():
    counts = Counter(found for _, found, _ in outcomes())
    assert counts.total() >= 1400
    assert counts["lenient"] <= 0.01 * counts.total()
    assert counts["right"] >= 1400 and counts["clear"] >= 1400


def test_what_is_lenient_is_so_and_has_a_reason():
    assert {c.key for c, found, _ in outcomes() if found == "lenient"} == set(LENIENT)
    assert all(LENIENT.values())


def test_no_case_is_there_twice():
    counts = Counter(case.key for case, _, _ in outcomes())
    assert [key for key, times in counts.items() if times > 1] == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_callable_and_argument_is_in_the_table(room):
    tried = {(c.name.split(",")[0], c.argument) for c, _, _ in outcomes()}
    missing = [
        f"{name}, {each}"
        for name, function in functions(room)
        if name.rpartition(".")[0] not in LEFT_OUT
        for each, parameter in inspect.signature(function).parameters.items()
        if each not in ("self", "input_features", "params")
        if each != "y" or parameter.default is parameter.empty  # ignored
        if each != "y" or room in ("learners", "sampling", "selection")
        if (name, each) not in tried
    ]
    assert missing == []


# --- What messages advise -------------------------------------------------------------


def expected(message):
    """What was expected, without what it got."""
    return re.sub(r"got .*?(?=;|$)|\d", "", message.partition("expect")[2])


def test_advice_on_an_argument_is_followed_and_helps():
    """What is said to be passed passes, or something else is wrong with it."""
    counts, faults = Counter(), []
    for each, how, said in outcomes():
        if how != "clear" or each.argument in ("kernels", "random_state"):
            continue
        function, given = each.call()
        advised = any(re.search(pattern, said, re.S) for pattern in VALUES)
        if not advised or not isinstance(given[each.argument], FOLLOWED):
            continue
        counts[each.name] += 1
        try:
            function(**given | {each.argument: followed(said, given[each.argument])})
        except (ValueError, TypeError, IndexError) as error:
            if expected(str(error)) == expected(said):
                faults.append((*each.key, said[:99]))
        except NameError as error:
            faults.append((*each.key, said[:99], str(error)))
    assert faults[:FEW] == []
    assert counts.total() >= 600


# --- The errors that docstrings list --------------------------------------------------

# What a test does not bring about: a small memory, a package that is not there.
OF_THE_MACHINE = {"MemoryError", "ImportError"}


def raised():
    """The classes of errors that each public callable has raised, by its docstring."""
    found = {}
    for each, how, said in outcomes():
        name = of_call(each.name)
        if name is not None:
            own = found.setdefault(name, set())
            own |= {said.partition(":")[0]} if how == "clear" else set()
    for name, calls in ELSEWHERE.items():
        for call in calls:
            with pytest.raises(Exception) as error:  # noqa: PT011 - of any class
                call()
            found[name].add(error.type.__name__)
    return found


def test_an_error_is_listed_if_and_only_if_it_is_raised():
    faults = []
    for name, found in raised().items():
        listed, more = errors(name) - OF_THE_MACHINE, set()
        if "As `fit`" in docstrings()[name].get("Raises", ""):
            more = errors(f"{name.rpartition('.')[0]}.fit")
        faults += [f"{name}: {each} is not listed" for each in found - listed]
        faults += [f"{name}: {each} is not raised" for each in listed - found - more]
    assert faults == []


# --- Controls: what the table would see -----------------------------------------------


def case(function, want="clear", value=1):
    call = lambda: (function, {"K": np.array([value])})  # noqa: E731
    clean = lambda: (lambda K: 1, {"K": None})  # noqa: E731
    return Case("control", "K", "bad", call, clean, want)


def raises(error):
    def function(K):
        raise error

    return function


def writes(K):
    K[0] = 7
    raise ValueError("K: expected another one, got this")


def warns(K):
    np.log(np.zeros(1))
    return 1


@pytest.mark.parametrize(
    ("function", "want", "found"),
    [
        (lambda K: 1, "clear", "silent"),
        (lambda K: 2, "right", "silent"),
        (lambda K: np.nan, "right", "silent"),
        (lambda K: 1, "right", "right"),
        (lambda K: 1, "either", "right"),
        (raises(ValueError("K: expected a matrix, got 1")), "clear", "clear"),
        (raises(ValueError("K: expected a matrix, got 1")), "either", "clear"),
        (raises(ValueError("K: expected a matrix, got 1")), "right", "unclear"),
        (raises(ValueError("expected a K")), "clear", "unclear"),
        (raises(ValueError("K is wrong")), "clear", "unclear"),
        (raises(AttributeError("K: expected a matrix, got 1")), "clear", "unclear"),
        (warns, "right", "unclear"),
        (writes, "clear", "modified"),
    ],
)
def test_each_outcome_is_seen(function, want, found):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert outcome(case(function, want))[0] == found


def test_every_callable_answers_good_arguments():
    asked = {c.name for c, found, _ in outcomes() if found == "right"}
    assert set(CALLS) == asked
