"""Frequencies: independent, in orthogonal blocks, or of a low-discrepancy sequence."""

from __future__ import annotations

import numpy as np
from scipy.stats import qmc

DRAWS = ("independent", "orthogonal", "quasi-monte-carlo")


def frequencies(spectrum, draws, m, d, phases, rng):
    """Frequencies (m, d), and phases (m,) or None."""
    if draws == "quasi-monte-carlo":
        return _quasi(spectrum, m, d, phases, rng)
    if draws == "orthogonal":
        W = _orthogonal(spectrum, m, d, rng)
    else:
        W = spectrum.drawn(rng, m, d)
    return W, rng.uniform(0, 2 * np.pi, m) if phases else None


def blocks(m: int, d: int) -> list[int]:
    """Sizes of the orthogonal blocks of m frequencies.

    >>> blocks(7, 3)
    [3, 3, 1]
    """
    return [d] * (m // d) + [m % d] * (m % d > 0)


def _orthogonal(spectrum, m, d, rng):
    """Blocks of d directions, each a Haar-orthogonal matrix, of independent lengths."""
    if not spectrum.radial:
        raise ValueError(
            "draws: expected 'independent' or 'quasi-monte-carlo' for the "
            f"{spectrum.name} kernel, got 'orthogonal': orthogonal directions keep the "
            "mean only if all directions are alike, as for 'rbf' and 'matern'"
        )
    whole, rest = divmod(m, d)
    found = [_haar(rng.standard_normal((whole, d, d)))]
    if rest:
        found.append(_haar(rng.standard_normal((1, d, rest))))
    return np.concatenate(found) * spectrum.lengths(rng, m, d)[:, None]


def _haar(normal):
    """Rows of orthonormal columns, of each matrix (d, r): all bases are alike."""
    Q, R = np.linalg.qr(normal)
    # Householder's signs are not random; with those of R it is Haar's law.
    Q *= np.sign(R.diagonal(axis1=1, axis2=2))[:, None]
    return Q.transpose(0, 2, 1).reshape(-1, normal.shape[1])


def _quasi(spectrum, m, d, phases, rng):
    """A scrambled Sobol sequence through inverse distribution functions.

    Of its first 2^k points the first m are taken.  The sequence has 30 binary digits,
    the rest is drawn: so each point is uniform, and the mean of the features right.
    """
    count = spectrum.uniforms(d) + phases
    if count > qmc.Sobol.MAXDIM:
        known = "'independent' or 'orthogonal'" if spectrum.radial else "'independent'"
        raise ValueError(
            f"draws: expected {known} in so many dimensions, got "
            f"'quasi-monte-carlo', whose points have at most {qmc.Sobol.MAXDIM}, not "
            f"{count}"
        )
    sequence = qmc.Sobol(count, scramble=True, seed=rng)  # rng, from SciPy 1.15 on
    U = sequence.random_base2(int(m - 1).bit_length())[:m]
    U = (U + rng.random(U.shape) * 2.0**-30).clip(2.0**-60, 1 - 2.0**-53)
    W = spectrum.of_uniforms(U[:, : spectrum.uniforms(d)], d)
    return W, 2 * np.pi * U[:, -1] if phases else None
