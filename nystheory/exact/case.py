"""An instance as fractions: a matrix, sampled columns, a rank, and what is chosen."""

from dataclasses import dataclass, field, replace
from functools import cached_property

from flint import fmpq, fmpq_mat

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.laws import outcomes
from nystheory.exact.matrix_functions import truncated_inverse

# The classes of cases by the name of their world.
CASES = {}


class AnyCase:
    """What every case has: values that it brings along, worlds whose names it knows."""

    # Worlds that its quantities are looked for in, the nearest first.
    scopes = ()
    # Whether it is one of the columns of a matrix.
    of_columns = True
    # What is drawn, by name: how many, of how many, whether with replacement.
    draws = ()

    def but(self, **changes):
        """A copy with some fields exchanged."""
        return replace(self, **changes)

    @property
    def k(self):
        return self.rank

    def outcomes(self, law):
        """Every outcome of a law with its exact probability."""
        return outcomes(self, law)

    def chosen(self, name):
        """A value that the case brings along."""
        if name not in self.given:
            raise Unknown(f"{name}: not given with this instance")
        return self.given[name]


@dataclass(frozen=True, eq=False)
class Case(AnyCase):
    """A kernel matrix, landmarks and a rank, in fractions.

    Parameters
    ----------
    K : fmpq_mat (n, n)
    landmarks : tuple of int
        Repetitions allowed.
    rank : int
    X : fmpq_mat (N, n), optional
        Points as columns with ``K = X'X``, where they are rational.
    given : dict
        What a statement needs besides, by name: a fraction, or a matrix of them.
    groups : tuple of int
        Sizes of groups of equal points, in the order of the columns.
    samples : int
        How many samples of one size the landmarks are.
    """

    K: fmpq_mat
    landmarks: tuple
    rank: int
    X: fmpq_mat | None = None
    given: dict = field(default_factory=dict)
    groups: tuple = ()
    samples: int = 1
    scopes: tuple = ()
    draws: dict = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        landmarks=(),
        rank=0,
        points=None,
        matrix=None,
        given=None,
        groups=(),
        samples=1,
        scopes=(),
        draws=None,
        **own,
    ):
        """From rows of numbers, each an int, a Fraction, a float or a text.

        With `scopes`, the names of its worlds, the case is one of the first of them
        that has a class of its own.

        >>> Case.of([0], 1, points=[["1/2", 1]]).K
        [1/4, 1/2]
        [1/2,   1]
        """
        kind = next((CASES[scope] for scope in scopes if scope in CASES), cls)
        if kind is not cls:
            told = {"given": given or {}, "scopes": tuple(scopes), "draws": draws or {}}
            return kind.of(rank=rank, **told, **own)
        if (points is None) == (matrix is None):
            raise ValueError("expected either points or matrix, got both or neither")
        X = None if points is None else balls.matrix(points)
        K = X.transpose() * X if matrix is None else balls.matrix(matrix)
        values = {name: _given(value) for name, value in (given or {}).items()}
        rest = {"scopes": tuple(scopes), "draws": draws or {}, "samples": samples}
        S = tuple(int(j) for j in landmarks)
        if K != K.transpose() or not all(0 <= j < K.nrows() for j in S):
            raise ValueError(
                f"expected a symmetric matrix and landmarks from 0 to {K.nrows() - 1}, "
                f"got {K} and {list(landmarks)}"
            )
        return cls(K, S, int(rank), X, values, tuple(groups), **rest)

    def but(self, **changes):
        """A copy with some fields exchanged; another sample keeps what is K's."""
        other = super().but(**changes)
        if set(changes) == {"landmarks"} and "spectrum" in self.__dict__:
            other.__dict__["spectrum"] = self.spectrum
        return other

    @property
    def n(self):
        return self.K.nrows()

    @property
    def l(self):  # noqa: E743 - the field's letter
        """Number of landmarks, of each sample if there are several."""
        return len(self.landmarks) // self.samples

    @cached_property
    def points(self):
        """X, or an error where the points are not rational."""
        if self.X is None:
            raise Unknown("the points of this matrix are not given")
        return self.X

    @cached_property
    def C(self):
        return balls.part(self.K, range(self.n), self.landmarks)

    @cached_property
    def W(self):
        return balls.part(self.K, self.landmarks, self.landmarks)

    @cached_property
    def core(self):
        """The pseudo-inverse of W cut to rank k."""
        return truncated_inverse(self.W, self.k)

    @cached_property
    def approximation(self):
        return balls.multiply(self.C, self.core, self.C.transpose())

    @cached_property
    def error(self):
        return balls.symmetric_part(balls.subtract(self.K, self.approximation))

    @cached_property
    def spectrum(self):
        """All n eigenvalues of K, descending; moduli where K is not semidefinite."""
        return balls.descending([abs(value) for value in balls.eigenvalues(self.K)])

    @cached_property
    def spread(self):
        """``sum K_ii^2 - |K|_F^2 / n``."""
        diagonal = balls.total(self.K[i, i] ** 2 for i in range(self.n))
        return diagonal - balls.squares(self.K) / self.n

    @cached_property
    def distance(self):
        """``X X' - Z Z'``, from the points, with ``Z = sqrt(n/l) X_S``."""
        X = self.points
        Z = balls.part(X, range(X.nrows()), self.landmarks)
        return X * X.transpose() - fmpq(self.n, self.l) * (Z * Z.transpose())


def _given(value):
    """A number as a fraction, rows as a matrix, a row as a matrix of one row."""
    if isinstance(value, (list, tuple)):
        rows = value if value and isinstance(value[0], (list, tuple)) else [value]
        return balls.matrix(rows)
    return balls.number(value)


@dataclass(frozen=True, eq=False)
class WorldCase(AnyCase):
    """A case of a world that has no class of its own: what it brings, what it draws.

    Vectors are lists of fractions, matrices have rows; three axes are a list of
    matrices, of which routes read, and no line.
    """

    of_columns = False

    given: dict
    axes: dict
    scopes: tuple = ()
    draws: dict = field(default_factory=dict)

    @classmethod
    def of(cls, given, scopes, draws, axes, rank=0):
        """From numbers, and rows of numbers."""
        values = {name: _part(value) for name, value in given.items()}
        return cls(values, axes, tuple(scopes), draws)

    def but(self, **changes):
        """A copy with some of its parts exchanged."""
        return replace(self, given={**self.given, **changes})

    @property
    def sizes(self):
        """How long each axis is, and the integers that are given."""
        found = {}
        for name, x in self.given.items():
            if isinstance(x, fmpq) and x.q == 1:
                found[name] = int(x)
            found |= dict(zip(self.axes.get(name, ()), _shape(x), strict=False))
        return found


def _shape(x):
    if isinstance(x, list):
        return (len(x), *(_shape(x[0]) if x else ()))
    return (x.nrows(), x.ncols()) if hasattr(x, "nrows") else ()


def _part(value):
    """A number, a list of numbers, a matrix of rows, or a list of matrices."""
    if _depth(value) in (1, 3):
        return [_part(x) for x in value]
    return _given(value)


def _depth(value) -> int:
    """How many axes nested lists have."""
    if not isinstance(value, (list, tuple)):
        return 0
    return 1 + (_depth(value[0]) if value else 0)


CASES |= {"Instance": Case, "World": WorldCase}
