"""All runs as one table: a row a run, distribution and test length."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from raspl.errors import RasplError
from raspl.runs.records import RunRecord

LEFT_OUT = ("parameters", "test_lengths", "source")
"""Fields of a configuration that are no plain values; the first is spread over columns."""


def rows(records: Iterable[RunRecord]) -> list[dict[str, Any]]:
    return [row for record in records for row in rows_of(record)]


def rows_of(record: RunRecord) -> list[dict[str, Any]]:
    config = record.config.model_dump()
    values = {f"task_{name}": value for name, value in config["parameters"].items()}
    shared = {
        "run": record.config.name,
        **{name: value for name, value in config.items() if name not in LEFT_OUT},
        **values,
        "weights": record.result.weight_count,
        "in_distribution": record.trained,
        "converged": record.converged,
        "seconds": record.seconds,
        "cpu_seconds": record.cpu_seconds,
        "device": record.device,
    }
    finals = record.scores("default", "final")
    listed = [
        *(("in distribution", one) for one in record.result.in_distribution),
        *(("tested", one) for one in record.result.tested),
        *(("also", one) for one in record.result.also),
    ]
    return [
        {
            **shared,
            "kind": kind,
            **score.model_dump(),
            "final_answer": finals.get(score.length) if kind == "tested" else None,
        }
        for kind, score in listed
    ]


def write(records: Iterable[RunRecord], path: Path) -> int:
    """A .parquet or .csv file; returns the number of rows."""
    try:
        import polars
    except ModuleNotFoundError:
        raise RasplError("This needs polars: pip install 'raspl[table]'.") from None
    if path.suffix not in (".parquet", ".csv"):
        raise RasplError(f"{path} should end in .parquet or .csv.")
    found = rows(records)
    if not found:
        raise RasplError("There are no finished runs of studies at this scale and place to export.")
    frame = polars.DataFrame(found, infer_schema_length=None).sort("run", "kind", "on", "length")
    if not path.resolve().parent.is_dir():
        raise RasplError(f"There is no folder {path.parent} to write {path.name} in.")
    aside = path.with_name(f".{path.name}.part")
    if path.suffix == ".csv":
        frame.write_csv(aside)
    else:
        frame.write_parquet(aside)
    aside.replace(path)
    return len(frame)
