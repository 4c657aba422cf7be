"""Who looks at whom, head by head."""
