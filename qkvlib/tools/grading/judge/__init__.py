"""How a grader's process judges one student's work. Trusted code that trusts nothing it receives."""
