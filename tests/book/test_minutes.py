"""Who reads only the paths has read the book in ten hours."""

import minutes
from test_register import PARTS

# The path of a chapter, the paths of Parts I to V together, and those of all.
PATH, FIRST, ALL = 24, 7 * 60, 10 * 60
FIRST_PARTS = ("I", "II", "III", "IV", "V")


def faults(paths):
    """What takes too long, in sentences; `paths` has the minutes of each path."""
    told = [
        f"{name}: expected a path of at most {PATH} minutes, got {path:.1f}; "
        "shorten it or move some of it to Further"
        for name, path in paths.items()
        if path > PATH
    ]
    first = sum(paths[name] for name, part in PARTS.items() if part in FIRST_PARTS)
    for words, total, limit in (
        ("the paths of Parts I to V", first, FIRST),
        ("the paths of all chapters", sum(paths.values()), ALL),
    ):
        if total > limit:
            told.append(f"{words}: expected at most {limit} minutes, got {total:.0f}")
    return told


def test_the_paths_take_ten_hours_those_of_the_first_five_parts_seven():
    told = minutes.of_chapters()
    assert faults({name: path for name, (path, _) in told.items()}) == []


def test_a_path_that_takes_too_long_is_seen():
    in_time = dict.fromkeys(PARTS, 15.0)
    assert faults(in_time) == []
    assert len(faults(in_time | {"coherence": PATH + 1.0})) == 1
    late = {name: 25.0 * (part not in FIRST_PARTS) for name, part in PARTS.items()}
    later = {name: 23.0 * (part in FIRST_PARTS) for name, part in PARTS.items()}
    assert len(faults(later)) == 1, "expected the first five parts to take too long"
    assert all("path of at most" in each for each in faults(late))
    assert len(faults(dict.fromkeys(PARTS, 20.5))) == 2
