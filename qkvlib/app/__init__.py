"""The command `qkv`, and what it needs of Jupyter."""
