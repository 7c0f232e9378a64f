r"""What algorithm boxes say in words, phrase by phrase, and whether it is so.

A phrase chooses, orders or stops, where no line does; a function tries it with the
package or on small matrices.
"""

import inspect
import warnings

import numpy as np
from boxes_of_columns import NEAR, K, S, l, n
from boxes_of_learners import rng_of

from nystheory import certificates, ensemble, manifold, sampling, selection, theorems
from nystheory.chapters.machines_on_few_columns.theorems import pegasos
from nystheory.engine.worlds.quantities import value
from nystheory.ensemble import _weights

# Paths between two sides of four points, 2 on one side and 1 across: of the spectrum
# the largest modulus is that of -4.
PATHS = 1 + np.kron(np.eye(2), np.ones((4, 4))) - 2 * np.eye(8)


def begins_with_starts():
    """The mean of the theorem is that of the iterates before the steps."""
    case = pegasos._OPPOSITE
    iterates = pegasos.run(case).iterates
    starts, ends = iterates[:-1].mean(axis=0), iterates[1:].mean(axis=0)
    at = [pegasos._losses(case, w, range(2)).mean() for w in (starts, ends)]
    told = value("F_average", case)
    return np.isclose(told, at[0]) and not np.isclose(told, at[1])


def one_vector_fewer():
    """What is left of each vector is missed by the approximation from the others."""
    Omega = rng_of().standard_normal((n, l))
    H, Y = Omega.T @ K @ Omega, K @ Omega
    for j in range(l):
        others = np.delete(Omega, j, axis=1)
        core, Z = others.T @ K @ others, K @ others
        missed = (K - Z @ np.linalg.solve(core, Z.T)) @ Omega[:, j]
        told = Y @ np.linalg.inv(H)[:, j] / np.linalg.inv(H)[j, j]
        if not np.allclose(told, missed) or others.shape[1] != l - 1:
            return False
    return True


def above_zero(fit):
    """The largest ones of the spectrum, and not the largest moduli."""
    H = np.eye(8) - 1 / 8
    values = np.linalg.eigvalsh(-H @ PATHS**2 @ H / 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kept = fit()
    largest_modulus = values[abs(values).argmax()]
    return np.allclose(kept, values[-2:]) and largest_modulus < 0


def by_landmarks():
    return above_zero(lambda: manifold.LandmarkMDS(2).fit(PATHS).eigenvalues_)


def same_ridges():
    """Both are tried for the ridges of one list."""
    tried = {"ridge": [], "nonnegative": []}
    seen = ensemble.validate(K, ensemble.experts(K, [[0, 3], [1, 4]]), [6, 7])
    kept = dict(ridge=_weights.ridge_weights, nonnegative=_weights.nonnegative_weights)
    try:
        for name, function in kept.items():

            def noted(G, g, ridge, name=name, function=function):
                tried[name].append(ridge)
                return function(G, g, ridge)

            setattr(_weights, f"{name}_weights", noted)
            ensemble.choose_weights(name, seen, seen)
    finally:
        for name, function in kept.items():
            setattr(_weights, f"{name}_weights", function)
    units = np.array(tried["ridge"]) / max(tried["ridge"])
    told = 10.0 ** np.arange(-12, 0.5, 0.5)
    return tried["ridge"] == tried["nonnegative"] and np.allclose(units, told)


def largest_pivot():
    d = np.array([1.0, 3.0, 2.0])
    return [*sampling.incomplete_cholesky(np.diag(d), 2).indices] == [1, 2]


def stops_at_zero():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return len(sampling.incomplete_cholesky(np.diag([1.0, 0, 0]), 2).indices) <= 1


def candidates():
    return inspect.signature(sampling.sgma).parameters["candidates"].default == 59


def downwards():
    """All ways to choose, from the last eigenvector to the first: by volume."""
    lam, k = np.array([1.0, 2.0, 4.0]), 2

    def e(m, some):
        return np.append(np.poly(-np.asarray(some)), np.zeros(4))[m] if m else 1.0

    chances = {}

    def choose(j, m, taken, chance):
        if m == 0 or j < m:
            chances[taken] = chances.get(taken, 0) + chance * (m == 0)
            return
        p = lam[j - 1] * e(m - 1, lam[: j - 1]) / e(m, lam[:j])
        choose(j - 1, m - 1, (*taken, j - 1), chance * p)
        choose(j - 1, m, taken, chance * (1 - p))

    choose(3, k, (), 1.0)
    return all(
        np.isclose(chance, lam[[*taken]].prod() / e(k, lam))
        for taken, chance in chances.items()
        if chance
    )


def smallest_criterion():
    """The smaller one belongs to the kernel that knows the labels."""
    y = np.where(np.arange(n) < 4, 1.0, -1.0)
    knows, other = np.outer(y, y), np.eye(n)
    return selection.criterion(knows, y, 1.0) < selection.criterion(other, y, 1.0)


def one_landmark_fewer():
    """Over all samples the mean is that of the error from one landmark fewer."""
    A = np.array([[2.0, 1, 0], [1, 2, 1], [0, 1, 3]])
    pairs = [(0, 1), (0, 2), (1, 2)]
    told = np.mean([certificates.leave_one_out_frobenius(A, S).value for S in pairs])
    one = [np.linalg.norm(A - np.outer(A[i], A[i]) / A[i, i]) ** 2 for i in range(3)]
    return np.isclose(told, np.mean(one)) or np.isclose(told**2, np.mean(one))


def zero_on_those_so_far():
    y = np.where(np.arange(n) < 4, 1.0, -1.0)
    return not sampling.update_probability_criterion(K, S, y, rank=2)[S].any()


def without_replacement():
    rng = np.random.default_rng(0)
    draws = [sampling.adaptive_full(K, 6, rng).indices for _ in range(20)]
    return all(len({*each}) == 6 for each in draws)


def bounds_every_norm():
    E = K - NEAR.spectral_reconstruction()
    trace = certificates.trace_certificate(K, NEAR).value
    norms = np.linalg.norm(E, 2), np.linalg.norm(E), np.linalg.norm(E, "nuc")
    return max(norms) <= trace + 1e-9


def larger_is_safe():
    theorem = theorems["talwalkar2010:thm-5.2-spectral"]
    known = {"K_max": 1.0, "d_max": 1.0, "tail_2": 0.0, "delta": 0.1}
    bounds = [
        theorem.bound(n=20, l=5, spread=3.0, **known | more)
        for more in ({}, {"d_max": 1.2}, {"K_max": 1.5})
    ]
    wider = theorem.bound(n=20, l=5, spread=4.0, **known)
    return min(*bounds[1:], wider) >= bounds[0]


SAID = {
    "alg-nystrom-pegasos": {
        "Return the mean of the $w$ with which the steps began.": begins_with_starts
    },
    "alg-leave-one-out-sketch": {
        r"an estimate of $\|K - \tilde K\|_F^2$ for one vector fewer": one_vector_fewer,
        "from the other vectors": one_vector_fewer,
    },
    "alg-landmark-mds": {
        r"Take the $k$ largest eigenvalues above zero, $\Sigma_k$": by_landmarks
    },
    "alg-mixture-weights": {
        r"*Nonnegative*: the minimiser over $\mu \ge 0$, for the same $\lambda$": (
            same_ridges
        ),
        r"for $\lambda = 10^{-12}, 10^{-11.5}, \dots, 1$": same_ridges,
    },
    "alg-icl": {
        "Take the $j$ with the largest $d_j$ as a pivot": largest_pivot,
        "if that is zero, stop": stops_at_zero,
    },
    "alg-sgma": {"Draw 59 distinct candidates $j$ uniformly": candidates},
    "alg-k-dpp": {r"For $j = r, r - 1, \dots, 1$, while $m > 0$": downwards},
    "alg-kernel-selection": {"Return the kernel with the smallest": smallest_criterion},
    "alg-leave-one-out-columns": {
        "with $l - 1$ uniform landmarks": one_landmark_fewer
    },
    "alg-criterion-driven": {r"Put $p_i = 0$ for $i \in I$": zero_on_those_so_far},
    "alg-adaptive": {
        "Draw a batch of $s$ columns from $p$ without replacement": without_replacement
    },
    "alg-trace-certificate": {"which bounds every norm of $E$": bounds_every_norm},
    "alg-promise": {"Larger values are safe": larger_is_safe},
}
