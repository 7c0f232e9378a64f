"""What the chapter states: a subject, a module."""
