"""One attention layer whose weights a learner can move."""
