"""Count from a to b."""
