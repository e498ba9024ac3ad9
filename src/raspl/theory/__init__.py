"""Theory: search for the shortest program, prediction before training, min-degree interpolators."""
