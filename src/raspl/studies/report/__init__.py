"""Results on paper: figures, tables, the page."""
