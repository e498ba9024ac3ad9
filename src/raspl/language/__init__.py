"""RASP-L: primitives, types, the graph, the parser with its diagnostics, and the library."""
