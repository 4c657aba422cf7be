"""Call a function that someone else wrote, and always return, whatever it does."""
