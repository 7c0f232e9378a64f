r"""Quizzes: a question with options, each with what it means to think so.

A text has, in this order, the question, code that is never shown, and the options::

    :::{quiz} Two columns of a matrix of rank two are computed. What is missed?

    ```python
    K = np.outer([1, 2], [1, 2])
    ```

    - {right}`error(K, [0]) == 0` Nothing.
      One column spans them all.
    - {wrong}`error(K, [0]) > 0` The rest.
      That is so in general, and not for this matrix.
    :::

The expression of an option says what its words say. It is true of a right option and
false of a wrong one, which ``tests/book/test_quizzes.py`` computes, with the code
before it. A notebook has the options as a list and the answers in a fold; the site has
a fold for each option, see ``_ext/quiz.py``.
"""

import re
from dataclasses import dataclass

OPTION = re.compile(r"^- \{(?P<mark>right|wrong)\}`(?P<check>[^`]+)` (?P<words>.+)$")
RIGHT, WRONG = "Right.", "Not yet."


@dataclass(frozen=True)
class Option:
    """What one may answer: the words, why, whether it is right, and what it claims."""

    words: str
    why: str
    right: bool
    check: str


@dataclass(frozen=True)
class Quiz:
    """A question, the code that its checks need, and the options."""

    question: str
    code: str
    options: tuple[Option, ...]


def read(argument: str, inside: list[str]) -> Quiz:
    """A quiz from what follows its name and the lines inside of it."""
    question, code, options, fenced = [argument.strip()], [], [], False
    for line in inside:
        if line.startswith("```"):
            fenced = not fenced
        elif fenced:
            code.append(line)
        elif found := OPTION.match(line):
            options.append((found, []))
        elif options and line.startswith("  "):
            options[-1][1].append(line.strip())
        elif line.strip() and not options:
            question.append(line)
        elif line.strip():
            raise ValueError(f"a quiz: expected an option or its reason, got {line!r}")
    made = tuple(
        Option(found["words"], " ".join(why), found["mark"] == "right", found["check"])
        for found, why in options
    )
    quiz = Quiz(" ".join(filter(None, question)), "\n".join(code), made)
    if told := _wanting(quiz):
        raise ValueError(f"a quiz: expected {told}: {quiz.question!r}")
    return quiz


def _wanting(quiz: Quiz) -> str:
    if not quiz.question.endswith("?"):
        return "a question"
    if not 2 <= len(quiz.options) <= 4:
        return f"two to four options, got {len(quiz.options)}"
    if not all(option.why for option in quiz.options):
        return "a reason for each option"
    marks = {option.right for option in quiz.options}
    return "" if marks == {True, False} else "right options and wrong ones"


def written(quiz: Quiz, line) -> list[str]:
    """The Markdown of a quiz; `line` writes the numbers and links of a line."""
    options, answers = [], []
    for letter, option in zip("abcd", quiz.options, strict=False):
        told = RIGHT if option.right else WRONG
        options.append(f"- **{letter})** {line(option.words)}")
        answers.append(f"- **{letter})** **{told}** {line(option.why)}")
    return [
        '<div class="quiz">\n',
        f"**Question.** {line(quiz.question)}",
        "",
        *options,
        '\n<details class="answers"><summary>Answers</summary>\n',
        *answers,
        "\n</details>\n\n</div>",
    ]
