"""Features for what comes next: scikit-learn transformers, of data or of chance.

`NystromFeatures` stands where `sklearn.kernel_approximation.Nystroem` stands, in a
pipeline or a grid search, and adds what the library knows: every sampling scheme, a
tolerance in place of a number of columns, and a certificate of the error.
`RandomFourierFeatures` stands where `RBFSampler` stands, and `RandomBinningFeatures`
beside it: both are drawn without looking at the data, and know the variance of their
inner products.
"""

from nystheory.features._accuracy import Accuracy
from nystheory.features._binning import RandomBinningFeatures
from nystheory.features._fourier import RandomFourierFeatures
from nystheory.features._transformer import NystromFeatures

__all__ = [
    "Accuracy",
    "NystromFeatures",
    "RandomBinningFeatures",
    "RandomFourierFeatures",
]
