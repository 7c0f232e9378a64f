"""A quiz on the site: a fold for each option, which says whether it is right, and why.

In a notebook the options are a list and the answers another, in one fold, which every
viewer shows. Here each answer moves under its option. These are elements of HTML, so
the keyboard opens them, with scripts or without; ``_static/quiz.js`` only says aloud
which answer was opened.
"""

from docutils import nodes

RIGHT = "Right."  # as quizzes.py writes it
BEGINS, ENDS = '<div class="quiz"', "</div>"


def raw(text):
    """Some HTML as it is."""
    return nodes.raw("", text, format="html")


def fold_options(app, doctree):
    """Of the two lists of each quiz, make folds."""
    begins = [n for n in doctree.findall(nodes.raw) if n.astext().startswith(BEGINS)]
    for first in begins:
        siblings = first.parent.children
        at = siblings.index(first)
        end = next(
            k for k in range(at, len(siblings)) if siblings[k].astext().strip() == ENDS
        )
        inside = siblings[at + 1 : end]
        options, answers = (x for x in inside if isinstance(x, nodes.bullet_list))
        asked = inside[: inside.index(options)]
        folds = [
            node for pair in zip(options, answers, strict=True) for node in _fold(*pair)
        ]
        first.parent[at + 1 : end] = [*asked, *folds]


def _fold(option, answer):
    """An option as the summary of a fold, and its answer inside."""
    words = nodes.inline("", "", *option[0].children)
    told = list(answer.findall(nodes.strong))[1]
    del answer[0][: answer[0].index(told)]  # the letter, which the option has
    look = "option right" if answer.astext().startswith(RIGHT) else "option"
    return [
        raw(f'<details class="{look}"><summary>'),
        words,
        raw("</summary>"),
        *answer.children,
        raw("</details>"),
    ]


def setup(app):
    """Register with Sphinx."""
    app.connect("doctree-read", fold_options)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
