"""A count of operations in a docstring is counted in the code that it is said of.

The code is run with its products and factorizations counted.  A number of operations
without an O stands in a phrase of `COSTS`, or in `NOT_COUNTED` with why.
"""

import inspect
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import costs_of_learners  # noqa: F401 - which fills the table
import pytest
from costs_of_docstrings import COSTS
from test_public_face import ROOMS, classes, functions

COUNT = """
import counted_operations
counted_operations.install()
import costs_of_learners
from costs_of_docstrings import found
import json
print(json.dumps([*found()]))
"""
FORMULA = re.compile(
    r"(?<![\w(^|)*])((?:\d+|[a-zA-Z]|\()(?:[ \d^/+|()'-]|[a-zA-Z](?![a-z]))*)`*"
    r" operations"
)
GROWTH = re.compile(r"O\([^()]*(?:\([^()]*\)[^()]*)*\)")
# They are of single entries, of a share of the data or of an iteration inside, or what
# is counted is below what surrounds it.
NOT_COUNTED = {
    "lowrank.LowRank.error": ["Trace: n k operations"],
    "ensemble.Ensemble.error": ["n^2 m operations in blocks"],
    "ensemble.uniform_weights": ["Costs p operations"],
    "features.RandomFourierFeatures.error": ["Costs n^2 (D + d) operations"],
    "learners.KernelPCA.fit_transform": ["Costs n k operations"],
    "learners.SubspaceClassifier.decision_function": ["2 m l operations"],
    "learners.restricted": ["16 n l operations to sketch C"],
    "learners.FeatureRidge": ["``5 r D^3 / 3`` operations more"],
    "learners.GaussianProcess": ["2 n operations for the mean", "and m^2 operations"],
    "learners.KernelLogistic": ["about 10 n^3 operations"],
    "learners.KernelPCA": ["some 6 n m^2 operations"],
    "learners.KernelRidge": ["``2 n D min(n, D)`` operations", "4 n s operations"],
    "learners.KernelSVC": ["``n^3 / 3 + 4 n^2`` operations exactly"],
    "learners.LaplacianRegression": ["Exact: ``N^3 / 3`` operations"],
    "learners.SubspaceClassifier": [
        *("and 2 n l^2 operations", "2 l operations", "2 n^2 l operations"),
        *("costs 260 n k operations", "10 to 30 steps of ``n k^2`` operations"),
        *("``n k^2 + k^3 / 3`` operations", "no more than 2e8 operations"),
    ],
    "manifold.Isomap.transform": ["and t l operations a point"],
    "manifold.neighbour_error": ["Costs up to O(n^2 k) operations"],
    "manifold.neighbours": ["up to n^2 d operations", "some 1500 n d operations"],
    "guarantees.Decay.envelope": ["n operations"],
    "guarantees.Decay.dimension_bound": ["n operations"],
    "guarantees.Prescription.projection": ["n k operations"],
    "guarantees.decay": ["Costs n^3 operations for K"],
    "guarantees.effective_dimension": ["n^3 operations", "Costs s^3 operations"],
    "guarantees.landmarks_for_learning": ["Costs n^3 operations"],
    "guarantees.population_dimension": ["Costs n^3 operations"],
    "guarantees.stability": ["besides 2 n k operations"],
}


@cache
def told():
    """The docstrings of the public face, each in one line."""
    return {
        name: " ".join((inspect.getdoc(thing) or "").split())
        for room in ROOMS
        for name, thing in [*functions(room), *classes(room)]
    }


@cache
def found():
    done = subprocess.run(
        [sys.executable, "-c", COUNT],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=True,
    )
    return {(name, words): pair for name, words, *pair in json.loads(done.stdout)}


@pytest.mark.parametrize("key", COSTS)
def test_so_many_operations_are_done(key):
    """Up to a third: what is of a lower order is not told."""
    said, counted = found()[key]
    assert 2 / 3 < counted / said < 3 / 2, counted / said


@pytest.mark.parametrize("key", COSTS)
def test_the_docstring_says_it(key):
    name, words = key
    assert words in told()[name]


def uncounted(name, doc):
    """The numbers of operations of a docstring that no phrase has."""
    for of, words in (*COSTS, *((name, x) for x in NOT_COUNTED.get(name, {}))):
        if of == name:
            doc = doc.replace(words, "")
    doc = GROWTH.sub("", doc)
    return [x[1] for x in FORMULA.finditer(doc) if re.search("[a-zA-Z]", x[1])]


def test_every_number_of_operations_is_counted():
    left = {name: uncounted(name, doc) for name, doc in told().items()}
    assert not {name: some for name, some in left.items() if some}


@pytest.mark.parametrize("name", NOT_COUNTED)
def test_what_is_not_counted_is_said(name):
    assert [words for words in NOT_COUNTED[name] if words not in told()[name]] == []


def test_most_are_counted():
    assert sum(map(len, NOT_COUNTED.values())) < len(COSTS)


def test_another_number_is_seen():
    assert uncounted("it", "It costs ``3 n l^2`` operations, O(n) operations") == [
        "3 n l^2"
    ]
