"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

from math import exp

import numpy as np

BY_HAND = {
    ("talwalkar2010:eq-4.1", "Frobenius"): lambda weights, expert_errors_F: (
        weights @ expert_errors_F
    ),
    ("talwalkar2010:eq-4.1", "sum of ranks"): lambda k, p: k * p,
    ("talwalkar2010:exponential-weights", "definition"): lambda eta, expert_errors: (
        exp(-eta * expert_errors) / sum([exp(-eta * expert_errors)])
    ),
    ("talwalkar2010:exponential-weights", "minimum"): lambda eta, log_partition: (
        -log_partition / eta
    ),
    ("talwalkar2010:exponential-weights", "bound"): lambda eta, log_partition: (
        -log_partition / eta
    ),
    ("talwalkar2010:exponential-weights", "loss"): (
        lambda eta, log_partition, relative_entropy: (
            (relative_entropy - log_partition) / eta
        )
    ),
    ("talwalkar2010:eq-4.2", "bound"): lambda explained, square_V: square_V - explained,
    ("talwalkar2010:eq-4.2", "minimum"): lambda explained, square_V: (
        square_V - explained
    ),
    ("talwalkar2010:eq-4.2", "only"): (
        lambda best_weights, explained, ridge, square_V, weights: (
            square_V - explained + ridge * np.sum((weights - best_weights) ** 2)
        )
    ),
    ("talwalkar2010:eq-4.2", "best expert"): lambda expert_squares: min(expert_squares),
    ("talwalkar2010:eq-4.2", "exact experts"): lambda p, ridge, square_V: (
        p * square_V / (p * square_V + ridge)
    ),
}
