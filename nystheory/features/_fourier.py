"""Random Fourier features: waves whose frequencies are drawn from the spectrum."""

from __future__ import annotations

import warnings

import numpy as np
from scipy import sparse
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_is_fitted

from nystheory import _checks
from nystheory._progress import counter
from nystheory.features import _choice, _draws
from nystheory.features._kernel import _scale, validated
from nystheory.features._spectra import spectrum
from nystheory.sampling._landmarks import _calls_inside

KINDS = ("pairs", "phases")
# Arguments of a wave that are off by more, in radians, are computed in float64.
RESOLVED = 2.0**-14
# Bytes of the arguments that are computed at a time: they stay in the cache.
CACHE_BYTES = 2**21


class RandomFourierFeatures(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator
):
    def __init__(
        self,
        kernel="rbf",
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

    def fit(self, X, y=None):
        X = validated(self, X, copy=False, reset=True)
        gamma = gamma_of(X, self.gamma)
        self.kernel_ = spectrum(self.kernel, gamma, self.nu)
        phases = _checks.choice(self.kind, "kind", KINDS) == "phases"
        _checks.choice(self.draws, "draws", _draws.DRAWS)
        D = _checks.integer(self.n_components, "n_components")
        if D % 2 and not phases:
            raise ValueError(
                "n_components: expected an even number, for kind='pairs' has a cosine "
                f"and a sine of each frequency, got {D}; take {D + 1}"
            )
        m, rng = D if phases else D // 2, _choice.generator(self.random_state)
        self.frequencies_, self.phases_ = _draws.frequencies(
            self.kernel_, self.draws, m, X.shape[1], phases, rng
        )
        self.n_features_out_ = self._n_features_out = D
        return self

    @property
    def log_penalty_(self):
        check_is_fitted(self)
        logs = self.kernel_.log_penalty(self.frequencies_)
        return np.tile(logs, self.n_features_out_ // len(logs))

    @property
    def penalty_(self):
        with np.errstate(over="ignore"):
            found = np.exp(self.log_penalty_)
        if np.isinf(found).any():
            warnings.warn(
                "penalty_: expected logarithms below 709, got "
                f"{self.log_penalty_.max():.4g}: infinite in float64; take "
                "log_penalty_",
                RuntimeWarning,
                stacklevel=2,
            )
        return found

    def transform(self, X):
        check_is_fitted(self)
        X = validated(self, X, copy=False, reset=False)
        n, (m, d) = X.shape[0], self.frequencies_.shape
        out = np.empty((n, self.n_features_out_), dtype=X.dtype)
        fine = self._resolution(X)
        W = self.frequencies_ / (2 * np.pi) if fine else self.frequencies_
        W = W.T.astype(np.float64 if fine else X.dtype, copy=False)
        step = max(16, CACHE_BYTES // (W.itemsize * m))
        with counter("points", n) as bar:
            for start in range(0, n, step):
                rows = slice(start, min(start + step, n))
                self._waves(X[rows], W, fine, out[rows])
                bar.update(rows.stop - rows.start)
        return out

    def _waves(self, X, W, turns, out):
        """The features of a few points; ``X @ W`` in radians, or in turns."""
        m = W.shape[1]
        args = X.astype(W.dtype, copy=False) @ W
        if self.phases_ is not None:
            shift = self.phases_ / (2 * np.pi) if turns else self.phases_
            args += shift.astype(W.dtype)
        if turns:  # whole turns are dropped in float64: then float32 is enough
            args -= np.rint(args)
            args = args.astype(out.dtype)
            args *= args.dtype.type(2 * np.pi)
        np.cos(args, out=out[:, :m])
        if self.phases_ is None:
            np.sin(args, out=out[:, m:])
        out *= out.dtype.type(np.sqrt(2 / out.shape[1]))

    def _resolution(self, X):
        """Whether arguments need float64 although X has float32; a warning if more."""
        squares = X.multiply(X) if sparse.issparse(X) else None
        if squares is None:
            norms = np.einsum("ij,ij->i", X, X, dtype=np.float64)
        else:
            norms = squares.sum(axis=1, dtype=np.float64)
        W = self.frequencies_
        lengths = np.einsum("ij,ij->i", W, W)
        largest = float(np.sqrt(norms.max(initial=0.0)) * np.sqrt(lengths.max()))
        if largest * np.finfo(np.float64).eps > RESOLVED:
            warnings.warn(
                "X: expected |w| |x| below "
                f"{RESOLVED / np.finfo(np.float64).eps:.0e} for frequencies w, got "
                f"{largest:.1e}: the waves there are lost in rounding; subtract from "
                "each column its mean, or take a smaller gamma",
                stacklevel=_calls_inside() + 1,
            )
        return X.dtype == np.float32 and largest * np.finfo(X.dtype).eps > RESOLVED

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def gamma_of(X, gamma) -> float:
    """A number above 0; 1 / d by default, ``1 / (d Var X)`` for ``"scale"``."""
    if gamma is None:
        return 1 / X.shape[1]
    if isinstance(gamma, str):
        return _scale(X, gamma)
    return _checks.positive(gamma, "gamma")
