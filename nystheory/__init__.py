"""The Nyström method: approximations, bounds, and theorems that can be verified.

From points to a judgement, a room for each step; every room is loaded when it is
first touched:

==============  ======================================================================
`datasets`      points: bundled, generated, read from a folder
`kernels`       the kernel matrix K, lazily, by columns
`sampling`      which columns: every scheme that chooses landmarks
`lowrank`       what they say: the approximations of K
`ensemble`      what several samples say together
`coherence`     how evenly K is spread: coherence, leverage scores, effective dimension
`certificates`  how good an approximation surely is
`features`      features of points, for scikit-learn's pipelines
`learners`      what we learn, and what the approximation does to it
`manifold`      few coordinates of many points, from distances to a few of them
`selection`     which kernel: criteria with certain ends, and a search over kernels
`guarantees`    what the theorems promised, and how many columns they require
==============  ======================================================================

Long work shows a progress bar after a second, at a terminal or in a notebook;
``nystheory.progress(False)``, or ``TQDM_DISABLE=1`` in the environment, switches all of
them off.

The theorems are objects: ``theorems["talwalkar2010:thm-2.3"]`` is one of them, and
``verify(theorem)`` tries to break it; ``verified(id)`` insists that this failed, and
``challenge(id, K)`` lets you try.  What a theorem is, is in `engine`; each page of the
book has a folder in `chapters`.

Examples
--------
>>> import numpy as np
>>> import nystheory as nt
>>> K = nt.kernels.rbf(nt.datasets.digits(100).X)
>>> nt.lowrank.nystrom(K, nt.sampling.rp_cholesky(K, 20, np.random.default_rng(0)))
LowRank(nystrom, n=100, l=20, rank=20)
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

ROOMS = (
    "datasets",
    "kernels",
    "sampling",
    "lowrank",
    "ensemble",
    "coherence",
    "certificates",
    "features",
    "learners",
    "manifold",
    "selection",
    "guarantees",
    "engine",
    "chapters",
)
# What is found in a room, and wanted so often that it has a short name.
_SHORT = {
    "challenge": "chapters",
    "progress": "_progress",
    "theorems": "chapters",
    "verified": "chapters",
    "verify": "engine",
}

__all__ = [*ROOMS, *_SHORT]


def __getattr__(name):
    if name == "__version__":
        try:
            return version("nystheory")
        except PackageNotFoundError:  # run from a clone that is not installed
            return "unknown"
    if name in ROOMS:
        return import_module(f"nystheory.{name}")
    if name in _SHORT:
        return getattr(import_module(f"nystheory.{_SHORT[name]}"), name)
    raise AttributeError(f"module 'nystheory' has no attribute {name!r}")


def __dir__():
    return sorted([*__all__, "__version__"])
