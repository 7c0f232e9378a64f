"""The chapter *Since 2010*."""
