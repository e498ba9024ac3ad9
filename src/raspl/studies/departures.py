"""Where a run departs from the paper's recipe, in sentences that are computed from the two."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from raspl.studies.study import Arm
from raspl.tasks import Scale, Task, parameters
from raspl.training.configuration import Configuration

Words: TypeAlias = Callable[[Configuration, Task], str]

PAPER: Scale = "paper"
SILENT = frozenset({"task", "scale", "seed", "evaluate_every", "source", "compared_with"})
"""Fields that are no part of a recipe."""


def lengths(config: Configuration, task: Task) -> str:
    tested = ", ".join(map(str, config.test_lengths))
    only = f"from {config.min_length} " if config.min_length > task.shortest else ""
    return f"trained {only}to length {config.max_length} and tested at {tested}"


def model(config: Configuration, task: Task) -> str:
    if config.architecture == "mlp":
        return f"an MLP with {config.layers} layers of width {config.width}"
    heads = "1 head" if config.heads == 1 else f"{config.heads} heads"
    return f"{config.layers} layers of width {config.width} with {heads}"


def schedule(config: Configuration, task: Task) -> str:
    warmup = f" after {config.warmup} steps of warm-up" if config.warmup else ""
    return (
        f"a learning rate from {config.learning_rate:g} to {config.final_learning_rate:g}{warmup}"
    )


def optimiser(config: Configuration, task: Task) -> str:
    if config.optimiser == "adamw":
        return "AdamW for all weights"
    rate = config.matrix_learning_rate
    return f"Muon at {rate:g} for the matrices inside the blocks, AdamW for the rest"


def data(on: str, task: Task) -> str:
    return task.words.get(on, "the task's own data" if on == "train" else f"{on} data")


SENTENCES: Mapping[tuple[str, ...], Words] = MappingProxyType(
    {
        ("max_length", "min_length", "test_lengths"): lengths,
        ("parameters",): lambda config, task: (
            "an alphabet with "
            + " and ".join(f"{value} {name}" for name, value in config.parameters.items())
        ),
        ("train_on",): lambda config, task: f"trained on {data(config.train_on, task)}",
        ("test_on",): lambda config, task: f"tested on {data(config.judged_on(task), task)}",
        ("architecture", "layers", "heads", "width"): model,
        ("positions",): lambda config, task: f"{config.positions} positions",
        ("layout", "offset"): lambda config, task: {
            ("packed", "random"): "contexts packed with examples",
            ("single", "random"): "one example per context, at a random offset",
            ("single", "zero"): "one example per context, always at its start",
        }[config.layout, config.offset],
        ("context",): lambda config, task: f"a context of {config.context:,} tokens",
        ("loss",): lambda config, task: {
            "all": "the loss on all tokens",
            "answer": "the loss on the answer only",
        }[config.loss],
        ("steps", "batch"): lambda config, task: (
            f"{config.steps:,} steps with a batch of {config.batch}"
        ),
        ("optimiser", "matrix_learning_rate"): optimiser,
        ("learning_rate", "final_learning_rate", "warmup"): schedule,
        ("beta2",): lambda config, task: f"β₂ of {config.beta2:g}",
        ("weight_decay",): lambda config, task: f"weight decay {config.weight_decay:g}",
        ("grad_clip",): lambda config, task: (
            f"gradients clipped at {config.grad_clip:g}" if config.grad_clip else "no clipping"
        ),
        ("init_std",): lambda config, task: (
            f"initial weights with a standard deviation of {config.init_std:g}"
        ),
        ("test_examples",): lambda config, task: (
            f"{config.examples_per_test:,} test examples per length, or all that there are"
        ),
    }
)
"""What a group of fields says of a run; a field in none of them says its name and value."""


def departures(ours: Configuration, theirs: Configuration) -> tuple[str, ...]:
    """A sentence for each group of fields in which two runs of one task differ."""
    found = []
    grouped = {name for group in SENTENCES for name in group}
    others = Configuration.model_fields.keys() - SILENT - grouped
    rest: dict[tuple[str, ...], Words] = {(name,): plain(name) for name in sorted(others)}
    for fields, words in {**SENTENCES, **rest}.items():
        mine, paper = (words(one, one.build_task()) for one in with_defaults(ours, theirs))
        if any(getattr(ours, name) != getattr(theirs, name) for name in fields) and mine != paper:
            found.append(f"{mine[0].upper()}{mine[1:]}; in the paper {paper}.")
    return tuple(found)


def plain(name: str) -> Words:
    return lambda config, task: f"{name.replace('_', ' ')} {getattr(config, name)}"


def with_defaults(*configs: Configuration) -> list[Configuration]:
    """The same with every parameter of the task that any of them sets."""
    named = {name for config in configs for name in config.parameters}
    filled = []
    for config in configs:
        known = {**parameters(config.task), **config.parameters}
        filled.append(config.replace(parameters={name: known[name] for name in sorted(named)}))
    return filled


def of_arm(arm: Arm, scale: Scale) -> tuple[str, ...]:
    """How an arm of a study departs from what the paper did for the same line or curve."""
    ours, theirs = (arm.configuration(one, arm.lengths(one).own, seed=0) for one in (scale, PAPER))
    return departures(ours, theirs)
