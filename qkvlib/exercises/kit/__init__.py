"""What the exercises are made with: the builder, random inputs, and how results are compared."""
