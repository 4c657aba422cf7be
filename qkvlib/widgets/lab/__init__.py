"""One attention layer under the hand."""
