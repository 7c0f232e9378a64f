"""The page for the lecturer: `lecturer.md`, with the table of chapters."""

from pathlib import Path

import copies

TEXT = Path(__file__).resolve().parent / "lecturer.md"


def page(chapters):
    """The page, with some chapters."""
    rows = [
        "| chapter | minutes | exercises | points | it needs |",
        "|---|---:|---:|---:|---|",
    ]
    for each in chapters:
        machine = sum(sum(x.points) for x in each.exercises)
        person = sum(x.by_a_person for x in each.exercises)
        rows.append(
            f"| {each.number}. {each.title} | {each.minutes:.0f} "
            f"| {len(each.exercises)} | {machine} + {person} "
            f"| {copies.linked_words(each.words_of_needs)} |"
        )
    return TEXT.read_text("utf-8").replace("CHAPTERS", "\n".join(rows))
