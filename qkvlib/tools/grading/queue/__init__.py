"""Hand a class's work out to graders' processes, and keep the record of what they find."""
