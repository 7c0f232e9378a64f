"""One thread in each worker, one store of verdicts, one budget of false alarms."""

import os
import shutil
import tempfile

import pytest

from nystheory.engine import statistics, store

for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # pytest runs two workers already


def pytest_configure(config):
    """Make a new store for this run; workers and notebooks inherit its name."""
    if store.VARIABLE not in os.environ:
        os.environ[store.VARIABLE] = tempfile.mkdtemp(prefix="verdicts-")
        config.made_store = os.environ[store.VARIABLE]


def pytest_sessionfinish(session):
    """Red, when chance alone could turn the run red too easily."""
    config = session.config
    if getattr(config, "made_store", None):
        config.false_alarms = statistics.spent()
        if config.false_alarms > statistics.FALSE_ALARMS:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    """Say what was spent of the budget."""
    if getattr(config, "made_store", None):
        spent, budget = config.false_alarms, statistics.FALSE_ALARMS
        told = f"false alarms by chance: below {spent:.1e} of {budget:.0e}"
        terminalreporter.write_line(told, red=spent > budget)


def pytest_unconfigure(config):
    """Verdicts are for one run."""
    if getattr(config, "made_store", None):
        shutil.rmtree(config.made_store, ignore_errors=True)
