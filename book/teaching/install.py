"""What students install: the package as a wheel, and what it needs, pinned."""

import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from shutil import copy2, copytree, ignore_patterns

ROOT = Path(__file__).resolve().parents[2]
BUILT_FROM = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
TO_WORK = ("jupyterlab", "ipykernel")  # what the notebooks need besides


def wheel(folder):
    """Build the wheel of the package into a folder; return its path."""
    with tempfile.TemporaryDirectory() as scratch:
        for name in BUILT_FROM:
            copy2(ROOT / name, scratch)
        left = ignore_patterns("__pycache__", "tests")
        copytree(ROOT / "nystheory", Path(scratch, "nystheory"), ignore=left)
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
        subprocess.run([*command, "--wheel-dir", str(folder), scratch], check=True)
    return next(folder.glob("nystheory-*.whl"))


def requirements():
    """The pins of the package's own dependencies, and of JupyterLab."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = {re.match(r"[\w-]+", line)[0] for line in project["dependencies"]}
    pins = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    names |= {*TO_WORK}
    return [line for line in pins if re.match(r"[\w-]*", line)[0] in names]


def write(folder):
    """Write wheel and requirements; return the path of the latter."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "requirements.txt"
    lines = [*requirements(), f"./{wheel(folder).name}"]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path
