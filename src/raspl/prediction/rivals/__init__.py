"""Other predictors of what a network learns, to set beside the conjecture."""
