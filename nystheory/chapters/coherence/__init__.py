"""The chapter *Coherence and exact recovery*."""
