"""How columns are sampled: every outcome with its exact probability."""

from itertools import combinations, cycle, islice, permutations, product
from math import comb, factorial, perm, prod

from flint import arb_mat, fmpq

from nystheory.exact import balls
from nystheory.exact.matrix_functions import eliminated

LAWS = {}


def law(draw):
    """Enter a law of samples into the table, under its name, which is taken once."""
    known = LAWS.get(draw.__name__, draw).__code__.co_filename
    if known != draw.__code__.co_filename:
        raise ValueError(
            f"{draw.__name__}: expected a new name of a law, got that of {known}"
        )
    LAWS[draw.__name__] = draw
    return draw


def outcomes(case, law):
    """Every outcome of a law; of ``first >> second`` one after the other."""
    first, _, rest = law.partition(" >> ")
    own = first.partition("@")[0]
    drawn = _of_part(case, first) if own in case.draws else LAWS[first](case)
    for chance, outcome in drawn:
        if not rest:
            yield chance, outcome
            continue
        for p, after in outcomes(outcome, rest):
            yield chance * p, after


def _of_part(case, name):
    """The law of a part that a world declares as drawn."""
    own, _, degree = name.partition("@")
    if _has_moments(case, own):
        return _moments(case, own, int(degree or case.draws[own][2]))
    return _indices(case, name)


def _has_moments(case, name):
    """Whether closed moments stand for the law of a part."""
    return name in case.draws and isinstance(case.draws[name][0], (list, tuple))


def finer(case, law):
    """A law with closed moments up to a higher degree, one stage at a time."""
    stages = law.split(" >> ")
    for k, name in enumerate(stages):
        if _has_moments(case, name):
            higher = f"{name}@{case.draws[name][2] + 2}"
            yield " >> ".join([*stages[:k], higher, *stages[k + 1 :]])


def _root_of(p, q):
    return balls.square_root(fmpq(p, q))


# Nodes and probabilities with the moments of a law up to an odd degree (Gauss).
RULES = {
    ("gaussian", 3): lambda: [(fmpq(x), fmpq(1, 2)) for x in (-1, 1)],
    ("gaussian", 5): lambda: _three(_root_of(3, 1), fmpq(1, 6)),
    ("uniform", 3): lambda: [(x * _root_of(1, 3), fmpq(1, 2)) for x in (-1, 1)],
    ("uniform", 5): lambda: _three(_root_of(3, 5), fmpq(5, 18)),
    # One more node, by which it is seen that a line has no higher degree.
    ("gaussian", 7): lambda: [
        (sign * (3 + turn * _root_of(6, 1)).sqrt(), (3 - turn * _root_of(6, 1)) / 12)
        for sign in (-1, 1)
        for turn in (-1, 1)
    ],
    ("uniform", 7): lambda: [
        (
            sign * (fmpq(3, 7) + turn * fmpq(2, 7) * _root_of(6, 5)).sqrt(),
            fmpq(1, 4) - turn * _root_of(30, 1) / 72,
        )
        for sign in (-1, 1)
        for turn in (-1, 1)
    ],
}


def _three(node, chance):
    return [(-node, chance), (fmpq(0), 1 - 2 * chance), (node, chance)]


def _moments(case, name, degree):
    """The finite measure that stands for a continuous law, entry by entry."""
    axes, law, _ = case.draws[name]
    shape, rule = [case.sizes[axis] for axis in axes], RULES[law, degree]()
    for some in product(rule, repeat=prod(shape)):
        values, chance = [x for x, _ in some], prod((p for _, p in some), start=fmpq(1))
        if len(shape) == 2:
            rows = [values[i * shape[1] :][: shape[1]] for i in range(shape[0])]
            values = arb_mat([[balls.ball(x) for x in row] for row in rows])
        yield chance, case.but(**{name: values})


def _indices(case, name):
    """So many indices of so many, in their order, each outcome with the same chance."""
    count, of, replacement = case.draws[name]
    n, l = case.sizes[of], case.sizes[count]  # noqa: E741 - the field's letter
    found = product(range(n), repeat=l) if replacement else permutations(range(n), l)
    chance = fmpq(1, n**l if replacement else perm(n, l))
    for S in found:
        yield chance, case.but(**{name: [fmpq(j) for j in S]})


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
        return balls.total(p[0, j] for j in points) ** case.l

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
        chance = balls.total(x * (-1) ** missing for x, missing in signs)
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
            W = balls.part(case.K, S, S)
            found.append((weight(W) if S else fmpq(1), S))
    whole = balls.total(w for w, _ in found)
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
    whole, sets = balls.total(weights), {frozenset(): fmpq(1)}
    for _ in range(size):
        after = {}
        for T, chance in sets.items():
            for j, w in enumerate(weights):
                if w != 0:
                    grown = T | {j}
                    after[grown] = after.get(grown, fmpq(0)) + chance * w / whole
        sets = after
    return sets
