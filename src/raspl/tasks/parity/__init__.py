"""Parity, plain and with two scratchpads."""
