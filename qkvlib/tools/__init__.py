"""What makes, grades and publishes the course. Nothing outside this folder imports it."""
