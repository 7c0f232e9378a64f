"""Everything that a statement speaks of: one table of named quantities.

A quantity has a name, LaTeX, a meaning, and two routes to its value: the fast one
here, in float64, and the one of the same name in `exact.routes`, from the definition,
without rounding.  A test holds the two together.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from nystheory.engine.language.lines import Reader, parse
from nystheory.engine.language.quantity import CHOSEN, SAMPLE
from nystheory.engine.worlds.instances import Instance
from nystheory.engine.worlds.matrices import EPS, truncated_inverse
from nystheory.engine.worlds.measured import ROUNDING

# Those of the columns of one matrix: the tables of other worlds inherit them.
QUANTITIES = Instance.quantities
quantity, composed = Instance.quantity, Instance.composed


def value(line: str, instance=None, **known: float) -> float:
    """A quantity, or any line, on an instance or from given numbers.

    Examples
    --------
    >>> value("2 * sqrt(n)", n=9)
    6.0
    """
    known_by = QUANTITIES if instance is None else instance.quantities
    return float(Reader(known_by, instance, known).value(parse(line)).value)


# --- Sizes, and what is chosen -------------------------------------------------------

quantity("n", "size of the matrix", unit=None, name="n")(lambda i: i.n)
quantity("l", "number of landmarks", unit=None, name="l")(lambda i: i.l)
quantity("k", "rank of the approximation", unit=None, name="k")(lambda i: i.k)


@quantity(r"\|y\|", "length of the vector of observations", CHOSEN, unit=0)
def norm_y(i):
    return np.linalg.norm(i.y)


@quantity(r"\kappa", "bound on K(x, x) for all points x", CHOSEN)
def point_bound(i):
    """As it is given, or the largest diagonal entry and some room."""
    if i.brings("bound_of_points"):
        return i.bound_of_points
    return i.diagonal.max() + abs(float(i.room))


def _clear(i, value):
    """A rank, or None where float64 cannot tell it."""
    return value if i.rank_is_clear else None


# --- The matrix and its spectrum -----------------------------------------------------

quantity("K", "kernel matrix", name="K")(lambda i: i.K)
quantity("X", "points as columns", unit=0.5, name="X")(lambda i: i.points)


@quantity(r"\operatorname{rank} K", "rank of the matrix", unit=None)
def rank_K(i):
    return _clear(i, i.rank_K)


@quantity(r"\|K\|_2", "spectral norm of the matrix")
def norm_K(i):
    return i.norm_K


@quantity(r"\|K\|_F", "Frobenius norm of the matrix")
def norm_K_F(i):
    return np.linalg.norm(i.K)


@quantity(r"\operatorname{tr} K", "trace of the matrix")
def trace_K(i):
    return np.trace(i.K)


@quantity(r"K_{\max}", "largest diagonal entry of the matrix")
def K_max(i):
    return i.diagonal.max()


@quantity(r"\|K-K_k\|_2", "spectral error of the best rank k")
def tail_2(i):
    return np.append(i.spectrum, 0.0)[i.k]


@quantity(r"\|K-K_k\|_F", "Frobenius error of the best rank k")
def tail_F(i):
    return np.linalg.norm(i.spectrum[i.k :])


@quantity(r"\|K-K_k\|_*", "trace error of the best rank k")
def tail_trace(i):
    return i.spectrum[i.k :].sum()


@quantity(r"\|K_k\|_F", "Frobenius norm of the best rank k")
def head_F(i):
    return np.linalg.norm(i.spectrum[: i.k])


@quantity(
    r"\frac{e_{l+1}(\lambda)}{e_l(\lambda)}",
    "ratio of elementary symmetric polynomials of the eigenvalues",
)
def symmetric_ratio(i):
    below, above = i.log_elementary
    with np.errstate(invalid="ignore"):  # both zero beyond the rank: no ratio
        return np.exp(above - below)


def _of_ridge(i):
    """Rounding in K, beside the ridge."""
    return 1.0 + i.n * i.norm_K / i.alpha if i.alpha > 0 else np.inf


@quantity(
    r"d_{\mathrm{eff}}(\alpha)",
    "effective dimension: the trace of K times the inverse of K plus the ridge",
    unit=0,
    condition=_of_ridge,
)
def d_eff(i):
    values = i.eigen_K[0] if i.X is None else i.spectrum
    return (values / (values + i.alpha)).sum()


@quantity("p", "probability with which each column is drawn", CHOSEN, unit=0)
def column_chances(i):
    return np.ravel(i.probabilities)


# --- The sample and the approximation ------------------------------------------------


@quantity(r"\operatorname{rank} W", "rank of the core", SAMPLE, unit=None)
def rank_W(i):
    return _clear(i, i.rank_W)


@quantity("|S|", "number of different landmarks", SAMPLE, unit=None)
def different(i):
    return len(set(i.landmarks.tolist()))


quantity("C", "sampled columns", SAMPLE, name="C")(lambda i: i.C)
quantity("W", "core, the rows of C at the landmarks", SAMPLE, name="W")(lambda i: i.W)


def _of_core(i):
    """Rounding in the core, as the truncated inverse amplifies it."""
    return i.condition


def _of_core_inverse(i):
    return i.condition * i.norm_K * np.linalg.norm(core_inverse(i), 2)


@quantity(
    "W_k^+",
    "pseudo-inverse of the best approximation of the core",
    SAMPLE,
    unit=-1.0,
    condition=_of_core_inverse,
)
def core_inverse(i):
    return truncated_inverse(i.W, i.k)


@quantity(
    "P",
    "projector on the leading left singular vectors of the sampled points",
    SAMPLE,
    unit=0.0,
    condition=_of_core,
)
def projector(i):
    U = i.svd_X_S[0][:, : i.k]
    return U @ U.T


@quantity("K_{21}", "sampled columns at the points that were not sampled", SAMPLE)
def K_21(i):
    return i.C[i.others]


@quantity(r"\operatorname{rank} C", "rank of the sampled columns", SAMPLE, unit=None)
def rank_C(i):
    s = scipy.linalg.svdvals(i.C)
    relative = s / (s[0] or 1.0)
    if not i.rank_is_clear or ((relative > 1e-13) & (relative < 1e-9)).any():
        return None
    return int((relative > 1e-9).sum())


@quantity(r"\tilde K", "Nyström approximation of rank k", SAMPLE, condition=_of_core)
def approximation(i):
    return i.approximation


@quantity(
    r"\|K-\tilde K\|_2",
    "spectral error of the approximation",
    SAMPLE,
    condition=_of_core,
)
def error_2(i):
    return np.abs(i.error_spectrum).max()


@quantity(
    r"\|K-\tilde K\|_F",
    "Frobenius error of the approximation",
    SAMPLE,
    condition=_of_core,
)
def error_F(i):
    return np.linalg.norm(i.error_spectrum)


@quantity(
    r"\|K-\tilde K\|_*",
    "trace of the error of the approximation",
    SAMPLE,
    condition=_of_core,
)
def error_trace(i):
    return i.error_spectrum.sum()


@quantity(
    r"\max_{ij}|K_{ij}-\tilde K_{ij}|",
    "largest entry of the error",
    SAMPLE,
    condition=_of_core,
)
def error_max(i):
    return np.abs(i.error).max()


# --- The approximation from the whole core, k = l -------------------------------------


def _of_whole_core(i):
    """Rounding in the core, as its inverse amplifies it.

    What is left lies between 0 and K whatever the rounding, so that it errs by a
    multiple of the norm at most: in a mean, samples that are nearly singular are rare.
    """
    return min(i.full.condition, 10 / (ROUNDING * i.n * EPS)) if i.l else 1.0


@quantity(
    r"\tilde K",
    "Nyström approximation from the whole core",
    SAMPLE,
    condition=_of_whole_core,
)
def full_approximation(i):
    return i.full.approximation


@quantity("E", "what the whole core misses of K", SAMPLE, condition=_of_whole_core)
def E(i):
    return i.full.error


@quantity(r"\|E\|_2", "spectral norm of E", SAMPLE, condition=_of_whole_core)
def norm_E(i):
    return np.abs(i.full.error_spectrum).max()


@quantity(r"\operatorname{tr} E", "trace of E", SAMPLE, condition=_of_whole_core)
def trace_E(i):
    return i.full.error_spectrum.sum()


# --- Distances of covariances --------------------------------------------------------


@quantity(r"\|XX^\top-ZZ^\top\|_2", "spectral distance of the covariances", SAMPLE)
def distance_2(i):
    return np.abs(i.distance).max()


@quantity(r"\|XX^\top-ZZ^\top\|_F", "Frobenius distance of the covariances", SAMPLE)
def distance_F(i):
    return np.linalg.norm(i.distance)


@quantity(r"\|XX^\top-ZZ^\top\|_*", "trace distance of the covariances", SAMPLE)
def distance_trace(i):
    return np.abs(i.distance).sum()
