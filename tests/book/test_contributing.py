"""The example of the developers' guide runs, and is as short as it says."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", GUIDE, re.M | re.S)


def test_the_example_is_a_good_theorem_in_twenty_lines():
    names = {}
    for block in BLOCKS:
        exec(block, names)
    assert names["verdict"].control_refuted
    code = [line for line in BLOCKS[0].splitlines() if line.strip()]
    assert len(code) <= 20


def test_every_path_of_the_guide_exists():
    for path in re.findall(r"`((?:nystheory|book|tests)/[\w/.]*)", GUIDE):
        stem = path.split("CHAPTER")[0]
        assert (ROOT / stem).exists(), path
