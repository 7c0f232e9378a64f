"""The chapter *Ridge regression and preconditioning*."""
