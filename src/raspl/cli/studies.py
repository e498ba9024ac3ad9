"""Commands of studies: study list, run, export, publish; report. No logic, only words."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from raspl.studies.assess import Places

Ids = Annotated[list[str], typer.Argument(metavar="ID…", help="Studies, or `all`.")]
Scale = Annotated[str, typer.Option(help="smoke, laptop or paper.")]
Seeds = Annotated[
    int | None,
    typer.Option(
        help="Seeds a point. If not given: laptop 3, paper 20 to run; to judge, all there are.",
        min=1,
    ),
]
Root = Annotated[Path, typer.Option(help="Where runs are kept.")]
Results = Annotated[Path, typer.Option(help="Where results that ship are kept.")]

RUNS, SHIPPED = Path("runs"), Path("results")


def register(app: typer.Typer) -> None:
    studies = typer.Typer(no_args_is_help=True, help="The paper's results, one study each.")
    studies.command("list")(list_studies)
    studies.command("run")(run)
    studies.command("export")(export)
    studies.command("publish")(publish)
    app.add_typer(studies, name="study")
    app.command("report")(report)


OF_ONE_FLEET = {"local": ("workers", "device"), "ray": ("address", "cpus", "gpus", "shared")}


def refuse_what_the_other_fleet_takes(context: typer.Context, on: str) -> None:
    """An option that would be ignored is a mistake."""
    from raspl.training.configuration import TrainingError

    for fleet, options in OF_ONE_FLEET.items():
        for name in options if fleet != on else ():
            source = context.get_parameter_source(name)
            if source is not None and source.name == "COMMANDLINE":
                raise TrainingError(f"--{name} is for --on {fleet}; this is --on {on}.")


def tell_if_there_is_nothing(places: "Places") -> None:
    """A mistyped folder looks like no runs at all."""
    from raspl.cli.training import tell

    folders = [folder for folder in (places.root, places.results) if folder is not None]
    if not any(folder.is_dir() for folder in folders):
        listed = " and no folder ".join(map(str, folders))
        tell(
            f"There is no folder {listed} here, so there are no runs to judge. Go to the clone of "
            "raspl, or name its folders with --root and --results."
        )


def list_studies(
    scale: Scale = "laptop", seeds: Seeds = None, root: Root = RUNS, results: Results = SHIPPED
) -> None:
    """Show the state of every claim, and what it would cost to run what is missing."""
    from raspl.cli.training import kind_errors

    with kind_errors():
        from rich.console import Console

        from raspl.runs.costs import Estimator
        from raspl.studies import assess as gather
        from raspl.studies.catalogue import STUDIES
        from raspl.studies.report import tables
        from raspl.training.configuration import as_scale

        ids, chosen = list(STUDIES), as_scale(scale)
        places = gather.Places(root, results)
        tell_if_there_is_nothing(places)
        number = gather.seeds_of(chosen, seeds)
        claims = gather.claims_of(ids, chosen, seeds, places)
        known = {name: one for claim in claims for name, one in claim.evidence.records.items()}
        mine = gather.records_of(ids, chosen, number, gather.Places(root, None))
        console = Console()
        console.print(tables.overview(claims, Estimator(known), number, mine))
        console.print(
            f"[dim]{scale} scale. Claims are judged on your runs in {root} and on those that ship "
            f"in {results}, on as many seeds as have all their runs. “To run” is the time of one "
            f"core for {number} seeds, less what you have run yourself. Studies share runs.[/]"
        )


def run(
    context: typer.Context,
    ids: Ids,
    scale: Scale = "laptop",
    seeds: Seeds = None,
    on: Annotated[str, typer.Option(help="local, or ray for a cluster.")] = "local",
    root: Root = RUNS,
    workers: Annotated[
        int | None, typer.Option(help="local: processes; one a core if not given.", min=1)
    ] = None,
    device: Annotated[
        str, typer.Option(help="local: cpu, cuda, or several as in cuda:0,cuda:1.")
    ] = "cpu",
    address: Annotated[
        str | None, typer.Option(help="ray: the cluster, as in auto or head:6379.")
    ] = None,
    cpus: Annotated[float, typer.Option(help="ray: CPUs a run.", min=0)] = 1.0,
    gpus: Annotated[float, typer.Option(help="ray: GPUs a run, as in 0.25.", min=0)] = 0.0,
    retries: Annotated[int, typer.Option(help="How often a lost run is started again.", min=0)] = 5,
    shared: Annotated[
        bool, typer.Option("--shared", help="ray: every node sees --root under the same path.")
    ] = False,
    checkpoint_seconds: Annotated[float, typer.Option(help="Between checkpoints.", min=0)] = 30.0,
    predict: Annotated[
        float, typer.Option(help="Seconds of search a task for its prediction; 0 for none.", min=0)
    ] = 20.0,
    shipped: Annotated[
        bool, typer.Option("--shipped", help="Count the runs that ship as done; judge with them.")
    ] = False,
    results: Results = SHIPPED,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue what was stopped; this is always done.")
    ] = True,
) -> None:
    """Run what is missing of some studies, then judge their claims. Run again to continue."""
    from raspl.cli.training import kind_errors, tell

    with kind_errors():
        from rich.console import Console

        from raspl.fleet import local, ray
        from raspl.fleet.status import display
        from raspl.runs.costs import Estimator
        from raspl.studies import assess as gather
        from raspl.studies import predictions
        from raspl.studies.report import tables
        from raspl.training.configuration import TrainingError, as_scale
        from raspl.training.loop import check_device

        if on not in ("local", "ray"):
            raise TrainingError(f"--on is local or ray, not {on!r}.")
        refuse_what_the_other_fleet_takes(context, on)
        devices = tuple(device.split(","))
        for one in devices if on == "local" else ():
            check_device(one)
        chosen = as_scale(scale)
        number = gather.seeds_of(chosen, seeds)
        named = gather.named(ids)
        places = gather.Places(root, results if shipped else None)
        configs = gather.left_to_run(named, chosen, number, places)
        if predict and chosen != "smoke":  # whose training shows nothing to compare with
            tell("Predicting before training starts …")
            for sentence in predictions.predict_before(root, configs.values(), predict):
                tell(sentence)
        known = gather.records_of(named, chosen, number, gather.Places(root, results))
        estimator = Estimator(known)
        with display() as watch:
            if on == "ray":
                cluster = ray.Cluster(address, cpus, gpus, retries, shared, checkpoint_seconds)
                outcome = ray.run(configs.values(), root, cluster, estimator, watch)
            else:
                plan = local.Plan(devices=devices, deaths=retries,
                                  checkpoint_seconds=checkpoint_seconds,
                                  **({} if workers is None else {"workers": workers}))  # fmt: skip
                outcome = local.Local(root, plan, estimator).run(configs.values(), watch)
        console = Console()
        for claim in gather.claims_of(named, chosen, seeds, places):
            console.print(tables.details(claim))
            console.print()
        for name, reason in outcome.failed.items():
            tell(f"{name} was given up: {reason}")
        where = "".join(
            f" --{option} {value}"
            for option, value, usual in (("scale", scale, "laptop"), ("root", root, RUNS))
            if value != usual
        )
        tell(f"Runs are in {root}. `raspl report{where}` draws them on a page.")
        if outcome.failed:
            raise typer.Exit(1)


def export(
    out: Annotated[Path, typer.Argument(help="A .parquet or .csv file.")] = Path("runs.parquet"),
    scale: Scale = "laptop",
    seeds: Seeds = None,
    root: Root = RUNS,
    results: Results = SHIPPED,
) -> None:
    """Write all finished runs of studies as one table: a row a run, distribution and length."""
    from raspl.cli.training import kind_errors

    with kind_errors():
        from raspl.studies import assess as gather
        from raspl.studies.catalogue import STUDIES
        from raspl.studies.report import export
        from raspl.training.configuration import as_scale

        chosen = as_scale(scale)
        places = gather.Places(root, results)
        number = gather.seeds_there(chosen, seeds, places)
        records = gather.records_of(list(STUDIES), chosen, number, places)
        rows = export.write(records.values(), out)
        typer.echo(f"Written: {out}, {rows} rows from {len(records)} runs")


def publish(
    scale: Scale = "laptop", seeds: Seeds = None, root: Root = RUNS, results: Results = SHIPPED
) -> None:
    """Bring the results that ship up to date: records without weights, figures, scorecard."""
    from raspl.cli.training import kind_errors

    with kind_errors():
        from raspl.studies import assess as gather
        from raspl.training.configuration import as_scale

        chosen = as_scale(scale)
        claims = gather.publish(chosen, seeds, root, results)
        decided = sum(claim.decided for claim in claims)
        typer.echo(f"Written: {results / scale}; {decided} of {len(claims)} claims decided")


def report(
    out: Annotated[Path, typer.Option("--out", "-o", help="The page.")] = Path("report.html"),
    scale: Scale = "laptop",
    seeds: Seeds = None,
    ids: Annotated[
        list[str] | None, typer.Option("--study", help="Only this study; may be repeated.")
    ] = None,
    root: Root = RUNS,
    results: Results = SHIPPED,
) -> None:
    """Write one self-contained page: the scorecard, then every result with its figure."""
    from raspl.cli.training import kind_errors

    with kind_errors():
        from raspl.studies import assess as gather
        from raspl.studies.report import page as report
        from raspl.training.configuration import as_scale

        chosen = as_scale(scale)
        places = gather.Places(root, results)
        tell_if_there_is_nothing(places)
        claims = gather.claims_of(gather.named(ids or ["all"]), chosen, seeds, places)
        report.write(claims, gather.lines_of(chosen, seeds, places), places.notes(chosen), out)
        typer.echo(f"Written: {out}")
