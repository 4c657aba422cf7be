"""What a grader's process does with one student's work. Trusted, and suspicious."""
