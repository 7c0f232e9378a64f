"""What a statement speaks of: a world declares its parts, given and drawn.

    class Ridge(Instance):
        signal = Given("z", "signal at the points", axes=("n",))

An instance of a world brings its parts along by name.  From the declaration follow the
quantity of each part, the exact form, what a failure shows, and for a part that is
drawn the list of all its outcomes.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import ClassVar

import numpy as np

from nystheory.engine.language.quantity import (
    BEFORE,
    CHOSEN,
    SAMPLE,
    Quantities,
    Quantity,
)
from nystheory.engine.worlds import laws
from nystheory.engine.worlds.matrices import as_float, in_fractions
from nystheory.engine.worlds.measured import Measured

# Samples of instances up to this size are kept, with what was measured on them.
SHARED = 20


class Part:
    """A part of a world: a number, a vector or a matrix that an instance brings along.

    Parameters
    ----------
    latex, meaning : str
        Of the quantity of the same name; without a symbol there is none, and lines do
        not speak of it.
    axes : tuple of str
        What its axes count; none of a number.
    unit : float, optional
        As for a quantity; what is given has no rounding error.
    default : callable (World) -> value, optional
        Where the instance does not bring it.
    drawn : bool
        Whether a law may draw it.
    range : str
        A line: which values it may have, ``"alpha > 0"``; empty if any.
    says : str
        The same in words, where the line alone would not do.
    """

    def __init__(
        self,
        latex: str = "",
        meaning: str = "",
        axes: tuple[str, ...] = (),
        unit: float | None = None,
        default: Callable | None = None,
        drawn: bool = False,
        range: str = "",
        says: str = "",
    ):
        self.latex, self.meaning, self.axes = latex, meaning, axes
        self.unit, self.default, self.drawn = unit, default, drawn
        self.range, self.says = range, says
        self.name = ""

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        """What an instance brings is found before this is asked."""
        if instance is None:
            return self
        if self.default is None:
            told = f"expected {self.meaning or 'a value'} by name, got none"
            raise Missing(f"{self.name}: {told}")
        return self.default(instance)

    def quantity(self) -> Quantity:
        """What lines call by its name."""
        when = SAMPLE if self.drawn else CHOSEN
        args = (self.name, self.latex, self.meaning, when)
        rest = {"unit": self.unit, "part": True, "range": (self.range, self.says)}
        return Quantity(*args, self._fast, **rest)

    def _fast(self, i):
        return getattr(i, self.name)


class Given(Part):
    """A part that an instance brings along."""


class Size(Part):
    """How long an axis is, under the name of the axis."""

    def __init__(self, latex, meaning):
        super().__init__(latex, meaning, default=lambda i: i.sizes[self.name])


class Draw(Part):
    """A part that is drawn: so many of so many, with or without replacement.

    Parameters
    ----------
    count, of : str
        Names of sizes: an axis of another part, or a number that is given.
    replacement : bool
    latex, meaning : str
        As for any part.
    """

    def __init__(self, count, of, replacement=True, latex="", meaning=""):
        super().__init__(latex, meaning, (count,), drawn=True)
        self.count, self.of, self.replacement = count, of, replacement


class Moments(Part):
    """A part with independent entries of a continuous law, in means of polynomials.

    A finite measure stands for the law: it has the same moments up to a degree, so
    that means of polynomials are exact up to that degree in each entry, and no others.

    Parameters
    ----------
    law : {"gaussian", "uniform"}
        Standard normal entries, or uniform ones in [-1, 1].
    degree : {3, 5}
    axes : tuple of str
        Sizes of the part.
    """

    def __init__(self, law, degree, axes, latex="", meaning=""):
        if (law, degree) not in laws.RULES or degree > 5:
            told = "'gaussian' or 'uniform', and the degree 3 or 5"
            raise ValueError(f"law: expected {told}, got {law!r} and {degree!r}")
        super().__init__(latex, meaning, axes, drawn=True)
        self.law, self.degree = law, degree


def _is_count(value) -> bool:
    return np.ndim(value) == 0 and float(value).is_integer()


class Missing(KeyError, ValueError):
    """Something that neither the instance nor the caller tells."""

    def __str__(self):
        return str(self.args[0])


# Names that mean something in every world, filled in below.
_RESERVED: set[str] = set()
# Where each world stands: exact routes find it by its name.
_NAMED: dict[str, str] = {}


class World(Measured):
    """What a statement speaks of; a subclass declares its parts.

    Parameters
    ----------
    name : str
        Where the instance comes from, for tables.
    **given : number or array
        Its parts by name, and sizes that no part tells.

    Raises
    ------
    TypeError
        If something is given that is no part of this world.
    """

    parts: ClassVar[dict[str, Part]] = {}
    quantities: ClassVar[Quantities] = Quantities("World")

    delta = Given(
        r"\delta", "probability with which a bound may fail", range="0 < delta <= 1"
    )
    alpha = Given(r"\alpha", "ridge, in the units of K", range="alpha > 0")
    noise = Given(
        r"\sigma^2", "variance of the noise, in the units of K", range="noise >= 0"
    )
    accuracy = Given(
        r"\varepsilon",
        "accuracy, how far above the best error",
        range="accuracy > 0",
    )

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        bases = [b for b in cls.__bases__ if issubclass(b, World)]
        parts = {}
        for base in reversed(cls.__mro__[1:]):
            parts |= {n: p for n, p in vars(base).items() if isinstance(p, Part)}
        cls.parts = parts
        if cls.__name__ in _NAMED and cls.__module__ != _NAMED[cls.__name__]:
            told = f"{_NAMED[cls.__name__]} and {cls.__module__}"
            raise TypeError(f"{cls.__name__}: expected one world of this name, {told}")
        _NAMED[cls.__name__] = cls.__module__
        cls.quantities = Quantities(cls.__name__, tuple(b.quantities for b in bases))
        cls._declare()

    @classmethod
    def _declare(cls):
        """Enter the parts that stand in this class."""
        own = {n: p for n, p in vars(cls).items() if isinstance(p, Part)}
        taken = [n for n in own if n not in cls.parts and n in _RESERVED]
        if taken:
            told = "expected another name of a part: it means something in every world"
            raise TypeError(f"{cls.__name__}.{taken[0]}: {told}")
        cls.parts = {**cls.parts, **own}
        for part in own.values():
            if part.latex and not (
                part.name in cls.quantities and cls.quantities[part.name].part
            ):
                cls.quantities.enter(part.quantity())

    def __init__(self, name: str = "", **given):
        self.name, self.plain = name, None
        self._bring(given)

    def _bring(self, given) -> None:
        """Keep parts under their names."""
        for name, value in given.items():
            if name not in self.parts:
                near = difflib.get_close_matches(name, self.parts, n=3, cutoff=0.4)
                hint = f"; did you mean {' or '.join(near)}?" if near else ""
                world = type(self).__name__
                raise TypeError(f"{name!r} is no part of the world {world}{hint}")
            self.__dict__[name] = value
        self._check_axes()

    def _check_axes(self) -> None:
        """Two parts that count one thing have as many of it."""
        seen = {n: (n, int(x)) for n, x in self.given.items() if _is_count(x)}
        for name, value in self.given.items():
            for axis, size in zip(self.parts[name].axes, np.shape(value), strict=False):
                other, known = seen.setdefault(axis, (name, size))
                if known != size:
                    told = f"expected {known} along {axis!r}, as {other} has"
                    raise ValueError(f"{name}: {told}, got {size}")

    @property
    def given(self) -> dict:
        """The parts that it brings along, by name."""
        return {n: self.__dict__[n] for n in self.parts if n in self.__dict__}

    def brings(self, name: str) -> bool:
        """Whether it brings a part along."""
        return name in self.parts and name in self.__dict__

    @property
    def is_whole(self) -> bool:
        """Whether it is of integers."""
        return not any(np.mod(value, 1).any() for value in self.given.values())

    def but(self, **changes):
        """A copy with some of its parts exchanged."""
        return type(self)(**{"name": self.name, **self.given, **changes})

    def anew(self, **changes):
        """As `but`, and everything is measured afresh."""
        return self.but(**changes)

    @property
    def sampled(self) -> set[str]:
        """The parts that a law may draw."""
        return {name for name, part in self.parts.items() if part.drawn}

    @property
    def sizes(self) -> dict[str, int]:
        """How long each axis is, and the numbers that are given."""
        found = {}
        for name, value in self.given.items():
            if np.ndim(value) == 0 and float(value).is_integer():
                found[name] = int(value)
            found |= dict(zip(self.parts[name].axes, np.shape(value), strict=False))
        return found

    @property
    def n(self) -> int:
        """The longest axis, by which rounding grows."""
        return max(self.sizes.values(), default=1)

    @property
    def shape(self) -> tuple:
        """Cases of one shape are compared with each other by a search."""
        return tuple(sorted(self.sizes.items()))

    norm_K = 1.0

    # --- What is drawn ----------------------------------------------------------------

    def outcomes(self, law: str):
        """Every outcome of a law with its probability, None where there are too many.

        ``first >> second`` draws one after the other, the second from what the first
        has left.  Those of small instances are listed once, and all claims share what
        is measured on them.
        """
        if self.n > SHARED:
            return self._outcomes(law)
        if law not in self._listed:
            found = self._outcomes(law)
            self._listed[law] = None if found is None else list(found)
        return self._listed[law]

    def _outcomes(self, law):
        first, _, rest = law.partition(" >> ")
        found = laws.of(self, first).outcomes(self)
        if not rest or found is None:
            return found
        pairs = []
        for chance, outcome in found:
            after = outcome.outcomes(rest)
            if after is None:
                return None
            pairs += [(chance * p, i) for p, i in after]
            if len(pairs) > laws.LISTED:
                return None
        return pairs

    def draw(self, law: str, rng):
        """The instance with one random outcome of a law."""
        first, _, rest = law.partition(" >> ")
        draw = laws.of(self, first).draw
        drawn = draw(self, rng) if draw else super().draw(first, rng)
        return drawn.draw(rest, rng) if rest else drawn

    # --- In exact numbers -------------------------------------------------------------

    def in_fractions(self) -> dict | None:
        """The instance in exact numbers, as text: what `exact.Case.of` takes."""
        given = self.given if self.plain is None else self.plain
        axes = {name: list(part.axes) for name, part in self.parts.items() if part.axes}
        told = {"given": {n: in_fractions(x) for n, x in given.items()}, "axes": axes}
        return told | self._scopes()

    @classmethod
    def exactly(cls, name="", **given):
        """An instance of fractions, for refutations that are proofs."""
        other = cls(name, **{name: as_float(value) for name, value in given.items()})
        other.plain = given
        return other

    def _scopes(self) -> dict:
        """Whose quantities lines speak of, and what is drawn."""
        scopes = [c.__name__ for c in type(self).__mro__ if issubclass(c, World)]
        draws = {
            name: [part.count, part.of, part.replacement]
            for name, part in self.parts.items()
            if isinstance(part, Draw)
        }
        draws |= {
            name: [list(part.axes), part.law, part.degree]
            for name, part in self.parts.items()
            if isinstance(part, Moments)
        }
        return {"scopes": scopes} | ({"draws": draws} if draws else {})

    # Whether a search may move what it brings.
    moves = True

    def shown(self) -> dict:
        """What a failure shows: its parts, as they are given or drawn."""
        return self.given

    def __repr__(self):
        label = f"{self.name}: " if self.name else ""
        told = ", ".join(f"{name}={x}" for name, x in self.sizes.items())
        return f"{type(self).__name__}({label}{told})"

    # --- What a world says ------------------------------------------------------------

    @classmethod
    def quantity(cls, latex, meaning, when=BEFORE, **options):
        """Enter a fast route as a quantity of this world, under its own name.

        Parameters
        ----------
        latex, meaning, when : str
        **options
            ``unit``, ``condition``, ``inexact`` as for `Quantity`; ``name``, if it is
            not that of the function.

        Examples
        --------
        >>> World.quantities["alpha"].meaning
        'ridge, in the units of K'
        """

        def enter(fast):
            name = options.pop("name", "") or fast.__name__
            made = Quantity(name, latex, meaning, when, fast, **options)
            cls.quantities.enter(made)
            return fast

        return enter

    @classmethod
    def composed(cls, name, latex, line, meaning, when=BEFORE):
        """Enter a quantity that is an expression in others: one line, and no route."""
        cls.quantities.enter(Quantity(name, latex, meaning, when, line=line))

    @classmethod
    def drawn(cls, instance, rng):
        """The instance with what the statement speaks of besides, at random.

        None where there is nothing of that kind.  A world that has such parts says
        how they are drawn; one that is no `Instance` may leave what it is given alone.
        The search moves what was drawn, so whatever a statement needs of it is a range
        or a hypothesis: that it was drawn so is not enough.
        """
        return instance

    @classmethod
    def completed(cls, instance, rng):
        """An instance in this world: what it brings is kept, else all is drawn."""
        if not isinstance(instance, World) or instance.given:
            return cls.of(instance)
        return cls.drawn(cls.of(instance), rng)

    @classmethod
    def of(cls, instance):
        """The same case in this world."""
        return instance


_RESERVED |= {n for n, x in vars(World).items() if not isinstance(x, Part)} - {"n"}
World._declare()
