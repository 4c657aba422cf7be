"""Show where each number goes when X is split into heads."""
