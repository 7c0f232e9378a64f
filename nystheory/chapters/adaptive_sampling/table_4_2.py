"""Table 4.2 of the thesis on two of its data sets, printed and computed again.

A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD thesis, New York
University, 2010.  Abalone and MNIST come from the folder that `NYSTHEORY_DATA` names;
the results are stored beside this file, so that the book can show them without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from nystheory import datasets, kernels, lowrank, sampling, style
from nystheory.engine.findings.runs import LongRun
from nystheory.engine.findings.schemes import THESIS, energy, largest_gamma

RANK = 100
PERCENTS = (5, 10, 20)
# Mean and standard deviation of 10 runs, in the order of THESIS, for 5, 10, 20 %.
_PRINTED = {
    "ABN": (
        ((48.7, 7.2), (15.6, None), (67.1, 1.4), (20.3, 4.5), (65.0, 2.8), (53.5, 1.6)),
        ((61.3, 4.3), (25.8, None), (68.5, 2.3), (32.4, 8.4), (78.2, 6.9), (60.2, 2.5)),
        (
            *((83.1, 1.3), (41.2, None), (66.2, 3.7)),
            *((43.8, 12.6), (90.0, 0.7), (61.5, 3.3)),
        ),
    ),
    "MNIST": (
        ((47.0, 1.0), (41.5, None), (59.1, 0.7), (49.1, 0.9), (72.3, 0.7), (50.1, 0.6)),
        ((67.5, 0.9), (58.3, None), (72.2, 0.4), (69.2, 0.6), (80.4, 2.8), (68.8, 0.3)),
        ((83.2, 0.2), (77.9, None), (78.9, 0.3), (83.9, 0.3), (90.4, 0.2), (80.9, 0.6)),
    ),
}
# Greedy schemes that do not know how many columns are wanted: a shorter sample is the
# beginning of a longer one.
NESTED = ("incomplete_cholesky", "sgma")
FILE = "table_4_2.json"
# The best rank k of the core W, as in the thesis; or of the approximation itself.
TRUNCATED = ("core", "approximation")

Row = dict[str, tuple[float, float | None]]


def printed(name: str) -> dict[int, Row]:
    """The rows of one data set as printed.

    Parameters
    ----------
    name : {"ABN", "MNIST"}

    Returns
    -------
    dict of int to dict of str to (float, float or None)
        By percentage and scheme: mean and standard deviation, in percent.

    Examples
    --------
    >>> printed("ABN")[5]["uniform"]
    (48.7, 7.2)
    """
    rows = zip(PERCENTS, _PRINTED[name], strict=True)
    return {percent: dict(zip(THESIS, row, strict=True)) for percent, row in rows}


def points(name: str) -> np.ndarray:
    """The points behind a row of the table, from the folder of data.

    Parameters
    ----------
    name : {"ABN", "MNIST"}
        Abalone: all 4177 points, the eight columns divided by their standard
        deviations.  MNIST: 4000 of the 10,000 test images, chosen at random, always
        the same.

    Returns
    -------
    ndarray (n, d)

    Raises
    ------
    FileNotFoundError
        If `NYSTHEORY_DATA` does not name a folder that holds the file.

    Examples
    --------
    >>> X = points("ABN")  # doctest: +SKIP
    """
    if name == "MNIST":
        X = datasets.from_folder("mnist-t10k").X
        return X[np.random.default_rng(0).permutation(len(X))[:4000]]
    X = datasets.from_folder("abalone").X
    return X / X.std(axis=0)


def matrix(name: str, gamma: float | None = None) -> kernels.PointKernel:
    """The kernel matrix of a row of the table.

    Parameters
    ----------
    name : {"ABN", "MNIST"}
        With a Gaussian and a linear kernel.
    gamma : float, optional
        Of the Gaussian kernel, and needed there.

    Returns
    -------
    PointKernel

    Examples
    --------
    >>> K = matrix("ABN", gamma=0.7)  # doctest: +SKIP
    """
    X = points(name)
    return kernels.linear(X) if name == "MNIST" else kernels.rbf(X, gamma)


@threadpool_limits.wrap(limits=1, user_api="blas")
def accuracies(
    K: kernels.PointKernel,
    runs: int,
    seed: int = 0,
    rank: int = RANK,
    percents: tuple[int, ...] = PERCENTS,
) -> dict[int, dict[str, np.ndarray]]:
    """Relative accuracy in percent of every scheme of the table, truncated two ways.

    Parameters
    ----------
    K : PointKernel (n, n)
        Stored as a whole, n^2 words, beside a copy for the eigenvalues.
    runs : int
        For schemes that draw; one for incomplete Cholesky.
    seed : int
    rank : int
        The rank k.
    percents : tuple of int
        Percentages l/n; l is rounded to an integer.

    Returns
    -------
    dict of int to dict of str to ndarray (runs, 2)
        With the core truncated, as in the thesis, and with the approximation
        truncated.

    Examples
    --------
    >>> K = kernels.rbf(datasets.digits(60).X)
    >>> found = accuracies(K, runs=2, rank=3, percents=(20,))
    >>> [len(values) for values in found[20].values()]
    [2, 1, 2, 2, 2, 2]
    """
    stored = kernels.DenseKernel(K.dense())
    best = lowrank.best_rank_k(stored, rank).error(stored)
    counts = {percent: round(percent * K.n / 100) for percent in percents}
    found: dict = {percent: {} for percent in percents}
    for which, name in enumerate(THESIS):
        # Centroids are no rows of K, so their columns are computed from the points.
        source = K if name == "kmeans" else stored
        errors: dict = {percent: [] for percent in percents}
        for run in range(1 if name == "incomplete_cholesky" else runs):
            rng = np.random.default_rng([seed, which, run])
            for percent, S in _samples(name, source, counts, rng):
                made = [lowrank.nystrom(source, S, rank, how) for how in TRUNCATED]
                errors[percent].append([each.error(stored) for each in made])
        for percent in percents:
            found[percent][name] = 100 * best / np.array(errors[percent])
    return found


def _samples(name, K, counts, rng):
    """Landmarks for each number of them, in one draw where a scheme allows that."""
    scheme = sampling.SCHEMES[name]
    if name in NESTED:
        order = scheme(K, max(counts.values()), rng).indices
        return [(percent, order[:count]) for percent, count in counts.items()]
    return ((percent, scheme(K, count, rng)) for percent, count in counts.items())


def reproduce(name: str, runs: int = 10, seed: int = 0) -> dict:
    """One data set of the table, computed: what is stored for the book.

    Parameters
    ----------
    name : {"ABN", "MNIST"}
    runs : int
        At least 2.
    seed : int

    Returns
    -------
    dict
        ``n``, ``runs``, ``gamma`` (None for a linear kernel), ``energy`` (the share of
        the trace that rank 100 holds), and ``core`` and ``approximation``, after what
        was truncated: by percentage (as text, for JSON) and scheme the mean and the
        standard deviation.

    Raises
    ------
    FileNotFoundError
        If `NYSTHEORY_DATA` does not name a folder that holds the data.

    Examples
    --------
    >>> abalone = reproduce("ABN", runs=2)  # doctest: +SKIP
    """
    gamma = None if name == "MNIST" else largest_gamma(points(name), RANK)
    K = matrix(name, gamma)
    found = accuracies(K, runs, seed)
    share = round(energy(K, RANK), 4)
    result = {"n": K.n, "runs": runs, "gamma": gamma, "energy": share}
    for which, truncated in enumerate(TRUNCATED):
        result[truncated] = {
            str(percent): {scheme: _summary(v[:, which]) for scheme, v in row.items()}
            for percent, row in found.items()
        }
    return result


def _summary(values):
    spread = None if len(values) == 1 else round(float(values.std(ddof=1)), 2)
    return [round(float(values.mean()), 2), spread]


def stored() -> dict[str, dict]:
    """The results that came with the package, as `reproduce` gave them.

    Returns
    -------
    dict of str to dict
        For ABN and MNIST, with the default seed and 10 runs.

    Examples
    --------
    >>> stored()["MNIST"]["n"]
    4000
    """
    return KEPT.read()


def small() -> dict:
    """What the schemes give on sixty digits.

    Examples
    --------
    >>> len(small())
    6
    """
    found = accuracies(kernels.rbf(datasets.digits(60).X), 2, rank=3, percents=(20,))
    return {name: values.tolist() for name, values in found[20].items()}


KEPT = LongRun(Path(__file__).with_name(FILE), __spec__.name, small)


def comparison(found: Mapping[str, dict], name: str) -> style.Table:
    """Printed numbers, ours, and what truncating the approximation would give.

    Parameters
    ----------
    found : mapping of str to dict
        As from `stored` or `reproduce`.
    name : {"ABN", "MNIST"}

    Returns
    -------
    Table

    Examples
    --------
    >>> comparison(stored(), "ABN").rows[0][:2]
    ('5%, printed', '48.7 (7.2)')
    """
    rows = []
    for percent in PERCENTS:
        core, after = (found[name][how][str(percent)] for how in TRUNCATED)
        lines = {"printed": printed(name)[percent], "here": core, "after": after}
        for who, row in lines.items():
            cells = (_cell(*row[scheme]) for scheme in THESIS)
            rows.append((f"{percent}%, {who}", *cells))
    return style.Table((name, *THESIS.values()), rows)


def _cell(mean, spread):
    return f"{mean:.1f}" if spread is None else f"{mean:.1f} ({spread:.1f})"
