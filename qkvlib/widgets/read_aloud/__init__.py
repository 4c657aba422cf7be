"""A word, its sounds, and which letters each sound looks at."""
