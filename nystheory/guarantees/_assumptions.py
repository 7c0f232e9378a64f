"""What a rate of learning assumes, in words, and what is known of it."""

from __future__ import annotations

import numpy as np

from nystheory import style

ASSUMED, CHOSEN = "assumed", "chosen"


def told_of_labels(labels, y) -> str:
    """What is read of y, in a sentence.

    >>> told_of_labels(["a", "b"], np.array([1.0, -1.0, 1.0]))
    'Of y: 1 of class a, 2 of class b.'
    >>> told_of_labels(None, np.array([0.5, -2.0]))
    'Of y: numbers from -2 to 0.5.'
    """
    if labels is None:
        ends = (style.number(end) for end in (y.min(), y.max()))
        return f"Of y: numbers from {' to '.join(ends)}."
    counts = (int((y < 0).sum()), int((y > 0).sum()))
    told = (f"{c} of class {x}" for c, x in zip(counts, labels, strict=True))
    return f"Of y: {', '.join(told)}."


def assumptions(loss, rate, fitted, unknown, y) -> tuple[tuple[str, str], ...]:
    """Pairs: what a rate assumes, and what is known of it."""
    found = [("the points are drawn independently from one law", ASSUMED)]
    if rate == "slow":
        found += _slow()
    else:
        found += _fast(loss, y)
    found.append(_of_decay(rate, fitted, unknown))
    scores = "approximate ridge leverage scores at this alpha"
    found.append((f"the columns are drawn by {scores}", "up to the draw"))
    found.append(("the constants of the source are 1", CHOSEN))
    return tuple(found)


def _slow():
    features = "the features are sub-gaussian; bounded ones need not be"
    best = "some function of the space has the least risk of all in it"
    return [(features, ASSUMED), (best, ASSUMED)]


def _fast(loss, y):
    best = "the best of all functions lies in the space"
    if loss == "hinge":
        return [
            ("the features are sub-gaussian; bounded ones need not be", ASSUMED),
            (best, ASSUMED),
            (
                "low noise: the variance of the excess loss is at most proportional "
                "to its mean",
                ASSUMED,
            ),
            ("predictions are clipped to -1 to 1", "up to the learner"),
        ]
    found = [("the features are bounded", ASSUMED), (best, ASSUMED)]
    if loss == "logistic":
        clipped = (
            "predictions are clipped at log n, which the source shows to be enough"
        )
        return [*found, (clipped, "up to the learner")]
    largest = float(np.abs(np.asarray(y, dtype=float)).max())
    told = f"the largest is {style.number(largest)}"
    if largest > 1:
        told += ": divide them by it"
    found.append(("targets are between -1 and 1", told))
    return [*found, ("predictions are clipped to the same", "up to the learner")]


def _of_decay(rate, fitted, unknown):
    """What is assumed of the eigenvalues of the covariance."""
    if unknown:
        told = "the eigenvalues of the covariance fall like j^(-1/p) or e^(-beta j)"
        return ("no decay of eigenvalues" if rate == "slow" else told, unknown)
    fit = fitted.fit
    law = "j^(-1/p)" if fit.kind == "polynomial" else "e^(-beta j)"
    told = f"fitted to K: {fit._words()}, R^2 = {fit.r_squared:.3g}"
    return f"the eigenvalues of the covariance fall like {law}", told
