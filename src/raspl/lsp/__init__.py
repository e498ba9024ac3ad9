"""The language server: what editors ask of a text, over the Language Server Protocol."""
