"""What is not here: what shows words that could be exchanged."""

import re

import numpy as np
from sides_shown import sides, text_of

from nystheory import kernels, sampling, theorems

PAGE = "what_is_not_here"
OPEN = {id for id in theorems if theorems[id].status == "to-confirm"}


def marked(word):
    """As many results as have the mark, which are those of the list."""
    (listed,) = re.findall(r"marked \*to confirm\*: (.*?)\. ", text_of(PAGE))
    assert set(re.findall(r"\{ref\}`([^`]+)`", listed)) == OPEN
    return len(OPEN) == {"Three": 3, "Four": 4, "Five": 5}[word]


def rank(word):
    """With which rank the scheme chooses as it does by default."""
    K = kernels.rbf(np.linspace(0, 3, 24)[:, None], 1.0)
    y = np.sin(np.linspace(0, 9, 24))
    share = {"half": 2, "a third": 3}[word]
    own, given = (
        sampling.update_probability_criterion(K, range(6), y, *rest)
        for rest in ((), (6 // share,))
    )
    return np.allclose(own, given)


sides(
    PAGE,
    {
        "[Four|Three|Five] of these are marked *to confirm*:": marked,
        "and its rank is [half|a third] of the number of columns so far": rank,
    },
)
