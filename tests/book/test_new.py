"""One theorem and one chapter are begun, are found everywhere, and leave no trace."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import new
import pytest
from statements_of_texts import faults, proved, read, surprises, unowned

ROOT = Path(__file__).resolve().parents[2]
# Another worker may be writing them.
COMPILED = shutil.ignore_patterns("__pycache__")
KEPT = ("book/md", "book/references.bib", "nystheory", "_toc.yml", "jupytext.toml")


@pytest.fixture
def copy(tmp_path):
    """What a theorem is made of, in another folder."""
    for name in (*KEPT, *(f"book/{path.name}" for path in ROOT.glob("book/*.py"))):
        source, target = ROOT / name, tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=COMPILED)
        else:
            shutil.copy(source, target)
    (tmp_path / "book" / "notebooks").mkdir()
    return tmp_path


def everything(root):
    """Contents of all files, by path; compiled ones apart."""
    paths = (path for path in root.rglob("*") if path.is_file())
    kept = (path for path in paths if "__pycache__" not in path.parts)
    return {path.relative_to(root): path.read_bytes() for path in kept}


def run(root, *command):
    env = {**os.environ, "PYTHONPATH": str(root), "OPENBLAS_NUM_THREADS": "1"}
    env.pop("NYSTHEORY_VERDICTS", None)
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, cwd=root, env=env
    )
    return done.returncode, done.stdout + done.stderr


ASKED = """
from nystheory import theorems
from nystheory.__main__ import main
assert not main(["where", "book:norms-of-a-trial"])
assert not main(["verify", "book:norms-of-a-trial"])
print("last of part II:", [x.id for x in theorems.part("II")][-1])
"""


def test_a_chapter_and_a_theorem_are_found_by_everybody(copy):
    before = everything(copy)
    new.chapter("trial", "A trial", "II", copy)
    new.theorem("trial", "norms_of_a_trial", copy)
    code, told = run(copy, "-c", ASKED)  # one process, since each takes two seconds
    assert code == 0, told
    assert "nystheory/chapters/trial/theorems/norms_of_a_trial.py:9" in told
    assert "text     book/md/trial.md:" in told
    assert "verified" in told and "last of part II: book:norms-of-a-trial" in told
    code, told = run(copy, "book/make_notebooks.py", "trial")
    assert code == 0, told
    notebook = (copy / "book/notebooks/trial.ipynb").read_text()
    assert "norms of the error" in notebook and "{{" not in notebook
    assert r"\\|K-\\tilde K\\|_F \\le \\|K-\\tilde K\\|_*" in notebook
    register = (copy / "nystheory/chapters/register.csv").read_text()
    (row,) = [x for x in register.splitlines() if x.startswith("book:norms-of-a-trial")]
    assert re.fullmatch(r".*,new,DRAFT,Theorem \d+\.1", row)
    assert f"**{row.rpartition(',')[2]}** DRAFT" in notebook
    code, told = run(copy, "book/make_notebooks.py", "trial", "--check")
    assert code == 0, told
    # And away: the folder, the text, one line in the table of contents, one row.
    shutil.rmtree(copy / "nystheory" / "chapters" / "trial")
    for path in ("book/md/trial.md", "book/notebooks/trial.ipynb"):
        (copy / path).unlink()
    for path in ("_toc.yml", "nystheory/chapters/register.csv"):
        lines = (copy / path).read_text().splitlines(keepends=True)
        kept = [x for x in lines if not re.search("/trial$|,new,DRAFT,", x.rstrip())]
        (copy / path).write_text("".join(kept))
    code, told = run(copy, "book/make_notebooks.py", "glossary")
    assert everything(copy).keys() - before.keys() <= {GLOSSARY}
    after = {k: v for k, v in everything(copy).items() if k != GLOSSARY}
    assert after == before, "the numbers of the others come back"


GLOSSARY = Path("book/notebooks/glossary.ipynb")


def test_what_is_begun_is_in_the_language_of_texts(copy):
    """The gates have nothing against it, or would only of its object."""
    new.chapter("trial", "A trial", "II", copy)
    new.theorem("trial", "norms_of_a_trial", copy)
    text = (copy / "book" / "md" / "trial.md").read_text()
    assert surprises(text) + unowned(text) == []
    assert proved(text) == ["book:norms-of-a-trial"]
    assert faults("trial", text) == [
        "trial, book:norms-of-a-trial: no registered object"
    ]
    kinds = [b.inside.split(")")[0] for b in read(text)[0] if b.name == "exercise"]
    assert kinds == ["(warm-up", "(warm-up", "(paper", "(computer", "(break this bound"]


def test_a_theorem_comes_before_the_end_of_its_chapter(copy):
    new.theorem("concentration", "norms_of_a_trial", copy)
    text = (copy / "book" / "md" / "concentration.md").read_text()
    assert text.index("book:norms-of-a-trial") < text.index("## What can go wrong")
    rows = (copy / "nystheory" / "chapters" / "register.csv").read_text().splitlines()
    place = rows.index("book:norms-of-a-trial,III,inequality,new,DRAFT,")
    before = re.findall(r"^:::\{\w+\} (\w+:\S+)$", text, re.M)
    last = before[before.index("book:norms-of-a-trial") - 1]
    assert rows[place - 1].startswith(f"{last},")


def test_one_name_is_that_of_one_theorem(copy):
    new.theorem("coherence", "norms_of_a_trial", copy)
    before = everything(copy)
    with pytest.raises(ValueError, match="the register has book:norms-of-a-trial"):
        new.theorem("concentration", "norms_of_a_trial", copy)
    assert everything(copy) == before


def test_the_next_part_begins_with_its_first_chapter(copy):
    before = (copy / "_toc.yml").read_text("utf-8")
    new.chapter("trial", "Trial", "IX", copy)
    new.chapter("retrial", "Retrial", "IX", copy)
    told = (copy / "_toc.yml").read_text("utf-8")
    begun = (
        '  - caption: "Part IX: DRAFT"\n    numbered: true\n    chapters:\n'
        "      - file: book/notebooks/trial\n      - file: book/notebooks/retrial\n"
    )
    assert f"{begun}  - caption: Reference\n" in told
    assert told.replace(begun, "") == before
    new.theorem("trial", "norms_of_a_trial", copy)
    register = (copy / "nystheory" / "chapters" / "register.csv").read_text("utf-8")
    assert "book:norms-of-a-trial,IX,inequality,new,DRAFT," in register


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda root: new.theorem("nowhere", "norms", root), "chapter: expected"),
        (lambda root: new.theorem("coherence", "Norms", root), "name: expected small"),
        (lambda root: new.theorem("coherence", "leverage", root), "exists already"),
        (lambda root: new.chapter("coherence", "Again", "II", root), "exists already"),
        (lambda root: new.chapter("trial", "Trial", "XI", root), "IX, the next"),
        (lambda root: new.chapter("trial", "Trial", "I.*", root), "part: expected"),
        (lambda root: new.chapter("trial", "Trial", "(", root), "part: expected"),
        (lambda root: new.chapter("trial", 'Say "it"', "II", root), "title: expected"),
        (lambda root: new.chapter("trial", " ", "II", root), "title: expected"),
        (lambda root: new.chapter("class", "Class", "II", root), "name: expected"),
        (lambda root: new.theorem("./coherence", "new", root), "chapter: expected"),
    ],
)
def test_what_cannot_be_made(copy, make, says):
    before = everything(copy)
    with pytest.raises(ValueError, match=says):
        make(copy)
    assert everything(copy) == before
