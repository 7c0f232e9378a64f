"""What the meaning of a symbol says is what the world makes of it.

A meaning that `meanings.py` can read, "eigenvalue after the q largest", is computed in
NumPy on some instances of the theorems that speak of the symbol.  With a word
exchanged, *largest* for *smallest*, another number comes of it.  `UNREAD` has the other
meanings that speak of an order, of a norm or of a rank: a referee reads them.
"""

import re
from functools import cache

import numpy as np
import pytest
from meanings import Seen, read

from nystheory.chapters import theorems
from nystheory.engine.language import lines
from nystheory.engine.trial.two_routes import spoken_of, used

# k is asked for; what comes may have a lower rank.
CHOSEN = {"k"}
WORDS = re.compile(
    r"eigenvalues?\b|singular values?\b|\b(?:spectral|Frobenius|trace|nuclear|Ky Fan)"
    r" (?:norms?|error|distance)|\b(?:largest|smallest|longest)\b|\b(?:rank|trace) of\b"
)
UNREAD = set(
    """
    Lambda Lambda_S N Sigma_C Sigma_X angle any_farthest_squared c
    column_roots column_values core_roots core_values crossing cut_sketch_2
    cut_sketch_trace decay distance_F distance_ky_fan distance_share
    ensemble_distance_F ensemble_error_F expert_errors_F f_B f_K
    farthest_squared first_trace fixed_squared from_identity greedy_largest
    half_error_F head_seen hinge_change j join_rank kept_share
    landmark_core_inverse landmark_map largest_dual largest_norms
    largest_rank largest_ratio largest_trace least_B least_K least_degree
    least_misfit least_of_basis least_weight locally_largest log_B log_K
    longest lowest lowest_of_all machine_change mixture_2 mixture_F
    mixture_rank mu_1 mu_max nystrom_ridge_change nystrom_values
    optimal_squared other_distance_2 other_distance_F other_free other_tail
    pair_error pair_slope phase_error printed_squared r rank_A
    rank_column_core rank_core rank_double rank_pairs rank_single
    regression_change rest_free ridge_change root_B root_K sample_change_2
    sample_change_F sample_covariance_change seen_part shrunk_B shrunk_K
    sigma sigma_A sketch_2 slope_f smallest smallest_left smallest_rank
    spike_row squares_ratio step_rank symmetric_ratio t trace_after_blocks
    trace_after_pivots turned worst_2 worst_F
    """.split()
)


def speaks(theorem):
    """The quantities of a theorem's lines, with their meanings."""
    known = [theorem.quantities[name] for name in used(theorem, controls=True)]
    return [(each.name, each.meaning) for each in known if each.name not in CHOSEN]


SPOKEN = {}
for theorem in theorems.values():
    for each in speaks(theorem):
        SPOKEN.setdefault(each, []).append(theorem)
READ = [each for each in SPOKEN if read(each[1])]


@cache
def seen(name, meaning):
    """Some instances, with the value of a quantity on each."""
    found = []
    for theorem in SPOKEN[name, meaning]:
        for instance in spoken_of(theorem, np.random.default_rng(0), 24):
            see = Seen(theorem, instance)
            value = see.reader.value(lines.parse(name))
            value = np.asarray(value and value.value, float)
            if np.isfinite(value).all():
                found.append((see, value))
    return found


def apart(meaning, see, value):
    """Whether a meaning gives another value than this."""
    told = np.asarray(read(meaning)(see))
    if value.ndim == told.ndim + 1:
        told = np.diag(told)
    return told.shape != value.shape or not np.allclose(told, value, 1e-6, 1e-6)


@pytest.mark.parametrize(("name", "meaning"), READ)
def test_a_meaning_is_the_value_of_its_symbol(name, meaning):
    tried = [apart(meaning, see, value) for see, value in seen(name, meaning)]
    assert len(tried) > 2
    assert not any(tried)


def test_other_meanings_of_these_words_are_listed():
    told = {name for name, x in SPOKEN if WORDS.search(x) and not read(x)}
    assert told == UNREAD
    assert len(READ) >= 80


EXCHANGED = [
    (r"\blargest\b", "smallest"),
    (r"\bsmallest\b", "largest"),
    (r"\bspectral\b", "Frobenius"),
    (r"\bFrobenius\b", "spectral"),
    (r"^trace (?!of)", "spectral "),
    (r"\bfirst\b", "last"),
    (r"\blast\b", "first"),
    (r"\bsecond smallest", "smallest"),
    (r"eigenvalue after the (\w+) largest", r"the \1-th largest eigenvalue"),
    (r"(?<!\d)(\w+)-th (largest )?eigenvalue", r"eigenvalue after the \1 largest"),
    (r"sum of the eigenvalues after (\w+)", r"eigenvalue after the \1 largest"),
    (r"keeps", "leaves out"),
    (r"leaves out", "keeps"),
    (r"is kept", "is left out"),
    (r"is left out", "is kept"),
    (r"half of the gap", "gap"),
    (r", over n$", ""),
    (r"squared (?=length|Frobenius distance)", ""),
    (r"^n times the (?=largest ridge)", ""),
    (r"fourth powers", "squares"),
]
OTHERS = [
    (name, meaning, other)
    for name, meaning in READ
    for old, new in EXCHANGED
    if (other := re.sub(old, new, meaning, count=1)) != meaning and read(other)
]


@pytest.mark.parametrize(("name", "meaning", "other"), OTHERS)
def test_another_meaning_is_another_value(name, meaning, other):
    assert any(apart(other, see, value) for see, value in seen(name, meaning))


# --- What a setting calls a symbol ----------------------------------------------------

ORDER = re.compile(r"\b(?:largest|smallest|least|second|spectral|Frobenius|[a-z]-th)\b")


def called(symbol, setting):
    """What a setting calls a symbol: "be the second smallest eigenvalues"."""
    others = r"(?:(?: and|,) \$[^$]+\$)?"
    told = rf"{re.escape(f'${symbol}$')}({others},? (?:(?:be|is|are) )?the [^.;$,]*)"
    return re.findall(told, re.sub(r"\$([a-z])\$-th", r"\1-th", setting))


def unlike(theorem):
    """Symbols to which a setting gives another order than their meanings."""
    quantities = [theorem.quantities[name] for name in used(theorem, controls=True)]
    return [
        each.name
        for each in quantities
        for words in called(each.latex, theorem.setting)
        if (here := ORDER.findall(words))
        if (there := ORDER.findall(each.meaning)) and here != there
    ]


@pytest.mark.parametrize("theorem", theorems.values(), ids=lambda t: t.id)
def test_a_setting_gives_a_symbol_the_order_of_its_meaning(theorem):
    assert unlike(theorem) == []


@pytest.mark.parametrize(
    ("id", "old", "new"),
    [
        ("talwalkar2010:prop-5.3", "be the second smallest", "be the largest"),
        ("talwalkar2010:thm-5.3", "be the largest", "be the smallest"),
        ("modern:error-chain", "be the largest angle", "be the smallest angle"),
    ],
)
def test_another_order_in_a_setting_is_seen(id, old, new):
    theorem = theorems[id]
    assert old in theorem.setting
    assert unlike(theorem.but(setting=theorem.setting.replace(old, new)))
