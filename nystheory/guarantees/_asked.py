"""What promises need, beside the matrix and the number of columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from nystheory import _checks, _progress
from nystheory.chapters import theorems
from nystheory.engine.promises.known import Known
from nystheory.engine.promises.promises import Promise, asks, lacks

# What is counted, and cannot be more than the columns.
_COUNTED = {"experts", "block_size"}


def asked_of(case, chosen, norm: str = "") -> Iterator[tuple]:
    """Every promise (in a norm): theorem, claim, what is known, or why it is not asked.

    >>> import numpy as np
    >>> from nystheory.engine import Instance
    >>> found = asked_of(Instance(np.eye(9), [0], 1), {}, "largest entry")
    >>> [(theorem.id, claim, why) for theorem, claim, _, why in found]
    [('modern:geometry', 'volume', '')]
    """
    known = Known.of(case)
    for theorem, name, asked in _asks(known, norm):
        given = {symbol: chosen[symbol] for symbol in asked if symbol in chosen}
        missing = set(asked) - set(chosen)
        told = _in_words(theorem, asked, "=")
        why = f"needs {told}, given by name" if missing else ""
        known_not = lacks(theorem, name, known)
        if known_not and not why:
            why = f"needs {_in_words(theorem, known_not)}, not known from this estimate"
        yield theorem, name, known.but(**given), why


def _in_words(theorem, symbols, mark="") -> str:
    """What symbols mean, and their names.

    >>> _in_words(theorems["modern:block-rpcholesky"], ["block_size"], "=")
    'the number of pivots in a block (`block_size=`)'
    """
    known = theorem.quantities
    told = (f"the {known[name].meaning} (`{name}{mark}`)" for name in symbols)
    return " and ".join(told)


def _asks(known, norm=""):
    for theorem in theorems.values():
        for name, promise in theorem.promises.items():
            if isinstance(promise, Promise) and norm in ("", promise.norm):
                yield theorem, name, asks(theorem, name, known)


def best_rows(
    asked: Iterable[tuple], row: Callable, worth: Callable
) -> tuple[list, dict[str, str]]:
    """The best row for each theorem, norm and scheme; and why others are not asked.

    `asked` is of `asked_of`; `row` makes one of a theorem, a claim and what is known.
    """
    best, unasked, asked = {}, {}, [*asked]
    with _progress.counter("promises", len(asked)) as bar:
        for theorem, name, known, why in asked:
            bar.update(1)
            if why:
                unasked[theorem.id] = why
                continue
            found = row(theorem, name, known)
            if found._of not in best or worth(found) < worth(best[found._of]):
                best[found._of] = found
    return [*best.values()], unasked


def checked(chosen: Mapping[str, float], case, most: int) -> dict[str, float]:
    """What is chosen by name, where some promise uses it.

    >>> import numpy as np
    >>> from nystheory.engine import Instance
    >>> checked({"block_size": 2}, Instance(np.eye(9), [0], 1), 4)
    {'block_size': 2}
    """
    asked = {symbol for _, _, some in _asks(Known.of(case)) for symbol in some}
    out = {}
    for name, x in chosen.items():
        if name not in asked:
            raise ValueError(f"{name}: expected one of {sorted(asked)}, got {name!r}")
        if name in _COUNTED:
            out[name] = _checks.integer(x, name, 1, most, "the number of columns")
        else:
            out[name] = _checks.positive(x, name)
    least = 1 / out.get("experts", most)
    if not least * (1 - 1e-12) <= out.get("mu_max", 1) <= 1:
        raise ValueError(
            f"mu_max: expected the largest of {out.get('experts', most)} convex "
            f"weights or fewer, {least:.3g} to 1, got {out['mu_max']:.6g}"
        )
    return out
