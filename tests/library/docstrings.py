"""What docstrings say in a form that can be run: errors, limits, shapes."""

import inspect
import re
from dataclasses import dataclass
from functools import cache

import numpy as np
from bad_input import world
from bad_input_calls import CALLS
from test_public_face import ROOMS, classes, functions, is_warning, sections


@cache
def told():
    """The sections of all docstrings, by the name that a user writes."""
    found = {}
    for room in ROOMS:
        for name, thing in [*functions(room), *classes(room)]:
            if not is_warning(thing):
                found[name] = sections(inspect.getdoc(thing) or "")
    return found


def of_call(name):
    """The docstring that tells of a call of the table: of a class that of `fit`."""
    name = name.partition(",")[0]
    for base in ("lowrank.LowRank.", "ensemble.Ensemble."):
        if name not in told() and name.startswith(base):
            name = name.replace(base, "lowrank.Factored.")
    if "Raises" not in told().get(name, {"Raises": ""}) and f"{name}.fit" in told():
        return f"{name}.fit"
    return name if name in told() else None


def heads(section):
    """Names, types and words of a section of parameters or attributes."""
    for head in re.finditer(r"^(\w[\w, ]*?) : (.*(?:\n(?: .*|$))*)", section, re.M):
        kind, _, words = head[2].partition("\n")
        names, kinds = head[1].split(", "), re.split(r", (?=ndarray)", kind)
        for i, name in enumerate(names):
            own = kinds[i] if len(kinds) == len(names) else kind
            yield name, own, " ".join(words.split())


# --- Errors ---------------------------------------------------------------------------


def errors(name):
    """The classes of errors that a docstring lists."""
    section = told()[name].get("Raises", "")
    heads = re.findall(r"^([A-Z]\w*(?:, [A-Z]\w*)*)$", section, re.M)
    return {each for head in heads for each in head.split(", ")}


# --- Limits of numbers ----------------------------------------------------------------

NUMBER = r"-?\d+(?: \d{3})+|-?\d[\d.]*(?:e-?\d+)?(?<!\.)|n - 1|size\^2|[a-z]"
END = r"(?![\w^]|\.\d)"
LIMITS = re.compile(
    rf"(?:\b[Ff]rom (?P<low>{NUMBER}) to (?P<high>{NUMBER}){END}"
    rf"|\b[Aa]t least (?P<least>{NUMBER}){END}"
    rf"|\b[Aa]bove (?P<above>{NUMBER}){END}"
    rf"(?: and (?:at most (?P<most>{NUMBER})|below (?P<below>{NUMBER})){END})?"
    rf"|\bat most (?P<top>{NUMBER}){END})"
)
REFUSED = re.compile(
    r"(?P<names>`*\w+`*(?: or `*\w+`*)?) (?:is|are) "
    rf"(?:not (?:an integer |a number )?(?:of )?(?={LIMITS.pattern})"
    rf"|(?P<negative>negative)|below (?P<under>{NUMBER}){END})"
)


@dataclass
class Limit:
    """What a docstring says of a number: a value that passes, or one that does not."""

    name: str
    argument: str
    said: str
    end: str  # as it is written
    passes: bool  # the end itself
    outwards: int  # the side on which nothing passes

    @property
    def key(self):
        return f"{self.name}: {self.said}"


def _of(name, argument, found):
    """The limits that one match states."""
    said, part = f"{argument} {found[0]}", found.groupdict()
    if part.get("negative"):
        yield Limit(name, argument, said, "0", True, -1)
    for group, passes, outwards in (
        *(("low", True, -1), ("high", True, 1), ("least", True, -1)),
        *(("above", False, -1), ("most", True, 1), ("below", False, 1)),
        *(("top", True, 1), ("under", True, -1)),
    ):
        if part.get(group):
            yield Limit(name, argument, said, part[group], passes, outwards)


@cache
def limits():
    """All limits of numbers in the words of parameters and of errors."""
    found = []
    for name in CALLS:
        if of_call(name) is None or "," in name:
            continue
        own = told()[of_call(name)]
        takes = inspect.signature(CALLS[name](world())[0]).parameters
        section = told().get(name, own).get("Parameters", "")
        for argument, kind, words in heads(section):
            match = LIMITS.search(words) if re.match("(int|float)", kind) else None
            found += _of(name, argument, match) if match else []
        words = " ".join(own.get("Raises", "").split())
        for match in REFUSED.finditer(words):
            for argument in set(re.findall(r"\w+", match["names"])) & set(takes):
                numbers = LIMITS.match(words, match.end()) or match
                found += _of(name, argument, numbers)
    return found


# --- Shapes ---------------------------------------------------------------------------

SIZE = r"[\w^ +]+"
SHAPE = re.compile(rf"\(({SIZE}(?:, {SIZE})*),?\)|length (\w+)")
# Letters of an object, and the attributes that have them.
OF_OBJECTS = {
    "n": ("n", "_n", "pose"),
    "d": ("n_features_in_", "d"),
    "k": ("rank", "n_features_out_", "_n_features_out", "eigenvalues_"),
    "r": ("rank",),
    "l": ("landmarks", "landmarks_"),
    "D": ("coef_", "_n_features_out"),
    "p": ("n_experts", "experts"),
    "m": ("kept",),
}
# Letters of a call, and the arguments that are these numbers.
OF_CALLS = {"l": "n_landmarks", "k": "rank", "p": "n_experts", "d": "degree"}


def shapes(kind):
    """The shapes that a type in words names, by "or"; `...` stands after a length."""
    found = []
    for part in re.split(r" or (?=\w)", kind.replace("KernelMatrix or ", "")):
        match = SHAPE.search(part)
        if match:
            found.append(match[1].split(", ") if match[1] else [match[2], ...])
    return found


def shape_of(value):
    """The shape of a value, or the length of a sequence."""
    if hasattr(value, "shape") and not isinstance(value, type):
        return tuple(value.shape)
    if isinstance(value, list | tuple):
        try:
            return np.shape(value)
        except ValueError:
            return (len(value),)
    return None


def fits(wanted, found, letters):
    """The letters after one shape was held against another, or None."""
    if wanted[-1] is ...:
        wanted, found = wanted[:1], found[:1]
    if len(wanted) != len(found):
        return None
    letters = dict(letters)
    for size, number in zip(wanted, found, strict=True):
        if size in letters or not re.fullmatch("[a-zA-Z]", size):
            try:
                if eval(size.replace("^", "**"), {}, letters) != number:
                    return None
            except NameError:
                return None
        else:
            letters[size] = number
    return letters


def read(letters, pairs):
    """The letters after types in words were held against values; the faults on the way.

    Of several shapes that a type names the first one counts that fits.
    """
    faults = []
    for name, kind, value in pairs:
        found, wanted = shape_of(value), shapes(kind)
        if found in (None, ()) or not wanted or kind.startswith("list or dict"):
            continue
        after = [fits(each, found, letters) for each in wanted]
        after = [each for each in after if each is not None]
        if not after:
            faults.append(f"{name}: {kind} is {found} with {letters}")
        else:
            letters = after[0]
    return letters, faults


def of_object(thing):
    """The letters that an object knows of itself."""
    found = {}
    for letter, names in OF_OBJECTS.items():
        for name in names:
            value = getattr(thing, name, None)
            if value is not None and not callable(value):
                found[letter] = value if np.ndim(value) == 0 else len(value)
                break
    return {k: v for k, v in found.items() if isinstance(v, int | np.integer)}


def returned(name, answer):
    """Types in words of what a call returns, each with its value."""
    lines = told().get(name.partition(",")[0], told()[of_call(name)]).get("Returns", "")
    kinds = [line for line in lines.split("\n") if re.match(r"\S", line)]
    if len(kinds) == 1 and (parts := re.split(r", (?=ndarray)", kinds[0]))[1:]:
        kinds = parts
    kinds = [line.partition(" : ")[2] or line for line in kinds]
    if isinstance(answer, tuple):
        if kinds and "two of them" in kinds[0]:
            kinds = kinds[:1] * 2
        yield from zip(kinds, answer, strict=len(kinds) == len(answer))
    elif kinds:
        ends = kinds[0].startswith("Enclosure of ndarray")
        yield kinds[0], answer.low if ends else answer


def free(kind, letters):
    """Letters of a shape that nothing binds."""
    sizes = [size for shape in shapes(kind) for size in shape if size is not ...]
    named = {x for size in sizes for x in re.findall(r"[a-zA-Z]\w*", size)}
    return named - set(letters)


# --- Entries that are asked for -------------------------------------------------------

FACTOR = r"(?:[a-zA-Z](?![a-z])'?|\|\w\||\d|\([^)]*\))(?:\^\d)?"
ENTRIES = re.compile(
    r"(?:[Aa]sks? for|[Rr]eads?|\band|is asked for|is read whole,) (?:the |all )?"
    rf"`*({FACTOR}(?: (?:\+ )?{FACTOR})*)`*(?: or ({FACTOR}(?: {FACTOR})*))? entries"
    r"(?! (?:of K )?in a step|[\w ]*, and n\^2 with| for each)"
)
# Letters for lengths of arguments: of I and R, of s columns and s' held out.
LENGTHS = {"I": "indices", "R": "indices", "s": "columns"}
NUMBERS = {"s": "n_validation", "s_": "n_holdout"}


def entries(name):
    """The numbers of entries that a docstring states, each as its alternatives."""
    section = told().get(name, told()[of_call(name)]).get("Notes", "")
    for match in ENTRIES.finditer(" ".join(section.split())):
        yield [product(each) for each in match.groups() if each]


# What a scheme asks for.
ASKED = re.compile(
    r"Asks for (about |at most )?(?:the |all )?(no entry|.*?(?= entries))"
    r"(?: entries( at most)?)?(?:, and for at most (.*?) more)?"
)


def asked(section):
    """The fewest and the most entries that a scheme asks for, by what it returns."""
    for match in ASKED.finditer(" ".join(section.split())):
        most = "0" if match[2] == "no entry" else product(match[2])
        least = "0" if match[3] or match[1] == "at most " else most
        if match[1] == "about ":
            least, most = f"{most} / 2", f"{most} * 2"
        yield least, f"{most} + {product(match[4])}" if match[4] else most


def product(words):
    """``2 n l^2`` in Python."""
    words = re.sub(r"\|(\w)\|", r"\1", words).replace("'", "_").replace("^", "**")
    return re.sub(r"(?<=[\w)]) (?=[\w(])", "*", words)
