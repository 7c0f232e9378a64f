"""What does each page say?  One folder for each chapter, named as its text.

In it are its theorem objects, one subject a module; `experiments`, what it measures;
`figures`, how it is drawn; and its tests.  No chapter imports another.  `theorems`
holds all of them by id, in the order of the book; what stands in a folder is found.
"""

from nystheory.engine.registry import discover

theorems = discover(__name__)

__all__ = ["theorems"]
