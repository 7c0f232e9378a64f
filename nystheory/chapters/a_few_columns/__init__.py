"""The chapter *A matrix from a few of its columns*."""
