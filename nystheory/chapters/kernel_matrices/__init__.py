"""The chapter *Kernel matrices*."""
