"""What does a chapter draw? One file for each chapter with figures of its own."""
