"""A name in the prose has what the page gave it, not what a solution made of it since.

A solution is folded, and who binds `count` there changes each later `{{ count }}`.
"""

import ast
import re
from pathlib import Path

import pytest

MD = Path(__file__).resolve().parents[2] / "book" / "md"
SOLUTION = re.compile(r":::+\{solution\} (\S+)")
CLOSED = re.compile(r":::+\s*$")
FENCE = re.compile(r"```+(\{code-cell\})?\s*$")
HEAD = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
EXPRESSION = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
SCOPES = ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def bound(node):
    """The names that a cell binds, without those of a comprehension."""
    if isinstance(node, SCOPES):
        return set()
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    own = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    names = {node.id} if own else set()
    return names.union(*map(bound, ast.iter_child_nodes(node)))


def loaded(inside):
    """The names of an expression, which stands between the braces of an f-string."""
    tree = ast.walk(ast.parse(f"f'''{{{inside.strip(' {')}}}'''", mode="eval"))
    names = [node for node in tree if isinstance(node, ast.Name)]
    here = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return {node.id for node in names} - here


def spoilt(text):
    """Where the prose has a name of the page that a solution above it has rebound."""
    solution, last, ever, found = None, {}, set(), []
    lines = iter(enumerate(text.split("\n"), start=1))
    for number, line in lines:
        if opened := SOLUTION.match(line):
            solution = opened[1]
        elif CLOSED.match(line):
            solution = None
        said, fence = line, FENCE.match(line)
        if fence and fence[1]:
            cell = []
            for _, inner in lines:
                if FENCE.match(inner):
                    break
                cell.append(inner)
            source = "\n".join(cell)
            said = (HEAD.match(source) or [""])[0]
            kept = [x for x in HEAD.sub("", source).split("\n") if x[:1] != ":"]
            names = bound(ast.parse("\n".join(kept)))
            last.update(dict.fromkeys(names, solution))
            ever |= names if solution is None else set()
        for inside in EXPRESSION.findall(said):
            for name in sorted(loaded(inside) & ever):
                if last[name] not in (None, solution):
                    found.append((number, name, last[name]))
    return found


@pytest.mark.parametrize("page", sorted(path.stem for path in MD.glob("*.md")))
def test_no_solution_speaks_in_the_prose(page):
    assert not spoilt((MD / f"{page}.md").read_text())


PLANT = """
```{code-cell}
count = 3
```

{{ count }} of them.

:::{solution} ex-more

```{code-cell}
count = 10**6
```

Here {{ count }} is meant.
:::

With {{ count:d }} of them.
"""


def test_a_solution_that_speaks_is_seen():
    (place,) = spoilt(PLANT)
    assert place[1:] == ("count", "ex-more")
    assert not spoilt(PLANT.replace("count = 10**6", "tries = 10**6"))
    assert not spoilt(PLANT.replace("count = 10**6", "[count for count in range(3)]"))
