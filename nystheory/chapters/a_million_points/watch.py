"""The seconds and the memory of a step, and the machine that it ran on."""

from __future__ import annotations

import os
import platform
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path


@dataclass(frozen=True)
class Step:
    """What one step asked for.

    Attributes
    ----------
    name : str
    seconds : float
    memory : float
        The peak of resident memory while it ran, in GB, that of other processes
        included; NaN where the system does not tell.
    """

    name: str
    seconds: float
    memory: float


@contextmanager
def watched(name: str, steps: list):
    """Time what is done, and watch the memory of this process and of its children.

    Parameters
    ----------
    name : str
    steps : list of Step
        Gets one more.

    Examples
    --------
    >>> steps = []
    >>> with watched("graph", steps):
    ...     pass
    >>> steps[0].name
    'graph'
    """
    _reset_peak()
    watch = _Children()
    start = time.perf_counter()
    yield
    seconds = time.perf_counter() - start
    steps.append(Step(name, seconds, _own_peak() + watch.peak()))


class _Children(threading.Thread):
    """The largest sum of the resident memory of child processes, sampled, in GB."""

    def __init__(self):
        super().__init__(daemon=True)
        self._ended, self._most = threading.Event(), 0.0
        self.start()

    def run(self):
        while not self._ended.wait(0.05):
            self._most = max(self._most, sum(map(_resident, _children())))

    def peak(self):
        self._ended.set()
        self.join()
        return self._most


def _children():
    """Identifiers of child processes, where the system tells them."""
    found = []
    for told in Path("/proc/self/task").glob("*/children"):
        try:
            found += told.read_text("utf-8").split()
        except OSError:  # the thread has ended
            pass
    return found


def _resident(process):
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text("utf-8").split()[1])
    except (OSError, IndexError, ValueError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e9


def _reset_peak():
    """Let the peak of resident memory begin anew, where the system allows it."""
    try:
        Path("/proc/self/clear_refs").write_text("5", "utf-8")
    except OSError:
        pass


def _own_peak():
    """In GB, NaN where the system does not tell."""
    try:
        told = Path("/proc/self/status").read_text("utf-8")
    except OSError:
        return float("nan")
    kilobytes = told.partition("VmHWM:")[2].split()[0]
    return int(kilobytes) * 1024 / 1e9


def machine(jobs: int) -> str:
    """The processor, its cores and memory, and the versions that matter.

    Examples
    --------
    >>> "NumPy" in machine(1)
    True
    """
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if "model name" in line)
    names = next(names, platform.machine())
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
        told = f", {memory:.0f} GiB"
    except (AttributeError, ValueError, OSError):
        told = ""
    packages = {"numpy": "NumPy", "scipy": "SciPy", "scikit-learn": "scikit-learn"}
    packages["faiss-cpu"] = "faiss"
    versions = (f"{name} {version(key)}" for key, name in packages.items())
    python = f"Python {platform.python_version()}"
    return f"{names}, {jobs} of {os.cpu_count()} cores{told}; " + ", ".join(
        (python, *versions)
    )
