"""What is said of all kernel matrices is so of all: proved, and measured."""

import numpy as np
import pytest

from nystheory import exact
from nystheory.chapters import theorems
from nystheory.engine.language.lines import Reader, names, parse
from nystheory.engine.promises import possible
from nystheory.engine.worlds import suite
from nystheory.engine.worlds.instances import Instance

# Chosen by hand, with nothing in the matrix behind them.
BY_HAND = {"experts", "mu_max"}
PROVED = [line for line in possible.ALWAYS if not BY_HAND & {*names(parse(line))}]


def instances():
    rng = np.random.default_rng(5)
    for case in suite.integer_instances(rng, 40):
        if case.norm_K == 0 or case.l == 0 or case.l > case.n:
            continue
        p = rng.integers(1, 9, case.n).astype(float)
        rank = max(1, min(case.k, case.rank_K))
        chosen = {"alpha": 0.5, "probabilities": p / p.sum()}
        yield Instance(case.K, case.landmarks, rank, **chosen)


CASES = list(instances())


def names_are_in(theorem, line):
    """Whether a theorem speaks of the columns of one matrix, and of all of a line."""
    known = issubclass(theorem.world, Instance)
    return known and all(name in theorem.quantities for name in names(parse(line)))


@pytest.mark.parametrize("line", PROVED)
def test_a_line_is_so_of_every_matrix(line):
    """No case refutes it, and most are decided: at an equality rounding hides it."""
    found = []
    for case in CASES:
        world = next(t.world for t in theorems.values() if names_are_in(t, line))
        reader = Reader(world.quantities, world.of(case))
        left, right = map(reader.value, possible._sides(parse(line)))
        slack = left.error + right.error if np.isfinite(left.error) else 1e-9
        if left.unknown or right.unknown:
            continue
        found.append(float(left.value) - float(right.value) <= slack + 1e-12)
        assert found[-1], (line, case, left, right)
    assert len(found) >= len(CASES) // 2 > 5


@pytest.mark.parametrize("line", PROVED)
def test_it_is_proved_where_a_route_is_exact(line):
    for case in CASES[:8]:
        try:
            proof = exact.prove(line, exact.Case.of(**case.in_fractions()))
        except KeyError:
            continue
        assert proof.holds is not False, (line, case)


def test_every_number_is_a_quantity():
    assert possible.SCALARS <= {quantity.name for _, quantity in theorems.quantities}


def test_a_line_that_is_false_of_some_matrix_is_seen():
    """The control: the test above would see it."""
    with pytest.raises(AssertionError):
        test_a_line_is_so_of_every_matrix("d_eff <= 1")
