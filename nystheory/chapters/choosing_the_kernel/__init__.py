"""The chapter *Choosing the kernel*."""
