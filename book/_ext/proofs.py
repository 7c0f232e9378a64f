"""Let a proof be folded: ``:::{prf:proof}`` with ``:class: dropdown``.

sphinx-proof 0.4 gives a proof no title, so the script that folds finds nothing to put
its button on, stops, and leaves everything on the page unfolded. Here a folded proof
gets the title that it lacks. All proofs also have the same id, which is dropped.
"""

from docutils import nodes
from sphinx_proof.nodes import proof_node

PREFIX = "Proof. "


def give_titles(app, doctree):
    """Move the word *Proof* of every folded proof into a title."""
    for proof in doctree.findall(proof_node):
        for box in proof.findall(nodes.admonition):
            box["ids"] = []
            box["classes"].append("proof-text")
            if "dropdown" not in box["classes"]:
                continue
            first = next(box.findall(nodes.Text))
            if first.astext().startswith(PREFIX):
                rest = nodes.Text(first.astext().removeprefix(PREFIX))
                first.parent.replace(first, rest)
            box.insert(0, nodes.title("", "Proof"))


def setup(app):
    """Register with Sphinx."""
    app.connect("doctree-read", give_titles)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
