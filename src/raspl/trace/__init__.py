"""A trace: every intermediate of a program on an input, as text and as a page."""

from raspl.trace.recording import Trace, generation, trace

__all__ = ["Trace", "generation", "trace"]
