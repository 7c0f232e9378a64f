"""The chapter *Error bounds*."""
