"""Copy, with unique and with repeated tokens."""
