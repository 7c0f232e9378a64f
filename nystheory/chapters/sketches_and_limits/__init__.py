"""The chapter *Sketches, and what no columns can do*."""
