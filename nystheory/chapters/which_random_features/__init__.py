"""The chapter *Which random features*."""
