"""A class's work, handed out to graders' processes; the record of what they found."""
