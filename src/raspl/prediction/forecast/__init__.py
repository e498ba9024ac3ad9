"""Forecasts: how far a task will generalise, as probabilities."""
