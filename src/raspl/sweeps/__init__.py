"""Sweeps: many configurations of one task, most of them stopped early, all of them logged."""
