"""What a statement speaks of: matrices, samples, laws, and what is measured."""
