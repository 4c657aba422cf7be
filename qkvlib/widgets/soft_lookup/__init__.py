"""`SoftLookup`: one query, some keys, and the blend of their values."""
