"""The batch executor: many sequences at once."""

from raspl.executors.batch.executor import run

__all__ = ["run"]
