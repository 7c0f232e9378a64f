"""An answer that is typed, in a solution or in its assertion, is computed once more.

Who changes the answer, the cell and the assertion alike is told, and so is who asks for
other numbers than are answered: the modules `answers_of_...` read the numbers of the
exercise and compute its answers without the package.
"""

import ast
import math
from fractions import Fraction
from itertools import product
from pathlib import Path

import answers_of_columns
import answers_of_features
import answers_of_learners
import numpy as np
import pytest
from second_routes import ANSWERS, answered, read
from statements_of_texts import TEXTS
from test_solutions import NO_NAMES, blocks, cells, is_computed, is_constant, names

# Measured on draws or on data: a second route would be the same experiment again.
# The page is the route, and its assertion a range.
MEASURED = {
    "ex-another-law": {"largest_error"},
    "ex-bandwidth": {"doubled"},
    "ex-coupling": {"shared_if_paired"},
    "ex-enough-columns": {"columns_enough"},
    "ex-farthest-subspaces": {"numbers_told"},
    "ex-fewer-columns": {"groups_ahead"},
    "ex-fewer-steps": {"with_few", "with_many"},
    "ex-how-many-columns": {"draws_asked", "columns_enough"},
    "ex-how-many-products": {"few_landmarks", "many_landmarks"},
    "ex-identity": {"largest_gap"},
    "ex-landmarks-enough": {"enough"},
    "ex-one-nat": {"by_certificate"},
    "ex-one-round": {"nearest"},
    "ex-only-the-range": {"of_diagonal", "of_other"},
    "ex-own-schemes": {"gain_on_crowd", "gain_on_patches"},
    "ex-own-tolerance": {"pivots_needed", "pivots_promised"},
    "ex-pivots-for-newton": {"steps_pivots", "steps_uniform"},
    "ex-random-model": {"asked_by_M", "asked_as_printed"},
    "ex-scale": {"optimal_sum", "share_of_gain"},
    "ex-see-the-excess": {"errors_apart"},
    "ex-vectors-enough": {"vectors_asked", "vectors_enough"},
    "ex-worth": {"worth"},
}
EXERCISES = {
    label: (exercise, blocks(text, "solution")[label])
    for text in TEXTS.values()
    for label, exercise in blocks(text, "exercise").items()
}


# ---- What a solution says in its cells


def statements(solution):
    return [each for code in cells(solution) for each in ast.parse(code).body]


def asserted(solution):
    return [x.test for x in statements(solution) if isinstance(x, ast.Assert)]


def stored(statement):
    """The names that a statement binds."""
    nodes = [*ast.walk(statement)]
    found = {x.id for x in nodes if isinstance(x, ast.Name) and is_stored(x)}
    return found | {x.name for x in nodes if isinstance(x, ast.FunctionDef)}


def is_stored(name):
    return isinstance(name.ctx, ast.Store)


def run_alone(solution):
    """What the cells bind that needs nothing of the page."""
    space = {"np": np, "math": math, "Fraction": Fraction, "product": product}
    for statement in statements(solution):
        if isinstance(statement, ast.Assert | ast.Expr):
            continue
        try:
            exec(compile(ast.Module([statement], []), "", "exec"), space)
        except Exception:
            lost = names(statement) if isinstance(statement, ast.For) else set()
            for name in lost | stored(statement):
                space.pop(name, None)
    return space


def holds(test, values):
    code = compile(ast.Expression(test), "", "eval")
    return bool(eval(code, {"np": np, "math": math, **values}))


def same(one, other):
    """Whether two answers agree; two functions are compared by the assertions."""
    if callable(one) or isinstance(one, str | set | dict):
        return callable(one) or one == other
    return np.shape(one) == np.shape(other) and np.allclose(
        np.array(one, float), np.array(other, float), rtol=1e-6
    )


def free(test):
    """The names that an assertion reads of the solution or of the page."""
    parts = [x for x in ast.walk(test) if isinstance(x, ast.comprehension)]
    own = set().union(*(names(x.target) for x in parts))
    return names(test) - NO_NAMES - own - {"math"}


def compared(solution, found):
    """The answers that were compared with something, and what is not so."""
    own = run_alone(solution)
    seen = {*found} & {*own}
    wrong = [
        f"{name} is {own[name]}, by the second route {found[name]}"
        for name in sorted(seen)
        if not same(found[name], own[name])
    ]
    for test in asserted(solution):
        if free(test) and free(test) <= {*found}:
            seen |= free(test)
            wrong += [] if holds(test, found) else [ast.unparse(test)]
    return seen, wrong


# ---- Which answers are typed

LOOKS = {"len", "np.shape", "np.ndim", "np.mod"}


def is_number(node):
    """A typed number or several, and not 0 or a word."""
    if isinstance(node, ast.Set):
        node = ast.List(node.elts)
    if isinstance(node, ast.Dict):
        node = ast.List(node.values)
    of = [x.value for x in ast.walk(node) if isinstance(x, ast.Constant)]
    return is_constant(node) and any(type(x) in (int, float) and x != 0 for x in of)


def is_typed(test):
    """Whether an assertion compares names with typed numbers, and not their looks."""
    for node in ast.walk(test):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and "close" in ast.unparse(node.func):
            sides = node.args[:2]
        else:
            continue
        plain = [x for x in sides if not (is_look(x) or isinstance(x, ast.Attribute))]
        if any(map(is_number, sides)) and any(free(x) for x in plain):
            return True
    return False


def is_look(node):
    return isinstance(node, ast.Call) and ast.unparse(node.func) in LOOKS


def typed_answers(solution):
    """The names of a solution whose values somebody typed."""
    tests, known = asserted(solution), {}
    for each in statements(solution):
        known |= dict.fromkeys(stored(each), False)
    told = set().union(*(free(x) for x in tests))
    found = set()
    for test in tests:
        if is_typed(test) and not is_computed(test, known):
            found |= free(test) & {*known}
    for each in statements(solution):
        if isinstance(each, ast.Assign) and is_number(each.value):
            found |= stored(each) & told
    return found


# ---- The exercises

LISTED = [label for label in EXERCISES if label in ANSWERS]
FREE = {  # what a (break this bound) hands in: any that does it is right
    label
    for label, (exercise, _) in EXERCISES.items()
    if "(break this bound)" in exercise and label not in ANSWERS
}


@pytest.mark.parametrize("label", LISTED)
def test_an_answer_is_that_of_the_second_route(label):
    exercise, solution = EXERCISES[label]
    found = answered(label, exercise)
    seen, wrong = compared(solution, found)
    assert not wrong
    assert {*found} == seen, "nothing compares them"


@pytest.mark.parametrize("label", EXERCISES)
def test_a_typed_answer_has_a_second_route(label):
    exercise, solution = EXERCISES[label]
    found = answered(label, exercise) if label in ANSWERS else {}
    left = typed_answers(solution) - {*found} - MEASURED.get(label, set())
    assert not left or label in FREE


def test_what_is_measured_is_typed():
    for label, of in MEASURED.items():
        assert of <= typed_answers(EXERCISES[label][1]), label


def test_a_second_route_is_not_the_first():
    """No module of answers imports the package."""
    for module in (answers_of_columns, answers_of_features, answers_of_learners):
        code = ast.parse(Path(module.__file__).read_text("utf-8"))
        of = {x.module for x in ast.walk(code) if isinstance(x, ast.ImportFrom)}
        of |= {
            x.name for y in ast.walk(code) if isinstance(y, ast.Import) for x in y.names
        }
        own = {"math", "fractions", "itertools", "numpy", "sympy", "second_routes"}
        assert of <= own


# ---- What is seen

PLANTS = {
    "in cell and assertion": (
        "ex-constants-of-memory",
        ("double / 2, single / 2)", "double / 2, single)"),
        ("63_245, 89_442]", "63_245, 63_245]"),
    ),
    "in the assertion alone": ("ex-slope", ("(hours, 0.5)", "(hours, 5)")),
    "in the cell": ("ex-how-much-memory", ("whole, few = 320", "whole, few = 160")),
    "a set": ("ex-read-errors", ("_frobenius) == {3}", "_frobenius) == {2}")),
}
ASKED = {
    "another number": ("ex-columns-of-a-score", "0.99", "0.999"),
    "another word": ("ex-half-the-promise", "half the", "a third of the"),
    "another end": ("ex-how-many-frequencies", "the least num", "the largest num"),
    "another ridge": ("ex-which-score-is-certain", "0.01", "0.1"),
}


@pytest.mark.parametrize("name", PLANTS)
def test_a_wrong_answer_is_seen(name):
    label, *turns = PLANTS[name]
    exercise, solution = EXERCISES[label]
    for old, new in turns:
        assert old in solution
        solution = solution.replace(old, new)
    assert compared(solution, answered(label, exercise))[1]


@pytest.mark.parametrize("name", ASKED)
def test_another_question_is_seen(name):
    label, old, new = ASKED[name]
    exercise, solution = EXERCISES[label]
    asked = exercise.replace(old, new)
    assert asked != exercise
    readable = read(ANSWERS[label][0], asked)
    assert not readable or compared(solution, answered(label, asked))[1]
