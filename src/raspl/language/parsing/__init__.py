"""From source text to the typed graph; the text is data and is never executed."""
