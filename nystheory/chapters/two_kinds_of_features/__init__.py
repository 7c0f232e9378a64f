"""The chapter *Two kinds of features*."""
