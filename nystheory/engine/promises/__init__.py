"""What a user asks of a theorem: what it needs to know, its bound, its promise."""
