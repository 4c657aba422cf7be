"""`Turning`: one query and one key, turned by their places, and what is left in their score."""
