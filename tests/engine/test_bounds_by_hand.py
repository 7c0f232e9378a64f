"""Every bound of the book, recomputed from its statement on the page.

The functions by hand stand with the tests of their chapter, in ``by_hand_*.py``, and
are found there; here are the numbers that they are tried on.
"""

# l is the letter of the page.
# ruff: noqa: E741

import ast
import importlib.util
from itertools import islice
from math import sqrt
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

import nystheory.chapters
from nystheory.chapters import theorems
from nystheory.engine.language import lines
from nystheory.engine.language.lines import parse
from nystheory.engine.language.quantity import SAMPLE

CHAPTERS = Path(nystheory.chapters.__file__).parent


def loaded(path):
    """The functions by hand of a file, which no other file may import."""
    spec = importlib.util.spec_from_file_location(f"{path.stem}_found", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


FILES = sorted(CHAPTERS.glob("*/tests/by_hand_*.py"))
MODULES = {path: loaded(path) for path in FILES}
BY_HAND = {
    name: by_hand
    for module in MODULES.values()
    for name, by_hand in module.BY_HAND.items()
}

CONDITIONS = {
    name: by_hand
    for module in MODULES.values()
    for name, by_hand in getattr(module, "CONDITIONS", {}).items()
}

# --- Quantities -------------------------------------------------------------------


def quantities(rng):
    """All quantities at once, as of a matrix with random eigenvalues."""
    k, experts = int(rng.integers(2, 12)), int(rng.choice([1, rng.integers(2, 12)]))
    l = k + int(rng.integers(2, 400))
    n = experts * l + int(rng.choice([0, rng.integers(400), rng.integers(4000)]))
    rank_K = int(rng.choice([rng.integers(1, k + 1), rng.integers(l, n + 1)]))
    values = np.sort(rng.uniform(rng.random(), 1, n))[::-1]
    head, tail = values[:k], values[k:]
    error, distance = values * rng.random(n), n * rng.random(k)
    mixed = rng.random(k)
    K_max, alpha = values.mean() * rng.uniform(1, 3), 10 ** rng.uniform(-2, 1)
    d_eff = np.sum(values / (values + alpha))
    coherence = rng.uniform(1, sqrt(n))
    M = rng.uniform(max(rank_K, coherence**2), min(n, rank_K * coherence**2))
    return {
        # Sizes.
        "n": n,
        "l": l,
        "k": k,
        "r": rank_K,
        "rank_K": rank_K,
        "rank_W": int(rng.integers(1, l)),
        "experts": experts,
        # The matrix.
        "K_max": K_max,
        "d_max": sqrt(K_max) * rng.uniform(0, 2),
        "spread": (n - 1) * K_max**2 * rng.random(),
        "trace_of_K": values.sum(),
        "trace_K": values.sum(),
        "norm_F": np.linalg.norm(values),
        "norm_K_F": np.linalg.norm(values),
        "head_F": np.linalg.norm(head),
        "tail_2": tail[0],
        "tail_F": np.linalg.norm(tail),
        "tail_trace": tail.sum(),
        "tail_rank": tail.sum() / tail[0],
        "tail_l": values[l:].sum(),
        "symmetric_ratio": rng.exponential(),
        "next_eigenvalue": tail[0] * rng.random(),
        "fourth_powers": rng.exponential(),
        "squared_diagonal": rng.exponential(),
        "optimal_squared": rng.exponential(),
        "tail_log": np.log(1 + tail / alpha).sum(),
        "tail_root": np.sqrt(tail).sum(),
        "tail_shrunk": np.sum(tail / (tail + alpha)),
        "tail_f": rng.exponential(),
        "slope_f": rng.exponential(),
        "mixed_in": rng.exponential(),
        "cut_sketch_trace": tail.sum() * rng.uniform(1, 3),
        "lambda_k": head[-1],
        "missed_trace": tail.sum() * rng.uniform(1, 3),
        "smallest_eigenvalue": values[-1],
        "lambda_q": tail[0],
        "lambda_last": tail[0] * rng.random(),
        "tail_q": tail.sum(),
        "smallest_kept": values[l - 1] * rng.random(),
        "similarity": rng.random(),
        "d_eff": d_eff,
        "largest_score": rng.uniform(d_eff, n),
        "score_sum": d_eff * rng.uniform(1, 3),
        "inclusion": rng.random(9),
        # The sample.
        "distance_2": distance.max(),
        "distance_F": np.linalg.norm(distance),
        "distance_trace": distance.sum(),
        "distance_ky_fan": distance.max(),
        "tail_ky_fan": tail[0],
        "ensemble_distance_F": n * rng.random(),
        "norm_E": error.max(),
        "gap_2": error.max(),
        "trace_E": error.sum(),
        "approximate_eigenvalues": error.max() * rng.random(),
        "approximate_gap": error.sum() * rng.uniform(1, 5),
        "factor_F": sqrt(values.sum() - error.sum()),
        "sketch_sum": rng.exponential(),
        "G_2": mixed.max(),
        "G_F": np.linalg.norm(mixed),
        "G_gram_F": np.linalg.norm(mixed**2),
        "ky_fan_tail": tail.sum(),
        "ky_fan_G": mixed.sum(),
        "core_values": values[0] * rng.random(),
        "Sigma_C": values[0] * rng.random(),
        "pivots": rng.exponential(size=5),
        "inverse_entries": rng.exponential(),
        # Samples of points, and their components.
        "other_tail": rng.exponential(),
        "change_F": rng.exponential(),
        "covariance_change_F": rng.exponential(),
        "half_gap": rng.exponential(),
        "sample_change_2": rng.exponential(),
        "sample_covariance_change": rng.exponential(),
        "W": np.diag(K_max * rng.random(l)),
        # Experts and their weights.
        "p": experts,
        "weights": rng.dirichlet(np.ones(3)),
        "best_weights": rng.standard_normal(3),
        "expert_errors_F": rng.exponential(size=3),
        "expert_squares": rng.exponential(size=3),
        "expert_errors": rng.exponential(),
        "eta": rng.exponential(),
        "log_partition": rng.standard_normal(),
        "relative_entropy": rng.exponential(),
        "square_V": rng.exponential(),
        "explained": rng.exponential(),
        "ridge": rng.exponential(),
        "solved_squares": rng.exponential(),
        # Coherence.
        "coherence": coherence,
        "basis_free_coherence": M,
        "mu_1": M / sqrt(rank_K),
        "leading_coherence": rng.uniform(1, 3),
        "target_coherence": rng.uniform(1, sqrt(n)),
        "rest_coherence": rng.uniform(1, sqrt(n)),
        "rest_free": rng.uniform(rank_K, n),
        "points_off_zero": (n - l - 1) * rng.random(),
        "size": 2.0 ** rng.integers(2, 61),
        "group_count": 2.0,
        # What is chosen or given.
        "alpha": alpha,
        "noise": rng.exponential(),
        "norm_y": rng.exponential(),
        "risk": rng.exponential(),
        # Two kernel matrices, two graphs, and labels.
        "change_2": rng.exponential(),
        "point_bound": K_max * rng.uniform(1, 3),
        "largest_label": rng.exponential(),
        "label_weight": rng.exponential(),
        "lambda_2": rng.exponential(),
        "other_lambda_2": rng.exponential(),
        "laplacian_change": rng.exponential(),
        "c": rng.uniform(0.5, 2),
        "epsilon": rng.uniform(0, 3),
        "delta": rng.random() ** 3,
        "mu_max": rng.dirichlet(np.full(experts, 5)).max(),
        "accuracy": rng.uniform(0.2, 2),
        "block_size": int(rng.integers(1, 20)),
        "kept_share": rng.random(),
        "ridge_share": rng.uniform(0.3, 1),
        # Support vectors.
        "C_0": rng.exponential(),
        "K_xx": rng.exponential(),
        "outside": rng.exponential(),
        "score_share": rng.uniform(0.3, 1),
        # A gap of the eigenvalues, and what a sample sees of the directions.
        "eigengap": np.linalg.norm(distance) / n * rng.uniform(0.5, 9),
        "norm_K": values[0],
        "error_2": error.max(),
        "moved": rng.exponential(),
        "seen_too_little": rng.standard_normal(),
        "seen_too_much": rng.standard_normal(),
        "different": l,
        "slope": rng.exponential(),
        "variation": rng.random(),
        "decay": 1 + rng.exponential(),
        "decay_constant": rng.exponential(),
        # Random features.
        "m": int(rng.integers(2, 9)),
        "d": int(rng.integers(9, 30)),
        "z": rng.uniform(0.1, 3),
        "P": int(rng.integers(1, 50)),
        "D": 2 * int(rng.integers(1, 50)),
        "sigma": rng.uniform(1, 3),
        "ell": rng.uniform(1, 3),
        "kernel": rng.random(),
        "kernel_at": rng.random(),
        "product_mean": rng.standard_normal(),
        "largest_ratio": rng.exponential(),
        # Sums of sinusoids, and a kernel at twice a difference.
        "kernel_twice": rng.random(),
        "scale": rng.exponential(),
        "u2": rng.integers(1, 9, 3).astype(float),
        "ws": rng.standard_normal(3),
        "wc": rng.standard_normal(3),
        # Rates: exponents, spectra that decay, losses and noise.
        "capacity": rng.uniform(0.05, 0.95),
        "source": rng.uniform(0.05, 1),
        "theta": rng.random(),
        "gamma": rng.random(),
        "beta": rng.exponential(),
        "a": rng.uniform(0, 2),
        "b": rng.uniform(0, 3),
        "pi": np.pi,
        "N": int(rng.integers(1, 50)),
        "j": np.arange(1.0, 6),
        "t": rng.random(5),
        "chance_i": rng.dirichlet(np.ones(5)),
        "loss_f": 2 + rng.random(5),
        "loss_best": rng.random(5),
        "between": rng.random(),
        "v": rng.standard_normal(),
        "y": float(rng.choice([-1, 1])),
        "excess_sq": rng.exponential(),
        "excess_hinge": rng.exponential(),
        "excess_log": rng.exponential(),
        "excess_log2": rng.exponential(),
        "visible_excess": rng.random(),
        # A preconditioner from landmarks, and steps with it.
        "top_score": rng.random(),
        "deviation": rng.random(),
        "kappa": 1 + rng.exponential(),
        "T": int(rng.integers(1, 9)),
        "excess_at_zero": rng.exponential(),
        # A rare direction, and any matrix.
        "s": 1 + rng.exponential(),
        "masses": rng.dirichlet(np.ones(4)),
        "B": rng.standard_normal((4, 2)),
        # Squared distances to landmarks, and between them.
        "landmark_squares": rng.exponential(size=5),
        "core_squares": rng.exponential(size=3),
        # A criterion, an order, and what a first round leaves.
        "mu": rng.exponential(),
        "order": rng.exponential(),
        "squares_ratio": rng.exponential(),
        "first_trace": rng.exponential(),
        "first_squared": rng.exponential(),
        # Ends of criteria, and errors at points that are left out.
        "upper_first": rng.exponential(),
        "lower_rest": rng.exponential(size=4),
        "left_out": rng.standard_normal(7),
        # A mean loss.
        "hinge": rng.random(),
    }


def admissible(theorem, rng, draws=20):
    """Quantities that meet the hypotheses, as far as these speak of quantities."""

    asked = {
        name: theorem.needed(parse(hypothesis.line))
        for name, hypothesis in theorem.hypotheses.items()
    }

    def meets(known):
        return all(
            theorem.meets(name, **{symbol: known[symbol] for symbol in needed})
            for name, needed in asked.items()
            if set(needed) <= set(known)
        )

    found = (quantities(rng) for _ in range(100 * draws))
    return list(islice(filter(meets, found), draws))


def check(id, claim, by_hand):
    """The calculator and the function by hand agree on random quantities."""
    theorem = theorems[id]
    needed = theorem.needed(theorem.bounding(claim))
    drawn = admissible(theorem, np.random.default_rng(len(str(claim))))
    assert len(drawn) == 20
    for known in drawn:
        known = {name: known[name] for name in needed}
        found = theorem.right_side(claim, **known)
        assert found == pytest.approx(by_hand(**known), rel=1e-9, abs=0), known


# --- Tests ------------------------------------------------------------------------


@pytest.mark.parametrize(("id", "claim"), BY_HAND)
def test_the_calculator_gives_the_number_of_the_page(id, claim):
    check(id, claim, BY_HAND[id, claim])


# Functions of matrices: a line with one of them is no formula in numbers.
OF_MATRICES = {
    *("norm_2", "norm_F", "norm_trace", "trace", "diag", "inv", "pinv", "det"),
    *("identity", "below"),
}


NOTHING = MappingProxyType({})


def written_out(tree, where):
    """All nodes of a line, and of those that its names stand for in the theorem."""
    inner = [lines.parse(where[name]) for name in lines.names(tree) if name in where]
    return [*ast.walk(tree), *(n for each in inner for n in written_out(each, where))]


def is_formula(tree, known, where=NOTHING):
    """Whether a bound is computed from numbers, by more than looking one up."""
    nodes = list(ast.walk(tree))
    names = lines.names(tree)
    composed = any(name in known and known[name].line for name in names)
    if not composed and not any(isinstance(n, (ast.BinOp, ast.Call)) for n in nodes):
        return False
    nodes = written_out(tree, where)
    called = {node.func.id for node in nodes if isinstance(node, ast.Call)}
    products = any(isinstance(node, (ast.MatMult, ast.Attribute)) for node in nodes)
    return bool(names) and not products and not called & OF_MATRICES


def formulas(theorem):
    """The claims of a theorem whose right side somebody must write by hand."""
    bounds = {name: theorem.bounding(name) for name in theorem.claims}
    args = theorem.quantities, theorem.where_lines
    return [n for n, tree in bounds.items() if tree and is_formula(tree, *args)]


def test_no_formula_is_left_out():
    wanted = {(t.id, claim) for t in theorems.values() for claim in formulas(t)}
    assert not wanted - set(BY_HAND)


# --- Conditions: how many columns, how rare a failure ---------------------------------


def reached(theorem, trees):
    """The named sub-expressions that some lines use, one through the other."""
    found, todo = set(), [name for tree in trees for name in lines.names(tree)]
    while todo:
        name = todo.pop()
        if name in theorem.where and name not in found:
            found.add(name)
            todo += lines.names(parse(theorem.where[name].line))
    return found


def compared(line, quantities):
    """Sides of comparisons that are formulas with a logarithm, a root or a decimal."""
    nodes = ast.walk(parse(line))
    for node in (node for node in nodes if isinstance(node, ast.Compare)):
        for side in (node.left, *node.comparators):
            rich = any(
                (isinstance(part, ast.Call) and part.func.id in ("log", "sqrt", "exp"))
                or (isinstance(part, ast.Constant) and isinstance(part.value, float))
                for part in ast.walk(side)
            )
            if rich and is_formula(side, quantities):
                yield side


def conditions(theorem):
    """Formulas of a theorem that bounds do not use: those that say when it speaks."""
    trees = (theorem.bounding(name) for name in theorem.claims)
    bounds = [tree for tree in trees if tree is not None]
    out = {
        name: parse(theorem.where[name].line)
        for name in set(theorem.where) - reached(theorem, bounds)
        if is_formula(parse(theorem.where[name].line), theorem.quantities)
    }
    said = {name: each.line for name, each in theorem.hypotheses.items()}
    said |= {name: each.when for name, each in theorem.claims.items() if each.when}
    for name, line in said.items():
        for side in compared(line, theorem.quantities):
            out[name] = side
    return {
        name: tree
        for name, tree in out.items()
        if all(
            theorem.quantities[symbol].when != SAMPLE for symbol in theorem.needed(tree)
        )
    }


def test_no_condition_is_left_out():
    wanted = {(t.id, name) for t in theorems.values() for name in conditions(t)}
    assert set(CONDITIONS) == wanted


@pytest.mark.parametrize(("id", "name"), CONDITIONS)
def test_a_condition_is_that_of_the_page(id, name):
    theorem, rng = theorems[id], np.random.default_rng(len(name))
    tree = conditions(theorem)[name]
    needed = theorem.needed(tree)
    for _ in range(20):
        drawn = quantities(rng)
        known = {symbol: drawn[symbol] for symbol in needed}
        args = theorem.quantities, None, known, theorem.where_lines
        found = lines.Reader(*args).value(tree)
        if not np.isfinite(found.value).all():
            continue
        by_hand = CONDITIONS[id, name](**known)
        assert found.value == pytest.approx(by_hand, rel=1e-6), known


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_formula_stands_in_the_folder_of_its_chapter(path):
    chapter = path.parent.parent.name
    assert {theorems[id].chapter for id, _ in MODULES[path].BY_HAND} == {chapter}


def test_no_formula_stands_in_two_files():
    assert len(BY_HAND) == sum(len(module.BY_HAND) for module in MODULES.values())
