"""The kernels of a difference that random features know, each by its spectrum.

A continuous kernel ``k(x - y)`` with ``k(0) = 1`` is the characteristic function of one
probability measure, its spectrum (Bochner): frequencies are drawn from it.  A spectrum
here has

- ``kernel(X, Y, times)``: k at ``times`` the differences, of dense points, by
  ``_kernel`` of float64;
- ``variance(X, Y)``: of ``cos(w . (x - y))`` for a frequency w, off by
  ``variance_rounding(d)`` at most;
- ``drawn(rng, m, d)``: m independent frequencies, (m, d);
- ``of_uniforms(U, d)``: the same of ``uniforms(d)`` numbers between 0 and 1 each;
- ``log_penalty(W)``: ``log p(0) - log p(w)`` of its density p;
- ``lengths(rng, m, d)``: lengths of frequencies, where their directions are uniform.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
from scipy import special
from scipy.spatial.distance import cdist

from nystheory import _checks

# Smoothness of a Matern kernel: below, frequencies have no size that float64 resolves;
# above, its Bessel function overflows, and it is nearly Gaussian.
ROUGHEST, SMOOTHEST = 0.1, 100.0


@dataclass(frozen=True, repr=False)
class Spectrum:
    """What all spectra share: the parameter gamma, and names."""

    gamma: float

    name = ""
    # Whether it depends on the length of the difference only.
    radial = False

    @property
    def parameters(self) -> dict:
        """The parameters, by name."""
        return asdict(self)

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={x:.6g}" for name, x in self.parameters.items())
        return f"Spectrum({self.name}, {told})"

    def uniforms(self, d: int) -> int:
        """How many uniform numbers a frequency is made of."""
        return d

    def kernel(self, X, Y, times: float = 1.0) -> np.ndarray:
        """The entries for points X and Y, dense, (n, p)."""
        X = _checks.real_array(X, "X", 2).astype(np.float64, copy=False)
        Y = _checks.real_array(Y, "Y", 2).astype(np.float64, copy=False)
        return self._kernel(X, Y, times)

    def variance(self, X, Y) -> np.ndarray:
        """``(1 + k(2 z)) / 2 - k(z)^2``, since ``2 cos^2(a) = 1 + cos(2 a)``."""
        found = (1 + self.kernel(X, Y, 2.0)) / 2 - self.kernel(X, Y) ** 2
        return np.maximum(found, 0)  # rounding, at points that nearly coincide

    def variance_rounding(self, d: int) -> float:
        """By how much an entry of ``variance(X, Y)`` is off, beside a few eps of it.

        Of numbers up to 1: an entry at 2 z counts half, its square twice.
        """
        return 3 * self.rounding(d)

    def rounding(self, d: int) -> float:
        """By how much an entry ``kernel(X, Y)`` may be off.

        A sum of d terms of one sign, or a product of d factors, is off by a share
        ``(d + 3) eps`` at most; no kernel here moves by more than that share of its
        argument, and functions of NumPy are right to a few eps.
        """
        return (d + 16) * float(np.finfo(np.float64).eps)


class _Gaussian(Spectrum):
    """``exp(-gamma |z|^2)``: normal frequencies of variance 2 gamma."""

    name = "rbf"
    radial = True

    def _kernel(self, X, Y, times):
        return np.exp(-self.gamma * times**2 * cdist(X, Y, "sqeuclidean"))

    def variance(self, X, Y):
        """``(1 - k^2)^2 / 2``, since ``k(2 z) = k(z)^4``; small ones keep digits."""
        return np.expm1(-2 * self.gamma * cdist(X, Y, "sqeuclidean")) ** 2 / 2

    def variance_rounding(self, d):
        return 0.0

    def together(self, X, Y) -> np.ndarray:
        """Covariance of two such waves, of orthogonal frequencies."""
        t = self.gamma * cdist(X, Y, "sqeuclidean")
        return _orthogonal_covariance(t, X.shape[1])

    def drawn(self, rng, m, d):
        return np.sqrt(2 * self.gamma) * rng.standard_normal((m, d))

    def lengths(self, rng, m, d):
        return np.sqrt(2 * self.gamma * rng.chisquare(d, m))

    def of_uniforms(self, U, d):
        return np.sqrt(2 * self.gamma) * special.ndtri(U)

    def log_penalty(self, W):
        return np.einsum("ij,ij->i", W, W) / (4 * self.gamma)


class _Laplacian(Spectrum):
    """``exp(-gamma |z|_1)``: Cauchy frequencies of scale gamma, each coordinate."""

    name = "laplacian"

    def _kernel(self, X, Y, times):
        return np.exp(-self.gamma * times * cdist(X, Y, "cityblock"))

    def variance(self, X, Y):
        """``(1 - k^2) / 2``, since ``k(2 z) = k(z)^2``."""
        return -np.expm1(-2 * self.gamma * cdist(X, Y, "cityblock")) / 2

    def variance_rounding(self, d):
        return 0.0

    def drawn(self, rng, m, d):
        return self.gamma * rng.standard_cauchy((m, d))

    def of_uniforms(self, U, d):
        return self.gamma * np.tan(np.pi * (U - 0.5))

    def log_penalty(self, W):
        return np.log1p((W / self.gamma) ** 2).sum(axis=1)


class _Cauchy(Spectrum):
    """``prod_j 1 / (1 + gamma z_j^2)``: Laplace frequencies of scale sqrt(gamma)."""

    name = "cauchy"

    def _kernel(self, X, Y, times):
        out = np.ones((len(X), len(Y)))
        with np.errstate(over="ignore"):  # then the kernel is 0
            for x, y in zip(X.T, Y.T, strict=True):
                z = np.subtract.outer(x, y)
                z *= z
                z *= self.gamma * times**2
                z += 1
                out *= z
        return 1 / out

    def drawn(self, rng, m, d):
        return rng.laplace(scale=np.sqrt(self.gamma), size=(m, d))

    def of_uniforms(self, U, d):
        right = U > 0.5
        tail = np.log(2 * np.where(right, 1 - U, U))
        return np.sqrt(self.gamma) * np.where(right, -tail, tail)

    def log_penalty(self, W):
        return np.abs(W).sum(axis=1) / np.sqrt(self.gamma)


@dataclass(frozen=True, repr=False)
class _Matern(Spectrum):
    """Matérn's kernel of length scale ``1 / sqrt(2 gamma)``: Student's frequencies.

    With ``t = sqrt(4 nu gamma) |z|`` it is ``2^(1 - nu) t^nu K_nu(t) / Gamma(nu)``.
    """

    nu: float

    name = "matern"
    radial = True

    def _kernel(self, X, Y, times):
        t = cdist(X, Y) * (times * np.sqrt(4 * self.nu * self.gamma))
        return _matern(t, self.nu)

    def drawn(self, rng, m, d):
        return self._heavier(rng.chisquare(2 * self.nu, (m, 1))) * rng.standard_normal(
            (m, d)
        )

    def lengths(self, rng, m, d):
        chi = np.sqrt(rng.chisquare(d, m))
        return self._heavier(rng.chisquare(2 * self.nu, m)) * chi

    def uniforms(self, d):
        return d + 1

    def of_uniforms(self, U, d):
        squares = 2 * special.gammaincinv(self.nu, U[:, d:])
        return self._heavier(squares) * special.ndtri(U[:, :d])

    def log_penalty(self, W):
        squares = np.einsum("ij,ij->i", W, W) / (4 * self.nu * self.gamma)
        return (self.nu + W.shape[1] / 2) * np.log1p(squares)

    def rounding(self, d):
        known = self.nu in (0.5, 1.5, 2.5)
        return super().rounding(d) + (0 if known else 1e-12)

    def _heavier(self, squares):
        """From normal to t: by a chi square of 2 nu degrees of freedom."""
        squares = np.maximum(squares, np.finfo(np.float64).tiny)
        return np.sqrt(4 * self.nu * self.gamma / squares)


def _matern(t: np.ndarray, nu: float) -> np.ndarray:
    """``2^(1 - nu) t^nu K_nu(t) / Gamma(nu)``, 1 at 0.

    >>> _matern(np.array([0.0, 1.0]), 0.5)
    array([1.        , 0.36787944])
    """
    t = np.minimum(t, 1e5)  # where nothing is left of it
    if nu == 0.5:
        return np.exp(-t)
    if nu == 1.5:
        return (1 + t) * np.exp(-t)
    if nu == 2.5:
        return (1 + t + t * t / 3) * np.exp(-t)
    # Near 0 the Bessel function overflows: only where nu is large, and then the first
    # terms of the series at 0 are the kernel to all digits.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        logs = nu * np.log(t / 2) + np.log(2 * special.kve(nu, t)) - special.gammaln(nu)
        out = np.exp(logs - t)
    near = ~np.isfinite(logs) & (t < 1)
    if near.any():
        x, term, out[near] = t[near] ** 2 / 4, 1.0, 1.0
        for j in range(1, min(5, int(np.ceil(nu)))):
            term = term * -x / (j * (nu - j))
            out[near] += term
    return np.minimum(out, 1.0)


def _orthogonal_covariance(t: np.ndarray, d: int) -> np.ndarray:
    """Covariance of ``cos(u . z)`` and ``cos(v . z)``: u, v orthogonal, each normal.

    With ``t = gamma |z|^2`` it is ``1F1(d; d / 2; -t) - exp(-2 t)``: the sum of u and v
    has a uniform direction and a squared length of 2 d degrees of freedom.  Below zero
    the two waves are better than independent ones.

    >>> _orthogonal_covariance(np.array([0.0, 1.0]), 3).round(4)
    array([ 0.    , -0.0966])
    """
    far = np.minimum(t, 1e8)  # nothing is left there, and 1F1 is not computed further
    out = special.hyp1f1(d, d / 2, -far) - np.exp(-2 * far)
    # Near 0 the first two terms cancel: of the series, from the third on.
    near = t < 0.25
    x, term, log = -2 * t[near], 1.0, 0.0
    out[near] = 0
    for k in range(1, 16):
        term = term * x / k
        log += np.log1p(-(k - 1) / (d + 2 * (k - 1)))
        out[near] += term * np.expm1(log)
    return out


SPECTRA = {each.name: each for each in (_Gaussian, _Laplacian, _Matern, _Cauchy)}


def spectrum(kernel, gamma: float, nu) -> Spectrum:
    """The spectrum of a kernel by name.

    >>> spectrum("rbf", 0.5, None), spectrum("matern", 0.5, 1.5)
    (Spectrum(rbf, gamma=0.5), Spectrum(matern, gamma=0.5, nu=1.5))
    """
    found = SPECTRA[_checks.choice(kernel, "kernel", tuple(SPECTRA))]
    if found is not _Matern:
        return found(gamma)
    nu = _checks.positive(nu, "nu")
    if not ROUGHEST <= nu <= SMOOTHEST:
        raise ValueError(
            f"nu: expected a number from {ROUGHEST} to {SMOOTHEST:.0f}, got {nu}; "
            "above it take kernel='rbf', the limit"
        )
    return _Matern(gamma, nu)
