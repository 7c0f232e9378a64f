"""The chapter *Two ways to learn a matrix*."""
