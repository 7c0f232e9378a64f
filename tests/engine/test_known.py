"""What is known of a matrix, and the promises read from it, against slow evaluation."""

import math
from functools import cache

import numpy as np
import pytest

from nystheory import datasets, guarantees, kernels
from nystheory.chapters import theorems
from nystheory.engine import QUANTITIES, Instance
from nystheory.engine.language import lines
from nystheory.engine.language.quantity import SAMPLE
from nystheory.engine.promises.applied import AppliedClaim
from nystheory.engine.promises.known import Known
from nystheory.engine.promises.promises import Promise, asks, kept, reached

DIGITS = kernels.rbf(datasets.digits(30).X).dense()
MATRICES = {
    "digits": DIGITS,
    "steep": np.diag([400.0, 20.0, *0.9 ** np.arange(28)]),
    "even": np.ones((30, 30)) + 1e-3 * np.eye(30),
}
KNOWN = {name: guarantees.know(K) for name, K in MATRICES.items()}
MORE = {"alpha": 1.0, "delta": 0.1, "experts": 2, "mu_max": 0.5, "accuracy": 0.5}
MORE |= {"kept_share": 0.3, "ridge_share": 1.0, "similarity": 0.9, "score_share": 1.0}
MORE |= {"block_size": 2, "epsilon": 0.5, "c": 0.1}


def needs(theorem, claim):
    """What the bound needs, and what it and the hypotheses need."""
    bound = set(theorem.needed(claim.bounding(theorem.quantities)))
    told = filter(None, (claim.line, claim.when))
    spoken = {x for line in told for x in theorem.needed(lines.parse(line))}
    parsed = [lines.parse(theorem.hypotheses[x].line) for x in theorem.asked(spoken)]
    return bound, bound.union(*map(theorem.needed, parsed))


INVERTED = [
    (theorem, name)
    for theorem in theorems.values()
    for name, claim in theorem.claims.items()
    if claim.bounding(theorem.quantities) is not None
    and "l" in needs(theorem, claim)[0]
    and not any(
        theorem.quantities[x].when == SAMPLE for x in needs(theorem, claim)[0]
    )
]
PROMISED = [
    (theorem, name)
    for theorem in theorems.values()
    for name, promise in theorem.promises.items()
    if isinstance(promise, Promise)
]


def ids(pairs):
    return [f"{theorem.id}, {name}" for theorem, name in pairs]


# --- Columns that a bound asks for ----------------------------------------------------


def slow_bound(theorem, name, K, m, rank, given):
    """On a new instance for each number of columns; infinite where it says nothing."""
    if rank and m < rank:
        return math.inf
    if rank is None and is_open(theorem, name, given):
        every = range(1, m + 1)
        return min(slow_bound(theorem, name, K, m, k, given) for k in every)
    case = Instance(K, range(m), rank or m)
    try:
        return theorem.bound_on(case, name, l=m, **given)
    except ValueError as error:
        if "hypothesis" not in str(error):
            raise
        return math.inf


def is_open(theorem, name, given):
    """Whether the rank is left open, and the best one counts."""
    promise = theorem.promises.get(name)
    several = "experts" in needs(theorem, theorem.claims[name])[1]
    free = isinstance(promise, Promise) and {*promise.free} == {"k"}
    return free and not several and set(given) <= {"delta"}


@pytest.mark.parametrize(("theorem", "name"), INVERTED, ids=ids(INVERTED))
def test_required_columns_are_those_of_a_slow_evaluation(theorem, name):
    """All 30 numbers of columns, each with its own eigendecomposition."""
    _, every = needs(theorem, theorem.claims[name])
    given = {x: MORE[x] for x in every & set(MORE)}
    if every & {"d_eff", "largest_score"}:
        given["alpha"] = MORE["alpha"]
    for rank in (None, 3):
        try:
            slow = [slow_bound(theorem, name, DIGITS, m, rank, given) for m in SIZES]
        except (TypeError, ValueError, KeyError):
            with pytest.raises((TypeError, ValueError), match="expected|no value"):
                asked(theorem, name, 1.0, rank, given)
            continue
        finite = sorted({x for x in slow if math.isfinite(x)})
        for target in finite[:: max(len(finite) // 3, 1)]:
            target *= 1 + 1e-9
            if falls(slow, target):
                compare(slow, asked(theorem, name, target, rank, given))


SIZES = range(1, 31)


def asked(theorem, name, target, rank, given):
    return guarantees.required_landmarks(
        theorem, target, K=KNOWN["digits"], rank=rank, claim=name, **given
    )


def falls(slow, target):
    """Whether enough columns stay enough; what does not is refused."""
    spoken = [m for m, x in enumerate(slow) if math.isfinite(x)]
    enough = [x <= target for x in slow[: spoken[-1] + 1]]
    return enough == sorted(enough)


def compare(slow, found):
    """With the first that is small enough."""
    enough = [m for m, x in zip(SIZES, slow, strict=True) if x <= found.target]
    assert (found.count is None) == (not enough)
    if enough:
        assert found.count == enough[0]
        assert found.bound == pytest.approx(slow[found.count - 1], rel=1e-9)


def test_a_rank_that_float64_cannot_tell_is_at_least_what_is_clear():
    """The hypothesis l <= rank K, of eigenvalues from 1 to 1e-15."""
    K = np.diag(10.0 ** -np.arange(16))
    found = guarantees.required_landmarks("modern:k-dpp-expectation", 0.05, K=K)
    assert found.count == 2


# --- Promises -------------------------------------------------------------------------


def brute(case, free, delta, ranks):
    """The best bound, rank by rank, every rank on its own."""
    best = math.inf
    others = [x for x in free if x != "k"]
    for rank in ranks:
        chosen = {"k": float(rank)} | delta
        if others:
            chosen = at_its_end(case, chosen, others[0], free[others[0]])
        if chosen and case.holds(chosen):
            best = np.fmin(best, case.bound(chosen))
    return best


def at_its_end(case, chosen, symbol, way):
    """A free number by bisection, with nothing left out."""
    unit = np.trace(case.instance.K) if symbol == "alpha" else 1.0
    high = 0.999 if symbol == "alpha" else 1e6
    bad, good = (1e-12, high) if way == "smallest" else (high, 1e-12)
    if not case.holds({**chosen, symbol: good * unit}):
        return None
    for _ in range(60):
        middle = math.sqrt(bad * good)
        met = case.holds({**chosen, symbol: middle * unit})
        bad, good = (bad, middle) if met else (middle, good)
    return {**chosen, symbol: good * unit}


def prepared(theorem, name, known, l):  # noqa: E741
    more = {x: MORE[x] for x in asks(theorem, name, known)}
    return theorem.world.of(known).but(landmarks=range(l), rank=l, **more)


@pytest.mark.parametrize(("theorem", "name"), PROMISED, ids=ids(PROMISED))
def test_a_look_at_all_ranks_leaves_out_no_better_one(theorem, name):
    for known, l in zip(KNOWN.values(), (20, 25, 4), strict=True):  # noqa: E741
        instance = prepared(theorem, name, known, l).but(delta=0.1)
        best = kept(theorem, name, instance)
        case = AppliedClaim(theorem, name, instance, 0.1)
        free = theorem.promises[name].free
        ranks = range(1, instance.l + 1) if "k" in free else [instance.k]
        slow = brute(case, free, {"delta": 0.1}, ranks)
        assert best.bound == pytest.approx(slow, rel=1e-9)


@pytest.mark.parametrize(("theorem", "name"), PROMISED, ids=ids(PROMISED))
def test_a_target_is_reached_where_the_best_promise_is_below_it(theorem, name):
    for known, l in zip(KNOWN.values(), (20, 25, 4), strict=True):  # noqa: E741
        instance = prepared(theorem, name, known, l)
        best = kept(theorem, name, instance).bound
        if not np.isfinite(best):
            assert reached(theorem, name, instance, 1e9) is None
            continue
        above = best * (1 + 1e-6) + 1e-12
        assert reached(theorem, name, instance, above).bound <= above
        assert not best or not reached(theorem, name, instance, best * (1 - 1e-6))


# --- The table of columns -------------------------------------------------------------


@cache
def every_table(matrix):
    """What is promised for each number of columns, once for all norms."""
    known = KNOWN[matrix]
    return {m: guarantees.promises(known, m) for m in range(1, known.n)}


@pytest.mark.parametrize("norm", ["trace", "spectral", "Frobenius", "largest entry"])
@pytest.mark.parametrize("matrix", MATRICES)
def test_columns_are_the_first_with_which_the_table_promises_it(matrix, norm):
    """Every number of columns, one table each: what holds there, and not one before."""
    known, share = KNOWN[matrix], 0.02
    if norm == "largest entry" and matrix == "digits":
        share = 0.01
    tables = every_table(matrix)

    def says(row, m):
        found = [r for r in tables[m].rows if r.norm == norm]
        key = row.at.id, row.at.scheme
        shares = [r.share for r in found if (r.id, r.scheme) == key]
        return min(shares, default=math.inf) <= share * (1 + 1e-9)

    for row in guarantees.columns(known, share, norm).rows:
        enough = [m for m in tables if says(row, m)]
        if row.count is None:
            assert not enough or not row.falls or min(enough) > 1
            continue
        assert row.at.share <= share and row.count in enough
        assert row.count - 1 not in enough
        if enough == list(range(enough[0], known.n)):
            assert row.count == enough[0] and row.falls


def test_the_fewest_columns_come_first_and_what_never_reaches_it_last():
    found = guarantees.columns(KNOWN["digits"], 0.1)
    counts = [math.inf if row.count is None else row.count for row in found.rows]
    assert counts == sorted(counts) and counts[0] < 30 <= counts[-1]
    shown = found._repr_html_()
    assert (
        "More columns than there are" in shown
        and "needs the number of pivots in a" in shown
    )
    assert found.rows[-1].at.share == math.inf and "promises are kept" in repr(found)


def test_blocks_are_counted_whole():
    found = guarantees.columns(KNOWN["digits"], 0.5, block_size=7)
    row = found.of("modern:block-rpcholesky")
    assert row.count % 7 == 0 and row.at.share <= 0.5
    less = guarantees.promises(KNOWN["digits"], row.count - 7, block_size=7)
    assert less.of("modern:block-rpcholesky", "trace").share > 0.5


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"share": 0}, "share: expected"),
        ({"share": math.nan}, "share: expected"),
        ({"share": 1.0}, "share: expected less than 1, which the trace norm"),
        ({"share": 0.9, "norm": "spectral"}, "share: expected less than"),
        ({"norm": "nuclear"}, "norm: expected"),
        ({"delta": 2}, "delta: expected a number between 0 and 1"),
        ({"tail_2": 2}, "tail_2: expected one of"),
        ({"block_size": 0}, "block_size: expected"),
    ],
)
def test_bad_columns(change, says):
    with pytest.raises(ValueError, match=says):
        guarantees.columns(np.diag([3.0, 2.0, 1.0]), **({"share": 0.2} | change))


def test_a_matrix_that_takes_the_memory_is_refused(monkeypatch):
    monkeypatch.setattr("os.sysconf", lambda name: 40)
    with pytest.raises(ValueError, match="K: expected at most 10 points, whose matrix"):
        guarantees.know(np.eye(11))
    assert guarantees.know(np.eye(10)).n == 10


# --- What is measured once ------------------------------------------------------------


def test_what_is_measured_depends_on_what_was_read():
    matrix = Instance(np.diag([4.0, 2.0, 1.0]), [0], 1)
    tail, ratio = QUANTITIES["tail_trace"], QUANTITIES["symmetric_ratio"]
    one = Known(matrix, 2, 1)
    assert one.measured(tail) is one.but(count=3).measured(tail)
    assert one.but(rank=2).measured(tail).value == 1.0
    assert one.measured(ratio) is one.but(rank=2, alpha=3.0).measured(ratio)
    by_ridge = [one.but(alpha=x).measured(QUANTITIES["d_eff"]).value for x in (1, 2)]
    values = np.array([4.0, 2.0, 1.0])
    assert by_ridge == [pytest.approx((values / (values + x)).sum()) for x in (1, 2)]


@pytest.mark.parametrize("name", ["digits", "steep", "even"])
def test_quantities_are_those_of_an_instance(name):
    """Every quantity that a promise or an inverted bound needs, for some l and k."""
    known = KNOWN[name]
    every = {(t.world, x) for t, c in PROMISED + INVERTED for x in needs_of(t, c)}
    for l, k in ((3, 1), (20, 7), (29, 29)):  # noqa: E741
        for world, x in sorted(every, key=str):
            more = {name: value for name, value in MORE.items() if name in world.parts}
            plain, one = world(known.K, range(l), k, **more), world.quantities[x]
            case = Known.of(plain)
            if one.when == "before sampling" and not one.line:
                try:
                    a = plain.measured(one)
                except (KeyError, ValueError):  # it needs something else by name
                    continue
                b = case.measured(one)
                if isinstance(a, bool):
                    assert a == b
                elif not a.unknown and np.isfinite(a.error):
                    off = np.abs(np.asarray(a.value) - b.value).max()
                    assert off <= a.error + b.error, (x, a, b)


def needs_of(theorem, name):
    claim, tree = theorem.claims[name], theorem.bounding(name)
    return needs(theorem, claim)[1] if tree is not None else set()


# --- Errors ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"rank": 0}, ValueError, "rank: expected an integer of at least 1, got 0"),
        ({"rank": True}, TypeError, "rank: expected an integer"),
        ({"rank": 99}, ValueError, "rank: expected"),
        ({"target": "small"}, TypeError, "target: expected a finite number, got 'smal"),
        ({"target": True}, TypeError, "target: expected a finite number, got True"),
        ({"target": math.inf}, ValueError, "target: expected a finite number, got inf"),
        ({"target": 10**400}, ValueError, "target: expected a finite number, got an"),
        ({"claim": "nothing"}, ValueError, "claim: expected one of .'mean'"),
        ({"claim": 3}, ValueError, "claim: expected one of"),
        ({"theorem": "modern:none"}, KeyError, "modern:none"),
        ({"K": None}, ValueError, "n: expected the number of columns"),
    ],
)
def test_what_is_asked_wrongly_is_named(change, error, says):
    call = {"theorem": "modern:k-dpp-expectation", "target": 1.0, "K": np.eye(9)}
    call |= change
    with pytest.raises(error, match=says):
        guarantees.required_landmarks(call.pop("theorem"), call.pop("target"), **call)


def test_the_columns_of_one_expert_are_not_taken_for_those_of_all():
    """The same matrix in two worlds: what one has measured first is not the other's."""
    matrix, size = Instance(np.eye(12), [0], 1), QUANTITIES["l"]
    ensembles = theorems["talwalkar2010:thm-5.3"].world
    alone, three = Known(matrix, 6, 1), Known(matrix, 6, 1, {"experts": 3}, ensembles)
    assert alone.measured(size).value == 6
    assert three.measured(size).value == 2
    assert alone.measured(size).value == 6
