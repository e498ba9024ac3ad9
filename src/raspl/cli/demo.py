"""`raspl demo`: the main job. Predict, train and compare six tasks, then the report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from raspl.cli.messages import require
from raspl.cli.options import RUNS, Results, Root, Scale
from raspl.errors import RasplError

if TYPE_CHECKING:
    from rich.console import Console

    from raspl.studies.running import Order

NEXT = (
    ("all of the paper's table", "raspl study run headline --seeds 1"),
    ("every result and its state", "raspl study list"),
    ("a task of your own", "docs/tasks.md"),
    ("write, check and trace a RASP-L program", "raspl trace count SoS 2 5 '>' --until EoS"),
    ("the program as a Transformer's weights", "raspl compile count -o network --verify 100"),
)


def register(app: typer.Typer) -> None:
    """Add the demonstration."""
    app.command()(demo)


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Output file.")] = Path("demo.html"),
    scale: Scale = "laptop",
    root: Root = RUNS,
    results: Results = None,
    predict: Annotated[float, typer.Option(help="Seconds of search per task; 0 for none.")] = 10.0,
) -> None:
    """Predict, train and compare three tasks that should generalise and three that should not."""
    require("learn")
    from rich.console import Console

    from raspl.fleet.local import Local, Plan
    from raspl.fleet.status import display
    from raspl.runs.store import shipped_results
    from raspl.studies.catalogue import DEMO
    from raspl.studies.running import Order
    from raspl.tasks.shipped import as_scale

    if not out.resolve().parent.is_dir():
        raise RasplError(f"There is no folder {out.parent} to write {out.name} in.")
    console = Console(soft_wrap=True)
    order = Order([DEMO.id], as_scale(scale), 1, root, results or shipped_results())

    heading("Will a Transformer trained on short examples get long ones right?")
    show_formats(console, order)
    heading("1. Predict, before any training: is there a short RASP-L program?")
    show_predictions(console, order, predict)
    heading("2. Train one small Transformer per task, one task per core")
    with display() as watch:
        outcome = Local(root, Plan(), order.estimator()).run(order.configurations(), watch)
    for name, reason in outcome.failed.items():
        console.print(f"{name} was given up: {reason}")
    heading("3. Compare: exact match a quarter beyond the training length")
    show_outcomes(console, order)
    heading("4. Report")
    write_report(order, out)
    console.print(f"Written: {out}, these six runs first, then every result of the paper.")
    heading("Where to look next")
    for what, command in NEXT:
        console.print(f"  {what:42}{command}", highlight=False)
    if outcome.failed:
        raise typer.Exit(1)


def heading(text: str) -> None:
    typer.secho(f"\n{text}", bold=True)


def show_formats(console: Console, order: Order) -> None:
    """An example of each task."""
    from raspl.studies.report.page import examples

    for config in order.configurations():
        example = examples(config.build_task(), config).splitlines()[0]
        console.print(f"  {config.task:28}{example}", highlight=False)


def show_predictions(console: Console, order: Order, seconds: float) -> None:
    """What is predicted of each task, as far as it can be."""
    from raspl.studies import assess
    from raspl.studies.catalogue import DEMO
    from raspl.studies.running import predict_first

    if seconds:
        for sentence in predict_first(order.root, order.configurations(), seconds):
            console.print(sentence)
    for line in assess.lines_of(order.scale, 1, order.store, DEMO.arms):
        console.print(f"  {line.task:28}{line.predicted}", highlight=False)


def show_outcomes(console: Console, order: Order) -> None:
    from raspl.studies import assess
    from raspl.studies.catalogue import DEMO
    from raspl.studies.report import tables

    console.print(tables.outcomes(assess.lines_of(order.scale, 1, order.store, DEMO.arms)))


def write_report(order: Order, out: Path) -> None:
    """The six runs first, then every result of the paper, with the runs that ship."""
    from raspl.runs.store import Store
    from raspl.studies import assess
    from raspl.studies.catalogue import DEMO, STUDIES
    from raspl.studies.report import gather, page

    (claim,) = order.claims()
    lead = page.Lead(claim, assess.lines_of(order.scale, 1, order.store, DEMO.arms))
    everything = Store(order.root, order.results)
    rest = gather.part(list(STUDIES), order.scale, None, everything)
    page.write([rest], out, lead)
