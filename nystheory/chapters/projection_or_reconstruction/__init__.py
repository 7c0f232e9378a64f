"""The chapter *Projection or reconstruction*."""
