"""Sort numbers."""
