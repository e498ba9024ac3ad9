"""Predictions made before training, from a task's sampler and solver."""
