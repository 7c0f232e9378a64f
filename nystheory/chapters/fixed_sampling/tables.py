"""Figures 4.1(b) and 4.2(b) of the thesis beside what was measured here.

A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD thesis, New York
University, 2010.
"""

from __future__ import annotations

from nystheory import style
from nystheory.engine.findings.found import LEVEL
from nystheory.engine.trial.statistics import Interval, mean_interval

# The tables as printed, in percent: mean and standard deviation of 10 runs.
PRINTED_SCHEMES = {
    5: {
        "PIE-2.7K": ((38.8, 1.5), (38.3, 0.9), (37.0, 0.9)),
        "PIE-7K": ((55.8, 1.1), (46.4, 1.7), (54.2, 0.9)),
        "MNIST": ((47.4, 0.8), (46.9, 0.7), (45.6, 1.0)),
        "ESS": ((45.1, 2.3), None, (41.0, 2.2)),
        "ABN": ((47.3, 3.9), None, (44.2, 1.2)),
    },
    20: {
        "PIE-2.7K": ((72.3, 0.9), (65.0, 0.9), (63.4, 1.4)),
        "PIE-7K": ((83.5, 1.1), (69.8, 2.2), (79.9, 1.6)),
        "MNIST": ((80.8, 0.5), (79.4, 0.5), (78.1, 0.5)),
        "ESS": ((80.1, 0.7), None, (75.5, 1.1)),
        "ABN": ((77.1, 3.0), None, (66.3, 4.0)),
    },
}
PRINTED_GAINS = {
    "PIE-2.7K": ((0.8, 0.6), (1.7, 0.3), (2.3, 0.9), (4.4, 0.4)),
    "PIE-7K": ((0.7, 0.3), (1.5, 0.3), (2.1, 0.6), (3.2, 0.3)),
    "MNIST": ((1.0, 0.5), (1.9, 0.6), (2.3, 0.4), (3.4, 0.4)),
    "ESS": ((0.9, 0.9), (1.8, 0.9), (2.2, 0.6), (3.7, 0.7)),
    "ABN": ((0.7, 1.2), (1.3, 1.8), (2.6, 1.4), (4.5, 1.1)),
}
GAIN_PERCENTS = (5, 10, 15, 30)
# Our matrices, and the data set of the thesis that each is most like.
KIN = {"digits, linear": "MNIST", "patches, linear": "PIE-7K"}
KIN |= {"digits, RBF": "ABN", "patches, RBF": "ESS"}

# Of the competitors, in the order of the tables.
THREE = ("uniform", "diagonal", "norm")


def ahead(found, first: str, second: str, data: str) -> list[Interval]:
    """The mean lead of one competitor over another at each percentage.

    Parameters
    ----------
    found : Found
        Of `findings.SCHEMES`.
    first, second : str
    data : str

    Returns
    -------
    list of Interval
        With limits of 95 percent, each alone.
    """
    one, other = (found.measured("accuracy", x, data) for x in (first, second))
    return [mean_interval(gaps, LEVEL) for gaps in (one - other).T]


def _mean(values) -> str:
    i = mean_interval(values, LEVEL)
    return f"{i.estimate:.1f} ({i.low:.1f} to {i.high:.1f})"


def _printed(pair):
    return "-" if pair is None else f"{pair[0]:.1f} (± {pair[1]:.1f})"


def scheme_table(found) -> style.Table:
    """Figure 4.1(b): three schemes at 5 and 20 percent, printed and measured.

    Parameters
    ----------
    found : Found
        Of `findings.SCHEMES`.
    """
    rows, percents = [], found.experiment.settings
    for percent, printed in PRINTED_SCHEMES.items():
        for name, other in KIN.items():
            cells = map(_printed, printed[other])
            rows.append((f"{percent}%", f"{other} (thesis)", *cells))
            at = percents.index(percent)
            cells = [
                "-"
                if "RBF" in name and one == "diagonal"
                else _mean(found.measured("accuracy", one, name)[:, at])
                for one in THREE
            ]
            rows.append((f"{percent}%", name, *cells))
    labels = [found.experiment.competitors[one].label for one in THREE]
    return style.Table(("$l/n$", "matrix", *labels), rows)


def gain_table(found) -> style.Table:
    """Figure 4.2(b): the gain without replacement, printed and measured.

    Parameters
    ----------
    found : Found
        Of `findings.SCHEMES`.
    """
    rows, percents = [], found.experiment.settings
    for name, other in KIN.items():
        rows.append((f"{other} (thesis)", *map(_printed, PRINTED_GAINS[other])))
        gains = ahead(found, "without", "uniform", name)
        at = [gains[percents.index(p)] for p in GAIN_PERCENTS]
        cells = [f"{i.estimate:.1f} ({i.low:.1f} to {i.high:.1f})" for i in at]
        rows.append((name, *cells))
    return style.Table(("matrix", *(f"{p} %" for p in GAIN_PERCENTS)), rows)


def crowd_table(found, data: str, columns: int) -> style.Table:
    """Accuracy, clusters and entries of the schemes, the rank cut after.

    Parameters
    ----------
    found : Found
        Of `findings.CROWDS`.
    data : str
    columns : int
        How many are drawn.

    Raises
    ------
    ValueError
        If the experiment has not drawn as many.
    """
    settings = found.experiment.settings
    if columns not in settings:
        known = ", ".join(map(str, settings))
        raise ValueError(f"columns: expected one of {known}, got {columns}")
    at, rows = settings.index(columns), []
    entries = {"uniform": 0, "norm": 100, "leverage": 100, "ridge": 100}
    for name in (*entries, "recursive"):
        if name == "recursive":
            asked = found.measured("entries", name, data)[:, at].mean()
        else:
            asked = entries[name]
        label = found.experiment.competitors[name].label.partition(",")[0]
        accuracy = _mean(found.measured("accuracy", name, data)[:, at])
        clusters = found.measured("clusters", name, data)[:, at].mean()
        rows.append((label, accuracy, f"{clusters:.1f}", f"{asked:.0f}"))
    axes = {field.name: field.axis for field in found.experiment.fields}
    header = ("scheme", axes["accuracy"], axes["clusters"])
    return style.Table((*header, "entries to choose, % of all"), rows)
