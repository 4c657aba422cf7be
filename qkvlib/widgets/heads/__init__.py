"""Show who looks at whom, head by head."""
