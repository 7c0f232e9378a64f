"""Logistic regression: what is maximised, and that it has one maximum.

Talwalkar 2010, section 3.2.1, equations (3.10) to (3.12).
"""

from __future__ import annotations

from nystheory.chapters.newton_with_few_columns.theorems import quantities as q
from nystheory.engine import Claim, Control, Hypothesis, Theorem, Where
from nystheory.engine.language.claims import Printed

_GIVEN = (
    r"Let $X \in \mathbb R^{N \times n}$ hold the features $x_i$ of $n$ points as "
    r"columns, let $y_i \in \{0, 1\}$ be their labels and $w \in \mathbb R^N$ weights. "
)
_ENTRYWISE = "Functions of a vector act on each of its entries."

_ONE = q.Logistic.whole([[1]], [1], [1])
_TWO = q.Logistic.whole([[1]], [2], [1])

LIKELIHOOD = Theorem(
    id="talwalkar2010:eq-3.11",
    kind="identity",
    status="holds",
    title="The logistic log-likelihood",
    number="equations (3.10) and (3.11)",
    setting=_GIVEN + _ENTRYWISE,
    hypotheses={
        "labels": Hypothesis(
            "min(labels) >= 0 and max(labels) <= 1", says=r"$0 \le y_i \le 1$"
        )
    },
    where={"sigmoid": q.S_OF_W},
    claims={
        "log-likelihood": "labels.T @ log(sigmoid) "
        f"+ (1 - labels).T @ log(1 - sigmoid) == {q.likelihood('w')}",
        "negative": Claim(f"{q.likelihood('w')} < 0", says="It is negative:"),
    },
    world=q.Logistic,
    controls={
        "two in place of one": Control(
            "log-likelihood", _ONE, {"log(1 + exp(": "log(2 + exp("}
        ),
        "a label of two": Control("negative", _TWO, drops="labels"),
    },
)

_FLAT = q.Logistic.whole([[0]], [1], [0], other_w=[1])
_BOTTOM = q.Logistic.whole([[0]], [1], [1], other_w=[1])
_PRINTED = q.Logistic.whole([[1]], [1], [0], other_w=[1])

CONVEX = Theorem(
    id="talwalkar2010:eq-3.12",
    kind="claim",
    status="misprint",
    title="One minimum, and how far it is",
    number="equation (3.12)",
    setting=(
        _GIVEN + r"Let $E$ be the regularised loss with its gradient $\nabla E$, let "
        r"$w_*$ be its minimiser, and let $v \in \mathbb R^N$. " + _ENTRYWISE
    ),
    where={
        "sigmoid": q.S_OF_W,
        "loss": q.E_OF_W,
        "loss_v": Where("E(v)", q.objective("other_w"), told=False),
        "loss_mid": Where(
            r"E\bigl(\tfrac{v + w}{2}\bigr)",
            q.objective("((other_w + w) / 2)"),
            told=False,
        ),
        "loss_least": Where("E(w_*)", q.objective("minimiser"), told=False),
        "gradient": q.GRADIENT,
    },
    claims={
        "convex": Claim(
            "loss_mid <= (loss_v + loss) / 2 - alpha / 8 * norm_2(other_w - w)**2",
            says="The loss is strictly convex:",
        ),
        "tangent": Claim(
            "loss_v >= loss + gradient.T @ (other_w - w) "
            "+ alpha / 2 * norm_2(other_w - w)**2",
            says="The loss lies above its tangents:",
        ),
        "one minimum": Claim(
            "loss >= loss_least + alpha / 2 * norm_2(w - minimiser)**2",
            says="So there is only one minimiser:",
        ),
        "distance": Claim(
            "norm_2(w - minimiser) <= norm_2(gradient) / alpha",
            says="The gradient bounds the distance to it:",
        ),
        "excess": "loss - loss_least <= norm_2(gradient)**2 / (2 * alpha)",
    },
    world=q.Logistic,
    controls={
        "a seventh": Control("convex", _FLAT, {"alpha / 8": "alpha / 7"}),
        "the whole square": Control("tangent", _FLAT, {"alpha / 2": "alpha"}),
        "1.1 of the square": Control(
            "one minimum", _BOTTOM, {"alpha / 2": "1.1 * alpha / 2"}
        ),
        "nine tenths, distance": Control("distance", _BOTTOM, {"<= ": "<= 0.9 * "}),
        "nine tenths, excess": Control("excess", _BOTTOM, {"<= ": "<= 0.9 * "}),
    },
    printed={
        "concave": Printed(
            "loss_mid >= (loss_v + loss) / 2",
            "misprint",
            "Read 'convex': the sentence goes on to a unique minimum, and a concave "
            "function that is not constant has none. One point with the feature 1 and "
            "the label 1, the ridge 1 and the weights 0 and 1 show it.",
            _PRINTED,
            says="Since $E(w)$ is concave, a unique minimum value exists",
        ),
    },
)
