"""Verdicts are computed once in a run, and never when something has changed."""

import ast
import pickle
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from nystheory.chapters import theorems
from nystheory.engine.report import gates
from nystheory.engine.trial import statistics, store
from nystheory.engine.trial.verification import verify

ROOT = Path(__file__).resolve().parents[2]
THEOREM = theorems["talwalkar2010:eq-2.5"]  # one of the fastest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(store.VARIABLE, str(tmp_path))
    return tmp_path


def test_the_second_verdict_is_the_first(folder):
    first, second = (verify(THEOREM, effort="quick") for _ in range(2))
    assert first and second and second.theorem is THEOREM
    assert first.seconds == second.seconds
    assert len(list(folder.glob("*.pickle"))) == 1
    assert not list(folder.glob("*.lock"))


@pytest.mark.parametrize("kept", [True, False])
def test_an_effort_means_what_it_says(kept, tmp_path, monkeypatch):
    """Whether verdicts are kept or not; a quick one is filed apart from a full one."""
    monkeypatch.setenv(store.VARIABLE, str(tmp_path) if kept else "")
    quick, full = (verify(THEOREM, effort=effort) for effort in ("quick", "full"))
    again = verify(THEOREM, effort="quick")
    assert [v.effort for v in (quick, full, again)] == ["quick", "full", "quick"]
    assert quick.tried == again.tried < full.tried / 2
    assert len(list(tmp_path.glob("*.pickle"))) == 2 * kept
    assert quick.row()["effort"] == "quick"


def test_a_generator_of_ones_own_is_not_answered_from_the_store(folder, rng=7):
    import numpy as np

    verify(THEOREM, np.random.default_rng(rng), effort="quick")
    assert not list(folder.glob("*.pickle"))


def test_a_bad_verdict_is_never_kept(folder):
    bad = verify(THEOREM, effort="quick").of(THEOREM)
    for path in folder.glob("*.pickle"):
        path.unlink()
    false = THEOREM.but(controls={})
    assert not store.kept(THEOREM, "full", lambda: verify(false, effort="quick"))
    assert bad and not list(folder.glob("*.pickle"))


def test_a_lock_whose_owner_died_is_taken_over(folder):
    key = store.contents(THEOREM)[:24]
    lock = folder / f"talwalkar2010-eq-2.5-quick-{key}.lock"
    lock.write_text("999999999")
    assert verify(THEOREM)


CHANGE = """
    import os, sys
    from nystheory.engine.trial import store
    from nystheory.engine import verify
    from nystheory.chapters import theorems
    theorem = theorems["talwalkar2010:eq-2.5"]
    print(verify(theorem).seconds, store.contents(theorem))
"""


def test_one_digit_in_an_imported_module_is_noticed(tmp_path):
    """In a copy of the package: a new number in the engine, and all is computed anew.

    What people read of a module, and no machine, changes nothing.
    """
    copy, verdicts = tmp_path / "copy", tmp_path / "verdicts"
    compiled = shutil.ignore_patterns("__pycache__")  # another worker may write them
    shutil.copytree(ROOT / "nystheory", copy / "nystheory", ignore=compiled)
    verdicts.mkdir()
    env = {"PYTHONPATH": str(copy), store.VARIABLE: str(verdicts), "PATH": ""}
    env["OPENBLAS_NUM_THREADS"] = "1"

    def run():
        command = [sys.executable, "-c", textwrap.dedent(CHANGE)]
        done = subprocess.run(
            command, env=env, capture_output=True, text=True, cwd=copy
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    first, again = run(), run()
    assert first == again
    changed = copy / "nystheory" / "engine" / "language" / "numbers.py"
    source = changed.read_text("utf-8")
    words = source.replace("A number without error.", "Without error.") + "# So.\n"
    changed.write_text(words, "utf-8")
    assert words != source and run() == first
    digit = words.replace("SCALAR, MATRIX = 4 *", "SCALAR, MATRIX = 5 *")
    changed.write_text(digit, "utf-8")
    assert digit != words and run()[1] != first[1]
    assert len(list(verdicts.glob("*.pickle"))) == 2


PLANTED = {
    "planted/__init__.py": "",
    "planted/start.py": "import planted as p\np.room.inner.answer()\n",
    "planted/other.py": "from planted import room as r\nx = r.inner.answer\n",
    "planted/near.py": "from . import room\nfrom .room import more\n",
    "planted/deep.py": "import planted.room.more\nplanted.room.inner.answer()\n",
    "planted/room/__init__.py": "",
    "planted/room/inner.py": "answer = int\n",
    "planted/room/more.py": "",
    "planted/house/__init__.py": "from . import door\n",
    "planted/house/door.py": "from ..room import more\n",
}
ROOM = "planted.room"
INNER, MORE, DOOR = f"{ROOM}.inner", f"{ROOM}.more", "planted.house.door"


@pytest.mark.parametrize(
    ("module", "reached"),
    [
        ("start", {ROOM, INNER}),
        ("other", {ROOM, INNER}),
        ("near", {ROOM, MORE}),
        ("deep", {ROOM, INNER, MORE}),
        ("house", {DOOR, ROOM, MORE}),
    ],
)
def test_what_is_reached_through_a_package_is_followed(
    module, reached, tmp_path, monkeypatch
):
    """After ``import p`` by ``p.room.inner``; the folders of a module count as well."""
    for name, source in PLANTED.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    for cached in (store.file_of, store._imports):
        cached.cache_clear()
    found = store.imported(f"planted.{module}", "planted")
    for name in [name for name in sys.modules if name.split(".")[0] == "planted"]:
        del sys.modules[name]
    assert found == {"planted", f"planted.{module}", *reached}


def test_what_is_filed_can_be_read_without_the_theorem(folder):
    verify(THEOREM)
    (path,) = folder.glob("*.pickle")
    assert pickle.loads(path.read_bytes()).theorem is None


# --- What a whole run must show -------------------------------------------------------


def test_a_chapter_without_a_verdict_is_a_complaint(folder):
    (told,) = gates.complaints({"kernel_matrices"}, theorems)
    assert "kernel_matrices has no good verdict of talwalkar2010:def-2.1" in told
    (folder / store.ASKED).write_text("kernel_matrices talwalkar2010:def-2.1 refuted\n")
    assert gates.complaints({"kernel_matrices"}, theorems)
    (folder / store.ASKED).write_text(
        "kernel_matrices talwalkar2010:def-2.1 verified\n"
    )
    assert gates.complaints({"kernel_matrices"}, theorems) == []
    assert gates.complaints({"no_chapter"}, theorems) == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("x = 1", "x = 1  # one", True),
        ("def f():\n    'Old.'\n    return 1", "def f():\n    return 1", True),
        ("'Old.'\nx = 1", "'New.'\n\nx = (1)", True),
        ("x = 1", "x = 1.0", False),
        ("x = 1", "x = True", False),
        ("x = '1'", "x = 1", False),
        ("x = a - b", "x = b - a", False),
        ("f(a, b)", "f((a, b))", False),
        ("f(a)\ng(b)", "g(b)\nf(a)", False),
        ("if a:\n    b\nc", "if a:\n    b\n    c", False),
        ("def f():\n    return 'Old.'", "def f():\n    return 'New.'", False),
        ("x = f'{a}{b}'", "x = f'{a} {b}'", False),
        ("x = f'{a:2}'", "x = f'{a:3}'", False),
        ("x = f'{a!r}'", "x = f'{a!s}'", False),
        ("x = None", "x = 0", False),
        ("return_ = 0", "return_: int = 0", False),
        ("def f(a, b): 0", "def f(a, *, b): 0", False),
        ("def f(a=0): 0", "def f(a=1): 0", False),
        ("@one\ndef f(): 0", "@other\ndef f(): 0", False),
    ],
)
def test_what_a_module_does_is_told_apart_from_what_is_said_of_it(
    one, other, same, monkeypatch
):
    digests = []
    for source in (one, other):
        monkeypatch.setattr(store, "_tree", lambda _, source=source: ast.parse(source))
        store.code.cache_clear()
        digests.append(store.code("planted"))
    store.code.cache_clear()
    assert (digests[0] == digests[1]) is same


def test_a_notebook_under_test_is_known_by_its_name(folder, monkeypatch):
    name = "book/notebooks/kernel_matrices.ipynb::Cell 0 (setup)"
    monkeypatch.setenv("PYTEST_CURRENT_TEST", name)
    verify(THEOREM)
    assert store.asked() == {"kernel_matrices": {THEOREM.id}}


def test_an_overspent_budget_is_a_complaint(folder):
    statistics.spend("one test", statistics.FALSE_ALARMS / 2)
    assert gates.complaints((), theorems) == []
    statistics.spend("another", statistics.FALSE_ALARMS)
    (told,) = gates.complaints((), theorems)
    assert "false alarm" in told


def test_a_verdict_depends_on_the_exact_routes_of_its_chapter_and_of_all(monkeypatch):
    """A digest changes with each file of the room of proofs, and of the chapter."""
    theorem = theorems["talwalkar2010:eq-4.1"]
    before, seen = store.contents(theorem), []
    plain = store.code
    for name in (
        "nystheory.chapters.ensembles.exact_mixtures",
        "nystheory.exact.spectra_of_none",
        "nystheory.exact.vectors",
        "nystheory.exact.laws",
    ):
        with monkeypatch.context() as patch:
            patch.setattr(store, "code", lambda m, n=name: plain(m) + "x" * (m == n))
            seen.append(store.contents(theorem) != before)
    assert seen == [True, False, True, True]


def test_a_verdict_depends_on_the_versions_of_what_computes(monkeypatch):
    theorem = theorems["talwalkar2010:eq-4.1"]
    before = store._key(theorem)
    monkeypatch.setattr(store, "version", lambda name: "0.0")
    assert store._key(theorem) != before
