"""The chapter *A million points*."""
