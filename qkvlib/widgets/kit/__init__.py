"""What all widgets share, on both sides of the wire; README.md says how to read it."""
