"""`raspl demo`: the main job. Predict, train and compare six tasks, then the report."""

from pathlib import Path
from typing import Annotated

import typer

from raspl.cli.studies import RUNS, SHIPPED, Results, Root, Scale

NEXT = (
    ("all of the paper's table", "raspl study run headline --seeds 1"),
    ("every result and its state", "raspl study list"),
    ("a task of your own", "docs/tasks.md"),
    ("write, check and trace a RASP-L program", "raspl trace count START 2 5 --until END"),
    ("the program as a Transformer's weights", "raspl compile count -o network --verify 100"),
)


def register(app: typer.Typer) -> None:
    """Add the demonstration."""
    app.command()(demo)


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="The page.")] = Path("demo.html"),
    scale: Scale = "laptop",
    root: Root = RUNS,
    results: Results = SHIPPED,
    predict: Annotated[float, typer.Option(help="Seconds of search a task; 0 for none.")] = 10.0,
) -> None:
    """Predict, train and compare three tasks that should generalise and three that should not."""
    from raspl.cli.training import kind_errors

    with kind_errors():
        from rich.console import Console

        from raspl.fleet import local
        from raspl.fleet.status import display
        from raspl.runs import store
        from raspl.runs.costs import Estimator
        from raspl.studies import assess as gather
        from raspl.studies import predictions
        from raspl.studies.catalogue import DEMO, STUDIES
        from raspl.studies.report import page as report
        from raspl.studies.report import tables
        from raspl.training.configuration import TrainingError, as_scale

        console, chosen = Console(soft_wrap=True), as_scale(scale)
        if not out.resolve().parent.is_dir():
            raise TrainingError(f"There is no folder {out.parent} to write {out.name} in.")
        configs = gather.configurations([DEMO.id], chosen, 1)
        mine, all_places = gather.Places(root, None), gather.Places(root, results)

        heading("Will a Transformer trained on short examples get long ones right?")
        for config in configs.values():
            example = report.examples(config.build_task(), config).splitlines()[0]
            console.print(f"  {config.task:28}{example}", highlight=False)

        heading("1. Predict, before any training: is there a short RASP-L program?")
        if predict:
            for sentence in predictions.predict_before(root, configs.values(), predict):
                console.print(sentence)
        for line in gather.lines_of(chosen, 1, mine, DEMO.arms):
            console.print(f"  {line.task:28}{line.predicted}", highlight=False)

        heading("2. Train one small Transformer a task, one a core")
        estimator = Estimator(store.collect(configs.values(), root, results))
        with display() as watch:
            outcome = local.Local(root, local.Plan(), estimator).run(configs.values(), watch)
        for name, reason in outcome.failed.items():
            console.print(f"{name} was given up: {reason}")

        heading("3. Compare: exact match a quarter beyond the training length")
        console.print(tables.outcomes(gather.lines_of(chosen, 1, mine, DEMO.arms)))

        heading("4. Report")
        shown = gather.claims_of(list(STUDIES), chosen, None, all_places)
        claims = [*gather.claims_of([DEMO.id], chosen, 1, mine), *shown]
        lines = gather.lines_of(chosen, None, all_places)
        report.write(claims, lines, all_places.notes(chosen), out)
        console.print(f"Written: {out}, these six runs first, then every result of the paper.")
        heading("Where to look next")
        for what, command in NEXT:
            console.print(f"  {what:42}{command}", highlight=False)
        if outcome.failed:
            raise typer.Exit(1)


def heading(text: str) -> None:
    typer.secho(f"\n{text}", bold=True)
