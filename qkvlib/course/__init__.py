"""What a learner asks the course: its chapters, its words, hints, and puzzles."""
