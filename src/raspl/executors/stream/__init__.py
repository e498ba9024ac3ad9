"""The stream executor: one token in, one token out, at a cost that does not grow."""

from raspl.executors.stream.executor import Machine, generate, generate_many, outputs, run

__all__ = ["Machine", "generate", "generate_many", "outputs", "run"]
