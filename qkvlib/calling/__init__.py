"""Call a function that somebody else wrote, and come back whatever it does."""
