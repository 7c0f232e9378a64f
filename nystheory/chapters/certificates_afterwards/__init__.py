"""The chapter *What can be certified afterwards*."""
