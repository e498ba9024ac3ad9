"""Tasks of the literature by name: `huang:tomita_3`, `chomsky:even_pairs`.

Huang et al., "A Formal Framework for Understanding Length Generalization in Transformers" (ICLR
2025), and Delétang et al., "Neural Networks and the Chomsky Hierarchy" (ICLR 2023), the latter in a
causal format: the answer is written after the input, and ends. The samplers are ours, after the
definitions that were published.
"""

from collections.abc import Callable, Mapping

from raspl.tasks.examples import TaskError
from raspl.tasks.task import Task

TASKS = ()


def huang(which: str) -> Task:
    from raspl.tasks.literature.algorithmic import ALGORITHMIC
    from raspl.tasks.literature.finite_state import FINITE_STATE

    return chosen("huang", {**ALGORITHMIC, **FINITE_STATE}, which)


def chomsky(which: str) -> Task:
    from raspl.tasks.literature.chomsky import CHOMSKY

    return chosen("chomsky", CHOMSKY, which)


def chosen(family: str, tasks: Mapping[str, Callable[[str], Task]], which: str) -> Task:
    if which not in tasks:
        raise TaskError(f"{family} has no task {which!r}; it has {', '.join(tasks)}.")
    return tasks[which](f"{family}:{which}")


FAMILIES = {"huang": huang, "chomsky": chomsky}
