"""The parts of which exercises are made: the builder, random inputs, and the comparison of results."""
