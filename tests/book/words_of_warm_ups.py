r"""What the words of the warm-ups say, phrase by phrase, and whether it is true.

The package is not asked: what is true comes from the second route to the answers, with
the numbers of the exercise, or from a small matrix by NumPy.
"""

import math
from fractions import Fraction

import numpy as np
from second_routes import answered
from test_second_routes import EXERCISES


def of(label):
    """The answers by the second route."""
    return answered(label, EXERCISES[label][0])


def near(found, told):
    return bool(np.allclose(found, told))


def outer(c):
    return np.outer(c, c)


def alike(*laws):
    return all(np.ptp(law) < 1e-9 for law in laws)


FILLED, TEN = of("ex-fill-by-hand"), of("ex-ensemble-entries")
SCHEMES, GROUPS = of("ex-entries-of-schemes")["by_scheme"], of("ex-groups-of-forty")
PAIR = np.array([[2.0, 1], [1, 1]])
LEFT = PAIR - outer(PAIR[:, 0]) / PAIR[0, 0]
FACTORS = of("ex-all-but-one-drawn")["factors"]
GAPS = of("ex-asked-by-the-gap")["u"]
CHANGE = np.eye(4) - 4 * np.diag([1, 0, 0, 0])
MILLION = of("ex-columns-of-a-million")
P = Fraction(1, 4)
ONES, BLOCK = np.ones((4, 4)), np.diag([0.0, 0, 0, 1.01])
BLOCK[:3, :3] = 1
UNDECIDED = [200 - 140, 200 - 190]
READ = of("ex-read-errors")


def spread_of_counts(n, l):  # noqa: E741
    """The number alpha_sharp, its two branches written out."""
    taken = (n - l) ** 2 * sum(1.0 / j**2 for j in range(n - l, n))
    return min(taken, l**2 * sum(1.0 / j**2 for j in range(l, n)))


SAID = {
    "ex-fill-by-hand": [
        (
            r"The core is $W = 4$, and $\tilde K = C C^\top / 4$ with "
            r"$C = (4, 2, 6)^\top$",
            near(outer([4, 2, 6]) / 4, FILLED["filled"]),
        ),
        ("four entries are filled", FILLED["guessed"] == 4),
    ],
    "ex-million-columns": [
        ("The share is $200 / 10^6$", of("ex-million-columns")["share"] == 200 / 10**6)
    ],
    "ex-fits": [
        (
            r"$8 \cdot 10^9 / (4 n)$, rounded down",
            of("ex-fits")["most_of_million"] == 8 * 10**9 // (4 * 10**6),
        )
    ],
    "ex-first-round": [
        (
            r"The first column explains nothing of the others: $E = "
            r"\operatorname{diag}(0, 2, 1)$, with squared columns $4$ and $1$, so "
            r"Adapt-Full takes $(0, \frac45, \frac15)$",
            near([0, 4 / 5, 1 / 5], of("ex-first-round")["by_full_pass"])
            and near(np.diag([3, 2, 1]) - outer([3, 0, 0]) / 3, np.diag([0, 2, 1])),
        ),
    ],
    "ex-entries-of-schemes": [
        ("$n^2 = 10^6$", SCHEMES[0] == 1000**2 == 10**6),
        ("ICL $n (l + 1)$", SCHEMES[1] == 1000 * (50 + 1)),
        (r"SGMA up to $n (60\, l + 1)$", SCHEMES[2] == 1000 * (60 * 50 + 1)),
        (
            r"$1000 \cdot 3001 = 3\,001\,000 > 3 \cdot 10^6$",
            SCHEMES[2] == 1000 * 3001 == 3_001_000 > 3 * 10**6,
        ),
    ],
    "ex-certificate-of-one": [
        (
            r"$\tilde K_{22} = 1 \cdot \frac12 \cdot 1$",
            PAIR[1, 1] - LEFT[1, 1] == 1 / 2,
        ),
        ("$E$ has one entry that is not zero", np.count_nonzero(LEFT) == 1),
    ],
    "ex-which-number": [
        ("a million entries of the diagonal", of("ex-which-number")["share_after"] == 1)
    ],
    "ex-identity-matrix": [
        (
            r"$\frac{n \mu}{1 + n \mu} = \frac12$",
            of("ex-identity-matrix")["narrowest"] == 1 / (1 + 1) == 200 * 0.005 / 2,
        )
    ],
    "ex-groups-of-forty": [
        (
            "every score is $1/40$ and $M = 400/40 = 10$, the least that a rank of 10 "
            "allows",
            GROUPS["score"] == 1 / 40 and GROUPS["M_of_groups"] == 400 / 40 == 10,
        ),
        (
            "With single points ten scores are $1$, the others $0$, and $M = 400$, the "
            "most there is",
            GROUPS["M_alone"] == 400 * 1,
        ),
    ],
    "ex-all-but-one-drawn": [
        (
            r"The factor is $\frac{n - l}{n - 1}$",
            near(FACTORS, [(100 - m) / (100 - 1) for m in (99, 1)]),
        ),
        (
            r"$\frac1{99}$ for $l = 99$, and $1$ for $l = 1$, since a single draw",
            near(FACTORS, [1 / 99, 1]),
        ),
    ],
    "ex-right-angles": [
        (r"$R = 1$ and $d_{\max} = \sqrt 2$", math.dist([1, 0], [0, 1]) == math.sqrt(2))
    ],
    "ex-asked-by-the-gap": [
        (
            r"With $u = \sqrt{2 \log(2 n^3) / l}$ the condition is $u^2 + u \le \Delta "
            r"/ 3$, that is $u \le \frac12 (\sqrt{1 + 4 \Delta / 3} - 1)$",
            near(GAPS, [(math.sqrt(1 + 4 * d / 3) - 1) / 2 for d in (0.6, 0.06)])
            and near([u * u + u for u in GAPS], [0.6 / 3, 0.06 / 3]),
        ),
        (
            r"$l \ge 8 \log(2 n^3) / (\sqrt{1 + 4 \Delta / 3} - 1)^2$",
            near([2 / u**2 for u in GAPS],
                 [8 / (math.sqrt(1 + 4 * d / 3) - 1) ** 2 for d in (0.6, 0.06)]),
        ),
    ],
    "ex-no-gap-at-all": [
        (r"$\|E\|_2 = 1$", np.linalg.norm(np.diag([0, 1, 1, 1]), 2) == 1),
        (
            r"$X X^\top - Z Z^\top = \operatorname{diag}(1 - 4, 1, 1, 1)$, whose "
            r"largest eigenvalue is 1",
            np.linalg.eigvalsh(CHANGE)[-1] == 1 and CHANGE[0, 0] == 1 - 4,
        ),
        (
            r"All eigenvalues are equal, so $\Delta = 0$",
            alike(np.linalg.eigvalsh(np.eye(4))),
        ),
    ],
    "ex-ensemble-entries": [
        (
            r"The experts take $n\,p\,l = 300\,000$ entries",
            TEN["by_experts"] == 1000 * 10 * 30 == 300_000,
        ),
        ("equal weights take no more", TEN["asked"]["uniform"] == 0),
        (
            r"Ridge weights add $n\,(s + s') = 40\,000$",
            TEN["asked"]["ridge"] == 1000 * (20 + 20) == 40_000,
        ),
        ("The rank is at most $pk = 250$", TEN["largest_rank"] == 10 * 25 == 250),
    ],
    "ex-two-errors": [
        (
            r"$\langle E_1, E_2 \rangle_F \ge 0$ and $\|\tfrac12 (E_1 + E_2)\|_F \ge "
            r"\tfrac12 \sqrt{3^2 + 5^2} = 2.92$",
            near(of("ex-two-errors")["least"], math.sqrt(3**2 + 5**2) / 2),
        ),
    ],
    "ex-half-the-promise": [
        (
            r"For small $l$ the number $\alpha_\sharp$ is about $l$",
            abs(spread_of_counts(10**5, 10) / 10 - 1) < 0.01,
        ),
        (
            r"so both terms of $b$, $e_l \approx \sqrt{n V / l}$ and $\frac nl g_F "
            r"\sqrt{\frac12 \alpha_\sharp \log \frac1\delta}$, fall like $1 / \sqrt l$",
            near([4**-0.5, 4**-1 * 4**0.5], 1 / 2)
            and of("ex-half-the-promise")["times"] == 4,
        ),
    ],
    "ex-halve-the-error": [
        (
            r"By $2^{1/\rho}$",
            near([2 ** (1 / r) for r in (1 / 2, 2 / 3)],
                 [of("ex-halve-the-error")[name] for name in ("slow", "fast")]),
        )
    ],
    "ex-columns-of-a-million": [
        (
            r"$n^{2p / (1 + p)} = n^{2/5}$ and $n^{p / (1 + p)} = n^{1/5}$",
            near([1e6 ** (2 / 5), 1e6 ** (1 / 5)], [*MILLION.values()])
            and (2 * P / (1 + P), P / (1 + P)) == (Fraction(2, 5), Fraction(1, 5)),
        )
    ],
    "ex-weights-by-hand": [
        (
            "Each draw of the first column has the weight",
            of("ex-weights-by-hand")["weight"] == 1 / (2 * 0.5),
        ),
        ("so the estimate is $2 f(1)$", 2 * of("ex-weights-by-hand")["weight"] == 2),
        (
            "On average the weighted sum is $f(1) + f(2) + f(3)$",
            of("ex-weights-by-hand")["mean"] == 3 + 1 + 4,
        ),
        (
            "The fourth column is never drawn, so the sum over all columns is "
            "estimated "
            "only if $f(4) = 0$",
            [1 / 2, 1 / 4, 1 / 4, 0][4 - 1] == 0,
        ),
    ],
    "ex-which-laws-agree": [
        (
            "For the matrix of ones and $k = 1$: all five, since all columns are alike",
            len(["uniform", "diagonal", "column norm", "leverage", "ridge"]) == 5
            and alike(np.diag(ONES), np.linalg.norm(ONES, axis=0),
                      np.linalg.eigh(ONES)[1][:, -1],
                      np.diag(ONES @ np.linalg.inv(ONES + np.eye(4)))),
        ),
        (
            "For the identity: all but the leverage law with $k < n$, for which the "
            "$k$ "
            "leading eigenvectors are not determined",
            alike(np.linalg.eigvalsh(np.eye(4))),
        ),
        (
            "In the last case the leading eigenvector is $e_1$, and the first column "
            "is",
            near(abs(np.linalg.eigh(np.diag([2, 1, 1]))[1][:, -1]), [1, 0, 0]),
        ),
    ],
    "ex-which-word": [
        (r"$60 / 200 > \frac14$: *", UNDECIDED == [60, 10] and 60 / 200 > 1 / 4),
        (r"With $10 / 200 < \frac14$ it", UNDECIDED == [60, 10] and 10 / 200 < 1 / 4),
    ],
    "ex-wrong-cluster": [
        (
            "the three equal points make a block of ones, with the eigenvalue 3",
            near(np.linalg.eigvalsh(BLOCK)[-1], 3),
        ),
        ("In the sample the eigenvalues are 1 and 1.01", BLOCK[3, 3] == 1.01),
        (
            "The approximation of rank 1 keeps it and loses the block, an error of "
            "norm "
            "3, where 1.01 is possible",
            of("ex-wrong-cluster")["errors"] == [3, 1.01],
        ),
    ],
    "ex-count-entries": [
        ("The diagonal has $10^4$ entries", 10**4 + 50 * 10**4 == 510_000)
    ],
    "ex-read-errors": [
        (
            r"What is missed has the eigenvalues 1 and 1: the errors are 1, $\sqrt 2$ "
            r"and 2",
            near(READ["errors"], [1, math.sqrt(2), 2]),
        ),
        (
            r"In the Frobenius norm there is a choice for $k = 3$, where $\sigma_3 = "
            r"\sigma_4$",
            READ["choice_in_frobenius"] == {3},
        ),
        (
            r"In the spectral norm there is one for $k = 1, 2, 3$: "
            r"$\operatorname{diag}(5.5, 0, 0, 0)$, for one, misses 3 as $K_1$ does",
            READ["choice_in_spectral"] == {1, 2, 3} and max(abs(5 - 5.5), 3) == 3,
        ),
    ],
    "ex-two-residuals": [
        (
            r"$R_1(K + I) = \frac{3 + 2}{3}$",
            near(of("ex-two-residuals")["residual_after"], (3 + 2) / 3),
        )
    ],
}
