"""An instance as fractions: a matrix, sampled columns, a rank, and what is chosen."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, cycle, islice, permutations, product
from math import comb, factorial, prod

from flint import fmpq, fmpq_mat

from nystheory.exact import arithmetic as exact
from nystheory.exact.arithmetic import Unknown


class Given:
    """What every kind of case has: a rank, and values that it brings along."""

    def but(self, **changes):
        """A copy with some fields exchanged."""
        return replace(self, **changes)

    @property
    def k(self):
        return self.rank

    def chosen(self, name):
        """A value that the case brings along."""
        if name not in self.given:
            raise Unknown(f"{name}: not given with this instance")
        return self.given[name]


@dataclass(frozen=True, eq=False)
class Case(Given):
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
    """

    K: fmpq_mat
    landmarks: tuple
    rank: int
    X: fmpq_mat | None = None
    given: dict = field(default_factory=dict)
    groups: tuple = ()

    @classmethod
    def of(
        cls,
        landmarks,
        rank,
        points=None,
        matrix=None,
        given=None,
        groups=(),
        clusters=None,
        experts=None,
    ):
        """From rows of numbers, each an int, a Fraction, a float or a text.

        With `clusters`, their sizes, counts and squared lengths, a `ClusterCase`; with
        `experts` an `ExpertCase`.

        >>> Case.of([0], 1, points=[["1/2", 1]]).K
        [1/4, 1/2]
        [1/2,   1]
        """
        if clusters:
            from nystheory.exact.clusters import ClusterCase

            return ClusterCase.of(**clusters, rank=rank, given=given or {})
        if experts:
            from nystheory.exact.experts import ExpertCase

            return ExpertCase.of(**experts, rank=rank, given=given or {})
        if (points is None) == (matrix is None):
            raise ValueError("expected either points or matrix, got both or neither")
        X = None if points is None else exact.matrix(points)
        K = X.transpose() * X if matrix is None else exact.matrix(matrix)
        values = {name: _given(value) for name, value in (given or {}).items()}
        S = tuple(int(j) for j in landmarks)
        if K != K.transpose() or not all(0 <= j < K.nrows() for j in S):
            raise ValueError(
                f"expected a symmetric matrix and landmarks from 0 to {K.nrows() - 1}, "
                f"got {K} and {list(landmarks)}"
            )
        return cls(K, S, int(rank), X, values, tuple(groups))

    def but(self, **changes):
        """A copy with some fields exchanged; another sample keeps what is K's."""
        other = super().but(**changes)
        if set(changes) == {"landmarks"} and "spectrum" in self.__dict__:
            other.__dict__["spectrum"] = self.spectrum
        return other

    def outcomes(self, law):
        """Every sample with its exact probability."""
        return LAWS[law](self)

    @property
    def n(self):
        return self.K.nrows()

    @property
    def l(self):  # noqa: E743 - the field's letter
        """Number of landmarks, of each expert if there are several."""
        p = self.given.get("experts", fmpq(1))
        return len(self.landmarks) // (int(p) if isinstance(p, fmpq) else 1)

    @cached_property
    def points(self):
        """X, or an error where the points are not rational."""
        if self.X is None:
            raise Unknown("the points of this matrix are not given")
        return self.X

    @cached_property
    def C(self):
        return exact.part(self.K, range(self.n), self.landmarks)

    @cached_property
    def W(self):
        return exact.part(self.K, self.landmarks, self.landmarks)

    @cached_property
    def core(self):
        """The pseudo-inverse of W cut to rank k."""
        return exact.truncated_inverse(self.W, self.k)

    @cached_property
    def approximation(self):
        return exact.multiply(self.C, self.core, self.C.transpose())

    @cached_property
    def error(self):
        return exact.symmetric_part(exact.subtract(self.K, self.approximation))

    @cached_property
    def spectrum(self):
        """All n eigenvalues of K, descending; moduli where K is not semidefinite."""
        return exact.descending([abs(value) for value in exact.eigenvalues(self.K)])

    @cached_property
    def spread(self):
        """``sum K_ii^2 - |K|_F^2 / n``."""
        diagonal = exact.total(self.K[i, i] ** 2 for i in range(self.n))
        return diagonal - exact.squares(self.K) / self.n

    @cached_property
    def distance(self):
        """``X X' - Z Z'``, from the points, with ``Z = sqrt(n/l) X_S``."""
        X = self.points
        Z = exact.part(X, range(X.nrows()), self.landmarks)
        return X * X.transpose() - fmpq(self.n, self.l) * (Z * Z.transpose())


def _given(value):
    """A number as a fraction, rows as a matrix, a row as a matrix of one row."""
    if isinstance(value, (list, tuple)):
        rows = value if value and isinstance(value[0], (list, tuple)) else [value]
        return exact.matrix(rows)
    return exact.number(value)


# --- How columns are sampled: every outcome with its exact probability --------------

LAWS = {}


def law(draw):
    """Enter a law of samples into the table, under its name."""
    LAWS[draw.__name__] = draw
    return draw


def counts(sizes, l, repeated=False):  # noqa: E741
    """How many of each group may be drawn."""
    if len(sizes) == 1:
        if l <= sizes[0] or repeated:
            yield (l,)
        return
    for first in range((l if repeated else min(l, sizes[0])) + 1):
        for rest in counts(sizes[1:], l - first, repeated):
            yield (first, *rest)


def _first(sizes, count):
    """Columns that stand for so many of each group: its first ones, in a circle."""
    start, chosen = 0, []
    for size, c in zip(sizes, count, strict=True):
        chosen += [start + j % size for j in range(c)]
        start += size
    return tuple(chosen)


@law
def surely(case):
    """The landmarks of the case, with certainty."""
    yield fmpq(1), case


@law
def one_repeated(case):
    """One uniform column, l times: every draw is uniform, none is independent."""
    for j in range(case.n):
        yield fmpq(1, case.n), case.but(landmarks=(j,) * case.l)


@law
def uniform(case):
    """l different columns, every set with the same chance."""
    if case.groups:
        whole = comb(case.n, case.l)
        for count in counts(case.groups, case.l):
            ways = prod(comb(m, c) for m, c in zip(case.groups, count, strict=True))
            yield fmpq(ways, whole), case.but(landmarks=_first(case.groups, count))
        return
    samples = list(combinations(range(case.n), case.l))
    for S in samples:
        yield fmpq(1, len(samples)), case.but(landmarks=S)


@law
def in_turn(case):
    """The same, one after the other: every order is an outcome of its own."""
    if case.groups:
        yield from uniform(case)
        return
    orders = list(permutations(range(case.n), case.l))
    for S in orders:
        yield fmpq(1, len(orders)), case.but(landmarks=S)


@law
def with_replacement(case):
    """l independent uniform columns."""
    if case.groups:
        for count in counts(case.groups, case.l, repeated=True):
            ways = factorial(case.l) // prod(map(factorial, count))
            ways *= prod(m**c for m, c in zip(case.groups, count, strict=True))
            chance = fmpq(ways, case.n**case.l)
            yield chance, case.but(landmarks=_first(case.groups, count))
        return
    chance = fmpq(1, case.n) ** case.l
    for S in product(range(case.n), repeat=case.l):
        yield chance, case.but(landmarks=S)


@law
def replaced_counts(case):
    """The same, by how often each column is drawn: the order does not count."""
    groups = case.groups or (1,) * case.n
    yield from with_replacement(case.but(groups=groups))


@law
def weighted(case):
    """l independent columns with the given probabilities."""
    p = case.chosen("probabilities")
    for S in product(range(case.n), repeat=case.l):
        chance = fmpq(1)
        for j in S:
            chance *= p[0, j]
        if chance != 0:
            yield chance, case.but(landmarks=S)


@law
def uniform_hits(case):
    """l different columns: which groups of equal points are hit, by their first ones.

    For what depends on nothing else of a sample.
    """
    whole = comb(case.n, case.l)
    yield from _hits(case, lambda points: fmpq(comb(len(points), case.l), whole))


@law
def weighted_hits(case):
    """The same for l independent columns with the given probabilities."""
    p = case.chosen("probabilities")

    def all_in(points):
        return exact.total(p[0, j] for j in points) ** case.l

    yield from _hits(case, all_in)


def _hits(case, inside):
    """Sets of groups that are hit, by inclusion and exclusion."""
    sizes = case.groups or (1,) * case.n
    first = [sum(sizes[:g]) for g in range(len(sizes))]
    within = {}
    for hit in _subsets(range(len(sizes))):
        points = [first[g] + j for g in hit for j in range(sizes[g])]
        within[hit] = inside(points)
    for hit in within:
        signs = ((within[some], len(hit) - len(some)) for some in _subsets(hit))
        chance = exact.total(x * (-1) ** missing for x, missing in signs)
        if chance != 0:
            stand = [first[g] for g in hit]
            yield chance, case.but(landmarks=tuple(islice(cycle(stand), case.l)))


def _subsets(items):
    """All sets of some items, as tuples in their order, the smallest first."""
    return [some for r in range(len(items) + 1) for some in combinations(items, r)]


@law
def determinantal(case):
    """l columns with probability in proportion to the determinant of W (k-DPP)."""
    yield from _in_proportion(case, lambda W: W.det(), [case.l])


@law
def volume_squared(case):
    """l columns in proportion to the squared determinant: not a k-DPP."""
    yield from _in_proportion(case, lambda W: W.det() ** 2, [case.l])


@law
def dpp(case):
    """Any number of columns, in proportion to ``det(W / alpha)``."""
    yield from _in_proportion(case, _scaled(case), range(case.n + 1))


@law
def dpp_not_empty(case):
    """The same, drawn again while it is empty."""
    yield from _in_proportion(case, _scaled(case), range(1, case.n + 1))


@law
def dpp_squared(case):
    """Any number of columns, in proportion to ``det(W / alpha)^2``."""
    weight = _scaled(case)
    yield from _in_proportion(case, lambda W: weight(W) ** 2, range(case.n + 1))


def _scaled(case):
    alpha = case.chosen("alpha")
    return lambda W: W.det() / alpha ** W.nrows()


def _in_proportion(case, weight, counts):
    found = []
    for count in counts:
        for S in combinations(range(case.n), count):
            W = exact.part(case.K, S, S)
            found.append((weight(W) if S else fmpq(1), S))
    whole = exact.total(w for w, _ in found)
    for w, S in found:
        if w != 0:
            yield w / whole, case.but(landmarks=S)


@law
def pivoted(case):
    """Pivots drawn from the diagonal of what is left (RPCholesky)."""
    yield from _pivots(case, lambda d: d)


@law
def pivoted_squared(case):
    """Pivots drawn from the squared diagonal."""
    yield from _pivots(case, lambda d: d * d)


@law
def pivoted_blocks(case):
    """Independent pivots in blocks, each from the diagonal at its start."""
    yield from _pivots(case, lambda d: d, int(case.chosen("block_size").p))


def _pivots(case, weight, size=1):
    """Every set of pivots with the chance of all orders in which it may come."""
    running, finished = {frozenset(): fmpq(1)}, {}
    for _ in range(case.l // size):
        after = {}
        for S, chance in running.items():
            E = eliminated(case.K, S)
            weights = [weight(E[i, i]) for i in range(case.n)]
            if not any(weights):
                finished[S] = finished.get(S, fmpq(0)) + chance
                continue
            for T, p in _block(weights, size).items():
                after[S | T] = after.get(S | T, fmpq(0)) + chance * p
        running = after
    for S, chance in [*finished.items(), *running.items()]:
        yield chance, case.but(landmarks=tuple(sorted(S)))


def _block(weights, size):
    """The set of so many independent draws, with its chance."""
    whole, sets = exact.total(weights), {frozenset(): fmpq(1)}
    for _ in range(size):
        after = {}
        for T, chance in sets.items():
            for j, w in enumerate(weights):
                if w != 0:
                    grown = T | {j}
                    after[grown] = after.get(grown, fmpq(0)) + chance * w / whole
        sets = after
    return sets


def eliminated(K, pivots):
    """What is left of K after Gauss's elimination of these rows and columns."""
    n = K.nrows()
    for j in pivots:
        if K[j, j] != 0:
            row = fmpq_mat([[K[j, b] for b in range(n)]])
            K = K - row.transpose() * row * (1 / K[j, j])
    return K
