"""The paper's presets are the paper's table, and run."""

from pathlib import Path

import pytest
import torch

from raspl.tasks import SHIPPED, Scale
from raspl.training.configuration import Configuration, TrainingError
from raspl.training.loop import train_step
from raspl.training.model import Transformer
from raspl.training.optimisers import Optimiser
from raspl.training.presets import configure

TABLE = {
    # task: layers, heads, width, steps, context, batch, rates, decay, clip
    "count": (6, 8, 64, 10_000, 256, 128, 1e-3, 1e-5, 0.1, 0),
    "mode": (6, 8, 512, 10_000, 256, 128, 1e-3, 1e-6, 0.1, 1),
    "copy_unique": (6, 8, 512, 100_000, 512, 128, 1e-4, 1e-6, 0.1, 0),
    "copy_repeat": (6, 8, 512, 100_000, 512, 128, 1e-4, 1e-6, 0.1, 0),
    "sort": (2, 16, 1024, 100_000, 1024, 512, 1e-5, 0, 0.1, 0),
    "addition_plain": (6, 8, 512, 30_000, 512, 64, 1e-4, 0, 0, 1),
    "addition_forward": (6, 8, 512, 30_000, 512, 64, 1e-4, 0, 0, 1),
    "addition_reverse": (6, 8, 512, 30_000, 512, 64, 1e-4, 0, 0, 1),
    "parity_plain": (6, 8, 512, 10_000, 512, 256, 1e-3, 1e-6, 0.1, 1),
    "parity_scratchpad": (6, 8, 512, 10_000, 512, 256, 1e-3, 1e-6, 0.1, 1),
    "conjunction": (2, 4, 64, 10_000, 128, 128, 1e-3, 0, 0, 0),
}


@pytest.mark.parametrize("name", TABLE)
def test_paper_presets_equal_the_papers_table(name: str) -> None:
    config = configure(name, "paper")
    assert TABLE[name] == (
        config.layers, config.heads, config.width, config.steps, config.context, config.batch,
        config.learning_rate, config.final_learning_rate, config.weight_decay, config.grad_clip,
    )  # fmt: skip
    assert (config.positions, config.loss, config.warmup) == ("learned", "all", 0)
    assert config.layout == ("single" if name == "conjunction" else "packed")
    assert config.examples_per_test == 5 * config.batch


def test_paper_alphabets_are_the_papers() -> None:
    sizes = {"count": 155, "mode": 52, "copy_unique": 100, "copy_repeat": 2, "sort": 100}
    for name, size in sizes.items():
        assert len(configure(name, "paper").build_task().symbols) == size
    assert configure("conjunction", "paper").max_length == 20


def steps_of(config: Configuration, number: int) -> None:
    task = config.build_task()
    model = Transformer(len(task.alphabet), config)
    optimiser = Optimiser(model, config)
    for step in range(number):
        loss = train_step(model, optimiser, task, config, step, torch.device("cpu"))
        assert torch.isfinite(loss)


@pytest.mark.parametrize("name", ["count", "conjunction"])
def test_small_paper_presets_run(name: str) -> None:
    steps_of(configure(name, "paper"), 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLE)
def test_paper_presets_run(name: str) -> None:
    steps_of(configure(name, "paper"), 1)


@pytest.mark.parametrize("scale", ["desk", "laptop", "smoke"])
@pytest.mark.parametrize("name", list(SHIPPED))
def test_every_task_has_a_preset_at_every_scale_but_the_papers(name: str, scale: Scale) -> None:
    config = configure(name, scale)
    assert config.scale == scale
    if name != "conjunction":
        assert max(config.test_lengths) > config.max_length


def test_any_field_or_parameter_can_be_set() -> None:
    config = configure("count", "smoke", {"numbers": 30, "width": 32, "test_lengths": (20,)})
    assert (config.parameters, config.width) == ({"numbers": 30}, 32)
    with pytest.raises(TrainingError, match="'widht' can't be set"):
        configure("count", "smoke", {"widht": 32})


def test_the_context_grows_with_the_test_unless_it_is_set() -> None:
    assert configure("sort", "smoke", {"test_lengths": (40,)}).context == 83
    assert configure("sort", "smoke", {"test_lengths": (40,), "context": 50}).context == 50


def test_another_configuration_is_another_run(tmp_path: Path) -> None:
    base = configure("count", "smoke")
    assert base.name == configure("count", "smoke").name
    assert base.name != configure("count", "smoke", {"seed": 1}).name
    assert Configuration(**base.as_json()) == base
    path = tmp_path / "own.py"
    text = "from raspl.tasks import find\ntask = find('count')\n"
    path.write_text(text)
    first = configure(str(path), "smoke")
    path.write_text(text + "\n")
    assert configure(str(path), "smoke").name != first.name


@pytest.mark.parametrize(
    ("field", "value"), [("steps", 0), ("heads", 3), ("batch", -1), ("evaluate_every", 0)]
)
def test_impossible_values_are_refused(field: str, value: int) -> None:
    with pytest.raises(TrainingError):
        configure("count", "smoke", {field: value})
