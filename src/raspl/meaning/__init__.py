"""The interpretations of a graph: one file each, one rule a primitive."""
