"""Two sides compared: true, false, or None where balls overlap."""

import ast

from flint import arb, arb_mat, fmpq, fmpq_mat

from nystheory.exact import balls


def is_matrix(x):
    return isinstance(x, (fmpq_mat, arb_mat))


def flat(value):
    if isinstance(value, list):
        return [y for x in value for y in flat(x)]
    return value.entries() if is_matrix(value) else [value]


def compare(op, left, right):
    """One truth for two sides; entry by entry where they are lists or matrices."""
    if isinstance(left, bool) or isinstance(right, bool):
        return _truth(op, left, right)
    a, b = _both(left, right)
    if isinstance(op, ast.NotEq):
        same = compare(ast.Eq(), left, right)
        return None if same is None else not same
    found = [_one(op, x, y) for x, y in zip(a, b, strict=True)]
    if False in found:
        return False
    return None if None in found else True


def _truth(op, left, right):
    if not isinstance(op, (ast.Eq, ast.NotEq)):
        raise ValueError("truths are compared with == and != only")
    return (left == right) is isinstance(op, ast.Eq)


def _both(left, right):
    """The numbers of both sides; one that is a number goes with every entry."""
    a, b = flat(left), flat(right)
    if _is_one(left) or _is_one(right):
        a, b = (a * len(b), b) if _is_one(left) else (a, b * len(a))
    if len(a) != len(b):
        raise ValueError("two sides of unlike shape")
    return a, b


def _is_one(x) -> bool:
    return not isinstance(x, list) and not is_matrix(x)


def _one(op, x, y):
    if isinstance(x, arb) or isinstance(y, arb):
        return _balls(op, balls.ball(x), balls.ball(y))
    return _FRACTIONS[type(op)](x, y)


_FRACTIONS = {
    ast.LtE: lambda x, y: bool(x <= y),
    ast.GtE: lambda x, y: bool(x >= y),
    ast.Lt: lambda x, y: bool(x < y),
    ast.Gt: lambda x, y: bool(x > y),
    ast.Eq: lambda x, y: bool(x == y),
    ast.NotEq: lambda x, y: bool(x != y),
}


def _balls(op, x, y):
    """A comparison of balls is known where they do not overlap."""
    if not (x.is_finite() and y.is_finite()):
        return None
    less, more = bool(x < y), bool(x > y)
    if isinstance(op, ast.GtE):
        return _balls(ast.LtE(), y, x)
    if isinstance(op, (ast.Lt, ast.Gt)):
        found = _balls(ast.LtE(), *((y, x) if isinstance(op, ast.Lt) else (x, y)))
        return None if found is None else not found
    if isinstance(op, ast.LtE):
        # Balls that share one point at most decide it too.
        return False if more else True if less or bool(x <= y) else None
    apart = less or more
    if isinstance(op, ast.Eq):
        return False if apart else None
    return True if apart else None


def near(left, right) -> bool:
    """Whether all balls overlap and are narrow beside the largest number."""
    if isinstance(left, bool):
        return False
    a, b = _both(left, right)
    differences = [balls.ball(x) - balls.ball(y) for x, y in zip(a, b, strict=True)]
    size = max((abs(balls.ball(x)).upper() for x in a), default=arb(0))
    return all(d.contains(0) and d.rad() <= size * arb(10) ** -30 for d in differences)


def where_it_fails(op, left, right):
    """Both sides as text; of lists, the first entry that fails, or that is not zero."""
    if isinstance(left, bool):
        return str(left), str(right)
    a, b = _both(left, right)
    pairs = list(zip(a, b, strict=True))
    bad = [pair for pair in pairs if _one(op, *pair) is False]
    bad = bad or [pair for pair in pairs if pair[0] != 0 or pair[1] != 0]
    x, y = bad[0] if bad else (fmpq(0), fmpq(0))
    return shown(x), shown(y)


def shown(x) -> str:
    """A short fraction as it is, else a ball with the digits that are known."""
    if isinstance(x, fmpq) and len(str(x)) <= 24:
        return str(x)
    return balls.ball(x).str(12)
