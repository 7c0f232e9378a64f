"""Which kernel?  Criteria of a kernel matrix, their certain ends, and a search."""
