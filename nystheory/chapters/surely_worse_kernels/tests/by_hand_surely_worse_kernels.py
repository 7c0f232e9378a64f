"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

import numpy as np

BY_HAND = {
    ("modern:surely-the-same-kernel", "enough"): lambda lower_rest: np.sort(lower_rest)[
        0
    ],
    ("modern:surely-the-same-kernel", "loss"): lambda upper_first, lower_rest: np.max(
        upper_first - np.asarray(lower_rest)
    ),
    ("modern:leave-one-out-enclosure", "mean, below"): lambda left_out, n: (
        float(np.dot(left_out, left_out)) / n
    ),
}
