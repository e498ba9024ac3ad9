"""From a task's preset to a run's configuration."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from raspl.tasks import SHIPPED, Purpose, Scale, Task, find, parameters, preset, stream
from raspl.tasks.shipped import Value
from raspl.training.configuration import Configuration, TrainingError, digest_of_file

ROOM = 2
"""How many times the longest example a context has room for, for a task that we don't know."""
GIVEN = frozenset({"task", "scale", "parameters", "source"})
"""Fields that follow from the task and the scale."""


def configure(
    name: str,
    scale: Scale = "laptop",
    changes: Mapping[str, Any] = MappingProxyType({}),
    like: str | None = None,
) -> Configuration:
    """A preset with changes to any field of the configuration or parameter of the task.

    `like` names another preset to take than the task's own. Unless `context` is set it grows until
    the longest example to be tested fits, and for a user's own task twice of it.
    """
    fields = {**preset(like or name, scale).fields, **changes}
    known = parameters(name)
    values: dict[str, Value] = {key: fields.pop(key) for key in list(fields) if key in known}
    settable = Configuration.model_fields.keys() - GIVEN
    unknown = fields.keys() - settable
    if unknown:
        names = ", ".join(sorted({*settable, *known}))
        raise TrainingError(f"{sorted(unknown)[0]!r} can't be set; these can: {names}.")
    task, is_own = find(name, values), name not in SHIPPED
    if name.endswith(".py"):
        fields["source"] = digest_of_file(name)
    config = Configuration(task=name, scale=scale, parameters=values, **fields)
    if "context" in changes:
        return config
    longest = longest_example(task, config)
    return config.replace(context=max(config.context, (ROOM if is_own else 1) * longest))


def longest_example(task: Task, config: Configuration) -> int:
    """Tokens of the longest example that training or a test can meet."""
    rng = stream(0, Purpose.SHOW)
    sizes = [0]
    for length in (config.max_length, *config.test_lengths):
        task.check_length(length)
        for on in task.distributions:
            sizes.append(task.examples(rng, np.full(2, length), on).tokens.shape[1])
    return max(sizes)
