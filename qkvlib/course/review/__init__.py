"""What was missed is asked again, days later, below a cell with `review()`. Nothing leaves this computer."""
