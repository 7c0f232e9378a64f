"""Everything for a course, from one command.

    python book/course.py --to FOLDER               # the whole book
    python book/course.py --to FOLDER CHAPTER ...   # some chapters

FOLDER gets students' and instructors' notebooks, a README for the lecturer, plans,
points, a rubric for each proof, slides, a program that grades a folder of submissions,
an export for nbgrader, and the package as a wheel with pinned requirements. All is made
from the notebooks of the book; nothing in FOLDER is edited.
"""

import argparse
import csv
import io
import sys
from pathlib import Path

import copies
import make_notebooks
import nbformat
import yaml
from teaching import answers, exercises, for_nbgrader, install, plans, readme, slides


def parts(book=make_notebooks.BOOK):
    """The captions of the numbered parts with the names of their chapters."""
    toc = yaml.safe_load((book.parent / "_toc.yml").read_text("utf-8"))
    return {
        part["caption"]: [Path(page["file"]).name for page in part["chapters"]]
        for part in toc["parts"]
        if part.get("numbered")
    }


def points(chapters):
    """The points of each exercise, as a table."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["chapter", "exercise", "kinds", "by a program", "by a person"])
    for chapter in chapters:
        for each in chapter.exercises:
            kinds = " and ".join(each.kinds)
            row = [chapter.name, each.name, kinds, sum(each.points), each.by_a_person]
            writer.writerow(row)
    return out.getvalue()


def write(folder, chosen, known):
    """Write the pack of some chapters; `known` are all chapters of the book."""
    own = [known[name] for name in chosen]
    read = {
        name: nbformat.read(make_notebooks.notebook_path(name), as_version=4)
        for name in chosen
    }
    for name in chosen:
        copies.write(name, folder, beside=chosen)
    (folder / "rubrics").mkdir(exist_ok=True)
    for each in own:
        if told := exercises.rubric(each.title, read[each.name]):
            (folder / "rubrics" / f"{each.name}.md").write_text(told, "utf-8")
    (folder / "README.md").write_text(readme.page(own), "utf-8")
    (folder / "plans.md").write_text(plans.page(known), "utf-8")
    (folder / "points.csv").write_text(points(own), "utf-8")
    slides.write(folder / "slides", parts(), own, read)
    answers.write(folder / "grading", own, read)
    for_nbgrader.write(folder / "nbgrader", own, read)
    install.write(folder / "student")


def main(arguments=None):
    """Write the pack; 2 when a chapter is not known."""
    parser = argparse.ArgumentParser(prog="book/course.py", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("names", nargs="*", metavar="CHAPTER", help="default: all")
    parser.add_argument("--to", type=Path, required=True, metavar="FOLDER")
    options = parser.parse_args(arguments)
    known = plans.chapters()
    named = [Path(name).stem for name in options.names]
    if unknown := [name for name in named if name not in known]:
        told = f"CHAPTER: expected one of {', '.join(known)}, got {unknown[0]!r}"
        print(told, file=sys.stderr)
        return 2
    write(options.to, [x for x in known if x in named or not named], known)
    print(f"{options.to / 'README.md'} says what is there")
    return 0


if __name__ == "__main__":
    sys.exit(main())
