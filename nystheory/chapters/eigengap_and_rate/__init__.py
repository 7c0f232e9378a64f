"""The chapter *The eigengap and the rate*."""
