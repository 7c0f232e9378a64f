"""Numbers that only the spectrum of K decides: tails, symmetric ratios, dimensions."""

from __future__ import annotations

import math

import numpy as np
import scipy.linalg

from nystheory import sampling
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import quantity


def spectrum(i: Instance) -> np.ndarray:
    """Eigenvalues of K, largest first, as squares: none is negative by rounding."""
    return scipy.linalg.svdvals(i.points) ** 2


def log_symmetric(i: Instance, degree: int) -> np.ndarray:
    """Logarithms of ``e_0, ..., e_degree`` of the eigenvalues, (degree + 1,).

    Minus infinity above the rank.  Nothing underflows, so the size of K and of its
    entries does not matter.

    Examples
    --------
    >>> case = Instance(np.diag([1.0, 2.0, 3.0]), [0], 1)
    >>> np.exp(log_symmetric(case, 3)).round(9).tolist()
    [1.0, 6.0, 11.0, 6.0]
    """
    values = spectrum(i)
    return sampling.log_elementary(values[values > 0], degree)[-1]


def ratio_of_symmetric(i: Instance) -> float:
    """``e_{l+1} / e_l`` of the eigenvalues, through logarithms."""
    logs = log_symmetric(i, i.l + 1)
    return math.exp(logs[-1] - logs[-2])


symmetric_ratio = quantity(
    "symmetric_ratio",
    r"\frac{e_{l+1}(\lambda)}{e_l(\lambda)}",
    "ratio of elementary symmetric polynomials of the eigenvalues",
)(ratio_of_symmetric)


@quantity(
    "tail_trace",
    r"\textstyle\sum_{j>k}\lambda_j",
    "error in the trace of the best rank k",
)
def tail_trace(i: Instance) -> float:
    return float(spectrum(i)[i.k :].sum())


def ridge(i: Instance) -> float:
    """The ridge alpha that an instance carries in ``extra``.

    Raises
    ------
    ValueError
        If it carries none: no ridge is a property of K.
    """
    if "alpha" not in i.extra:
        raise ValueError(
            "alpha: expected the ridge in the instance's extra, got none; without it "
            "what depends on alpha (d_eff, score_sum) must be given by name as well"
        )
    return float(i.extra["alpha"])


def effective_dimension(i: Instance) -> float:
    """Trace of ``K (K + alpha I)^-1``, from the eigenvalues."""
    values = spectrum(i)
    return float((values / (values + ridge(i))).sum())


# An instance without a ridge has not failed the hypothesis alpha > 0: a theorem
# completes it with one.
alpha = quantity("alpha", r"\alpha", "ridge, in the units of K", chosen=True)(
    lambda i: float(i.extra.get("alpha", 1.0))
)
d_eff = quantity(
    "d_eff",
    r"d_{\mathrm{eff}}(\alpha)",
    "effective dimension, trace of K (K + alpha I)^-1",
)(effective_dimension)
