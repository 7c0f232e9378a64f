"""The chapter *Empirical risk on random subspaces*."""
