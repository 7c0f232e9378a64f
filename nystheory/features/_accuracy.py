"""How far inner products of random features are from the kernel, on given points."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from scipy import sparse

from nystheory._progress import counter
from nystheory._rounding import allowed
from nystheory.certificates import Estimate

# Rows and columns of a block of entries, which is held with two more of its size.
SIDE = 1024
# Roundings of a sum of squares in blocks, in eps, with room.
SUMMED = 64


@dataclass(frozen=True, repr=False)
class Accuracy:
    """What is certain of the features that were drawn, and what is likely of others.

    The first four numbers were measured, with all entries of ``E = K - Z Z^T`` and Z as
    `transform` returns it.  The others are of the law of the draws: they were known
    before it, and say nothing more of the features at hand.

    Attributes
    ----------
    frobenius : Estimate
        The norm ``|E|_F``, certain up to the rounding that it states.
    spectral : Estimate
        An upper bound of ``|E|_2``: the smaller of ``|E|_F`` and of the largest sum of
        absolute values in a row.
    trace : Estimate
        An upper bound of the trace norm, the sum of the absolute eigenvalues:
        ``sqrt(n) |E|_F``.
    largest : Estimate
        The largest ``|E_ij|``, on these points.
    probability : float
        The chance with which each of the next three holds, at least, where the points
        were chosen without looking at the features.  They are of features of the type
        of the points, with their rounding.
    likely_frobenius : float or None
        An upper bound of ``|E|_F``, by Markov's inequality for its square.
    likely_entry : float or None
        An upper bound of one ``|E_ij|``, by Hoeffding's inequality.
    likely_largest : float or None
        An upper bound of all of them, by the union over pairs.
    root_mean_square : float or None
        Of ``|E|_F`` over draws, of exact features: the root of the sum of the exact
        variances, each up to rounding, some eps / m for ``"matern"`` and ``"cauchy"``
        of m frequencies; None where they are not known, as the bounds are.

    Examples
    --------
    >>> from nystheory.features import RandomFourierFeatures
    >>> features = RandomFourierFeatures(gamma=1.0, n_components=400, random_state=0)
    >>> found = features.fit([[0.0], [1.0]]).error([[0.0], [1.0]])
    >>> found.largest.value < found.likely_entry
    True
    >>> round(found.root_mean_square, 4), round(found.likely_entry, 4)
    (0.0611, 0.1921)
    """

    frobenius: Estimate
    spectral: Estimate
    trace: Estimate
    largest: Estimate
    probability: float
    likely_frobenius: float | None
    likely_entry: float | None
    likely_largest: float | None
    root_mean_square: float | None

    def _rows(self):
        for each in (self.frobenius, self.spectral, self.trace, self.largest):
            yield each.meaning, each.value, each._grade()
        chance = f"with probability {self.probability:g} over draws"
        yield "Frobenius norm, at most", self.likely_frobenius, chance
        yield "an entry, at most", self.likely_entry, chance
        yield "all entries, at most", self.likely_largest, chance
        yield (
            "root mean square of the Frobenius norm",
            self.root_mean_square,
            "over draws, up to rounding",
        )

    def __repr__(self) -> str:
        told = (f"{what}: {_shown(value)} ({how})" for what, value, how in self._rows())
        return f"Accuracy({'; '.join(told)})"

    def _repr_html_(self) -> str:
        from nystheory.style import table

        rows = [(what, _shown(value), how) for what, value, how in self._rows()]
        return table(rows, ("error of the features", "value", "holds"))


def _shown(value):
    return "not known" if value is None else f"{value:.3g}"


def measured(features, X, law, probability: float) -> Accuracy:
    """The accuracy of fitted features at the points X.

    `law` has ``variance(X, Y)`` of dense points, or None, ``variance_rounding``, by how
    much an entry of it may be off, ``pairs(n)``, of how many
    entries is not exact anyway, and ``deviation(chance)``, which one exceeds with that
    chance at most, or None.
    """
    n, d = X.shape
    Z = features._features(X).astype(np.float64, copy=False)
    longest = float(np.einsum("ij,ij->i", Z, Z).max())
    eps = float(np.finfo(np.float64).eps)
    entry = features.kernel_.rounding(d) + (Z.shape[1] + 4) * eps * longest
    entry = allowed("an entry of features", entry)
    rows, squares, variances, largest = np.zeros(n), [], [], 0.0
    cuts = [slice(i, min(i + SIDE, n)) for i in range(0, n, SIDE)]
    with counter("entries", n * n) as bar:
        for one, other in combinations_with_replacement(cuts, 2):
            x, y = dense(X[one]), dense(X[other])
            E = features.kernel_.kernel(x, y)
            E -= Z[one] @ Z[other].T
            np.abs(E, out=E)
            largest = max(largest, float(E.max()))
            rows[one] += E.sum(axis=1)
            if one != other:
                rows[other] += E.sum(axis=0)
            times = 1 if one == other else 2
            squares.extend(times * np.square(E, out=E).sum(axis=1))
            if law.variance is not None:
                variances.extend(times * law.variance(x, y).sum(axis=1))
            bar.update(times * E.size)
    norm = math.sqrt(math.fsum(squares))
    off = n * entry + allowed("a Frobenius norm", SUMMED * eps * norm)
    most = float(rows.max())
    lost = (SUMMED + SIDE + len(cuts)) * eps * most
    off_most = n * entry + allowed("a sum of a row", lost)
    root = math.sqrt(math.fsum(variances)) if law.variance is not None else None
    rounding = entry + allowed("a wave", features._rounding(X))
    pairs = law.pairs(n)
    union = law.deviation((1 - probability) / pairs) if pairs else 0.0
    return Accuracy(
        Estimate(norm, off, "Frobenius norm", True),
        Estimate(*min((norm, off), (most, off_most)), "spectral norm, at most", True),
        Estimate(math.sqrt(n) * norm, math.sqrt(n) * off, "trace norm, at most", True),
        Estimate(largest, entry + eps * largest, "largest entry", True),
        probability,
        _markov(root, n, law, probability, rounding),
        _more(law.deviation(1 - probability), rounding),
        _more(union, rounding),
        root,
    )


def _markov(root, n, law, probability, rounding):
    """What a norm of n^2 entries exceeds with a small chance, of its mean square."""
    if root is None:
        return None
    largest = math.hypot(root, n * math.sqrt(law.variance_rounding))
    return largest / math.sqrt(1 - probability) + n * rounding


def _more(bound, rounding):
    return None if bound is None else bound + rounding


def dense(X):
    """A block of points, as float64."""
    X = X.toarray() if sparse.issparse(X) else X
    return X.astype(np.float64, copy=False)
