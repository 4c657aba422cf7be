"""Store this learner's progress and mistakes, only on this computer."""
