"""`NextToken`: what a model thinks of the next token, and which tokens are left in to be drawn."""
