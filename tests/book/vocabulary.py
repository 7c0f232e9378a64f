"""Words that tell one claim from another: of norms, statistics, schemes, losses, data.

Such a word of a sentence has to be a word of the line that the sentence is of: of the
labels of the competitors and fields that the line names, of the settings, of the data.
"""

import re

TELLING = {
    "norms": "frobenius spectral trace nuclear",
    "statistics": "mean median average largest smallest longest shortest fewest "
    "strangest",
    "schemes": "uniform pivots rpcholesky leverage centroids k-means farthest dpp sgma "
    "icl bless recursive adapt-full adapt-part nyström column-sampling orthonormal "
    "fourier waves phases sketches gaussian binning xnystrace cholesky ridge falkon "
    "pegasos",
    "losses": "hinge square logistic squared",
    "data": "digits patches documents cells patients diabetes photographs clusters "
    "balls roll arm wave heads crowd",
}
# Two words for one thing.
SAME = {"k-means": "centroids", "kmeans": "centroids", "average": "mean"}
SAME |= {"rbf": "gaussian"}
WORD = re.compile(r"[a-zö][a-zö-]*")


def one(word):
    """A word without the ending of many."""
    return word if word.endswith("ss") else word.removesuffix("s")


def in_order(text):
    """The words of a text, in one form each; a scheme's name is a word, too."""
    plain = text.lower().replace("$k$-", "k-").replace("k-dpp", "dpp")
    found = WORD.findall(plain.replace("_", " "))
    return [one(SAME.get(each, each)) for each in found]


def words(text):
    """The set of these."""
    return set(in_order(text))


CLASSED = {one(SAME.get(x, x)) for each in TELLING.values() for x in each.split()}


def named(line):
    """The names in a line, or in several."""
    return set(re.findall(r"[A-Za-z_]\w*", line or ""))


def of_competitor(name, competitor):
    """The words by which a competitor is known."""
    return words(f"{name} {competitor.label} {competitor.said}")


def of_field(field):
    """The words by which something measured is known."""
    return words(f"{field.name} {field.label} {field.norm} {field.unit}")


def parts_of(experiment):
    """The words of each name that a line may have."""
    parts = {k: of_competitor(k, x) for k, x in experiment.competitors.items()}
    return parts | {k: of_field(x) for k, x in experiment.measured.items()}


def of_finding(experiment, finding):
    """The words of a line: of what it names, of the settings, and of its data."""
    here = named(f"{finding.line} {finding.when}")
    found = set().union(*(x for k, x in parts_of(experiment).items() if k in here))
    found |= words(" ".join(finding.on or experiment.data))
    if experiment.along:
        found |= of_field(experiment.along)
    return found | ({"mean"} if finding.scope.startswith("the mean") else set())


def strange(text, here):
    """The telling words of a text that are none of those that its line has."""
    return (words(text) & CLASSED) - here


# Of labels, words that tell nothing.
PLAIN = words(
    "the of a an and in at with by from to for over than that on as is or one two "
    "three four five it least most no not more much many all any columns points "
    "numbers shares features steps until"
)


def absent(experiment, finding, text):
    """Competitors that a text names, and the line does not.

    One is named where all words of its label are there that tell it from the line's.
    """
    here = of_finding(experiment, finding) | PLAIN
    line = named(f"{finding.line} {finding.when}")
    told = words(text)
    own = {k: words(x.label) - here for k, x in experiment.competitors.items()}
    return {k for k, some in own.items() if k not in line and some and some <= told}
