"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

from math import exp, log


def independent(m, z):
    kappa = exp(-(z**2) / 2)
    return (1 - kappa**2) ** 2 / (2 * m)


def orthogonal(m, z, product_mean):
    return independent(m, z) + (1 - 1 / m) * (product_mean - exp(-(z**2)))


def saved(d, z):
    return z**4 * exp(-(z**2) / 2) / (2 * d + 4)


def near(d, m, z):
    less = saved(d, z) * (1 - d * z**2 / (2 * d + 8))
    return independent(m, z) - (1 - 1 / m) * less


def near_at_most(d, m, z):
    return independent(m, z) - (1 - 1 / m) * saved(d, z)


def squared(z):
    return exp(-(z**2))


def uniform(count, power):
    """The count, and what multiplies the dimension and 2, or 1, in the exponent."""
    rest = {8: 2, 32: 1}[power]

    def bound(D, d, ell, epsilon, sigma):
        size = (sigma * ell / epsilon) ** 2
        return count * size * exp(-D * epsilon**2 / (power * d + power * rest))

    return bound


def enough(accuracy, d_eff, delta, largest_ratio):
    logarithm = log(16) + log(d_eff) - log(delta)
    return 8 / 3 * largest_ratio / accuracy**2 * logarithm


CONDITIONS = {("modern:frequency-leverage", "enough"): enough}

BY_HAND = {
    ("modern:pairs-or-phases", "an eighth"): lambda z: 3.5 * (1 - squared(z)) ** 2,
    ("modern:orthogonal-features", "variance"): orthogonal,
    ("modern:orthogonal-features", "mean"): lambda z: exp(-(z**2) / 2),
    ("modern:orthogonal-features", "fourth moment"): lambda d: 12 - 12 / (d + 2),
    ("modern:orthogonal-features", "sixth moment"): lambda d: 120 - 360 / (d + 4),
    ("modern:orthogonal-features", "plane"): (
        lambda z: exp(-(z**2) / 2) - z**2 * exp(-(z**2) / 2) / 2
    ),
    ("modern:orthogonal-features", "plane, never worse"): independent,
    ("modern:orthogonal-features", "near"): near,
    ("modern:orthogonal-features", "near, at most"): near_at_most,
    ("modern:orthogonal-features", "ratio"): lambda m, z: z**2 * independent(m, z),
    ("modern:orthogonal-worse", "witnesses"): squared,
    ("modern:orthogonal-worse", "three dimensions"): squared,
    ("modern:orthogonal-worse", "four dimensions"): squared,
    ("modern:orthogonal-worse", "far, worse"): lambda z: squared(z) ** 0.5,
    ("modern:orthogonal-worse", "far, better"): lambda z: -(squared(z) ** 0.5),
    ("wikipedia:random-binning", "variance"): lambda P, kernel: (
        kernel / P - kernel**2 / P
    ),
    ("wikipedia:random-binning", "Laplacian"): lambda z: exp(-z),
    ("wikipedia:random-binning", "below pairs"): lambda P, z: (
        1 / (2 * P) - exp(-z) ** 2 / P / 2
    ),
    ("wikipedia:random-binning", "convex"): lambda kernel_at: kernel_at + kernel_at,
    ("wikipedia:random-binning", "Gaussian"): lambda z: 2 * squared(z) ** 0.5,
    ("rahimi2007:uniform", "pairs"): uniform(66, 8),
    ("rahimi2007:uniform", "phases"): uniform(98, 32),
    ("rahimi2007:uniform", "pairs, any spectrum"): uniform(83, 8),
    ("rahimi2007:uniform", "phases, any spectrum"): uniform(116, 32),
    ("rahimi2007:uniform", "slope"): lambda sigma: (2 * sigma) ** 2,
    ("modern:frequency-leverage", "plain"): lambda n, alpha: n / alpha,
}
