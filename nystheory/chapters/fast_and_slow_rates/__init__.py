"""The chapter *Fast and slow rates*."""
