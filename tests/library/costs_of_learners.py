"""The operations of learners and of the choice of a kernel, as docstrings tell them."""

# ruff: noqa: E741

import numpy as np
from costs_of_docstrings import (
    a_step,
    costs,
    counted,
    matrix,
    near,
    numbers,
    points,
    twice,
)

from nystheory import features, kernels, learners, selection


@costs(
    "learners.falkon",
    "in a step and costs ``4 n l q`` operations", "4 n l q", n=2000, l=40, q=3,
)
def _(n, l, q):
    y = numbers(n, q)
    return a_step(learners.falkon, matrix(n), range(l), y, 1e-3, tol=1e-15)


@costs("learners.conjugate_gradients", "``2 n^2 q`` operations", n=1000, q=3)
def _(n, q):
    y = numbers(n, q)
    return a_step(learners.conjugate_gradients, matrix(n), y, 1e-3, tol=1e-15)


@costs(
    "learners.conjugate_gradients",
    "4 n k q for the preconditioner", "4 n k q", n=1000, k=40, q=3,
)
def _(n, k, q):
    made = learners.Preconditioner(near(n, k), 1e-3)
    given = matrix(n), numbers(n, q), 1e-6
    more = a_step(learners.conjugate_gradients, *given, preconditioner=made, tol=1e-15)
    return more - a_step(learners.conjugate_gradients, *given, tol=1e-15)


@costs(
    "learners.restricted",
    "Direct: ``2 n l^2 + l^3 / 3`` operations", "2 n l^2 + l^3 / 3", n=2000, l=40,
)
def _(n, l):
    return counted(learners.restricted, matrix(n), range(l), numbers(n), 1e-3)


@costs(
    "learners.restricted",
    "each step ``4 n l + 4 l^2`` for each of q", "(4 n l + 4 l^2) q", n=2000, l=40, q=3,
)
def _(n, l, q):
    def solved(tol):
        rng, y = np.random.default_rng(0), numbers(n, q)
        given = matrix(n), range(l), y, 1e-3
        return learners.restricted(*given, sketch=2 * l, rng=rng, tol=tol)

    few, many = solved(1e-2), solved(1e-10)
    steps = many.iterations - few.iterations
    return (counted(solved, 1e-10) - counted(solved, 1e-2)) / steps


@costs("learners.Preconditioner", "Costs ``n k^2 + k^3 / 3`` operations", n=2000, k=40)
def _(n, k):
    return counted(learners.Preconditioner, near(n, k), 0.1)


@costs("learners.Preconditioner.solve", "4 n k q operations", n=2000, k=40, q=3)
def _(n, k, q):
    return counted(learners.Preconditioner(near(n, k), 0.1).solve, numbers(n, q))


@costs("learners.Preconditioner.condition", "2 n k operations", n=2000, k=40)
def _(n, k):
    return twice(learners.Preconditioner(near(n, k), 0.1).condition, matrix(n))


@costs(
    "learners.newton",
    "A step costs ``n N^2 + N^3 / 3`` operations", "n N^2 + N^3 / 3", n=2000, N=60,
)
def _(n, N):
    y = (numbers(n) > 0).astype(int)
    return a_step(learners.newton, points(n, N), y, 1e-3, tol=1e-300, most="max_iter")


@costs(
    "learners.FeatureRidge",
    "`fit` takes ``n D^2 + D^3 / 3`` operations", "n D^2 + D^3 / 3", n=3000, D=60,
)
def _(n, D):
    made = features.RandomFourierFeatures(n_components=D, random_state=0)
    model = learners.FeatureRidge(made)
    X = points(n, 5)
    return counted(model.fit, X, X[:, 0])


@costs("learners.FeatureRidge.predict", "2 m D operations", m=3000, D=60)
def _(m, D):
    made = features.RandomFourierFeatures(n_components=D, random_state=0)
    X = points(m, 5)
    model = learners.FeatureRidge(made).fit(X, X[:, 0])
    return counted(model.predict, X) - counted(model.features_.transform, X)


@costs("learners.GaussianProcess", "Exact: ``n^3 / 3`` operations", "n^3 / 3", n=600)
def _(n):
    model = learners.GaussianProcess(method="exact", kernel="precomputed")
    return counted(model.fit, matrix(n), numbers(n))


@costs("learners.KernelRidge", "``exact`` n^3 / 3", "n^3 / 3", n=600)
def _(n):
    model = learners.KernelRidge(method="exact", kernel="precomputed")
    return counted(model.fit, matrix(n), numbers(n))


@costs("selection.criterion", "cost ``n^3 / 3`` operations each", "n^3 / 3", n=600)
def _(n):
    return counted(selection.criterion, matrix(n), numbers(n), 0.1)


@costs("selection.criterion", "(n^3 for ``\"leave-one-out\"``)", "n^3", n=600)
def _(n):
    given = matrix(n), numbers(n), 0.1
    return counted(selection.criterion, *given, measure="leave-one-out")


@costs("selection.criterion", "``6 n k^2`` and n k words", "6 n k^2", n=3000, k=40)
def _(n, k):
    return counted(selection.criterion, near(n, k), numbers(n), 0.1)


@costs("selection.enclosure", "Costs ``3 n k^2`` operations", n=3000, k=40)
def _(n, k):
    made = near(n, k)
    return counted(selection.enclosure, made, numbers(n), 0.1)


@costs(
    "features.NystromFeatures.inverse_transform",
    "Costs 2 m k d operations", m=500, k=40, d=5,
)
def _(m, k, d):
    made = features.NystromFeatures(n_landmarks=k, fit_inverse=True)
    seen = made.set_params(random_state=0).fit_transform(points(m, d))
    return counted(made.inverse_transform, seen)


@costs("learners.KernelPCA", "some 10 n^3 operations", n=400)
def _(n):
    model = learners.KernelPCA(3, method="exact", kernel="precomputed")
    return counted(model.fit, matrix(n))


@costs("learners.FeatureRidge.path", "``D^3 / 3`` operations for each", n=3000, D=400)
def _(n, D):
    made = features.RandomFourierFeatures(n_components=D, random_state=0)
    X = points(n, 5)
    model = learners.FeatureRidge(made).fit(X, X[:, 0])
    few, many = (counted(model.path, [0.1] * t) for t in (1, 3))
    return (many - few) / 2


@costs(
    "learners.KernelLogistic", "and ``n^3 + n^3 / 3`` a step", "n^3 + n^3 / 3", n=300
)
def _(n):
    def fitted(most):
        model = learners.KernelLogistic(1e-6, method="exact", kernel="precomputed")
        model.set_params(tol=1e-12, max_iter=most)
        model.fit(matrix(n), numbers(n) > 0)

    return (counted(fitted, 4) - counted(fitted, 2)) / 2


@costs("kernels.rbf", "``2 a b (d + 2)`` operations", a=500, b=400, d=30)
def _(a, b, d):
    K = kernels.rbf(points(1000, d), 0.1)
    return counted(lambda: K[list(range(a)), list(range(500, 500 + b))])
