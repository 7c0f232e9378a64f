"""The chapter *Solving with a low-rank kernel*."""
