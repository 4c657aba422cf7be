"""The checks in a web page: which files are packed for Python there, and how it judges."""
