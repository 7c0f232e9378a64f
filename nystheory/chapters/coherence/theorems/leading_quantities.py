"""The leading eigenvectors: their leverage scores, and what a sample sees of them."""

from __future__ import annotations

import math
from functools import lru_cache, partial

import numpy as np
import scipy.linalg

from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.worlds.matrices import EPS
from nystheory.engine.worlds.quantities import quantity


def head(i) -> np.ndarray:
    """Leverage scores of rank k, the squared row lengths of U_1, (n,)."""
    return (i.eigen_K[1][:, : i.k] ** 2).sum(axis=1)


def of_head(i):
    """How much rounding turns the space of the k leading eigenvectors."""
    if i.k >= i.n:
        return 1.0
    gap = i.eigen_K[0][i.k - 1] - i.eigen_K[0][i.k]
    return i.norm_K / gap if gap > 0 else np.inf


@quantity(
    r"\mu_k",
    "largest leverage score of rank k over the mean of all",
    unit=0,
    condition=of_head,
)
def leading_coherence(i):
    return i.n / i.k * i.leading_scores[i.k - 1]


def _seen(i):
    """``U_1' S`` and ``Lambda_2^{1/2} U_2' S``, split at the rank k."""
    values, vectors = i.eigen_K
    rows = vectors[i.landmarks].T
    # The root of rounding would be no rounding any more.
    zero = 10 * i.n * EPS * i.norm_K
    tail = np.sqrt(np.where(values[i.k :] > zero, values[i.k :], 0.0))
    return rows[: i.k], tail[:, None] * rows[i.k :]


@lru_cache(maxsize=64)
def _mixed(i) -> np.ndarray:
    """Squared singular values of ``G = Lambda_2^{1/2} (U_2' S) (U_1' S)^+``, (n,)."""
    leading, tail = _seen(i)
    G = tail @ np.linalg.pinv(leading)
    found = scipy.linalg.svdvals(G) ** 2 if G.size else np.zeros(0)
    return np.append(found, np.zeros(i.n))[: i.n]


@quantity(
    r"\sigma_{\min}(U_1^\top S)",
    "smallest singular value of the sampled rows of the k leading eigenvectors",
    SAMPLE,
    unit=0,
)
def head_seen(i):
    return scipy.linalg.svdvals(_seen(i)[0])[-1] if i.k <= i.l else 0.0


def _of_seen(i):
    """Rounding in the eigenvectors shows through the pseudo-inverse, squared."""
    least = head_seen(i)
    return 1 / least**2 if least > 0 else 1.0


of_G = partial(quantity, when=SAMPLE, condition=_of_seen)


@of_G(
    r"\|G\|_2",
    "spectral norm of the tail that the sample mixes into the head",
    unit=0.5,
)
def G_2(i):
    return math.sqrt(_mixed(i)[0])


@of_G(r"\|G\|_F", "Frobenius norm of G", unit=0.5)
def G_F(i):
    return math.sqrt(_mixed(i).sum())


@of_G(r"\|G^\top G\|_F", "Frobenius norm of the Gram matrix of G")
def G_gram_F(i):
    return np.linalg.norm(_mixed(i))


# Vectors of sums: of the largest value, of the two largest, and so on.
@quantity(r"\|E\|_{(j)}", "all Ky Fan norms of E", SAMPLE)
def ky_fan_E(i):
    return np.cumsum(i.full.error_spectrum[::-1])


@quantity(r"\|\Lambda_2\|_{(j)}", "those of the tail")
def ky_fan_tail(i):
    return np.cumsum(np.append(i.spectrum[i.k :], np.zeros(i.k))[: i.n])


@of_G(r"\|G^\top G\|_{(j)}", "those of the Gram matrix of G")
def ky_fan_G(i):
    return np.cumsum(_mixed(i))
