"""How nearly a run must give again what a page shows.

nbval compares the outputs of cells to the letter, and the tests the numbers of prose,
but for a cell with the tag ``nbval-ignore-output`` and the prose after it. There words
have to be the same, and numbers nearly: another machine rounds otherwise. What a run
cannot give again at all is in one list, name by name, with its reason.
"""

import ast
import html
import re

TIME, ROUNDING, OWN = "a time", "a rounding error", "data that a reader may have"
# What is not compared: whatever a cell or an expression makes of these names.
VARIES = {
    "a_million_points": {"steps_here": TIME, "flat_residual": ROUNDING},
    "adaptive_sampling": {"time_table": TIME},
    "certificates_afterwards": {"rows": ROUNDING},
    "ensembles": dict.fromkeys(("race", "means"), TIME),
    "kernel_matrices": {"expected": TIME},
    "projection_or_reconstruction": {"own": OWN},
    "solving_with_few_columns": {"seconds": TIME},
    "surely_worse_kernels": dict.fromkeys(("took", "slower", "quicker"), TIME),
    "what_to_use": {"rows": TIME},
    "which_random_features": {"clock": TIME},
}
SHARE = 0.05
# A picture in HTML: no picture is compared.
PICTURE = r'base64,[^"]+'
# A date, versions, and how often rounding hid the answer.
OF_MACHINE = re.compile(r"Made on [^<]*|, \d+ undecided")
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def varies(source, chapter):
    """The reason why a cell or an expression of the prose is not compared, or none.

    >>> varies("8 * n**2 / 1e9:.1f", "kernel_matrices")
    ''
    >>> varies("expected(3, 10**6)", "kernel_matrices")
    'a time'
    """
    known = VARIES.get(chapter, {})
    try:
        tree = ast.parse(source)
    except SyntaxError:  # an expression with its format
        tree = ast.parse(f"f'''{{{source}}}'''")
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    used |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return next((known[name] for name in sorted(used) if name in known), "")


def strays(shown, now):
    """The first piece of a text that a run gives otherwise, or none.

    Parameters
    ----------
    shown, now : str
        What the page shows, and what the run gives; HTML or not.

    Returns
    -------
    str

    Examples
    --------
    >>> strays("array([24, 24.1])", "array([24, 24.2])")
    ''
    >>> strays("array([24, 24])", "array([7, 7])")
    "'24' in 'array([24, 24])' is '7' in the run"
    """
    old, new = (OF_MACHINE.sub("", html.unescape(text)) for text in (shown, now))
    words = [" ".join(re.sub(NUMBER, " # ", text).split()) for text in (old, new)]
    if words[0] != words[1]:
        parts = zip(*(text.split(" ") for text in words), strict=False)
        first = next((pair for pair in parts if pair[0] != pair[1]), words)
        return f"{first[0]!r} is {first[1]!r} in the run"
    for one, other in zip(NUMBER.finditer(old), NUMBER.findall(new), strict=True):
        if not near(one[0], other):
            around = old[max(0, one.start() - 30) : one.end() + 30]
            return f"{one[0]!r} in {around!r} is {other!r} in the run"
    return ""


def near(one, other):
    """Whether two numbers are the same up to a twentieth, or to one of the last digit.

    >>> near("0.71", "0.72"), near("24", "700"), near("3e-05", "4e-05")
    (True, False, True)
    """
    a, b = float(one), float(other)
    return abs(a - b) <= max(SHARE * max(a, b), last(one), last(other)) * (1 + 1e-9)


def last(number):
    """One unit of the last digit of a number that is rounded; none of a whole one.

    >>> last("0.71"), last("3e-05"), last("24")
    (0.01, 1e-05, 0.0)
    """
    digits, _, power = number.partition("e")
    if "." not in digits and not power:
        return 0.0
    return 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))


def text_of(outputs):
    """All words that some outputs show."""
    shown = []
    for output in outputs:
        data = output.get("data", {})
        told = data.get("text/html", data.get("text/plain", output.get("text", "")))
        shown.append(re.sub(PICTURE, "", "".join(told)))
    return "\n".join(shown)
