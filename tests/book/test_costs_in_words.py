r"""Costs that the prose types are counted, size by size.

The boxes of algorithms have theirs counted in `test_boxes.py`. Here a phrase has its
formulas in brackets, and beside it is what counts the same for sizes that are given:
operations, entries of K, or numbers that are kept. As each letter doubles, the count
grows as the formula does; and but for "a multiple of" and $O(\cdot)$ it is the formula,
up to terms of lower order.
"""

# ruff: noqa: E741

import math
import re

import numpy as np
import pytest
from counted_work import array, gram, symmetric, work
from statements_of_texts import TEXTS
from work_of_boxes import _factor, asked

from nystheory import certificates, features, kernels, lowrank, sampling

BRACKETS = re.compile(r"\[(\$[^\]]*?\$)\]")
MULTIPLE = re.compile(r"multiple of (?:the )?$|^\$O\(")


def product(a, b):
    """What one product costs."""
    return work(np.matmul, a, b)


def weighted(rows, inner, columns):
    """X R X' with a diagonal R."""
    X, Y = array(rows, inner), array(inner, columns)
    return work(lambda X, R, Y: (X * R) @ Y, X, 2.0, Y)


def through(n, l):
    """C'(C p), and back: two products with a vector."""
    return work(lambda C, p: C.T @ (C @ p), array(n, l), array(l))


def drawn(scheme, n, l):
    """What a scheme asks for."""
    return asked(sampling.SCHEMES[scheme], n, l, np.random.default_rng(0))


def as_dear(n, p, l):
    """The most columns of one factor for the work of p."""
    had = p * work(_factor, n, l) * (1 + 1e-9)
    return max(m for m in range(1, p * l + 1) if work(_factor, n, m) <= had)


def features_of(kind, n, d, D):
    """The features of some points, and the map that has made them."""
    X = np.random.default_rng(0).standard_normal((n, d))
    made = features.RandomFourierFeatures(n_components=D, kind=kind, random_state=0)
    return made.fit_transform(X), made


def waves(kind, n, d, D):
    """Operations, waves, numbers that are kept, and entries of a point."""
    Z, made = features_of(kind, n, d, D)
    phases = 0 if made.phases_ is None else made.phases_.size
    of = product(array(n, d), array(*made.frequencies_.T.shape))
    return of, Z.size, made.frequencies_.size + phases, Z.shape[1]


def at_a_point(l, n=50):
    """Entries that a prediction reads, with features and with all points."""
    made = [lowrank.nystrom(kernels.rbf(np.eye(60)[:n]), range(m)) for m in (l, n)]
    return [len(each.landmarks) for each in made]


COSTS = {
    ("adaptive_sampling", "Adapt-Full reads [$n^2$] entries"): (
        lambda n: drawn("adaptive_full", n, 8),
        {"n": 60},
    ),
    ("ensembles", "Both read the same [$n p l$] entries"): (
        lambda n, p, l: asked(lowrank.nystrom, n, range(p * l)),
        {"n": 200, "p": 3, "l": 4},
    ),
    (
        "ensembles",
        r"The experts take [$O(n p\,l^2)$] operations and the single approximation "
        "[$O(n p^2 l^2)$]",
    ): (
        lambda n, p, l: (p * work(_factor, n, l), work(_factor, n, p * l)),
        {"n": 4000, "p": 4, "l": 16},
    ),
    ("ensembles", r"can have [$\sqrt p\, l$] columns"): (
        lambda p, l: as_dear(4000, p, l),
        {"p": 4, "l": 16},
    ),
    ("fixed_sampling", "The diagonal, which costs [$n$] entries"): (
        lambda n: drawn("diagonal", n, 4),
        {"n": 60},
    ),
    ("fixed_sampling", "and they cost [$n^2$] entries"): (
        lambda n: drawn("column_norm", n, 4),
        {"n": 60},
    ),
    ("fixed_sampling", r"The number $\hat T$ costs [$l^2$] entries"): (
        lambda l: asked(certificates.leave_one_out_trace, 60, range(l)),
        {"l": 8},
    ),
    (
        "kernel_matrices",
        "To keep $K$ takes [$8 n^2$] of them, to compute it a multiple of [$n^2$] "
        "operations, to decompose it a multiple of [$n^3$]",
    ): (
        lambda n: (
            array(n, n).nbytes,
            product(array(n, 3), array(3, n)),
            work(np.linalg.eigh, symmetric(n)),
        ),
        {"n": 60},
    ),
    (
        "kernel_matrices",
        "To keep $l$ columns takes [$8 n l$], and the Nyström method, which the next "
        "chapter defines, turns them into a factor of an approximation by a multiple "
        "of [$n l^2$] operations",
    ): (
        lambda n, l: (array(n, l).nbytes, work(_factor, n, l)),
        {"n": 4000, "l": 16},
    ),
    (
        "machines_on_few_columns",
        r"Forming $C^\top C$ takes [$2 n l^2$] operations, and a step of an iterative "
        "solver takes [$4 n l$]",
    ): (
        lambda n, l: (product(array(l, n), array(n, l)), through(n, l)),
        {"n": 400, "l": 50},
    ),
    ("newton_with_few_columns", "The gradient takes [$4 n^2$]"): (
        lambda n: through(n, n),
        {"n": 100},
    ),
    (
        "newton_with_few_columns",
        r"it takes [$2 n^3$] operations, and solving with $\alpha I + T$ another "
        "[$n^3 / 3$]",
    ): (
        lambda n: (weighted(n, n, n), work(np.linalg.cholesky, symmetric(n))),
        {"n": 100},
    ),
    (
        "newton_with_few_columns",
        "they take [$2 n^2 l$] operations instead of [$n^3$]",
    ): (
        lambda n, l: (weighted(n, n, l), work(gram, array(n, n))),
        {"n": 100, "l": 20},
    ),
    (
        "newton_with_few_columns",
        r"Forming $C$ takes [$O(n N l)$] and $C^\top C$ takes [$O(N l^2)$]",
    ): (
        lambda n, N, l: (weighted(N, n, l), product(array(l, N), array(N, l))),
        {"n": 60, "N": 50, "l": 20},
    ),
    ("newton_with_few_columns", "a step costs [$O(n l^2)$]"): (
        lambda n, l: weighted(l, n, l),
        {"n": 100, "l": 20},
    ),
    (
        "pivots_and_volumes",
        "RPCholesky reads about [$n (l + 1)$] entries instead of the [$n^2$]",
    ): (
        lambda n, l: (drawn("rp_cholesky", n, l), drawn("k_dpp", n, l)),
        {"n": 300, "l": 8},
    ),
    ("ridge_and_preconditioning", "each step costs [$2 n^2$] operations"): (
        lambda n: product(array(n, n), array(n)),
        {"n": 60},
    ),
    ("solving_with_few_columns", "applies its inverse in [$4 n l$] operations"): (
        through,
        {"n": 400, "l": 50},
    ),
    (
        "solving_with_few_columns",
        "a prediction reads [$l$] entries of the kernel and not [$n$]",
    ): (lambda l, n: at_a_point(l, n), {"l": 10, "n": 25}),
    (
        "what_to_use",
        "forming the factor take a multiple of [$n l^2$] operations and [$n l$] "
        "numbers of memory",
    ): (
        lambda n, l: (work(_factor, n, l), array(n, l).size),
        {"n": 4000, "l": 16},
    ),
    ("what_to_use", "the diagonal and a multiple of [$n l$] operations"): (
        lambda n, l: work(lambda F: (F**2).sum(axis=1), array(n, l)),
        {"n": 100, "l": 20},
    ),
    (
        "which_random_features",
        "| pairs | [$n d D$], and [$n D$] waves | [$d D / 2$] | [$D$] |",
    ): (lambda n, d, D: waves("pairs", n, d, D), {"n": 20, "d": 3, "D": 10}),
    (
        "which_random_features",
        "| phases | [$2 n d D$], and [$n D$] waves | [$d D + D$] | [$D$] |",
    ): (lambda n, d, D: waves("phases", n, d, D), {"n": 20, "d": 3, "D": 10}),
}
CASES = [
    pytest.param(page, phrase, *counted, id=f"{page}-{k}")
    for k, ((page, phrase), counted) in enumerate(COSTS.items())
]


def formula(typed):
    r"""``$O(n p\,l^2)$`` in Python."""
    words = re.sub(r"^\$(?:O\((.*)\)|(.*))\$$", lambda m: m[1] or m[2], typed)
    words = re.sub(r"\\sqrt (\w)", r"(\1**0.5)", words).replace(r"\,", " ")
    return re.sub(r"(?<=[\w)]) +(?=[\w(])", "*", words.replace("^", "**"))


def faults(phrase, count, sizes):
    """Formulas that are not what is counted, with both."""
    typed = [
        (formula(x[1]), MULTIPLE.search(phrase[: x.start()]) or MULTIPLE.search(x[1]))
        for x in BRACKETS.finditer(phrase)
    ]
    told = []
    some = [sizes, *({**sizes, x: 2 * sizes[x]} for x in sizes)]
    found = [np.atleast_1d(count(**each)) for each in some]
    for k, (line, roughly) in enumerate(typed):
        said = [eval(line, {}, dict(each)) for each in some]
        shares = [counts[k] / each for counts, each in zip(found, said, strict=True)]
        if max(shares) > 1.15 * min(shares):
            told.append((line, "grows otherwise", shares))
        if not roughly and not math.isclose(shares[0], 1, rel_tol=0.1):
            told.append((line, "another number", shares[0]))
    return told


@pytest.mark.parametrize(("page", "phrase", "count", "sizes"), CASES)
def test_a_cost_in_words_is_counted(page, phrase, count, sizes):
    plain = BRACKETS.sub(r"\1", phrase)
    assert " ".join(TEXTS[page].split()).count(plain) == 1, "enter the new words"
    assert faults(phrase, count, sizes) == []


@pytest.mark.parametrize(("page", "phrase", "count", "sizes"), CASES)
def test_another_power_is_seen(page, phrase, count, sizes):
    """The first letter of each formula once more."""
    for typed in BRACKETS.finditer(phrase):
        (letter, *_) = re.findall(r"[a-zA-Z]", formula(typed[1]))
        wrong = f"${letter} ({formula(typed[1])})$".replace("**", "^").replace("*", " ")
        assert faults(phrase.replace(typed[0], f"[{wrong}]", 1), count, sizes)
