"""How much memory docstrings tell, counted by `tracemalloc`, up to a small factor.

A copy, and what a kernel takes for its entries, come beside what is told; another order
is farther away than that.
"""

from functools import cache

import numpy as np
from words_of_docstrings import says
from words_of_units import peak

from nystheory import (
    coherence,
    ensemble,
    guarantees,
    kernels,
    learners,
    lowrank,
    sampling,
    selection,
)

N, SIZE = 3000, 60
SMALL = 500  # for what takes n^2 words
X = np.random.default_rng(0).standard_normal((N, 3))
Y = np.sign(X[:, 0])
OF = {
    "n l": N * SIZE, "n k": N * SIZE, "n m": N * SIZE, "n r": N * SIZE,
    "k^2": SIZE**2,
}


def rng():
    return np.random.default_rng(0)


def new(n=N):
    """A kernel that keeps nothing of an earlier call."""
    return kernels.rbf(X[:n], 0.3)


def near():
    made = lowrank.nystrom(new(), range(SIZE))
    assert made.factor.shape == (N, SIZE)
    return made


def given(make, call):
    """A call with what is made before it, and not counted."""

    def made():
        some = make()
        return lambda: call(some)

    return made


def fitted(learner, n=N, **options):
    if "method" not in options:
        options |= {"landmarks": range(SIZE), "method": "nystrom"}
    model = getattr(learners, learner)(gamma=0.3, **options)
    return lambda: model.fit(X[:n], Y[:n])


def takes(name, phrase, contrary, make, times=1, n=N, within=(2 / 3, 5)):
    """A phrase whose word is an order of words, and what makes the call."""

    @cache
    def taken():
        return peak(make())

    def check(word):
        sizes = OF | {"n^2": n * n, "n": n}
        return within[0] < taken() / (times * sizes[word]) < within[1]

    says(name, phrase, contrary)(check)


takes("lowrank.column_sampling", "operations and 3 [n l] words", "n^2",
      lambda: lambda: lowrank.column_sampling(new(), range(SIZE)), 3)
takes("lowrank.Factored.inverse_diagonal", "operations and [n m] words", "n^2",
      given(near, lambda made: made.inverse_diagonal(0.3)))
takes("sampling.incomplete_cholesky", "operations and [n l] words", "n^2",
      lambda: lambda: sampling.incomplete_cholesky(new(), SIZE), 1)
takes("sampling.adaptive_partial", "memory [n l] words", "n^2",
      lambda: lambda: sampling.adaptive_partial(new(), SIZE, rng()))
takes("sampling.criterion_driven", "memory [n l] words", "n^2",
      lambda: lambda: sampling.criterion_driven(new(), SIZE, rng(), y=Y))
takes("learners.Preconditioner", "and [k^2] words beside the factor F", "n k",
      given(near, lambda made: learners.Preconditioner(made, 1.0)))
takes("selection.criterion", "``6 n k^2`` and [n k] words", "n^2",
      given(near, lambda made: selection.criterion(made, Y, 1.0)))
takes("selection.enclosure", "operations and [n k] words for a factor F", "n^2",
      given(near, lambda made: selection.enclosure(made, Y, 1.0)))
takes("guarantees.estimate", "operations and 3 [n r] words", "n^2",
      given(near, lambda made: guarantees.estimate(made.of(new()), made)), 3)
takes("learners.GaussianProcess", "``n m^2`` and [n m] words", "n^2",
      lambda: fitted("GaussianProcess"))
takes("learners.KernelPCA", "operations and 5 [n m] words", "n^2",
      lambda: fitted("KernelPCA", n_components=2), 5)
takes("learners.KernelLogistic", "a step and 3 [n l] words", "n^2",
      lambda: fitted("KernelLogistic"), 3)
for method in ("nystrom", "regressors"):
    takes("learners.KernelRidge", f"``{method}`` 2 n l^2 [n l]", "n^2",
          lambda method=method: fitted(
              "KernelRidge", method=method, landmarks=range(SIZE)))
takes("learners.KernelRidge", "``exact`` n^3 / 3 [n^2]", "n",
      lambda: fitted("KernelRidge", SMALL, method="exact"), n=SMALL)
takes("learners.GaussianProcess", "``n^3 / 3`` operations and [n^2] words", "n",
      lambda: fitted("GaussianProcess", SMALL, method="exact"), n=SMALL)
takes("learners.KernelPCA", "some 10 n^3 operations and [n^2] words", "n",
      lambda: fitted("KernelPCA", SMALL, n_components=2, method="exact"), n=SMALL)


def whole(call, *given):
    return lambda: lambda: call(new(SMALL), *given)


for name, phrase, call in (
    ("coherence.effective_dimension", "operations, [n^2] words",
     whole(coherence.effective_dimension, 0.3)),
    ("coherence.stable_rank", "operations, [n^2] words", whole(coherence.stable_rank)),
    ("coherence.of_matrix", "operations, [n^2] words", whole(coherence.of_matrix, 2)),
    ("sampling.leverage_scores", "operations and [n^2] words",
     whole(sampling.leverage_scores, 2)),
    ("sampling.ridge_leverage_scores", "operations and [n^2] words",
     whole(sampling.ridge_leverage_scores, 0.3)),
    ("sampling.update_probability_full", "operations and [n^2] words",
     whole(sampling.update_probability_full, [0, 1])),
):
    takes(name, phrase, "n", call, n=SMALL)


def experts():
    made = [lowrank.nystrom(new(), range(30 * i, 30 * i + 30)) for i in (0, 1)]
    assert all(each.factor.shape == (N, 30) for each in made)
    return ensemble.Ensemble(tuple(made), [0.5, 0.5])


takes("ensemble.Ensemble.truncated", "and 2 [n m] words", "n^2",
      given(experts, lambda made: made.truncated(10)), 2)


@says("sampling.farthest_point", "operations and [3 n] words", "n l")
def whatever_the_landmarks(word):
    """A kernel takes words of its own for a column, and as many for each."""
    few, many = (
        peak(sampling.farthest_point, new(), size) for size in (SIZE // 4, SIZE)
    )
    return (many / few > 2) == ("l" in word)
