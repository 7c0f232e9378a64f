"""What the chapter concludes from experiments, tried on other draws and data.

These are of thousands of points; what is said of a million is said of one run.
"""

from __future__ import annotations

from nystheory.chapters.a_million_points import measured
from nystheory.engine.findings import (
    MEAN,
    Competitor,
    Data,
    Experiment,
    Field,
    Finding,
)

HEADS, FEWER, PEOPLE = "heads", "1000 heads", "heads of three people"
ROLL, DIGITS, HALF = "roll", "digits", "500 heads"
PICTURES, FAR = (HEADS, FEWER, PEOPLE), (HEADS, PEOPLE, DIGITS)


def _data(size, fewer=True):
    """Those of the page, and others."""
    beyond = {FEWER: Data(measured.heads, 1000)} if fewer else {}
    return {HEADS: Data(measured.heads, size)}, beyond | {
        PEOPLE: Data(measured.of_three, size),
        ROLL: Data(measured.roll, size),
        DIGITS: Data(measured.digits, min(size, 1500)),
    }


# ---- pieces ----

JOINED = Field("joined", "points in the largest component", "%", by="with")
WITHIN = Field("within", "points in it within the limit", "%", by="with")
HUB = Field("hub", "largest degree over the median", by="with")

shown, beyond = _data(4000)
PIECES = Experiment(
    id="a_million_points:pieces",
    question="How many neighbours join the points, and are there hubs?",
    competitors={
        "one": Competitor("one neighbour", 1),
        "two": Competitor("two neighbours", 2),
        "three": Competitor("three neighbours", 3),
        "five": Competitor("five neighbours", 5),
    },
    fields=[JOINED, WITHIN, HUB],
    measure=measured.pieces,
    shown=shown,
    beyond=beyond,
    findings={
        "one": Finding(
            "joined(one) <= 5",
            but={"one": "two"},
            says="One neighbour joins at most 5 percent of the points",
        ),
        "two": Finding(
            "joined(two) >= 80",
            on=PICTURES,
            but_on=ROLL,
            says="Two neighbours join at least 80 percent of the points",
        ),
        "five": Finding(
            "joined(five) >= 95",
            but={"five": "two"},
            says="Five neighbours join at least 95 percent of the points",
        ),
        "limit": Finding(
            "within(five) >= 90",
            on=(HEADS, FEWER, ROLL),
            but={"five": "two"},
            says="Within the limit five neighbours join at least 90 percent of the "
            "points",
        ),
        "hubs": Finding(
            "hub(five) <= 5",
            but={"five": "one"},
            says="With five neighbours no point has more than 5 times the median "
            "number of edges",
        ),
    },
)

# ---- an index ----

RECALL = Field("recall", "recall", "%", by="with")
COMPONENTS = Field("components", "components", by="with")
MEAN_CHANGE = Field("mean", "geodesics differ in the mean", "%", by="with")
LONGEST = Field("longest", "longest geodesic over the exact one", by="with")
MOVED = Field("moved", "coordinates move", "%", by="with")
KEPT_OUT = Field("held", "distances off from geodesics held out", "%", by="with")

shown, beyond = _data(4000)
INDEX = Experiment(
    id="a_million_points:index",
    question="What does a search that misses neighbours do to coordinates?",
    competitors={
        "one": Competitor("1 cell", 1),
        "two": Competitor("2 cells", 2),
        "four": Competitor("4 cells", 4),
        "eight": Competitor("8 cells", 8),
        "most": Competitor("24 cells", 24),
        "landmarks": Competitor("other landmarks"),
    },
    fields=[RECALL, COMPONENTS, MEAN_CHANGE, LONGEST, MOVED, KEPT_OUT],
    prepare=measured.placed,
    measure=measured.missed,
    shown=shown,
    beyond=beyond,
    findings={
        "apart": Finding(
            "components(one) >= 10",
            but={"(one)": "(two)"},
            says="With one cell the graph falls into at least 10 components",
        ),
        "recall": Finding(
            "recall(eight) >= 99",
            but={"eight": "two"},
            says="With eight cells the recall is at least 99 percent",
        ),
        "longest": Finding(
            "longest(eight) >= 1.5",
            MEAN,
            on=(HEADS, DIGITS),
            but_on=ROLL,
            says="With eight cells some geodesic is at least 1.5 times as long as in "
            "the exact graph",
        ),
        "moved": Finding(
            "moved(eight) >= 5",
            MEAN,
            on=FAR,
            but_on=ROLL,
            says="With eight cells the coordinates move by at least 5 percent of their "
            "size",
        ),
        "more": Finding(
            "moved(most) <= moved(eight)",
            MEAN,
            on=FAR,
            but={"most": "four"},
            says="With twenty-four cells they move at most as far as with eight",
        ),
        "landmarks": Finding(
            "moved(eight) <= 2 * moved(landmarks)",
            MEAN,
            but={"eight": "two"},
            says="An index with eight cells moves the coordinates at most 2 times as "
            "far as other landmarks do",
        ),
        "unseen": Finding(
            "held(two) <= 1.5 * held(most)",
            MEAN,
            but={"1.5": "0.9"},
            says="With two cells the difference from geodesics held out, of the same "
            "graph, is at most 1.5 times that with twenty-four",
        ),
    },
)

# ---- more points ----

POINTS = Field("points", "points $n$")
COMPARED = Field("compared", "points with which a point is compared", by="by")
POWER = Field("power", "power of $n$ of these", by="by")
MEMORY = Field("memory", "peak of memory over that of the geodesics", by="with")
MEMORY_POWER = Field("memory_power", "power of $n$ of the peak", by="with")

GROWN = Experiment(
    id="a_million_points:grown",
    question="What grows with the number of points?",
    competitors={
        "index": Competitor("an index", "index"),
        "exact": Competitor("all pairs", "exact"),
    },
    fields=[COMPARED, POWER, MEMORY, MEMORY_POWER],
    measure=measured.grown,
    along=POINTS,
    settings=measured.SIZES,
    shown={HEADS: Data(measured.heads, measured.SIZES[-1])},
    beyond={
        PEOPLE: Data(measured.of_three, measured.SIZES[-1]),
        ROLL: Data(measured.roll, measured.SIZES[-1]),
    },
    findings={
        "compared": Finding(
            "compared(index) <= 1700",
            but={"index": "exact"},
            says="The index compares a point with at most 1700 points in the mean",
        ),
        "power": Finding(
            "power(index) <= 0.1",
            but={"index": "exact"},
            says="The number of these comparisons grows by a power of at most 0.1 of "
            "the number of points",
        ),
        "memory": Finding(
            "memory(index) <= 8",
            but={"8": "5"},
            says="From the graph to the coordinates the peak of memory is at most 8 "
            "times that of the geodesics",
        ),
        "memory power": Finding(
            "memory_power(index) <= 1.02",
            but={"1.02": "0.9"},
            says="This peak grows by a power of at most 1.02 of the number of points",
        ),
    },
)

# ---- how many landmarks ----

COUNT = Field("landmarks", "landmarks $l$")
ERROR = Field("error", "error of all coordinates", "% of the size")
BOUND = Field("bound", "bound", "% of the size")
OVER = Field("over", "bound over error")

CERTIFIED = Experiment(
    id="a_million_points:certified",
    question="How near is the bound of Landmark MDS to its error?",
    competitors={"all": Competitor("all coordinates")},
    fields=[ERROR, BOUND, OVER],
    measure=measured.certified,
    along=COUNT,
    settings=measured.CERTIFIED,
    shown={HEADS: Data(measured.pixels, 1000)},
    beyond={
        HALF: Data(measured.pixels, 500),
        "patches": Data(measured.patches, 1000),
    },
    findings={
        "near": Finding(
            "over(all) <= 1.6",
            on=(HEADS, HALF),
            but_on="patches",
            says="The bound is at most 1.6 times the error",
        ),
        "slow": Finding(
            "error(all) >= 30",
            on=(HEADS, HALF),
            when="landmarks <= 80",
            but_on="patches",
            says="With up to 80 landmarks the error is at least 30 percent of the size",
        ),
    },
)

AWAY = Field("away", "away from exact Isomap", "% of the size", by="with")
APART = Field("apart", "two sets of landmarks apart", "% of the size", by="with")
RESIDUAL = Field("residual", "residual", by="with")
NEGATIVE = Field("negative", "share of negative eigenvalues", "%", by="with")
GAIN = Field("gain", "error with the fewest landmarks over that with most", by="with")

shown, beyond = _data(1000, fewer=False)
ENOUGH = Experiment(
    id="a_million_points:enough",
    question="How many landmarks are enough for coordinates from geodesics?",
    competitors={
        "two": Competitor("2 coordinates", 2),
        "ten": Competitor("10 coordinates", 10),
    },
    fields=[AWAY, APART, RESIDUAL, NEGATIVE, GAIN],
    prepare=measured.all_paths,
    measure=measured.enough,
    along=COUNT,
    settings=measured.COUNTS,
    shown=shown,
    beyond=beyond,
    findings={
        "gain": Finding(
            "gain(ten) >= 2",
            MEAN,
            but={"2": "10"},
            says="With the most landmarks ten coordinates are at least 2 times as near "
            "to those of exact Isomap as with the fewest",
        ),
        "hundred": Finding(
            "away(ten) >= 8",
            MEAN,
            on=FAR,
            when="landmarks <= 100",
            but={"8": "25"},
            says="With up to 100 landmarks ten coordinates are off by at least 8 "
            "percent of their size",
        ),
        "spread": Finding(
            "away(ten) <= 2 * apart(ten)",
            MEAN,
            on=FAR,
            but={"2": "0.5"},
            says="Ten coordinates are at most 2 times as far from exact Isomap as "
            "from those of other landmarks",
        ),
        "negative": Finding(
            "negative(ten) >= 5",
            on=FAR,
            but={"5": "25"},
            says="Among all eigenvalues, of which ten give coordinates, at least 5 "
            "percent of the moduli belong to negative ones",
        ),
        "residual": Finding(
            "residual(ten) <= -0.02",
            MEAN,
            on=FAR,
            but={"ten": "two"},
            says="The residual of ten coordinates is at most -0.02",
        ),
    },
)

# ---- what fifty coordinates are worth ----

COORDINATES = Field("coordinates", "coordinates $k$")
OFF = Field("apart", "difference from geodesics held out", "%", by="with")
BEST = Field("best", "coordinates with the least difference", by="with")
WORSE = Field("worse", "difference with fifty over the least", by="with")
LONG = Field("long", "distances longer than the geodesics", "%", by="with")

shown, beyond = _data(2000)
HELD = Experiment(
    id="a_million_points:held",
    question="How many coordinates keep the geodesics best?",
    competitors={"some": Competitor(f"{measured.MORE} landmarks")},
    fields=[OFF, BEST, WORSE, LONG],
    prepare=measured.embedded,
    measure=measured.held_out,
    along=COORDINATES,
    settings=measured.HELD,
    shown=shown,
    beyond=beyond,
    findings={
        "best": Finding(
            "best(some) <= 15",
            but={"15": "5"},
            says="The distances between at most 15 of the coordinates keep the "
            "geodesics best",
        ),
        "fifty": Finding(
            "worse(some) >= 1.5",
            but={"1.5": "3"},
            says="With fifty coordinates the difference is at least 1.5 times the "
            "least",
        ),
        "long": Finding(
            "long(some) >= 99",
            but={"99": "99.99"},
            says="At least 99 percent of the distances between fifty coordinates are "
            "longer than the geodesics",
        ),
    },
)

PURITY = Field("purity", "purity of clusters", "%", by="with")
WRONG = Field("wrong", "errors of the nearest neighbour", "%", by="with")

shown, beyond = _data(2000)
WORTH = Experiment(
    id="a_million_points:worth",
    question="What are fifty coordinates worth?",
    competitors={
        "reduced": Competitor("what the graph was made from", "reduced"),
        "coordinates": Competitor("fifty coordinates", "coordinates"),
    },
    fields=[PURITY, WRONG],
    prepare=measured.embedded,
    measure=measured.worth,
    shown=shown,
    beyond=beyond,
    findings={
        "purity": Finding(
            "purity(coordinates) >= purity(reduced) + 10",
            MEAN,
            on=PICTURES,
            but={"+ 10": "+ 40"},
            says="Clusters of fifty coordinates are purer by at least 10 percentage "
            "points than those of the points that the graph was made from",
        ),
        "purer": Finding(
            "purity(coordinates) >= purity(reduced)",
            MEAN,
            but={">=": ">= 1.5 *"},
            says="Clusters of fifty coordinates are at least as pure as those of the "
            "points that the graph was made from",
        ),
        "nearest": Finding(
            "wrong(coordinates) >= wrong(reduced)",
            MEAN,
            on=(*PICTURES, ROLL),
            but={">=": ">= 2 *"},
            says="The nearest neighbour errs at least as often in fifty coordinates as "
            "in the points that the graph was made from",
        ),
    },
)
