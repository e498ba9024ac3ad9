"""The typed graph of primitives, and how it is printed."""
