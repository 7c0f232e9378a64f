"""What no formula gives, enclosed: a supremum, the minimiser of a convex function."""

import heapq
from itertools import count

from flint import arb, ctx

from nystheory.exact import balls


def supremum(f, low, high, lipschitz):
    """The supremum of a function over an interval, between two ends.

    Parameters
    ----------
    f : callable (fmpq) -> fmpq or arb
    low, high : fmpq
    lipschitz : fmpq or arb
        The function moves by at most this times the distance of two points.

    Returns
    -------
    arb
        From the largest value found to what may lie beside it.  The grid is finest
        where the supremum may be, and has eight points for each bit of a number: a
        proof that needs a finer one asks for more of both.

    Examples
    --------
    >>> from flint import fmpq
    >>> f = lambda t: t * (1 - t)
    >>> found = supremum(f, fmpq(0), fmpq(1), fmpq(1))
    >>> bool(found.contains(fmpq(1, 4))), bool(found < fmpq(13, 50))
    (True, True)
    """

    if not (low <= high and lipschitz >= 0):
        raise ValueError(
            "supremum: expected low <= high and a constant not below 0, got "
            f"{low}, {high}, {lipschitz}"
        )

    def part(a, b):
        """An interval, by what the function may reach in it."""
        value = balls.ball(f((a + b) / 2))
        may = (value + balls.ball(balls.times(lipschitz, b - a)) / 2).upper()
        return -float(may), next(order), may, value.lower(), a, b

    order = count()
    parts = [part(low, high)]
    best = parts[0][3]
    for _ in range(4 * ctx.prec):
        _, _, _, _, a, b = heapq.heappop(parts)
        for half in (part(a, (a + b) / 2), part((a + b) / 2, b)):
            best = max(best, half[3])
            heapq.heappush(parts, half)
    return best.union(balls.largest([may for _, _, may, _, _, _ in parts]))


def minimiser(point, gap, convexity):
    """The minimiser of a strongly convex function, within reach of a point.

    Parameters
    ----------
    point : list of fmpq or arb
    gap : fmpq or arb
        How far the value there is above that of any dual point, or more.
    convexity : fmpq or arb
        The function less half of this times the squared length is convex.

    Returns
    -------
    list of arb
        Since the value at w is above the least one by at least half of the convexity
        times the squared distance of w.

    Examples
    --------
    >>> from flint import fmpq
    >>> [x] = minimiser([fmpq(1)], fmpq(1, 200), fmpq(1))  # of (w - 0.95)^2 / 2, say
    >>> bool(x.contains(fmpq(19, 20)))
    True
    """
    if not (gap >= 0 and convexity > 0):
        raise ValueError(
            "minimiser: expected a gap not below 0 and a convexity above it, got "
            f"{gap}, {convexity}"
        )
    reach = (balls.ball(2 * gap) / convexity).sqrt().upper()
    return [balls.ball(x) + arb(0, reach) for x in point]
