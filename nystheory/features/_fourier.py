"""Random Fourier features: waves whose frequencies are drawn from the spectrum."""

from __future__ import annotations

import math
import warnings
from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from nystheory import _checks
from nystheory.features import _accuracy, _choice, _draws
from nystheory.features._random import (
    RandomFeatures,
    all_or_nothing,
    entry_by_entry,
    gamma_of,
    in_blocks,
)
from nystheory.features._spectra import spectrum
from nystheory.kernels._base import Counted
from nystheory.sampling._landmarks import _calls_inside

KINDS = ("pairs", "phases")
# The arguments of the waves may be off by so much, in radians.
RESOLVED = 2.0**-14
EPS = {t: float(np.finfo(t).eps) for t in (np.float32, np.float64)}
# The exponentials of larger numbers overflow.
LARGEST_LOG = math.log(np.finfo(np.float64).max)
# Bytes of the arguments that are computed at a time: they stay in the cache.
CACHE_BYTES = 2**21


class RandomFourierFeatures(RandomFeatures):
    """Waves of random frequencies, whose inner products have the kernel as their mean.

    Stands where `sklearn.kernel_approximation.RBFSampler` stands.  A kernel
    ``k(x - y)`` of value 1 at 0 is the mean of ``cos(w . (x - y))`` over frequencies w
    drawn from its spectrum [1]_.  With D features the inner product of
    ``transform(X)`` and ``transform(Y)`` is such a mean over D / 2 frequencies
    (``"pairs"``), or over D of them with more noise (``"phases"``).  The data are not
    looked at.

    Parameters
    ----------
    kernel : str, default "rbf"
        ``"rbf"``, ``exp(-gamma |z|^2)``: normal frequencies;
        ``"laplacian"``, ``exp(-gamma |z|_1)``: Cauchy frequencies;
        ``"matern"``, Matérn's of smoothness `nu` and of ``length_scale =
        1 / sqrt(2 gamma)`` in scikit-learn's `Matern`: frequencies of a multivariate t
        with 2 nu degrees of freedom.  For large nu it is ``"rbf"`` of the same gamma;
        ``"cauchy"``, ``prod_j 1 / (1 + gamma z_j^2)``: Laplace frequencies, of scale
        sqrt(gamma).  Near 0 it is ``"rbf"`` of the same gamma, to first order.
    gamma : float or "scale", optional
        1 / d by default, as for `NystromFeatures` (1 for RBFSampler); ``"scale"`` is
        1 / (d Var X), which suits kernels in which gamma is an inverse squared length,
        all but ``"laplacian"``.
    nu : float, default 1.5
        Smoothness of ``"matern"``, from 0.1 to 100; other kernels ignore it.
    n_components : int, default 100
        The number D of features, even for ``"pairs"``.
    kind : {"pairs", "phases"}, default "pairs"
        ``sqrt(2 / D) (cos w . x, sin w . x)`` of D / 2 frequencies, all cosines first;
        or ``sqrt(2 / D) cos(w . x + b)`` of D frequencies and phases b, uniform on
        0 to 2 pi, as in RBFSampler.  The paper [2]_ has pairs without the factor, and
        so another ridge: lambda there is ``2 lambda / D`` here.
    draws : {"independent", "orthogonal", "quasi-monte-carlo"}, default "independent"
        How frequencies depend on one another: not at all; in blocks of d, whose
        directions are a random orthogonal basis and whose lengths are independent
        [3]_, for kernels of the distance, ``"rbf"`` and ``"matern"``; or through a
        scrambled Sobol sequence [4]_.  Each frequency has the same law, so the mean
        of inner products is the kernel for all of them.
    random_state : int, RandomState, Generator or None
        For frequencies and phases, which do not depend on the type of X.

    Attributes
    ----------
    kernel_ : Spectrum
        The kernel with its parameters, ``kernel_.parameters``, of which
        ``kernel_.gamma`` was chosen here; ``kernel_.kernel(X, Y)`` are its entries for
        dense points.
    frequencies_ : ndarray (m, d)
        One a row; m is D / 2 for pairs, D with phases.  In float64 for each type of X.
    phases_ : ndarray (D,) or None
        None for pairs.
    n_features_out_ : int
        D.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    `fit` draws m d numbers, and costs O(m d^2) operations for orthogonal ones.
    `transform` costs 2 n m d operations and n D cosines and sines, or in float64 n m
    tangents, and n D words; blocks of points keep the rest in the cache, and are shared
    among the cores.

    The argument ``w . x`` of a wave is off by ``eps |w| |x|``, with the eps of what
    computes it, and a wave does not tell.  Where that exceeds 2^-14 in float32,
    arguments are computed in float64, and whole turns dropped, before the wave is
    computed in float32: ``"laplacian"`` has such frequencies.  Where it exceeds 2^-14
    in float64 there is a warning: points far from the origin should be centred, which
    changes no difference.

    References
    ----------
    .. [1] A. Rahimi and B. Recht, "Random features for large-scale kernel machines",
       NIPS 2007.
    .. [2] T. Yang, Y.-F. Li, M. Mahdavi, R. Jin and Z.-H. Zhou, "Nyström method vs
       random Fourier features", NIPS 2012.
    .. [3] F. X. Yu, A. T. Suresh, K. Choromanski, D. Holtmann-Rice and S. Kumar,
       "Orthogonal random features", NIPS 2016.
    .. [4] H. Avron, V. Sindhwani, J. Yang and M. W. Mahoney, "Quasi-Monte Carlo feature
       maps for shift-invariant kernels", JMLR 17, 2016.

    Examples
    --------
    >>> from sklearn.linear_model import RidgeClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from nystheory.datasets import digits
    >>> data = digits(600)
    >>> features = RandomFourierFeatures(
    ...     gamma="scale", n_components=400, draws="orthogonal", random_state=0
    ... )
    >>> model = make_pipeline(features, RidgeClassifier())
    >>> model = model.fit(data.X[:400], data.y[:400])
    >>> bool(model.score(data.X[400:], data.y[400:]) > 0.8)
    True
    """

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        gamma=None,
        nu=1.5,
        n_components=100,
        kind="pairs",
        draws="independent",
        random_state=None,
    ):
        self.kernel = kernel
        self.gamma = gamma
        self.nu = nu
        self.n_components = n_components
        self.kind = kind
        self.draws = draws
        self.random_state = random_state

    def fit(self, X, y=None) -> RandomFourierFeatures:
        """Draw the frequencies.

        Parameters
        ----------
        X : array_like or CSR (n, d)
            Points, of which only d is used, and the variance for ``gamma="scale"``.
        y : ignored
            For pipelines.

        Returns
        -------
        RandomFourierFeatures
            Itself.

        Raises
        ------
        ValueError, TypeError
            If a parameter is not what it should be, or X is not finite or has masked
            entries.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> features = RandomFourierFeatures(n_components=6, random_state=0)
        >>> features.fit([[0.0, 1.0]]).frequencies_.shape
        (3, 2)
        """
        with all_or_nothing(self):
            self._draw(self._validated(X, reset=True))
        return self

    def _draw(self, X):
        d = X.shape[1]
        self.kernel_ = spectrum(self.kernel, gamma_of(X, self.gamma), self.nu)
        phases = _checks.choice(self.kind, "kind", KINDS) == "phases"
        _checks.choice(self.draws, "draws", _draws.DRAWS)
        D = _checks.integer(self.n_components, "n_components")
        if D % 2 and not phases:
            raise ValueError(
                "n_components: expected an even number for kind='pairs', which has a "
                f"cosine and a sine of each frequency, got {D}; take {D + 1}, or "
                "kind='phases'"
            )
        m, rng = D if phases else D // 2, _choice.generator(self.random_state)
        self.frequencies_, self.phases_ = _draws.frequencies(
            self.kernel_, self.draws, m, d, phases, rng
        )
        self._drawn = str(self.draws)  # parameters may be set before the next fit
        self.n_features_out_ = self._n_features_out = D

    def transform(self, X) -> np.ndarray:
        """The features of points.

        Parameters
        ----------
        X : array_like or CSR (n, d)

        Returns
        -------
        ndarray (n, D)
            Of the type of X, float32 or float64.

        Raises
        ------
        ValueError, TypeError
            If X is not finite, has masked entries or other columns than in `fit`, or
            if an argument ``w . x`` overflows.

        Warns
        -----
        UserWarning
            If such arguments are so large that float64 does not resolve a turn.

        Notes
        -----
        The cost is stated above.

        Examples
        --------
        >>> features = RandomFourierFeatures(n_components=4, random_state=0)
        >>> features.fit([[1.0]]).transform([[0.0]]).round(3).tolist()
        [[0.707, 0.707, 0.0, 0.0]]
        """
        check_is_fitted(self)
        return self._features(self._validated(X))

    def _features(self, X):
        n, m = X.shape[0], len(self.frequencies_)
        out = np.empty((n, self.n_features_out_), dtype=X.dtype)
        W, b, turns = self._waves_of(X)
        step = max(16, CACHE_BYTES // (W.itemsize * m))

        def fill(rows):
            args = X[rows].astype(W.dtype, copy=False) @ W
            if b is not None:
                args += b
            _waves(args, turns, out[rows])

        in_blocks(fill, n, step)
        return out

    @property
    def log_penalty_(self) -> np.ndarray:
        """Logarithms of `penalty_`, (D,), which do not overflow."""
        check_is_fitted(self)
        logs = self.kernel_.log_penalty(self.frequencies_)
        return np.tile(logs, self.n_features_out_ // len(logs))

    @property
    def penalty_(self) -> np.ndarray:
        """``p(0) / p(w)`` of each feature, (D,), with p the density of the spectrum.

        The weights of the regulariser that stands for the norm of the kernel's space in
        the span of the waves.  For the Gaussian kernel, ``gamma = 1 / (2 sigma^2)``, it
        is ``exp(sigma^2 |w|^2 / 2)``: gamma_i in Proposition 1 of the paper.  Where
        one is infinite in float64 it is an error, AttributeError: take `log_penalty_`.
        """
        logs = self.log_penalty_
        if logs.max() > LARGEST_LOG:
            # Of this type, so that an estimator which is shown passes over it.
            raise AttributeError(
                f"penalty_: expected logarithms below {LARGEST_LOG:.0f}, got "
                f"{logs.max():.4g}, of an infinite weight in float64; take log_penalty_"
            )
        return np.exp(logs)

    def variance(self, X, Y=None) -> np.ndarray:
        """The variance of the inner product of two points' features, over draws.

        Parameters
        ----------
        X : array_like or CSR (n, d)
        Y : array_like or CSR (p, d), optional
            X by default.

        Returns
        -------
        ndarray (n, p)
            Exact, up to rounding.  Independent draws have ``(1 + k(2 z) - 2 k(z)^2) /
            D`` for pairs and ``(1 + k(2 z) / 2 - k(z)^2) / D`` with phases, z = x - y.
            Of m orthogonal frequencies in blocks of sizes b, ``sum b (b - 1) / m^2``
            times the covariance of two is added, ``1F1(d; d / 2; -gamma |z|^2) -
            exp(-2 gamma |z|^2)`` for the Gaussian kernel.

        Raises
        ------
        ValueError, TypeError
            If no closed form is known: quasi-Monte Carlo, or orthogonal frequencies of
            Matérn's kernel; or if X or Y is not what `transform` takes.

        Notes
        -----
        Costs O(n p d) operations; orthogonal ones some microseconds an entry for 1F1.

        Examples
        --------
        >>> features = RandomFourierFeatures(gamma=0.5, n_components=2, random_state=0)
        >>> features.fit([[0.0]]).variance([[0.0]], [[0.0], [9.0]]).round(3).tolist()
        [[0.0, 0.5]]
        """
        check_is_fitted(self)
        X, Y = self._two(X, Y)
        found = self._variance()
        if found is None:
            raise ValueError(
                "draws: expected some whose variance is known, 'independent', "
                f"or 'orthogonal' with kernel='rbf', got {self._drawn!r} with "
                f"kernel={self.kernel_.name!r}; estimate it over several random_state"
            )
        return entry_by_entry(found, X, Y)

    def error(self, X, *, probability: float = 0.95) -> _accuracy.Accuracy:
        """How far inner products are from the kernel: what is certain, what is likely.

        Parameters
        ----------
        X : array_like or CSR (n, d), or KernelMatrix of points (n, n)
            Points, or the kernel matrix of some, made by `kernels` with the same
            kernel and gamma.
        probability : float, default 0.95
            For what is likely of features drawn by this law.

        Returns
        -------
        Accuracy
            Norms of ``K - Z Z^T`` for the features that were drawn, certain up to
            rounding, which is accounted for; and bounds that hold with this
            probability, None where nothing is known, with the rounding of features of
            the type of X.  With Hoeffding's inequality an
            entry is off by eps or more with a chance of ``2 exp(-D eps^2 / 4)`` at most
            for pairs, ``2 exp(-D eps^2 / 8)`` with phases, independent draws; of
            orthogonal ones only the blocks are independent, and count as one draw each.

        Raises
        ------
        ValueError, TypeError
            If X is not what `transform` takes, or a matrix of another kernel, or
            `probability` is not between 0 and 1.

        Notes
        -----
        Costs n^2 (D + d) operations and n D words beside blocks of 8 MB: it computes
        all entries of K.  Bessel functions of SciPy, for another nu than 1/2, 3/2 and
        5/2, count as right to 1e-12.

        Examples
        --------
        >>> X = [[0.0], [1.0], [2.0]]
        >>> features = RandomFourierFeatures(n_components=1000, random_state=0)
        >>> found = features.fit(X).error(X)
        >>> found.spectral.value <= found.frobenius.value < found.likely_frobenius
        True
        """
        check_is_fitted(self)
        X = self._validated(self._points_of(X))
        probability = _checks.positive(probability, "probability")
        if probability >= 1:
            raise ValueError(
                f"probability: expected a number between 0 and 1, got {probability}"
            )
        off = self.kernel_.variance_rounding(X.shape[1]) / len(self.frequencies_)
        law = Law(self._variance(), off, self._inexact, self._deviation)
        return _accuracy.measured(self, X, law, probability)

    def _points_of(self, K):
        """The points of a kernel matrix, if its kernel is that of the features."""
        if not isinstance(K, Counted):
            return K
        ours = {"gamma": self.kernel_.gamma}
        if (getattr(K, "metric", None), getattr(K, "parameters", None)) != (
            self.kernel_.name,
            ours,
        ):
            raise ValueError(
                f"X: expected points, or a {self.kernel_.name} kernel matrix of "
                f"gamma={self.kernel_.gamma:.6g}, got {K!r}; pass the points"
            )
        if K.points is None:
            raise ValueError(
                f"X: expected points, or a kernel matrix of dense ones, got {K!r}; "
                "pass the points"
            )
        return K.points

    def _waves_of(self, X):
        """Frequencies as columns, phases, and whether both are in turns.

        In turns, and float64, where float32 would not resolve them; else in radians for
        float32, and in two radians for float64, as `_waves` takes them.
        """
        largest = self._largest(X)
        if largest * EPS[np.float64] > RESOLVED:
            rough = ", or a larger nu" if self.kernel_.name == "matern" else ""
            warnings.warn(
                f"X: expected |w| |x| below {RESOLVED / EPS[np.float64]:.0e} "
                f"for all frequencies w, got {largest:.1e}: waves lose their digits in "
                "rounding; subtract its mean from each column, or take a smaller gamma"
                f"{rough}",
                stacklevel=_calls_inside() + 1,
            )
        turns = _in_turns(X.dtype, largest)
        dtype = np.float64 if turns else X.dtype
        unit = 2 * np.pi if turns else 2.0 if dtype == np.float64 else 1.0
        W = np.ascontiguousarray(self.frequencies_.T / unit, dtype=dtype)
        b = None if self.phases_ is None else (self.phases_ / unit).astype(dtype)
        return W, b, turns

    def _largest(self, X):
        """No ``|w . x|`` is larger."""
        with np.errstate(over="ignore", invalid="ignore"):
            if sparse.issparse(X):
                norms = X.astype(np.float64).power(2).sum(axis=1)
            else:
                norms = np.einsum("ij,ij->i", X, X, dtype=np.float64)
            lengths = np.einsum("ij,ij->i", self.frequencies_, self.frequencies_)
            largest = float(np.sqrt(norms.max()) * np.sqrt(lengths.max()))
        if not math.isfinite(largest):
            raise ValueError(
                "X: expected points with finite |w|^2 and |x|^2 for all frequencies w, "
                f"got entries up to {abs(X).max():.1e} and gamma="
                f"{self.kernel_.gamma:.1e}; scale them"
            )
        return largest

    def _rounding(self, X):
        """By how much an inner product may be off that of exact waves."""
        largest, eps = self._largest(X), EPS[X.dtype.type]
        computed = EPS[np.float64] if _in_turns(X.dtype, largest) else eps
        # An argument is off by eps |w| |x|, and 2 pi eps with its phase, or from turns;
        # a wave by that and 4 eps.  Squares of sizes add up to 1, or to 2 with phases.
        return 4 * (largest * computed + 2 * math.pi * eps) + 16 * eps

    def _variance(self):
        """``variance(X, Y)`` of dense points, or None where it is not known."""
        (m, d), waves = self.frequencies_.shape, self.kernel_.variance
        shared = self._shared(m, d)
        if shared is None or (shared and not hasattr(self.kernel_, "together")):
            return None

        def variance(X, Y):
            # A phase adds cos(w . (x + y) + 2 b), of mean 0 and mean square 1/2.
            found = (waves(X, Y) + (0.5 if self.phases_ is not None else 0.0)) / m
            if shared:
                found += shared * self.kernel_.together(X, Y)
            return np.maximum(found, 0)  # rounding

        return variance

    def _shared(self, m, d):
        """The share of ordered pairs of frequencies that are in one block."""
        if self._drawn == "quasi-monte-carlo":
            return None
        if self._drawn == "independent":
            return 0.0
        return sum(b * (b - 1) for b in _draws.blocks(m, d)) / m**2

    def _inexact(self, n):
        """Of how many pairs of n points the inner product is random."""
        return n * (n - 1) // 2 if self.phases_ is None else n * (n + 1) // 2

    def _deviation(self, chance):
        """What one entry exceeds with this chance at most (Hoeffding), or None.

        A mean of independent terms of range r_b and weight c_b: ``2 exp(-2 eps^2 / sum
        (c_b r_b)^2)``.  A term is a wave, or a block of them.
        """
        m, d = self.frequencies_.shape
        shared = self._shared(m, d)
        if shared is None:
            return None
        weights = shared + 1 / m  # the sum of squares of b / m over blocks of size b
        span = 2.0 if self.phases_ is None else 4.0
        return span * math.sqrt(weights * math.log(2 / chance) / 2)


class Law(NamedTuple):
    """What is known of the features before they are drawn."""

    variance: object
    variance_rounding: float
    pairs: object
    deviation: object


def _in_turns(dtype, largest):
    """Whether float32 would not resolve the arguments."""
    return dtype == np.float32 and largest * EPS[np.float32] > RESOLVED


def _waves(args, turns, out):
    """Cosines, beside them sines where there is room, times the root of 2 / D."""
    m, size = args.shape[1], out.dtype.type(math.sqrt(2 / out.shape[1]))
    if out.dtype == np.float64:
        # One tangent t of half the angle has both, 2 / (1 + t^2) - 1 and 2 t / (1 +
        # t^2), to a few eps; with AVX-512 NumPy computes it much faster than a cosine.
        np.tan(args, out=args)
        squares = np.square(args)
        squares += 1
        np.divide(2 * size, squares, out=squares)
        np.subtract(squares, size, out=out[:, :m])
        if out.shape[1] > m:
            np.multiply(args, squares, out=out[:, m:])
        return
    if turns:  # whole ones are dropped in float64: then float32 is enough
        args -= np.rint(args)
        args = args.astype(out.dtype)
        args *= args.dtype.type(2 * np.pi)
    np.cos(args, out=out[:, :m])
    if out.shape[1] > m:
        np.sin(args, out=out[:, m:])
    out *= size
