"""`NextToken`: a model's probabilities for the next token, and which tokens can still be drawn."""
