"""Commands of studies: study list, run, export, publish; report."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from raspl.cli.messages import require, tell
from raspl.cli.options import RUNS, Results, Root, Scale
from raspl.errors import RasplError

if TYPE_CHECKING:
    from collections.abc import Callable

    from raspl.fleet.status import Fleet
    from raspl.runs.costs import Estimator
    from raspl.runs.store import Store

Ids = Annotated[list[str], typer.Argument(metavar="ID…", help="Studies, tasks, or `all`.")]
Seeds = Annotated[
    int | None,
    typer.Option(
        help="Seeds per point; by default 3 (laptop), 5 (desk) or 20 (paper). All are judged.",
        min=1,
    ),
]
OF_ONE_FLEET = {"local": ("workers", "device"), "ray": ("address", "cpus", "gpus", "shared")}


def register(app: typer.Typer) -> None:
    studies = typer.Typer(no_args_is_help=True, help="The paper's results, one study each.")
    studies.command("list")(list_studies)
    studies.command("run")(run)
    studies.command("export")(export)
    studies.command("publish")(publish)
    studies.command("inside")(align_all)
    app.add_typer(studies, name="study")
    app.command("report")(report)


def check_fleet(context: typer.Context, on: str) -> None:
    """An option that would be ignored is a mistake."""
    if on not in OF_ONE_FLEET:
        raise RasplError(f"--on is local or ray, not {on!r}.")
    for fleet, options in OF_ONE_FLEET.items():
        for name in options if fleet != on else ():
            source = context.get_parameter_source(name)
            if source is not None and source.name == "COMMANDLINE":
                raise RasplError(f"--{name} is for --on {fleet}; this is --on {on}.")


def tell_if_there_is_nothing(store: Store) -> None:
    """A mistyped folder looks like no runs at all."""
    folders = [folder for folder in (store.root, store.results) if folder is not None]
    if not any(folder.is_dir() for folder in folders):
        listed = " and no folder ".join(map(str, folders))
        tell(f"There is no folder {listed} here, so there are no runs to judge.")


def list_studies(
    scale: Scale = "laptop", seeds: Seeds = None, root: Root = RUNS, results: Results = None
) -> None:
    """Show the verdict on every claim, and what the missing runs would cost."""
    require("learn")
    from rich.console import Console

    from raspl.runs.costs import Estimator
    from raspl.runs.store import Store, shipped_results
    from raspl.studies import assess
    from raspl.studies.catalogue import STUDIES
    from raspl.studies.report import tables
    from raspl.tasks.shipped import as_scale

    results = results or shipped_results()
    ids, chosen, store = list(STUDIES), as_scale(scale), Store(root, results)
    tell_if_there_is_nothing(store)
    number = assess.seeds_of(chosen, seeds)
    claims = assess.claims_of(ids, chosen, seeds, store)
    known = {name: one for claim in claims for name, one in claim.evidence.records.items()}
    mine = assess.records_of(ids, chosen, number, Store(root, None))
    own = assess.own_claims(ids, chosen, store)
    console = Console()
    console.print(tables.overview(claims, Estimator(known), number, mine))
    for line in tables.open_parts(claims, own):
        console.print(line, style="dim", highlight=False)
    console.print(
        f"[dim]{scale} scale. Claims are judged on the runs that ship in {results}, and on yours "
        f"in {root} where none ships, once one seed has all runs of a claim. “Met” counts "
        "conditions. “Seeds” are those of the point with the fewest, and of that with the most. "
        "“Need” is the number of seeds that would decide a claim, judging by the spread of those "
        f"there are. “To run” is the time on one core for {number} seeds, without the runs you "
        "have done yourself. Studies share runs.[/]"
    )


def run(
    context: typer.Context,
    ids: Ids,
    scale: Scale = "laptop",
    seeds: Seeds = None,
    on: Annotated[str, typer.Option(help="local, or ray for a cluster.")] = "local",
    root: Root = RUNS,
    workers: Annotated[
        int | None, typer.Option(help="local: processes; one per core by default.", min=1)
    ] = None,
    device: Annotated[
        str, typer.Option(help="local: cpu, cuda, or several as in cuda:0,cuda:1.")
    ] = "cpu",
    address: Annotated[
        str | None, typer.Option(help="ray: the cluster, as in auto or head:6379.")
    ] = None,
    cpus: Annotated[float, typer.Option(help="ray: CPUs per run.", min=0)] = 1.0,
    gpus: Annotated[float, typer.Option(help="ray: GPUs per run, as in 0.25.", min=0)] = 0.0,
    retries: Annotated[int, typer.Option(help="How often a lost run is restarted.", min=0)] = 5,
    shared: Annotated[
        bool, typer.Option("--shared", help="ray: every node sees --root under the same path.")
    ] = False,
    checkpoint_seconds: Annotated[
        float, typer.Option(help="Seconds between checkpoints.", min=0)
    ] = 30.0,
    predict: Annotated[
        float, typer.Option(help="Seconds of search per prediction; 0 for none.", min=0)
    ] = 20.0,
    shipped: Annotated[
        bool, typer.Option("--shipped", help="Count shipped runs as done, and judge with them.")
    ] = False,
    results: Results = None,
    until_decided: Annotated[
        bool,
        typer.Option("--until-decided", help="Add seeds until no claim is undecided."),
    ] = False,
    most_seeds: Annotated[
        int | None,
        typer.Option(help="with --until-decided: at most this many seeds; 20 by default.", min=1),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume interrupted runs; always on.")
    ] = True,
) -> None:
    """Train the missing runs of studies, then judge their claims. Run again to continue."""
    require("learn")
    from rich.console import Console

    from raspl.fleet import local, ray
    from raspl.fleet.status import display
    from raspl.runs.store import shipped_results
    from raspl.studies import assess, running
    from raspl.studies.report import tables
    from raspl.studies.scales import MOST_SEEDS
    from raspl.tasks.shipped import as_scale

    check_fleet(context, on)
    if most_seeds is not None and not until_decided:
        raise RasplError("--most-seeds is for --until-decided.")
    places = (root, results or shipped_results())
    order = running.Order(assess.named(ids), as_scale(scale), seeds, *places, shipped)
    fleet: Callable[[Estimator], Fleet]
    if on == "ray":
        cluster = ray.Cluster(address, cpus, gpus, retries, shared, checkpoint_seconds)
        fleet = partial(ray.Ray, root, cluster)
    else:
        plan = local.plan(workers, device.split(","), retries, checkpoint_seconds)
        fleet = partial(local.Local, root, plan)
    with display() as watch:
        if until_decided:
            most = most_seeds or MOST_SEEDS
            outcome, order = running.run_until_decided(order, most, fleet, predict, tell, watch)
        else:
            outcome = running.run(order, fleet, predict, tell, watch)
    console = Console()
    for claim in order.claims():
        console.print(tables.details(claim))
        console.print()
    for name, reason in outcome.failed.items():
        tell(f"{name} was given up: {reason}")
    tell(f"Runs are in {root}. `{report_command(scale, root)}` draws them on a page.")
    if outcome.failed:
        raise typer.Exit(1)


def report_command(scale: str, root: Path) -> str:
    """With the options that are not at their default."""
    options = (("scale", scale, "laptop"), ("root", root, RUNS))
    given = "".join(f" --{name} {value}" for name, value, usual in options if value != usual)
    return f"raspl report{given}"


def export(
    out: Annotated[Path, typer.Argument(help="A .parquet or .csv file.")] = Path("runs.parquet"),
    scale: Scale = "laptop",
    seeds: Seeds = None,
    root: Root = RUNS,
    results: Results = None,
) -> None:
    """Write all finished runs as one table: a row per run, distribution and length."""
    require("learn")
    from raspl.runs.store import Store, shipped_results
    from raspl.studies import assess
    from raspl.studies.catalogue import STUDIES
    from raspl.studies.report.export import write
    from raspl.tasks.shipped import as_scale

    chosen, store = as_scale(scale), Store(root, results or shipped_results())
    number = assess.seeds_there(chosen, seeds, store)
    records = assess.records_of(list(STUDIES), chosen, number, store)
    rows = write(records.values(), out)
    typer.echo(f"Written: {out}, {rows} rows from {len(records)} runs")


def publish(
    scale: Scale = "laptop", seeds: Seeds = None, root: Root = RUNS, results: Results = None
) -> None:
    """Update the results of a clone: records without weights, figures, scorecard."""
    require("learn")
    from raspl.runs.store import IN_A_CLONE
    from raspl.studies.publish import publish
    from raspl.tasks.shipped import as_scale

    folder = results or IN_A_CLONE
    claims = publish(as_scale(scale), seeds, root, folder)
    decided = sum(claim.decided for claim in claims)
    typer.echo(f"Written: {folder / scale}; {decided} of {len(claims)} claims decided")


def align_all(
    scale: Scale = "laptop",
    root: Root = RUNS,
    out: Annotated[
        Path | None, typer.Option("--ship", help="Results folder to put the findings into.")
    ] = None,
) -> None:
    """Align every trained run with the program of its task, and search what it does instead.

    Run again to continue.
    """
    require("learn")
    from raspl.cli.inside import continues, cores, progress_line
    from raspl.errors import RasplError
    from raspl.studies import inside
    from raspl.tasks.shipped import as_scale

    chosen = as_scale(scale)
    runs = inside.runs_in(root, chosen)
    if not runs:
        raise RasplError(
            f"{root} has no finished run of {chosen} scale whose task has a program; "
            "`raspl study run headline` trains some."
        )
    with progress_line() as watch, continues():
        found = inside.align_all(runs, chosen, watch, tell, cores())
    if out is not None:
        inside.ship(out, found)
    for one in found.found:
        beyond = "; ".join(
            f"{longer.where}: {one.worst_at(place):.0%}, exact match {longer.exact:.0%}"
            for place, longer in enumerate(one.longer)
        )
        typer.echo(f"{one.run}: {one.verdict} ({one.score:.0%}); {beyond}")
    for sentence in found.sentences():
        typer.echo(sentence)


def report(
    out: Annotated[Path, typer.Option("--out", "-o", help="Output file.")] = Path("report.html"),
    scale: Annotated[
        str | None, typer.Option(help="Only this scale; by default every scale with results.")
    ] = None,
    seeds: Seeds = None,
    ids: Annotated[
        list[str] | None, typer.Option("--study", help="Only this study; may be repeated.")
    ] = None,
    root: Root = RUNS,
    results: Results = None,
) -> None:
    """Write one self-contained page: the headline, the predictions, then every claim."""
    require("learn")
    from raspl.runs.store import Store, shipped_results
    from raspl.studies import assess
    from raspl.studies.report import gather, page
    from raspl.tasks.shipped import as_scale

    store = Store(root, results or shipped_results())
    chosen = as_scale(scale) if scale is not None else None
    page.write(
        gather.parts(assess.named(ids or ["all"]), chosen, seeds, store), out, results=store.results
    )
    typer.echo(f"Written: {out}")
