"""What the chapters measure and draw: one module for each chapter."""
