"""Where a case is not what its kind says, and why; and what is let pass."""

WANTED = {}

# A stored matrix is not checked to be semidefinite: so it is documented, for matrices
# that are meant to fail.
for _label in (
    "indefinite",
    "a negative entry on the diagonal",
    "eigenvalue -1, float32",
    "eigenvalue -1, float64",
):
    WANTED["kernels.DenseKernel", "array", _label] = "itself"

# An approximation in place of K is documented.
WANTED["selection.criterion", "K", "an approximation"] = "itself"

# The generator is documented as not used.
for _name in (
    "sampling.user, indices",
    "sampling.incomplete_cholesky",
    "sampling.farthest_point",
):
    for _label in (
        *("None", "a seed", "RandomState", "the module", "a word", "the class"),
        *("bits", "a sequence of seeds", "a truth", "a list"),
    ):
        WANTED[_name, "rng", _label] = "either"

# The product over nothing is one: e_0 = 1 of no values, and the others are 0.
for _label in ("nothing", "empty"):
    WANTED["sampling.log_elementary", "values", _label] = "itself"

# Accepted although no documentation says so, and harmless: by name, argument and label,
# with the reason.
LENIENT = {}
