"""Jacobi's rotations: eigenvalues and eigenvectors of balls, without a promise."""

from flint import arb, arb_mat, ctx


def jacobi(A):
    """Approximate eigenvalues and eigenvectors: hints only, nothing rests on them."""
    n = A.nrows()
    B = [[(A[i, j].mid() + A[j, i].mid()) / 2 for j in range(n)] for i in range(n)]
    B = [[x.mid() for x in row] for row in B]
    V = [[arb(int(i == j)) for j in range(n)] for i in range(n)]
    tiny = arb(2) ** (-2 * ctx.prec + 20)
    for _ in range(60):
        off = sum((B[i][j] ** 2 for i in range(n) for j in range(i)), arb(0)).mid()
        whole = sum((B[i][i] ** 2 for i in range(n)), off).mid()
        if off <= tiny * whole:
            break
        for p in range(n):
            for q in range(p + 1, n):
                _rotate(B, V, p, q)
    values = [B[j][j].mid() for j in range(n)]
    return values, arb_mat([[x.mid() for x in row] for row in V])


def _rotate(B, V, p, q):
    n = len(B)
    if B[p][q] == 0:
        return
    theta = ((B[q][q] - B[p][p]) / (2 * B[p][q])).mid()
    sign = 1 if theta >= 0 else -1
    t = (sign / (abs(theta) + (theta * theta + 1).sqrt())).mid()
    c = (1 / (t * t + 1).sqrt()).mid()
    s = (t * c).mid()
    for m in range(n):
        B[m][p], B[m][q] = _turned(B[m][p], B[m][q], c, s)
    for m in range(n):
        B[p][m], B[q][m] = _turned(B[p][m], B[q][m], c, s)
    for m in range(n):
        V[m][p], V[m][q] = _turned(V[m][p], V[m][q], c, s)


def _turned(x, y, c, s):
    return (c * x - s * y).mid(), (s * x + c * y).mid()
