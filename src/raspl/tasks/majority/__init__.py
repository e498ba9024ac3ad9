"""The more frequent bit."""
