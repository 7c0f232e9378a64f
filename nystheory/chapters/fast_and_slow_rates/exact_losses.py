"""Routes for losses on a finite population, response by response, in fractions."""

from nystheory.exact.routes import Routes

_OF_RESPONSES = Routes("Responses")
route = _OF_RESPONSES.route


def _responses(c):
    """Weight, response and point of each."""
    W, Y = c.chosen("weights"), c.chosen("response")
    rows, columns = W.nrows(), W.ncols()
    places = [(i, j) for i in range(rows) for j in range(columns)]
    return [(W[i, j], Y[i, j], i) for i, j in places]


def _squares(c, predictions):
    return [(y - predictions[i]) ** 2 for _, y, i in _responses(c)]


@route
def chance_i(c):
    weights = [w for w, _, _ in _responses(c)]
    return [w / sum(weights) for w in weights]


@route
def loss_f(c):
    return _squares(c, c.chosen("f"))


@route
def loss_g(c):
    return _squares(c, c.chosen("g"))


@route
def loss_best(c):
    """The mean response is where the mean loss has the slope zero."""
    W, Y = c.chosen("weights"), c.chosen("response")
    best = []
    for i in range(W.nrows()):
        weights = [W[i, j] for j in range(W.ncols())]
        best.append(sum(w * Y[i, j] for j, w in enumerate(weights)) / sum(weights))
    return _squares(c, best)


@route
def between(c):
    f, g = c.chosen("f"), c.chosen("g")
    return [abs(f[i] - g[i]) for _, _, i in _responses(c)]
