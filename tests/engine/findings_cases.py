"""Small experiments for the tests of findings: coins, and guesses that are tuned."""

import numpy as np

from nystheory.engine.findings import (
    Choice,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)

HEADS = Field("heads", "number of heads", by="of")
COINS = {
    "fair": Competitor("a fair coin", 0.5),
    "bent": Competitor("a bent coin", 0.9),
}
MORE = Finding("heads(bent) > heads(fair)", but={">": "> 3 *"})


def throws(size, rng):
    """How often it is thrown."""
    return size


def heads(trial):
    """The heads of one coin; both see the same numbers."""
    return {"heads": trial.rng.binomial(trial.known, trial.run)}


def coins(**changes):
    """An experiment on two coins, with something changed."""
    usual = dict(
        id="nowhere:coins",
        question="Which coin falls on heads more often?",
        competitors=COINS,
        fields=[HEADS],
        measure=heads,
        shown={"100 times": Data(throws, 100)},
        beyond={"1000 times": Data(throws, 1000)},
        findings={"more": MORE},
    )
    return Experiment(**usual | changes)


# ---- numbers that are guessed: what is chosen, and by whom ----


def learned_and_judged(drawn, rng):
    """Half of the numbers to learn from, half to judge by."""
    return drawn[::2], drawn[1::2]


def off(trial):
    """How far a guess is from the mean of the numbers of the test."""
    return {"off": abs(trial.run * trial.chosen - trial.judged.mean())}


def guesses(competitors=None, **changes):
    """Guesses of a mean, each a multiple of a number that is chosen for it."""
    usual = dict(
        id="nowhere:guesses",
        question="Which multiple is near the mean?",
        competitors=competitors
        or {"once": Competitor("once", 1.0), "twice": Competitor("twice", 2.0)},
        fields=[Field("off", "distance")],
        prepare=learned_and_judged,
        measure=off,
        choose=Choice(
            Field("factor", "factor"),
            "the least distance from the mean of what is known",
            lambda known: [1.0, 2.0, 4.0],
            lambda run, value, known: abs(run * value - known.mean()),
        ),
        shown={"near 4": Data(lambda n, rng: rng.normal(4, 0.1, n), 50)},
        beyond={"more": Data(lambda n, rng: rng.normal(4, 0.1, n), 500)},
        findings={"alike": Finding("off(once) < 1", but={"<": ">"})},
    )
    return Experiment(**usual | changes)


def values(found, *names):
    """What was measured, over all data sets."""
    return np.concatenate(
        [found.measured(*names, data).ravel() for data in found.draws]
    )
