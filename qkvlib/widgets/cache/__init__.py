"""`Cache`: words arrive one by one; what is computed, what is held, and what is computed again."""
