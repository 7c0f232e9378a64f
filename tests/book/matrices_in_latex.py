r"""A small reader of products of matrices, ``C (W_k^2)^+ C^\top``.

It knows matrices by their letters, brackets, and behind each of these ``_k``, the best
matrix of rank k, ``^+``, ``^\top``, ``^2`` and ``^{1/2}``; a factor in front is a
quotient of two letters or its root.
"""

import re

import numpy as np

TOKEN = re.compile(
    r"\\frac ?(\w) ?(\w)|\\sqrt\{(\w)/(\w)\}|\^\{1/2\}|\^2|\^\+|\^\\top|_k|[()A-Z]"
)
SILENT = re.compile(r"\\[bB]ig[lr]|\\[,;:! ]|\s")


def best(matrix, k):
    """The best approximation of rank k."""
    U, s, V = np.linalg.svd(matrix, full_matrices=False)
    return U[:, :k] * s[:k] @ V[:k]


def root(matrix):
    values, U = np.linalg.eigh(matrix)
    return U * np.sqrt(values.clip(0)) @ U.T


AFTER = {
    "^{1/2}": lambda x, k: root(x),
    "^2": lambda x, k: x @ x,
    "^+": lambda x, k: np.linalg.pinv(x, rcond=1e-6),
    "^\\top": lambda x, k: x.T,
    "_k": best,
}


def value(formula, **given):
    r"""The matrix that a formula is.

    Examples
    --------
    >>> value(r"\frac nl\, A A^\top", A=np.ones((2, 1)), n=6, l=2).tolist()
    [[3.0, 3.0], [3.0, 3.0]]
    """
    plain = SILENT.sub("", formula)
    found = [*TOKEN.finditer(plain)]
    if "".join(x[0] for x in found) != plain:
        raise ValueError(f"a formula: expected a product of matrices, got {formula!r}")
    left = [*found]
    made = _product(left, given)
    if left:
        raise ValueError(f"a formula: expected nothing behind it, got {left[0][0]!r}")
    return made


def _product(left, given):
    made = 1.0
    while left and left[0][0] != ")":
        factor = _factor(left.pop(0), left, given)
        while left and left[0][0] in AFTER:
            factor = AFTER[left.pop(0)[0]](factor, given.get("k"))
        made = made @ factor if np.ndim(made) and np.ndim(factor) else made * factor
    return made


def _factor(token, left, given):
    if token[1]:
        return given[token[1]] / given[token[2]]
    if token[3]:
        return (given[token[3]] / given[token[4]]) ** 0.5
    if token[0] == "(":
        inside = _product(left, given)
        left.pop(0)
        return inside
    return given[token[0]]
