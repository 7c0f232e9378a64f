"""The chapter *How to read this book*."""
