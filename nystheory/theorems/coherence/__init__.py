"""The results that the chapter *Coherence and exact recovery* states, in its order."""

from nystheory.theorems.coherence import (
    definition,
    exact_recovery,
    leverage,
    rank_remark,
    sampled_ranks,
    sampled_rows,
    structural,
    synthetic_coherence,
    uniform_columns,
)

THEOREMS = (
    definition.COHERENCE,
    definition.FOOTNOTE,
    sampled_ranks.RANKS,
    exact_recovery.EXACT_RECOVERY,
    sampled_rows.NEAR_ISOMETRY,
    rank_remark.HOW_LARGE_A_RANK,
    synthetic_coherence.SYNTHETIC,
    structural.STRUCTURAL,
    uniform_columns.UNIFORM_COHERENCE,
    leverage.LEVERAGE,
)
