"""A finished training run, played back."""
