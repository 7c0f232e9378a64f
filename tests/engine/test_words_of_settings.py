r"""Words and letters beside the lines: of settings, hypotheses, claims, and symbols.

One letter has one formula in a chapter.  A word of a norm, and *largest*, *smallest*
and *mean*, is one of the line that it stands above, or of the symbol whose meaning it
is part of.  A hypothesis has the relations and the directions of its line.
"""

import re
from collections import defaultdict
from dataclasses import replace

import pytest

from nystheory.chapters import theorems
from nystheory.engine.language import claims, lines
from nystheory.engine.language.stated import as_line

# --- One letter, one formula ----------------------------------------------------------

GIVEN = re.compile(r"\$([^$=<>]*?)=([^$=]*)\$")
LAYOUT = re.compile(r"\s|\\,|\\[bB]ig[lr]|\\(?:text|display)style")
# Letters with more than one formula in a chapter, and how many: of U and V, of a rank
# below that of the sample, of two methods.
FORMS = {
    ("projection_or_reconstruction", r"\rho"): 2,
    ("projection_or_reconstruction", "P_C"): 2,
    ("projection_or_reconstruction", "R"): 2,
    ("projection_or_reconstruction", "P"): 2,
    ("adaptive_sampling", "E"): 2,
    ("pivots_and_volumes", "E"): 2,
    ("coherence", "M"): 2,
    ("coherence", "K"): 2,
    ("sketches_and_limits", r"\tildeK"): 2,
    ("sketches_and_limits", "E"): 2,
    ("certificates_afterwards", "E"): 2,
    ("solving_with_few_columns", r"\tildeK"): 2,
    ("stability_of_learners", "h(x)"): 3,
    ("stability_of_learners", "h'(x)"): 3,
    ("manifolds", "H"): 2,
    ("manifolds", "Y"): 2,
    ("two_kinds_of_features", "E"): 2,
    ("which_random_features", "g"): 2,
    ("random_subspaces", r"\Sigma"): 2,
    ("fast_and_slow_rates", "a"): 3,
    ("fast_and_slow_rates", r"\sigma_j"): 4,
    ("machines_on_few_columns", "g_t"): 2,
    ("choosing_the_kernel", "K"): 2,
    ("choosing_the_kernel", r"\tildeK"): 2,
    ("choosing_the_kernel", "E"): 2,
    ("surely_worse_kernels", "C(K)"): 2,
}


# The words that boxes have beside their displays, with their chapters.
WORDED = [
    (theorem.chapter, words)
    for theorem in theorems.values()
    for words in (
        theorem.setting,
        *(each.says for each in theorem.hypotheses.values()),
        *(each.says for each in theorem.claims.values()),
    )
]


def forms(worded):
    """The formulas that words give a letter, by chapter and letter."""
    found = defaultdict(set)
    for chapter, words in worded:
        for letter, formula in GIVEN.findall(words):
            one, other = (LAYOUT.sub("", x) for x in (letter, formula))
            if not re.fullmatch(r"-?[\d.]+", other):
                found[chapter, one].add(other)
    return found


def several(worded):
    """Letters with more than one formula, and how many these are."""
    return {key: len(some) for key, some in forms(worded).items() if len(some) > 1}


def test_a_letter_has_one_formula_in_a_chapter():
    assert several(WORDED) == FORMS
    assert len(FORMS) < len(forms(WORDED)) / 9


def test_another_formula_is_seen():
    planted = ("coherence", r"Let $M = \frac nr \max_i \|V_{i,:}\|^2$.")
    assert several([*WORDED, planted])["coherence", "M"] == 3


# --- Norms, largest, smallest, mean ---------------------------------------------------

KINDS = {
    "Frobenius": r"Frobenius|_F\b|_\\?F|\bF\b",
    "spectral": r"spectral|_2\b|norm_|_K\b|singular|eigenvalue",
    "trace": r"trace|\btr\b|_\*|operatorname\{tr\}",
    "largest": r"largest|max|sup|norm|_2\b|sigma_1|lambda_1|\bcoherence|top|worst|_E\b",
    "smallest": r"smallest|least|fewest|min\b|min\(|inf|lambda_|sigma_|optim|best",
    "mean": r"mean|\bE\b|mathbb E|average|/ ?n\b|expect",
}
# Claims whose words have another word of these, and why.
BESIDE = {
    ("talwalkar2010:eq-4.1", "mean"): "lists the norms that are tried",
    ("modern:k-dpp-expectation", "bound"): "the error is that of the trace",
    ("modern:preconditioner", "constant"): "speaks of the bound on the mean",
    ("yang2012:rate", "spread tail"): "says of which instance",
    ("yang2012:rate", "fixed tail"): "says of which instance",
}


def of_line(theorem, name):
    """What a line is made of: names, symbols, meanings, and the hypotheses'."""
    claim = theorem.claims[name]
    told = [name, theorem.title, claim.line, claim.when or ""]
    told += [*theorem.where_lines.values(), str(claim.law)]
    told += [h.line for h in theorem.hypotheses.values()]
    for each in {x for line in told[2:] for x in re.findall(r"[A-Za-z_]\w*", line)}:
        if each in theorem.quantities:
            quantity = theorem.quantities[each]
            told += [quantity.latex, quantity.meaning]
    return " ".join(told)


def strange(theorem, name):
    """Words of a claim that its line has not."""
    here = of_line(theorem, name)
    return [
        word
        for word, pattern in KINDS.items()
        if re.search(rf"\b{word}\b", theorem.claims[name].says, re.I)
        and not re.search(pattern, here)
    ]


CLAIMS = [(t.id, name) for t in theorems.values() for name, c in t.claims.items()]


def test_a_norm_in_the_words_of_a_claim_is_one_of_its_line():
    told = {key for key in CLAIMS if strange(theorems[key[0]], key[1])}
    assert told == set(BESIDE)


# --- Symbols --------------------------------------------------------------------------

UP, DOWN = r"\blargest\b|\blongest\b|\bmost\b", r"\bsmallest\b|\bleast\b|\bfewest\b"
ENDS = {
    UP: r"\\max|\\sup|_\{\\max|largest|longest|^max_",
    DOWN: r"\\min|\\inf(?!ty)|smallest|least|lowest|fewest|^min_",
}
NORMS = {
    r"Frobenius": (r"_F|_f\b|hilbert", r"_2\b|\|_\*"),
    r"spectral (?:norm|error)": (r"_2|norm_", r"_F\b|\|_\*"),
    r"trace (?:norm|error)": (r"_\*|trace|\\operatorname\{tr\}", r"\|_F|\|_2"),
}
TURNED = {"decay_constant": "the least constant is a largest number"}


def wrong(name, latex, meaning):
    """What of a meaning is not that of the symbol and of the name."""
    shown = f"{name} {latex}"
    told = []
    for one, other in ((UP, DOWN), (DOWN, UP)):
        if re.search(ENDS[one], shown) and not re.search(ENDS[other], shown):
            if re.search(other, meaning) and not re.search(one, meaning):
                told.append(one)
    for norm, (has, other) in NORMS.items():
        if re.search(norm, meaning) and not re.search(has, shown):
            if re.search(other, shown):
                told.append(norm)
    return told


def test_a_meaning_has_the_end_and_the_norm_of_its_symbol():
    told = {q.name for _, q in theorems.quantities if wrong(q.name, q.latex, q.meaning)}
    assert told == set(TURNED)


def test_another_end_is_seen():
    seen = total = 0
    for _, q in theorems.quantities:
        for old, new in (("largest", "smallest"), ("smallest", "largest")):
            if re.search(rf"\b{old}\b", q.meaning) and not wrong(q.name, q.latex, ""):
                total += 1
                turned = re.sub(rf"\b{old}\b", new, q.meaning)
                seen += bool(wrong(q.name, q.latex, turned))
    assert seen > 0.5 * total > 20, (seen, total)


# --- Hypotheses -----------------------------------------------------------------------

BOUND = re.compile(
    r"(-?[\d.]+) *(\\[lg]eq?(?![a-z])|[<>]=?)|(\\[lg]eq?(?![a-z])|[<>]=?) *(-?[\d.]+)"
)
TURNS = {"increase": "decrease", "decrease": "increase"}


def ends(text):
    """The numbers of a text that something is above or below of, with which."""
    found = set()
    for before, first, second, after in BOUND.findall(text):
        relation, number = (first, before) if before else (second, after)
        above = relation.startswith(("\\g", ">")) != bool(before)
        found.add(("above" if above else "below", float(number)))
    return found


def unlike(theorem, hypothesis):
    """Bounds and directions of words that the line has not."""
    names = set(lines.names(lines.parse(hypothesis.line))) & {*theorem.quantities}
    meant = " ".join(
        f"{theorem.quantities[x].latex} {theorem.quantities[x].meaning}" for x in names
    )
    told = ends(hypothesis.says) - ends(hypothesis.line) - ends(meant)
    for word, opposite in TURNS.items():
        if word in hypothesis.says and opposite in meant and word not in meant:
            told.add(word)
    return told


HYPOTHESES = [
    (theorem, each)
    for theorem in theorems.values()
    for each in theorem.hypotheses.values()
    if each.says
]


def test_a_hypothesis_has_the_bounds_of_its_line():
    """The blocks of the worst case have a size of their own."""
    told = {theorem.id for theorem, each in HYPOTHESES if unlike(theorem, each)}
    assert told == {"modern:lower-bound"}


@pytest.mark.parametrize(
    ("id", "name", "old", "new"),
    [
        ("modern:stability", "largest volume", "increase", "decrease"),
    ],
)
def test_another_direction_is_seen(id, name, old, new):
    theorem = theorems[id]
    each = theorem.hypotheses[name]
    assert unlike(theorem, replace(each, says=each.says.replace(old, new)))


def test_another_bound_is_seen():
    """Each relation to a number turned round."""
    some = [(t, h) for t, h in HYPOTHESES if ends(h.says) and not unlike(t, h)]
    turned = [
        unlike(t, replace(h, says=h.says.replace(r"\ge ", r"\le "))) for t, h in some
        if r"\ge " in h.says
    ]
    assert len(turned) > 10 and all(turned)


# One of several where the line asks for each of them.
SOME = re.compile(r"\b(?:one|some|any|each? one|either) of\b|\beither\b|\bor else\b")
EACH = re.compile(r"\b(?:both|all|each|every)\b")


def too_few(hypothesis):
    """Whether words ask for one of what a line without `or` asks of all."""
    return bool(SOME.search(hypothesis.says)) and " or " not in hypothesis.line


def test_a_hypothesis_asks_for_all_that_its_line_asks_for():
    assert [each.says for _, each in HYPOTHESES if too_few(each)] == []


def test_one_of_several_is_seen():
    some = [each for _, each in HYPOTHESES if EACH.search(each.says)]
    less = [replace(x, says=EACH.sub("one of", x.says, count=1)) for x in some]
    assert sum(map(too_few, less)) == len(less) > 8


# --- What a control lacks -------------------------------------------------------------

ORDER = re.compile(r"\$([^$]*\\(?:preceq|succeq)[^$]*)\$")
SEMIDEFINITE = re.compile(r"semidefinite|inner products|K = X\^\\top X")


def of_box(theorem):
    """The words of a box beside its displays."""
    told = [theorem.setting, *(each.says for each in theorem.hypotheses.values())]
    return " ".join([*told, *(each.says for each in theorem.claims.values())])


def unasked(theorem):
    """What controls lack in words, and no word of the box asks for."""
    words, told = of_box(theorem), set()
    for control in theorem.controls.values():
        lacks = control.lacks
        if as_line(lacks):  # a line is a hypothesis or a condition, or an error
            continue
        for order in ORDER.findall(lacks):
            sign = re.fullmatch(r"0 \\preceq [^\\]+|[^\\]+ \\succeq 0", order)
            if LAYOUT.sub("", order) not in LAYOUT.sub("", words):
                if not (sign and SEMIDEFINITE.search(words)):
                    told.add(lacks)
        if "semidefinite" in lacks and not SEMIDEFINITE.search(words):
            told.add(lacks)
    return told


def test_what_a_control_lacks_is_asked_for():
    told = {theorem.id: unasked(theorem) for theorem in theorems.values()}
    assert {id: some for id, some in told.items() if some} == {}


def test_an_order_that_is_turned_is_seen():
    """In the setting, where a control lacks it."""
    seen = []
    for theorem in theorems.values():
        lacks = " ".join(each.lacks for each in theorem.controls.values())
        for order in ORDER.findall(lacks):
            turned = " \\preceq ".join(reversed(order.split(" \\preceq ")))
            changed = theorem.setting.replace(order, turned)
            if changed != theorem.setting:
                seen.append(bool(unasked(theorem.but(setting=changed))))
    assert all(seen) and len(seen) > 2, seen


# --- Whose law it is ------------------------------------------------------------------

# A law, or the first of two, and a word that tells it from others.
LAWS = {
    "gaussian": r"Gaussian|standard normal",
    "plane": r"Gaussian",
    **dict.fromkeys(("signs", "last_signs"), r"\\mathbb E\\, \\omega|same law"),
    "signs_and_axes": r"different laws|unlike",
    **dict.fromkeys(("pivoted", "pivoted_blocks"), r"pivot"),
    "pivoted_squared": r"square",
    **dict.fromkeys(("determinantal", "dpp"), r"\\det|determinant"),
    **dict.fromkeys(("column_volume", "volume_first"), r"\\det|determinant|volume"),
    **dict.fromkeys(("uniform", "uniform_hits", "by_masses"), r"uniform|drawn as"),
    "by_leverage": r"leverage",
    **dict.fromkeys(("weighted", "weighted_counts", "by_scores"), r"probabilit"),
    "orthogonal": r"orthogonal",
    "second_moment": r"\\mathbb E\\, y y",
    "labels": r"labels",
    "grids": r"bin|shift|pitch",
    "phased_counts": r"phase",
    "four_phases": r"phase",
    **dict.fromkeys(("frequency_counts", "wave_counts", "pair_counts"), r"frequenc"),
    "random_directions": r"uniform|random",
}


def goes_on(claim):
    """Whether what was said before holds here, too."""
    return not claim.says or claim.says.startswith(("and ", "so that "))


def other_law(theorem):
    """Claims of whose law neither the words above them nor the setting speak."""
    told, words = [], ""
    for name, claim in theorem.claims.items():
        words = f"{words} {claim.says}" if goes_on(claim) else claim.says
        law = str(claim.law).partition(" ")[0]
        if not re.search(LAWS.get(law, ""), f"{words} {theorem.setting}"):
            told.append((theorem.id, name))
    return told


def test_words_tell_the_law():
    assert [each for x in theorems.values() for each in other_law(x)] == []


def test_another_law_is_seen():
    """Where the word stands once, above the claim or in the setting, it is gone."""
    seen = []
    for theorem in theorems.values():
        for name, claim in theorem.claims.items():
            law = str(claim.law).partition(" ")[0]
            if law in LAWS:
                bare = replace(claim, says=re.sub(LAWS[law], "any", claim.says))
                setting = re.sub(LAWS[law], "any", theorem.setting)
                changed = theorem.but(setting=setting, claims={name: bare}, controls={})
                seen.append(bool(other_law(changed)))
    assert all(seen) and len(seen) > 60, len(seen)


# --- Where something vanishes ---------------------------------------------------------

VANISHES = re.compile(r" == 0\b(?!\.)")
NOTHING = re.compile(
    r"orthogonal|origin|vanish|lost|not see|not reach|nothing|missing|misses"
    r"|Missing|approximation \$0\$",
)
# Claims whose words leave the condition to the formula below them.
LEFT_OUT = {
    ("talwalkar2010:eq-2.2", "choice"),
    ("modern:ridge-risk-core", "attained"),
    ("modern:rare-frequency", "error"),
    ("talwalkar2010:prop-5.1", "approached"),
    ("modern:evidence-enclosure", "value attained, above"),
}
WITH_A_ZERO = {
    (theorem.id, name): claim
    for theorem in theorems.values()
    for name, claim in theorem.claims.items()
    if claim.says and VANISHES.search(claim.when or "")
}


def test_words_say_what_vanishes():
    """A claim where something is zero: points are orthogonal, not copies."""
    told = {key for key, each in WITH_A_ZERO.items() if not NOTHING.search(each.says)}
    assert told == LEFT_OUT
    assert len(told) < len(WITH_A_ZERO) / 3


def test_points_that_are_copies_are_seen():
    says = WITH_A_ZERO["modern:resolvent", "attained"].says
    assert not NOTHING.search(says.replace("orthogonal to", "copies of"))


# --- Why a bound is loose -------------------------------------------------------------

# What each reason says of the line; where its words change, somebody reads the proof.
REASONS = {
    claims.SUMS: r"chance\(|mean\(|delta",
    claims.EXCHANGES: r"delta|exp\(",
    claims.MARKOV: r"\* delta|/ delta",
    claims.PRINTED_FORM: r"\d",
    "it holds for every size, with one constant": r"\b3 \*",
    "it adds the chances of two events, and what was tried has one of them only": (
        r"<= 2 \* delta"
    ),
    "the constants are those of the published bound": r"2 \* exp\(2\)",
    "Hoeffding's inequality behind it serves every number between -2 and 2, and a wave "
    "with a phase is seldom near the ends": r"2 \* exp\(-D \* epsilon\*\*2 / 8\)",
    "a union over a net and Hoeffding's inequality are far from the law of one largest "
    "error": r"exp\(-D \* epsilon \*\* 2",
    "it is approached by many frequencies of one length on a large domain": r"slope",
    "two bounds one after the other, for the volume and for the second round, each of "
    "which needs other matrices to be close": r"k \* \(k \+ 1\) / s",
    "other matrices, whose first columns miss directions that differ, come close": (
        r"k / s \* first_trace"
    ),
    "the distance of the sample from the matrix enters twice, and the two are not "
    "large on one matrix": r"2 / sqrt\(l\)",
}


def test_a_reason_for_a_loose_bound_is_that_of_its_line():
    told = [
        (theorem.id, name, why)
        for theorem in theorems.values()
        for name, why in theorem.loose.items()
        if not re.search(
            REASONS.get(why, "none"),
            f"{theorem.claims[name].line} {theorem.claims[name].when or ''}",
        )
    ]
    assert told == []
