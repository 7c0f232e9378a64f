"""Answers as plain data: what is handed in leaves its process as numbers and words.

What is read back has types of Python and NumPy alone, so that nobody's code comes with
it. Of another object those attributes are kept that a question asks about.
"""

import base64
import re
from fractions import Fraction

import numpy as np

DEEPEST = 12
SEQUENCES = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
KIND = re.compile(r"[<>|=]?[biufcU]\d+")


class Thing:
    """Another object than data: its attributes, and whether it counts as true."""

    def __init__(self, has, true):
        vars(self).update(has)
        self._true = true

    def __bool__(self):
        return self._true


class Function(Thing):
    """A function, which stays where it is: nobody's code is called here."""

    def __call__(self, *given, **named):
        raise TypeError("a function that was handed in is not called")


def packed(value, attributes=(), deep=0):
    """A value as something that JSON can say.

    Parameters
    ----------
    value : object
    attributes : sequence of str
        Which attributes of other objects are kept.

    Examples
    --------
    >>> opened(packed({"a": (1, 2.5, None), 3: {True}}))
    {'a': (1, 2.5, None), 3: {True}}
    >>> opened(packed(np.eye(2)))
    array([[1., 0.],
           [0., 1.]])
    """
    if deep > DEEPEST:
        raise ValueError("an answer is nested too deeply")
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if isinstance(value, np.ndarray) and KIND.fullmatch(value.dtype.str):
        data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
        return {"array": data, "kind": value.dtype.str, "shape": value.shape}
    if isinstance(value, Fraction):
        return {"fraction": str(value)}
    for name, kind in SEQUENCES.items():
        if isinstance(value, kind) and not hasattr(value, "_fields"):
            return {name: [packed(each, attributes, deep + 1) for each in value]}
    if isinstance(value, dict):
        pairs = value.items()
        kept = [[packed(x, attributes, deep + 1) for x in pair] for pair in pairs]
        return {"dict": kept}
    has = _kept(value, attributes, deep)
    return {"object": has, "true": _true(value), "called": callable(value)}


def _kept(value, attributes, deep):
    has = {}
    for name in attributes:
        try:
            has[name] = packed(getattr(value, name), (), deep + 1)
        except Exception:  # it has none, or none that can be said
            continue
    return has


def _true(value):
    try:
        return bool(value)
    except Exception:
        return True


def opened(said):
    """What was `packed`, of types of Python and NumPy, and `Thing` for all others."""
    if isinstance(said, list):
        raise ValueError("expected an answer as packed makes it, got a list")
    if not isinstance(said, dict):
        return said
    if "complex" in said:
        return complex(*said["complex"])
    if "fraction" in said:
        return Fraction(said["fraction"])
    if "array" in said:
        if not KIND.fullmatch(said["kind"]):
            raise ValueError("expected an array of numbers or words")
        data = np.frombuffer(base64.b64decode(said["array"]), said["kind"])
        return data.reshape(said["shape"])
    if "dict" in said:
        return {opened(key): opened(value) for key, value in said["dict"]}
    if "object" in said:
        has = {str(name): opened(value) for name, value in said["object"].items()}
        return (Function if said.get("called") else Thing)(has, said["true"] is True)
    ((name, values),) = said.items()
    return SEQUENCES[name](opened(each) for each in values)


def has_thing(value):
    """Whether something that was `opened` is, or holds, a `Thing`."""
    if isinstance(value, dict):
        return any(map(has_thing, value.values()))
    if isinstance(value, tuple(SEQUENCES.values())):
        return any(map(has_thing, value))
    return isinstance(value, Thing)
