"""Inside a trained network: whether it runs a program, what it runs instead, and how to look."""
