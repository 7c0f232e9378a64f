r"""What a solution says in words comes from its cells.

A number in words stands in the exercise, in the cells of the solution or in a formula
between numbers that is computed; a sentence that compares has a number of the run, a
link or a formula; and in what an assertion compares something is computed.  These are
lexical tests: they see a number or a word that nothing made, not a wrong thought.
"""

import ast
import re

import numpy as np
import pytest
from make_notebooks import BOOK
from numbers_of_formulas import FORMULA, links, numbers, unit, value

PAGES = sorted(path.stem for path in (BOOK / "md").glob("*.md"))
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LISTING = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
MADE = re.compile(r"\{\{.*?\}\}|\{(?:ref|cite:?\w*|term)\}`[^`]*`")
NUMBERED = re.compile(r"\b(Theorem|Lemma|Proposition|Corollary|section|chapter) [\d.]+")
FRACTION = re.compile(r"\\[td]?frac(?:\d\d|\{\d+\}\{\d+\}|\{\d+\}\d|\d\{\d+\})")
FREE = (0.0, 0.5, 1.0, 2.0)
DIGITS = re.compile(r"(?<![\w.])\d+(?:(?:\\,|\{,\})\d{3})*(?:\.\d+)?")
NAMED = {
    "half": (2, 0.5),
    "third": (3, 1 / 3),
    "quarter": (4, 0.25),
    "fifth": (5, 0.2),
    "tenth": (10, 0.1),
    "twice": (2,),
    "three": (3,),
    "four": (4,),
    "five": (5,),
    "six": (6,),
    "seven": (7,),
    "eight": (8,),
    "nine": (9,),
    "ten": (10,),
    "twelve": (12,),
    "twenty": (20,),
    "hundred": (100,),
    "thousand": (1000,),
}
COMPARES = re.compile(
    r"\b(more|fewer|less|larger|smaller|greater|faster|slower|better|worse|ahead"
    r"|cheaper|lower|higher|longer|shorter|above|below|closer|never|always|mostly"
    r"|grows?|falls?|increases?|decreases?)\b",
    re.IGNORECASE,
)
SHOWN = re.compile(r"\{\{|\{ref\}|\{cite|\{line\}|\$")


def blocks(text, name):
    """The insides of the directives of a name by their label."""
    shape = rf"^(:{{3,}})\{{{name}\}} (\S+)[^\n]*\n(.*?)^\1$"
    found = re.finditer(shape, text, re.MULTILINE | re.DOTALL)
    return {each[2]: each[3] for each in found}


def cells(solution):
    """The code of a solution, without tags and commands of a notebook."""
    found = CELL.findall(solution)
    return [re.sub(r"^[:%].*$", "", code, flags=re.MULTILINE) for code in found]


def plain(text):
    """Words without cells, links and what the run says."""
    return NUMBERED.sub("", MADE.sub("", LISTING.sub("", text)))


# ---- Numbers


def digits(text):
    return [re.sub(r"\\,|\{,\}", "", each) for each in DIGITS.findall(text)]


def is_constant(node):
    """Whether an expression takes typed numbers and nothing else."""
    if isinstance(node, ast.Call):
        plain = ast.unparse(node.func) in ("np.sqrt", "np.log", "np.exp")
        return plain and all(map(is_constant, node.args))
    kinds = ast.Constant | ast.BinOp | ast.UnaryOp | ast.List | ast.Tuple
    inside = [x for x in ast.iter_child_nodes(node) if isinstance(x, ast.expr)]
    return isinstance(node, kinds) and all(map(is_constant, inside))


def constants(code):
    """The values of the expressions of some code that take typed numbers alone."""
    found = []
    for node in filter(is_constant, ast.walk(ast.parse(code))):
        try:
            of = eval(compile(ast.Expression(node), "", "eval"), {"np": np})
            found += map(float, digits(of) if isinstance(of, str) else np.ravel(of))
        except (ValueError, TypeError):
            continue
    return found


def in_words(text):
    """Names of numbers, as pairs of the word and what it may be."""
    bare = FORMULA.sub(" ", text).lower()
    return [
        (word, of) for word, of in NAMED.items() if re.search(rf"\b{word}s?\b", bare)
    ]


def unshown(exercise, solution):
    """The numbers that a solution says and nothing has."""
    code, said, asked = cells(solution), plain(solution), plain(exercise)
    known = [*FREE, *map(float, digits(exercise))]
    known += map(value, [*numbers(asked), *FRACTION.findall(asked)])
    known += [number for each in code for number in constants(each)]
    known += [number for _, of in in_words(asked) for number in of]
    # A link that is true vouches for its sides, and for the numbers in them.
    sides = [side for left, _, right in links(said) for side in (left, right)]
    known += map(value, [*sides, *FRACTION.findall(" ".join(sides))])
    known += map(float, digits(" ".join(sides)))

    def shown(number, loose=0.0):
        loose += 1e-9 * abs(number)
        return any(abs(abs(number) - abs(other)) <= loose for other in known)

    # Of a size, 100 x 20, each number is one.
    sizes = [size for each in numbers(said) for size in each.split(r"\times")]
    typed = [*sizes, *digits(FORMULA.sub(" ", said))]
    return [each.strip() for each in typed if not shown(value(each), unit(each))] + [
        word for word, of in in_words(said) if not any(map(shown, of))
    ]


# ---- Words


def bare_comparisons(solution):
    """Sentences that compare, of a solution with cells, and show nothing."""
    lines = LISTING.sub("", solution).split("\n") if cells(solution) else []
    told = [each for line in lines for each in re.split(r"(?<=[.?]) ", line)]
    return [
        x for x in told if COMPARES.search(FORMULA.sub("", x)) and not SHOWN.search(x)
    ]


# ---- Assertions

BUILT_IN = """
int float round abs min max sum len range sorted list set tuple any all str zip dict
enumerate isinstance
""".split()
NUMPY = """
allclose isclose array sqrt log exp shape ceil floor log2 log10 arange eye diag abs sum
ones zeros cos sin mean full max min sort array_equal
""".split()
ARITHMETIC = {*BUILT_IN, *(f"np.{name}" for name in NUMPY)}
NO_NAMES = {"np", "True", "False", *BUILT_IN}


def is_computed(node, bound):
    """Whether an expression has more than arithmetic of what the solution typed."""
    own = {
        x.id
        for each in ast.walk(node)
        if isinstance(each, ast.comprehension)
        for x in ast.walk(each.target)
        if isinstance(x, ast.Name)
    }
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and ast.unparse(each.func) not in ARITHMETIC:
            return True
        read = isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
        if read and each.id not in NO_NAMES | own and bound.get(each.id, True):
            return True
    return False


def bind(statement, bound):
    """Enter what a statement binds, or puts into what is bound."""
    plainly = isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr)
    computed = not plainly or is_computed(statement, bound)
    for each in ast.walk(statement):
        put = isinstance(each, ast.Attribute) and each.attr in ("append", "update")
        if put or isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store):
            each = next(x for x in ast.walk(each) if isinstance(x, ast.Name))
            bound[each.id] = bound.get(each.id, False) or computed
        elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            bound[each.id] = computed


def names(expression):
    return {each.id for each in ast.walk(expression) if isinstance(each, ast.Name)}


def typed_twice(solution):
    """The assertions on names of which none is compared with what is computed."""
    bound, typed, computed = {}, [], set()
    for statement in (
        part for code in cells(solution) for part in ast.parse(code).body
    ):
        if not isinstance(statement, ast.Assert):
            bind(statement, bound)
        elif is_computed(statement.test, bound):
            computed |= names(statement.test)
        else:
            typed.append(statement.test)
    return [
        ast.unparse(test)
        for test in typed
        if not {name for name in names(test) if name in bound} <= computed
    ]


# ---- The pages

# The assertion is the definition at these numbers, and no more is to be computed.
BY_DEFINITION = {
    "ex-halve-the-error": "half the bound: 4 to the power -1/2 is 1/2",
    "ex-thirty-columns": "a search over all sizes",
    "ex-woodbury-cost": "the operations of two algorithms, divided",
    "ex-weights-by-hand": "one over twice the probability",
    "ex-worse-entry": "any such points are right, and the form is asked for",
    "ex-constant": "the limit is compared with a million points",
    "ex-how-many-frequencies": "the least number with this chance: one less is too few",
}
SOLUTIONS = [
    pytest.param(
        blocks(text, "exercise").get(label, ""), solution, id=f"{name}:{label}"
    )
    for name in PAGES
    for text in [(BOOK / "md" / f"{name}.md").read_text("utf-8")]
    for label, solution in blocks(text, "solution").items()
]


@pytest.mark.parametrize("exercise, solution", SOLUTIONS)
def test_numbers_of_a_solution_come_from_somewhere(exercise, solution):
    """Say it by an expression, {{ ... }}, or as a formula that ends in the number."""
    assert not unshown(exercise, solution)


@pytest.mark.parametrize("exercise, solution", SOLUTIONS)
def test_a_comparison_in_a_solution_is_shown(exercise, solution):
    """By the run, {{ "more" if a > b else "fewer" }}, by a formula or a link."""
    assert not bare_comparisons(solution)


@pytest.mark.parametrize("exercise, solution", SOLUTIONS)
def test_an_answer_is_compared_with_what_is_computed(exercise, solution, request):
    label = request.node.callspec.id.split(":")[1]
    assert label in BY_DEFINITION or not typed_twice(solution)


CODE = "```{code-cell}\nshare = 0.25\nassert np.isclose(share, K.rank / K.n)\n```\n"
PLANTS = {
    "a power": (unshown, "By $100^2$, with $100^{3/2}$ asserted.\n" + CODE),
    "a digit": (unshown, "The share is 0.26.\n" + CODE),
    "a word": (unshown, "The share is one fifth.\n" + CODE),
    "another fraction": (unshown, "It is $\\frac13$.\n" + CODE),
}
FAIR = {
    "what is asserted": "The share is one quarter, $\\frac14$ or 0.25.\n" + CODE,
    "a formula": "It is $1 / (1 + 10) = \\frac1{11}$, below $x_{17}$.\n" + CODE,
    "the run": "It is {{ 10 * share }}, by {ref}`thm-7`.\n" + CODE,
}


@pytest.mark.parametrize("name", PLANTS)
def test_a_number_from_nowhere_is_seen(name):
    judge, solution = PLANTS[name]
    assert judge("A tenth of ten points?", solution)


@pytest.mark.parametrize("name", FAIR)
def test_a_number_from_somewhere_passes(name):
    assert not unshown("A tenth of ten points?", FAIR[name])


def test_a_bare_comparison_is_seen():
    assert bare_comparisons("It takes fewer columns.\n" + CODE)
    assert not bare_comparisons("It takes {{ 'fewer' if a else 'more' }}.\n" + CODE)
    assert not bare_comparisons("It takes fewer columns, by thought alone.")


TWICE = [
    "n = 100\nsize = 8 * n\nassert size == 800",
    "a, b = 1, np.array([2])\nassert a == 1 and b[0] == 2",
]
ONCE = [
    "size = 800\nassert size == K.nbytes",
    "found = []\nfor k in (1, 2):\n    found.append(K.rank)\nassert found == [1, 1]",
    "found = {}\nfound[1] = K.rank\nassert found[1] == 2",
    "size = K.nbytes\nassert 700 < size\nassert size == 800",
]


@pytest.mark.parametrize("code", TWICE)
def test_an_answer_typed_twice_is_seen(code):
    assert typed_twice("```{code-cell}\n" + code + "\n```")


@pytest.mark.parametrize("code", ONCE)
def test_an_answer_that_is_computed_passes(code):
    assert not typed_twice("```{code-cell}\n" + code + "\n```")
