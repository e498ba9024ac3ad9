"""Training: configuration, model, optimisers, batches, evaluation, loop."""
