"""The chapter *What to use*."""
