"""What is kept of this learner, on this computer."""
