"""A matrix from a few of its columns: what shows its words that compare."""

import numpy as np
from words_shown import found, shown

from nystheory import kernels
from nystheory.chapters.a_few_columns import findings

CHAPTER = "a_few_columns"
READ = found(f"{CHAPTER}:read")


def right(who):
    return READ.measured("right", who, "digits").mean(axis=0)


def hundred_of_known():
    """The number of columns of which the page says what they read."""
    known = round(findings.LEARNED * READ.experiment.data["digits"].size)
    return findings.COUNTS[2] / known


def as_they_differ():
    """The largest step of the kernel, from equal pictures to very different ones."""
    values = kernels.rbf(np.arange(8.0)[:, None], 0.5).dense()[0]
    assert values[0] == 1 and values[-1] < 1e-9
    return np.diff(values).max()


shown(
    CHAPTER,
    {
        "read handwriting with [a tenth] of the columns": hundred_of_known(),
        "which is 1 for equal pictures and [falls] to 0 as they differ": (
            as_they_differ()
        ),
        "so we draw both [ten times]": READ.experiment.draws,
        "what ridge regression on the factor, as above, [loses]": (
            max(right("some") - right("all"))
        ),
    },
)
