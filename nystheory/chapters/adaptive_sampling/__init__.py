"""The chapter *Adaptive sampling*."""
