"""The table of exponents: what each rate follows from, and how they compare.

Della Vecchia, De Vito, Mourtada and Rosasco 2024.  The rows stand in `rates`.
"""

from __future__ import annotations

from functools import partial
from itertools import product

from nystheory.chapters.fast_and_slow_rates.theorems.rates import ROWS, Q
from nystheory.engine import Claim, Control, Theorem, Where
from nystheory.engine.worlds.worlds import Given, World


class Exponents(World):
    """Exponents that describe a problem, and those of a ridge and a projection."""

    capacity = Given(
        "p",
        "exponent of the effective dimension",
        range="0 < capacity < 1",
    )
    source = Given("r", "exponent of the approximation error", range="0 < source <= 1")
    theta = Given(
        r"\theta",
        "exponent of the variance bound",
        range="0 <= theta <= 1",
    )
    gamma = Given(r"\gamma", "exponent of the noise", range="0 <= gamma <= 1")
    a = Given("a", "exponent of any ridge")
    b = Given("b", "exponent of any parameter of the projection")
    rho = Given(r"\rho", "exponent of a rate", range="rho > 0")
    budget = Given(r"\kappa", "exponent of a number of landmarks", range="budget > 0")

    @classmethod
    def drawn(cls, instance, rng):
        """Eighths and sixteenths; half of the time two exponents are one."""
        p, r, theta, gamma = rng.integers([1, 1, 0, 0], [8, 9, 9, 9]) / 8
        if rng.integers(2):
            theta = gamma
        if rng.random() < 0.3:
            r, theta = 1.0, 1.0
        a, b, rho, budget = rng.integers([0, 0, 1, 1], [24, 40, 12, 12]) / 16
        if rng.random() < 0.4:
            a, b = 0.5, 1.0
        given = {"capacity": p, "source": r, "theta": theta, "gamma": gamma}
        return cls(a=a, b=b, rho=rho, budget=budget, **given)

    @classmethod
    def of_problem(cls, p, r, theta, gamma, **given):
        """In exact numbers; what is not told is one half."""
        known = dict.fromkeys(("a", "b", "rho", "budget"), "1/2") | given
        return cls.exactly(capacity=p, source=r, theta=theta, gamma=gamma, **known)


# --- Lines ----------------------------------------------------------------------------

_ALL, _SUB = ROWS["all columns"], ROWS["subspace"]
_HINGE, _SQUARE = ROWS["hinge"], ROWS["square"]
_BEST, _WAVES = ROWS["hinge, well specified"], ROWS["random features"]
_MODEL = ROWS["square, well specified"]
_EQUAL = "theta == gamma"
# The exponents that are prescribed, under names: the box has fewer formulas within
# formulas.
_WHERE = {
    "q": Where("q", Q),
    "ridge_h": Where(r"a_{\mathrm h}", _HINGE.ridge),
    "rate_h": Where(r"\rho_{\mathrm h}", _HINGE.rate),
    "columns_h": Where(r"m_{\mathrm h}", _HINGE.columns),
    "ridge_sq": Where(r"a_{\mathrm{sq}}", _SQUARE.ridge),
    "rate_sq": Where(r"\rho_{\mathrm{sq}}", _SQUARE.rate),
    "columns_sq": Where(r"m_{\mathrm{sq}}", _SQUARE.columns),
}
_MORE = "columns_h >= columns_sq"


_CLAIMS = {
    "hinge": Claim(
        f"{_HINGE.at('ridge_h', '', 0, 1)} == rate_h",
        says=r"*Hinge loss*: with $a = a_{\mathrm h}$ the two terms of the sample "
        "have the exponent",
    ),
    "hinge, ridge": Claim(
        f"{_HINGE.at('ridge_h', '', 3)} == rate_h",
        says="The term of the ridge has the same exponent,",
    ),
    "hinge, subspace": Claim(
        f"{_HINGE.at('a', '(source + 1) * a', 2)} == source * a",
        says=r"as has that of the subspace, for every $a$ with $b = (r + 1)\, a$:",
    ),
    "hinge, no better": Claim(
        f"{_HINGE.at('a', 'b', 0, 1, 3)} <= rate_h",
        says="No other choice gives a better one:",
    ),
    "hinge, columns": Claim(
        "capacity * (source + 1) * ridge_h == columns_h",
        says="The number of landmarks has the exponent",
    ),
    "hinge, no fewer": Claim(
        f"b >= (source + 1) / source * {_HINGE.at('a', 'b', 2, 3)}",
        says="None needs fewer landmarks for its rate, because",
    ),
    "hinge, slower": Claim(
        f"{_HINGE.at('a', '', 0, 1)} >= source * a",
        when="a <= ridge_h",
        says="and each slower rate is reached with as few, because",
    ),
    "admissible": Claim(
        "q - capacity * (source + 1) == source * (1 - capacity) * (2 - theta)",
        says="They are never more than the points, because",
    ),
    "square": Claim(
        f"{_SQUARE.at('ridge_sq', '', 0, 1)} == rate_sq",
        says=r"*Square loss*: with $a = b = a_{\mathrm{sq}}$, in the same way,",
    ),
    "square, ridge": f"{_SQUARE.at('ridge_sq', '', 3)} == rate_sq",
    "square, subspace": f"{_SQUARE.at('a', 'a', 2)} == source * a",
    "square, no better": f"{_SQUARE.at('a', 'b', 0, 1, 3)} <= rate_sq",
    "square, columns": "capacity * ridge_sq == columns_sq",
    "square, no fewer": f"b >= 1 / source * {_SQUARE.at('a', 'b', 2, 3)}",
    "square, slower": Claim(
        f"{_SQUARE.at('a', '', 0, 1)} >= source * a", when="a <= ridge_sq"
    ),
    "as fast": Claim(
        "rate_h == rate_sq",
        when="theta == 1",
        says="With the best variance bound both losses are equally fast, and the "
        "square loss needs fewer landmarks:",
    ),
    "the gain": Claim("columns_h == (source + 1) * columns_sq", when="theta == 1"),
    "(42)": Claim(
        f"rate_h == {_BEST.rate}", when=_BEST.when, says="*The best case*, hinge loss:"
    ),
    "(43), ridge": Claim(f"ridge_h == {_BEST.ridge}", when=_BEST.when),
    "(43), columns": Claim(f"columns_h == {_BEST.columns}", when=_BEST.when),
    "Corollary 13": Claim(
        f"rate_sq == {_MODEL.rate}",
        when=_MODEL.when,
        says="Square loss, for Gaussian combinations of points as well:",
    ),
    "Corollary 13, columns": Claim(f"columns_sq == {_MODEL.columns}", when=_MODEL.when),
    "Theorem 2": Claim(
        f"{_ALL.at('a', '')} == {_ALL.rate}",
        when=f"a == {_ALL.ridge}",
        says="*Slow rates*, without a subspace",
    ),
    "Theorem 7": Claim(
        f"{_SUB.at('a', 'b')} == {_SUB.rate}",
        when=f"a == {_SUB.ridge} and b == {_SUB.projection}",
        says="and with one:",
    ),
    "Theorem 7, no better": f"{_SUB.at('a', '', 0, 2)} <= {_SUB.rate}",
    "random features": Claim(
        f"capacity * (source + 1) / source * ({_WAVES.rate}) == {_WAVES.columns}",
        when="source == 1",
        says="*Random features*: the rate of Sun et al. costs as many columns as they "
        "take features,",
    ),
    "random features, slower": Claim(
        f"{_WAVES.rate} < {_BEST.rate}", says="and is slower than the best one:"
    ),
    # --- Classification ---
    "difference": Claim(
        "(2 - gamma) * (source + capacity) - q "
        "== capacity * (1 - gamma) * (1 + source)",
        when=_EQUAL,
        says="*Classification*, by the square or by the hinge loss:",
    ),
    "hinge is faster": Claim("rate_h >= rate_sq / (2 - gamma)", when=_EQUAL),
    "as fast only": Claim(
        "(rate_h == rate_sq / (2 - gamma)) == (gamma == 1)", when=_EQUAL
    ),
    "hinge needs more": Claim(
        _MORE, says="For its own rate the hinge loss needs more landmarks:"
    ),
    "cheaper": Claim(
        "(capacity * (source + 1) * rho / source "
        "< capacity * (2 - gamma) * rho / source) == (source < 1 - gamma)",
        says=r"For a rate $n^{-\rho}$ of the error the hinge loss takes $a = \rho / "
        r"r$, and the square loss $a = (2 - \gamma) \rho / r$: so the hinge loss needs "
        "fewer landmarks if and only if",
    ),
    "a budget": Claim(
        "(source * budget / (capacity * (source + 1)) "
        "> source * budget / (capacity * (2 - gamma))) == (source < 1 - gamma)",
        says=r"With $n^\kappa$ landmarks, too few for either, it is faster if and only "
        "if",
    ),
}

# --- Controls -------------------------------------------------------------------------

_at = Exponents.of_problem
# The best exponents of both losses where all others are one half.
_HALVES = _at("1/2", "1/2", "1/2", "1/2", a="8/9", b="4/3")
_HALVES_SQUARE = _at("1/2", "1/2", "1/2", "1/2", a=1, b=1, rho=1)
_SLOW = _at("1/2", 1, 1, "1/2", a="1/2", b=1)
_COARSE = _at("1/2", 1, 1, "1/2", a="1/2", b="1/2")
_STEEP = _at("1/2", "1/2", "1/2", "1/2", a="3/2", b=1)
_HALF_r, _NO_theta = _at("1/2", "1/2", 1, 1), _at("1/2", 1, 0, 1)
_HARD = _at("1/10", "1/5", 0, 0)
_BETWEEN = _at("1/2", "9/20", "1/2", "1/2")
_FEW = _at("1/20", 1, 1, 1)


def _changed(of, on, old, new):
    return Control(of, on, {old: new})


def _twice(*names):
    changed = partial(_changed, old="== ", new="== 2 * ")
    return {f"{name}, twice": changed(name, _HALVES) for name in names}


def _less(instances):
    """A share of the bound, where it is attained."""
    found = {}
    for name, on in instances.items():
        told = _CLAIMS[name]
        sign = (told if isinstance(told, Claim) else Claim(told)).relation
        share = "1.1" if sign == ">=" else "0.9"
        found[f"{name}, {share}"] = _changed(name, on, f"{sign} ", f"{sign} {share} * ")
    return found


def _lacking(part, on, *names):
    return {f"{name}, not {part}": Control(name, on, lacks=part) for name in names}


_CASES = ("(42)", "(43), ridge", "(43), columns")
_CONTROLS = {
    **_twice("hinge", "hinge, subspace", "hinge, ridge", "hinge, columns"),
    **_twice("admissible", "square", "square, subspace", "square, ridge"),
    **_twice("square, columns"),
    **_lacking("a == 1 / 2", _STEEP, "Theorem 2"),
    **_lacking("a == 1 / 2", _STEEP, "Theorem 7"),
    **_lacking("b == 1", _COARSE, "Theorem 7"),
    **_less({"hinge, no better": _HALVES, "hinge, no fewer": _HALVES}),
    **_less({"square, no better": _HALVES_SQUARE, "square, no fewer": _HALVES_SQUARE}),
    **_less({"Theorem 7, no better": _SLOW, "random features, slower": _FEW}),
    **_lacking("theta == 1", _HALVES, "as fast", "the gain"),
    **_lacking("source == 1", _HALF_r, *_CASES, "random features"),
    **_lacking("theta == 1", _NO_theta, *_CASES),
    **_lacking("source == 1", _HALF_r, "Corollary 13", "Corollary 13, columns"),
    **_lacking(_EQUAL, _NO_theta, "difference", "hinge is faster", "as fast only"),
    "without the minima": Control(
        "hinge needs more",
        _HARD,
        {_MORE: "capacity * (source + 1) / q >= capacity / (source + capacity)"},
    ),
    **_lacking("a <= ridge_h", _STEEP, "hinge, slower"),
    **_lacking("a <= ridge_sq", _STEEP, "square, slower"),
    "cheaper, 0.9": Control("cheaper", _BETWEEN, {"source < 1 -": "source < 0.9 -"}),
    "a budget, 0.9": Control("a budget", _BETWEEN, {"source < 1 -": "source < 0.9 -"}),
}


def _cases(_):
    """Rational exponents, among them those where two terms of a bound are one."""
    for p, r in product(("1/8", "1/2", "7/8"), ("1/8", "1/2", 1)):
        for theta, gamma in ((0, 0), (1, 1), ("1/4", "3/4")):
            yield _at(p, r, theta, gamma, a="8/9", b="4/3", rho="1/8")
        yield _at(p, r, 1, 1, a=2, b=5)
    yield from (_HALVES, _HALVES_SQUARE, _SLOW, _HARD, _BETWEEN)


EXPONENTS = Theorem(
    id="dellavecchia2024:exponents",
    kind="identity",
    status="reconstructed",
    title="The table of exponents",
    number="Theorems 2 to 19, Tables 2 to 4",
    setting=(
        r"Let $d_\alpha$ be of order $\alpha^{-p}$ and let the approximation error be "
        r"of order $\lambda^r$. With $\lambda = n^{-a}$ and $\alpha = n^{-b}$ each "
        r"bound is a sum of powers of $n$, up to constants and logarithms: its "
        r"exponent is the least of those of its terms, and $\alpha^{-p} = n^{pb}$ is "
        r"the number of landmarks. Let $\theta$ be the exponent of the variance bound "
        r"and $\gamma$ that of the noise."
    ),
    where=_WHERE,
    claims=_CLAIMS,
    world=Exponents,
    cases=_cases,
    controls=_CONTROLS,
)
