"""Words and symbols of a theorem say what its lines say.

A verification reads lines and instances. What stands beside them, a symbol, a word of
the setting, a number, is compared with the lines here; each check shows what it sees.
"""

import csv
import re
from dataclasses import replace
from math import comb
from pathlib import Path

import numpy as np
import pytest

from nystheory import exact
from nystheory.chapters import theorems
from nystheory.engine import Instance
from nystheory.engine.language import lines
from nystheory.engine.language.lines import Reader
from nystheory.engine.trial import search, verification
from nystheory.engine.trial.compare import applies, reader
from nystheory.engine.worlds import suite

every_theorem = pytest.mark.parametrize(
    "theorem", theorems.values(), ids=lambda t: t.id
)


def with_claim(theorem, name, **fields):
    """A copy with fields of a claim exchanged."""
    changed = replace(theorem.claims[name], **fields)
    return theorem.but(claims={**theorem.claims, name: changed})


# --- Symbols --------------------------------------------------------------------------

# Names that share a symbol in a box, and why nobody can be misled.
ONE_SYMBOL = {
    frozenset({"best", "some_best"}): "one matrix, but for a tie",
    frozenset({"r", "group_count"}): "as many groups of equal rows as columns",
    frozenset({"n", "size"}): "the size of K, or the size that is spoken of",
}


def shared(theorem):
    """Symbols of one box that two quantities have."""
    told = [c.line for c in theorem.claims.values()] + [*theorem.where_lines.values()]
    told += [each.when for each in theorem.claims.values() if each.when]
    told += [each.line for each in theorem.hypotheses.values() if not each.says]
    found = {}
    for name in {n for line in told for n in lines.names(lines.parse(line))}:
        if name in theorem.quantities:
            symbol = re.sub(r"\{(\w)\}|\s", r"\1", theorem.quantities[name].latex)
            found.setdefault(symbol, set()).add(name)
    return [each for each in map(frozenset, found.values()) if len(each) > 1]


@every_theorem
def test_in_a_box_a_symbol_is_one_quantity(theorem):
    assert [each for each in shared(theorem) if each not in ONE_SYMBOL] == []


def test_a_shared_symbol_is_seen(monkeypatch):
    known = theorems["talwalkar2010:def-2.1"].quantities
    wrong = replace(known["sigma_next"], latex=r"\sigma_{k}")
    monkeypatch.setitem(known, "sigma_next", wrong)
    assert {"sigma_last", "sigma_next"} in shared(theorems["talwalkar2010:def-2.1"])


# Quantities that stand in no line, and what they are for.
SPARE = {
    **dict.fromkeys(("V", "free", "factors"), "given, and used by other quantities"),
    **dict.fromkeys(("accepted_square_next", "accepted_root_next"), "one of a family"),
    "error_max": "a norm that the mutants exchange",
    **dict.fromkeys(("machine_optimum", "other_machine_optimum"), "a proof's"),
    **dict.fromkeys(("regression_optimum", "other_regression_optimum"), "a proof's"),
    **dict.fromkeys(("root_with_x", "other_root_with_x"), "a proof's"),
    **dict.fromkeys(("iterates", "visited", "column_chances"), "a proof's"),
}


def in_no_line(statements):
    """The quantities that no line of some theorems speaks of."""
    told = set()
    for theorem in statements:
        told |= set(theorem.where_lines.values())
        for each in (*theorem.claims.values(), *theorem.printed.values()):
            told |= {each.line, getattr(each, "when", "") or "0"}
            told |= set(getattr(each, "support", None) or ())
        told |= {each.line for each in theorem.hypotheses.values()}
        told |= {theorem.changed(each).line for each in theorem.controls.values()}
    spoken = {name for line in told for name in lines.names(lines.parse(line))}
    return {quantity.name for _, quantity in theorems.quantities} - spoken


def test_every_quantity_stands_in_a_line():
    """One that does no more was part of a condition that somebody dropped."""
    assert in_no_line(theorems.values()) == set(SPARE)


def test_a_dropped_condition_is_seen():
    theorem = theorems["talwalkar2010:def-2.1"]
    others = [each for each in theorems.values() if each is not theorem]
    dropped = with_claim(theorem, "definition", when="")
    assert in_no_line([*others, dropped]) == {*SPARE, "sigma_last"}


def table():
    """The symbols and their meaning as they were read; `symbols` makes it anew."""
    path = Path(__file__).with_name("symbols.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return [tuple(row) for row in csv.reader(file)]


def test_symbols_and_meanings_are_those_that_were_read():
    """Who changes one reads the boxes where it stands, and makes the table anew."""
    assert theorems.symbols == table(), "python -m nystheory symbols makes it anew"


# --- Conditions in words --------------------------------------------------------------

CONDITION = re.compile(r"^(?:If|Where|Whenever|Unless|Provided)\b")


def conditions(theorem):
    """Claims whose words state a condition that neither `when` nor a law states."""
    return [
        name
        for name, claim in theorem.claims.items()
        if CONDITION.search(claim.says) and not claim.when and not claim.law
    ]


@every_theorem
def test_a_condition_stands_in_the_language_of_lines(theorem):
    assert conditions(theorem) == []


def test_a_condition_in_words_is_seen():
    theorem = theorems["talwalkar2010:def-2.1"]
    words = r"If $\sigma_k > \sigma_{k+1}$,"
    assert conditions(with_claim(theorem, "definition", says=words, when=""))


# --- Numbers in words -----------------------------------------------------------------

DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])")


def loose_numbers(theorem):
    """Decimals of title, setting and words that stand in no line."""
    words = [theorem.title, theorem.setting]
    words += [each.says for each in theorem.hypotheses.values()]
    words += [each.says for each in theorem.claims.values()]
    # A number of the source has an owner.
    words = [re.sub(r"thesis's (?:\w+ )?\(?[\d.]+\)?", "", each) for each in words]
    told = [each.line for each in (*theorem.hypotheses.values(),)]
    told += [f"{each.line} {each.when}" for each in theorem.claims.values()]
    told += theorem.where_lines.values()
    return set(DECIMAL.findall(" ".join(words))) - set(DECIMAL.findall(" ".join(told)))


@every_theorem
def test_a_decimal_in_words_stands_in_a_line(theorem):
    assert loose_numbers(theorem) == set()


def test_another_decimal_is_seen():
    theorem = theorems["talwalkar2010:thm-5.4"]
    words = theorem.claims["printed rows"].says.replace("18.5", "8.5")
    assert loose_numbers(with_claim(theorem, "printed rows", says=words)) == {"8.5"}


# An integer of two digits or more, in words and in lines.
LARGE = re.compile(r"(?<![\w.])(?<!_\{)\d{2,}(?!\w)(?!\.\d)")
# What a claim says and its own line does not, and why.
EXCUSED = {
    ("talwalkar2010:rem-rank", "rank 64", "1024"): "the size, which `fewest` has",
    ("modern:error-chain", "45 degrees", "45"): "its sine, the root of 1/2, has none",
    ("modern:nystrom-plus-plus", "decay", "32"): "the largest l of its control",
    ("modern:geometry", "farthest, attained", "10"): "a length of its instances",
    ("modern:geometry", "volume, reached", "10"): "to the power 6 in its instances",
    ("modern:k-dpp-expectation", "reached", "10"): "to the power 6 in its instances",
}


def _numbers(words):
    """The integers of two digits and more, without what has another owner."""
    words = re.sub(r"thesis's (?:\w+ )?\(?[\d.]+\)?", "", words)
    return LARGE.findall(re.sub(r"(\d)(?:,|\\,|\{,\})(\d{3})", r"\1\2", words))


def loose_integers(theorem):
    """Integers in the words of a claim that its line has not, and of the setting."""
    where = " ".join(theorem.where_lines.values())
    told = {n: f"{c.line} {c.when} {where}" for n, c in theorem.claims.items()}
    loose = {
        (theorem.id, name, each)
        for name, claim in theorem.claims.items()
        for each in set(_numbers(claim.says)) - set(_numbers(told[name]))
    }
    all_lines = [*told.values(), *(h.line for h in theorem.hypotheses.values())]
    given = [theorem.title, theorem.setting]
    given += [h.says for h in theorem.hypotheses.values()]
    left = set(_numbers(" ".join(given))) - set(_numbers(" ".join(all_lines)))
    return loose | {(theorem.id, "setting", each) for each in left}


@every_theorem
def test_an_integer_in_words_stands_in_the_line_of_its_claim(theorem):
    assert loose_integers(theorem) - set(EXCUSED) == set()


def test_no_excuse_is_left_over():
    assert set().union(*map(loose_integers, theorems.values())) == set(EXCUSED)


@pytest.mark.parametrize(
    ("name", "is_right", "is_wrong"),
    [("rank 64", "$64$", "$46$"), ("rank 100", "$100$", "$1000$")],
)
def test_another_integer_is_seen(name, is_right, is_wrong):
    theorem = theorems["talwalkar2010:rem-rank"]
    words = theorem.claims[name].says.replace(is_right, is_wrong)
    seen = loose_integers(with_claim(theorem, name, says=words))
    assert (theorem.id, name, is_wrong.strip("$")) in seen
    setting = f"{theorem.setting} Let $n$ be at least $4096$."
    assert (theorem.id, "setting", "4096") in loose_integers(
        theorem.but(setting=setting)
    )


# --- Values in words ------------------------------------------------------------------

GIVEN = re.compile(r"\$([^$<>]+) = (-?\d[\d.]*)\s*\$")
_AXIS = Instance.exactly([0], 1, matrix=[[2, 0], [0, 0]])
_PAIR = Instance.exactly([0, 2], 1, matrix=[[2, 1, 0], [1, 2, 1], [0, 1, 2]])
_NONE = Instance.exactly([], 1, matrix=[[2, 1], [1, 2]], alpha=1)
_ONE = Instance.exactly([0], 1, matrix=[[3, 1], [1, 2]])
# "Let this be that": a line, and an instance where it is as large as the words say.
VALUES = {
    ("thm-5.2-spectral", r"\alpha_\sharp"): ("alpha_sharp", {"n": 5, "l": 5}),
    ("thm-5.2-frobenius", r"\alpha_\sharp"): ("alpha_sharp", {"n": 5, "l": 5}),
    ("thm-5.3", r"\alpha_\sharp"): ("alpha_sharp", {"n": 5, "l": 5}),
    ("leave-one-out-columns", r"\tilde K_0"): ("trace_K - trace_with_fewer", _ONE),
    ("alg-4.3", "p"): ("full_shares", _AXIS),
    ("alg-4.4", "e_j"): ("on_R * row_errors", _PAIR),
    ("alg-4.4", "u_j"): ("on_R * uniform_rest", _PAIR),
    ("dpp-expectation", r"\tilde K"): ("full_approximation", _NONE),
    ("selection-matrix", "S_{s_j j}"): ("max(S)", _PAIR),
}
# A case that the claim speaks of, not a value that the words give.
CASES = {
    ("eq-4.2", r"\lambda"): "the claim `solutions` has no ridge",
    ("rem-rank", "n"): "in the claim `fewest`",
    ("nystrom-plus-plus", "l"): "the smallest l of what was measured",
}


def given_values(theorem):
    """Symbols that words give a value that the line of the claim does not have."""
    words = [(theorem.setting, "")]
    words += [(each.says, each.line) for each in theorem.hypotheses.values()]
    words += [(each.says, each.line) for each in theorem.claims.values()]
    return {
        (theorem.id.partition(":")[2], symbol): number
        for said, line in words
        for symbol, number in GIVEN.findall(said)
        if number not in re.findall(r"[\d.]+", line)
    }


@every_theorem
def test_a_symbol_has_the_value_that_the_words_say(theorem):
    for key, number in given_values(theorem).items():
        if key not in CASES:
            assert key in VALUES, f"enter {key} = {number} with a line that says it"
            line, on = VALUES[key]
            on = (on, {}) if isinstance(on, Instance) else (None, on)
            found = Reader(theorem.quantities, *on).value(lines.parse(line)).value
            assert np.allclose(np.asarray(found, float), float(number)), key


def test_no_value_is_left_over():
    told = set().union(*(given_values(each) for each in theorems.values()))
    assert told == {*VALUES, *CASES}


def test_another_value_is_seen():
    theorem = theorems["talwalkar2010:thm-5.3"]
    setting = theorem.setting.replace(r"\alpha_\sharp = 0", r"\alpha_\sharp = 1")
    with pytest.raises(AssertionError, match="alpha_"):
        test_a_symbol_has_the_value_that_the_words_say(theorem.but(setting=setting))


# --- With or without replacement ------------------------------------------------------

APART, AGAIN = "distinct columns", "independent columns"
DRAWS = {
    **dict.fromkeys(("uniform", "in_turn", "uniform_hits"), APART),
    **dict.fromkeys(("with_replacement", "replaced_counts"), AGAIN),
    **dict.fromkeys(("weighted", "weighted_hits"), AGAIN),
}
TOLD = {
    APART: r"without\s+replacement|\bdistinct (?:columns|landmarks|rows)",
    AGAIN: r"\bwith replacement|(?<=drawn )uniformly and independently"
    r"|columns\s+independently",
}


def told_of(words):
    """The kinds of draws that some words name."""
    return {kind for kind, pattern in TOLD.items() if re.search(pattern, words, re.I)}


def other_draws(theorem):
    """Claims whose columns are drawn otherwise than their words say, or the setting."""
    given, told = told_of(theorem.setting), []
    now = given
    for name, claim in theorem.claims.items():
        if claim.says:  # a claim without words goes on with those before
            now = told_of(claim.says) or given
        if claim.law in DRAWS and now != {DRAWS[claim.law]}:
            told.append(name)
    return told


@every_theorem
def test_columns_are_drawn_as_the_words_say(theorem):
    assert other_draws(theorem) == []


def test_another_draw_is_seen():
    theorem = theorems["talwalkar2010:thm-5.4"]
    setting = re.sub(r"without\s+replacement", "with replacement", theorem.setting)
    assert other_draws(theorem.but(setting=setting)) == ["chance", "rows"]
    assert other_draws(theorem.but(setting="")) == ["chance", "rows"]


# --- Controls are near ----------------------------------------------------------------

# A number of a control is at most this factor from that of the claim.
FARTHEST = 10
FAR = {
    ("talwalkar2010:eq-5.8", "an eighth"): "a factor 64 under a root, 8 outside",
}
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
# What is compared with 0 has a sign, and no size.
SIGN = re.compile(r"([<>]=?|==) *0(?! *\*|[.\d])")


# A side that is turned over.
NEGATIVE = re.compile(r"[<>]=? *- *\d[\d.]* *\*")


def farness(change):
    """By which factor the numbers of a line change, infinite for a 0 put in."""
    far = 1.0
    for old, new in change.items():
        if SIGN.search(old):  # a number in the place of 0
            continue
        if NEGATIVE.search(new) and not NEGATIVE.search(old):
            return float("inf")
        before, after = NUMBER.findall(old), NUMBER.findall(SIGN.sub("", new))
        for each in [*before]:
            if each in after:
                before.remove(each)
                after.remove(each)
        # A factor that was not there, or is there no more, is compared with 1.
        length = max(len(before), len(after))
        pairs = zip(
            sorted([*map(float, before)] + [1.0] * (length - len(before))),
            sorted([*map(float, after)] + [1.0] * (length - len(after))),
            strict=True,
        )
        for a, b in pairs:
            far = max(far, b / a if a else 1.0, a / b if b else float("inf"))
    return far


@every_theorem
def test_a_control_is_near_its_claim(theorem):
    told = {n: farness(c.change) for n, c in theorem.controls.items()}
    far = {n for n, factor in told.items() if factor > FARTHEST}
    assert {n for n in far if (theorem.id, n) not in FAR} == set()


def test_no_reason_is_left_over():
    for id, name in FAR:
        assert farness(theorems[id].controls[name].change) > FARTHEST


@pytest.mark.parametrize(
    ("change", "far"),
    [
        ({"18.5": "0"}, float("inf")),
        ({"best ==": "0 * best =="}, float("inf")),
        ({"18.5": "9"}, 18.5 / 9),
        ({"- some_best": "- 0.25 * some_best"}, 4),
        ({"64 * k": "k"}, 64),
        ({"norm_F": "norm_2"}, 1),
    ],
)
def test_a_far_control_is_seen(change, far):
    assert farness(change) == pytest.approx(far)


# --- Reasons --------------------------------------------------------------------------


def spoken_of(theorem, name):
    """The theorem's own instances of which a claim speaks, and those of the suite."""
    own, stress = search.instances_of(theorem, verification.generator(theorem))
    claim = theorem.claims[name]
    return tuple(
        [each for each in some if applies(claim, reader(theorem, each))]
        for some in (own, stress)
    )


def is_a_number(theorem, name):
    """No instance changes what the line compares."""
    return not theorem.needed(theorem.claims[name].tree)


def is_one_instance(theorem, name):
    own, stress = spoken_of(theorem, name)
    return len(own) == 1 and not stress


def is_one_for_each_size(theorem, name):
    """Another size each, sizes 2 to 9, and nothing else in the suite."""
    own, stress = spoken_of(theorem, name)
    return [i.n for i in own] == [*range(2, 10)] and not stress


def is_one_for_each_number(theorem, name):
    """One matrix for each number of columns from 1 to 4, whatever is drawn of it."""
    own, stress = spoken_of(theorem, name)
    seen = {(int(i.l), i.K.tobytes()) for i in own}
    return sorted(count for count, _ in seen) == [1, 2, 3, 4] and not stress


def are_diagonal(theorem, name):
    """Matrices with no entries but those on the diagonal."""
    own, stress = spoken_of(theorem, name)
    every = [i.K for i in (*own, *stress)]
    return all(not (K - np.diag(K.diagonal())).any() for K in every)


def is_one_for_each_count(theorem, name):
    """One instance for each number of landmarks, and nothing else in the suite."""
    own, stress = spoken_of(theorem, name)
    counts = [i.l for i in own]
    return len(counts) == len({*counts}) > 4 and not stress


def are_pairs(theorem, name):
    """Two points and one direction that is missed, and nothing else in the suite."""
    own, stress = spoken_of(theorem, name)
    ranks = {np.linalg.matrix_rank(i.full.error) for i in own}
    return {i.n for i in own} == {2} and ranks == {1} and not stress


def undecided_alone(quantity, most):
    """Whether a claim is undecided just where a quantity has too many choices."""

    def check(theorem, name):
        own, stress = spoken_of(theorem, name)
        for each in own + stress:
            known = theorem.quantities[quantity].fast(each) is not None
            if known != most(each):
                return False
        return True

    return check


def is_mostly_decided_exactly(theorem, name):
    """Of the integer instances that meet the hypotheses, without rounding."""
    rng, found_to_hold, tried = verification.generator(theorem), 0, 0
    for instance in suite.integer_instances(rng, 30):
        found = search.ready(theorem, instance, rng)
        if found is None:
            continue
        case = exact.Case.of(**found.in_fractions())
        line = theorem.claims[name].line
        proof = exact.prove(line, case, theorem.where_lines)
        tried += 1
        found_to_hold += bool(proof.holds) and proof.by == "exact"
    return found_to_hold > tried / 2 > 50


def is_undecided_at_ties(theorem, name):
    """Where clusters tie at the cut, two samples of one kind have two errors."""
    tied = Instance.exactly([0, 1], 1, points=[[1, 0, 0], [0, 1, 1]], delta="1/2")
    apart = Instance.exactly([0, 1], 1, points=[[2, 0, 0], [0, 1, 1]], delta="1/2")
    said = theorem.claims[name].line
    line = lines.parse("error_2" if "error_2" in said else "error_F")
    tied, apart = (reader(theorem, each).value(line) for each in (tied, apart))
    return not np.isfinite(tied.error) and np.isfinite(apart.error)


REASONS = {
    ("talwalkar2010:thm-2.2-optimum", "equality"): is_mostly_decided_exactly,
    **{
        ("modern:geometry", name): undecided_alone(
            "optimal_squared", lambda i: comb(i.n, i.l) <= 200
        )
        for name in ("farthest", "from the longest")
    },
    ("modern:geometry", "farthest, attained"): is_one_for_each_count,
    ("modern:geometry", "volume, reached"): is_one_for_each_count,
    ("modern:k-dpp-expectation", "reached"): is_one_for_each_count,
    **{
        ("modern:block-rpcholesky", name): undecided_alone(
            "block_mean", lambda i: i.n <= 6
        )
        for name in ("one block", "one pivot")
    },
    ("talwalkar2010:thm-5.2-spectral", "constant diagonal"): is_undecided_at_ties,
    ("talwalkar2010:thm-5.2-frobenius", "constant diagonal"): is_undecided_at_ties,
    ("talwalkar2010:thm-5.4", "exponents"): is_a_number,
    ("talwalkar2010:rem-rank", "rank 64"): is_a_number,
    ("talwalkar2010:rem-rank", "rank 100"): is_a_number,
    ("talwalkar2010:rem-rank", "fewest"): is_one_instance,
    ("modern:error-chain", "identity"): is_one_for_each_size,
    ("modern:gp-inducing", "mean, attained"): are_pairs,
    ("ding2019:volume-sampling", "reached"): is_one_for_each_number,
    ("ding2019:optimal-rank-k", "blind"): are_diagonal,
    ("ding2019:optimal-rank-k", "seen"): are_diagonal,
}


def test_every_reason_for_few_cases_is_backed():
    """A claim that says why few cases are enough has a check of it here."""
    told = {
        (theorem.id, name)
        for theorem in theorems.values()
        for name, claim in theorem.claims.items()
        if claim.reason
    }
    assert told == set(REASONS)


@pytest.mark.parametrize(("id", "name"), REASONS)
def test_a_reason_for_few_cases_is_true(id, name):
    assert REASONS[id, name](theorems[id], name)


def test_a_reason_that_no_count_backs_is_seen():
    """Two points are many matrices, whatever is said of them."""
    theorem = with_claim(theorems["modern:error-chain"], "order", when="n == 2")
    assert not is_one_instance(theorem, "order")
    assert not is_one_for_each_size(theorem, "order")
    assert not is_one_for_each_count(theorem, "order")
    assert not is_a_number(theorem, "order")


# --- Status and weight ----------------------------------------------------------------

# By the heaviest of the printed forms.
STATUS = {
    "false statement": "refuted",
    "missing hypothesis": "corrected",
    "misprint": "misprint",
    "gap in the proof": "holds",
}
# What is printed beside the statement is wrong, and the statement is not.
BESIDE = {
    "talwalkar2010:thm-2.1": "only the size of R is misprinted",
    "talwalkar2010:eq-4.2": "only a sentence on K_V is misprinted",
}
# What is false in one reading of a word of the source, and holds in another setting.
CONDITIONAL = {
    "yang2012:prop-1": "false if the norm is that of section 2",
    "dellavecchia2024:prop-34": "its formula is lost; that of its source is known",
    "dellavecchia2024:low-noise": "its formulas are lost; the two must be equivalent",
}
# Objects that are themselves a printed proof: there a gap is all there is to say.
PROOFS = {
    "talwalkar2010:prop-5.2-proof",
    "ding2019:volume-sampling-nystrom",
    "ding2019:thm-1",
}


def wanted(theorem):
    """The status that the printed forms of a theorem say; empty where there is none."""
    weights = {printed.weight for printed in theorem.printed.values()}
    if theorem.id in BESIDE and weights == {"misprint"}:
        return "holds"
    if theorem.id in CONDITIONAL and weights <= {
        "false statement",
        "missing hypothesis",
    }:
        return "conditional"
    if theorem.id in PROOFS and weights == {"gap in the proof"}:
        return "gap"
    return next((status for weight, status in STATUS.items() if weight in weights), "")


def disagree(theorem):
    """Whether the status and what is printed say two things."""
    if theorem.printed:
        return theorem.status != wanted(theorem)
    if theorem.kind == "experiment":  # of what was printed nothing is called wrong
        return theorem.status not in ("holds", "not-reproduced")
    plain = ("holds", "new", "remark", "to-confirm", "unspecified", "reconstructed")
    return theorem.status not in plain


@every_theorem
def test_the_status_is_that_of_the_printed_forms(theorem):
    assert not disagree(theorem), (theorem.status, wanted(theorem))


def test_another_status_or_weight_is_seen():
    assert disagree(theorems["talwalkar2010:thm-5.3"].but(status="holds"))
    assert disagree(theorems["talwalkar2010:eq-2.3"].but(status="refuted"))
    theorem = theorems["talwalkar2010:def-2.1"]
    ((name, printed),) = theorem.printed.items()
    lighter = {name: replace(printed, weight="misprint")}
    assert disagree(theorem.but(printed=lighter))
    assert all(theorems[id].printed for id in (*BESIDE, *PROOFS))
    assert disagree(theorems["talwalkar2010:prop-5.2-proof"].but(status="holds"))
    assert disagree(theorems["talwalkar2010:lem-5.1"].but(status="gap"))


# --- As printed -----------------------------------------------------------------------

# Bold type, sizes, spaces and braces of a formula.
LAYOUT = re.compile(
    r"\\(?:mathbf|boldsymbol|text|operatorname|quad|[Bb]ig[lr]?)(?![a-z])"
    r"|\\(?:left|right)(?!arrow)|\\[\\,]|[\s{}$&*]"
)
# What a form says that is not letter by letter what was printed.
MENDED = re.compile(r"\((?:in the book's letters|the text at hand lacks)\b.*\)$")


def sources():
    """What was printed, in the letters of the sources: `printed.csv`."""
    path = Path(__file__).with_name("printed.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return {(id, name): words for id, name, words, _ in csv.reader(file)}


def printed_lines():
    """The line that stands for what was printed, written down once more."""
    path = Path(__file__).with_name("printed.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return {(id, name): line for id, name, _, line in csv.reader(file)}


@every_theorem
def test_the_line_of_a_printed_form_is_that_which_was_compared(theorem):
    """Who changes one reads the quotation beside it, and changes the table too."""
    known = printed_lines()
    for name, printed in theorem.printed.items():
        if (theorem.id, name) in known:
            assert printed.line == known[theorem.id, name], name


def flat(words):
    """Words and formulas without their layout."""
    words = re.sub(r"\\(le|ge|ne)q(?![a-z])", r"\\\1", words)
    return LAYOUT.sub("", words.replace(r"\widehat", r"\hat"))


def not_printed(theorem, words):
    """The printed forms that are no quotations, and do not say so."""
    return [
        name
        for name, printed in theorem.printed.items()
        if not MENDED.search(printed.says)
        for part in printed.says.split("…")
        if not part.strip() or flat(part) not in flat(words[theorem.id, name])
    ]


@every_theorem
def test_as_printed_is_a_quotation_or_in_the_letters_of_the_book(theorem):
    """Who changes one reads the source, and changes the table too."""
    assert not_printed(theorem, sources()) == []


def test_no_quotation_is_left_over():
    quoted = {
        (theorem.id, name)
        for theorem in theorems.values()
        for name, printed in theorem.printed.items()
        if not MENDED.search(printed.says)
    }
    assert set(sources()) == quoted


def test_other_letters_a_gloss_or_no_words_are_seen():
    theorem = theorems["talwalkar2010:thm-5.7"]
    ((name, printed),) = theorem.printed.items()
    others = (printed.says.replace("K", "W"), f"{printed.says}, for any maps", "")
    for says in others:
        changed = theorem.but(printed={name: replace(printed, says=says)})
        assert not_printed(changed, sources()) == [name], says
    told = f"{printed.says.replace('K', 'W')} (in the book's letters: $W$ for $K$)"
    told = theorem.but(printed={name: replace(printed, says=told)})
    assert not_printed(told, sources()) == []


@every_theorem
def test_a_slip_beside_a_right_solution_is_a_misprint(theorem):
    beside = [p for p in theorem.printed.values() if "solution is right" in p.why]
    assert {printed.weight for printed in beside} <= {"misprint"}


def weighed_twice(every):
    """The names of printed forms that have more than one weight."""
    found = {}
    for theorem in every:
        for name, printed in theorem.printed.items():
            found.setdefault(name, set()).add(printed.weight)
    return [name for name, weights in found.items() if len(weights) > 1]


def test_slips_of_one_name_have_one_weight():
    assert weighed_twice(theorems.values()) == []


def test_a_second_weight_is_seen():
    theorem = theorems["talwalkar2010:alg-4.3"]
    other = replace(theorem.printed["every round"], weight="misprint")
    changed = theorem.but(printed={**theorem.printed, "every round": other})
    assert weighed_twice([*theorems.values(), changed]) == ["every round"]


def test_a_gap_leaves_the_statement():
    """A step of a proof that is wrong refutes no theorem and corrects none."""
    for theorem in theorems.values():
        if {p.weight for p in theorem.printed.values()} == {"gap in the proof"}:
            assert theorem.status in ("holds", "gap"), theorem.id


def test_what_is_not_printed_is_a_remark():
    """What the step (3.14) leads to, and what one centring does to Column-sampling."""
    for id in ("talwalkar2010:eq-3.16", "talwalkar2010:isomap-centering"):
        assert (theorems[id].status, theorems[id].printed) == ("remark", {})
