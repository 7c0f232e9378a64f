"""The theorem objects of the chapter *Fast and slow rates*."""
