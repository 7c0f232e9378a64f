"""What was printed of the best approximation."""

from nystheory.chapters import theorems


def test_only_the_sentence_on_arbitrary_matrices_lacks_a_condition():
    (printed,) = theorems["talwalkar2010:def-2.1"].printed.values()
    assert "$T_k =" in printed.says and "K_k" not in printed.says
    assert "$k < r$" in printed.why
