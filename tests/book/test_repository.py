"""What must be true of the files themselves: layout, pins, README, form of chapters."""

import ast
import json
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import labels
import nbformat
import pytest
import yaml
from make_notebooks import NEEDS
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from statements_of_texts import read

from nystheory import __main__ as command_line

ROOT = Path(__file__).resolve().parents[2]
TOP_LEVEL = {
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "_config.yml",
    "_toc.yml",
    "book",
    "conftest.py",
    "jupytext.toml",
    "nystheory",
    "pyproject.toml",
    "requirements.lock",
    "requirements.txt",
    "setup.py",
    "tests",
}
NOT_OURS = {"__pycache__", "_build", "build", "dist"}
BINARY = {".gif", ".ico", ".jpg", ".npz", ".pdf", ".png"}
CELL_LINES, CELL_COLUMNS = 12, 79
# What a code cell may be tagged with. A skipped or removed cell would hide something
# from the test or from the reader.
TAGS = {
    "full-width",
    "hide-cell",
    "hide-input",
    "hide-output",
    "nbval-ignore-output",
    "raises-exception",
    "scroll-output",
}
# Only a text has the first, and only a notebook the others.
SHOW, MADE = "show-input", {"solution", "nbval-check-output"}
# What a text says and no notebook may.
UNWRITTEN = re.compile(r"\{\{ |\{(?:ref|cite|term|numref|glue)|told\[|^:{3,}", re.M)
SMALLEST_FONT = 8
KINDS = ("paper", "computer", "break this bound")


def repository_files():
    """Return the files that git tracks, or all but the generated ones without git."""
    if (ROOT / ".git").exists() and shutil.which("git"):
        command = ["git", "-C", str(ROOT), "ls-files", "-z"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            paths = [ROOT / name for name in done.stdout.split("\0") if name]
            return [path for path in paths if path.is_file()]

    def generated(path):
        parts = path.relative_to(ROOT).parts
        return any(
            part in NOT_OURS or part.endswith(".egg-info") for part in parts
        ) or any(part[0] == "." and part not in {".ci", ".github"} for part in parts)

    return [path for path in ROOT.rglob("*") if path.is_file() and not generated(path)]


def notebooks():
    """Return the paths of all notebooks of the book."""
    return sorted((ROOT / "book" / "notebooks").glob("*.ipynb"))


def chapters():
    """Return the texts of the chapters, which are the pages of the numbered parts."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    parts = [part for part in toc["parts"] if part["caption"].startswith("Part")]
    names = [Path(page["file"]).name for part in parts for page in part["chapters"]]
    paths = [ROOT / "book" / "md" / f"{name}.md" for name in names]
    return [path for path in paths if path.exists()]


def texts():
    """Return the paths of all texts of the book."""
    return sorted((ROOT / "book" / "md").glob("*.md"))


def code_cells(path):
    """Return the code cells of a notebook, each with a name to find it by."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return [
        (f"{path.stem}, {cell['id']}", "".join(cell["source"]), cell)
        for cell in cells
        if cell["cell_type"] == "code"
    ]


def outputs_of(cell, kind):
    """Return the outputs of a cell that have data of one kind, as strings."""
    data = [output.get("data", {}) for output in cell["outputs"]]
    return ["".join(each[kind]) for each in data if kind in each]


def each_cell():
    """Return the code cells of all notebooks."""
    return [cell for path in notebooks() for cell in code_cells(path)]


# ---- layout ----


def test_top_level():
    """The top level holds what the README says, and only that besides dot files."""
    assert [name for name in TOP_LEVEL if not (ROOT / name).exists()] == []
    found = {path.relative_to(ROOT).parts[0] for path in repository_files()}
    assert {name for name in found if name[0] != "."} - TOP_LEVEL == set()


MACHINE = re.compile(
    r"(?<![\w.])/(?:work|farm|root|tmp|home|Users)/[A-Za-z0-9_.-]+"
    r"|[A-Z]:\\Users"
    r"|pypi\.org|pythonhosted|npmjs|anaconda\.org|artifactory|devpi|index-url"
)


def test_no_machine_is_named():
    """No file names a folder of somebody's machine or the host of a registry."""
    told = []
    for path in repository_files():
        if path.suffix in BINARY or path == Path(__file__).resolve():
            continue
        text = path.read_text("utf-8")
        if path.suffix == ".ipynb":  # pictures are long and say nothing
            text = re.sub(r'"(image/png|application/vnd[^"]*)": "[^"]*"', "", text)
        for found in MACHINE.finditer(text):
            told.append(f"{path.relative_to(ROOT)}: {found[0]}")
    assert told == []


def test_machine_paths_are_seen():
    """The check above finds what it is there for."""
    assert MACHINE.search("File /ho" + "me/someone/book.py, line 3")
    assert MACHINE.search("https://py" + "pi.org/simple")
    assert not MACHINE.search("the ratio n/home or ../shared/data")


# ---- pins ----


def pins():
    """Return the requirements of requirements.txt that hold here or elsewhere."""
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    first, *rest = [line for line in lines if line and not line.startswith("#")]
    assert first == "-e ."  # a Python that it cannot have is named before all else
    return [Requirement(line) for line in rest]


def pinned(python):
    """Return the pins of one version of Python, by name."""
    there = {"python_version": python, "python_full_version": f"{python}.0"}
    held = [pin for pin in pins() if not pin.marker or pin.marker.evaluate(there)]
    found = {canonicalize_name(pin.name): pin for pin in held}
    assert len(found) == len(held), python
    return found


def version(requirement):
    """Return the version that a requirement pins."""
    (pin,) = requirement.specifier
    return pin.version


def pythons():
    """Return the versions of Python that are served, as setup.py has them."""
    words = (ROOT / "setup.py").read_text("utf-8")
    (ends,) = re.findall(r"^OLDEST, NEWEST = (.*)$", words, re.M)
    (_, oldest), (_, newest) = ast.literal_eval(ends)
    return [f"3.{minor}" for minor in range(oldest, newest + 1)]


def test_no_draft_is_left():
    """What `book/new.py` leaves for an author to write."""
    texts = [ROOT / "_toc.yml", *ROOT.glob("book/md/*.md")]
    texts += ROOT.glob("nystheory/chapters/**/*.py")
    told = [path.name for path in texts if "DRAFT" in path.read_text("utf-8")]
    assert not told, f"to be written: {told}"


def test_requirements_are_pinned():
    """Every direct dependency has one exact version for each Python."""
    for requirement in pins():
        assert [pin.operator for pin in requirement.specifier] == ["=="], requirement
    needed = "jupyterlab jupytext numpy scipy matplotlib nbval sympy jupyter-book"
    for python in pythons():
        assert set(needed.split()) - pinned(python).keys() == set()


def test_lock_agrees_with_the_pins():
    """The lock has the same versions, a hash for each, and no address."""
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    assert "://" not in lock
    entries = re.findall(r"^([a-z0-9-]+)==([^ ;]+)(.*(?:\n .*)*)", lock, re.MULTILINE)
    assert [name for name, _, rest in entries if "--hash=sha256:" not in rest] == []
    locked = {(name, number) for name, number, _ in entries}
    wanted = {(canonicalize_name(each.name), version(each)) for each in pins()}
    assert wanted - locked == set()


def test_package_alone_is_light_and_its_ranges_hold_the_pins():
    """pip install . brings ten libraries; the pins lie inside every range."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    light = {Requirement(line).name for line in project["dependencies"]}
    wanted = "joblib matplotlib numpy pillow python-flint scikit-learn scipy sympy"
    assert light == {*wanted.split(), "threadpoolctl", "tqdm"}
    book = project["optional-dependencies"]["book"]
    for line in project["dependencies"] + book:
        ranged = Requirement(line)
        for python in pythons():
            pin = version(pinned(python)[canonicalize_name(ranged.name)])
            assert ranged.specifier.contains(pin), line


def test_pythons_that_are_served():
    """setup.py, the metadata and the README name the same versions of Python."""
    served = pythons()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    minor = [f"3.{number}" for number in range(30)]
    allowed = SpecifierSet(project["requires-python"])
    assert [each for each in minor if allowed.contains(each)] == served
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"Python {served[0]} to {served[-1]} " in readme


@pytest.mark.parametrize("which", ["too old", "too new"])
def test_a_python_that_is_not_served_is_told_so(which):
    """Set-up stops at once, with what was expected and what came."""
    served = pythons()
    minor = {"too old": served[0], "too new": served[-1]}[which].split(".")[1]
    told = (3, int(minor) - 1) if which == "too old" else (3, int(minor) + 1)
    code = (
        f"import runpy, sys; sys.version_info = {told}; sys.argv[1:] = ['--version']; "
        "runpy.run_path('setup.py')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1 and not done.stdout
    assert f"expected {served[0]} to {served[-1]}" in done.stderr
    assert f"got {told[0]}.{told[1]}" in done.stderr


def test_every_python_that_is_served_is_taken(monkeypatch):
    made = []
    monkeypatch.setattr("setuptools.setup", lambda: made.append(sys.version_info))
    for text in pythons():
        monkeypatch.setattr(sys, "version_info", tuple(map(int, text.split("."))))
        runpy.run_path(ROOT / "setup.py")
    assert len(made) == len(pythons())


# ---- README ----


def readme_block(marker):
    """Return the code block that follows a marker in the README."""
    text = (ROOT / "README.md").read_text("utf-8")
    (block,) = re.findall(rf"^<!-- {marker} -->\n```bash\n(.*?)^```", text, re.M | re.S)
    return block.strip()


@pytest.mark.parametrize(
    ("marker", "end"),
    [("read", ".venv/bin/jupyter-book build ."), ("verify", ".venv/bin/pytest")],
)
def test_readme_lines(marker, end):
    """Each of the two is one line, works alone and stands on the first screen."""
    line = readme_block(marker)
    make = "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt && "
    assert line == make + end
    text = (ROOT / "README.md").read_text("utf-8")
    assert text.index(line) < text.index("\n## ")


def test_ci_runs_the_line_of_the_readme():
    """What the script would run is the verify line, letter for letter."""
    if shutil.which("bash") is None:
        pytest.skip("no bash on this machine")
    command = ["bash", str(ROOT / ".ci" / "run"), "--line"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == readme_block("verify")
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8")
    assert "bash .ci/run" in workflow


def test_the_scheduled_run_asks_for_what_the_command_line_has():
    """At full length; and the README says so."""
    workflow = (ROOT / ".github" / "workflows" / "full.yml").read_text("utf-8")
    commands = re.findall(r"run: python -m nystheory (.*)", workflow)
    options = [command_line._parser().parse_args(shlex.split(c)) for c in commands]
    assert options and all(o.effort == "full" and not o.ids for o in options)
    assert any(o.fresh for o in options)
    text = (ROOT / "README.md").read_text("utf-8")
    assert f"`python -m nystheory {commands[0]}`" in text


def test_a_release_is_of_the_version_that_the_changelog_tells(tmp_path):
    """What the workflow asks of a tag holds for the last version, and of no other."""
    workflow = (ROOT / ".github" / "workflows" / "book.yml").read_text("utf-8")
    steps = yaml.safe_load(workflow)["jobs"]["release"]["steps"]
    script = next(x["run"] for x in steps if "gh release" in x.get("run", ""))
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    lines = [
        line
        for line in script.splitlines()
        if line.startswith(("version=", "grep", "sed"))
    ]
    assert len(lines) == 4
    for tag, fine in ((f"v{version['version']}", True), ("v99.0", False)):
        done = subprocess.run(
            ["bash", "-ec", "\n".join(lines)],
            cwd=tmp_path,
            env={"GITHUB_REF_NAME": tag, "PATH": "/usr/bin:/bin"},
        )
        assert (done.returncode == 0) == fine
    notes = (tmp_path / "notes.md").read_text("utf-8")
    assert notes.strip() and "\n## " not in notes


def test_a_chapter_is_sent_without_its_plumbing(tmp_path):
    """The line of the README folds no code open, and gives no solution away.

    Each picture has its words.
    """
    program, *options = shlex.split(readme_block("send"))
    assert program == ".venv/bin/jupyter" and options[-2:] == ["--output-dir", "."]
    jupyter = [sys.executable, "-m", "jupyter", *options[:-1], str(tmp_path)]
    subprocess.run(jupyter, cwd=ROOT, check=True, capture_output=True)
    page = (tmp_path / "coherence.html").read_text("utf-8")
    notebook = nbformat.read(ROOT / options[-3], as_version=4)
    left_out = {"hide-input", "hide-cell", "solution"}
    for cell in notebook.cells:
        kept = not left_out & {*cell.metadata.get("tags", [])}
        if cell.cell_type == "code" and len(cell.source) > 60:
            code = re.sub(r"\W+", "", cell.source)
            assert (code in re.sub(r"<[^>]*>|&\w+;|&#\d+;|\W", "", page)) == kept
    pictures = re.findall(r"<img [^>]*>", page)
    assert pictures and all(re.search('alt="[^"]{40,}"', each) for each in pictures)


def test_ratios_of_the_readme_are_those_of_its_times():
    """And it says what is slower, if something is, and only then."""
    text = (ROOT / "README.md").read_text("utf-8")
    row = r"^\|.*\| (\S+) s \| (\S+) s \| (\S+) \|$"
    rows = re.findall(row, text, re.MULTILINE)
    assert len(rows) >= 10
    for ours, theirs, ratio in rows:
        digits = len(ratio.partition(".")[2])
        assert f"{float(theirs) / float(ours):.{digits}f}" == ratio, (ours, theirs)
    slower = [ratio for *_, ratio in rows if float(ratio) < 1]
    told = ("In float32 the default, random pivots, is slower", "Pegasos is slower")
    assert sum(words in text for words in told) == len(slower)


def test_readme_links_exist():
    """Pictures and files that the README shows are there, pictures with a text."""
    text = (ROOT / "README.md").read_text("utf-8")
    links = re.findall(r"(!?)\[([^\]]*)\]\(([^)#]+)\)", text)
    for picture, label, target in links:
        assert "://" in target or (ROOT / target).exists(), target
        assert not picture or len(label) > 20, target
    assert any(picture for picture, _, _ in links)


def named_otherwise(text):
    """Links to pages of the book and to files whose words are not their titles."""
    told = []
    for words, target in re.findall(r"(?<!!)\[([^\]]*)\]\(([\w/]+\.md)[^)]*\)", text):
        said = (ROOT / target).read_text("utf-8")
        title = re.search(r"^# (.*)$", said, re.M)[1]
        if words not in (title, Path(target).name):
            told.append((words, title))
    return told


def test_the_words_of_a_readme_link_are_the_title_of_the_page():
    text = (ROOT / "README.md").read_text("utf-8")
    assert named_otherwise(text) == []
    other = text.replace("what_is_not_here.md", "errata.md")
    assert other != text and len(named_otherwise(other)) == 1


# ---- form of the notebooks ----


def test_cells_are_short():
    """A code cell says one thing: at most 12 lines of 79 columns."""
    told = []
    for name, source, _ in each_cell():
        added = (NEEDS, "# Solution of Exercise ")
        lines = [line for line in source.splitlines() if not line.startswith(added)]
        if len(lines) > CELL_LINES:
            told.append(f"{name}: {len(lines)} lines")
        if max(map(len, lines), default=0) > CELL_COLUMNS:
            told.append(f"{name}: {max(map(len, lines))} columns")
    assert told == []


def test_imports_stand_at_the_top():
    """Only the first code cell of a notebook imports."""
    told = []
    for path in notebooks():
        for name, source, _ in code_cells(path)[1:]:
            if re.search(r"^(?:import|from) ", source, re.MULTILINE):
                told.append(name)
    assert told == []


def test_tags_are_allowed():
    """No cell is skipped or removed; what is folded can be opened."""
    told = []
    for name, _, cell in each_cell():
        tags = set(cell["metadata"].get("tags", []))
        if tags - TAGS - MADE:
            told.append(f"{name}: {sorted(tags - TAGS)}")
    for path in texts():
        for cell in labels.cells(path):
            if extra := {*cell.metadata.get("tags", [])} - TAGS - {SHOW}:
                told.append(f"{path.name}: {sorted(extra)}")
    assert told == []


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_figures_have_a_text_and_a_caption(path):
    """A cell that draws says what the figure shows, and words with a number follow."""
    told, cells = [], json.loads(path.read_text("utf-8"))["cells"]
    for cell, after in zip(cells, [*cells[1:], {}], strict=True):
        if cell["cell_type"] != "code":
            continue
        alt = cell["metadata"].get("mystnb", {}).get("image", {}).get("alt", "")
        if outputs_of(cell, "image/png"):
            if len(alt) < 40:
                told.append(f"{cell['id']}: mystnb.image.alt is {alt!r}")
            caption = (
                r'<div class="caption" id="[^"]+">\n\n\*\*Figure [\d.]+\.\*\* .{20}'
            )
            if not re.match(caption, "".join(after.get("source", ""))):
                told.append(f"{cell['id']}: a figure without a caption")
        if UNWRITTEN.search(alt):
            told.append(f"{cell['id']}: mystnb.image.alt has what only a text says")
        if outputs_of(cell, "image/svg+xml"):
            told.append(
                f"{cell['id']}: vector output, which nbval compares byte by byte"
            )
    assert told == []


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_a_notebook_reads_without_the_book(path):
    """No directive, role or number of the text is left for a viewer to show raw."""
    told = []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            source = re.sub(r"^```.*?^```", "", source, flags=re.M | re.S)
            source = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`", "", source, flags=re.S)
            told += [f"{cell['id']}: {x[0]}" for x in UNWRITTEN.finditer(source)]
        elif re.search(r"\btold\[|\bglue\(", source):
            told.append(f"{cell['id']}: told or glue")
    assert told == []


def small_fonts(source):
    """Sizes of letters in some code that no reader could read."""
    told = []
    for node in ast.walk(ast.parse(source)):
        named = []
        if isinstance(node, ast.Call):
            named = [(keyword.arg, keyword.value) for keyword in node.keywords]
        elif isinstance(node, ast.Dict):
            keys = (getattr(key, "value", None) for key in node.keys)
            named = list(zip(keys, node.values, strict=True))
        for name, value in named:
            if re.search(r"(font_?|label|title)size$", str(name)):
                size = getattr(value, "value", None)
                if size in ("x-small", "xx-small"):
                    told.append(f"line {node.lineno}: {name} {size}")
                elif isinstance(size, (int, float)) and size < SMALLEST_FONT:
                    told.append(f"line {node.lineno}: {name} {size}")
    return told


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_no_output_shows_markup_as_text(path):
    """A string of HTML would be shown with its quotes; `style.Table` is a table."""
    shown = [
        text
        for cell in json.loads(path.read_text("utf-8"))["cells"]
        if cell["cell_type"] == "code"
        for text in outputs_of(cell, "text/plain")
    ]
    assert [text[:60] for text in shown if re.match(r"['\"]<\w", text)] == []


def test_letters_in_figures_can_be_read():
    """No letter in a figure is below eight points."""
    told = []
    for path in sorted((ROOT / "nystheory").rglob("*.py")):
        found = small_fonts(path.read_text("utf-8"))
        told += [f"{path.relative_to(ROOT)}: {each}" for each in found]
    for name, source, _ in each_cell():
        if "fontsize" in source:
            told += [f"{name}: {each}" for each in small_fonts(source)]
    assert told == []


def test_small_letters_are_seen():
    """The check above finds what it is there for."""
    assert small_fonts("axes.legend(fontsize=7)")
    assert small_fonts("look = {'fontsize': 7.5}")
    assert small_fonts("axes.tick_params(labelsize='x-small')")
    assert not small_fonts("axes.legend(fontsize=8), axes.scatter(x, y, s=3)")


def test_outputs_are_the_same_everywhere():
    """No stored output has an address in memory or something on standard error."""
    told = []
    for name, _, cell in each_cell():
        text = " ".join(outputs_of(cell, "text/plain") + outputs_of(cell, "text/html"))
        if re.search(r"\bat 0x[0-9a-f]{6,}", text):
            told.append(f"{name}: the address of an object")
        if any(output.get("name") == "stderr" for output in cell["outputs"]):
            told.append(f"{name}: something on standard error")
    assert told == []


# ---- form of the texts ----


@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_exercises(path):
    """Two to warm up, then the three kinds, at least five; each is solved after it.

    One of the two may be the first of those under *Further*.
    """
    text = path.read_text("utf-8")
    blocks = read(text)[0]
    asked = [block for block in blocks if block.name == "exercise"]
    solved = [block.argument for block in blocks if block.name == "solution"]
    assert [block.argument for block in asked] == solved, (
        "an exercise, its solution, ..."
    )
    says = [block.inside.strip() for block in asked]
    path_text = text.partition("\n## Further\n")[0]
    on_path = len(re.findall(r"(?m)^:+\{exercise\}", path_text))
    warm = [words.startswith("(warm-up)") for words in says]
    for some in (warm[:on_path], warm[on_path:]):
        assert some == sorted(some, reverse=True), "warm-ups first"
    assert warm[0] and sum(warm) >= 2, "expected two warm-ups, one of them first"
    rest = [words for words, easy in zip(says, warm, strict=True) if not easy]
    assert len(asked) >= 5
    kind = "|".join(KINDS)
    told = [re.match(rf"\(({kind})(?: and ({kind}))?\)", words) for words in rest]
    assert [words for words, found in zip(rest, told, strict=True) if not found] == []
    for kind in KINDS:
        marked = rf"\([^)]*{kind}[^)]*\)"
        assert any(re.search(marked, words) for words in rest), f"none for {kind}"


@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_solutions_run(path):
    """A solution of an exercise for the computer has a cell; all say something."""
    text = path.read_text("utf-8")
    pattern = r"^:::\{solution\} (\S+)\n(.*?)^:::$"
    solutions = dict(re.findall(pattern, text, re.M | re.S))
    for block in read(text)[0]:
        if block.name == "exercise":
            solution = solutions[block.argument]
            runs = re.search(r"\([^)]*(computer|break this bound)\)", block.inside)
            assert "{code-cell}" in solution or not runs, block.argument
            assert len(solution) > 60, block.argument
