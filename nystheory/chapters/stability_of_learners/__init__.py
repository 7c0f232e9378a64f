"""The chapter *Stability of learners*."""
