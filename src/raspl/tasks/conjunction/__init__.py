"""The AND of bits."""
