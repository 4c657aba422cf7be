"""`Cache`: words arrive one by one; see which rows are computed, held, and computed again."""
