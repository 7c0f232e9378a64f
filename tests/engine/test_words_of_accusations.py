r"""Why a printed form is called wrong, in numbers and matrices.

A matrix in these words, ``\operatorname{diag}(4, 10)``, is one that the counterexample
has; a decimal is computed.  Of settings and words of claims: one letter has one formula
in a chapter, and a word of a norm, of *largest*, *smallest* or *mean* is one of the
line, as such a word in the meaning of a symbol is one of the symbol.
"""

import re
from math import comb, log, sqrt

import numpy as np
import pytest
from scipy.stats import hypergeom

from nystheory.chapters import theorems
from nystheory.engine.language import lines
from nystheory.engine.trial.compare import reader

ACCUSED = {
    (theorem.id, name): (theorem, printed)
    for theorem in theorems.values()
    for name, printed in theorem.printed.items()
}

# --- Decimals -------------------------------------------------------------------------

# A number of a source, and an index, are no numbers of ours.
OWNED = re.compile(
    r"thesis's (?:own )?(?:\w+ )?\(?[\d.]+\)?|\([\d.]+\)|section [\d.]+"
    r"|(?:Theorem|Figure|Definition|Lemma|Corollary|Proposition|figure) [\d.]+"
)
DECIMAL = re.compile(r"\d+\.\d+")


def measured(id, name, line):
    """The value of a line on the counterexample."""
    theorem, printed = ACCUSED[id, name]
    found = reader(theorem, printed.instance).value(lines.parse(line)).value
    return float(np.asarray(found))


def clusters_missed(one, other, columns):
    """The probability that a uniform sample misses one of two clusters."""
    missed = comb(one, columns) + comb(other, columns)
    return missed / comb(one + other, columns)


def bound_of_one(factor):
    """That of 50 experts, all weight on one, on clusters of 5000 and 5001 points."""
    n, seen, nats = 10001, 50 * 200, 140.64
    q = (n - seen) / ((n - 1 / 2) * (1 - 1 / (2 * max(seen, n - seen))))
    return 2 * n / sqrt(200) * (1 + factor * sqrt(50 * q * nats) * sqrt(2))


BORDERED = [[1, 0, 0], [0, 0, 0.9], [0, 0.9, 0.81]]
PRINTED = "sqrt(64 * k) * distance_F ** 2 * n * K_max"
SQUARE = "(error_F / tail_F) ** 2"
# The decimals of an accusation, in their order; None is given and not computed.
DECIMALS = {
    ("talwalkar2010:eq-5.8", "the distance squared"): lambda *of: [
        1e4 * measured(*of, PRINTED)
    ],
    ("talwalkar2010:thm-5.2-spectral", "route fails"): lambda *of: [
        None,
        -hypergeom.logsf(513_725, 2 * 10**6, 10**6, 10**6) - log(2),
    ],
    ("talwalkar2010:thm-5.3", "equal weights"): lambda *of: [260 / sqrt(65), 65 / 2],
    ("talwalkar2010:thm-5.3", "one expert"): lambda *of: [60 / sqrt(10)],
    ("talwalkar2010:thm-5.3", "a larger chance"): lambda *of: [
        1e5 * clusters_missed(825, 875, 17),
        2 * 1700 / sqrt(17),
    ],
    ("talwalkar2010:thm-5.3", "fewer columns"): lambda *of: [
        None,
        bound_of_one(1),
        bound_of_one(sqrt(2)),
    ],
    ("talwalkar2010:thm-5.3", "one expert, Frobenius"): lambda *of: [
        (128 / 200) ** (1 / 4) * 4000
    ],
    ("talwalkar2010:thm-5.3", "equal weights, Frobenius"): lambda *of: [
        8193 / sqrt(2),
        (128 / 8193) ** (1 / 4) * 2 * 8193,
    ],
    ("talwalkar2010:thm-5.5", "any k"): lambda *of: [2 * 2 * log(3 / (1 / 2))],
    ("talwalkar2010:prop-5.2-proof", "bordered"): lambda *of: [
        -np.linalg.eigvalsh(BORDERED)[0]
    ],
    ("dellavecchia2024:prop-34", "the constant without its exponent"): lambda *of: [
        measured(*of, "gamma / (1 - capacity) * alpha ** (-capacity)")
    ],
    ("ding2019:volume-sampling-nystrom", "volume step"): lambda *of: [
        measured(*of, SQUARE)
    ],
}


def decimals(why):
    """The decimals of an accusation as they are written, without those of sources."""
    return DECIMAL.findall(OWNED.sub("", why))


def wrong(key, why):
    """Decimals of an accusation that are not what they are computed to be."""
    told = decimals(why)
    values = DECIMALS[key](*key) if key in DECIMALS else []
    if len(told) != len(values):
        return told
    return [
        each
        for each, value in zip(told, values, strict=True)
        if value is not None and f"{value:.{len(each.partition('.')[2])}f}" != each
    ]


@pytest.mark.parametrize("key", ACCUSED, ids=", ".join)
def test_a_decimal_of_an_accusation_is_computed(key):
    """Enter it in DECIMALS with what it is."""
    assert wrong(key, ACCUSED[key][1].why) == []


def test_another_decimal_is_seen():
    key = ("talwalkar2010:thm-5.5", "any k")
    assert wrong(key, ACCUSED[key][1].why.replace("7.2", "5.2")) == ["5.2"]


# --- Matrices -------------------------------------------------------------------------

DIAGONAL = re.compile(r"\\operatorname\{diag\}\(([-\d., ]+)\)")
ENTRIES = re.compile(r"\\begin\{pmatrix\}([-\d.&\\\s]*)\\end\{pmatrix\}")
# What an accusation may speak of beside the quantities that its lines name.
USUAL = (
    *("K", "C", "W", "K_21", "K_22", "approximation", "X", "X_S", "other"),
    *("C.T @ C", "C @ C.T", "K - approximation", "pinv(W)"),
)
# Matrices of another instance than the counterexample, or in another unit.
ELSEWHERE = {
    ("talwalkar2010:eq-2.13", "no transpose"): "the block of which half is printed",
    ("talwalkar2010:thm-2.2-optimum", "neither is optimal"): "a further example",
    ("talwalkar2010:eq-5.8", "the distance squared"): "a hundred times that",
}


def written(why):
    """The matrices of an accusation in their order."""
    rows = [[x.split(",")] for x in DIAGONAL.findall(why)]
    found = [np.diag(np.array(each[0], float)) for each in rows]
    for each in ENTRIES.findall(why):
        found.append(np.array([x.split("&") for x in each.split(r"\\")], float))
    return found


def had(theorem, printed):
    """The matrices of a counterexample."""
    told = [printed.line, *(c.line for c in theorem.claims.values())]
    names = {n for line in told for n in lines.names(lines.parse(line))}
    reading = reader(theorem, printed.instance)
    for line in {*USUAL, *names & {*theorem.quantities}}:
        try:
            value = reading.value(lines.parse(line)).value
            yield np.atleast_2d(np.asarray(value, float))
        except (ValueError, AttributeError, KeyError, TypeError):
            continue  # this world has it not


def unheard(theorem, printed, why):
    """Matrices of an accusation that its counterexample has not."""
    some = written(why)
    there = [*had(theorem, printed)] if some else []
    return [
        each.tolist()
        for each in some
        if not any(x.shape == each.shape and np.allclose(x, each) for x in there)
    ]


@pytest.mark.parametrize("key", ACCUSED, ids=", ".join)
def test_a_matrix_of_an_accusation_is_one_of_its_counterexample(key):
    theorem, printed = ACCUSED[key]
    assert bool(unheard(theorem, printed, printed.why)) == (key in ELSEWHERE)


def test_another_matrix_is_seen():
    theorem, printed = ACCUSED[
        "talwalkar2010:thm-2.2-form", "leading directions for every k"
    ]
    why = printed.why.replace("(4, 10)", "(4, 5)")
    assert unheard(theorem, printed, why) == [[[4, 0], [0, 5]]]
