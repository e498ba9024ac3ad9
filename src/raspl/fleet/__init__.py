"""Where runs run: this machine's processes, or a Ray cluster."""
