"""Worlds beyond the columns of one matrix: what the engine says of them.

Three small theorems stand here that no chapter has: the variance of random features on
a finite measure, a bound that is uniform over an interval, a risk in the mean over data
and then a column of them.
"""

from dataclasses import replace

import numpy as np
import pytest
from flint import arb, fmpq

from nystheory import exact
from nystheory.engine import Claim, Control, Hypothesis, Instance, Theorem, Where
from nystheory.engine.language.quantity import BEFORE, SAMPLE
from nystheory.engine.trial import results, two_routes
from nystheory.engine.trial.over_samples import over_samples
from nystheory.engine.trial.verification import generator, verify
from nystheory.engine.worlds.worlds import Draw, Given, Moments, Size, World
from nystheory.exact import enclosures
from nystheory.exact.routes import Routes

# --- The variance of random features on a finite measure ------------------------------


class Cosines(World):
    """Frequencies by the cosines of their phases, and some of them drawn."""

    frequencies = Size("m", "number of frequencies")
    l = Given("l", "number of features")  # noqa: E741 - the field's letter
    cosines = Given("c", "cosines of the phases", axes=("frequencies",))
    picked = Draw("l", "frequencies", True, "S", "frequencies of the features")
    distinct = Draw("l", "frequencies", False)

    @classmethod
    def drawn(cls, instance, rng):
        """A few cosines, multiples of 1/8, or signs, which vary most."""
        m, count = int(rng.integers(1, 5)), int(rng.integers(1, 4))
        cosines = rng.integers(-8, 9, m) / 8
        if rng.random() < 0.3:
            cosines = np.sign(cosines + 0.01)
        return cls(cosines=cosines, l=count, picked=np.zeros(count, dtype=int))


Cosines.composed("kernel", "k", "sum(cosines) / frequencies", "value of the kernel")
Cosines.composed(
    "estimate", r"\hat k", "sum(taken(cosines, picked)) / l", "its estimate", SAMPLE
)
TURNS = Cosines.exactly(cosines=["1", "3/5", "-7/25", "-117/125"], l=3, picked=[0] * 3)
FEATURES = Theorem(
    id="planted:features",
    kind="expectation",
    status="holds",
    title="The variance of random features",
    number="planted",
    world=Cosines,
    setting="Let $l$ of $m$ frequencies be drawn uniformly, with replacement.",
    where={
        "spread": Where(
            r"\sigma^2",
            "sum(cosines ** 2) / frequencies - (sum(cosines) / frequencies) ** 2",
        )
    },
    claims={
        "mean": Claim("mean(estimate) == kernel", law="picked"),
        "variance": Claim("mean((estimate - kernel) ** 2) == spread / l", law="picked"),
        "Chebyshev": Claim(
            "chance(abs(estimate - kernel) > 1 / 2) <= min(1, 4 * spread / l)",
            law="picked",
        ),
    },
    controls={
        "of a random phase": Control("variance", TURNS, {"spread /": "1 / 2 /"}),
        "half": Control("mean", TURNS, {"== kernel": "== 0.5 * kernel"}),
        "a half of Chebyshev": Control(
            "Chebyshev",
            Cosines.exactly(cosines=[1, -1], l=1, picked=[0]),
            {"4 * spread": "spread / 2"},
        ),
    },
)


# --- A bound that is uniform over an interval -----------------------------------------


class Interval(World):
    """Integer frequencies, some of them drawn, and all points of an interval."""

    frequencies = Size("m", "number of frequencies")
    l = Given("l", "number of features")  # noqa: E741 - the field's letter
    w = Given(r"\omega", "frequencies", axes=("frequencies",))
    reach = Given("R", "length of the interval")
    epsilon = Given(r"\epsilon", "largest deviation")
    picked = Draw("l", "frequencies", True, "S", "frequencies of the features")

    @classmethod
    def drawn(cls, instance, rng):
        """Two or three frequencies, and a deviation just below one that occurs."""
        m, count = int(rng.integers(2, 4)), int(rng.integers(1, 5))
        w = rng.permutation(8)[:m].astype(float)
        part = rng.integers(1, count + 1) / count
        return cls(w=w, l=count, reach=4.0, epsilon=part * 63 / 64, picked=[0] * count)


def _shares(i):
    """How much more often than in the measure each frequency was drawn."""
    times = np.bincount(np.asarray(i.picked, dtype=int), minlength=len(i.w))
    return times / len(i.picked) - 1 / len(i.w)


POINTS = 1000


def _of_grid(i):
    """Beside a largest value, where it has no slope, the error bends by half a step."""
    step = float(i.reach) / (POINTS - 1)
    bent = step**2 / 8 * (np.abs(_shares(i)) @ np.square(i.w))
    return 1 + bent / (1000 * i.n * np.finfo(float).eps)


@Interval.quantity(
    r"\sup_{0 \le t \le R} |\hat k(t) - k(t)|",
    "largest error on the interval",
    SAMPLE,
    unit=0,
    condition=_of_grid,
)
def largest_error(i):
    t = np.linspace(0, float(i.reach), POINTS)
    return np.abs(_shares(i) @ np.cos(np.outer(i.w, t))).max()


def largest_error_exactly(c):
    size, places = len(c.given["w"]), [int(j) for j in c.given["picked"]]
    shares = [fmpq(places.count(j), len(places)) - fmpq(1, size) for j in range(size)]
    pairs = list(zip(shares, c.given["w"], strict=True))

    def error(t):
        return abs(sum((a * (arb(w) * arb(t)).cos() for a, w in pairs), arb(0)))

    slope = sum((abs(a) * abs(w) for a, w in pairs), fmpq(0))
    return enclosures.supremum(error, fmpq(0), c.given["reach"], slope)


Routes("Interval").enter("largest_error", largest_error_exactly)
ONCE = {"w": [0, 1], "l": 1, "reach": 4, "epsilon": "63/64", "picked": [0]}
UNIFORM = Theorem(
    id="planted:uniform",
    kind="probability",
    status="holds",
    title="Random features on an interval",
    number="planted",
    world=Interval,
    setting="Let $l$ of $m$ frequencies be drawn uniformly, with replacement.",
    hypotheses={"deviation": Hypothesis("epsilon > 0", domain=True)},
    claims={
        "uniform": Claim(
            "chance(largest_error > epsilon) "
            "<= (2 ** frequencies - 2) * exp(-l * epsilon ** 2 / 2)",
            law="picked",
        )
    },
    controls={
        "twice the exponent": Control(
            "uniform", Interval.exactly(**ONCE), {"epsilon ** 2 / 2": "epsilon ** 2"}
        )
    },
)


# --- A risk in the mean over data and columns -----------------------------------------


class Learning(World):
    """A population, data drawn from it, one of them drawn as the column of a kernel."""

    population = Size("N", "size of the population")
    n = Given("n", "number of data")
    one = Given("l", "number of columns")
    x = Given("x", "points", axes=("population",))
    y = Given("y", "labels", axes=("population",))
    data = Draw("n", "population", True, "D", "data")
    column = Draw("one", "n", False, "j", "column among the data")

    @classmethod
    def drawn(cls, instance, rng):
        """Points and labels that are nearly, or not at all, on a line."""
        size, n = int(rng.integers(2, 4)), int(rng.integers(1, 3))
        x = rng.integers(1, 4, size) * rng.choice([-1, 1], size)
        y = 2 * x + rng.integers(-1, 2, size)
        known = {"alpha": 2.0 ** rng.integers(-3, 2), "data": np.zeros(n, dtype=int)}
        parts = {"x": x.astype(float), "y": y.astype(float), "n": n, "one": 1}
        return cls(**parts, column=np.zeros(1, dtype=int), **known)


def _feature(i):
    return i.x[int(i.data[int(i.column[0])])] * i.x


def _risk(i, slope):
    return float(np.mean(np.abs(i.y - slope * _feature(i))))


def _best(x, y):
    """The slope of the least mean deviation is that of one of the points."""
    return min(
        sum(abs(b - s * a) for a, b in zip(x, y, strict=True)) / len(x)
        for s in [b / a for a, b in zip(x, y, strict=True) if a]
    )


@Learning.quantity("R_*", "least risk of a multiple of x", BEFORE, unit=0)
def least(i):
    return _best(i.x, i.y)


@Learning.quantity(
    "R",
    "risk of the learner, a mean deviation",
    SAMPLE,
    unit=0,
    condition=lambda i: 1e4,
)
def risk(i):
    return _risk(i, _learned(i)[0])


def _learned(i):
    """The minimiser of the deviations of the data and a ridge, and its dual gap."""
    return _ascended(
        [float(v) for v in _feature(i)[np.asarray(i.data, dtype=int)]],
        [float(v) for v in i.y[np.asarray(i.data, dtype=int)]],
        float(i.alpha),
    )


def _ascended(features, labels, ridge, rounded=lambda x: x, rounds=200):
    """Coordinate ascent in the dual; what it has not reached is in the gap."""
    a = [0 * ridge for _ in features]
    for _ in range(rounds):
        before = list(a)
        for j, f in enumerate(features):
            rest = sum(a[m] * features[m] for m in range(len(a)) if m != j)
            free = (ridge * labels[j] - f * rest) / (f * f)
            a[j] = rounded(max(-1 + 0 * free, min(1 + 0 * free, free)))
        if a == before:
            break
    slope = sum(x * f for x, f in zip(a, features, strict=True)) / ridge
    pairs = list(zip(features, labels, strict=True))
    primal = ridge * slope * slope / 2 + sum(abs(t - slope * f) for f, t in pairs)
    dual = (
        sum(x * t for x, t in zip(a, labels, strict=True)) - ridge * slope * slope / 2
    )
    return slope, primal - dual


OF_LEARNING = Routes("Learning")


def least_exactly(c):
    return _best(c.given["x"], c.given["y"])


def _to_60_bits(x):
    scaled = x * 2**60
    return fmpq(int(scaled.p) // int(scaled.q), 2**60)


def risk_exactly(c):
    x, y = c.given["x"], c.given["y"]
    data = [int(j) for j in c.given["data"]]
    feature = [x[data[int(c.given["column"][0])]] * v for v in x]
    drawn = [feature[j] for j in data], [y[j] for j in data]
    slope, gap = _ascended(*drawn, c.given["alpha"], _to_60_bits)
    [ball] = enclosures.minimiser([slope], gap, c.given["alpha"])
    slope = slope if gap == 0 else ball
    pairs = zip(feature, y, strict=True)
    return sum((abs(t - slope * f) for f, t in pairs), fmpq(0)) / len(x)


OF_LEARNING.enter("least", least_exactly)
OF_LEARNING.enter("risk", risk_exactly)
POPULATION = Learning.exactly(
    x=[1, 2, -1], y=[2, 3, -1], n=2, one=1, alpha="1/2", data=[0, 0], column=[0]
)
MEAN_RISK = Theorem(
    id="planted:mean-risk",
    kind="expectation",
    status="holds",
    title="A risk in the mean over data, and over columns of them",
    number="planted",
    world=Learning,
    setting="Let data be drawn from a population, and a column of them.",
    hypotheses={"ridge": Hypothesis("alpha > 0", domain=True)},
    claims={
        "no better": Claim("mean(risk) >= least", law="data >> column"),
        "in stages": Claim("mean(mean(risk) ** 2) >= least ** 2", law="data >> column"),
        "surely": Claim("chance(mean(risk) < 0.9 * least) <= 0", law="data >> column"),
    },
    controls={
        "five halves": Control("no better", POPULATION, {">= least": ">= 2.5 * least"}),
        "five halves in stages": Control(
            "in stages", POPULATION, {">= least": ">= (2.5 * least)"}
        ),
        "twice": Control("surely", POPULATION, {"0.9": "2"}),
    },
)
ALL = [FEATURES, UNIFORM, MEAN_RISK]


@pytest.mark.parametrize("theorem", ALL, ids=lambda t: t.id)
def test_small_theorems_of_other_worlds_are_verified(theorem):
    verdict = verify(theorem, generator(theorem))
    assert verdict, verdict.complaint()


@pytest.mark.parametrize("theorem", ALL, ids=lambda t: t.id)
def test_both_routes_of_another_world_agree(theorem):
    names = [n for n in two_routes.used(theorem) if not theorem.quantities[n].part]
    rng = np.random.default_rng(0)
    some = [theorem.world.drawn(None, rng) for _ in range(30)]
    found = two_routes.compare_routes(theorem, names, rng, instances=some)
    for name, agreement in found.items():
        # What is enclosed on a grid is known to fewer digits than others.
        enclosed = name == "largest_error" and agreement.hidden
        assert agreement.apart is None, name
        assert agreement.compared + enclosed >= 10, name


@pytest.mark.parametrize("theorem", ALL, ids=lambda t: t.id)
def test_both_routes_list_the_same_outcomes(theorem):
    rng = np.random.default_rng(1)
    for law in {claim.law for claim in theorem.claims.values()}:
        case = theorem.world.drawn(None, rng)
        fast = list(case.outcomes(law))
        slow = list(exact.Case.of(**case.in_fractions()).outcomes(law))
        assert len(fast) == len(slow)
        for (p, one), (q, other) in zip(fast, slow, strict=True):
            assert p == pytest.approx(float(q))
            for name in case.sampled & {*other.given}:
                told = [int(x) for x in other.given[name]]
                assert list(getattr(one, name)) == told
        assert sum(p for p, _ in slow) == 1


def test_a_refutation_of_another_world_is_read_from_its_json():
    """What `refutations --json` prints says all: parts, axes, laws, worlds."""
    told = TURNS.in_fractions()
    assert told["axes"]["cosines"] == ["frequencies"]
    assert told["draws"]["picked"] == ["l", "frequencies", True]
    assert told["scopes"] == ["Cosines", "World"]
    control = FEATURES.changed(FEATURES.controls["of a random phase"])
    case = exact.Case.of(**told)
    proof = exact.prove(control.line, case, FEATURES.where_lines, control.law)
    assert proof.holds is False and proof.by == "enumerated"


def test_a_failure_shows_the_parts_of_its_world():
    wrong = FEATURES.asserting(mine=Claim("mean(estimate) == 2 * kernel", law="picked"))
    told = verify(wrong, np.random.default_rng(0)).complaint()
    assert "cosines" in told and "K =" not in told


def test_a_failure_of_a_claim_about_drawn_vectors_shows_the_vectors():
    case = Vectors(np.eye(2), [0], 1, omega=np.array([[1.0], [2.0]]))
    assert results.in_plain(case).endswith("omega = [[1], [2]]")
    assert r"\Omega = \begin{pmatrix}1\\2\end{pmatrix}" in results.in_words(case)


def test_what_is_no_part_of_a_world_is_refused():
    with pytest.raises(TypeError, match="'omegas' is no part of the world Vectors"):
        Vectors(np.eye(2), [0], 1, omegas=1.0)
    with pytest.raises(ValueError, match="alpha: expected ridge"):
        Vectors(np.eye(2), [0], 1).alpha  # noqa: B018
    with pytest.raises(ValueError, match="'kernel' is defined twice in Cosines"):
        Cosines.composed("kernel", "k", "l", "again")


def test_two_worlds_may_use_one_name():
    assert "kernel" not in Instance.quantities and "kernel" not in Interval.quantities
    assert Cosines.quantities["l"].meaning == "number of features"
    assert Instance.quantities["l"].meaning == "number of landmarks"


# --- Stages ---------------------------------------------------------------------------


def test_more_means_than_stages_are_refused():
    with pytest.raises(ValueError, match="as many stages as means"):
        Claim("mean(mean(risk)) >= least", law="data")
    with pytest.raises(ValueError, match="no law is called 'date'"):
        MEAN_RISK.asserting(mine=Claim("mean(risk) >= least", law="date >> column"))


def test_a_mean_in_stages_is_not_the_mean_of_all():
    """Squaring between the stages and squaring within differ, by both readers."""
    claims = {
        "between": Claim("mean(mean(risk) ** 2) == 0", law="data >> column"),
        "within": Claim("mean(risk ** 2) == 0", law="data >> column"),
    }
    theorem, strong = MEAN_RISK.asserting(**claims), POPULATION.but(alpha=30.0)
    values = []
    for claim in claims.values():
        seen = over_samples(theorem, claim, strong, None, 0).comparison.observed
        case = exact.Case.of(**strong.in_fractions())
        proof = exact.prove(claim.line, case, {}, claim.law)
        assert arb(proof.left).contains(seen) or abs(arb(proof.left) - seen) < 1e-9
        values.append(seen)
    assert values[0] < values[1] - 0.01


# --- Continuous laws ------------------------------------------------------------------


class Vectors(Instance):
    """The columns of one matrix, and test vectors with independent entries."""

    omega = Given(r"\Omega", "test vectors", axes=("n", "l"), drawn=True)


class Moved(World):
    """A square matrix, and a vector with independent entries of a continuous law."""

    n = Size("n", "size of the matrix")
    M = Given("M", "a symmetric matrix", axes=("n", "n"))
    normal = Moments("gaussian", 5, ("n",), "g", "a standard normal vector")
    rough = Moments("gaussian", 3, ("n",), "h", "the same, for lower degrees")
    even = Moments("uniform", 5, ("n",), "u", "uniform entries in [-1, 1]")

    @classmethod
    def drawn(cls, instance, rng):
        n = int(rng.integers(1, 4))
        M = rng.integers(-2, 3, (n, n))
        vectors = dict.fromkeys(("normal", "rough", "even"), np.zeros(n))
        return cls(M=(M + M.T).astype(float), **vectors)


_FLAT = {"M": [[2, 0], [0, 2]], **dict.fromkeys(("normal", "rough", "even"), [0, 0])}
CLOSED = Theorem(
    id="planted:moments",
    kind="expectation",
    status="holds",
    title="The variance of a quadratic form",
    number="planted",
    world=Moved,
    setting="Let $M$ be symmetric.",
    claims={
        "normal": Claim(
            "mean((normal.T @ M @ normal - trace(M)) ** 2) == 2 * norm_F(M) ** 2",
            law="normal",
        ),
        "uniform": Claim("mean(even.T @ M @ even) == trace(M) / 3", law="even"),
    },
    controls={
        "once": Control("normal", Moved.exactly(**_FLAT), {"2 * norm_F": "norm_F"}),
        "a half": Control("uniform", Moved.exactly(**_FLAT), {"/ 3": "/ 2"}),
    },
)


def test_closed_moments_stand_for_a_continuous_law():
    verdict = verify(CLOSED, np.random.default_rng(0))
    assert verdict, verdict.complaint()


def test_a_line_of_a_higher_degree_is_refused():
    line = CLOSED.claims["normal"].line.replace("normal", "rough")
    wrong = CLOSED.asserting(rough=Claim(line, law="rough"))
    with pytest.raises(ValueError, match="a polynomial of the degree of rough"):
        verify(wrong, np.random.default_rng(0))


def test_no_finite_measure_stands_for_a_law_in_a_chance():
    with pytest.raises(ValueError, match="finite measure stands, got a chance"):
        CLOSED.asserting(mine=Claim("chance(norm_2(even) > 1) <= 1", law="even"))


# --- Enclosing observers --------------------------------------------------------------


def test_a_supremum_with_too_small_a_constant_is_seen():
    """The plant: the slope of a spike is taken for one, and the ball misses it."""

    def spike(t):
        return max(fmpq(0), 1 - 10**6 * abs(t - fmpq(1, 3)))

    def end(constant):
        return enclosures.supremum(spike, fmpq(0), fmpq(1), constant)

    assert end(fmpq(10**6)).contains(1)
    assert not end(fmpq(1)).contains(1)


def test_a_minimiser_lies_within_its_gap():
    """Of |1 - w| + |3 - w| + w^2 / 8 it is at 1; the plant forgets the square root."""
    slope, gap = _ascended([fmpq(1), fmpq(1)], [fmpq(1), fmpq(3)], fmpq(1, 4), rounds=1)
    [ball] = enclosures.minimiser([slope], gap, fmpq(1, 4))
    exactly, rest = _ascended([1.0, 1.0], [1.0, 3.0], 0.25)
    assert rest == pytest.approx(0, abs=1e-12) and ball.contains(exactly)


def test_a_claim_beside_it_changes_no_draw_of_a_claim_about_chance():
    alone = replace(UNIFORM)
    beside = UNIFORM.but(claims={"first": "l >= 1", **UNIFORM.claims})
    one, other = (verify(t, np.random.default_rng(0)) for t in (alone, beside))
    assert one.results[0].ratios.tolist() == other.results[1].ratios.tolist()
