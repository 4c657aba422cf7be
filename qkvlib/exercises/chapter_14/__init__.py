"""Chapter 14, Turning: places that queries and keys are turned by, and what length does."""

ORDER = ("rotate_by_position", "scores_that_know_length")
