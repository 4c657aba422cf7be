"""`Turning`: one query and one key, rotated by their positions, and how their score depends on the
distance."""
