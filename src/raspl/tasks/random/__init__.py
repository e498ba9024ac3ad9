"""Random tasks: programs of the language, automata, transducers, arithmetic."""
