"""One thread in each worker, one store of verdicts, and what a whole run must show.

At the end of a run two things are asked of it, and not of the texts: whether each
chapter that ran had the good verdict of every theorem that it states, and whether all
statistical tests together stay within the budget of false alarms.
"""

import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from nystheory import style
from nystheory.chapters import theorems
from nystheory.engine import gates, statistics, store

sys.path.append(str(Path(__file__).parent / "book"))

RAN = set()

for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # pytest runs two workers already
# A progress bar shows on slow machines only, and a notebook's output is compared.
os.environ.setdefault("TQDM_DISABLE", "1")


def pytest_configure(config):
    """Make a new store for this run; workers and notebooks inherit its name."""
    if store.VARIABLE not in os.environ:
        os.environ[store.VARIABLE] = tempfile.mkdtemp(prefix="verdicts-")
        config.made_store = os.environ[store.VARIABLE]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """After a cell of a notebook: the numbers that its page says are those of the run.

    What a cell with the tag nbval-ignore-output leads to may differ, like its output.
    """
    cell, notebook = getattr(item, "cell", None), item.parent
    if cell is None:
        return (yield)
    if style.DARK not in notebook.skip_compare:  # pictures are not compared
        notebook.skip_compare += (style.DARK,)
    result = yield
    said = cell.metadata.get("said", {})
    if said and "nbval-ignore-output" not in cell.metadata.get("tags", []):
        now = values(notebook.kernel, said)
        wrong = [
            f"{item.nodeid}: the page says {said[each]!r} for {{{{ {each} }}}}, "
            f"and the run {now[each]!r}"
            for each in said
            if now[each] != said[each]
        ]
        assert not wrong, "\n".join(wrong)
    return result


def values(kernel, expressions):
    """What some expressions are in the kernel of a notebook that is being tested."""
    from make_notebooks import evaluating

    asked = kernel.execute_cell_input(evaluating(expressions))
    kernel.await_reply(asked, timeout=60)
    told, state = "", ""
    while state != "idle":
        message = kernel.get_message("iopub", timeout=60)
        if message["parent_header"].get("msg_id") == asked:
            told += message["content"].get("text", "")
            state = message["content"].get("execution_state", state)
    return json.loads(told)


def pytest_runtest_logreport(report):
    """Remember which notebooks ran, and to their end."""
    found = re.search(r"notebooks/(\w+)\.ipynb", report.nodeid)
    if found:
        RAN.add(found[1])


def pytest_sessionfinish(session):
    """Red, when the run as a whole is."""
    config = session.config
    if getattr(config, "made_store", None):
        config.complaints = gates.complaints(RAN, theorems)
        if config.complaints:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    """Say what was spent of the budget, and what is wrong."""
    if getattr(config, "made_store", None):
        spent, budget = statistics.spent(), statistics.FALSE_ALARMS
        told = f"false alarms by chance: below {spent:.1e} of {budget:.0e}"
        terminalreporter.write_line(told)
        for complaint in config.complaints:
            terminalreporter.write_line(f"run: {complaint}", red=True)


def pytest_unconfigure(config):
    """Verdicts are for one run."""
    if getattr(config, "made_store", None):
        shutil.rmtree(config.made_store, ignore_errors=True)
