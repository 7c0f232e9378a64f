"""What promises are computed from: each quantity with a world that has it."""

from nystheory.chapters import theorems
from nystheory.engine.worlds.instances import Instance


def world_of(name):
    """A world of the columns of one matrix in which a promise may name a quantity."""
    spoken = (t.world for t in theorems.values() if name in t.quantities)
    return next(world for world in spoken if issubclass(world, Instance))


def parts_of(world, given):
    """Of some numbers by name those that are parts of a world."""
    return {name: value for name, value in given.items() if name in world.parts}
