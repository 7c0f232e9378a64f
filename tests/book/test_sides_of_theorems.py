"""Words of boxes that could be exchanged for their opposites are the right ones."""

import pytest
from sides_of_more_theorems import OF_MORE
from sides_of_theorems import OF_THEOREMS, words_of
from sides_shown import complaints

ALL = [pair for entries in (OF_THEOREMS, OF_MORE) for pair in entries.items()]


@pytest.mark.parametrize(("id", "phrases"), ALL, ids=[id for id, _ in ALL])
def test_each_side_is_the_right_one(id, phrases):
    assert complaints(phrases, words_of(id)) == []
