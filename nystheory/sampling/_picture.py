"""Which points were chosen, as a picture."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from nystheory import style


def draw(landmarks, K):
    """All points in grey, the landmarks on top of them."""
    plane, chosen, label = _coordinates(landmarks, K)
    figure, (axes,) = style.panels(1, height=3.6)
    grey, accent = style.COLOURS["grey"], style.COLOURS["orange"]
    axes.scatter(*plane.T, s=6, color=grey, alpha=0.5, label="points")
    name = f"{len(chosen)} landmarks"
    axes.scatter(
        *chosen.T, s=34, color=accent, edgecolor="black", linewidth=0.5, label=name
    )
    axes.set(
        xlabel=label.format(1), ylabel=label.format(2), title=f"{landmarks.scheme}"
    )
    axes.legend(loc="best", fontsize=8)
    return figure


def _coordinates(landmarks, K):
    """Points and landmarks in a plane, (n, 2) and (l, 2), and the name of its axes."""
    _same_size(landmarks, K)
    X, own = K.points, landmarks.points
    if X is None:
        C = K[:, landmarks.indices].astype(np.float64, copy=False)
        U, s, _ = scipy.linalg.svd(C, full_matrices=False)
        plane = _two((U * s)[:, :2])
        return plane, plane[landmarks.indices], "singular vector {} of the columns"
    if X.shape[1] <= 2:
        plane = _two(X)
        chosen = plane[landmarks.indices] if own is None else _two(own)
        return plane, chosen, "$x_{}$"
    mean = X.mean(axis=0)
    # The covariance has d x d entries, which is less than X has.
    _, vectors = scipy.linalg.eigh(np.cov(X, rowvar=False))
    leading = vectors[:, :-3:-1]
    plane = (X - mean) @ leading
    chosen = plane[landmarks.indices] if own is None else (own - mean) @ leading
    return plane, chosen, "principal component {} of the points"


def _same_size(landmarks, K):
    longest = 0 if landmarks.indices is None else landmarks.indices.max(initial=-1) + 1
    sizes = [len(a) for a in (landmarks.probabilities,) if a is not None]
    if longest > K.n or any(size != K.n for size in sizes):
        n = sizes[0] if sizes else longest
        raise ValueError(f"K: expected the matrix of {n} points or more, got {K.n}")


def _two(X):
    return X if X.shape[1] == 2 else np.column_stack([X[:, 0], np.zeros(len(X))])
