"""Chapter 5, One head."""

ORDER = ("training_step", "attention_entropy", "choose_recall_weights")
