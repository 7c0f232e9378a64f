"""What is allowed for rounding where columns are drawn in batches, and of components.

Matrices whose entries are off by as much as entries may be have the answer of the exact
ones, and what is above the allowance is told.  With a quarter of an allowance, or four
times as much, one of these answers is another.
"""

import numpy as np
import pytest
from sklearn.preprocessing import FunctionTransformer

from nystheory import kernels, learners
from nystheory.sampling import (
    _adaptive,
    _driven,
    update_probability_criterion,
    update_probability_full,
    update_probability_partial,
)

EPS = {np.float64: 2.0**-52, np.float32: 2.0**-23}
FEW = 16
# Of two columns, where all are off to the worst side: 16 eps of float32 would leave
# 48 / sqrt(2) eps, and 32 are allowed.
OFF = 12
TYPES = pytest.mark.parametrize("dtype", EPS)


def matrix(rows, dtype=np.float64):
    """1 and so many eps in each entry, unchecked."""
    A = 1 + np.array(rows, dtype=np.float64) * EPS[dtype]
    return kernels.DenseKernel(A.astype(dtype))


# ---- Batches, after all columns


def of_columns(off, dtype=np.float64):
    """Of two equal columns, whose entries are so many eps off, one is known."""
    K = matrix([[0, -off], [-off, off]], dtype)
    return update_probability_full(K, [0])


def floor(n, size, dtype=np.float64):
    """Two products of sums of n numbers, 2 n eps each, and entries, in eps of those."""
    return (4 * n * EPS[np.float64] / EPS[dtype] + FEW) * size


def full_of_rounding(dtype=np.float64):
    """Entries are off, and the columns span one another."""
    return of_columns(OFF, dtype) is None


def full_of_more(dtype=np.float64):
    """The residual is ``3 d / sqrt(2)`` of entries that are d off: it is half more."""
    off = np.ceil(1.5 * floor(2, 2.0, dtype) * np.sqrt(2) / 3)
    found = of_columns(off, dtype)
    return found is not None and found.tolist() == [0.0, 1.0]


# ---- After the sampled columns


def of_rows(off, between, function, dtype=np.float64):
    """Of four equal points two are known; the third row differs in its two entries."""
    rows = np.zeros((4, 4))
    rows[:2, :2] = [[between, -between], [-between, -between]]
    rows[2, :2], rows[:2, 2] = [off, -off], [off, -off]
    return function(matrix(rows, dtype), [0, 1]).tolist()


def partial(K, indices):
    return update_probability_partial(K, indices, 1)


def criterion(K, indices):
    """The targets of the known points are small beside the others."""
    return update_probability_criterion(K, indices, [0.02, 0.01, 1.0, 0.5], 1)


ROOT = np.sqrt(2)
SEEN = {partial: [0.0, 0.0, 1.0, 0.0], criterion: [0.0, 0.0, 1.0, 0.0]}


def rows_of_rounding(function, dtype=np.float64):
    """Entries are off by 16 eps: no row differs, and the others are drawn alike."""
    return of_rows(FEW, -FEW, function, dtype) == [0.0, 0.0, 0.5, 0.5]


def rows_of_more(function, dtype=np.float64):
    """``d sqrt(2)`` of a row, or of the larger of two weights less, is above it."""
    # Weights of 0.02 and 0.01 make the error sqrt(1 + 1/4) / sqrt(2) of the larger one.
    less = 1.0 if function is partial else np.sqrt(1.25) / ROOT
    off = np.ceil(1.5 * floor(4, np.sqrt(8), dtype) / ROOT / less)
    return of_rows(off, 0, function, dtype) == SEEN[function]


# ---- Components


def components(A, **given):
    model = learners.KernelPCA(centre=False, **given)
    return len(model.fit(A).eigenvalues_)


def of_kernel(times, dtype=np.float64):
    """Eigenvalues 2 and, in shares of what is allowed, n eps and 16 eps of |K|_F."""
    off = np.rint(times * (2 * EPS[np.float64] / EPS[dtype] + FEW))
    return components(matrix([[off, -off], [-off, off]], dtype), method="exact")


def of_factor(times, dtype=np.float64):
    """The same of a factor, by a second column."""
    allowed = 2 * (2 * EPS[np.float64] + FEW * EPS[dtype])
    s = np.sqrt(times * allowed / 2)
    F = np.array([[1.0, s], [1.0, -s]], dtype=dtype)
    return components(F, features=FunctionTransformer())


def least_of(times, dtype=np.float64):
    """Whether an eigenvalue of so many times ``-sqrt(eps) |K|_F`` is an error."""
    K = np.diag([1.0, -times * np.sqrt(EPS[dtype])]).astype(dtype)
    try:
        components(kernels.DenseKernel(K), method="exact")
    except ValueError:
        return True
    return False


# ---- All of them


CASES = {
    "full": (full_of_rounding, full_of_more),
    "partial": (lambda *a: rows_of_rounding(partial, *a),
                lambda *a: rows_of_more(partial, *a)),
    "criterion": (lambda *a: rows_of_rounding(criterion, *a),
                  lambda *a: rows_of_more(criterion, *a)),
}


@TYPES
@pytest.mark.parametrize("name", CASES)
def test_what_rounding_leaves_is_nothing_and_more_is_told(name, dtype):
    assert [case(dtype) for case in CASES[name]] == [True, True]


@TYPES
def test_components_of_rounding_are_none(dtype):
    for count in (of_kernel, of_factor):
        assert [count(times, dtype) for times in (0.8, 1.3)] == [1, 2], count
    assert [least_of(times, dtype) for times in (0.8, 1.3)] == [False, True]


def test_of_products_and_of_entries():
    """Two products of sums of n numbers: 2 n roundings each, of eps."""
    eps = EPS[np.float64]
    assert _adaptive._rounding(50, 3 * eps, 7.0) == (4 * 50 + 3) * eps * 7.0
    model = learners.KernelPCA(kernel="linear").fit(np.arange(50.0)[:, None])
    assert model._rounding(EPS[np.float32]) == 50 * eps + FEW * EPS[np.float32]


# ---- With another allowance


@pytest.mark.parametrize("by", [0.25, 4.0])
@pytest.mark.parametrize("name", CASES)
def test_with_a_quarter_or_four_times_as_much_an_answer_is_another(
    name, by, monkeypatch
):
    own = _adaptive._rounding
    monkeypatch.setattr(_adaptive, "_rounding", lambda *given: by * own(*given))
    told = [case() for case in CASES[name]]
    assert told == ([False, True] if by < 1 else [True, False])


@pytest.mark.parametrize("by", [0.25, 4.0])
def test_so_is_one_where_weights_come_in(by, monkeypatch):
    own = _driven._floor
    monkeypatch.setattr(_driven, "_floor", lambda *given: by * own(*given))
    told = [case() for case in CASES["criterion"]]
    assert told == ([False, True] if by < 1 else [True, False])


@pytest.mark.parametrize("by", [0.25, 4.0])
def test_so_are_components(by, monkeypatch):
    own = learners.KernelPCA._rounding
    monkeypatch.setattr(
        learners.KernelPCA, "_rounding", lambda self, eps: by * own(self, eps)
    )
    for count in (of_kernel, of_factor):
        told = [count(times) for times in (0.8, 1.3)]
        assert told == ([2, 2] if by < 1 else [1, 1])
