"""What shows words that could be exchanged, one module a chapter."""
