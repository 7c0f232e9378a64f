"""What experts get wrong on sampled columns: all that weights are chosen from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nystheory import _checks
from nystheory.kernels import (
    Index,
    KernelMatrix,
    as_kernel,
    row_blocks,
    same_matrix,
)
from nystheory.lowrank import LowRank


@dataclass(frozen=True, eq=False)
class Validation:
    """Inner products of p residuals and of K, over some columns V.

    Made by `validate`.  The error of every mixture on these columns is a quadratic
    form in it, without the cancellation of ``|K_V|^2 - 2 <., K_V> + |.|^2``.

    Attributes
    ----------
    products : ndarray (p + 1, p + 1)
        Frobenius inner products of ``K_V - K~_r[:, V]``, r = 1..p, and, last, K_V.

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> K = np.diag([2.0, 1.0])
    >>> seen = validate(K, [nystrom(K, [0]), nystrom(K, [1])], [0, 1])
    >>> seen.errors.tolist(), round(seen.error([0.5, 0.5]), 6)
    ([1.0, 2.0], 1.118034)
    """

    products: np.ndarray

    def __post_init__(self):
        products = _checks.real_array(self.products, "products", 2)
        if products.shape[0] != products.shape[1]:
            raise ValueError(f"products: expected (p + 1, p + 1), got {products.shape}")
        object.__setattr__(self, "products", products)

    @property
    def n_experts(self) -> int:
        """The number of experts."""
        return len(self.products) - 1

    @property
    def size(self) -> float:
        """``|K_V|_F``."""
        return float(np.sqrt(self.products[-1, -1]))

    @property
    def errors(self) -> np.ndarray:
        """``|K_V - K~_r[:, V]|_F`` of each expert, (p,)."""
        return np.sqrt(self.products.diagonal()[:-1])

    @property
    def normal_equations(self) -> tuple[np.ndarray, np.ndarray]:
        """G (p, p) and g (p,) of the regression (4.2)."""
        R = self.products
        with_K, square = R[:-1, -1], R[-1, -1]
        G = R[:-1, :-1] - np.add.outer(with_K, with_K) + square
        return G, square - with_K

    def error(self, weights: Sequence[float]) -> float:
        """``|K_V - sum_r mu_r K~_r[:, V]|_F``, the error of a mixture on V.

        Parameters
        ----------
        weights : array_like (p,)
            The mixture weights mu.

        Returns
        -------
        float

        Raises
        ------
        ValueError, TypeError
            If there are not p weights, or one is not a finite number.

        Notes
        -----
        Costs O(p^2) operations; no entry of K is read.

        Examples
        --------
        >>> Validation(np.diag([1.0, 4.0])).error([0.5])
        1.118033988749895
        """
        mu = _checks.real_array(weights, "weights", 1)
        if len(mu) != self.n_experts:
            raise ValueError(
                f"weights: expected {self.n_experts}, one for each expert, "
                f"got {len(mu)}"
            )
        # K - sum mu_r K~_r = sum mu_r (K - K~_r) + (1 - sum mu_r) K.
        v = np.append(mu, 1 - mu.sum())
        return float(np.sqrt(max(0.0, v @ self.products @ v)))

    def first(self, n_experts: int) -> Validation:
        """The same of the first experts alone.

        Parameters
        ----------
        n_experts : int
            How many, from 1 to p.

        Returns
        -------
        Validation

        Raises
        ------
        ValueError, TypeError
            If `n_experts` is not an integer from 1 to p.

        Notes
        -----
        Costs O(p^2) operations; no entry of K is read.

        Examples
        --------
        >>> Validation(np.diag([1.0, 2.0, 4.0])).first(1).products.tolist()
        [[1.0, 0.0], [0.0, 4.0]]
        """
        why = "the number of experts"
        kept = _checks.integer(n_experts, "n_experts", high=self.n_experts, why=why)
        keep = np.append(np.arange(kept), self.n_experts)
        return Validation(self.products[np.ix_(keep, keep)])


def validate(
    K: KernelMatrix | np.ndarray, experts: Sequence[LowRank], columns: Index
) -> Validation:
    """Compare p experts with columns of K: the validation columns of [1]_.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    experts : sequence of LowRank, length p
    columns : sequence of int, length s, or slice
        The columns V; ``slice(None)`` for all.

    Returns
    -------
    Validation

    Raises
    ------
    ValueError, TypeError, IndexError
        If there is no expert, one is not a LowRank or has another size than K, there
        is no column, or one is not of K; or if an expert approximates another matrix.

    Notes
    -----
    Asks for n s entries.  With experts of rank k it costs ``2 n s p (k + p)``
    operations, in blocks of rows: at most 32 MB, for every s.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, section 4.3.

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> validate(np.eye(3), [nystrom(np.eye(3), [0])], [0, 2]).products.tolist()
    [[1.0, 1.0], [1.0, 2.0]]
    """
    K = as_kernel(K)
    made = checked(experts, K)
    if isinstance(columns, slice):
        columns = np.arange(K.n)[columns]
    V = _checks.indices(columns, K.n, "columns")
    p, s = len(made), len(V)
    factors = [expert.factor for expert in made]
    at_columns = [F[V].T.astype(np.float64, order="C") for F in factors]
    products = np.zeros((p + 1, p + 1))
    for rows in row_blocks(K.n, s * (p + 1)):
        true = K[rows, V]
        stacked = np.empty((p + 1, *true.shape))
        for r in range(p):
            np.matmul(factors[r][rows], at_columns[r], out=stacked[r])
        np.subtract(true, stacked[:p], out=stacked[:p])
        stacked[p] = true
        flat = stacked.reshape(p + 1, -1)
        products += flat @ flat.T
    return Validation(products)


def normal_equations(
    K: KernelMatrix | np.ndarray, experts: Sequence[LowRank], columns: Index
) -> tuple[np.ndarray, np.ndarray]:
    """G and g of the regression (4.2) of [1]_, solved by ``(G + lambda I)^-1 g``.

    Parameters
    ----------
    K : KernelMatrix or array_like (n, n)
    experts : sequence of LowRank, length p
    columns : sequence of int, length s, or slice
        The validation columns V.

    Returns
    -------
    G : ndarray (p, p)
        ``G[r, q] = <K~_r[:, V], K~_q[:, V]>_F``.
    g : ndarray (p,)
        ``g[r] = <K~_r[:, V], K[:, V]>_F``.

    Raises
    ------
    ValueError, TypeError, IndexError
        As `validate`.

    Notes
    -----
    Costs as `validate`.

    References
    ----------
    .. [1] A. Talwalkar, "Matrix Approximation for Large-scale Learning", PhD
       thesis, New York University, 2010, equation (4.2).

    Examples
    --------
    >>> from nystheory.lowrank import nystrom
    >>> K = 2 * np.eye(3)
    >>> G, g = normal_equations(K, [nystrom(K, [0])], [0, 2])
    >>> G.tolist(), g.tolist()
    ([[4.0]], [4.0])
    """
    return validate(K, experts, columns).normal_equations


def checked(experts, K=None):
    """`experts` as a non-empty tuple of approximations of one matrix, K if given."""
    if isinstance(experts, LowRank) or not _checks.iterable(experts):
        raise TypeError(
            "experts: expected a sequence of LowRank approximations, got "
            f"{_checks.shown(experts)}"
        )
    made = tuple(experts)
    if not made:
        raise ValueError("experts: expected at least one approximation, got none")
    for r, expert in enumerate(made):
        if not isinstance(expert, LowRank):
            raise TypeError(
                f"experts: expected LowRank approximations, got "
                f"{_checks.shown(expert)} at index {r}"
            )
        n = made[0].n if K is None else K.n
        if expert.n != n:
            raise ValueError(
                f"experts: expected approximations with n={n}, got n={expert.n} at "
                f"index {r}"
            )
        of = made[0].kernel if K is None else K
        if of is not None and expert.kernel and not same_matrix(expert.kernel, of):
            raise ValueError(
                f"experts: expected approximations of one matrix, {of!r}, got one of "
                f"{expert.kernel!r} at index {r}"
            )
    return made
