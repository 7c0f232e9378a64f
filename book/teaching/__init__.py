"""What a course needs besides notebooks; `book/course.py` puts it together."""
