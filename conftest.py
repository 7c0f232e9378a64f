"""One thread in each worker, one store of verdicts, and what a whole run must show.

At the end of a run two things are asked of it, and not of the texts: whether each
chapter that ran had the good verdict of every theorem that it states, and whether all
statistical tests together stay within the budget of false alarms.
"""

import gc
import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from book import one_processor  # noqa: F401  before NumPy
from nystheory.chapters import theorems
from nystheory.engine.report import gates
from nystheory.engine.trial import statistics, store

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
def pytest_collection():
    """Of all that is made while tests are found, nothing is garbage until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collectstart(collector):
    """The frames of a slider are pictures in HTML: nbval is to compare the words."""
    from compared import PICTURE

    if hasattr(collector, "sanitize_patterns"):
        collector.sanitize_patterns[PICTURE] = ""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """A cell of a notebook: the numbers of its page are those of the run.

    What nbval ignores is compared nearly: see `book/compared.py`.  And the solutions
    are graded, as in a student's copy that has them pasted in, and once more with wrong
    answers under each name: some must be refused.  With --nbval-lax a
    reader has changed something: then nothing is compared but verdicts.
    """
    cell, notebook = getattr(item, "cell", None), item.parent
    if cell is None:
        return (yield)
    around = rehearsed(notebook).get(cell.get("id"), ("", "", ""))
    before, after, wrongly = around
    told(notebook.kernel, before)
    result = yield
    if not item.config.option.nbval_lax:
        wrong = wrong_numbers(item)
        assert not wrong, "\n".join(wrong)
    if after:
        graded = told(notebook.kernel, after)
        assert ": right\n" in graded, f"{item.nodeid}: its own solution: {graded}"
        passed = told(notebook.kernel, wrongly)
        assert "let pass: []" in passed, f"{item.nodeid}: no wrong answer is {passed}"
    return result


def wrong_numbers(item):
    """What the page says, and the run does not."""
    from compared import strays, text_of, varies

    cell, chapter = item.cell, item.path.stem
    nearly = "nbval-ignore-output" in cell.metadata.get("tags", [])
    wrong = []
    if nearly and cell.execution_count and not varies(cell.source, chapter):
        found = strays(text_of(cell.outputs), text_of(item.test_outputs))
        wrong += [f"{item.nodeid}: {found}"] * bool(found)
    said = {
        expression: value
        for expression, value in cell.metadata.get("said", {}).items()
        if not (nearly and varies(expression, chapter))
    }
    now = values(item.parent.kernel, said) if said else {}
    return wrong + [
        f"{item.nodeid}: the page says {said[each]!r} for {{{{ {each} }}}}, "
        f"and the run {now[each]!r}"
        for each in said
        if (strays(said[each], now[each]) if nearly else said[each] != now[each])
    ]


def rehearsed(notebook):
    """What a student's copy runs around the solutions of a notebook, by cell."""
    import copies

    if not hasattr(notebook, "rehearsal"):
        notebook.rehearsal = copies.rehearsal(notebook.nb)
    return notebook.rehearsal


def values(kernel, expressions):
    """What some expressions are in the kernel of a notebook that is being tested."""
    from make_notebooks import evaluating

    return json.loads(told(kernel, evaluating(expressions)))


def told(kernel, code):
    """What some code prints in the kernel of a notebook; its error, if it has one."""
    if not code:
        return ""
    asked = kernel.execute_cell_input(code, allow_stdin=False)
    kernel.await_reply(asked, timeout=60)
    out, state = "", ""
    while state != "idle":
        message = kernel.get_message("iopub", timeout=60)
        if message["parent_header"].get("msg_id") == asked:
            content = message["content"]
            out += content.get("text", "")
            if message["msg_type"] == "error":
                out += f"{content['ename']}: {content['evalue']}"
            state = content.get("execution_state", state)
    return out


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
