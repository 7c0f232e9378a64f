"""The chapter *Newton's method with few columns*."""
