"""What does an experiment say?  Its findings, and what experiments share.

An `Experiment` says who competes and on which data; its findings are lines in what it
measures.  The draws are stored beside its chapter; the page prints what was found.
"""

from nystheory.engine.findings.experiment import Experiment
from nystheory.engine.findings.fields import Field, Series
from nystheory.engine.findings.parts import (
    EACH,
    MEAN,
    Choice,
    Competitor,
    Data,
    Finding,
    Trial,
)

__all__ = [
    "EACH",
    "MEAN",
    "Choice",
    "Competitor",
    "Data",
    "Experiment",
    "Field",
    "Finding",
    "Series",
    "Trial",
]
