"""Routes for logistic regression: chances, minimisers and Newton's steps in balls."""

from flint import arb, arb_mat, fmpq

from nystheory.exact import balls
from nystheory.exact.balls import Unknown
from nystheory.exact.routes import Routes

_OF_LOGISTIC = Routes("Logistic")
enter, route = _OF_LOGISTIC.enter, _OF_LOGISTIC.route

enter("w", lambda c: c.chosen("w").entries())
enter("other_w", lambda c: c.chosen("other_w").entries())
enter("labels", lambda c: c.chosen("labels").entries())
enter("feature_count", lambda c: fmpq(c.chosen("features").nrows()))


def _row(values):
    return balls.matrix([values]) if not _balls(values) else arb_mat([values])


def _balls(values):
    return any(isinstance(x, arb) for x in values)


def _scores(c, w):
    return balls.multiply(_row(w), c.chosen("features")).entries()


def _chances(c, w):
    """``1 / (1 + exp(-t))`` of the scores t."""
    return [1 / (1 + (-balls.ball(t)).exp()) for t in _scores(c, w)]


def _spread(c, w):
    return balls.diagonal([s * (1 - s) for s in _chances(c, w)])


def _gram(c, w):
    X = c.chosen("features")
    return balls.symmetric_part(balls.multiply(X, _spread(c, w), X.transpose()))


def _loss_slope(c, w):
    """``X (s - y)``, entry by entry."""
    y, X = c.chosen("labels").entries(), c.chosen("features")
    missed = [s - balls.ball(t) for s, t in zip(_chances(c, w), y, strict=True)]
    return balls.multiply(_row(missed), X.transpose()).entries()


def _slope(c, w):
    alpha = c.chosen("alpha")
    pairs = zip(w, _loss_slope(c, w), strict=True)
    return [balls.plus(balls.times(alpha, a), b) for a, b in pairs]


def _ridged(c, M):
    ridge = balls.multiply(c.chosen("alpha"), balls.identity(M.nrows()))
    return balls.add(M, ridge)


def _solve(c, M, right):
    inverse = balls.inverse(_ridged(c, M))
    return balls.multiply(_row(right), inverse).entries()


def _square(values):
    return balls.total(balls.times(x, x) for x in values)


@route
def variances(c):
    return _spread(c, c.chosen("w").entries())


@route
def minimiser(c):
    """Newton's method on midpoints; its end lies within the slope over the ridge.

    For E is at least quadratic: ``|w - w_*| <= |grad E(w)| / alpha`` at every w.
    """
    alpha = balls.ball(c.chosen("alpha"))
    if not alpha > 0:
        raise Unknown("a minimum without a ridge")
    w = [arb(0)] * c.chosen("features").nrows()
    g = _slope(c, w)
    for _ in range(200):
        p, length = _solve(c, _gram(c, w), g), arb(1)
        found = None
        while found is None and length > arb(2) ** -40:
            there = [(a - length * b).mid() for a, b in zip(w, p, strict=True)]
            slope = _slope(c, there)
            if _square(slope).mid() < _square(g).mid():
                found = there, slope
            length /= 2
        if found is None:
            break
        w, g = found
    reach = (balls.square_root(_square(g)) / alpha).upper()
    return [a + arb(0, reach) for a in w]


# --- The approximation ----------------------------------------------------------------


def _independent(c):
    """Landmarks whose rows of X are independent, and span those of all landmarks.

    The others add nothing: R is positive, so that the core has the rank of the rows.
    """
    X, kept = c.chosen("features"), []
    for j in c.landmarks:
        rows = balls.part(X, [*kept, j], range(X.ncols()))
        if balls.rank(rows) == len(kept) + 1:
            kept.append(j)
    if c.k < len(kept):
        raise Unknown("a core of balls, cut below its rank")
    return kept


def _sampled(c, w):
    T, S = _gram(c, w), _independent(c)
    if not S:
        return T, balls.zeros(T.nrows(), T.nrows())
    C = balls.part(T, range(T.nrows()), S)
    core = balls.inverse(balls.part(T, S, S))
    return T, balls.symmetric_part(balls.multiply(C, core, C.transpose()))


@route
def approximate_T(c):
    return _sampled(c, c.chosen("w").entries())[1]


@route
def columns_of_T(c):
    T = _gram(c, c.chosen("w").entries())
    return balls.part(T, range(T.nrows()), c.landmarks)


@route
def core_inverse_of_T(c):
    if len(_independent(c)) < len(c.landmarks):
        raise Unknown("the pseudo-inverse of a singular matrix of balls")
    S = c.landmarks
    return balls.inverse(balls.part(_gram(c, c.chosen("w").entries()), S, S))


@route
def printed_image(c):
    w = minimiser(c)
    T, below = _sampled(c, w)
    moved = balls.multiply(_row(w), T).entries()
    pairs = zip(moved, _loss_slope(c, w), strict=True)
    return _solve(c, below, [balls.plus(a, balls.times(-1, b)) for a, b in pairs])
