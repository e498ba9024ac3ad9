"""A run on disk: its folder, its record, what it costs, how it is executed."""
