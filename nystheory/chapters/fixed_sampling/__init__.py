"""The chapter *Fixed sampling*."""
