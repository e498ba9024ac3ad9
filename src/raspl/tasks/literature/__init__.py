"""Tasks that others have published outcomes on."""
