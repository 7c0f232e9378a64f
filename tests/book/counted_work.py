"""Arrays that count what is done with them.

`Work` counts two operations for each term of a product of matrices, one for each entry
of another result, and for a factorization the leading term of its usual count.
"""

import numpy as np

DONE = [0.0]
_FACTORED = {"cholesky": 1 / 3, "inv": 2.0, "eigh": 4.0, "qr": 2.0, "svd": 6.0}


class Work(np.ndarray):
    """An array that counts."""

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        plain = [np.asarray(x) for x in inputs]
        result = getattr(ufunc, method)(*plain, **options)
        size = np.size(result)
        if ufunc is np.matmul:
            size *= 2 * plain[0].shape[-1]
        elif method == "reduce":
            size = np.size(plain[0])
        DONE[0] += size
        return _counting(result)

    def __array_function__(self, function, types, args, options):
        plain = [np.asarray(x) if isinstance(x, Work) else x for x in args]
        if function.__name__ in _FACTORED:
            long, short = max(plain[0].shape), min(plain[0].shape)
            DONE[0] += _FACTORED[function.__name__] * long * short**2
        elif function.__name__ == "solve":
            size, right = len(plain[0]), plain[1].size
            DONE[0] += 2 / 3 * size**3 + 2 * right * size
        result = function(*plain, **options)
        if isinstance(result, tuple):
            return tuple(_counting(each) for each in result)
        return _counting(result)


def _counting(result):
    return result.view(Work) if isinstance(result, np.ndarray) else result


def array(*shape):
    """Some numbers."""
    return np.random.default_rng(0).standard_normal(shape).view(Work)


def symmetric(n):
    """A positive definite matrix that counts."""
    return (np.eye(n) + 0.5 / n).view(Work)


def work(function, *args):
    """How many operations it does."""
    DONE[0] = 0.0
    function(*args)
    return DONE[0]


def triangular(L, B):
    """B L^{-T} for a triangular L: an operation for each term, and one for its sum."""
    DONE[0] += B.size * len(L)
    return np.linalg.solve(np.asarray(L), np.asarray(B).T).T.view(Work)


def gram(F):
    """F^T F, of which half the entries tell the others."""
    DONE[0] += F.size * F.shape[1]
    return (np.asarray(F).T @ np.asarray(F)).view(Work)
