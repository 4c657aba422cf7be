"""Where each number goes when X is cut into heads."""
