"""The kernel matrices on which the methods of part I are compared."""

from __future__ import annotations

import os

import numpy as np

from nystheory import datasets, kernels

# Colour and marker of each matrix in the figures.
STYLES = {
    "digits, linear": ("blue", "o"),
    "digits, RBF": ("orange", "s"),
    "patches, linear": ("green", "^"),
    "documents, linear": ("purple", "D"),
    "abalone, RBF": ("sky", "v"),
    "MNIST, linear": ("grey", "P"),
}


def four_matrices(n: int) -> dict[str, kernels.DenseKernel]:
    """The four kernel matrices of the comparison, each of size n.

    Digits with a linear and a Gaussian kernel, patches of 16 x 16 pixels of two
    photographs, and generated documents, whose spectrum decays slowly.

    Parameters
    ----------
    n : int
        Number of points, at most 1797, the size of the digits.

    Returns
    -------
    dict of str to DenseKernel
        Stored, since each is used many times: n^2 words each.

    Examples
    --------
    >>> list(four_matrices(20))
    ['digits, linear', 'digits, RBF', 'patches, linear', 'documents, linear']
    """
    # The digits come writer by writer; a smaller set should be like a larger one.
    order = np.random.default_rng(0).permutation(len(datasets.digits().X))
    digits = datasets.digits().X[order[:n]]
    documents = datasets.documents(n, 5000, np.random.default_rng(1))
    lazy = {
        "digits, linear": kernels.linear(digits),
        "digits, RBF": kernels.rbf(digits),
        "patches, linear": kernels.linear(datasets.patches(n, 16).X),
        "documents, linear": kernels.linear(documents.X),
    }
    return {name: kernels.DenseKernel(K.dense()) for name, K in lazy.items()}


def matrices_from_folder(n: int) -> dict[str, kernels.DenseKernel]:
    """Two matrices of the thesis, where `NYSTHEORY_DATA` names a folder with them.

    Parameters
    ----------
    n : int
        Number of points, at most 4177; chosen at random, always the same.

    Returns
    -------
    dict of str to DenseKernel
        Abalone with a Gaussian and MNIST with a linear kernel; empty when the
        variable is not set, as for the stored outputs of the book.

    Raises
    ------
    FileNotFoundError
        If the variable is set and the folder does not hold the files.

    Examples
    --------
    >>> sorted(matrices_from_folder(20)) in ([], ["MNIST, linear", "abalone, RBF"])
    True
    """
    if not os.environ.get("NYSTHEORY_DATA"):
        return {}
    found = {}
    for name, key in (("abalone", "abalone, RBF"), ("mnist-t10k", "MNIST, linear")):
        X = datasets.from_folder(name).X
        X = X[np.random.default_rng(0).permutation(len(X))[:n]]
        K = kernels.rbf(X / X.std(axis=0)) if "RBF" in key else kernels.linear(X)
        found[key] = kernels.DenseKernel(K.dense())
    return found
