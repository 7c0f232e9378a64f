"""The results that the chapter *Kernel matrices* states, in its order."""

from nystheory.theorems.kernel_matrices import best_rank

THEOREMS = (best_rank.BEST_RANK_K,)
