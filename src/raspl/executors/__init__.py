"""What a program computes: `reference` (the definition), `stream` and `batch`, one meaning."""
