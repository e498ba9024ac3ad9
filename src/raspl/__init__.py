"""raspl: write an algorithm the way a Transformer would run it."""
