"""What was handed in, and by whom. Trusted code, untrusted names and bytes."""
