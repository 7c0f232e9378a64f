"""How a theorem is tried: search, chances, proofs, mutants, verdicts."""
