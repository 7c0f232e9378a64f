"""Features for what comes next: a scikit-learn transformer of sampled columns.

`NystromFeatures` stands where `sklearn.kernel_approximation.Nystroem` stands, in a
pipeline or a grid search, and adds what the library knows: every sampling scheme, a
tolerance in place of a number of columns, and a certificate of the error.
"""

from nystheory.features._transformer import NystromFeatures

__all__ = ["NystromFeatures"]
