"""What a theorem is: statement, formula, hypotheses, checks, history, controls."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nystheory import style
from nystheory.kernels import as_kernel
from nystheory.sampling import as_indices
from nystheory.theorems.derivation import Step
from nystheory.theorems.formula import Formula
from nystheory.theorems.instance import Instance
from nystheory.theorems.quantities import QUANTITIES, measure

KINDS = (
    "identity",
    "inequality",
    "probability",
    "expectation",
    "rate",
    "definition",
    "claim",
    "algorithm",
    "experiment",
)
SOURCES = {
    "talwalkar2010": (
        "A. Talwalkar, Matrix Approximation for Large-scale Learning, PhD thesis, "
        "New York University, 2010"
    ),
    "modern": "results since 2006, from the papers that the number of each names",
}
WEIGHTS = {
    "misprint": "the intent is clear, a symbol went wrong",
    "missing hypothesis": "true once a condition is added",
    "gap in the proof": "the statement holds, the printed proof does not show it",
    "false statement": "there is a counterexample to what is printed",
}


@dataclass(frozen=True)
class Hypothesis:
    """A named condition on measured quantities.

    Parameters
    ----------
    says : str
        In words, Markdown with formulas.
    needs : tuple of str
        The quantities that `test` takes, by name.
    test : callable (**quantities) -> bool
    domain : bool
        Whether without it the statement has no meaning: a division by zero, say.

    Examples
    --------
    >>> ridge = Hypothesis(r"$\\alpha > 0$", ("alpha",), lambda alpha: alpha > 0)
    >>> ridge.failure({"alpha": 0.0})
    "the hypothesis '$\\\\alpha > 0$' fails: alpha = 0"
    """

    says: str
    needs: tuple[str, ...]
    test: Callable[..., bool]
    domain: bool = False

    def failure(self, values: Mapping[str, float]) -> str | None:
        """None if it holds, else a sentence with the measured values."""
        if self.test(**{name: values[name] for name in self.needs}):
            return None
        measured = ", ".join(f"{name} = {values[name]:.6g}" for name in self.needs)
        return f"the hypothesis '{self.says}' fails: {measured}"


@dataclass(frozen=True, eq=False)
class Claim:
    """One thing that is asserted: an observed side, a relation and another side.

    Parameters
    ----------
    says : str
        The assertion, Markdown with formulas.
    observe : callable (instance, rng) -> float, bool or ndarray
        The left-hand side.  None from a claim about booleans means that float64
        cannot decide.
    formula : Formula, optional
        The right-hand side where it is a bound or a value.
    expected : callable (instance, rng) -> float, bool or ndarray, optional
        The right-hand side otherwise, computed by a route of its own.
    relation : {"<=", ">=", "="}
        Between the two sides.
    scale : callable (instance) -> float, optional
        Size of the numbers that are rounded, in the units of `observe`; the
        spectral norm of K by default.
    condition : callable (instance) -> float, optional
        Factor by which the computation amplifies rounding; 1 by default.
    applies : callable (instance) -> bool, optional
        Where this part of the statement speaks at all.
    exact : callable (instance) -> bool, optional
        The same claim in exact arithmetic on an instance of integers.
    law : Law, optional
        For claims about random samples.
    rate : Rate, optional
        For claims about an exponent.
    """

    says: str
    observe: Callable[[Any, Any], Any]
    formula: Formula | None = None
    expected: Callable[[Any, Any], Any] | None = None
    relation: str = "="
    scale: Callable[[Any], float] | None = None
    condition: Callable[[Any], float] | None = None
    applies: Callable[[Any], bool] | None = None
    exact: Callable[[Any], bool] | None = None
    law: Law | None = None
    rate: Rate | None = None

    def __post_init__(self):
        if self.relation not in ("<=", ">=", "="):
            raise ValueError(f"relation: expected <=, >= or =, got {self.relation!r}")

    def right_side(self, instance, rng):
        """The other side: from the formula, else computed, else True."""
        if self.formula is not None:
            return self.formula(**measure(self.formula.names, instance, {}))
        if self.expected is not None:
            return self.expected(instance, rng)
        return True


@dataclass(frozen=True)
class Law:
    """How an instance becomes a random outcome.

    Parameters
    ----------
    draw : callable (instance, rng) -> outcome
    outcomes : callable (instance) -> iterable of (probability, outcome), optional
        Every outcome with its exact probability; None where there are too many.
    delta : callable (instance) -> float, optional
        The probability with which the claim may fail.
    support : callable (instance) -> (float, float), optional
        An interval that holds the observed value surely; with it the bounds for a
        mean are exact for every sample size.
    """

    draw: Callable[[Any, Any], Any]
    outcomes: Callable[[Any], Iterable[tuple[float, Any]] | None] | None = None
    delta: Callable[[Any], float] | None = None
    support: Callable[[Any], tuple[float, float]] | None = None


@dataclass(frozen=True)
class Rate:
    """An exponent that is claimed, and the one it must be told from.

    Parameters
    ----------
    sizes : tuple of int
        Where the error is measured.
    exponent, rival : float
        ``error ~ size ** exponent``; the interval for the slope must hold the first
        and not the second.
    repeats : int
        Independent measurements at each size.
    """

    sizes: tuple[int, ...]
    exponent: float
    rival: float
    repeats: int = 20


@dataclass(frozen=True, eq=False)
class Control:
    """A claim a little stronger than the theorem, and false.

    Verification must refute it on `instance`, by the code that checks the theorem.

    Parameters
    ----------
    claim : Claim
    instance : Instance
        Or whatever the claim's functions take.
    drops : str
        The hypothesis that is left out, where the claim is that of the theorem on an
        instance that does not meet it: as `Hypothesis.says` has it, or in the words
        of the statement.  Such a control shows that the hypothesis is necessary.
    """

    claim: Claim
    instance: Any
    drops: str = ""


@dataclass(frozen=True, eq=False)
class Printed:
    """What was printed where it differs from what holds.

    Parameters
    ----------
    statement : str
        The printed form, Markdown with formulas.
    weight : str
        One of `WEIGHTS`.
    why : str
        One paragraph: what goes wrong and what the smallest counterexample shows.
    claim : Claim
        The printed form as a claim that can be checked.
    instance : Any
        The smallest counterexample.
    """

    statement: str
    weight: str
    why: str
    claim: Claim
    instance: Any

    def __post_init__(self):
        if self.weight not in WEIGHTS:
            raise ValueError(
                f"weight: expected one of {sorted(WEIGHTS)}, got {self.weight!r}"
            )


@dataclass(frozen=True, eq=False)
class Theorem:
    """A numbered result: what it says, when, why, and how to try to break it.

    Parameters
    ----------
    id : str
        ``source:kind-number`` as in the ledger, say ``talwalkar2010:thm-2.3``.
    part : str
        Part of the book.
    kind : str
        One of `KINDS`.
    status : str
        What the audit of the printed form found.
    title, number, statement : str
        Name, number in the source, and the statement as it holds (Markdown).
    hypotheses : tuple of Hypothesis
    claims : tuple of Claim
        What is checked; together they say what the statement says.
    controls : tuple of Control
    printed : tuple of Printed
    derivation : callable () -> sequence of Step, optional
    complete : callable (instance, rng) -> instance, optional
        Adds what the statement quantifies over besides K (a competitor).
    instances : callable (rng) -> iterable of instances, optional
        Further instances of the theorem's own; replaces the stress suite when
        `own_suite` is true.
    not_known_necessary : tuple of str
        The hypotheses without which no violation is known, in words as in
        `Control.drops`.
    """

    id: str
    part: str
    kind: str
    status: str
    title: str
    number: str
    statement: str
    claims: tuple[Claim, ...]
    controls: tuple[Control, ...]
    hypotheses: tuple[Hypothesis, ...] = ()
    printed: tuple[Printed, ...] = ()
    derivation: Callable[[], Sequence[Step]] | None = None
    complete: Callable[[Any, Any], Any] | None = None
    instances: Callable[[Any], Iterable[Any]] | None = None
    own_suite: bool = False
    not_known_necessary: tuple[str, ...] = ()

    def __post_init__(self):
        if self.kind not in KINDS:
            raise ValueError(f"kind: expected one of {KINDS}, got {self.kind!r}")
        if not self.claims:
            raise ValueError(f"{self.id}: a theorem needs at least one claim")

    def __repr__(self):
        return f"Theorem({self.id!r}, {self.number}: {self.title})"

    @property
    def source(self) -> str:
        """Bibliography key of where it was printed."""
        return self.id.split(":")[0]

    @property
    def label(self) -> str:
        """Its label in the book: ``thm-talwalkar2010-2.3`` for the id above.

        A result that has a name and no number there gets ``thm-source-name``.
        """
        source, local = self.id.split(":")
        kind, _, number = local.partition("-")
        if number[:1].isdigit():
            return f"{kind}-{source}-{number}"
        return f"thm-{source}-{local}"

    @property
    def formula(self) -> Formula | None:
        """The formula of the first claim that has one."""
        return next((c.formula for c in self.claims if c.formula is not None), None)

    def unmet(self, instance) -> list[str]:
        """The hypotheses that the instance does not meet, as sentences."""
        failures = (h.failure(measure(h.needs, instance, {})) for h in self.hypotheses)
        return [failure for failure in failures if failure]

    def bound(self, K=None, landmarks=None, rank=None, **quantities) -> float:
        """The number that the formula gives, or an error that says why there is none.

        Parameters
        ----------
        K : array (n, n) or KernelMatrix, optional
            Not needed when `quantities` hold all that the formula uses.
        landmarks : Landmarks or sequence of int, optional
        rank : int, optional
            The number of landmarks by default.
        **quantities : float
            Known quantities by name; they take precedence over measured ones.

        Raises
        ------
        TypeError
            If the theorem has no formula.
        ValueError
            If a hypothesis fails (with the measured values), or a quantity is
            missing or unknown.

        Notes
        -----
        A hypothesis about the matrix cannot be tested without the matrix; then it
        is the caller's word that counts.
        """
        instance = None if K is None else _user_instance(K, landmarks, rank)
        return self.bound_on(instance, **quantities)

    def bound_on(self, instance, **quantities) -> float:
        """`bound` on an instance at hand, or on none."""
        if self.formula is None:
            raise TypeError(f"{self.id} states {self.kind} without a number to compute")
        if instance is not None:
            # What is known besides K, a ridge say, decides what is measured on it.
            instance = instance.but(extra=quantities)
            for name in self.formula.names:
                if QUANTITIES[name].chosen and name not in quantities:
                    raise ValueError(
                        f"{name}: expected {QUANTITIES[name].meaning}, which no matrix "
                        f"tells; pass {name}=..."
                    )
        for hypothesis in self.hypotheses:
            if instance is None and not set(hypothesis.needs) <= set(quantities):
                continue
            known = {k: v for k, v in quantities.items() if k in hypothesis.needs}
            failure = hypothesis.failure(measure(hypothesis.needs, instance, known))
            if failure:
                raise ValueError(f"{self.id}: {failure}")
        return self.formula(**measure(self.formula.names, instance, quantities))

    def where(self) -> list[tuple[str, str]]:
        """Symbol and meaning of every quantity in the formula."""
        names = self.formula.names if self.formula else ()
        return [(QUANTITIES[name].latex, QUANTITIES[name].meaning) for name in names]

    def but(self, **changes) -> Theorem:
        """A copy with some fields exchanged: for planted errors and exercises."""
        return replace(self, **changes)

    def _repr_html_(self) -> str:
        return style.theorem_card(self)


def _user_instance(K, landmarks, rank):
    kernel = as_kernel(K)
    if landmarks is None:
        raise ValueError("landmarks: expected the sampled columns, got None")
    indices = as_indices(landmarks, kernel.n)
    return Instance(kernel.dense(), indices, len(indices) if rank is None else rank)


class Registry(Mapping):
    """The theorems of the book by id, in the order of the book.

    Examples
    --------
    >>> from nystheory.theorems import theorems
    >>> theorems["talwalkar2010:thm-2.3"].title
    'Exact recovery'
    """

    def __init__(self):
        self._theorems: dict[str, Theorem] = {}

    def add(self, theorem: Theorem) -> Theorem:
        """Enter a theorem; ids are unique."""
        if theorem.id in self._theorems:
            raise ValueError(f"{theorem.id} is in the registry already")
        self._theorems[theorem.id] = theorem
        return theorem

    def __getitem__(self, id: str) -> Theorem:
        if id not in self._theorems:
            near = difflib.get_close_matches(id, self._theorems, n=3, cutoff=0.3)
            raise KeyError(f"no theorem {id!r}; did you mean {' or '.join(near)}?")
        return self._theorems[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._theorems)

    def __len__(self) -> int:
        return len(self._theorems)

    def part(self, part: str) -> list[Theorem]:
        """The theorems of one part of the book."""
        return [theorem for theorem in self.values() if theorem.part == part]

    def __repr__(self):
        return f"Registry of {len(self)} theorems"

    def _repr_html_(self) -> str:
        rows = [(t.id, t.number, t.title, t.kind, t.status) for t in self.values()]
        return style.table(rows, ("id", "number", "title", "kind", "status"))
