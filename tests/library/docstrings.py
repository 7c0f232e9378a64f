"""What docstrings say in a form that can be run: errors, limits, shapes."""

import inspect
import re
from dataclasses import dataclass
from functools import cache

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
        for name in head[1].split(", "):
            yield name, kind, " ".join(words.split())


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
