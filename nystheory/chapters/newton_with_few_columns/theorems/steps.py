"""Newton's step, and the step with an approximation of the Hessian.

Talwalkar 2010, section 3.2.1, equations (3.13) to (3.16).
"""

from __future__ import annotations

import numpy as np

from nystheory.chapters.newton_with_few_columns.theorems import quantities as q
from nystheory.engine import Claim, Control, Hypothesis, Theorem, Where
from nystheory.engine.language.claims import Printed

_GIVEN = (
    r"Let $X \in \mathbb R^{N \times n}$ hold the features of $n$ points as columns, "
    r"$y \in \{0, 1\}^n$ their labels, $w \in \mathbb R^N$ weights, and $R$ the "
    r"diagonal matrix of $s_i (1 - s_i)$. "
)
_ENTRYWISE = "Functions of a vector act on each of its entries."

_RIGHT = "features @ variances @ (features.T @ w + inv(variances) @ (labels - sigmoid))"
_PRINTED_RIGHT = _RIGHT.replace("features.T @ w", "alpha * features.T @ w")
_HESSIAN = "alpha * identity(feature_count) + features @ variances @ features.T"
_REST = (
    "loss_v - loss - gradient.T @ (other_w - w) "
    "- (other_w - w).T @ hessian @ (other_w - w) / 2"
)
_CUBES = "max(abs(features.T @ (other_w - w))) * norm_2(features.T @ (other_w - w))**2"

_UNIT = q.Logistic.whole([[1]], [1], [1], alpha=2)
_FAR = q.Logistic.whole([[1]], [1], [-1], other_w=["-6/5"])

NEWTON = Theorem(
    id="talwalkar2010:eq-3.14",
    kind="identity",
    status="misprint",
    title="Newton's step",
    number="equations (3.13) and (3.14)",
    setting=(
        _GIVEN
        + r"Let $E$ be the regularised loss and $v \in \mathbb R^N$. "
        + _ENTRYWISE
    ),
    where={
        "sigmoid": q.S_OF_W,
        "loss": q.E_OF_W,
        "loss_v": Where("E(v)", q.objective("other_w"), told=False),
        "gradient": q.GRADIENT,
        "hessian": Where("H", _HESSIAN),
    },
    claims={
        "step": f"w - inv(hessian) @ gradient == inv(hessian) @ {_RIGHT}",
        "Hessian": Claim(
            f"abs({_REST}) <= {_CUBES} / (36 * sqrt(3))",
            says="$H$ is the matrix of second derivatives:",
        ),
    },
    world=q.Logistic,
    controls={
        "twice the ridge": Control(
            "step", _UNIT, {"== inv(hessian)": "== inv(2 * hessian)"}
        ),
        "a smaller constant": Control("Hessian", _FAR, {"36": "45"}),
    },
    printed={
        "lambda": Printed(
            f"w - inv(hessian) @ gradient == inv(hessian) @ {_PRINTED_RIGHT}",
            "misprint",
            r"A factor $\lambda$ too much before $w_{old}$; in general right only for "
            r"$\lambda = 1$. One point with the feature 1, the label 1 and the weight "
            r"1 shows it, with $\lambda = 2$.",
            _UNIT,
            says=r"$w_{new} = w_{old} - H^{-1} \frac{\partial E(w)}{\partial w} = "
            r"(\lambda I_N + X R X^\top)^{-1} X R (X^\top \lambda w_{old} + R^{-1} "
            r"(y - s))$",
        ),
    },
)

_STEP = "inv(alpha * identity(feature_count) + approximate_T)"
_MIDDLE = "alpha * identity(l) + core_inverse_of_T @ columns_of_T.T @ columns_of_T"
_MISSED = "norm_2(T - approximate_T)"
_NEXT = "(w - length * direction)"

_NOTHING = q.Logistic.whole([[0]], [1], [1])
_ALL = q.Logistic.whole([[1]], [1], [1])
_SECOND_MISSED = q.Logistic.whole([[1, 0], [0, 1]], [1, 1], [0, 1])


def _nothing_sampled(_):
    """The landmark's feature is zero, and E is nearly a parabola: a step too long."""
    for size in 2.0 ** np.arange(-3, 4):
        yield q.Logistic(
            np.eye(2),
            [0],
            1,
            name="nothing sampled",
            features=size * np.array([[0.0, 0], [1, 1]]),
            labels=np.array([0.0, 1]),
            w=np.array([0, 0.01]) / size,
            other_w=np.zeros(2),
            alpha=1.0,
        )


NYSTROM_NEWTON = Theorem(
    id="talwalkar2010:eq-3.16",
    kind="algorithm",
    status="remark",
    title="Newton's step with few columns",
    number="equations (3.15) and (3.16)",
    setting=(
        _GIVEN + r"Let $E$ be the regularised loss, $w_*$ its minimiser, and $\tilde "
            r"T = C W_k^+ C^\top$ the Nyström approximation of $T = X R X^\top$ from "
            "$l$ of its columns. "
        + _ENTRYWISE
    ),
    hypotheses={"rank": Hypothesis("1 <= k <= l", domain=True)},
    where={
        "sigmoid": q.S_OF_W,
        "T": q.T_OF_W,
        "loss": q.E_OF_W,
        "gradient": q.GRADIENT,
        "direction": Where("p", f"{_STEP} @ gradient"),
        "length": Where(r"\eta", "alpha / (alpha + norm_2(features)**2 / 4)"),
        "loss_next": Where(r"E(w - \eta p)", q.objective(_NEXT), told=False),
    },
    claims={
        "inverse": f"{_STEP} == (identity(feature_count) - columns_of_T @ "
        f"inv({_MIDDLE}) @ core_inverse_of_T @ columns_of_T.T) / alpha",
        "decrease": Claim(
            "loss_next <= loss - length / 2 * gradient.T @ direction",
            says=r"The step $w - \eta p$ decreases the loss, for every approximation:",
        ),
        "descent": "gradient.T @ direction >= norm_2(gradient)**2 "
        "/ (alpha + norm_2(approximate_T))",
        "fixed point": Claim(
            "norm_2(w - minimiser) <= (1 + norm_2(approximate_T) / alpha) "
            "* norm_2(direction)",
            says="The step is zero at the minimiser only:",
        ),
        "below": Claim(
            "below(alpha * identity(feature_count) + approximate_T, "
            "alpha * identity(feature_count) + T)",
            says="The Hessian is between two multiples of what is inverted:",
        ),
        "above": f"below(T + alpha * identity(feature_count), (1 + {_MISSED} / alpha) "
        "* (alpha * identity(feature_count) + approximate_T))",
        "in the place of T": Claim(
            f"{_STEP} @ {_RIGHT} - w == "
            f"-({_STEP} @ (gradient - (T - approximate_T) @ w))",
            says="With $T$ left on the right-hand side the step has one more term:",
        ),
        "nothing missed": Claim(
            "printed_image == minimiser",
            when="approximate_T == T",
            says="the minimiser is a fixed point of this form, too,",
        ),
    },
    world=q.Logistic,
    cases=_nothing_sampled,
    controls={
        "half the ridge": Control(
            "inverse", _ALL, {_MIDDLE: _MIDDLE.replace("alpha", "alpha / 2")}
        ),
        "the whole decrease": Control("decrease", _NOTHING, {"length / 2": "length"}),
        "1.1 of the descent": Control("descent", _ALL, {">= norm": ">= 1.1 * norm"}),
        "nine tenths of the way": Control(
            "fixed point", _NOTHING, {"(1 + ": "(0.9 + "}
        ),
        "1.1 below": Control(
            "below", _ALL, {"+ approximate_T": "+ 1.1 * approximate_T"}
        ),
        "nine tenths of the error": Control(
            "above", _SECOND_MISSED, {"(1 + n": "(1 + 0.9 * n"}
        ),
        "nothing of the error": Control(
            "in the place of T", _SECOND_MISSED, {"(T - approximate_T)": "(T - T)"}
        ),
        "a feature missed": Control(
            "nothing missed", _SECOND_MISSED, lacks="approximate_T == T"
        ),
    },
)
