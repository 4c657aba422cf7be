"""Lines of a program to put in order."""
