"""What all widgets share, in Python and in the page; README.md explains how to read it."""
