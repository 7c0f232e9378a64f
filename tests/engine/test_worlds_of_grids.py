"""A grid of kernels as a world, and worlds that are declared wrongly."""

from dataclasses import replace

import numpy as np
import pytest

from nystheory.engine import Claim, Control, Theorem
from nystheory.engine.language.quantity import CHOSEN
from nystheory.engine.trial.search import OWN, STRESS
from nystheory.engine.trial.verification import verify
from nystheory.engine.worlds.worlds import Draw, Given, Moments, Size, World
from nystheory.exact import balls
from nystheory.exact.routes import Routes


class Grid(World):
    """Base kernels on the same points, mixed with weights."""

    kernels = Given("", "base kernels", axes=("p", "n", "n"))
    mu = Given(
        r"\mu",
        "weights of the kernels",
        axes=("p",),
        range="min(mu) >= 0 and sum(mu) == 1",
        says=r"$\mu$ weights of the simplex",
    )

    @classmethod
    def drawn(cls, instance, rng):
        """Integers, semidefinite, and weights that are multiples of 1/8."""
        p, n = int(rng.integers(1, 4)), int(rng.integers(1, 4))
        X = rng.integers(-2, 3, (p, n, n)).astype(float)
        mu = rng.multinomial(8, np.ones(p) / p) / 8
        return cls(kernels=X @ X.transpose(0, 2, 1), mu=mu)


@Grid.quantity(r"K_\mu", "mixture of the kernels", CHOSEN)
def mixed(i):
    return np.tensordot(i.mu, i.kernels, axes=1)


@Grid.quantity(r"\nu", "spectral norms of the kernels", CHOSEN)
def norms(i):
    return np.array([np.linalg.norm(K, 2) for K in i.kernels])


@Routes("Grid").route
def mixed(case):  # noqa: F811 - the rigorous route of the same name
    terms = zip(case.given["mu"], case.given["kernels"], strict=True)
    parts = [balls.multiply(w, K) for w, K in terms]
    return sum(parts[1:], parts[0])


@Routes("Grid").route
def norms(case):  # noqa: F811
    return [balls.norm(K) for K in case.given["kernels"]]


TWO = Grid.exactly(kernels=[[[2, 0], [0, 1]], [[1, 0], [0, 2]]], mu=["1/2", "1/2"])
MIXTURE = Theorem(
    id="planted:mixture",
    kind="inequality",
    status="holds",
    title="The norm of a mixture of kernels",
    number="planted",
    world=Grid,
    setting="Let kernels be mixed.",
    claims={"norm": "norm_2(mixed) <= max(norms)"},
    controls={
        "seven tenths": Control("norm", TWO, {"<= max": "<= 0.7 * max"}),
    },
)


def test_a_grid_of_kernels_is_a_world():
    verdict = verify(MIXTURE, np.random.default_rng(0))
    assert verdict, verdict.complaint()
    [result] = verdict.results
    assert {"exact", "enclosed"} & set(result.evidence) and result.tightness == 1


def test_a_range_that_only_a_quantity_reads_is_a_hypothesis():
    """The search moves the weights off the simplex, and drops what it finds there."""
    assert MIXTURE.hypotheses["mu"].line == Grid.parts["mu"].range
    heavy = Grid(kernels=np.ones((1, 1, 1)), mu=np.array([151.3]))
    assert "mu" in MIXTURE.unmet(heavy)


def test_a_world_that_draws_its_own_matrices_meets_no_stress_suite():
    [result] = verify(MIXTURE, np.random.default_rng(0)).results
    assert OWN in result.evidence and STRESS not in result.evidence


def test_a_refuted_claim_shows_the_sides_of_its_counterexample():
    false = MIXTURE.asserting(mine="norm_2(mixed) <= 0.9 * max(norms)")
    [result] = verify(false, np.random.default_rng(0)).results
    assert result.outcome == "refuted"
    found = np.linalg.norm(mixed_of(result.worst), 2)
    assert result.observed == pytest.approx(found)
    html = verify(false, np.random.default_rng(0))._repr_html_()
    assert "Proved, reached" not in html


def mixed_of(i):
    return np.tensordot(i.mu, i.kernels, axes=1)


# --- Worlds that are declared wrongly -------------------------------------------------


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"kernels": np.ones((2, 3, 3)), "mu": np.ones(3)}, "mu: expected 2 along 'p'"),
        ({"kernels": np.ones((2, 3, 4)), "mu": np.ones(2)}, "kernels: expected 3"),
    ],
)
def test_parts_of_unlike_sizes_are_refused(parts, says):
    with pytest.raises(ValueError, match=says):
        Grid(**parts)


def test_a_count_that_is_not_that_of_its_axis_is_refused():
    class Counted(World):
        m = Given("m", "how many are drawn")
        picked = Draw("m", "n", True, "S", "drawn")

    with pytest.raises(ValueError, match="picked: expected 3 along 'm', as m has"):
        Counted(m=3, picked=[0])


@pytest.mark.parametrize("name", ["given", "draw", "sizes", "moves"])
def test_a_part_with_the_name_of_a_method_is_refused(name):
    with pytest.raises(TypeError, match=f"Named.{name}: expected another name"):
        type("Named", (World,), {name: Given("x", "a number")})


def test_a_law_without_a_rule_is_refused():
    with pytest.raises(ValueError, match="law: expected 'gaussian' or 'uniform'"):
        Moments("cauchy", 3, ("n",))
    with pytest.raises(ValueError, match="the degree 3 or 5, got 'gaussian' and 4"):
        Moments("gaussian", 4, ("n",))


def test_a_draw_of_no_size_is_refused_by_name():
    class Lost(World):
        l = Given("l", "how many")  # noqa: E741 - the field's letter
        picked = Draw("l", "nowhere", True, "S", "drawn")

    with pytest.raises(ValueError, match="picked: expected a size of the world"):
        Lost(l=1, picked=[0]).outcomes("picked")


# --- Stages ---------------------------------------------------------------------------


class Staged(World):
    """Numbers with Gaussian entries, some of which are then picked."""

    n = Size("n", "how many numbers")
    l = Given("l", "how many are picked")  # noqa: E741 - the field's letter
    g = Moments("gaussian", 3, ("n",), "g", "standard normal numbers")
    picked = Draw("l", "n", True, "S", "the picked ones")

    @classmethod
    def drawn(cls, instance, rng):
        return cls(l=1, g=np.zeros(int(rng.integers(1, 4))), picked=[0])


@pytest.mark.parametrize(
    ("line", "law"),
    [
        ("mean(mean(sum(g ** 4))) == n", "g >> picked"),
        ("mean(mean(sum(taken(g, picked) ** 4))) == l", "picked >> g"),
        ("mean(mean(sum(taken(g, picked) ** 4))) == l", "g >> picked"),
    ],
)
def test_a_line_of_a_higher_degree_is_refused_in_every_stage(line, law):
    """The mean of the fourth power is 3, which two points at 1 and -1 do not see."""
    false = replace(
        MIXTURE,
        world=Staged,
        hypotheses={},
        claims={"fourth": Claim(line, law=law)},
        controls={},
    )
    with pytest.raises(ValueError, match="a polynomial of the degree of"):
        verify(false, np.random.default_rng(0))


def test_a_law_with_too_many_outcomes_ends():
    class Many(World):
        n = Size("n", "how many numbers")
        l = Given("l", "how many are picked")  # noqa: E741 - the field's letter
        x = Given("x", "numbers", axes=("n",))
        picked = Draw("l", "n", True, "S", "the picked ones")

        @classmethod
        def drawn(cls, instance, rng):
            x = rng.integers(0, 2, 40).astype(float)
            return cls(l=30, x=x, picked=np.zeros(30, dtype=int))

    theorem = replace(
        MIXTURE,
        world=Many,
        cases=lambda rng: [Many.drawn(None, rng)],
        hypotheses={},
        claims={
            "share": Claim(
                "mean(sum(taken(x, picked)) / l) <= 1",
                law="picked",
                support=("0", "1"),
            )
        },
        controls={},
    )
    [result] = verify(theorem, np.random.default_rng(0)).results
    assert result.outcome in ("certified", "consistent")
