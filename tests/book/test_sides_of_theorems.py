"""Words of boxes that could be exchanged for their opposites are the right ones."""

import pytest
from sides_of_theorems import OF_THEOREMS, words_of
from sides_shown import complaints


@pytest.mark.parametrize("id", OF_THEOREMS)
def test_each_side_is_the_right_one(id):
    assert complaints(OF_THEOREMS[id], words_of(id)) == []
