"""Independent draws by how often each outcome comes: few lists for many draws."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

from nystheory.engine.worlds.drawn_columns import LISTED


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as a sum of so many numbers, none negative.

    >>> list(compositions(2, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        yield from ((first, *rest) for rest in compositions(total - first, parts - 1))


def multinomial(
    chances: Sequence[float], draws: int, ordered: bool = False
) -> Iterator[tuple[float, list[int]]] | None:
    """Draws with their chances, one order for all; None where there are too many.

    Parameters
    ----------
    chances : sequence of float
        Of the outcomes of one draw.
    draws : int
    ordered : bool
        Whether each order is listed for itself.

    Examples
    --------
    >>> list(multinomial([0.5, 0.5], 2))
    [(0.25, [1, 1]), (0.5, [0, 1]), (0.25, [0, 0])]
    """
    kinds = len(chances)
    if ordered:
        found = product(range(kinds), repeat=draws)
        return ((math.prod(chances[j] for j in S), list(S)) for S in found)
    if math.comb(draws + kinds - 1, kinds - 1) > LISTED:
        return None
    return (
        (_chance(counts, chances), [j for j, c in enumerate(counts) for _ in range(c)])
        for counts in compositions(draws, kinds)
    )


def _chance(counts, chances) -> float:
    ways, left = 1, sum(counts)
    for count in counts:
        ways *= math.comb(left, count)
        left -= count
    powers = (p**count for p, count in zip(chances, counts, strict=True))
    return ways * math.prod(powers)
