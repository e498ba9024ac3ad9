"""What is printed where there is no terminal."""

from raspl.fleet.status import Status, printer
from raspl.training.configuration import Configuration
from raspl.training.presets import configure


def run(seed: int) -> Configuration:
    return configure("sort", "smoke", {"seed": seed})


def test_one_watch_serves_several_calls_of_a_fleet() -> None:
    """Each line counts the runs of its own call."""
    said: list[str] = []
    watch = printer(said.append)
    for seeds in ((0, 1), (2, 3)):
        for ended in range(3):
            states = [
                Status(run(seed), "done" if number < ended else "running")
                for number, seed in enumerate(seeds)
            ]
            watch(states, None)
    assert [line[line.index("(") :] for line in said] == ["(1 of 2)", "(2 of 2)"] * 2
