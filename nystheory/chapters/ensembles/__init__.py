"""The chapter *Ensembles*."""
