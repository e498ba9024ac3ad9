"""The most frequent letter, with and without a scratchpad."""
