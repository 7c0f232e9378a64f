r"""The words of further warm-ups, on subspaces, learners and features."""

import math
from fractions import Fraction

import numpy as np
from words_of_warm_ups import PAIR, near, of, outer


def projector(rng, n, k):
    Q = np.linalg.qr(rng.standard_normal((n, k)))[0]
    return Q @ Q.T


# Points 0, 1 and 3, with the first two as landmarks.
ROWS = (np.subtract.outer([0, 1, 3], [0, 1]) ** 2) - np.array([1, 1]) / 2
CENTRED = ROWS - ROWS.mean(axis=1, keepdims=True)
RING = np.array([np.roll([0, 1, 4, 1], i) for i in range(4)])
CENTRE = np.eye(4) - 1 / 4
ON_RING = np.linalg.eigvalsh(-CENTRE @ RING @ CENTRE / 2)
STEP, POINT = of("ex-first-step"), of("ex-one-point")
WHOLE = np.array([[3.0, 1], [1, 2]])
UNIT, ALPHA = of("ex-change-of-unit"), 0.5
TWO = [projector(np.random.default_rng(i), 5, 2) for i in (0, 1)]
LOW = np.linalg.eigvalsh(WHOLE)[0] + ALPHA


def preconditioned(A, alpha):
    """P^-1 (A + alpha I), where all eigenvectors of A are divided out."""
    values, U = np.linalg.eigh(A)
    inverse = U @ np.diag((values[0] + alpha) / (values + alpha)) @ U.T
    return inverse @ (A + alpha * np.eye(len(A)))


def share_of_ring(length):
    values = np.linalg.eigvalsh(-CENTRE @ (length**2 * RING) @ CENTRE / 2)
    return -values[values < 0].sum() / abs(values).sum()


SAID = {
    "ex-farthest-subspaces": [
        (
            r"$\|P - P'\|_F^2 = 2k - 2 \operatorname{tr} P P' \le 2k$",
            near(np.linalg.norm(TWO[0] - TWO[1]) ** 2,
                 2 * 2 - 2 * np.trace(TWO[0] @ TWO[1])),
        ),
        (
            r"The bound is below $\sqrt{2k}$",
            of("ex-farthest-subspaces")["farthest_of_two"] == math.sqrt(2 * 2),
        ),
    ],
    "ex-which-score-is-certain": [
        (
            r"$|\bar x| \le 1$, and $\sqrt{2 \cdot 5 \cdot 10^{-5} / 0.01} = 0.1$",
            math.exp(0) == 1 and near(of("ex-which-score-is-certain")["score"], 0.1),
        )
    ],
    "ex-two-centrings": [
        (
            r"$\bar\delta = (\frac12, \frac12)$, so $C_1$ has the rows $-\frac12 "
            r"(-\frac12, \frac12)$, $-\frac12 (\frac12, -\frac12)$ and $-\frac12 "
            r"(\frac{17}2, \frac72)$: rank two",
            near(ROWS, [[-1 / 2, 1 / 2], [1 / 2, -1 / 2], [17 / 2, 7 / 2]])
            and np.linalg.matrix_rank(ROWS) == 2,
        ),
        (
            r"the last one is $-\frac12 (\frac52, -\frac52)$, and the rank is one",
            near(CENTRED[2], [5 / 2, -5 / 2]) and np.linalg.matrix_rank(CENTRED) == 1,
        ),
    ],
    "ex-circle": [
        (
            r"The rows of $D$ are $(0, 1, 4, 1)$ and its shifts, so the eigenvalues of "
            r"$-\frac12 D$ on vectors of sum zero are $-\frac12 (0 - 4) = 2$, twice, "
            r"and "
            r"$-\frac12 (-1 + 4 - 1) = -1$;",
            near(ON_RING, [-1, 0, 2, 2]),
        ),
        ("centring adds a zero", min(abs(ON_RING)) < 1e-9),
        (
            "The share is one fifth, whatever the length of an edge",
            near([share_of_ring(1), share_of_ring(3)], 1 / 5),
        ),
    ],
    "ex-first-step": [
        (
            r"$s = \frac12$, so $E = \log 2$",
            near(STEP["height"], math.log(2)) and 1 / (1 + math.exp(0)) == 1 / 2,
        ),
        (r"$H = 1 + \frac14$", STEP["hessian_0"] == 1 + 1 / 4),
        ("the step leads to", STEP["after"] == 2 / 5),
    ],
    "ex-how-far": [
        (
            r"by $\frac32$ at most, and by $\frac{9}{2 \cdot 2}$ at most",
            [*of("ex-how-far").values()] == [3 / 2, 9 / (2 * 2)],
        )
    ],
    "ex-one-pivot": [
        (
            r"the second with $1 - \frac34 = \frac14$, which leaves $3$",
            1 / (3 + 1) == 0.25,
        ),
        (
            r"It is the trace of $K - K^2 / \operatorname{tr} K$, that is $4 - "
            r"\frac{10}{4}$",
            of("ex-one-pivot")["mean"] == 4 - 10 / 4 == 4 - (3**2 + 1**2) / 4,
        ),
    ],
    "ex-which-pairs": [
        (
            r"The other two pairs have $\det W = 1 \cdot 4$ each, so each comes with "
            r"probability $\frac12$",
            of("ex-which-pairs")["of_pairs"][1:] == [1 / 2, 1 / 2]
            and near(np.linalg.det(np.diag([1, 4])), 1 * 4),
        )
    ],
    "ex-count-entries-projection": [
        (
            r"$U \Sigma U^\top$ is made of what you have, be it one row or all",
            of("ex-count-entries-projection")["for_one_row"][0] == 0,
        ),
        (
            "The projection reads all $n^2 = 10^8$ entries",
            of("ex-count-entries-projection")["for_all"][1] == 10**8 == 10_000**2,
        ),
        (
            r"Row $i$ of it is $U_{i,:}\, U^\top K$, a combination of *all* rows of "
            r"$K$, "
            r"so one row",
            near((TWO[0] @ TWO[1])[2], TWO[0][2] @ TWO[1]),
        ),
    ],
    "ex-which-entries-are-exact": [
        (
            r"With $c = (2, 1)^\top$ they are $c c^\top / 2$ and $c c^\top K / 5$",
            near(of("ex-which-entries-are-exact")["reconstructed"], outer([2, 1]) / 2)
            and near(of("ex-which-entries-are-exact")["projected_on_c"],
                     outer([2, 1]) @ PAIR / 5),
        )
    ],
    "ex-directions-missed": [
        (
            r"$1 - \frac{m}{50} \le 0.1$, so $m \ge 45$",
            of("ex-directions-missed")["least"]
            == next(m for m in range(50) if 1 - Fraction(m, 50) <= Fraction(1, 10))
            == 45,
        )
    ],
    "ex-whole-preconditioner": [
        (
            r"$U$ is orthogonal, so it is $(\lambda_n + \alpha) I$, and one step is "
            r"enough",
            near(preconditioned(WHOLE, ALPHA), LOW * np.eye(2))
            and near(of("ex-whole-preconditioner")["product"], LOW * np.eye(2))
            and of("ex-whole-preconditioner")["steps_needed"] == 1,
        )
    ],
    "ex-cost-of-a-sketch": [
        (
            "All $n^2 = 10^{10}$ of them, once for all vectors",
            of("ex-cost-of-a-sketch")["by_sketch"] == (10**5) ** 2 == 10**10,
        ),
        (
            r"and $n l = 2 \cdot 10^6$",
            of("ex-cost-of-a-sketch")["by_columns"] == 10**5 * 20 == 2 * 10**6,
        ),
    ],
    "ex-woodbury-cost": [
        (
            r"$\frac{n^3 / 3}{2 n l^2} = \frac{n^2}{6 l^2}$, and $\frac{n^2}{n l}$",
            near([*of("ex-woodbury-cost").values()],
                 [10**15 / 3 / (2 * 10**5 * 10**6), 10**10 / (10**5 * 10**3)]),
        )
    ],
    "ex-half-of-the-ridge": [
        (
            r"$1 + \frac12$, and",
            of("ex-half-of-the-ridge")["condition_at_most"] == 3 / 2,
        ),
        (
            r"$\theta = 1 + \frac14 + \sqrt{\frac12 + \frac1{16}} = 2$",
            near(of("ex-half-of-the-ridge")["factor_at_most"], 2),
        ),
        (
            r"since $\|E\|_2 \le \operatorname{tr} E$",
            np.linalg.norm(WHOLE, 2) <= np.trace(WHOLE),
        ),
    ],
    "ex-larger-ridge": [
        (
            "By $100^2$ and by $100^{3/2}$",
            near(of("ex-larger-ridge")["factors"], [100**2, 100**1.5]),
        )
    ],
    "ex-one-point": [
        (
            r"$a = \frac12$ and $a' = 1$, so it moves by $\frac12$",
            POINT["moves_by"] == 1 / 2 == 1 / (0 + 1) - 1 / (1 + 1),
        ),
        (
            r"The printed bound is 1, the others are $\frac12$",
            POINT["three"] == [1, 1 / 2, 1 / 2],
        ),
    ],
    "ex-three-intervals": [
        (
            "Only the third: its lower end is above the smallest upper end, $0.55 > "
            "0.50$",
            of("ex-three-intervals")["worse"] == [3] and 0.55 > min(0.50, 0.60, 0.58),
        ),
        (
            "The second is not: $0.40 < 0.50$",
            2 not in of("ex-three-intervals")["worse"] and 0.40 < 0.50,
        ),
        (
            "A product cannot bring the third back, because the old ends remain right",
            of("ex-three-intervals")["worse"] == [3],
        ),
    ],
    "ex-no-columns": [
        (
            r"$t = \operatorname{tr} K = n$, so $C(\tilde K) = \frac\alpha n "
            r"\frac{|y|^2}\alpha = 1$ and $\underline C = \frac\alpha{\alpha + t} = "
            r"\frac\mu{1 + \mu}$",
            near(of("ex-no-columns")["no_columns"], [0.005 / (1 + 0.005), 1]),
        )
    ],
    "ex-how-many-frequencies": [
        (
            r"The least $m$ with $0.999^m \le 0.01$, and three columns",
            of("ex-how-many-frequencies")
            == {"least": math.ceil(math.log(0.01, 0.999)), "columns_exact": 3},
        )
    ],
    "ex-sizes": [
        (
            r"$C$ is $10{,}000 \times 100$, $W$ is $100 \times 100$, $F$ is "
            r"$10{,}000 \times 20$",
            of("ex-sizes")["shape"] == (10_000, 20),
        ),
        (
            "those of $C$, a million, a hundredth of $K$",
            (of("ex-sizes")["asked"], of("ex-sizes")["share"]) == (10**6, 0.01),
        ),
    ],
    "ex-change-of-unit": [
        (
            "$C$ and $W$ are multiplied by 4, and $W^+$ is divided by 4",
            near(np.linalg.inv(4 * PAIR), np.linalg.inv(PAIR) / 4),
        ),
        (
            "the approximation and the values are multiplied by 4, and",
            near(UNIT["by_nystrom"][:2], 4),
        ),
    ],
    "ex-share-of-entries": [("$l / n$ is one percent", 100 * 200 / 20_000 == 1)],
    "ex-diagonal-of-phases": [
        (
            r"$\kappa(0) = 1$, so $\breve v = \frac{2 + 1 - 2}{2 D} = \frac{1}{2D}$, "
            r"and "
            r"$v = 0$",
            near([of("ex-diagonal-of-phases")[x] for x in ("of_phases", "of_pairs")],
                 [(2 + 1 - 2) / 2, 0]),
        )
    ],
}
