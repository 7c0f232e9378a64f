"""What docstrings of rates of learning say in words, and whether it is true."""

import math

import numpy as np
from words_of_docstrings import says

from nystheory import guarantees
from nystheory.guarantees import _decay

# ---- Rates of learning


def rates(p, loss, rate, n=400):
    A = n * np.diag(np.arange(1, n + 1.0) ** (-1 / p))
    y = np.arange(n) % 2
    return guarantees.landmarks_for_learning(A, y, loss).of(rate), A.trace() / n


@says(
    "guarantees.landmarks_for_learning",
    "loss ``lambda = n^[-1/2]``, ``alpha = [1/n]`` and ``n^[p] log n`` columns "
    "for an excess risk ``n^[-1/2]`` (Theorem 7)",
    "-1", "1", "2p", "-1",
)
def slow(of_lambda, of_alpha, growth, risk):
    for p in (0.25, 0.5):
        for loss in ("hinge", "logistic"):
            row, scale = rates(p, loss, "slow")
            own = {"-1/2": 400**-0.5, "-1": 1 / 400}[of_lambda]
            level = {"1/n": 1.0, "1": 400.0}[of_alpha]
            power = {"p": p, "2p": 2 * p}[growth]
            told = (
                np.isclose(row.lambda_, scale * own),
                np.isclose(row.alpha, scale * level),
                np.isclose(row.growth[0], power, rtol=1e-3),
                row.risk == {"-1/2": 0.5, "-1": 1.0}[risk],
            )
            if not all(told):
                return False
    return True


@says(
    "guarantees.landmarks_for_learning",
    "Faster, ``n^([-1 / (1 + p)])``, with lambda of that order; for the hinge "
    "loss ``alpha = lambda^[2]`` and ``n^([2p] / (1 + p))`` columns",
    "-1", "1", "p",
)
@says(
    "guarantees.landmarks_for_learning",
    "``alpha = [lambda]`` and ``n^([p] / (1 + p)) log n``",
    "lambda^2", "2p",
)
def fast(one, two, three=None):
    for p in (0.25, 0.5):
        for loss in ("hinge",) if three else ("square", "logistic"):
            row, scale = rates(p, loss, "fast")
            order = 400 ** (-1 / (1 + p)) if one != "-1" else 1 / 400
            powers = {"2": 2, "1": 1, "lambda": 1, "lambda^2": 2}
            power = powers[two if three else one]
            growth = {"2p": 2, "p": 1}[three or two] * p / (1 + p)
            told = (
                np.isclose(row.lambda_, scale * order, rtol=1e-2),
                np.isclose(row.alpha, scale * 400 * order**power, rtol=1e-2),
                np.isclose(row.growth[0], growth, rtol=1e-2),
            )
            if not all(told):
                return False
    return True


@says(
    "guarantees.landmarks_for_learning",
    "``ridge / 2 |w|^2`` the ridge is ``[2] n lambda``, and ``[n lambda]`` for "
    "half a square; in units of K the level is ``[n alpha]``",
    "1", "2 n lambda", "alpha",
)
def ridges(two, half, level):
    row, _ = rates(0.5, "hinge", "slow")
    square, scale = rates(0.5, "square", "fast")
    told = (
        np.isclose(row.ridge, float(two) * 400 * row.lambda_),
        np.isclose(square.ridge, (2 if "2" in half else 1) * 400 * square.lambda_),
        np.isclose(square.alpha, square.lambda_ * (400 if "n" in level else 1)),
    )
    return all(told) and scale > 0


@says(
    "guarantees.landmarks_for_learning",
    "Exponential decay stands for p = [0], with log n [squared] columns",
    "1", "plain",
)
@says("guarantees.Prescription", "[0] stands for log n [squared]", "1", "plain")
def exponential(p, power):
    A = np.diag(np.exp(-0.3 * np.arange(60.0)))
    row = guarantees.landmarks_for_learning(A, np.arange(60) % 2, "square").of("fast")
    words = repr(row) + row._growth()
    return row.growth[0] == float(p) and ("^2" in words) == (power == "squared")


@says(
    "guarantees.landmarks_for_learning",
    "n^3 operations, with `rng` [nearly six] times as many",
    "five",
)
def cost_of_halves(word):
    """n^3 of K and 39 halves."""
    return math.ceil(1 + _decay.HALVES / 8) == {"nearly six": 6, "five": 5}[word]


@says(
    "guarantees.Prescription",
    "That dimension [times] log(n [/] delta), both ends, and n [at most]",
    "over", "*", "at least",
)
def columns(by, inside, word):
    told = []
    for p, loss in ((0.25, "square"), (0.5, "hinge"), (0.9, "hinge")):
        row, _ = rates(p, loss, "fast")
        d = row.dimension
        ratio = 400 / 0.05 if inside == "/" else 400 * 0.05
        for end, count in zip((d.low, d.high), row.columns, strict=True):
            log = math.log(ratio)
            own = math.ceil((end * log if by == "times" else end / log) - 1e-6)
            limit = min if word == "at most" else max
            told.append(count == limit(400, own))
    return all(told)
