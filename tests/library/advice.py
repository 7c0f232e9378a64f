"""What messages advise, and what it is to follow it.

`VALUES` has the advice on an argument: what to pass in its place.  It is made from the
message itself and the value that was refused, so that a wrong name does not work.
"""

import re

import numpy as np
import numpy.random
from bad_input import POINTS, world

from nystheory import kernels, lowrank
from nystheory.kernels import as_kernel


def dense(match, value):
    return value.toarray()


def named(match, value):
    """An expression in the name that the message has: that of the argument."""
    return eval(match["code"], {match["name"]: np.asarray(value, dtype=float)})


def carried_out(match, value):
    """Lines that bind the name anew."""
    names = {match["name"]: np.asarray(value, dtype=float), "numpy": np}
    exec(match["code"], names)
    return names[match["name"]]


def scaled(match, value):
    value = np.asarray(value, dtype=float)
    return value * 2.0 ** -np.round(np.log2(np.abs(value).max()))


def such_as(match, value):
    """An example, where K, X and the landmarks are good ones."""
    w = world()
    given = {"K": w.K, "X": POINTS, "landmarks": w.S, "numpy": numpy}
    given |= {"kernels": kernels, "lowrank": lowrank, "as_kernel": as_kernel}
    return eval(match["code"], given)


# A message, and what to pass in the place of the value that was refused.
VALUES = {
    r"its toarray\(\) is dense": dense,
    r"pass (?P<name>\w+)(?P<code>\.toarray\(\))": dense,
    r"(?P<name>\w+): expected a symmetric matrix.* pass (?P<code>\(.+\) / 2)$": named,
    r"(?P<name>\w+): expected a positive .* to zero: (?P<code>.+)$": carried_out,
    r"multiply by a power of two": scaled,
    r"such as (?P<code>[\w.]+\([^()]*\))": such_as,
}


def followed(said, value):
    """The value that a message advises, and None where it advises none."""
    for pattern, follow in VALUES.items():
        match = re.search(pattern, said, re.S)
        if match:
            return follow(match, value)
    return None
