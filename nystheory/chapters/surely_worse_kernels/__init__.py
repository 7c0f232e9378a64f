"""The chapter *Kernels that are certainly worse*."""
