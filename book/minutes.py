"""How long each chapter takes to read: its path, and what is further.

    python book/minutes.py

counts in the pages as they are made; the head of each page says the same, rounded.
"""

import labels
import make_notebooks
import nbformat
import portable


def counted(name):
    """Minutes of the path of a page, and of what is further."""
    notebook = nbformat.read(make_notebooks.notebook_path(name), as_version=4)
    words = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    return [portable.minutes([x]) for x in portable.path_and_further(words)]


def of_chapters():
    """Minutes of the path and of what is further, by chapter, in the book's order."""
    return {name: counted(name) for name, each in labels.chapters().items() if each}


def main():
    """Print a line for each chapter, and the hours of all."""
    numbers, told = labels.chapters(), of_chapters()
    for name, (path, further) in told.items():
        print(f"{path:6.1f} {further:6.1f}  {numbers[name]} {name}")
    path, further = (sum(each) / 60 for each in zip(*told.values(), strict=True))
    print(f"{path:6.1f} {further:6.1f}  hours")


if __name__ == "__main__":
    main()
