"""Routes for random binning: who shares a bin, and mixtures of pitches."""

from itertools import product

from flint import acb, arb, ctx, fmpq

from nystheory.exact import balls
from nystheory.exact.laws import law
from nystheory.exact.routes import Routes

route = Routes("Grids").route


def _rows(M):
    return [[M[i, j] for j in range(M.ncols())] for i in range(M.nrows())]


def _tent(z, pitch):
    """The chance that no edge of a grid of this pitch falls between two points."""
    return max(1 - z / pitch, fmpq(0))


def _mixed(c, z):
    """The mean over the pitches, on one axis."""
    found = [_tent(z, pitch) for pitch in c.given["pitches"]]
    return balls.total(found) / len(found)


@route
def kernel(c):
    value = fmpq(1)
    for z in c.given["gaps"]:
        value *= _mixed(c, z)
    return value


@route
def kernel_at(c):
    return _mixed(c, c.given["z"])


@route
def kernel_twice(c):
    return _mixed(c, 2 * c.given["z"])


@route
def shared(c):
    """One point is the origin; an edge falls at the shift and every pitch from it."""
    grids = zip(_rows(c.given["widths"]), _rows(c.given["shifts"]), strict=True)
    hits = [
        all(
            (-u / width).floor() == ((z - u) / width).floor()
            for width, u, z in zip(widths, shifts, c.given["gaps"], strict=True)
        )
        for widths, shifts in grids
    ]
    return fmpq(sum(hits), len(hits))


@law
def grids(case):
    """P grids: a pitch for each axis, and a shift between the points of their edges.

    Within an interval of shifts no point changes its bin, so that its middle stands
    for it with a chance in proportion to its length.
    """
    gaps, pitches = case.given["gaps"], case.given["pitches"]
    of_axes = [_one_axis(z, pitches) for z in gaps]
    one_grid = list(product(*of_axes))
    for some in product(one_grid, repeat=int(case.given["P"])):
        chance, widths, shifts = fmpq(1), [], []
        for grid in some:
            widths.append([width for _, width, _ in grid])
            shifts.append([u for _, _, u in grid])
            for p, _, _ in grid:
                chance *= p
        changed = {"widths": balls.matrix(widths), "shifts": balls.matrix(shifts)}
        yield chance, case.but(**changed)


def _one_axis(z, pitches):
    """Chance, pitch and shift: where the edge passes the origin or the other point."""
    found = []
    for pitch in pitches:
        other = z - (z / pitch).floor() * pitch
        ends = sorted({fmpq(0), other, pitch})
        for low, high in zip(ends, ends[1:], strict=False):
            chance = (high - low) / pitch / len(pitches)
            found.append((chance, pitch, (low + high) / 2))
    return found


# --- Pitches of a continuous law ------------------------------------------------------


def _integral(f, z):
    """The integral of a function from z on that decays like ``t e^-t``, or faster."""
    reach = balls.ball(z) + ctx.prec
    inner = acb.integral(lambda t, _: f(t), acb(z), acb(reach)).real
    tail = (reach + 1) * (-reach).exp()
    return inner + arb(0, tail.upper())


@route
def gamma_mean(c):
    """Pitches with the density ``t e^-t``."""
    z = balls.ball(c.given["z"])
    return _integral(lambda t: (t - z) * (-t).exp(), z)


@route
def exponential_mean(c):
    """Pitches with the density ``e^-t``."""
    z = balls.ball(c.given["z"])
    if z <= 0:
        return arb(1)
    return _integral(lambda t: (1 - z / t) * (-t).exp(), z)
