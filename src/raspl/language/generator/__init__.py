"""Random programs, legal by construction."""
