"""The chapter *Kernel principal components*."""
