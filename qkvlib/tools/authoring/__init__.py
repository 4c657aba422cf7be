"""From an author's sources to what learners and instructors open."""
