"""`SoftLookup`: one query, some keys, and the values they hand out, blended under a hand."""
