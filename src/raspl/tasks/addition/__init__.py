"""Addition, plain and with index hints."""
