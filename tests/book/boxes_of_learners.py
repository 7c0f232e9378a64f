"""Algorithms that learn from columns, map or sketch: each box beside the package."""

# ruff: noqa: E741

import numpy as np
from running_boxes import SAMPLE, close, core, leading, matrix, runs

from nystheory import ensemble, features, learners, lowrank, manifold, theorems
from nystheory.chapters.ridge_and_preconditioning import experiments as dividing
from nystheory.chapters.sketches_and_limits.theorems import sketches, trace_estimators
from nystheory.chapters.stability_of_learners import experiments as moving

K, S = matrix(), SAMPLE
n, l, k, alpha = len(K), len(S), 2, 0.5
I, J = range(n), range(l)
C, W = K[:, S], core(K, S)
NEAR = lowrank.nystrom(K, S)
y = np.cos(3.0 * np.arange(n))
rng = np.random.default_rng(5)
X = rng.standard_normal((n, 3))


@runs("alg-ensemble")
def mixture(run):
    experts = ensemble.experts(K, [S, [1, 2, 4]])
    run(0, F=[each.factor for each in experts], p=2)
    weights = [run(3, r=r) for r in range(2)]
    close(weights, ensemble.uniform_weights(2))
    for r, expert in enumerate(experts):
        run(2, r=r)
        close(run["K_tilde"][r], expert.spectral_reconstruction())


@runs("alg-mixture-weights")
def mixture_weights(run):
    experts = ensemble.experts(K, [S, [1, 2, 4]])
    seen = ensemble.validate(K, experts, [6, 7])
    G, g = seen.normal_equations
    errors, eta, lam = seen.errors, 2.0, 0.1
    run(0, G=G, g=g, eps_hat=errors, eta=eta, lam=lam, p=2, R=range(2), Z=1.0)
    trust = [run(2, only=0, r=r) for r in range(2)]
    close(max(trust), 1)  # of the best expert
    run.names["mu"] = {}
    weights = [run(2, only=0, r=r, Z=sum(trust)) for r in range(2)]
    close(weights, ensemble.exponential_weights(errors, eta))
    mu = run(2, only=1)
    close(mu, ensemble.ridge_weights(G, g, lam))
    H = [5, 8]
    columns = [each.spectral_reconstruction()[:, H] for each in experts]
    held_out = ensemble.Ensemble(tuple(experts), np.asarray(mu))
    missed = K[:, H] - held_out.spectral_reconstruction()[:, H]
    close(run(3, K_H=K[:, H], K_tilde_H=columns), np.sqrt(np.sum(missed**2)))


@runs("alg-promise")
def promise(run):
    # A large distance, a small one, and one beyond what two points can have.
    for d_max in (1.2, 0.3, 1.6):
        run(2, n=20, l=5, V=3.0)
        run(3, K_max=1.0, d_max=d_max)
        far = min(d_max, np.sqrt(2))
        second = far * (2 - far) > far * np.sqrt(2 - far**2 / 2)
        assert run(3, only=2) == second
        drawn = 15**2 * np.sum(1 / np.arange(15, 20) ** 2.0)
        left = 5**2 * np.sum(1 / np.arange(5, 20) ** 2.0)
        b = run(5, alpha_sharp=min(drawn, left), delta=0.05)
        theorem = theorems["talwalkar2010:thm-5.2-frobenius"]
        known = {"K_max": 1.0, "d_max": d_max, "delta": 0.05, "tail_F": 0.0}
        bound = theorem.bound(n=20, l=5, k=1, spread=3.0, **known)
        close(run(6), bound)
        close(b, bound / np.sqrt(2))
    # Two opposite points are as far apart as any; K = K_max I_n has the largest sum.
    close(run(1, only=0), 2)
    close(run(1, only=1, n=7), 7 * 1 - 7 / 7)


@runs("alg-components")
def components(run):
    F = NEAR.factor
    run(1, F=F)
    close(run["K_tilde"], NEAR.spectral_reconstruction())
    mean = F.mean(axis=0)
    U, s, Vt = np.linalg.svd(F - mean, full_matrices=False)
    run(3, F=F - mean, U=U, S=np.diag(s), V=Vt.T)
    run(0, U_k=U[:, :k], S_k=np.diag(s[:k]), V_k=Vt[:k].T)
    places = run(4, only=0)
    close(abs(places), abs(learners.KernelPCA(k).fit_transform(NEAR)))
    close(run(4, only=1, f=F[4]) - Vt[:k] @ mean, places[4])


@runs("alg-nystrom-pegasos")
def pegasos(run):
    F, labels, lam = NEAR.factor, np.where(y > 0, 1.0, -1.0), 0.3
    w, expected = np.zeros(l), np.zeros(l)
    run(0, x_bar=F, y=labels, lam_prime=lam)
    for t, i in enumerate((0, 4, 2, 0, 8), 1):
        v = run(3, only=0, i=i, w=w, t=t)
        inside = run(3, only=1)
        assert inside == (labels[i] * (w @ F[i]) < 1)
        w = run(3, only=2, v=v if inside else np.zeros(l))
        # A step against the subgradient of the penalised loss of one point.
        slope = lam * expected - (labels[i] * (expected @ F[i]) < 1) * labels[i] * F[i]
        expected = expected - slope / (lam * t)
        close(w, expected)


def _gradients(run, more, rounds, image, **start):
    """Steps of conjugate gradients, beginning with a residual and its image."""
    run(2, **start)
    close(run["z"], image(run["r"]))
    run(0, p=run["z"], **{more: np.zeros_like(run["r"])})
    for _ in range(rounds):
        run(3)
        close(run["z"], image(run["r"]))
        # The residual is at right angles to the directions before.
        close(run["p"] @ run["r"], run["z"] @ run["r"])
    return run[more]


@runs("alg-falkon")
def falkon(run):
    weights = [run(1, only=0, n=n, l=l, j=j) for j in J]
    run(1, only=1, W=W, D=np.diag(weights), alpha=alpha)
    close(run["M"], n / l * W @ W + alpha * W)
    image = np.linalg.inv(run["M"]).dot
    a = _gradients(run, "a", l, image, C=C, y=y)
    close(C @ a, C @ learners.falkon(K, S, y, alpha, tol=1e-13).x)
    first = learners.falkon(K, S, y, alpha, tol=1e-13, max_iterations=1)
    one = _gradients(run, "a", 1, image)
    close(C @ one, C @ first.x)


@runs("alg-preconditioned")
def preconditioned(run):
    run(1, F=NEAR.factor, alpha=alpha, l=l)
    close(run["A"], alpha * np.eye(l) + NEAR.factor.T @ NEAR.factor)
    P = NEAR.spectral_reconstruction() + alpha * np.eye(n)
    image = np.linalg.inv(P).dot
    x = _gradients(run, "x", l + 1, image, P=P, r=y.copy(), K=K, n=n)
    ready = learners.Preconditioner(NEAR, alpha)
    made = learners.conjugate_gradients(K, y, alpha, ready, tol=1e-13)
    close(x, made.x)
    close(x, np.linalg.solve(K + alpha * np.eye(n), y))
    one = _gradients(run, "x", 1, image, r=y.copy())
    close(one, y @ np.linalg.solve(P, y) * np.linalg.solve(P, y) / _curvature(P))


def _curvature(P):
    """How much the first direction bends the square."""
    z = np.linalg.solve(P, y)
    return z @ (K + alpha * np.eye(n)) @ z


@runs("alg-woodbury")
def woodbury(run):
    L = np.linalg.cholesky(W)
    F = np.linalg.solve(L, C.T).T
    run(1, W=W, L=L, F=F, C=C)
    run(2, alpha=alpha, l=l)
    close(run(3, b=y), NEAR.solve(y, alpha))


@runs("alg-preconditioner")
def preconditioner(run):
    U, s, Vt = np.linalg.svd(NEAR.factor, full_matrices=False)
    run(1, only=0, F=NEAR.factor)
    close(run["K_tilde"], NEAR.spectral_reconstruction())
    run(1, only=1, U=U, S=np.diag(s), V=Vt.T)
    run(0, lam_tilde={}, x=y, alpha=alpha, l=l - 1)
    for i in J:
        run(1, only=2, i=i)
    run(2, only=0)
    for i in J:
        run(2, only=1, i=i)
    close(run(2, only=2), dividing.divided_out(NEAR, alpha) @ y)
    run(3, K=K, n=n, y=y, x=np.linalg.solve(K + alpha * np.eye(n), y))


@runs("alg-isomap")
def isomap(run):
    points = np.array([[0.0], [1.0], [3.0], [3.5]])
    D = (points - points.T) ** 2
    H = np.eye(4) - 1 / 4
    run(3, H=H, D=D)
    values, vectors = leading(run["K_n"], 1)
    run(4, Sigma_k=np.diag(values), U_k=vectors)
    made = manifold.Isomap(1, n_neighbors=1).fit_transform(points)
    close(abs(run["Y"].T), abs(made))


@runs("alg-landmark-mds")
def landmark_mds(run):
    D = np.sum((X[:, None, :2] - X[:, :2]) ** 2, axis=2)
    between, H = D[np.ix_(S, S)], np.eye(l) - 1 / l
    run(1, H=H, D_SS=between)
    values, vectors = leading(run["W"], k)
    run(0, Sigma_k=np.diag(values), U_k=vectors, delta_bar=between.mean(axis=0))
    places = np.array([run(3, d=D[i, S]) for i in I])
    made = manifold.LandmarkMDS(k).fit_transform(np.sqrt(D[:, S]), landmarks=S)
    close(abs(places), abs(made))


@runs("alg-newton-columns")
def newton(run):
    N, columns = X.shape[1], [0, 2]
    labels, w = (y > 0).astype(float), np.zeros(N)

    def value(w):
        margins = X @ w
        loss = np.sum(np.log1p(np.exp(margins)) - labels * margins)
        return loss + alpha / 2 * w @ w

    for _ in range(60):
        s = 1 / (1 + np.exp(-X @ w))
        run(2, only=0, alpha=alpha, w=w, X=X.T, y=labels, s=s)
        gap = run(2, only=1)
        if gap < 1e-12:
            break
        run(3, R=np.diag(s * (1 - s)), S=columns)
        near = run["C"] @ np.linalg.pinv(run["W"]) @ run["C"].T
        T = X.T @ np.diag(s * (1 - s)) @ X
        close(run["C"], T[:, columns])
        close(run["W"], core(T, columns))
        p = np.linalg.solve(alpha * np.eye(N) + near, run["g"])
        run(4, N=N, p=p)
        eta = 1.0
        while not run(5, E=value, c=0.25, eta=eta):
            eta /= 2
            assert eta > 1e-3
        before, w = value(w), run(6)
        assert value(w) <= before
        assert before - value(w) <= gap + 1e-12  # what a minimum can be below
    made = learners.newton(X, labels, alpha)
    close(w, made.w)
    s = 1 / (1 + np.exp(-X @ w * 0))  # at zero the gradient is not
    gap = run(2, w=0 * w, s=s)
    close(gap, np.sum((X.T @ (labels - 0.5)) ** 2) / (2 * alpha))
    assert not run(5, w=0 * w, p=-run["g"], eta=1.0)


@runs("alg-projection")
def projection(run):
    run(1, K=K, S=S)
    U, s, Vt = np.linalg.svd(run["C"], full_matrices=False)
    run(2, U_C=U, Sigma_C=np.diag(s), V_C=Vt.T)
    run(3, U=U)
    made = lowrank.column_sampling(K, S).matrix_projection(K)
    close(U @ run["H"].T, made)
    run(4, only=0)
    values, vectors = leading(W, l)
    given = {"U_W_k": vectors, "Sigma_W_k": np.diag(values)}
    run(4, only=1, n=n, l=l, **given)
    made = lowrank.nystrom(K, S).matrix_projection(K)
    close(run["U"] @ run["U"].T @ K, made)


@runs("alg-optimal")
def optimal(run):
    values, vectors = leading(W, l)
    F = C @ vectors / np.sqrt(values)
    run(1, F=F, C=C, W_k=vectors * values @ vectors.T)
    Q, R = np.linalg.qr(F)
    run(2, Q=Q, R=R)
    run(3, K=K)
    values, V = np.linalg.eigh(run["M"])
    run(4, only=0, V=V, Lambda=np.diag(values))
    made = lowrank.optimal_reconstruction(K, S)
    both = run(4, only=1)
    close(both @ np.diag(values) @ both.T, made.spectral_reconstruction())
    close(K @ Q, run["H"])


@runs("alg-random-subspace")
def random_subspace(run):
    values, V = np.linalg.eigh(W)
    run(2, W=W, V=V, Lambda=np.diag(values))
    run(3, C=C)
    close(run["Z"] @ run["Z"].T, NEAR.spectral_reconstruction())
    labels, lam = np.where(y > 0, 1.0, -1.0), 0.05
    points = np.linspace(0, 3, n)[:, None]
    machine = learners.SubspaceClassifier(
        2 * n * lam, kernel="rbf", gamma=0.5, landmarks=S, tol=1e-9
    ).fit(points, labels)
    gram = np.exp(-0.5 * (points - points.T) ** 2)
    near = lowrank.nystrom(gram, S)
    w = np.linalg.lstsq(near.factor, machine.decision_function(points), rcond=None)[0]
    given = {"y": labels, "z": near.factor, "w": w, "lam": lam, "n": n, "I": I}
    risk = run(4, ell=lambda y, a: max(0, 1 - y * a), **given)
    close(risk, machine.objective_ / n)
    close(run(5, z=near.factor[4]), machine.decision_function(points)[4])


@runs("alg-gaussian-sketch")
def gaussian_sketch(run):
    run(2, K=K, Omega=np.eye(n)[:, S])
    run(3)
    run(4)
    close(run["K_tilde"], NEAR.spectral_reconstruction())
    close(run["Y"], C)
    close(run["H"], W)


@runs("alg-leave-one-out-sketch")
def leave_one_out_sketch(run):
    Omega = rng_of().standard_normal((n, l))
    run(1, K=K, Omega=Omega)
    for j in J:
        run(2, j=j)
    close(run["H"], Omega.T @ K @ Omega)
    close(run["Y"], K @ Omega)
    close(run(3, l=l, J=J), sketches.leave_one_out_sketch(K @ Omega, Omega))


def rng_of():
    return np.random.default_rng(8)


@runs("alg-xnystrace")
def exchangeable(run):
    values, Omega = np.arange(1.0, n + 1), rng_of().standard_normal((n, l))
    run(1, K=np.diag(values), Omega=Omega)
    more = [run(3, j=j) for j in J]
    made = trace_estimators.exchangeable_by_inverse(values, Omega)
    close(run(2) + np.mean(more), made)
    close(run["H"], Omega.T @ np.diag(values) @ Omega)


@runs("alg-moved-at-most")
def moved(run):
    a = np.linalg.solve(NEAR.spectral_reconstruction() + alpha * np.eye(n), y)
    run(2, y=y, K=K, alpha=alpha, n=n, a_prime=a)
    made = moving.moved_at_most(K, y, a, alpha, 2.0)
    close(run(3, kappa=2.0), made)


@runs("alg-two-features")
def two_features(run):
    points = X[:, :1]
    gram = np.exp(-0.5 * (points - points.T) ** 2)
    values, V = np.linalg.eigh(core(gram, S))
    run(1, only=0, W=core(gram, S), V_hat=V, Lambda_hat=np.diag(values))
    ours = np.array([run(1, only=1, c=gram[i, S]) for i in I])
    made = features.NystromFeatures(gamma=0.5, landmarks=S).fit(points)
    theirs = made.transform(points)
    close(ours @ ours.T, theirs @ theirs.T)
    _waves(run, 2, "u", {"m": 4})


def _waves(run, number, name, given):
    """Cosines and sines of four frequencies."""
    made = features.RandomFourierFeatures(gamma=0.5, n_components=8).fit(X)
    waves = [
        [run(number, only=place, **{name: made.frequencies_}, i=i, x=x, **given)]
        for x in X
        for place in (0, 1)
        for i in range(4)
    ]
    close(np.reshape(waves, (n, 8)), made.transform(X))


@runs("alg-kinds-of-waves")
def kinds_of_waves(run):
    _waves(run, 3, "omega", {"D": 8})
    made = features.RandomFourierFeatures(
        gamma=0.5, n_components=8, kind="phases", random_state=0
    ).fit(X)
    given = {"omega": made.frequencies_, "D": 8, "b": made.phases_}
    waves = [[run(4, x=x, i=i, **given) for i in range(8)] for x in X]
    close(waves, made.transform(X))


@runs("alg-binning")
def binning(run):
    pitch, shift = np.array([0.5, 2.0]), np.array([0.25, 0.5])
    made = [run(2, x=[1.0, 0.4], u=shift, delta=pitch, j=j) for j in range(2)]
    close(made, [1, -1])
