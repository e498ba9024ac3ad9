"""Commands of the benchmark: bench forecast, fit, score."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from raspl.cli.messages import require, tell
from raspl.cli.options import RUNS, Root
from raspl.errors import RasplError

if TYPE_CHECKING:
    from raspl.benchmark.cases import Home
    from raspl.benchmark.suites import SuiteName

HomeFolder = Annotated[
    Path | None,
    typer.Option("--home", help="Where predictions and outcomes are; by default those that ship."),
]
Suites = Annotated[
    list[str] | None,
    typer.Option(
        "--suite", help="languages, literature, paper or random; all by default. Repeat it."
    ),
]
Workers = Annotated[int | None, typer.Option(help="Processes; one per core by default.", min=1)]


def register(app: typer.Typer) -> None:
    bench = typer.Typer(no_args_is_help=True, help="How good forecasts are, on tasks by the dozen.")
    bench.command("forecast")(forecast)
    bench.command("fit")(fit)
    bench.command("score")(score)
    app.add_typer(bench, name="bench")


def forecast(
    suite: Suites = None,
    workers: Workers = None,
    on: Annotated[str, typer.Option(help="local, or ray for a cluster.")] = "local",
    address: Annotated[str | None, typer.Option(help="ray: the cluster.")] = None,
    root: Root = RUNS,
    home: HomeFolder = None,
    train: Annotated[
        bool, typer.Option("--train/--no-train", help="Train what has no outcome yet.")
    ] = True,
) -> None:
    """Predict every task of the suites, then train those without an outcome, then score.

    Run again to continue. Nothing is trained before it was predicted.
    """
    require("learn")
    import os

    from raspl.benchmark.predicting import predict_suite
    from raspl.benchmark.training import train_entries
    from raspl.fleet import local, ray
    from raspl.fleet.status import Fleet, display
    from raspl.runs.costs import Estimator

    place, names = _home(home), _names(suite)
    for name in names:
        predict_suite(name, place.ledger(name), workers or os.cpu_count() or 1, tell)
    if not train:
        return
    runs = root / "forecast"
    fleet: Fleet
    if on == "ray":
        fleet = ray.Ray(runs, ray.Cluster(address), Estimator({}))
    else:
        fleet = local.Local(runs, local.plan(workers, ["cpu"], 5, 30.0), Estimator({}))
    for name in names:
        with display() as watch:
            failed = train_entries(
                place.to_train(name), place.outcomes(name), runs, fleet, watch, tell
            )
        for run, reason in failed.items():
            tell(f"{run} was given up: {reason}")
    score(home)


def fit(
    home: HomeFolder = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Where the coefficients are written.")
    ] = None,
    frozen: Annotated[
        bool, typer.Option("--freeze", help="Score outcomes that come later by this fit, too.")
    ] = False,
) -> None:
    """Fit the model behind forecasts to all predictions that have an outcome."""
    from raspl.benchmark.blind import freeze
    from raspl.benchmark.fitting import fit_model, write_model

    place = _home(home)
    cases = place.cases()
    model = fit_model(cases)
    typer.echo(f"Written to {write_model(model, out)}.")
    if frozen:
        typer.echo(f"Written to {freeze(model, cases, place.folder)}.")


def score(home: HomeFolder = None) -> None:
    """Score stored predictions against stored outcomes, beside rivals; draw the figures."""
    require("learn")
    from rich.console import Console

    from raspl.benchmark.report import summary, write_page
    from raspl.benchmark.scoring import board

    place = _home(home)
    cases = place.cases()
    if not cases:
        raise RasplError(f"There are no outcomes in {place.folder}: run raspl bench forecast.")
    scored = board(cases)
    Console().print(summary(scored))
    tell(f"Written to {write_page(scored, cases, place)}.")


def _home(home: Path | None) -> Home:
    from raspl.benchmark.cases import Home

    return Home.shipped() if home is None else Home(home)


def _names(wanted: list[str] | None) -> list[SuiteName]:
    from raspl.benchmark.cases import NAMES

    unknown = [name for name in wanted or () if name not in NAMES]
    if unknown:
        raise RasplError(f"There is no suite {unknown[0]!r}: choose from {', '.join(NAMES)}.")
    return [name for name in NAMES if wanted is None or name in wanted]
