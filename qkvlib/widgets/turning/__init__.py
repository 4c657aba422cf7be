"""`Turning`: one query and one key, rotated by their positions, and what is left in their score."""
