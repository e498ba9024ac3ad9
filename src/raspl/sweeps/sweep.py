"""Running a sweep: successive halving by Optuna, over runs that the fleet trains.

Every configuration starts with its full schedule. At each evaluation the pruner compares it with
all that came as far in theirs, and the fleet stops those that are not among the best third; so what
is left at the end are whole runs. Optuna's journal keeps what was asked and reported, the runs keep
themselves: the same command continues, also with more budget.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from raspl.errors import RasplError
from raspl.fleet.status import Outcome, Status, Stop, Watch
from raspl.runs.folder import RunFolder
from raspl.studies.scales import FIRST_SEED
from raspl.sweeps.log import Log, State, Tried
from raspl.sweeps.space import SEED, Field, points
from raspl.tasks import Scale
from raspl.training.configuration import Configuration
from raspl.training.presets import configure
from raspl.training.result import Logged

if TYPE_CHECKING:
    from optuna.study import Study
    from optuna.trial import Trial

THIRD = 3
"""Of so many that come to a rung, one goes on."""
FIRST_RUNG = 9
"""The first comparison is after this part of a run's schedule, the next after a third."""
STAGES = 9_000
"""Of a schedule, so that short and long ones are compared as far on: rates fall towards the end."""
LOSS = 0.01
"""Weight of the loss beside exact match: it ranks those that get nothing right yet, or all."""
ABOUT = "about"


@dataclass(frozen=True)
class Sweep:
    """What is tried."""

    name: str
    task: str
    scale: Scale
    fixed: Mapping[str, Any]
    fields: Sequence[Field]
    trials: int | None = None
    """How many; None for every combination."""

    def configuration(self, values: Mapping[str, Any]) -> Configuration:
        config = configure(self.task, self.scale, {**self.fixed, **values})
        first = FIRST_SEED[self.scale]
        if config.seed >= first:
            raise RasplError(
                f"Seeds from {first} on are the studies'; a sweep that chose by them would spoil "
                f"them. Set a seed below {first}."
            )
        return config

    @property
    def about(self) -> dict[str, Any]:
        """What must be the same for a sweep to go on."""
        return {
            "task": self.task,
            "scale": self.scale,
            "fixed": {key: str(value) for key, value in self.fixed.items()},
            "varied": [str(one) for one in self.fields],
            "first": self.configuration(points(self.fields, None)[0]).name,
        }


class StoppingFleet(Protocol):
    """Where runs run, and can be stopped while they do."""

    def run(self, configs: Iterable[Configuration], watch: Watch, stop: Stop) -> Outcome: ...


@dataclass
class Entry:
    """A configuration on its way."""

    trial: Trial
    varied: dict[str, Any]
    config: Configuration
    pruned: bool = False
    told: bool = False
    """Whether Optuna knows how it ended."""
    reported: int = 0
    """The last stage that Optuna knows of."""

    def stage(self, step: int) -> int:
        """How far a step is in the schedule."""
        return step * STAGES // self.config.steps


@dataclass
class Runner:
    sweep: Sweep
    folder: Path
    """Where sweeps are kept: the runs of all of them, and a folder for each."""
    budget: float
    """Seconds of one core, what was spent before included."""
    entries: dict[str, Entry] = field(default_factory=dict)
    """By the name of the run."""
    out_of_budget: bool = False

    @property
    def runs(self) -> Path:
        return self.folder / "runs"

    @property
    def home(self) -> Path:
        return self.folder / self.sweep.name

    def run(self, fleet: StoppingFleet, watch: Watch) -> Log:
        study = self.open()

        def watched(statuses: Sequence[Status], left: float | None) -> None:
            self.look(study, statuses)
            watch(statuses, left)

        wanted = [one.config for one in self.entries.values() if not one.pruned]
        failed = fleet.run(wanted, watched, stop=self.unwanted).failed
        for name in failed:
            self.tell(study, self.entries[name], "failed")
        return self.log(failed)

    def unwanted(self, config: Configuration) -> bool:
        return self.out_of_budget or self.entries[config.name].pruned

    def look(self, study: Study, statuses: Sequence[Status]) -> None:
        """Report what is new, stop who falls behind, and all if the budget is gone."""
        running = sum(status.cpu_seconds for status in statuses)
        self.out_of_budget = self.out_of_budget or self.spent() + running >= self.budget
        for status in statuses:
            entry = self.entries[status.config.name]
            if entry.stage(status.step) > entry.reported or status.state == "done":
                self.report(study, entry)
            if status.state == "done":
                self.tell(study, entry, "done")

    def report(self, study: Study, entry: Entry) -> None:
        for line in RunFolder.under(self.runs, entry.config).curve():
            stage = entry.stage(line.step)
            if not line.scores or stage <= entry.reported or entry.pruned or entry.told:
                continue
            entry.reported = stage
            entry.trial.report(worth(line), stage)
            if line.step < entry.config.steps and entry.trial.should_prune():
                entry.pruned = True
                self.tell(study, entry, "stopped")

    def tell(self, study: Study, entry: Entry, state: State) -> None:
        from optuna.trial import TrialState

        if entry.told:
            return
        entry.told = True
        if state == "done":
            study.tell(entry.trial, worth(self.evaluations(entry)[-1]))
        else:
            ended = TrialState.PRUNED if state == "stopped" else TrialState.FAIL
            study.tell(entry.trial, state=ended)

    def evaluations(self, entry: Entry) -> list[Logged]:
        curve = RunFolder.under(self.runs, entry.config).curve()
        return [line for line in curve if line.scores]

    def spent(self) -> float:
        """Seconds of one core, of all sessions that have ended."""
        return sum(self.cost(entry) for entry in self.entries.values())

    def cost(self, entry: Entry) -> float:
        return sum(one.cpu_seconds for one in RunFolder.under(self.runs, entry.config).costs())

    def open(self) -> Study:
        """The study in its journal, new or as it was left, and an entry for each trial."""
        study = opened(self.home / "journal.log", self.sweep)
        wanted = points(self.sweep.fields, self.sweep.trials)
        for point in wanted[len(study.trials) :]:
            study.enqueue_trial(dict(point))
        self.adopt(study)
        return study

    def adopt(self, study: Study) -> None:
        """Entries of what was begun before, then of what waits."""
        from optuna.trial import Trial, TrialState

        for frozen in study.get_trials(deepcopy=False):
            if frozen.state != TrialState.WAITING:
                # There is no public way to go on with a trial of another process.
                self.enter(Trial(study, frozen._trial_id), frozen.state)
        for _ in study.get_trials(deepcopy=False, states=(TrialState.WAITING,)):
            self.enter(study.ask(), TrialState.RUNNING)

    def enter(self, trial: Trial, state: Any) -> None:
        from optuna.trial import TrialState

        ended = state != TrialState.RUNNING
        varied = {
            one.name: trial.params[one.name] if ended else one.suggest(trial)
            for one in self.sweep.fields
        }
        config = self.sweep.configuration(varied)
        if config.name in self.entries:
            return  # a range drew the same again
        seen = trial.study.trials[trial.number].last_step or 0
        self.entries[config.name] = Entry(
            trial, varied, config, state == TrialState.PRUNED, ended, seen
        )

    def log(self, failed: Mapping[str, str]) -> Log:
        tried = tuple(self.tried(entry, entry.config.name in failed) for entry in self.all())
        sweep = self.sweep
        return Log(
            name=sweep.name,
            task=sweep.task,
            scale=sweep.scale,
            fixed=dict(sweep.fixed),
            varied=tuple(map(str, sweep.fields)),
            tried=tried,
        )

    def all(self) -> list[Entry]:
        return sorted(self.entries.values(), key=lambda entry: entry.trial.number)

    def tried(self, entry: Entry, failed: bool) -> Tried:
        folder = RunFolder.under(self.runs, entry.config)
        result, seen = folder.finished(), self.evaluations(entry)
        unfinished: State = "stopped" if entry.pruned else "failed" if failed else "unfinished"
        scores = seen[-1].scores if seen else ()
        return Tried(
            varied=entry.varied,
            config=entry.config,
            state=unfinished if result is None else "done",
            step=seen[-1].step if seen else 0,
            longest=scores[0].exact if scores else 0.0,
            as_trained=None if result is None else result.as_trained.exact,
            tested={one.length: one.exact for one in scores[1:]},
            core_minutes=round(self.cost(entry) / 60, 2),
            curve=tuple((line.step, line.scores[0].exact) for line in seen),
        )


def worth(line: Logged) -> float:
    """In-distribution exact match at the longest training length; then the loss."""
    return line.scores[0].exact - LOSS * line.loss


def opened(journal: Path, sweep: Sweep) -> Study:
    import optuna
    from optuna.storages import JournalStorage
    from optuna.storages.journal import JournalFileBackend

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    journal.parent.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the journal may still change its format
        storage = JournalStorage(JournalFileBackend(str(journal)))
    study = optuna.create_study(
        storage=storage,
        sampler=optuna.samplers.RandomSampler(SEED),
        pruner=optuna.pruners.SuccessiveHalvingPruner(STAGES // FIRST_RUNG, THIRD),
        study_name=sweep.name,
        direction="maximize",
        load_if_exists=True,
    )
    before = study.user_attrs.get(ABOUT)
    if before is None:
        study.set_user_attr(ABOUT, sweep.about)
    elif before != sweep.about:
        raise RasplError(
            f"The sweep {sweep.name!r} in {journal.parent} is another: {before['task']} at "
            f"{before['scale']} scale, varied {' '.join(before['varied'])}, or from a preset that "
            "has changed since. Choose another --name."
        )
    return study
