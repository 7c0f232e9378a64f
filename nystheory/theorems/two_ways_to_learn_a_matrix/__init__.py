"""The results that the chapter *Two ways to learn a matrix* states, in its order."""

from nystheory.theorems.two_ways_to_learn_a_matrix import spectra

THEOREMS = (
    spectra.NYSTROM,
    spectra.NYSTROM_SVD,
    spectra.ORTHONORMALITY,
    spectra.COLUMN_SVD,
)
