"""Every scheme by name, with the options that it cannot do without."""

from functools import partial

import numpy as np

from nystheory import sampling

SCHEMES = dict(sampling.SCHEMES)
SCHEMES |= {
    f"rp_cholesky, {method}": partial(sampling.rp_cholesky, method=method)
    for method in ("block", "accelerated")
}
OPTIONS = {"bless": {"alpha": 2.0}}
DETERMINISTIC = ("incomplete_cholesky", "farthest_point")
RANDOM_SIZE = ("dpp",)
# What draws uniformly where nothing is left.
BATCHED = ("adaptive_partial", "criterion_driven")
# Whose choice depends on the sizes of the points.
BY_SIZE = [n for n in SCHEMES if n not in ("uniform", "user", "kmeans")]


def options_of(name, n):
    if name == "user":
        return {"probabilities": np.arange(1.0, n + 1) / (n * (n + 1) / 2)}
    if name == "criterion_driven":
        return {"y": np.sin(np.arange(n)) + 0.1}
    return OPTIONS.get(name, {})


def run(name, K, count, seed=0):
    options = options_of(name, len(K) if isinstance(K, np.ndarray) else K.n)
    return SCHEMES[name](K, count, np.random.default_rng(seed), **options)
