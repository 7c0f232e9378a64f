"""Pictures by the million: rendered, reduced, joined to a graph, and placed.

    python -m nystheory.chapters.a_million_points.pipeline 10000 100000 1000000

runs each size in a process of its own, writes what came to ``run_1000000.json`` and its
like beside this file, and prints it.  The page shows these files, and runs a few
thousand pictures itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from threadpoolctl import threadpool_limits

from nystheory import datasets, manifold, style
from nystheory.chapters.a_million_points.watch import Step, machine, watched
from nystheory.engine.findings.runs import LongRun

# Pixels of a side, and the coordinates that are kept of them.
SIZE, REDUCED = 32, 50
# Pictures that are drawn at once, and those from which the reduction is learned.
A_BLOCK, LEARNED_FROM = 20_000, 10_000
NEIGHBOURS = 5
# Points on which clusters and neighbours are judged, sources that are held out, and
# points of the picture; and numbers of coordinates that are held against geodesics.
JUDGED, HELD_OUT, SHOWN = 20_000, 8, 1500
COUNTS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50)
STEPS = ("render", "neighbours", "graph", "geodesics", "coordinates")


@dataclass(frozen=True, eq=False)
class Run:
    """What came of one run.

    Attributes
    ----------
    n, n_landmarks, n_components, jobs : int
    steps : tuple of Step
    recall : float
        Of the approximate search for neighbours.
    components, edges : int
        Of the graph.
    share : float
        Of the points, those in the largest component.
    negative_share, residual : float
        As `manifold.LandmarkMDS` tells them.
    held_out : dict of int to float
        Root mean square of what the distances between so many of the coordinates are
        off, over that of the geodesics, from points that are no landmarks.
    purity, error : dict of str to float
        Of clusters and of nearest neighbours, on a sample: of the ``"reduced"`` points
        and of the ``"embedded"`` ones.
    table : tuple
        Rows of `manifold.Components`.
    shown : tuple
        Two coordinates of some points, and how far the head is turned.
    machine : str
    """

    n: int
    n_landmarks: int
    n_components: int
    jobs: int
    steps: tuple[Step, ...]
    recall: float
    components: int
    edges: int
    share: float
    negative_share: float
    residual: float
    held_out: dict[int, float]
    purity: dict[str, float]
    error: dict[str, float]
    table: tuple
    shown: tuple
    machine: str

    @property
    def seconds(self) -> float:
        """Of all steps."""
        return sum(step.seconds for step in self.steps)

    @property
    def memory(self) -> float:
        """The largest peak, in GB."""
        return max(step.memory for step in self.steps)

    def of(self, name: str) -> Step:
        """A step by its name."""
        return next(step for step in self.steps if step.name == name)


def reduced(shown: datasets.Scenes, jobs: int = 1, dimension: int = REDUCED):
    """Principal components of pictures that are never all there.

    Parameters
    ----------
    shown : Scenes
        What is in each of the n pictures.
    jobs : int
        Threads.
    dimension : int
        How many are kept.

    Returns
    -------
    ndarray (n, dimension)
        In float32: components of a sample, then one block of pictures after another.

    Examples
    --------
    >>> reduced(datasets.scenes(60, np.random.default_rng(0)), dimension=3).shape
    (60, 3)
    """
    learned = datasets.rendered(shown[:LEARNED_FROM], SIZE, np.float32)
    pca = PCA(dimension, svd_solver="randomized", random_state=0).fit(learned)
    del learned
    found = np.empty((len(shown), dimension), np.float32)
    blocks = [slice(k, k + A_BLOCK) for k in range(0, len(shown), A_BLOCK)]

    def drawn(rows):
        return pca.transform(datasets.rendered(shown[rows], SIZE, np.float32))

    work = (delayed(drawn)(rows) for rows in blocks)
    side_by_side = Parallel(jobs, prefer="threads", return_as="generator")
    for rows, part in zip(blocks, side_by_side(work), strict=True):
        found[rows] = part
    return found


def run(
    n: int,
    n_landmarks: int = 100,
    n_components: int = REDUCED,
    *,
    jobs: int = 1,
    table: bool = False,
    seed: int = 0,
) -> Run:
    """All steps, from pictures to coordinates and what they are worth.

    Parameters
    ----------
    n : int
        Number of pictures.
    n_landmarks : int
        The number l of landmarks, drawn uniformly from the largest component.
    n_components : int
        The number k of coordinates.
    jobs : int
        Processes and threads.
    table : bool
        Whether the graph is made for other numbers of neighbours, too.
    seed : int

    Examples
    --------
    >>> found = run(300, 20, 3)
    >>> [step.name for step in found.steps] == list(STEPS)
    True
    """
    rng, steps = np.random.default_rng(seed), []
    shown = datasets.scenes(n, rng)
    with watched("render", steps), threadpool_limits(1):
        X = reduced(shown, jobs, min(REDUCED, n))
    with watched("neighbours", steps), threadpool_limits(jobs):
        near = manifold.neighbours(X, NEIGHBOURS, search="approximate", rng=rng)
    with watched("graph", steps):
        graph = near.graph()
    own = rng.choice(len(graph.kept), n_landmarks + HELD_OUT, replace=False)
    own, others = own[:n_landmarks], own[n_landmarks:]
    with watched("geodesics", steps):
        distances = graph.geodesics(own, n_jobs=jobs)
    with watched("coordinates", steps), threadpool_limits(jobs):
        mds = quiet(manifold.LandmarkMDS(n_components), distances, own)
    Y, angles = mds.embedding_, shown.angles[graph.kept, 0]
    poses, sample = shown.pose[graph.kept], rng.permutation(len(Y))[:JUDGED]
    both = {"reduced": X[graph.kept[sample]], "embedded": Y[sample]}
    judged = {name: judge(Z, poses[sample], seed) for name, Z in both.items()}
    few = sample[:SHOWN]
    return Run(
        n,
        n_landmarks,
        n_components,
        jobs,
        tuple(steps),
        near.recall,
        len(graph.sizes),
        graph.lengths.nnz // 2,
        len(graph.kept) / n,
        mds.negative_share_,
        mds.residual_,
        held_out(Y, others, graph.geodesics(others, n_jobs=jobs)),
        {name: purity for name, (purity, _) in judged.items()},
        {name: error for name, (_, error) in judged.items()},
        tuple(components(near).rows) if table else (),
        tuple(zip(*Y[few, :2].T.tolist(), angles[few].tolist(), strict=True)),
        machine(jobs),
    )


def quiet(mds, distances, landmarks):
    """Fit, without the warning of negative eigenvalues: their share is told.

    Examples
    --------
    >>> square = np.array([[0.0, 2.0], [2.0, 0.0]])
    >>> quiet(manifold.LandmarkMDS(1), square, [0, 1]).embedding_.shape
    (2, 1)
    """
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", manifold.NegativeEigenvalues)
        return mds.fit(distances, landmarks=landmarks)


def judge(Z, labels, seed: int = 0) -> tuple[float, float]:
    """Purity of as many clusters as there are poses, and the 1-neighbour error.

    Examples
    --------
    >>> judge(np.repeat([[0.0], [9.0]], 8, axis=0), np.repeat([0, 1], 8))
    (1.0, 0.0)
    """
    count = len(np.unique(labels))
    clusters = KMeans(count, n_init=3, random_state=seed).fit_predict(Z)
    error = manifold.neighbour_error(Z, labels, np.random.default_rng(seed))
    return manifold.purity(labels, clusters), error


def held_out(Y, sources, geodesics, counts=COUNTS) -> dict[int, float]:
    """`apart`, for the first few of the coordinates.

    Examples
    --------
    >>> held_out(np.array([[0.0], [2.0]]), [0], np.array([[0.0], [2.0]]), [1, 2])
    {1: 0.0}
    """
    counts = [k for k in counts if k <= Y.shape[1]]
    return {k: apart(Y[:, :k], sources, geodesics) for k in counts}


def apart(Y, sources, geodesics) -> float:
    """How far distances between coordinates are from geodesics, as a share.

    Examples
    --------
    >>> apart(np.array([[0.0], [2.0]]), [0], np.array([[0.0], [2.0]]))
    0.0
    """
    off, all_of_it = 0.0, 0.0
    for source, far in zip(sources, geodesics.T.astype(np.float64), strict=True):
        off += ((np.linalg.norm(Y - Y[source], axis=1) - far) ** 2).sum()
        all_of_it += (far**2).sum()
    return float(np.sqrt(off / all_of_it))


def components(near: manifold.Neighbours) -> manifold.Components:
    """Components for 1, 2, 3 and 5 neighbours, without and with the thesis's limit.

    Examples
    --------
    >>> near = manifold.neighbours(np.arange(8.0)[:, None] ** 2, 5)
    >>> len(components(near).rows)
    8
    """
    limit = float(np.quantile(near.distances, 0.95))
    return near.components((1, 2, 3, 5), (None, limit))


def path(n: int) -> Path:
    """Where a run of n points is kept."""
    return Path(__file__).with_name(f"run_{n}.json")


def small() -> dict:
    """What a few hundred points give, without seconds, memory and the picture.

    Examples
    --------
    >>> small()["edges"] > 0
    True
    """
    told = asdict(run(300, 20, 3))
    for name in ("held_out", "purity", "error"):
        told[name] = [*told[name].values()]
    return {x: told[x] for x in told if x not in ("steps", "table", "shown", "machine")}


def kept(n: int) -> LongRun:
    """The file of a run of n points."""
    return LongRun(path(n), __spec__.name, small)


KEPT = {n: kept(n) for n in (10_000, 100_000, 1_000_000)}


def stored(n: int) -> Run:
    """A run that was made before.

    Examples
    --------
    >>> stored(10_000).n
    10000
    """
    told = kept(n).read()
    told["steps"] = tuple(Step(**step) for step in told["steps"])
    told["table"] = tuple(map(tuple, told["table"]))
    told["held_out"] = {int(k): off for k, off in told["held_out"].items()}
    told["shown"] = tuple(map(tuple, told["shown"]))
    return Run(**told)


def keep(found: Run) -> None:
    """Write a run beside this file: its numbers to six digits, the picture to four."""
    told = asdict(found)
    picture = _rounded(told.pop("shown"), 4)
    told = _rounded(told, 6) | {"shown": picture}
    kept(found.n).keep(told)


def _rounded(value, digits):
    if isinstance(value, float):
        return float(f"{value:.{digits}g}")
    if isinstance(value, dict):
        return {key: _rounded(each, digits) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(each, digits) for each in value]
    return value


def summary(found: Run) -> style.Table:
    """A table of the steps of a run.

    Examples
    --------
    >>> summary(run(300, 20, 3)).rows[-1][0]
    'all'
    """
    rows = [
        (each.name, f"{each.seconds:.1f}", f"{each.memory:.2f}") for each in found.steps
    ]
    rows.append(("all", f"{found.seconds:.1f}", f"{found.memory:.2f}"))
    told = f"{found.n} points, {found.n_landmarks} landmarks, on {found.machine}."
    return style.Table(("step", "seconds", "peak, GB"), rows, told)


def main(arguments: Sequence[str]) -> None:
    """Run sizes one after the other, each in a new process, and keep what comes."""
    sizes = [int(each) for each in arguments] or [1_000_000]
    if len(sizes) > 1:
        for n in sizes:
            subprocess.run([sys.executable, "-m", __spec__.name, str(n)], check=True)
        return
    found = run(sizes[0], jobs=min(2, os.cpu_count() or 1), table=True)
    keep(found)
    for step in found.steps:
        print(f"{step.name:12s} {step.seconds:8.1f} s {step.memory:6.2f} GB")
    print(f"all {found.seconds:.1f} s, {found.memory:.2f} GB; {found.machine}")


if __name__ == "__main__":
    main(sys.argv[1:])
